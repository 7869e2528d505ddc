"""One strength for each task of two, from the games against its opponents."""

import csv
import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from toy_tasks import TASK

from theogony.benchmark.keeping import measure
from theogony.benchmark.report.entries import Entry, read_entries
from theogony.benchmark.report.page import report
from theogony.benchmark.report.ratings import Rating, ratings_of
from theogony.benchmark.report.tables import ratings_table
from theogony.benchmark.results import Results
from theogony.benchmark.run import Asked, run
from theogony.benchmark.tasks import Suite, Task, Tasks
from theogony.training.rating.elo import fit

RUNGS = ["random", "greedy:0.5", "greedy"]
TASKS = Tasks(suites={"toys": [str(TASK["id"])]}, tasks=[Task(**{**TASK, "opponents": RUNGS, "deals": 40})])


def entry(folder: Path, player: str, name: str = "") -> Path:
    """A submission; its results file."""
    out = folder / (name or player.replace(":", "-")) / "toys-0.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    run(Asked(Suite.named("toys", TASKS), player, out, out.parent.name), 1, anchors={})
    about = {"name": out.parent.name, "authors": "A", "description": "D", "trained": False}
    (out.parent / "metadata.yaml").write_text(yaml.safe_dump(about))
    return out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("in")
    for player in (*RUNGS, "greedy:0.75", "own_players:First"):
        entry(found, player)
    return found


def rated(entries: list[Entry]) -> dict[str, Rating]:
    return {one.agent: one for one in ratings_of(entries)}


def fitted(wins: np.ndarray) -> np.ndarray:
    """Strengths by the games that the player of the row won against that of the column."""
    pairs = np.array(list(itertools.permutations(range(len(wins)), 2)))
    return fit(pairs, wins[None, pairs[:, 0], pairs[:, 1]], len(wins))[0]


def test_strengths_by_hand() -> None:
    """Three of four won is log 3 ahead; two pairs that never met are compared by the third."""
    wins = np.array([[0.0, 3.0, 0.0], [1.0, 0.0, 3.0], [0.0, 1.0, 0.0]])
    strengths = fitted(wins)
    assert np.diff(strengths) == pytest.approx([-np.log(3)] * 2) and strengths.sum() == pytest.approx(0)


def test_strengths_are_found_again() -> None:
    """Of players whose strengths are known, from many games."""
    truth = np.array([-2.0, -0.5, 0.0, 1.0, 1.5])
    chances = 1 / (1 + np.exp(truth[None, :] - truth[:, None]))
    rng = np.random.default_rng(1)
    upper = np.triu(rng.binomial(4000, chances), 1)
    wins = upper + np.tril(4000 - upper.T, -1)
    assert fitted(wins.astype(float)) == pytest.approx(truth, abs=0.1)


def test_entries_stand_between_the_rungs(folder: Path) -> None:
    found = rated(list(read_entries(folder, TASKS, {})))
    assert set(found) == {"random", "greedy-0.5", "greedy", "greedy-0.75", "own_players-First"}
    assert found["random"].points < found["greedy-0.5"].points < found["greedy-0.75"].points < found["greedy"].points
    assert found["greedy"][2:] == (0, 0, 0) and found["random"].low < found["random"].points < found["random"].high


def test_no_submission_moves_the_rungs(folder: Path) -> None:
    entries = list(read_entries(folder, TASKS, {}))
    whole, rungs = rated(entries), rated([one for one in entries if one.runs[0].agent.player in RUNGS])
    assert len(rungs) == len(RUNGS) and all(whole[name] == rungs[name] for name in rungs)


def test_nobody_takes_the_place_of_a_rung(folder: Path) -> None:
    """Another entry that says it is greedy, with games that were lost: it is rated, and moves nobody."""
    entries = list(read_entries(folder, TASKS, {}))
    greedy = next(one for one in entries if one.name == "greedy")
    games = [game.model_copy(update={"rewards": [-1.0] * len(game.rewards)}) for game in greedy.runs[0].games]
    runs = [greedy.runs[0].model_copy(update={"games": games})]
    other = replace(greedy, metadata=greedy.metadata.model_copy(update={"name": "mine"}), runs=runs)
    before = rated(entries)
    for placed in ([*entries, other], [other, *entries]):
        after = rated(placed)
        assert after.pop("mine").points < before["random"].points and after == before
    marked = [replace(one, verified="replayed (6)") if one.name == "greedy" else one for one in entries]
    assert rated([replace(other, verified="checked"), *marked])["greedy"].points == 0


def test_an_opponent_that_is_no_entry_is_rated_too(folder: Path) -> None:
    found = rated([one for one in read_entries(folder, TASKS, {}) if one.name != "greedy-0.5"])
    assert found["random"].points < found["greedy:0.5"].points < 0


def test_ratings_are_on_the_page_of_the_suite_and_in_a_file(folder: Path, tmp_path: Path) -> None:
    report(folder, tmp_path, TASKS, {}, csv=True)
    page = (tmp_path / "leaderboard" / "toys.md").read_text()
    assert "## Ratings" in page and "| greedy | +0 (+0 to +0) |" in page
    assert "\ntheogony benchmark run toys --agent greedy:0.5 --seeds 0 --out " in page, "what plays the row again"
    rows = list(csv.DictReader((tmp_path / "leaderboard" / "ratings.csv").read_text().splitlines()))
    assert [row["suite"] for row in rows] == ["toys"] * 5 and {row["agent"] for row in rows} >= {"random", "greedy"}


def test_at_a_larger_table_places_count(folder: Path) -> None:
    """Rewards from -1 for the last to 1 for the first, in each of three seats; second of three is a draw."""
    made = [as_places(one) for one in read_entries(folder, TASKS, {}) if one.name in ("random", "greedy-0.5", "greedy")]
    first, second = (
        replace(one, metadata=one.metadata.model_copy(update={"name": name}), runs=[with_rewards(one.runs[0], reward)])
        for one, name, reward in ((made[0], "first", 1.0), (made[0], "second", 0.0))
    )
    found = rated([*made, first, second])
    assert found["first"].points > found["second"].points
    levels = [found[name].points for name in ("random", "greedy-0.5", "greedy")]
    assert min(levels) <= found["second"].points <= max(levels), "as good as the mean of all"


def as_places(one: Entry) -> Entry:
    """The entry at a table of three, in each seat with the results of the first."""
    run = one.runs[0]
    series = [each.model_copy(update={"seat": seat}) for each in run.games if each.seat == 0 for seat in range(3)]
    return replace(one, runs=[run.model_copy(update={"games": series})])


def with_rewards(run: Results, reward: float) -> Results:
    """An agent of one's own that gets this reward in every game."""
    games = [each.model_copy(update={"rewards": [reward] * len(each.rewards)}) for each in run.games]
    return run.model_copy(update={"games": games, "agent": run.agent.model_copy(update={"player": "own:Player"})})


def test_a_task_with_few_opponents_has_no_ratings(tmp_path: Path) -> None:
    two = Tasks(suites={"toys": [str(TASK["id"])]}, tasks=[Task(**TASK)])
    for player in ("random", "greedy"):
        out = tmp_path / player / "toys-0.json"
        out.parent.mkdir()
        run(Asked(Suite.named("toys", two), player, out, player), 1, anchors={})
        about = {"name": player, "authors": "A", "description": "D", "trained": False}
        (out.parent / "metadata.yaml").write_text(yaml.safe_dump(about))
    assert measure(tmp_path / "random" / "toys-0.json", [tmp_path / "greedy" / "toys-0.json"])
    assert ratings_of(list(read_entries(tmp_path, two, {}))) == []


def test_opponents_that_are_held_back_share_a_row() -> None:
    """Each table has another one, whose name is that of its weights."""
    ratings = [Rating("held:a-2p-1", "a-2p-v1", 10, 0, 20), Rating("held:b-2p-2", "b-2p-v1", 30, 20, 40)]
    assert "| held back | +10 (+0 to +20) | +30 (+20 to +40) |" in list(ratings_table(ratings))
