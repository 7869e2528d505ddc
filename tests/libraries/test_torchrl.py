"""What TorchRL's pages do, on every game; and our examples, which learn: an action that is not legal would raise."""

import runpy
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from outside import GAMES, id_of

pytest.importorskip("torchrl", reason="needs the extra `examples`")
import torch
from torchrl.data import Binary
from torchrl.envs import ActionMask, GymEnv, GymWrapper, TransformedEnv
from torchrl.envs.libs.gym import default_info_dict_reader

from theogony.envs import load
from theogony.envs.core.actions import IllegalAction

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.slow
def test_it_learns_tic_tac_toe() -> None:
    main = runpy.run_path(str(EXAMPLES / "torchrl_ppo.py"))["main"]
    how = ["--total-steps", "16128", "--learning-rate", "3e-3"]
    result = main(["--game", "tictactoe:SPEC", "--reward", "outcome", *how])
    assert result.games == 1000 and result.low > 0.75, "an untrained one has 0.5 to 0.65"


@pytest.mark.slow
def test_all_seats_learn_tic_tac_toe() -> None:
    main = runpy.run_path(str(EXAMPLES / "torchrl_rollout.py"))["main"]
    game = ["--game", "tictactoe:SPEC", "--games", "300", "--learning-rate", "1e-2"]
    assert main(game).low > 0.66, "an untrained one has 0.5 to 0.6"


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_whole_games_of_all_seats_with_masks(name: str) -> None:
    """`PettingZooWrapper`."""
    module = runpy.run_path(str(EXAMPLES / "torchrl_rollout.py"))
    env = module["make_env"](name, 0)
    game = module["play"](env, module["make_policy"](env, load(name).configure({}).features))
    players = game["players"]
    assert game["next", "done"].flatten().tolist() == [False] * (len(game) - 1) + [True]
    assert (players["mask"].sum(-1) == 1).all(), "one seat decides at a time"
    legal = players["action_mask"].gather(-1, players["action"].unsqueeze(-1)).squeeze(-1)
    assert legal[players["mask"]].all()
    rewards = game["next", "players", "reward"].squeeze(-1)
    assert not rewards[:-1].any() and rewards[-1].abs().max() <= 1


@pytest.mark.parametrize("game", GAMES)
def test_one_game_by_its_id(game: str) -> None:
    """`GymEnv`, whose actions know no masks: a whole game with illegal="random"."""
    env = GymEnv(id_of(game), categorical_action_encoding=True, illegal="random", max_decisions=60)
    env.set_seed(0)
    played = env.rollout(100, break_when_any_done=True)
    assert played["next", "done"].flatten().tolist() == [False] * (len(played) - 1) + [True]


def many(game: str) -> Any:
    """`GymWrapper` over our vector environment: when it is made it plays at random to see what comes."""
    envs = gymnasium.make_vec(id_of(game), 3, illegal="random", seed=0, max_decisions=60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrapped = GymWrapper(envs, categorical_action_encoding=True)
    return wrapped


@pytest.mark.parametrize("game", GAMES)
def test_many_games_in_one_call(game: str) -> None:
    env = many(game)
    actions = int(env.action_spec.space.n)
    masks = Binary(actions, torch.Size([3, actions]), dtype=torch.bool)
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec={"action_mask": masks}))
    env = TransformedEnv(env, ActionMask())
    played = env.rollout(100, break_when_any_done=False)
    assert played.batch_size == (3, 100) and played["next", "done"].any(1).all(), "games end, and others follow"
    legal = played["action_mask"].gather(-1, played["action"].unsqueeze(-1))
    assert legal.all(), "by the masks of the infos"


@pytest.mark.parametrize("game", GAMES)
def test_many_games_without_masks(game: str) -> None:
    played = many(game).rollout(60, break_when_any_done=False)
    assert played.batch_size == (3, 60) and played["next", "done"].any(1).all()


def test_many_games_say_what_is_not_legal() -> None:
    with pytest.raises(IllegalAction, match=r"is not legal.*illegal=\"random\""):
        GymWrapper(gymnasium.make_vec(id_of("orbis"), num_envs=3), categorical_action_encoding=True).rollout(30)
