"""The ladder: players of known strength, and where a model stands between them.

`ladder.json` holds the ratings of the anchors at each table, from tournaments in which they all met, and what these
depend on: the game's version and components, and a digest of what each anchor plays (`of_play`). Where that is no
longer so, `doubt` says it. `python -m theogony.models.ladder TOURNAMENT.json...` writes the tables of these tournaments
anew.

A model is rated by its games against the anchors: Plackett-Luce with one unknown strength, which for two at a table is
Bradley-Terry. At a larger table one anchor has all other seats. In a cooperative game everybody plays against the game,
which is an anchor of its own. For the interval the anchors' ratings are drawn from theirs as well.
"""

from __future__ import annotations

import functools
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from theogony.benchmark.agents import digest_of
from theogony.benchmark.tasks import TEAM, Strict
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import plain_options
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load
from theogony.envs.core.thinking.player_rng import player_rng
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import replace_file
from theogony.models.ask import ModelError
from theogony.training.rating.elo import ELO, PSEUDO_COUNT, SAMPLES, fit_one, pseudo_counts
from theogony.training.rating.evaluate import Z

FILE = Path(__file__).with_name("ladder.json")
ZERO = "random"  # whose rating is 0
ANCHORS: tuple[str, ...] = ("random", "greedy:0.3", "greedy", "mcts:100", "greedy@reference")
NAME = "ladder"
SHOWN = 12  # decisions of a game that stand for how a player without weights plays
DIGITS = 16  # of a digest


class Anchor(Strict):
    """A player's Elo points above `random`, with the 95 % interval; `plays` is a digest of what it plays.

    In a cooperative game `won` is the share of games that it won, and `TEAM` stands for the game itself.
    """

    player: str
    points: float
    low: float
    high: float
    games: int
    plays: str
    won: float | None = None


class Ladder(Strict):
    """The anchors of a table, the strongest first, and the game in which they met."""

    version: int
    components: str
    options: dict[str, Any]
    anchors: list[Anchor]


class Ladders(Strict):
    """The ladders of all tables that have one, by name: orbis-2p."""

    tables: dict[str, Ladder]


@functools.cache
def shipped_ladders() -> Ladders:
    """The ladders of this version."""
    return checked(Ladders, FILE.read_bytes(), str(FILE), ModelError)


def anchors_of(table: str) -> dict[str, Anchor]:
    """The anchors of a table by player, none where it has no ladder."""
    found = shipped_ladders().tables.get(table)
    return {} if found is None else {anchor.player: anchor for anchor in found.anchors}


def doubt(table: str, game: Game) -> str | None:
    """Why the ladder of a table no longer fits a game, or a player of this version; None where it does, or there is
    none."""
    ladder = shipped_ladders().tables.get(table)
    return None if ladder is None else doubt_of(ladder, game)


def doubt_of(ladder: Ladder, game: Game) -> str | None:
    """Why this ladder no longer fits a game, or a player of this version; None where it does."""
    if (why := differs(ladder, game.spec.version, game.component_digest, plain_options(game))) is not None:
        return why
    changed = [anchor.player for anchor in ladder.anchors if anchor.plays != of_play(anchor.player, game)]
    return f"was measured when {' and '.join(changed)} played otherwise" if changed else None


def differs(ladder: Ladder, version: int, components: str, options: dict[str, Any]) -> str | None:
    """Why a ladder is of another game than one with this version, components and options; None where it is not."""
    pairs = {
        "version of the game": (ladder.version, version),
        "set of components": (ladder.components, components),
        "choice of options": (ladder.options, options),
    }
    what = next((what for what, (there, here) in pairs.items() if there != here), None)
    return what and f"was measured with another {what}"


def of_play(player: str, game: Game) -> str:
    """A digest of what a player plays: of its weights or, where it has none, of its first decisions in a game."""
    if player == TEAM:
        return f"version {game.spec.version}"
    if (weights := digest_of(player, game)) is not None:
        return weights[:DIGITS]
    made, position, actions = make_player(player, game), Position(game, 7), []
    while not position.over and len(actions) < SHOWN:
        rng = player_rng([7, len(actions)])
        actions.append(int(made.act(Views.at(position), rng)[0]))
        position.play(actions[-1])
    return hashlib.sha256(json.dumps(actions).encode()).hexdigest()[:DIGITS]


# ---------------------------------------------------------------------------------------------------- a rating


def rate(
    met: Sequence[Anchor], won: Sequence[float], deals: Sequence[int], seats: int = 2, seed: int = 0
) -> tuple[float, float, float]:
    """Elo points of a player from games, each with the anchor that had all other seats, the share of these that the
    player came before (a shared place counts half) and its deal; and the ends of the 95 % interval of a bootstrap over
    deals.

    As in `training.rating.elo`, a pseudo-count of one drawn game against each anchor keeps the result finite; it
    is drawn as well in the bootstrap.
    """
    return bounded(rated(met, won, deals, seats, seed))


def seats_at(table: str) -> int:
    """How many a table is for, by its name; a team of one meets the game."""
    return max(2, int(table.rpartition("-")[2].removesuffix("p")))


def bounded(drawn: np.ndarray) -> tuple[float, float, float]:
    """Points, to a tenth, and the ends of the interval, of what is measured and what a bootstrap draws behind it."""
    here, (low, high) = float(drawn[0]), np.quantile(drawn[1:], [0.025, 0.975])
    return round(here, 1), round(min(float(low), here), 1), round(max(float(high), here), 1)


def rated(
    met: Sequence[Anchor], won: Sequence[float], deals: Sequence[int], seats: int = 2, seed: int = 0
) -> np.ndarray:
    """The points of `rate`, and behind them those of the bootstrap: what is drawn there is the same for all results of
    the same games, so that these can be compared."""
    anchors = list({anchor.player: anchor for anchor in met}.values())
    index = np.array([anchors.index(anchor) for anchor in met])
    left = np.arange(seats - 1, 0, -1)  # of the anchor's seats, while the player waits for its place
    points = np.array([anchor.points for anchor in anchors])
    others = np.repeat(points / ELO, seats - 1) + np.tile(np.log(left), len(anchors))
    spread = np.array([anchor.high - anchor.low for anchor in anchors]) / (2 * Z * ELO)
    groups = sorted(set(deals))
    place = np.searchsorted(groups, np.array(deals))
    gained, played = np.zeros((2, len(groups), len(anchors), seats - 1))
    first, all_ = _stages(np.array(won, np.float64), seats)
    np.add.at(gained, (place, index), first)
    np.add.at(played, (place, index), all_)
    alone = np.arange(len(anchors)) * (seats - 1) + seats - 2  # where one seat of an anchor is left
    rng, count = np.random.default_rng(seed), len(groups)
    weights, pseudo, elsewhere = [np.ones(count)], [np.full((2, len(anchors)), PSEUDO_COUNT)], [others]
    for _ in range(SAMPLES):
        weights.append(rng.multinomial(count, np.full(count, 1 / count)).astype(np.float64))
        pseudo.append(pseudo_counts(rng, (2, len(anchors))))
        elsewhere.append(others + np.repeat(spread * rng.normal(size=len(anchors)), seats - 1))
    wins, games = (np.array(weights) @ one.reshape(count, -1) for one in (gained, played))
    wins[:, alone] += np.array(pseudo)[:, 0]
    games[:, alone] += np.array(pseudo).sum(1)
    return ELO * fit_one(np.array(elsewhere), wins, games)


def _stages(won: np.ndarray, seats: int) -> tuple[np.ndarray, np.ndarray]:
    """Games as choices of who takes the next place: float64 (games, seats - 1) each, 1 where the player took it, and 1
    where it still waited. A place between two counts half as either."""
    ahead = (seats - 1) * (1.0 - won)
    gained, played = np.zeros((2, len(won), seats - 1))
    stage = np.arange(seats - 1)
    for near, share in ((np.floor(ahead), 1 - ahead % 1), (np.ceil(ahead), ahead % 1)):
        gained += share[:, None] * (stage == near[:, None])
        played += share[:, None] * (stage <= near[:, None])
    return gained, played


# ---------------------------------------------------------------------------------------------------- the file


def from_tournaments(files: Sequence[Path]) -> Ladders:
    """The ladders that tournaments of all anchors give. Raises ModelError."""
    tables = {}
    for file in files:
        data = json.loads(file.read_text("utf-8"))
        rows = {row["player"]: row for row in data["ratings"]}
        if missing := [name for name in ANCHORS if name not in rows]:
            raise ModelError(f"{file}: {missing[0]} did not play; expected {', '.join(ANCHORS)}")
        game = load(data["game"]).configure(data["options"])
        tables[f"{game.spec.name}-{game.players}p"] = Ladder(
            version=game.spec.version,
            components=game.component_digest,
            options=plain_options(game),
            anchors=sorted(_anchors(rows, game), key=lambda anchor: -anchor.points),
        )
    return Ladders(tables=tables)


def _anchors(rows: dict[str, dict[str, float]], game: Game) -> list[Anchor]:
    """The anchors of a tournament; in a cooperative game also the game itself."""
    team = game.spec.cooperative
    zero = _points(rows[ZERO], team)
    ends = {name: _points(row, team) - zero[0] for name, row in rows.items()}
    ends |= {TEAM: -zero[[0, 2, 1]]} if team else {}
    found = []
    for player, three in ends.items():
        points, low, high = (round(float(value), 1) for value in three)
        row = rows.get(player, rows[ZERO])
        won = round(row["rating"], 4) if team and player in rows else None
        said = {"games": int(row["games"]), "plays": of_play(player, game), "won": won}
        found.append(Anchor(player=player, points=points, low=low, high=high, **said))
    return found


def _points(row: dict[str, float], team: bool) -> np.ndarray:
    """Elo points with the ends of their interval. Players of a cooperative game each played it alone: Bradley-Terry
    against the game, with a pseudo-count of one drawn game."""
    ends = np.array([row["rating"], row["low"], row["high"]])
    won = (ends * row["games"] + PSEUDO_COUNT) / (row["games"] + 2 * PSEUDO_COUNT)
    return ELO * np.log(won / (1 - won)) if team else ends


def main(files: Sequence[str]) -> None:
    """Write the tables of these tournaments into the file; the others stay."""
    found = from_tournaments([Path(name) for name in files]).tables
    kept = shipped_ladders().tables
    replace_file(FILE, Ladders(tables=kept | found).model_dump_json(indent=1, exclude_none=True).encode() + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
