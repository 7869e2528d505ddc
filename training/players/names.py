"""The players that training makes: networks, and those that search. Names are those of `core.thinking.player_names`.

The package's root registers `reference`, `search` and the others below under their kinds; `import theogony` does not
import this file, and a search without a run needs no torch.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from theogony.envs.core.game import Game
from theogony.envs.core.players import GreedyPlayer, Player
from theogony.envs.core.thinking.player_names import RUN, PlayerError, kind_of, no_player
from theogony.training.players.plan_player import PLAN, Planner, PlanPlayer, parse_plan
from theogony.training.players.search.names import KINDS, parse_search
from theogony.training.players.search_player import SearchPlayer
from theogony.training.players.thinking import ONE_AHEAD, by_policy, by_value, policy_alone, thinking_of

REFERENCE = "reference"  # thinks ahead by what it has learnt, a value or a policy
POLICY_ALONE = "reference-policy"  # a network that plays from the observation alone
GREEDY_BY = f"{ONE_AHEAD}@"  # the kind of those that play greedily by a run: "greedy@runs/x"
SAMPLED = "sampled@"  # the kind of policies that draw their actions: "sampled@runs/x"


def reference(name: str, game: Game, draws: bool) -> Player:
    """The trained agent that comes with a game, which thinks as `thinking_of` says; a policy that `draws` does not.

    Raises CheckpointError when there is none for these options.
    """
    agent: Any = _shipped(name, game, draws)
    if name != REFERENCE:
        return agent
    if isinstance(agent, GreedyPlayer):
        return by_value(name, thinking_of(game), game, agent.net)
    return agent if draws else by_policy(name, thinking_of(game, policy=True), game, agent)


def _shipped(name: str, game: Game, draws: bool) -> Player:
    """The trained agent of a game without further thought: one decision ahead by a learnt value, or a policy."""
    if name not in (REFERENCE, POLICY_ALONE):
        raise PlayerError(f'player {name!r}: expected "{REFERENCE}" or "{POLICY_ALONE}"')
    from theogony.training.networks.weights import CheckpointError
    from theogony.training.players.reference import reference_folder

    try:
        return load_player(reference_folder(game, name), game, draws, name)
    except CheckpointError as error:
        raise CheckpointError(f'{error}; "greedy" plays without a network') from None


def greedy(name: str, game: Game, draws: bool) -> Player:
    """One decision ahead by what a run has learnt; where that is a policy, its likeliest action."""
    settings, guide = name.partition("@")[0], _guide_of(name)
    player = _guide(guide, game)
    if isinstance(player, GreedyPlayer):
        return by_value(name, settings, game, player.net)
    return policy_alone(name, settings, guide, player)


def sampled(name: str, game: Game, draws: bool) -> Player:
    """A policy that draws its actions by their chances, as it does while it learns. Raises PlayerError for others."""
    settings, guide = name.partition("@")[0], _guide_of(name)
    if settings + "@" != SAMPLED:
        raise PlayerError(f"player {name!r}: nothing can be set before the @; expected {SAMPLED}{guide}")
    player = _guide(guide, game, draws=True)
    if not getattr(player, "draws", False):
        raise PlayerError(f"player {name!r}: {guide} has no chances to draw actions from; expected a policy")
    player.name = name
    return player


def _guide_of(name: str) -> str:
    """What stands behind the `@` of a player that needs something there. Raises PlayerError."""
    guide = name.partition("@")[2]
    if not guide:
        raise PlayerError(f'player {name!r}: expected a run behind "@", as in "{kind_of(name)}runs/x"')
    return guide


def search(name: str, game: Game, draws: bool) -> Player:
    """A searching player, with or without the guidance of a run."""
    options, guide = parse_search(name)
    if guide is None:
        return SearchPlayer(name, game, options)
    player = _guide(guide, game)
    if isinstance(player, GreedyPlayer):
        return by_value(name, name, game, player.net)
    return SearchPlayer(name, game, options, player)


def plan(name: str, game: Game, draws: bool) -> Player:
    """A player that plans, by a learnt value or by that of the game."""
    options = parse_plan(name)
    if options.run is None:
        return PlanPlayer(name, Planner(game, options))
    player = _guide(options.run, game)
    if not isinstance(player, GreedyPlayer):
        raise PlayerError(f"player {name!r}: {options.run} is a policy; expected a learnt value, which judges plans")
    return by_value(name, name, game, player.net)


def _guide(guide: str, game: Game, draws: bool = False) -> Any:
    """The player behind an `@`, without further thought. Raises PlayerError where it is another kind of player."""
    if guide in (REFERENCE, POLICY_ALONE):
        return _shipped(guide, game, draws)
    place, expected = Path(guide), f'the folder of one, "{REFERENCE}" or "{POLICY_ALONE}"'
    if not place.is_dir() and (place.is_file() or kind_of(guide) != RUN):
        raise PlayerError(f'behind "@": {guide!r} is no run; expected {expected}')
    return load_player(guide, game, draws)


def run(name: str, game: Game, draws: bool) -> Player:
    """The agent of a run or of a checkpoint, or one that was made elsewhere: a file."""
    if Path(name).is_file():
        from theogony.training.players.elsewhere import from_file

        return from_file(name, game)
    return load_player(name, game, draws)


def load_player(path: str | Path, game: Game, draws: bool = False, name: str | None = None) -> Player:
    """The agent of a checkpoint, or of the last one of a run: a policy, or lookahead with a learnt value.

    Raises CheckpointError when it is of another game.
    """
    if not Path(path).exists():
        raise no_player(str(path))
    from theogony.training.players.network import NetworkPlayer
    from theogony.training.storage.checkpoint import checkpoint_path, read_policy, read_value_network

    checkpoint, name = checkpoint_path(Path(path)), name or str(path)
    net = read_value_network(checkpoint, game)
    if net is not None:
        return GreedyPlayer(game, net=net, name=name)
    return NetworkPlayer(name, read_policy(checkpoint, game), draws, game)


def run_of(name: str) -> str | None:
    """The path of the run in a player's name, where there is one: "runs/x", "mcts:400@runs/x"."""
    kind = kind_of(name)
    if kind in KINDS or kind in (PLAN, GREEDY_BY, SAMPLED):
        guide = parse_search(name)[1] if kind in KINDS else parse_plan(name).run if kind == PLAN else _guide_of(name)
        return None if guide in (REFERENCE, POLICY_ALONE) else guide
    return name if kind == RUN else None
