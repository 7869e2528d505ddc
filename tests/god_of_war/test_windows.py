"""The windows for special cards, rage abilities and skills, named after what they settle (docs/games/god_of_war.md)."""

from typing import Any

import pytest
from god_of_war.moves import kind, place, until

from theogony.envs.god_of_war.state import DECISIONS, END_WINDOW

HURT = {"figures": {"kratos": {"damage": 12}}}
MENDING = ["f_mend", "f_mend", "plus2", "melee", "plus1", "melee", "block_1"]
PLAIN = ["melee", "plus2", "plus1", "melee", "plus2", "block", "plus3"]


def test_specials_in_other_players_attack_sets(table: Any) -> None:
    """Freya heals between Kratos's set and its die (R12, R48)."""
    game = place(table(["kratos", "freya"], 2, hands={"kratos": PLAIN, "freya": MENDING}, **HURT), 2, 3)
    game.do(do="attack", card="melee", target="2-12").do(do="add", card="plus2").do(do="commit")
    assert kind(game) == (1, "attack_window")
    assert game.state["pending"]["context"]["strength"] == 2
    game.do(do="special", card="f_mend", target="kratos")
    assert game.figure("kratos")["damage"] == 10
    assert kind(game) == (1, "attack_window")  # as many as wanted, until the pass
    game.do(do="pass", dice=(0,))
    assert game.state["players"][1]["discard"] == ["f_mend"]


def test_specials_during_enemy_attacks(table: Any) -> None:
    """After the blocks and before the damage: the heal keeps Kratos on his feet (R12, R48)."""
    start = {"upgrades": ["u04:gebo"], "figures": {"kratos": {"damage": 13}}}
    game = place(table(["kratos", "freya"], 1, hands={"kratos": PLAIN, "freya": MENDING}, **start), 0, 3)
    game.do(do="end")
    until(game, "block")
    assert game.state["pending"]["context"]["figure"] == "freya"  # the ranged attack of 1 at the farthest column
    game.do(do="done").do(do="special", card="f_mend", target="kratos").do(do="pass")
    until(game, "block").do(do="done").do(do="special", card="f_mend", target="kratos")
    assert game.figure("kratos")["standing"]


def test_specials_at_the_end_of_the_round(table: Any) -> None:
    """After the extra scene activation, before hands are discarded; no boost, no guard, no rage (R12)."""
    hands = {"kratos": PLAIN, "freya": ["f_mend", "f_seidr", *MENDING[2:]]}
    game = place(table(["kratos", "freya"], 1, hands=hands, figures={"freya": {"rage": 4}}), 3, 3)
    until(game, "end_window")
    assert game.state["phase"] == "round_end"
    assert {(move["do"], move.get("card")) for move in game.legal()} == {("special", "f_mend"), ("pass", None)}


def test_boost_and_guard_only_with_an_attack_or_a_block(table: Any) -> None:
    """A boost on a block needs a block set; nothing is offered on a blow that is blocked (R12, R48)."""
    hands = {"freya": ["f_seidr", "block_1", "plus2", "melee", "melee", "ranged", "plus1"], "kratos": PLAIN}
    game = place(table(["freya", "kratos"], 1, hands=hands, upgrades=["u04:gebo"]), 0, 3)
    assert not game.legal(card="f_seidr")
    game.do(do="end")
    until(game, "block")
    assert game.state["pending"]["context"]["figure"] == "kratos"
    game.do(do="done")  # he played no block set, so Freya is not asked; now she is attacked herself with 2
    assert kind(game) == (0, "block")
    game.do(do="block", card="block_1").do(do="commit")
    assert [move.get("card") for move in game.legal(do="special")] == ["f_seidr"]


def test_the_window_opens_only_for_those_who_can_act(table: Any) -> None:
    """Nobody who could only pass is asked: the end of an activation leads to the first block (R48)."""
    hands = {"kratos": PLAIN, "freya": ["melee", "melee", "ranged", "plus1", "plus2", "plus2", "block_1"]}
    game = place(table(["kratos", "freya"], 1, hands=hands, upgrades=["u04:gebo"]), 0, 3)
    game.position.play(int(game.position.game.actions.encode("end")))
    assert DECISIONS[game.position.g.decision] == "block"
    assert END_WINDOW == DECISIONS.index("end_window")


def test_rage_in_the_whole_own_turn(table: Any) -> None:
    """Before the reveal and in the windows of the own scene activation, not in that of another player (R11)."""
    start = {"figures": {"kratos": {"rage": 5}, "freya": {"rage": 4}}, "upgrades": ["u04:gebo"]}
    hands = {"kratos": PLAIN, "freya": ["melee", "melee", "ranged", "plus1", "plus2", "plus2", "block_1"]}
    game = place(table(["kratos", "freya"], 1, hands=hands, **start), 0, 3)
    game.do(do="end")
    assert kind(game) == (0, "reveal_window")
    assert game.legal(do="rage", figure="kratos")
    game.do(do="pass")
    until(game, "block_window")
    assert kind(game) == (0, "block_window")
    game.do(do="rage", figure="kratos")
    assert game.state["players"][0]["next_damage"] == 3
    until(game, "turn").do(do="end")
    assert kind(game) == (1, "reveal_window")
    assert game.legal(do="rage", figure="freya")


def test_new_cards_may_block(table: Any) -> None:
    """The attacked player drew in the window: block sets and the window again (R48)."""
    hands = {"brok_sindri": ["b_forge", "melee", "melee_1", "melee_1", "plus1", "plus2", "melee", "block_1", "plus2"]}
    hands["freya"] = ["f_seidr", "melee", "plus1", "block_1", "plus2", "melee", "ranged"]
    game = table(["brok_sindri", "freya"], 1, hands=hands, upgrades=["u11:gebo"])
    game.do(do="place", figure="brok", column=0).do(do="place", figure="sindri", column=1)
    game.do(do="place", figure="freya", column=3, slot="front").do(do="end")
    until(game, "block_window")
    while game.state["pending"]["context"]["figure"] != "brok":
        game.do(**(game.legal(do="pass") or game.legal(do="done"))[0])
    game.do(do="special", figure="brok", card="b_forge")
    assert kind(game) == (0, "block")
    assert game.legal(do="block", card="block_1")


def test_the_attacker_falls_in_the_window(table: Any) -> None:
    """No attack, no rage, no die; what waits stays (R71)."""
    decks = [["u20", "melee", "plus2", "plus1", "melee", "ranged", "m_or_r", "poison", "melee_1"], ["melee"] * 7]
    start = {"figures": {"brok": {"damage": 8}, "sindri": {"rage": 3}}, "decks": decks}
    game = table(["brok_sindri", "atreus"], 1, supply={"stun": 10, "poison": 9, "crystal": 10}, **start)
    game.do(do="place", figure="brok", column=3).do(do="place", figure="sindri", column=1)
    game.do(do="place", figure="atreus", column=0, slot="front").do(do="rage", figure="sindri")
    game.do(do="attack", figure="brok", card="melee", target="1-13").do(do="add", card="plus2").do(do="commit")
    game.do(do="special", figure="brok", card="u20").do(do="suffer", figure="brok")
    assert not game.figure("brok")["standing"]
    assert game.figure("brok")["rage"] == 0
    assert game.state["players"][0]["next_attack"] == 3
    assert game.card("1-13")["damage"] == 0
    assert kind(game) == (0, "turn")


def test_the_target_is_gone(table: Any) -> None:
    """The attack counts, without effect: rage, and what waited is used up (R71)."""
    hands = {
        "kratos": [*PLAIN[:6], "ranged"],
        "atreus": ["u22", "ranged", "plus2", "plus1", "melee", "block_1", "plus2"],
    }
    start = {"scene_cards": {"1-13": {"damage": 3}}, "figures": {"kratos": {"rage": 5}}}
    game = table(["kratos", "atreus"], 1, hands=hands, **start)
    game.do(do="place", column=3, slot="front").do(do="place", column=3, slot="back").do(do="rage", figure="kratos")
    game.do(do="attack", card="melee", target="1-13").do(do="add", card="plus2").do(do="commit")
    game.do(do="special", figure="atreus", card="u22", target="1-13")
    assert game.card("1-13")["side"] == "back"  # defeated and turned over
    assert game.figure("kratos")["rage"] == 1
    assert game.state["players"][0]["next_damage"] == 0


def test_the_enemy_that_strikes_is_defeated(table: Any) -> None:
    """The window ends and the attack lapses (R72)."""
    hands = {"kratos": ["melee", "melee", "ranged", "plus1", "plus2", "plus2", "u22"], "freya": ["melee"] * 7}
    start = {"upgrades": ["u04:gebo"], "scene_cards": {"1-10": {"damage": 4}}}
    decks = [hands["kratos"], hands["freya"]]
    game = place(table(["kratos", "freya"], 1, decks=decks, **start), 0, 1)
    game.do(do="end")
    until(game, "block_window")
    while game.state["pending"]["context"]["card"] != "1-10":
        game.do(do="pass")
    assert game.state["pending"]["context"]["figure"] == "kratos"
    before = game.figure("kratos")["damage"], game.figure("freya")["damage"]
    game.do(do="special", card="u22", target="1-10")
    assert game.card("1-10")["side"] == "back"
    assert (game.figure("kratos")["damage"], game.figure("freya")["damage"]) == before


def test_a_stun_stops_all_attacks_of_an_activation(table: Any) -> None:
    """The token goes at the first attack; the second of the same enemy does not come either (R20)."""
    cards = {"9-20": {"stunned": True}}
    game = place(table(["kratos"], 9, scene_cards=cards, upgrades=["u01:gebo"], hands={"kratos": PLAIN}), 2)
    game.do(do="end").do(do="pass")
    assert game.state["phase"] == "extra_activation"
    assert not game.card("9-20")["stunned"]
    assert game.figure("kratos")["damage"] == 0
    assert game.state["skipping"] == []


def test_the_die_skill_comes_after_the_roll(table: Any) -> None:
    """Solo: a die of 2 against strength 2 may add instead: 4 damage (R60)."""
    game = place(table(["kratos"], 1, hands={"kratos": ["ranged", *PLAIN[:5], "plus3"]}), 2)
    game.do(do="attack", card="ranged", target="1-02").do(do="add", card="plus2").do(do="commit", dice=(2,))
    assert kind(game) == (0, "die")
    assert game.state["pending"]["context"] == {"target": "1-02", "strength": 2, "die": 2, "waiting_damage": 0}
    game.do(do="skill", option="die_to_bonus")
    assert game.card("1-02")["damage"] == 4
    assert game.state["skills_used"] == ["mimir_1"]


def test_a_die_of_0_is_not_asked_about(table: Any) -> None:
    """(R60)"""
    game = place(table(["kratos"], 1, hands={"kratos": ["ranged", *PLAIN[:5], "plus3"]}), 2)
    game.do(do="attack", card="ranged", target="1-02").do(do="add", card="plus3").do(do="commit", dice=(0,))
    assert kind(game) == (0, "turn")
    assert game.card("1-02")["damage"] == 3


@pytest.mark.parametrize("window", ["reveal_window", "end_window"])
def test_solo_skills_in_windows(table: Any, window: str) -> None:
    """Heal and look may be used like specials; a move not during an enemy attack (R60, R61)."""
    game = place(table(["kratos"], 1, hands={"kratos": PLAIN}), 2)
    until(game, window)
    assert {move["option"] for move in game.legal(do="skill")} == {"heal2", "move", "scry2"}


def test_no_solo_move_during_an_enemy_attack(table: Any) -> None:
    """(R61)"""
    game = place(table(["kratos"], 1, hands={"kratos": PLAIN}, upgrades=["u04:gebo"]), 0)
    until(game, "block_window")
    assert {move["option"] for move in game.legal(do="skill")} == {"heal2", "scry2", "block1"}
