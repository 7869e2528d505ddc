"""Tasks of the benchmark, and its deals, which nothing else uses."""

from pathlib import Path

import numpy as np
import pytest
from tictactoe import SPEC as TICTACTOE
from toy_tasks import with_one_pack

from theogony.benchmark.tasks import BenchmarkError, shipped
from theogony.envs.core.contract import COUNT, FIRST, deal_seed, is_reserved
from theogony.envs.core.gamerecord import write_record
from theogony.envs.core.position import Position
from theogony.envs.core.rng import mix
from theogony.training.config import ConfigError
from theogony.training.config.file import load_config


def test_every_task_can_be_played() -> None:
    for task in with_one_pack(shipped().tasks):
        game = task.make_game()
        assert f"-{game.players}p" in task.id and task.id.startswith(game.spec.name)


def test_a_task_of_another_version_is_named() -> None:
    with pytest.raises(BenchmarkError, match=r"no task orbis-2p-v7; this version has orbis-2p-v2"):
        shipped().task("orbis-2p-v7")
    with pytest.raises(BenchmarkError, match=r"no task orbis-2p-v1; this version has orbis-2p-v2"):
        shipped().suite("orbis-2p-v1")


def test_whoever_leaves_out_the_version_is_told_it() -> None:
    with pytest.raises(BenchmarkError, match=r"no task innovation-2p-s; this version has innovation-2p-small-v2$"):
        shipped().task("innovation-2p-s")
    with pytest.raises(BenchmarkError, match="no task chess; expected an id such as push_of_faith-2p-small-v1"):
        shipped().task("chess")


def test_suites_that_nobody_plays_any_more_are_not_offered() -> None:
    with pytest.raises(BenchmarkError, match=r"suites are quick, medium, standard, unseen, ladder$"):
        shipped().suite("standrd")


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
    from theogony.training.config.engines import Sb3Config, Sb3Ppo
    from theogony.training.learning.imitation import read_lessons

    game = TICTACTOE.configure({})
    write_record(Position(game, deal_seed(0)), tmp_path / "game.jsonl")
    config = Sb3Config(game="tictactoe:SPEC", algorithm=Sb3Ppo(total_steps=1))
    with pytest.raises(RecordError, match="is a deal of the benchmark"):
        read_lessons([tmp_path / "game.jsonl"], game, config, [], 1)
