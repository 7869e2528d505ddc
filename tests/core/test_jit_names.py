"""Machine code of several processes in one cache: each is called for its own layout."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
import numpy as np
from theogony.envs.core.jit import rule
from theogony.envs.core.record import record_dtype

@rule
def inner(states, i, n):  # too long to be compiled into its caller
    total = 0
    for k in range(n):
        if states[i].b > k % 5:
            total += (states[i].b * k) % 11 + total // 3
        elif k % 3 == 0:
            total -= states[i].b + (total ^ k)
        else:
            total += (total << 1) % 1001
    states[i].b = total
    return total

@rule
def outer(states):
    return inner(states, 2, 5) + inner(states, 2, 7) + inner(states, 1, 9) + inner(states, 1, 3) + inner(states, 1, 4)

for length in map(int, sys.argv[1:]):
    states = np.zeros(3, record_dtype(("a", "i8", (length,)), ("b", "i8")))
    states["a"], states["b"] = 3, 7
    print(outer(states))
"""


@pytest.mark.slow
def test_layouts_of_two_processes_do_not_mix(tmp_path: Path) -> None:
    """Both layouts are the first that their process meets, so Numba counts them alike."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)

    def run(*lengths: str) -> list[str]:
        environment = {**os.environ, "THEOGONY_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"}
        done = subprocess.run(
            [sys.executable, program, *lengths], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    assert run("2") == run("50") == ["297"]
    assert run("2", "50") == run("50", "2") == ["297", "297"]
