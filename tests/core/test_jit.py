"""`@rule`: what it refuses, and how often it compiles."""

import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import types

from theogony.envs.core.jit import INTERPRETED, rule

pytestmark = pytest.mark.skipif(INTERPRETED, reason="rules are not compiled")


@pytest.mark.parametrize("value", ["[1, 2]", "{1: 2}", "{1, 2}", "object()", "np.array([None])"])
def test_what_is_no_constant_is_refused(value: str) -> None:
    names = {"rule": rule, "np": np}
    with pytest.raises(TypeError, match=r"rule look names a \w+ .* which is not a constant: use numbers"):
        exec(f"THING = {value}\n@rule\ndef look(x):\n    return THING, x\n", names)


def test_a_function_that_is_no_rule_is_refused() -> None:
    with pytest.raises(TypeError, match="helper is no rule: write @rule above it"):
        exec("def helper(x):\n    return x\n@rule\ndef look(x):\n    return helper(x)\n", {"rule": rule})


def test_what_is_no_constant_is_refused_with_its_line(tmp_path: Path) -> None:
    source = (
        "from theogony.envs.core.jit import rule\nTHING = [1]\n\n\n@rule\ndef look(x):\n    x += 1\n    return THING\n"
    )
    (file := tmp_path / "looking.py").write_text(source)
    with pytest.raises(ValueError, match=f"^{re.escape(str(file))}:8: return THING: rule look names a list"):
        exec(compile(source, str(file), "exec"), {"__name__": "looking"})


def test_a_thread_may_begin_to_compile_while_another_does() -> None:
    """As a page does that prepares hints while somebody plays."""
    names: dict = {"rule": rule}
    text = f"@rule\ndef inner(x):\n    return x + {time.time_ns() % 10**9}\n"  # so that nothing is cached
    exec(text + "@rule\ndef outer(x):\n    return inner(x)\n@rule\ndef other(x):\n    return x + 1\n", names)
    compiling, within = threading.Event(), names["inner"].within
    template = within.get_call_template

    def slowly(args: tuple, kws: dict) -> Any:
        compiling.set()
        time.sleep(0.5)
        return template(args, kws)

    within.get_call_template = slowly
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(names["outer"], 1)
        assert compiling.wait(60)
        assert names["other"](1) == 2
        assert first.result() > 1


def test_rules_in_a_cycle_are_refused() -> None:
    names: dict = {"rule": rule}
    exec("@rule\ndef ping(x):\n    return pong(x - 1)\n@rule\ndef pong(x):\n    return ping(x) if x else 0\n", names)
    with pytest.raises(TypeError, match="call each other in a cycle, which is not supported: ping -> pong -> ping"):
        names["ping"](3)


def test_a_rule_may_call_itself() -> None:
    names: dict = {"rule": rule}
    exec("@rule\ndef fall(x):\n    return 1 if x < 2 else x * fall(x - 1)\n", names)
    assert names["fall"](5) == 120


def test_rules_are_compiled_once_for_all_signed_integers() -> None:
    names: dict = {"rule": rule, "np": np}
    exec("@rule\ndef leaf(x, y=1):\n    return 100 * x + y\n", names)
    exec("@rule\ndef top(a):\n    return leaf(a[0]) + leaf(np.int16(a[1]), a[0]) + leaf(3) + leaf(2.0)\n", names)
    assert names["top"](np.array([120, 7], np.int8)) == 12_001 + 820 + 301 + 201
    template = names["leaf"].get_call_template((types.int8,), {})[0]
    assert {str(case.args) for case in template.cases} == {"(int64, int64)", "(float64, int64)"}
