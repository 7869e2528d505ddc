"""The features record: named float32 fields whose flat view is the observation tensor."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from theogony.envs.core.record import record_dtype


@dataclass(frozen=True)
class Feature:
    """One field of an observation: its shape, its bounds and what it means (for the docs page)."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    low: float = 0.0
    high: float = 1.0

    @property
    def length(self) -> int:
        """Number of float32 entries."""
        return math.prod(self.shape)


class FeatureLayout:
    """The fields in order. `layout.dtype` is the record, `layout.length` the length of the flat observation."""

    def __init__(self, *features: Feature) -> None:
        self.features = features
        self.dtype: np.dtype = record_dtype(*((f.name, "f4", f.shape) for f in features))
        self.length: int = self.dtype.itemsize // 4
        self.low: np.ndarray = np.concatenate([np.full(f.length, f.low, np.float32) for f in features])
        self.high: np.ndarray = np.concatenate([np.full(f.length, f.high, np.float32) for f in features])

    def records(self, observations: np.ndarray) -> np.ndarray:
        """A view of float32 observations, shape (n, length) and contiguous, as n feature records."""
        return observations.view(self.dtype).reshape(-1)

    def slices(self) -> dict[str, slice]:
        """Where each field lies in the flat observation."""
        ends = np.cumsum([f.length for f in self.features])
        return {f.name: slice(int(end) - f.length, int(end)) for f, end in zip(self.features, ends, strict=True)}

    def table(self) -> str:
        """The layout as a Markdown table, for the docs page of a game."""
        rows = ["| from | field | shape | bounds | meaning |", "|---|---|---|---|---|"]
        for f, where in zip(self.features, self.slices().values(), strict=True):
            shape = " x ".join(map(str, f.shape))
            rows.append(f"| {where.start} | `{f.name}` | {shape} | {f.low:g} to {f.high:g} | {f.meaning} |")
        return "\n".join(rows)
