"""One test a rule, named after it; positions are written by hand. The wording of the seed text, and optional pieces."""

from collections.abc import Callable

import numpy as np

from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.game import SPEC

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
