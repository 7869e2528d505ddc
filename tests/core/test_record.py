"""Record dtypes: aligned, with names that work, copied by bytes."""

import sys
from typing import NamedTuple

import numpy as np
import pytest

from theogony.envs.core.jit import rule
from theogony.envs.core.memory import borrowed, clear_record, copy_record
from theogony.envs.core.record import (
    from_bytes,
    given_chances,
    header,
    record_dtype,
    state_hash,
    tables_header,
    to_bytes,
)

STATE = record_dtype(*header(), ("a", "i1"), ("b", "f8"), ("c", "i2", (3, 2)), ("d", "u1"))
PACKED = 8 + 4 + 5 + 1 + 8 + 12 + 1  # bytes of all fields


def test_every_field_is_aligned_and_only_the_end_is_padded() -> None:
    places = {name: place[1] for name, place in (STATE.fields or {}).items()}
    assert not any(places[name] % STATE[name].base.itemsize for name in places)
    in_memory = sorted(places, key=places.__getitem__)
    assert in_memory == ["rng", "b", "ply", "c", "players", "actor", "turn", "decision", "over", "a", "d"]
    assert sum(STATE[name].itemsize for name in places) == PACKED
    assert STATE.itemsize == 40
    assert STATE.isalignedstruct


def test_bytes_keep_the_order_of_the_fields() -> None:
    """So what is written does not depend on how memory is laid out."""
    records = np.zeros(2, STATE)
    records[1].a, records[1].b, records[1].c[0], records[1].d = 3, 0.5, (1, 2), 7
    assert to_bytes(records)[PACKED + 17 :] == b"\3" + np.float64(0.5).tobytes() + bytes([1, 0, 2, *[0] * 9, 7])


def test_what_pads_a_record_makes_no_difference() -> None:
    records = np.zeros(1, STATE)
    records.view(np.uint8)[-1] = 1
    assert to_bytes(records) == bytes(PACKED)
    assert state_hash(records) == state_hash(np.zeros(1, STATE))


def test_tables_may_hold_chance_results() -> None:
    assert record_dtype(*given_chances(7))["results"].shape == (7,)
    assert record_dtype(*tables_header()).names == ("max_decisions", "scale", "players")


@pytest.mark.parametrize("name", ["size", "choose", "take", "round", "T", "copy", "not a name", "1st"])
def test_names_that_would_fail_interpreted_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"a record field cannot be called '{name}'"):
        record_dtype((name, "i1"))


def test_a_name_comes_once() -> None:
    with pytest.raises(ValueError, match="a record field is named twice"):
        record_dtype(("a", "i1"), ("a", "i2"))


def test_an_order_is_declared_once() -> None:
    record_dtype(("only_here", "i1"), ("and_here", "i2"))
    with pytest.raises(ValueError, match=r"declared elsewhere as .*'only_here', 'and_here'"):
        record_dtype(("and_here", "i2"), ("only_here", "i1"))


def test_equal_layouts_are_one_object() -> None:
    assert record_dtype(("a", "i1"), ("b", "i2")) is record_dtype(("a", "i1"), ("b", "i2"))
    assert record_dtype(("a", "i1"), ("b", "i2")) is not record_dtype(("a", "i1"), ("b", "i4"))


def test_bytes_there_and_back() -> None:
    records = np.arange(3 * STATE.itemsize, dtype=np.uint8).view(STATE)
    again = from_bytes(to_bytes(records), STATE)
    assert again.dtype is STATE
    assert to_bytes(again) == to_bytes(records)
    again[1].a = 7  # writable, and apart from the original
    assert records[1].a != 7
    assert state_hash(again) != state_hash(records) == state_hash(records.copy())
    assert len(state_hash(records)) == 16


@pytest.mark.parametrize("size", [0, 1, PACKED - 1, PACKED + 1])
def test_bytes_that_are_no_records(size: int) -> None:
    with pytest.raises(ValueError, match=f"{size} bytes are no whole number of records of {PACKED} bytes"):
        from_bytes(bytes(size), STATE)


def test_copy_and_clear_touch_one_record() -> None:
    source = np.arange(3 * STATE.itemsize, dtype=np.uint8).view(STATE)
    target = np.full(4 * STATE.itemsize, 255, np.uint8).view(STATE)
    copy_record(target, 1, source, 2)
    expected = [b"\xff" * STATE.itemsize, source[2:3].tobytes(), *[b"\xff" * STATE.itemsize] * 2]
    assert [target[k : k + 1].tobytes() for k in range(4)] == expected
    clear_record(target, 2)
    assert target[2:3].tobytes() == bytes(STATE.itemsize)
    assert target[3:4].tobytes() == b"\xff" * STATE.itemsize
    assert target[1:2].tobytes() == source[2:3].tobytes()


@rule
def write(states, i):
    g = states[i]
    g.a = 3
    g.c[1, 0] = -5
    g.b = 0.5
    g.rng[0] = 2**63


def test_rules_write_through_attributes() -> None:
    """The same names and places compiled and interpreted."""
    compiled, plain = np.zeros(2, STATE), np.zeros(2, STATE)
    write(compiled, 1)
    getattr(write, "py_func", write)(plain, 1)
    assert compiled.tobytes() == plain.tobytes()
    assert (compiled[1].a, compiled[1].c[1, 0], compiled[1].b, compiled[1].rng[0]) == (3, -5, 0.5, 2**63)
    assert not compiled[:1].view(np.uint8).any()


class Two(NamedTuple):
    """What a kernel gets as one argument."""

    words: np.ndarray
    few: np.ndarray
    number: int


@rule
def add_one(items):
    items[0] += 1
    return items[0]


@rule
def add_to_all(items, two):
    items, two = borrowed(items), borrowed(two)
    return add_one(items) + add_one(two.words) + add_one(two.few[1]) + two.number


def test_borrowed_arrays_are_the_same_arrays_and_stay_their_owners() -> None:
    items, two = np.zeros(3, np.int64), Two(np.zeros(2, np.int64), np.zeros((2, 2), np.int64), 7)
    before = [sys.getrefcount(array) for array in (items, two.words, two.few)]
    results = [add_to_all(items, two) for _ in range(3)]
    assert results == [10, 13, 16]
    assert (items[0], two.words[0], two.few[1, 0]) == (3, 3, 3)
    assert [sys.getrefcount(array) for array in (items, two.words, two.few)] == before
