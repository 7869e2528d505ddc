"""Text and SVG of a position: for one seat (its token shown), for the public (None) or with everything ("all")."""

from theogony.envs.push_of_faith.render.svg import render_svg
from theogony.envs.push_of_faith.render.text import render_text
from theogony.envs.push_of_faith.render.words import lands, places

__all__ = ["lands", "places", "render_svg", "render_text"]
