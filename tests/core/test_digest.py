"""The digest of a rule: whatever decides its code is part of it."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba import types
from numba.extending import intrinsic

from theogony.envs.core.compile.digest import digest
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
BESIDE = ("helpers", "package", "package.part")  # modules that the base imports
HELPERS = "WEIGHT = 1.5\nUNUSED = 1\n"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., ModuleType]]:
    """Imports source text as a module that always bears the same name, with its helper modules."""

    def forget() -> None:
        for name in BESIDE:
            sys.modules.pop(name, None)

    def build(source: str = BASE, helpers: str = HELPERS, part: str = "NAME = 2\n") -> ModuleType:
        folder = tmp_path / str(next(number))
        (folder / "package").mkdir(parents=True)
        for name, text in (("helpers", helpers), ("package/__init__", ""), ("package/part", part)):
            (folder / f"{name}.py").write_text(text)
        (folder / "game.py").write_text(source)
        forget()
        monkeypatch.syspath_prepend(folder)
        spec = importlib.util.spec_from_file_location("game", folder / "game.py")
        assert spec is not None and spec.loader is not None
        built = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(built)
        return built

    yield build
    forget()


def changed(old: str, new: str) -> str:
    assert old in BASE
    return BASE.replace(old, new)


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
