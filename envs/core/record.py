"""NumPy records: the dtype of a position and its shared header.

A position is one element of a one-dimensional record array. Rules get it as `g = states[i]`, with attribute access both
compiled and interpreted. In memory wide fields lie before narrow ones, so that each is aligned, as a GPU wants it.
`to_bytes` keeps the order in which fields are declared, without padding: equal positions are equal bytes.

A record is NumPy's here. The file of a played game is a game record, see `gamerecord.py`.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

import numpy as np

SEATS = 8  # seats that the arrays of core are made for
RUNNING, ENDED, CUT_OFF = 0, 1, 2  # values of `over`
TOLD = "told"  # a field for what chance gave in the last decision; it follows from the position before: no hash has it
NOT_ALLOWED = frozenset(dir(np.record))
_interned: dict[tuple, np.dtype] = {}  # one object a layout: Numba's dispatch compares dtypes, by identity first
_declared: dict[np.dtype, list[str]] = {}  # the names of a record's fields in the order in which they were given


def header() -> tuple[tuple[Any, ...], ...]:
    """Fields every state record begins with."""
    return (
        ("rng", "u8", (1,)),  # the position's own random generator
        ("ply", "i4"),  # decisions taken so far
        ("players", "i1"),  # seats at the table
        ("actor", "i1"),  # seat that decides now
        ("turn", "i1"),  # seat whose turn it is
        ("decision", "i1"),  # kind of the decision that is due
        ("over", "i1"),  # 0 running, 1 ended by rule, 2 truncated at `max_decisions`
    )


HEADER: tuple[str, ...] = tuple(name for name, *_ in header())


def tables_header() -> tuple[tuple[Any, ...], ...]:
    """Fields every `tables` record begins with: the options that core itself reads."""
    return (
        ("players", "i2"),
        ("max_decisions", "i4"),  # 0: no limit
        ("scale", "f4"),  # a score margin of this much is worth a `margin` reward of 1
    )


def given_chances(most: int) -> tuple[tuple[Any, ...], ...]:
    """Fields of `tables` for up to so many results that `core.rng.chance` takes in a recorded game. In play: none."""
    return (("given", "u8"), ("results", "i2", (most,)))  # how many there are


def record_dtype(*fields: tuple[Any, ...]) -> np.dtype:
    """An aligned record dtype: in memory the widest fields come first, those of one width as they are given.

    Raises ValueError for a name that `np.record` already uses or that comes twice, and for fields that are declared
    elsewhere in another order, since `to_bytes` could keep only one.
    """
    names = [field[0] for field in fields]
    for name in names:
        if name in NOT_ALLOWED or not name.isidentifier():
            raise ValueError(f"a record field cannot be called {name!r}: np.record has an attribute of that name")
    if len(set(names)) != len(names):
        raise ValueError(f"a record field is named twice in {names}")
    in_memory = sorted(fields, key=lambda field: -np.dtype(field[1]).alignment)
    dtype = np.dtype((np.record, np.dtype(in_memory, align=True)))
    if _declared.setdefault(dtype, names) != names:
        raise ValueError(f"a record of these fields is declared elsewhere as {_declared[dtype]}, here as {names}")
    return _interned.setdefault((dtype.names, dtype), dtype)


def with_fields(tables: np.ndarray, more: dict[str, np.ndarray]) -> np.ndarray:
    """A tables record, as an array of one, that carries more arrays, before its own ones of their width.

    Not at its end: Numba takes a record for another that it only continues, and warns of it.
    """
    kept = {name: tables[name] for name in tables.dtype.names or ()}
    arrays = {**more, **kept}
    added = [(name, array.dtype.str, array.shape) for name, array in more.items()]
    added += [(name, kind.base.str, kind.shape) for name in kept for kind in [tables.dtype[name]]]
    wider = np.zeros(1, record_dtype(*added))
    for name, array in arrays.items():
        wider[name] = array
    return wider


@lru_cache(256)
def packed_order(dtype: np.dtype, without: str = "") -> np.ndarray:
    """For each byte of `to_bytes`, its place in memory; `without` those of a field."""
    places: Any = dtype.fields or {}
    names = [name for name in _declared.get(dtype, dtype.names or ()) if name != without]
    return np.concatenate([np.arange(at, at + field.itemsize) for field, at, *_ in map(places.__getitem__, names)])


def to_bytes(records: np.ndarray) -> bytes:
    """The bytes of records, field by field as they are declared, which decide equality."""
    return byte_rows(records).tobytes()


def byte_rows(records: np.ndarray, without: str = "") -> np.ndarray:
    """What `to_bytes` tells, as a fresh array of a row of uint8 for each record; `without` a field."""
    dtype = records.dtype
    rows = np.ascontiguousarray(records).view(np.uint8).reshape(-1, dtype.itemsize)
    return rows.take(packed_order(dtype, without), axis=1)


def from_bytes(content: bytes, dtype: np.dtype) -> np.ndarray:
    """Records from their bytes, writable. Raises ValueError when the size does not fit."""
    order = packed_order(dtype)
    if not content or len(content) % len(order):
        raise ValueError(f"{len(content)} bytes are no whole number of records of {len(order)} bytes")
    rows = np.frombuffer(content, np.uint8).reshape(-1, len(order))
    records = np.zeros((len(rows), dtype.itemsize), np.uint8)
    records[:, order] = rows
    return records.reshape(-1).view(dtype)


def state_hash(records: np.ndarray) -> str:
    """16 hexadecimal digits that stand for a position in a record file, whatever is `told` of the last decision."""
    return hashlib.blake2b(byte_rows(records, TOLD).tobytes(), digest_size=8).hexdigest()
