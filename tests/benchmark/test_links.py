"""A submission leads nowhere: names of players are read in one way, and links are refused."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tictactoe import SPEC
from toy_tasks import TASKS, played

from theogony.benchmark.agents import player_at_hand
from theogony.benchmark.results import METADATA, read_results, results_files
from theogony.benchmark.tasks import BenchmarkError
from theogony.benchmark.verify import files_of, submissions_in, verify
from theogony.envs.core.players import make_player
from theogony.envs.core.thinking.player_names import OWN, RUN, PlayerError, parse_player, run_name
from theogony.models.ask import ModelError
from theogony.models.verify import _beside, _check_player

GAME = SPEC.configure({"players": 2})
TASK = "tictactoe-2p-v1"


@pytest.mark.parametrize(
    ("name", "kind", "settings", "run"),
    [
        ("random", "random", "random", None),
        ("greedy:0.3", "greedy", "greedy:0.3", None),
        ("reference", "reference", "reference", None),
        ("mcts:4@reference", "mcts", "mcts:4", None),
        ("plan:8@reference-policy", "plan", "plan:8", None),
        ("greedy@sub/evil@reference", "greedy@", "greedy", "sub/evil@reference"),
        ("mcts:4@greedy:sub/evil", "mcts", "mcts:4", "greedy:sub/evil"),
        ("sampled@random", "sampled@", "sampled", "random"),
        ("mcts:4@a.b:C", "mcts", "mcts:4", "a.b:C"),
        ("random@sub/evil", "random", "random", "sub/evil"),
        ("runs/x@reference", RUN, "runs/x@reference", "runs/x@reference"),
        ("a.b:C", OWN, "a.b:C", None),
    ],
)
def test_a_name_is_read_in_one_way(name: str, kind: str, settings: str, run: str | None) -> None:
    """Split at its first @, and what stands behind that is a reference player or a path."""
    found = parse_player(name)
    assert (str(found), found.kind, found.settings, found.run) == (name, kind, settings, run)
    assert found.of_package == (kind != OWN and run is None)
    assert parse_player(found) is found and found.by("other").run == "other"
    assert run_name("greedy@reference").run == "greedy@reference", "a path, whatever it looks like"


def agent(first: Path, out: Path, **changes: Any) -> Path:
    """A results file whose agent says what it likes."""
    data = json.loads(first.read_text())
    data["agent"] |= changes
    out.write_text(json.dumps(data))
    return out


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("links"), "random")


EVIL = [
    "greedy@sub/evil@reference", "greedy@evil@reference", "mcts:4@evil@reference-policy", "plan:8@sub/evil@random",
    "mcts:4@greedy:evil", "greedy@random", "sampled@plan", "evil@reference", "random@evil", "greedy@../evil",
    "mcts:4@/etc@reference", "greedy@sub/../evil", "reference@evil", "random:evil",
]  # fmt: skip


@pytest.mark.parametrize("player", EVIL)
def test_no_link_is_followed_out_of_a_submission(
    player: str, first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the link is called, and wherever the command is run."""
    secret, sub = tmp_path / "secret", tmp_path / "sub"
    secret.mkdir()
    (secret / "header.json").write_text('{"format": "my secret"}')
    sub.mkdir()
    for place in (sub, tmp_path):
        for name in ("evil", "evil@reference", "evil@reference-policy", "greedy:evil", "random", "plan", "evil@random"):
            (place / name).symlink_to(secret)
    file = agent(first, sub / "r.json", player=player, trained=True, sha256={TASK: "0" * 64})
    monkeypatch.chdir(tmp_path)
    opened, opens = [], os.open
    monkeypatch.setattr(os, "open", lambda path, *given, **named: opened.append(path) or opens(path, *given, **named))
    for where in (file, Path("sub/r.json")):
        try:
            assert "the agent is not at hand" in verify(where, TASKS, games=1)
        except BenchmarkError as error:
            assert "my secret" not in str(error)
        assert not [path for path in opened if secret.resolve() in Path(path).resolve().parents]
        try:
            found = player_at_hand(read_results(where).agent, TASKS.task(TASK), GAME, where)
        except BenchmarkError:
            continue
        assert found is None or found.run is None


def test_a_run_beside_the_results_is_made_by_the_path_that_was_looked_at(
    first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the folder of the submission is called as a player is."""
    place = tmp_path / "greedy@sub"
    place.mkdir()
    (place / "r.runs" / TASK).mkdir(parents=True)
    file = Path(shutil.copy(first, place / "r.json"))
    monkeypatch.chdir(tmp_path)
    told = read_results(file).agent.model_copy(update={"track": "xs"})
    found = player_at_hand(told, TASKS.task(TASK), GAME, Path("greedy@sub/r.json"))
    assert found is not None and found.kind == RUN and found.run == str(place / "r.runs" / TASK)
    with pytest.raises(ValueError, match=r"r\.runs"):
        make_player(found, GAME)


@pytest.mark.parametrize("change", ["results", "metadata"])
def test_a_linked_file_of_a_submission_is_refused(change: str, first: Path, tmp_path: Path) -> None:
    shutil.copy(first, tmp_path / "r.json")
    (tmp_path / METADATA).write_text("name: x\n")
    link = tmp_path / {"results": "s.json", "metadata": METADATA}[change]
    link.unlink(missing_ok=True)
    link.symlink_to("/etc/passwd")
    checks: list[Callable[[Path], Any]] = [results_files, verify]
    checks += [files_of, lambda path: list(submissions_in([path]))] if change == "results" else []
    for check in checks:
        with pytest.raises(BenchmarkError, match="is a link"):
            check(tmp_path)


def test_the_folder_of_transcripts_is_no_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.jsonl").write_text("{}")
    folder = tmp_path / "r.games"
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ModelError, match="is a link; expected the folder of the transcripts"):
        _beside(folder, "a.jsonl")


@pytest.mark.parametrize("player", [*(one for one in EVIL if "@" in one), "a.b:C", "runs/x", "mcts:4@a.b:C"])
def test_opponents_of_transcripts_are_of_the_package(player: str) -> None:
    with pytest.raises(ModelError, match="expected one of this package"):
        _check_player(player)


@pytest.mark.parametrize("digest", ["", "0" * 63, "0" * 64 + "\n", "G" * 64, "A" * 64, "x" * 10_000, "../" * 30])
def test_a_digest_looks_like_one(digest: str, first: Path, tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"agent\.sha256.*pattern") as caught:
        read_results(agent(first, tmp_path / "r.json", sha256={TASK: digest}))
    assert len(str(caught.value)) < 500


def test_a_player_with_an_at_that_takes_none_is_refused(tmp_path: Path) -> None:
    for name in ("random@reference", "reference@reference", "greedy@", "mcts:4@", "random@runs/x"):
        with pytest.raises(PlayerError):
            make_player(name, GAME)
