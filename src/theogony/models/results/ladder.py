"""The ladder: players of known strength, and where a model stands between them.

`ladder.json` holds the ratings of the rungs at each table, from tournaments in which they all met
(`python -m theogony.models.results.ladder TOURNAMENT.json...` writes it anew). A model is rated by its games against
them: Bradley-Terry with one unknown strength. For its interval the rungs' ratings are drawn from theirs as well.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from theogony.benchmark.tasks import Strict
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import replace_file
from theogony.models.ask.said import ModelError
from theogony.training.rating.elo import ELO, IMAGINED, LEAST, SAMPLES
from theogony.training.rating.evaluate import Z

FILE = Path(__file__).with_name("ladder.json")
ZERO = "random"  # whose rating is 0
RUNGS: tuple[str, ...] = ("random", "greedy:0.3", "greedy", "mcts:100", "reference")
NAME = "ladder"


class Rung(Strict):
    """A player's Elo points above `random`, of a team its share of games won, with the 95 % interval."""

    player: str
    points: float
    low: float
    high: float
    games: int


class Ladders(Strict):
    """The rungs of every table, the strongest first."""

    tables: dict[str, list[Rung]]


@functools.cache
def shipped_ladders() -> Ladders:
    """The ladders of this version."""
    return checked(Ladders, FILE.read_bytes(), str(FILE), ModelError)


def rungs_of(table: str) -> dict[str, Rung]:
    """The rungs of a table by player, none where it has no ladder."""
    return {rung.player: rung for rung in shipped_ladders().tables.get(table, [])}


def rate(met: Sequence[Rung], won: Sequence[float], deals: Sequence[int], seed: int = 0) -> tuple[float, float, float]:
    """Elo points of a player from games, each with the rung that it met, its share of the win and its deal, and the
    ends of the 95 % interval of a bootstrap over deals.

    As in `training.rating.elo`, an imagined drawn game against each of the others keeps the result finite, and is drawn
    as well in the bootstrap.
    """
    rungs = list({rung.player: rung for rung in met}.values())
    index = np.array([rungs.index(rung) for rung in met])
    others = np.array([rung.points for rung in rungs]) / ELO
    spread = np.array([rung.high - rung.low for rung in rungs]) / (2 * Z * ELO)
    groups = sorted(set(deals))
    place = np.searchsorted(groups, np.array(deals))
    gained, played = np.zeros((len(groups), len(others))), np.zeros((len(groups), len(others)))
    np.add.at(gained, (place, index), np.array(won, np.float64))
    np.add.at(played, (place, index), 1.0)
    here = _fit(others, gained.sum(0) + IMAGINED, played.sum(0) + 2 * IMAGINED)
    rng, drawn = np.random.default_rng(seed), []
    for _ in range(SAMPLES):
        weights = rng.multinomial(len(groups), np.full(len(groups), 1 / len(groups)))
        imagined = np.maximum(rng.gamma(IMAGINED, size=(2, len(others))), LEAST)
        elsewhere = others + spread * rng.normal(size=len(others))
        drawn.append(_fit(elsewhere, weights @ gained + imagined[0], weights @ played + imagined.sum(0), here))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return ELO * here, ELO * min(low, here), ELO * max(high, here)


def _fit(others: np.ndarray, won: np.ndarray, played: np.ndarray, start: float = 0.0) -> float:
    """The likeliest strength by Newton's method."""
    strength = start
    for _ in range(200):
        chance = 1 / (1 + np.exp(others - strength))
        slope = float((won - played * chance).sum())
        step = slope / max(float((played * chance * (1 - chance)).sum()), 1e-9)
        strength += float(np.clip(step, -2.0, 2.0))
        if abs(step) < 1e-8:
            break
    return strength


def from_tournaments(files: Sequence[Path]) -> Ladders:
    """The ladders that tournaments of all rungs give. Raises ModelError."""
    tables = {}
    for file in files:
        data = json.loads(file.read_text("utf-8"))
        rows = {row["player"]: row for row in data["ratings"]}
        if missing := [name for name in RUNGS if name not in rows]:
            raise ModelError(f"{file}: {missing[0]} did not play; expected {', '.join(RUNGS)}")
        zero = rows[ZERO]["rating"] if data["scale"] == "elo" else 0.0
        digits = 1 if data["scale"] == "elo" else 4
        rungs = [
            Rung(player=name, games=row["games"], **_shown(row, zero, digits))
            for name, row in sorted(rows.items(), key=lambda item: -item[1]["rating"])
        ]
        tables[f"{data['game']}-{data['options']['players']}p"] = rungs
    return Ladders(tables=tables)


def _shown(row: dict[str, float], zero: float, digits: int) -> dict[str, float]:
    return {
        name: round(row[key] - zero, digits) for name, key in (("points", "rating"), ("low", "low"), ("high", "high"))
    }


if __name__ == "__main__":
    replace_file(
        FILE, from_tournaments([Path(name) for name in sys.argv[1:]]).model_dump_json(indent=1).encode() + b"\n"
    )
