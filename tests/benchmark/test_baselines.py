"""The driver of the project's own entries: it plays what is missing, and the list that is shipped can be read."""

from pathlib import Path

import pytest
from toy_tasks import content

from theogony.benchmark import keeping
from theogony.benchmark.exploit.run import Hunt
from theogony.benchmark.run import Asked, run
from theogony.benchmark.tasks import BenchmarkError, Suite
from theogony.benchmark.verify import verify
from theogony.training.learning.tune import read_space

ROOT = Path(__file__).parents[2]
ONE = "{name: random, agent: random, suite: quick, only: [orbis-2p-small-v1], description: a test, seeds: [0, 3]}"


@pytest.mark.slow
def test_what_is_missing_is_played(tmp_path: Path) -> None:
    file = tmp_path / "baselines.yaml"
    file.write_text(f"baselines:\n  - {ONE}\n")
    first, failed = keeping.play(file, workers=1)
    assert [path.name for path in first] == ["quick-0.json.gz", "quick-3.json.gz"]
    assert not (tmp_path / "unfinished").exists(), "it is whole"
    assert verify(tmp_path / "results" / "random").count("records played again") == 2
    first[1].unlink()
    assert keeping.play(file, workers=1) == (first[1:], []), "only that one"
    assert not failed


@pytest.mark.slow
def test_a_task_that_is_new_in_the_list_is_joined_to_what_was_played(tmp_path: Path) -> None:
    """The same file as of a run of both tasks, but for times; nothing is left beside it."""
    file, both = tmp_path / "baselines.yaml", "only: [push_of_faith-2p-small-v1, orbis-2p-small-v1]"
    one = ONE.replace("seeds: [0, 3]", "seeds: [0]")
    file.write_text(f"baselines:\n  - {one}\n")
    keeping.play(file, workers=1)
    file.write_text(f"baselines:\n  - {one.replace('only: [orbis-2p-small-v1]', both)}\n")
    written, failed = keeping.play(file, workers=1)
    whole = run(
        Asked(Suite.named("quick", only=both[7:-1].replace(" ", "")), "random", tmp_path / "whole.json", "random"), 1
    )
    assert not failed and content(written[0]) == content(tmp_path / "whole.json") and len(whole.tasks) == 2
    assert [path.name for path in written[0].parent.rglob("*.json*")] == ["quick-0.json.gz"]


@pytest.mark.slow
def test_what_fails_keeps_nothing_else_from_being_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "baselines.yaml"
    broken = ONE.replace("name: random, agent: random", "name: broken, agent: runs/nothing")
    file.write_text(f"baselines:\n  - {broken}\n  - {ONE}\n")
    with pytest.raises(SystemExit):
        keeping.main(["play", str(file), "1"])
    assert (tmp_path / "results" / "random" / "quick-3.json.gz").is_file()
    assert [path.name for path in (tmp_path / "unfinished").iterdir()] == ["broken"], "it is not whole"
    *_, first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("failed: broken, seed 0: PlayerError: ") and "seed 3" in second
    assert keeping.play(file, workers=1, names=["random"]) == ([], [])
    with pytest.raises(BenchmarkError, match="there is no entry ghost"):
        keeping.play(file, names=["ghost"])


def test_how_far_an_entry_can_be_beaten_is_found_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hunts = []

    def hunted(hunt: Hunt, workers: int | None) -> None:
        hunts.append(hunt)
        hunt.out.parent.mkdir()  # as its first training does
        hunt.out.write_text("{}")

    monkeypatch.setattr(keeping.hunting, "exploit", hunted)
    monkeypatch.setattr(keeping.hunting, "table", str)
    monkeypatch.setattr(keeping, "_add", lambda *_: False)
    file, where = tmp_path / "baselines.yaml", "exploit: [push_of_faith-2p-medium-v2]"
    learnt = ONE.replace("agent: random", f"agent: td.yaml, track: 200k, {where}").replace("name: random", "name: td")
    file.write_text(f"baselines:\n  - {ONE[:-1]}, {where}}}\n  - {learnt}\n")
    written, failed = keeping.play(file, workers=1)
    folder = tmp_path / "results"
    assert not failed and written == [folder / name / "exploits" / "push_of_faith-2p.json" for name in ("random", "td")]
    assert [hunt.entry for hunt in hunts] == ["random", str(folder / "td" / "quick-0.json.gz")]
    assert keeping.play(file, workers=1) == ([], [])


def test_the_list_is_complete() -> None:
    """Every entry names tasks of its suite, and a training file or a program that is there."""
    entries = keeping.read_baselines(ROOT / "leaderboard" / "baselines.yaml")
    assert len({one.name for one in entries}) == len(entries) >= 8
    for one in entries:
        tasks = [task for _, task in one.tasks()]
        assert tasks
        if one.track is not None:
            games = {task.game for task in tasks}
            files = [next(word for word in one.agent.split() if word.endswith((".py", ".yaml")))]
            files = [file.replace("{game}", game) for file in files for game in games]
            assert all((ROOT / file).is_file() for file in files)


def test_a_wrong_entry_is_named(tmp_path: Path) -> None:
    file = tmp_path / "baselines.yaml"
    file.write_text("baselines:\n  - {name: x, agent: random, suite: quick, description: y, track: 5M}\n")
    with pytest.raises(BenchmarkError, match="track"):
        keeping.play(file)


@pytest.mark.parametrize("file", sorted((ROOT / "leaderboard/spaces").glob("*.yaml")), ids=lambda file: file.stem)
def test_a_search_space_names_options_of_its_program(file: Path) -> None:
    """The command in its first line searches this file for that program, in as many trials for each of them."""
    program, options = f"examples/{file.stem}.py", list(read_space(file))
    command = file.read_text().splitlines()[0]
    assert f"{program} --eval-games 0" in command and f"--space leaderboard/spaces/{file.name}" in command
    assert command.endswith("--trials 12 --steps 100_000 --seed 1")
    known = (ROOT / program).read_text()
    assert options and all(f'"--{option.replace("_", "-")}"' in known for option in options)
