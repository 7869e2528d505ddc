"""Tables as a dataset of Minari, the format of offline reinforcement learning.

There is an episode for each seat of each game, with the observations of `gymnasium.make` and the mask of each decision
in its infos.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import minari
import numpy as np
import pyarrow as pa
from minari.data_collector.episode_buffer import EpisodeBuffer

from theogony.dataset.games import bytes_of, read
from theogony.envs.core.features import FeatureLayout
from theogony.envs.core.record import CUT_OFF, ENDED
from theogony.envs.core.registry import load

COLUMNS = ["game", "seat", "player", "view", "mask", "action", "reward", "end"]


def to_minari(folder: str | Path, name: str, split: str = "train", player: str | None = None) -> minari.MinariDataset:
    """Store a split with Minari, where `minari.load_dataset(name)` finds it.

    The environment that it recovers is that of `gymnasium.make`, against the player of the other seats.

    Args:
        folder: what `theogony dataset --parquet` wrote.
        name: for Minari, such as "orbis/greedy-v0".
        split: "train", "validation" or "test".
        player: whose decisions, by name; None takes all seats.
    """
    about = json.loads((Path(folder) / "statistics.json").read_text("utf-8"))
    game = load(about["game"]).configure(about["options"])
    env = gymnasium.make(
        f"theogony/{about['game'].title().replace('_', '')}-v{about['version']}",
        opponents=about["against"],
        reward=about["reward"],
        **about["options"],
    )
    found = [EpisodeBuffer(id=k, **one) for k, one in enumerate(episodes(folder, split, player, game.features))]
    return minari.create_dataset_from_buffers(
        name,
        found,
        env=env,
        algorithm_name=player or about["player"],
        author="Theogony contributors",
        description=f"Made by: {about['command']}",
        data_format="arrow",
    )


def episodes(folder: str | Path, split: str, player: str | None, layout: FeatureLayout) -> Iterator[dict[str, Any]]:
    """The decisions of each seat of each game, as the arrays of an episode; the last observation stands there twice."""
    held = None
    for batch in read(Path(folder), split, COLUMNS):
        table = pa.Table.from_batches([batch])
        held: Any = table if held is None else pa.concat_tables([held, table])
        game = held["game"].to_numpy()
        whole = int(np.searchsorted(game, game[-1])) if (game[:-1] <= game[1:]).all() else 0
        yield from _of_games(held.slice(0, whole), player, layout)
        held = held.slice(whole)
    if held is not None:
        yield from _of_games(held, player, layout)


def _of_games(table: pa.Table, player: str | None, layout: FeatureLayout) -> Iterator[dict[str, Any]]:
    """The episodes of whole games."""
    if not table.num_rows:
        return
    game, seat, end = (table[name].to_numpy() for name in ("game", "seat", "end"))
    names, codes, masks = np.array(table["player"].to_pylist()), bytes_of(table["view"]), bytes_of(table["mask"])
    order = np.lexsort((seat, game))  # stable: the decisions of a seat stay in their order
    for rows in np.split(order, np.flatnonzero(end[order])[:-1] + 1):
        if player is None or names[rows[0]] == player:
            after = np.append(rows, rows[-1])  # what comes after the last decision is never decided on
            yield {
                "observations": layout.decode(np.ascontiguousarray(codes[after])),
                "actions": table["action"].to_numpy()[rows].astype(np.int64),
                "rewards": table["reward"].to_numpy()[rows].astype(np.float64),
                "terminations": end[rows] == ENDED,
                "truncations": end[rows] == CUT_OFF,
                "infos": {"action_mask": masks[after].astype(np.int8)},
            }
