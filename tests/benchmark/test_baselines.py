"""The driver of the project's own entries: it plays what is missing, and the list that is shipped can be read."""

from pathlib import Path

import pytest

from theogony.benchmark import baselines
from theogony.benchmark.tasks import BenchmarkError, Suite
from theogony.benchmark.verify import verify

ROOT = Path(__file__).parents[2]
ONE = "{name: random, agent: random, suite: quick, only: [orbis-2p-small-v1], description: a test, seeds: [0, 3]}"


@pytest.mark.slow
def test_what_is_missing_is_played(tmp_path: Path) -> None:
    file = tmp_path / "baselines.yaml"
    file.write_text(f"baselines:\n  - {ONE}\n")
    first = baselines.play(file, workers=1)
    assert [path.name for path in first] == ["quick-0.json.gz", "quick-3.json.gz"]
    assert verify(tmp_path / "results" / "random").count("records played again") == 2
    first[1].unlink()
    assert baselines.play(file, workers=1) == first[1:], "only that one"


def test_the_list_is_complete() -> None:
    """Every entry names tasks of its suite, and a training file that is there."""
    from theogony.envs.core.checked import checked
    from theogony.envs.core.outside_yaml import read_yaml

    content, _ = read_yaml(ROOT / "benchmark" / "baselines.yaml", "baselines", BenchmarkError)
    entries = checked(baselines.Baselines, content, "baselines", BenchmarkError).baselines
    assert len({one.name for one in entries}) == len(entries) >= 8
    for one in entries:
        suite = Suite.named(one.suite, only=",".join(one.only))
        if one.track is not None:
            games = {task.game for task in suite.tasks}
            assert all((ROOT / one.agent.replace("{game}", game)).is_file() for game in games)


def test_a_wrong_entry_is_named(tmp_path: Path) -> None:
    file = tmp_path / "baselines.yaml"
    file.write_text("baselines:\n  - {name: x, agent: random, suite: quick, description: y, track: 5M}\n")
    with pytest.raises(BenchmarkError, match="track"):
        baselines.play(file)
