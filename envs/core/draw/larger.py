"""Lettering of pictures that a page draws smaller, so that they stand beside the list of moves in a window 1280 wide.

They are 1100 wide between their margins, and no text of theirs is smaller than 12.5.
"""

from __future__ import annotations

from functools import partial

from theogony.envs.core.draw import svg
from theogony.envs.core.draw.style import MARGIN
from theogony.envs.core.draw.style import page as any_page
from theogony.envs.core.draw.svg import BODY, text_width, wrapped

__all__ = ["BODY", "SMALL", "TINY", "WIDTH", "fitted", "label", "page", "paragraph", "text_width", "wrapped"]

WIDTH = 1100  # between the margins
SMALL = TINY = 12.5
fitted = partial(svg.fitted, least=TINY)
label = partial(svg.label, least=TINY)
paragraph = partial(svg.paragraph, least=TINY)
page = partial(any_page, width=WIDTH + 2 * MARGIN, smallest=TINY)
