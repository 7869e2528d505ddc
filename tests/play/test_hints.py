"""Hints: from what the seat knows, in a measure that differs from action to action, with what may follow."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from bluff.game import SPEC as BLUFF

from theogony.envs import load
from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position
from theogony.play.hints import Adviser

pytestmark = pytest.mark.slow

MEASURES = [("push_of_faith", 2, "lead"), ("orbis", 3, "place"), ("innovation", 2, "odds"), ("god_of_war", 1, "choice")]


def positions(name: str, players: int) -> list[Position]:
    """Positions of a greedy game in which there is something to choose."""
    position = Position(load(name).configure({"players": players}), 4)
    greedy, stream = KernelPlay(position.game), np.array([4], np.uint64)
    found = []
    while not position.over and len(found) < 8:
        if len(position.legal_actions()) > 2:
            found.append(position.clone())
        for _ in range(3):
            if not position.over:
                position.play(greedy.choose(position, 1.0, stream))
    return found


@pytest.mark.parametrize(("name", "players", "measure"), MEASURES)
def test_hints_compare_actions_and_say_where_they_lead(name: str, players: int, measure: str) -> None:
    looked = positions(name, players)
    adviser, rng, differ, led = Adviser(looked[0].game), np.random.default_rng(1), 0, 0
    for position in looked:
        key = position.key()
        hint = adviser.look(position, rng)
        assert hint.measure == measure and position.key() == key
        legal = set(map(int, position.legal_actions()))
        assert {option.action for option in hint.options} <= legal and len(hint.options) > 1 and hint.why
        known = [option.expected for option in hint.options if option.expected is not None]
        worst_first = measure == "place"
        assert known == sorted(known, reverse=not worst_first), "best first"
        assert hint.options[len(known) :] == [option for option in hint.options if option.expected is None]
        differ += len(set(known)) > 1
        led += any(option.leads for option in hint.options)
    assert differ > len(looked) / 2 and led > len(looked) / 2


def test_plans_give_the_hints_of_terra_mystica() -> None:
    """Once the board is laid out, what a plan begins with leads to further decisions of the seat."""
    looked = positions("terra_mystica", 4)
    adviser, rng = Adviser(looked[0].game), np.random.default_rng(1)
    hints = [adviser.look(position, rng) for position in looked if int(position.g.round_number)]
    assert adviser.measure == "points" and len(hints) > 1
    assert any("perhaps then you: " in option.leads for hint in hints for option in hint.options)


def test_a_game_without_a_trained_agent_has_hints_as_well() -> None:
    position = Position(BLUFF.configure({}), 1)
    hint = Adviser(position.game).look(position, np.random.default_rng(1))
    assert hint.measure == "odds" and hint.options[0].expected is not None


def test_a_single_action_needs_no_search() -> None:
    position = Position(load("god_of_war").configure({"players": 2}), 4)
    greedy, stream = KernelPlay(position.game), np.array([4], np.uint64)
    while len(position.legal_actions()) > 1:
        position.play(greedy.choose(position, 1.0, stream))
    hint = Adviser(position.game).look(position, np.random.default_rng(0))
    assert [option.action for option in hint.options] == position.legal_actions().tolist() != []
    assert hint.why == "There is no other action."


def test_bots_play_while_another_thread_imports_torch() -> None:
    """Hints are prepared beside the bots; a half imported torch is not asked for its threads."""
    code = (
        "import threading\n"
        "from theogony.training.players.threads import one_thread\n"
        "thread = threading.Thread(target=__import__, args=('torch',))\n"
        "thread.start()\n"
        "while thread.is_alive():\n"
        "    with one_thread():\n"
        "        pass\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
