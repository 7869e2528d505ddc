"""Commands to play a game and to look at one that was played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from theogony.commands.arguments import Modules, Options, Unconfined, consent, fetched, game_named, options_of, writable


def play(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help="a game's name, or package.module:SPEC of your own")
    ] = "",
    seats: Annotated[
        str | None, typer.Option(metavar="NAME,NAME...", help="human, or a player: greedy, reference, mcts:1000, a run")
    ] = None,
    option: Options = None,
    seed: Annotated[int | None, typer.Option(help="decides everything that is drawn; drawn itself by default")] = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="where the game is saved; by default in theogony-games/", callback=writable),
    ] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="go on with the game of a record")] = None,
    text: Annotated[bool, typer.Option("--text", help="play in the terminal")] = False,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="of the local page; by default any that is free")
    ] = None,
    browser: Annotated[bool, typer.Option(help="open the page in the browser")] = True,
    allow_modules: Modules = False,
    unconfined: Unconfined = False,
) -> None:
    """Play a game, on a page of this machine or in the terminal. People and players share the table."""
    from theogony.play import launch

    if bool(game) == bool(resume):
        raise typer.BadParameter("name a game, or a record to go on from with --resume, one of the two")
    consent([name for name in (seats or "").split(",") if name], allow_modules)
    spec = game_named(game) if game else None
    asked = launch.Asked(spec, seats, options_of(option), seed, record, resume)
    if text:
        from theogony.play import terminal

        terminal.run(asked)
    else:
        launch.serve(asked, port, browser)


def replay(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="a record of this project, or a Terra Mystica ledger", callback=fetched),
    ],
    verify: Annotated[bool, typer.Option("--verify", help="only compare every position, print no moves")] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="write the game as a page there", callback=writable)
    ] = None,
    gif: Annotated[Path | None, typer.Option(metavar="FILE", help="write a film there", callback=writable)] = None,
    mp4: Annotated[
        Path | None, typer.Option(metavar="FILE", help="the same as MP4, by ffmpeg", callback=writable)
    ] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, help="show what this seat knew, and nothing else; by default everything")
    ] = None,
    every: Annotated[int, typer.Option(min=1, help="decisions from picture to picture of a film")] = 1,
    analyse: Annotated[
        str, typer.Option(metavar="PLAYER", help="of the page: odds and alternatives by mcts:2000, or a policy")
    ] = "",
    game: Annotated[str, typer.Option(metavar="GAME", help="module of a game of your own that is not registered")] = "",
    allow_modules: Modules = False,
    unconfined: Unconfined = False,
) -> None:
    """Play a record again: print it, film it, or make a page of it."""
    from theogony.play import film, look

    consent([analyse] if analyse else [], allow_modules)
    if (html is None and analyse) or (seat is not None and not (html or gif or mp4)):
        raise typer.BadParameter(
            "--seat and --analyse are for a page or a film: name it with --html FILE or --gif FILE"
        )
    shown = film.read_film(file, lambda name: game_named(game) if game else film.spec_finder(name, file))
    if html is not None:
        look.write_page(shown, html, seat, analyse or None)
    if gif or mp4:
        look.write_films(shown, gif, mp4, seat, every)
    if not (html or gif or mp4 or verify):
        look.print_film(shown)
    print(f"{file}: {len(shown.actions)} decisions of {shown.game.spec.name}, every position as recorded")
