"""The games, one folder each, and `core`, which they stand on.

`load` finds a game by its name; `from theogony.envs import push_of_faith_v0` is the PettingZoo module of a game, which
`import theogony.envs.push_of_faith_v0` imports as well.
"""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from theogony.envs.core.registry import GAMES, UnknownGame, load, register

if TYPE_CHECKING:
    from theogony.envs.god_of_war import god_of_war_v0 as god_of_war_v0
    from theogony.envs.innovation import innovation_v0 as innovation_v0
    from theogony.envs.orbis import orbis_v0 as orbis_v0
    from theogony.envs.push_of_faith import push_of_faith_v0 as push_of_faith_v0
    from theogony.envs.terra_mystica import terra_mystica_v0 as terra_mystica_v0

__all__ = ["GAMES", "UnknownGame", "load", "register"]


def __dir__() -> list[str]:
    """The environments too, which are imported when they are first asked for."""
    found = [*__all__]
    for game, module in GAMES.items():
        package = importlib.util.find_spec(module.rpartition(".")[0]) if "." in module else None
        for folder in (package.submodule_search_locations or ()) if package else ():
            found += [path.stem for path in Path(folder).glob(f"{game}_v*.py")]
    return sorted(found)


def __getattr__(name: str) -> ModuleType:
    """`<game>_v<n>`: the PettingZoo module of a game, imported when it is first asked for."""
    game, _, version = name.rpartition("_v")
    if game in GAMES and version.isdigit():
        package = GAMES[game].rpartition(".")[0]
        try:
            return importlib.import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{package}.{name}":
                raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
