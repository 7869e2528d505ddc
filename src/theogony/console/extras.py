"""Libraries that come with an extra: which one to install where a library is missing or too old."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]  # of a clone; anywhere else some folder of Python's
EXTRAS = {  # the name by which it is imported -> the extra
    "cuda": "cuda", "fsspec": "cloud", "huggingface_hub": "hub", "httpx2": "models", "jax": "jax",
    "matplotlib": "report", "mcp": "mcp", "onnx": "onnx", "onnxruntime": "onnx", "openai": "models", "optuna": "tune",
    "pandas": "report", "PIL": "render", "minari": "data", "pyarrow": "data", "pyspiel": "openspiel", "ray": "rllib",
    "starlette": "play", "stable_baselines3": "train", "tensordict": "examples", "thorvg_python": "render",
    "tianshou": "examples", "torch": "train", "torchrl": "examples", "uvicorn": "play", "wasmtime": "web",
    "ziglang": "web",
}  # fmt: skip
USUAL = "train,render"  # of all others


def install(extra: str) -> str:
    """The command that installs an extra, or several ("train,render"), here.

    In a clone it is the installation of the Makefile. A wheel may have come from anywhere, so there the libraries
    themselves are named, as the package asks for them.
    """
    import shlex  # here, since only a message needs it, and a page starts sooner without

    if (ROOT / "constraints.txt").is_file() and (ROOT / "pyproject.toml").is_file():
        if extra == "rllib":
            return "make rllib"  # an environment of its own, with another Gymnasium
        inside = Path.cwd() == ROOT
        constraints = "constraints.txt" if inside else str(ROOT / "constraints.txt")
        words = ["-c", constraints, "-e", f"{'.' if inside else ROOT}[{extra}]"]
    else:
        words = _libraries(extra.split(",")) or [f"theogony[{extra}]"]
    return f"{_pip()} install {shlex.join(words)}"


def _libraries(extras: list[str]) -> list[str]:
    """What the installed package asks for with these extras, but for other systems."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        asked = [wanted.partition(";") for wanted in requires("theogony") or ()]
    except PackageNotFoundError:
        return []
    named = [(library.strip(), re.search(r"extra == ['\"]([\w-]+)['\"]", when)) for library, _, when in asked]
    return [library for library, extra in named if extra and extra[1] in extras]


def _pip() -> str:
    """`pip`, or the long form where the first one on the path is that of another Python."""
    import shlex

    beside, first = Path(sys.executable).parent, shutil.which("pip")
    if first is not None and Path(first).parent == beside:
        return "pip"
    here = os.path.relpath(sys.executable)
    return f"{shlex.quote(sys.executable if here.startswith('..') else here)} -m pip"


def advice(error: ImportError) -> str:
    """What an import that failed asks for, in one line."""
    name = error.name or "a library"
    library = name.partition(".")[0]
    absent = name == library and isinstance(error, ModuleNotFoundError)  # else a part of it is what is missing
    state = "is not installed" if absent else f"is too old or broken: {error}"
    return f"{library} {state}: {install(EXTRAS.get(library, USUAL))} brings it"


def missing(error: ImportError) -> ModuleNotFoundError:
    """The error of an import that failed, with the advice what to install."""
    return ModuleNotFoundError(advice(error), name=error.name)
