"""The saved state of a batch: what its arrays must be, and the checks before anything of it is used."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from theogony.envs.core.batches.arguments import needed_players, seat_option
from theogony.envs.core.batches.kernels import CALLER, OPPONENT, ROW, packs_of
from theogony.envs.core.record import CUT_OFF, RUNNING, from_bytes, packed_order, to_bytes
from theogony.envs.core.thinking.player_rng import player_rng
from theogony.envs.core.untrusted.outside import Form
from theogony.envs.core.untrusted.ranges import Ranges, check_states, first_out_of_range

if TYPE_CHECKING:
    from theogony.envs.core.batch import Batch

FINITE = (-1e300, 1e300)
COUNT = (0, 2**31 - 1)
CONTROLLERS = (-(2**15) + 1, 2**15 - 1)


class Saved(NamedTuple):
    """A saved state that was checked."""

    seed: np.uint64
    states: np.ndarray
    rows: np.ndarray
    streams: np.ndarray
    rng: np.random.Generator
    opponents: np.ndarray
    ended_codes: np.ndarray


def packed(rng: np.random.Generator) -> np.ndarray:
    """The state of the generator that the players of a batch draw from, uint64 (6,): two numbers of 128 bits, higher
    halves first, then two small ones."""
    state: Any = rng.bit_generator.state
    halves = [half for number in state["state"].values() for half in divmod(number, 2**64)]
    return np.array([*halves, state["has_uint32"], state["uinteger"]], np.uint64)


def unpacked(words: np.ndarray) -> np.random.Generator:
    """The generator whose state was packed. Raises ValueError for what is none."""
    high, low, inc_high, inc_low, has_uint32, uinteger = map(int, words)
    if has_uint32 > 1 or uinteger >= 2**32 or inc_low % 2 == 0:
        raise ValueError("the saved state has no generator in 'rng'")
    rng = player_rng(0)
    rng.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": high << 64 | low, "inc": inc_high << 64 | inc_low},
        "has_uint32": has_uint32,
        "uinteger": uinteger,
    }
    return rng


def identity(batch: Batch) -> str:
    """What a saved state must have been made with: the game and its version, its tables, the number of rows, the
    caller's seat and the kind of reward."""
    spec = batch.game.spec
    tables = hashlib.sha256(to_bytes(batch.game.tables)).hexdigest()[:16]
    played = f"seat {seat_option(batch.seat_mode)} reward {batch.reward}"
    return f"{spec.name}_v{spec.version} tables {tables} rows {batch.size} {played}"


def saved_forms(batch: Batch) -> dict[str, Form]:
    """The arrays of a saved state, by name."""
    return {
        "identity": Form("U", ()),
        "seed": Form("u8", (1,)),
        "states": Form("u1", (batch.size, len(packed_order(batch.game.state)))),
        "rows": Form("u1", (batch.size, len(packed_order(ROW)))),
        "streams": Form("u8", (batch.size,)),
        "rng": Form("u8", (6,)),
        "opponents": Form("u1", (None, len(packed_order(OPPONENT)))),
        "ended_codes": Form("u1", (None, batch.game.features.length)),
    }


def read_saved(batch: Batch, state: Mapping[str, np.ndarray], known: Iterable[int]) -> Saved:
    """A saved state for this batch; `known` are the numbers of the players at hand. Raises ValueError."""
    arrays = {name: np.asarray(state[name]) for name in saved_forms(batch) if name in state}
    for name in saved_forms(batch):
        if name not in arrays:
            raise ValueError(f"the saved state has no {name!r}: it is not of a Batch")
    expected = identity(batch)
    if arrays["identity"].ndim == 0 and str(arrays["identity"]) != expected:
        raise ValueError(f"the saved state is of {str(arrays['identity'])!r:.200}, not of {expected!r}")
    for name, form in saved_forms(batch).items():
        if not form.fits(arrays[name].dtype, arrays[name].shape):
            found = f"{arrays[name].dtype} of shape {arrays[name].shape}"
            raise ValueError(f"the saved state has {name!r} as {found}, {form} was expected")
    saved = Saved(
        seed=np.uint64(arrays["seed"][0]),
        states=from_bytes(arrays["states"].tobytes(), batch.game.state),
        rows=from_bytes(arrays["rows"].tobytes(), ROW),
        streams=arrays["streams"],
        rng=unpacked(arrays["rng"]),
        opponents=from_bytes(arrays["opponents"].tobytes(), OPPONENT),
        ended_codes=arrays["ended_codes"],
    )
    needed = needed_players(saved.rows, saved.opponents)
    if missing := sorted(needed - set(known)):
        raise ValueError(f"the saved state needs players {sorted(needed)}, but {missing} are not among those given")
    _check_values(batch, saved)
    return saved


def _check_values(batch: Batch, saved: Saved) -> None:
    """Everything that kernels go by is in its range. Raises ValueError."""
    for what, records, ranges in (
        ("states", saved.states, {"over": (RUNNING, RUNNING)}),
        ("rows", saved.rows, row_ranges(batch)),
        ("opponents", saved.opponents, {"cumulative": (0, 1.001), "controller": CONTROLLERS, "greed": (0, 1)}),
    ):
        if (problem := first_out_of_range(records, ranges)) is not None:
            raise ValueError(f"the saved state has {what} out of range: {problem}")
    _check_positions(batch, saved)
    if (saved.rows["seat"] != saved.states["actor"]).any():
        raise ValueError("the saved state waits for other seats than those that are to decide in its games")
    waiting = saved.rows["controller"][np.arange(batch.size), saved.rows["seat"]]
    if (waiting != CALLER).any():
        raise ValueError("the saved state has games in which the caller is not to decide")
    if len(saved.ended_codes) != np.count_nonzero(saved.rows["over"] != RUNNING):
        raise ValueError(f"the saved state has {len(saved.ended_codes)} views of games that ended")
    if (saved.ended_codes > batch.game.features.highest).any():
        raise ValueError("the saved state has views with codes beyond their bounds")


def _check_positions(batch: Batch, saved: Saved) -> None:
    """Every position is one that its game holds possible: with several packs, that of its own. Raises ValueError."""
    if not batch.game.packs:
        return check_states(batch.game, saved.states, "the saved state")
    packs = np.zeros(batch.size, np.int64)
    packs_of(saved.rows, len(batch.game.packs), packs)
    for pack in np.unique(packs):
        game = batch.game.packs[int(pack)]
        check_states(game, saved.states[packs == pack], f"the saved state, rows with {game.options.components}")


def row_ranges(batch: Batch) -> Ranges:
    """What the bookkeeping of a row may hold while it waits for the caller."""
    seats, counts = batch.game.players, (0, 2**62)
    return {
        "episode": counts,
        "due": (CALLER, CALLER),
        "seat": (0, seats - 1),
        "learner": (-1, seats - 1),
        "over": (RUNNING, CUT_OFF),
        "ended_seat": (-1, seats - 1),
        "length": COUNT,
        "ended_length": COUNT,
        "controller": CONTROLLERS,
        "greed": (0, 1),
        "rewards": (-1.001, 1.001),
        "scores": FINITE,
        "standing": FINITE,
    }
