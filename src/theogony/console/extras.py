"""Libraries that come with an extra: which one to install where a library is missing or too old."""

from __future__ import annotations

EXTRAS = {
    "huggingface_hub": "hub",
    "jax": "jax",
    "mcp": "mcp",
    "onnx": "onnx",
    "onnxruntime": "onnx",
    "optuna": "tune",
    "pyspiel": "openspiel",
    "ray": "rllib",
    "starlette": "play",
    "tensordict": "examples",
    "tianshou": "examples",
    "torchrl": "examples",
    "uvicorn": "play",
}  # the name by which it is imported -> the extra
USUAL = "train,render"  # of all others


def advice(error: ImportError) -> str:
    """What an import that failed asks for, in one line."""
    name = error.name or "a library"
    library = name.partition(".")[0]
    absent = name == library and isinstance(error, ModuleNotFoundError)  # else a part of it is what is missing
    state = "is not installed" if absent else f"is too old or broken: {error}"
    return f"{library} {state}: pip install -U 'theogony[{EXTRAS.get(library, USUAL)}]' brings it"


def missing(error: ImportError) -> ModuleNotFoundError:
    """The same error with that advice."""
    return ModuleNotFoundError(advice(error), name=error.name)
