"""One test a rule, named after it; positions are written by hand. Sections are those of the documentation."""

from collections.abc import Callable

import pytest
from moves import legal_texts

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.actions import BOARD
from theogony.envs.terra_mystica.components import COLOURS, FACTIONS
from theogony.envs.terra_mystica.game import SPEC
from theogony.envs.terra_mystica.rules.power import gain_power
from theogony.envs.terra_mystica.state import CARD, COLOUR, CULT_SPADES, SETTLE

# ---------------------------------------------------------------------------------------------------- setup


def test_scoring_tile_of_spades_lies_on_no_late_round() -> None:
    for seed in range(40):
        scoring = Position(SPEC.configure({"players": 2}), seed).g.scoring
        assert 0 not in scoring[4:] and len(set(scoring.tolist())) == 6


def test_two_factions_of_a_colour_exclude_each_other() -> None:
    position = Position(SPEC.configure({"players": 2}), 0)
    position.play(position.game.actions.parse("setup giants"))
    legal = legal_texts(position)
    assert len(legal) == 12 and "setup chaosmagicians" not in legal and "setup giants" not in legal


def test_first_dwellings_nomads_third_chaos_magicians_last() -> None:
    position = Position(SPEC.configure({"players": 3}), 0)
    for faction in ("chaosmagicians", "nomads", "witches"):
        position.play(position.game.actions.parse(f"setup {faction}"))
    seats = []
    while position.g.decision == SETTLE:
        seats.append(FACTIONS[position.g.faction[position.actor]])
        position.play(int(position.legal_actions()[0]))
    assert seats == ["nomads", "witches", "witches", "nomads", "nomads", "chaosmagicians"]
    cards = []
    while position.g.decision == CARD:
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
    """R8."""
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
    made.play("+FAV8")
    assert made.g.cult[0].tolist() == [1, 0, 0, 3]


def test_shipping_and_digging_score(table: Callable) -> None:
    made = table("giants", "mermaids").has(0, coins=9, workers=2, priests=2, vp=20).play("advance ship")
    assert made.g.vp[0] == 22 and made.g.ship[0] == 1
    made.turn(0).play("advance dig")
    assert made.g.vp[0] == 28 and made.g.dig[0] == 1 and made.g.coins[0] == 0
    assert table("dwarves", "mermaids").has(0, coins=9, priests=2, workers=9).legal("advance") == ["advance dig"]
    assert table("darklings", "mermaids").has(0, coins=9, priests=2, workers=9).legal("advance") == ["advance ship"]


def test_priests_on_the_cult_board(table: Callable) -> None:
    made = table("giants", "mermaids").has(0, priests=3).play("send p to FIRE for 3")
    assert made.g.cult[0, 0] == 4 and made.g.priests_away[0] == 1 and made.g.bowls[0].tolist() == [4, 8, 0]
    made.turn(0)
    assert made.legal("send p to FIRE") == ["send p to FIRE for 2", "send p to FIRE for 1"]
    made.play("send p to FIRE for 1")
    assert made.g.priests_away[0] == 1 and made.g.priests[0] == 1


def test_power_actions_once_a_round(table: Callable) -> None:
    made = table("giants", "mermaids").has(0, bowls=(0, 0, 9)).has(1, bowls=(0, 0, 9)).play("action ACT4")
    assert made.g.coins[0] == 22 and made.g.bowls[0].tolist() == [4, 0, 5]
    assert "action ACT4" not in made.turn(1).legal("action ACT") and "action ACT3" in made.legal("action ACT")


def test_two_spades_go_on_to_a_second_space(table: Callable) -> None:
    """The second space only after the first has the own colour, without buying more; the dwelling on the first (R2)."""
    made = table("witches", "mermaids").put(0, A3="D").has(0, bowls=(0, 0, 6), workers=9, coins=9).turn(0)
    made.play("action ACT6")
    spaces = [f"transform {space}{partly}" for partly in ("", " partly") for space in ("A2", "A4")]
    assert "done" not in made.legal() and made.legal("transform") == spaces
    made.play("transform A4")
    assert made.g.spades == 1 and "done" in made.legal()
    assert made.legal("transform") == ["transform A2", "transform A2 partly"]
    made.play("transform A2")
    assert made.legal("build") == ["build A4"] and made.g.workers[0] == 9


def test_wheel_stops_at_the_own_colour(table: Callable) -> None:
    """From blue, green lies one step on: gray and red beyond it cannot be reached that way (R4)."""
    made = table("witches", "mermaids").put(0, A3="D").has(0, workers=9).turn(0)
    assert "transform A4" in made.legal()
    made.play("transform A4 partly")
    assert made.legal() == ["to yellow", "to brown", "to black"]


def test_a_first_space_is_turned_on_in_the_same_direction(table: Callable) -> None:
    """Three steps in all, and never back: from yellow by way of red to gray, or to the own green (R5)."""
    made = table("witches", "mermaids").put(0, F4="D").has(0, workers=9).turn(0).play("transform F3 partly", "to red")
    assert made.legal("transform") == ["transform F3", "transform F3 partly"] and "done" in made.legal()
    made.play("transform F3 partly")  # gray, the only colour that is left
    assert made.legal("transform") == ["transform F3"]
    made.play("transform F3")
    assert made.g.workers[0] == 0 and made.g.terrain[BOARD.land.index("F3")] == made.position.tables[0].home[13]


def test_bought_spades_go_to_the_first_space_only(table: Callable) -> None:
    """R5."""
    made = table("witches", "mermaids").put(0, F4="D").has(0, workers=9).turn(0).play("transform F3 partly", "to brown")
    assert made.legal("transform") == ["transform F3 partly"]  # green lies four steps further on


def test_power_actions_burn_what_they_lack(table: Callable) -> None:
    """R6."""
    made = table("giants", "mermaids").has(0, bowls=(2, 5, 2)).turn(0)
    assert "action ACT4" in made.legal() and "action ACT6" not in made.legal()
    made.play("action ACT4")
    assert made.g.bowls[0].tolist() == [6, 1, 0] and made.g.coins[0] == 22


def test_power_is_converted_in_amounts(table: Callable) -> None:
    made = table("giants", "mermaids").has(0, bowls=(0, 5, 6), coins=0, workers=0, priests=6).turn(0)
    amounts = ["5PW to 1P", "3PW to 1W", "6PW to 2W", *(f"{k}PW to {k}C" for k in range(1, 7)), "1P to 1W"]
    assert made.legal("convert") == [f"convert {amount}" for amount in amounts]
    assert made.legal("burn") == ["burn 1", "burn 2"]
    made.play("burn 2", "convert 6PW to 2W", "convert 2PW to 2C")
    assert made.g.bowls[0].tolist() == [8, 1, 0] and made.g.workers[0] == 2 and made.g.coins[0] == 2


def test_a_turn_ends_by_itself(table: Callable) -> None:
    """R7."""
    made = table("giants", "mermaids").has(0, priests=1).play("send p to FIRE for 2")
    assert made.g.actor == 1
    made = table("witches", "mermaids").put(0, A3="D").has(0, workers=9, coins=0, bowls=(12, 0, 0)).turn(0)
    made.play("convert 1W to 1C", "transform A4")
    assert made.g.actor == 0 and "done" in made.legal()  # a dwelling may follow, paid by conversions
    made.has(0, workers=0, coins=1).play("done")
    assert made.g.actor == 1
    made = table("witches", "mermaids").put(0, A3="D").has(0, workers=3, coins=0, priests=0, bowls=(12, 0, 0)).turn(0)
    made.play("transform A4")
    assert made.g.actor == 1  # nothing could pay for it


def test_power_that_an_action_brings_may_be_converted_before_the_neighbours_are_asked(table: Callable) -> None:
    """R7."""
    made = (
        table("giants", "mermaids").has(0, priests=1, bowls=(0, 3, 2), cult=(0, 0, 0, 0)).play("send p to FIRE for 3")
    )
    assert made.g.actor == 0 and "done" in made.legal() and made.g.bowls[0].tolist() == [0, 2, 3]
    made.play("convert 3PW to 1W")
    assert made.g.actor == 1
    made = (
        table("giants", "mermaids").has(0, priests=1, bowls=(2, 3, 2), cult=(0, 0, 0, 0)).play("send p to FIRE for 3")
    )
    assert made.g.actor == 1  # what lay in bowl III before could have been converted before


def test_room_that_an_action_makes_for_a_priest_may_be_used_at_once(table: Callable) -> None:
    """R7."""
    made = table("giants", "mermaids").has(0, priests=5, priests_away=2, bowls=(2, 3, 5)).turn(0)
    made.play("send p to FIRE for 1")
    assert made.g.actor == 0 and "convert 5PW to 1P" in made.legal()


def test_cult_bonus_spades_are_used_or_given_up(table: Callable) -> None:
    """R12: Giants cannot use a single spade, and are not asked."""
    for faction, asked in (("giants", False), ("witches", True)):
        made = table(faction, "mermaids", scoring=(1, 2, 3, 4, 5, 6)).put(0, F4="D").has(0, cult=(0, 0, 4, 0))
        made.has(1, passed=1, cult=(0, 0, 0, 0)).turn(0)
        made.g.next_order[0], made.g.passed_count = 1, 1
        made.play("pass BON9")
        assert (made.g.decision == CULT_SPADES) == asked and (made.g.round_number == 2) != asked
        assert ("done" in made.legal() and bool(made.legal("transform"))) == asked
    made.play("transform F3 partly", "to red")
    assert made.g.round_number == 2


def test_who_has_no_space_for_cult_bonus_spades_is_passed_over(table: Callable) -> None:
    """R12: the others are asked all the same."""
    made = table("giants", "witches", scoring=(1, 2, 3, 4, 5, 6)).put(0, F4="D").put(1, A3="D")
    made.has(0, passed=1, cult=(0, 0, 4, 0)).has(1, cult=(0, 0, 4, 0)).turn(1)
    made.g.next_order[0], made.g.passed_count = 0, 1
    made.play("pass BON9")
    assert made.g.decision == CULT_SPADES and made.g.actor == 1
    assert made.g.spades_due.tolist()[:2] == [0, 1]


def test_a_colour_without_choice_is_taken_at_once(table: Callable) -> None:
    """R18: blue lies beside the own green, so that one spade turns it to black and to nothing else."""
    made = table("witches", "mermaids").put(0, A3="D").has(0, workers=3, coins=9, bowls=(12, 0, 0)).turn(0)
    made.play("transform A4 partly")
    assert COLOURS[made.g.terrain[BOARD.land.index("A4")]] == "black" and made.g.decision != COLOUR
    assert made.g.workers[0] == 0 and made.g.target == -1
    made.has(0, workers=6).turn(0).play("transform A4 partly")
    assert made.g.decision == COLOUR and len(made.legal()) > 1


def test_passing_swaps_cards_and_sets_the_first_player(table: Callable) -> None:
    made = table("giants", "mermaids").put(0, D4="D").put(1, A4="D")
    held = int(made.g.card[0])
    made.g.card_coins[9 - 1] = 2
    made.position.refresh()
    coins = int(made.g.coins[0])
    made.play("pass BON9")
    assert made.g.coins[0] == coins + 2 and made.g.card_place[held] == -1 and made.g.card[0] == 8
    assert made.g.next_order[0] == 0 and made.g.actor == 1


# ---------------------------------------------------------------------------------------------------- end


def test_final_scoring_shares_prizes(table: Callable) -> None:
    """Goods become coins first: R17."""
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
