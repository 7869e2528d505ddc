"""The pictures of all games: nothing leaks, nothing overlaps or is cut off, every action with a place is on it."""

import itertools
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from pictures import faults, missing, places_of

from theogony.envs import GAMES, load
from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position

MOMENTS = (0.0, 0.15, 0.4, 0.7, 1.0)
TABLES = [(name, players) for name in GAMES for players in sorted({min(load(name).players), max(load(name).players)})]


@pytest.fixture(scope="module", params=TABLES, ids=lambda table: f"{table[0]}-{table[1]}")
def moments(request: pytest.FixtureRequest) -> list[Position]:
    """Positions of a game of greedy players, from its start to its end."""
    name, players = request.param
    position = Position(load(name).configure({"players": players}), 3)
    greedy, stream = KernelPlay(position.game), np.array([3], np.uint64)
    kept = [position.clone()]
    while not position.over:
        position.play(greedy.choose(position, 1.0, stream))
        kept.append(position.clone())
    return [kept[round(share * (len(kept) - 1))] for share in MOMENTS]


def viewers(position: Position) -> list:
    return [None, "all", *range(position.game.players)]


@pytest.mark.slow
def test_texts_stay_in_their_boxes_and_off_each_other(moments: list[Position]) -> None:
    for position, viewer in itertools.chain.from_iterable(((p, v) for v in {None, "all", p.actor}) for p in moments):
        assert faults(position.svg(viewer)) == []


def test_places_have_names_of_their_own(moments: list[Position]) -> None:
    for position in moments:
        names = places_of(position.svg("all"))
        assert len(names) == len(set(names)) > 0


def test_every_action_with_a_place_is_in_the_picture(moments: list[Position]) -> None:
    for position in moments:
        if not position.over:
            assert missing(position) == []


def test_a_picture_shows_only_what_its_seat_knows(moments: list[Position]) -> None:
    """The legal actions on it included, and what is marked as changed."""
    for position in moments:
        for seat in range(position.game.players):
            other = position.clone()
            other.resample(seat, np.array([5], np.uint64))
            assert other.svg(seat, interactive=True) == position.svg(seat, interactive=True)
            assert other.svg(None) == position.svg(None)


@pytest.mark.parametrize("name", GAMES)
def test_each_part_holds_the_shapes_that_it_uses(name: str) -> None:
    """A page shows parts anew one by one."""
    game = load(name).configure({"players": max(load(name).players)})
    position, chance = Position(game, 3), np.random.default_rng(3)
    for _ in range(40):
        for part in ET.fromstring(position.svg("all")).iter():
            if part.get("data-region"):
                used = {node.get("href", "")[1:] for node in part.iter() if node.tag.endswith("}use")}
                assert used <= {node.get("id") for node in part.iter()}
        if not position.over:
            position.play(int(chance.choice(position.legal_actions())))
