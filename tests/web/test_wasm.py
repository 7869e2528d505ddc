"""Rules as WebAssembly play as Numba does, to the last bit; what does not fit is refused in one line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from theogony.envs.core.batches.kernels import batch_kernels
from theogony.envs.core.jit import SPARING
from theogony.envs.core.kernels import CALLED
from theogony.envs.core.portable.layouts import flat_kinds, flattened, kind_of, layout
from theogony.envs.core.registry import GAMES as REGISTERED
from theogony.envs.core.registry import load
from theogony.training.players.search import kernels as search

GAMES = str(Path(__file__).with_name("wasm_games.py"))
REFERENCE = Path(__file__).parents[3] / "shared" / "reference"
VERIFY = "import sys; from theogony.cli import app; app(sys.argv[1:])"
PARTS = ("positions", "searches", "batches")
Play = Callable[..., subprocess.CompletedProcess[str]]
SAID = "theogony: rules of push_of_faith are interpreted, some hundred times slower than compiled: "
HASH = """
from theogony.envs import load
from theogony.envs.core.position import Position
position = Position(load("push_of_faith").configure({"players": PLAYERS}), 7)
for _ in range(3):
    position.play(int(position.legal_actions()[0]))
print(position.hash())
"""


def hash_with(play: Play, folder: Path | None, players: int = 2) -> tuple[str, str]:
    """The hash of a position after three decisions, and what was said."""
    done = play(folder, "-c", HASH.replace("PLAYERS", str(players)))
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr.strip()


@pytest.mark.slow
def test_games_searches_and_batches_are_those_of_numba(modules: Path, play: Play) -> None:
    native = play(None, GAMES, "push_of_faith", "2", *PARTS)
    portable = play(modules, GAMES, "push_of_faith", "2", *PARTS)
    assert native.returncode == 0 and portable.returncode == 0, native.stderr + portable.stderr
    assert json.loads(native.stdout) == json.loads(portable.stdout)
    assert portable.stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(REGISTERED))
def test_searches_by_reference_players_are_those_of_numba(name: str, every_module: Path, play: Play) -> None:
    """Visits, and values to the last bit, of `mcts:64@reference`."""
    players = str(load(name).configure({}).players)
    native, portable = (play(where, GAMES, name, players, "positions", "guided") for where in (None, every_module))
    assert native.returncode == 0 and portable.returncode == 0, native.stderr + portable.stderr
    assert json.loads(native.stdout) == json.loads(portable.stdout)
    assert portable.stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["push_of_faith", "orbis", "terra_mystica", "god_of_war"])
def test_recordings_of_other_engines_are_equal(name: str, every_module: Path, play: Play) -> None:
    """One of each game whose positions are those of its module; `tools/web.py recordings` plays them all."""
    players = load(name).configure({}).players
    if not (recordings := sorted(REFERENCE.glob(f"{name}/*/{players}p*.jsonl.gz"))):
        pytest.skip("the reference material is not here")
    done = play(every_module, "-c", VERIFY, "verify", name, str(recordings[0]))
    assert "1 passed, 0 failed" in done.stdout, done.stdout + done.stderr
    assert "interpreted" not in done.stderr


@pytest.mark.slow
def test_a_module_is_for_its_layout_alone(modules: Path, play: Play) -> None:
    """Three players have other records: their rules are interpreted, and come to the same."""
    found, said = hash_with(play, modules, 3)
    assert found == hash_with(play, None, 3)[0]
    assert said == f"{SAID}no module is for positions of this layout; `theogony compile push_of_faith --wasm` builds it"


def damaged(folder: Path) -> str:
    path = next(folder.glob("*.wasm"))
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    return f"{path} is damaged: build it again with `theogony compile --wasm`"


def missing(folder: Path) -> str:
    path = next(folder.glob("*.wasm"))
    path.unlink()
    return str(path)


def of_other_rules(folder: Path) -> str:
    path = next(folder.glob("*.json"))
    path.write_text(json.dumps(json.loads(path.read_text()) | {"source": "0" * 16}))
    return f"{path.with_suffix('.wasm').name} was built from other rules"


def no_json(folder: Path) -> str:
    next(folder.glob("*.json")).write_text("[" * 100_000)
    return "no module is built"


@pytest.mark.slow
@pytest.mark.parametrize("damage", [damaged, missing, of_other_rules, no_json])
def test_what_does_not_fit_is_not_run(damage: Callable[[Path], str], modules: Path, play: Play, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(modules, tmp_path / "modules"))
    expected = damage(folder)
    found, said = hash_with(play, folder)
    assert found == hash_with(play, None)[0]
    assert said.startswith(SAID) and expected in said and len(said.splitlines()) == 1


@pytest.mark.slow
def test_stretches_that_overlap_and_errors(
    modules: Path, play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is copied over itself is right, often and without end; a kernel that fails says so."""
    monkeypatch.setenv("THEOGONY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("THEOGONY_PREBUILT", "")
    done = play(None, str(Path(GAMES).with_name("overlap.py")), str(tmp_path))
    assert done.returncode == 0, done.stderr
    items = [0] * 500 + list(range(1500))
    assert json.loads(done.stdout) == [items, sum(items), "a kernel failed with status 1"]


@pytest.mark.slow
def test_a_build_can_be_repeated(modules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes with other orders of sets, modules before and settings of Numba write the same bytes."""
    from theogony.web.modules import configured, run

    only, found = ("value", "score"), []
    for number, options in enumerate(([{"players": 3}], [{}, {"players": 3}])):
        monkeypatch.setenv("PYTHONHASHSEED", str(number))
        monkeypatch.setenv("NUMBA_BOUNDSCHECK", str(number))
        made = run([partial(configured, "push_of_faith", options)], tmp_path / str(number), 1, only=only)
        found.append((made[-1].name, made[-1].module, made[-1].about))
    assert found[0] == found[1]


def test_an_unknown_backend_is_refused() -> None:
    command, environment = (
        [sys.executable, "-c", "import theogony.envs.core.jit"],
        {**os.environ, "THEOGONY_BACKEND": "cuda"},
    )
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "THEOGONY_BACKEND=cuda: expected one of numba, wasm, python" in done.stderr


@pytest.mark.skipif(SPARING is None, reason="rules are not compiled")
def test_every_kernel_that_python_calls_is_built() -> None:
    from theogony.web.calls import calls

    game = load("push_of_faith").configure({})
    batch = set(vars(batch_kernels(game.spec))) - {"batch_play"}  # which a GPU alone is given
    assert set(calls(game)) == {*CALLED, *search.CALLED, *batch, "lookahead_scores", "plan"}


def test_arguments_as_machine_code_takes_them() -> None:
    array = np.zeros((2, 3), np.int16)
    arguments: tuple[Any, ...] = (array, (1, np.uint64(2**64 - 1)), 2.5, True)
    kinds = [kind_of(value) for value in arguments]
    flat = list(flattened(arguments, kinds, lambda array: 4096))
    assert flat == [0, 0, 6, 2, 4096, 2, 3, 6, 2, 1, -1, 2.5, 1]
    assert "".join(flat_kinds(kinds)) == "ppiip" + "iiii" + "ii" + "fb"


def test_a_layout_is_told_from_all_others() -> None:
    one = np.dtype([("a", "i2"), ("b", "u1", (2,))])
    others = ([("a", "i2"), ("b", "u1", (3,))], [("a", "u2"), ("b", "u1", (2,))], [("b", "u1", (2,)), ("a", "i2")])
    found = {layout(((np.dtype(fields), 1),)) for fields in others} | {layout(((one, 2),)), layout(((one, 1),))}
    assert len(found) == 5
    assert layout(((one, 1),)) == layout(((np.dtype((np.record, one)), 1),))
