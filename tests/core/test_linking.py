"""How compiled rules are put together: parts are copied into their callers, what is apart is compiled once."""

import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from llvmlite.binding import Linkage

from theogony.envs.core.compile.digest import digest
from theogony.envs.core.compile.linking import Part, Whole
from theogony.envs.core.jit import INTERPRETED, apart, rule

pytestmark = pytest.mark.skipif(INTERPRETED, reason="rules are not compiled")

RULES = """
@rule
def deep(x):
    return x * 3

@rule
def one(x):
    return deep(x) + 1

@rule
def two(x):
    return deep(x) + 2
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an earlier run compiled would be read, and its parts not made."""
    monkeypatch.setenv("THEOGONY_CACHE_DIR", str(tmp_path / "rules"))


def made(source: str = "", large: tuple[str, ...] = ()) -> dict[str, Any]:
    """Names of rules; those in `large` are kept apart before any other calls them."""
    names: dict[str, Any] = {"rule": rule, "np": np, "NamedTuple": NamedTuple, "__name__": __name__}
    exec(RULES, names)
    for name in large:
        apart(names[name])
    exec(source, names)
    return names


def library(compiled: Any) -> Any:
    return next(iter(compiled.overloads.values())).library


def test_parts_are_never_machine_code() -> None:
    names = made("@rule\ndef top(x):\n    return one(x) + two(x)\n")
    assert names["top"](4) == 27
    assert isinstance(library(names["top"]), Whole)
    for part in ("one", "two", "deep"):
        assert isinstance(library(names[part].within), Part)
        assert not names[part].overloads


@pytest.mark.parametrize("first", ["one", "two"])
def test_a_call_that_the_optimizer_removes_takes_nothing_along(first: str) -> None:
    """`x != x` is never true of an integer. What the removed call would have needed, another call does need."""
    second = {"one": "two", "two": "one"}[first]
    names = made(f"@rule\ndef top(x):\n    return {first}(x) if x != x else {second}(x) + {len(first + second)}\n")
    assert names["top"](4) == 12 + {"one": 1, "two": 2}[second] + 6


def test_what_is_apart_is_called_and_not_copied() -> None:
    names = made("@rule\ndef top(x):\n    return one(x) + two(x)\n@rule\ndef other(x):\n    return one(x)\n", ("one",))
    assert (names["top"](4), names["other"](5)) == (27, 16)
    shared = library(names["one"].within)
    assert isinstance(shared, Whole)
    assert library(names["top"]).needs == library(names["other"]).needs == [shared]
    defined = {f.name for f in library(names["top"])._final_module.functions if not f.is_declaration}
    assert not defined & set(shared.symbols)


@pytest.mark.slow
def test_what_is_copied_and_not_inlined_loses_arguments_that_it_does_not_read() -> None:
    """A tuple of arrays is dozens of arguments in machine code, each stored and read again at every call."""
    lines = "".join(f"    total = total * {k} + np.sin(total - {k}) * b.first[k % {k + 2}]\n" for k in range(1, 60))
    names = made(f"""
Two = NamedTuple("Two", [("first", np.ndarray), ("second", np.ndarray)])

@rule
def large(b, k):
    total = 1.0
{lines}    return total

@rule
def top(b, k):
    return large(b, k) + large(b, k + 1) + large(b, k + 2)
""")
    names["top"](names["Two"](np.zeros(99), np.zeros(99)), 1)
    found = {f.name: f for f in library(names["top"])._final_module.functions if not f.is_declaration}
    copied = next(f for name, f in found.items() if "5large" in name)
    assert copied.linkage == Linkage.internal
    assert len(list(copied.arguments)) < 8 < len(list(found[library(names["top"]).symbols[0]].arguments))


def test_apart_is_part_of_the_digest() -> None:
    top = "@rule\ndef top(x):\n    return one(x)\n"
    assert digest(made(top)["top"]) != digest(made(top, ("one",))["top"])


@pytest.mark.parametrize("large", [(), ("one",), ("one", "deep")])
def test_plain_numba_may_call_rules(large: tuple[str, ...]) -> None:
    names = made(large=large)
    one, two = names["one"], names["two"]

    @numba.njit
    def plain(x):
        return one(x) + two(x)

    assert plain(4) == 27


CACHED = """
import sys
import numba
from theogony.envs.core.jit import apart, rule
@rule
def one(x):
    return x + 1
apart(one)
@rule
def two(x):
    return one(x) * 2
@numba.njit(cache=True)
def plain(x):
    return two(x)
if __name__ == "__main__":
    print(plain(4), two(5))
"""


@pytest.mark.slow
def test_code_of_others_that_calls_what_is_apart_is_not_kept_by_numba(tmp_path: Path) -> None:
    """Numba would read it back without what it calls."""
    (tmp_path / "cached.py").write_text(CACHED)
    for _ in range(2):
        done = subprocess.run([sys.executable, "cached.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.stdout == "10 12\n", done.stderr
        assert "dynamic globals" in done.stderr
