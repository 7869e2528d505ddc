"""Made from the options of the game by `make docs`: what type checkers and editors know of `env`."""

from pathlib import Path as Path
from typing import Literal as Literal

from theogony.envs.core.aec import GameEnv

def env(
    *,
    players: int = 2,
    max_decisions: int = 0,
    components: str = "printed",
    tile_file: str | Path = ...,
    first_player: Literal["seat0", "random"] = "seat0",
    farm_waives: Literal["all", "one"] = "all",
    free_wilderness: bool = True,
    optional_gains: bool = False,
    most_needs_one: bool = True,
    temples_counted_by: Literal["icons", "tiles"] = "icons",
    temple_tie: Literal["white", "temples"] = "white",
    same_colour_exchange: bool = False,
    late_exchange: bool = True,
    reward: Literal["outcome", "rank", "margin", "points"] | None = None,
    render_mode: Literal["human", "ansi", "rgb_array"] | None = None,
    render_seat: int | Literal["all"] | None = None,
    observation: Literal["float", "compact"] = "float",
) -> GameEnv: ...

raw_env = env
