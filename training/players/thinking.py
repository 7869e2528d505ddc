"""How the player `reference` thinks with what its agent has learnt: `agents/thinking.json`, by game and table.

Where it says "mcts:64", `reference` is the player `mcts:64@reference`: what plays best within ten milliseconds. A table
that it leaves out has `greedy@reference`, one decision ahead, or the policy itself.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Protocol

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import GreedyPlayer, Player, make_player
from theogony.envs.core.thinking.player_names import PlayerError, parse_player
from theogony.training.players.plan_player import PLAN, Planner, PlanPlayer, parse_plan
from theogony.training.players.search.options import KINDS, parse_search
from theogony.training.players.search_player import Guide, SearchPlayer, with_value

TABLE = Path(__file__).parents[1] / "agents/thinking.json"
ONE_AHEAD = "greedy"


class Guided(Player, Guide, Protocol):
    """A player that says how likely it would choose each action."""


@functools.cache
def thinking_table() -> dict[str, str]:
    """How `reference` thinks, by the folder of its agent: "orbis/2p" -> "mcts:64"."""
    return json.loads(TABLE.read_text("utf-8"))


def thinking_of(game: Game, policy: bool = False) -> str:
    """How `reference` thinks in a game by a value, or by a policy: what stands before the `@` of a player's name."""
    table = f"{game.spec.name}/{game.players}p"
    return thinking_table().get(f"{table}-policy" if policy else table, ONE_AHEAD)


def by_value(name: str, thinking: str, game: Game, net: np.ndarray) -> Player:
    """The player of a learnt value that thinks in a way: "greedy:0.3", "plan:16", "mcts:64".

    Raises PlayerError where there is no such way.
    """
    kind = parse_player(thinking).kind
    if kind == PLAN:
        return PlanPlayer(name, Planner(game, parse_plan(thinking), net))
    if kind in KINDS:
        return SearchPlayer(name, game, with_value(parse_search(thinking)[0], game, net), net=net)
    plain = make_player(thinking, game)
    return GreedyPlayer(game, plain.greed, net, name)  # pyright: ignore[reportAttributeAccessIssue]


def policy_alone(name: str, thinking: str, guide: str, policy: Player) -> Player:
    """A policy as the player `greedy@...`, which plays its likeliest action. Raises PlayerError for another way."""
    if thinking != ONE_AHEAD:
        raise PlayerError(f"player {name!r}: {guide} is a policy; expected a learnt value, or {ONE_AHEAD}@{guide}")
    policy.name = name
    return policy


def by_policy(name: str, thinking: str, game: Game, policy: Guided) -> Player:
    """The player of a policy that thinks in a way: the policy itself, or a search whose prior at the root it is."""
    return (
        SearchPlayer(name, game, parse_search(thinking)[0], policy) if parse_player(thinking).kind in KINDS else policy
    )
