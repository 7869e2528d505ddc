"""Text and pictures of a position."""

from __future__ import annotations

from theogony.envs.innovation.render.svg import pieces, render_svg
from theogony.envs.innovation.render.text import render_text
from theogony.envs.innovation.render.words import move_text, places

__all__ = ["move_text", "pieces", "places", "render_svg", "render_text"]
