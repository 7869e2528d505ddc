"""The cache of compiled rules: whatever decides the code is part of the key, and no accident does harm."""

import grp
import importlib.util
import os
import pwd
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numba import types
from numba.extending import intrinsic

from theogony.envs.core import cache_files
from theogony.envs.core.cache_files import distrust
from theogony.envs.core.digest import digest
from theogony.envs.core.jit import INTERPRETED, rule

pytestmark = pytest.mark.skipif(INTERPRETED, reason="rules are not compiled")
number = count()

BASE = """
import numpy as np
from theogony.envs.core.jit import rule
import helpers
import package.part

LIMIT = 3
TABLE = np.array([1, 2, 3])
PAIR = (1, (2, 0.5))

@rule
def leaf(x):
    '''A rule that others call.'''
    return x + LIMIT

@rule
def middle(x, y=2):
    return leaf(x) * y + TABLE[0] + PAIR[0]

def make(inner, k):
    @rule
    def kernel(x):
        return inner(x) - k + helpers.WEIGHT + package.part.NAME
    return kernel

top = make(middle, 4)
"""
HELPERS = "WEIGHT = 1.5\nUNUSED = 1\n"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModuleType]:
    """Imports source text as a module that always bears the same name, with its helper modules."""

    def build(source: str = BASE, helpers: str = HELPERS, part: str = "NAME = 2\n") -> ModuleType:
        folder = tmp_path / str(next(number))
        (folder / "package").mkdir(parents=True)
        for name, text in (("helpers", helpers), ("package/__init__", ""), ("package/part", part)):
            (folder / f"{name}.py").write_text(text)
        (folder / "game.py").write_text(source)
        for name in ("helpers", "package", "package.part"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.syspath_prepend(folder)
        spec = importlib.util.spec_from_file_location("game", folder / "game.py")
        assert spec is not None and spec.loader is not None
        built = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(built)
        return built

    return build


def changed(old: str, new: str) -> str:
    assert old in BASE
    return BASE.replace(old, new)


# ---------------------------------------------------------------------------------------------------- the digest


def test_same_source_has_the_same_digest(module) -> None:
    assert digest(module().top) == digest(module().top)


@pytest.mark.parametrize(
    "source",
    [
        BASE.replace("\n@rule", "\n\n# a comment\n\n@rule"),
        changed("\nLIMIT = 3", "\n\n\n\nLIMIT = 3"),
        changed("LIMIT = 3", "LIMIT = 3\nOTHER = 4"),
    ],
)
def test_moved_lines_and_unused_names_decide_nothing(module, source: str) -> None:
    assert digest(module(source).top) == digest(module().top)


@pytest.mark.parametrize(
    "source",
    [
        changed("x + LIMIT", "x - LIMIT"),  # a called rule
        changed("LIMIT = 3", "LIMIT = 4"),  # a constant of a called rule
        changed("LIMIT = 3", "LIMIT = 3.0"),  # its type alone
        changed("LIMIT = 3", "LIMIT = np.int8(3)"),
        changed("[1, 2, 3]", "[1, 2, 4]"),  # content of an array
        changed("TABLE = np.array([1, 2, 3])", "TABLE = np.array([1, 2, 3], np.int16)"),
        changed("PAIR = (1, (2, 0.5))", "PAIR = (1, (2, 0.25))"),
        changed("y=2", "y=3"),  # a default
        changed("make(middle, 4)", "make(middle, 5)"),  # a closure cell
        changed("make(middle, 4)", "make(leaf, 4)"),  # another rule in a closure cell
        changed("leaf(x) * y", "leaf(x) * y * 2"),
    ],
)
def test_every_edit_is_noticed(module, source: str) -> None:
    assert digest(module(source).top) != digest(module().top)


def test_attributes_of_modules_are_noticed(module) -> None:
    before = digest(module().top)
    assert digest(module(helpers=HELPERS.replace("1.5", "2.5")).top) != before
    assert digest(module(part="NAME = 3\n").top) != before
    assert digest(module(helpers=HELPERS.replace("UNUSED = 1", "UNUSED = []")).top) == before


def test_long_arrays_are_read_to_their_end() -> None:
    def build(last: int) -> Any:
        table = np.arange(5_000)
        table[2_500] = last

        @rule
        def look(k, table_2=table):
            return table[k] + table_2[k]

        return look

    assert digest(build(1)) == digest(build(1))
    assert digest(build(1)) != digest(build(2))


def test_rules_of_one_factory_differ_by_what_they_close_over(module) -> None:
    game = module()
    assert digest(game.make(game.leaf, 4)) != digest(game.make(game.middle, 4))
    assert digest(game.make(game.leaf, 4)) == digest(game.make(game.leaf, 4))


def test_an_attribute_is_not_mistaken_for_a_global() -> None:
    """`size` below is a list among the globals, but the rule only asks for an array's attribute of that name."""
    names = {"rule": rule, "size": []}
    exec("@rule\ndef measure(array):\n    return array.size\n", names)
    assert len(digest(names["measure"])) == 32  # pyright: ignore[reportArgumentType]


def test_code_of_intrinsics_is_noticed() -> None:
    def build(source: str):
        names: dict = {"rule": rule, "intrinsic": intrinsic, "types": types}
        body = f"    def emit(context, builder, sig, args):\n        return {source}\n    return types.int64(x), emit\n"
        exec(f"@intrinsic\ndef twist(typing, x):\n{body}@rule\ndef use(x):\n    return twist(x)\n", names)
        return names["use"]

    assert digest(build("args[0]")) == digest(build("args[0]")) != digest(build("builder.neg(args[0])"))


@pytest.mark.parametrize("value", ["[1, 2]", "{1: 2}", "{1, 2}", "object()", "lambda x: x", "np.array([None])"])
def test_what_is_no_constant_is_refused(value: str) -> None:
    names = {"rule": rule, "np": np}
    with pytest.raises(TypeError, match=r"rule look names a \w+ .* which is not a constant: use numbers"):
        exec(f"THING = {value}\n@rule\ndef look(x):\n    return THING, x\n", names)


def test_what_is_no_constant_is_refused_with_its_line(tmp_path: Path) -> None:
    source = (
        "from theogony.envs.core.jit import rule\nTHING = [1]\n\n\n@rule\ndef look(x):\n    x += 1\n    return THING\n"
    )
    (file := tmp_path / "looking.py").write_text(source)
    with pytest.raises(ValueError, match=f"^{re.escape(str(file))}:8: return THING: rule look names a list"):
        exec(compile(source, str(file), "exec"), {"__name__": "looking"})


def test_rules_in_a_cycle_are_refused() -> None:
    names: dict = {"rule": rule}
    exec("@rule\ndef ping(x):\n    return pong(x - 1)\n@rule\ndef pong(x):\n    return ping(x) if x else 0\n", names)
    with pytest.raises(TypeError, match="call each other in a cycle, which is not supported: ping -> pong -> ping"):
        names["ping"](3)


def test_a_rule_may_call_itself() -> None:
    names: dict = {"rule": rule}
    exec("@rule\ndef fall(x):\n    return 1 if x < 2 else x * fall(x - 1)\n", names)
    assert names["fall"](5) == 120


# ---------------------------------------------------------------------------------------------------- the files

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


def test_a_warm_process_compiles_nothing(play: Play) -> None:
    cold = play(GAME)
    assert cold.stdout.startswith("31 ['leaf', 'other', 'top']")
    assert cold.stderr.count("compiling rules") == 1
    assert str(play.cache) in cold.stderr
    warm = play(GAME)
    assert (warm.stdout, warm.stderr) == ("31 [] True\n", "")
    assert len(play.files()) == 3
    assert play.cache.stat().st_mode & 0o077 == 0


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
from theogony.envs.core.cache_files import cache_folder
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


def test_rules_are_compiled_once_for_all_signed_integers() -> None:
    names: dict = {"rule": rule, "np": np}
    exec("@rule\ndef leaf(x, y=1):\n    return 100 * x + y\n", names)
    exec("@rule\ndef top(a):\n    return leaf(a[0]) + leaf(np.int16(a[1]), a[0]) + leaf(3) + leaf(2.0)\n", names)
    assert names["top"](np.array([120, 7], np.int8)) == 12_001 + 820 + 301 + 201
    template = names["leaf"].get_call_template((types.int8,), {})[0]
    assert {str(case.args) for case in template.cases} == {"(int64, int64)", "(float64, int64)"}


def test_windows_tells_neither_owners_nor_rights(monkeypatch: pytest.MonkeyPatch) -> None:
    """There `os.stat` makes every file writable to all, and belong to nobody."""
    status = SimpleNamespace(st_uid=0, st_mode=0o100666, st_gid=0)
    assert distrust(status) == "others may write to it"
    monkeypatch.delattr("os.geteuid")
    assert distrust(status) == ""
