"""What skrl's pages do, on every game; and our example, whose PPO learns: another action would raise."""

import runpy
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from outside import GAMES, id_of, tiny

EXAMPLE = Path(__file__).parents[2] / "examples" / "skrl_ppo.py"
pytestmark = pytest.mark.skipif(find_spec("skrl") is None, reason="needs the extra `examples`")


@pytest.mark.slow
def test_it_learns_tic_tac_toe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    main = runpy.run_path(str(EXAMPLE))["main"]
    game = ["--game", "tictactoe:SPEC", "--reward", "outcome", "--total-steps"]
    untrained = main([*game, "64", "--learning-rate", "0"])
    assert untrained.win_rate < 0.7 and main([*game, "12000", "--learning-rate", "3e-3"]).low > 0.8
    assert not list(tmp_path.iterdir()), "it leaves nothing on disk"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_it_runs_on_every_game(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tiny("skrl_ppo.py", game, *"--num-envs 4 --rollouts 8 --total-steps 64".split())


@pytest.mark.parametrize("many", [False, True], ids=["make", "make_vec"])
@pytest.mark.parametrize("game", GAMES)
def test_its_wrapper_of_gymnasium(game: str, many: bool) -> None:
    """`wrap_env`, whose policies know no masks, over the end of games."""
    import torch
    from skrl.envs.wrappers.torch import wrap_env

    how: Any = {"illegal": "random", "max_decisions": 30}
    env: Any = wrap_env(gymnasium.make_vec(id_of(game), 2, **how) if many else gymnasium.make(id_of(game), **how))
    seen, _ = env.reset()
    assert seen.shape == (env.num_envs, *env.observation_space.shape)
    ends = torch.zeros(env.num_envs, 1, dtype=torch.bool)
    while not ends.all():
        actions = torch.randint(env.action_space.n, (env.num_envs, 1))
        seen, rewards, terminated, truncated, _ = env.step(actions)
        ends |= terminated | truncated
        assert rewards.shape == ends.shape
