"""What play seldom brings about, each in a position made for it: `RARE`, played by test_coverage.py."""

from collections.abc import Callable
from typing import Any

from god_of_war.moves import reveal

MakeTable = Callable[..., Any]  # the fixture `table`
Scenario = Callable[[MakeTable], Any]  # plays something and returns the game
RARE: dict[Scenario, tuple[str, ...]] = {}  # the parts of the components that each scenario is there for

HAND = ["melee", "ranged", "block", "plus1", "plus2", "plus3", "k_resolve"]
WITH_CRYSTAL = ["crystal", *HAND[:-1]]


def exercises(*parts: str) -> Callable[[Scenario], Scenario]:
    """Say which parts of the components a scenario exercises."""

    def mark(scenario: Scenario) -> Scenario:
        RARE[scenario] = parts
        return scenario

    return mark


def start(table: MakeTable, scene: int, column: int, hand: list[str] = HAND, **given: Any) -> Any:
    """Kratos in front of Freya in a column; `given` as for the fixture `table`."""
    supply = {"stun": 10, "poison": 10, "crystal": 10 - hand.count("crystal")}
    game = table(["kratos", "freya"], scene, hands={"kratos": hand}, supply=supply, **given)
    return game.do(do="place", column=column, slot="front").do(do="place", column=column, slot="back")


def defeat(game: Any, card: str) -> Any:
    """A melee attack of 4 against the die's 0; Kratos keeps his special in the window."""
    game.do(do="attack", card="melee", target=card).do(do="add", card="plus3").do(do="add", card="plus1")
    return game.do(do="commit").do(do="pass", dice=(0,))


def riding(table: MakeTable, rune: str) -> Any:
    """Somebody rides the Ogre, who has 18 health left; a card with this rune is turned up."""
    cards = {"2-12": {"side": "back"}, "2-20": {"damage": 14}}
    return reveal(start(table, 2, 3, scene_cards=cards, upgrades=[f"u01:{rune}"]))


@exercises("side 2-12 back", "box 2-12 back rune:gebo")
def the_rider_steers_the_ogre_into_the_others(table: MakeTable) -> Any:
    """3 damage to every other enemy without armour, none to the Ogre, who is stunned (R56)."""
    game = riding(table, "gebo")
    others = ("2-00", "2-03", "2-10", "2-13")
    assert [game.card(card)["damage"] for card in others] == [0, 3, 3, 3]
    assert game.card("2-20") | {"damage": 14, "stunned": True} == game.card("2-20")
    assert game.card("2-12")["side"] == "back"
    return game


@exercises("box 2-12 back rune:tiwaz")
def the_rider_stuns_the_ogre(table: MakeTable) -> Any:
    game = riding(table, "tiwaz")
    assert game.card("2-20") | {"damage": 14, "stunned": True} == game.card("2-20")
    assert game.card("2-12")["side"] == "back"
    return game


@exercises("side 2-12 front")
def the_rider_is_thrown_off(table: MakeTable) -> Any:
    """The card is turned by its rune; the side that appears does not attack any more (R58)."""
    game = riding(table, "algiz")
    assert game.card("2-12")["side"] == "front"
    assert not game.card("2-20")["stunned"]
    assert game.figure("kratos")["damage"] == 0
    return game


@exercises("box 9-21 front rune:algiz", "side 9-21 back")
def the_static_charge_is_spent(table: MakeTable) -> Any:
    """The box comes before the flip with the same rune (R18)."""
    game = reveal(start(table, 9, 0, upgrades=["u01:algiz"]))
    game.do(do="choose", figure="freya")
    assert game.state["players"][1]["deck"][0] == "stun"
    assert game.state["supply"]["stun"] == 9
    assert game.card("9-21")["side"] == "back"
    return game


@exercises("interaction 9-01 Crystal in the maw", "side 9-01 back")
def a_crystal_goes_off_in_the_maw(table: MakeTable) -> Any:
    game = start(table, 9, 1, WITH_CRYSTAL, scene_cards={"9-20": {"armour": []}})
    game.do(do="interact", scene_card="9-01", pay=["crystal", "ranged"])
    assert (game.card("9-20")["damage"], game.card("9-01")["side"]) == (6, "back")
    return game


@exercises("interaction 9-12 Strike the wound")
def the_wound_is_struck(table: MakeTable) -> Any:
    game = start(table, 9, 2, scene_cards={"9-20": {"side": "back"}, "9-12": {"side": "back"}})
    game.do(do="interact", scene_card="9-12", pay=["melee", "plus2"])
    assert game.card("9-20")["damage"] == 3
    return game


@exercises("interaction 9-13 Mine the vein", "side 9-13 back")
def the_vein_is_mined(table: MakeTable) -> Any:
    game = start(table, 9, 3).do(do="interact", scene_card="9-13", pay=["melee", "plus1"])
    assert game.state["players"][0]["deck"][0] == "crystal"
    assert game.card("9-13")["side"] == "back"
    return game


@exercises("interaction 7-03 Cut a bough", "side 7-03 back")
def a_bough_is_cut(table: MakeTable) -> Any:
    game = start(table, 7, 3).do(do="interact", scene_card="7-03", pay=["melee", "plus1"])
    assert game.state["players"][0]["deck"][0] == "crystal"
    assert game.card("7-03")["side"] == "back"
    return game


@exercises("interaction 7-03 Loose the mistletoe arrow", "card crystal")
def the_mistletoe_arrow_breaks_armour(table: MakeTable) -> Any:
    """The highest marker goes; a crystal that is left adds 2 to an attack (R8)."""
    game = start(table, 7, 3, ["crystal", *WITH_CRYSTAL[:-1]], scene_cards={"7-03": {"side": "back"}})
    game.do(do="interact", scene_card="7-03", pay=["crystal", "ranged"])
    assert game.card("7-20")["armour"] == [5, 4]
    assert game.card("7-03")["side"] == "front"
    game.do(do="move", column=2, slot="front").do(do="attack", card="melee", target="7-12")
    game.do(do="add", card="crystal").do(do="add", card="plus1").do(do="add", card="plus2")
    assert game.card("7-20")["armour"] == [4]
    return game


@exercises("interaction 6-11 Hurl the shard", "interaction 6-01 Drive the axe into the core", "side 6-11 back")
def the_core_is_bared_and_struck(table: MakeTable) -> Any:
    game = start(table, 6, 1, WITH_CRYSTAL, scene_cards={"6-11": {"armour": [4]}})
    game.do(do="interact", scene_card="6-11", pay=["crystal", "melee"])
    assert [game.card(card)["side"] for card in ("6-01", "6-11")] == ["back", "back"]
    game.do(do="interact", scene_card="6-01", pay=["plus1", "ranged"])
    assert (game.card("6-11")["damage"], game.card("6-01")["side"]) == (3, "front")
    return game


@exercises("interaction 6-02 Kick the chisel loose", "side 6-02 back")
def the_chisel_falls_on_the_troll(table: MakeTable) -> Any:
    game = start(table, 6, 2).do(do="interact", scene_card="6-02", pay=["melee", "ranged"])
    assert (game.card("6-12")["damage"], game.card("6-02")["side"]) == (4, "back")
    return game


@exercises("interaction 3-01 Shatter the Hive", "side 3-01 back")
def the_hive_is_shattered(table: MakeTable) -> Any:
    game = start(table, 3, 1, WITH_CRYSTAL).do(do="interact", scene_card="3-01", pay=["crystal", "ranged"])
    assert game.card("3-01")["side"] == "back"
    return game


@exercises("interaction 3-01 Hack the Hive open")
def the_hive_is_hacked_open(table: MakeTable) -> Any:
    """Only in strong light: three tokens."""
    hand = ["melee", *HAND[:-1]]
    assert not start(table, 3, 1, hand, scene_cards={"3-20": {"tokens": 2}}).legal(do="interact")
    game = start(table, 3, 1, hand, scene_cards={"3-20": {"tokens": 3}})
    game.do(do="interact", scene_card="3-01", pay=["melee", "melee"])
    assert game.card("3-01")["side"] == "back"
    return game


@exercises("interaction 3-12 Rekindle the Light")
def the_light_is_rekindled(table: MakeTable) -> Any:
    game = start(table, 3, 2, scene_cards={"3-20": {"tokens": 1}}, figures={"kratos": {"damage": 3}})
    game.do(do="interact", scene_card="3-12", pay=["plus1", "ranged"])
    assert game.card("3-20")["tokens"] == 0
    assert game.figure("kratos")["damage"] == 2
    return game


@exercises("interaction 5-03 Crack the pedestal")
def the_pedestal_of_frost_is_cracked(table: MakeTable) -> Any:
    game = start(table, 5, 3, scene_cards={"5-03": {"tokens": 2}})
    game.do(do="interact", scene_card="5-03", pay=["block", "plus1"])
    assert game.card("5-03")["tokens"] == 0
    return game


@exercises("interaction 8-10 Hide behind the ice")
def the_storm_is_weathered(table: MakeTable) -> Any:
    game = start(table, 8, 0, scene_cards={"8-03": {"tokens": 1}})
    game.do(do="interact", scene_card="8-10", pay=["block"])
    assert game.card("8-03")["tokens"] == 0
    return game


@exercises("box 8-20 front defeated", "side 8-20 back")
def modi_recovers_when_magni_falls(table: MakeTable) -> Any:
    """The boxed effect of the defeat comes before the flip (R54)."""
    cards = {"8-20": {"armour": [], "damage": 20}, "8-21": {"armour": [], "damage": 10}}
    game = defeat(start(table, 8, 1, scene_cards=cards), "8-11")
    assert game.card("8-21")["damage"] == 5
    assert [game.card(card)["side"] for card in ("8-20", "8-02", "8-12")] == ["back"] * 3
    return game


@exercises("box 8-21 front defeated", "side 8-21 back")
def magni_recovers_when_modi_flees(table: MakeTable) -> Any:
    cards = {"8-20": {"armour": [], "damage": 10}, "8-21": {"armour": [], "damage": 16}}
    game = defeat(start(table, 8, 2, scene_cards=cards), "8-12")
    assert game.card("8-20")["damage"] == 5
    assert [game.card(card)["side"] for card in ("8-21", "8-01", "8-11")] == ["back"] * 3
    return game


@exercises("box 5-20 front defeated", "side 5-20 back", "side 5-12 back")
def frost_gathers_when_ashes_fall(table: MakeTable) -> Any:
    game = defeat(start(table, 5, 1, scene_cards={"5-20": {"armour": [], "damage": 20}}), "5-11")
    assert game.card("5-03")["tokens"] == 2
    assert [game.card(card)["side"] for card in ("5-20", "5-12")] == ["back"] * 2
    return game


@exercises("box 5-21 front defeated", "side 5-21 back", "side 5-11 back")
def ashes_gather_when_frost_falls(table: MakeTable) -> Any:
    game = defeat(start(table, 5, 2, scene_cards={"5-21": {"armour": [], "damage": 20}}), "5-12")
    assert game.card("5-00")["tokens"] == 2
    assert [game.card(card)["side"] for card in ("5-21", "5-11")] == ["back"] * 2
    return game


@exercises("box 10-21 back rune:fehu")
def the_queens_wrath_hurts_everybody(table: MakeTable) -> Any:
    cards = {card: {"side": "back"} for card in ("10-20", "10-21")}
    game = reveal(start(table, 10, 3, scene_cards={**cards, "10-00": {"dead": True}}, upgrades=["u01:fehu"]))
    assert (game.figure("kratos")["damage"], game.figure("freya")["damage"]) == (1, 1)
    return game
