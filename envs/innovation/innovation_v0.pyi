"""Made from the options of the game by `make docs`: what type checkers and editors know of `env`."""

from pathlib import Path as Path
from typing import Literal as Literal

from theogony.envs.core.aec import GameEnv

def env(
    *,
    players: int = 2,
    max_decisions: int = 2000,
    components: str = "printed",
    card_file: str | Path = ...,
    reward: Literal["outcome", "rank", "margin"] | None = None,
    render_mode: Literal["human", "ansi", "rgb_array"] | None = None,
    render_seat: int | Literal["all"] | None = None,
    observation: Literal["float", "compact"] = "float",
) -> GameEnv: ...

raw_env = env
