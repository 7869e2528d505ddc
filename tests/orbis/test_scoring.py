"""Twenty final positions with their scores worked out by hand (rules §7)."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from theogony.envs.orbis.breakdown import whole_scoring


class Seat(NamedTuple):
    """A universe with its rows from the bottom, separated by /, and what it should score."""

    universe: str
    god: str
    realm: str
    tiles: int
    wilderness: int
    god_cp: int
    token: int
    done: bool = False


# Fourteen tiles without a point: conversions, farms and what is cancelled.
PLAIN = "W1-1 W1-2 Y1-1 Y1-2 G1-1 / G1-2 G1-3 B1-1 B1-2 / B1-3 R1-1 R1-2 / R1-3 Y1-3"
WILD = "~W1-1 ~W1-2 ~Y1-1 ~Y1-2 ~G1-1 / ~G1-2 ~G1-3 ~B1-1 ~B1-2 / ~B1-3 ~R1-1 ~R1-2 / ~R1-3 ~Y1-3"
STONES = {"r0c0": "W1-4", "r0c1": "G1-4", "r0c2": "B1-4", "r0c3": "R1-4"}
BLANK = Seat(PLAIN, "apprentice_goddess", "1 red", 0, 0, 2, 0)


def replaced(universe: str, **tiles: str) -> str:
    """PLAIN with other tiles: `replaced(PLAIN, r0c1="R2-1+")`."""
    rows = [row.split() for row in universe.split("/")]
    for place, tile in tiles.items():
        rows[int(place[1])][int(place[3])] = tile
    return " / ".join(" ".join(row) for row in rows)


CASES: dict[str, tuple[list[Seat], list[int]]] = {
    "nothing but the god": ([BLANK, Seat(PLAIN, "god_of_harvest", "", 0, 0, 0, 0)], [0]),
    "all wilderness": ([Seat(WILD, "apprentice_goddess", "", 0, -14, 2, 0), BLANK], [1]),
    "all wilderness under the idle goddess": ([Seat(WILD, "idle_goddess", "", 0, 0, 1, 0), BLANK], [1]),
    "a winner below zero": (
        [Seat(WILD, "god_of_harvest", "1 red", 0, -14, 0, 0), Seat(WILD, "apprentice_goddess", "", 0, -14, 2, 0)],
        [1],
    ),
    "holy stones": (
        [Seat(replaced(PLAIN, **STONES), "goddess_of_love", "", 4, 0, 1, 0), BLANK],
        [0],
    ),
    "active and cancelled volcanoes": (
        [Seat(replaced(PLAIN, r0c0="R2-1+", r0c1="R2-4x", r0c2="R3-5+"), "goddess_of_fire", "", 7, 0, 3, 0), BLANK],
        [0],
    ),
    "active and cancelled villages": (
        [Seat(replaced(PLAIN, r0c0="Y3-5+", r0c1="Y3-4x", r1c0="Y3-1+"), "god_of_harvest", "", 9, 0, 3, 0), BLANK],
        [0],
    ),
    "active and cancelled irrigation": (
        [Seat(replaced(PLAIN, r1c0="B3-1+", r0c0="B3-2x", r2c0="B2-1+"), "god_of_the_sea", "", 7, 0, 3, 0), BLANK],
        [0],
    ),
    "a forest in the corner": (  # G2-4 beside Y1-1 and below Y3-4x: two yellow neighbours
        [Seat(replaced(PLAIN, r0c0="G2-4", r0c1="Y1-4", r1c0="Y3-4x"), "goddess_of_nature", "", 3, 0, 3, 0), BLANK],
        [0],
    ),
    "a forest that misses one": (
        [Seat(replaced(PLAIN, r0c0="G2-4", r0c1="Y1-4", r1c0="R1-4"), "goddess_of_nature", "", 1, 0, 0, 0), BLANK],
        [1],
    ),
    "a forest inside with all six neighbours": (  # and G3-5, which asks for five, in the same row
        [Seat(replaced(PLAIN, r1c1="G3-1", r1c2="G3-5"), "god_of_technology", "", 8, 0, 3, 0), BLANK],
        [0],
    ),
    "a forest of six on the rim": (
        [Seat(replaced(PLAIN, r1c0="G3-1"), "idle_goddess", "2 red", 0, 0, 1, 0), BLANK],
        [1],
    ),
    "a forest thanks to wilderness": (
        [Seat(replaced(PLAIN, r0c0="G2-1", r0c1="~W1-2", r1c0="~G1-2"), "goddess_of_nature", "", 3, -2, 3, 0), BLANK],
        [0],
    ),
    "temples for one": (  # the second token is lost
        [Seat(replaced(PLAIN, r0c0="W2-4"), "apprentice_goddess", "", 0, 0, 2, 7), BLANK],
        [0],
    ),
    "temples by icons": (
        [
            Seat(replaced(PLAIN, r0c0="W2-4"), "apprentice_goddess", "", 0, 0, 2, 7),
            Seat(replaced(PLAIN, r0c0="W3-1"), "goddess_of_love", "", 0, 0, 1, 2),
        ],
        [0],
    ),
    "temples tied, by mythology": (
        [
            Seat(replaced(PLAIN, r0c0="W2-2"), "god_of_harvest", "", 0, 0, 0, 2),
            Seat(replaced(PLAIN, r0c0="W3-1"), "goddess_of_love", "", 0, 0, 1, 7),
        ],
        [1],
    ),
    "a temple turned over is none": (
        [Seat(replaced(PLAIN, r0c0="~W3-4"), "god_of_technology", "", 0, -1, 0, 0), BLANK],
        [1],
    ),
    "balance and a temple with a point": (
        [Seat(replaced(PLAIN, r0c0="W3-5", r0c1="R2-1+", r0c2="Y2-4+"), "god_of_balance", "", 5, 0, 3, 7), BLANK],
        [0],
    ),
    "the discard for death was done": (
        [BLANK, Seat(PLAIN, "god_of_death", "4 blue", 0, 0, 3, 0, True)],
        [1],
    ),
    "three players with everything": (
        [
            Seat(replaced(PLAIN, r0c0="W2-4", r0c1="R2-1+"), "goddess_of_fire", "", 2, 0, 3, 9),
            Seat(replaced(PLAIN, r0c0="W3-1", r0c1="R2-2+", r1c1="~G1-3"), "apprentice_goddess", "", 2, -1, 2, 4),
            Seat(replaced(PLAIN, r0c0="Y2-4+", r0c1="R2-3x"), "god_of_death", "10 red", 2, 0, 0, 0),
        ],
        [0],
    ),
}  # fmt: skip


def final(table: Callable, seats: list[Seat]) -> Any:
    game = table(len(seats))
    for k, seat in enumerate(seats):
        game.universe(*seat.universe.split("/"), seat=k).god(seat.god, k, seat.done).realm(seat.realm, k)
    return game


@pytest.mark.parametrize("name", CASES)
def test_final_position(name: str, table: Callable) -> None:
    seats, winners = CASES[name]
    game = final(table, seats)
    found = whole_scoring(game.game, game.g)
    for expected, seat in zip(seats, found["seats"], strict=True):
        assert len(seat["tiles"]) == 14
        parts = (seat["tile_cp"], seat["wilderness_cp"], seat["god"]["cp"], seat["temple_token"])
        assert parts == expected[3:7], seat["seat"]
        assert seat["total"] == sum(parts)
    assert game.position.scores().tolist() == [seat["total"] for seat in found["seats"]]
    assert found["winners"] == winners
    standings = game.position.standings()
    assert [k for k in range(len(seats)) if standings[k] == standings.max()] == winners


def test_tie_by_worshippers_left(table: Callable) -> None:
    """§7.4: most points, then most worshippers, then shared (A31)."""
    for mine, theirs, winners, how in (
        ("3 white", "2 blue", [0], "worshippers"),
        ("2 white", "2 blue", [0, 1], "shared"),
        ("", "1 red", [1], "worshippers"),
    ):
        seats = [BLANK._replace(realm=mine), BLANK._replace(god="god_of_technology", god_cp=3, realm=theirs)]
        seats[0] = seats[0]._replace(universe=replaced(PLAIN, r0c0="R1-4"), tiles=1)
        game = final(table, seats)
        found = whole_scoring(game.game, game.g)
        assert found["final"] == {"best_total": 3, "tied_on_total": [0, 1], "decided_by": how}
        assert found["winners"] == winners


def test_temple_ranking_of_four(table: Callable) -> None:
    """A24, A25: icons, then the highest mythology value of any own white tile; the best token left each."""
    seats = [
        BLANK._replace(universe=replaced(PLAIN, r0c0="W2-2", r0c1="W1-4")),
        BLANK._replace(universe=replaced(PLAIN, r0c0="W2-1", r0c1="~W3-1")),
        BLANK._replace(universe=replaced(PLAIN, r0c0="W3-2")),
        BLANK,
    ]
    found = whole_scoring(*_of(final(table, seats)))
    assert [seat["temple_rank"] for seat in found["seats"]] == [2, 3, 1, None]
    assert [seat["temple_token"] for seat in found["seats"]] == [7, 4, 11, 0]
    assert found["unused_temple_tokens"] == [2]
    assert found["temple_ties"] == [{"icons": 1, "order": [0, 1], "highest_mythology": [6, 5]}]


def _of(game: Any) -> tuple[Any, Any]:
    return game.game, game.g


def test_temple_tie_options(table: Callable) -> None:
    """A23 by icons or tiles, A24 any white tile or only temples: with another tile list they differ."""
    data = table().game.components
    regions = [dict(tile, mythology=20) if tile["id"] == "W1-4" else tile for tile in data["regions"]]
    seats = [
        BLANK._replace(universe=replaced(PLAIN, r0c0="W2-1", r0c1="W1-4")),
        BLANK._replace(universe=replaced(PLAIN, r0c0="W2-2")),
    ]
    for rule, order in (("white", [0, 1]), ("temples", [1, 0])):
        game = final(lambda n, rule=rule: table(n, components={**data, "regions": regions}, temple_tie=rule), seats)
        assert whole_scoring(*_of(game))["temple_order"] == order
    two_icons = [BLANK._replace(universe=replaced(PLAIN, r0c0=name)) for name in ("W2-4", "W3-1")]
    for counted, order in (("icons", [0, 1]), ("tiles", [1, 0])):
        game = final(lambda n, counted=counted: table(n, temples_counted_by=counted), two_icons)
        assert whole_scoring(*_of(game))["temple_order"] == order


def test_equal_mythology_goes_by_the_next_value_then_by_seat(table: Callable) -> None:
    """A24, for other tile data."""
    data = table().game.components
    values = {"W2-1": 9, "W2-2": 9, "W1-1": 2, "W1-2": 2, "W1-3": 4}
    regions = [dict(tile, mythology=values.get(tile["id"], tile["mythology"])) for tile in data["regions"]]
    for more, order in (("W1-3", [1, 0]), ("W1-2", [0, 1])):
        game = table(components={**data, "regions": regions})
        game.universe("W2-1 W1-1").universe(f"W2-2 {more}", seat=1)
        assert whole_scoring(*_of(game))["temple_order"] == order


def test_points_may_fall_below_zero(table: Callable) -> None:
    """A35: fourteen wildernesses cost fourteen points, and the god brings two."""
    game = table().universe(*WILD.split(" / ")).god("apprentice_goddess")
    assert game.score()["total"] == 2 - 14 and game.position.scores()[0] == 2 - 14
