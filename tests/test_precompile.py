"""`theogony compile`: afterwards nothing that users meet is compiled any more."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from theogony.envs import load
from theogony.envs.core.compile import prebuilt
from theogony.envs.core.jit import INTERPRETED
from theogony.precompile import layouts

BASELINE = next((name for name in prebuilt.BASELINES if prebuilt.has(prebuilt.host_features(), name)), "")
needs_compiler = pytest.mark.skipif(INTERPRETED or not BASELINE, reason="rules are not compiled, or for no baseline")
COMMAND = Path(sys.executable).with_name("theogony")
TOY = Path(__file__).with_name("toy")

# Everything that users meet, with whole games.
PROGRAM = """
import sys
sys.path.insert(0, ".")
import numpy as np
import theogony
from theogony.envs import load
from theogony.envs.core.batch import Batch
from theogony.envs.core.compile.progress import COMPILING
from theogony.envs.core.position import Position
env = theogony.make("bluff.game", players=3)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    done = terminated or truncated
    env.step(None if done else int(np.flatnonzero(observation["action_mask"])[0]))
game = load("bluff.game").configure({"players": 3})
for opponents in ("random", "greedy", "mcts:4", "plan:2"):
    batch = Batch(game, 4, seed=1, opponents=opponents, seat="random")
    for _ in range(3):
        batch.step(batch.sample())
print(COMPILING.done)
"""


def run(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, "compile", *map(str, arguments)], cwd=TOY, env={**os.environ, **variables},
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip


def test_layouts_are_told_apart_by_what_is_compiled() -> None:
    spec = load("push_of_faith")
    assert layouts(spec) == [{}, {"players": 3}, {"players": 4}, {"players": 5}]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "name games, or give --all"),
        (["push_of_faith", "--all"], 2, "name games, or give --all"),
        (["chess"], 1, "there is no game 'chess'"),
        (["push_of_faith", "--into", "x", "--baseline", "pdp-11"], 1, "baseline 'pdp-11': expected one of x86-64-v3"),
    ],
)
def test_mistakes_are_one_line(arguments: list[str], code: int, message: str) -> None:
    done = run(*arguments)
    assert done.returncode == code, done.stderr
    assert message in done.stderr and "Traceback" not in done.stderr


@needs_compiler
@pytest.mark.slow
def test_what_a_wheel_carries_is_all_that_users_meet(tmp_path: Path) -> None:
    done = run("bluff.game", "--into", tmp_path / "compiled", "--baseline", BASELINE, "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert f"MB for {BASELINE}" in done.stdout
    manifest = json.loads((tmp_path / "compiled" / prebuilt.MANIFEST).read_text())
    assert {path.name for path in (tmp_path / "compiled").iterdir()} == {*manifest["files"], prebuilt.MANIFEST}
    where = {"THEOGONY_PREBUILT": str(tmp_path / "compiled"), "THEOGONY_CACHE_DIR": str(tmp_path / "cache")}
    played = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=TOY, env={**os.environ, **where}, capture_output=True, text=True
    )
    assert played.stdout == "0\n", played.stderr
    assert not (tmp_path / "cache").exists()
