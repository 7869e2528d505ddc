"""Opponents of tasks: always the same ones, or an error says that they are not at hand."""

import shutil
from pathlib import Path

import pytest

from theogony.benchmark import agents, keeping
from theogony.benchmark.agents import describe, digest_of, player_of
from theogony.benchmark.tasks import REFERENCE, BenchmarkError, shipped
from theogony.envs import load
from theogony.envs.core.players import GreedyPlayer, make_player
from theogony.training.players import reference
from theogony.training.players.reference import reference_folder

ORBIS = load("orbis").configure({"players": 2})
TABLES = {
    f"{task.game}-{task.options['players']}p": task.make_game()
    for task in shipped().tasks
    if REFERENCE in task.opponents
}


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_task_says_who_the_reference_player_is(table: str) -> None:
    """Whatever the package comes with: the one that is meant is there, and looks one decision ahead."""
    game = TABLES[table]
    assert isinstance(make_player(player_of(REFERENCE, game), game), GreedyPlayer)
    assert digest_of(player_of(REFERENCE, game), game) == shipped().references[table]


def test_no_table_is_listed_in_vain() -> None:
    assert set(shipped().references) == set(TABLES)
    used = {f"{table}-{digest[: agents.DIGITS]}" for table, digest in shipped().references.items()}
    assert {folder.name for folder in agents.FORMER.glob("*p-*")} <= used


def test_where_the_package_comes_with_a_better_one_the_tasks_keep_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meant = shipped().references["orbis-2p"]
    named = Path(player_of(REFERENCE, ORBIS).partition("@")[2])
    monkeypatch.setattr(agents, "FORMER", tmp_path / "former")
    agent = named if named.is_dir() else reference_folder(ORBIS)
    kept = keeping.keep_former(agent)
    assert kept.name == f"orbis-2p-{meant[:12]}"

    monkeypatch.setattr(reference, "AGENTS", tmp_path / "agents")  # a version that comes with another
    shutil.copytree(agents.HELD_BACK / "orbis-2p-9f7c5512bed2", tmp_path / "agents" / "orbis" / "2p")
    assert digest_of(REFERENCE, ORBIS) != meant
    assert player_of(REFERENCE, ORBIS) == f"greedy@{kept}"
    task = next(task for task in shipped().tasks if task.game == "orbis" and REFERENCE in task.opponents)
    for agent in (REFERENCE, f"mcts:2@{REFERENCE}"):  # that are measured
        assert describe(agent, "agent", 0, [(task, ORBIS)], None, tmp_path).sha256 == {task.id: meant}

    (kept / "policy.safetensors").write_bytes(b"other")
    with pytest.raises(BenchmarkError, match=rf"in orbis-2p the tasks mean the one with SHA-256 {meant[:12]}"):
        player_of(REFERENCE, ORBIS)
    shutil.rmtree(kept)
    with pytest.raises(BenchmarkError, match="neither in this package nor in"):
        player_of(REFERENCE, ORBIS)


def test_others_are_who_they_are_called() -> None:
    assert [player_of(name, ORBIS) for name in ("random", "mcts:100")] == ["random", "mcts:100"]


def test_opponents_kept_for_the_evaluation_are_those_of_their_names() -> None:
    found = {opponent for task in shipped().tasks for opponent in task.opponents if opponent.startswith("held:")}
    assert found
    for opponent in found:
        assert (Path(agents.held_player(opponent).rpartition("@")[2]) / "header.json").is_file()
    readme = (agents.HELD_BACK / "README.md").read_text()
    assert all(opponent.removeprefix("held:").rpartition("@")[2] in readme for opponent in found)


def test_one_kept_for_the_evaluation_may_think_ahead() -> None:
    name = "orbis-2p-9f7c5512bed2"
    assert agents.held_player(f"held:mcts:64@{name}") == f"mcts:64@{agents.HELD_BACK / name}"
    with pytest.raises(BenchmarkError, match="there is no such opponent"):
        agents.held_player("held:mcts:64@orbis-2p-1")


def test_one_that_changed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "HELD_BACK", tmp_path)
    (tmp_path / "orbis-2p-000000000000").mkdir()
    (tmp_path / "orbis-2p-000000000000" / "policy.safetensors").write_bytes(b"other")
    with pytest.raises(BenchmarkError, match="its weights have changed"):
        agents.held_player("held:orbis-2p-000000000000")
    with pytest.raises(BenchmarkError, match="there is no such opponent"):
        agents.held_player("held:orbis-2p-1")
