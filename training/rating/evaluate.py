"""Masked play against fixed players: every seat in turn, the same games for each, win rates with intervals."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from theogony.console import interrupt
from theogony.console.progress import Progress
from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game, GameSpec, OptionError
from theogony.envs.core.gamerecord import plain_options, write_record
from theogony.envs.core.players import Player, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.record import CUT_OFF, ENDED
from theogony.envs.core.rng import mix, seed_bits
from theogony.envs.core.thinking.player_names import no_player
from theogony.envs.core.thinking.player_rng import player_rng
from theogony.envs.core.untrusted.files import replace_file
from theogony.training.config import ConfigError
from theogony.training.config.file import apply_override
from theogony.training.players.names import run_of
from theogony.training.players.threads import one_thread
from theogony.training.rating.arena import each, play_out, seated

if TYPE_CHECKING:
    from theogony.training.rating.tournament import Records

ROWS = 256  # games played side by side
KEPT = 4  # what the seed of games that are played one by one is mixed with
TEAM = "team"  # against: in a cooperative game, all seats are the player's own
ALL = -1  # the seat of a player that has all
Z = 1.959964  # 95 % of a normal distribution


@dataclass(frozen=True)
class Result:
    """How a player did against one opponent.

    `win_rate` counts a shared win as the share of it (a cut-off game as one equal share, in a cooperative game as
    lost); `low` and `high` bound it by Wilson's 95 % interval. `margin` is the mean lead over the best other in
    printed scores; None in a cooperative game. `seats` has the win rate in each seat. `cut_off` is the share of games
    that a limit ended: of a player who rather holds out than loses it is high. `drawn` is the win rate of a policy that
    draws its actions in the same games, where that was asked for.
    """

    against: str
    games: int
    win_rate: float
    low: float
    high: float
    margin: float | None
    seats: list[float]
    cut_off: float = 0.0
    drawn: float | None = None


def evaluate(
    player: Player,
    against: str | Player,
    game: Game,
    games: int,
    seed: int = 0,
    only: int | None = None,
    progress: Progress | None = None,
    both: bool = False,
) -> Result:
    """Play `games` games, rounded up to as many in each seat, or `only` in one; the seeds are the same in each seat.

    In a cooperative game the others are the player's partners, and with "team" it plays all seats itself.
    `progress` counts the games. With `both`, a policy that plays its likeliest action also plays them drawing its
    actions: where the likeliest one leads nowhere, a team that wins a part of its games while it learns may win none.
    Raises ValueError or CheckpointError when `against` names no player of this game, or one is made for another.

    >>> from theogony.envs import load
    >>> game = load("push_of_faith").configure({"players": 2})
    >>> result = evaluate(make_player("greedy", game), "random", game, games=10)
    >>> result.win_rate > 0.5
    True
    """
    at = Evaluation(game, player, [against], games, seed, both)
    at.count = at.count if progress is None else progress.add
    with one_thread():
        return at.results(list(map(at.play, at.jobs(only))))[0]


class Seat(NamedTuple):
    """A job: games against one of the others, by its number, in one seat; `drawing`: the policy draws its actions."""

    other: int
    drawing: bool
    seat: int
    games: int


Ended = tuple[float, float, bool]  # of a game share of the win, lead, whether it was cut off
Played = tuple[Seat, np.ndarray, np.ndarray, np.ndarray]  # these of all games of a job


class Evaluation:
    """A player against others, each by its name or made: the jobs, where they are played, and what they say.

    With `both` a policy also plays as one that draws its actions; with `kept` every game is written there. Raises
    ValueError, PlayerError or CheckpointError.
    """

    def __init__(
        self,
        game: Game,
        player: str | Player,
        against: Sequence[str | Player],
        games: int,
        seed: int,
        both: bool = False,
        kept: Records | None = None,
    ) -> None:
        if TEAM in against and not game.spec.cooperative:
            raise ValueError(f'"team" plays cooperative games only, and {game.spec.name} is none')
        self.game, self.against, self.games, self.seed, self.kept = game, against, games, seed_bits(seed), kept
        self.names = [one if isinstance(one, str) else one.name for one in (player, *against)]
        made = make_player(player, game)
        drawing = getattr(made, "drawing", None) if both else None  # of other players there is none, nor torch
        self.ways = [made] if drawing is None or made.draws else [made, drawing()]  # pyright: ignore[reportAttributeAccessIssue]
        self.others = [make_player("random" if one == TEAM else one, game) for one in against]
        self.count: Callable[[], None] = lambda: None  # is called with each game

    def jobs(self, only: int | None = None) -> list[Seat]:
        """All of them, or those in one seat."""
        usual = range(self.game.players) if only is None else [only]
        seats = [[ALL] if one == TEAM else usual for one in self.against]
        return [
            Seat(k, way > 0, seat, math.ceil(self.games / len(of)))
            for k, of in enumerate(seats)
            for way in range(len(self.ways))
            for seat in of
        ]

    def warm_up(self, jobs: Sequence[Seat]) -> None:
        """Nothing: one process plays, or a cluster."""

    def play(self, job: Seat) -> Played:
        """The games of a job: side by side, or one after another if they are kept."""
        play = self._side_by_side if self.kept is None else self._one_by_one
        won, leads, cut = zip(*play(job, self.ways[job.drawing], self.others[job.other]), strict=True)
        return job, np.array(won), np.array(leads), np.array(cut)

    def results(self, played: Sequence[Played]) -> list[Result]:
        """What all games say, of each of the others."""
        found = []
        for k in range(len(self.others)):
            first, *drawn = [
                self._result(k, [one for one in played if one[0].other == k and one[0].drawing == way])
                for way in range(len(self.ways))
            ]
            found.append(replace(first, drawn=drawn[0].win_rate if drawn else None))
        return found

    def _result(self, other: int, played: Sequence[Played]) -> Result:
        _, *columns = zip(*sorted(played, key=lambda one: one[0]), strict=True)
        won, leads, cut = map(np.concatenate, columns)
        low, high = wilson(float(won.sum()), len(won))
        return Result(
            against=self.names[1 + other],
            games=len(won),
            win_rate=float(won.mean()),
            low=low,
            high=high,
            margin=None if self.game.spec.cooperative else float(leads.mean()),
            seats=[float(shares.mean()) for shares in columns[0]],
            cut_off=float(cut.mean()),
        )

    def _side_by_side(self, job: Seat, player: Player, other: Player) -> list[Ended]:
        """Rows of a batch never rest. Those that have played their games are played on by anybody, so that a search
        does not think about games that do not count."""
        games, seat = job.games, "all" if job.seat == ALL else job.seat
        rows = min(games, ROWS)
        rng = player_rng([self.seed, max(job.seat, 0)])
        batch = Batch(self.game, rows, self.seed, seat=seat, opponents=other, reward="outcome")
        # The first games of each row, so that none is preferred.
        wanted = games // rows + (np.arange(rows) < games % rows)
        found: list[Ended] = []
        anybody = False
        while len(found) < games:
            counted = np.flatnonzero(batch.rows["episode"] < wanted)
            if not anybody and (batch.rows["episode"] + 1 >= wanted).all():
                batch.set_opponents("random")  # from the next games on, none of which counts
                anybody = True
            actions = batch.masks.argmax(1)
            actions[counted] = player.act(Views.of(batch, counted), rng)
            batch.step(actions)
            for row, share in zip(batch.ended()[0], won_shares(batch), strict=True):
                if (ended := batch.rows[row])["episode"] <= wanted[row]:
                    lead = _lead(ended["scores"][: self.game.players], int(ended["ended_seat"]))
                    found.append((float(share), lead, bool(ended["over"] == CUT_OFF)))
                    self.count()
        return found

    def _one_by_one(self, job: Seat, player: Player, other: Player) -> list[Ended]:
        """The same of games that are played one after another, and written where they are kept."""
        assert self.kept is not None
        game, own = self.game, max(job.seat, 0)
        found: list[Ended] = []
        mine = [job.seat in (ALL, seat) for seat in range(game.players)]
        for deal in range(job.games):
            position = Position(game, int(mix(self.seed, deal, KEPT)))
            rngs = [player_rng([self.seed, deal, seat]) for seat in range(game.players)]
            play_out(position, [seated(player if at else other, rng) for at, rng in zip(mine, rngs, strict=True)])
            names = [self.names[0 if at else 1 + job.other] for at in mine]
            write_record(position, self.kept.path(names, deal, own))
            ended = np.array([position.over == ENDED])
            share = _shares(position.standings()[None], np.array([own]), ended, game.spec.cooperative)
            found.append((share[0], _lead(position.scores(), job.seat), not ended[0]))
            self.count()
        return found


def won_shares(batch: Batch) -> np.ndarray:
    """What the caller's seat won of the games that ended in the last step, whatever reward is paid: float64 (ended,).

    1 for a win, the share of a shared one, else 0; a game that was cut off is drawn, and lost for a team.
    """
    rows, game = batch.rows[np.flatnonzero(batch.rows["over"])], batch.game
    seats = np.maximum(rows["ended_seat"], 0)
    return _shares(rows["standing"][:, : game.players], seats, rows["over"] == ENDED, game.spec.cooperative)


def _shares(standing: np.ndarray, seats: np.ndarray, ended: np.ndarray, cooperative: bool) -> np.ndarray:
    """What `seats` (n,) won by `standing` (n, players); `ended` tells which games a rule ended."""
    if cooperative:
        return (ended & (standing[:, 0] > 0)).astype(np.float64)
    best = (standing == standing.max(axis=1, keepdims=True)) | ~ended[:, None]
    mine = best[np.arange(len(standing)), seats]
    return np.where(mine, 1.0 / best.sum(axis=1), 0.0)


def _lead(scores: np.ndarray, seat: int) -> float:
    """How far a seat is ahead of the best other."""
    others = np.delete(scores, seat)
    return float(scores[seat] - others.max()) if len(others) else 0.0


def wilson(won: float, games: float) -> tuple[float, float]:
    """Wilson's 95 % interval for a share of games won."""
    if games == 0:
        return 0.0, 1.0
    rate, z2 = won / games, Z * Z / games
    centre = (rate + z2 / 2) / (1 + z2)
    half = Z / (1 + z2) * math.sqrt(rate * (1 - rate) / games + z2 / (4 * games))
    return max(0.0, centre - half), min(1.0, centre + half)


def table(results: list[Result]) -> str:
    """Results as text, a line each.

    Games that were cut off have a column if there were any, drawn actions if they do better or worse than the likeliest
    ones by more than chance.
    """
    width = max(len("against"), *(len(result.against) for result in results))
    limited = any(result.cut_off for result in results)
    both = any(r.drawn is not None and not r.low <= r.drawn <= r.high for r in results)
    heading = "  cut off" * limited + "   drawn" * both
    lines = [f"{'against':<{width}}  games   won  95 % interval    margin{heading}  won in each seat"]
    for r in results:
        margin = "      -" if r.margin is None else f"{r.margin:+7.1f}"
        seats = "  ".join(f"{share:.1%}" for share in r.seats)
        interval = f"{r.low:.1%} to {r.high:.1%}"
        cut = f"{r.cut_off:>9.1%}" if limited else ""
        cut += ("       -" if r.drawn is None else f"{r.drawn:>8.1%}") if both else ""
        lines.append(f"{r.against:<{width}}  {r.games:>5}  {r.win_rate:>6.1%}  {interval:<16}{margin}{cut}  {seats}")
    return "\n".join(lines)


# ---------------------------------------------------------------------------------------------------- the command


@dataclass(frozen=True)
class Asked:
    """What is to be evaluated: a player, its opponents, and the game, by default that of the first run among them."""

    player: str
    against: Sequence[str]
    game: GameSpec | None = None
    options: Sequence[str] = ()  # KEY=VALUE, in place of those of the run
    players: int | None = None

    def make_game(self) -> Game:
        """The game, configured. Raises ConfigError or CheckpointError."""
        changed: dict[str, Any] = {}
        for option in self.options:
            apply_override(changed, option)
        if self.players is not None:
            changed["players"] = self.players
        try:
            if self.game is not None:
                return self.game.configure(changed)
            trained = self._game_of_run()
            if not changed:
                return trained
            components = None if "components" in changed else trained.components  # other ones were asked for
            return trained.spec.configure({**trained.options.model_dump(), **changed}, components)
        except OptionError as error:
            raise ConfigError(f"{', '.join(changed)}: {error}") from None

    def _game_of_run(self) -> Game:
        names = (self.player, *self.against)
        runs = [path for name in names if name != TEAM and (path := run_of(name)) is not None]
        if not runs:
            asked = f"{self.player} against {', '.join(self.against)}"
            raise ConfigError(f"{asked}: which game? Name it with --game, or have a trained run among the players")
        from theogony.training.storage.checkpoint import game_of
        from theogony.training.storage.mirrors import local

        run = local(Path(runs[0]))
        if not run.exists():
            raise no_player(runs[0])
        return game_of(run)


def run(
    asked: Asked,
    games: int,
    seed: int,
    json_file: Path | None = None,
    records: Path | None = None,
    cluster: str | None = None,
) -> None:
    """`theogony evaluate`: play a run (or another player) against others, print a table and write it as JSON.

    With `records` every game is written there; then policies play only as they are named, and not both ways.
    """
    game = asked.make_game()
    about = game, asked.player, asked.against, games, seed, records is None
    here = Evaluation(*about)
    if records is not None:
        from theogony.training.rating.tournament import open_records  # takes torch

        here.kept = open_records(records, game, seed, here.names)
        interrupt.say(f"the games so far are in {records}; the same command plays all anew")
    print(f"{asked.player} in {game.spec.title}, {game.players} players, seats rotated, seed {seed}", flush=True)
    played: list[Played] = []
    with Progress("evaluating", len(here.ways) * games * len(here.others), "games") as progress:
        here.count = here.count if cluster else progress.add
        make = functools.partial(Evaluation, *about, here.kept) if cluster else lambda: here
        for one in each(make, here.jobs(), 1, cluster):
            played.append(one)
            progress.add(one[0].games if cluster else 0)
    results = here.results(played)
    print(table(results))
    if json_file is not None:
        said = {"player": asked.player, "game": game.spec.name, "version": game.spec.version}
        content = said | {"options": plain_options(game), "seed": seed, "results": [asdict(r) for r in results]}
        replace_file(json_file, json.dumps(content, indent=1).encode() + b"\n")
