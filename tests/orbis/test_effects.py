"""Effects of regions (rules §5)."""

from collections.abc import Callable

import pytest


def place(game, *more: str, slot: str = "bottom right"):
    """Take the tile at position 0, pay its named cost and place it."""
    return game.play("take tile from a1", "face up", *more, f"place {slot}")


def test_conversion_of_a_colour(table: Callable) -> None:
    """1 or 2 of the shown colour, by themselves (A38)."""
    assert place(table().display("B1-1")).has() == "1 blue"
    assert place(table().display("R1-2")).has() == "2 red"


def test_conversion_of_any_colour(table: Callable) -> None:
    game = place(table().display("G1-3"))
    assert game.legal() == [f"gain {colour}" for colour in ("white", "yellow", "green", "blue", "red")]
    assert game.play("gain red").has() == "1 red"


def test_conversion_may_be_declined_by_option(table: Callable) -> None:
    """A38."""
    game = place(table(optional_gains=True).display("R1-2"))
    assert game.legal() == ["gain red", "decline"]
    assert game.play("decline").has() == "" and game.position.actor == 1


def test_conversion_never_pays_for_its_own_tile(table: Callable) -> None:
    """A14."""
    data = table().game.components
    regions = [dict(tile, cost={"red": 1}) if tile["id"] == "R1-1" else tile for tile in data["regions"]]
    game = table(components={**data, "regions": regions}).display("R1-1").play("take tile from a1")
    assert game.legal() == ["wilderness"]


def test_holy_stone_and_temple_points_count_at_once(table: Callable) -> None:
    game = place(table().display("W1-4").realm("1 red"), "pay red")
    assert game.score()["tile_cp"] == 1
    game = place(table().display("W3-5").realm("2 white 1 green 1 blue 1 red"), "pay white")
    assert game.score()["tile_cp"] == 1 and game.score()["temple_icons"] == 2


def test_farm_waives_its_colour_from_the_next_tile_on(table: Callable) -> None:
    """A2: not in its own cost. Y2-3 costs 1 yellow and 1 any and waives yellow."""
    game = table().display("Y2-3").realm("1 red").play("take tile from a1")
    assert game.legal() == ["wilderness"]
    game = place(table().display("Y2-3 Y1-1 R1-1 G2-2").realm("1 yellow 2 red"), "pay red")
    assert game.has() == "1 red"
    game.play("take tile from c1", "wilderness", "place bottom right", "take tile from a2", "face up")
    assert game.has() == "1 yellow", "of yellow and red only the red is due; the yellow lay on the tile"


def test_farm_covers_no_any_and_no_discard(table: Callable) -> None:
    """A3. Cost 1 blue, 1 green, 1 any with the green farm: 1 blue and 1 any are due (the rulebook's example)."""
    game = table().universe("Y1-4").display("B2-1").realm("1 blue").play("take tile from a1")
    assert game.legal() == ["wilderness"]
    game = table().universe("Y1-4").display("B2-1").realm("2 blue").play("take tile from a1", "face up", "pay blue")
    assert game.has() == ""
    game = place(table().universe("Y2-2 Y1-3").display("Y3-4").realm("3 blue"))
    assert game.rows() == ["Y2-2 Y1-3 Y3-4x"], "a village still takes four"


@pytest.mark.parametrize(("waives", "left"), [("all", "2 red"), ("one", "1 red")])
def test_farm_waives_the_whole_part_or_one(waives: str, left: str, table: Callable) -> None:
    """A1: 2 red with the red farm."""
    data = table().game.components
    regions = [dict(tile, cost={"red": 2}) if tile["id"] == "R1-1" else tile for tile in data["regions"]]
    game = table(components={**data, "regions": regions}, farm_waives=waives).universe("Y2-1")
    assert game.display("R1-1").realm("2 red").play("take tile from a1", "face up").has() == left


def test_village(table: Callable) -> None:
    """A13: after the payment, exactly the number, any colours."""
    game = place(table().display("Y3-4").realm("2 white 3 blue 1 red"))
    assert game.legal("discard") == ["white", "blue", "red"] and "decline" in game.legal()
    game.play("discard white", "discard blue")
    assert game.legal() == ["discard blue", "discard red"], "begun, it is not to be declined"
    game.play("discard blue", "discard red")
    assert game.has() == "" and game.rows() == ["Y3-4+"] and game.score()["total"] == 4


def test_village_declined_or_impossible_is_cancelled_for_good(table: Callable) -> None:
    """A38, A39."""
    game = place(table().display("Y3-4").realm("5 white 5 blue")).play("decline")
    assert game.rows() == ["Y3-4x"] and game.score()["total"] == 0
    game = place(table().display("Y3-4").realm("3 white 2 blue"))
    assert game.rows() == ["Y3-4x"] and game.legal("exchange") == [] and game.position.actor == 1


def test_village_exchange_first(table: Callable) -> None:
    """A16: allowed, though it may cost too many."""
    game = place(table().display("Y3-4").realm("4 white 2 blue"))
    game.play("exchange 3 white for 1 red")
    assert game.legal() == ["decline"]


def test_volcano_destroys_worshippers_on_other_tiles(table: Callable) -> None:
    """A12: free choice of the tiles; R3-3 takes three yellow ones."""
    game = table().display("R3-3").lying(p0="3 yellow", p4="2 yellow 1 red", p7="4 yellow")
    game.realm("2 white 1 green 1 red").play("take tile from a1", "face up", "pay white", "place bottom right")
    assert game.legal("destroy") == ["yellow from b2", "yellow from b3"] and game.has() == "3 yellow"
    game.play("destroy yellow from b2", "destroy yellow from b3", "destroy yellow from b2")
    assert game.lies(4) == "1 red" and game.lies(7) == "3 yellow" and game.rows() == ["R3-3+"]


def test_volcano_named_and_any_colours(table: Callable) -> None:
    """R3-2: two white and one of any colour. A colour that is named comes off its own part first."""
    game = table().display("R3-2").lying(p4="3 white 1 blue").realm("1 yellow 1 blue 1 red")
    game.play("take tile from a1", "face up", "pay red", "place bottom right")
    game.play("destroy white from b2", "destroy white from b2")
    assert sorted(game.legal("destroy")) == ["blue from b2", "red from a2", "red from b1", "white from b2"]
    assert game.play("destroy blue from b2").lies(4) == "1 white"


def test_volcano_uses_worshippers_of_this_turn(table: Callable) -> None:
    """Step 1 of the same turn counts: R3-4 takes three red, of which two were just generated."""
    game = table().display("R3-4").lying(p8="1 red").realm("1 yellow 2 green 1 blue")
    game.play("take tile from a1", "face up", "pay green", "place bottom right")
    game.play("destroy red from b1", "destroy red from a2", "destroy red from c3")
    assert game.rows() == ["R3-4+"]


def test_volcano_all_or_nothing(table: Callable) -> None:
    game = table().display("R3-3").lying(p4="2 yellow 5 red").realm("2 white 2 green 2 red")
    game.play("take tile from a1", "face up", "pay white", "place bottom right")
    assert game.rows() == ["R3-3x"] and game.lies(4) == "2 yellow 5 red"


def test_volcano_leaves_realms_alone_and_may_be_declined(table: Callable) -> None:
    game = table().display("R2-1").lying(p4="3 blue").realm("5 yellow", seat=1).realm("1 green 1 red")
    place(game)
    assert all("from" in text for text in game.legal("destroy")) and "decline" in game.legal()
    game.play("decline")
    assert game.rows() == ["R2-1x"] and game.has(1) == "5 yellow" and game.lies(4) == "3 blue"


@pytest.mark.parametrize(
    ("below", "active"), [("Y1-1 B1-1", True), ("B1-1 Y1-1", True), ("~W1-1 B1-1", True), ("B1-1 W1-1", False)]
)
def test_irrigation_over_the_shown_colour(below: str, active: bool, table: Callable) -> None:
    """A11: B2-4 wants yellow; wilderness serves for any."""
    game = place(table().universe(below).display("B2-4").realm("1 green 1 blue"), slot="a2")
    assert game.rows()[1] == ("B2-4+" if active else "B2-4x")
    assert game.score()["tile_cp"] == (2 if active else 0)


@pytest.mark.parametrize(
    ("below", "active"), [("B1-1 B1-2", True), ("~W1-1 B1-1", True), ("~W1-1 ~W1-2", True), ("B1-1 R1-1", False)]
)
def test_irrigation_of_two_needs_two_tiles(below: str, active: bool, table: Callable) -> None:
    """A11: each requirement by a different tile; B3-1 wants blue and blue."""
    game = table().universe(below).display("B3-1").realm("1 yellow 2 blue 1 red")
    place(game, "pay blue", slot="a2")
    assert game.rows()[1] == ("B3-1+" if active else "B3-1x")


@pytest.mark.parametrize(
    ("below", "active"),
    [("G1-1 R1-1", True), ("R1-1 G1-1", True), ("~W1-1 R1-1", True), ("~W1-1 W1-2", False), ("R1-2 R1-1", False)],
)
def test_irrigation_of_two_different_colours(below: str, active: bool, table: Callable) -> None:
    """No tile of this set asks it, another list may. The tile is made white or red, so that it fits."""
    data = table().game.components
    effect = {"type": "irrigation", "below": ["green", "red"]}
    colour = "white" if below == "~W1-1 W1-2" else "red"
    change = {"effect": effect, "colour": colour, "cost": {}}
    regions = [dict(tile, **change) if tile["id"] == "B2-4" else tile for tile in data["regions"]]
    game = place(table(components={**data, "regions": regions}).universe(below).display("B2-4"), slot="a2")
    assert game.rows()[1] == ("B2-4+" if active else "B2-4x")


def test_irrigation_in_the_bottom_row_is_cancelled(table: Callable) -> None:
    game = place(table().universe("Y1-1 Y1-2").display("B2-4").realm("1 green 1 blue"))
    assert game.rows() == ["Y1-1 Y1-2 B2-4x"]


def test_forest_counts_neighbours_on_all_sides(table: Callable) -> None:
    """A10: beside, below and above, those placed later too; G2-1 wants two blue ones."""
    game = table().universe("R1-1 G1-1 R1-2 R1-3", "_ G2-1 R2-1x", "")
    assert game.score()["active"]["forest"] == 0
    game = table().universe("R1-1 B1-1 R1-2 R1-3", "B2-1x G2-1 R2-1x")
    tile = next(tile for tile in game.score()["tiles"] if tile["tile"] == "G2-1")
    assert (tile["needed"], tile["matching"], tile["active"], tile["cp"]) == (2, 2, True, 3)
    game = table().universe("R1-1 R1-2 R1-3 R1-4", "R2-2x G2-1 R2-1x", "B2-1x B2-2x")
    assert game.score()["active"]["forest"] == 1


def test_forest_of_any_colour_counts_every_neighbour(table: Callable) -> None:
    game = table().universe("G1-1 G2-2 R1-2", "Y1-1")
    assert game.score()["active"]["forest"] == 0
    game = table().universe("G1-1 G2-2 R1-2", "Y1-1 Y1-2")
    assert game.score()["active"]["forest"] == 1


def test_forest_wilderness_counts_as_every_colour(table: Callable) -> None:
    game = table().universe("~R1-1 G2-1 ~W1-1")
    assert game.score()["active"]["forest"] == 1 and game.score()["total"] == 3 - 2


def test_forest_does_not_count_itself_or_tiles_apart(table: Callable) -> None:
    """G3-2 wants three green neighbours."""
    game = table().universe("G1-1 R1-1 G3-2 G1-2 G1-3", "R2-1x R2-2x G2-2")
    tile = next(tile for tile in game.score()["tiles"] if tile["tile"] == "G3-2")
    assert tile["matching"] == 2 and not tile["active"]


def test_forest_has_no_token_during_the_game(table: Callable) -> None:
    game = place(table().display("G2-2").realm("1 yellow 1 red"))
    assert game.rows() == ["G2-2"] and game.g.cancelled[0] == 0


def test_forest_of_five_neighbours_needs_all_six(table: Callable) -> None:
    """A47: in a full pyramid no place has five; G3-5 asks for five of any colour."""
    plain = "W1-1 W1-2 Y1-1 Y1-2 G1-1 G1-2 G1-3 B1-1 B1-2 B1-3 R1-1 R1-2 R1-3 Y1-3".split()
    found = {}
    for place in range(14):
        names = [*plain[:place], "G3-5", *plain[place + 1 :]]
        game = table().universe(*(" ".join(names[a:b]) for a, b in ((0, 5), (5, 9), (9, 12), (12, 14))))
        tile = next(tile for tile in game.score()["tiles"] if tile["tile"] == "G3-5")
        found[place] = tile["matching"]
        assert tile["active"] == (tile["matching"] == 6)
    assert [place for place, neighbours in found.items() if neighbours == 6] == [6, 7, 10]
    assert 5 not in found.values()
