"""The benchmark on small games: repeatable, resumable, and no changed file passes."""

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from tictactoe import SPEC as TICTACTOE
from toy_tasks import DEALS, SUITE, TASKS, content, played

from theogony.benchmark.check.verify import verify
from theogony.benchmark.play import run as running
from theogony.benchmark.report.entries import read_entries
from theogony.benchmark.report.page import report
from theogony.benchmark.report.tables import AGENTS, Ranked, partial_table
from theogony.benchmark.rescore import measure, measure_all, rescore
from theogony.benchmark.results.anchors import Anchors
from theogony.benchmark.results.file import read_results
from theogony.benchmark.results.submission import read_metadata
from theogony.benchmark.tasks import BenchmarkError, Tasks, shipped
from theogony.envs.core.contract.reserved import COUNT, FIRST, deal_seed, is_reserved
from theogony.envs.core.gamerecord import write_record
from theogony.envs.core.position import Position
from theogony.envs.core.rng import mix
from theogony.training.config import ConfigError
from theogony.training.config.file import load_config
from theogony.training.rating.workers import ClusterError


@pytest.fixture(scope="module")
def anchors(tmp_path_factory: pytest.TempPathFactory) -> Anchors:
    folder = tmp_path_factory.mktemp("anchors")
    return measure(played(folder, "random"), [played(folder, "greedy")])


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory, anchors: Anchors) -> Path:
    return played(tmp_path_factory.mktemp("first"), "own_players:First", anchors=anchors)


# ---------------------------------------------------------------------------------------------------- tasks and seeds


def test_every_task_can_be_played() -> None:
    for task in shipped().tasks:
        game = task.make_game()
        assert f"-{game.players}p" in task.id and task.id.startswith(game.spec.name)


def test_a_task_of_another_version_is_named() -> None:
    with pytest.raises(BenchmarkError, match=r"no task orbis-2p-v7; this version has orbis-2p-v1"):
        shipped().task("orbis-2p-v7")


def test_reserved_seeds_are_a_short_list() -> None:
    assert [is_reserved(seed) for seed in (FIRST - 1, FIRST, FIRST + COUNT - 1, FIRST + COUNT)] == [0, 1, 1, 0]
    assert deal_seed(3) == FIRST + 3
    assert is_reserved(FIRST - 2**64), "the same 64 bits"
    with pytest.raises(ValueError, match="none of the benchmark"):
        deal_seed(COUNT)


@pytest.mark.parametrize("seed", [0, 2**32 - 1, FIRST])
def test_games_of_training_are_no_reserved_deals(seed: int) -> None:
    """They begin from `mix`, also when somebody seeds a batch with a reserved number."""
    assert not any(is_reserved(mix(np.uint64(seed), row, episode)) for row in range(64) for episode in range(16))


def test_training_from_a_reserved_deal_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "training.yaml"
    file.write_text(f"game: tictactoe:SPEC\nseed: {deal_seed(5)}\nalgorithm: {{total_steps: 10}}\n")
    with pytest.raises(ConfigError, match=rf"line 2: seed: {deal_seed(5)} is a deal of the benchmark"):
        load_config(file)


def test_imitation_of_a_reserved_deal_is_refused(tmp_path: Path) -> None:
    from theogony.envs.core.gamerecord import RecordError
    from theogony.training.config.engines.sb3 import Sb3Config, Sb3Ppo
    from theogony.training.learning.imitation import read_lessons

    game = TICTACTOE.configure({})
    write_record(Position(game, deal_seed(0)), tmp_path / "game.jsonl")
    config = Sb3Config(game="tictactoe:SPEC", algorithm=Sb3Ppo(total_steps=1))
    with pytest.raises(RecordError, match="is a deal of the benchmark"):
        read_lessons([tmp_path / "game.jsonl"], game, config, [], 1)


# ---------------------------------------------------------------------------------------------------- playing


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
    found = measure_all(tmp_path)
    assert found == measure(tmp_path / "random" / "toys-0.json", [tmp_path / "reference" / "toys-0.json"])
    rescore(tmp_path / "greedy" / "toys-0.json", found)
    verify(tmp_path / "greedy" / "toys-0.json", TASKS, found)
    (tmp_path / "reference" / "toys-0.json").unlink()
    assert measure_all(tmp_path)["tictactoe-2p-v1"].player == "greedy"


@pytest.mark.slow
def test_the_same_seeds_give_the_same_file(tmp_path: Path, first: Path, anchors: Anchors) -> None:
    again = played(tmp_path, "own_players:First", anchors=anchors, workers=2)
    assert content(again) == content(first)


def test_a_stopped_run_goes_on(tmp_path: Path, first: Path, anchors: Anchors, monkeypatch: pytest.MonkeyPatch) -> None:
    out, done = tmp_path / "own_players_First.json", []
    whole = running.each

    def stop(*arguments: Any) -> Any:
        for dealt in whole(*arguments):
            if len(done) == 5:
                raise KeyboardInterrupt
            done.append(dealt)
            yield dealt

    monkeypatch.setattr(running, "each", stop)
    with pytest.raises(KeyboardInterrupt):
        played(tmp_path, "own_players:First", anchors=anchors)
    monkeypatch.setattr(running, "each", whole)
    partial = tmp_path / f"{out.name}.partial"
    assert not out.exists()
    partial.write_bytes(partial.read_bytes() + b'{"wall": 1.0, "dea')  # as a kill leaves it
    with pytest.raises(BenchmarkError, match=r"is of another benchmark: agent differs"):
        running.run(running.Asked(SUITE, "random", out, "random"), workers=1, anchors=anchors)
    played(tmp_path, "own_players:First", anchors=anchors)
    assert content(out) == content(first) and not partial.exists()


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


# ---------------------------------------------------------------------------------------------------- verification


def _change_reward(data: dict[str, Any]) -> None:
    data["figures"][0]["reward"] += 0.1


def _change_games(data: dict[str, Any]) -> None:
    data["games"][0]["results"] = "W" * DEALS


def _drop_deal(data: dict[str, Any]) -> None:
    data["games"][0]["results"] = data["games"][0]["results"][1:]


def _change_interval(data: dict[str, Any]) -> None:
    data["overall"]["low"] -= 0.2


def _change_record(data: dict[str, Any]) -> None:
    line = json.loads(data["records"][1]["lines"][2])
    data["records"][1]["lines"][2] = json.dumps({**line, "action": 99})


def _swap_records(data: dict[str, Any]) -> None:
    data["records"][0]["lines"] = data["records"][1]["lines"]


def _drop_record(data: dict[str, Any]) -> None:
    del data["records"][0]


def _change_task(data: dict[str, Any]) -> None:
    data["tasks"][0]["id"] = "tictactoe-2p-v2"


def _count_twice(data: dict[str, Any]) -> None:
    for name in ("tasks", "games", "records", "figures", "scores"):
        data[name] *= 2


def _change_suite(data: dict[str, Any]) -> None:
    data["suite"] = "quick"


def _change_components(data: dict[str, Any]) -> None:
    data["tasks"][0]["components"] = "0" * 16


def _change_agent(data: dict[str, Any]) -> None:
    data["agent"]["sha256"]["tictactoe-2p-v1"] = "0" * 64


def _change_format(data: dict[str, Any]) -> None:
    data["format"] = "theogony-benchmark-9"


def _add_key(data: dict[str, Any]) -> None:
    data["bonus"] = 1


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (_change_reward, r"figures \(tictactoe-2p-v1, random\): reward is"),
        (_change_games, "cannot end in 'W'|wins is"),
        (_drop_deal, r"in seat 0: 5 deals were played, 6 were expected"),
        (_change_interval, "overall: low is"),
        (_change_record, r"record of tictactoe-2p-v1 against random, deal 1: line 3: .*99"),
        (_swap_records, "record of tictactoe-2p-v1 against random, deal 0: seed is"),
        (_drop_record, "records: that of .*is missing"),
        (_change_task, "no task tictactoe-2p-v2; this version has tictactoe-2p-v1"),
        (_count_twice, "task tictactoe-2p-v1 is there twice"),
        (_change_suite, "there is no suite or task 'quick'; suites are toys"),
        (_change_components, "task tictactoe-2p-v1: components is '0000"),
        (_change_agent, "agent: own_players:First has SHA-256 .* now, 0000000000000000... was measured"),
        (_change_format, "is no results file"),
        (_add_key, "bonus"),
    ],
)
def test_a_changed_file_is_refused(
    tmp_path: Path,
    first: Path,
    anchors: Anchors,
    change: Callable[[dict[str, Any]], None],
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("THEOGONY_ALLOW_MODULES", "1")  # or the agent's own source is not looked at
    data = json.loads(first.read_text())
    change(data)
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(data))
    with pytest.raises(BenchmarkError, match=expected) as error:
        verify(changed, TASKS, anchors)
    assert str(error.value).startswith(f"{changed}: ") and "\n" not in str(error.value)


# ---------------------------------------------------------------------------------------------------- submissions


def submission(folder: Path, file: Path, name: str, trained: bool) -> Path:
    (folder / name).mkdir(parents=True)
    data = json.loads(file.read_text())
    data["agent"]["name"] = name
    (folder / name / "seed-0.json").write_text(json.dumps(data))
    about = f"name: {name}\nauthors: somebody\ndescription: a test\ntrained: {str(trained).lower()}\n"
    (folder / name / "metadata.yaml").write_text(about)
    return folder / name


def named(folder: Path, name: str) -> None:
    """Give a submission another name, such as no folder has."""
    data = json.loads((folder / "seed-0.json").read_text())
    data["agent"]["name"] = name
    (folder / "seed-0.json").write_text(json.dumps(data))
    about = {"name": name, "authors": "x", "description": "x", "trained": False}
    (folder / "metadata.yaml").write_text(json.dumps(about))


def mean(file: Path) -> str:
    """The interquartile mean as the report writes it."""
    overall = read_results(file).overall
    assert overall is not None
    return f"{overall.iqm:.2f}"


def test_too_few_seeds_are_refused(tmp_path: Path, first: Path, anchors: Anchors) -> None:
    verify(submission(tmp_path, first, "fixed", trained=False), TASKS, anchors)
    with pytest.raises(BenchmarkError, match="1 training seeds are too few; expected 5"):
        verify(submission(tmp_path, first, "learnt", trained=True), TASKS, anchors)


def test_the_report_shows_every_submission(tmp_path: Path, first: Path, anchors: Anchors) -> None:
    submission(tmp_path / "in", first, "fixed", trained=False)
    submission(tmp_path / "in", first, "other", trained=False)
    submission(tmp_path / "in", first, "learnt", trained=True)
    page = report(tmp_path / "in", tmp_path / "out", TASKS, anchors).read_text()
    assert f"\n| fixed | 1 | {mean(first)} (" in page and f"\n| learnt | 1 (too few) | {mean(first)} (" in page
    assert "tictactoe-2p-v1 | greedy" in page and "| fixed | - | 0.50 |" in page
    plots = sorted(path.name for path in (tmp_path / "out" / "leaderboard").iterdir())
    assert [name.rpartition("-")[2] for name in plots] == ["profiles.svg", "scores.svg"] * 2
    assert all(f"](leaderboard/{name})" in page for name in plots)
    with pytest.raises(BenchmarkError, match="holds no submission"):
        report(tmp_path / "out", tmp_path / "out")


@pytest.mark.parametrize("field", ["name", "authors", "description", "code", "config"])
@pytest.mark.parametrize("text", [r"\x1b[2Jx", r"x\u202ex", r"x\ax", r"x\x9b31mx"])
def test_signs_that_steer_a_terminal_are_refused(tmp_path: Path, field: str, text: str) -> None:
    about = {"name": '"x"', "authors": '"x"', "description": '"x"', "trained": "false", field: f'"{text}"'}
    (tmp_path / "metadata.yaml").write_text("\n".join(f"{key}: {value}" for key, value in about.items()))
    with pytest.raises(BenchmarkError, match=f"{field}: .*cannot be printed") as told:
        read_metadata(tmp_path / "metadata.yaml")
    assert str(told.value).isprintable()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<img src=x onerror=y>", "&#60;img src=x onerror=y&#62;"),
        ("[a](javascript:b)", "&#91;a&#93;(javascript:b)"),
        ("a | 9 | 9 |", "a &#124; 9 &#124; 9 &#124;"),
        ("**a** _b_ `c` ~~d~~", "&#42;&#42;a&#42;&#42; &#95;b&#95; &#96;c&#96; &#126;&#126;d&#126;&#126;"),
        ("&lt;b&gt; \\", "&#38;lt;b&#38;gt; &#92;"),
        ("push_of_faith", "push_of_faith"),
    ],
)
def test_names_on_the_leaderboard_are_text(
    tmp_path: Path, first: Path, anchors: Anchors, name: str, shown: str
) -> None:
    folder = submission(tmp_path / "in", first, "entry", trained=False)
    named(folder, name)
    page = report(tmp_path / "in", tmp_path / "out", TASKS, anchors).read_text()
    assert f"\n| {shown} | 1 | {mean(first)} (" in page
    assert name == shown or name not in page
    for plot in (tmp_path / "out" / "leaderboard").iterdir():
        assert name in "".join(ElementTree.fromstring(plot.read_text()).itertext())


def test_one_table_of_all_kinds_comes_first_and_kinds_are_compared_apart(
    tmp_path: Path, first: Path, anchors: Anchors
) -> None:
    submission(tmp_path / "in", first, "blind", trained=False)
    submission(tmp_path / "in", played(tmp_path, "greedy", anchors=anchors), "greedy", trained=False)
    page = report(tmp_path / "in", tmp_path / "out", TASKS, anchors).read_text()
    top, *sections = page.split("\n### ")
    ranking = [line for line in top.split("\n") if line.startswith("| ")]
    assert [line.split(" | ")[0] for line in ranking] == ["| agent", "| greedy", "| blind"]
    assert "| lookahead |" in ranking[1] and "| observation-only |" in ranking[2]
    compared = {
        part.partition("\n")[0]: [name for name in ("blind", "greedy") if f"| 1 is | {name} |" in part]
        for part in sections
    }
    assert compared == {
        "toys: nothing learnt, observation-only": ["blind"],
        "toys: nothing learnt, lookahead": ["greedy"],
    }


def test_entries_with_some_tasks_are_never_ranked_with_complete_ones(
    tmp_path: Path, first: Path, anchors: Anchors
) -> None:
    """The one with fewer tasks would come first by its mean. Then a suite of one more task, which nobody has played."""
    submission(tmp_path / "in", first, "blind", trained=False)
    submission(tmp_path / "in", played(tmp_path, "greedy", anchors=anchors), "greedy", trained=False)
    blind, greedy = sorted(read_entries(tmp_path / "in", TASKS, anchors), key=lambda entry: entry.name)
    more = [
        run.model_copy(update={"scores": [*run.scores, run.scores[0].model_copy(update={"task": "another-2p-v1"})]})
        for run in blind.runs
    ]
    ranked = Ranked.of([greedy, replace(blind, runs=more)], [*greedy.tasks, "another-2p-v1"])
    assert [entry.name for entry in ranked.complete] == ["blind"]
    assert [entry.name for entry in ranked.partial] == ["greedy"]
    assert [line for line in partial_table(ranked) if "| greedy | 1 | 1 of 2 |" in line]

    another = TASKS.tasks[0].model_copy(update={"id": "another-2p-v1"})
    longer = Tasks(suites={"toys": ["tictactoe-2p-v1", "another-2p-v1"]}, tasks=[*TASKS.tasks, another])
    page = report(tmp_path / "in", tmp_path / "out", longer, anchors).read_text()
    assert "tasks played:" not in page and "\nSome tasks played; means" in page
    assert "| greedy | 1 | 1 of 2 |" in page


def test_no_table_has_too_many_columns(tmp_path: Path, first: Path, anchors: Anchors) -> None:
    names = [f"agent-{k}" for k in range(AGENTS + 2)]
    for name in names:
        submission(tmp_path / "in", first, name, trained=False)
    page = report(tmp_path / "in", tmp_path / "out", TASKS, anchors).read_text()
    heads = [line for line in page.split("\n") if line.startswith("| task | 1 is | ")]
    assert [line.count("agent-") for line in heads] == [AGENTS, 2]
    assert all(line.count(" | ") < AGENTS + 4 for line in page.split("\n"))


def test_tables_as_files(tmp_path: Path, first: Path, anchors: Anchors) -> None:
    """Numbers as they are; names that are neither a formula of a spreadsheet nor a command of LaTeX."""
    submission(tmp_path / "in", first, "a&b_100%", trained=False)
    submission(tmp_path / "in", first, "x", trained=False)
    out = tmp_path / "out" / "leaderboard"
    report(tmp_path / "in", tmp_path / "out", TASKS, anchors)
    assert not [*out.glob("*.csv"), *out.glob("*.tex")]
    report(tmp_path / "in", tmp_path / "out", TASKS, anchors, csv=True, latex=True)
    entries = list(csv.DictReader((out / "entries.csv").read_text().splitlines()))
    overall = read_results(first).overall
    assert overall is not None
    assert [one["agent"] for one in entries] == ["a&b_100%", "x"]
    assert float(entries[0]["iqm"]) == overall.iqm and entries[0]["tasks"] == entries[0]["whole"] == "1"
    scores = list(csv.DictReader((out / "scores.csv").read_text().splitlines()))
    assert [(one["agent"], one["task"], float(one["score"])) for one in scores] == [
        (name, "tictactoe-2p-v1", overall.iqm) for name in ("a&b_100%", "x")
    ]
    latex = (out / "toys.tex").read_text()
    assert f"a\\&b\\_100\\% & 1 & 1 of 1 & {overall.iqm:.2f} [" in latex
    assert latex.count("{tabular}") == 2 and latex.count(" \\\\\n") == 3


@pytest.mark.parametrize(("text", "shown"), [("=1+1", "'=1+1"), ("@x", "'@x"), ("-", "-"), ("mcts:100", "mcts:100")])
def test_names_are_no_formulas_in_csv(tmp_path: Path, first: Path, anchors: Anchors, text: str, shown: str) -> None:
    folder = submission(tmp_path / "in", first, "entry", trained=False)
    named(folder, text)
    report(tmp_path / "in", tmp_path / "out", TASKS, anchors, csv=True)
    rows = csv.DictReader((tmp_path / "out" / "leaderboard" / "entries.csv").read_text().splitlines())
    assert [row["agent"] for row in rows] == [shown]


# ---------------------------------------------------------------------------------------------------- a cluster


def test_a_cluster_that_is_not_there_is_named(tmp_path: Path) -> None:
    """Without Ray its installation is named, with Ray the address that does not answer."""
    with pytest.raises(ClusterError, match=r"--distributed( needs Ray|: no Ray cluster answers)"):
        played(tmp_path, "random", distributed=True)
