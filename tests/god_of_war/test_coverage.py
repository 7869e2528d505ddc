"""The coverage report finds what play has not exercised, and between play and the tests nothing is left."""

import copy
from collections import Counter
from typing import Any

import pytest
from god_of_war.coverage import exercise, exercised, expected, report, runs, unreachable
from god_of_war.rare import RARE, Scenario

from theogony.envs.god_of_war.game import SPEC

RUN = ({"players": 1, "heroes": ("kratos",), "scene": "wanderers", "hindrances": ("alfheim",)}, 1, 0.0)


def test_a_short_game_exercises_its_own_scene_only() -> None:
    data = SPEC.configure().components
    done, missing = report(data, exercise([RUN]))
    assert {"side 1-00 front", "hindrance alfheim", "hindrance word shuffle_status", "decision turn"} <= done
    assert {"side 2-00 front", "side 10-20 back", "hindrance ogre", "rage freya", "effect cancel_rune"} <= set(missing)
    assert not done & set(missing)


def test_a_new_entry_of_the_components_is_found_missing() -> None:
    data = copy.deepcopy(SPEC.configure().components)
    everything = exercise([]) | Counter(list(expected(data)))
    assert report(data, everything)[1] == []
    data["scenes"][0]["cards"][0]["front"]["interactions"].append({"label": "Kick", "do": [{"op": "burn"}]})
    assert report(data, everything)[1] == ["effect burn", "interaction 1-00 Kick"]


def test_two_backs_never_come_up() -> None:
    """Nothing in their scenes turns them over, until something is printed that does."""
    data = copy.deepcopy(SPEC.configure().components)
    assert unreachable(data) == {"side 3-20 back", "side 9-11 back"}
    cards = {card["id"]: card for scene in data["scenes"] for card in scene["cards"]}
    cards["9-20"]["front"]["flip"][0]["cards"].append("9-11")
    cards["3-20"]["back"]["flip"].append({"when": "rune:gebo", "cards": ["self"]})  # by itself only, once it is up
    assert unreachable(data) == {"side 3-20 back"}
    assert "side 9-11 back" in report(data, Counter())[1]


@pytest.mark.parametrize("scenario", RARE, ids=lambda scenario: scenario.__name__)
def test_rare(scenario: Scenario, table: Any) -> None:
    seen = exercised(scenario(table).position)
    assert set(RARE[scenario]) <= set(seen)
    assert not unreachable(SPEC.configure().components) & set(seen)


@pytest.mark.slow
def test_play_and_tests_exercise_everything(table: Any) -> None:
    data = SPEC.configure().components
    seen = exercise(runs(2))
    for scenario in RARE:
        seen += exercised(scenario(table).position)
    assert report(data, seen)[1] == []
    assert not unreachable(data) & set(seen)
