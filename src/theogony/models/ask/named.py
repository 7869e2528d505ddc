"""The model of a name on the command line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from theogony.envs.core.thinking.player_names import OWN_NAME
from theogony.models.ask.chat import KEY, Endpoint
from theogony.models.ask.own import NAMED, Command, Function
from theogony.models.ask.said import Model, ModelError
from theogony.models.code.program import SECONDS, Program

SUFFIX = ".py"
ADDRESS = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True)
class Manner:
    """How a model is asked; an endpoint takes all of it, a command the timeout."""

    temperature: float | None = None
    reply_tokens: int | None = None
    timeout: float = 120.0
    retries: int = 6
    key_variable: str = KEY


def model_named(name: str, manner: Manner) -> Model:
    """An endpoint (`http://host/v1#model`), a program (`file.py`), a function (`module:callable`) or a command.

    Raises ModelError.
    """
    if ADDRESS.match(name):
        return Endpoint(
            name, manner.temperature, manner.reply_tokens, manner.timeout, manner.retries, manner.key_variable
        )
    if name.endswith(SUFFIX) and Path(name).is_file():
        return Program(Path(name), min(manner.timeout, SECONDS))
    if OWN_NAME.fullmatch(name):
        return Function(name)
    if not name.strip():
        raise ModelError(f"no model was named; expected {NAMED}")
    return Command(name, manner.timeout)
