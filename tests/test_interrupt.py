"""Ctrl-C: exit code 130 (of SIGTERM 143) and one line that says how to go on, whatever the command is just doing."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

COMMAND = Path(sys.executable).with_name("theogony")
SLEEPERS = """
import time
import numpy as np

class Slow:
    def __init__(self, game):
        open("ready", "a").close()
    def act(self, views, rng):
        time.sleep(0.01)
        return views.masks.argmax(axis=1)

class Slower(Slow):
    pass
"""
GAME = """
import dataclasses
import time
from theogony.envs.push_of_faith.game import SPEC as BASE

def components(options):
    open("ready", "a").close()
    return BASE.components(options)

def recordings(path, lines):
    open("ready", "a").close()
    time.sleep(300)

SPEC = dataclasses.replace(BASE, module="waiting", components=components)
"""
IMPORTED_LONG = """
import dataclasses, os, sys, time
from theogony.envs.push_of_faith.game import SPEC as BASE

SPEC = dataclasses.replace(BASE, module="imported_long")
if "--multiprocessing-fork" in sys.orig_argv:
    with open(f"worker-{os.getpid()}", "w"):
        time.sleep(300)
"""
PROGRESS = re.compile(r"\w+: .* s\b|benchmark \w+: .* of a processor")  # said every half minute; the cost
pytestmark = pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="looks at /proc")


def stop(
    arguments: list[str], folder: Path, when: Callable[[int], bool], group: bool = False, number: int = signal.SIGINT
) -> str:
    """Run a command, stop it when something has come, and return the one line that it says."""
    process = subprocess.Popen(
        [COMMAND, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, preexec_fn=heeding,
    )  # fmt: skip
    deadline = time.monotonic() + 300
    while not when(process.pid):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    if group:  # as a terminal does, to all processes of the command
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + number, said
    lines = [line for line in said.splitlines() if "compiling rules" not in line and not PROGRESS.match(line)]
    assert len(lines) == 1, said
    assert lines[0].startswith("theogony: stopped; ")
    return lines[0]


def heeding() -> None:
    """Not to ignore Ctrl-C, as a process does that was started in the background of a script."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def loaded(library: str) -> Callable[[int], bool]:
    """Whether a process has loaded a library: it is in the middle of its imports."""
    return lambda process: library in Path(f"/proc/{process}/maps").read_text()


def exists(path: Path) -> Callable[[int], bool]:
    return lambda process: path.exists()


@pytest.mark.slow
@pytest.mark.parametrize("library", ["_multiarray_umath", "libtorch"])
def test_during_the_imports(tmp_path: Path, library: str) -> None:
    (tmp_path / "tiny.yaml").write_text("game: push_of_faith\nalgorithm: {total_steps: 100000000}\n")
    assert "nothing was kept, give the command again" in stop(["train", "tiny.yaml"], tmp_path, loaded(library))
    assert not (tmp_path / "runs").exists()


@pytest.mark.slow
def test_training_says_how_to_go_on(tmp_path: Path) -> None:
    config = {"game": "push_of_faith", "algorithm": {"total_steps": 10**8, "n_steps": 8, "batch_size": 64}}
    (tmp_path / "tiny.yaml").write_text(yaml.safe_dump({**config, "environment": {"num_envs": 8}}))
    said = stop(["train", "tiny.yaml"], tmp_path, exists(tmp_path / "runs" / "tiny" / "checkpoints" / "LATEST"))
    assert said == "theogony: stopped; go on with: theogony train --resume runs/tiny"


@pytest.mark.slow
@pytest.mark.parametrize("group", [False, True])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_tournament_and_its_workers(tmp_path: Path, workers: str, group: bool) -> None:
    (tmp_path / "sleepers.py").write_text(SLEEPERS)
    command = ["tournament", "push_of_faith", "--players", "sleepers:Slow,sleepers:Slower", "--workers", workers]
    said = stop([*command, "--folder", "games"], tmp_path, exists(tmp_path / "games" / "games.jsonl"), group)
    assert said == "theogony: stopped; the games are in games; go on with the same command"
    (tmp_path / "ready").unlink()
    assert re.search(r"the games are lost", stop(command, tmp_path, exists(tmp_path / "ready"), group))


@pytest.mark.slow
def test_workers_end_with_a_tournament_that_is_killed(tmp_path: Path) -> None:
    """Also while they are still importing what they are to play."""
    (tmp_path / "imported_long.py").write_text(IMPORTED_LONG)
    command = [COMMAND, "tournament", "imported_long:SPEC", "--players", "random,greedy", "--workers", "2"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: len(list(tmp_path.glob("worker-*"))) == 2 or process.poll() is not None, 120)
    finally:
        process.kill()
        process.wait()
    workers = [int(path.name.partition("-")[2]) for path in tmp_path.glob("worker-*")]
    assert len(workers) == 2
    try:
        wait_for(lambda: not any(map(runs, workers)), 30)
    finally:
        for worker in filter(runs, workers):
            os.kill(worker, signal.SIGKILL)


def runs(process: int) -> bool:
    """Whether a process is there and does something; one that has ended may wait to be asked how."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(condition: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "waiting:SPEC", "game.jsonl"],
        ["evaluate", "sleepers:Slow", "--game", "push_of_faith", "--games", "1000000"],
        pytest.param(["check", "waiting:SPEC", "--games", "1000000"], marks=pytest.mark.slow),
        pytest.param(["bench", "waiting:SPEC", "--seconds", "1000"], marks=pytest.mark.slow),
    ],
    ids=lambda arguments: arguments[0],
)
def test_what_keeps_nothing_says_so(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "sleepers.py").write_text(SLEEPERS)
    (tmp_path / "waiting.py").write_text(GAME)
    (tmp_path / "game.jsonl").write_text("{}\n")
    said = stop(arguments, tmp_path, exists(tmp_path / "ready"))
    assert said == "theogony: stopped; nothing was kept, give the command again"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_program_that_learns_ends_with_the_benchmark(tmp_path: Path, number: int) -> None:
    """Stopped either way, `theogony benchmark run` leaves nothing running. The program writes into its own folder: it
    sees no other, and its number in its room is not that outside."""
    source = "import sys, time\nopen(sys.argv[sys.argv.index('--out') + 1] + '/ready', 'w').close()\ntime.sleep(300)\n"
    (tmp_path / "learner.py").write_text(source)
    command = ["benchmark", "run", "quick", "--agent", "learner.py", "--track", "200k", "--out", "learner.json"]
    said = stop(command, tmp_path, lambda process: any(tmp_path.rglob("ready")), number=number)
    assert said == "theogony: stopped; go on with the same command"
    assert not running(tmp_path / "learner.py")


def running(program: Path) -> list[str]:
    """The command lines of processes that run a program."""
    lines = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it may have ended
            lines.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return [line for line in lines if str(program) in line]
