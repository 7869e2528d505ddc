"""Where a library is missing or too old, one line says which extra brings it."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from theogony.console import extras
from theogony.console.extras import EXTRAS, advice, install

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
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
            "jax is not installed: ",
        ),
        (ModuleNotFoundError("No module named 'torch'", name="torch"), "torch is not installed: "),
        (ImportError("cannot import name 'X' from 'mcp'", name="mcp"), "mcp is too old or broken: cannot import name"),
    ],
)
def test_what_is_said(error: ImportError, said: str) -> None:
    assert advice(error).startswith(said)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("blocked", "arguments", "said"),
    [
        ("mcp", ["mcp"], f"theogony: mcp is not installed: {install('mcp')} brings it"),
        ("mcp.server.mcpserver", ["mcp"], "theogony: mcp is too old or broken: No module named 'mcp.server.mcpserver'"),
        (
            "huggingface_hub",
            ["pull", "owner/name", "x"],
            f"theogony: huggingface_hub is not installed: {install('hub')}",
        ),
    ],
)
def test_commands_say_it_in_one_line(blocked: str, arguments: list[str], said: str) -> None:
    pytest.importorskip(blocked, reason=f"{blocked} is not installed")
    code = WITHOUT.format(blocked=blocked, arguments=arguments)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.startswith(said) and done.stderr.count("\n") == 1


@pytest.mark.parametrize("inside", [True, False])
def test_a_clone_is_installed_as_the_makefile_does(
    inside: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the constraints, without which pip may fetch another torch of several gigabytes; from any folder."""
    monkeypatch.chdir(ROOT if inside else tmp_path)
    *_, pip, command, c, constraints, e, package = shlex.split(install("train,render"))
    assert (pip, command, c, e) == ("pip", "install", "-c", "-e")
    assert Path(constraints).resolve() == ROOT / "constraints.txt"
    assert Path(package.removesuffix("[train,render]")).resolve() == ROOT
    assert install("rllib") == "make rllib"


@pytest.mark.parametrize("extra", sorted({*EXTRAS.values(), "video"}))
def test_elsewhere_the_libraries_are_named(extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel need not be on any index."""
    monkeypatch.setattr(extras, "ROOT", tmp_path)
    words = shlex.split(install(extra))
    assert words[words.index("install") + 1 :] == PROJECT["optional-dependencies"][extra]


def test_pip_of_another_python_is_not_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    program, *rest = shlex.split(install("play"))
    assert Path(program).resolve() == Path(sys.executable).resolve() and rest[:3] == ["-m", "pip", "install"]


def test_machines_of_a_cluster_have_the_ray_that_is_tested() -> None:
    pinned = re.findall(r"^ray==(.+)$", (ROOT / "constraints-rllib.txt").read_text("utf-8"), re.MULTILINE)
    cluster = yaml.safe_load((ROOT / "deploy/kuberay.yaml").read_text("utf-8"))["spec"]
    assert [cluster["rayVersion"]] == pinned
    machines = [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]
    images = {one["template"]["spec"]["containers"][0]["image"] for one in machines}
    assert images == {"theogony"}, "all machines have the same image"
    for file in ("Dockerfile", "deploy/sky.yaml"):
        text = (ROOT / file).read_text("utf-8")
        [wanted] = re.findall(r'-c (\S+) -e "\.\[(.+)\]"', text)
        assert (ROOT / wanted[0]).is_file() and set(wanted[1].split(",")) <= set(PROJECT["optional-dependencies"])


@pytest.mark.slow
def test_what_the_machines_of_a_cluster_run_is_a_command(tmp_path: Path) -> None:
    """It is tried without the cluster, with few games."""
    run = yaml.safe_load((ROOT / "deploy/sky.yaml").read_text("utf-8"))["run"]
    [line] = re.findall(r"^ *theogony (.+) --cluster auto$", run, re.MULTILINE)
    for long, short in ((",mcts:100", ""), ("400", "2"), ("~/tournament", "tournament")):
        assert long in line
        line = line.replace(long, short)
    subprocess.run([sys.executable, "-m", "theogony", *shlex.split(line)], cwd=tmp_path, check=True)
