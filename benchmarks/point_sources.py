"""Where points came from, by the accounts of finished games: a table of a player beside recorded games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from theogony.envs.core.position import Position

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
