"""Stories of decisions: they tell what changed, in words of the vocabulary, and nothing that a viewer cannot know."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from theogony.envs import GAMES, load
from theogony.envs.core.position import Position
from theogony.envs.core.story import MOST, Told, gains, lines_of, since_own, told
from theogony.envs.innovation.actions import NAMES
from theogony.envs.innovation.state import cards_in
from theogony.envs.orbis import state as orbis
from theogony.envs.push_of_faith import state as push_of_faith
from theogony.play.seen import asked, moment
from theogony.wrappers.text import TextEnv

DECISIONS = 90
SEATS = {"god_of_war": 2}


def played(name: str, decisions: int = DECISIONS) -> Position:
    position = Position(load(name).configure({"players": SEATS.get(name, 3)}), 4)
    rng = np.random.default_rng(3)
    while not position.over and position.now < decisions:
        position.play(int(rng.choice(position.legal_actions())))
    return position


def redrawn(position: Position, k: int, seat: int, draw: int) -> np.ndarray:
    """The position after k decisions with everything drawn anew that the seat did not know then."""
    other = Position(position.game, 0)
    other.begin_at(position.states[k : k + 1].copy())
    other.resample(seat, np.array([draw], np.uint64))
    return other.g


@pytest.mark.parametrize("name", GAMES)
def test_a_story_holds_nothing_that_a_seat_cannot_know(name: str) -> None:
    """It is the same when what the seat did not know before and after is drawn anew, each on its own."""
    position = played(name)
    game, lines = position.game, 0
    for k in range(0, position.now, 2):
        for seat in range(game.players):
            before, after, action = position.states[k], position.states[k + 1], position.actions[k]
            own = told(game, before, action, after, seat)
            others = redrawn(position, k, seat, 2 * k + 1), redrawn(position, k + 1, seat, 2 * k + 2)
            assert told(game, others[0], action, others[1], seat).story == own.story, f"seat {seat}, decision {k}"
            lines += len(own.story)
    assert lines > 40


@pytest.mark.parametrize(
    ("name", "decisions", "ways"),
    [
        (
            "orbis",
            (orbis.PAY, orbis.FINISH),
            {"keep the tile": "face up", "exchange": "exchange", "wilderness": "wilderness", "discard": "discard",
             "end the turn": "end turn"},
        ),
        ("push_of_faith", (push_of_faith.TAKE,), {"or use your token": "token", "push a line": "push"}),
    ],
)  # fmt: skip
def test_a_question_names_all_that_is_legal_and_nothing_else(name: str, decisions: tuple, ways: dict[str, str]) -> None:
    seen = {kind: Counter[bool]() for kind in ways.values()}
    for seed in range(3):
        position, rng = Position(load(name).configure({"players": 2}), seed), np.random.default_rng(seed)
        while not position.over:
            if int(position.g.decision) in decisions:
                question = asked(moment(position, position.now)).lower()
                kinds = {position.game.actions.decode(int(action))[0] for action in position.legal_actions()}
                for said, kind in ways.items():
                    assert (said in question) == (kind in kinds), f"{question}: {kinds}"
                    seen[kind][kind in kinds] += 1
            position.play(int(rng.choice(position.legal_actions())))
    assert all(seen[kind][True] for kind in seen) and any(seen[kind][False] for kind in seen)


@pytest.mark.parametrize("name", GAMES)
def test_a_story_speaks_the_words_of_the_vocabulary(name: str) -> None:
    position = played(name, 250)
    game = position.game
    spoken = [
        told(game, position.states[k], position.actions[k], position.states[k + 1], "all") for k in range(position.now)
    ]
    for one in spoken:
        for line in (one.text, *one.story):
            assert not game.vocabulary.unknown(line), line
        assert all(line.endswith(".") for line in one.story), one.story
    assert sum(len(one.story) for one in spoken) > position.now / 3


def test_a_card_is_named_to_those_alone_who_know_where_it_is() -> None:
    position = played("innovation", 200)
    named = hidden = 0
    for k in range(position.now):
        for seat in range(3):
            before, after = position.states[k : k + 1][0], position.states[k + 1 : k + 2][0]
            story = " ".join(told(position.game, before, position.actions[k], after, seat).story)
            known = {NAMES[card] for g in (before, after) for card in cards_in(g["known"][seat])}
            for name in re.findall(r"([A-Z][\w .'-]+?) \(\d+ [a-z]+\)", story):
                assert name.removeprefix("and ") in known or any(name.endswith(one) for one in known), story
                named += 1
            hidden += "a card of value" in story
    assert named > 100 and hidden > 20


def test_enemies_and_their_runes_are_told() -> None:
    """God of War: what a revealed rune makes enemies do, whom they attack, and what it cost."""
    position = played("god_of_war", 250)
    said = "\n".join(
        line
        for k in range(position.now)
        for line in told(position.game, position.states[k], position.actions[k], position.states[k + 1], None).story
    )
    for wanted in (
        r"Rune (Gebo|Fehu|Tiwaz|Algiz): \S",
        r" attacks \w+: (melee|ranged) \d",
        r"loses \d+ health, \d+ of \d+ left",
    ):
        assert re.search(wanted, said), wanted


def test_lines_since_the_last_own_move() -> None:
    happened = [Told(0, "draw", ["You draw."]), Told(1, "wait", []), Told(1, "meld", ["It melds."])]
    assert lines_of(happened, 0) == ["  You draw.", "Player 2: wait", "Player 2: meld", "  It melds."]
    assert len(lines_of([Told(1, "wait", [])] * 100, 0)) == MOST + 1
    assert gains({"coins": 3, "workers": 2}, {"coins": 5, "workers": 1, "priests": 0}) == "+2 coins, -1 worker"


def test_a_reader_is_told_what_happened_and_why_it_ended() -> None:
    env = TextEnv("push_of_faith", seat=0, opponents="random", rules=False)
    text = env.reset(seed=5)
    assert "Since your last move" not in text
    env.step(next(iter(env.legal_moves())))
    text = env.step(next(iter(env.legal_moves())))
    head = text.index("Since your last move:")
    assert head < text.index("Push of Faith, turn") and "\nPlayer 2: p" in text and "Player 2 takes the tile" in text
    others = [one for one in since_own(env.position, 0) if one.seat == 1]
    assert len(others) == 2  # a tile taken and placed
    while not env.over:
        text = env.step(next(iter(env.legal_moves())))
    for seat in range(2):
        assert f"{env.position.scores()[seat]:g}" in text.splitlines()[-1]
    assert "group × statues" in text and "player 2" in text


def test_god_of_war_says_who_acts_by_what_and_why_nothing_came_of_it() -> None:
    """Interactions by their names, heroes by theirs; an attack that breaks no armour and takes no health says so."""
    weak = named = 0
    for seed in range(6):
        position, rng = Position(load("god_of_war").configure({"players": 2}), seed), np.random.default_rng(seed)
        while not position.over and position.now < 250:
            position.play(int(rng.choice(position.legal_actions())))
        for k in range(position.now):
            before, action, after = position.states[k], position.actions[k], position.states[k + 1]
            one = told(position.game, before, action, after, 0)
            assert "the hero" not in one.text and ", box " not in one.text
            named += position.game.actions.decode(action)[0] == "interact"
            for line in one.story:
                if "too weak for the armour" in line or "armour that is left" in line:
                    weak += 1
                    assert before.armour.any() and after.armour.any()
    assert weak and named
