"""Commands to play a game, on a page or in words, and to look at one that was played."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from theogony.commands import arguments as given


def play(
    game: Annotated[str, Argument(metavar="[GAME]", help=given.A_GAME)] = "",
    seats: Annotated[
        str | None, Option(metavar="NAME,NAME...", help="human, or a player: greedy, reference, mcts:1000, a run")
    ] = None,
    option: given.Options = None,
    seed: Annotated[int | None, Option(help="decides everything that is drawn; drawn itself by default")] = None,
    record: Annotated[Path | None, given.file_out("where the game is saved; by default in theogony-games/")] = None,
    resume: Annotated[Path | None, Option(metavar="FILE", help="go on with the game of a record")] = None,
    text: Annotated[bool, Option("--text", help="play in the terminal")] = False,
    port: Annotated[int | None, Option(min=0, max=65535, help="of the local page; by default any that is free")] = None,
    browser: Annotated[bool, Option(help="open the page in the browser")] = True,
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Play a game, on a page of this machine or in the terminal. People and players share the table."""
    from theogony.play import launch

    if bool(game) == bool(resume):
        raise typer.BadParameter("name a game, or a record to go on from with --resume, one of the two")
    given.consent([name for name in (seats or "").split(",") if name], allow_modules)
    spec = given.game_named(game) if game else None
    asked = launch.Asked(spec, seats, given.options_of(option), seed, record, resume)
    if text:
        from theogony.play import terminal

        terminal.run(asked)
    else:
        launch.serve(asked, port, browser)


def replay(
    file: Annotated[Path, given.read("FILE", "a record of this project, or a Terra Mystica ledger")],
    verify: Annotated[bool, Option("--verify", help="only compare every position, print no moves")] = False,
    html: Annotated[Path | None, given.file_out("write the game as a page there")] = None,
    gif: Annotated[Path | None, given.file_out("write a film there")] = None,
    mp4: Annotated[Path | None, given.file_out("the same as MP4, by ffmpeg")] = None,
    seat: Annotated[
        int | None, Option(min=0, help="show what this seat knew, and nothing else; by default everything")
    ] = None,
    every: Annotated[int, Option(min=1, help="decisions from picture to picture of a film")] = 1,
    analyse: Annotated[
        str, Option(metavar="PLAYER", help="of the page: odds and alternatives by mcts:2000, or a policy")
    ] = "",
    game: Annotated[str, Option(metavar="GAME", help="module of a game of your own that is not registered")] = "",
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Play a record again: print it, film it, or make a page of it."""
    from theogony.play import film, look
    from theogony.training.config.modules import find_game

    given.consent([analyse] if analyse else [], allow_modules)
    if (html is None and analyse) or (seat is not None and not (html or gif or mp4)):
        wanted = "name it with --html FILE or --gif FILE"
        raise typer.BadParameter(f"--seat and --analyse are for a page or a film: {wanted}")
    shown = film.read_film(file, lambda name: given.game_named(game) if game else find_game(name, file))
    if html is not None:
        look.write_page(shown, html, seat, analyse or None)
    if gif or mp4:
        look.write_films(shown, gif, mp4, seat, every)
    if not (html or gif or mp4 or verify):
        look.print_film(shown)
    print(f"{file}: {len(shown.actions)} decisions of {shown.game.spec.name}, every position as recorded")


def text(
    game: given.GameName,
    against: Annotated[str, Option(help="who plays the other seats")] = "random",
    seat: Annotated[int | None, Option(min=0, help="the reader's seat; drawn by default")] = None,
    moves: Annotated[given.Moves, Option(help="how legal moves are shown")] = "numbered",
    rules: Annotated[bool, Option(help="whether to begin with the rules")] = True,
    brief: Annotated[bool, Option("--brief", help="short texts: rules once, then what has changed")] = False,
    forced: Annotated[bool, Option("--forced", help="play a single legal move without asking")] = False,
    option: given.Options = None,
    seed: given.Seed = 0,
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Play one seat in words. At a terminal every line is a reply. In a pipe a reply ends with an empty line, or is one
    line of JSON such as {"move": "..."}, and what is played is what stands behind `Move:`. At the end one line of JSON
    tells the result.
    """
    from theogony.wrappers.text import TextEnv
    from theogony.wrappers.text.brief import PIPED
    from theogony.wrappers.text.replies import replies_of

    given.consent([game, against], allow_modules)
    given.game_named(game)
    piped = not sys.stdin.isatty()
    env = TextEnv(
        game,
        opponents=against,
        seat="random" if seat is None else seat,
        moves=moves,
        marked=piped,
        rules=rules,
        brief=brief,
        forced=forced,
        **given.options_of(option),
    )
    print(*([PIPED] if piped else []), env.reset(seed=seed), sep="\n\n", flush=True)
    lines = iter(sys.stdin.readline, "")
    replies = replies_of(lines) if piped else lines
    while not env.over and (reply := next(replies, None)) is not None:
        print(f"\n{env.step(reply)}", flush=True)
    print(json.dumps(env.result()))


def mcp(
    undo: Annotated[bool, Option(help="whether the client may take moves back")] = True,
    hint: Annotated[bool, Option(help="whether it may ask what a search would play")] = True,
    hidden_seed: Annotated[
        bool, Option("--hidden-seed", help="draw every deal: the client names none and can repeat none")
    ] = False,
) -> None:
    """Serve games to a language model. This is a Model Context Protocol server over stdin and stdout.

    For fair play: --no-undo --no-hint --hidden-seed.
    """
    from theogony.wrappers.text.server import make_server

    make_server(undo, hint, hidden_seed).run("stdio")
