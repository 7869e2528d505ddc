"""Observations with attributes: the usual ones, and before them what cards, scene cards and hindrances are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from both_observations import ATTRIBUTES, check_usual_comes_last, played, seen

from theogony.envs.core.batch import Batch
from theogony.envs.core.game import OptionError
from theogony.envs.core.kernels import kernels
from theogony.envs.core.position import Position
from theogony.envs.god_of_war.components.tables import designs, plays
from theogony.envs.god_of_war.game import SPEC, STRONG
from theogony.envs.god_of_war.observe.attributes import CARD, GOAL, HINDRANCE, PLAY, SIDE
from theogony.envs.god_of_war.state import SCENES

LONG = {"players": 2, "heroes": ("freya", "brok_sindri"), "path": ("alfheim", "helheim", "magni_modi"), **STRONG}
HINDERED = {"players": 2, "scene": "thamur", "hindrances": ("ogre", "sigrun")}
GAME = SPEC.configure(ATTRIBUTES)


def named(group: dict[str, int], row: Any) -> dict[str, int]:
    """The numbers of a row that are not 0, by name."""
    return {name: int(value) for name, value in zip(group, row, strict=True) if value}


@pytest.mark.parametrize("options", [LONG, HINDERED, {"players": 3, "components": "random:0-9"}], ids=str)
def test_the_usual_observation_comes_last_and_is_the_same(options: dict[str, Any]) -> None:
    check_usual_comes_last(SPEC, 400, **options)


def test_rows_are_of_what_lies_in_the_open() -> None:
    pending = revealed = hidden_sides = 0
    for _, position in played(SPEC, 1, 400, **LONG):
        g, t, f = position.g, position.game.t, seen(position, 1)
        open_cards = (f.hand | f.deck | f.discard | f.in_play).any(0)
        assert (f.card_attributes == np.where(open_cards[:, None], t.card_rows, 0)).all()
        for kind in ("attack", "number", "block", "special"):
            held = g.hand[1][t[f"{kind}_design"]] > 0
            expected = np.where(held[:, None], t.play_rows[t[f"{kind}_plays"]], 0)
            assert (f[f"{kind}_attributes"] == expected).all()
        found = np.flatnonzero(f.pending_play)
        assert (f.pending_attributes == (t.play_rows[found[-1]] if len(found) else 0)).all()
        pending += len(found) > 0
        assert (f.upgrade_attributes == np.where((f.revealed > 0)[:, None], t.upgrade_rows, 0)).all()
        revealed += int(f.revealed.any())
        for slot in range(len(g.side)):
            here = bool(f.cards[slot, 0])
            sides = t.side_rows[g.scenario, slot]
            assert (f.scene_attributes[slot] == (sides[g.side[slot]] if here else 0)).all()
            hidden_sides += here and bool((sides[0] != sides[1]).any())
    assert pending and revealed and hidden_sides


def test_a_position_with_another_back_looks_the_same() -> None:
    """What a turned card will show, and what other scenes hold, is not told."""
    for _, position in played(SPEC, 3, 40, **HINDERED):
        other = position.game.tables.copy()
        sides, goals = other["side_rows"][0], other["goal_rows"][0]
        for scene in range(len(SCENES)):
            goals[scene] += scene != position.g.scenario
            for slot in range(len(position.g.side)):
                sides[scene, slot, 1 - position.g.side[slot]] += 1
                sides[scene, slot] += scene != position.g.scenario
        features = np.zeros(position.game.features.length, np.uint8).view(position.game.features.dtype)
        kernels(position.game.spec).view(position.states, position.now, other, 0, features, 0)
        assert (features.view(np.uint8) == position.observe_codes(0)).all()


def test_what_printed_cards_say() -> None:
    t, names = GAME.t, designs(GAME.components)
    at = {name: k for k, name in enumerate(names)}
    assert named(CARD, t.card_rows[at["melee_2"]]) == {"pays melee": 1, "is melee": 1, "strength": 2, "rage": 1}
    assert named(CARD, t.card_rows[at["melee_stun"]]) == {"pays melee": 1, "is melee": 1, "stuns": 1, "rage": 1}
    assert named(CARD, t.card_rows[at["stun"]]) == {"stun card": 1}
    assert named(CARD, t.card_rows[at["crystal"]])["for attacks only"] == 1
    for k, (design, option) in enumerate(plays(GAME.components)):
        if design != "crystal":
            printed = GAME.components["action_cards"][design]["options"][option]
            row = named(PLAY, t.play_rows[k])
            assert row.get("strength", 0) == min(printed["number"], PLAY["strength"])
            assert all(row[effect["op"]] == min(effect.get("n") or 1, 4) for effect in printed["special"])


def test_what_printed_scenes_say() -> None:
    t = GAME.t
    ogre = SCENES.index("ogre")
    assert named(SIDE, t.side_rows[ogre, 0, 0]) == {
        "health of its enemy": 6, "turns: armour_broken": 1, "turns itself": 1,
    }  # fmt: skip
    assert t.goal_clear[ogre].tolist() == [1, 0] and not t.goal_rows[ogre].any()
    alfheim = SCENES.index("alfheim")
    assert [named(GOAL, t.goal_rows[alfheim, 0, slot]) for slot in (1, 5)] == [{"dead": 1}, {"dead": 1}]
    assert named(GOAL, t.goal_rows[alfheim, 1, 8]) == {"tokens": 8}
    assert named(HINDRANCE, t.hindrance_rows[SCENES.index("helheim")]) == {"smaller hands": 1}


def test_hindrances_in_force_are_added_up() -> None:
    position = Position(SPEC.configure({**HINDERED, **ATTRIBUTES}), 1)
    assert named(HINDRANCE, seen(position, 0).hindrance_attributes) == {"damage at the start": 1, "smaller hands": 1}


def test_no_number_is_too_high() -> None:
    for components in ("printed", "random:5"):
        t = SPEC.configure({"components": components, **ATTRIBUTES}).t
        for rows, group in ((t.play_rows, PLAY), (t.card_rows, CARD), (t.side_rows, SIDE), (t.goal_rows, GOAL)):
            assert (rows <= np.array(list(group.values()))).all() and rows.any()


def test_rows_follow_the_pack_of_each_game() -> None:
    game = SPEC.configure({"players": 2, "scene": "wanderers", "components": "random:0-3", **ATTRIBUTES})
    batch = Batch(game, 8, seed=5)
    packs = batch.packs().tolist()
    assert len(set(packs)) > 1
    for k, pack in enumerate(packs):
        rows = game.features.records(batch.codes[k : k + 1].copy())[0].card_attributes
        cards = rows.any(1)
        assert cards.any() and (rows[cards] == game.packs[pack].t.card_rows[cards]).all()


def test_the_option_is_checked() -> None:
    with pytest.raises(OptionError, match=r"god_of_war: option observation='all': .*'ids' or 'attributes'"):
        SPEC.configure({"observation": "all"})
