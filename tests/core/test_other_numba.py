"""Where Numba's internals are not those that `sparing.py` knows, games play on its public API, and one line says so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from theogony.envs.core.jit import INTERPRETED

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

PLAY = """
import sys
import numba
from numba.core import codegen, itanium_mangler

before = itanium_mangler.mangle
{change}
sys.path.insert(0, {toys!r})
import theogony
from theogony.envs.core import jit

env = theogony.make("tictactoe:SPEC")
env.reset(seed=3)
for agent in env.agent_iter():
    observation, _, terminated, truncated, _ = env.last()
    env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
print(jit.SPARING is None, env.position.key().hex(), env.state().tobytes().hex())
"""
AS_IT_IS = ""
NEWER = "numba.__version__ = '0.998.0'"
WITHOUT = "del codegen.JITCodeLibrary"
OTHER = f"""{NEWER}
itanium_mangler.mangle = lambda name, types, *, abi_tags, uid: before(name, types, abi_tags=abi_tags, uid=uid)
"""


def play(change: str, folder: Path) -> tuple[bool, list[str], str]:
    """Whether a game was played by Numba's public API alone, what was played, and what was said."""
    code = PLAY.format(change=change, toys=str(Path(__file__).parents[1] / "toy"))
    variables = {**os.environ, "THEOGONY_CACHE_DIR": str(folder), "THEOGONY_PREBUILT": ""}
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    public, *played = done.stdout.split()
    return public == "True", played, done.stderr


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    public, played, said = play(AS_IT_IS, tmp_path_factory.mktemp("cache"))
    assert not public and "internals" not in said
    return played


@pytest.mark.slow
@pytest.mark.parametrize(("change", "reason"), [(WITHOUT, "ImportError"), (OTHER, "TypeError")])
def test_other_internals_are_done_without(usual: list[str], change: str, reason: str, tmp_path: Path) -> None:
    public, played, said = play(change, tmp_path)
    assert public and played == usual
    assert said.count("has other internals than Numba") == 1 and f"({reason}: " in said
    assert "rules are compiled by its public API" in said


@pytest.mark.slow
def test_a_newer_numba_with_the_same_internals_is_used_as_ever(usual: list[str], tmp_path: Path) -> None:
    public, played, said = play(NEWER, tmp_path)
    assert not public and played == usual and "internals" not in said
    assert any(tmp_path.iterdir()), "rules are kept"


@pytest.mark.slow
def test_nothing_can_be_compiled_in_advance(tmp_path: Path) -> None:
    code = (
        f"import sys\nfrom numba.core import codegen\n{WITHOUT}\nsys.argv = ['theogony', 'compile', 'push_of_faith']\n"
    )
    code += "import warnings\nwarnings.simplefilter('ignore')\nfrom theogony.cli import main\nmain()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    assert "cannot be kept: expected Numba 0.65 to 0.68" in done.stderr
