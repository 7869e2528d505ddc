"""The modules of all layouts of games, built and written into a folder."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from theogony.envs.core.game import Game
from theogony.envs.core.portable.layouts import arrays_in, kind_of, layout
from theogony.envs.core.portable.modules import FORMAT, source_digest
from theogony.envs.core.registry import load
from theogony.envs.core.untrusted.files import replace_file
from theogony.precompile import each_alone, layouts
from theogony.web.link import linker

NUMBA = {  # whatever the environment says otherwise: two builds give the same bytes
    "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_BOUNDSCHECK": "0", "NUMBA_DEBUGINFO": "0",
    "THEOGONY_PREBUILT": "", "THEOGONY_BACKEND": "numba",
}  # fmt: skip


class Built(NamedTuple):
    """A module in memory."""

    game: str
    name: str  # of its file, without the ending
    module: bytes
    about: dict[str, Any]  # what stands in the JSON file beside it

    def write(self, folder: Path) -> None:
        """Write the module, and then what says that it is there."""
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / f"{self.name}.wasm", self.module)
        replace_file(folder / f"{self.name}.json", json.dumps(self.about, indent=1).encode() + b"\n")


def build(game: Game, only: Collection[str] = ()) -> Built:
    """The module for the layout of one game, with all kernels or `only` these. To be called after
    `emit.portable_code`."""
    from theogony.web.calls import calls
    from theogony.web.emit import emit
    from theogony.web.link import link

    wanted = {name: call for name, call in calls(game).items() if not only or name in only}
    emitted = emit(wanted)
    module = link(emitted.code, wanted)
    kernels = {}
    for name, call in wanted.items():
        arrays = tuple((array.dtype, array.ndim) for array in arrays_in(call.arguments))
        kinds = [kind_of(value) for value in call.arguments]
        kernels[name] = {"layout": layout(arrays), "arguments": kinds, "returns": emitted.returns[name]}
    about = {
        "format": FORMAT,
        "game": game.spec.name,
        "players": game.players,
        "source": source_digest(game.spec.name),
        "sha256": hashlib.sha256(module).hexdigest(),
        "kernels": kernels,
    }
    return Built(game.spec.name, name_of(game), module, about)


def name_of(game: Game) -> str:
    """The name of the module of a game: with a digest of its records, since one module is for all options that leave
    these as they are."""
    masks = (game.features.dtype, game.actions.size)
    return f"{game.spec.name}-{layout(((game.state, 1), (game.tables.dtype, 1), masks))}"


def configured(name: str, options: Sequence[dict[str, Any]] = ()) -> list[Game]:
    """A game with each of these options, by default in all its layouts."""
    return [load(name).configure(given) for given in options or layouts(load(name))]


def build_all(games: Callable[[], Iterable[Game]], only: Collection[str] = ()) -> list[Built]:
    """The modules of these games, in a process that does nothing else."""
    from theogony.envs.core.compile.progress import COMPILING
    from theogony.web.emit import portable_code

    COMPILING.quiet = True
    portable_code()
    return [build(game, only) for game in games()]


def run(
    wanted: Sequence[Callable[[], Iterable[Game]]],
    folder: Path,
    jobs: int,
    say: Callable[[int, int, str], None] = lambda done, of, name: None,
    only: Collection[str] = (),
) -> list[Built]:
    """Build modules into a folder: all of one entry of `wanted` in a process of its own, so many at once.

    An entry is a function of a module, or a partial of one: see `configured`. `say` is told how many entries are done,
    of how many, and which game was the last. `only` names kernels; without it all are built. Raises LinkError.
    """
    linker()
    made: list[Built] = []
    with tempfile.TemporaryDirectory() as cache, environment({**NUMBA, "THEOGONY_CACHE_DIR": cache}):
        for done, found in enumerate(each_alone(jobs, build_all, [(games, only) for games in wanted]), 1):
            for built in found:
                built.write(folder)
            made += found
            say(done, len(wanted), made[-1].game)
    return made


@contextlib.contextmanager
def environment(variables: dict[str, str]) -> Iterator[None]:
    """These variables, for the processes that are started meanwhile."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            del os.environ[name]
            os.environ |= {} if value is None else {name: value}
