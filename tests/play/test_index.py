"""The games of a tournament as pages: `theogony tournament --records FOLDER` writes a list that links them."""

import os
import re
import shutil
from pathlib import Path

import pytest
from test_replay import data_of
from typer.testing import CliRunner

from theogony.cli import app
from theogony.envs import load
from theogony.envs.core.gamerecord import read_record
from theogony.play.look import write_index


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records of a tournament of four games, two of them with pages."""
    kept = tmp_path_factory.mktemp("tournament") / "games"
    line = ["tournament", "push_of_faith", "--players", "random,greedy", "--games", "4", "--workers", "1"]
    done = CliRunner().invoke(app, [*line, "--records", str(kept), "--pages", "2"])
    assert done.exit_code == 0, done.output
    assert f"{kept / 'index.html'}: 4 games" in done.output.replace("\n", "")
    return kept


def rows(folder: Path) -> list[tuple[str, list[str]]]:
    """Link and cells of every game that is listed."""
    found = re.findall(r'<tr><td><a href="([^"]+)">([^<]*)</a></td>(.*)', (folder / "index.html").read_text("utf-8"))
    return [(link, [first, *re.findall("<td>([^<]*)</td>", rest)]) for link, first, rest in found]


@pytest.mark.slow
def test_every_game_is_listed_and_every_link_leads_somewhere(folder: Path) -> None:
    listed, records = rows(folder), sorted(folder.glob("*.jsonl"))
    assert [cells[0] for _, cells in listed] == [record.stem for record in records] and len(records) == 4
    assert [Path(link).suffix for link, _ in listed] == [".html", ".html", ".jsonl", ".jsonl"]
    assert all((folder / link).is_file() for link, _ in listed)
    assert {path.name for path in folder.iterdir()} == {"index.html", "players.json"} | {
        *(record.name for record in records),
        *(link for link, _ in listed[:2]),
    }


@pytest.mark.slow
def test_a_page_is_of_its_game_with_its_players(folder: Path) -> None:
    for link, (stem, seats, scores) in rows(folder)[:2]:
        page = data_of((folder / link).read_text("utf-8"))
        position = read_record(folder / f"{stem}.jsonl")
        names = seats.split(", ")
        assert page["seats"] == [{"greedy": "Greedy player", "random": "Random player"}[name] for name in names]
        assert set(names) == {"greedy", "random"}
        assert [move["text"] for move in page["moves"][0][1:]] == [
            position.game.vocabulary.say(position.game.actions, action) for action in position.actions
        ]
        assert scores == ", ".join(f"{score:g}" for score in position.scores())
        assert page["result"]["scores"] == list(position.scores())


@pytest.mark.slow
def test_seats_are_those_of_the_tournament(folder: Path) -> None:
    """In a deal that is played again with other seats, names change places, and the same seat does not always win."""
    seats = {cells[1] for _, cells in rows(folder)}
    assert seats == {"greedy, random", "random, greedy"}


@pytest.mark.slow
def test_a_tournament_that_goes_on_with_more_players_keeps_all_its_games(folder: Path, tmp_path: Path) -> None:
    """`flat:2` stands before the others in the alphabet; games of another seed have no place beside these."""
    kept = tmp_path / "games"
    shutil.copytree(folder, kept)
    before = {path.name: path.read_bytes() for path in kept.glob("*.jsonl")}
    line = ["tournament", "push_of_faith", "--games", "2", "--workers", "1", "--records", str(kept), "--pages", "1"]
    done = CliRunner().invoke(app, [*line, "--players", "flat:2,random,greedy"])
    assert done.exit_code == 0, done.output
    after = {path.name: path.read_bytes() for path in kept.glob("*.jsonl")}
    assert len(after) == 4 + 2 * 2 and before.items() <= after.items()
    assert {cells[1] for _, cells in rows(kept)} > {"greedy, random", "flat:2, greedy", "random, flat:2"}
    done = CliRunner().invoke(app, [*line, "--players", "random,greedy", "--seed", "1"])
    assert done.exit_code != 0 and "holds games of another tournament: seed differs" in str(done.exception)
    assert {path.name: path.read_bytes() for path in kept.glob("*.jsonl")} == after


@pytest.mark.slow
def test_a_page_is_drawn_anew_only_where_its_record_is_younger(folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "games"
    shutil.copytree(folder, kept)
    old, new = sorted(kept.glob("*_*.html"))
    for page in (old, new):
        page.write_text("drawn before", "utf-8")
    os.utime(new, (0, 0))
    write_index(kept, 2, load("push_of_faith"))
    assert old.read_text("utf-8") == "drawn before" and len(data_of(new.read_text("utf-8"))["moves"]) > 0
    assert rows(kept) == rows(folder)


@pytest.mark.slow
def test_what_is_no_record_of_the_game_is_left_out(folder: Path, tmp_path: Path) -> None:
    good = sorted(folder.glob("*.jsonl"))[0]
    (tmp_path / good.name).write_bytes(good.read_bytes())
    (tmp_path / "players.json").write_bytes((folder / "players.json").read_bytes())
    (tmp_path / "000009_0_0-1.jsonl").write_text("no record\n", "utf-8")
    (tmp_path / "a<b>.jsonl").write_bytes(good.read_bytes())
    write_index(tmp_path, 20, load("push_of_faith"))
    assert [cells[0] for _, cells in rows(tmp_path)] == [good.stem, "a&lt;b&gt;"]
    assert rows(tmp_path)[1][1][1] == ""
