"""JAX on every game; and our PPO, which learns tic-tac-toe within seconds. Another action would raise."""

import runpy
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from outside import GAMES

EXAMPLE = Path(__file__).parents[2] / "examples" / "jax_ppo.py"
pytestmark = pytest.mark.skipif(find_spec("jax") is None, reason="needs the extra `jax`")


@pytest.mark.slow
def test_it_learns_tic_tac_toe() -> None:
    main = runpy.run_path(str(EXAMPLE))["main"]
    game = [
        "--game",
        "tictactoe:SPEC",
        "--reward",
        "outcome",
        "--n-steps",
        "9",
        "--learning-rate",
        "2e-3",
        "--total-steps",
    ]
    untrained = main([*game, "1", "--learning-rate", "0"])
    assert untrained[0].win_rate < 0.7 and main([*game, "40000"])[0].low > 0.8


@pytest.mark.parametrize("game", GAMES)
def test_a_jitted_policy_plays_every_game(game: str) -> None:
    """As the pages of JAX and of gymnax write a loop: over the end of games, with a discount of 0 there."""
    import jax

    from theogony.envs import load
    from theogony.wrappers import JaxBatch

    @jax.jit
    def choose(key: Any, masks: Any) -> Any:
        return jax.random.categorical(key, jax.numpy.where(masks, 0.0, -jax.numpy.inf))

    envs = JaxBatch(load(game).configure({}), 4, opponents="random")
    step, ended, key = envs.reset(seed=0), 0, jax.random.key(0)
    while ended < 4:
        key, drawing = jax.random.split(key)
        step = envs.step(choose(drawing, step.masks))
        ended += int(step.last.sum())
        assert (step.discounts == 1 - step.last).all() and step.masks.any(1).all()
