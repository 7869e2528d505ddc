"""What a part of a soak depends on, as a digest: so that what has run is done again when, and only when, that changes.

A part of a game depends on the compiled rules that it plays, on the pieces, and on how strict the checks are
(`CHECKS`). What reads files and kills runs depends on the version of the project.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import plenty
from checked_play import CHECKS
from numba.core.dispatcher import Dispatcher

import theogony
from theogony.envs import load
from theogony.envs.core.compile.digest import digest
from theogony.envs.core.conformance import explore
from theogony.envs.core.conformance.base import cases
from theogony.envs.core.conformance.seeker_kernels import seeker_kernels
from theogony.envs.core.game import GameSpec
from theogony.envs.core.kernels import kernels

HERE = Path(__file__).resolve().parent
BREAKING = ("changes.py", "damage.py", "kills.py", "kills.yaml", "kinds.py", "moments.py", "ready.py")  # of this folder


def _content(kernel: Any) -> bytes:
    """Of a kernel and all that it calls; interpreted ones, in tests of the soak, are not told apart."""
    return digest(kernel) if isinstance(kernel, Dispatcher) else b"interpreted"


def _rules(*names: str) -> Callable[[GameSpec], Iterator[bytes]]:
    """Rules under their names in `kernels`, and those by which every game is played and looked at."""

    def found(spec: GameSpec) -> Iterator[bytes]:
        yield f"checks {CHECKS}".encode()
        yield from map(_content, (spec.legal, spec.observe))
        yield from (_content(getattr(kernels(spec), name)) for name in ("setup", "advance", *names))

    return found


def _hidden(spec: GameSpec) -> Iterator[bytes]:
    """The texts are written in Python."""
    yield from _rules("redraw")(spec)
    yield inspect.getsource(inspect.getmodule(spec.render_text) or spec.render_text).encode()


def _sought(spec: GameSpec) -> Iterator[bytes]:
    yield _content(seeker_kernels(spec).roam)
    yield from (inspect.getsource(module).encode() for module in (explore, plenty))


USED: dict[str, Callable[[GameSpec], Iterator[bytes]]] = {
    "play": _rules("rewards"),
    "bounds": _rules("rewards"),
    "hidden": _hidden,
    "masks": _rules("step"),
    "seek": _sought,
    "once": _sought,
}


@functools.cache
def part_digest(kind: str, game: str) -> str:
    """12 hexadecimal digits of all that decides what a part of a kind finds, in a game or (without one) the project."""
    hasher = hashlib.sha256()
    for content in _of_game(kind, game) if game else _of_project():
        hasher.update(content)
    return hasher.hexdigest()[:12]


def _of_game(kind: str, name: str) -> Iterator[bytes]:
    spec = load(name)
    for case in cases(spec, 1, 0):
        game = case.game
        yield f"{case.name} {game.component_digest} {game.state} {game.features.dtype} {game.tables.dtype}".encode()
        yield game.tables.tobytes()
    yield from USED[kind](spec)


def _of_project() -> Iterator[bytes]:
    """What reads files and learns changes with nearly every commit: it is due for each version."""
    yield theogony.__version__.encode()
    yield from ((HERE / name).read_bytes() for name in BREAKING)
