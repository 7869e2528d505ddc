"""Text and SVG of a position. Everything is open, so all viewers see the same."""

from theogony.envs.terra_mystica.render.moves import move_text
from theogony.envs.terra_mystica.render.places import places
from theogony.envs.terra_mystica.render.svg import render_svg
from theogony.envs.terra_mystica.render.text import render_text

__all__ = ["move_text", "places", "render_svg", "render_text"]
