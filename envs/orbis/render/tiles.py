"""Drawing single things: worshippers, tiles and the signs of their effects."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.icons import icon
from theogony.envs.core.draw.svg import INK, circle, group, line, polygon, rect, text, title
from theogony.envs.orbis.components import COLOUR_NAMES
from theogony.envs.orbis.vocabulary.wording import tile_of, tile_words

CUBES = {
    "white": "#fdfbf4", "yellow": "#efb92c", "green": "#58a05a", "blue": "#4284c4", "red": "#cf4a3c", "any": "#746b7b",
}  # fmt: skip
GROUNDS = {"white": "#ece7da", "yellow": "#f6e3a9", "green": "#cfe3c2", "blue": "#c6dcef", "red": "#f0c6bd"}
STARS = {"purple": "#8a5aa8", "white": "#fffdf8", "none": "#e3b341"}  # of the level, in three colours
GOLD, WILD, STONE = "#e3b341", "#b5a48a", "#8d8797"
TILE_WIDTH, TILE_HEIGHT = 128, 92
CUBE = 13  # side of a worshipper


def cube(colour: str, x: float = 0, y: float = 0, side: float = CUBE) -> str:
    """A worshipper; of any colour it bears a question mark."""
    drawn = rect(x, y, side, side, CUBES[colour], rx=2.5, stroke=INK, stroke_width=1)
    if colour != "any":
        return drawn
    style: dict[str, Any] = {"text_anchor": "middle", "font_weight": "bold"}
    return drawn + text(x + side / 2, y + 0.9 * side, "?", 1.15 * side, CUBES["white"], **style)


def cubes(numbers: dict[str, int], across: int = 12, step: float = CUBE + 2) -> str:
    """Worshippers in rows of so many, from the upper left corner."""
    listed = [colour for colour in (*COLOUR_NAMES, "any") for _ in range(numbers.get(colour, 0))]
    return "".join(cube(colour, step * (k % across), step * (k // across)) for k, colour in enumerate(listed))


def points_sign(number: int, state: bool | None = None) -> str:
    """Creation points in a circle: gold when they count, crossed out when they are cancelled."""
    fill = "#d8d0c4" if state is False else GOLD
    drawn = circle(0, 0, 12, fill, stroke=INK, stroke_width=2.4 if state else 1)
    drawn += text(0, 5, number, 14, font_weight="bold", text_anchor="middle")
    return drawn + line(-9, 9, 9, -9, "#a63a32", stroke_width=3) if state is False else drawn


def paint_tile(game: Any, tile: int) -> str:
    """A region tile to take, face-up: cost, level, effect, points."""
    found = tile_of(game, tile)
    parts = [*_ground(game, tile), group(cubes(found["cost"]), x=8, y=16)]
    parts += [
        icon("star", TILE_WIDTH - 18 - 13 * k, 15, 13, STARS[found["stars"]], stroke=INK) for k in range(found["level"])
    ]
    parts.append(group(_sign(found["effect"]), x=TILE_WIDTH / 2, y=56))
    if found["cp"]:
        parts.append(group(points_sign(found["cp"]), x=TILE_WIDTH - 18, y=TILE_HEIGHT - 18))
    return group(*parts, *_mythology(found), data_piece=f"tile {tile}")


def placed_tile(game: Any, tile: int, state: bool | None = None) -> str:
    """A tile of a pyramid: effect and points. `state` is True for an active effect, False for a cancelled one."""
    found = tile_of(game, tile)
    parts = [*_ground(game, tile), group(_sign(found["effect"]), x=TILE_WIDTH / 2, y=48, zoom=1.15)]
    if found["cp"]:
        parts.append(group(points_sign(found["cp"], state), x=TILE_WIDTH - 20, y=TILE_HEIGHT - 20, zoom=1.25))
    return group(*parts, *_mythology(found), data_piece=f"tile {tile}")


def _ground(game: Any, tile: int) -> list[str]:
    colour = tile_of(game, tile)["colour"]
    return [
        title(f"{tile_of(game, tile)['id']}: {tile_words(game, tile)}"),
        rect(1, 1, TILE_WIDTH - 2, TILE_HEIGHT - 2, GROUNDS[colour], rx=9, stroke=INK, stroke_width=1.5),
        rect(1, 1, TILE_WIDTH - 2, 11, CUBES[colour], rx=4, stroke=INK, stroke_width=1),
    ]


def _mythology(found: dict[str, Any]) -> list[str]:
    """The number by which a white tile breaks ties, at the lower left."""
    if not found["mythology"]:
        return []
    ground = rect(5, TILE_HEIGHT - 25, 27, 20, "#fffdf8", rx=4, stroke="#6d6259", stroke_width=0.8)
    return [ground, text(18.5, TILE_HEIGHT - 9.5, found["mythology"], 17, "#6d6259", text_anchor="middle")]


def paint_wilderness(game: Any, tile: int) -> str:
    """The back of a tile: bare land of every colour."""
    stripes = "".join(
        rect(14 + 21 * k, TILE_HEIGHT - 22, 16, 8, CUBES[colour], rx=3, opacity=0.75)
        for k, colour in enumerate(COLOUR_NAMES)
    )
    hills = polygon([(18, 58), (46, 26), (66, 48), (84, 32), (110, 58)], "#a08e72")
    ground = rect(1, 1, TILE_WIDTH - 2, TILE_HEIGHT - 2, WILD, rx=9, stroke=INK, stroke_width=1.5)
    return group(title(f"wilderness ({tile_of(game, tile)['id']})"), ground, hills, stripes, data_piece=f"tile {tile}")


# ---------------------------------------------------------------------------------------------------- signs


def _row(sign: str, numbers: dict[str, int]) -> str:
    """A sign with worshippers on its right, centred."""
    count = sum(numbers.values())
    across = 3 if count > 4 else max(count, 1)
    width = 34 + (CUBE + 2) * across
    height = (CUBE + 2) * -(-count // across)
    return group(group(sign, x=15), group(cubes(numbers, across), x=34, y=-height / 2), x=-width / 2)


def _conversion(effect: dict[str, Any]) -> str:
    arrow = polygon([(-10, -5), (2, -5), (2, -11), (13, 0), (2, 11), (2, 5), (-10, 5)], STONE, stroke=INK)
    return _row(arrow, {effect["gain"]: effect["count"]})


def _holy_stone(effect: dict[str, Any]) -> str:
    return polygon([(0, -18), (12, -6), (8, 16), (-8, 16), (-12, -6)], STONE, stroke=INK, stroke_width=1.5)


def _farm(effect: dict[str, Any]) -> str:
    return group(cube(effect["waives"], -11, -11, 22), line(-17, 15, 17, -15, "#a63a32", stroke_width=4))


def _village(effect: dict[str, Any]) -> str:
    roof = polygon([(-14, -2), (0, -15), (14, -2)], "#b0623a", stroke=INK)
    return _row(rect(-10, -2, 20, 15, "#fdf3dd", stroke=INK) + roof, {"any": effect["discard"]})


def _volcano(effect: dict[str, Any]) -> str:
    fire = polygon([(-5, -12), (0, -20), (5, -12)], GOLD, stroke=INK)
    return _row(fire + polygon([(-16, 14), (-5, -12), (5, -12), (16, 14)], "#7a4b43", stroke=INK), effect["destroy"])


def _irrigation(effect: dict[str, Any]) -> str:
    drop = polygon([(0, -22), (8, -9), (6, -2), (0, 1), (-6, -2), (-8, -9)], CUBES["blue"], stroke=INK)
    below = [*effect["below"], "none"][:2]
    tiles = "".join(
        rect(-22 + 23 * k, 5, 21, 13, CUBES.get(colour, "none"), rx=2, stroke=INK) for k, colour in enumerate(below)
    )
    return drop + tiles


def _forest(effect: dict[str, Any]) -> str:
    tree = rect(-2, 8, 4, 8, "#7b5a3a") + polygon([(-12, 9), (0, -17), (12, 9)], "#2f7a45", stroke=INK)
    return _row(tree, {effect["neighbour_colour"]: effect["count"]})


def _temple(effect: dict[str, Any]) -> str:
    columns = "".join(rect(x, -4, 4, 16, "#fdfbf4", stroke=INK) for x in (-11, -2, 7))
    one = polygon([(-15, -5), (0, -16), (15, -5)], GOLD, stroke=INK) + columns + rect(-14, 12, 28, 4, GOLD, stroke=INK)
    number = effect["temples"]
    return "".join(group(one, x=36 * (k - (number - 1) / 2)) for k in range(number))


SIGNS = {
    "conversion": _conversion, "holy_stone": _holy_stone, "farm": _farm, "village": _village, "volcano": _volcano,
    "irrigation": _irrigation, "forest": _forest, "temple": _temple,
}  # fmt: skip


def _sign(effect: dict[str, Any]) -> str:
    return SIGNS[effect["type"]](effect)
