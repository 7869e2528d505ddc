"""The coverage report finds what play has not exercised."""

import copy
from collections import Counter

from theogony.envs.god_of_war.coverage import exercise, expected, report
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
