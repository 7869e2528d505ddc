"""The action codec: ids, arguments and texts lead to each other; what leads nowhere is named."""

import re
from typing import Any

import numpy as np
import pytest

from theogony.envs import load
from theogony.envs.core.actions import ActionCodec, Block, IllegalAction, action_id

CODEC = ActionCodec(
    Block("pass"),
    Block("push", "NS", range(3), text="push {} to {}"),
    Block("build", ["A1", "B2"]),
)


def test_ids_follow_the_blocks_in_row_major_order() -> None:
    assert CODEC.size == 1 + 6 + 2
    assert CODEC.first == {"pass": 0, "push": 1, "build": 7}
    assert [CODEC.decode(action) for action in (0, 1, 2, 4, 8)] == [
        ("pass", ()),
        ("push", ("N", 0)),
        ("push", ("N", 1)),
        ("push", ("S", 0)),
        ("build", ("B2",)),
    ]
    assert [CODEC.text(action) for action in (0, 6, 7)] == ["pass", "push S to 2", "build A1"]


@pytest.mark.parametrize("codec", [CODEC, load("push_of_faith").configure().actions])
def test_round_trips(codec: ActionCodec) -> None:
    for action in range(codec.size):
        kind, arguments = codec.decode(action)
        assert codec.encode(kind, *arguments) == action
        assert codec.parse(codec.text(action)) == action
        assert codec.parse(f"  {codec.text(action).replace(' ', '   ')}\n") == action


@pytest.mark.parametrize("wrong", [True, False, np.True_, 1.0, "pass", None])
def test_what_is_no_integer_is_no_id(wrong: Any) -> None:
    """Python counts True as 1: it would have been `push N to 0`."""
    for read in (action_id, CODEC.text, CODEC.decode):
        with pytest.raises(IllegalAction, match=re.escape(f"an action is an integer id, not {wrong!r}")) as error:
            read(wrong)
        assert error.value.action is wrong


@pytest.mark.parametrize("action", [-1, 9, 10**20])
def test_ids_out_of_range(action: int) -> None:
    for read in (CODEC.text, CODEC.decode):
        with pytest.raises(IllegalAction, match=f"action {action} is out of range: ids go from 0 to 8") as error:
            read(action)
        assert error.value.action == action


def test_texts_and_arguments_that_are_none() -> None:
    with pytest.raises(
        IllegalAction, match=r"'push N to 9' is not an action of this game; did you mean 'push N to \w'"
    ):
        CODEC.parse("push N to 9")
    with pytest.raises(IllegalAction, match=r"there is no action 'push' with arguments \('N', 9\)"):
        CODEC.encode("push", "N", 9)
    with pytest.raises(IllegalAction, match="there is no action 'castle'"):
        CODEC.encode("castle")


def test_codecs_that_would_be_ambiguous_are_refused() -> None:
    with pytest.raises(ValueError, match="two blocks of actions are called 'a'"):
        ActionCodec(Block("a"), Block("a", "x"))
    with pytest.raises(ValueError, match="two actions have the text 'go on'"):
        ActionCodec(Block("a", text="go on"), Block("b", text="go on"))
