"""Legal actions drawn uniformly, for many rows in one compiled call."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.arguments import checked_streams
from theogony.envs.core.jit import rule
from theogony.envs.core.kernels import pick

MASKS = (np.dtype(np.int8), np.dtype(np.uint8), np.dtype(bool))


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

    Raises ValueError for other types and shapes.
    """
    if not isinstance(masks, np.ndarray) or masks.ndim != 2 or masks.dtype not in MASKS:
        found = f"{masks.dtype} {masks.shape}" if isinstance(masks, np.ndarray) else f"{masks!r:.60}"
        raise ValueError(f"masks are int8 or bool of shape (n, actions), not {found}")
    if isinstance(rng, np.random.Generator):
        rng = rng.integers(2**64, size=len(masks), dtype=np.uint64)
    elif not isinstance(rng, np.ndarray):
        raise ValueError(f"rng is a numpy.random.Generator or a stream for each row, uint64 (n,), not {rng!r:.60}")
    rng = checked_streams(rng, len(masks))
    actions = np.empty(len(masks), np.int64)
    sample_rows(np.ascontiguousarray(masks).view(np.int8), rng, actions, 0, len(masks))
    return actions
