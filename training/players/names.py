"""The players that training makes: networks, and those that search. Names are those of `core.thinking.player_names`.

The package's root registers `reference`, `search` and the others below under their kinds; `import theogony` does not
import this file, and a search without a run needs no torch.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from theogony.envs.core.game import Game
from theogony.envs.core.players import GreedyPlayer, Player
from theogony.envs.core.thinking.player_names import REFERENCES, RUN, PlayerError, PlayerName, no_player, parse_player
from theogony.training.players.plan_player import PLAN, Planner, PlanPlayer, parse_plan
from theogony.training.players.search.options import KINDS, parse_search
from theogony.training.players.search_player import SearchPlayer
from theogony.training.players.thinking import ONE_AHEAD, by_policy, by_value, policy_alone, thinking_of
from theogony.training.storage.mirrors import is_address, local

REFERENCE, POLICY_ALONE = REFERENCES  # one thinks ahead by a value or a policy, one plays from the observation alone
GREEDY_BY = f"{ONE_AHEAD}@"  # the kind of those that play greedily by a run: "greedy@runs/x"
SAMPLED = "sampled@"  # the kind of policies that draw their actions: "sampled@runs/x"


def reference(name: PlayerName, game: Game, draws: bool) -> Player:
    """The trained agent that comes with a game, which thinks as `thinking_of` says; a policy that `draws` does not.

    Raises CheckpointError when there is none for these options.
    """
    agent: Any = _shipped(name.text, game, draws)
    if name.text != REFERENCE:
        return agent
    if isinstance(agent, GreedyPlayer):
        return by_value(REFERENCE, thinking_of(game), game, agent.net)
    return agent if draws else by_policy(REFERENCE, thinking_of(game, policy=True), game, agent)


def _shipped(name: str, game: Game, draws: bool) -> Player:
    """The trained agent of a game without further thought: one decision ahead by a learnt value, or a policy."""
    if name not in REFERENCES:
        raise PlayerError(f'player {name!r}: expected "{REFERENCE}" or "{POLICY_ALONE}"')
    from theogony.training.networks.weights import CheckpointError
    from theogony.training.players.reference import reference_folder

    try:
        return load_player(reference_folder(game, name), game, draws, name)
    except CheckpointError as error:
        raise CheckpointError(f'{error}; "greedy" plays without a network') from None


def greedy(name: PlayerName, game: Game, draws: bool) -> Player:
    """One decision ahead by what a run has learnt; where that is a policy, its likeliest action."""
    guide = _guide_of(name)
    player = _guide(guide, game)
    if isinstance(player, GreedyPlayer):
        return by_value(name.text, name.settings, game, player.net)
    return policy_alone(name.text, name.settings, guide, player)


def sampled(name: PlayerName, game: Game, draws: bool) -> Player:
    """A policy that draws its actions by their chances, as it does while it learns. Raises PlayerError for others."""
    guide = _guide_of(name)
    if name.settings + "@" != SAMPLED:
        raise PlayerError(f"player {name.text!r}: nothing can be set before the @; expected {SAMPLED}{guide}")
    player = _guide(guide, game, draws=True)
    if not getattr(player, "draws", False):
        raise PlayerError(f"player {name.text!r}: {guide} has no chances to draw actions from; expected a policy")
    player.name = name.text
    return player


def _guide_of(name: PlayerName) -> str:
    """What stands behind the `@` of a player that needs something there. Raises PlayerError."""
    if not name.guide:
        raise PlayerError(f'player {name.text!r}: expected a run behind "@", as in "{name.kind}runs/x"')
    return name.guide


def search(name: PlayerName, game: Game, draws: bool) -> Player:
    """A searching player, with or without the guidance of a run."""
    options, guide = parse_search(name)
    if guide is None:
        return SearchPlayer(name.text, game, options)
    player = _guide(guide, game)
    if isinstance(player, GreedyPlayer):
        return by_value(name.text, name.settings, game, player.net)
    return SearchPlayer(name.text, game, options, player)


def plan(name: PlayerName, game: Game, draws: bool) -> Player:
    """A player that plans, by a learnt value or by that of the game."""
    options = parse_plan(name)
    if options.run is None:
        return PlanPlayer(name.text, Planner(game, options))
    player = _guide(options.run, game)
    if not isinstance(player, GreedyPlayer):
        raise PlayerError(
            f"player {name.text!r}: {options.run} is a policy; expected a learnt value, which judges plans"
        )
    return by_value(name.text, name.settings, game, player.net)


def _guide(guide: str, game: Game, draws: bool = False) -> Any:
    """The player behind an `@`, without further thought. Raises PlayerError where it is another kind of player."""
    if guide in REFERENCES:
        return _shipped(guide, game, draws)
    place, expected = Path(guide), f'the folder of one, "{REFERENCE}" or "{POLICY_ALONE}"'
    if not place.is_dir() and (place.is_file() or parse_player(guide).kind != RUN):
        raise PlayerError(f'behind "@": {guide!r} is no run; expected {expected}')
    return load_player(guide, game, draws)


def run(name: PlayerName, game: Game, draws: bool) -> Player:
    """The agent of a run or of a checkpoint, or one that was made elsewhere: a file."""
    if is_address(name.text):
        return load_player(local(Path(name.text)), game, draws, name.text)
    if Path(name.text).is_file():
        from theogony.training.players.elsewhere import from_file

        return from_file(name.text, game)
    return load_player(name.text, game, draws)


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


def run_of(player: str) -> str | None:
    """The path of the run in a player's name, where there is one: "runs/x", "mcts:400@runs/x". Raises PlayerError for a
    name that cannot be."""
    name = parse_player(player)
    if name.kind in KINDS:
        parse_search(name)
    elif name.kind == PLAN:
        parse_plan(name)
    elif name.kind in (GREEDY_BY, SAMPLED):
        _guide_of(name)
    return name.run
