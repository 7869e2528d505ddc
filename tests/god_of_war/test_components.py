"""A component file is checked: counts, references, unknown words; a corrected one loads."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from theogony.envs.core.game import ComponentError, OptionError
from theogony.envs.core.position import Position
from theogony.envs.core.record import CUT_OFF
from theogony.envs.god_of_war.components.files import DEFAULT_COMPONENTS, check_components
from theogony.envs.god_of_war.game import SPEC
from theogony.envs.god_of_war.state import LOOP

DATA = json.loads(DEFAULT_COMPONENTS.read_text("utf-8"))


def scene_card(data: Any, name: str) -> Any:
    return next(card for scene in data["scenes"] for card in scene["cards"] if card["id"] == name)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda d: d["upgrade_deck"].pop(), "upgrade cards: there are 87, but 88 are printed"),
        (lambda d: d["heroes"][0]["deck"].pop(), "starting deck kratos: there are 13, but 14"),
        (lambda d: d["scenes"][0]["cards"].pop(), "scene cards: there are 91, but 92"),
        (lambda d: d["heroes"][0]["deck"][0].update(card="sword"), "there is no action card 'sword'"),
        (lambda d: scene_card(d, "2-01")["front"]["enemy"].update(part_of="2-29"), "'2-29' is no card of this scene"),
        (
            lambda d: scene_card(d, "2-20")["front"]["flip"][0].update(when="hp<20"),
            "scenes.1.cards.8.front.flip.0.when",
        ),
        (lambda d: scene_card(d, "1-00")["back"]["reward"][0].update(op="bless"), "scenes.0.cards.0.back.reward.0"),
        (lambda d: scene_card(d, "1-00")["front"].update(weather="snow"), "weather"),
        (lambda d: d["action_cards"]["melee"]["options"][0].update(symbols=["kick"]), "action_cards.melee.options.0"),
        (lambda d: d["quests"][2]["front"]["fail"]["any"][0].update(tokens_ge=["3-99", 8]), "'3-99'"),
        (lambda d: scene_card(d, "7-20")["front"]["enemy"].update(armour=[4, 6]), "not listed from the highest"),
        (lambda d: d["solo"].update(refresh="thunderbird"), "no rage ability 'thunderbird'"),
        (lambda d: d["die"]["faces"].append(3), "faces of the enemy die: there are 7, but 6"),
    ],
)
def test_wrong_files_are_refused(change: Any, expected: str) -> None:
    data = copy.deepcopy(DATA)
    change(data)
    with pytest.raises(ComponentError) as error:
        check_components(data, "mine.json")
    assert str(error.value).startswith("mine.json: ")
    assert expected in str(error.value)


def test_a_corrected_file_is_played(tmp_path: Path) -> None:
    data = copy.deepcopy(DATA)
    data["heroes"][0]["figures"][0]["hp"] = 20
    data["source"] = "counted at the table"  # notes are allowed
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data))
    assert SPEC.configure({"component_file": path}).tables[0].hp[0] == 20


def test_effects_that_cause_each_other_for_ever_cut_the_game_off(tmp_path: Path) -> None:
    data = copy.deepcopy(DATA)
    card = data["scenes"][0]["cards"][0]
    for side in ("front", "back"):  # each side is turned over by the token that it comes up with
        card[side] |= {"tokens": {"start": 1, "max": 3}, "flip": [{"when": "tokens>=1", "cards": ["self"]}]}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data))
    position = Position(SPEC.configure({"component_file": path, "scene": "wanderers"}), 1)
    while not position.over:
        position.play(int(position.legal_actions()[-1]))
    assert (position.over, int(position.g.reason)) == (CUT_OFF, LOOP)
    assert not position.rewards("outcome").any()


def test_difficulty_options() -> None:
    game = SPEC.configure({"hero_hp": 3, "enemy_strength": -1, "boss_hp": 50})
    t, plain = game.tables[0], SPEC.configure().tables[0]
    assert (t.hp == plain.hp + 3).all()
    assert (t.attack_strength == (plain.attack_strength - 1).clip(0)).all()
    assert t.enemy_hp[8, 8, 0] == plain.enemy_hp[8, 8, 0] // 2
    assert t.enemy_hp[0, 0, 0] == plain.enemy_hp[0, 0, 0]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"heroes": ("kratos",)}, "1 heroes are named for 2 players"),
        ({"heroes": ("kratos", "kratos")}, "different hero"),
        ({"players": 1, "heroes": ("mimir",)}, "no body"),
        ({"scene": "asgard"}, "scene"),
        ({"path": ("ogre", "sigrun", "baldur")}, "two different quests and a boss"),
        ({"hindrances": ("ogre",)}, "single scene"),
        ({"players": 5}, "1, 2, 3 or 4 players"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(OptionError, match=expected):
        SPEC.configure(options)


def test_the_upgrade_deck_holds_no_more_cards_than_there_are() -> None:
    position = Position(SPEC.configure(), 1)
    cards = int(position.game.tables[0].upgrade_copies.sum())
    changed = position.g.copy()
    changed.upgrade_cards = cards
    position.load(changed.tobytes())
    changed.upgrade_cards = cards + 1
    with pytest.raises(ValueError, match=f"upgrade_cards is {cards + 1}, 0 to {cards} was expected"):
        position.load(changed.tobytes())
