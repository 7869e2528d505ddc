"""Tile lists drawn anew, by the statistics of the printed one.

Each level keeps its tiles by colour, the shapes of their costs, their points, and how many have which effect. Drawn are
the colour that each kind of effect goes with, whom costs and effects ask for, which tiles are dearer and worth more,
stars and mythology values. Gods and the setup stay: players see gods by their number.
"""

from __future__ import annotations

from typing import Any

from theogony.envs.core.packs import Draw
from theogony.envs.orbis.components import COLOUR_NAMES, DEFAULT_TILES, LEVELS, load_tiles

DEARER = 3  # pairs of tiles of a level, at most, of which one becomes dearer and the other cheaper
BASE = tuple(COLOUR_NAMES[1:])  # the colours that kinds of effect change; white keeps its temples and mythology
ONE_CHEAPER = 2  # a tile with fewer worshippers in its cost stays as it is


def generate(options: Any, draw: Draw) -> dict[str, Any]:
    """A tile list of the form of `data/tiles.json`."""
    printed = load_tiles(DEFAULT_TILES)
    family = {"white": "white", **dict(zip(BASE, draw.shuffled(BASE), strict=True))}
    tiles: list[dict[str, Any]] = []
    for level in range(1, LEVELS + 1):
        tiles += _level(draw, [tile for tile in printed["regions"] if tile["level"] == level], family)
    return {**printed, "regions": tiles}


def _level(draw: Draw, printed: list[dict[str, Any]], family: dict[str, str]) -> list[dict[str, Any]]:
    """The tiles of one level, in the order of the printed colours."""
    tiles = [{**tile, "colour": family[tile["colour"]]} for tile in printed]
    bags = {purpose: _Colours(draw) for purpose in dict.fromkeys(["cost", *(tile["effect"]["type"] for tile in tiles)])}
    for tile in tiles:
        tile["cost"] = bags["cost"].instead_of(tile["cost"])
        tile["effect"] = _effect(tile["effect"], bags[tile["effect"]["type"]])
    _shift(draw, [tile for tile in tiles if sum(tile["cost"].values()) >= ONE_CHEAPER and tile["cp"] > 0])
    stars = draw.shuffled(tile["stars"] for tile in tiles)
    mythology = draw.shuffled(tile["mythology"] for tile in tiles if tile["colour"] == "white")
    drawn = []
    for colour in COLOUR_NAMES:  # numbered by level and colour, as in print
        own = [tile for tile in tiles if tile["colour"] == colour]
        for k, tile in enumerate(draw.shuffled(own), 1):
            name = f"{colour[0].upper()}{tile['level']}-{k}"
            value = mythology.pop() if colour == "white" else None
            drawn.append({**tile, "id": name, "stars": stars.pop(), "mythology": value})
    return drawn


class _Colours:
    """Colours in random order, each as often as the others."""

    def __init__(self, draw: Draw) -> None:
        self._draw, self._left = draw, draw.shuffled(COLOUR_NAMES)

    def one(self, but: Any = ()) -> str:
        """The next colour that is not among `but`."""
        fitting = [colour for colour in self._left if colour not in but]
        if not fitting:
            self._left += self._draw.shuffled(COLOUR_NAMES)
            return self.one(but)
        self._left.remove(fitting[0])
        return fitting[0]

    def instead_of(self, numbers: dict[str, int]) -> dict[str, int]:
        """Such numbers for other colours, each drawn once; the entry `any` stays."""
        found: dict[str, int] = {}
        for colour, number in numbers.items():
            found["any" if colour == "any" else self.one(found)] = number
        return {colour: found[colour] for colour in (*COLOUR_NAMES, "any") if colour in found}


def _effect(effect: dict[str, Any], colours: _Colours) -> dict[str, Any]:
    """An effect of a tile, with other colours drawn for those that it names."""
    match effect["type"]:
        case "conversion":
            return {**effect, "gain": effect["gain"] if effect["gain"] == "any" else colours.one()}
        case "farm":
            return {**effect, "waives": colours.one()}
        case "volcano":
            return {**effect, "destroy": colours.instead_of(effect["destroy"])}
        case "irrigation":
            return {**effect, "below": [colours.one() for _ in effect["below"]]}
        case "forest":
            neighbour = effect["neighbour_colour"]
            return {**effect, "neighbour_colour": neighbour if neighbour == "any" else colours.one()}
    return effect


def _shift(draw: Draw, tiles: list[dict[str, Any]]) -> None:
    """Pairs of tiles of which one costs a worshipper more and pays a point more, the other as much less."""
    pairs = min(draw.below(DEARER + 1), len(tiles) // 2)
    chosen = draw.sample(tiles, 2 * pairs)
    for tile in chosen[:pairs]:
        tile["cost"]["any"] = tile["cost"].get("any", 0) + 1
        tile["cp"] += 1
    for tile in chosen[pairs:]:
        colour = "any" if "any" in tile["cost"] else draw.choice(list(tile["cost"]))
        tile["cost"] = {name: n - (name == colour) for name, n in tile["cost"].items() if n > (name == colour)}
        tile["cp"] -= 1
