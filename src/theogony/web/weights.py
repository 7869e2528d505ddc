"""What the reference players of a game have learnt, as files of a page: written where torch is, read without it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.web.players import POLICY, VALUE, learnt_file
from theogony.web.policies import PARTS


def learnt(configured: Sequence[Game]) -> Iterator[tuple[str, bytes]]:
    """The name and content of a file for each number of seats for which there is a reference player that a page can
    play: a learnt value, or a policy of plain layers."""
    for game in configured:
        try:
            player: Any = make_player("greedy@reference", game)
        except ValueError:
            continue
        if getattr(player, "net", None) is not None:
            yield learnt_file(game, VALUE), _value(player.net)
        elif (layers := _layers(game)) is not None:
            yield learnt_file(game, POLICY), _policy(game, layers)


def _value(net: np.ndarray) -> bytes:
    """A learnt value, in half precision where no bit is lost so."""
    half, out = net.astype(np.float16), io.BytesIO()
    np.save(out, half if np.array_equal(half.astype(np.float32), net) else net)
    return out.getvalue()


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
