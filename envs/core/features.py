"""The observation: named fields of small integers, their codes, and what each code stands for as a float.

Rules write codes, which are counts and bits: a packed record of uint8, a quarter of the memory of floats and without
a division. A field declares its `scale`, the count that is 1.0, and so

    float = (code - zero) / scale

where `zero` is the code of 0.0; it is 0 but where a field has values below zero. Batches and training keep codes, the
AEC and Gymnasium environments hand out floats unless they are asked for codes.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np

from theogony.envs.core.jit import direct, rule, rule_or
from theogony.envs.core.record import record_dtype

ObservationForm = Literal["float", "compact"]  # of an observation: decoded, or as codes
FORMS: tuple[ObservationForm, ObservationForm] = ("float", "compact")
LARGEST = 255  # code
SHORT = 64  # entries
SHARE = 240  # scale for shares of a whole that varies, which are rounded: halves to sixths, eighths, tenths are exact


@dataclass(frozen=True)
class Feature:
    """One field of an observation.

    Args:
        name: by which rules write it, as `f.name[...]`.
        shape: of its entries.
        meaning: what it tells, for the docs page.
        low: bound of the float from below, 0 or less; `high` bounds it from above.
        scale: the count that is 1.0, a positive integer; several are for the entries of the last axis (or more axes).

    Raises ValueError when the codes of the bounds do not lie in 0..255.
    """

    name: str
    shape: tuple[int, ...]
    meaning: str
    low: float = 0.0
    high: float = 1.0
    scale: int | Sequence[Any] = 1

    def __post_init__(self) -> None:
        try:
            scales = self.scales()
        except ValueError:
            raise ValueError(f"feature {self.name}: {self.scale!r} is no scale for the shape {self.shape}") from None
        if (scales < 1).any() or (scales != np.floor(scales)).any():
            raise ValueError(f"feature {self.name}: its scale is {self.scale!r}; positive integers were expected")
        if not self.low <= min(self.high, 0):
            raise ValueError(f"feature {self.name}: bounds {self.low:g} to {self.high:g}; the lower is 0 or below")
        if self.zero % 1 or (self.low and (scales != scales.flat[0]).any()):
            raise ValueError(f"feature {self.name}: 0 to 255 and the same for all was expected as the code of 0.0")
        if (self.codes() > LARGEST).any():
            most = int(self.codes().max())
            raise ValueError(f"feature {self.name}: codes go up to {most} at high={self.high:g}; at most 255 fit")

    @property
    def length(self) -> int:
        """Number of entries."""
        return math.prod(self.shape)

    @property
    def zero(self) -> float:
        """The code of 0.0."""
        return round(-self.low * float(self.scales().flat[0]), 6)

    def scales(self) -> np.ndarray:
        """The scale of every entry, float64 of `shape`."""
        return np.broadcast_to(np.asarray(self.scale, np.float64), self.shape)

    def codes(self) -> np.ndarray:
        """The highest code of every entry, float64 of `shape`; the lowest is 0."""
        return np.floor((self.high - self.low) * self.scales() + 1e-9)

    def scale_text(self) -> str:
        """The scale for the docs page; `2 x 5` stands for twice a scale of 5."""
        if not isinstance(self.scale, Sequence | np.ndarray):
            return str(self.scale)
        groups = ((scale, len(list(same))) for scale, same in itertools.groupby(np.ravel(self.scale)))
        return ", ".join(f"{scale:g}" if times == 1 else f"{times} x {scale:g}" for scale, times in groups)


class FeatureLayout:
    """The fields in order.

    `dtype` is the record that rules write, of uint8 codes, `length` the number of entries of an observation. An entry
    has bounds `low` and `high` as a float (float32 arrays), a highest code `highest` (uint8; the lowest is 0), and
    `zeros` and `scales` (float32) by which it is decoded.

    >>> layout = FeatureLayout(Feature("hand", (3,), "cards of each kind", scale=4), Feature("turn", (1,), "my turn"))
    >>> layout.length
    4
    >>> layout.decode(np.array([4, 2, 0, 1], np.uint8)).tolist()
    [1.0, 0.5, 0.0, 1.0]
    """

    def __init__(self, *features: Feature) -> None:
        self.features = features
        self.dtype: np.dtype = record_dtype(*((f.name, "u1", f.shape) for f in features))
        self.length: int = self.dtype.itemsize
        self.low: np.ndarray = _entries(features, lambda f: np.full(f.length, f.low), np.float32)
        self.high: np.ndarray = _entries(features, lambda f: np.full(f.length, f.high), np.float32)
        self.highest: np.ndarray = _entries(features, lambda f: f.codes().ravel(), np.uint8)
        self.zeros: np.ndarray = _entries(features, lambda f: np.full(f.length, f.zero), np.float32)
        self.scales: np.ndarray = _entries(features, lambda f: f.scales().ravel(), np.float32)
        self._runs, self._units = _runs(self.scales, self.zeros)
        self._floats = record_dtype(
            ("row", "f4", (self.length,)), ("units", "f4", self._units.shape), ("runs", "i4", self._runs.shape)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return FeatureLayout, self.features

    def records(self, codes: np.ndarray) -> np.ndarray:
        """A view of codes, uint8 (n, length) and contiguous, as n records."""
        return codes.view(self.dtype).reshape(-1)

    def floats(self) -> np.ndarray:
        """One record for kernels which decode: a `row` to write on, float32 (length,), and what they need for it."""
        record = np.zeros(1, self._floats)
        record["units"], record["runs"] = self._units, self._runs
        return record

    def decode(self, codes: np.ndarray) -> np.ndarray:
        """Codes as floats: uint8 of shape (..., length) gives a fresh float32 array of the same shape.

        Raises ValueError for other types and lengths.
        """
        if not isinstance(codes, np.ndarray) or codes.dtype != np.uint8 or codes.shape[-1:] != (self.length,):
            found = f"{codes.dtype} {codes.shape}" if isinstance(codes, np.ndarray) else f"{codes!r:.60}"
            raise ValueError(f"codes are an array, uint8 (..., {self.length}), not {found}")
        out = np.empty(codes.shape, np.float32)
        self.decode_into(np.require(codes, np.uint8, ["C", "W"]), out)
        return out

    def encode(self, floats: np.ndarray) -> np.ndarray:
        """The codes that stand for floats, or come nearest: float32 (..., length) gives uint8 of the same shape."""
        codes = np.rint(floats.astype(np.float64) * self.scales + self.zeros)
        return np.clip(codes, 0, self.highest).astype(np.uint8)

    def decode_into(self, codes: np.ndarray, out: np.ndarray) -> None:
        """Write the floats that uint8 codes stand for into `out`, float32 of the same shape, without a copy.

        Both arrays are contiguous and writable.
        """
        _decoder()(codes.reshape(-1), self._runs, self._units, out.reshape(-1))

    def bounds(self, form: str) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest entries of observations in a form; their type is that of the observations."""
        return (self.low, self.high) if form == "float" else (np.zeros_like(self.highest), self.highest)

    def in_form(self, codes: np.ndarray, form: str) -> np.ndarray:
        """Codes (..., length) as observations in a form."""
        return self.decode(codes) if form == "float" else codes

    def slices(self) -> dict[str, slice]:
        """Where each field lies in the flat observation."""
        ends = np.cumsum([f.length for f in self.features])
        return {f.name: slice(int(end) - f.length, int(end)) for f, end in zip(self.features, ends, strict=True)}

    def places(self) -> dict[str, np.ndarray]:
        """Where each entry of each field lies in the flat observation: integers of the shape of the field.

        >>> layout = FeatureLayout(Feature("turn", (1,), "my turn"), Feature("map", (2, 2), "what lies there"))
        >>> layout.places()["map"].tolist()
        [[1, 2], [3, 4]]
        """
        where = self.slices()
        return {f.name: np.arange(where[f.name].start, where[f.name].stop).reshape(f.shape) for f in self.features}

    def table(self) -> str:
        """The layout as a Markdown table, for the docs page of a game."""
        rows = ["| from | field | shape | bounds | scale | meaning |", "|---|---|---|---|---|---|"]
        for f, where in zip(self.features, self.slices().values(), strict=True):
            shape, bounds = " x ".join(map(str, f.shape)), f"{f.low:g} to {f.high:g}"
            rows.append(f"| {where.start} | `{f.name}` | {shape} | {bounds} | {f.scale_text()} | {f.meaning} |")
        return "\n".join(rows)


def check_form(form: str) -> ObservationForm:
    """The form of observations that somebody asks for. Raises ValueError."""
    if form not in FORMS:
        raise ValueError(f'observation={form!r} is not "float" or "compact"')
    return cast(ObservationForm, form)


def _entries(features: Sequence[Feature], of: Callable[[Feature], np.ndarray], dtype: Any) -> np.ndarray:
    return np.concatenate([of(f) for f in features]).astype(dtype)


def _runs(scales: np.ndarray, zeros: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Stretches of entries that are decoded alike, int32 (n, 4), and units, float32 (2, m).

    Each has its first entry, its end, its zero, and where its units (1 / scale) begin; -1: bits. A unit has two parts:
    its first 16 bits, by which the product with a code is exact, and the rest.
    """
    keys = np.stack([zeros, (scales != 1) | (zeros != 0)], 1).astype(np.int32)
    _join_short(keys)
    cuts = [0, *(np.flatnonzero((keys[1:] != keys[:-1]).any(1)) + 1).tolist(), len(keys)]
    runs, units = [], [np.ones(1, np.float32)]  # never empty
    for first, end in itertools.pairwise(cuts):
        zero, scaled = keys[first]
        runs.append((first, end, zero, sum(map(len, units)) if scaled else -1))
        if scaled:
            units.append(scales[first:end])
    unit = 1 / np.concatenate(units).astype(np.float64)
    front = (unit.astype(np.float32).view(np.uint32) & np.uint32(0xFFFFFF00)).view(np.float32)
    return np.array(runs, np.int32), np.stack([front, (unit - front).astype(np.float32)])


def _join_short(keys: np.ndarray) -> None:
    """Let short stretches of bits be divided too, by 1: many small loops would take longer."""
    bits = np.flatnonzero(~keys.any(1))
    for stretch in np.split(bits, np.flatnonzero(np.diff(bits) > 1) + 1):
        if 0 < len(stretch) < SHORT:
            keys[stretch] = 0, 1


def _plain_decode(codes: np.ndarray, runs: np.ndarray, units: np.ndarray, out: np.ndarray) -> None:
    """Write rows of codes as floats, in NumPy: a run of equal fields of all rows at once. Without Numba."""
    length = int(runs[-1, 1])
    rows, into = codes.reshape(-1, length), out.reshape(-1, length)
    for first, end, zero, at in runs.tolist():
        source, target = rows[:, first:end].astype(np.float32), into[:, first:end]
        if at < 0:
            target[...] = source
            continue
        front, rest = units[:, at : at + end - first]
        source -= np.float32(zero)
        target[...] = source * front + source * rest


@rule_or(_plain_decode)
def decode(codes, runs, units, out):
    """Rows of codes as floats. Most are bits, which are floats as they are.

    The sum of the products with both parts of a unit is the rounded quotient, since quotients of such small integers
    keep far enough from the middle between two floats. It is several times faster than to divide.
    """
    length = np.int64(runs[runs.shape[0] - 1, 1])
    for row in range(0, codes.shape[0], length):
        for k in range(runs.shape[0]):
            first, end, zero = np.int64(runs[k, 0]), np.int64(runs[k, 1]), np.float32(runs[k, 2])
            source, target = codes[row + first : row + end], out[row + first : row + end]
            if runs[k, 3] >= 0:
                front, rest = units[0, runs[k, 3] :], units[1, runs[k, 3] :]
                for i in range(source.shape[0]):  # indices from 0 on: others may be negative, and are not vectorised
                    count = np.float32(source[i]) - zero
                    target[i] = count * front[i] + count * rest[i]
            else:
                for i in range(source.shape[0]):
                    target[i] = np.float32(source[i])


@functools.cache
def _decoder() -> Callable[..., Any]:
    """`decode`, the same machine code for all games and past Numba's dispatch."""
    return direct(
        decode, np.zeros(1, np.uint8), np.zeros((1, 4), np.int32), np.zeros((2, 1), np.float32), np.zeros(1, np.float32)
    )


@rule
def row_of(g, seat, other):
    """The row of another seat in what `seat` is shown: its own is 0, the others follow clockwise."""
    return other - seat if other >= seat else other - seat + np.int64(g.players)
