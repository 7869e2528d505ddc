"""How many points a player makes among copies of itself: `python tools/points.py GAME PLAYER [--games N]`.

    python tools/points.py terra_mystica reference --option players=4 factions=dealt --games 100
    python tools/points.py terra_mystica reference --from league/*.jsonl.gz --kept 4
    python tools/points.py terra_mystica reference --from league/*.jsonl.gz --kept 4 --sources --by faction
    python tools/points.py terra_mystica reference --from league/*.jsonl.gz --since round_number=6

With `--from` every game begins where a recorded one stood after `--kept` decisions: as it was laid out, or with the
factions that people chose. `--since` goes by a number of the state instead, so that the player takes over what people
have built: what it makes less than they did, it lost from there on. Each recording is played `--games` times, with
other draws of the player. The interval at the end is over recordings, as games of one are alike; over games where all
were dealt anew.

`--sources` says where the points came from, the mean of all seats, beside those of the recorded games as they ended;
`--by` sets apart the seats that differ in something that the game's breakdown tells, such as their faction.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from theogony.commands.arguments import options_of
from theogony.envs import load
from theogony.envs.core.conformance.explore import recorded_starts
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.players import Player, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.record import from_bytes

# ---- Where points came from, by the accounts of finished games

ALL = "all"  # the last line of an account of points


class Seat(NamedTuple):
    """What one seat made: points by source, and what it is counted with."""

    points: dict[str, float]
    group: str = ""


def seats_of(end: Position, by: str | None = None) -> list[Seat]:
    """The seats of a finished game; `by` names what of each seat's breakdown sets them apart.

    Raises ValueError for a game without account, and for what its breakdown does not tell.
    """
    spec = end.game.spec
    if spec.account is None or spec.breakdown is None:
        raise ValueError(f"{spec.name} does not account for its points")
    told = spec.breakdown(end.game, end.g)
    if by is not None and by not in told[0]:
        raise ValueError(f"--by {by}: {spec.name} tells of no such thing; expected one of {', '.join(told[0])}")
    rows: list[tuple[str, list[str]]] = spec.account(end.game, end.g).rows
    names = [name for name, _ in rows]
    if ALL in names:
        rows = rows[: names.index(ALL) + 1]  # behind it are ties
    numbers = {name: found for name, cells in rows if (found := _numbers(cells)) is not None}
    return [
        Seat({name: cells[k] for name, cells in numbers.items()}, "" if by is None else str(seat[by]))
        for k, seat in enumerate(told)
    ]


def _numbers(cells: list[str]) -> list[float] | None:
    """The points in the cells of a line, of "3 × 4 = 12" the last; None where a cell tells something else."""
    try:
        return [float(cell.rpartition("= ")[2]) for cell in cells]
    except ValueError:
        return None


def beside(player: str, seats: list[Seat], recorded: list[Seat]) -> str:
    """Tables in Markdown of the mean points of a seat by source, and by group where seats are set apart."""
    names = [
        *(name for name in dict.fromkeys(n for seat in (*recorded, *seats) for n in seat.points) if name != ALL),
        ALL,
    ]
    heads = [
        "points from",
        f"{player} ({len(seats)})",
        *([f"recorded ({len(recorded)})", "difference"] if recorded else []),
    ]
    parts = [_table(heads, [[name, *_cells(name, seats, recorded)] for name in names])]
    groups = sorted({seat.group for seat in (*seats, *recorded)})
    if len(groups) > 1:
        parts.append(_by_group(player, groups, names[:-1], seats, recorded))
    return "\n\n".join(parts)


def _by_group(player: str, groups: list[str], names: list[str], seats: list[Seat], recorded: list[Seat]) -> str:
    """A line for each group: all points, and by source how many more than in recorded games, or how many."""
    heads = ["", "seats", player, *(["recorded", "difference"] if recorded else []), *names]
    rows: list[list[str]] = []
    for group in groups:
        mine, theirs = ([seat for seat in each if seat.group == group] for each in (seats, recorded))
        counts = f"{len(mine)}, {len(theirs)}" if recorded else f"{len(mine)}"
        sources = [_cells(name, mine, theirs, of_both=bool(recorded))[-1] for name in names]
        rows.append([group, counts, *_cells(ALL, mine, theirs, of_both=bool(recorded)), *sources])
    return _table(heads, rows)


def _cells(name: str, seats: list[Seat], recorded: list[Seat], of_both: bool = False) -> list[str]:
    """The mean of the player, and that of recorded games with the difference where there are any."""
    if not recorded and not of_both:
        return [_shown(_mean(name, seats), "")]
    mine, theirs = _mean(name, seats), _mean(name, recorded)
    return [_shown(mine, ""), _shown(theirs, ""), _shown(mine - theirs, "+")]


def _shown(number: float, sign: str) -> str:
    return "" if np.isnan(number) else f"{number:{sign}.1f}"


def _mean(name: str, seats: list[Seat]) -> float:
    return float(np.mean([seat.points.get(name, 0.0) for seat in seats])) if seats else float("nan")


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


# ---- Games


def played(game: Game, player: Player, seed: int, start: bytes | None) -> Position:
    """The end of one game."""
    position, rng = Position(game, seed), np.random.default_rng(seed)
    if start is not None:
        position.load(start)
    while not position.over:
        position.play(int(player.act(Views.at(position), rng)[0]))
    return position


class Beginning(NamedTuple):
    """Where games begin, and how a recorded one ended."""

    name: str
    game: Game
    start: bytes | None = None
    end: Position | None = None


class Since(NamedTuple):
    """From where on recorded games are played: after `kept` decisions, or where a number of the state is first this."""

    kept: int = 0
    field: str | None = None
    value: int = 0

    @staticmethod
    def named(text: str) -> Since:
        """FIELD=VALUE. Raises ValueError."""
        field, _, value = text.partition("=")
        if not field or not value.isdecimal():
            raise ValueError(f"--since {text}: expected FIELD=NUMBER, such as round_number=6")
        return Since(0, field, int(value))

    def of(self, states: np.ndarray, where: str) -> int:
        """Which of these positions. Raises ValueError where there is none."""
        if self.field is None:
            return int(np.argmin(np.abs(states["ply"].astype(int) - self.kept)))
        if self.field not in (states.dtype.names or ()) or states.dtype[self.field].shape:
            raise ValueError(f"--since: a position has no number {self.field!r}")
        there = np.flatnonzero(states[self.field] == self.value)
        if not len(there):
            raise ValueError(f"--since: {where}: there is no position with {self.field}={self.value}")
        return int(there[np.argmin(states["ply"][there])])


def beginnings(spec: GameSpec, files: list[Path], since: Since) -> Iterator[Beginning]:
    """Where recorded games are gone on from, and how they ended, where the last decision ends the game."""
    for path in files:
        for case in recorded_starts(spec, [path], most=None):
            states = np.concatenate([from_bytes(start.content, case.game.state) for start in case.starts])
            last = case.starts[int(np.argmax(states["ply"]))]
            end = Position(case.game, 0)
            end.load(last.content)
            for _, action in last.then:
                end.play(action)
            start = case.starts[since.of(states, path.name)].content
            yield Beginning(path.name, case.game, start, end if end.over else None)


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("player")
    parser.add_argument(
        "--option", metavar="KEY=VALUE", nargs="+", action="extend", default=[], help="of games dealt anew"
    )
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--from", dest="files", type=Path, nargs="+", default=[])
    parser.add_argument("--kept", type=int, default=0, help="decisions of the recorded games that stand")
    parser.add_argument("--since", metavar="FIELD=NUMBER", help="in place of --kept: where the state first says so")
    parser.add_argument("--sources", action="store_true", help="where the points came from, beside recorded games")
    parser.add_argument("--by", metavar="WHAT", help="with --sources: set seats apart, such as by faction")
    asked = parser.parse_args(arguments)
    if asked.games < 1 or asked.kept < 0:
        parser.error("--games: expected at least 1; --kept: at least 0")
    if asked.files and asked.option:
        parser.error("--option: recorded games have their own")
    if asked.since and (asked.kept or not asked.files):
        parser.error("--since: goes with --from, in place of --kept")
    if asked.by and not asked.sources:
        parser.error("--by: goes with --sources")
    try:
        measure(asked)
    except (ValueError, OSError) as error:
        raise SystemExit(f"points.py: {error}") from None


def measure(asked: argparse.Namespace) -> None:
    """Play, and print a line for each beginning. Raises ValueError or OSError for what does not exist."""
    spec = load(asked.game)
    dealt = [] if asked.files else [Beginning("dealt anew", spec.configure(options_of(asked.option)))]
    begun = list(beginnings(spec, asked.files, Since.named(asked.since) if asked.since else Since(asked.kept))) or dealt
    games: list[float] = []
    groups: list[float] = []  # what is drawn independently: recordings, or games
    seats: list[Seat] = []
    for name, game, start, _ in begun:
        player = make_player(asked.player, game)
        ends = [played(game, player, seed, start) for seed in range(asked.games)]
        points = np.array([end.scores() for end in ends])
        games += points.mean(1).tolist()
        groups += [float(points.mean())] if start is not None else points.mean(1).tolist()
        seats += [seat for end in ends for seat in seats_of(end, asked.by)] if asked.sources else []
        mean, best = points.mean(), points.max(1).mean()
        print(f"{name:<34} mean {mean:6.1f}  winners {best:6.1f}  {len(points)} games", flush=True)
    spread = 1.96 * np.std(groups, ddof=1) / np.sqrt(len(groups)) if len(groups) > 1 else np.nan
    print(f"{asked.player}: mean {np.mean(games):.1f} +- {spread:.1f} (95 %) of {len(games)} games")
    if asked.sources:
        for one in begun:
            if one.start is not None and one.end is None:
                print(f"{one.name}: its last decision does not end the game; not counted among recorded games")
        recorded = [seat for one in begun if one.end is not None for seat in seats_of(one.end, asked.by)]
        print("\n" + beside(asked.player, seats, recorded))


if __name__ == "__main__":
    main()
