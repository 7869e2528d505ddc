"""Files of others: whatever is in them, there is data or one clear line."""

from __future__ import annotations

import io
import json
import re
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theogony.envs.core.untrusted.outside import (
    MAX_DEPTH,
    Form,
    parse_json,
    read_arrays,
    read_bytes,
    read_json,
    read_text,
)
from theogony.envs.core.untrusted.outside_yaml import parse_yaml, read_yaml


class Bad(Exception):
    pass


def says(text: str) -> Any:
    return pytest.raises(Bad, match=re.escape(text))


def bytes_of(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


# ---------------------------------------------------------------------------------------------------- files


def test_a_file_that_is_none_or_too_large(tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(b"x" * 11)
    with says("the list: is too large: at most 10 bytes were expected"):
        read_bytes(tmp_path / "long", "the list", Bad, limit=10)
    with says("the list: cannot be read: No such file or directory"):
        read_bytes(tmp_path / "nothing", "the list", Bad)
    for name in ("/dev/zero", tmp_path):
        with says("the list: cannot be read: "):
            read_bytes(name, "the list", Bad)


def test_text_must_be_utf8(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"ab\xff")
    with says("text: is not UTF-8 text: byte 2"):
        read_text(tmp_path / "text", "text", Bad)


# ---------------------------------------------------------------------------------------------------- JSON


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, f"is nested more than {MAX_DEPTH} deep"),
        ("[" * 65 + "]" * 65, f"is nested more than {MAX_DEPTH} deep"),
        ('{"a": 1, "b": {"c": 1, "c": 2}}', "is not JSON: the key 'c' is given twice"),
        ("[NaN]", "is not JSON: NaN is not a number"),
        ("1e999", "is not JSON: 1e999 is too large for a number"),
        ("9" * 5000, "is too long for a number"),
        ("", "is not JSON: Expecting value"),
    ],
)
def test_json_that_is_refused(text: str, message: str) -> None:
    with says(message):
        parse_json(text, "cards", Bad)


def test_json_that_is_taken(tmp_path: Path) -> None:
    data = {"a": [1, -2.5, None, True, "x"], "deep": json.loads("[" * 60 + "]" * 60)}
    (tmp_path / "file.json").write_text(json.dumps(data))
    assert read_json(tmp_path / "file.json", "file", Bad) == data


# ---------------------------------------------------------------------------------------------------- YAML


BOMB = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "\n".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "line 5: more than 100000 values"),
        ("a: &a [*a]", "line 1: *a stands inside of itself"),
        ("[" * 5000, f"line 1: is nested more than {MAX_DEPTH} deep"),
        ("a: 1\nb: 2\na: 3", "line 3: the key 'a' is given twice"),
        ("? [1, 2]\n: 3", "line 1: a key must be a plain value"),
        ("!!python/object/apply:os.getcwd []", "could not determine a constructor"),
        ("a: 2001-99-99", "is not YAML: month must be in 1..12"),
        ("x" * 2_000_000, "is too large: at most 1 MB were expected"),
    ],
)
def test_yaml_that_is_refused(text: str, message: str) -> None:
    with says(message):
        parse_yaml(text, "config", Bad)


def test_yaml_that_is_taken(tmp_path: Path) -> None:
    (tmp_path / "file.yaml").write_text("base: &base {x: 1, y: 2}\nother:\n  <<: *base\n  x: 3\nlist: [*base, 1e3]\n")
    data, node = read_yaml(tmp_path / "file.yaml", "file", Bad)
    assert data["other"] == {"x": 3, "y": 2} and data["list"][0] == {"x": 1, "y": 2}
    assert node is not None and [key.start_mark.line for key, _ in node.value] == [0, 1, 4]
    assert parse_yaml("", "file", Bad) == (None, None)


# ---------------------------------------------------------------------------------------------------- arrays


def archive(path: Path, header: bytes, content: bytes = b"") -> Path:
    """An archive with one array whose header says what it likes."""
    with zipfile.ZipFile(path, "w") as file:
        padded = header + b" " * (118 - len(header)) + b"\n"
        file.writestr("a.npy", b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded + content)
    return path


def test_arrays_that_are_taken(tmp_path: Path) -> None:
    kept = {
        "a": np.arange(6).reshape(2, 3),
        "columns": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        "none": np.zeros((0, 3), np.float32),
        "text": np.array("orbis_v0"),
        "yes": np.array([True, False]),
    }
    (tmp_path / "a.npz").write_bytes(bytes_of(**kept))
    forms = {"a": Form("i8", (None, 3)), "text": Form("U", ()), "none": Form("f4", (None, 3))}
    found = read_arrays(tmp_path / "a.npz", "state", Bad, forms)
    assert list(found) == list(kept)
    for name, array in kept.items():
        assert found[name].dtype == array.dtype and found[name].flags.writeable
        np.testing.assert_array_equal(found[name], array)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}", "more than there is in the file"),
        (b"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}", "more than there is in the file"),
        (b"{'descr': '<f8', 'fortran_order': False, 'shape': (0, %d)}" % 10**30, "cannot be read"),
        (b"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "bool, integers, floats or text were expected"),
        (b"{'descr': '<f8', 'shape': (1,)}", "array 'a' has a damaged header"),
        (b"(" * 100, "array 'a' has a damaged header"),
    ],
)
def test_headers_of_arrays_are_checked_before_anything_is_allocated(
    header: bytes, message: str, tmp_path: Path
) -> None:
    path = archive(tmp_path / "a.npz", header, b"12345678")
    tracemalloc.start()
    with says(message):
        read_arrays(path, "state", Bad)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000


def test_arrays_that_are_not_as_expected(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(bytes_of(a=np.arange(10), b=np.zeros(1000, np.uint8)))
    with says("state: cannot be read as a NumPy archive: array 'c' is missing"):
        read_arrays(path, "state", Bad, {"c": Form("i8", ())})
    with says("array 'a' is int64 of shape (10), int64 of shape (any, 2) was expected"):
        read_arrays(path, "state", Bad, {"a": Form("i8", (None, 2))})
    with says("array 'b' is uint8 of shape (1000)"):
        read_arrays(path, "state", Bad, limit=500)
    path.write_bytes(b"no archive")
    with says("state: cannot be read as a NumPy archive: File is not a zip file"):
        read_arrays(path, "state", Bad)


def test_values_that_are_no_bool_and_no_character_are_refused(tmp_path: Path) -> None:
    head = b"{'descr': '%s', 'fortran_order': False, 'shape': (1,)}"
    with says("array 'a' holds bytes that are no bool"):
        read_arrays(archive(tmp_path / "a.npz", head % b"|b1", b"\x07"), "state", Bad)
    with says("array 'a' holds numbers that are no character"):
        read_arrays(archive(tmp_path / "a.npz", head % b"<U1", b"\xff\xff\xff\xff"), "state", Bad)


WHOLE = bytes_of(a=np.arange(10), text=np.array("abc"), yes=np.array([True, False]))


@settings(deadline=None)
@given(
    changes=st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), max_size=3),
    left=st.integers(0, len(WHOLE)) | st.just(len(WHOLE)),
)
def test_a_damaged_archive_is_refused_or_has_its_arrays(
    changes: list[tuple[int, int]], left: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.npz"
    damaged = bytearray(WHOLE)
    for place, value in changes:
        damaged[place] = value
    path.write_bytes(damaged[:left])
    try:
        found = read_arrays(path, "state", Bad)
    except Bad as error:
        assert "\n" not in str(error)
    else:
        assert all(isinstance(array, np.ndarray) for array in found.values())
