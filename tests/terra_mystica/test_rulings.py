"""Rulings that no other file of tests names; positions are written by hand."""

from collections.abc import Callable
from typing import Any

from theogony.envs.terra_mystica.components import BON4
from theogony.envs.terra_mystica.state import CULT_SPADES, LEECH


def test_an_action_that_would_do_nothing_is_barred(table: Callable) -> None:
    """R1: without a bridge site, a space for the spades or room for a priest."""
    made = table("giants", "mermaids").has(0, bowls=(0, 0, 12), priests=7).turn(0)
    assert made.legal("action ACT") == ["action ACT3", "action ACT4"]
    made.has(0, priests=6).put(0, C2="D").turn(0)
    assert made.legal("action ACT") == [f"action ACT{k}" for k in range(1, 7)]


def test_a_bridge_makes_its_ends_adjacent_for_everybody(table: Callable) -> None:
    """R3: the Mermaids behind the bridge of the Giants are offered power; a site takes one bridge."""
    for bridge in (False, True):
        made = table("giants", "mermaids").put(0, C2="D").put(1, E5="TP").has(0, bowls=(0, 0, 6), coins=9, workers=9)
        made.turn(0)
        if bridge:
            made.play("action ACT1")
            assert "bridge C2:E5" in made.legal("bridge") and all("C2" in site for site in made.legal("bridge"))
            made.play("bridge C2:E5").turn(0)
        made.play("upgrade C2 to TP")
        assert (made.g.decision == LEECH) == bridge
    made.g.power_used[:] = 0
    made.has(0, bowls=(0, 0, 9)).turn(0)
    assert "bridge C2:E5" not in made.play("action ACT1").legal("bridge")


def test_a_space_of_the_own_colour_is_not_turned_away(table: Callable) -> None:
    """R10."""
    made = table("witches", "mermaids").put(0, A3="D").has(0, workers=9, coins=9).turn(0)
    made.play("transform A4", "done").turn(0)
    assert "build A4" in made.legal("build")
    assert not {"transform A4", "transform A4 partly"} & set(made.legal("transform"))


def cult_bonus(made: Any, card: str) -> Any:
    """Seat 0 is the last to pass, with a spade of the cult bonus to come."""
    made.has(0, cult=(0, 0, 4, 0)).has(1, passed=1, cult=(0, 0, 0, 0)).turn(0)
    made.g.next_order[0], made.g.passed_count = 1, 1
    made.play(f"pass {card}")
    assert made.g.decision == CULT_SPADES
    return made


def test_spades_of_the_cult_bonus_may_be_given_up(table: Callable) -> None:
    """R12: though there is a space for them."""
    made = cult_bonus(table("witches", "mermaids", scoring=(1, 2, 3, 4, 5, 6)).put(0, F4="D"), "BON9")
    before = made.g.terrain.tolist()
    assert made.legal("transform")
    made.play("done")
    assert made.g.round_number == 2 and made.g.terrain.tolist() == before


def spaces(made: Any) -> set[str]:
    return {text.split()[1] for text in made.legal("transform")}


def test_the_bonus_card_of_shipping_does_not_count_in_the_cult_bonus(table: Callable) -> None:
    """R14: it reaches over rivers in the turn, not for the spades that come at the end of the round."""
    reach = {}
    for card in (BON4, BON4 + 2):
        made = table("witches", "mermaids", scoring=(1, 2, 3, 4, 5, 6)).put(0, F4="D").has(0, workers=9)
        made.g.card[:2] = card, BON4 + 3
        made.g.card_place[:] = [-2, -2, *[-1] * 8]
        made.g.card_place[card], made.g.card_place[BON4 + 3] = 0, 1
        reach[card] = spaces(made.turn(0))
    assert reach[BON4] > reach[BON4 + 2]
    made.g.card_place[BON4] = -1
    assert spaces(cult_bonus(made, "BON4")) <= reach[BON4 + 2] and made.g.card[0] == BON4
