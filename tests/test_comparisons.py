"""The script that compares ways to learn, and its section of docs/lab/learning.md."""

import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
COMPARISONS = runpy.run_path(str(ROOT / "tools" / "comparisons.py"))
LEARNING = runpy.run_path(str(ROOT / "tools" / "curves.py"))
FILE = """
game: push_of_faith
reward: margin
environment: {num_envs: 4}
algorithm: {total_steps: 1, n_steps: 10, batch_size: 20, net_arch: {shared: [8], policy: [8], value: [8]}}
"""
TD = """
game: push_of_faith
engine: td
reward: margin
environment: {num_envs: 2}
algorithm: {total_steps: 1, batch_size: 20}
td: {widths: [8]}
"""
TABLE = """
seeds: [3, 5]
games: 8
comparisons:
  - title: Networks of Push of Faith
    file: %s
    against: [random]
    overrides: [algorithm.total_steps=100]
    variants:
      plain: {}
      wider: {algorithm.net_arch.value: [12]}
"""
NAMES = ("plain", "wider")


@pytest.fixture
def table(tmp_path: Path) -> Any:
    (tmp_path / "file.yaml").write_text(FILE, "utf-8")
    return read(tmp_path, TABLE % (tmp_path / "file.yaml"))


def read(folder: Path, text: str) -> Any:
    (folder / "comparisons.yaml").write_text(text, "utf-8")
    return COMPARISONS["read_table"](folder / "comparisons.yaml")


@pytest.mark.slow
def test_agents_are_trained_compared_and_written_down(table: Any) -> None:
    *_, found = COMPARISONS["figures"](table, {})
    assert list(found) == [f"Networks of Push of Faith: {name} {seed}" for seed in (3, 5) for name in NAMES]
    plain, wider = (found[f"Networks of Push of Faith: {name} 3"] for name in NAMES)
    assert plain["steps"] == wider["steps"] == 120 and plain["results"]["random"]["games"] == 8
    length, actions = 1015, 124
    assert plain["parameters"] == 8 * length + 8 + 2 * (8 * 8 + 8) + 8 * actions + actions + 8 + 1
    assert wider["parameters"] == plain["parameters"] + 4 * (8 + 1 + 1)
    lines = LEARNING["page"](found, {}).split("## Comparisons")[1].splitlines()
    rows = [line for line in lines if line.startswith("| ") and "---" not in line][1:]
    assert [row.split(" | ")[:2] for row in rows] == [
        ["| plain", "3"],
        ["| plain", "5"],
        ["| wider", "3"],
        ["| wider", "5"],
    ]
    won, before = plain["results"]["random"], plain["before"]["random"]
    assert rows[0].endswith(
        f"| {won['win_rate']:.1%} ({won['low']:.1%} to {won['high']:.1%}, 8); before {before:.1%} |"
    )
    assert f"| {plain['parameters']:,} | 0.00 M | {plain['seconds']:.0f} |" in rows[0]
    assert "### Networks of Push of Faith" in lines and not any(line.startswith("* plain") for line in lines)
    assert '* wider: `{"algorithm.net_arch.value": [12]}`' in lines


@pytest.mark.slow
def test_a_value_is_compared_as_well(tmp_path: Path) -> None:
    """By another engine: what it learnt plays one decision ahead."""
    (tmp_path / "file.yaml").write_text(TD, "utf-8")
    variants = "{plain: {}, traced: {td.td_lambda: 0.5}}"
    text = (TABLE % (tmp_path / "file.yaml")).split("    variants:")[0] + f"    variants: {variants}\n"
    *_, found = COMPARISONS["figures"](read(tmp_path, text.replace("[3, 5]", "[3]")), {})
    plain, traced = found.values()
    assert plain["parameters"] == traced["parameters"] and plain["settings"] != traced["settings"]
    assert plain["steps"] >= 100 and plain["results"]["random"]["games"] == 8


@pytest.mark.slow
def test_what_was_measured_with_the_same_settings_is_not_trained_again(table: Any) -> None:
    alike = {key: {**facts, "mark": 1} for key, facts in list(COMPARISONS["figures"](table, {}))[-1].items()}
    *_, found = COMPARISONS["figures"](table, alike)
    assert found == alike
    key = "Networks of Push of Faith: wider 5"
    *_, found = COMPARISONS["figures"](table, {**alike, key: {**alike[key], "settings": "other"}, "gone": {}})
    assert [name for name, facts in found.items() if "mark" not in facts] == [key] and "gone" not in found
    *_, found = COMPARISONS["figures"](table, {}, only="Orbis")
    assert found == {}


def test_a_wrong_table_is_explained(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"comparisons\.yaml: games: Input should be greater than or equal to 1"):
        read(tmp_path, (TABLE % "x").replace("games: 8", "games: 0"))
    with pytest.raises(ValueError, match=r"comparisons\.yaml: "):
        read(tmp_path, "seeds: [")


def test_the_table_of_the_project_is_valid() -> None:
    table = COMPARISONS["read_table"](COMPARISONS["TABLE"])
    made = [
        COMPARISONS["settings"](table, comparison, changes, 0)
        for comparison in table.comparisons
        for changes in comparison.variants.values()
    ]
    assert len(made) > len(table.comparisons)
