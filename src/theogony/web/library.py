"""What `theogony.mjs` must know of a game to call its module without Python: arrays, and the arguments of each call."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.portable.layouts import arrays_in, flat_kinds, flattened, kind_of
from theogony.envs.core.record import SEATS
from theogony.envs.core.rows import Rows
from theogony.envs.core.thinking.value_network import OWN_VALUE
from theogony.training.players.search.kernels import Question
from theogony.training.players.search.options import SearchOptions, Settings, parse_search
from theogony.training.players.search.tree import NODE, Tree, make_tree
from theogony.training.players.search_player import with_value

NODES = 1 << 16  # of a search: enough for a thousand simulations
WORDS = ("seed", "action", "seat", "reward", "iterations", "games", "left", "first", "visits", "base")
SIZES = {"nodes": "nodes", "net": "floats", "prior": "priors"}  # arrays of which the caller says how long they are
HOW = tuple(f"how {field}" for field in Settings._fields if field != "flat")
GIVEN = {
    name: 1_000_003 + k for k, name in enumerate((*WORDS, *SIZES.values(), *HOW))
}  # marks of what the caller gives


def description(game: Game, module: str, net: np.ndarray = OWN_VALUE, weights: str = "") -> dict[str, Any]:
    """A game for `theogony.mjs`, JSON-able; `net` is what its reference player has learnt, in the file `weights`.

    `arrays` have a size and perhaps a content; `calls` are the arguments of each kernel as machine code takes them: a
    number, `{"array": k}` for an address, or the name of what the caller gives.
    """
    tree = make_tree(game, NODES)
    roles = _roles(game, net, tree)
    arrays = {_address(array): array for array in roles.values() if array.nbytes}
    numbers = {address: number for number, address in enumerate(arrays)}
    return {
        **_about(game, module),
        "node": {name: NODE.fields[name][1] for name in ("child", "next", "action", "visits", "total")}  # pyright: ignore
        | {"bytes": NODE.itemsize},
        "nodes": NODES,
        "floats": len(net),
        "ways": _ways(game, net),
        **({"weights": weights} if weights else {}),
        "roles": {role: numbers[_address(array)] for role, array in roles.items() if array.nbytes},
        "arrays": [_array(array) for array in arrays.values()],
        **_machine_calls(_calls(game, roles, tree), roles, numbers),
    }


def _about(game: Game, module: str) -> dict[str, Any]:
    """What a game is and how large its parts are."""
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
        "rows": {kind: _rows(game.actions.first[kind], rows) for kind, rows in (game.action_rows or {}).items()},
    }


def _rows(first: int, rows: Rows) -> dict[str, Any]:
    """The rows of a kind of action: the id of its first, where each column is, and places in 16 bits."""
    places = base64.b64encode(rows.places.astype("<i2").tobytes()).decode()
    return {
        "first": first,
        "columns": {name: [at.start, at.stop] for name, at in rows.columns.items()},
        "places": places,
    }


def _machine_calls(
    calls: dict[str, tuple[Any, ...]], roles: dict[str, np.ndarray], numbers: dict[int, int]
) -> dict[str, dict[str, Any]]:
    """The arguments of each kernel as machine code takes them, and their kinds. `numbers` are those of arrays."""
    names = {mark: name for name, mark in GIVEN.items()}

    def at(array: np.ndarray) -> Any:
        return {"array": numbers[_address(array)]} if array.nbytes else 0

    long = {GIVEN[size]: at(roles[role]) for role, size in SIZES.items()}  # by the length that the caller gives

    def place(array: np.ndarray) -> Any:
        return long[array.size] if array.size in long else at(array)

    def told(value: Any) -> Any:
        return value if isinstance(value, dict) else names.get(value, value)

    kinds = {name: list(map(kind_of, arguments)) for name, arguments in calls.items()}
    return {
        "calls": {
            name: [told(value) for value in flattened(arguments, kinds[name], place)]
            for name, arguments in calls.items()
        },
        "kinds": {name: "".join(flat_kinds(of)) for name, of in kinds.items()},
    }


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def _array(array: np.ndarray) -> dict[str, Any]:
    """Its size, and what is in it unless that is nothing."""
    content = array.tobytes()
    return {"bytes": len(content)} | ({"content": base64.b64encode(content).decode()} if any(content) else {})


def _ways(game: Game, net: np.ndarray) -> dict[str, Any]:
    """How searches think: by the own value of the game, and by a learnt one where there is one."""

    def way(options: SearchOptions) -> dict[str, Any]:
        settings = options.settings(game.spec)._asdict()
        return {
            "halving": options.halving,
            "learnt": options is not usual,
            "how": {name: float(settings[name[4:]]) for name in HOW},
        }

    usual = parse_search("mcts:64")[0]
    return {"own": way(usual)} | ({"learnt": way(with_value(usual, game, net))} if len(net) else {})


def _roles(game: Game, net: np.ndarray, tree: Tree) -> dict[str, np.ndarray]:
    """The arrays that the library reads and writes, by what they are for."""
    roles = {
        "states": game.new_states(2), "tables": game.tables, "mask": np.zeros((1, game.actions.size), np.int8),
        "codes": np.zeros((1, game.features.length), np.uint8), "decoded": game.features.floats(),
        "rng": np.zeros(1, np.uint64), "deals": np.zeros(1, np.uint64), "out": np.zeros(SEATS), "work": np.zeros(SEATS),
        "net": np.zeros(len(net), np.float32), "prior": np.zeros(game.actions.size),
        "nodes": tree.nodes, "alive": tree.alive,
    }  # fmt: skip
    inner: dict[int, np.ndarray] = {}
    for array in arrays_in(tuple(tree)):
        inner.setdefault(_address(array), array)  # of those over one memory the first
    return roles | {f"tree {k}": array for k, array in enumerate(inner.values())}


def _long(role: str, like: np.ndarray) -> np.ndarray:
    """In place of an array whose length the caller gives."""
    return np.lib.stride_tricks.as_strided(np.zeros(1, like.dtype), (GIVEN[SIZES[role]],), (like.itemsize,))


def _calls(game: Game, roles: dict[str, np.ndarray], tree: Tree) -> dict[str, tuple[Any, ...]]:
    states, mask, rng, deals = (roles[role] for role in ("states", "mask", "rng", "deals"))
    at, features = (states, 0, roles["tables"]), game.features.records(roles["codes"])
    how = Settings(**{name[4:]: float(GIVEN[name]) for name in HOW}, flat=False)  # pyright: ignore[reportArgumentType]
    whole = {"rollout", "depth", "prior", "reward"}
    how = how._replace(**{field: int(getattr(how, field)) for field in whole})
    net, prior = _long("net", roles["net"]), _long("prior", roles["prior"])
    q = Question(states, 0, roles["tables"], GIVEN["seat"], net, prior, how)
    tree = tree._replace(nodes=_long("nodes", tree.nodes))
    return {
        "start": (*at, GIVEN["seed"], features, mask, roles["decoded"]),
        "step": (*at, GIVEN["action"], features, mask, roles["decoded"]),
        "show": (*at, features, mask, roles["decoded"]),
        "view": (*at, GIVEN["seat"], features, 0),
        "score": (*at, roles["out"]),
        "rewards": (*at, GIVEN["reward"], roles["work"], roles["out"]),
        "resample": (*at, GIVEN["seat"], rng),
        "begin": (q, tree),
        "iterate": (q, tree, -1, GIVEN["iterations"], rng, rng),
        "candidates": (q, tree, deals),
        "compare": (q, tree, GIVEN["left"], GIVEN["first"], GIVEN["visits"], GIVEN["base"], deals, rng),
        "playouts": (*at, mask[0], GIVEN["seed"], GIVEN["games"], rng),
    }
