"""Placement and wilderness (rules §4)."""

from collections.abc import Callable

import pytest

NINE = "B1-1 Y1-2 R1-1 W1-2 G1-3 G1-2 B1-3 R1-4 W1-4"
LEFT, RIGHT = "bottom left", "bottom right"


def slots(game, face: str = "face up") -> list[str]:
    """Where the tile at position 0 may be placed."""
    return game.play("take tile from a1", face).legal("place")


def test_the_first_tile_opens_the_bottom_row(table: Callable) -> None:
    assert slots(table().display(NINE)) == [RIGHT]


@pytest.mark.parametrize("tiles", [1, 2, 3, 4, 5])
def test_the_bottom_row_takes_every_colour_up_to_five(tiles: int, table: Callable) -> None:
    game = table().universe(" ".join("W1-1 W1-2 W1-3 W1-4 W2-1".split()[:tiles])).display(NINE)
    found = game.play("take tile from a1").legal()
    assert ("face up" in found) == (tiles < 5)
    if tiles < 5:
        assert game.play("face up").legal("place") == [LEFT, RIGHT]


def test_the_bottom_row_grows_at_either_end(table: Callable) -> None:
    """A7: an extension to the left raises every column by one, in all rows."""
    game = table().universe("R1-1 R1-2 Y1-1", "R2-1+ ~R2-2", "~W1-1").display(NINE)
    before = game.score()
    game.play("take tile from a1", "face up", f"place {LEFT}")
    assert game.rows() == ["B1-1 R1-1 R1-2 Y1-1", "_ R2-1+ ~R2-2", "_ ~W1-1"]
    assert game.score()["total"] == before["total"]
    game = table().universe("R1-1 R1-2", "R2-1+").display(NINE).play("take tile from a1", "face up", f"place {RIGHT}")
    assert game.rows() == ["R1-1 R1-2 B1-1", "R2-1+"]


def test_upper_tiles_stand_on_two(table: Callable) -> None:
    assert slots(table().universe("B1-2").display(NINE)) == [LEFT, RIGHT]
    assert slots(table().universe("B1-2 B1-3").display(NINE)) == [LEFT, RIGHT, "a2"]
    found = slots(table().universe("B1-2 B1-3 B1-4 B2-1", "B2-2 _ B2-3").display(NINE))
    assert found == [LEFT, RIGHT, "b2"]


def test_upper_rows_may_have_gaps_and_start_early(table: Callable) -> None:
    """A8."""
    game = table().universe("B1-2 B1-3 B1-4", "B2-1 B2-2").display(NINE)
    assert slots(game) == [LEFT, RIGHT, "a3"]


@pytest.mark.parametrize(("below", "fits"), [("R1-1 B1-2", True), ("B1-2 R1-1", True), ("R1-1 W1-1", False)])
def test_one_of_the_two_below_shows_the_colour(below: str, fits: bool, table: Callable) -> None:
    assert ("a2" in slots(table().universe(below).display(NINE))) == fits


def test_a_wilderness_below_supports_every_colour(table: Callable) -> None:
    """A6."""
    assert "a2" in slots(table().universe("~R1-1 W1-1").display(NINE))


def test_a_wilderness_needs_no_colour_but_two_below(table: Callable) -> None:
    game = table().universe("W1-1 Y1-1 W1-2", "W2-1").display(NINE)
    assert slots(game, "wilderness") == [LEFT, RIGHT, "b2"]


def test_a_cancelled_tile_keeps_its_colour(table: Callable) -> None:
    """A32."""
    assert "a2" in slots(table().universe("B2-1x W1-1").display(NINE))


def test_no_region_on_the_top_place(table: Callable) -> None:
    """A9: rows of 5, 4, 3 and 2."""
    rows = ("~W1-1 ~W1-2 ~W1-3 ~W1-4 ~Y1-1", "~Y1-2 ~Y1-3 ~Y1-4 ~G1-1", "~G1-2 ~G1-3 ~G1-4", "~B1-2")
    assert slots(table().universe(*rows).display(NINE), "wilderness") == ["b4"]


def test_rows_end_as_wide_as_the_row_below_allows(table: Callable) -> None:
    rows = ("~W1-1 ~W1-2 ~W1-3 ~W1-4 ~Y1-1", "~Y1-2 ~Y1-3 ~Y1-4 ~G1-1", "~G1-2 ~G1-3 ~G1-4")
    assert slots(table().universe(*rows).display(NINE)) == ["a4", "b4"]


def test_a_wilderness_has_no_effect(table: Callable) -> None:
    """No conversion, farm, village, volcano, temple or points; one off at the end."""
    for name in ("Y1-2", "Y1-3", "Y3-4", "R2-1", "W2-4", "W1-4"):
        game = table().display(name).realm("2 white 2 yellow 2 blue 2 red").lying(p4="5 red")
        game.play("take tile from a1", "wilderness", "place bottom right")
        assert game.position.actor == 1 and game.has() == "2 white 2 yellow 2 blue 2 red"
        assert game.g.farms[0] == 0 and game.g.icons[0] == 0 and game.score()["total"] == -1


def test_a_wilderness_slot_exists_until_the_pyramid_is_full(table: Callable, finish: Callable) -> None:
    game = table(2, seed=8)
    for _ in range(14):
        for _ in range(2):
            game.play("take tile from c3", "wilderness")
            game.play(f"place {game.legal('place')[-1]}")
            while game.legal("discard"):
                game.play(f"discard {game.legal('discard')[0]}")
            if game.legal("end turn"):
                game.play("end turn")
    assert [len(row.split()) for row in game.rows(0)] == [len(row.split()) for row in game.rows(1)] == [5, 4, 3, 2]
