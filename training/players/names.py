"""The players that training makes: networks, and those that search. Names are those of `core.thinking.player_names`.

The package's root registers `reference`, `search` and `run` below under their kinds; `import theogony` does not import
this file, and a search without a run needs no torch.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from theogony.envs.core.game import Game
from theogony.envs.core.players import GreedyPlayer, Player
from theogony.envs.core.thinking.player_names import RUN, PlayerError, kind_of, no_player
from theogony.training.players.plan_player import PLAN, Planner, PlanPlayer, parse_plan
from theogony.training.players.search.names import KINDS, parse_search
from theogony.training.players.search_player import SearchPlayer, with_value

REFERENCE = "reference"  # looks ahead, by a learnt value or as a policy with lookahead scores
POLICY_ALONE = "reference-policy"  # a network that plays from the observation alone


def reference(name: str, game: Game, draws: bool) -> Player:
    """The trained agent that comes with a game. Raises CheckpointError when there is none for these options."""
    if name not in (REFERENCE, POLICY_ALONE):
        raise PlayerError(f'player {name!r}: expected "{REFERENCE}" or "{POLICY_ALONE}"')
    from theogony.training.networks.weights import CheckpointError
    from theogony.training.players.reference import reference_folder

    try:
        return load_player(reference_folder(game, name), game, draws, name)
    except CheckpointError as error:
        raise CheckpointError(f'{error}; "greedy" plays without a network') from None


def search(name: str, game: Game, draws: bool) -> Player:
    """A searching player, with or without the guidance of a run."""
    options, guide = parse_search(name)
    if guide is None:
        return SearchPlayer(name, game, options)
    player = _guide(guide, game)
    if isinstance(player, GreedyPlayer):
        return SearchPlayer(name, game, with_value(options, game, player.net), net=player.net)
    return SearchPlayer(name, game, options, player)


def plan(name: str, game: Game, draws: bool) -> Player:
    """A player that plans, by a learnt value or by that of the game."""
    options = parse_plan(name)
    if options.run is None:
        return PlanPlayer(name, Planner(game, options))
    player = _guide(options.run, game)
    if not isinstance(player, GreedyPlayer):
        raise PlayerError(f"player {name!r}: {options.run} is a policy; expected a learnt value, which judges plans")
    return PlanPlayer(name, Planner(game, options, player.net))


def _guide(guide: str, game: Game) -> Any:
    """The player behind an `@`."""
    shipped = guide in (REFERENCE, POLICY_ALONE)
    return reference(guide, game, False) if shipped else load_player(guide, game)


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
    return NetworkPlayer(name, read_policy(checkpoint, game), draws)


def run_of(name: str) -> str | None:
    """The path of the run in a player's name, where there is one: "runs/x", "mcts:400@runs/x"."""
    kind = kind_of(name)
    if kind in KINDS or kind == PLAN:
        guide = parse_plan(name).run if kind == PLAN else parse_search(name)[1]
        return None if guide in (REFERENCE, POLICY_ALONE) else guide
    return name if kind == RUN else None
