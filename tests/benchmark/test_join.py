"""Parts of a suite that were played on their own make the file of a single run, and nothing else fits together."""

import json
from pathlib import Path
from typing import Any

import pytest
from toy_tasks import TASK, content

from theogony.benchmark import run as running
from theogony.benchmark.keeping import measure
from theogony.benchmark.results import Anchors, read_results, write_results
from theogony.benchmark.run import join
from theogony.benchmark.tasks import BenchmarkError, Suite, Task, Tasks
from theogony.benchmark.verify import verify

FIRST, SECOND, THIRD = "tictactoe-2p-v1", "tictactoe-2p-short-v1", "tictactoe-2p-third-v1"
SHORT = TASK | {"deals": 3, "opponents": ["greedy"]}
TASKS = Tasks(
    suites={"both": [FIRST, SECOND], "all": [SECOND, THIRD, FIRST]},
    tasks=[Task.model_validate(one) for one in (TASK, SHORT | {"id": SECOND}, SHORT | {"id": THIRD})],
)


def played(out: Path, player: str, only: str = "", suite: str = "both", **settings: Any) -> Path:
    asked = running.Asked(Suite.named(suite, TASKS, only), player, out, "somebody", **settings)
    running.run(asked, workers=1, anchors={})
    return out


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("parts")
    return [played(folder / f"{task}.json", "own_players:Crasher", task) for task in (SECOND, FIRST)]


def test_parts_make_the_file_of_a_single_run(tmp_path: Path, parts: list[Path]) -> None:
    whole, joined = played(tmp_path / "whole.json", "own_players:Crasher"), tmp_path / "joined.json"
    write_results(join("both", parts, TASKS, {}), joined)
    assert content(joined) == content(whole) and read_results(joined).crashes
    verify(joined, TASKS, {})
    times = [read_results(part).seconds.cpu for part in parts]
    assert read_results(joined).seconds.cpu == pytest.approx(sum(times), abs=0.01)


def test_tasks_stand_in_the_order_of_the_suite_and_some_may_be_missing(tmp_path: Path, parts: list[Path]) -> None:
    assert [task.id for task in join("all", parts, TASKS, {}).tasks] == [SECOND, FIRST]
    third = played(tmp_path / "third.json", "own_players:Crasher", THIRD, "all")
    assert [task.id for task in join("all", [*parts, third], TASKS, {}).tasks] == [SECOND, THIRD, FIRST]


def test_a_task_that_is_named_twice_is_played_once() -> None:
    assert [task.id for task in Suite.named("both", TASKS, f"{SECOND},{SECOND}").tasks] == [SECOND]


def test_scores_are_those_of_all_tasks(tmp_path: Path) -> None:
    ends = [played(tmp_path / f"{player}.json", player) for player in ("random", "greedy")]
    anchors: Anchors = measure(ends[0], ends[1:])
    halves = [tmp_path / f"{task}.json" for task in (FIRST, SECOND)]
    for task, half in zip((FIRST, SECOND), halves, strict=True):
        asked = running.Asked(Suite.named("both", TASKS, task), "greedy", half, "greedy")
        running.run(asked, workers=1, anchors=anchors)
    overall = join("both", halves, TASKS, anchors).overall
    assert overall is not None and overall.tasks == 2 and overall.iqm == pytest.approx(1.0, abs=1e-5)


def test_machines_that_differ_are_all_named_once(tmp_path: Path, parts: list[Path]) -> None:
    other = json.loads(parts[1].read_text())
    other["machine"] |= {"processor": "Abacus", "processors": 4000}
    (tmp_path / "other.json").write_text(json.dumps(other))
    found = join("both", [parts[0], tmp_path / "other.json"], TASKS, {})
    here = read_results(parts[0]).machine.processor
    assert found.machine.processor == f"Abacus and {here}" and found.machine.processors == 4000
    write_results(found, tmp_path / "joined.json")
    third = played(tmp_path / "third.json", "own_players:Crasher", THIRD, "all")
    assert join("all", [tmp_path / "joined.json", third], TASKS, {}).machine == found.machine


def test_what_does_not_fit_together_is_refused(tmp_path: Path, parts: list[Path]) -> None:
    def refused(files: list[Path], suite: str = "both") -> str:
        with pytest.raises(BenchmarkError) as caught:
            join(suite, files, TASKS, {})
        return str(caught.value)

    second, first = parts
    assert refused([first, first]) == f"{first}: {FIRST}: is in another of the files as well"
    third = played(tmp_path / "third.json", "own_players:Crasher", THIRD, "all")
    assert refused([third]) == f"{third}: {THIRD}: is no task of the suite both"
    seed = played(tmp_path / "seed.json", "own_players:Crasher", FIRST, seed=1)
    assert refused([second, seed]) == f"{seed}: the agent's seed is 1, 0 in the first file"
    player = played(tmp_path / "player.json", "random", FIRST)
    assert "the agent's player is 'random', 'own_players:Crasher' in the first file" in refused([second, player])
    changed = json.loads(third.read_text()) | {"suite": "both"}
    (tmp_path / "suite.json").write_text(json.dumps(changed))
    assert refused([tmp_path / "suite.json"], "all") == f"{tmp_path / 'suite.json'}: task {THIRD} is not of both"
    changed = json.loads(first.read_text())
    changed["theogony"] = "0.0.1"
    (tmp_path / "old.json").write_text(json.dumps(changed))
    assert "old.json: was measured by theogony 0.0.1, the first file by" in refused([second, tmp_path / "old.json"])
    changed["figures"][0]["reward"] = 0.75
    (tmp_path / "changed.json").write_text(json.dumps(changed))
    assert "changed.json: figures" in refused([tmp_path / "changed.json"])
    assert refused([tmp_path / "nothing.json"]).startswith(f"{tmp_path / 'nothing.json'}: cannot be read")
    assert refused([]) == "there are no files to join"
