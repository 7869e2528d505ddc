"""Submissions, the report on them and its tables."""

import csv
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from toy_tasks import TASKS, exploit_of, played
from typer.testing import CliRunner

from theogony.benchmark.exploit.file import write_exploit
from theogony.benchmark.marks import Mark, Marks, digest_of_games, read_marks
from theogony.benchmark.report.entries import Ranked, read_entries
from theogony.benchmark.report.page import report
from theogony.benchmark.report.tables import AGENTS, LONGEST, PARTIAL, entries_table
from theogony.benchmark.results import Anchors, read_metadata, read_results
from theogony.benchmark.tasks import BenchmarkError, Tasks, Trained
from theogony.benchmark.verify import submissions_in, verify
from theogony.cli import app


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


def details(page: Path) -> str:
    """What the leaderboard and the pages of its suites say."""
    return "\n".join(path.read_text() for path in (page, *sorted((page.parent / "leaderboard").glob("*.md"))))


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
    page = details(report(tmp_path / "in", tmp_path / "out", TASKS, anchors))
    assert f"\n| fixed | {mean(first)} (" in page and f"\n| learnt | {mean(first)} (" in page
    assert ", seeds 1 (too few) | " in page and "\n| learnt | a test |" in page
    assert "tictactoe-2p-v1 | greedy" in page and "| fixed | - | 0.50 |" in page
    plots = sorted(path.name for path in (tmp_path / "out" / "leaderboard").glob("*.svg"))
    assert [name.rpartition("-")[2] for name in plots] == ["profiles.svg", "scores.svg"] * 2
    assert all(f"]({name})" in page for name in plots) and "](leaderboard/toys.md)" in page
    with pytest.raises(BenchmarkError, match="holds no submission"):
        report(tmp_path / "out", tmp_path / "out")


def test_a_report_removes_what_the_last_one_wrote_and_nothing_else(
    tmp_path: Path, first: Path, anchors: Anchors
) -> None:
    folder = tmp_path / "out" / "leaderboard"
    submission(tmp_path / "in", first, "fixed", trained=False)
    learnt = submission(tmp_path / "in", first, "learnt", trained=True)
    report(tmp_path / "in", tmp_path / "out", TASKS, anchors, csv=True)
    before = {path.name for path in folder.iterdir()}
    for name in ("README.md", "logo.svg"):
        (folder / name).write_text("mine")
    shutil.rmtree(learnt)
    report(tmp_path / "in", tmp_path / "out", TASKS, anchors)
    after = {path.name for path in folder.iterdir()}
    assert after > {"README.md", "logo.svg", "toys.md", "entries.csv"}
    assert {name.rpartition("-")[2] for name in before - after} == {"scores.svg", "profiles.svg"}


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
    assert f"\n| {shown} | {mean(first)} (" in page
    assert name == shown or name not in page
    for plot in (tmp_path / "out" / "leaderboard").glob("*.svg"):
        assert name in "".join(ElementTree.fromstring(plot.read_text()).itertext())


def test_one_table_of_all_kinds_comes_first_and_kinds_are_compared_apart(
    tmp_path: Path, first: Path, anchors: Anchors
) -> None:
    submission(tmp_path / "in", first, "blind", trained=False)
    submission(tmp_path / "in", played(tmp_path, "greedy", anchors=anchors), "greedy", trained=False)
    page = report(tmp_path / "in", tmp_path / "out", TASKS, anchors)
    top, sections = page.read_text(), (page.parent / "leaderboard" / "toys.md").read_text().split("\n## ")[1:]
    ranking = [line for line in top.split("\n") if line.startswith("| ")]
    assert [line.split(" | ")[0] for line in ranking] == ["| agent", "| greedy", "| blind"]
    described = next(part for part in sections if part.startswith("Who they are"))
    assert "| agent | what it is |" in described and all(f"\n| {name} | " in described for name in ("greedy", "blind"))
    assert "| lookahead |" in ranking[1] and "| observation-only |" in ranking[2]
    compared = {
        part.partition("\n")[0]: [name for name in ("blind", "greedy") if f"| 1 is | {name} |" in part]
        for part in sections
    }
    assert compared == {
        "Ranking": [],
        "Who they are": [],
        "How far entries can be beaten": [],
        "toys: nothing learnt, observation-only": ["blind"],
        "toys: nothing learnt, lookahead": ["greedy"],
        "Play a row again": [],
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
    assert [line for line in entries_table(PARTIAL, ranked.partial, ranked.members) if "| greedy | 1 of 2 |" in line]

    another = TASKS.tasks[0].model_copy(update={"id": "another-2p-v1"})
    longer = Tasks(suites={"toys": ["tictactoe-2p-v1", "another-2p-v1"]}, tasks=[*TASKS.tasks, another])
    page = report(tmp_path / "in", tmp_path / "out", longer, anchors).read_text()
    assert "tasks played:" not in page and "\nSome tasks played; means" in page
    assert "| greedy | 1 of 2 |" in page


@pytest.mark.parametrize(("name", "typed"), [("mcts-100", True), ("x; rm -rf y", False), ("```", False)])
def test_a_row_is_played_again_by_a_command_that_can_be_copied(
    tmp_path: Path, first: Path, anchors: Anchors, name: str, typed: bool
) -> None:
    """And that says what it seems to say: no name of a stranger stands in it that a shell or Markdown would obey."""
    named(submission(tmp_path / "in", played(tmp_path, "random", anchors=anchors), "entry", trained=False), name)
    page = report(tmp_path / "in", tmp_path / "out", TASKS, anchors).read_text()
    assert ("theogony benchmark run toys --agent random --out mine.json\n" in page) == typed
    assert (f"compare mine.json leaderboard/results/{name}\n" in page) == typed


def test_long_descriptions_are_cut(tmp_path: Path, first: Path, anchors: Anchors) -> None:
    folder = submission(tmp_path / "in", first, "entry", trained=False)
    about = {"name": "entry", "authors": "x", "description": ("a word " * 100).strip(), "trained": False}
    (folder / "metadata.yaml").write_text(json.dumps(about))
    page = details(report(tmp_path / "in", tmp_path / "out", TASKS, anchors))
    (row,) = [line for line in page.splitlines() if line.startswith("| entry | a word")]
    said = row.split(" | ")[1]
    assert said.endswith(" a ...") and LONGEST - 20 < len(said) < LONGEST + 5


def test_what_a_submission_says_stands_on_the_page_of_its_suite(tmp_path: Path, first: Path, anchors: Anchors) -> None:
    """Text of strangers, as all else; what is missing is a dash. Decisions that `run` has counted go before."""
    folder = submission(tmp_path / "in", first, "entry", trained=False)
    about = {"name": "entry", "authors": "A | B", "description": "x", "trained": False, "decisions": 1234567}
    about |= {"code": "https://example.org/" + "long" * 100}
    (folder / "metadata.yaml").write_text(json.dumps(about))
    page = report(tmp_path / "in", tmp_path / "out", TASKS, anchors, csv=True)
    part = (page.parent / "leaderboard" / "toys.md").read_text().partition("\n## Who they are\n")[2]
    (row,) = [line for line in part.partition("\n## ")[0].splitlines() if line.startswith("| entry ")]
    assert row.startswith("| entry | x | A &#124; B | 1,234,567 | https://example.org/longlong")
    assert row.endswith("long ... | - |")
    [line] = csv.DictReader((page.parent / "leaderboard" / "entries.csv").read_text().splitlines())
    assert (line["authors"], line["decisions"], line["code"], line["config"]) == (
        "A | B",
        "1234567",
        about["code"],
        "",
    )
    [entry] = read_entries(tmp_path / "in", TASKS, anchors)
    learnt = [Trained(task=str(count), config={}, decisions=count, curve=[]) for count in (5, 7)]
    counted = replace(entry, runs=[entry.runs[0].model_copy(update={"training": learnt})])
    assert (entry.decisions, counted.decisions) == (1234567, 7)


def test_no_table_has_too_many_columns(tmp_path: Path, first: Path, anchors: Anchors) -> None:
    names = [f"agent-{k}" for k in range(AGENTS + 2)]
    for name in names:
        submission(tmp_path / "in", first, name, trained=False)
    page = details(report(tmp_path / "in", tmp_path / "out", TASKS, anchors))
    heads = [line for line in page.split("\n") if line.startswith("| task | 1 is | ")]
    assert [line.count("agent-") for line in heads] == [AGENTS, 2]
    assert all(line.count(" | ") < AGENTS + 4 for line in page.split("\n"))


def test_how_far_an_entry_can_be_beaten_stands_beside_it(
    tmp_path: Path, first: Path, anchors: Anchors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only beside the entry that was beaten; a file of another agent, or whose figures do not fit, is refused."""
    folder = submission(tmp_path / "in", played(tmp_path, "greedy", anchors=anchors), "greedy", trained=False)
    submission(tmp_path / "in", first, "blind", trained=False)
    (folder / "exploits").mkdir()
    found = exploit_of("greedy", ["WWWL" * 10, "WWDL" * 10])
    write_exploit(found, folder / "exploits" / "one.json")
    with pytest.raises(BenchmarkError, match="learners: none and those left out"):
        report(tmp_path / "in", tmp_path / "out", TASKS, anchors)
    monkeypatch.setattr("theogony.benchmark.report.entries.check_exploit", lambda *_: None)  # its learners are missing
    page = report(tmp_path / "in", tmp_path / "out", TASKS, anchors)
    lines = [line.split(" | ") for line in page.read_text().splitlines() if line.startswith("| ")]
    rows = {line[0]: line[5] for line in lines if len(line) > 5}
    assert rows["| agent"] == "beaten in" and rows["| greedy"].startswith("69% (")
    assert rows["| blind"] == "50% (a copy)", "its few games bound nothing"
    assert "| greedy | tictactoe-2p-v1 | ppo, learnt from 1,000 decisions | 68.8% (" in details(page)
    assert re.search(r"\| blind \| tictactoe-2p-v1 \| (greedy|random) \| \d+", details(page))
    report(tmp_path / "in", tmp_path / "out", TASKS, anchors, csv=True)
    written = csv.DictReader((tmp_path / "out" / "leaderboard" / "entries.csv").read_text().splitlines())
    by = {row["agent"]: (row["beaten_at"], row["beaten_by"]) for row in written}
    assert by["greedy"] == ("tictactoe-2p-v1", "ppo, learnt from 1,000 decisions")
    write_exploit(exploit_of("greedy", ["L" * 40] * 2), folder / "exploits" / "one.json")
    text = report(tmp_path / "in", tmp_path / "out", TASKS, anchors).read_text()
    assert re.search(r"\n\| greedy \| .* \| 50% \(a copy\) \|", text)
    write_exploit(exploit_of("random", ["W" * 9, "W" * 9]), folder / "exploits" / "two.json")
    with pytest.raises(BenchmarkError, match=r"two\.json: is of another agent"):
        report(tmp_path / "in", tmp_path / "out", TASKS, anchors)


@pytest.mark.slow
def test_all_submissions_are_verified_though_one_does_not_fit(tmp_path: Path) -> None:
    """What is wrong is said, the others are marked; a mark never loses games that were played anew before."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "metadata.yaml").write_text(f"name: {name}\nauthors: x\ndescription: x\ntrained: false\n")
    (tmp_path / "one" / "results.json").write_text("{}")
    shipped = Path(__file__).parents[2] / "leaderboard" / "results" / "mcts-2000" / "medium-0.json.gz"
    (tmp_path / "two" / "medium-0.json.gz").write_bytes(shipped.read_bytes())
    (tmp_path / "two" / "metadata.yaml").write_bytes((shipped.parent / "metadata.yaml").read_bytes())
    assert list(submissions_in([tmp_path])) == [tmp_path / "one", tmp_path / "two"]
    marks, games = tmp_path / "verified.json", digest_of_games(read_results(shipped))
    before = Mark(games=games, opponents=1, replayed=7)
    marks.write_text(Marks(files={"two/medium-0.json.gz": before}).model_dump_json())
    done = CliRunner().invoke(app, ["benchmark", "verify", str(tmp_path), "--all", "--mark", str(marks)])
    assert done.exit_code == 1 and "does not fit: " in done.stdout and "one/results.json" in done.stdout
    assert read_marks(marks).files["two/medium-0.json.gz"].replayed == 7
    with pytest.raises(BenchmarkError, match="holds no submission"):
        list(submissions_in([tmp_path / "one" / "nothing"]))


def test_no_file_of_the_project_names_a_place_of_one_machine() -> None:
    """Players that lie in the package are named without the path to it."""
    files = sorted((Path(__file__).parents[2] / "leaderboard" / "results").glob("*/exploits/*.json"))
    assert files
    assert not [file.name for file in files if re.search(r'["@]/', file.read_text("utf-8"))]
