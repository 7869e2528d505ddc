"""The tasks that the package comes with."""

from pathlib import Path

import pytest
from toy_tasks import TASKS, played, with_one_pack

from theogony.benchmark.results import read_results, write_results
from theogony.benchmark.run import Asked
from theogony.benchmark.tasks import BenchmarkError, Suite, shipped
from theogony.benchmark.verify import counted, verify


def test_tasks_have_default_options_but_for_players_scenes_and_packs_in_their_ids() -> None:
    for task in with_one_pack(shipped().tasks):
        game = task.make_game()
        assert f"-{game.players}p-" in task.id
        usual = game.spec.configure({"players": game.players}).options.model_dump()
        changed = {name: value for name, value in game.options.model_dump().items() if value != usual[name]}
        said = {"scene": f"-{game.options.model_dump().get('scene')}-", "components": "-unseen-"}
        assert all(said[name] in task.id for name in changed), task.id


def test_results_of_former_rules_are_kept_and_no_longer_played(tmp_path: Path) -> None:
    """Counts and figures are checked as ever; records, which the rules of today do not play, are left alone."""
    former = TASKS.model_copy(update={"tasks": [one.model_copy(update={"former": True}) for one in TASKS.tasks]})
    assert [one.digest for one in former.tasks] == [one.digest for one in TASKS.tasks]
    results = read_results(played(tmp_path, "greedy"))
    moves = results.records[0].moves.model_copy(update={"hash": "of other rules"})
    other = [one.model_copy(update={"moves": moves}) for one in results.records]
    path = tmp_path / "former.json"
    write_results(results.model_copy(update={"records": other}), path)
    with pytest.raises(BenchmarkError, match="record of"):
        verify(path, TASKS, {})
    said = verify(path, former, {}, games=2)
    many = counted(len(results.tasks), "task")
    assert f"0 games played anew; the agent has no weights; {many} of rules as they were" in said
    write_results(results.model_copy(update={"figures": results.figures[:-1]}), path)
    with pytest.raises(BenchmarkError, match="figures"):
        verify(path, former, {})
    with pytest.raises(BenchmarkError, match="of rules as they were, and is not played any more"):
        Asked(Suite.named(results.suite, former), "greedy", tmp_path / "x.json", "greedy")
