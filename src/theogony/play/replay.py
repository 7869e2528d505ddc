"""The replay page: a whole game as one file that opens from disk, without a network.

It holds every frame for every viewer, as differences (`pack.py`). The page for one seat is made from what that seat
knew and holds nothing else: no seed, no words of decisions that it did not see, no analysis of other seats' hands.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from typing import Any

import numpy as np

from theogony.envs.core.position import Position
from theogony.play.film import Film, film_of
from theogony.play.pack import Pieces, difference, squeeze
from theogony.play.pages import STYLES, fill, replay_script, web
from theogony.play.seats import seat_titles
from theogony.play.seen import Viewer, drawn, frame, move, result, scores
from theogony.play.words import words_of

DRAWN = re.compile(r'data-drawn="([^"]+)"')
SAMPLES = 12  # moments at which views are compared: one that never differs from what is public is left out
POLICY = "default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"


def replay_page(
    film: Film, only: int | None = None, analysis: dict[str, Any] | None = None, track: Any = iter, title: str = ""
) -> str:
    """The page of a game as HTML. With `only`, of one seat: with what that seat knew.

    `analysis` is that of `analyse`, for one seat of its own decisions. `track` goes around the frames that are drawn.
    """
    views: list[Viewer] = [only] if only is not None else all_views(film)
    return wrap(film_data(film, views, analysis, track), title or film.game.spec.title)


def seat_page(position: Position, who: Viewer, names: list[str]) -> str:
    """The page of a game as a viewer saw it; `names` are those of who sits where."""
    film = film_of(position, seat_titles(names, who))
    return wrap(film_data(film, [who], None), film.game.spec.title)


def all_views(film: Film) -> list[Viewer]:
    """Viewers whose pictures differ: all eyes, the public, and seats; only all eyes where nothing is hidden."""
    if not film.game.spec.hidden:
        return ["all"]
    moments = [film.moment(int(k)) for k in np.linspace(0, len(film) - 1, min(SAMPLES, len(film)))]
    seen: dict[Viewer, list[Any]] = {}
    for who in ("all", None, *range(film.game.players)):
        shown = [(film.game.spec.render_svg(film.game, at.g, who), move(at, who)) for at in moments]
        if shown not in seen.values():
            seen[who] = shown
    return list(seen)


def film_data(film: Film, views: list[Viewer], analysis: dict[str, Any] | None, track: Any = iter) -> dict[str, Any]:
    """Everything that the page shows, for these viewers."""
    pieces = Pieces()
    told: list[list[list[int]]] = [[] for _ in views]
    moves: list[list[Any]] = [[] for _ in views]
    previous: list[int] = []
    for k in track(range(len(film))):
        base = previous
        for number, who in enumerate(views):
            shown = frame(film.moment(k), who)
            picture = pieces.of(shown["svg"])
            told[number].append(difference(base, picture))
            moves[number].append(_with_said(film, k, who, shown["move"]))
            if number == 0:
                base = previous = picture  # the first viewer goes from moment to moment, the others from the first
    return {
        "title": film.game.spec.title,
        "together": film.game.spec.cooperative,
        "seats": film.names,
        "views": ["public" if who is None else who for who in views],
        "pieces": pieces.texts(),
        "frames": told,
        "moves": moves,
        "actors": [int(state.actor) for state in film.states],
        "scores": film_scores(film, views[0]),
        "result": result(film.game, film.states[-1:]),
        "analysis": analysis,
        "words": words_of(film.game),
        "drawn": {name: drawn(film.game, name) for name in named(pieces.texts())},
    }


def named(pictures: list[str]) -> list[str]:
    """The things in pictures that are drawn large as well."""
    return sorted({html.unescape(name) for piece in pictures for name in DRAWN.findall(piece)})


def _with_said(film: Film, k: int, who: Viewer, shown: Any) -> Any:
    """A move with what was thought and said before it, for the seat that did and for all eyes: others must not know."""
    said = film.said.get(k - 1, []) if who in ("all", film.speaker) and who is not None else []
    return {**shown, "story": [*shown["story"], *said]} if said and shown else shown


def film_scores(film: Film, who: Viewer) -> list[list[float]]:
    """The scores after every decision, as far as the viewer knew them."""
    stream = np.zeros(1, np.uint64)
    return [scores(film.game, film.states[k : k + 1], who, stream) for k in range(len(film))]


def wrap(data: dict[str, Any], title: str) -> str:
    """Data of a game as a page."""
    script = replay_script()
    seal = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    parts = {
        "POLICY": POLICY.format(seal),
        "TITLE": html.escape(title),
        "STYLE": "\n".join(map(web, STYLES)),
        "SCRIPT": script,
        "DATA": squeeze(data),
    }
    return fill(web("replay.html"), parts)
