"""Positions to try the rules on."""

import copy
import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from theogony.envs.core.position import Position
from theogony.envs.push_of_faith.game import SPEC
from theogony.verification.push_of_faith import (
    ACTIONS,
    KINDS,
    RecordingHeader,
    events,
    position_json,
    result_json,
    set_up,
)

DATA = Path(__file__).parent / "data"

NewPosition = Callable[..., Position]


@pytest.fixture
def new() -> NewPosition:
    """`new(players=3, seed=1, refill="choose", components=...)`: the start of a game."""

    def make(players: int = 2, seed: int = 0, components: Any = None, **options: Any) -> Position:
        return Position(SPEC.configure({"players": players, **options}, components), seed)

    return make


@pytest.fixture
def play() -> Callable[..., Position]:
    """`play(position, decisions, seed)`: go on at random, by default to the end."""

    def go_on(position: Position, decisions: int = 1_000, seed: int = 0) -> Position:
        generator = np.random.default_rng(seed)
        while not position.over and decisions > 0:
            position.play(generator.choice(position.legal_actions()))
            decisions -= 1
        return position

    return go_on


# ---------------------------------------------------------------------------------------------------- recordings

GAMES = {game["header"]["id"]: game for game in json.loads((DATA / "games.json").read_text())}
Line = dict[str, Any]


def expand(game: Line) -> list[Line]:
    """A condensed recording (see `condense.py`) line by line: setup and actions are recorded, we compute the rest."""
    header = RecordingHeader.model_validate({**game["header"], "state": {}})
    options = {"players": header.players, **header.options.model_dump()}
    position = Position(SPEC.configure(options), 0)
    set_up(header.start, position)
    lines = [{**game["header"], "state": position_json(position)}]
    for step, text in enumerate(game["actions"]):
        action = position.game.actions.parse(text)
        legal = [ACTIONS[a] for a in position.legal_actions()]
        line: Line = {"record": "step", "step": step, "seat": position.actor}
        line |= {
            "kind": KINDS[position.g.decision],
            "action": ACTIONS[action],
            "legal": legal,
        }
        before = position.states[position.now : position.now + 1].copy()[0]
        position.play(action)
        line["events"] = events(before, position.g)
        lines.append({**line, "state": position_json(position)})
    return [*lines, {"record": "end", "steps": len(game["actions"]), **result_json(position)}]


@pytest.fixture(params=GAMES)
def condensed(request: pytest.FixtureRequest) -> Line:
    """One after another, the recordings kept here."""
    return GAMES[request.param]


@pytest.fixture
def expanded() -> Callable[[Line], list[Line]]:
    """The whole recording of a condensed one."""
    return expand


@pytest.fixture
def short_recording() -> list[Line]:
    """A whole recording of a two-player game, to be damaged."""
    return copy.deepcopy(_expanded("2p_01"))


@functools.cache
def _expanded(name: str) -> list[Line]:
    return expand(GAMES[name])
