"""The benchmark plays small games: repeatable, resumable, and agents that break off have lost."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toy_tasks import DEALS, SUITE, TASKS, content, played

from theogony.benchmark import run as running
from theogony.benchmark.keeping import measure, measure_all, rescore
from theogony.benchmark.results import Anchors, read_results, write_results
from theogony.benchmark.tasks import BenchmarkError
from theogony.benchmark.verify import verify
from theogony.training.rating import arena
from theogony.training.rating.arena import ClusterError


def test_counts_and_scores(first: Path, anchors: Anchors) -> None:
    results = read_results(first)
    assert len(results.records) == 4 and results.agent.kind == "observation-only"
    for figure in results.figures:
        counts = np.array([figure.wins, figure.draws, figure.losses])
        assert counts.sum(axis=0).tolist() == [DEALS, DEALS], "every deal in both seats"
        assert figure.reward == pytest.approx((counts[0] - counts[2]).sum() / (2 * DEALS), abs=1e-6)
    assert "4 records played again" in verify(first, TASKS, anchors)


def test_random_scores_0_and_greedy_1(tmp_path: Path, anchors: Anchors) -> None:
    for player, score in (("random", 0.0), ("greedy", 1.0)):
        results = read_results(played(tmp_path, player, anchors=anchors))
        assert results.overall is not None and results.overall.iqm == pytest.approx(score, abs=1e-5)


def test_anchors_from_a_folder_of_entries(tmp_path: Path) -> None:
    """Reference is 1 where it has played, else greedy; all files are scored anew."""
    for name, player in (("random", "random"), ("greedy", "greedy"), ("reference", "own_players:First")):
        (tmp_path / name).mkdir()
        played(tmp_path, player).rename(tmp_path / name / "toys-0.json")
    found = measure_all(tmp_path, {})
    assert found == measure(tmp_path / "random" / "toys-0.json", [tmp_path / "reference" / "toys-0.json"])
    rescore(tmp_path / "greedy" / "toys-0.json", found)
    verify(tmp_path / "greedy" / "toys-0.json", TASKS, found)
    (tmp_path / "reference" / "toys-0.json").rename(tmp_path / "kept.json")
    by_greedy = measure_all(tmp_path, {})
    assert by_greedy["tictactoe-2p-v1"].player == "greedy"
    (tmp_path / "kept.json").rename(tmp_path / "reference" / "toys-0.json")
    assert measure_all(tmp_path, by_greedy) == by_greedy, "who is 1 in a task stays so"


@pytest.mark.slow
def test_the_same_seeds_give_the_same_file(tmp_path: Path, first: Path, anchors: Anchors) -> None:
    again = played(tmp_path, "own_players:First", anchors=anchors, workers=2)
    assert content(again) == content(first)


def test_a_stopped_run_goes_on(tmp_path: Path, first: Path, anchors: Anchors, monkeypatch: pytest.MonkeyPatch) -> None:
    out, done = tmp_path / "own_players_First.json", []
    whole = arena.each

    def stop(*arguments: Any) -> Any:
        for dealt in whole(*arguments):
            if len(done) == 5:
                raise KeyboardInterrupt
            done.append(dealt)
            yield dealt

    monkeypatch.setattr(arena, "each", stop)
    with pytest.raises(KeyboardInterrupt):
        played(tmp_path, "own_players:First", anchors=anchors)
    monkeypatch.setattr(arena, "each", whole)
    partial = tmp_path / f"{out.name}.partial"
    assert not out.exists()
    partial.write_bytes(partial.read_bytes() + b'{"wall": 1.0, "dea')  # as a kill leaves it
    with pytest.raises(BenchmarkError, match=r"is of something else: agent differs"):
        running.run(running.Asked(SUITE, "random", out, "random"), workers=1, anchors=anchors)
    played(tmp_path, "own_players:First", anchors=anchors)
    assert content(out) == content(first) and not partial.exists()


def test_results_that_are_there_are_neither_played_again_nor_overwritten(
    tmp_path: Path, anchors: Anchors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a command of several seeds goes on where it was stopped, and a name given twice costs no results."""
    out = played(tmp_path, "greedy", anchors=anchors)
    before = out.read_bytes()

    def play(*_: Any) -> Any:
        raise AssertionError("nothing is played")

    monkeypatch.setattr(arena, "each", play)
    again = running.run(running.Asked(SUITE, "greedy", out, "greedy"), 1, anchors=anchors)
    assert again == read_results(out) and out.read_bytes() == before
    others = {
        "the agent's name is 'greedy' there, and 'random' here": running.Asked(SUITE, "random", out, "random"),
        "the agent's seed is 0 there, and 3 here": running.Asked(SUITE, "greedy", out, "greedy", 3),
        "tictactoe-2p-v1 differs: its deals": running.Asked(SUITE.trial(2), "greedy", out, "greedy"),
    }
    for why, asked in others.items():
        with pytest.raises(BenchmarkError, match=rf"holds other results: {why}.*; remove it, or name another file"):
            running.run(asked, 1, anchors=anchors)
    with pytest.raises(BenchmarkError, match=r"tictactoe-2p-v1 differs: .* what 0 and 1 are"):
        running.run(running.Asked(SUITE, "greedy", out, "greedy"), 1, anchors={})
    write_results(again.model_copy(update={"theogony": "0.0.1"}), out)
    with pytest.raises(BenchmarkError, match=r"theogony 0\.0\.1 measured them"):
        running.run(running.Asked(SUITE, "greedy", out, "greedy"), 1, anchors=anchors)
    out.write_text("{}", "utf-8")
    with pytest.raises(BenchmarkError, match="is no results file"):
        running.run(running.Asked(SUITE, "greedy", out, "greedy"), 1, anchors=anchors)
    assert out.read_text("utf-8") == "{}"


@pytest.mark.parametrize(("player", "reason"), [("Crasher", "nothing left"), ("Cheat", "is not legal")])
def test_an_agent_that_breaks_off_has_lost(tmp_path: Path, anchors: Anchors, player: str, reason: str) -> None:
    out = played(tmp_path, f"own_players:{player}", anchors=anchors)
    results = read_results(out)
    crashes = sum(sum(figure.crashes) for figure in results.figures)
    assert crashes == len(results.crashes) > 0 and reason in results.crashes[0].error
    if player == "Cheat":
        assert crashes == 4 * DEALS and all(figure.reward == -1.0 for figure in results.figures)
    assert reason in running.table(results)
    verify(out, TASKS, anchors)


def test_an_observation_only_agent_gets_no_positions(tmp_path: Path) -> None:
    results = read_results(played(tmp_path, "own_players:Peeking"))
    assert all("there are no positions" in crash.error for crash in results.crashes) and results.crashes


def test_a_cluster_that_is_not_there_is_named(tmp_path: Path) -> None:
    """Without Ray its installation is named, with Ray the address that does not answer."""
    with pytest.raises(ClusterError, match=r"--cluster: (needs Ray|no Ray cluster answers)"):
        played(tmp_path, "random", cluster="auto")
