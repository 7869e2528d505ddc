"""The scripts that measure the shipped players: docs/results.md, docs/seats.json."""

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from theogony.envs import load
from theogony.training.learning.reproduce import Recipe, Stage
from theogony.training.players.thinking import thinking_table
from theogony.training.rating.evaluate import TEAM
from theogony.training.rating.tournament import weights_of_runs

ROOT = Path(__file__).parents[1]
RESULTS = runpy.run_path(str(ROOT / "tools" / "results.py"))
SEATS = runpy.run_path(str(ROOT / "tools" / "seats.py"))
LEARNING = runpy.run_path(str(ROOT / "tools" / "curves.py"))
TABLE = """
seed: 3
players:
  - {player: greedy, game: push_of_faith, against: {random: 10}}
  - {player: random, title: Chance, game: push_of_faith, options: {players: 3}, against: {greedy: 9}}
"""


def read(folder: Path, text: str) -> Any:
    (folder / "results.yaml").write_text(text, "utf-8")
    return RESULTS["read_table"](folder / "results.yaml")


def test_players_are_measured_and_written_down(tmp_path: Path) -> None:
    table = read(tmp_path, TABLE)
    known = {RESULTS["key"](entry): RESULTS["figures"](entry, table.seed, {}, False) for entry in table.players}
    assert known == json.loads(json.dumps(known)), "plain data"
    assert all(0 < found["milliseconds"] < 1000 for found in known.values())
    known["greedy push_of_faith"]["milliseconds"] = 12.34
    known["random push_of_faith players=3"]["milliseconds"] = 0.0567
    assert "in the same games (seed 3)" in RESULTS["page"](table, known)
    page = RESULTS["all_figures"](table, known)
    first, second = (line for line in page.splitlines() if line.startswith(("| `greedy`", "| Chance")))
    won = known["greedy push_of_faith"]["results"]["random"]
    assert won["games"] == 10 and won["win_rate"] > 0.8
    assert first == f"| `greedy` | 12 | {won['win_rate']:.1%} ({won['low']:.1%} to {won['high']:.1%}, 10) |"
    chance = known["random push_of_faith players=3"]["results"]["greedy"]
    assert second.startswith("| Chance | 0.06 | ") and f", 9) | {3 * chance['win_rate']:.2f} (" in second
    two, three = (page.index(f"### Push of Faith, {players} players") for players in (2, 3))
    assert two < page.index(first) < three < page.index(second)
    assert "| against greedy | normalised |" in page and "| against random |\n" in page
    del known["greedy push_of_faith"]
    said = {"notes": "Said before.", "remarks": {"push_of_faith": "Said of it.", "orbis": "Not there."}}
    part = RESULTS["page"](table.model_copy(update=said), known)
    rest = RESULTS["all_figures"](table, known)
    assert "`greedy` |" not in rest and ", 2 players" not in rest, "what was not played is left out"
    assert part.index("Said before.") < part.index("## Push of Faith") < part.index("Said of it.")
    assert "Not there." not in part


def test_the_strongest_of_those_who_beat_a_player_is_told(tmp_path: Path) -> None:
    """By where its interval begins; games of other pages are left out."""
    table = RESULTS["beaten_table"]
    folder = tmp_path / "reference" / "exploits"
    folder.mkdir(parents=True)
    found = json.loads((ROOT / "leaderboard/results/reference/exploits/orbis-2p.json").read_text("utf-8"))
    for name, (won, low, high) in {"a": (0.7, 0.5, 0.9), "b": (0.65, 0.6, 0.7), "c": (0.6, 0.55, 0.65)}.items():
        best = {**found["best"], "player": f"by-{name}", "won": won, "low": low, "high": high}
        (folder / f"{name}.json").write_text(json.dumps({**found, "best": best}), "utf-8")
    row = "| Orbis | 2 | 50% |  | 65.0% (60.0% to 70.0%), `by-b` * |  |"  # the package has a later player
    assert table(["push_of_faith", "orbis"], tmp_path).splitlines()[2:] == [row]
    assert table(["push_of_faith"], tmp_path).splitlines()[2:] == []


def test_a_player_that_ships_is_made_by_one_command() -> None:
    recipes = {
        "orbis/2p": Recipe(minutes=21, stages=[Stage(file="orbis/td")]),
        "orbis/2p-policy": Recipe(minutes=9, teacher="orbis/2p", stages=[Stage(file="orbis/distil")]),
    }
    figures = {"game": "orbis", "players": 2, "steps": 2_000_000}
    measured = {name: figures for name in ("orbis/2p", "orbis/2p-policy", "greedy")}
    told = RESULTS["made_by_recipes"](measured, recipes)
    assert "greedy` |" not in told
    assert "| `orbis/2p-policy` | 2.0 M | 9 | 0.5 |" in told


def test_a_team_has_a_column_and_no_share(tmp_path: Path) -> None:
    table = read(tmp_path, "players: [{player: random, game: god_of_war, options: {players: 3}, against: {team: 2}}]")
    result = {"games": 2, "win_rate": 0.5, "low": 0.1, "high": 0.9}
    known = {
        "game": "god_of_war",
        "players": 3,
        "options": {},
        "steps": None,
        "minutes": None,
        "results": {"team": result},
    }
    page = RESULTS["all_figures"](table, {RESULTS["key"](table.players[0]): known})
    assert "| player | ms | as a team |" in page
    assert "| `random` |  | 50.0% (10.0% to 90.0%, 2) |" in page


def test_what_is_known_is_not_played_again(tmp_path: Path) -> None:
    entry = read(tmp_path, TABLE).players[0]
    won = {"games": 10, "win_rate": -1}
    known = {
        "game": "push_of_faith",
        "players": 2,
        "options": {},
        "weights": {},
        "results": {"random": won},
        "milliseconds": 7.0,
    }
    assert RESULTS["figures"](entry, 3, known, False)["milliseconds"] == 7.0
    assert RESULTS["figures"](entry, 3, known, False)["results"]["random"]["win_rate"] == -1
    for changed in ({"players": 3}, {"options": {"max_decisions": 50}}):
        assert RESULTS["figures"](entry, 3, {**known, **changed}, False)["results"]["random"]["win_rate"] > 0.8
    assert RESULTS["figures"](entry, 3, known, True)["results"]["random"]["win_rate"] > 0.8


def test_lines_of_reference_players_think_as_these_do() -> None:
    for entry in RESULTS["read_table"](RESULTS["TABLE"]).players:
        if "reference" in entry.title.split(", "):
            thinking, _, agent = entry.player.partition("@")
            assert thinking == thinking_table()[agent.removeprefix("training/agents/")]


def test_an_agent_plays_with_default_options_and_a_second_line_names_others(tmp_path: Path) -> None:
    """The agent learnt with late_exchange=false, which is not the default of Orbis."""
    agent = "{player: training/agents/orbis/2p, title: reference, also: {late_exchange: false},"
    usual, other = read(tmp_path, f"players: [{agent} against: {{random: 2}}}}]").players
    assert RESULTS["key"](usual) == "training/agents/orbis/2p"
    assert RESULTS["key"](other) == "training/agents/orbis/2p late_exchange=False"
    assert RESULTS["game_of_entry"](usual).options.late_exchange
    assert not RESULTS["game_of_entry"](other).options.late_exchange
    known = {RESULTS["key"](entry): RESULTS["figures"](entry, 0, {}, False) for entry in (usual, other)}
    assert [facts["options"] for facts in known.values()] == [{}, {"late_exchange": False}]
    table = RESULTS["ResultsList"](players=[usual, other])
    page, trained = RESULTS["all_figures"](table, known), RESULTS["pages"](table, known)[RESULTS["TRAINED"]]
    assert re.search(r"\| reference \| [\d.]+ \| 100.0%", page)
    assert re.search(r"\| reference, `late_exchange=false` \| [\d.]+ \| 100.0%", page)
    assert trained.count("| `orbis/2p` | 4.0 M |") == 1, "one for both"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed: 3", "seeds: 3", r"results\.yaml: seeds: Extra inputs are not permitted"),
        ("random: 10", "random: 0", r"players\.0\.against\.random: Input should be greater than or equal to 1"),
        ("seed: 3", "seed: [", r"results\.yaml: "),
    ],
)
def test_a_wrong_table_is_explained(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(tmp_path, TABLE.replace(old, new))


@pytest.mark.skipif(not RESULTS["FIGURES"].exists(), reason="no results have been written yet")
def test_the_pages_are_up_to_date() -> None:
    texts = RESULTS["pages"](RESULTS["read_table"](RESULTS["TABLE"]), RESULTS["read_figures"](RESULTS["FIGURES"]))
    for path, text in texts.items():
        assert text == path.read_text("utf-8"), f"{path}: run `python tools/results.py`"


def test_figures_are_of_players_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where this fails, a player was shipped: CONTRIBUTING.md says what is measured anew."""
    monkeypatch.chdir(ROOT)
    known = RESULTS["read_figures"](RESULTS["FIGURES"])
    for entry in RESULTS["read_table"](RESULTS["TABLE"]).players:
        if (found := known.get(RESULTS["key"](entry))) is not None:
            runs = [name for name in (entry.player, *entry.against) if name != TEAM]
            assert found["weights"] == weights_of_runs(runs), f"{entry.player}: run `python tools/results.py`"
    for table, players in json.loads(SEATS["FIGURES"].read_text("utf-8")).items():
        name, _, count = table.rpartition("-")
        game = load(name).configure({"players": int(count[:-1])})
        for player, found in players.items():
            now = SEATS["weights"](game, player)
            assert found["weights"] == now, f"{table}: run `python tools/seats.py {name}`"


def test_the_page_of_curves_and_comparisons_is_up_to_date() -> None:
    comparisons, curves = (LEARNING["read_figures"](LEARNING[name]) for name in ("COMPARISONS", "CURVES"))
    page = LEARNING["page"](comparisons, curves)
    assert page == LEARNING["PAGE"].read_text("utf-8"), "run `python tools/curves.py`"


def test_curves_are_read_from_the_metrics_of_runs(tmp_path: Path) -> None:
    run = tmp_path / "td"
    run.mkdir()
    (run / "config.yaml").write_text("game: push_of_faith\nengine: td\nalgorithm: {total_steps: 10}\n", "utf-8")
    lines: list[dict[str, Any]] = [
        {"steps": 1, "cpu": 30.0},
        {"steps": 2, "cpu": 54.0, "evaluation": {"greedy": {"won": 0.25}}},
        {"steps": 3, "cpu": 300.0, "evaluation": {"random": {"won": 1.0}, "greedy": {"won": 0.5}}},
    ]
    (run / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    name, found = LEARNING["curve"](run)
    assert name == "push_of_faith 2 td" and found["points"] == [[0.9, 0.25], [5.0, 0.5]]
    others = {**found, "run": "other", "options": {"refill": "late"}}
    page = LEARNING["page"]({}, {name: found, "other": others}).split("## Curves")[1]
    assert "### Push of Faith, 2 players\n" in page and "### Push of Faith, 2 players, `refill=late`\n" in page
    assert "| run | engine | steps | 0.5 min | 1 min | 2 min | 4 min | 8 min | games each |" in page
    assert "| td | td | 0.0 M |  | 25% |  |  | 50% | 400 |" in page
    (run / "metrics.jsonl").write_text(json.dumps({"steps": 1, "cpu": 30.0}) + "\n", "utf-8")
    with pytest.raises(ValueError, match="was never evaluated against greedy"):
        LEARNING["curve"](run)
