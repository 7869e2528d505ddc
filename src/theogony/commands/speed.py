"""Commands that measure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from theogony.commands.arguments import game_named, writable
from theogony.console.progress import track


def bench(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="all of them by default")] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="write the figures there as well", callback=writable)
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="time of each measurement")] = 0.5,
    repeats: Annotated[int, typer.Option(min=1, help="measurements of each figure; the median counts")] = 5,
) -> None:
    """Measure decisions per second."""
    from theogony import bench as measure
    from theogony.envs import GAMES

    specs = [game_named(name) for name in games or GAMES]
    result = measure.run(
        specs, seconds=seconds, repeats=repeats, track=lambda items, label: track(items, label, "bursts")
    )
    print(measure.table(result))
    if json is not None:
        measure.write_json(result, json)
