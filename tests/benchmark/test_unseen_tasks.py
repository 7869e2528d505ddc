"""Tasks with components that are drawn, and what the leaderboard tells of them."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from theogony.benchmark.keeping import measure
from theogony.benchmark.report.entries import read_entries
from theogony.benchmark.report.page import report
from theogony.benchmark.results import Anchors
from theogony.benchmark.run import Asked, run
from theogony.benchmark.tasks import Suite, Task, Tasks, shipped
from theogony.benchmark.verify import verify

PRINTED: dict[str, Any] = {
    "id": "push_of_faith-2p-printed-v1", "game": "push_of_faith", "options": {"players": 2}, "reward": "outcome",
    "deals": 6, "opponents": ["greedy"], "one": "greedy",
}  # fmt: skip
UNSEEN = PRINTED | {
    "id": "push_of_faith-2p-unseen-v1",
    "options": {"players": 2, "components": "random:1000-1001"},
    "learns_with": {"components": "random:0-9"},
}
TASKS = Tasks(suites={"unseen": [PRINTED["id"], UNSEEN["id"]]}, tasks=[Task(**PRINTED), Task(**UNSEEN)])


def entry(folder: Path, player: str, anchors: Anchors) -> Path:
    """The submission of a player; its results file."""
    out = folder / player / "unseen-0.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    run(Asked(Suite.named("unseen", TASKS), player, out, player), 1, anchors=anchors)
    about = {"name": player, "authors": "A", "description": "D", "trained": False}
    (out.parent / "metadata.yaml").write_text(yaml.safe_dump(about))
    return out


def test_what_is_left_with_unseen_components_is_a_column_of_the_leaderboard(tmp_path: Path) -> None:
    """Records are of the pack that their deal draws; greedy, which is 1 with either, loses nothing."""
    ends = [entry(tmp_path / "first", player, {}) for player in ("random", "greedy")]
    anchors: Anchors = measure(ends[0], ends[1:])
    assert {one.player for one in anchors.values()} == {"greedy"}
    for player in ("random", "greedy"):
        found = verify(entry(tmp_path / "in", player, anchors), TASKS, anchors, games=2)
        assert "2 games played anew" in found
    left = next(one.left for one in read_entries(tmp_path / "in", TASKS, anchors) if one.name == "greedy")
    assert left is not None and left[1:4] == pytest.approx((1.0, 1.0, 0.0), abs=1e-5) and left.low <= 0 <= left.high
    shown = f"+0.00 ({left.low:+.2f} to {left.high:+.2f})"
    page = report(tmp_path / "in", tmp_path / "out", TASKS, anchors)
    assert f"| greedy | 1.00 (1.00 to 1.00) | lookahead | nothing | - | 50% (a copy) | {shown} |" in page.read_text()
    details = (tmp_path / "out" / "leaderboard" / "unseen.md").read_text()
    assert f"| greedy | {UNSEEN['id']} | 1.00 | 1.00 | {shown} |" in details


def test_nobody_learns_with_the_packs_of_the_test() -> None:
    for task in shipped().tasks:
        if "components" in task.options:
            assert task.options["components"] == "random:1000-1099"
            assert task.options_of_training == {**task.options, "components": "random:0-99"}


def test_later_fields_leave_the_digest_of_former_tasks_as_it_was() -> None:
    assert shipped().task("orbis-2p-medium-v1").digest == "83ab859a7053c399"
    task = Task(**UNSEEN)
    others = [task.model_copy(update=change) for change in ({"one": None}, {"learns_with": {}})]
    assert len({task.digest, *(one.digest for one in others)}) == 3
