"""How many points a player makes among copies of itself: `python benchmarks/points.py GAME PLAYER [--games N]`.

    python benchmarks/points.py terra_mystica reference --option players=4 factions=dealt --games 100
    python benchmarks/points.py terra_mystica reference --from league/*.jsonl.gz --kept 4
    python benchmarks/points.py terra_mystica reference --from league/*.jsonl.gz --kept 4 --sources --by faction
    python benchmarks/points.py terra_mystica reference --from league/*.jsonl.gz --since round_number=6

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
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.append(str(Path(__file__).parent))  # for those who load this file by its path
from point_sources import Seat, beside, seats_of

from theogony.commands.arguments import options_of
from theogony.envs import load
from theogony.envs.core.conformance.explore import recorded_starts
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.players import Player, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.record import from_bytes


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
