"""The kernels that a game needs where there is no Numba, each with arguments of the types for which it is compiled."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.batches.arguments import OpponentTable
from theogony.envs.core.batches.kernels import ALL_SEATS, CALLER, ROW, BatchArrays, batch_kernels
from theogony.envs.core.game import Game
from theogony.envs.core.kernels import kernels
from theogony.envs.core.record import SEATS
from theogony.envs.core.thinking.lookahead_scores import lookahead_kernel
from theogony.envs.core.thinking.planning import make_beam, planning_kernel
from theogony.envs.core.thinking.value_network import OWN_VALUE
from theogony.training.players.search.kernels import NO_PRIOR, Question, search_kernels
from theogony.training.players.search.options import SearchOptions
from theogony.training.players.search.tree import make_tree


class Call(NamedTuple):
    """A kernel and arguments of the types that it gets in play; their values do not matter."""

    kernel: Any
    arguments: tuple[Any, ...]


def calls(game: Game) -> dict[str, Call]:
    """All kernels of a game that are compiled for WebAssembly, by their names."""
    return {**_single(game), **_search(game), **_plan(game), **_batch(game)}


def _single(game: Game) -> dict[str, Call]:
    """Positions, records and the players inside the kernel."""
    k = kernels(game.spec)
    states, tables, mask = game.new_states(2), game.tables, np.zeros((1, game.actions.size), np.int8)
    codes = np.zeros((1, game.features.length), np.uint8)
    features, floats = game.features.records(codes), game.features.floats()
    rng, seats, scratch = np.zeros(1, np.uint64), np.zeros(SEATS), game.scratch()
    at, seed = (states, 0, tables), np.uint64(0)
    found = {
        "start": (*at, seed, features, mask, floats),
        "step": (*at, 0, features, mask, floats),
        "show": (*at, features, mask, floats),
        "view": (*at, 0, features, 0),
        "legal_mask": (*at, mask[0]),
        "decide": (*at, 0),
        "score": (*at, seats),
        "standing": (*at, seats),
        "rewards": (*at, 0, seats, seats),
        "resample": (*at, 0, rng),
        "value": (*at, 0),
        "choose": (*at, mask[0], scratch, 0, 1.0, rng, OWN_VALUE),
        "playouts": (*at, mask[0], seed, 1, rng),
    }
    return {name: Call(getattr(k, name), arguments) for name, arguments in found.items()}


def _search(game: Game) -> dict[str, Call]:
    """A search, in one call and in parts."""
    k, tree, rng = search_kernels(game.spec), make_tree(game, 1), np.zeros(1, np.uint64)
    settings = SearchOptions().settings(game.spec)
    q = Question(game.new_states(1), 0, game.tables, 0, OWN_VALUE, NO_PRIOR, settings)
    found = {
        "begin": (q, tree),
        "iterate": (q, tree, -1, 0, rng, rng),
        "candidates": (q, tree, rng),
        "compare": (q, tree, 0, 0, 0, np.uint64(0), rng, rng),
        "search": (q, tree, 0, rng),
        "halve": (q, tree, 0, rng, rng),
    }
    return {name: Call(getattr(k, name), arguments) for name, arguments in found.items()}


def _plan(game: Game) -> dict[str, Call]:
    """Plans of the own turn or round."""
    rng, worth = np.zeros(1, np.uint64), np.zeros(game.actions.size)
    arguments = (game.new_states(1), 0, game.tables, 0, OWN_VALUE, 1, make_beam(game, 1), rng, worth)
    return {"plan": Call(planning_kernel(game.spec), arguments)}


def _batch(game: Game) -> dict[str, Call]:
    """Many games in one call."""
    k, b = batch_kernels(game.spec), batch_arrays(game, 1)
    actions, rng, scores = np.zeros(1, np.int64), np.zeros(1, np.uint64), np.zeros((1, game.actions.size), np.float32)
    looked = (b.states, b.tables, b.masks, actions, rng, b.scratch, rng, OWN_VALUE, scores)
    return {
        "batch_start": Call(k.batch_start, (b, np.uint64(0), 0, 0, 0)),
        "batch_step": Call(k.batch_step, (b, actions, CALLER, 0, 0, 0)),
        "batch_refresh": Call(k.batch_refresh, (b,)),
        "lookahead_scores": Call(lookahead_kernel(game.spec).lookahead_scores, looked),
    }


def batch_arrays(
    game: Game, size: int, seat_mode: int = ALL_SEATS, reward: int = 0, others: OpponentTable | None = None
) -> BatchArrays:
    """What the kernels of so many games work on: zeros, but for the tables and the opponents."""
    others = others or OpponentTable()
    nets, net_ends = others.nets()
    codes, last_codes = np.zeros((2, size, game.features.length), np.uint8)
    return BatchArrays(
        states=game.new_states(size),
        tables=game.tables,
        rows=np.zeros(size, ROW),
        packs=np.zeros(size, np.uint32),
        features=game.features.records(codes),
        masks=np.zeros((size, game.actions.size), np.int8),
        last_features=game.features.records(last_codes),
        last_worth=np.zeros(size),
        opponents=others.records,
        nets=nets,
        net_ends=net_ends,
        scratch=game.scratch(size),
        seat_mode=seat_mode,
        reward=reward,
    )
