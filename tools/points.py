"""How many points a player makes among copies of itself, and a value that learns with each of its checkpoints.

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

    theogony train configs/terra_mystica/points.yaml &
    python tools/points.py --run runs/points --from league/*.jsonl.gz --kept 4 --follow
    python tools/points.py --page                       only write docs/lab/points.md and its picture anew

Every checkpoint of the run plays so once from each recording: copies of `plan:32@CHECKPOINT`. A run keeps its last
checkpoints only, so `--follow` plays beside the training, each checkpoint as it appears, until the run has ended.
Figures are kept in docs/points.json, so what was measured is not measured again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from theogony.commands.arguments import options_of
from theogony.envs import load
from theogony.envs.core.conformance.explore import recorded_starts
from theogony.envs.core.contract import table
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.players import Player, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.record import from_bytes
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.training.config.file import load_config
from theogony.training.storage.checkpoint import checkpoint_path
from theogony.training.storage.folder import read_metrics

sys.path.append(str(Path(__file__).parent))  # for those who load this file by its path
from shared import ROOT, curves_svg, keep, read_figures

# ---- Where points came from, by the accounts of finished games

ALL, RECORDED, DIFFERENCE = "all", "recorded", "difference"  # the last line of an account of points, and columns


class Seat(NamedTuple):
    """What one seat made: points by source, and what it is counted with."""

    points: dict[str, float]
    group: str = ""


def seats_of(end: Position, by: str | None = None) -> list[Seat]:
    """Return the seats of a finished game; `by` names what of each seat's breakdown sets them apart.

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
    # The points in the cells of a line, of "3 × 4 = 12" the last; a cell may tell something else.
    numbers = pd.DataFrame({name: [cell.rpartition("= ")[2] for cell in cells] for name, cells in rows})
    numbers = numbers.apply(pd.to_numeric, errors="coerce").dropna(axis="columns").astype(float)
    points = numbers.to_dict("records")
    return [Seat(points[k], "" if by is None else str(seat[by])) for k, seat in enumerate(told)]  # pyright: ignore[reportArgumentType]


def beside(player: str, seats: list[Seat], recorded: list[Seat]) -> str:
    """Return tables in Markdown of the mean points of a seat by source, and by group where seats are set apart."""
    both = {RECORDED: recorded, player: seats} if recorded else {player: seats}
    index = [(who, seat.group) for who, of in both.items() for seat in of]
    frame = pd.DataFrame(
        [seat.points for of in both.values() for seat in of],
        index=pd.MultiIndex.from_tuples(index, names=["who", "group"]),
    ).fillna(0.0)
    frame = frame[[*(name for name in frame.columns if name != ALL), ALL]]
    means = _compared(frame.groupby(level="who").mean().T, player)
    heads = [f"{player} ({len(seats)})", f"{RECORDED} ({len(recorded)})", DIFFERENCE][: means.shape[1]]
    parts = [table(["points from", *heads], means.reset_index().to_numpy())]
    if len(set(frame.index.get_level_values("group"))) > 1:
        parts.append(_by_group(frame, player))
    return "\n\n".join(parts)


def _by_group(frame: pd.DataFrame, player: str) -> str:
    """Return a line for each group: all points, and by source how many more than in recorded games, or how many."""
    sizes = frame.groupby(level=["group", "who"]).size().unstack(fill_value=0)
    means = frame.groupby(level=["group", "who"]).mean()
    compared = {source: _compared(means[source].unstack(), player) for source in frame.columns}
    heads = list(compared[ALL].columns)
    rows = [
        [group, ", ".join(str(sizes[who][group]) for who in heads if who != DIFFERENCE), *compared[ALL].loc[group]]
        + [one.loc[group].iloc[-1] for source, one in compared.items() if source != ALL]
        for group in sizes.index
    ]
    return table(["", "seats", *heads, *(source for source in compared if source != ALL)], rows)


def _compared(means: pd.DataFrame, player: str) -> pd.DataFrame:
    """Return texts of means: those of the player, and where there are recorded ones these and the difference."""
    columns = {player: means[player].map("{:.1f}".format)}
    if RECORDED in means:
        columns[RECORDED] = means[RECORDED].map("{:.1f}".format)
        columns[DIFFERENCE] = (means[player] - means[RECORDED]).map("{:+.1f}".format)
    return pd.DataFrame(columns).replace(["nan", "+nan"], "")


# ---- Games


def played(game: Game, player: Player, seed: int, start: bytes | None) -> Position:
    """Return the end of one game."""
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
        """Read FIELD=VALUE. Raises ValueError."""
        field, _, value = text.partition("=")
        if not field or not value.isdecimal():
            raise ValueError(f"--since {text}: expected FIELD=NUMBER, such as round_number=6")
        return Since(0, field, int(value))

    def of(self, states: np.ndarray, where: str) -> int:
        """Return which of these positions. Raises ValueError where there is none."""
        if self.field is None:
            return int(np.argmin(np.abs(states["ply"].astype(int) - self.kept)))
        if self.field not in (states.dtype.names or ()) or states.dtype[self.field].shape:
            raise ValueError(f"--since: a position has no number {self.field!r}")
        there = np.flatnonzero(states[self.field] == self.value)
        if not len(there):
            raise ValueError(f"--since: {where}: there is no position with {self.field}={self.value}")
        return int(there[np.argmin(states["ply"][there])])


def beginnings(spec: GameSpec, files: list[Path], since: Since) -> Iterator[Beginning]:
    """Yield where recorded games are gone on from, and how they ended, where the last decision ends the game."""
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


def half(values: Sequence[float]) -> float:
    """Return half of the 95 % interval of a mean; not a number where there is one value."""
    return 1.96 * float(np.std(values, ddof=1)) / len(values) ** 0.5 if len(values) > 1 else np.nan


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
    print(f"{asked.player}: mean {np.mean(games):.1f} +- {half(groups):.1f} (95 %) of {len(games)} games")
    if asked.sources:
        for one in begun:
            if one.start is not None and one.end is None:
                print(f"{one.name}: its last decision does not end the game; not counted among recorded games")
        recorded = [seat for one in begun if one.end is not None for seat in seats_of(one.end, asked.by)]
        print("\n" + beside(asked.player, seats, recorded))


# ---- Points while a value learns, and docs/lab/points.md

FIGURES, PAGE, PICTURES = ROOT / "docs/points.json", ROOT / "docs/lab/points.md", ROOT / "docs/lab/pictures"
PAUSE = 5.0  # seconds between two looks for a checkpoint
ORDER = ["game", "run", "plan", "steps"]
HEAD = """\
# Points while a value learns

Written by `python tools/points.py --page`. Four copies of an agent play on from where recorded league games stood
when factions were chosen; [Own points](2026-11-23-own-points.md) says why points, and what people made there. Points
are the mean of all seats, with the 95 % interval over recordings; minutes are those of a processor in learning.
"""


def checkpoints(run: Path, follow: bool) -> Iterator[Path]:
    """Yield the checkpoints of a run; with `follow` also those to come, until it has ended."""
    seen: set[str] = set()
    while True:
        ended = not follow or (run / "evaluation.json").exists()  # looked for first, so that none is missed
        for path in sorted((run / "checkpoints").glob("[0-9]*")):
            if path.name not in seen and path.is_dir():
                seen.add(path.name)
                yield path
        if ended:
            return
        time.sleep(PAUSE)


def minutes(run: Path, steps: int) -> float:
    """Return the processor's minutes that a run took to learn so far, its evaluations left out."""
    spent = [one.get("cpu", 0.0) for one in read_metrics(run) if one["steps"] <= steps]
    return round(max(spent, default=0.0) / 60, 2)


def of_copies(player: str, begun: Sequence[Beginning]) -> dict[str, Any]:
    """Return the mean points of all seats, and half of the interval over the beginnings."""
    means = [float(played(one.game, make_player(player, one.game), 0, one.start).scores().mean()) for one in begun]
    spread = half(means) if len(means) > 1 else 0.0
    return {"points": round(float(np.mean(means)), 2), "half": round(spread, 2), "games": len(means)}


def run(folder: Path, files: list[Path], kept: int, plan: str, follow: bool, file: Path = FIGURES) -> None:
    """Measure the checkpoints of a run that are not known yet, and keep what was found.

    Raises ValueError, ConfigError or CheckpointError for what does not exist.
    """
    checkpoint_path(folder)
    config = load_config(folder / "config.yaml")
    begun = list(beginnings(load(config.game), files, Since(kept)))
    if not begun:
        raise ValueError("--from: expected recorded games to begin with")
    for path in checkpoints(folder, follow):
        steps = int(path.name)
        asked, known = {"game": config.game, "run": folder.name, "plan": plan, "steps": steps}, list(read_figures(file))
        if any(all(one[key] == value for key, value in asked.items()) for one in known):
            continue
        found = {**asked, "minutes": minutes(folder, steps), **of_copies(f"{plan}@{path}", begun)}
        print(f"{folder.name}, {steps:,} decisions: {found['points']:.1f} ± {found['half']:.1f}", flush=True)
        keep(file, sorted([*known, found], key=lambda one: [one[key] for key in ORDER]))


def write_page(figures: Sequence[dict[str, Any]], page: Path = PAGE, pictures: Path = PICTURES) -> None:
    """Write a picture of all curves of each game, and their figures."""
    make_folder(pictures)
    lines, frame = [HEAD.rstrip()], pd.DataFrame(figures).sort_values(ORDER)
    frame["curve"] = frame["plan"] + "@runs/" + frame["run"]
    for game, found in frame.rename(columns={"minutes": "x", "points": "y"}).groupby("game"):
        svg = curves_svg(found, "Points of four copies", "minutes of a processor")
        replace_file(pictures / f"points-{game}.svg", svg.encode())
        lines += ["", f"## {load(str(game)).title}", "", f"![Points over minutes](pictures/points-{game}.svg)"]
        for name, curve in found.groupby("curve", sort=False):
            rows = [(f"{one.steps:,}", f"{one.x:.1f}", f"{one.y:.1f} ± {one.half:.1f}") for one in curve.itertuples()]
            lines += ["", f"`{name}`:", "", table(["decisions", "minutes", "points"], rows)]
    replace_file(page, "\n".join([*lines, ""]).encode())


# ---- The command


def main(arguments: list[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?")
    parser.add_argument("player", nargs="?")
    parser.add_argument("--option", metavar="KEY=VALUE", nargs="+", action="extend", default=[], help="of dealt games")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--from", dest="files", type=Path, nargs="+", default=[], help="recorded games")
    parser.add_argument("--kept", type=int, default=0, help="decisions of the recorded games that stand")
    parser.add_argument("--since", metavar="FIELD=NUMBER", help="in place of --kept: where the state first says so")
    parser.add_argument("--sources", action="store_true", help="where the points came from, beside recorded games")
    parser.add_argument("--by", metavar="WHAT", help="with --sources: set seats apart, such as by faction")
    parser.add_argument("--run", type=Path, help="the folder of a run, in place of a game and a player")
    parser.add_argument("--plan", default="plan:32", help="how the agent of a run thinks")
    parser.add_argument("--follow", action="store_true", help="wait for the checkpoints of a run that is learning")
    parser.add_argument("--page", action="store_true", help="only write the page")
    asked = parser.parse_args(arguments)
    curve = asked.run or asked.page
    if not curve and asked.player is None:
        parser.error("expected GAME PLAYER, --run RUN or --page")
    if asked.games < 1 or asked.kept < 0:
        parser.error("--games: expected at least 1; --kept: at least 0")
    if asked.files and asked.option:
        parser.error("--option: recorded games have their own")
    if asked.since and (asked.kept or not asked.files or curve):
        parser.error("--since: goes with --from, in place of --kept")
    if asked.by and not asked.sources:
        parser.error("--by: goes with --sources")
    try:
        if not curve:
            return measure(asked)
        if asked.run:
            run(asked.run, asked.files, asked.kept, asked.plan, asked.follow)
        write_page(list(read_figures(FIGURES)))
    except (ValueError, OSError) as error:
        raise SystemExit(f"points.py: {error}") from None
    print(f"{PAGE}: written")


if __name__ == "__main__":
    main()
