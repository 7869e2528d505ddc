"""Rulings on cards, attacks and upgrade cards, a test each (docs/games/god_of_war.md)."""

from typing import Any

import pytest
from god_of_war.moves import kind, place, reveal, until

from theogony.envs.core.position import Position
from theogony.envs.god_of_war.game import SPEC

MELEE = ["melee"] * 7  # nothing to do with it but to pay
PLAIN = ["melee", "plus2", "plus1", "melee", "plus2", "block", "plus3"]


def test_r1_hands_are_drawn_up_to_the_limit(table: Any) -> None:
    """Seven cards, six when Helheim was passed over (R1)."""
    for hindrances, cards in (([], 7), ([4], 6)):
        game = place(table(["kratos", "freya"], 1, hindrances=hindrances), 0, 3)
        assert [len(player["hand"]) for player in game.state["players"]] == [cards, cards]


def test_r2_the_starting_player_is_random() -> None:
    """Every seat begins some games, and the same one for the same seed (R2)."""
    game = SPEC.configure({"players": 3})
    first = [int(Position(game, seed).g.starting_player) for seed in range(30)]
    assert set(first) == {0, 1, 2}
    assert first == [int(Position(game, seed).g.starting_player) for seed in range(30)]


def test_r4_a_card_with_a_choice_is_played_as_one_option(table: Any) -> None:
    """`Melee or +2` is no melee attack of 2: the number must come from another card (R4)."""
    hands = {"kratos": ["u04", "block", "block_1", "ranged", *MELEE[:3]], "freya": MELEE}
    assert not place(table(["kratos", "freya"], 1, hands=hands), 0, 3).legal(do="attack", card="u04")
    hands["kratos"] = ["u04", "u04", "plus1", "block", *MELEE[:3]]
    game = place(table(["kratos", "freya"], 1, hands=hands), 0, 3)
    game.do(do="attack", card="u04", option=0, target="1-10")
    assert [(move["card"], move["option"]) for move in game.legal(do="add")] == [("plus1", 0), ("u04", 1)]
    game.do(do="add", card="u04").do(do="commit", dice=(0,))
    assert game.card("1-10")["damage"] == 2
    assert game.state["players"][0]["discard"] == ["u04", "u04"]


def test_r5_one_symbol_card_and_any_number_of_numbers(table: Any) -> None:
    """No second symbol joins a set; three numbers may. It is one attack and 1 rage (R5)."""
    hand = ["melee", "ranged", "m1_or_r1", "plus1", "plus2", "plus3", "block"]
    game = place(table(["kratos", "freya"], 1, hands={"kratos": hand, "freya": MELEE}), 0, 3)
    game.do(do="attack", card="melee", target="1-10")
    assert {move["card"] for move in game.legal(do="add")} == {"plus1", "plus2", "plus3"}
    game.do(do="add", card="plus1").do(do="add", card="plus2").do(do="add", card="plus3", dice=(1,))
    assert game.card("1-10")["damage"] == 5
    assert game.figure("kratos")["rage"] == 1


def test_r6_a_number_printed_with_a_symbol_belongs_to_it(table: Any) -> None:
    """Neither an attack nor a block may take the +1 of `Melee +1 or Ranged +1` (R6)."""
    hand = ["melee", "melee_1", "m1_or_r1", "block", "ranged", "melee", "melee"]
    given = {"scene_cards": {"2-03": {"dead": True}}, "upgrades": ["u01:tiwaz"]}
    game = place(table(["kratos", "freya"], 2, hands={"kratos": hand, "freya": MELEE}, **given), 1, 3)
    assert {move["card"] for move in game.legal(do="attack")} == {"melee_1", "m1_or_r1"}
    game.do(do="attack", card="melee_1", target="2-11", dice=(0,))  # there is nothing to add: the set is complete
    assert game.card("2-20")["damage"] == 1
    reveal(game)
    assert game.figure("kratos")["damage"] == 5  # he was not asked to block


def test_r7_block_sets_add_up(table: Any) -> None:
    """Two sets of 1 against 5: 3 damage are left (R7)."""
    hands = {"kratos": ["block_1", "block_1", *MELEE[:5]], "freya": MELEE}
    given = {"scene_cards": {"2-03": {"dead": True}}, "upgrades": ["u01:tiwaz"]}
    game = place(table(["kratos", "freya"], 2, hands=hands, **given), 1, 3)
    game.do(do="end").do(do="block", card="block_1")
    assert kind(game) == (0, "block")
    assert game.state["pending"]["context"]["blocked"] == 1
    game.do(do="block", card="block_1")
    assert game.figure("kratos")["damage"] == 3


def test_r22_rage_and_stun_against_armour(table: Any) -> None:
    """An attack that breaks nothing gives rage and stuns (R22)."""
    hand = ["melee_stun", "plus1", *MELEE[:5]]
    game = place(table(["kratos", "freya"], 1, hands={"kratos": hand, "freya": MELEE}), 2, 0)
    game.do(do="attack", card="melee_stun", target="1-12")  # the only number is added
    assert game.card("1-12") | {"armour": [5, 3], "damage": 0, "stunned": True} == game.card("1-12")
    assert game.figure("kratos")["rage"] == 1


@pytest.mark.parametrize(("armour", "damage"), [([5, 3], 0), ([3], 0), ([], 5)])
def test_r23_armour_stops_direct_damage(table: Any, armour: list[int], damage: int) -> None:
    """Thunderbird does nothing until all of it is destroyed (R23)."""
    given = {"figures": {"atreus": {"rage": 4}}, "scene_cards": {"1-12": {"armour": armour}}}
    game = place(table(["atreus", "kratos"], 1, **given), 0, 3)
    game.do(do="rage", figure="atreus", target="1-12")
    assert game.card("1-12") | {"armour": armour, "damage": damage} == game.card("1-12")


def test_r29_an_empty_supply_gives_nothing(table: Any) -> None:
    """No stun card is left for Freya's deck (R29)."""
    supply = {"stun": 0, "poison": 10, "crystal": 10}
    game = place(table(["kratos", "freya"], 9, supply=supply, upgrades=["u01:algiz"], hands={"kratos": MELEE}), 0, 3)
    until(game.do(do="end"), "chosen").do(do="choose", figure="freya")
    assert game.state["supply"]["stun"] == 0
    assert not any("stun" in player["deck"] for player in game.state["players"])


def test_r31_who_can_neither_take_nor_remove_is_skipped(table: Any) -> None:
    """No cards at all, and an upgrade deck that is too small (R31)."""
    cards = ["u01:gebo", "u02:gebo", "u03:gebo", "u04:gebo"]
    game = place(table(["kratos"], 7, upgrade_deck=cards, decks=[[]]), 0)
    until(game.do(do="end"), "turn", "upgrade")
    assert (game.state["round"], kind(game)) == (2, (0, "turn"))


def test_r35_rage_above_the_last_space_is_lost(table: Any) -> None:
    """(R35)"""
    game = place(table(["kratos", "freya"], 1, hands={"kratos": PLAIN}, figures={"kratos": {"rage": 5}}), 0, 3)
    until(game.do(do="attack", card="melee", target="1-10").do(do="add", card="plus1").do(do="commit"), "turn")
    assert game.figure("kratos")["rage"] == 5


def test_r36_rage_of_a_helping_card_goes_to_its_owner(table: Any) -> None:
    """Freya's boost of Kratos's attack: each has the rage of the own card (R36)."""
    hands = {"kratos": PLAIN, "freya": ["f_seidr", *MELEE[:6]]}
    game = place(table(["kratos", "freya"], 1, hands=hands), 0, 3)
    game.do(do="attack", card="melee", target="1-10").do(do="add", card="plus1").do(do="commit")
    game.do(do="special", card="f_seidr", dice=(0,))
    assert game.card("1-10")["damage"] == 3
    assert (game.figure("kratos")["rage"], game.figure("freya")["rage"]) == (1, 1)


def test_r39_an_interaction_may_be_repeated(table: Any) -> None:
    """While it can be paid (R39)."""
    hand = ["plus1", "plus1", "plus1", "plus1", "plus2", "melee", "melee"]
    game = place(table(["kratos", "freya"], 8, hands={"kratos": hand}), 2, 0)
    mock = {"do": "interact", "scene_card": "8-12", "pay": ["plus1", "plus1"]}
    assert game.do(**mock).card("8-21")["armour"] == [4]
    assert game.do(**mock).card("8-21")["armour"] == []
    assert not game.legal(do="interact")  # one number is left


def test_r40_invulnerable_enemies_may_be_attacked(table: Any) -> None:
    """The Hive takes nothing; the attack counts (R40)."""
    hand = ["ranged_stun", "plus2", *MELEE[:5]]
    game = place(table(["atreus", "freya"], 3, hands={"atreus": hand, "freya": MELEE}), 1, 3)
    game.do(do="attack", card="ranged_stun", target="3-01")  # the only number is added
    assert game.card("3-01") | {"damage": 0, "stunned": True} == game.card("3-01")
    assert game.figure("atreus")["rage"] == 1


@pytest.mark.parametrize(("scene", "target"), [(3, "3-01"), (1, "1-12")])
def test_r47_no_die_where_nothing_can_be_damaged(table: Any, scene: int, target: str) -> None:
    """Neither against the invulnerable Hive nor against armour (R47)."""
    column = int(target[-1])
    game = place(table(["atreus", "freya"], scene, hands={"atreus": ["ranged", "plus2", *MELEE[:5]]}), column, 3)
    dice = game.position.g.rng.copy()
    game.do(do="attack", card="ranged", target=target)  # the only number is added
    assert game.figure("atreus")["rage"] == 1
    assert (game.position.g.rng == dice).all()


def test_r49_when_played_cards_are_discarded(table: Any) -> None:
    """A boost at once, the set after the attack (R49)."""
    hands = {"kratos": PLAIN, "freya": ["f_seidr", "f_mend", *MELEE[:5]]}
    game = place(table(["kratos", "freya"], 1, hands=hands, figures={"kratos": {"damage": 3}}), 0, 3)
    game.do(do="attack", card="melee", target="1-10").do(do="add", card="plus1").do(do="commit")
    game.do(do="special", card="f_seidr")
    assert game.state["players"][1]["discard"] == ["f_seidr"]
    assert game.state["players"][0] | {"in_play": ["melee", "plus1"], "discard": []} == game.state["players"][0]
    game.do(do="pass", dice=(0,))
    assert game.state["players"][0] | {"in_play": [], "discard": ["melee", "plus1"]} == game.state["players"][0]


def test_r49_a_card_that_is_being_resolved_is_not_drawn_again(table: Any) -> None:
    """There is nothing but the special itself to draw, and it comes to the discard pile after its effect (R49)."""
    decks = [["k_resolve", *MELEE[:6]], MELEE]
    game = place(table(["kratos", "freya"], 1, decks=decks), 0, 3)
    game.do(do="special", card="k_resolve")
    assert game.state["players"][0] | {"hand": MELEE[:6], "discard": ["k_resolve"]} == game.state["players"][0]


def test_r52_cards_go_under_the_upgrade_deck_as_they_were_revealed(table: Any) -> None:
    """(R52)"""
    game = place(table(["kratos"], 7, hands={"kratos": PLAIN}, upgrades=["u03:algiz", "u01:gebo"]), 0)
    until(game.do(do="end"), "upgrade")
    assert game.state["revealed"] == ["u03:algiz", "u01:gebo"]
    game.do(do="remove", card="block")
    assert game.state["upgrade_deck"][-2:] == ["u03:algiz", "u01:gebo"]


def test_r64_abilities_without_use_are_allowed(table: Any) -> None:
    """A target of the right kind is enough: the heal of a hero who is well, a ward while one is left (R64)."""
    hands = {"freya": ["f_mend", "f_mend", *MELEE[:5]], "brok_sindri": MELEE}
    figures = {"freya": {"rage": 4}, "brok": {"rage": 3}, "sindri": {"wards": 1}}
    game = table(["freya", "brok_sindri"], 1, hands=hands, figures=figures)
    game.do(do="place", column=0).do(do="place", figure="brok", column=2).do(do="place", figure="sindri", column=3)
    assert {move["target"] for move in game.legal(do="special")} == {"freya", "brok", "sindri"}
    assert {move["target"] for move in game.legal(do="rage")} == {"freya", "brok", "sindri"}
    until(game.do(do="rage", target="freya").do(do="end"), "turn")
    assert kind(game) == (1, "turn")
    assert not game.legal(do="rage", figure="brok")  # Guard: no enemy attacks a dwarf now


def test_r65_only_wards_and_status_cards_limit_play(table: Any) -> None:
    """A seventh enemy is stunned though six stun tokens are printed; there is no third ward (R65)."""
    enemies = ("1-00", "1-01", "1-02", "1-11", "1-12", "1-13")
    given = {"scene_cards": {card: {"stunned": True} for card in enemies}}
    given |= {"figures": {"freya": {"rage": 4, "wards": 2}}, "hands": {"freya": ["melee_stun", "plus1", *MELEE[:5]]}}
    game = place(table(["freya", "kratos"], 1, **given), 0, 3)
    assert not game.legal(do="rage")
    game.do(do="attack", card="melee_stun", target="1-10")  # the only number is added
    assert sum(card["stunned"] for card in game.state["scene"]) == 7


def test_r68_no_boost_makes_a_set_whole(table: Any) -> None:
    """Freya's +2 waits for a set that has a number already (R68)."""
    hands = {"kratos": ["melee", "block", "ranged", *MELEE[:4]], "freya": ["f_seidr", *MELEE[:6]]}
    given = {"scene_cards": {"2-03": {"dead": True}}, "upgrades": ["u01:tiwaz"]}
    game = place(table(["kratos", "freya"], 2, hands=hands, **given), 1, 3)
    assert not game.legal(do="attack")
    reveal(game)
    assert game.figure("kratos")["damage"] == 5  # nor did a block and the boost stop anything
    assert "f_seidr" in game.state["players"][1]["hand"]
