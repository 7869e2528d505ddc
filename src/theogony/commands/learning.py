"""Commands that make agents, and the data that agents learn from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from theogony.commands.arguments import (
    GameName,
    Modules,
    Unconfined,
    consent,
    game_named,
    options_of,
    training_module,
    writable,
    writable_folder,
)
from theogony.commands.arguments import seed as seed_bits
from theogony.commands.words import Moves
from theogony.console.progress import track

if TYPE_CHECKING:
    from theogony.models.records import Wanted

Conversations = Literal["game", "decision"]


def train(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CONFIG [KEY=VALUE]...", help="training file, or push_of_faith/quickstart; then entries to change"
        ),
    ] = None,
    resume: Annotated[Path | None, typer.Option(metavar="RUN", help="go on with a run that was stopped")] = None,
    allow_modules: Modules = False,
    unconfined: Unconfined = False,
) -> None:
    """Train an agent, or go on: --resume RUN."""
    config, overrides = _split_arguments(arguments or [], resume)
    consent(overrides, allow_modules)
    training_module("learning.train").run(config, overrides, resume)


def _split_arguments(arguments: list[str], resume: Path | None) -> tuple[Path | None, list[str]]:
    config = Path(arguments[0]) if arguments and not _is_entry(arguments[0]) else None
    overrides = arguments[1:] if config else arguments
    if (config is None) == (resume is None):
        raise typer.BadParameter("give a training file or --resume RUN, one of the two")
    for entry in overrides:
        if "=" not in entry:
            raise typer.BadParameter(f"{entry!r} is not KEY=VALUE")
    return config, overrides


def _is_entry(argument: str) -> bool:
    """Whether an argument changes an entry; a file may lie in runs/lr=0.001 as well."""
    return "=" in argument and not Path(argument).is_file()


def remake(
    player: Annotated[
        str | None, typer.Argument(metavar="[PLAYER]", help="push_of_faith/2p-policy; else all are listed")
    ] = None,
    overrides: Annotated[
        list[str] | None, typer.Argument(metavar="[KEY=VALUE]...", help="entries to change in all stages, for a trial")
    ] = None,
    folder: Annotated[Path, typer.Option(metavar="FOLDER", help="where the runs go", callback=writable_folder)] = Path(
        "runs/remake"
    ),
    recipes: Annotated[Path | None, typer.Option(metavar="FILE", help="recipes of your own")] = None,
    allow_modules: Modules = False,
    unconfined: Unconfined = False,
) -> None:
    """Make a player that comes with the project from nothing; given again, it goes on where it was stopped."""
    remaking = training_module("learning.reproduce")
    if player is None:
        return print(remaking.listed(remaking.read_recipes(recipes)))
    entries = overrides or []
    for entry in (entry for entry in entries if "=" not in entry):
        raise typer.BadParameter(f"{entry!r} is not KEY=VALUE")
    consent(entries, allow_modules)
    run = remaking.remake(player, entries, folder, recipes)
    print(f"{player} is made: theogony evaluate {run} --against greedy")


def average(
    agents: Annotated[list[Path], typer.Argument(metavar="RUN RUN...", help="runs that began with the same agent")],
    out: Annotated[
        Path,
        typer.Option(metavar="FOLDER", help="where the agent is written, a new folder", callback=writable_folder),
    ],
) -> None:
    """Average the weights of agents that began with the same one; the mean often plays better than each."""
    agent = training_module("learning.reproduce").write_mean(agents, out)
    print(f"the mean is made: theogony evaluate {agent} --against greedy")


def curve(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN...", help="folders of runs")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="the picture, .png or .svg", callback=writable)],
) -> None:
    """Draw the learning curves of several runs together; those that differ in their seed alone are one line."""
    training_module("storage.curve").draw_curves(runs, out)
    print(f"the curves are in {out}")


def tune(
    arguments: Annotated[
        list[str], typer.Argument(metavar="CONFIG [KEY=VALUE]...", help="training file, then entries to change")
    ],
    trials: Annotated[int, typer.Option(min=1, max=100_000, help="sets of values to try, all together")] = 20,
    steps: Annotated[int, typer.Option(min=1, help="decisions that each trial learns from")] = 200_000,
    games: Annotated[int, typer.Option(min=2, max=10**6, help="games to measure a trial, against each player")] = 400,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="of the trials and of the search")] = 0,
    space: Annotated[
        Path | None, typer.Option(metavar="FILE", help="what to search; by default a few entries of the engine")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="where the search is kept, or goes on", callback=writable_folder),
    ] = None,
    allow_modules: Modules = False,
    unconfined: Unconfined = False,
) -> None:
    """Search good hyperparameters for a training file with Optuna. A search that was stopped goes on."""
    config, overrides = _split_arguments(arguments, None)
    assert config is not None
    consent(overrides, allow_modules)
    tuning = training_module("learning.tune")
    place = folder or Path("runs") / f"tune-{config.stem}"
    tuning.run(tuning.Asked(config, tuple(overrides), place, trials, steps, games, seed, space))


FOR_TEXT = ("player", "against", "games", "each", "won", "moves", "option", "seed")  # options of `dataset` with --text
FOR_LEDGERS = ("ledgers", "reward")  # and without


def dataset(
    context: typer.Context,
    game: GameName,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="an .npz file, or the name of a Minari dataset; a folder with --text")
    ],
    ledgers: Annotated[
        list[Path] | None, typer.Argument(metavar="[LEDGER...]", help="games of people, as they wrote them down")
    ] = None,
    reward: Annotated[
        str, typer.Option(help="outcome, rank or margin: the return of each decision, of ledgers")
    ] = "rank",
    text: Annotated[bool, typer.Option("--text", help="play games, and write them as conversations")] = False,
    player: Annotated[str, typer.Option(help="whose games, with --text")] = "reference",
    against: Annotated[str, typer.Option(help="who plays the other seats, with --text")] = "reference",
    games: Annotated[int, typer.Option(min=1, max=10**6, help="deals, each from every seat, with --text")] = 100,
    each: Annotated[Conversations, typer.Option(help="a conversation a game, or a decision, with --text")] = "game",
    won: Annotated[bool, typer.Option("--won", help="only games that the player won, with --text")] = False,
    moves: Annotated[Moves, typer.Option(help="how legal moves are shown, with --text")] = "listed",
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="option of the game, with --text")
    ] = None,
    seed: Annotated[int, typer.Option(help="decides everything that is drawn, with --text", callback=seed_bits)] = 0,
    allow_modules: Modules = False,
    unconfined: Unconfined = False,
) -> None:
    """Turn games into data: written ones of people into observations, masks, actions and returns of every decision, or
    with --text games of players into conversations for a language model.
    """
    _refuse_idle(context, FOR_LEDGERS if text else FOR_TEXT, "without" if text else "with")
    if text:
        consent([game, player, against], allow_modules)
        game_named(game)
        from theogony.models.records import Wanted
        from theogony.models.table import Settings

        return _conversations(
            Wanted(
                game=game,
                folder=out,
                player=player,
                against=against,
                deals=games,
                seed=seed,
                form=each,
                won=won,
                settings=Settings(moves=moves, memory="conversation"),
                options=options_of(option),
            )
        )
    if not ledgers:
        raise typer.BadParameter("name games of people, or let players play with --text")
    from theogony.envs.core.verify import on_demand

    convert = on_demand(game_named(game), "dataset")
    if convert is None:
        raise ValueError(f"{game} has no reader of written games")
    counts = convert(track(ledgers, "reading", "files"), out, reward)
    print(f"{out}: {counts['decisions']} decisions of {counts['games']} games")


def _refuse_idle(context: typer.Context, idle: tuple[str, ...], how: str) -> None:
    """Raise BadParameter for what was given and would change nothing."""
    for name in idle:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            said = "LEDGER" if name == "ledgers" else f"--{name}"
            raise typer.BadParameter(f"{said} is for data made {how} --text")


def _conversations(wanted: Wanted) -> None:
    """Write conversations, and say how many."""
    from theogony.models.records import SPLITS, write

    writable_folder(wanted.folder)
    found = write(wanted)["splits"]
    parts = (f"{split} {found[split]['games']} games, {found[split]['decisions']} decisions" for split in SPLITS)
    print(f"{wanted.folder}: {'; '.join(parts)}")


def imitate(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="training file: game, options, reward, network")],
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|PLAYER... [KEY=VALUE]...", help="records (.jsonl), datasets (.npz), names of players"
        ),
    ],
    folder: Annotated[
        Path | None, typer.Option(metavar="RUN", help="where the agent goes", callback=writable_folder)
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="how often each decision is learnt")] = 10,
    learning_rate: Annotated[float, typer.Option(min=1e-9, help="of Adam")] = 1e-3,
    batch_size: Annotated[int, typer.Option(min=1, help="decisions of a step")] = 512,
    held_out: Annotated[float, typer.Option(min=0.0, max=0.9, help="share of the games to test on")] = 0.1,
    played: Annotated[int, typer.Option(min=1, help="games that each player named plays to be imitated")] = 100,
    allow_modules: Modules = False,
    unconfined: Unconfined = False,
) -> None:
    """Teach an agent to decide as others do. These are named players, or those of given games."""
    overrides = [entry for entry in games if _is_entry(entry)]
    files = [entry for entry in games if entry not in overrides and _is_file(entry)]
    teachers = [entry for entry in games if entry not in overrides and entry not in files]
    consent([*overrides, *teachers], allow_modules)
    imitation = training_module("learning.imitation")
    study = imitation.Study(epochs=epochs, rate=learning_rate, batch=batch_size, held_out=held_out)
    imitation.run(config, list(map(Path, files)), overrides, folder, study, teachers=teachers, played=played)


def _is_file(entry: str) -> bool:
    """Whether an argument of `imitate` is a file of games; all else names a player."""
    return Path(entry).suffix in (".jsonl", ".npz") or Path(entry).is_file()
