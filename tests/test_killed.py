"""Commands that are killed (kill -9) at any moment of what they do with files, and given again."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import commands
import pytest
from scripted import serving

pytestmark = pytest.mark.slow
KILLS, LAST = 4, 8  # of each command: at moments that are drawn, and at the last ones, where results are written
PLAYERS = """
import time

class First:
    def __init__(self, game):
        pass
    def act(self, views, rng):
        return views.masks.argmax(1)

class Waiting(First):
    def __init__(self, game):
        open("ready", "a").close()
        time.sleep(300)
"""
# What is given, the results, and who else could play.
COMMANDS = {
    "models": (
        "models push_of_faith --model ENDPOINT --against random --games 2 --out a.json --allow-modules",
        "a.json",
        "random",
    ),
    "benchmark": (
        "benchmark run quick --only push_of_faith-2p-small-v1 --deals 1 --workers 1 --agent own:First --allow-modules "
        "--out new/a.json.gz",
        "new/a.json.gz",
        "own:First",
    ),
    "tournament": (
        "tournament push_of_faith --players own:First,random --games 2 --workers 1 --allow-modules --pages 1 "
        "--folder new/run --records new/records --json a.json",
        "a.json",
        "random",
    ),
}


class Commands:
    """Where commands are given: see `soak/commands.py`."""

    def __init__(self, tmp_path: Path, text: str) -> None:
        self.tmp_path, self.arguments = tmp_path, text.split()
        self._process = subprocess.Popen(
            [sys.executable, commands.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.run("compiling", None)[0] == 0

    def run(self, name: str, kill_at: int | None = 0) -> tuple[int, int]:
        """Give the command in a folder. Returns its exit code and its moments."""
        folder = self.tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "own.py").write_text(PLAYERS)
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps([str(folder), kill_at, self.arguments]), file=self._process.stdin, flush=True)
        return tuple(json.loads(self._process.stdout.readline()))

    def end(self) -> None:
        self._process.communicate()


def left(folder: Path) -> list[str]:
    """Files of work under way, and empty folders."""
    paths = folder.rglob("*")
    empty = [path for path in paths if path.is_dir() and not any(path.iterdir())]
    return [str(path) for ending in ("partial", "tmp") for path in folder.rglob(f"*.{ending}")] + list(map(str, empty))


def files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if "__pycache__" not in path.parts}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_command_leaves_nothing_behind_its_results(name: str, tmp_path: Path) -> None:
    text, results, _ = COMMANDS[name]
    with serving() as endpoint:
        given = Commands(tmp_path, text.replace("ENDPOINT", endpoint.address("first")))
        code, count = given.run("whole")
        assert code == 0 and not left(tmp_path / "whole")
        drawn = random.Random(0).sample(range(1, count - LAST), KILLS)
        for at in (*drawn, *range(count - LAST, count + 1)):
            folder = tmp_path / f"killed-{at}"
            assert given.run(folder.name, at)[0] == -signal.SIGKILL
            assert not (folder / results).exists() or not list(folder.rglob("*.partial")), "both are there"
            assert given.run(folder.name)[0] == 0 and not left(folder)
            assert files(folder) == files(tmp_path / "whole")
        given.end()


@pytest.mark.parametrize("name", COMMANDS)
def test_no_folder_is_made_before_there_is_anything_for_it(name: str, tmp_path: Path) -> None:
    """Killed while players are made, which may take as long as compiling their rules."""
    text, _, other = COMMANDS[name]
    (tmp_path / "own.py").write_text(PLAYERS)
    words = text.replace("ENDPOINT", "own:First").replace(other, "own:Waiting").split()
    process = subprocess.Popen([Path(sys.executable).with_name("theogony"), *words], cwd=tmp_path)
    deadline = time.monotonic() + 120
    while not (tmp_path / "ready").exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert not left(tmp_path)
    if name != "tournament":  # its folders hold what it is of by now
        assert not [path for path in tmp_path.iterdir() if path.is_dir() and path.name != "__pycache__"]
