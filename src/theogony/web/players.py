"""Players of a page without torch: what is trained is read from arrays that were written when the page was built.

They are known by the names that they have everywhere: `reference`, `plan:32@reference`, `mcts:64@reference` ...
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import Player
from theogony.envs.core.thinking.player_names import PlayerError, PlayerName, register_player
from theogony.envs.core.thinking.value_network import OWN_VALUE
from theogony.training.players.plan_player import PLAN, Planner, PlanPlayer, parse_plan
from theogony.training.players.search.names import KINDS, parse_search
from theogony.training.players.search_player import SearchPlayer, with_value
from theogony.training.players.thinking import ONE_AHEAD, by_policy, by_value, policy_alone, thinking_of
from theogony.web.policies import PlainPolicy, read_policy
from theogony.web.wide import Helpers, Nobody, WideSearch

REFERENCE = "reference"
VALUE, POLICY = "npy", "npz"  # how the file of a learnt value ends, and that of a policy


def learnt_file(game: Game, kind: str) -> str:
    """The name of the file with what the reference player of a game has learnt: a `VALUE` or a `POLICY`."""
    return f"{game.spec.name}-{game.players}p.{kind}"


def _read_value(path: Path) -> np.ndarray:
    """The learnt value in a file. Raises PlayerError."""
    try:
        return np.load(path, allow_pickle=False).astype(np.float32)
    except (OSError, ValueError, EOFError):
        raise PlayerError(f"weights/{path.name} is damaged") from None


def use(folder: Path, helpers: Helpers | None = None) -> None:
    """Make trained players from the arrays of a folder from now on; `helpers` grow trees of theirs."""
    trained = _Trained(folder, helpers or Nobody())
    register_player(REFERENCE, trained.reference, '"reference"')
    register_player(f"{ONE_AHEAD}@", trained.greedy, '"greedy@reference"')
    register_player(PLAN, trained.plan, '"plan:32@reference"')
    for kind in KINDS:
        register_player(kind, trained.search, f'"{kind}:400"')


class _Trained(NamedTuple):
    """The trained players of a page, each made by name for a game."""

    folder: Path
    helpers: Helpers

    def learnt(self, guide: str, game: Game) -> np.ndarray | PlainPolicy:
        """What the reference player of a game has learnt. Raises PlayerError."""
        value, policy = (self.folder / learnt_file(game, kind) for kind in (VALUE, POLICY))
        if guide != REFERENCE:
            raise PlayerError(f'player {guide!r}: expected "{REFERENCE}"')
        if value.is_file():
            return _read_value(value)
        if policy.is_file():
            return read_policy(policy, guide, game)
        raise PlayerError(f"this page has no trained player for {game!r} with {game.players} seats")

    def reference(self, name: PlayerName, game: Game, draws: bool) -> Player:
        """The reference player itself."""
        found = self.learnt(name.text, game)
        if isinstance(found, PlainPolicy):
            return by_policy(name.text, thinking_of(game, policy=True), game, found)
        return by_value(name.text, thinking_of(game), game, found)

    def greedy(self, name: PlayerName, game: Game, draws: bool) -> Player:
        """One decision ahead by a learnt value; of a policy the likeliest action."""
        guide = name.guide or ""
        found = self.learnt(guide, game)
        if isinstance(found, PlainPolicy):
            return policy_alone(name.text, name.settings, guide, found)
        return by_value(name.text, name.settings, game, found)

    def plan(self, name: PlayerName, game: Game, draws: bool) -> Player:
        """Plans of own decisions, judged by the game's own value or a learnt one."""
        options = parse_plan(name)
        found = OWN_VALUE if options.run is None else self.learnt(options.run, game)
        if isinstance(found, PlainPolicy):
            raise PlayerError(
                f"player {name.text!r}: {options.run} is a policy; expected a learnt value, which judges plans"
            )
        return PlanPlayer(name.text, Planner(game, options, found))

    def search(self, name: PlayerName, game: Game, draws: bool) -> Player:
        """A search by the game's own value, a learnt one or a policy; its further trees grow in helpers."""
        options, guide = parse_search(name)
        found = OWN_VALUE if guide is None else self.learnt(guide, game)
        policy, net = (found, OWN_VALUE) if isinstance(found, PlainPolicy) else (None, found)
        options = with_value(options, game, net) if len(net) else options
        player = SearchPlayer(name.text, game, replace(options, threads=1), policy, net)
        if options.threads > 1:
            player.search = WideSearch(self.helpers, game, options, net)
        return player
