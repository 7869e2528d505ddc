"""Commands that make agents and share them, and the data that agents learn from."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer import Argument, Option

from theogony.commands import arguments as given
from theogony.console.extras import missing
from theogony.console.progress import track

Conversations = Literal["game", "decision"]


def train(
    arguments: Annotated[
        list[str] | None,
        Argument(
            metavar="CONFIG [KEY=VALUE]...", help="training file, or push_of_faith/quickstart; then entries to change"
        ),
    ] = None,
    resume: Annotated[Path | None, Option(metavar="RUN", help="go on with a run that was stopped")] = None,
    cluster: given.OnCluster = None,
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Train an agent, or go on: --resume RUN."""
    config, overrides = _split_arguments(arguments or [], resume)
    overrides += [] if cluster is None else [f"ray.address={cluster}"]
    given.consent(overrides, allow_modules)
    given.training_module("learning.train").run(config, overrides, resume)


def _split_arguments(arguments: list[str], resume: Path | None) -> tuple[Path | None, list[str]]:
    config = Path(arguments[0]) if arguments and not _is_entry(arguments[0]) else None
    if (config is None) == (resume is None):
        raise typer.BadParameter("give a training file or --resume RUN, one of the two")
    return config, _entries(arguments[1:] if config else arguments)


def _entries(arguments: list[str]) -> list[str]:
    """Arguments that change entries. Raises BadParameter."""
    for entry in arguments:
        if "=" not in entry:
            raise typer.BadParameter(f"{entry!r} is not KEY=VALUE")
    return arguments


def _is_entry(argument: str) -> bool:
    """Whether an argument changes an entry; a file may lie in runs/lr=0.001 as well."""
    return "=" in argument and not Path(argument).is_file()


def remake(
    player: Annotated[
        str | None, Argument(metavar="[PLAYER]", help="push_of_faith/2p-policy; else all are listed")
    ] = None,
    overrides: Annotated[
        list[str] | None, Argument(metavar="[KEY=VALUE]...", help="entries to change in all stages, for a trial")
    ] = None,
    folder: Annotated[Path, given.folder_out("where the runs go")] = Path("runs/remake"),
    recipes: Annotated[Path | None, Option(metavar="FILE", help="recipes of your own")] = None,
    cluster: given.OnCluster = None,
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Make a player that comes with the project from nothing; given again, it goes on where it was stopped."""
    remaking = given.training_module("learning.reproduce")
    if player is None:
        return print(remaking.listed(remaking.read_recipes(recipes)))
    entries = _entries(overrides or [])
    given.consent(entries, allow_modules)
    run = remaking.remake(player, entries, folder, recipes, cluster)
    print(f"{player} is made: theogony evaluate {run} --against greedy")


def average(
    agents: Annotated[list[Path], given.read("RUN RUN...", "runs that began with the same agent")],
    out: Annotated[Path, given.folder_out("where the agent is written, a new folder")],
) -> None:
    """Average the weights of agents that began with the same one; the mean often plays better than each."""
    agent = given.training_module("learning.reproduce").write_mean(agents, out)
    print(f"the mean is made: theogony evaluate {agent} --against greedy")


def curve(
    runs: Annotated[list[Path], given.read("RUN RUN...", "folders of runs")],
    out: Annotated[Path, given.file_out("the picture, .png or .svg")],
) -> None:
    """Draw the learning curves of several runs together; those that differ in their seed alone are one line."""
    given.training_module("storage.curve").draw_curves(runs, out)
    print(f"the curves are in {out}")


def tune(
    arguments: Annotated[
        list[str],
        Argument(
            metavar="CONFIG [KEY=VALUE]...", help="training file, or a program; then entries to change, or game=..."
        ),
    ],
    trials: Annotated[int, Option(min=1, max=100_000, help="sets of values to try, all together")] = 20,
    steps: Annotated[int, Option(min=1, help="decisions that each trial learns from")] = 200_000,
    games: Annotated[int, Option(min=2, max=10**6, help="games to measure a trial, against each player")] = 400,
    seed: Annotated[int, Option(min=0, max=2**32 - 1, help="of the trials and of the search")] = 0,
    space: Annotated[
        Path | None, Option(metavar="FILE", help="what to search; by default a few entries of the engine")
    ] = None,
    folder: Annotated[Path | None, given.folder_out("where the search is kept, or goes on")] = None,
    at_once: Annotated[int, Option(min=1, max=256, help="trials of a round, proposed and made together")] = 1,
    cluster: given.OnCluster = None,
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Search good hyperparameters for a training file, or a program of the benchmark; goes on where it was stopped."""
    tuning = given.training_module("learning.tune")
    given.consent(arguments, allow_modules)
    if script := next((word for word in arguments[0].split() if word.endswith(".py")), None):
        from theogony.benchmark.tuning import TunedProgram

        subject, name = TunedProgram.of(arguments[0], _entries(arguments[1:])), Path(script).stem
    else:
        config, overrides = _split_arguments(arguments, None)
        assert config is not None
        subject, name = tuning.TrainingFile(config, tuple(overrides)), config.stem
    place = folder or Path("runs") / f"tune-{name}"
    tuning.run(tuning.Asked(subject, place, trials, steps, games, seed, space, at_once, cluster))


DATASET = "an .npz file, or the name of a Minari dataset; a folder with --text or --parquet"
PLAYED = ("player", "against", "games", "option", "seed")
FORMS = {  # of a dataset -> options that it takes
    "--text": (*PLAYED, "each", "won", "moves"),
    "--parquet": (*PLAYED, "reward", "chances", "state", "workers", "cluster"),
    "ledgers": ("ledgers", "reward"),
}


def dataset(
    context: typer.Context,
    game: given.GameName,
    out: Annotated[Path, Option(metavar="FILE", help=DATASET)],
    ledgers: Annotated[
        list[Path] | None, Argument(metavar="[LEDGER...]", help="games of people, as they wrote them down")
    ] = None,
    reward: Annotated[
        str | None,
        Option(help="kind of the return of each decision; by default rank for ledgers, else the game's usual"),
    ] = None,
    text: Annotated[bool, Option("--text", help="play games, and write them as conversations")] = False,
    parquet: Annotated[bool, Option("--parquet", help="play games, and write them as tables")] = False,
    player: Annotated[str, Option(help="whose games, where games are played")] = "reference",
    against: Annotated[str, Option(help="who plays the other seats")] = "reference",
    games: Annotated[int, Option(min=1, max=10**6, help="deals, each from every seat")] = 100,
    each: Annotated[Conversations, Option(help="a conversation a game, or a decision, with --text")] = "game",
    won: Annotated[bool, Option("--won", help="only games that the player won, with --text")] = False,
    moves: Annotated[given.Moves, Option(help="how legal moves are shown, with --text")] = "listed",
    chances: Annotated[
        str, Option(help="the policy whose chances of legal actions are kept, or none, with --parquet")
    ] = "reference-policy",
    state: Annotated[
        bool, Option("--state", help="keep whole positions, what is hidden included, with --parquet")
    ] = False,
    workers: Annotated[
        int | None, Option(min=1, max=256, help="processes, by default one a processor, with --parquet")
    ] = None,
    cluster: given.OnCluster = None,
    option: Annotated[
        list[str] | None, Option("--option", metavar="KEY=VALUE", help="option of the game that is played")
    ] = None,
    seed: Annotated[int, Option(help="decides everything that is drawn", callback=given.seed)] = 0,
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Turn games into data: written ones of people into observations, masks, actions and returns of every decision;
    with --text games of players into conversations for a language model; with --parquet into tables of every decision.
    """
    if text and parquet:
        raise typer.BadParameter("--text or --parquet, one of the two")
    _refuse_idle(context, "--text" if text else "--parquet" if parquet else "ledgers")
    if text or parquet:
        given.consent([game, player, against, chances], allow_modules)
        given.game_named(game)
        played: dict[str, Any] = {"game": game, "folder": given.mirrored(out), "player": player, "against": against}
        played |= {"deals": games, "seed": seed, "options": given.options_of(option)}
        if parquet:
            return _tables(played | {"reward": reward, "chances": chances, "state": state}, workers, cluster)
        return _conversations(played | {"form": each, "won": won}, moves)
    if not ledgers:
        raise typer.BadParameter("name games of people, or let players play with --text or --parquet")
    from theogony.envs.core.verify import on_demand

    convert = on_demand(given.game_named(game), "dataset")
    if convert is None:
        raise ValueError(f"{game} has no reader of written games")
    counts = convert(track(ledgers, "reading", "files"), out, reward or "rank")
    print(f"{out}: {counts['decisions']} decisions of {counts['games']} games")


def _refuse_idle(context: typer.Context, form: str) -> None:
    """Raise BadParameter for what was given and would change nothing."""
    for name in sorted({name for names in FORMS.values() for name in names} - set(FORMS[form])):
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            said = "LEDGER" if name == "ledgers" else f"--{name}"
            forms = " or ".join(f"with {other}" for other in ("--text", "--parquet") if name in FORMS[other])
            if name in FORMS["ledgers"]:
                forms = f"{forms} or of ledgers" if forms else "without --text and --parquet"
            raise typer.BadParameter(f"{said} is for data made {forms}")


def _conversations(played: dict[str, Any], moves: given.Moves) -> None:
    """Write conversations, and say how many."""
    from theogony.models.records import Wanted, write
    from theogony.models.table import Settings

    given.writable_folder(played["folder"])
    found = write(Wanted(settings=Settings(moves=moves, memory="conversation"), **played))
    _say_splits(played["folder"], found["splits"])


def _tables(played: dict[str, Any], workers: int | None, cluster: str | None) -> None:
    """Write tables, and say how many rows they have."""
    try:
        from theogony.dataset.games import Wanted, write
    except ImportError as error:
        raise missing(error) from None
    from theogony.training.rating.arena import processors

    given.writable_folder(played["folder"])
    found = write(Wanted(published=date.today().isoformat(), **played), workers or processors(), cluster)
    _say_splits(played["folder"], found)


def _say_splits(folder: Path, splits: dict[str, Any]) -> None:
    parts = (f"{split} {found['games']} games, {found['decisions']} decisions" for split, found in splits.items())
    print(f"{folder}: {'; '.join(parts)}")


def imitate(
    config: Annotated[Path, Argument(metavar="CONFIG", help="training file: game, options, reward, network")],
    games: Annotated[
        list[str],
        Argument(metavar="FILE|PLAYER... [KEY=VALUE]...", help="records (.jsonl), datasets (.npz), names of players"),
    ],
    folder: Annotated[Path | None, given.folder_out("where the agent goes", "RUN")] = None,
    epochs: Annotated[int, Option(min=1, help="how often each decision is learnt")] = 10,
    learning_rate: Annotated[float, Option(min=1e-9, help="of Adam")] = 1e-3,
    batch_size: Annotated[int, Option(min=1, help="decisions of a step")] = 512,
    held_out: Annotated[float, Option(min=0.0, max=0.9, help="share of the games to test on")] = 0.1,
    played: Annotated[int, Option(min=1, help="games that each player named plays to be imitated")] = 100,
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Teach an agent to decide as others do. These are named players, or those of given games."""
    overrides = [entry for entry in games if _is_entry(entry)]
    files = [entry for entry in games if entry not in overrides and _is_file(entry)]
    teachers = [entry for entry in games if entry not in overrides and entry not in files]
    given.consent([*overrides, *teachers], allow_modules)
    imitation = given.training_module("learning.imitation")
    study = imitation.Study(epochs=epochs, rate=learning_rate, batch=batch_size, held_out=held_out)
    imitation.run(config, list(map(Path, files)), overrides, folder, study, teachers=teachers, played=played)


def _is_file(entry: str) -> bool:
    """Whether an argument of `imitate` is a file of games; all else names a player."""
    return Path(entry).suffix in (".jsonl", ".npz") or Path(entry).is_file()


def push(
    run: Annotated[Path, given.read("RUN", "a run, or a checkpoint")],
    name: Annotated[str, Argument(help='"owner/name" on the Hugging Face Hub, or a new folder such as ./mine')],
    private: Annotated[bool, Option(help="on the hub: only for you")] = False,
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Share an agent: its network, what it plays, and a model card."""
    given.consent([], allow_modules)
    print(given.training_module("storage.hub").push(run, name, private))


def pull(
    name: Annotated[str, Argument(help='"owner/name" on the Hugging Face Hub, or a folder')],
    folder: Annotated[Path, Argument(metavar="FOLDER", help="where it goes", callback=given.writable_folder)],
) -> None:
    """Fetch an agent that somebody shared. The folder is then a player by its name."""
    print(given.training_module("storage.hub").pull(name, folder))
