"""Legal actions drawn uniformly, for many rows in one compiled call."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.kernels import pick


@rule
def sample_rows(masks, streams, actions, first, last):
    """Draw a legal action for rows first..last of `masks` into `actions`; `streams` has a uint64 a row."""
    for i in range(first, last):
        actions[i] = pick(masks[i], masks.shape[1], streams[i : i + 1])


def sample_masks(masks: np.ndarray, rng: np.ndarray | np.random.Generator) -> np.ndarray:
    """A uniformly drawn legal action for every row of `masks`, int64 (n,); -1 where a row has none.

    Args:
        masks: int8 or bool (n, actions).
        rng: a uint64 stream for each row, advanced in place, or a NumPy generator.
    """
    if masks.ndim != 2 or masks.dtype.itemsize != 1:
        raise ValueError(f"masks are int8 or bool of shape (n, actions), not {masks.dtype} {masks.shape}")
    if isinstance(rng, np.random.Generator):
        rng = rng.integers(2**64, size=len(masks), dtype=np.uint64)
    if rng.dtype != np.uint64 or rng.shape != (len(masks),):
        raise ValueError(f"streams are uint64 ({len(masks)},), one a row of the masks, not {rng.dtype} {rng.shape}")
    actions = np.empty(len(masks), np.int64)
    sample_rows(np.ascontiguousarray(masks).view(np.int8), rng, actions, 0, len(masks))
    return actions
