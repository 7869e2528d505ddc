"""Commands for readers: a game as texts, at a terminal or for a language model."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Literal

import typer

from theogony.commands.arguments import GameName, Modules, Options, Seed, consent, game_named, options_of

Moves = Literal["listed", "numbered", "hidden"]


def text(
    game: GameName,
    against: Annotated[str, typer.Option(help="who plays the other seats")] = "random",
    seat: Annotated[int | None, typer.Option(min=0, help="the reader's seat; drawn by default")] = None,
    moves: Annotated[Moves, typer.Option(help="how legal moves are shown")] = "numbered",
    rules: Annotated[bool, typer.Option(help="whether to begin with the rules")] = True,
    option: Options = None,
    seed: Seed = 0,
    allow_modules: Modules = False,
) -> None:
    """Play one seat in words: every line of the input is a reply. At the end one line of JSON tells the result."""
    from theogony.wrappers.text import TextEnv

    consent([game, against], allow_modules)
    game_named(game)
    env = TextEnv(
        game,
        opponents=against,
        seat="random" if seat is None else seat,
        moves=moves,
        rules=rules,
        **options_of(option),
    )
    print(env.reset(seed=seed), flush=True)
    while not env.over and (reply := sys.stdin.readline()):
        print(f"\n{env.step(reply)}", flush=True)
    print(json.dumps(env.result()))


def mcp(
    undo: Annotated[bool, typer.Option(help="whether the client may take moves back")] = True,
    hint: Annotated[bool, typer.Option(help="whether it may ask what a search would play")] = True,
    hidden_seed: Annotated[
        bool, typer.Option("--hidden-seed", help="draw every deal: the client names none and can repeat none")
    ] = False,
) -> None:
    """Serve games to a language model. This is a Model Context Protocol server over stdin and stdout.

    For fair play: --no-undo --no-hint --hidden-seed.
    """
    from theogony.wrappers.text.server import make_server

    make_server(undo, hint, hidden_seed).run("stdio")
