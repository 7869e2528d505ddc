"""Made from the options of the game by `make docs`: what type checkers and editors know of `env`."""

from pathlib import Path as Path
from typing import Literal as Literal

from theogony.envs.core.aec import GameEnv

def env(
    *,
    players: int = 2,
    max_decisions: int = 10000,
    components: str = "printed",
    max_rounds: int = 100,
    heroes: tuple[Literal["kratos", "atreus", "mimir", "freya", "brok_sindri"], ...] = (),
    hero_choice: Literal["dealt", "choose"] = "dealt",
    scene: Literal["wanderers", "ogre", "alfheim", "helheim", "grendels", "thamur", "baldur", "magni_modi", "hraezlyr", "sigrun"] | None = None,
    hindrances: tuple[Literal["wanderers", "ogre", "alfheim", "helheim", "grendels", "thamur", "baldur", "magni_modi", "hraezlyr", "sigrun"], ...] = (),
    upgrades: int = 0,
    path: tuple[Literal["wanderers", "ogre", "alfheim", "helheim", "grendels", "thamur", "baldur", "magni_modi", "hraezlyr", "sigrun"], ...] = (),
    first_quest: Literal["wanderers", "ogre", "alfheim", "helheim", "grendels", "thamur", "baldur", "magni_modi", "hraezlyr", "sigrun"] | None = None,
    difficulty: Literal["story", "norns", "ragnarok"] = "norns",
    hero_hp: int = 0,
    enemy_strength: int = 0,
    boss_hp: int = 100,
    component_file: str | Path = ...,
    reward: Literal["outcome", "rank", "margin", "progress"] | None = None,
    render_mode: Literal["human", "ansi", "rgb_array"] | None = None,
    render_seat: int | Literal["all"] | None = None,
    observation: Literal["float", "compact"] = "float",
) -> GameEnv: ...

raw_env = env
