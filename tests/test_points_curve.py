"""The script that counts points while a value learns."""

import json
import runpy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from theogony.envs import load
from theogony.envs.core.gamerecord import write_record
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.training.config.file import load_config
from theogony.training.learning.train import carry_out

CURVE = runpy.run_path(str(Path(__file__).parents[1] / "tools" / "points.py"))
CONFIGS = Path(__file__).parents[1] / "configs"
FIGURE: dict[str, Any] = {"game": "terra_mystica", "run": "a", "plan": "plan:8", "half": 3.0, "games": 11}
FIGURES = [
    {**FIGURE, "steps": 200_000, "minutes": 2.0, "points": 112.5},
    {**FIGURE, "steps": 100_000, "minutes": 1.0, "points": 104.0},
    {**FIGURE, "run": "b", "steps": 50_000, "minutes": 4.0, "points": 118.0},
]


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    game = load("push_of_faith").configure({"players": 2})
    position, player, rng = Position(game, 4), make_player("random", game), np.random.default_rng(0)
    while not position.over:
        position.play(int(player.act(Views.at(position), rng)[0]))
    write_record(position, tmp_path / "game.jsonl")
    return tmp_path / "game.jsonl"


def trained(folder: Path) -> Path:
    settings = ["environment.num_envs=2", "algorithm.batch_size=16", "td.widths=[8]", "algorithm.total_steps=120"]
    settings += ["checkpoint_every=40", "evaluation.games=2", "evaluation.final_games=2", f"folder={folder}"]
    carry_out(load_config(CONFIGS / "push_of_faith" / "td.yaml", settings), folder, False)
    return folder


@pytest.mark.slow
def test_every_checkpoint_plays_once(recorded: Path, tmp_path: Path) -> None:
    folder, file = trained(tmp_path / "run"), tmp_path / "points.json"
    CURVE["run"](folder, [recorded], 2, "plan:4", True, file)
    found = json.loads(file.read_text())
    kept = sorted(int(path.name) for path in (folder / "checkpoints").glob("[0-9]*"))
    assert [one["steps"] for one in found] == kept and len(kept) > 1
    assert all(one["games"] == 1 and one["run"] == "run" for one in found)
    before = file.read_bytes()
    CURVE["run"](folder, [recorded], 2, "plan:4", False, file)
    assert file.read_bytes() == before


def test_the_page_has_a_line_for_each_run(tmp_path: Path) -> None:
    CURVE["write_page"](FIGURES, tmp_path / "points.md", tmp_path)
    page = (tmp_path / "points.md").read_text()
    assert page.index("| 100,000 | 1.0 | 104.0 ± 3.0 |") < page.index("| 200,000 | 2.0 | 112.5 ± 3.0 |")
    picture = ElementTree.fromstring((tmp_path / "points-terra_mystica.svg").read_text())
    groups = {one.get("id", ""): one for one in picture.iter()}
    assert sum(name.startswith("curve-") for name in groups) == 2
    dots = [one for name, of in groups.items() if name.startswith("dots-") for one in of.iter()]
    assert sum(one.tag.endswith("use") for one in dots) == len(FIGURES)


@pytest.mark.parametrize(
    ("line", "said"), [([], "expected GAME PLAYER, --run RUN or --page"), (["--run", "nowhere"], "nowhere")]
)
def test_what_is_missing_is_named(line: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        CURVE["main"](line)
    assert said in f"{refused.value}{capsys.readouterr().err}"
