"""Rulings on heroes, companions, Mimir and who answers, a test each (docs/games/god_of_war.md)."""

from typing import Any

import pytest
from god_of_war.moves import kind, place, reveal, until

from theogony.envs.core.record import ENDED

MELEE = ["melee"] * 7  # nothing to do with it but to pay
LONE_FIST = {"scene_cards": {"2-03": {"dead": True}}, "upgrades": ["u01:tiwaz"]}  # 5 damage in column 1, else nothing


@pytest.mark.parametrize("attacked", ["brok", "sindri"])
def test_r10_guard_in_the_turn_of_another(table: Any, attacked: str) -> None:
    """Brok guards himself and Sindri in Kratos's scene activation, and nobody else (R10)."""
    columns = {"brok": 0, "sindri": 0, attacked: 1}
    hands = {"kratos": MELEE, "brok_sindri": MELEE}
    game = table(["kratos", "brok_sindri"], 2, hands=hands, figures={"brok": {"rage": 3}}, **LONE_FIST)
    game.do(do="place", figure="kratos", column=3, slot="front")
    game.do(do="place", figure="brok", column=columns["brok"]).do(do="place", figure="sindri", column=columns["sindri"])
    game.do(do="end")
    assert (kind(game), game.state["active_seat"]) == ((1, "block_window"), 0)
    game.do(do="rage", figure="brok")
    assert game.figure(attacked)["damage"] == 2


def test_r10_no_guard_for_others(table: Any) -> None:
    """(R10)"""
    hands = {"kratos": MELEE, "brok_sindri": MELEE}
    game = table(["kratos", "brok_sindri"], 2, hands=hands, figures={"brok": {"rage": 3}}, **LONE_FIST)
    game.do(do="place", figure="kratos", column=1, slot="front")
    game.do(do="place", figure="brok", column=0).do(do="place", figure="sindri", column=3).do(do="end")
    assert game.figure("kratos")["damage"] == 5
    assert kind(game) == (1, "turn")


def test_r14_mimir_alone_is_a_defeat(table: Any) -> None:
    """Kratos falls; Mimir still stands, and cannot fight on (R14)."""
    hands = {"kratos": MELEE, "mimir": ["m_or_r"] * 7}
    game = place(table(["kratos", "mimir"], 2, hands=hands, figures={"kratos": {"damage": 9}}, **LONE_FIST), 1)
    game.do(do="end").do(do="take", figure="kratos")
    assert (game.position.over, game.position.standings().tolist()) == (ENDED, [0.0, 0.0])
    assert not game.figure("kratos")["standing"] and game.figure("mimir")["standing"]


def test_r25_the_status_card_goes_to_who_suffered(table: Any) -> None:
    """Mimir takes the poisoned arrow for Kratos: the card is his (R25)."""
    given = {"scene_cards": {"3-11": {"dead": True}}, "upgrades": ["u01:tiwaz"]}
    game = place(table(["kratos", "mimir"], 3, hands={"kratos": MELEE, "mimir": ["m_or_r"] * 7}, **given), 0)
    game.do(do="end").do(do="take", figure="mimir")
    assert (game.figure("kratos")["damage"], game.figure("mimir")["damage"]) == (0, 2)
    assert [player["deck"].count("poison") for player in game.state["players"]] == [0, 1]
    assert game.state["players"][1]["deck"][0] == "poison"


def test_r37_attacks_of_companions(table: Any) -> None:
    """No rage for Kratos; each of the two targets has a die of its own (R37)."""
    game = place(table(["kratos"], 1, hands={"kratos": MELEE}), 0)
    game.do(do="skill", option="double_shot", targets=["1-00", "1-02"], dice=(2,))
    game.do(do="pass", dice=(0,))  # no skill for the die that was 2
    assert [game.card(card)["damage"] for card in ("1-00", "1-02")] == [0, 2]
    assert game.figure("kratos")["rage"] == 0


def test_r42_both_dwarfs_in_one_column(table: Any) -> None:
    """They fill its two slots (R42)."""
    game = table(["brok_sindri", "kratos"], 1)
    game.do(do="place", figure="brok", column=2, slot="front").do(do="place", figure="sindri", column=2, slot="back")
    assert game.state["columns"][2] == ["brok", "sindri"]
    assert not game.legal(column=2)


def test_r43_each_dwarf_has_a_rage_ability(table: Any) -> None:
    """A track each: Sindri's Arms leave Brok's alone, Brok's attack fills his own (R43)."""
    hand = ["melee", "plus2", "block", "block_1", "ranged", "ranged", "ranged"]
    figures = {"brok": {"rage": 1}, "sindri": {"rage": 3}}
    game = table(["brok_sindri", "kratos"], 1, hands={"brok_sindri": hand, "kratos": MELEE}, figures=figures)
    game.do(do="place", figure="brok", column=0).do(do="place", figure="sindri", column=1)
    place(game, 3).do(do="rage", figure="sindri")
    assert (game.figure("brok")["rage"], game.figure("sindri")["rage"]) == (1, 0)
    game.do(do="attack", figure="brok", card="melee", target="1-10", dice=(0,))  # the only number is added
    assert game.card("1-10")["damage"] == 5  # 2, and 3 of Arms
    assert (game.figure("brok")["rage"], game.figure("sindri")["rage"]) == (2, 0)


@pytest.mark.parametrize(("scene", "hurt"), [(8, {"brok": 1, "sindri": 1}), (7, {"brok": 1, "sindri": 0})])
def test_r45_boxed_effects_on_columns_reach_figures_in_slots(table: Any, scene: int, hurt: dict[str, int]) -> None:
    """`column` reaches both dwarfs, each for himself; `front` the one in front (R45)."""
    game = table(["brok_sindri", "kratos"], scene, upgrades=["u01:fehu"])
    game.do(do="place", figure="brok", column=0, slot="front").do(do="place", figure="sindri", column=0, slot="back")
    reveal(place(game, 3))
    assert {name: game.figure(name)["damage"] for name in hurt} == hurt


def test_r45_boxed_effects_on_columns_pass_mimir_over(table: Any) -> None:
    """He hangs in the column and takes no slot: one instance, on his bearer (R45)."""
    hands = {"kratos": MELEE, "mimir": ["m_or_r"] * 7, "freya": MELEE}
    game = place(table(["kratos", "mimir", "freya"], 8, hands=hands, upgrades=["u01:fehu"]), 0, 3)
    game.do(do="hang", on="kratos").do(do="end")
    assert kind(game) == (1, "shield")
    game.do(do="take", figure="kratos")
    assert (game.figure("kratos")["damage"], game.figure("mimir")["damage"]) == (1, 0)
    assert len(game.state["revealed"]) == 2  # no second question: the next activation has begun


def test_r53_the_player_whose_turn_it_is_answers_for_the_team(table: Any) -> None:
    """Which of two columns is shot at, and whom the static charge hits (R53)."""
    hands = {"kratos": MELEE, "freya": MELEE}
    game = table(["kratos", "freya"], 1, hands=hands, starting_player=1, upgrades=["u01:tiwaz"])
    place(game, 1, 3).do(do="end")
    assert kind(game) == (1, "ranged_target")
    assert {move["column"] for move in game.legal()} == {1, 3}
    game = table(
        ["kratos", "freya"], 9, hands=hands, starting_player=1, upgrades=["u01:tiwaz", "u02:tiwaz", "u01:algiz"]
    )
    until(place(game, 3, 0), "chosen")
    assert kind(game) == (1, "chosen")  # of the extra activation, which is in nobody's turn
    assert game.state["phase"] == "extra_activation"


def test_r59_the_status_card_of_a_blow_that_knocks_out(table: Any) -> None:
    """It is put on the deck all the same (R59)."""
    given = {"scene_cards": {"3-11": {"dead": True}}, "upgrades": ["u01:tiwaz"], "figures": {"freya": {"damage": 9}}}
    game = place(table(["kratos", "freya"], 3, hands={"kratos": MELEE, "freya": MELEE}, **given), 2, 0)
    game.do(do="end")
    assert not game.figure("freya")["standing"]
    assert game.state["players"][1]["deck"][0] == "poison"


def test_r62_mimir_whose_bearer_fell(table: Any) -> None:
    """He lies in that column: what works there is his, nothing that names the bearer, no interaction (R62)."""
    hands = {"kratos": MELEE, "mimir": ["m_gaze", "m_lore", "m_or_r", "m_or_r", "plus1", "plus1", "m_tip2"]}
    figures = {"kratos": {"damage": 9}}
    game = place(table(["kratos", "mimir", "freya"], 2, hands=hands, figures=figures, **LONE_FIST), 1, 3)
    game.do(do="hang", on="kratos").do(do="end")
    until(game, "shield").do(do="take", figure="kratos")
    until(game, "reveal_window")
    assert kind(game) == (1, "reveal_window")
    assert (game.state["mimir_bearer"], game.figure("mimir")["column"]) == (None, 1)
    assert {(move["card"], move.get("target")) for move in game.legal(do="special")} == {
        ("m_gaze", "2-01"), ("m_gaze", "2-11"),
    }  # fmt: skip
    until(game, "turn")
    assert kind(game) == (2, "turn") and not game.legal(do="ask")


def test_r63_knocked_out_in_the_own_activation(table: Any) -> None:
    """The draw is finished, then the activation is over (R63)."""
    decks = [["k_resolve", *MELEE[:6], "poison", "plus1", "plus2"], MELEE]
    given = {"figures": {"kratos": {"damage": 13}}, "supply": {"stun": 10, "poison": 9, "crystal": 10}}
    game = place(table(["kratos", "freya"], 1, decks=decks, **given), 0, 3)
    game.do(do="special", card="k_resolve")
    assert not game.figure("kratos")["standing"]
    assert "plus1" in game.state["players"][0]["hand"]  # instead of the poison
    assert (kind(game)[0], game.state["phase"]) != (0, "hero_activation")
    assert len(game.state["revealed"]) == 1  # his scene activation has begun


def test_r69_mimir_is_hung_once_a_round(table: Any) -> None:
    """Not before every turn (R69)."""
    game = place(table(["kratos", "mimir", "freya"], 2), 0, 3)
    asked = []
    while not game.position.over and game.state["round"] < 3:
        until(game, "bearer")
        if not game.position.over:
            asked.append(game.state["round"])
            game.do(do="hang", on=game.legal()[0]["on"])
    assert asked[:2] == [1, 2] and len(set(asked)) == len(asked)
