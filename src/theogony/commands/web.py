"""The command that writes pages without a server."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from theogony.commands.arguments import game_named, writable_folder
from theogony.console.progress import Progress


def web(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="names; by default all")] = None,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="where the files go", callback=writable_folder)] = Path(
        "web"
    ),
    bundle: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="files of Pyodide and NumPy's wheel for it, for the page to serve itself"),
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, max=1024, help="processes; by default one a processor")] = None,
) -> None:
    """Write games as static files: rules, search and trained players run in the browser, with no server behind."""
    from theogony.envs import GAMES
    from theogony.web import folder

    names = games or list(GAMES)
    for name in names:
        game_named(name)
    with Progress("making pages", unit="games compiled") as progress:

        def say(done: int, total: int, name: str) -> None:
            progress.done, progress.total, progress.note = done, total, name

        sizes = folder.write(names, out, bundle, jobs or os.cpu_count() or 1, say)
    for part, size in sizes.items():
        print(f"{part:<24} {size / 1e3:>9,.0f} KB")
    print(f"{out}: serve it with any web server, as `python -m http.server -d {out}`")
