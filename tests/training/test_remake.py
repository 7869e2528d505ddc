"""`theogony remake`: players from nothing, stage by stage, and again after a stop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
import yaml

from tests.training.ahead import Stopped, files
from tests.training.test_td import TOY
from theogony.training.config import ConfigError
from theogony.training.config.file import load_config, read_yaml
from theogony.training.learning.ahead import AheadTraining
from theogony.training.learning.reproduce import Recipe, in_order, listed, minutes_of, read_recipes, remake
from theogony.training.players.reference import AGENTS
from theogony.training.storage import checkpoint

PUPIL: dict[str, Any] = {
    **{key: TOY[key] for key in ("game", "environment", "evaluation", "checkpoint_every")},
    "engine": "distil",
    "algorithm": {"total_steps": 600, "batch_size": 64, "net_arch": {"policy": [16], "value": [16]}},
}
RECIPES: dict[str, Any] = {
    "toy/first": {
        "minutes": 6,
        "stages": [
            {"file": "value.yaml", "set": {"algorithm.total_steps": 800}},
            {"file": "value.yaml", "set": {"seed": 1, "algorithm.total_steps": 600}},
            {"set": {"algorithm.total_steps": 1200}},
        ],
    },
    "toy/second": {
        "minutes": 12,
        "begins": "toy/first",
        "stages": [{"file": "value.yaml", "set": {"algorithm.total_steps": 400}}],
    },
    "toy/pupil": {"minutes": 3, "teacher": "toy/second", "stages": [{"file": "distil.yaml"}]},
}


def stages(*found: dict[str, Any]) -> dict[str, Any]:
    """A recipe of these stages."""
    return {"toy/first": {"minutes": 1, "stages": list(found)}}


@pytest.fixture
def recipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of tiny recipes, and the training files that they name."""
    monkeypatch.setenv("THEOGONY_ALLOW_MODULES", "1")
    monkeypatch.chdir(tmp_path)
    for name, content in (("value.yaml", TOY), ("distil.yaml", PUPIL), ("recipes.yaml", RECIPES)):
        (tmp_path / name).write_text(yaml.safe_dump(content), "utf-8")
    return tmp_path / "recipes.yaml"


def config_of(run: Path) -> Any:
    return read_yaml(run / "config.yaml")[0]


def test_a_player_is_made_with_all_that_it_needs(recipes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = remake("toy/pupil", [], Path("made"), recipes)
    assert run == Path("made/toy/pupil/1") and checkpoint.any_checkpoint(run)
    assert "toy/first, then toy/second, then toy/pupil: about 0.3 hours" in capsys.readouterr().out
    assert config_of(run)["distil"]["teacher"] == "made/toy/second/1"
    assert config_of(Path("made/toy/second/1"))["start_from"] == "made/toy/first/2"
    second = config_of(Path("made/toy/first/2"))
    assert second["start_from"] == "made/toy/first/1" and second["algorithm"]["total_steps"] == 1200, "made longer"
    assert checkpoint.read_header(checkpoint.latest(Path("made/toy/first/2"))).steps >= 1200
    assert config_of(Path("made/toy/first/1"))["start_from"] is None, "from nothing"


def test_a_stage_may_begin_with_an_earlier_one_and_stages_are_averaged(recipes: Path) -> None:
    longer = {"file": "value.yaml", "set": {"algorithm.total_steps": 400}}
    trained = [longer, {**longer, "set": {**longer["set"], "seed": 1}}, {**longer, "begins": 1}]

    def average(*numbers: int) -> None:
        recipe = {"minutes": 1, "stages": [*trained, {"mean": list(numbers)}]}
        recipes.write_text(yaml.safe_dump({"toy/mean": recipe}), "utf-8")

    average(1, 2, 3)
    run = remake("toy/mean", [], Path("made"), recipes)
    assert config_of(Path("made/toy/mean/2"))["start_from"] == config_of(Path("made/toy/mean/3"))["start_from"]
    each = [checkpoint.read_weights(checkpoint.latest(Path(f"made/toy/mean/{number}"))) for number in (1, 2, 3)]
    found = checkpoint.read_weights(run)
    for name, tensor in found.items():
        assert torch.allclose(tensor, torch.stack([one[name] for one in each]).mean(0), atol=1e-6)
    assert not all(found[name].equal(each[0][name]) for name in found)
    before = (run / checkpoint.POLICY).stat().st_mtime_ns
    assert remake("toy/mean", [], Path("made"), recipes) == run == Path("made/toy/mean/4")
    assert (run / checkpoint.POLICY).stat().st_mtime_ns == before
    average(1, 2)
    with pytest.raises(ConfigError, match="mean/4: is not the mean of made/toy/mean/1, made/toy/mean/2; expected"):
        remake("toy/mean", [], Path("made"), recipes)


def test_what_was_stopped_goes_on_and_what_is_done_stays(recipes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = remake("toy/second", [], Path("whole"), recipes)
    iterate = AheadTraining.iterate

    def stop(training: AheadTraining[Any, Any]) -> None:
        if training.config.seed == 1 and training.steps > 700:  # within the third stage
            raise Stopped
        iterate(training)

    with monkeypatch.context() as patched:
        patched.setattr(AheadTraining, "iterate", stop)
        with pytest.raises(Stopped):
            remake("toy/second", [], Path("parted"), recipes)
    first = checkpoint.latest(Path("parted/toy/first/1"))
    before = (first / checkpoint.POLICY).stat().st_mtime_ns
    run = remake("toy/second", [], Path("parted"), recipes)
    assert (first / checkpoint.POLICY).stat().st_mtime_ns == before
    assert files(run) == files(whole), "the same bytes as if it had not been stopped"


def test_a_trial_changes_all_stages(recipes: Path) -> None:
    run = remake("toy/second", ["algorithm.total_steps=200", "td.explore=0.2"], Path("trial"), recipes)
    assert config_of(run)["td"]["explore"] == 0.2
    for stage in (run, Path("trial/toy/first/1"), Path("trial/toy/first/2")):
        assert config_of(stage)["algorithm"]["total_steps"] == 200


def test_a_trial_does_not_pass_for_the_player(recipes: Path) -> None:
    trial = ["algorithm.total_steps=200"]
    remake("toy/second", trial, Path("made"), recipes)
    remake("toy/second", trial, Path("made"), recipes)
    expected = r"made/toy/first/1: was made with algorithm\.total_steps=200, and what is asked for has 800"
    with pytest.raises(ConfigError, match=expected):
        remake("toy/second", [], Path("made"), recipes)
    with pytest.raises(
        ConfigError, match=r"was made with td\.explore=0\.\d+, .* has 0\.3; expected the same entries, or"
    ):
        remake("toy/second", [*trial, "td.explore=0.3"], Path("made"), recipes)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"toy/first": {**RECIPES["toy/first"], "begins": "toy/none"}}, "toy/first: needs 'toy/none', which has no"),
        ({"toy/first": {**RECIPES["toy/first"], "begins": "toy/second"}}, "needs itself: toy/first -> toy/second"),
        ({"toy/first": {"minutes": 1, "stages": [{"set": {}}]}}, "nothing before it to go on with; expected a `file`"),
        ({"toy/first": {**RECIPES["toy/first"], "teacher": "toy/first"}}, "teacher: no stage is of a distil file"),
        ({"toy/first": {"minutes": 1, "stages": [{"flie": "value.yaml"}]}}, "flie"),
        (stages({"file": "value.yaml"}, {"mean": [1, 2]}), r"stages\.1: names stage 2; expected one before it, 1 to 1"),
        (stages({"file": "value.yaml", "begins": 1}), r"stages\.0: names stage 1; expected one before it"),
        (stages({"file": "value.yaml"}, {"mean": [1, 1], "set": {"seed": 1}}), "is no training; expected neither"),
        (stages({"file": "value.yaml"}, {"begins": 1}), "the training before goes on; expected a `file`"),
        (stages({"file": "value.yaml"}, {"mean": [1, 1]}, {"set": {"seed": 1}}), "is no training that can go on"),
    ],
)
def test_recipes_that_cannot_be_followed(recipes: Path, change: dict[str, Any], said: str) -> None:
    recipes.write_text(yaml.safe_dump({**RECIPES, **change}), "utf-8")
    with pytest.raises(ConfigError, match=said):
        read_recipes(recipes)


def test_an_unknown_player_is_named(recipes: Path) -> None:
    with pytest.raises(ConfigError, match="toy/third: there is no recipe of that name; expected one of toy/first"):
        remake("toy/third", [], Path("made"), recipes)


def test_every_shipped_player_has_a_recipe_whose_stages_are_read() -> None:
    known = read_recipes()
    shipped = {path.parent.relative_to(AGENTS).as_posix() for path in AGENTS.glob("*/*/header.json")}
    assert shipped <= set(known)
    for name, recipe in known.items():
        assert minutes_of(known, name) >= recipe.minutes and name in listed(known)
        check_stages(name, recipe)
    before = ["push_of_faith/2p", "push_of_faith/2p-policy", "push_of_faith/3p", "push_of_faith/3p-policy"]
    assert in_order(known, "push_of_faith/3p-policy") == before


def check_stages(name: str, recipe: Recipe) -> None:
    """All are for the game and the table of the player, and change only what their file knows."""
    game, table = name.split("/")
    for stage in recipe.stages:
        if stage.file is not None:
            entries = [f"{key}={yaml.safe_dump(value)}" for key, value in {"start_from": "runs/x", **stage.set}.items()]
            config = load_config(Path(stage.file), entries)
            assert config.game == game and config.make_game().players == int(table.partition("p")[0]), name
