"""What whoever waits is told while rules are compiled."""

import io
import sys
from types import SimpleNamespace
from typing import Any

import numba
import pytest
from numba.core.event import Event, EventStatus

from theogony.envs.core.compile.progress import ERASE, Compiling
from theogony.envs.core.jit import INTERPRETED, rule

pytestmark = pytest.mark.skipif(INTERPRETED, reason="rules are not compiled")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def a_rule(x):
    return x


a_rule.__module__ = "theogony.envs.orbis.rules.turn"
OF_ORBIS: Any = rule(a_rule)


def compiling(listener: Compiling, dispatcher: Any, inner: int = 0) -> None:
    """As Numba tells: a rule is compiled, and before it is done, those that it calls."""
    start, end = (
        Event("numba:compile", status, {"dispatcher": dispatcher}) for status in (EventStatus.START, EventStatus.END)
    )
    listener.notify(start)
    for _ in range(inner):
        compiling(listener, dispatcher)
    listener.notify(end)


def test_a_terminal_shows_a_counter_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    listener = Compiling()
    compiling(listener, OF_ORBIS, inner=3)
    lines = sys.stderr.getvalue().split(ERASE)  # pyright: ignore[reportAttributeAccessIssue]
    assert [line.partition(" done")[0] for line in lines[1:-1]] == [
        f"theogony: compiling rules of orbis, {done}" for done in (0, 0, 1, 2)
    ]
    assert "`theogony compile` does it in advance" in lines[1]
    assert lines[-1] == ""
    assert listener.done == 4


def test_elsewhere_one_line_says_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    listener = Compiling()
    for _ in range(2):
        compiling(listener, OF_ORBIS, inner=3)
    assert sys.stderr.getvalue().count("\n") == 1  # pyright: ignore[reportAttributeAccessIssue]


def test_functions_that_are_no_rules_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    listener = Compiling()
    compiling(listener, numba.njit(lambda x: x))
    assert (listener.done, sys.stderr.getvalue()) == (0, "")  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("stream", [None, SimpleNamespace(isatty=lambda: False, write=lambda text: 0, flush=lambda: 0)])
def test_without_a_stderr_nothing_fails(monkeypatch: pytest.MonkeyPatch, stream: Any) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    compiling(Compiling(), OF_ORBIS)
