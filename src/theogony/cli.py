"""The command `theogony`. Every error is one line on stderr and a non-zero exit code; 2 is for wrong usage.

`THEOGONY_TRACEBACK=1` shows where an error came from. The parts are imported by the commands that need them, so that
`theogony games` does not wait for PyTorch.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from theogony import __version__
from theogony.arguments import GameName, Modules, Seed, consent, game_named, writable, writable_folder
from theogony.console import interrupt, terminal
from theogony.console.progress import Progress, track

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Modern board games as reinforcement-learning environments.",
    rich_markup_mode=None,
)


def main() -> None:
    """The console script: run the command of `sys.argv` and exit."""
    interrupt.catch()
    terminal.guard()
    try:
        code = app(standalone_mode=False, prog_name="theogony")
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of a pipe has gone, as in `theogony replay FILE | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except Exception as error:
        if os.environ.get("THEOGONY_TRACEBACK") == "1":
            raise
        code = _report(error)
    except (KeyboardInterrupt, interrupt.Interrupt):
        interrupt.leave()
    sys.exit(code)


def _report(error: Exception) -> int:
    """Print an error as one line. Returns the exit code."""
    if isinstance(error, typer.Abort):
        interrupt.leave()
    if (message := getattr(error, "format_message", None)) is not None:  # Typer's own: wrong usage
        return _say_error(message(), getattr(error, "exit_code", 2))
    if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("theogony"):
        return _say_error(f"{error.name} is not installed: pip install 'theogony[train,render]' brings it", 1)
    if isinstance(error, OSError) and error.filename is not None:
        return _say_error(f"{error.filename}: {error.strerror}", 1)
    if isinstance(error, MemoryError):
        return _say_error(f"there is not enough memory for that: {error}".removesuffix(": "), 1)
    if isinstance(error, ValueError | OSError | ImportError | _render_error()):
        return _say_error(str(error), 1)
    return _say_error(f"internal error: {type(error).__name__}: {error} (THEOGONY_TRACEBACK=1 shows where)", 1)


def _render_error() -> type[Exception]:
    """What says that a picture or film cannot be made here."""
    from theogony.envs.core.svg import RenderError

    return RenderError


def _say_error(message: str, code: int) -> int:
    """One line, unless it is the help text that answers an empty command line."""
    if message.startswith("Usage:"):
        print(message, file=sys.stderr)
    else:
        print(f"theogony: {terminal.one_line(message)}", file=sys.stderr)
    return code


def _version(wanted: bool) -> None:
    if wanted:
        print(f"theogony {__version__}")
        raise typer.Exit()


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version and end")
    ] = False,
) -> None:
    """Modern board games as reinforcement-learning environments."""


# ---------------------------------------------------------------------------------------------------- games


@app.command()
def games() -> None:
    """List the games."""
    from theogony.envs import GAMES, load

    for name in GAMES:
        spec = load(name)
        players = "-".join(dict.fromkeys(str(count) for count in (min(spec.players), max(spec.players))))
        print(f"{name:<16} {spec.title}, {players} players, version {spec.version}")


@app.command()
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
    _exit(report.ok)


@app.command()
def verify(
    game: GameName,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="recordings of another engine")],
) -> None:
    """Play games recorded by another program and compare every step."""
    from theogony.envs.core.verify import verify as play

    passed, failed = play(game_named(game), track(files, "verifying", "files"))
    print(f"{passed} passed, {failed} failed")
    _exit(failed == 0 and passed > 0)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a record of this project")],
    verify: Annotated[bool, typer.Option("--verify", help="only compare every position, print no moves")] = False,
    gif: Annotated[Path | None, typer.Option(metavar="FILE", help="write a film there", callback=writable)] = None,
    mp4: Annotated[
        Path | None, typer.Option(metavar="FILE", help="the same as MP4, by ffmpeg", callback=writable)
    ] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="film what this seat knew; by default everything")] = None,
    every: Annotated[int, typer.Option(min=1, help="decisions from picture to picture of a film")] = 1,
    game: Annotated[str, typer.Option(metavar="GAME", help="module of a game of your own that is not registered")] = "",
    allow_modules: Modules = False,
) -> None:
    """Play a record of our own again, print it, and film it."""
    from theogony.envs.core.gamerecord import read_record
    from theogony.training.config.modules import find_game

    consent([], allow_modules)
    position = read_record(file, lambda name: game_named(game) if game else find_game(name, file))
    if gif or mp4:
        _film(position, gif, mp4, "all" if seat is None else seat, every)
    elif not verify:
        _printgame_named(position)
    print(f"{file}: {position.now} decisions of {position.game.spec.name}, every position as recorded")


def _film(position: Any, gif: Path | None, mp4: Path | None, viewer: int | str, every: int) -> None:
    """The game as a GIF, an MP4 or both."""
    from theogony.envs.core.film import frames, write_gif, write_mp4

    pictures = list(frames(position, viewer, every, lambda items, label: track(items, label, "pictures")))
    for file, write in ((gif, write_gif), (mp4, write_mp4)):
        if file:
            write(pictures, file)
            print(f"{file}: {len(pictures)} pictures")


def _printgame_named(position: Any) -> None:
    """The moves of a game, its last position and the scores."""
    game = position.game
    print(f"{game.spec.title}, seed {position.seed}, {game!r}")
    for ply, action in enumerate(position.actions):
        print(f"{ply + 1:>5}  player_{int(position.states[ply].actor)}  {game.actions.text(action)}")
    print(game.spec.render_text(game, position.g, "all"))
    for seat, score in enumerate(position.scores()):
        print(f"player_{seat}: {score:g}")


@app.command()
def bench(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="all of them by default")] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="write the figures there as well", callback=writable)
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="time of each measurement")] = 0.5,
    repeats: Annotated[int, typer.Option(min=1, help="measurements of each figure; the median counts")] = 5,
) -> None:
    """Measure decisions per second."""
    from theogony import bench as measure
    from theogony.envs import GAMES

    specs = [game_named(name) for name in games or GAMES]
    result = measure.run(
        specs, seconds=seconds, repeats=repeats, track=lambda items, label: track(items, label, "bursts")
    )
    print(measure.table(result))
    if json is not None:
        measure.write_json(result, json)


# ---------------------------------------------------------------------------------------------------- training


@app.command()
def train(
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="CONFIG [KEY=VALUE]...", help="training file, then entries to change")
    ] = None,
    resume: Annotated[Path | None, typer.Option(metavar="RUN", help="go on with a run that was stopped")] = None,
    allow_modules: Modules = False,
) -> None:
    """Train an agent, or go on: --resume RUN."""
    config, overrides = _split_arguments(arguments or [], resume)
    consent(overrides, allow_modules)
    _training("learning.train").run(config, overrides, resume)


def _split_arguments(arguments: list[str], resume: Path | None) -> tuple[Path | None, list[str]]:
    config = Path(arguments[0]) if arguments and "=" not in arguments[0] else None
    overrides = arguments[1:] if config else arguments
    if (config is None) == (resume is None):
        raise typer.BadParameter("give a training file or --resume RUN, one of the two")
    for entry in overrides:
        if "=" not in entry:
            raise typer.BadParameter(f"{entry!r} is not KEY=VALUE")
    return config, overrides


@app.command()
def dataset(
    game: GameName,
    ledgers: Annotated[
        list[Path], typer.Argument(metavar="LEDGER...", help="games of people, as they wrote them down")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="an .npz file, or the name of a Minari data set")],
    reward: Annotated[str, typer.Option(help="outcome, rank or margin: the return of each decision")] = "rank",
) -> None:
    """Turn written games of people into data: observations, masks, actions and returns of every decision."""
    convert = game_named(game).dataset
    if convert is None:
        raise ValueError(f"{game} has no reader of written games")
    counts = convert(track(ledgers, "reading", "files"), out, reward)
    print(f"{out}: {counts['decisions']} decisions of {counts['games']} games")


@app.command()
def imitate(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="training file: game, options, reward, network")],
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|PLAYER... [KEY=VALUE]...", help="records (.jsonl), data sets (.npz), names of players"
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
) -> None:
    """Teach an agent to decide as given players, or the players of given games, do."""
    overrides = [entry for entry in games if "=" in entry]
    files = [entry for entry in games if entry not in overrides and _is_file(entry)]
    teachers = [entry for entry in games if entry not in overrides and entry not in files]
    consent([*overrides, *teachers], allow_modules)
    learning = (epochs, learning_rate, batch_size, held_out)
    _training("learning.imitation").run(config, list(map(Path, files)), overrides, folder, *learning, teachers, played)


def _is_file(entry: str) -> bool:
    """Whether an argument of `imitate` is a file of games; all else names a player."""
    return Path(entry).suffix in (".jsonl", ".npz") or Path(entry).is_file()


@app.command()
def evaluate(
    player: Annotated[
        str, typer.Argument(metavar="RUN|PLAYER", help="random, greedy, reference, mcts:400 or the folder of a run")
    ],
    against: Annotated[list[str] | None, typer.Option(help="the others; may be given several times")] = None,
    games: Annotated[int, typer.Option(min=1, max=10**9, help="games, seats rotated")] = 1000,
    seed: Seed = 0,
    players: Annotated[int | None, typer.Option(help="seats at the table; by default those of the run")] = None,
    game: Annotated[str, typer.Option(metavar="GAME", help="the game; by default that of the run")] = "",
    option: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="option of the game")] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="write the result there as well", callback=writable)
    ] = None,
    allow_modules: Modules = False,
) -> None:
    """Play a trained agent, or any player, against others."""
    others = against or ["greedy"]
    consent([player, *others], allow_modules)
    evaluation = _training("rating.evaluate")
    spec = game_named(game) if game else None
    evaluation.run(evaluation.Asked(player, others, spec, option or [], players), games, seed, json)


@app.command()
def tournament(
    game: GameName,
    players: Annotated[str, typer.Option(metavar="NAME,NAME...", help="random, greedy, mcts:400, folders of runs")],
    games: Annotated[int, typer.Option(min=1, max=10**6, help="games of every line-up, seats rotated")] = 200,
    option: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="option of the game")] = None,
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
    records: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="write a record of every game there", callback=writable_folder),
    ] = None,
) -> None:
    """Rate players against each other."""
    names = [name.strip() for name in players.split(",") if name.strip()]
    consent(names)
    _training("rating.standings").run(
        game_named(game), names, games, option or [], seed, workers, folder, json, svg, records
    )


def _training(module: str) -> Any:
    """A module of `theogony.training`, imported only now."""
    import importlib

    return importlib.import_module(f"theogony.training.{module}")


def _exit(ok: bool) -> None:
    if not ok:
        raise typer.Exit(1)
