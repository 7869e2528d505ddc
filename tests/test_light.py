"""Random, greedy and search play where nothing but the game's own libraries is installed."""

import subprocess
import sys

import pytest

from theogony.console.extras import install

BLOCKED = ("torch", "tqdm", "stable_baselines3", "sb3_contrib", "safetensors", "tensorboard")
BLOCK = f"""
import sys
from importlib.abc import MetaPathFinder

class Blocked(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {BLOCKED!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocked())
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BLOCK + code]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["random", "greedy:0.5", "mcts:3", "flat:3"])
def test_players_need_no_torch(name: str) -> None:
    done = run(f"""
import theogony
from theogony.envs import load
from theogony.envs.core.batch import Batch
env = theogony.make("push_of_faith")
env.reset(seed=0)
player = theogony.player({name!r}, env, seed=0)
for _ in env.agent_iter():
    env.step(player.act(env))
batch = Batch(env.game, 3, 0, seat=0, opponents={name!r})
batch.step(batch.sample())
from theogony.training.rating.evaluate import Asked, run
run(Asked({name!r}, ["random"], load("push_of_faith")), 2, 0)
""")
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_networks_say_what_they_need() -> None:
    done = run("""
import theogony
theogony.make_vec
env = theogony.make("push_of_faith")
theogony.player("reference", env)
""")
    assert done.returncode != 0
    assert "the player 'reference' needs" in done.stderr and install("train") in done.stderr
