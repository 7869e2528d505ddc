"""Compiled rules that come with the package: a second, read-only part of the cache.

A wheel may carry machine code for a baseline, that is for every processor with certain features, and a manifest: what
it was built with and the SHA-256 of each file. It is used where Python, Numba, llvmlite and NumPy are the same and the
processor has the features. In every other case rules are compiled as ever. `theogony compile --into` makes it.
"""

from __future__ import annotations

import functools
import json
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import config as numba_config

from theogony.envs.core.compile.cache_files import is_safe, read_own

config: Any = numba_config  # its options are set at run time, unknown to type checkers
FORMAT = 5  # of entries, here and in the user's cache: a change leaves older files unread
MANIFEST = "manifest.json"
BASELINES = {  # name, as LLVM and pip know it -> features that the processor must have
    "x86-64-v3": "+64bit,+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,+movbe,+popcnt,"
    "+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+xsave",
    "generic": "+fp-armv8,+neon",  # every aarch64
}
PACKAGED = Path(__file__).parents[1] / "compiled"  # where a wheel carries compiled rules, as setup.py knows


def options() -> tuple:
    """What Numba's settings change in machine code. Read when needed: some of them can change."""
    return (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT, config.LOOP_VECTORIZE, config.SLP_VECTORIZE)


def built_with() -> dict[str, Any]:
    """What compiled rules of a package must have been built with to be used in this process."""
    return {
        "format": FORMAT,
        "python": sys.implementation.cache_tag,
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "numpy": ".".join(np.__version__.split(".")[:2]),
        "system": llvm.get_process_triple(),
    }


def target(baseline: str) -> tuple:
    """Everything outside a rule's code that decides the machine code for a baseline: part of every key."""
    return (baseline, BASELINES[baseline], tuple(built_with().values()), options())


class Prebuilt(NamedTuple):
    """The compiled rules of a package."""

    folder: Path
    baseline: str
    files: dict[str, str]  # key -> SHA-256

    def read(self, key: str) -> bytes:
        """An entry, as the manifest knows it. Raises OSError or ValueError."""
        return read_own(self.folder / key, self.files[key], f"not the file of {MANIFEST}")


@functools.cache
def prebuilt() -> Prebuilt | None:
    """The compiled rules of this package, read once; None where there are none that fit. `$THEOGONY_PREBUILT` names
    another folder of them, or "" none."""
    named = os.environ.get("THEOGONY_PREBUILT", str(PACKAGED))
    where = Path(named)
    if not named or not where.is_dir() or not is_safe(where, "rules are compiled instead"):
        return None
    try:
        manifest = json.loads(read_own(where / MANIFEST))
        baseline, files = manifest["baseline"], dict(manifest["files"])
        fits = manifest["built_with"] == built_with() and has(host_features(), baseline)
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    return Prebuilt(where, baseline, files) if fits else None


def host_features() -> dict[str, bool]:
    """What this processor can do; nothing where Numba was told to compile for another."""
    if config.CPU_NAME is not None or config.CPU_FEATURES is not None:
        return {}
    return dict(llvm.get_host_cpu_features())


def has(features: dict[str, bool], baseline: str) -> bool:
    """Whether a processor has all features of a baseline."""
    return all(features.get(feature[1:], False) for feature in BASELINES[baseline].split(","))


def chosen_baseline() -> str | None:
    """The baseline that Numba was told to compile for in this process, if it is one."""
    name = config.CPU_NAME
    return name if name in BASELINES and BASELINES[name] == config.CPU_FEATURES else None
