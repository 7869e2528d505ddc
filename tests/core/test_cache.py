"""The cache of compiled rules: a warm process compiles nothing, and no accident does harm."""

import grp
import os
import pwd
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest

from theogony.envs.core.compile import cache_files
from theogony.envs.core.compile.cache_files import distrust
from theogony.envs.core.jit import INTERPRETED

pytestmark = pytest.mark.skipif(INTERPRETED, reason="rules are not compiled")

PROGRAM = """
import sys, time
sys.path.insert(0, sys.argv[1])
import numba.core.event as event
compiled = []
class Listen(event.Listener):
    def on_start(self, e): compiled.append(e.data["dispatcher"].py_func.__name__)
    def on_end(self, e): pass
import game
import numpy as np
with event.install_listener("numba:compile", Listen()):
    started = time.process_time()
    result = game.top(10)
print(result, sorted(compiled), time.process_time() - started < 1.0)
"""
GAME = """
from theogony.envs.core.jit import rule
import numpy as np

@rule
def leaf(x):
    return x + 1

@rule
def other(x):
    return x * 2

@rule
def top(x):
    return leaf(x) + other(x)
"""
LOOK = """
from theogony.envs.core.jit import rule
import numpy as np

@rule
def look(array, k):
    return array[k]

def top(x):
    return look(np.zeros(3), x) * 0
"""


class Play:
    """Runs a program over a game in a fresh process, with a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.cache, self.folder = folder / "cache", folder
        (folder / "program.py").write_text(PROGRAM)

    def command(self, source: str, where: str = "game") -> list[str]:
        (self.folder / where).mkdir(exist_ok=True)
        (self.folder / where / "game.py").write_text(textwrap.dedent(source))
        return [sys.executable, str(self.folder / "program.py"), str(self.folder / where)]

    def environment(self, **variables: str) -> dict[str, str]:
        return {**os.environ, "THEOGONY_CACHE_DIR": str(self.cache), "PYTHONDONTWRITEBYTECODE": "1", **variables}

    def __call__(self, source: str, where: str = "game", **variables: str) -> subprocess.CompletedProcess[str]:
        command = self.command(source, where)
        return subprocess.run(
            command, env=self.environment(**variables), capture_output=True, text=True, check=False, timeout=120
        )

    def files(self) -> list[Path]:
        return sorted(self.cache.iterdir())


@pytest.fixture
def play(tmp_path: Path) -> Play:
    return Play(tmp_path)


@pytest.mark.slow
def test_a_warm_process_compiles_nothing(play: Play) -> None:
    cold = play(GAME)
    assert cold.stdout.startswith("31 ['leaf', 'other', 'top']")
    assert cold.stderr.count("compiling rules") == 1
    assert str(play.cache) in cold.stderr
    warm = play(GAME)
    assert (warm.stdout, warm.stderr) == ("31 [] True\n", "")
    assert len(play.files()) == 3
    assert play.cache.stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_an_edit_recompiles_what_calls_it_and_no_more(play: Play) -> None:
    play(GAME)
    edited = play(GAME.replace("x + 1", "x + 2"))
    assert edited.stdout.startswith("32 ['leaf', 'top']")
    assert play(GAME).stdout == "31 [] True\n"  # and the old code is still there


@pytest.mark.slow
def test_games_with_equal_names_share_nothing(play: Play) -> None:
    for _ in range(2):
        assert play(GAME, "a").stdout.startswith("31 ")
        assert play(GAME.replace("x * 2", "x * 3"), "b").stdout.startswith("41 ")


@pytest.mark.slow
def test_bounds_checking_is_part_of_the_key(play: Play) -> None:
    source = LOOK.replace("look(np.zeros(3), x) * 0", "look(np.zeros(3), x - 10) * 0")
    assert play(source).stdout.startswith("0.0 ['look']")
    outside = source.replace("x - 10", "x + 90_000 - 90_000")
    assert "index is out of bounds" in play(outside, NUMBA_BOUNDSCHECK="1").stderr
    assert play(source, NUMBA_BOUNDSCHECK="1").stdout == "0.0 [] True\n"
    assert play(source).stdout == "0.0 [] True\n"
    assert len(play.files()) == 2


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"", b"x", b"\0" * 500])
def test_a_damaged_file_is_written_anew(play: Play, damage: bytes) -> None:
    play(GAME)
    whole = play.files()
    contents = [path.read_bytes() for path in whole]
    for path, content in zip(whole, contents, strict=True):
        path.write_bytes(damage if len(damage) != 1 else content[:-1])
    assert play(GAME).stdout.startswith("31 ['leaf', 'other', 'top']")
    assert play(GAME).stdout == "31 [] True\n"


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_costs_one_warning(play: Play) -> None:
    play.cache.write_text("a file, not a folder")
    for _ in range(2):
        done = play(GAME)
        assert done.stdout.startswith("31 ['leaf', 'other', 'top']")
        assert done.returncode == 0
        assert done.stderr.count("RuntimeWarning: compiled rules cannot be kept in") == 1
        assert str(play.cache) in done.stderr


@pytest.mark.slow
def test_without_a_home_nothing_is_kept() -> None:
    program = """
import os
os.environ.pop("THEOGONY_CACHE_DIR", None), os.environ.pop("XDG_CACHE_HOME", None), os.environ.pop("HOME", None)
os.getuid = lambda: 2**31 - 5
from theogony.envs.core.compile.cache_files import cache_folder
from theogony.envs.core.jit import rule
@rule
def double(x):
    return 2 * x
print(double(4), cache_folder())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout == f"8 {os.devnull}/.cache/theogony\n", done.stderr
    assert done.stderr.count("RuntimeWarning") == 1


@pytest.mark.slow
def test_a_folder_that_others_may_write_to_is_not_used(play: Play) -> None:
    play(GAME)
    play.cache.chmod(0o777)
    before = {path.name: path.stat().st_mtime_ns for path in play.files()}
    for _ in range(2):
        done = play(GAME.replace("x + 1", "x + 2"))
        assert done.stdout.startswith("32 ['leaf', 'other', 'top']")
        assert done.stderr.count("RuntimeWarning: compiled rules in ") == 1
        assert f"{play.cache} are not used, since others may write to it" in done.stderr
    assert {path.name: path.stat().st_mtime_ns for path in play.files()} == before
    play.cache.chmod(0o700)
    assert play(GAME).stdout == "31 [] True\n"


@pytest.mark.slow
def test_a_file_that_others_may_write_to_is_not_used(play: Play) -> None:
    play(GAME)
    for path in play.files():
        path.chmod(0o666)
    assert play(GAME).stdout.startswith("31 ['leaf', 'other', 'top']")
    assert play(GAME).stdout == "31 [] True\n"  # written anew


def test_only_ones_own_files_and_those_of_root_are_trusted() -> None:
    own, nobodys = os.geteuid(), 2**31 - 7  # a group that nobody knows
    cases = {(own, 0o700): "", (0, 0o755): "", (own + 1, 0o700): "it belongs to another user"}
    cases |= {(own, mode): "others may write to it" for mode in (0o720, 0o770, 0o702, 0o777)}
    cases |= {(0, 0o1777): "others may write to it"}
    for (owner, mode), reason in cases.items():
        assert distrust(SimpleNamespace(st_uid=owner, st_mode=mode, st_gid=nobodys)) == reason


def test_a_group_of_ones_own_is_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many systems give everybody a group, and let it write to new files; it may have other members all the same."""
    user = pwd.getpwuid(os.geteuid())
    status = SimpleNamespace(st_uid=os.geteuid(), st_mode=0o775, st_gid=user.pw_gid)
    groups = {
        "": SimpleNamespace(gr_name=user.pw_name, gr_mem=[]),
        "others may write to it": SimpleNamespace(gr_name=user.pw_name, gr_mem=["somebody"]),
    }
    for reason, group in groups.items():
        monkeypatch.setattr(grp, "getgrgid", lambda number, group=group: group)
        cache_files._private.cache_clear()
        assert distrust(status) == reason
    status.st_mode = 0o777
    assert distrust(status) == "others may write to it"
    cache_files._private.cache_clear()


@pytest.mark.slow
def test_processes_at_once(play: Play) -> None:
    command = play.command(GAME)
    together = [
        subprocess.Popen(command, env=play.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in together:
        out, err = process.communicate(timeout=120)
        assert out.startswith("31 "), err
    assert len(play.files()) == 3
    assert play(GAME).stdout == "31 [] True\n"


@pytest.mark.slow
def test_only_own_files_are_pruned(play: Play) -> None:
    play(GAME)
    old, foreign = play.files()[0], play.cache / "letters.txt"
    foreign.write_text("not ours")
    unfinished = play.cache / f"{old.name}.abc.tmp"
    unfinished.write_text("cut off")
    for path in (old, foreign, unfinished):
        os.utime(path, (1e9, 1e9))
    play(GAME.replace("x + 1", "x + 2"))
    left = {path.name for path in play.files()}
    assert old.name not in left and unfinished.name not in left
    assert foreign.name in left


def test_windows_tells_neither_owners_nor_rights(monkeypatch: pytest.MonkeyPatch) -> None:
    """There `os.stat` makes every file writable to all, and belong to nobody."""
    status = SimpleNamespace(st_uid=0, st_mode=0o100666, st_gid=0)
    assert distrust(status) == "others may write to it"
    monkeypatch.delattr("os.geteuid")
    assert distrust(status) == ""
