"""`render_mode="human"`: people are shown every position, and each once."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

import theogony  # noqa: F401  (registers the ids of Gymnasium)
from theogony.envs import push_of_faith_v0
from theogony.envs.core.aec import GameEnv
from theogony.envs.core.draw import viewers
from theogony.envs.core.position import Position


def play(env: GameEnv, decisions: int, seed: int = 0) -> None:
    """Random legal decisions, stopping before the end of the game."""
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        mask = env.last()[0]["action_mask"]  # pyright: ignore[reportOptionalSubscript]
        env.step(int(rng.choice(np.flatnonzero(mask))))


class Shown:
    """A window that counts what it is shown."""

    def __init__(self, viewer: Any) -> None:
        self.keys: list[bytes] = []

    def show(self, position: Position) -> None:
        self.keys.append(position.key())

    def close(self) -> None:
        pass


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[Shown]:
    """The windows that are opened."""
    opened: list[Shown] = []

    def open_window(viewer: Any) -> Shown:
        opened.append(Shown(viewer))
        return opened[-1]

    monkeypatch.setattr(viewers, "open_window", open_window)
    return opened


def test_people_are_shown_every_position_once(windows: list[Shown]) -> None:
    env = push_of_faith_v0.env(render_mode="human")
    assert not windows
    env.reset(seed=1)
    keys = [env.key()]
    env.render()
    for _ in range(3):
        play(env, 1)
        env.render()
        keys.append(env.key())
    env.undo()
    (window,) = windows
    assert window.keys == [*keys, keys[2]]
    env.reset(seed=1)
    assert window.keys[-1] == keys[0]


def test_the_end_is_shown_and_dead_steps_are_not(windows: list[Shown]) -> None:
    env = push_of_faith_v0.env(render_mode="human", max_decisions=3)
    env.reset(seed=1)
    play(env, 3)
    while env.agents:
        env.step(None)
    assert len(windows[0].keys) == 4


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), GameEnv.clone])
def test_copies_show_nothing_until_they_are_asked_or_begin_anew(windows: list[Shown], copied: Any) -> None:
    env = push_of_faith_v0.env(render_mode="human")
    env.reset(seed=1)
    other = copied(env)
    play(other, 2)
    assert len(windows) == 1 and len(windows[0].keys) == 1
    other.render()
    assert windows[1].keys == [other.key()]
    other.reset(seed=2)
    play(other, 1)
    assert len(windows[1].keys) == 3


def test_gymnasium_shows_what_everybody_decides(windows: list[Shown]) -> None:
    env = gymnasium.make("theogony/PushOfFaith-v0", render_mode="human", seat=1)
    _, info = env.reset(seed=1)
    inner: Any = env.unwrapped
    assert len(windows[0].keys) == inner.env.position.now + 1 > 1
    env.step(int(info["action_mask"].argmax()))
    env.render()
    assert len(windows[0].keys) == inner.env.position.now + 1
