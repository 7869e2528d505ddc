"""Commands that let players play each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from theogony.commands.arguments import (
    GameName,
    Modules,
    OnCluster,
    Options,
    Seed,
    Unconfined,
    consent,
    game_named,
    training_module,
    writable,
    writable_folder,
)

if TYPE_CHECKING:
    from theogony.envs.core.game import GameSpec

RecordsTo = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="write a record of every game there; other deals than without it",
        callback=writable_folder,
    ),
]
Pages = Annotated[int, typer.Option(min=0, help="replay pages of so many of these games, in its index.html")]


def evaluate(
    player: Annotated[
        str, typer.Argument(metavar="RUN|PLAYER", help="random, greedy, reference, mcts:400 or the folder of a run")
    ],
    against: Annotated[list[str] | None, typer.Option(help="the others; may be given several times")] = None,
    games: Annotated[int, typer.Option(min=1, max=10**9, help="games, seats rotated")] = 1000,
    seed: Seed = 0,
    players: Annotated[int | None, typer.Option(help="seats at the table; by default those of the run")] = None,
    game: Annotated[str, typer.Option(metavar="GAME", help="the game; by default that of the run")] = "",
    option: Options = None,
    cluster: OnCluster = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="write the result there as well", callback=writable)
    ] = None,
    records: RecordsTo = None,
    pages: Pages = 20,
    allow_modules: Modules = False,
    unconfined: Unconfined = False,
) -> None:
    """Play a trained agent, or any player, against others."""
    others = against or ["greedy"]
    consent([player, *others], allow_modules)
    evaluation = training_module("rating.evaluate")
    spec = game_named(game) if game else None
    asked = evaluation.Asked(player, others, spec, option or [], players)
    evaluation.run(asked, games, seed, json, records, cluster)
    if records is not None:
        _write_index(records, pages, asked.make_game().spec)


def tournament(
    game: GameName,
    players: Annotated[str, typer.Option(metavar="NAME,NAME...", help="random, greedy, mcts:400, folders of runs")],
    games: Annotated[int, typer.Option(min=1, max=10**6, help="games of every line-up, seats rotated")] = 200,
    option: Options = None,
    seed: Seed = 0,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="write the result there as well", callback=writable)
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="draw it there", callback=writable)] = None,
    folder: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="keep the games there, or go on from there", callback=writable_folder),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=1024, help="processes; by default one a processor")] = None,
    cluster: OnCluster = None,
    records: RecordsTo = None,
    pages: Pages = 20,
    allow_modules: Modules = False,
    unconfined: Unconfined = False,
) -> None:
    """Rate players against each other."""
    names = [name.strip() for name in players.split(",") if name.strip()]
    consent(names, allow_modules)
    training_module("rating.standings").run(
        game_named(game),
        names,
        games,
        options=option or [],
        seed=seed,
        workers=workers,
        cluster=cluster,
        folder=folder,
        json_file=json,
        svg_file=svg,
        records=records,
    )
    if records is not None:
        _write_index(records, pages, game_named(game))


def _write_index(records: Path, pages: int, spec: GameSpec) -> None:
    """Write the page that lists the games, once it is needed: it takes the code of all pages."""
    from theogony.play.look import write_index

    write_index(records, pages, spec)
