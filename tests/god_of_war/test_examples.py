"""The worked examples of the rules."""

from typing import Any

from god_of_war.moves import place


def test_attack_with_the_die(table: Any) -> None:
    """Strength 3 against die 2 is 1 damage, then 3 against 0 is 3 (§5.3)."""
    game = table(["kratos", "freya"], 1, hands={"kratos": ["ranged", "plus3", "m1_or_r1", "plus2", "melee", "plus2"]})
    place(game, 2, 0)
    game.do(do="attack", card="ranged", target="1-02").do(do="add", card="plus3").do(do="commit", dice=(2,))
    assert game.card("1-02")["damage"] == 1
    game.do(do="attack", card="m1_or_r1", option=1, target="1-02").do(do="add", card="plus2").do(do="commit", dice=(0,))
    assert game.card("1-02")["damage"] == 4


def test_spartan_rage(table: Any) -> None:
    """Two attacks take rage from 3 to 5; the ability adds 3 damage to the next attack and heals 3 (§9, R9, R50)."""
    hand = ["ranged", "plus3", "m1_or_r1", "plus2", "melee", "plus2", "block"]
    start = {"figures": {"kratos": {"rage": 3, "damage": 5}}}
    game = place(table(["kratos", "freya"], 1, hands={"kratos": hand}, **start), 2, 0)
    game.do(do="attack", card="ranged", target="1-02").do(do="add", card="plus3").do(do="commit", dice=(2,))
    assert not game.legal(do="rage")
    game.do(do="attack", card="m1_or_r1", option=1, target="1-02").do(do="commit", dice=(0,))
    assert game.figure("kratos")["rage"] == 5
    game.do(do="rage", figure="kratos")
    assert game.figure("kratos") | {"rage": 0, "damage": 2} == game.figure("kratos")
    assert game.state["players"][0]["next_damage"] == 3
    game.do(do="attack", card="melee", target="1-12").do(do="add", card="plus2")
    assert game.card("1-12")["armour"] == [5, 3]  # damage is no strength: 2 breaks nothing, and nothing gets through
    assert game.card("1-12")["damage"] == 0
    assert game.state["players"][0]["next_damage"] == 0
    assert game.figure("kratos")["rage"] == 1


def test_spartan_rage_adds_damage_after_the_die(table: Any) -> None:
    """Strength 1 against die 2, and 3 damage that no die stops (R9)."""
    hand = ["ranged", "plus1", "m1_or_r1", "plus2", "melee", "plus2", "block"]
    game = place(table(["kratos", "freya"], 1, hands={"kratos": hand}, figures={"kratos": {"rage": 5}}), 2, 0)
    game.do(do="rage", figure="kratos")
    game.do(do="attack", card="ranged", target="1-02").do(do="add", card="plus1").do(do="commit", dice=(2,))
    assert game.card("1-02")["damage"] == 3


def test_activation_of_two_cards(table: Any) -> None:
    """One rune activates both leftmost cards: ranged at the farthest column, melee into two (§6.1, §6.2)."""
    hands = {"kratos": ["block_1", "melee", "melee", "melee", "plus1", "plus1", "plus2"]}
    hands["freya"] = ["block_1", "plus2", "melee", "melee", "ranged", "f_mend", "f_mend"]
    hands["brok_sindri"] = ["melee", "melee", "ranged", "plus1", "plus1", "plus2", "plus2"]
    start = {"figures": {"sindri": {"damage": 7}}, "starting_player": 1, "upgrades": ["u01:gebo"]}
    game = table(["freya", "kratos", "brok_sindri"], 1, hands=hands, **start)
    game.do(do="place", figure="kratos", column=3).do(do="place", figure="brok", column=2)
    game.do(do="place", figure="sindri", column=0).do(do="place", figure="freya", column=1, slot="front")
    game.do(do="end")
    while game.state["pending"]["kind"] == "reveal_window":
        game.do(do="pass")
    assert game.state["pending"]["context"]["figure"] == "kratos"
    game.do(do="block", card="block_1").do(do="commit")  # the ranged attack of 1 at the farthest column is blocked
    while game.state["pending"]["kind"] == "block_window":
        game.do(do="pass")
    assert game.state["pending"]["context"]["figure"] == "freya"  # Sindri has no block: 2 damage knock him out
    assert not game.figure("sindri")["standing"]
    game.do(do="block", card="block_1").do(do="add", card="plus2")
    assert game.figure("freya")["damage"] == 0
    assert game.figure("kratos")["damage"] == 0


def test_climbing_the_ogre(table: Any) -> None:
    """Usable at 20 HP or less: Freya pays a melee and a block card and turns the card over (§5)."""
    hand = {"freya": ["melee", "block_1", "plus1", "plus2", "plus2", "plus2", "f_mend"]}
    strong = place(table(["freya", "atreus"], 2, hands=hand), 2, 0)
    assert not strong.legal(do="interact")
    game = place(table(["freya", "atreus"], 2, hands=hand, scene_cards={"2-20": {"damage": 14}}), 2, 0)
    game.do(do="interact", scene_card="2-12", pay=["block_1", "melee"])
    assert game.card("2-12")["side"] == "back"
    assert game.state["players"][0]["discard"] == ["block_1", "melee"]


def test_helheim_flips_six_cards(table: Any) -> None:
    """The last enemy of the bridge falls: six cards are turned, two new enemies appear (§7)."""
    dead = {"dead": True}
    cards = {"4-01": dead, "4-02": {"dead": True, "armour": []}, "4-03": dead, "4-11": dead}
    cards |= {"4-12": {"dead": True, "armour": []}, "4-10": {"side": "back"}, "4-13": {"side": "back"}}
    cards["4-00"] = {"damage": 3}
    hand = {"kratos": ["m1_or_r1", "plus3", "plus2", "plus2", "melee", "melee", "melee"]}
    game = place(table(["kratos", "atreus"], 4, hands=hand, scene_cards=cards), 0, 3)
    game.do(do="attack", card="m1_or_r1", option=1, target="4-00").do(do="add", card="plus3").do(do="commit", dice=(2,))
    turned = [card["id"] for card in game.state["scene"] if card["side"] == "back"]
    assert turned == ["4-00", "4-01", "4-02", "4-03", "4-10", "4-11", "4-12", "4-13"]
    assert not game.card("4-01")["dead"]
    assert game.card("4-12")["armour"] == [4]
    assert not game.position.over


def test_hindrance_of_alfheim(table: Any, deck_of: Any) -> None:
    """Passed over, Alfheim has each player shuffle one poison card into the deck (§8)."""
    decks = [[*deck_of(hero, []), "poison"] for hero in ("kratos", "freya")]
    shuffles = [{"shuffle": seat, "deck": deck} for seat, deck in enumerate(decks)]
    game = table(["kratos", "freya"], 1, hindrances=[3], chance=shuffles)
    assert [player["deck"] for player in game.state["players"]] == decks
    assert [player["deck"].count("poison") for player in game.state["players"]] == [1, 1]
    assert game.state["supply"]["poison"] == 8
