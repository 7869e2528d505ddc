"""One test a rule, named after it; positions are written by hand. What a faction can do that others cannot."""

from collections.abc import Callable

from theogony.envs.terra_mystica.state import MAIN


def test_darklings_pay_priests_for_spades(table: Callable) -> None:
    made = table("darklings", "mermaids").put(0, E1="D").has(0, priests=2, workers=5, vp=20).turn(0)
    made.play("transform E2")
    assert made.g.priests[0] == 1 and made.g.workers[0] == 5 and made.g.vp[0] == 22


def test_giants_take_two_spades_straight_to_red(table: Callable) -> None:
    made = table("giants", "mermaids").put(0, E3="D").has(0, workers=6).turn(0)
    assert made.legal("transform") and not [text for text in made.legal("transform") if "partly" in text]
    made.play("transform E2")
    assert made.g.workers[0] == 0


def test_dwarves_tunnel_for_workers_and_points(table: Callable) -> None:
    made = table("dwarves", "mermaids").put(0, A1="D").has(0, workers=5, vp=20).turn(0).play("transform A3")
    assert made.g.workers[0] == 0 and made.g.vp[0] == 24


def test_halflings_stronghold_brings_three_spades(table: Callable) -> None:
    made = table("halflings", "giants").put(0, E2="TP").has(0, coins=20, workers=9, vp=20).turn(0)
    made.play("upgrade E2 to SH")
    assert made.g.vp[0] == 23 and made.g.spades == 3
    made.play("transform E1")
    assert made.g.spades == 2 and made.legal("build") == ["build E1"]
    made.play("build E1")
    assert made.g.turn == 1 and made.g.decision == MAIN  # the spades that are left are lost


def test_cultists_are_rewarded(table: Callable) -> None:
    made = table("cultists", "giants").put(0, E2="D").put(1, E3="D").has(0, coins=9, workers=9).turn(0)
    before = made.g.bowls[0].tolist()
    made.play("upgrade E2 to TP", "leech 1 from cultists")
    assert made.g.actor == 0 and made.legal() == ["+FIRE", "+WATER", "+EARTH", "+AIR"]
    made.play("+AIR")
    assert made.g.cult[0, 3] == 1 and made.g.actor == 1
    made.has(0, coins=9, workers=9).turn(0).play("upgrade E2 to TE", "+FAV8", "decline")
    assert made.g.bowls[0].tolist() == [before[0] - 1 - 1, before[1] + 1 + 1, before[2]]


def test_swarmlings_upgrade_for_free(table: Callable) -> None:
    made = table("swarmlings", "giants").put(0, A4="SH", D2="D").has(0, coins=0, workers=0).turn(0).play("action ACTS")
    assert made.legal("upgrade") == ["upgrade D2 to TP"] and "done" not in made.legal()
    made.play("upgrade D2 to TP")
    assert made.g.coins[0] == 0


def test_witches_ride_anywhere(table: Callable) -> None:
    made = table("witches", "giants").put(0, A3="SH").has(0, coins=0, workers=0).turn(0).play("action ACTW")
    assert len(made.legal("build")) == 10 and "done" not in made.legal()
    made.play("build I11")
    assert made.g.coins[0] == 0 and made.g.built[0, 1] == 1


def test_nomads_sandstorm(table: Callable) -> None:
    made = table("nomads", "giants").put(0, A5="SH").has(0, coins=2, workers=1).turn(0).play("action ACTN")
    assert made.legal("transform") == [f"transform {space}" for space in ("A4", "A6", "B2", "B3")]
    made.play("transform A6", "build A6")
    assert made.g.built[0, 1] == 1


def test_chaos_magicians_take_two_turns(table: Callable) -> None:
    made = table("chaosmagicians", "mermaids").put(0, D4="SH").has(0, priests=2).turn(0).play("action ACTC")
    assert "action ACTC" not in made.legal("action")
    made.play("send p to FIRE for 3")
    assert made.g.actor == 0 and made.g.decision == MAIN
    made.play("send p to AIR for 3")
    assert made.g.actor == 1


def test_engineers_build_bridges_and_score_them(table: Callable) -> None:
    made = table("engineers", "mermaids").put(0, C2="SH", E5="D").has(0, workers=2, vp=20).turn(0)
    made.play("action ACTE", "bridge C2:E5")
    made.turn(0, 6).play("pass")
    assert made.g.vp[0] == 23


def test_mermaids_found_a_town_over_a_river(table: Callable) -> None:
    made = table("mermaids", "giants").put(0, E4="TP", E5="SH", G1="TP", F3="D").turn(0)
    assert made.legal("connect")
    made.play(made.legal("connect")[0], "+TW1")
    assert made.g.decision == MAIN and made.g.towns[0, 0] == 1


def test_alchemists_convert_between_the_spades_of_a_space(table: Callable) -> None:
    """With the stronghold a spade brings 2 power, which may pay for the next spade of the same space (R5)."""
    made = table("alchemists", "mermaids").put(0, E1="SH").has(0, workers=1, coins=2, bowls=(0, 4, 1), dig=2).turn(0)
    assert "transform D1" not in made.legal() and "transform D1 partly" in made.legal()
    made.play("transform D1 partly", "to blue")
    assert made.g.bowls[0].tolist() == [0, 2, 3] and "transform D1" not in made.legal()
    made.play("convert 3PW to 1W", "transform D1")
    assert made.g.workers[0] == 0 and made.g.bowls[0].tolist() == [1, 4, 0]
    made.has(0, workers=1).play("build D1")
    assert made.g.built[0, 1] == 1


def test_darklings_priests_in_one_decision(table: Callable) -> None:
    made = table("darklings", "mermaids").put(0, E1="TP").has(0, coins=20, workers=6, priests=0).turn(0)
    made.play("upgrade E1 to SH")
    assert made.legal("convert 2W") == ["convert 2W to 2P"] and "convert 3W to 3P" not in made.legal()
    made.play("convert 2W to 2P")
    assert made.g.priests[0] == 2 and made.g.workers[0] == 0 and made.g.actor == 1
