"""The driver of the project's own entries: it plays what is missing, and the list that is shipped can be read."""

from pathlib import Path

import pytest

from theogony.benchmark import baselines
from theogony.benchmark.check.verify import verify
from theogony.benchmark.tasks import BenchmarkError, Suite

ROOT = Path(__file__).parents[2]
ONE = "{name: random, agent: random, suite: quick, only: [orbis-2p-small-v1], description: a test, seeds: [0, 3]}"


@pytest.mark.slow
def test_what_is_missing_is_played(tmp_path: Path) -> None:
    file = tmp_path / "baselines.yaml"
    file.write_text(f"baselines:\n  - {ONE}\n")
    first, failed = baselines.play(file, workers=1)
    assert [path.name for path in first] == ["quick-0.json.gz", "quick-3.json.gz"]
    assert verify(tmp_path / "results" / "random").count("records played again") == 2
    first[1].unlink()
    assert baselines.play(file, workers=1) == (first[1:], []), "only that one"
    assert not failed


@pytest.mark.slow
def test_what_fails_keeps_nothing_else_from_being_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "baselines.yaml"
    broken = ONE.replace("name: random, agent: random", "name: broken, agent: runs/nothing")
    file.write_text(f"baselines:\n  - {broken}\n  - {ONE}\n")
    with pytest.raises(SystemExit):
        baselines.main([str(file), "1"])
    assert (tmp_path / "results" / "random" / "quick-3.json.gz").is_file()
    *_, first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("failed: broken, seed 0: PlayerError: ") and "seed 3" in second
    assert baselines.play(file, workers=1, names=["random"]) == ([], [])
    with pytest.raises(BenchmarkError, match="there is no entry ghost"):
        baselines.play(file, names=["ghost"])


def test_the_list_is_complete() -> None:
    """Every entry names tasks of its suite, and a training file or a program that is there."""
    entries = baselines.read_baselines(ROOT / "leaderboard" / "baselines.yaml")
    assert len({one.name for one in entries}) == len(entries) >= 8
    for one in entries:
        suite = Suite.named(one.suite, only=",".join(one.only))
        if one.track is not None:
            games = {task.game for task in suite.tasks}
            files = [next(word for word in one.agent.split() if word.endswith((".py", ".yaml")))]
            files = [file.replace("{game}", game) for file in files for game in games]
            assert all((ROOT / file).is_file() for file in files)


def test_a_wrong_entry_is_named(tmp_path: Path) -> None:
    file = tmp_path / "baselines.yaml"
    file.write_text("baselines:\n  - {name: x, agent: random, suite: quick, description: y, track: 5M}\n")
    with pytest.raises(BenchmarkError, match="track"):
        baselines.play(file)
