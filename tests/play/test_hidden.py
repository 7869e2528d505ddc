"""What a viewer is shown depends on nothing that the viewer cannot know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from theogony.envs import GAMES, load
from theogony.envs.core.position import Position
from theogony.envs.innovation.actions import NAMES
from theogony.envs.innovation.components import COLOURS
from theogony.play.film import Film, film_of
from theogony.play.replay import film_data
from theogony.play.seen import Moment, Viewer, frame, moment, move

EVERY = 18  # decisions between two looks
DECISIONS = 72
SEED = 987_654_321_987_654


def played(game: str, players: int, decisions: int = DECISIONS) -> Position:
    """A random game, so far."""
    position, rng = Position(load(game).configure({"players": players}), SEED), np.random.default_rng(5)
    while not position.over and position.now < decisions:
        position.play(int(rng.choice(position.legal_actions())))
    return position


def alternatives(position: Position, seat: int, k: int) -> Iterator[Position]:
    """The position after k decisions, and two others that the seat holds possible."""
    for draw in range(3):
        other = Position(position.game, 0)
        other.begin_at(position.states[k : k + 1].copy())
        if draw:
            other.resample(seat, np.array([draw], np.uint64))
        yield other


@pytest.mark.parametrize("game", GAMES)
def test_frames(game: str) -> None:
    position = played(game, 2 if game == "god_of_war" else 3)
    for k in range(0, position.now + 1, EVERY):
        for seat in range(position.game.players):
            shown = [frame(moment(other, 0), seat, clickable=True) for other in alternatives(position, seat, k)]
            assert shown[1] == shown[0] and shown[2] == shown[0], f"seat {seat} after {k} decisions"
            if shown[0]["actor"] != seat:
                assert shown[0]["choices"] == [] and "data-actions" not in shown[0]["svg"]


def test_nobody_but_the_seat_that_decides_sees_what_is_legal() -> None:
    position = played("push_of_faith", 3, 7)
    at = moment(position, position.now)
    for who in (None, *range(3)):
        shown = frame(at, who, clickable=True)
        assert bool(shown["choices"]) == ("data-actions" in shown["svg"]) == (who == position.actor)


def redrawn(film: Film, seat: int) -> Film:
    """The same game with everything drawn anew that the seat did not know at each moment."""
    states = film.states.copy()
    for k in range(len(film)):
        position = film.position(k)
        position.resample(seat, np.array([k + 1], np.uint64))
        states[k : k + 1] = position.states[:1]
    return Film(film.game, states, film.actions, film.names)


@pytest.mark.parametrize(("game", "players"), [("push_of_faith", 3), ("innovation", 2), ("orbis", 2)])
def test_the_page_of_a_seat(game: str, players: int) -> None:
    """All that is in the file but words of decisions, which have a test of their own."""
    film = film_of(played(game, players, 12))
    for seat in range(players):
        other = redrawn(film, seat)
        assert (other.states != film.states).any()
        pages: list[dict[str, Any]] = [film_data(one, [seat], None) for one in (film, other)]
        for page in pages:
            del page["moves"]
        assert pages[0] == pages[1]
        assert str(film.seed) not in str(pages[0])


def last_line(at: Moment, who: Viewer) -> str:
    """What the picture of a moment tells of the last decision."""
    lines = [node.text or "" for node in ET.fromstring(frame(at, who)["svg"]).iter() if node.tag.endswith("}text")]
    (last,) = [line for line in lines if line.startswith("Last: ")]
    return last


@pytest.mark.parametrize("game", GAMES)
def test_the_last_decision_is_told_in_the_picture(game: str) -> None:
    """To all in the words of the log; who made it is told to be you."""
    position = played(game, 2, 12)
    assert "Last: " not in frame(moment(position, 0), 0)["svg"]
    for k in range(1, position.now + 1):
        at = moment(position, k)
        seat = int(position.states[k - 1].actor)
        for who, name in ((seat, "You"), (1 - seat, f"Player {seat + 1}"), (None, f"Player {seat + 1}")):
            told = move(at, who)
            assert told is not None and last_line(at, who) == f"Last: {name}: {told['text']}"


def named_cards(text: str) -> str | None:
    """The card that an action of Innovation names."""
    for before in ("meld ", "begin with ", "choose "):
        if text.startswith(before) and text.removeprefix(before) in NAMES:
            return text.removeprefix(before)
    return None


@pytest.mark.slow
def test_others_learn_of_a_card_only_what_they_see() -> None:
    """Innovation: a card is named to those alone who know where it is afterwards, and first melds to nobody."""
    position = played("innovation", 3, 160)
    secret = open_ = 0
    for k in range(1, position.now + 1):
        at = moment(position, k)
        own = move(at, int(position.states[k - 1].actor))
        before = int(position.states[k - 1].decision)
        said = position.game.vocabulary.say(position.game.actions, position.actions[k - 1], before)
        if said.startswith("use the "):  # a card that lies open on top of the player's own pile
            _, (colour,) = position.game.actions.decode(position.actions[k - 1])
            top = position.states[k - 1].top[own["seat"] * 5 + COLOURS.index(str(colour))] if own else -1
            said = f"use {position.game.components['cards'][int(top)]['name']} ({colour})"
        stopping = {said, "choose no card"} if said == "no more cards" else {said}  # where none is chosen yet
        assert own and own["text"] in stopping
        for who in (None, *(seat for seat in range(3) if seat != own["seat"])):
            told = move(at, who)
            assert told is not None
            assert last_line(at, who) == f"Last: Player {own['seat'] + 1}: {told['text']}"
            name = named_cards(told["text"])
            if name is None:
                secret += named_cards(own["text"]) is not None
                continue
            open_ += 1
            shown = at.game.spec.render_svg(at.game, at.g, who)
            action = position.actions[k - 1]
            seats = range(3) if who is None else [who]
            assert all(int(at.g.known[seat][action >> 6]) >> (action & 63) & 1 for seat in seats)
            assert shown
    assert secret > 20 and open_ > 20
    melds = [move(moment(position, k), None) for k in range(1, 3)]
    assert [meld and meld["text"] for meld in melds] == ["a card", "a card"]
