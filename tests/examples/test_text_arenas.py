"""Adapters for arenas of language models: the same game and the same result through each interface."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from theogony.wrappers.text import TextEnv

EXAMPLES = Path(__file__).parents[2] / "examples"
ARENAS = ("verifiers", "openenv", "textarena")
ARGUMENTS: Any = {"moves": "numbered", "seat": 1, "opponents": "greedy", "tries": 2}


def module(name: str) -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / f"text_{name}.py"))


def reply(decision: int) -> str:
    """The fourth is no move at all."""
    return "I cannot decide." if decision == 3 else "Move: 2"


@pytest.fixture(scope="module")
def plain() -> tuple[list[str], dict[str, Any]]:
    """The texts and the result of the same game without an adapter."""
    env = TextEnv("push_of_faith", **ARGUMENTS)
    texts = [env.reset(5)]
    while not env.over:
        texts.append(env.step(reply(len(texts) - 1)))
    assert env.result()["invalid"] == 1
    return texts, env.result()


@pytest.mark.parametrize("name", ARENAS)
def test_an_adapter_is_short(name: str) -> None:
    assert len((EXAMPLES / f"text_{name}.py").read_text("utf-8").splitlines()) <= 60


def test_verifiers(plain: tuple[list[str], dict[str, Any]]) -> None:
    found = module("verifiers")
    env = found["GameEnv"]("push_of_faith", **ARGUMENTS)
    state = env.setup_state({"seed": 5})
    messages = list(state["prompt"])
    while not env.is_completed(messages, state):
        messages.append({"role": "assistant", "content": reply(len(messages) // 2)})
        answer, state = env.env_response(messages, state)
        messages += answer
    assert [message["content"] for message in messages if message["role"] == "user"] == plain[0]
    assert found["reward"](state) == plain[1]["reward"]


def test_openenv(plain: tuple[list[str], dict[str, Any]]) -> None:
    found = module("openenv")
    env = found["GameEnvironment"]("push_of_faith", **ARGUMENTS)
    seen = [env.reset(seed=5)]
    while not seen[-1].done:
        assert seen[-1].reward == 0 and not seen[-1].metadata
        seen.append(env.step(found["MoveAction"](reply(len(seen) - 1))))
    assert [observation.text for observation in seen] == plain[0]
    assert seen[-1].metadata == plain[1] == env.state and seen[-1].reward == plain[1]["reward"]


def test_textarena(plain: tuple[list[str], dict[str, Any]]) -> None:
    arena = module("textarena")["GameArena"]("push_of_faith", **ARGUMENTS)
    with pytest.raises(ValueError, match="one reads"):
        arena.reset(num_players=2)
    arena.reset(seed=5)
    texts, done = [arena.get_observation()[1]], False
    while not done:
        done, _ = arena.step(reply(len(texts) - 1))
        seat, text = arena.get_observation()
        assert seat == 1
        texts.append(text)
    assert texts == plain[0]
    assert arena.close() == ({1: plain[1]["reward"]}, {1: plain[1]})
