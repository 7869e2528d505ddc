"""One test a rule, named after it; positions are written by hand. Sections are those of the documentation."""

from collections.abc import Callable

import numpy as np
import pytest

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.components import FACTIONS
from theogony.envs.terra_mystica.game import SPEC
from theogony.envs.terra_mystica.rules.power import gain_power

# ---------------------------------------------------------------------------------------------------- setup


def test_scoring_tile_of_spades_lies_on_no_late_round() -> None:
    for seed in range(40):
        scoring = Position(SPEC.configure({"players": 2}), seed).g.scoring
        assert 0 not in scoring[4:] and len(set(scoring.tolist())) == 6


def test_two_factions_of_a_colour_exclude_each_other() -> None:
    position = Position(SPEC.configure({"players": 2}), 0)
    position.play(position.game.actions.parse("setup giants"))
    legal = [position.game.actions.text(int(a)) for a in position.legal_actions()]
    assert len(legal) == 12 and "setup chaosmagicians" not in legal and "setup giants" not in legal


def test_first_dwellings_nomads_third_chaos_magicians_last() -> None:
    position = Position(SPEC.configure({"players": 3}), 0)
    for faction in ("chaosmagicians", "nomads", "witches"):
        position.play(position.game.actions.parse(f"setup {faction}"))
    seats = []
    while position.g.decision == 1:
        seats.append(FACTIONS[position.g.faction[position.actor]])
        position.play(int(position.legal_actions()[0]))
    assert seats == ["nomads", "witches", "witches", "nomads", "nomads", "chaosmagicians"]
    cards = []
    while position.g.decision == 2:
        cards.append(position.actor)
        position.play(int(position.legal_actions()[0]))
    assert cards == [2, 1, 0]
    assert sorted(position.g.card_coins.tolist()) == [0] * 7 + [1] * 3


# ---------------------------------------------------------------------------------------------------- power


@pytest.mark.parametrize(
    ("bowls", "power", "after"),
    [((5, 7, 0), 3, (2, 10, 0)), ((1, 2, 0), 3, (0, 1, 2)), ((0, 1, 3), 5, (0, 0, 4)), ((2, 0, 0), 4, (0, 0, 2))],
)
def test_power_moves_token_by_token(table: Callable, bowls: tuple, power: int, after: tuple) -> None:
    made = table("giants", "mermaids").has(0, bowls=bowls)
    gain_power(made.g, 0, power)
    assert tuple(made.g.bowls[0]) == after


def test_burning_takes_two_tokens_of_the_second_bowl(table: Callable) -> None:
    made = table("giants", "mermaids").has(0, bowls=(5, 3, 0)).play("burn 1")
    assert tuple(made.g.bowls[0]) == (5, 1, 1) and not made.legal("burn")


def test_conversions(table: Callable) -> None:
    made = table("alchemists", "mermaids").has(0, bowls=(0, 0, 9), coins=2, workers=0, priests=0, vp=1)
    made.play("convert 5PW to 1P", "convert 3PW to 1W", "convert 1PW to 1C", "convert 1P to 1W", "convert 1W to 1C")
    made.play("convert 1VP to 1C", "convert 2C to 1VP")
    g = made.g
    assert (g.coins[0], g.workers[0], g.priests[0], g.vp[0], tuple(g.bowls[0])) == (3, 1, 0, 1, (9, 0, 0))
    assert not table("giants", "mermaids").has(0, coins=20).legal("convert 2C")


def test_priests_are_limited_to_seven(table: Callable) -> None:
    made = table("giants", "mermaids").has(0, bowls=(0, 0, 9), priests=5, priests_away=2)
    assert "convert 5PW to 1P" not in made.legal("convert") and "action ACT2" not in made.legal("action")


# ---------------------------------------------------------------------------------------------------- actions


def test_a_dwelling_needs_its_colour_and_reach(table: Callable) -> None:
    made = table("giants", "mermaids").put(0, E3="D")
    assert made.legal("build") == []
    made.put(0, D4="D")
    assert made.legal("build") == []
    made = table("witches", "mermaids").put(0, E9="D")
    made.has(0, ship=0)
    assert made.legal("build") == []


def test_a_trading_house_is_cheaper_beside_an_opponent(table: Callable) -> None:
    made = table("giants", "witches").put(0, D4="D", E3="D").put(1, D5="D").has(0, coins=3, workers=2)
    assert made.legal("upgrade") == ["upgrade D4 to TP"]
    made.has(0, coins=6)
    assert len(made.legal("upgrade")) == 2
    made.play("upgrade E3 to TP")
    assert made.g.coins[0] == 0


def test_upgrades_return_the_old_structure(table: Callable) -> None:
    made = table("giants", "mermaids").put(0, D4="TP").has(0, coins=20, workers=20)
    assert made.legal("upgrade") == ["upgrade D4 to TE", "upgrade D4 to SH"]
    made.play("upgrade D4 to TE")
    assert made.g.built[0].tolist()[1:] == [0, 0, 1, 0, 0]
    assert "done" not in made.legal() and len(made.legal("+FAV")) == 12
    made.play("+FAV8", "done")
    assert made.g.cult[0].tolist() == [1, 0, 0, 3]


def test_shipping_and_digging_score(table: Callable) -> None:
    made = table("giants", "mermaids").has(0, coins=9, workers=2, priests=2, vp=20).play("advance ship", "done")
    assert made.g.vp[0] == 22 and made.g.ship[0] == 1
    made.turn(0).play("advance dig")
    assert made.g.vp[0] == 28 and made.g.dig[0] == 1 and made.g.coins[0] == 0
    assert table("dwarves", "mermaids").has(0, coins=9, priests=2, workers=9).legal("advance") == ["advance dig"]
    assert table("darklings", "mermaids").has(0, coins=9, priests=2, workers=9).legal("advance") == ["advance ship"]


def test_priests_on_the_cult_board(table: Callable) -> None:
    made = table("giants", "mermaids").has(0, priests=3).play("send p to FIRE for 3", "done")
    assert made.g.cult[0, 0] == 4 and made.g.priests_away[0] == 1 and made.g.bowls[0].tolist() == [4, 8, 0]
    made.turn(0)
    assert made.legal("send p to FIRE") == ["send p to FIRE for 2", "send p to FIRE for 1"]
    made.play("send p to FIRE for 1")
    assert made.g.priests_away[0] == 1 and made.g.priests[0] == 1


def test_power_actions_once_a_round(table: Callable) -> None:
    made = table("giants", "mermaids").has(0, bowls=(0, 0, 9)).has(1, bowls=(0, 0, 9)).play("action ACT4", "done")
    assert made.g.coins[0] == 22 and made.g.bowls[0].tolist() == [4, 0, 5]
    assert "action ACT4" not in made.turn(1).legal("action ACT") and "action ACT3" in made.legal("action ACT")


def test_two_spades_go_on_to_a_second_space(table: Callable) -> None:
    """The second space only after the first has the own colour, without buying more; the dwelling on the first."""
    made = table("witches", "mermaids").put(0, A3="D").has(0, bowls=(0, 0, 6), workers=9, coins=9).turn(0)
    made.play("action ACT6")
    assert "done" not in made.legal() and made.legal("transform") == ["transform A2", "transform A4"]
    made.play("transform A4", "to green")
    assert made.g.spades == 1 and "done" in made.legal()
    made.play("transform A2")
    assert made.legal("to") == ["to green", "to red"]
    made.play("to green")
    assert made.legal("build") == ["build A4"] and made.g.workers[0] == 9


def test_wheel_stops_at_the_own_colour(table: Callable) -> None:
    """From blue, green lies one step on: gray and red beyond it cannot be reached that way."""
    made = table("witches", "mermaids").put(0, A3="D").has(0, workers=9).turn(0).play("transform A4")
    assert made.legal("to") == ["to yellow", "to brown", "to black", "to green"]


def test_passing_swaps_cards_and_sets_the_first_player(table: Callable) -> None:
    made = table("giants", "mermaids").put(0, D4="D").put(1, A4="D")
    held = int(made.g.card[0])
    made.g.card_coins[9 - 1] = 2
    made.position.refresh()
    coins = int(made.g.coins[0])
    made.play("pass BON9")
    assert made.g.coins[0] == coins + 2 and made.g.card_place[held] == -1 and made.g.card[0] == 8
    assert made.g.next_order[0] == 0 and made.g.actor == 1


# ---------------------------------------------------------------------------------------------------- neighbours, towns


def test_power_is_offered_clockwise_and_priced(table: Callable) -> None:
    made = table("giants", "witches", "nomads").put(0, D4="D").put(1, D5="TP").put(2, E6="D")
    made.has(0, coins=9, workers=9).has(1, bowls=(5, 7, 0), vp=20).turn(0).play("upgrade D4 to TP", "done")
    assert made.g.actor == 1 and made.legal() == ["leech 2 from giants", "decline"]
    made.play("leech 2 from giants")
    assert made.g.vp[1] == 19 and made.g.bowls[1].tolist() == [3, 9, 0]


def test_an_offer_is_cut_by_points_and_bowls(table: Callable) -> None:
    made = table("giants", "witches").put(0, D4="D").put(1, D5="SH").has(0, coins=9, workers=9)
    made.has(1, vp=1, bowls=(5, 7, 0)).turn(0).play("upgrade D4 to TP", "done", "leech 3 from giants")
    assert made.g.vp[1] == 0 and made.g.bowls[1].tolist() == [3, 9, 0]
    made = table("giants", "witches").put(0, D4="D").put(1, D5="SH").has(0, coins=9, workers=9)
    made.has(1, vp=9, bowls=(0, 1, 9)).turn(0).play("upgrade D4 to TP", "done", "leech 3 from giants")
    assert made.g.vp[1] == 9 and made.g.bowls[1].tolist() == [0, 0, 10]


def test_who_can_gain_nothing_is_not_asked(table: Callable) -> None:
    made = table("giants", "witches").put(0, D4="D").put(1, D5="SH").has(0, coins=9, workers=9)
    made.has(1, bowls=(0, 0, 9)).turn(0).play("upgrade D4 to TP", "done")
    assert made.g.decision == 3 and made.g.actor == 1


TOWN = {"E1": "D", "E2": "TP", "E3": "TP"}  # values 1, 2, 2, in a row with D2


def test_a_town_needs_four_structures_and_seven(table: Callable) -> None:
    made = table("giants", "mermaids").put(0, D2="D", **TOWN).has(0, coins=9, workers=9).turn(0)
    made.play("upgrade D2 to TP")
    assert len(made.legal("+TW")) == 5 and "done" not in made.legal()
    made.play("+TW2")
    assert made.g.vp[0] == 27 and made.g.keys[0] == 1
    made.play("done")
    assert made.g.in_town[0].sum() > 0


def test_the_sanctuary_counts_twice_for_the_number(table: Callable) -> None:
    made = table("giants", "mermaids").put(0, E1="TP", E2="SA", D2="D").has(0, coins=9, workers=9).turn(0)
    made.play("upgrade D2 to TP")
    assert made.legal("+TW")


def test_fav5_lowers_the_value_to_six(table: Callable) -> None:
    made = table("giants", "mermaids").put(0, D2="D", **TOWN, A1="TP").has(0, coins=9, workers=9).turn(0)
    made.play("upgrade A1 to TE", "+FAV5")
    assert made.legal("+TW")


def test_a_step_to_ten_needs_a_key(table: Callable) -> None:
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
    made = table("giants", "mermaids").put(0, D2="D", **TOWN).has(0, coins=9, workers=9, cult=(9, 9, 1, 1)).turn(0)
    made.play("upgrade D2 to TP", "+TW5")
    assert made.legal("+") == ["+FIRE", "+WATER"] and "done" not in made.legal()
    made.play("+WATER")
    assert made.g.cult[0].tolist() == [9, 10, 2, 2]


# ---------------------------------------------------------------------------------------------------- factions


def test_darklings_pay_priests_for_spades(table: Callable) -> None:
    made = table("darklings", "mermaids").put(0, E1="D").has(0, priests=2, workers=5, vp=20).turn(0)
    made.play("transform E2", "to black")
    assert made.g.priests[0] == 1 and made.g.workers[0] == 5 and made.g.vp[0] == 22


def test_giants_take_two_spades_straight_to_red(table: Callable) -> None:
    made = table("giants", "mermaids").put(0, E3="D").has(0, workers=6).turn(0).play("transform E2")
    assert made.legal("to") == ["to red"]
    made.play("to red")
    assert made.g.workers[0] == 0


def test_dwarves_tunnel_for_workers_and_points(table: Callable) -> None:
    made = table("dwarves", "mermaids").put(0, A1="D").has(0, workers=5, vp=20).turn(0).play("transform A3", "to gray")
    assert made.g.workers[0] == 0 and made.g.vp[0] == 24


def test_halflings_stronghold_brings_three_spades(table: Callable) -> None:
    made = table("halflings", "giants").put(0, E2="TP").has(0, coins=20, workers=9, vp=20).turn(0)
    made.play("upgrade E2 to SH")
    assert made.g.vp[0] == 23 and made.g.spades == 3
    made.play("transform E1", "to brown")
    assert made.g.spades == 2 and made.legal("build") == ["build E1"]
    made.play("build E1")
    assert "done" in made.legal() and not made.legal("transform")


def test_cultists_are_rewarded(table: Callable) -> None:
    made = table("cultists", "giants").put(0, E2="D").put(1, E3="D").has(0, coins=9, workers=9).turn(0)
    before = made.g.bowls[0].tolist()
    made.play("upgrade E2 to TP", "done", "leech 1 from cultists")
    assert made.g.actor == 0 and made.legal() == ["+FIRE", "+WATER", "+EARTH", "+AIR"]
    made.play("+AIR")
    assert made.g.cult[0, 3] == 1 and made.g.actor == 1
    made.has(0, coins=9, workers=9).turn(0).play("upgrade E2 to TE", "+FAV8", "done", "decline")
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
    made.play("send p to FIRE for 3", "done")
    assert made.g.actor == 0 and made.g.decision == 3
    made.play("send p to AIR for 3", "done")
    assert made.g.actor == 1


def test_engineers_build_bridges_and_score_them(table: Callable) -> None:
    made = table("engineers", "mermaids").put(0, C2="SH", E5="D").has(0, workers=2, vp=20).turn(0)
    made.play("action ACTE", "bridge C2:E5", "done")
    made.turn(0, 6).play("pass")
    assert made.g.vp[0] == 23


def test_mermaids_found_a_town_over_a_river(table: Callable) -> None:
    made = table("mermaids", "giants").put(0, E4="TP", E5="SH", G1="TP", F3="D").turn(0)
    assert made.legal("connect")
    made.play(made.legal("connect")[0], "+TW1")
    assert made.g.decision == 3 and made.g.towns[0, 0] == 1


# ---------------------------------------------------------------------------------------------------- end


def test_final_scoring_shares_prizes(table: Callable) -> None:
    made = table("giants", "mermaids").put(0, D4="D", E3="D").put(1, A4="D")
    made.has(0, cult=(5, 0, 0, 3), vp=20, coins=4, workers=0, bowls=(0, 3, 1), passed=1)
    made.has(1, cult=(5, 2, 0, 0), vp=20, coins=0, workers=0, bowls=(12, 0, 0), ship=0).turn(1, 6)
    made.g.card[1], made.g.card[0] = 2, -1
    made.play("pass")
    assert made.position.over == 1
    # giants: FIRE (8 + 4) / 2, AIR 8, area (1 + 1 separate structures) 18 or shared, 6 coins
    assert made.g.vp[0] == 20 + 6 + 8 + 15 + 2 and made.g.vp[1] == 20 + 6 + 8 + 15


def test_illegal_actions_change_nothing(table: Callable) -> None:
    made = table("giants", "mermaids")
    before = made.position.key()
    with pytest.raises(IllegalAction, match="build A1"):
        made.play("build A1")
    assert made.position.key() == before


# ---------------------------------------------------------------------------------------------------- seed's wording


def test_seed_town_of_six_with_a_sanctuary(table: Callable) -> None:
    for ruleset, founded in (("usual", False), ("seed", True)):
        made = table("giants", "mermaids", ruleset=ruleset).put(0, E1="D", E2="SA", D2="D").has(0, coins=9, workers=9)
        made.turn(0).play("upgrade D2 to TP")
        assert bool(made.legal("+TW")) == founded


def test_seed_one_special_action_a_round(table: Callable) -> None:
    for ruleset, left in (("usual", 1), ("seed", 0)):
        made = table("auren", "giants", ruleset=ruleset).put(0, A3="SH")
        made.g.favors[0, 5] = 1
        made.turn(0).play("action ACTA", "+AIR", "done")
        assert len(made.turn(0).legal("action FAV6")) == left


def test_seed_conversions_before_an_offer(table: Callable) -> None:
    for ruleset, allowed in (("usual", False), ("seed", True)):
        made = table("giants", "witches", ruleset=ruleset).put(0, D4="D").put(1, D5="D").has(0, coins=9, workers=9)
        made.turn(0).play("upgrade D4 to TP", "done")
        assert ("convert 1W to 1C" in made.legal()) == allowed


def test_seed_partial_gain_needs_both_caps(table: Callable) -> None:
    made = table("giants", "witches", ruleset="seed").put(0, D4="D").put(1, D5="SH").has(0, coins=9, workers=9)
    made.has(1, vp=9, bowls=(0, 1, 9)).turn(0).play("upgrade D4 to TP", "done", "leech 3 from giants")
    assert made.g.vp[1] == 7 and made.g.bowls[1].tolist() == [0, 0, 10]


def test_seed_single_step_takes_a_priest_back(table: Callable) -> None:
    made = table("giants", "mermaids", ruleset="seed").has(0, priests=1)
    assert "send p to FIRE for 1" not in made.legal("send")
    made.play("send p to FIRE for 3", "done").turn(0).play("send p to FIRE for 1")
    assert made.g.priests_away[0] == 0 and made.g.spots[0, 0] == -1 and made.g.cult[0, 0] == 5


def test_seed_cards_start_without_coins() -> None:
    for ruleset, coins in (("usual", 3), ("seed", 0)):
        position = Position(SPEC.configure({"players": 2, "ruleset": ruleset}), 1)
        rng = np.random.default_rng(0)
        while position.g.round_number == 0:
            position.play(int(rng.choice(position.legal_actions())))
        assert position.g.card_coins.sum() == coins


def test_seed_loose_spades(table: Callable) -> None:
    """Two spades, one of them on a space that does not become the own colour."""
    for ruleset, colours in (("usual", 2), ("seed", 4)):
        made = table("witches", "mermaids", ruleset=ruleset).put(0, E9="D").has(0, bowls=(0, 0, 6), workers=0)
        made.turn(0).play("action ACT6", "transform E10")
        assert len(made.legal("to")) == colours


def test_seed_second_space_may_be_topped_up(table: Callable) -> None:
    for ruleset, topped_up in (("usual", False), ("seed", True)):
        made = table("witches", "mermaids", ruleset=ruleset).put(0, F4="D").has(0, bowls=(0, 0, 6), workers=9)
        made.turn(0).play("action ACT6", "transform E7", "to green", "transform F3")  # one spade left, three are needed
        assert ("to green" in made.legal()) == topped_up
    assert made.play("to green").g.workers[0] == 3


def test_seed_cultists_gain_nothing_when_all_decline(table: Callable) -> None:
    for options, gained in (({}, 1), ({"cultists_power": False}, 0), ({"ruleset": "seed"}, 0)):
        made = table("cultists", "giants", **options).put(0, E2="D").put(1, E3="D").has(0, coins=9, workers=9).turn(0)
        before = int(made.g.bowls[0, 1])
        made.play("upgrade E2 to TP", "done", "decline")
        assert made.g.bowls[0, 1] - before == gained and made.g.actor == 1


def test_seed_priests_and_second_bowl_are_worth_nothing_at_the_end(table: Callable) -> None:
    for ruleset, points in (("usual", 3), ("seed", 1)):
        made = table("giants", "mermaids", ruleset=ruleset).has(1, passed=1)
        made.has(0, coins=3, workers=0, priests=3, bowls=(0, 6, 0), vp=0, cult=(0, 0, 0, 0)).turn(0, 6)
        made.g.next_order[0] = 1
        made.g.passed_count = 1
        made.play("pass")
        assert made.g.vp_from[0, 11] == points


# ---------------------------------------------------------------------------------------------------- optional pieces


def test_optional_pieces_are_off_by_default() -> None:
    for seed in range(20):
        g = Position(SPEC.configure({"players": 5}), seed).g
        assert g.town_supply.tolist() == [2, 2, 2, 2, 2, 0, 0, 0] and g.card_place[9] == -2 and 8 not in g.scoring
    options = {"players": 5, "extra_towns": True, "ship_card": True, "temple_tile": True}
    tables = [Position(SPEC.configure(options), seed).g for seed in range(20)]
    assert tables[0].town_supply.tolist() == [2, 2, 2, 2, 2, 1, 2, 1]
    assert any(g.card_place[9] == -1 for g in tables) and any(8 in g.scoring for g in tables)


def test_passing_order_is_the_next_turn_order() -> None:
    for order, expected in (("clockwise", [1, 2, 0]), ("passing", [1, 0, 2])):
        position = Position(SPEC.configure({"players": 3, "turn_order": order}), 3)
        rng = np.random.default_rng(0)
        while position.g.round_number == 0:
            position.play(int(rng.choice(position.legal_actions())))
        g = position.g
        g.next_order[:3], g.passed_count, g.passed[:3] = [1, 0, -1], 2, [1, 1, 0]
        g.turn = g.actor = 2
        position.refresh()
        passes = [int(a) for a in position.legal_actions() if position.game.actions.text(int(a)).startswith("pass")]
        position.play(passes[0])
        while position.g.round_number == 1:
            position.play(position.game.actions.parse("done"))
        assert position.g.order[:3].tolist() == expected
