"""Commands about the games themselves: which there are, whether they keep the contract, what was played."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from theogony.commands.arguments import GameName, Options, Seed, fail_unless, game_named, options_of, writable
from theogony.console.progress import Progress, track


def games() -> None:
    """List the games."""
    from theogony.envs import GAMES, load

    for name in GAMES:
        spec = load(name)
        players = "-".join(dict.fromkeys(str(count) for count in (min(spec.players), max(spec.players))))
        print(f"{name:<16} {spec.title}, {players} players, version {spec.version}")


def check(
    game: GameName,
    games: Annotated[int, Option(min=1, help="games played for each player count and option set")] = 2,
    seed: Seed = 0,
    seek: Annotated[
        int | None,
        Option(min=1, help="decisions of the player that looks for trouble, for each player count and option set"),
    ] = None,
    start: Annotated[
        list[Path] | None,
        Option("--from", metavar="FILE", help="also look for trouble from the positions of this played game"),
    ] = None,
    option: Options = None,
) -> None:
    """Test that a game keeps the contract (docs/conformance.md). Your own is played with every index checked."""
    from theogony.envs.core.registry import GAMES

    if game not in GAMES:
        os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")  # before Numba is imported; an error, and not a crash
    from theogony.envs.core.conformance import check as conformance

    spec, options = game_named(game), options_of(option)
    spec.check_options({"players": spec.players[0], **options})
    with Progress(f"checking {spec.name}") as progress:
        report = conformance(
            spec, games, progress.say, seed, sought=seek, starts=start or [], options=options, now=progress.mention
        )
    print(report.summary())
    if report.verdict():
        print(report.verdict())
    fail_unless(report.ok)


def packs(
    game: GameName,
    option: Options = None,
    games: Annotated[int, Option(min=1, help="games with the printed components, and with every pack")] = 100,
    seed: Seed = 0,
    json: Annotated[Path | None, Option(metavar="FILE", help="write the figures of every pack")] = None,
) -> None:
    """Play the packs of --option components=random:0-19 between greedy players, beside the printed components."""
    from theogony.packs import run, table

    print(table(run(game_named(game), options_of(option), games, seed, writable(json))))


def verify(
    game: GameName,
    files: Annotated[list[Path], Argument(metavar="FILE...", help="recordings of another engine, or records")],
) -> None:
    """Play games recorded by another program and compare every step."""
    from theogony.envs.core.verify import verify as play

    passed, failed = play(game_named(game), track(files, "verifying", "files"))
    print(f"{passed} passed, {failed} failed")
    fail_unless(failed == 0 and passed > 0)
