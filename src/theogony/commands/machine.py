"""Commands about the machine and its speed: what it offers, decisions a second, rules compiled in advance, for pages
without a server too."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from json import dumps
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from theogony.commands.arguments import Workers, file_out, folder_out, game_named
from theogony.console.progress import Progress, track


def doctor() -> None:
    """Tell what this machine offers: the fence for programs of others, processors, compiled rules, programs, a GPU."""
    from theogony.fence.offered import table

    print(table())


# ---- Speed -------------------------------------------------------------------------------------------------------


def bench(
    games: Annotated[list[str] | None, Argument(metavar="[GAME]...", help="all of them by default")] = None,
    json: Annotated[Path | None, file_out("write the figures there as well")] = None,
    seconds: Annotated[float, Option(min=0.01, help="time of each measurement")] = 0.5,
    repeats: Annotated[int, Option(min=1, help="measurements of each figure; the median counts")] = 5,
) -> None:
    """Measure decisions per second."""
    from theogony import bench as measure
    from theogony.envs import GAMES
    from theogony.envs.core.untrusted.files import replace_file

    specs = [game_named(name) for name in games or GAMES]
    result = measure.run(specs, seconds, repeats, lambda items, label: track(items, label, "bursts"))
    print(measure.table(result))
    if json is not None:
        replace_file(json, (dumps(result, indent=1) + "\n").encode())


# ---- Compiled rules ----------------------------------------------------------------------------------------------


def compile_(
    games: Annotated[list[str] | None, Argument(metavar="[GAME]...", help="names, or modules of your own")] = None,
    every: Annotated[bool, Option("--all", help="all games")] = False,
    jobs: Workers = None,
    into: Annotated[Path | None, folder_out("write what a wheel carries there")] = None,
    baseline: Annotated[str, Option(help="with --into: the processors that it is for")] = "x86-64-v3",
    cuda: Annotated[bool, Option("--cuda", help="for GPUs: PTX, which their driver compiles")] = False,
    wasm: Annotated[bool, Option("--wasm", help="for where there is no Numba (extra `web`)")] = False,
) -> None:
    """Compile rules in advance. These are all that environments, batches, players and training call."""
    from theogony import precompile

    names, jobs = _games_to_compile(games or [], every), jobs or os.cpu_count() or 1
    if cuda or wasm:
        return _compile_to_ptx(names, jobs, into) if cuda else _compile_to_wasm(names, jobs, into)
    if into is not None:
        precompile.aim_at(baseline)
    with Progress("compiling", unit="layouts of games") as progress:
        made = precompile.run(names, jobs, progress.stand)
    for name in names:
        own = [one for one in made if one.game == name]
        seconds, rules = sum(one.seconds for one in own), sum(one.compiled for one in own)
        size = precompile.megabytes(key for one in own for key in one.keys)
        print(f"{name:<16} {rules:>5} rules compiled, {seconds:>6.1f} CPU seconds, {size:>5.1f} MB of machine code")
    if into is not None:
        size = precompile.write_folder(into, baseline, [key for one in made for key in one.keys])
        print(f"{into}: {size:.1f} MB for {baseline}")


def _compile_to_wasm(names: list[str], jobs: int, into: Path | None) -> None:
    """Modules of all layouts of games, into a folder or that of this user."""
    from theogony.envs.core.portable.modules import own_folder
    from theogony.web import modules

    folder, wanted = into or own_folder(), [partial(modules.configured, name) for name in names]
    with Progress("compiling", unit="games") as progress:
        made = modules.run(wanted, folder, jobs, progress.stand)
    for name in names:
        sizes = [len(built.module) for built in made if built.game == name]
        print(f"{name:<16} {len(sizes):>3} modules of {min(sizes) / 1e3:.0f} to {max(sizes) / 1e3:.0f} KB")
    print(f"{folder}: {sum(len(built.module) for built in made) / 1e6:.1f} MB")


def _compile_to_ptx(names: list[str], jobs: int, into: Path | None) -> None:
    """PTX of all layouts of games, into the user's cache, and into a folder if one is given."""
    from theogony.cuda.emit import key_of, ptx_of
    from theogony.envs.core.compile.cache_files import cache_folder
    from theogony.envs.core.untrusted.files import replace_file
    from theogony.web.modules import configured

    wanted = [game for name in names for game in configured(name)]
    with Progress("compiling", unit="layouts of games") as progress, ThreadPoolExecutor(jobs) as pool:
        for game, ptx in zip(wanted, pool.map(ptx_of, wanted), strict=True):
            if into is not None:
                into.mkdir(parents=True, exist_ok=True)
                replace_file(into / f"{key_of(game)}.ptx", ptx.encode())
            progress.stand(progress.done + 1, len(wanted), game.spec.name)
            print(f"{game!r} {len(ptx) / 1e3:.0f} KB")
    print(into or cache_folder())


def _games_to_compile(named: list[str], every: bool) -> list[str]:
    from theogony.envs import GAMES

    if bool(named) == every:
        raise typer.BadParameter("name games, or give --all, one of the two")
    for name in named:
        game_named(name)
    return list(GAMES) if every else named


BUNDLE = "files of Pyodide and NumPy's wheel for it, for the page to serve itself"


def web(
    games: Annotated[list[str] | None, Argument(metavar="[GAME]...", help="names; by default all")] = None,
    out: Annotated[Path, folder_out("where the files go")] = Path("web"),
    bundle: Annotated[Path | None, Option(metavar="FOLDER", help=BUNDLE)] = None,
    jobs: Workers = None,
) -> None:
    """Write games as static files: rules, search and trained players run in the browser, with no server behind."""
    from theogony.envs import GAMES
    from theogony.web import folder

    names = games or list(GAMES)
    for name in names:
        game_named(name)
    with Progress("making pages", unit="games compiled") as progress:
        sizes = folder.write(names, out, bundle, jobs or os.cpu_count() or 1, progress.stand)
    for part, size in sizes.items():
        print(f"{part:<24} {size / 1e3:>9,.0f} KB")
    print(f"{out}: serve it with any web server, as `python -m http.server -d {out}`")
