"""Rulings on enemies, flips and the course of scenes, a test each (docs/games/god_of_war.md)."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from god_of_war.moves import kind, place, reveal, until

from theogony.envs.core.position import Position
from theogony.envs.core.record import ENDED
from theogony.envs.god_of_war.components.pieces import DEFAULT_COMPONENTS, FIGURES
from theogony.envs.god_of_war.game import SPEC
from theogony.envs.god_of_war.rules.enemies import damage_enemy
from theogony.envs.god_of_war.rules.scene_effects import complete_scene
from theogony.envs.god_of_war.rules.turn import run
from theogony.envs.god_of_war.state import DECISIONS, QUEST_FAILED, STEPS
from theogony.play.hints import Adviser
from theogony.play.seen import frame, moment, preview
from theogony.play.words import words_of

MELEE = ["melee"] * 7  # nothing to do with it but to pay
HANDS = {"kratos": MELEE, "freya": MELEE}


def at_turn(**options: Any) -> Position:
    """A game of two whose first hero activation begins; the first legal places are taken."""
    position = Position(SPEC.configure({"players": 2, "heroes": ("kratos", "freya"), **options}), 3)
    while DECISIONS[position.g.decision] in ("place", "bearer"):
        position.play(int(position.legal_actions()[0]))
    return position


def next_scene(position: Position) -> Position:
    """The quest is done at this moment; on to the next decision."""
    complete_scene(position.g, position.tables[0])
    assert run(position.g, position.tables[0], STEPS)
    position.refresh()
    return position


def test_r3_a_hindrance_is_not_known_when_a_scene_is_chosen() -> None:
    """Whatever the two quests do when they are passed over, nothing that a seat receives tells of it (R3)."""
    data = json.loads(DEFAULT_COMPONENTS.read_text("utf-8"))
    other = copy.deepcopy(data)
    for quest in (*other["quests"], *other["bosses"]):
        quest["back"]["hindrance"] = [{"op": "extra_activation", "n": 3}]
    seen = []
    for components in (data, other):
        game = SPEC.configure({"players": 2, "heroes": ("kratos", "freya")}, components, "test")
        position = Position(game, 3)
        while DECISIONS[position.g.decision] == "place":
            position.play(int(position.legal_actions()[0]))
        next_scene(position)
        assert DECISIONS[position.g.decision] == "next_quest"
        seen.append([words_of(game), *(all_that_is_told(position, seat) for seat in (0, 1))])
    assert seen[0] == seen[1]


def all_that_is_told(position: Position, seat: int) -> list[Any]:
    """What a seat receives, and what the one that decides is told of each choice before it is made."""
    told = [position.observe_codes(seat).tobytes(), SPEC.render_text(position.game, position.g, seat)]
    told += [position.svg(seat), frame(moment(position, position.now), seat, clickable=True)]
    if seat == position.actor:
        told += [preview(position, int(action), np.random.default_rng(0)) for action in position.legal_actions()]
        told += [option.leads for option in Adviser(position.game).look(position, np.random.default_rng(0)).options]
    return told


@pytest.mark.parametrize(("columns", "hurt"), [((1, 3), "freya"), ((0, 1), "freya"), ((3, 0), "kratos")])
def test_r15_ranged_attacks_hit_the_farthest_column_with_a_hero(table: Any, columns: Any, hurt: str) -> None:
    """The slinger on the left hits who is farthest to the right (R15)."""
    cards = {"1-10": {"dead": True}}
    game = reveal(place(table(["kratos", "freya"], 1, hands=HANDS, scene_cards=cards, upgrades=["u01:gebo"]), *columns))
    assert [name for name in ("kratos", "freya") if game.figure(name)["damage"]] == [hurt]


def test_r15_the_own_column_if_there_is_no_other(table: Any) -> None:
    """(R15)"""
    cards = {"1-10": {"dead": True}}
    game = table(["kratos", "freya"], 1, hands=HANDS, scene_cards=cards, upgrades=["u01:gebo"])
    reveal(game.do(do="place", column=0, slot="front").do(do="place", column=0, slot="back"))
    assert game.figure("kratos")["damage"] == 1


def test_r16_damage_goes_with_a_defeat_and_stays_otherwise(table: Any) -> None:
    """The Ogre is enraged with the damage that he has; a second thrower comes unhurt (R16)."""
    hands = {"kratos": ["melee_2", "ranged_1", *MELEE[:5]], "freya": MELEE}
    cards = {"2-20": {"damage": 18}, "2-03": {"damage": 4}}
    game = place(table(["kratos", "freya"], 2, hands=hands, scene_cards=cards), 1, 0)
    game.do(do="attack", card="melee_2", target="2-11", dice=(0,))
    assert game.card("2-20") | {"side": "back", "damage": 20} == game.card("2-20")
    game.do(do="move", column=3).do(do="attack", card="ranged_1", target="2-03", dice=(0,))
    assert game.card("2-03") | {"side": "back", "damage": 0, "dead": False} == game.card("2-03")


def test_r17_a_rune_that_is_gone_is_not_resolved(table: Any) -> None:
    """The rider's box defeats a draugr before his turn in the same activation; his card is turned (R17)."""
    cards = {"2-12": {"side": "back"}, "2-13": {"damage": 1}}
    game = table(["kratos", "freya"], 2, hands=HANDS, scene_cards=cards, upgrades=["u01:gebo"])
    reveal(game.do(do="place", column=3, slot="front").do(do="place", column=3, slot="back"))
    assert game.card("2-13")["side"] == "back"
    assert game.figure("kratos")["damage"] == 0


def test_r17_a_rune_that_appears_is_not_resolved(table: Any) -> None:
    """Kara's blow turns Sigrun's cards; the wrath that comes up with the rune waits for the next one (R17)."""
    cards = {"10-00": {"side": "back"}, "10-03": {"dead": True}, "10-20": {"damage": 22, "armour": []}}
    upgrades = ["u01:fehu", "u02:fehu", "u01:algiz"]
    game = table(["kratos", "freya"], 10, hands=HANDS, scene_cards=cards, upgrades=upgrades)
    game.do(do="place", column=3, slot="front").do(do="place", column=3, slot="back")
    reveal(game)
    assert game.card("10-21")["side"] == "back"
    assert (game.figure("kratos")["damage"], game.figure("freya")["damage"]) == (0, 0)
    reveal(game)
    assert (game.figure("kratos")["damage"], game.figure("freya")["damage"]) == (1, 1)


def test_r19_side_cards_come_after_both_rows(table: Any) -> None:
    """The queen's wrath comes after the plunge from the bottom row (R19)."""
    hands = {"kratos": ["block_1", *MELEE[:6]], "freya": MELEE}
    cards = {"10-00": {"dead": True}, "10-21": {"side": "back"}}
    game = place(table(["kratos", "freya"], 10, hands=hands, scene_cards=cards, upgrades=["u01:fehu"]), 1, 3)
    game.do(do="end")
    assert game.state["pending"]["context"]["card"] == "10-11"
    assert game.figure("freya")["damage"] == 0
    game.do(do="done")
    assert (game.figure("kratos")["damage"], game.figure("freya")["damage"]) == (6, 1)


def test_r21_a_second_stun_token_has_no_effect(table: Any) -> None:
    """A stunned dragon that is stunned again skips one activation, not two (R21)."""
    hands = {"kratos": ["melee_stun", "plus1", *MELEE[:5]], "freya": MELEE}
    given = {"scene_cards": {"9-20": {"stunned": True}}, "upgrades": ["u01:gebo", "u02:gebo"]}
    game = place(table(["kratos", "freya"], 9, hands=hands, **given), 2, 3)
    game.do(do="attack", card="melee_stun", target="9-12")  # the only number is added
    assert game.card("9-20")["stunned"]
    reveal(game)
    assert (game.card("9-20")["stunned"], game.figure("kratos")["damage"]) == (False, 0)
    reveal(game)
    assert game.figure("kratos")["damage"] > 0


def test_r27_a_reward_that_nobody_caused(table: Any) -> None:
    """The Ogre tramples the draugr: the crystal on the back is for an acting hero, and is lost (R27)."""
    cards = {"2-12": {"side": "back"}, "2-13": {"damage": 1}}
    game = reveal(place(table(["kratos", "freya"], 2, hands=HANDS, scene_cards=cards, upgrades=["u01:gebo"]), 3, 0))
    assert game.card("2-13")["side"] == "back"
    assert game.state["supply"]["crystal"] == 10
    assert not any("crystal" in player["deck"] for player in game.state["players"])


def test_r32_failure_comes_before_success(table: Any) -> None:
    """The last goal falls while eight tokens smother the light (R32)."""
    hands = {"kratos": ["ranged_1", *MELEE[:6]], "freya": MELEE}
    cards = {"3-11": {"dead": True}, "3-01": {"side": "back", "damage": 9}, "3-20": {"tokens": 8}}
    game = place(table(["kratos", "freya"], 3, hands=hands, scene_cards=cards), 1, 3)
    game.do(do="attack", card="ranged_1", target="3-01", dice=(0,))
    assert (game.position.over, int(game.position.g.reason)) == (ENDED, QUEST_FAILED)


def test_r33_a_quest_that_ends_within_a_round_ends_the_round() -> None:
    """No upgrade phase, and the same player begins in the next scene (R33)."""
    position = at_turn()
    start, size = int(position.g.starting_player), int(position.g.upgrade_cards)
    next_scene(position)
    assert (DECISIONS[position.g.decision], position.actor) == ("next_quest", start)
    assert (int(position.g.revealed_cards), int(position.g.upgrade_cards)) == (0, size)
    while DECISIONS[position.g.decision] in ("next_quest", "place"):
        position.play(int(position.legal_actions()[0]))
    assert (DECISIONS[position.g.decision], position.actor, int(position.g.starting_player)) == ("turn", start, start)


def test_r38_damage_to_begin_with_is_laid_out() -> None:
    """Thamur's Corpse was passed over: 2 for everybody, past the ward, and nobody asks Mimir (R38)."""
    position = at_turn(heroes=("kratos", "mimir"), path=("wanderers", "alfheim", "sigrun"))
    position.g.quests[2], position.g.wards[0] = 5, 1
    next_scene(position)
    assert DECISIONS[position.g.decision] == "place"
    assert position.g.damage[[FIGURES.index("kratos"), FIGURES.index("mimir")]].tolist() == [2, 2]
    assert position.g.wards[0] == 1


def test_r55_all_cards_are_turned_before_the_rewards(tmp_path: Path) -> None:
    """The reward of the first card already hits the enemy that comes up on the second (R55)."""
    data = json.loads(DEFAULT_COMPONENTS.read_text("utf-8"))
    first = data["scenes"][0]["cards"][0]
    first["front"]["flip"] = [{"when": "defeated", "cards": ["self", "1-03"]}]
    first["back"]["reward"] = [{"op": "damage_enemy", "target": "1-03", "n": 3}]
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data))
    position = at_turn(scene="wanderers", component_file=path)
    damage_enemy(position.g, position.tables[0], 0, 4, 0)
    assert run(position.g, position.tables[0], STEPS)
    assert (position.g.side[[0, 3]].tolist(), int(position.g.hurt[3])) == ([1, 1], 3)


def test_r57_melee_into_empty_columns_is_made(table: Any) -> None:
    """A stunned enemy uses up its token, though nobody stands where it would strike (R57)."""
    cards = {"1-00": {"dead": True}, "1-10": {"stunned": True}}
    game = reveal(place(table(["kratos", "freya"], 1, hands=HANDS, scene_cards=cards, upgrades=["u01:gebo"]), 2, 3))
    assert not game.card("1-10")["stunned"]
    assert game.figure("kratos")["damage"] == 0


def test_r66_the_order_of_hindrances(table: Any, deck_of: Any) -> None:
    """Status cards, damage and hand limit; then the heroes enter; then the extra activation, before any draw (R66)."""
    deck = [*deck_of("kratos", []), "stun"]
    game = table(["kratos"], 1, hindrances=[5, 4, 2, 8], chance=[{"shuffle": 0, "deck": deck}])
    assert kind(game) == (0, "place")
    player = game.state["players"][0]
    assert (player["deck"], player["hand"], player["hand_limit"]) == (deck, [], 6)
    assert game.figure("kratos")["damage"] == 1
    game.do(do="place", column=2)
    assert (kind(game), game.state["phase"], game.state["round"]) == ((0, "reveal_window"), "hindrance", 0)
    assert game.state["players"][0]["hand"] == []
    until(game, "turn")
    assert (game.state["round"], len(game.state["players"][0]["hand"])) == (1, 6)


def test_a_deck_is_shuffled_though_the_supply_is_empty(table: Any, deck_of: Any) -> None:
    """The hindrance finds no stun card; the recorded shuffle is used all the same."""
    deck = deck_of("kratos", ["melee", "plus3"])
    supply = {"stun": 0, "poison": 10, "crystal": 10}
    game = table(["kratos"], 1, hindrances=[8], supply=supply, chance=[{"shuffle": 0, "deck": deck}])
    assert game.state["players"][0]["deck"] == deck


def test_r74_reading_order(table: Any) -> None:
    """The top row before the bottom row, each from left to right, and not column by column (R74)."""
    hands = {"kratos": ["block_1", *MELEE[:6]], "freya": MELEE}
    game = table(["kratos", "freya"], 1, hands=hands, upgrades=["u01:tiwaz"])
    game.do(do="place", column=1, slot="front").do(do="place", column=1, slot="back").do(do="end")
    order = []
    while kind(game) == (0, "block"):
        order.append(game.state["pending"]["context"]["card"])
        game.do(do="done")
    assert order == ["1-02", "1-11"]
