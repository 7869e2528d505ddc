"""What this machine offers: for `theogony doctor`."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import sys
from collections.abc import Callable

from theogony.fence import calls
from theogony.fence.room import LINES, FenceError, lacking, mechanism

LANDLOCK = 444  # the call landlock_create_ruleset, which tells the version when it is asked for
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox")
Row = tuple[str, str, str]  # what, whether it is there, and more about it


def rows() -> list[Row]:
    """A row for everything that this machine may have or lack."""
    found = [_fence()] + [(f"  {how}", *_there(lacking(how))) for how in LINES]
    found += [("  seccomp", *_there(_seccomp())), ("  Landlock", *_landlock())]
    found += [(name, *tell()) for name, tell in OTHERS.items()]
    return found


def table() -> str:
    """The rows as text."""
    found = rows()
    wide = [max(len(row[column]) for row in found) for column in (0, 1)]
    return "\n".join(f"{what:<{wide[0]}}  {there:<{wide[1]}}  {more}".rstrip() for what, there, more in found)


def _there(missing: str, more: str = "") -> tuple[str, str]:
    return ("no", missing) if missing else ("yes", more)


def _fence() -> Row:
    try:
        return "fence", "yes", f"programs of others are held by {mechanism()}"
    except FenceError as error:
        return "fence", "no", str(error)


def _seccomp() -> str:
    try:
        calls.compiled(programs=False)
    except (ImportError, RuntimeError, OSError) as error:
        return f"{error}; pip install pyseccomp, and libseccomp of the system"
    return ""


def _landlock() -> tuple[str, str]:
    linux = sys.platform.startswith("linux")
    version = ctypes.CDLL(None).syscall(LANDLOCK, None, ctypes.c_size_t(0), 1) if linux else -1
    return _there("" if version > 0 else "the kernel does not have it; the fence does without", f"version {version}")


def _cores() -> tuple[str, str]:
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return str(ours), "" if ours == os.cpu_count() else f"of {os.cpu_count()}, which this process may use"


def _cache() -> tuple[str, str]:
    from theogony.envs.core.compile.cache_files import cache_folder, is_safe

    folder = cache_folder()
    if not folder.is_dir():
        return "empty", f"{folder}: rules are compiled when they are first needed"
    if not is_safe(folder) or not os.access(folder, os.W_OK):
        return "no", f"{folder}: is not used; THEOGONY_CACHE_DIR names another"
    sizes = [path.stat().st_size for path in folder.iterdir() if path.is_file()]
    return "yes", f"{folder}: {len(sizes):,} files, {sum(sizes) / 1e6:,.0f} MB"


def _gpu() -> tuple[str, str]:
    if importlib.util.find_spec("torch") is None:
        return "unknown", "torch is not installed"
    import torch

    if torch.cuda.is_available():
        return "yes", ", ".join(torch.cuda.get_device_name(one) for one in range(torch.cuda.device_count()))
    return "no", f"torch {torch.__version__} sees none"


def _program(*names: str) -> Callable[[], tuple[str, str]]:
    def tell() -> tuple[str, str]:
        found = next((path for name in names if (path := shutil.which(name))), "")
        return _there("" if found else f"{names[0]} is not installed", found)

    return tell


OTHERS: dict[str, Callable[[], tuple[str, str]]] = {
    "processors": _cores,
    "compiled rules": _cache,
    "browser": _program(*BROWSERS),
    "ffmpeg": _program("ffmpeg"),
    "node": _program("node"),
    "GPU": _gpu,
}
