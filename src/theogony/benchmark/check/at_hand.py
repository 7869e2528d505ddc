"""What of the agent of a results file may be read.

A results file may come from a stranger, and it names its player. So only names of this package are followed, and files
and folders beside the results file: nothing else is imported or read, unless modules are allowed, which is consent.
"""

from __future__ import annotations

from pathlib import Path

from theogony.benchmark.agents import Agent
from theogony.benchmark.opponents import FOLDER
from theogony.benchmark.play.run import runs_of
from theogony.benchmark.tasks import BenchmarkError, Task
from theogony.envs.core.game import Game
from theogony.envs.core.thinking.player_names import OWN, PlayerName, parse_player
from theogony.training.config import modules


def player_at_hand(agent: Agent, task: Task, game: Game, results: Path) -> PlayerName | None:
    """The name by which the agent of a results file can be made for a task, or None where it is not at hand.

    Raises BenchmarkError for a link, which could lead anywhere.
    """
    name = agent.player_for(task, game, runs_of(results))
    if agent.track is not None:
        found = beside(Path(name.text), results)
        return None if found is None else name.by(found)
    if modules.allowed() or name.of_package:
        return name
    if name.run is None:
        return None
    run = Path(name.run)
    found = run if run.parent == FOLDER and run.name != ".." else _beside_by_name(run, results)
    return None if found is None else name.by(found)


def why_not(agent: Agent) -> str:
    """That an agent is not at hand, in words, with what would bring it there."""
    if agent.track is None and parse_player(agent.player.replace("{", "").replace("}", "")).kind == OWN:
        return "the agent is not at hand: a class is imported with --allow-modules only"
    return "the agent is not at hand: its weights are not beside the results file"


def _beside_by_name(path: Path, results: Path) -> Path | None:
    """A file or a folder beside that of the results: by the path that was named, or by its last part alone."""
    found = beside(results.parent / path, results)
    return found if found is not None or not path.name else beside(results.parent / path.name, results)


def beside(path: Path, results: Path) -> Path | None:
    """A file or a folder, if it is there and in that of the results file. Raises BenchmarkError."""
    place = results.parent.resolve()
    try:
        found = path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):  # not there, links in a circle, or no name of a file
        return None
    if not found.is_relative_to(place):
        return None
    for one in found.rglob("*"):
        if one.is_symlink():
            raise BenchmarkError(f"{one}: is a link; expected files")
    return found
