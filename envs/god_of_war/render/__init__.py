"""Text and SVG of a position."""

from theogony.envs.god_of_war.render.svg import render_svg
from theogony.envs.god_of_war.render.text import render_text
from theogony.envs.god_of_war.render.words import move_text, places

__all__ = ["move_text", "places", "render_svg", "render_text"]
