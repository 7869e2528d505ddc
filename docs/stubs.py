"""Type stubs of the environments, made from the options of the games: `env(plyers=3)` is flagged while one types.

`docs/generate.py` writes them beside the modules, envs/<game>/<game>_v<n>.pyi.
"""

from __future__ import annotations

import typing
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal

from theogony.envs.core.features import FORMS
from theogony.envs.core.game import GameSpec

FOLDER = Path(__file__).parents[1] / "envs"
TEXT = '''"""Made from the options of the game by `make docs`: what type checkers and editors know of `env`."""

from pathlib import Path as Path
from typing import Literal as Literal

from theogony.envs.core.aec import GameEnv

def env(
    *,
{arguments}
    reward: Literal[{rewards}] | None = None,
    render_mode: Literal["human", "ansi", "rgb_array"] | None = None,
    render_seat: int | Literal["all"] | None = None,
    observation: Literal[{forms}] = "float",
) -> GameEnv: ...

raw_env = env
'''


def path_of(spec: GameSpec) -> Path:
    """Where the stub of a game lies."""
    return FOLDER / spec.name / f"{spec.name}_v{spec.version}.pyi"


def stub(spec: GameSpec) -> str:
    """The stub of a game."""
    rewards = ", ".join(f'"{kind}"' for kind in spec.rewards)
    forms = ", ".join(f'"{word}"' for word in FORMS)
    return TEXT.format(arguments="\n".join(_arguments(spec)), rewards=rewards, forms=forms)


def _arguments(spec: GameSpec) -> Iterator[str]:
    for name, field in spec.options.model_fields.items():
        default = field.default
        shown = "..." if isinstance(default, Path) else repr(default).replace("'", '"')
        yield f"    {name}: {_type(field.annotation)} = {shown},"


def _type(annotation: Any) -> str:
    """An annotation as it is written in a stub; a path may be given as text, any sequence for a tuple."""
    arguments = typing.get_args(annotation)
    origin = typing.get_origin(annotation)
    if origin is Literal:
        return f"Literal[{', '.join(repr(value) for value in arguments)}]".replace("'", '"')
    if origin in (UnionType, typing.Union):
        return " | ".join(_type(part) for part in arguments)
    if origin is typing.Annotated:
        return _type(arguments[0])
    if origin in (tuple, list):
        inside = ", ".join("..." if part is Ellipsis else _type(part) for part in arguments)
        return f"{origin.__name__}[{inside}]"
    if annotation is NoneType:
        return "None"
    return "str | Path" if annotation is Path else annotation.__name__
