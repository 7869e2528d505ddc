"""One test a rule, named after it; positions are written by hand. Power from neighbours, towns and cults."""

from collections.abc import Callable

from theogony.envs.terra_mystica.state import MAIN


def test_power_is_offered_clockwise_and_priced(table: Callable) -> None:
    made = table("giants", "witches", "nomads").put(0, D4="D").put(1, D5="TP").put(2, E6="D")
    made.has(0, coins=9, workers=9).has(1, bowls=(5, 7, 0), vp=20).turn(0).play("upgrade D4 to TP")
    assert made.g.actor == 1 and made.legal() == ["leech 2 from giants", "decline"]
    made.play("leech 2 from giants")
    assert made.g.vp[1] == 19 and made.g.bowls[1].tolist() == [3, 9, 0]


def test_an_offer_is_cut_by_points_and_bowls(table: Callable) -> None:
    made = table("giants", "witches").put(0, D4="D").put(1, D5="SH").has(0, coins=9, workers=9)
    made.has(1, vp=1, bowls=(5, 7, 0)).turn(0).play("upgrade D4 to TP", "leech 3 from giants")
    assert made.g.vp[1] == 0 and made.g.bowls[1].tolist() == [3, 9, 0]
    made = table("giants", "witches").put(0, D4="D").put(1, D5="SH").has(0, coins=9, workers=9)
    made.has(1, vp=9, bowls=(0, 1, 9)).turn(0).play("upgrade D4 to TP", "leech 3 from giants")
    assert made.g.vp[1] == 9 and made.g.bowls[1].tolist() == [0, 0, 10]


def test_who_can_gain_nothing_is_not_asked(table: Callable) -> None:
    """R15."""
    made = table("giants", "witches").put(0, D4="D").put(1, D5="SH").has(0, coins=9, workers=9)
    made.has(1, bowls=(0, 0, 9)).turn(0).play("upgrade D4 to TP")
    assert made.g.decision == MAIN and made.g.actor == 1


TOWN = {"E1": "D", "E2": "TP", "E3": "TP"}  # values 1, 2, 2, in a row with D2


def test_a_town_needs_four_structures_and_seven(table: Callable) -> None:
    made = table("giants", "mermaids").put(0, D2="D", **TOWN).has(0, coins=9, workers=9).turn(0)
    made.play("upgrade D2 to TP")
    assert len(made.legal("+TW")) == 5 and "done" not in made.legal()
    made.play("+TW2")
    assert made.g.vp[0] == 27 and made.g.keys[0] == 1
    assert made.g.in_town[0].sum() > 0


def test_the_sanctuary_counts_twice_for_the_number(table: Callable) -> None:
    made = table("giants", "mermaids").put(0, E1="TP", E2="SA", D2="D").has(0, coins=9, workers=9).turn(0)
    made.play("upgrade D2 to TP")
    assert made.legal("+TW")


def test_fav5_lowers_the_value_to_six(table: Callable) -> None:
    """R16."""
    made = table("giants", "mermaids").put(0, D2="D", **TOWN, A1="TP").has(0, coins=9, workers=9).turn(0)
    made.play("upgrade A1 to TE", "+FAV5")
    assert made.legal("+TW")


def test_a_step_to_ten_needs_a_key(table: Callable) -> None:
    """A priest may go there all the same: R9."""
    made = table("giants", "mermaids").has(0, priests=1).has(0, cult=(9, 0, 0, 0)).play("send p to FIRE for 3")
    assert made.g.cult[0, 0] == 9
    made = table("giants", "mermaids").has(0, priests=1, keys=1).has(0, cult=(9, 0, 0, 0))
    made.has(0, bowls=(5, 7, 0)).play("send p to FIRE for 3")
    assert made.g.cult[0, 0] == 10 and made.g.keys[0] == 0 and made.g.bowls[0].tolist() == [2, 10, 0]


def test_only_one_stands_on_ten(table: Callable) -> None:
    made = table("giants", "mermaids").has(0, priests=1, keys=1, cult=(8, 0, 0, 0)).has(1, cult=(10, 0, 0, 0))
    made.play("send p to FIRE for 3")
    assert made.g.cult[0, 0] == 9 and made.g.keys[0] == 1


def test_scarce_keys_of_tw5_are_a_choice(table: Callable) -> None:
    """R11."""
    made = table("giants", "mermaids").put(0, D2="D", **TOWN).has(0, coins=9, workers=9, cult=(9, 9, 1, 1)).turn(0)
    made.play("upgrade D2 to TP", "+TW5")
    assert made.legal("+") == ["+FIRE", "+WATER"] and "done" not in made.legal()
    made.play("+WATER")
    assert made.g.cult[0].tolist() == [9, 10, 2, 2]


def test_no_tile_left_no_town(table: Callable) -> None:
    """The others may take the last tile while the Mermaids hold a river site (R13)."""
    made = table("mermaids", "giants").put(0, E4="TP", E5="SH", G1="TP", F3="D").turn(0)
    assert made.legal("connect")
    made.g.town_supply[:] = 0
    made.position.refresh()
    assert not made.legal("connect")
    made.g.town_supply[0] = 1
    made.position.refresh()
    made.play(made.legal("connect")[0])
    assert made.legal("+TW") == ["+TW1"] and not made.legal("connect")
