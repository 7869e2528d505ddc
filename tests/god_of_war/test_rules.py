"""Single rules in hand-written positions, named after what they settle (docs/games/god_of_war.md)."""

from typing import Any

import numpy as np
from god_of_war.moves import place

from theogony.envs.core.position import Position
from theogony.envs.god_of_war.game import SPEC
from theogony.envs.god_of_war.state import TURN

KRATOS = ["melee", "melee", "plus1", "plus2", "plus3", "block", "block_1"]


def test_melee_reaches_only_the_bottom_row(table: Any) -> None:
    game = place(table(["kratos"], 1, hands={"kratos": KRATOS}), 0)
    assert {move["target"] for move in game.legal(do="attack", card="melee")} == {"1-10"}
    assert not game.legal(do="attack", card="plus3")


def test_symbols_need_a_number(table: Any) -> None:
    hand = ["melee", "melee", "melee", "block", "k_resolve", "ranged", "m1_or_r1"]
    game = place(table(["kratos", "freya"], 1, hands={"kratos": hand}), 0, 3)
    assert {move["card"] for move in game.legal(do="attack")} == {"m1_or_r1"}


def test_crystal_is_a_number_only_for_attacks(table: Any) -> None:
    """+2 in an attack (R8), no `number` of a cost (R67), nothing in a block."""
    hand = ["melee", "crystal", "block", "melee", "melee", "ranged", "k_resolve"]
    supply = {"stun": 10, "poison": 10, "crystal": 9}
    game = place(table(["kratos", "freya"], 7, hands={"kratos": hand}, supply=supply, upgrades=["u01:tiwaz"]), 3, 1)
    assert not game.legal(do="interact", scene_card="7-03")  # melee + number
    game.do(do="move", column=1, slot="front").do(do="attack", card="melee", target="7-11").do(do="pass")
    assert game.state["players"][0]["discard"] == ["crystal", "melee"]


def test_wards_cancel_damage_and_its_effect(table: Any) -> None:
    """One instance of damage; the status card does not come either (R24, R26)."""
    hand = {"freya": ["melee", "melee", "ranged", "plus1", "plus2", "plus2", "f_seidr"]}
    start = {"figures": {"freya": {"rage": 4}}, "upgrades": ["u01:algiz"], "scene_cards": {"1-03": {"side": "back"}}}
    game = place(table(["freya", "kratos"], 1, hands=hand, **start), 0, 3)
    game.do(do="rage", target="freya")
    assert game.figure("freya")["wards"] == 1
    game.do(do="end")
    while game.state["pending"]["kind"] in ("reveal_window", "block_window"):
        game.do(do="pass")
    assert game.figure("freya")["wards"] == 0
    assert "poison" not in game.state["players"][0]["deck"]
    assert game.figure("freya")["damage"] == 0


def test_drawing_stops_at_poison_only(table: Any) -> None:
    """A deck of poison is not drawn for ever (R28)."""
    decks = [["plus2", "ranged", "poison", "melee", "poison"], ["melee"] * 7]
    supply = {"stun": 10, "poison": 8, "crystal": 10}
    game = place(table(["atreus", "kratos"], 2, decks=decks, supply=supply), 3, 0)
    assert game.state["players"][0]["hand"] == ["melee", "plus2", "ranged"]
    assert game.figure("atreus")["damage"] == 1


def test_stun_cards_fill_the_hand_and_are_lost(table: Any) -> None:
    decks = [["stun", *["melee"] * 9], ["melee"] * 7]
    supply = {"stun": 9, "poison": 10, "crystal": 10}
    game = place(table(["atreus", "kratos"], 2, decks=decks, supply=supply), 3, 0)
    assert len(game.state["players"][0]["hand"]) == 6
    assert game.state["players"][0]["discard"] == ["stun"]


def test_dwarfs_choose_who_suffers_from_poison(table: Any) -> None:
    decks = [["poison", *["melee"] * 9], ["melee"] * 7]
    supply = {"stun": 10, "poison": 9, "crystal": 10}
    game = table(["brok_sindri", "kratos"], 2, decks=decks, supply=supply)
    game.do(do="place", figure="brok", column=0).do(do="place", figure="sindri", column=3)
    game.do(do="place", figure="kratos", column=1, slot="front")
    assert game.state["pending"]["kind"] == "poison"
    game.do(do="suffer", figure="sindri")
    assert (game.figure("brok")["damage"], game.figure("sindri")["damage"]) == (0, 1)


def test_mimir_takes_damage_for_his_bearer(table: Any) -> None:
    """Chosen before blocks are played, only for the hero he hangs on (R41, R44)."""
    hands = {
        "kratos": ["melee"] * 3 + ["ranged", "plus1", "plus2", "k_resolve"],
        "mimir": ["m_or_r", "m_or_r", "plus1"],
    }
    decks = [[*hands["kratos"]], [*hands["mimir"]]]
    game = table(["kratos", "mimir"], 1, decks=decks, upgrades=["u01:gebo"])
    game.do(do="place", column=0)
    assert game.state["mimir_bearer"] == "kratos"
    game.do(do="end")
    while game.state["pending"]["kind"] == "reveal_window":
        game.do(do="pass")
    assert game.state["pending"] | {"seat": 1, "kind": "shield"} == game.state["pending"]
    game.do(do="take", figure="mimir")
    while game.state["pending"]["kind"] == "block_window":
        game.do(do="pass")
    assert game.figure("mimir")["damage"] == 1
    assert game.figure("kratos")["damage"] == 0


def test_upgrade_deck_keeps_enough_cards(table: Any) -> None:
    """No card may be taken while deck and revealed cards are 2(N+1) or fewer (R30)."""
    cards = ["u01:gebo", "u02:gebo", "u03:gebo", "u04:gebo"]
    game = place(table(["kratos"], 7, upgrade_deck=cards, hands={"kratos": KRATOS}), 0)
    game.do(do="end")
    while game.state["phase"] != "upgrade":
        game.do(**(game.legal(do="done") or game.legal(do="pass"))[0])
    assert not game.legal(do="take")
    assert game.legal(do="remove")


def test_removed_status_cards_return_to_the_supply(table: Any) -> None:
    decks = [["stun", *["melee"] * 8]]
    game = place(table(["kratos"], 7, decks=decks, supply={"stun": 9, "poison": 10, "crystal": 10}), 0)
    game.do(do="end")
    while game.state["phase"] != "upgrade":
        game.do(**(game.legal(do="done") or game.legal(do="pass"))[0])
    game.do(do="remove", card="stun")
    assert game.state["supply"]["stun"] == 10
    assert game.state["box"] == []


def test_a_round_limit_cuts_off(table: Any) -> None:
    game = table(["kratos", "freya"], 1, max_rounds=1, hands={"kratos": KRATOS})
    place(game, 0)
    game.do(do="place", column=0, slot="back")
    while not game.position.over:
        calm = game.legal(do="end") or game.legal(do="pass") or game.legal(do="done") or game.legal()
        game.do(**calm[0])
    assert (game.position.over, game.state["round"], game.state["starting_player"]) == (2, 1, 1)
    assert not np.any(game.position.rewards("outcome"))


def test_a_scene_after_one_completed_in_the_last_round_has_a_whole_round() -> None:
    position = Position(SPEC.configure({"players": 2, "heroes": ("kratos", "freya"), "max_rounds": 1}), 4)
    rng, scenes = np.random.default_rng(4), []
    while not position.over:
        scenes.append((int(position.g.stage), int(position.g.round_number)))
        acts = position.legal_actions()
        if position.g.stage == 1 and position.g.decision == TURN:
            position.g.dead[:] = 1  # the next change completes the quest
        elif position.g.stage == 2:  # nothing more is done
            calm = [a for a in acts if position.game.actions.decode(int(a))[0] in ("end", "pass", "done")]
            acts = calm or acts
        position.play(int(rng.choice(acts)))
    assert (1, 1) in scenes and (2, 2) in scenes
    assert (position.over, int(position.g.stage), int(position.g.round_number)) == (2, 2, 2)


def test_looking_at_upgrade_cards(table: Any) -> None:
    """Two cards can be laid back in six ways (§12); solo skills are used once (§10)."""
    game = place(table(["kratos"], 1, upgrades=["u05:fehu", "u06:tiwaz"], hands={"kratos": KRATOS}), 0)
    game.do(do="skill", option="scry2")
    assert len(game.legal()) == 6
    game.do(do="scry", top=["u06:tiwaz"], bottom=["u05:fehu"])
    assert game.state["upgrade_deck"][0] == "u06:tiwaz"
    assert game.state["upgrade_deck"][-1] == "u05:fehu"
    assert game.state["skills_used"] == ["mimir_2"]
    assert not game.legal(do="skill", skill="mimir_2")
