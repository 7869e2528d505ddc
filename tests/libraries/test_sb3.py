"""What the pages of Stable-Baselines3 and sb3_contrib do with masks, on every game; and our example, which learns."""

import runpy
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from outside import GAMES, id_of

pytest.importorskip("sb3_contrib", reason="needs the extra `train`")
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import EvalCallback
from stable_baselines3.common.evaluation import evaluate_policy as without_masks
from stable_baselines3.common.vec_env import DummyVecEnv

import theogony
from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.game import OptionError

EXAMPLE = Path(__file__).parents[2] / "examples" / "sb3_ppo.py"
TINY: dict[str, Any] = {"n_steps": 24, "batch_size": 48, "n_epochs": 1, "policy_kwargs": {"net_arch": [8]}}


def test_it_learns_tic_tac_toe() -> None:
    main = runpy.run_path(str(EXAMPLE))["main"]
    game = ["--game", "tictactoe:SPEC", "--reward", "outcome", "--learning-rate", "3e-3"]
    game += ["--n-steps", "9", "--batch-size", "144", "--epochs", "4"]  # two games, of five decisions at most
    assert main([*game, "--total-steps", "12000"]).low > 0.8, "an untrained one has 0.5 to 0.65"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("single", [False, True], ids=["make_vec", "gymnasium"])
def test_learning_evaluating_and_playing_on(game: str, single: bool, tmp_path: Path) -> None:
    """With its callback for masks, to the end of games; a saved model plays on."""

    def make() -> Any:
        if single:
            return DummyVecEnv([lambda: gymnasium.make(id_of(game), max_decisions=40)] * 2)
        return theogony.make_vec(game, 2, seed=0, max_decisions=40)

    envs = make()
    watched = MaskableEvalCallback(make(), n_eval_episodes=2, eval_freq=24, verbose=0)
    model = MaskablePPO("MlpPolicy", envs, seed=0, **TINY)
    model.learn(96, callback=watched)
    assert watched.n_calls and watched.last_mean_reward > -2
    model.save(tmp_path / "model")
    loaded, seen, ends = MaskablePPO.load(tmp_path / "model"), envs.reset(), 0
    while not ends:
        masks = envs.env_method("action_masks")
        seen, _, dones, infos = envs.step(loaded.predict(seen, action_masks=masks, deterministic=True)[0])
        ends += dones.sum()
        assert all(("terminal_observation" in info) == done for info, done in zip(infos, dones, strict=True))
    assert len(evaluate_policy(model, envs, n_eval_episodes=2, return_episode_rewards=True)[0]) == 2  # pyright: ignore


@pytest.mark.parametrize("single", [False, True], ids=["make_vec", "gymnasium"])
def test_what_knows_no_masks_is_told_what_does(single: bool) -> None:
    def make() -> Any:
        return gymnasium.make(id_of("push_of_faith")) if single else theogony.make_vec("push_of_faith", 2, seed=0)

    unmasked: Any = PPO("MlpPolicy", make(), **TINY)
    model = MaskablePPO("MlpPolicy", make(), seed=0, **TINY)
    for run in (
        lambda: unmasked.learn(640),
        lambda: without_masks(unmasked, make(), n_eval_episodes=2, warn=False),
        lambda: model.learn(640, callback=EvalCallback(make(), eval_freq=8, verbose=0, warn=False)),
    ):
        with pytest.raises(IllegalAction, match=r"is not legal for seat .*MaskablePPO.*MaskableEvalCallback"):
            run()


def test_options_that_reset_does_not_know_are_refused() -> None:
    envs = theogony.make_vec("push_of_faith", 2, seed=0)
    envs.set_options({"players": 3})
    with pytest.raises(OptionError, match="has no 'players'"):
        envs.reset()
    envs.set_options()
    envs.reset()
