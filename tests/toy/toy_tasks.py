"""A benchmark of one small game, as the tests of the benchmark need it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from theogony.benchmark import run as running
from theogony.benchmark.exploit.file import Exploited, Target, games_of
from theogony.benchmark.results import Results, read_results, write_results
from theogony.benchmark.tasks import Suite, Task, Tasks

DEALS = 6
TASK = {
    "id": "tictactoe-2p-v1",
    "game": "tictactoe:SPEC",
    "options": {"players": 2},
    "reward": "outcome",
    "deals": DEALS,
    "opponents": ["random", "greedy"],
    "records": 2,
}
TASKS = Tasks(suites={"toys": ["tictactoe-2p-v1"]}, tasks=[Task(**TASK)])
SUITE = Suite.named("toys", TASKS)
TIMES = ("seconds", "machine")


def played(folder: Path, player: str, **arguments: Any) -> Path:
    """The results file of a player."""
    out = folder / f"{player.replace(':', '_')}.json"
    running.run(running.Asked(SUITE, player, out, player), **{"workers": 1, "anchors": {}, **arguments})
    return out


def submission(folder: Path, results: Results, **metadata: str) -> Path:
    """A folder with one results file and what is said of it."""
    write_results(results, folder / "toys-0.json")
    facts = {"name": results.agent.name, "authors": "A", "description": "B", "trained": "false", **metadata}
    (folder / "metadata.yaml").write_text("".join(f"{key}: {value}\n" for key, value in facts.items()), "utf-8")
    return folder


def exploit_of(player: str, seats: list[str]) -> Exploited:
    """What a search for the weaknesses of an entry would have written."""
    game = TASKS.tasks[0].make_game()
    return Exploited(
        format="theogony-exploit-1",
        theogony="0",
        task=TASKS.tasks[0].id,
        digest=TASKS.tasks[0].digest,
        game=game.spec.name,
        version=game.spec.version,
        components=game.component_digest,
        entry=Target(name=player, player=player, sha256=None),
        budget=1000,
        seed=0,
        trained=[],
        weights={},
        left_out={"td": "x", "ppo": "x"},
        tried=[games_of("ppo", ["W", "W"])],
        best=games_of("ppo", seats),
        seconds=[],
        play_seconds=0.0,
        machine=running.machine(),
    )


def with_one_pack(tasks: Sequence[Task]) -> list[Task]:
    """Tasks of which those with a hundred packs have the first alone: it takes a hundredth of the time."""
    return [
        one.model_copy(update={"options": {name: str(value).partition("-")[0] if name == "components" else value
                                           for name, value in one.options.items()}})
        for one in tasks
    ]  # fmt: skip


def content(path: Path) -> dict[str, Any]:
    """What must be the same whenever it is measured."""
    return {key: value for key, value in read_results(path).model_dump().items() if key not in TIMES}
