"""Commands that let players play each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from theogony.commands import arguments as given

if TYPE_CHECKING:
    from theogony.envs.core.game import GameSpec

RecordsTo = Annotated[Path | None, given.folder_out("write a record of every game there; other deals than without it")]
Pages = Annotated[int, Option(min=0, help="replay pages of so many of these games, in its index.html")]


def evaluate(
    player: Annotated[
        str, Argument(metavar="RUN|PLAYER", help="random, greedy, reference, mcts:400 or the folder of a run")
    ],
    against: Annotated[list[str] | None, Option(help="the others; may be given several times")] = None,
    games: Annotated[int, Option(min=1, max=10**9, help="games, seats rotated")] = 1000,
    seed: given.Seed = 0,
    players: Annotated[int | None, Option(help="seats at the table; by default those of the run")] = None,
    game: Annotated[str, Option(metavar="GAME", help="the game; by default that of the run")] = "",
    option: given.Options = None,
    cluster: given.OnCluster = None,
    json: Annotated[Path | None, given.file_out("write the result there as well")] = None,
    records: RecordsTo = None,
    pages: Pages = 20,
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Play a trained agent, or any player, against others."""
    others = against or ["greedy"]
    given.consent([player, *others], allow_modules)
    evaluation = given.training_module("rating.evaluate")
    spec = given.game_named(game) if game else None
    asked = evaluation.Asked(player, others, spec, option or [], players)
    evaluation.run(asked, games, seed, json, records, cluster)
    if records is not None:
        _write_index(records, pages, asked.make_game().spec)


def tournament(
    game: given.GameName,
    players: Annotated[str, Option(metavar="NAME,NAME...", help="random, greedy, mcts:400, folders of runs")],
    games: Annotated[int, Option(min=1, max=10**6, help="games of every line-up, seats rotated")] = 200,
    option: given.Options = None,
    seed: given.Seed = 0,
    json: Annotated[Path | None, given.file_out("write the result there as well")] = None,
    svg: Annotated[Path | None, given.file_out("draw it there")] = None,
    folder: Annotated[Path | None, given.folder_out("keep the games there, or go on from there", "RUN")] = None,
    workers: given.Workers = None,
    cluster: given.OnCluster = None,
    records: RecordsTo = None,
    pages: Pages = 20,
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Rate players against each other."""
    names = [name.strip() for name in players.split(",") if name.strip()]
    given.consent(names, allow_modules)
    given.training_module("rating.standings").run(
        given.game_named(game),
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
        _write_index(records, pages, given.game_named(game))


def _write_index(records: Path, pages: int, spec: GameSpec) -> None:
    """Write the page that lists the games, once it is needed: it takes the code of all pages."""
    from theogony.play.look import write_index

    write_index(records, pages, spec)
