"""What cards and abilities say of themselves is what the rules do."""

from __future__ import annotations

from theogony.envs.god_of_war.game import SPEC
from theogony.envs.god_of_war.render.seats import action_card
from theogony.envs.god_of_war.state import SCENES
from theogony.envs.god_of_war.vocabulary.effects import both_sides


def card_side(scene: str, place: str) -> tuple[str, str]:
    """What the front and the back of a scene card say."""
    data = next(s for s in SPEC.configure().components["scenes"] if s["id"] == SCENES.index(scene) + 1)
    return both_sides(data, next(card for card in data["cards"] if card["id"] == place))


def test_arms_is_told_as_strength_and_spartan_rage_as_damage() -> None:
    """Strength breaks armour and meets the die, damage does neither (R9); Arms is for either dwarf (§9)."""
    words = SPEC.configure().vocabulary
    assert "next attack: 3 more damage" in words["figure", "kratos"].does
    assert "+3 strength for the next attack of Brok or Sindri" in words["figure", "sindri"].does
    assert "more damage" not in words["hero", "brok_sindri"].does


def test_a_boxed_attack_says_which_columns_it_hits() -> None:
    _, back = card_side("baldur", "7-21")
    assert back.endswith("Baldur's Right, burning (bottom 2) attacks: melee 3 on columns 1, 2, 3")


def test_a_back_names_the_enemies_that_turned_over_with_it() -> None:
    front, back = card_side("helheim", "4-11")
    assert "Warm the brazier" in front
    assert "stun Mattugr Helson" in back
    assert card_side("thamur", "6-01")[1].startswith("part of Stone Ancient, core bared;")
    assert card_side("ogre", "2-12")[1].startswith("part of Ogre;")


def test_the_picture_of_a_special_card_says_how_much_rage_it_brings() -> None:
    game = SPEC.configure()
    assert "1 rage" in action_card(game, "f_mend").partition("</title>")[2]
    assert "rage" not in action_card(game, "u18").partition("</title>")[2]
