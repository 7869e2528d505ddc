"""The script that compares kinds of network, and its section of docs/results.md."""

import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NETWORKS = runpy.run_path(str(ROOT / "benchmarks" / "networks.py"))
RESULTS = runpy.run_path(str(ROOT / "benchmarks" / "results.py"))
FILE = """
game: push_of_faith
reward: margin
environment: {num_envs: 4}
algorithm: {total_steps: 1, n_steps: 10, batch_size: 20, net_arch: {shared: [8], policy: [8], value: [8]}}
"""
TABLE = """
seeds: [3, 5]
games: 8
against: [random]
comparisons:
  - file: %s
    steps: 100
    networks:
      plain: {}
      sets: {sets: {own: {features: [my_world], width: 2}}, residual: 1}
"""


@pytest.fixture
def table(tmp_path: Path) -> Any:
    (tmp_path / "file.yaml").write_text(FILE, "utf-8")
    return read(tmp_path, TABLE % (tmp_path / "file.yaml"))


def read(folder: Path, text: str) -> Any:
    (folder / "networks.yaml").write_text(text, "utf-8")
    return NETWORKS["read_table"](folder / "networks.yaml")


@pytest.mark.slow
def test_networks_are_trained_compared_and_written_down(table: Any) -> None:
    *_, found = NETWORKS["figures"](table, {})
    assert list(found) == [f"push_of_faith {name} {seed}" for seed in (3, 5) for name in ("plain", "sets")]
    plain, sets = (found[f"push_of_faith {name} 3"] for name in ("plain", "sets"))
    assert plain["steps"] == sets["steps"] == 120 and plain["results"]["random"]["games"] == 8
    lengths, actions = (1015, 1015 - 500 + (25 + 2) * 2), 124
    after = 2 * (8 * 8 + 8) + 8 * actions + actions + 8 + 1
    assert plain["parameters"] == 8 * lengths[0] + 8 + after
    members = (20 * 2 + 2) + (2 * 2 + 2) + 25 * 2
    assert sets["parameters"] == members + 8 * lengths[1] + 8 + (16 + 2 * (8 * 8 + 8)) + after
    lines = RESULTS["page"](RESULTS["Table"](players=[]), {}, found, {}).split("## Networks")[1].splitlines()
    rows = [line for line in lines if line.startswith("| ") and "---" not in line][1:]
    assert [row.split(" | ")[:2] for row in rows] == [
        ["| plain", "3"],
        ["| plain", "5"],
        ["| sets", "3"],
        ["| sets", "5"],
    ]
    won = plain["results"]["random"]
    assert rows[0].endswith(f"| {won['win_rate']:.1%} ({won['low']:.1%} to {won['high']:.1%}, 8) |")
    assert f"| {120 / plain['seconds']:,.0f} |" in rows[0] and f"| {plain['parameters']:,} |" in rows[0]
    assert "### Push of Faith" in lines and not any(line.startswith("* plain") for line in lines)
    assert '* sets: `{"sets": {"own": {"features": ["my_world"], "width": 2}}, "residual": 1}`' in lines


@pytest.mark.slow
def test_what_was_measured_with_the_same_settings_is_not_trained_again(table: Any) -> None:
    alike = {key: {**facts, "mark": 1} for key, facts in list(NETWORKS["figures"](table, {}))[-1].items()}
    *_, found = NETWORKS["figures"](table, alike)
    assert found == alike
    key = "push_of_faith sets 5"
    *_, found = NETWORKS["figures"](table, {**alike, key: {**alike[key], "settings": "other"}, "gone": {}})
    assert [name for name, facts in found.items() if "mark" not in facts] == [key] and "gone" not in found
    *_, found = NETWORKS["figures"](table, {}, only="orbis")
    assert found == {}


def test_a_wrong_table_is_explained(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"networks\.yaml: games: Input should be greater than or equal to 1"):
        read(tmp_path, (TABLE % "x").replace("games: 8", "games: 0"))
    with pytest.raises(ValueError, match=r"networks\.yaml: "):
        read(tmp_path, "seeds: [")


def test_the_table_of_the_project_is_valid() -> None:
    table = NETWORKS["read_table"](NETWORKS["TABLE"])
    made = [
        NETWORKS["settings"](table, comparison, changes, 0)
        for comparison in table.comparisons
        for changes in comparison.networks.values()
    ]
    assert len(made) > len(table.comparisons)
