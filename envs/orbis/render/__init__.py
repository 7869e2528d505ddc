"""Text and SVG of a position. Everything but the order of the piles is open, so every seat sees the same."""

from theogony.envs.orbis.render.svg import render_svg
from theogony.envs.orbis.render.text import render_text
from theogony.envs.orbis.render.words import move_text, places

__all__ = ["move_text", "places", "render_svg", "render_text"]
