"""Replies that are long, no text, or marked in odd ways."""

import time
from typing import Any

import pytest

from theogony.wrappers.text import ReplyError, TextEnv, read_reply
from theogony.wrappers.text.replies import replies_of, split_moves

LEGAL = {"push N to a": 3, "done": 9}
BAD = (
    "\n",
    "<move>",
    "<move>a</move>",
    "</move>",
    "move\n",
    "move:: ",
    "Move:\n",
    "Move: a\n*\n",
    "*",
    ":",
    "push N to a ",
)


@pytest.mark.parametrize("part", BAD)
@pytest.mark.parametrize("length", [99_000, 1_000_000])
def test_long_replies_are_read_or_refused_at_once(part: str, length: int) -> None:
    """What a model writes over and over takes no longer than its length: this took ten seconds and more, a reply."""
    reply, begun = part * (length // len(part)), time.process_time()
    ways: tuple[dict[str, Any], ...] = (
        {"marked": True},
        {"whole_turns": True},
        {"marked": True, "whole_turns": True},
        {},
    )
    for arguments in ways:
        env = TextEnv("push_of_faith", seat=0, rules=False, moves="hidden", **arguments)
        env.reset(seed=1)
        said = env.step(reply)
        assert (length < 100_000) or "characters; at most 100,000 are read" in said
    assert time.process_time() - begun < 5


def test_what_is_too_long_or_no_text_is_said_first() -> None:
    for read in (split_moves, lambda reply: read_reply(reply, LEGAL)):
        with pytest.raises(ReplyError, match="the reply has 200,000 characters; at most 100,000 are read"):
            read("Move: a\n" * 25_000)
        with pytest.raises(ReplyError, match="a reply is a text, not NoneType"):
            read(None)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("arguments", [{}, {"marked": True}, {"whole_turns": True}])
def test_a_reply_that_is_no_text_is_refused_as_others_are(arguments: dict[str, Any]) -> None:
    env = TextEnv("push_of_faith", **arguments)
    env.reset(seed=1)
    for reply in (None, 3, b"Move: a"):
        assert "Not played: a reply is a text, not " in env.step(reply)  # pyright: ignore[reportArgumentType]
        env._in_a_row = 0
    assert env.invalid == 3


@pytest.mark.parametrize(
    ("reply", "moves"),
    [
        ("<move>a", ["<move>a"]),
        ("</move><move>a<move>b</MOVE> c</move>", ["a<move>b"]),
        ("<Move>a\nb</move>\n<move></move>", ["a\nb", ""]),
        ("**Move:** a\n\n> - Moves : b\n***\nMove: c", ["** a", "b", "c"]),
        ("Move\n: a", ["Move", ": a"]),
        ("No Move: a\nb", ["No Move: a", "b"]),
    ],
)
def test_marks_of_several_moves(reply: str, moves: list[str]) -> None:
    assert split_moves(reply) == moves


def test_a_pipe_keeps_no_more_than_is_read_however_many_lines_there_are() -> None:
    begun = time.process_time()
    [reply] = replies_of("x\n" for _ in range(500_000))
    assert 100_000 < len(reply) < 100_010 and time.process_time() - begun < 5


@pytest.mark.parametrize(
    "reply",
    [
        "Move:\npush N to a",
        "I will push N to a or be done.\n\n**Move:**\n\n`push N to a`\n",
        "Move:\n```\npush n to a\n```",
        "Move: done\nNo, wait.\nMove:\n- push N to a.\nThat is the best.",
    ],
)
def test_a_move_may_stand_below_its_mark(reply: str) -> None:
    """As many models write it; what stands further below is no part of it."""
    assert read_reply(reply, LEGAL, marked=True) == 3


def test_a_mark_with_nothing_behind_it_names_no_move() -> None:
    for reply in ("push N to a\nMove:", "Move: done\nMove:\n\n***\n"):
        with pytest.raises(ReplyError, match="names no legal move"):
            read_reply(reply, LEGAL)


def test_a_list_of_moves_behind_one_mark_is_no_choice() -> None:
    for reply in ("Move: push N to a, done", "Move: done; push N to a", '{"moves": ["done", "push N to a"]}'):
        with pytest.raises(ReplyError, match="names 2 moves"):
            read_reply(reply, LEGAL, marked=True)
    assert read_reply("Move: done, not push N to a", LEGAL, marked=True) == 9


def test_a_refusal_says_what_is_near() -> None:
    with pytest.raises(ReplyError, match="'push N too a' names no legal move; did you mean 'push N to a'"):
        read_reply("Move: push N too a", LEGAL, marked=True)


@pytest.fixture(scope="module")
def kratos() -> TextEnv:
    """God of War alone, at a decision with many kinds of moves."""
    env = TextEnv("god_of_war", seat=0, opponents="random", players=1, marked=True)
    env.reset(seed=11)
    env.step("Move: enter column 2 front")
    return env


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("attack bottom with Melee", "hero: attack bottom with melee"),
        ("Kratos: attack bottom with melee", "hero: attack bottom with melee"),
        ("play Spartan Resolve", "hero: play k_resolve"),
        ("play k_resolve, which draws a card", "hero: play k_resolve"),
        ("attack top with m1_or_r1", "hero: attack top with m1_or_r1/ranged"),
        ("attack bottom with Melee +1 or Ranged +1, as ranged", "hero: attack bottom with m1_or_r1/ranged"),
        ("skill Atreus: ranged 2, stuns", "skill atreus_1 stun_shot"),
        ("end the activation", "end activation"),
    ],
)
def test_a_move_may_be_called_as_people_call_it(kratos: TextEnv, said: str, meant: str) -> None:
    assert kratos.game.actions.text(kratos._read(f"Move: {said}", True, False)) == meant


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("attack bottom with m1_or_r1", r"names 2 moves \(hero: attack bottom with m1_or_r1/melee, "),
        ("move to column 1", r"no legal move; did you mean 'hero: move to column 1 front'"),
        ("end turn", "no legal move; did you mean 'end activation'"),
        ("pass", "no legal move; did you mean 'end activation'"),
        ("place b4", "no legal move$"),
        ("Attack the bottom enemy with Melee", "no legal move; did you mean 'hero: attack bottom with melee'"),
        ("not: attack bottom with melee", "no legal move|names a move without choosing it"),
    ],
)
def test_what_is_not_clear_is_not_played_and_the_refusal_helps(kratos: TextEnv, said: str, why: str) -> None:
    with pytest.raises(ReplyError, match=why):
        kratos._read(f"Move: {said}", True, False)


@pytest.mark.parametrize(
    "part", ["<think>", "</think>", "\\boxed{", "\\boxed{{a", "my ", "Move: done - ", "{", "1. ", "```{", "not "]
)
def test_what_is_repeated_without_end_is_read_at_once(part: str) -> None:
    begun = time.process_time()
    for marked in (False, True):
        try:
            read_reply(part * (99_000 // len(part)), LEGAL, marked=marked)
        except ReplyError:
            pass
    assert time.process_time() - begun < 5
