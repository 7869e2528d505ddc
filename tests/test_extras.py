"""Where a library is missing or too old, one line says which extra brings it."""

import subprocess
import sys

import pytest

from theogony.console.extras import advice

WITHOUT = """
import sys
from importlib.abc import MetaPathFinder

class Blocked(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocked())
sys.argv = ["theogony", *{arguments!r}]
from theogony.cli import main
main()
"""


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            ModuleNotFoundError("No module named 'jax'", name="jax"),
            "jax is not installed: pip install -U 'theo",
        ),
        (ModuleNotFoundError("No module named 'torch'", name="torch"), "torch is not installed: pip install -U 'theo"),
        (ImportError("cannot import name 'X' from 'mcp'", name="mcp"), "mcp is too old or broken: cannot import name"),
    ],
)
def test_what_is_said(error: ImportError, said: str) -> None:
    assert advice(error).startswith(said)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("blocked", "arguments", "said"),
    [
        ("mcp", ["mcp"], "theogony: mcp is not installed: pip install -U 'theogony[mcp]' brings it"),
        ("mcp.server.mcpserver", ["mcp"], "theogony: mcp is too old or broken: No module named 'mcp.server.mcpserver'"),
        ("huggingface_hub", ["pull", "owner/name", "x"], "theogony: huggingface_hub is not installed: pip install -U"),
    ],
)
def test_commands_say_it_in_one_line(blocked: str, arguments: list[str], said: str) -> None:
    pytest.importorskip(blocked, reason=f"{blocked} is not installed")
    code = WITHOUT.format(blocked=blocked, arguments=arguments)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.startswith(said) and done.stderr.count("\n") == 1
