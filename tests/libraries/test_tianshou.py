"""What Tianshou's pages do, on every game; and our examples, which learn with masks: another action would raise."""

import json
import runpy
from pathlib import Path
from typing import Any

import gymnasium
import pettingzoo
import pytest
from outside import GAMES, id_of, tiny

pytest.importorskip("tianshou", reason="needs the extra `examples`")
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step, torch_train_mode

pytest.importorskip("onnx", reason="onnx is not installed")
EXAMPLES = Path(__file__).parents[2] / "examples"
TOY = ["--game", "tictactoe:SPEC", "--reward", "outcome"]


@pytest.mark.slow
def test_ppo() -> None:
    result = runpy.run_path(str(EXAMPLES / "tianshou_ppo.py"))["main"]([*TOY, "--total-steps", "16128"])
    assert result.games == 1000 and result.low > 0.8, "an untrained one has 0.5 to 0.65"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dqn", "sac"])
def test_off_policy(name: str, tmp_path: Path) -> None:
    """It learns, and what it leaves for the benchmark plays as well."""
    from theogony.envs import load
    from theogony.envs.core.players import make_player
    from theogony.training.rating.evaluate import evaluate

    main = runpy.run_path(str(EXAMPLES / f"tianshou_{name}.py"))["main"]
    result = main([*TOY, "--steps", "8192", "--updates", "16", "--out", str(tmp_path / "out")])
    assert result.low > 0.75, "an untrained one has 0.5 to 0.65"
    stated = json.loads((tmp_path / "out" / "training.json").read_text())
    assert stated["decisions"] == 8192 and stated["settings"]["updates"] == 16
    game = load("tictactoe:SPEC").configure({})
    again = evaluate(make_player(str(tmp_path / "out" / "policy.onnx"), game), "random", game, 1000, seed=1)
    assert again.win_rate == result.win_rate


# ---------------------------------------------------------------------------------------------------- its own pages


def one_game(game: str) -> Any:
    made: Any = pettingzoo.make("aec", id_of(game), max_decisions=20)
    return PettingZooEnv(made)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_its_pages_on_pettingzoo(game: str) -> None:
    """All seats at random by the masks, then DQN against random: games end in the middle of what is collected."""
    env = one_game(game)
    length, actions = env.observation_space["observation"].shape, env.action_space.n
    net = Net(state_shape=length, action_shape=actions, hidden_sizes=[8])
    policy = DiscreteQLearningPolicy(
        model=net, action_space=env.action_space, observation_space=env.observation_space, eps_training=0.5
    )
    learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3))
    others = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in env.agents]
    for first in (others[0], learner):
        together = MultiAgentOffPolicyAlgorithm(algorithms=[first, *others[1:]], env=env)
        envs = DummyVectorEnv([lambda: one_game(game)] * 2)
        collector = Collector(together, envs, VectorReplayBuffer(100, 2), exploration_noise=True)
        collector.reset()
        found = collector.collect(n_step=50)
        assert found.n_collected_episodes > 0 and not collector.buffer.hasnull()
    with policy_within_training_step(together.policy), torch_train_mode(together.policy):
        together.update(buffer=collector.buffer, sample_size=32)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_its_pages_on_gymnasium(game: str) -> None:
    """DQN that knows no masks, and so plays with `illegal="random"`, over the end of games."""

    def make() -> Any:
        return gymnasium.make(id_of(game), illegal="random", max_decisions=40)

    env = make()
    net = Net(state_shape=env.observation_space.shape, action_shape=env.action_space.n, hidden_sizes=[8])
    policy = DiscreteQLearningPolicy(
        model=net, action_space=env.action_space, observation_space=env.observation_space, eps_training=1.0
    )
    learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-4))
    training = Collector(learner, DummyVectorEnv([make] * 2), VectorReplayBuffer(200, 2), exploration_noise=True)
    testing = Collector(learner, DummyVectorEnv([make] * 2))
    for collector in (training, testing):
        collector.reset()
    plan = OffPolicyTrainerParams(
        training_collector=training,
        test_collector=testing,
        max_epochs=1,
        epoch_num_steps=80,
        collection_step_num_env_steps=40,
        test_step_num_episodes=2,
        batch_size=32,
        update_step_num_gradient_steps_per_sample=0.1,
    )
    assert learner.run_training(plan).best_reward >= -1
    assert not training.buffer.hasnull()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_its_ppo_runs_on_every_game(game: str) -> None:
    tiny("tianshou_ppo.py", game, "--total-steps", "1152")
