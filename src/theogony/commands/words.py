"""Commands for readers: a game as texts, at a terminal or for a language model."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Literal

import typer

from theogony.commands.arguments import GameName, Modules, Options, Seed, Unconfined, consent, game_named, options_of

Moves = Literal["listed", "numbered", "hidden"]


def text(
    game: GameName,
    against: Annotated[str, typer.Option(help="who plays the other seats")] = "random",
    seat: Annotated[int | None, typer.Option(min=0, help="the reader's seat; drawn by default")] = None,
    moves: Annotated[Moves, typer.Option(help="how legal moves are shown")] = "numbered",
    rules: Annotated[bool, typer.Option(help="whether to begin with the rules")] = True,
    brief: Annotated[bool, typer.Option("--brief", help="short texts: rules once, then what has changed")] = False,
    forced: Annotated[bool, typer.Option("--forced", help="play a single legal move without asking")] = False,
    option: Options = None,
    seed: Seed = 0,
    allow_modules: Modules = False,
    unconfined: Unconfined = False,
) -> None:
    """Play one seat in words. At a terminal every line is a reply. In a pipe a reply ends with an empty line, or is one
    line of JSON such as {"move": "..."}, and what is played is what stands behind `Move:`. At the end one line of JSON
    tells the result.
    """
    from theogony.wrappers.text import TextEnv
    from theogony.wrappers.text.brief import PIPED
    from theogony.wrappers.text.replies import replies_of

    consent([game, against], allow_modules)
    game_named(game)
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
        **options_of(option),
    )
    print(*([PIPED] if piped else []), env.reset(seed=seed), sep="\n\n", flush=True)
    lines = iter(sys.stdin.readline, "")
    replies = replies_of(lines) if piped else lines
    while not env.over and (reply := next(replies, None)) is not None:
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
