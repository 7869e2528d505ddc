"""What `theogony.mjs` must know of a game to call its module without Python: arrays, and the arguments of each call."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.portable.layouts import arrays_in, flat_kinds, flattened, kind_of
from theogony.envs.core.record import SEATS
from theogony.envs.core.thinking.value_network import OWN_VALUE
from theogony.training.players.search.kernels import NO_PRIOR, Question
from theogony.training.players.search.names import parse_search
from theogony.training.players.search.tree import NODE, make_tree

NODES = 1 << 16  # of a search: enough for a thousand simulations
GIVEN = {
    name: 1_000_003 + k for k, name in enumerate(("seed", "action", "seat", "reward", "iterations", "games"))
}  # marks


def description(game: Game, module: str) -> dict[str, Any]:
    """A game for `theogony.mjs`, JSON-able.

    `arrays` have a size and perhaps a content; `calls` are the arguments of each kernel as machine code takes them: a
    number, `{"array": k}` for an address, or the name of what the caller gives.
    """
    roles, calls = _calls(game)
    arrays = {_address(array): array for array in roles.values() if array.nbytes}
    order = list(arrays)
    names = {mark: name for name, mark in GIVEN.items()}

    def told(value: Any) -> Any:
        return value if isinstance(value, dict) else names.get(value, value)

    def at(array: np.ndarray) -> Any:
        return {"array": order.index(_address(array))} if array.nbytes else 0

    layout = game.features
    return {
        "game": game.spec.name,
        "title": game.spec.title,
        "players": game.players,
        "module": f"{module}.wasm",
        "stateBytes": game.state.itemsize,
        "actions": [game.actions.text(action) for action in range(game.actions.size)],
        "rewards": list(game.spec.rewards),
        "usualReward": game.usual_reward,
        "zeros": layout.zeros.tolist(),
        "scales": layout.scales.tolist(),
        "node": {name: NODE.fields[name][1] for name in ("child", "next", "action", "visits", "total")}  # pyright: ignore
        | {"bytes": NODE.itemsize},
        "roles": {role: order.index(_address(array)) for role, array in roles.items() if array.nbytes},
        "arrays": [_array(arrays[place]) for place in order],
        "calls": {
            name: [told(value) for value in flattened(arguments, list(map(kind_of, arguments)), at)]
            for name, arguments in calls.items()
        },
        "kinds": {name: "".join(flat_kinds(list(map(kind_of, arguments)))) for name, arguments in calls.items()},
    }


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def _array(array: np.ndarray) -> dict[str, Any]:
    """Its size, and what is in it unless that is nothing."""
    content = array.tobytes()
    return {"bytes": len(content)} | ({"content": base64.b64encode(content).decode()} if any(content) else {})


def _calls(game: Game) -> tuple[dict[str, np.ndarray], dict[str, tuple[Any, ...]]]:
    """The arrays that the library reads and writes, by what they are for, and the arguments of all calls."""
    codes, tree = np.zeros((1, game.features.length), np.uint8), make_tree(game, NODES)
    roles = {
        "states": game.new_states(2), "tables": game.tables, "mask": np.zeros((1, game.actions.size), np.int8),
        "codes": codes, "floats": game.features.floats(), "rng": np.zeros(1, np.uint64),
        "out": np.zeros(SEATS), "work": np.zeros(SEATS), "nodes": tree.nodes,
    }  # fmt: skip
    for k, array in enumerate(_inner(tree)):
        roles.setdefault(f"tree {k}", array)
    states, mask, rng = roles["states"], roles["mask"], roles["rng"]
    at, features = (states, 0, roles["tables"]), game.features.records(codes)
    settings = parse_search("mcts:64")[0].settings(game.spec)
    q = Question(states, 0, roles["tables"], GIVEN["seat"], OWN_VALUE, NO_PRIOR, settings)
    return roles, {
        "start": (*at, GIVEN["seed"], features, mask, roles["floats"]),
        "step": (*at, GIVEN["action"], features, mask, roles["floats"]),
        "show": (*at, features, mask, roles["floats"]),
        "view": (*at, GIVEN["seat"], features, 0),
        "score": (*at, roles["out"]),
        "rewards": (*at, GIVEN["reward"], roles["work"], roles["out"]),
        "resample": (*at, GIVEN["seat"], rng),
        "search": (q, tree, GIVEN["iterations"], rng),
        "begin": (q, tree),
        "iterate": (q, tree, -1, GIVEN["iterations"], rng, rng),
        "playouts": (*at, mask[0], GIVEN["seed"], GIVEN["games"], rng),
    }


def _inner(tree: Any) -> Iterable[np.ndarray]:
    """The arrays of a tree; of those over one memory the first."""
    found: dict[int, np.ndarray] = {}
    for array in arrays_in(tuple(tree)):
        found.setdefault(_address(array), array)
    return found.values()
