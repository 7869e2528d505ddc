"""Text and SVG of a position. Everything is open, so all viewers see the same."""

from theogony.envs.terra_mystica.render.svg import render_svg
from theogony.envs.terra_mystica.render.text import render_text
from theogony.envs.terra_mystica.render.tiles import pieces
from theogony.envs.terra_mystica.render.words import move_text, places

__all__ = ["move_text", "pieces", "places", "render_svg", "render_text"]
