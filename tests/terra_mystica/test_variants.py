"""One test a rule, named after it; positions are written by hand. The Chinese text, and optional pieces."""

from collections.abc import Callable

import numpy as np

from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.game import SPEC
from theogony.envs.terra_mystica.state import CULT_SPADES, LEECH

# ---------------------------------------------------------------------------------------------------- the Chinese text


def test_chinese_sanctuary_lowers_the_value_of_a_town_and_not_the_number(table: Callable) -> None:
    """Four structures of value 6, and three of value 7: with a sanctuary each is a town in one text only (R21)."""
    four, three = {"E1": "D", "E2": "SA", "E3": "D"}, {"E1": "TP", "E2": "SA"}
    for ruleset, structures, founded in (
        ("usual", four, False), ("chinese", four, True), ("usual", three, True), ("chinese", three, False),
    ):  # fmt: skip
        made = table("giants", "mermaids", ruleset=ruleset).put(0, **structures).has(0, coins=9, workers=9)
        if structures is three:
            made.put(0, D2="D").turn(0).play("upgrade D2 to TP")
        else:
            made.turn(0).play("transform D2", "build D2")
        assert bool(made.legal("+TW")) == founded


def test_chinese_one_special_action_a_round(table: Callable) -> None:
    """R22."""
    for ruleset, left in (("usual", 1), ("chinese", 0)):
        made = table("auren", "giants", ruleset=ruleset).put(0, A3="SH")
        made.g.favors[0, 5] = 1
        made.turn(0).play("action ACTA", "+AIR")
        assert len(made.turn(0).legal("action FAV6")) == left


def test_chinese_conversions_before_an_offer(table: Callable) -> None:
    """R23."""
    for ruleset, allowed in (("usual", False), ("chinese", True)):
        made = table("giants", "witches", ruleset=ruleset).put(0, D4="D").put(1, D5="D").has(0, coins=9, workers=9)
        made.turn(0).play("upgrade D4 to TP")
        assert ("convert 1W to 1C" in made.legal()) == allowed


def test_chinese_full_bowls_may_be_converted_before_an_offer(table: Callable) -> None:
    """R23."""
    for ruleset, asked in (("usual", False), ("chinese", True)):
        made = table("giants", "witches", ruleset=ruleset).put(0, D4="D").put(1, D5="SH").has(0, coins=9, workers=9)
        made.has(1, vp=9, bowls=(0, 0, 9)).turn(0).play("upgrade D4 to TP")
        assert (made.g.decision == LEECH) == asked
    assert not made.legal("leech") and "decline" in made.legal()
    made.play("convert 3PW to 1W", "leech 3 from giants")
    assert made.g.vp[1] == 7 and made.g.bowls[1].tolist() == [0, 3, 6]


def test_chinese_conversions_before_cult_bonus_spades(table: Callable) -> None:
    """R23."""
    for ruleset, allowed in (("usual", False), ("chinese", True)):
        made = table("giants", "witches", ruleset=ruleset, scoring=(1, 2, 3, 4, 5, 6)).put(1, A3="D")
        made.has(1, cult=(0, 0, 4, 0), workers=1).has(0, passed=1).turn(1)
        made.g.next_order[0], made.g.passed_count = 0, 1
        made.play("pass BON9")
        assert made.g.decision == CULT_SPADES and ("convert 1W to 1C" in made.legal()) == allowed


def test_chinese_cult_bonus_spades_that_no_space_takes(table: Callable) -> None:
    """As long as something can be converted there is a choice (R12, R23)."""
    made = table("witches", "giants", ruleset="chinese", scoring=(1, 2, 3, 4, 5, 6)).put(1, A7="D")
    made.has(1, cult=(0, 0, 4, 0), workers=1, priests=0, bowls=(12, 0, 0)).has(0, passed=1).turn(1)
    made.g.next_order[0], made.g.passed_count = 0, 1
    made.play("pass BON9")
    assert made.g.decision == CULT_SPADES and made.legal() == ["convert 1W to 1C", "done"]
    made.play("convert 1W to 1C")
    assert made.g.round_number == 2


def test_chinese_offer_is_reduced_where_neither_suffices(table: Callable) -> None:
    """Three power: with one point and room for two it costs one point; with room for three it cannot be paid (R26)."""
    made = table("giants", "witches", ruleset="chinese").put(0, D4="D").put(1, D5="SH").has(0, coins=9, workers=9)
    made.has(1, vp=1, bowls=(0, 2, 0)).turn(0).play("upgrade D4 to TP", "leech 3 from giants")
    assert made.g.vp[1] == 0 and made.g.bowls[1].tolist() == [0, 0, 2]
    made = table("giants", "witches", ruleset="chinese").put(0, D4="D").put(1, D5="SH").has(0, coins=9, workers=9)
    made.has(1, vp=1, bowls=(0, 3, 0)).turn(0).play("upgrade D4 to TP")
    assert not made.legal("leech") and "decline" in made.legal()


def test_chinese_reduced_offer_ends_at_exactly_zero_points(table: Callable) -> None:
    """R26: the part of an offer of six that three points pay is four, of which the bowls take two."""
    around = {"D5": "SH", "C3": "SA"}
    for vp, bowls, after in ((3, (0, 2, 10), (0, 0, 12)), (3, (1, 3, 8), (0, 1, 11)), (0, (0, 5, 0), (0, 4, 1))):
        made = table("giants", "witches", ruleset="chinese").put(0, D4="D").put(1, **around)
        made.has(0, coins=9, workers=9).has(1, vp=vp, bowls=bowls).turn(0)
        assert made.play("upgrade D4 to TP").legal("leech") == ["leech"] and made.g.offer_power[0] == 6
        made.play("leech")
        assert made.g.vp[1] == 0 and made.g.bowls[1].tolist() == list(after)


def test_chinese_partial_gain_needs_both_caps(table: Callable) -> None:
    made = table("giants", "witches", ruleset="chinese").put(0, D4="D").put(1, D5="SH").has(0, coins=9, workers=9)
    made.has(1, vp=9, bowls=(0, 1, 9)).turn(0).play("upgrade D4 to TP", "leech 3 from giants")
    assert made.g.vp[1] == 7 and made.g.bowls[1].tolist() == [0, 0, 10]


def test_chinese_single_step_takes_a_priest_back(table: Callable) -> None:
    """R25."""
    made = table("giants", "mermaids", ruleset="chinese").has(0, priests=1)
    assert "send p to FIRE for 1" not in made.legal("send")
    made.play("send p to FIRE for 3").turn(0).play("send p to FIRE for 1")
    assert made.g.priests_away[0] == 0 and made.g.spots[0, 0] == -1 and made.g.cult[0, 0] == 5


def test_chinese_cards_start_without_coins() -> None:
    """R27."""
    for ruleset, coins in (("usual", 3), ("chinese", 0)):
        position = Position(SPEC.configure({"players": 2, "ruleset": ruleset}), 1)
        rng = np.random.default_rng(0)
        while position.g.round_number == 0:
            position.play(int(rng.choice(position.legal_actions())))
        assert position.g.card_coins.sum() == coins


def test_chinese_loose_spades(table: Callable) -> None:
    """Two spades, one of them on a space that does not become the own colour (R24)."""
    for ruleset, colours in (("usual", 0), ("chinese", 3)):  # the only one is not asked for (R18)
        made = table("witches", "mermaids", ruleset=ruleset).put(0, E9="D").has(0, bowls=(0, 0, 6), workers=0)
        made.turn(0).play("action ACT6", "transform E10 partly")
        assert len(made.legal("to")) == colours


def test_chinese_second_space_may_be_topped_up(table: Callable) -> None:
    """R24."""
    for ruleset, topped_up in (("usual", False), ("chinese", True)):
        made = table("witches", "mermaids", ruleset=ruleset).put(0, F4="D").has(0, bowls=(0, 0, 6), workers=9)
        made.turn(0).play("action ACT6", "transform E7")  # one spade left, three are needed
        assert ("transform F3" in made.legal()) == topped_up and "transform F3 partly" in made.legal()
    assert made.play("transform F3").g.workers[0] == 3


def test_chinese_cultists_gain_nothing_when_all_decline(table: Callable) -> None:
    """R28."""
    for options, gained in (({}, 1), ({"cultists_power": False}, 0), ({"ruleset": "chinese"}, 0)):
        made = table("cultists", "giants", **options).put(0, E2="D").put(1, E3="D").has(0, coins=9, workers=9).turn(0)
        before = int(made.g.bowls[0, 1])
        made.play("upgrade E2 to TP", "decline")
        assert made.g.bowls[0, 1] - before == gained and made.g.actor == 1


def test_chinese_priests_and_second_bowl_are_converted_at_the_end(table: Callable) -> None:
    """Conversions and burning are free at any moment, so at the end all becomes coins in either text (R17)."""
    for ruleset, points in (("usual", 3), ("chinese", 3)):
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
