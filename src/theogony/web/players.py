"""Players of a page without torch: what is trained is read from arrays that were written when the page was built.

They are known by the names that they have everywhere: `reference`, `plan:32@reference`, `mcts:64@reference` ...

A policy is a network of plain layers, in NumPy. Sums are in double precision, so that no decision hangs on the order in
which a machine adds. Matrices stay in bytes in the file, as whole numbers times a step of each row and one of each
column.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import Player, Views, make_player
from theogony.envs.core.thinking.player_names import PlayerError, PlayerName, register_player
from theogony.envs.core.thinking.value_network import OWN_VALUE
from theogony.training.players.plan_player import PLAN, Planner, PlanPlayer, parse_plan
from theogony.training.players.search.options import KINDS, parse_search
from theogony.training.players.search_player import SearchPlayer, with_value
from theogony.training.players.thinking import ONE_AHEAD, by_policy, by_value, policy_alone, thinking_of
from theogony.web.wide import Helpers, Nobody, WideSearch

REFERENCE = "reference"
VALUE, POLICY = "npy", "npz"  # how the file of a learnt value ends, and that of a policy
PARTS = ("weight", "rows", "columns", "bias")  # of a layer in the file: `0.weight`, `0.rows`, ...


def use(folder: Path, helpers: Helpers | None = None) -> None:
    """Make trained players from the arrays of a folder from now on; `helpers` grow trees of theirs."""
    trained = _Trained(folder, helpers or Nobody())
    register_player(REFERENCE, trained.reference, '"reference"')
    register_player(f"{ONE_AHEAD}@", trained.greedy, '"greedy@reference"')
    register_player(PLAN, trained.plan, '"plan:32@reference"')
    for kind in KINDS:
        register_player(kind, trained.search, f'"{kind}:400"')


class _Trained(NamedTuple):
    """The trained players of a page, each made by name for a game."""

    folder: Path
    helpers: Helpers

    def learnt(self, guide: str, game: Game) -> np.ndarray | PlainPolicy:
        """What the reference player of a game has learnt. Raises PlayerError."""
        value, policy = (self.folder / learnt_file(game, kind) for kind in (VALUE, POLICY))
        if guide != REFERENCE:
            raise PlayerError(f'player {guide!r}: expected "{REFERENCE}"')
        if value.is_file():
            try:
                return np.load(value, allow_pickle=False).astype(np.float32)
            except (OSError, ValueError, EOFError):
                raise PlayerError(f"weights/{value.name} is damaged") from None
        if policy.is_file():
            return read_policy(policy, guide, game)
        raise PlayerError(f"this page has no trained player for {game!r} with {game.players} seats")

    def reference(self, name: PlayerName, game: Game, draws: bool) -> Player:
        """The reference player itself."""
        found = self.learnt(name.text, game)
        if isinstance(found, PlainPolicy):
            return by_policy(name.text, thinking_of(game, policy=True), game, found)
        return by_value(name.text, thinking_of(game), game, found)

    def greedy(self, name: PlayerName, game: Game, draws: bool) -> Player:
        """One decision ahead by a learnt value; of a policy the likeliest action."""
        guide = name.guide or ""
        found = self.learnt(guide, game)
        if isinstance(found, PlainPolicy):
            return policy_alone(name.text, name.settings, guide, found)
        return by_value(name.text, name.settings, game, found)

    def plan(self, name: PlayerName, game: Game, draws: bool) -> Player:
        """Plans of own decisions, judged by the game's own value or a learnt one."""
        options = parse_plan(name)
        found = OWN_VALUE if options.run is None else self.learnt(options.run, game)
        if isinstance(found, PlainPolicy):
            expected = "expected a learnt value, which judges plans"
            raise PlayerError(f"player {name.text!r}: {options.run} is a policy; {expected}")
        return PlanPlayer(name.text, Planner(game, options, found))

    def search(self, name: PlayerName, game: Game, draws: bool) -> Player:
        """A search by the game's own value, a learnt one or a policy; its further trees grow in helpers."""
        options, guide = parse_search(name)
        found = OWN_VALUE if guide is None else self.learnt(guide, game)
        policy, net = (found, OWN_VALUE) if isinstance(found, PlainPolicy) else (None, found)
        options = with_value(options, game, net) if len(net) else options
        player = SearchPlayer(name.text, game, replace(options, threads=1), policy, net)
        if options.threads > 1:
            player.search = WideSearch(self.helpers, game, options, net)
        return player


# ---- Policies


class Layer(NamedTuple):
    """One layer, in double precision."""

    weight: np.ndarray  # (outputs, inputs)
    bias: np.ndarray  # (outputs,)


class PlainPolicy:
    """A policy network whose hidden layers end with ReLU: its likeliest action."""

    needs_positions = False

    def __init__(self, name: str, layers: Sequence[Layer], game: Game | None = None) -> None:
        self.name, self.layers, self.made_for = name, tuple(layers), game

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        return self._logits(views).argmax(axis=1)

    def probabilities(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """How likely the policy would choose each action, float64 (n, actions), zero where it is not legal."""
        logits = self._logits(views)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return chances / chances.sum(axis=1, keepdims=True)

    def _logits(self, views: Views) -> np.ndarray:
        """Those of legal actions, float64 (n, actions); of others minus infinity."""
        found = views.observations[:, : self.layers[0].weight.shape[1]].astype(np.float64)  # the fields it has seen
        for layer in self.layers[:-1]:
            found = np.maximum(found @ layer.weight.T + layer.bias, 0.0)
        last = self.layers[-1]
        return np.where(views.masks > 0, found @ last.weight.T + last.bias, -np.inf)


def read_policy(path: Path, name: str, game: Game) -> PlainPolicy:
    """The policy of a file with `PARTS` of all layers. Raises PlayerError when it is of another game or damaged."""
    try:
        with np.load(path, allow_pickle=False) as file:
            layers = [_layer(*(file[f"{k}.{part}"] for part in PARTS)) for k in range(len(file.files) // len(PARTS))]
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise PlayerError(f"the policy of {name!r} cannot be read: {error}") from None
    shapes = [layer.weight.shape for layer in layers]
    ends = [where.stop for where in game.features.slices().values()]
    seen = shapes[0][1] if layers and shapes[0][1] in ends else game.features.length  # new fields come last
    widths = [seen, *(len(layer.bias) for layer in layers)]
    if not layers or shapes != list(zip(widths[1:], widths, strict=False)) or widths[-1] != game.actions.size:
        raise PlayerError(f"the policy of {name!r} has layers {shapes}, which are not for {game!r}")
    return PlainPolicy(name, layers, game)


def _layer(weight: np.ndarray, rows: np.ndarray, columns: np.ndarray, bias: np.ndarray) -> Layer:
    """A layer of the numbers in a file, multiplied as `unrounded` does it: in single precision."""
    whole = weight.astype(np.float32) * rows.astype(np.float32)[:, None] * columns.astype(np.float32)
    return Layer(whole.astype(np.float64), bias.astype(np.float64))


# ---- The files, written where torch is


def learnt_file(game: Game, kind: str) -> str:
    """The name of the file with what the reference player of a game has learnt: a `VALUE` or a `POLICY`."""
    return f"{game.spec.name}-{game.players}p.{kind}"


def learnt_files(configured: Sequence[Game]) -> Iterator[tuple[str, bytes]]:
    """The name and content of a file for each number of seats for which there is a reference player that a page can
    play: a learnt value, or a policy of plain layers."""
    for game in configured:
        try:
            player: Any = make_player("greedy@reference", game)
        except ValueError:
            continue
        if getattr(player, "net", None) is not None:
            half, out = player.net.astype(np.float16), io.BytesIO()
            lossless = np.array_equal(half.astype(np.float32), player.net)
            np.save(out, half if lossless else player.net)
            yield learnt_file(game, VALUE), out.getvalue()
        elif (layers := _layers(game)) is not None:
            yield learnt_file(game, POLICY), _policy(game, layers)


def _layers(game: Game) -> list[str] | None:
    """The names of the layers of a reference policy, first to last; None where it has more than plain layers."""
    from theogony.training.players.reference import reference_folder
    from theogony.training.storage.header import read_header

    network: Any = read_header(reference_folder(game)).network
    if network.rows or network.lookahead or network.activation != "relu":
        return None
    shared = [f"features_extractor.layers.{2 * k}" for k in range(len(network.shared))]
    policy = [f"mlp_extractor.policy_net.{2 * k}" for k in range(len(network.policy))]
    return [*shared, *policy, "action_net"]


def _policy(game: Game, layers: Sequence[str]) -> bytes:
    """A policy as it is stored, without the layers of its value."""
    from theogony.training.networks.weights import COLUMNS, ROWS, read_tensors
    from theogony.training.players.reference import reference_folder
    from theogony.training.storage.checkpoint import POLICY as WEIGHTS

    stored = {name: tensor.numpy() for name, tensor in read_tensors(reference_folder(game) / WEIGHTS).items()}
    arrays = {}
    for k, layer in enumerate(layers):
        weight = stored[f"{layer}.weight"]
        rows = stored.get(f"{layer}.weight{ROWS}", np.ones(len(weight), np.float32))
        columns = stored.get(f"{layer}.weight{COLUMNS}", np.ones(weight.shape[1], np.float32))
        parts = (weight, rows, columns, stored[f"{layer}.bias"])
        arrays |= {f"{k}.{part}": array for part, array in zip(PARTS, parts, strict=True)}
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()
