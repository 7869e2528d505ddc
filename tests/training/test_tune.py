"""`theogony tune` on a small game: it searches, goes on, and refuses what does not fit."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.training.loaded import loaded
from theogony.training.config import ConfigError
from theogony.training.config.engines import TdConfig
from theogony.training.learning import tune

FILE: dict[str, Any] = {
    "game": "tictactoe:SPEC",
    "engine": "td",
    "environment": {"num_envs": 16},
    "algorithm": {"total_steps": 10**6, "batch_size": 64, "learning_rate": {"start": 1e-3, "end": 1e-4}},
    "td": {"widths": [8]},
    "evaluation": {"against": ["greedy"]},
}

pytest.importorskip("optuna")


@pytest.fixture(autouse=True)
def _allow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THEOGONY_ALLOW_MODULES", "1")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "agent.yaml"
    path.write_text(yaml.safe_dump(FILE), "utf-8")
    return path


def asked(file: Path, trials: int = 2, space: Path | None = None, **changes: Any) -> tune.Asked:
    usual: dict[str, Any] = {"folder": file.parent / "search", "steps": 300, "games": 20, "seed": 0}
    overrides = changes.pop("overrides", ())
    return tune.Asked(tune.TrainingFile(file, overrides), trials=trials, space=space, **{**usual, **changes})


@pytest.mark.slow
def test_a_search_ends_with_entries_that_train_takes(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tune.run(asked(file))
    printed = capsys.readouterr().out
    best = yaml.safe_load(printed[printed.index("# the best of 2 trials") :])
    assert 3e-3 <= best["td"]["explore"] <= 1e-1 and 1e-4 <= best["algorithm"]["learning_rate"]["start"] <= 5e-3
    command = printed[printed.index("# theogony train") :].split()
    assert loaded(TdConfig, file, command[4:]).td.explore == best["td"]["explore"]
    kept = loaded(TdConfig, file.parent / "search" / tune.BEST)
    assert kept.td.explore == best["td"]["explore"] and kept.algorithm.total_steps == 10**6
    assert printed.index("trial 0: algorithm.learning_rate.start=0.001 td.td_lambda=0.8") >= 0, "the file's own values"
    trials = len(list((file.parent / "search").glob("run-*")))

    tune.run(asked(file, trials=3))
    assert "the best of 3 trials" in capsys.readouterr().out
    assert len(list((file.parent / "search").glob("run-*"))) == trials + 1, "only what is missing is tried"


def test_a_stopped_trial_goes_on(file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    whole = tune.measured

    def stop(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(tune, "measured", stop)
    with pytest.raises(KeyboardInterrupt):
        tune.run(asked(file, trials=1))
    monkeypatch.setattr(tune, "measured", whole)
    tune.run(asked(file, trials=1))
    assert "the best of 1 trials" in capsys.readouterr().out
    assert len(list((file.parent / "search").glob("run-*"))) == 1, "the run that was stopped was measured"


@pytest.mark.slow
def test_what_is_tried_depends_neither_on_processes_nor_on_stops(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rounds of two: made by two processes, and one after the other with a stop in the middle of each round."""
    rounds: dict[str, Any] = {"trials": 5, "at_once": 2}
    tune.run(asked(file, folder=file.parent / "whole", **rounds))
    whole = capsys.readouterr().out.splitlines()

    def halved(make: Any, jobs: list[tune.Proposed], *_: Any) -> Iterator[tune.Made]:
        yield make().play(jobs[0])
        raise KeyboardInterrupt

    monkeypatch.setattr(tune, "each", halved)
    for _ in range(5):
        with pytest.raises(KeyboardInterrupt):
            tune.run(asked(file, folder=file.parent / "parted", **rounds))
    tune.run(asked(file, folder=file.parent / "parted", **rounds))
    parted = capsys.readouterr().out.splitlines()
    assert {*parted} == {*whole} and sum("% won" in line and line.startswith("trial") for line in parted) == 5
    assert sum(line.startswith("trial 4: algorithm") for line in whole) == 1


def test_another_search_in_the_same_folder_is_refused(file: Path) -> None:
    tune.run(asked(file, trials=1))
    with pytest.raises(ConfigError, match="is of another search: steps differs"):
        tune.run(asked(file, trials=1, steps=400))


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("algorithm.total_steps=50", "algorithm.total_steps: is the same in all trials; expected --steps"),
        ("seed=3", "seed: is the same in all trials; expected --seed"),
        (
            "evaluation.every=50",
            "evaluation.every: is the same in all trials; expected nothing: a trial is measured once",
        ),
    ],
)
def test_entries_that_options_decide_are_refused(file: Path, entry: str, expected: str) -> None:
    with pytest.raises(ConfigError, match=expected):
        tune.run(asked(file, overrides=(entry,)))


@pytest.mark.parametrize(
    ("space", "expected"),
    [
        ("td.lambda: {low: 0.1, high: 0.2}", "td.lambda: there is no such key"),
        ("td.explore: {low: 0.5, high: 0.1}", "expected low below high"),
        ("td.explore: {low: 0, high: 0.1, log: true}", "above 0 with log"),
        ("td.explore: {low: 0.5, high: 7}", "space.yaml: td.explore: input should be less than or equal to 1"),
        ("td.explore: 0.5", "td.explore: expected {low: 0.9, high: 1.0} or {choices:"),
        ("td.explore: {choices: []}", "td.explore: expected {low:"),
        ("", "its content: expected {low:"),
        ("{}", "names nothing to search"),
    ],
)
def test_a_space_that_does_not_fit_is_named(file: Path, space: str, expected: str) -> None:
    path = file.with_name("space.yaml")
    path.write_text(space)
    with pytest.raises(ConfigError, match=expected) as error:
        tune.run(asked(file, space=path))
    assert "\n" not in str(error.value) and not (file.parent / "search").exists()


def test_choices_are_searched(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file.with_name("space.yaml")
    path.write_text("td.own_turn: {choices: [true]}\nalgorithm.batch_size: {low: 32, high: 64}")
    tune.run(asked(file, trials=1, space=path))
    assert "own_turn: true" in capsys.readouterr().out


def test_an_engine_without_values_of_its_own_needs_a_space(file: Path) -> None:
    text = yaml.safe_dump({key: value for key, value in FILE.items() if key != "td"} | {"engine": "distil"})
    file.write_text(text)
    with pytest.raises(ConfigError, match="engine: distil has no values to search by default; expected --space FILE"):
        tune.run(asked(file))
