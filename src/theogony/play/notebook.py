"""A game in a notebook: the replay page in a frame, to step through. What the page holds is what the viewer may see."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

from theogony.envs.core.position import Position
from theogony.envs.core.registry import load_registered
from theogony.play.film import Film, film_of, read_film
from theogony.play.replay import all_views, film_data, wrap
from theogony.play.seen import Viewer

HEIGHT = 640  # pixels
FRAME = '<iframe srcdoc="{}" sandbox="allow-scripts" style="width:100%;height:{}px;border:0" title="{}"></iframe>'


class Steps:
    """A game that a notebook shows with a slider. `page` is the whole page as HTML."""

    def __init__(self, film: Film, viewer: Viewer, height: int) -> None:
        views: list[Viewer] = all_views(film) if viewer == "all" else [viewer]
        self._title, self._height = film.game.spec.title, height
        self.page = wrap(film_data(film, views, None), self._title)

    def __repr__(self) -> str:
        """What is shown where there is no HTML."""
        return f"<a game of {self._title} to step through>"

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return FRAME.format(html.escape(self.page), self._height, html.escape(self._title))


def show(game: Any, seat: Viewer = "all", height: int = HEIGHT) -> Steps:
    """A game to step through in a notebook.

    Args:
        game: an environment of this project or a `Position`, with its history, or the path of a record or ledger.
        seat: show what this seat knew; None: what was public; "all": everything, with a switch between the seats.
        height: of the frame, in pixels.

    Raises TypeError for anything else, and RecordError or LedgerError for a file.
    """
    if isinstance(game, str | Path):
        return Steps(read_film(Path(game), load_registered), seat, height)
    inside = getattr(game, "unwrapped", game)
    inside = getattr(getattr(inside, "env", inside), "unwrapped", inside)
    position = inside if isinstance(inside, Position) else getattr(inside, "position", None)
    if not isinstance(position, Position):
        raise TypeError(f"{game!r:.60} is no environment that was reset, no position and no path of a record")
    return Steps(film_of(position), seat, height)
