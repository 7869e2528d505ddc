"""Rows of actions: what they say is what the action then does."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from theogony.envs import load
from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.actions import CODEC
from theogony.envs.terra_mystica.components import FAV5, GIANTS, POWER_VALUE, SA, TP
from theogony.envs.terra_mystica.rules.bits import holds
from theogony.envs.terra_mystica.rules.building import BECOMES
from theogony.envs.terra_mystica.rules.towns import tile_left
from theogony.envs.terra_mystica.state import SANDSTORM, V_POWER, V_SCORING

GAMES = 6
KINDS = [block.kind for block in CODEC.blocks for _ in block.actions]
TABLES = [(players, components) for players in (2, 3, 4, 5) for components in ("printed", "random:3")]
every_table = pytest.mark.parametrize(("players", "components"), TABLES)
Row = dict[str, np.ndarray]


def row_of(position: Position, action: int) -> tuple[str, int, Row]:
    """The kind of an action, its number among its kind, and its row by column."""
    kind = KINDS[action]
    rows, number = position.game.action_rows[kind], action - CODEC.first[kind]
    seen = rows.look_up(position.observe_codes(int(position.g.actor)))[number].astype(int)
    return kind, number, {name: seen[where] for name, where in rows.columns.items()}


def decisions(players: int, components: str, *kinds: str) -> Iterator[tuple[Position, str, int, Row, Any]]:
    """Decisions of random games for actions of these kinds, after they were played: with the position before it."""
    game = load("terra_mystica").configure({"players": players, "components": components, "factions": "dealt"})
    for seed in range(GAMES):
        position, rng = Position(game, seed), np.random.default_rng(seed)
        while not position.over:
            action = _busy(position, rng)
            if KINDS[action] in kinds:
                kind, number, row = row_of(position, action)
                before = position.g.copy()
                position.play(action)
                yield position, kind, number, row, before
            else:
                position.play(action)


def _busy(position: Position, rng: Any) -> int:
    """A random action which rather builds than does anything else, and which passes late."""
    legal = position.legal_actions()
    kinds = [KINDS[action] for action in legal]
    for wanted in (("upgrade",), ("build", "town", "favor"), ("transform", "power action", "advance", "leech")):
        found = [action for action, kind in zip(legal, kinds, strict=True) if kind in wanted]
        if found and rng.random() < 0.7:
            return int(rng.choice(found))
    found = [action for action, kind in zip(legal, kinds, strict=True) if not kind.startswith("pass")]
    return int(rng.choice(found if found and rng.random() < 0.8 else legal))


def standing(row: Row, column: str, players: int, k: int) -> tuple[int, int | None]:
    """Structure and owner (a row of seats) that a stretch of a column shows; 0 and None for nothing."""
    one = row[column].reshape(-1, 5 + players + 5)[k]
    owner = one[5 : 5 + players]
    return (int(one[:5].argmax()) + 1, int(owner.argmax())) if one[:5].any() else (0, None)


def goods_of(g: Any, seat: int) -> list[int]:
    return [int(g.coins[seat]), int(g.workers[seat]), int(g.priests[seat])]


@every_table
def test_what_stands_around_a_space_is_what_touches_it(players: int, components: str) -> None:
    seen = 0
    for position, _, number, row, before in decisions(players, components, "build", "transform"):
        t, seat = position.game.dealt(0).tables[0], int(before.actor)
        found = sorted(pair for k in range(6) if (pair := standing(row, "around", players, k))[0])
        beside = [s for s in range(77) if holds(t.beside[number], s) and before.building[s]]
        owners = {s: k for k in range(players) for s in beside if holds(before.own[(seat + k) % players], s)}
        assert found == sorted((int(before.building[s]), owners[s]) for s in beside)
        seen += len(found)
    assert seen


@every_table
def test_towns_are_founded_where_groups_say_so(players: int, components: str) -> None:
    founded = 0
    for position, kind, number, row, before in decisions(players, components, "build", "upgrade"):
        seat, space = int(before.actor), number if kind == "build" else number // 4
        if kind == "build":
            value, count, town = row["here"][5 + players + 2 : 5 + players + 5]
            value, count = value + 1, count + 1
        else:
            value, count, town = row["group"]
            new = int(BECOMES[number % 4])
            value += POWER_VALUE[new] - POWER_VALUE[int(before.building[space])]
            count += new == SA
        needed = 6 if before.favors[seat, FAV5] else 7
        is_town = bool(town) or (value >= needed and count >= 4 and bool(tile_left(before)))
        assert bool(holds(position.g.in_town[seat], space)) == is_town
        founded += is_town and not town
    assert founded or players == 2


@every_table
def test_an_upgrade_costs_and_scores_what_its_row_says(players: int, components: str) -> None:
    kinds = set()
    for position, _, number, row, before in decisions(players, components, "upgrade"):
        seat, new = int(before.actor), int(BECOMES[number % 4])
        assert row["which"].tolist() == [k == number % 4 for k in range(4)]
        paid = np.subtract(goods_of(before, seat), goods_of(position.g, seat))
        if not before.free_house and not row["bridges"].any():
            others = [standing(row, "around", players, k)[1] for k in range(6)]
            cost = row["cost"].copy()
            if new == TP and not any(others):
                cost[0] = row["alone"][0]
            assert paid.tolist() == cost.tolist()
        scored = int(position.g.vp_from[seat, V_SCORING]) - int(before.vp_from[seat, V_SCORING])
        assert scored == row["scored"][0]
        kinds.add(new)
    assert len(kinds) >= 3


@every_table
def test_a_space_is_turned_for_what_its_row_says(players: int, components: str) -> None:
    bought = 0
    for position, _, _, row, before in decisions(players, components, "transform"):
        t, seat = position.game.dealt(0).tables[0], int(before.actor)
        f = int(before.faction[seat])
        if t.skips[f] or before.spade_use == SANDSTORM or before.turned or f == GIANTS:
            continue
        steps = int(row["here"][5 + players + 1]) - int(before.spades)
        spade = row["costs"][3:]
        if steps < 0 or position.g.round_number != before.round_number:
            continue
        paid = np.subtract(goods_of(before, seat), goods_of(position.g, seat))
        assert paid.tolist() == (steps * spade).tolist()
        scored = int(position.g.vp_from[seat, V_SCORING]) - int(before.vp_from[seat, V_SCORING])
        assert scored == steps * row["scored"][5]
        bought += steps > 0
    assert bought


@every_table
def test_offered_power_is_what_the_row_says(players: int, components: str) -> None:
    taken = 0
    for position, _, _, row, before in decisions(players, components, "leech", "leech more"):
        seat = int(before.actor)
        gained = int(row["gain"][0])
        assert row["bowls"].tolist() == before.bowls[seat].tolist()
        assert row["points"][0] == before.vp[seat]
        paid = int(before.vp_from[seat, V_POWER]) - int(position.g.vp_from[seat, V_POWER])
        assert paid == gained - 1
        taken += gained > 1
    assert taken


@every_table
def test_tracks_and_cards_are_those_of_their_rows(players: int, components: str) -> None:
    for position, kind, number, row, before in decisions(players, components, "send", "pass with", "favor"):
        seat, t = int(before.actor), position.game.tables[0]
        if kind == "pass with":
            assert row["coins"][0] == before.card_coins[number] and row["card"].argmax() == number
            continue
        track = number // 3 if kind == "send" else int(t.favor_cult[number])
        assert row["steps"].tolist() == [before.cult[(seat + k) % players, track] for k in range(players)]
        if kind == "send":
            assert row["priests_there"].sum() == (before.spots[track] >= 0).sum()
            assert position.g.cult[seat, track] - before.cult[seat, track] <= 3 - row["number"].argmax()
