"""Rows of actions: what they say is what the action then does."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from theogony.envs import load
from theogony.envs.core.position import Position
from theogony.envs.orbis.actions import CODEC
from theogony.envs.orbis.components import COLOURS, FOREST, IRRIGATION, VOLCANO
from theogony.envs.orbis.rules.effects import BESIDE, eruption_possible
from theogony.envs.orbis.rules.pyramid import PYRAMID, STEPS
from theogony.envs.orbis.rules.scoring import forest_active, forest_points
from theogony.envs.orbis.state import STRIDE, UP

TABLES = [(players, components) for players in (2, 3, 4) for components in ("printed", "random:3")]
every_table = pytest.mark.parametrize(("players", "components"), TABLES)
GAMES = 8
KINDS = [block.kind for block in CODEC.blocks for _ in block.actions]


def row_of(position: Position, action: int) -> tuple[str, int, dict[str, np.ndarray]]:
    """The kind of an action, its number among its kind, and its row by column."""
    kind = KINDS[action]
    rows, number = position.game.action_rows[kind], action - CODEC.first[kind]
    seen = rows.look_up(position.observe_codes(int(position.g.actor)))[number]
    return kind, number, {name: seen[where] for name, where in rows.columns.items()}


def decisions(players: int, components: str, kind: str) -> Iterator[tuple[Position, int, int, dict[str, np.ndarray]]]:
    """Decisions of random games which take an action of a kind, with its number and row: before it is played."""
    game = load("orbis").configure({"players": players, "components": components})
    for seed in range(GAMES):
        position, rng = Position(game, seed), np.random.default_rng(seed)
        while not position.over:
            action = _likely(position, rng)
            if KINDS[action] == kind:
                _, number, row = row_of(position, action)
                yield position, action, number, row
            else:
                position.play(action)


def _likely(position: Position, rng: Any) -> int:
    """A random action which rather keeps a tile than turns it over."""
    legal = position.legal_actions()
    if CODEC.first["face up"] in legal and rng.random() < 0.9:
        return CODEC.first["face up"]
    return int(rng.choice(legal))


@every_table
def test_a_tile_can_be_kept_when_its_row_says_so(players: int, components: str) -> None:
    said = set()
    for position, action, _, row in decisions(players, components, "take tile"):
        lacks, fits, met, _ = row["reach"]
        t, seat = position.game.t, int(position.g.actor)
        position.play(action)
        hand, kept = int(position.g.hand), CODEC.first["face up"] in position.legal_actions()
        assert kept == (lacks == 0 and fits == 1)
        _, _, face = row_of(position, CODEC.first["face up"])
        assert face["reach"].tolist()[:3] == [lacks, fits, met]
        assert face["slots"].reshape(-1, 5)[:, 0].any() == fits
        if t.effect[hand] == VOLCANO:
            assert met == eruption_possible(position.g, t)
        elif t.effect[hand] in (IRRIGATION, FOREST):
            assert met == face["slots"].reshape(-1, 5)[:, 1].any()
        said.add((kept, int(met), int(position.g.actor) == seat))
    assert said == {(kept, met, True) for kept in (True, False) for met in (0, 1)}


@every_table
def test_a_tile_sends_worshippers_to_what_lies_around_it(players: int, components: str) -> None:
    for position, action, number, row in decisions(players, components, "take tile"):
        seat, before = int(position.g.actor), position.g.realm.copy()
        assert row["realm"].tolist() == before[seat].tolist()
        others = [before[(seat + k) % players].tolist() for k in range(1, players)]
        assert row["others"].reshape(-1, COLOURS).tolist() == others
        position.play(action)
        assert position.g.realm[seat].tolist() == (before[seat] + row["lying"]).tolist()
        colour = int(row["tile"][:COLOURS].argmax())
        for k, place in enumerate(BESIDE[number]):
            around = row["around"].reshape(-1, COLOURS)[k]
            if place >= 0:
                around[colour] += 1
                assert around.tolist() == position.g.lying[place].tolist()
            else:
                assert not around.any()


@every_table
def test_a_placement_stands_beside_what_its_row_holds(players: int, components: str) -> None:
    slots = set()
    for position, action, number, row in decisions(players, components, "place"):
        seat = int(position.g.actor)
        position.play(action)
        assert position.g.over or position.g.placed[seat] > 0
        laid = _cells(position, seat)
        cell = _newest(position, seat, number, row)
        for k, (up, right) in enumerate(STEPS):
            other = cell[0] + up, cell[1] + right
            now = laid.get(other, np.zeros(15))
            assert row["around"].reshape(len(STEPS), -1)[k].tolist() == now.tolist(), (cell, other)
        slots.add(number)
    assert len(slots) == 11


def _cells(position: Position, seat: int) -> dict[tuple[int, int], np.ndarray]:
    """What the seat sees in each cell of its pyramid, by row and column."""
    places = position.game.features.places()["pyramid"][0]
    return dict(zip((divmod(cell, STRIDE) for cell in PYRAMID), position.observe_codes(seat)[places], strict=True))


def _newest(position: Position, seat: int, slot: int, row: dict[str, np.ndarray]) -> tuple[int, int]:
    """Where a placement at a slot has come to lie."""
    tiles = position.g.tiles[seat]
    name = position.game.actions.text(CODEC.first["place"] + slot).split()[-1]
    if name == "left":
        return 0, 0
    if name == "right":
        return 0, int((tiles[:STRIDE] >= 0).sum()) - 1
    height = int(row["height"].argmax())
    assert height == int(name[1]) - 1
    return height, "abcde".index(name[0])


@every_table
def test_a_placement_feeds_what_its_row_says(players: int, components: str) -> None:
    met = {IRRIGATION: set[int](), FOREST: set[int]()}
    completed = 0
    for position, action, number, row in decisions(players, components, "place"):
        g, t, seat = position.g, position.game.t, int(position.g.actor)
        hand, up = int(g.hand), g.face == UP
        effect, before, irrigated = int(t.effect[hand]), int(forest_points(g, t, seat)), int(g.counts[seat, 2])
        fits, fed, matches, helps, points = row["does"]
        assert fits == 1 and (up or not fed) and bool(points) <= bool(helps)
        position.play(action)
        g = position.g
        completed += points > 0
        up_cell, column = _newest(position, seat, number, row)
        cell = STRIDE * up_cell + column
        if up and effect == IRRIGATION:
            assert g.counts[seat, 2] - irrigated == fed
        elif up and effect == FOREST:
            assert forest_active(g, t, seat, cell) == fed and (matches >= t.number[hand]) == fed
            before += int(t.cp[hand]) * int(fed)
        assert forest_points(g, t, seat) - before == points
        if up and effect in met:
            met[effect].add(int(fed))
    assert met == {IRRIGATION: {0, 1}, FOREST: {0, 1}} and completed


@every_table
def test_gods_and_exchanges_hold_what_they_are_about(players: int, components: str) -> None:
    for position, action, number, row in decisions(players, components, "take god"):
        g, seat = position.g, int(position.g.actor)
        assert row["which"].argmax() == number and row["which"].sum() == 1
        seats = [(seat + k) % players for k in range(players)]
        god = position.game.t.what[number] if row["standing"].any() else None
        assert god is None or row["standing"].tolist()[0] == row["active"][god]
        assert row["wilderness"].tolist() == [bin(int(g.wild[other])).count("1") for other in seats]
        position.play(action)
    for position, action, number, row in decisions(players, components, "exchange"):
        seat, (give, get) = int(position.g.actor), divmod(number, COLOURS)
        before = position.g.realm[seat].copy()
        assert row["given"][0] == before[give] and row["taken"][0] == before[get]
        position.play(action)
        assert position.g.realm[seat, get] == row["taken"][0] + 1


@every_table
def test_worshippers_of_a_colour_are_those_of_its_row(players: int, components: str) -> None:
    for kind, column, change in (("pay", "paid", -1), ("gain", "gained", 1), ("discard", "paid", -1)):
        for position, action, number, row in decisions(players, components, kind):
            seat = int(position.g.actor)
            assert row[column].tolist() == [position.g.realm[(seat + k) % players, number] for k in range(players)]
            assert row["lying"].tolist() == position.g.lying[:, number].tolist()
            before = int(position.g.realm[seat, number])
            position.play(action)
            assert position.g.realm[seat, number] - before == change


def test_a_destroyed_worshipper_lies_where_its_row_says() -> None:
    count = 0
    for position, action, number, row in decisions(2, "printed", "destroy"):
        colour, place = divmod(number, 9)
        assert row["there"][0] == row["lying"][colour] == position.g.lying[place, colour]
        position.play(action)
        assert position.g.lying[place, colour] == row["there"][0] - 1
        count += 1
    assert count
