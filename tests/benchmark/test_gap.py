"""The script that measures what is left with unseen components, over the packs of training."""

import json
import runpy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

GAP = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "gap.py"))
SETTINGS = ["environment.num_envs=2", "algorithm.batch_size=16", "td.widths=[8]"]
FIGURE: dict[str, Any] = {"game": "orbis", "seed": 0, "steps": 5, "games": 10, "settings": [], "cpu": 1.0}
FIGURE |= {"config": "td", "against": "greedy", "player": ""}
FIGURES = [
    {**FIGURE, "packs": 1, "trained": 0.75, "unseen": 0.5},
    {**FIGURE, "packs": 1, "seed": 1, "trained": 0.65, "unseen": 0.4},
    {**FIGURE, "packs": 100, "trained": 0.6, "unseen": 0.625},
]


def test_what_was_measured_is_not_measured_again(tmp_path: Path) -> None:
    file = tmp_path / "gap.json"
    wanted = {"game": "push_of_faith", "packs": 2, "seed": 0, "steps": 100, "games": 4, "settings": SETTINGS}
    GAP["run"]([wanted], file)
    found = json.loads(file.read_text())
    assert len(found) == 1 and GAP["same"](found[0], wanted) and 0 <= found[0]["unseen"] <= 1
    before = file.read_bytes()
    GAP["run"]([wanted], file)
    assert file.read_bytes() == before


def test_a_player_that_learns_nothing_plays_with_the_same_packs(tmp_path: Path) -> None:
    asked = {"game": "orbis", "seed": 0, "steps": 0, "games": 4, "settings": [], "player": "greedy:0.5"}
    GAP["run"]([{**asked, "packs": packs} for packs in (1, 10)], tmp_path / "gap.json")
    found = GAP["known"](tmp_path / "gap.json")
    assert [one["packs"] for one in found] == [1, 10] and found[0]["unseen"] == found[1]["unseen"], "the same games"
    GAP["write_page"](found, tmp_path / "gap.md", tmp_path)
    page = (tmp_path / "gap.md").read_text()
    assert "`greedy:0.5`, which learns nothing: 4 games against greedy of each figure" in page
    assert "| Orbis, `greedy:0.5` | " in page and (tmp_path / "gap-orbis-greedy-0.5-greedy.svg").exists()


def test_a_cooperative_game_is_played_as_a_team() -> None:
    assert [GAP["opponent"](game) for game in ("orbis", "god_of_war")] == ["greedy", "team"]


def test_packs_of_training_are_never_those_of_the_test() -> None:
    assert [GAP["packs_of"](count) for count in (1, 10, 1000)] == ["random:0", "random:0-9", "random:0-999"]
    assert int(GAP["UNSEEN"].partition(":")[2].partition("-")[0]) >= max(GAP["PACKS"])


def test_the_page_has_a_table_and_a_picture(tmp_path: Path) -> None:
    other = {**FIGURES[0], "steps": 4, "trained": 0.1}
    GAP["write_page"]([other, *FIGURES], tmp_path / "gap.md", tmp_path)
    page = (tmp_path / "gap.md").read_text()
    assert "| 1 | 70.0% (75.0%, 65.0%) | 45.0% (50.0%, 40.0%) | +25.0 ± 29.5 points |" in page
    assert "| 100 | 60.0% (60.0%) | 62.5% (62.5%) | -2.5 ± 42.7 points |" in page and "10.0%" not in page
    assert "| Orbis, `td.yaml` | +25.0 ± 29.5 (+25.0 to +25.0) | -2.5 ± 42.7 |" in page
    picture = ElementTree.fromstring((tmp_path / "gap-orbis.svg").read_text())
    groups = [one for one in picture.iter() if one.get("id", "").startswith("dots-")]
    dots = [one for group in groups for one in group.iter() if one.tag.endswith("use")]
    assert len(dots) == 2 * len(FIGURES)


def test_ways_to_learn_stand_side_by_side(tmp_path: Path) -> None:
    """Other settings and another opponent do not hide each other; a figure of older files is one of the usual way."""
    other = {"config": "attributes", "against": "random"}
    ids = [
        {**FIGURE, **other, "packs": packs, "settings": ["a=1"], "trained": 0.5, "unseen": 0.3} for packs in (1, 100)
    ]
    plain = {**FIGURE, **other, "packs": 1, "trained": 0.55, "unseen": 0.45}
    (tmp_path / "gap.json").write_text(json.dumps([{k: v for k, v in FIGURES[0].items() if k not in other}, plain]))
    known = GAP["known"](tmp_path / "gap.json")
    assert known[0] == FIGURES[0] and known[1] == plain
    GAP["write_page"]([*FIGURES, *ids, plain], tmp_path / "gap.md", tmp_path)
    page = (tmp_path / "gap.md").read_text()
    assert "| 1 | 70.0% (75.0%, 65.0%) |" in page and "## Orbis, attributes, against random" in page
    assert page.index("With `a=1`:") < page.index("| 100 | 50.0% (50.0%) | 30.0% (30.0%) | +20.0 ± 42.0 points |")
    assert page.index("As the file says:") < page.index("| 1 | 55.0% (55.0%) | 45.0% (45.0%) | +10.0 ± 43.6 points |")
    assert [path.name for path in tmp_path.glob("*.svg")] == ["gap-orbis.svg"]
