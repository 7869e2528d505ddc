"""Made from the options of the game by `make docs`: what type checkers and editors know of `env`."""

from pathlib import Path as Path
from typing import Literal as Literal

from theogony.envs.core.aec import GameEnv

def env(
    *,
    players: int = 4,
    max_decisions: int = 4000,
    components: str = "printed",
    factions: Literal["draft", "dealt"] = "draft",
    first_player: Literal["seat0", "random"] = "seat0",
    ruleset: Literal["usual", "chinese"] = "usual",
    cultists_power: bool = True,
    extra_towns: bool = False,
    ship_card: bool = False,
    temple_tile: bool = False,
    turn_order: Literal["clockwise", "passing"] = "clockwise",
    component_folder: str | Path = ...,
    reward: Literal["outcome", "rank", "margin", "points"] | None = None,
    render_mode: Literal["human", "ansi", "rgb_array"] | None = None,
    render_seat: int | Literal["all"] | None = None,
    observation: Literal["float", "compact"] = "float",
) -> GameEnv: ...

raw_env = env
