"""A component file is checked: counts, references, unknown words; a corrected one loads."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from theogony.envs.core.game import ComponentError, OptionError
from theogony.envs.core.position import Position
from theogony.envs.core.record import CUT_OFF, to_bytes
from theogony.envs.god_of_war.components.checks import check_components
from theogony.envs.god_of_war.components.pieces import DEFAULT_COMPONENTS, HEROES
from theogony.envs.god_of_war.docs_tables import notes
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
            "scenes.1 (id 2).cards.8 (id 2-20).front.flip.0.when",
        ),
        (
            lambda d: scene_card(d, "1-00")["back"]["reward"][0].update(op="bless"),
            "scenes.0 (id 1).cards.0 (id 1-00).back.reward.0",
        ),
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
        ({"scene": "asgard"}, "scene"),
        ({"path": ("ogre", "sigrun", "baldur")}, "two different quests and a boss"),
        ({"hindrances": ("ogre",)}, "single scene"),
        ({"players": 5}, "1, 2, 3 or 4 players"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(OptionError, match=expected):
        SPEC.configure(options)


@pytest.mark.parametrize("hero", [hero for hero in HEROES if hero != "kratos"])
def test_r70_nobody_but_kratos_plays_alone(hero: str) -> None:
    """The companions are Atreus and Mimir, whose skills only Spartan Rage makes available again (§10, R70)."""
    with pytest.raises(OptionError, match=rf"^[^\n]*{hero} cannot play alone: one player is Kratos with [^\n]*$"):
        SPEC.configure({"players": 1, "heroes": (hero,)})
    data = copy.deepcopy(DATA)
    data["solo"]["hero"] = hero
    with pytest.raises(ComponentError, match=r"solo\.hero"):
        check_components(data, "mine.json")


@pytest.mark.parametrize("options", [{}, {"hero_choice": "choose"}, {"heroes": ("kratos",)}])
def test_r70_one_player_is_kratos(options: dict[str, Any]) -> None:
    """Given, dealt or chosen: nobody is asked (§10, R70)."""
    for seed in range(5):
        position = Position(SPEC.configure({"players": 1, **options}), seed)
        assert HEROES[position.g.heroes[0]] == "kratos"
        assert position.game.actions.decode(int(position.legal_actions()[0]))[0] == "place"


@pytest.mark.parametrize(
    ("options", "lowest"),
    [
        ({}, -2),  # Mimir may be dealt, with 5; Thamur's Corpse lays out 2 when it is passed over
        ({"hero_choice": "choose"}, -2),
        ({"difficulty": "story"}, -5),  # 3 more, and the option goes no lower
        ({"heroes": ("kratos", "freya")}, -5),
        ({"players": 1}, -5),
        ({"path": ("ogre", "thamur", "sigrun")}, -3),  # neither quest can be passed over; Baldur lays out 1
        ({"heroes": ("kratos", "mimir"), "scene": "ogre"}, -4),
        ({"scene": "sigrun", "hindrances": ("thamur", "ogre", "baldur")}, 0),
    ],
)
def test_r38_health_outlasts_what_is_laid_out(options: dict[str, Any], lowest: int) -> None:
    """A `hero_hp` with which a hero could stand with as much damage as health is refused with the lowest (R38)."""
    given = {"players": 2, **options}
    SPEC.configure({**given, "hero_hp": lowest})
    for lower in range(-5, lowest):
        said = rf"^god_of_war: option hero_hp={lower}: mimir would have .* lowest that works here is {lowest}$"
        with pytest.raises(OptionError, match=said):
            SPEC.configure({**given, "hero_hp": lower})


def test_r38_components_that_beat_a_hero_at_the_start_are_refused(tmp_path: Path) -> None:
    """(R38)"""
    data = copy.deepcopy(DATA)
    data["quests"][5]["back"]["hindrance"][0]["n"] = 9
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data))
    with pytest.raises(OptionError, match=r"hero_hp=0: mimir would have 5 health .* with 9 damage; .* here is 5$"):
        SPEC.configure({"component_file": path})
    with pytest.raises(ComponentError, match=r"mine: .* the lowest that works here is 5$"):
        SPEC.configure({"players": 2}, check_components(data, "mine"), "mine")
    assert SPEC.configure({"component_file": path, "hero_hp": 5}).tables[0].hp[2] == 10


def without_notes(value: Any) -> Any:
    """The same without what says where it comes from."""
    if isinstance(value, dict):
        return {key: without_notes(item) for key, item in value.items() if not key.endswith("source")}
    return [without_notes(item) for item in value] if isinstance(value, list) else value


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object of a component file."""
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(item)


def test_every_entry_says_whether_it_is_printed() -> None:
    """Whatever has an id, and the fields of which only some are printed."""
    fields = ("faces", "rage_max", "deck", "upgrade_deck", "number_attack_only", "success", "fail", "hindrance")
    silent = [entry["id"] for entry in objects(DATA) if "id" in entry and "source" not in entry]
    silent += [
        f"{name} of {entry}"
        for entry in objects(DATA)
        for name in fields
        if name in entry and f"{name}_source" not in entry
    ]
    silent += [name for name, entry in DATA["status_cards"].items() if "source" not in entry]
    bodies = [DATA["solo"], *(figure for hero in DATA["heroes"] for figure in hero["figures"])]
    silent += [str(body) for body in bodies if "hp_source" not in body]
    assert silent == []


def test_what_is_printed_and_what_is_reconstructed() -> None:
    """What the rulebook shows, and what it leaves open: tracks, crystal, quests but 1 and 4, bosses, hindrances."""
    said = {(note.part, note.what): note.word for note in notes(DATA)}
    tracks = {what: word for (_, what), word in said.items() if "rage_max" in what}
    assert len(tracks) == 6 and [what for what, word in tracks.items() if word == "printed"] == ["kratos: rage_max 5"]
    assert said["hero Kratos", "spartan_rage"] == "printed"  # heals 3 with it
    assert said["upgrade_deck", ""] == said["status_cards", "crystal: number_attack_only 2"] == "reconstructed"
    quests = {what: word for (part, what), word in said.items() if part in ("quests", "bosses")}
    assert [what for what, word in quests.items() if word == "printed"] == [
        "Wildland Wanderers", "Wildland Wanderers: fail", "Alfheim", "Alfheim: hindrance", "Helheim",
    ]  # fmt: skip
    assert quests["Alfheim: id 3"] == "reconstructed"


def test_notes_are_no_part_of_the_digest(tmp_path: Path) -> None:
    """So agents, records and results of the same pieces stay good whatever is noted about them."""
    path = tmp_path / "bare.json"
    path.write_text(json.dumps(without_notes(DATA)))
    assert SPEC.configure({"component_file": path}).component_digest == SPEC.configure().component_digest
    assert SPEC.configure().component_digest == "3bee0808ec68cbb9"  # of the agents, results and records that there are


def test_a_note_says_one_of_two_words() -> None:
    with pytest.raises(ValueError, match="die: faces: 'guessed' begins with none of printed, reconstructed"):
        list(notes({"die": {"faces": [0], "faces_source": "guessed"}}))


def test_the_upgrade_deck_holds_no_more_cards_than_there_are() -> None:
    position = Position(SPEC.configure(), 1)
    cards = int(position.game.tables[0].upgrade_copies.sum())
    changed = position.g.copy()
    changed.upgrade_cards = cards
    position.load(to_bytes(changed))
    changed.upgrade_cards = cards + 1
    with pytest.raises(ValueError, match=f"upgrade_cards is {cards + 1}, 0 to {cards} was expected"):
        position.load(to_bytes(changed))
