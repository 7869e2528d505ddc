"""What is read in replies as language models write them, compared with what a careful person would read."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from theogony.models.endpoint import said_in
from theogony.wrappers.text import ReplyError, read_reply

CORPUS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("replies.yaml").read_text(encoding="utf-8"))
REPLIES = [(shape, number, one) for shape, some in CORPUS["shapes"].items() for number, one in enumerate(some)]


def move_read(one: dict[str, Any]) -> str | None:
    """The move that is read in a reply, as in a game of `theogony models`; None where it is refused."""
    shown = CORPUS["positions"][one["at"]]
    texts = [move.partition(" (")[0] for move in shown]
    legal, words = ({move: k for k, move in enumerate(moves)} for moves in (texts, shown))
    reply = said_in(one["message"])[0] if "message" in one else one["reply"]
    try:
        found = read_reply(reply, legal, one.get("numbered", False), words, marked=True, cut=one.get("cut", False))
    except ReplyError:
        return None
    return texts[found]


@pytest.mark.parametrize(("shape", "number", "one"), REPLIES)
def test_the_move_is_read_that_a_careful_person_reads(shape: str, number: int, one: dict[str, Any]) -> None:
    assert move_read(one) == one["reads"]


def test_the_corpus_has_two_hundred_replies_of_ten_shapes() -> None:
    assert Counter(shape for shape, _, _ in REPLIES) == dict.fromkeys(CORPUS["shapes"], 20) and len(REPLIES) == 200
    for _, _, one in REPLIES:
        assert one["reads"] is None or one["reads"] in {m.partition(" (")[0] for m in CORPUS["positions"][one["at"]]}


@pytest.mark.parametrize("content", [7, [7], [["a"]]])
def test_a_message_that_is_none_is_told_from_one_that_says_nothing(content: Any) -> None:
    with pytest.raises(TypeError):
        said_in({"content": content})
    assert said_in({"content": None, "reasoning": "so"}) == ("", "so")
