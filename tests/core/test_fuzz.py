"""Readers given damaged data: one clear line, or something that can be played. THEOGONY_FUZZ=100 tries more."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzzing import changed
from hypothesis import given, settings
from hypothesis import strategies as st

from theogony.envs import GAMES, load
from theogony.envs.core.batch import Batch
from theogony.envs.core.game import ComponentError
from theogony.envs.core.gamerecord import RecordError, read_record, write_record
from theogony.envs.core.position import Position
from theogony.envs.core.record import from_bytes
from theogony.envs.core.untrusted.outside import read_arrays
from theogony.envs.core.untrusted.ranges import first_out_of_range, state_ranges
from theogony.envs.core.verify import RecordingError, read_lines

BUDGET = int(os.environ.get("THEOGONY_FUZZ", "1"))
FUZZING = Path(__file__).parents[1] / "fuzzing.py"
few = settings(deadline=None, max_examples=40 * BUDGET)
changes = st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 255)), min_size=1, max_size=4)


def json_bytes(data: Any) -> bytes:
    return json.dumps(data).encode()


def damaged(content: bytes, where: list[tuple[float, int]], left: float) -> bytes:
    """Content with some bytes changed, and cut off."""
    found = bytearray(content)
    for place, value in where:
        found[int(place * len(found))] = value
    return bytes(found[: int(left * len(found)) + 1])


@cache
def record(name: str) -> bytes:
    """A record of a game with components of its own, as far as the game takes some."""
    spec = load(name)
    components = None if spec.check_components is None else spec.configure().components
    position = Position(spec.configure(None, components), 3)
    for _ in range(30):
        position.play(int(position.legal_actions()[-1]))
    path = Path(os.environ.get("PYTEST_TMP", "/tmp")) / f"fuzz-{os.getpid()}.jsonl"
    try:
        write_record(position, path)
        return path.read_bytes()
    finally:
        path.unlink(missing_ok=True)


def read_or_refuse(content: bytes, folder: Path) -> None:
    path = folder / "game.jsonl"
    path.write_bytes(content)
    try:
        position = read_record(path)
    except RecordError as error:
        assert str(error).startswith(f"{path}: ") and str(error).isprintable()
    else:
        assert position.now == 30


@few
@given(where=changes, left=st.just(1.0) | st.floats(0, 1))
def test_damaged_records(where: Any, left: float, tmp_path_factory: pytest.TempPathFactory) -> None:
    read_or_refuse(damaged(record("push_of_faith"), where, left), tmp_path_factory.getbasetemp())


@few
@given(seed=st.integers(0, 10**9))
def test_changed_records(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    lines = [json.loads(line) for line in record("push_of_faith").splitlines()]
    content = "\n".join(json.dumps(line) for line in changed(lines, random.Random(seed))).encode()
    read_or_refuse(content, tmp_path_factory.getbasetemp())


@few
@given(
    st.binary(max_size=200) | st.recursive(st.integers() | st.text(), st.lists).map(lambda d: json.dumps(d).encode())
)
def test_lines_of_recordings(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "lines.jsonl"
    path.write_bytes(content)
    try:
        assert all(isinstance(line, dict) for line in read_lines(path))
    except RecordingError as error:
        assert str(error).startswith(f"{path}: ") and "\n" not in str(error)


@pytest.mark.parametrize("name", GAMES)
def test_bytes_of_positions(name: str) -> None:
    """Bytes with a field out of its range are refused, which changes nothing."""
    position = Position(load(name).configure(), 1)
    whole, rng, refused = position.key(), np.random.default_rng(2), 0
    for _ in range(100 * BUDGET):
        content = np.frombuffer(bytearray(whole), np.uint8)
        content[rng.integers(len(whole), size=rng.integers(1, 4))] = rng.integers(256)
        record = from_bytes(content.tobytes(), position.game.state)
        problem = first_out_of_range(record, state_ranges(position.game))
        if problem is not None:
            with pytest.raises(ValueError, match=r"^the bytes: row 0: "):
                position.load(content.tobytes())
            assert position.key() == whole
            refused += 1
    assert refused > BUDGET


@few
@given(where=changes, left=st.just(1.0) | st.floats(0, 1))
def test_damaged_saved_batches(where: Any, left: float, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "state.npz"
    batch = Batch(load("push_of_faith").configure(), 3, 1, seat=0)
    before = batch.state_dict()
    np.savez(path, **before)  # type: ignore[arg-type]
    path.write_bytes(damaged(path.read_bytes(), where, left))
    try:
        state = read_arrays(path, "state.npz", ValueError, batch.saved_forms())
    except ValueError as error:
        assert str(error).startswith("state.npz: ") and "\n" not in str(error)
    else:
        batch.load_state_dict(state)


@few
@given(seed=st.integers(0, 10**9))
def test_changed_saved_batches(seed: int) -> None:
    """Values that no checksum protects: any field of any array is refused, or the batch goes on."""
    rng = np.random.default_rng(seed)
    batch = Batch(load("push_of_faith").configure(), 3, 1, seat=0)
    before = batch.state_dict()
    state = {name: array.copy() for name, array in before.items()}
    name = ("rows", "opponents", "seed", "streams")[rng.integers(4)]
    state[name].reshape(-1).view(np.uint8)[rng.integers(state[name].nbytes, size=2)] = rng.integers(256)
    try:
        batch.load_state_dict(state)
    except ValueError:
        assert all(np.array_equal(before[n], array) for n, array in batch.state_dict().items())
    else:
        for _ in range(30):
            batch.step(batch.sample())


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in GAMES if load(name).check_components])
def test_components_that_pass_their_checks_can_be_played(name: str) -> None:
    """Interpreted, in a process of its own: every index and every overflow is checked."""
    arguments = [name, "1", str(12 * BUDGET), str(40 if BUDGET == 1 else 300)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, FUZZING, *arguments], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("data", [{}, [], None, 1, "x", {"a": [[[[]]]]}, json.loads("[" * 900 + "]" * 900)])
def test_components_that_are_none(name: str, data: Any) -> None:
    spec = load(name)
    if data is None:
        assert spec.configure(None, data).component_digest == spec.configure().component_digest
    else:
        with pytest.raises(ComponentError) as caught:
            spec.configure(None, data)
        assert "\n" not in str(caught.value)
