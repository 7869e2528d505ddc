"""Tile lists that cannot be played are refused in one line, which names the tile and what was expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from theogony.envs.core.game import ComponentError, read_components
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.orbis.components.models import TileFile
from theogony.envs.orbis.components.pieces import DISPLAY, GOD_NAMES, REGIONS


def load_tiles(path: str | Path) -> dict[str, Any]:
    """A checked tile file as plain data. Raises ComponentError naming the file, the tile and what was expected."""
    return check_tiles(read_components(path), path)


def check_tiles(data: Any, path: str | Path) -> dict[str, Any]:
    """The content of a tile file, checked; `path` says in messages where it comes from. Raises ComponentError."""
    tiles = checked(TileFile, data, str(path), ComponentError).model_dump()
    gods = [god["id"] for god in tiles["gods"]]
    if sorted(gods) != sorted(GOD_NAMES):
        odd = ", ".join(sorted(set(gods) ^ set(GOD_NAMES))) or "one is listed twice"
        raise ComponentError(f"{path}: gods: the ten printed gods were expected; missing, unknown or double: {odd}")
    seen: set[str] = set()
    for tile in tiles["regions"]:
        if tile["id"] in seen:
            raise ComponentError(f"{path}: tile {tile['id']} is listed twice")
        seen.add(tile["id"])
        if tile["colour"] != "white" and tile["mythology"] is not None:
            raise ComponentError(f"{path}: tile {tile['id']}: only a white tile has a mythology value")
    return tiles


def check_enough(data: dict[str, Any], players: int, path: str | Path) -> None:
    """Raises ComponentError when the tiles do not make a game of that many players (rules §2)."""
    if str(players) not in data["setup"]:
        raise ComponentError(f"{path}: setup: there is none for {players} players")
    used = regions_in_use(data, players)
    needed = REGIONS * players + DISPLAY
    if len(used) != needed:
        raise ComponentError(f"{path}: {len(used)} tiles for {players} players, but a game takes exactly {needed}")
    first = sum(tile["level"] == 1 for tile in used)
    if first < DISPLAY:
        raise ComponentError(f"{path}: {first} tiles of level 1 for {players} players, but the display takes {DISPLAY}")
    if data["setup"][str(players)]["gods"] < players:
        raise ComponentError(f"{path}: setup.{players}: a god for each player was expected")


def regions_in_use(data: dict[str, Any], players: int) -> list[dict[str, Any]]:
    """The region tiles of a player count: all but those with the stars that are taken out (rules §2)."""
    removed = data["setup"][str(players)]["remove_stars"]
    return [tile for tile in data["regions"] if tile["stars"] not in removed]
