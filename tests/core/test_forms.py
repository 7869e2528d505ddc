"""The argument `observation` of environments: a form of all games, and the words of a game's own option."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import theogony
from theogony.envs import load
from theogony.envs.core.contract.forms import take_form
from theogony.envs.core.game import OptionError


@pytest.mark.parametrize(
    ("name", "asked", "form", "options"),
    [
        ("orbis", "compact", "compact", {}),
        ("innovation", "compact", "compact", {}),
        ("innovation", "attributes", "float", {"observation": "attributes"}),
        ("innovation", "attributes compact", "compact", {"observation": "attributes"}),
        ("innovation", "compact ids", "compact", {"observation": "ids"}),
        ("god_of_war", "compact", "compact", {}),
    ],
)
def test_words_are_told_apart(name: str, asked: str, form: str, options: dict[str, Any]) -> None:
    given: dict[str, Any] = {}
    assert take_form(load(name), asked, given) == form and given == options


@pytest.mark.parametrize(
    ("name", "asked", "message"),
    [
        ("orbis", "attributes", '''observation='attributes' is not "float" or "compact"'''),
        ("orbis", "attributes compact", '''observation='attributes compact' is not "float" or "compact"'''),
        (
            "innovation",
            "all",
            'innovation: observation="all": expected "float" or "compact", "ids" or "attributes"',
        ),
        ("innovation", "ids attributes", 'or one of each, "attributes compact"'),
        ("innovation", "", 'innovation: observation="": expected'),
        ("god_of_war", "attributes", '''observation='attributes' is not "float" or "compact"'''),
    ],
)
def test_other_words_are_refused(name: str, asked: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        theogony.make(name, observation=asked)
    with pytest.raises(ValueError, match=message):
        theogony.make_vec(name, 2, observation=asked)


@pytest.mark.parametrize("name", ["innovation"])
def test_environments_show_attributes(name: str) -> None:
    length = load(name).configure({"observation": "attributes"}).features.length
    env = theogony.make(name, observation="attributes")
    env.reset(seed=1)
    seen = env.observe(env.agent_selection)["observation"]
    space: Any = env.observation_space(env.agent_selection)
    assert seen.shape == (length,) and seen.dtype == np.float32
    assert space["observation"].contains(seen)
    title = "".join(word.capitalize() for word in name.split("_"))
    one = gymnasium.make(f"theogony/{title}-v0", observation="attributes compact")
    assert one.observation_space.shape == (length,) and one.observation_space.dtype == np.uint8
    for many in (
        theogony.make_vec(name, 2, observation="attributes", seed=0),
        gymnasium.make_vec(f"theogony/{title}-v0", 2, observation="attributes"),
    ):
        assert getattr(many, "single_observation_space", many.observation_space).shape == (length,)


def test_games_that_have_no_such_option_say_so() -> None:
    with pytest.raises(OptionError, match="orbis has no option 'observation'"):
        load("orbis").configure({"observation": "attributes"})
