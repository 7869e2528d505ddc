"""A game in words: what a reader is told, how replies are read, and that nothing hidden is in a text."""

import re
from typing import Any

import numpy as np
import pytest

from theogony.envs import GAMES
from theogony.envs.core.game import OptionError
from theogony.wrappers.text import ReplyError, TextEnv, Turns, read_reply
from theogony.wrappers.text.replies import replies_of, split_moves

LEGAL = {"push N to a": 3, "push N to b": 4, "card Sailing": 7, "card Sailing again": 8, "done": 9}


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ("push N to a", 3),
        ("  Push n   TO a. ", 3),
        ("**done**", 9),
        ("- done", 9),
        ("I would like to play push N to b now", 4),
        ("push N to a looks weak.\nMove: push N to b", 4),
        ("<move>done</move> and not push N to a", 9),
        ("first <move>push N to a</move>, no: <move>push N to b</move>", 4),
        ("card Sailing again", 8),
        ("we play card sailing again!", 8),
    ],
)
def test_a_reply_that_names_one_move(reply: str, action: int) -> None:
    assert read_reply(reply, LEGAL) == action


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ("", "names no legal move"),
        ("push N to c", "'push N to c' names no legal move"),
        ("pushed N to a", "names no legal move"),
        ("either push N to a or push N to b", "names 2 moves"),
        ("2", "names no legal move"),
        ("x" * 200_000, "200,000 characters"),
    ],
)
def test_a_reply_that_names_none_or_two(reply: str, message: str) -> None:
    with pytest.raises(ReplyError, match=message):
        read_reply(reply, LEGAL)


def test_in_a_pipe_reasoning_is_not_played() -> None:
    """A move that is only thought about stays unplayed, and the reader is told what was expected."""
    env = TextEnv("push_of_faith", seat=0, moves="numbered", marked=True, rules=False)
    assert "nothing else of a reply is played" in env.reset(seed=4)
    first, second, *_ = env.legal_moves()
    before = env.position.key()
    for reply in (
        f"I must not {first} here.",
        f"I could {first}, or {second}.",
        f"<think>\nMove: {first}",
        "Why not 1",
    ):
        assert "Not played: " in env.step(reply) and env.position.key() == before
        env._in_a_row = 0
    env.step(f"I must not {first} here.\nMove: {second}")
    assert env.decisions == 1 and env.position.key() != before


def test_a_reply_in_a_pipe_ends_with_a_blank_line_or_is_one_line_of_json() -> None:
    lines = [
        "\n", "I think\n", "about it.\n", "Move: done\n", "\n", "\n", '{"move": "push N to a"}\n',
        '"Move: done"\n', '{"no": 1}\n', "more", "\n", "Move: 2",
    ]  # fmt: skip
    assert list(replies_of(lines)) == [
        "I think\nabout it.\nMove: done\n", "<move>push N to a</move>", "Move: done", '{"no": 1}\nmore', "Move: 2",
    ]  # fmt: skip
    endless = ["x" * 60_000 + "\n"] * 10 + ["\n"]
    with pytest.raises(ReplyError, match="at most 100,000 are read"):
        read_reply(next(replies_of(endless)), LEGAL)


def test_moves_by_number() -> None:
    assert read_reply("Move: 2", LEGAL, numbered=True) == 4
    assert read_reply("Move: 0000000000002", LEGAL, numbered=True) == 4
    for reply in ("0", "6", "99999999999999999999", "0000000012", "1" + 5000 * "0", 5000 * "0"):
        with pytest.raises(ReplyError, match="there is no move"):
            read_reply(reply, LEGAL, numbered=True)


def test_a_whole_game_by_number() -> None:
    env = TextEnv("push_of_faith", seat=0, moves="numbered")
    text = env.reset(seed=4)
    assert text.startswith("# Push of Faith") and "You are player 1." in text and "1. push N to" in text
    while not env.over:
        text = env.step("1")
    assert text.startswith("The game is over.")
    assert env.result() == {
        "seat": 0, "over": True, "reward": env.reward, "score": env.score, "decisions": 18,
        "invalid": 0, "random_moves": 0, "forfeited": False,
    }  # fmt: skip
    with pytest.raises(RuntimeError, match="call reset"):
        env.step("1")


def test_the_same_seed_gives_the_same_texts() -> None:
    env, other = TextEnv("push_of_faith", moves="numbered"), TextEnv("push_of_faith", moves="numbered")
    assert env.reset(seed=9) == other.reset(seed=9)
    assert [env.step("1") for _ in range(6)] == [other.step("1") for _ in range(6)]
    assert env.reset(seed=9) != env.reset(seed=10)


def test_invalid_replies_are_explained_counted_and_replaced() -> None:
    env = TextEnv("push_of_faith", seat=0, tries=2)
    env.reset(seed=1)
    before = env.position.key()
    assert "1 more try" in env.step("castle kingside") and env.position.key() == before
    assert "A random move was played for you" in env.step("castle queenside") and env.position.key() != before
    assert (env.invalid, env.random_moves, env.decisions) == (2, 1, 1)
    env.step("nonsense")
    env.step(next(iter(env.legal_moves())))
    assert "1 more try" in env.step("nonsense"), "a legal move begins the count anew"


def test_a_forfeit() -> None:
    env = TextEnv("push_of_faith", tries=1, after_tries="forfeit")
    env.reset(seed=1)
    assert "The game is lost" in env.step("resign")
    assert env.over and env.forfeited and env.reward == -1.0 and env.invalid == 1
    env = TextEnv("push_of_faith", tries=2, after_tries="forfeit")
    env.reset(seed=1)
    assert "1 more try, then the game is lost." in env.step("resign")


def test_a_whole_turn_in_one_reply() -> None:
    env = TextEnv("push_of_faith", seat=0, whole_turns=True)
    env.reset(seed=3)
    take = next(iter(env.legal_moves()))
    ahead = env.position.clone()
    ahead.play(env.game.actions.parse(take))
    place = env.game.actions.text(int(ahead.legal_actions()[0]))
    env.step(f"I take and place.\nMoves:\n{take}\n{place}")
    assert env.decisions == 2 and env.invalid == 0
    assert split_moves("Why not a?\nMove: a\nno.\nMove: b\n\nMove: c\nd") == ["b", "c", "d"]
    text = env.step(f"{next(iter(env.legal_moves()))}\nnonsense")
    assert text.startswith("Played 1 of 2 moves: 'nonsense'") and env.invalid == 0


def test_a_reply_is_played_until_the_others_move() -> None:
    """What was written before an opponent's turn is not played behind it; what came of all that was played is told."""
    env = TextEnv("push_of_faith", seat=0, whole_turns=True)
    env.reset(seed=1)
    turn = ["push N to a", "place at c3 turned 0"]
    text = env.step("\n".join([*turn, "push N to c", "place at c2 turned 0"]))
    assert text.startswith("Played 2 of 4 moves: the others have moved.\n\nYou are player 1.")
    assert (env.decisions, env.invalid, env._in_a_row) == (2, 0, 0)
    assert {int(env.position.states[k].actor) for k in range(2, env.position.now)} == {1}
    told = text.partition("Since your last move:\n")[2].partition("\n\n")[0]
    assert told.startswith("  You take the tile") and "\nYou: place at c3" in told and "\nPlayer 2: push" in told
    env.undo()
    assert env.position.now == 1
    assert "Played" not in env.step(turn[1]), "all was played"


def test_a_reply_ends_where_others_decide_within_the_own_turn() -> None:
    """As in Innovation, where a card may ask another seat, and then the first again."""
    env = TextEnv("innovation", seat=0, whole_turns=True, moves="hidden", rules=False)
    stopped = within = 0
    for deal in range(8):
        env.reset(seed=deal)
        while not env.over and env.decisions < 60:
            begun = env.position.now
            moves = list(env.legal_moves())
            text = env.step(f"{moves[-1]}\nnonsense")
            states, now = env.position.states, env.position.now
            others = any(int(states[k].actor) for k in range(begun, now))
            if not env.over:
                assert text.startswith("Played 1 of 2 moves: " + ("the others" if others else "'nonsense'"))
                stopped += others
                within += others and int(states[begun].turn) == int(states[now].turn) == 0 and now - begun < 6
    assert stopped and within


def test_hidden_moves_are_not_listed() -> None:
    env = TextEnv("push_of_faith", seat=0, moves="hidden")
    assert "push N to a" not in env.reset(seed=1)
    assert "Legal moves" not in env.step("nonsense")


@pytest.mark.parametrize(
    "arguments", [{"moves": "all"}, {"after_tries": "cry"}, *({"tries": n} for n in (0, "3", 2.5, True))]
)
def test_arguments_that_it_does_not_take(arguments: dict) -> None:
    with pytest.raises(OptionError, match=next(iter(arguments))):
        TextEnv("push_of_faith", **arguments)


@pytest.mark.parametrize(
    "what", ["seat", "position", "view", "undo", "legal_moves", "since_last_move", "result", "result_text"]
)
def test_nothing_is_told_before_the_first_game(what: str) -> None:
    with pytest.raises(RuntimeError, match=rf"call reset\(\) before {what}: no game was begun"):
        getattr(TextEnv("push_of_faith"), what)()


def test_nothing_is_played_before_the_first_game() -> None:
    for game in (TextEnv("push_of_faith"), Turns("push_of_faith")):
        with pytest.raises(RuntimeError, match=r"no game is running: call reset\(\)"):
            game.step("Move: push N to a")


@pytest.mark.parametrize("name", GAMES)
def test_no_text_depends_on_what_the_seat_cannot_know(name: str) -> None:
    """The same text comes of every position that the seat holds possible."""
    env, rng = TextEnv(name, seat=0), np.random.default_rng(5)
    env.reset(seed=5)
    for step in range(60):
        if env.over:
            break
        if step % 6 == 0:
            text, truth = env.view(), env.position
            for k in range(3):
                other = truth.clone()
                other.resample(env.seat, np.array([k + 1], np.uint64))
                shown = env.game.spec.render_text(env.game, other.g, env.seat)
                assert shown.rstrip() in text
                assert {env.game.actions.text(int(a)) for a in other.legal_actions()} == set(env.legal_moves())
        env.step(rng.choice(list(env.legal_moves())))
    assert env.decisions > 5


@pytest.mark.parametrize("arguments", [{"brief": True}, {"rules": False}])
def test_the_notation_is_told_where_moves_are_hidden(arguments: dict[str, Any]) -> None:
    """Without the table of examples nobody could write one."""
    env = TextEnv("push_of_faith", seat=0, moves="hidden", **arguments)
    text = env.reset(seed=1)
    assert "`push E to 3`" in text and "in the notation of the examples" in text
    assert ("**§5.1" in text) == env.rules


def test_how_to_mark_several_moves_is_told_as_they_are_read() -> None:
    env = TextEnv("push_of_faith", seat=0, whole_turns=True, marked=True, rules=False)
    assert "Put the moves behind `Moves:`, at the end: nothing else of a reply is played." in env.reset(seed=3)
    take = next(iter(env.legal_moves()))
    env.step(f"First this, then that.\nMoves:\n{take}\nplace at c3 turned 0")
    assert (env.decisions, env.invalid) == (2, 0)


def test_a_single_legal_move_is_played_without_asking() -> None:
    """It is told with what came of it; the same moves are played as by a reader who is asked."""
    asked = TextEnv("orbis", seat=0, opponents="greedy")
    alone = TextEnv("orbis", seat=0, opponents="greedy", forced=True)
    texts = [env.reset(seed=8) for env in (asked, alone)]
    single = told = 0
    while not alone.over and alone.decisions < 60:
        assert len(alone.legal_moves()) > 1
        move = next(iter(alone.legal_moves()))
        texts.append(alone.step(move))
        told += "\nYou: " in texts[-1]
        asked.step(move)
        while not asked.over and len(asked.legal_moves()) == 1:
            single += 1
            asked.step(next(iter(asked.legal_moves())))
        assert asked.position.key() == alone.position.key()
    assert single and told and alone.decisions + single == asked.decisions


@pytest.mark.parametrize("name", ["orbis", "god_of_war"])
def test_undo_goes_back_behind_what_was_played_unasked(name: str) -> None:
    """To the decision that the reader took last, as it was."""
    env = TextEnv(name, seat=0, forced=True)
    env.reset(seed=8)
    behind = 0
    while not env.over and env.decisions < 40:
        before, now = env.position.key(), env.position.now
        move = next(iter(env.legal_moves()))
        env.step(move)
        if env.over:
            break
        behind += len([k for k in range(now + 1, env.position.now) if int(env.position.states[k].actor) == 0])
        env.undo()
        assert env.position.key() == before and len(env.legal_moves()) > 1
        env.step(move)
    assert behind, "something was played unasked"
    while env.position.now > now:
        env.undo()
    assert env.position.key() == before


def test_the_table_at_the_end_stands_in_columns() -> None:
    """Also in a game that says nothing above it."""
    env = TextEnv("push_of_faith", seat=0, rules=False, moves="numbered")
    text = env.reset(seed=2)
    while not env.over:
        text = env.step("1")
    head, counts = next(
        pair for pair in zip(text.splitlines(), text.splitlines()[1:], strict=False) if pair[1].startswith("counts")
    )
    starts = [found.start() for found in re.finditer(r"\S+", counts)]
    assert [head.index(name) for name in ("you", "player 2")] == starts[1:]
