"""`theogony packs`: how drawn components play beside the printed ones, by games between greedy players.

For each pack the mean number of decisions, the mean and the spread of points, how often seat 0 wins more than its
share, and how many games were truncated; then the mean and the extremes over the packs, beside the printed components.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from theogony.console.progress import Progress
from theogony.envs.core.game import Game, GameSpec, OptionError
from theogony.envs.core.packs import PRINTED
from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position
from theogony.envs.core.record import CUT_OFF
from theogony.envs.core.rng import mix
from theogony.envs.core.untrusted.files import replace_file
from theogony.training.rating.arena import play_out

FIGURES = {
    "decisions": "decisions of a game", "points": "points of a seat", "spread": "their standard deviation",
    "first": "seat 0 wins, above its share", "won": "games won", "cut_off": "games truncated",
}  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """Games with one pack. `first` is the win rate of seat 0 less its share; of a team, `won` is that of all."""

    components: str
    games: int
    decisions: float
    points: float
    spread: float
    first: float | None
    won: float | None
    cut_off: float


def measure(game: Game, games: int, seed: int = 0, progress: Progress | None = None) -> Measured:
    """Play `games` games between greedy players with the components of a game that has no others."""
    lengths, points, first, cut = np.zeros(games), np.zeros((games, game.players)), np.zeros(games), np.zeros(games)
    player, stream = KernelPlay(game), np.array([mix(seed, 0, 1)], np.uint64)
    for k in range(games):
        position = Position(game, int(mix(seed, k, 0)))
        play_out(position, [lambda at: player.choose(at, 1.0, stream)] * game.players)
        standings = position.standings()
        winners = standings == standings.max()
        lengths[k], points[k], cut[k] = position.now, position.scores(), position.over == CUT_OFF
        first[k] = standings[0] if game.spec.cooperative else winners[0] / winners.sum()
        if progress is not None:
            progress.add()
    team = game.spec.cooperative
    return Measured(
        components=getattr(game.options, "components", PRINTED),
        games=games,
        decisions=float(lengths.mean()),
        points=float(points.mean()),
        spread=float(points.std()),
        first=None if team else float(first.mean() - 1 / game.players),
        won=float(first.mean()) if team else None,
        cut_off=float(cut.mean()),
    )


def run(spec: GameSpec, options: Mapping[str, Any], games: int, seed: int, json_file: Path | None) -> list[Measured]:
    """Measure the printed components and every pack that the option `components` names. Raises OptionError."""
    game = spec.configure(dict(options))
    if not game.drawn:
        raise OptionError(f"{spec.name}: which packs? Expected an option such as components=random:0-19")
    every = [spec.configure({**options, "components": PRINTED}), *(game.packs or (game,))]
    with Progress(f"playing {spec.title}", games * len(every), "games") as progress:
        found = [measure(one, games, seed, progress) for one in every]
    if json_file is not None:
        replace_file(json_file, json.dumps([asdict(one) for one in found], indent=1).encode() + b"\n")
    return found


def table(found: list[Measured]) -> str:
    """The printed components beside the packs, as Markdown."""
    printed, *packs = found
    lines = ["| | printed | packs, mean | least | most |", "|---|---|---|---|---|"]
    for name, what in FIGURES.items():
        first, values = getattr(printed, name), [getattr(pack, name) for pack in packs]
        if first is None:
            continue
        shown = [f"{value:+.3f}" if name == "first" else f"{value:.2f}" for value in
                 (first, float(np.mean(values)), min(values), max(values))]  # fmt: skip
        lines.append(f"| {what} | {' | '.join(shown)} |")
    return "\n".join(lines)
