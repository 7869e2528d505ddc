"""Masked play against fixed players: every seat in turn, the same games for each, win rates with intervals."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from theogony.console.progress import Progress
from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game, GameSpec, OptionError
from theogony.envs.core.gamerecord import plain_options, write_record
from theogony.envs.core.players import Player, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.record import CUT_OFF, ENDED
from theogony.envs.core.rng import mix, seed_bits
from theogony.envs.core.thinking.made_for import check_made_for
from theogony.envs.core.thinking.player_names import no_player
from theogony.envs.core.thinking.player_rng import player_rng
from theogony.envs.core.untrusted.files import replace_file
from theogony.training.config import ConfigError
from theogony.training.config.file import apply_override
from theogony.training.players.names import run_of
from theogony.training.players.threads import one_thread
from theogony.training.rating.arena import each

if TYPE_CHECKING:
    from theogony.training.rating.tournament import Records

ROWS = 256  # games played side by side
KEPT = 4  # what the seed of games that are played one by one is mixed with
Keep = Callable[[Position, int, int], None]
TEAM = "team"  # against: in a cooperative game, all seats are the player's own
ALL = -1  # the seat of a player that has all
Played = tuple[
    np.ndarray, np.ndarray, np.ndarray
]  # of every game the share of the win, the lead, whether it was cut off
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
    keep: Keep | None = None,
) -> Result:
    """Play `games` games, rounded up to as many in each seat, or `only` in one; the seeds are the same in each seat.

    In a cooperative game the others are the player's partners, and with "team" it plays all seats itself.
    `progress` counts the games. With `keep` they are played one by one, and it is given each at its end, with the
    number of its deal and the player's seat, -1 for a whole team.
    Raises ValueError or CheckpointError when `against` names no player of this game, or one is made for another.

    >>> from theogony.envs import load
    >>> game = load("push_of_faith").configure({"players": 2})
    >>> result = evaluate(make_player("greedy", game), "random", game, games=10)
    >>> result.win_rate > 0.5
    True
    """
    if against == TEAM and not game.spec.cooperative:
        raise ValueError(f'"team" plays cooperative games only, and {game.spec.name} is none')
    check_made_for(player, game)
    other = make_player("random" if against == TEAM else against, game)  # nobody else plays beside a whole team
    seats = seats_of(against, game) if only is None else [only]
    with one_thread():
        given = player, other, game, math.ceil(games / len(seats)), seed_bits(seed)
        played = [play_seat(*given, seat, progress, keep) for seat in seats]
    return result_of(against if isinstance(against, str) else against.name, game, played)


def seats_of(against: str | Player, game: Game) -> Sequence[int]:
    """The seats that a player takes in turn; those of a whole team at once."""
    return [ALL] if against == TEAM else range(game.players)


def result_of(against: str, game: Game, played: Sequence[Played]) -> Result:
    """What games say that were played in each seat."""
    won, leads, cut = (np.concatenate(columns) for columns in zip(*played, strict=True))
    low, high = wilson(float(won.sum()), len(won))
    return Result(
        against=against,
        games=len(won),
        win_rate=float(won.mean()),
        low=low,
        high=high,
        margin=None if game.spec.cooperative else float(leads.mean()),
        seats=[float(shares.mean()) for shares, _, _ in played],
        cut_off=float(cut.mean()),
    )


def evaluate_both_ways(player: Player, against: str | Player, *given: Any, **more: Any) -> Result:
    """`evaluate`, and of a policy that plays its likeliest action also how it does when it draws its actions.

    The two may lie far apart: where the likeliest action leads nowhere, a team that wins a part of its games while it
    learns may win none.
    """
    result = evaluate(player, against, *given, **more)
    drawing = _drawing(player)
    return result if drawing is None else replace(result, drawn=evaluate(drawing, against, *given, **more).win_rate)


def _drawing(player: Player) -> Player | None:
    """A policy that plays its likeliest action, as one that draws; None of other players, for which torch may be
    missing."""
    drawing = getattr(player, "drawing", None)
    return None if drawing is None or player.draws else drawing()  # pyright: ignore[reportAttributeAccessIssue]


def play_seat(
    player: Player,
    other: Player,
    game: Game,
    games: int,
    seed: int,
    seat: int,
    progress: Progress | None = None,
    keep: Keep | None = None,
) -> Played:
    """Play games with the player in one seat, or in all: side by side, or one after another if they are kept."""
    count = progress.add if progress is not None else lambda: None
    given = player, other, game, games, seed, seat, count
    return _side_by_side(*given) if keep is None else _one_by_one(*given, keep)


def _side_by_side(
    player: Player, other: Player, game: Game, games: int, seed: int, seat: int, count: Callable[[], None]
) -> Played:
    """Rows of a batch never rest. Those that have played their games are played on by anybody, so that a search does
    not think about games that do not count."""
    rows = min(games, ROWS)
    rng = player_rng([seed, max(seat, 0)])
    batch = Batch(game, rows, seed, seat="all" if seat == ALL else seat, opponents=other, reward="outcome")
    wanted = games // rows + (np.arange(rows) < games % rows)  # the first games of each row, so that none is preferred
    shares: list[float] = []
    leads: list[float] = []
    cut: list[bool] = []
    anybody = False
    while len(shares) < games:
        counted = np.flatnonzero(batch.rows["episode"] < wanted)
        if not anybody and (batch.rows["episode"] + 1 >= wanted).all():
            batch.set_opponents("random")  # from the next games on, none of which counts
            anybody = True
        actions = batch.masks.argmax(1)
        actions[counted] = player.act(Views.of(batch, counted), rng)
        batch.step(actions)
        for row, share in zip(batch.ended()[0], won_shares(batch), strict=True):
            if batch.rows["episode"][row] <= wanted[row]:
                shares.append(float(share))
                leads.append(_lead(batch.rows["scores"][row][: game.players], int(batch.rows["ended_seat"][row])))
                cut.append(bool(batch.rows["over"][row] == CUT_OFF))
                count()
    return np.array(shares), np.array(leads), np.array(cut)


def _one_by_one(
    player: Player, other: Player, game: Game, games: int, seed: int, seat: int, count: Callable[[], None], keep: Keep
) -> Played:
    """The same of games that are played one after another and handed to `keep`."""
    found = []
    for deal in range(games):
        position = Position(game, int(mix(seed, deal, KEPT)))
        streams = [player_rng([seed, deal, actor]) for actor in range(game.players)]
        while not position.over:
            actor = position.actor
            mover = player if seat in (ALL, actor) else other
            position.play(int(mover.act(Views.at(position), streams[actor])[0]))
        keep(position, deal, seat)
        ended = np.array([position.over == ENDED])
        share = _shares(position.standings()[None], np.array([max(seat, 0)]), ended, game.spec.cooperative)
        found.append((share[0], _lead(position.scores(), seat), not ended[0]))
        count()
    shares, leads, cut = zip(*found, strict=True)
    return np.array(shares), np.array(leads), np.array(cut)


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


def as_json(results: list[Result]) -> str:
    """Results as JSON text."""
    return json.dumps([asdict(result) for result in results], indent=1)


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
        if not Path(runs[0]).exists():
            raise no_player(runs[0])
        from theogony.training.storage.checkpoint import game_of

        return game_of(Path(runs[0]))


class Seat(NamedTuple):
    """A job: games against one of the others, by its number, in one seat; `way` 1: the policy draws its actions."""

    other: int
    way: int
    seat: int


class Evaluation:
    """Where jobs are played; the players are made once. Raises PlayerError or CheckpointError.

    With `kept` every game is written there; then policies play only as they are named, and not both ways.
    """

    def __init__(
        self, game: Game, player: str, against: Sequence[str], games: int, seed: int, kept: Records | None = None
    ) -> None:
        self.game, self.names, self.games, self.seed = game, (player, *against), games, seed_bits(seed)
        self.player, self.others = make_player(player, game), [make_other(name, game) for name in against]
        drawing = _drawing(self.player)
        self.ways = [self.player] if drawing is None else [self.player, drawing]
        self.progress: Progress | None = None
        self.kept: Records | None = None
        if kept is not None:
            self.keep_in(kept)

    def keep_in(self, kept: Records) -> None:
        """Write every game there."""
        self.kept, self.ways = kept, self.ways[:1]

    def jobs(self) -> list[Seat]:
        """All of them."""
        seats = [seats_of(other, self.game) for other in self.others]
        return [Seat(k, way, seat) for k in range(len(seats)) for way in range(len(self.ways)) for seat in seats[k]]

    def warm_up(self, jobs: Sequence[Seat]) -> None:
        """Nothing: one process plays, or a cluster."""

    def play(self, job: Seat) -> tuple[Seat, Played]:
        """The games of a job."""
        other, of_each = (
            self.others[job.other],
            math.ceil(self.games / len(seats_of(self.others[job.other], self.game))),
        )
        beside = make_player("random", self.game) if isinstance(other, str) else other
        keep = None if self.kept is None else functools.partial(self._keep, self.names[1 + job.other])
        given = self.ways[job.way], beside, self.game, of_each, self.seed, job.seat, self.progress, keep
        return job, play_seat(*given)

    def _keep(self, against: str, position: Position, deal: int, own: int) -> None:
        """Write the record of a game, named as those of a tournament are."""
        assert self.kept is not None
        seats = [self.names[0] if own in (ALL, seat) else against for seat in range(self.game.players)]
        write_record(position, self.kept.path(seats, deal, max(own, 0)))

    def results(self, played: Mapping[Seat, Played]) -> list[Result]:
        """What all games say."""
        found = []
        for k, other in enumerate(self.others):
            name, seats = other if isinstance(other, str) else other.name, seats_of(other, self.game)
            ways = [[played[Seat(k, way, seat)] for seat in seats] for way in range(len(self.ways))]
            first, *drawn = [result_of(name, self.game, way) for way in ways]
            found.append(replace(first, drawn=drawn[0].win_rate if drawn else None))
        return found


def run(
    asked: Asked,
    games: int,
    seed: int,
    json_file: Path | None = None,
    records: Path | None = None,
    cluster: str | None = None,
) -> None:
    """`theogony evaluate`: play a run (or another player) against others, print a table and write it as JSON."""
    game = asked.make_game()
    about = game, asked.player, asked.against, games, seed
    here = Evaluation(*about)
    if records is not None:
        from theogony.training.rating.tournament import open_records  # takes torch

        here.keep_in(open_records(records, game, seed, [asked.player, *asked.against]))
    make = functools.partial(Evaluation, *about, here.kept) if cluster else lambda: here
    print(f"{asked.player} in {game.spec.title}, {game.players} players, seats rotated, seed {seed}", flush=True)
    with Progress("evaluating", len(here.ways) * games * len(here.others), "games") as progress:
        here.progress = progress if cluster is None else None
        played = {}
        for job, found in each(make, here.jobs(), 1, cluster):
            played[job] = found
            progress.add(len(found[0]) if cluster else 0)
    results = here.results(played)
    print(table(results))
    if json_file is not None:
        about = {"player": asked.player, "game": game.spec.name, "version": game.spec.version}
        content = about | {"options": plain_options(game), "seed": seed, "results": [asdict(r) for r in results]}
        replace_file(json_file, json.dumps(content, indent=1).encode() + b"\n")


def make_other(name: str, game: Game) -> str | Player:
    """An opponent, made before any game is played. Raises PlayerError or CheckpointError."""
    return name if name == TEAM else make_player(name, game)
