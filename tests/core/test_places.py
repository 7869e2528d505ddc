"""Places of a picture: actions on them, changes marked, nothing hidden in either."""

from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from pictures import clickable

from theogony.envs import load, push_of_faith_v0
from theogony.envs.core.draw.places import mark, place
from theogony.envs.core.draw.style import region
from theogony.envs.core.draw.svg import picture, rect, shape, use
from theogony.envs.core.position import Position


def new(players: int = 2, **options: object) -> Position:
    return Position(load("push_of_faith").configure({"players": players, **options}), 1)


def marked(drawn: str, attribute: str) -> dict[str, str]:
    """The places that have an attribute, and its value."""
    nodes = ET.fromstring(drawn).iter()
    return {str(n.get("data-place")): str(n.get(attribute)) for n in nodes if n.get(attribute)}


def test_a_shape_is_held_once_and_no_place_changes_with_another_use_of_it() -> None:
    name = shape("a disc of tests", "circle", r=5)

    def drawn(*filled: bool) -> str:
        places = [place(f"p{k}", 9, 9, use(name) if one else "") for k, one in enumerate(filled)]
        return picture(9, 9, region("board", 9, 9, *places))

    assert drawn(True, True).count('<circle id="a-disc-of-tests" r="5"/>') == 1 and "<defs>" not in drawn(False)
    assert marked(mark(drawn(False, True), {}, drawn(True, True)), "data-changed") == {"p0": "1"}


def test_only_the_place_that_changed_is_marked() -> None:
    """A place within another speaks for itself."""

    def drawn(inner: str, outer: str) -> str:
        within = place("inner", 5, 5, rect(0, 0, 5, 5, inner))
        return picture(20, 20, place("outer", 9, 9, rect(0, 0, 9, 9, outer), within), place("same", 1, 1))

    before = drawn("red", "blue")
    assert marked(mark(before, {}), "data-changed") == {}
    bare = drawn("green", "blue").replace('data-place="inner"', 'data-place="inner" data-empty="1"')
    assert marked(mark(bare, {}, before), "data-changed") == {}  # nothing lies there any more
    assert marked(mark(drawn("red", "blue"), {}, before), "data-changed") == {}
    assert marked(mark(drawn("green", "blue"), {}, before), "data-changed") == {"inner": "1"}
    assert marked(mark(drawn("red", "green"), {}, before), "data-changed") == {"outer": "1"}


def test_actions_stand_on_their_places() -> None:
    drawn = mark(picture(9, 9, place("a", 2, 2), place("b", 2, 2)), {"a": [57, 12], "elsewhere": [3]})
    assert marked(drawn, "data-actions") == {"a": "12 57"}
    assert ET.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"


def test_a_push_is_clicked_where_the_marker_goes_and_marks_what_moved() -> None:
    position = new()
    parse = position.game.actions.parse
    legal = {int(a) for a in position.legal_actions()}
    found = clickable(position)
    assert found["push N to c"] == {parse("push N to c")}
    assert set.union(*found.values()) == legal
    position.play(parse("push N to c"))
    changed = marked(position.svg(), "data-changed")
    assert {"push N to c", "map c1", "hand"} <= changed.keys() and "map a1" not in changed
    assert marked(position.svg(since=0), "data-changed") == {}
    turned = {parse(f"place at c3 turned {k}") for k in range(4)}
    assert clickable(position)["world 0 c3"] & turned


def test_only_the_seat_that_decides_gets_actions() -> None:
    position = new()
    assert marked(position.svg("all", interactive=True), "data-actions")
    for other in (1, None):
        assert not marked(position.svg(other, interactive=True), "data-actions")
    with pytest.raises(ValueError, match="a viewer is"):
        position.svg(7)


def test_notebooks_and_environments_show_the_picture() -> None:
    env = push_of_faith_v0.env(players=2, render_mode="rgb_array", render_seat=1)
    inside: Any = env.unwrapped
    assert inside._repr_svg_() is None
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert inside._repr_svg_() == inside.svg(1) != inside.svg(1, since=0)
    assert inside.position._repr_svg_() == inside.svg(None)
    inside.render_width = 320
    picture = env.render()
    assert isinstance(picture, np.ndarray) and picture.shape[1] == 320
