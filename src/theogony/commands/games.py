"""Commands about the games themselves: which there are, whether they keep the contract, what was played."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from theogony.commands.arguments import GameName, Modules, Seed, consent, fail_unless, game_named
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
    games: Annotated[int, typer.Option(min=1, help="games played for each player count and option set")] = 2,
    seed: Seed = 0,
    seek: Annotated[
        int | None, typer.Option(min=1, help="decisions of the player that looks for trouble, for each of them")
    ] = None,
    start: Annotated[
        list[Path] | None, typer.Option("--from", metavar="FILE", help="a played game to look for trouble from as well")
    ] = None,
) -> None:
    """Test that a game keeps the contract (docs/new_game.md), a game of your own with every index checked."""
    from theogony.envs.core.registry import GAMES

    if game not in GAMES:
        os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")  # before Numba is imported; an error, and not a crash
    from theogony.envs.core.conformance import check as conformance

    spec = game_named(game)
    with Progress(f"checking {spec.name}") as progress:
        report = conformance(spec, games=games, say=progress.say, seed=seed, sought=seek, starts=start or [])
    print(report.summary())
    fail_unless(report.ok)


def verify(
    game: GameName,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="recordings of another engine")],
) -> None:
    """Play games recorded by another program and compare every step."""
    from theogony.envs.core.verify import verify as play

    passed, failed = play(game_named(game), track(files, "verifying", "files"))
    print(f"{passed} passed, {failed} failed")
    fail_unless(failed == 0 and passed > 0)


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a record of this project")],
    verify: Annotated[bool, typer.Option("--verify", help="only compare every position, print no moves")] = False,
    game: Annotated[str, typer.Option(metavar="GAME", help="module of a game of your own that is not registered")] = "",
    allow_modules: Modules = False,
) -> None:
    """Play a record of our own again and print it."""
    from theogony.envs.core.gamerecord import read_record
    from theogony.training.config.modules import find_game

    consent([], allow_modules)
    position = read_record(file, lambda name: game_named(game) if game else find_game(name, file))
    if not verify:
        _print_game(position)
    print(f"{file}: {position.now} decisions of {position.game.spec.name}, every position as recorded")


def _print_game(position: Any) -> None:
    """The moves of a game, its last position and the scores."""
    game = position.game
    print(f"{game.spec.title}, seed {position.seed}, {game!r}")
    for ply, action in enumerate(position.actions):
        print(f"{ply + 1:>5}  player_{int(position.states[ply].actor)}  {game.actions.text(action)}")
    print(game.spec.render_text(game, position.g, "all"))
    for seat, score in enumerate(position.scores()):
        print(f"player_{seat}: {score:g}")
