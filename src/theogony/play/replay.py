"""A whole game as one page that opens from disk, without a network, or in a frame of a notebook, to step through.

It holds every frame for every viewer: a picture is a list of pieces (elements of the SVG), each kept once, since the
pictures of one game share most of theirs. It is told by copying runs of pieces from another picture and naming new
ones, which `replay.js` reads back. The page for one seat is made from what that seat knew and holds nothing else: no
seed, no words of decisions that it did not see, no analysis of other seats' hands.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from theogony.envs.core.position import Position
from theogony.envs.core.registry import load_registered
from theogony.play.film import Film, film_of, read_film
from theogony.play.pages import REPLAY, STYLES, fill, web
from theogony.play.seen import Viewer, drawn, frame, move, result, scores
from theogony.play.words import words_of

DRAWN = re.compile(r'data-drawn="([^"]+)"')
BETWEEN = re.compile(r"(?<=>)(?=<)")  # two pieces of a picture
SAMPLES = 12  # moments at which views are compared: one that never differs from what is public is left out
POLICY = "default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
FRAME = '<iframe srcdoc="{}" sandbox="allow-scripts" style="width:100%;height:{}px;border:0" title="{}"></iframe>'


def replay_page(film: Film, only: int | None = None, analysis: dict[str, Any] | None = None, track: Any = iter) -> str:
    """The page of a game as HTML. With `only`, of one seat: with what that seat knew.

    `analysis` is that of `analyse`, for one seat of its own decisions. `track` goes around the frames that are drawn.
    """
    return page(film, [only] if only is not None else all_views(film), analysis, track)


def page(film: Film, views: list[Viewer], analysis: dict[str, Any] | None = None, track: Any = iter) -> str:
    """The page of a game for these viewers."""
    script = "\n".join(map(web, REPLAY))
    seal = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    parts = {
        "POLICY": POLICY.format(seal),
        "TITLE": html.escape(film.game.spec.title),
        "STYLE": "\n".join(map(web, STYLES)),
        "SCRIPT": script,
        "DATA": squeeze(film_data(film, views, analysis, track)),
    }
    return fill(web("replay.html"), parts)


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
    pieces: dict[str, int] = {}
    told: list[list[list[int]]] = [[] for _ in views]
    moves: list[list[Any]] = [[] for _ in views]
    previous: list[int] = []
    for k in track(range(len(film))):
        base = previous
        for number, who in enumerate(views):
            shown = frame(film.moment(k), who)
            picture = in_pieces(shown["svg"], pieces)
            told[number].append(difference(base, picture))
            moves[number].append(_with_said(film, k, who, shown["move"]))
            if number == 0:
                base = previous = picture  # the first viewer goes from moment to moment, the others from the first
    game, stream = film.game, np.zeros(1, np.uint64)
    named = {html.unescape(name) for piece in pieces for name in DRAWN.findall(piece)}  # is drawn large as well
    return {
        "title": game.spec.title,
        "together": game.spec.cooperative,
        "seats": film.names,
        "views": ["public" if who is None else who for who in views],
        "pieces": list(pieces),
        "frames": told,
        "moves": moves,
        "actors": [int(state.actor) for state in film.states],
        "scores": [scores(game, film.states[k : k + 1], views[0], stream) for k in range(len(film))],
        "result": result(game, film.states[-1:]),
        "analysis": analysis,
        "words": words_of(game),
        "drawn": {name: drawn(game, name) for name in sorted(named)},
    }


def _with_said(film: Film, k: int, who: Viewer, shown: Any) -> Any:
    """A move with what was thought and said before it, for the seat that did and for all eyes: others must not know."""
    said = film.said.get(k - 1, []) if who in ("all", film.speaker) and who is not None else []
    return {**shown, "story": [*shown["story"], *said]} if said and shown else shown


# ---- In a notebook


class Steps:
    """A game that a notebook shows with a slider. `page` is the whole page as HTML."""

    def __init__(self, film: Film, viewer: Viewer, height: int) -> None:
        self._title, self._height = film.game.spec.title, height
        self.page = page(film, all_views(film) if viewer == "all" else [viewer])

    def __repr__(self) -> str:
        """What is shown where there is no HTML."""
        return f"<a game of {self._title} to step through>"

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return FRAME.format(html.escape(self.page), self._height, html.escape(self._title))


def show(game: Any, seat: Viewer = "all", height: int = 640) -> Steps:
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


# ---- Many pictures in little room


def in_pieces(svg: str, numbers: dict[str, int]) -> list[int]:
    """A picture as numbers of its pieces; `numbers` are those of all pictures, to which new ones are added."""
    return [numbers.setdefault(piece, len(numbers)) for piece in BETWEEN.split(svg)]


def difference(base: list[int], picture: list[int]) -> list[int]:
    """How to make a picture from its base: a number from 0 on is a piece; -n, d copies n pieces of the base, from d
    places after the end of the last copy."""
    places: dict[int, list[int]] = {}
    for place, piece in enumerate(base):
        places.setdefault(piece, []).append(place)
    out: list[int] = []
    at, k = 0, 0  # where the last copy of the base ended; how much of the picture is told
    while k < len(picture):
        start = _start(base, places, at, picture[k])
        if start is None:
            out.append(picture[k])
            k += 1
            continue
        length = 1
        while k + length < len(picture) and start + length < len(base) and base[start + length] == picture[k + length]:
            length += 1
        out += [-length, start - at]
        at, k = start + length, k + length
    return out


def _start(base: list[int], places: dict[int, list[int]], at: int, piece: int) -> int | None:
    """Where in the base to copy a piece from: the place nearest to where the last copy ended."""
    if at < len(base) and base[at] == piece:
        return at
    found = places.get(piece)
    return min(found, key=lambda place: abs(place - at)) if found else None


def rebuild(base: list[int], told: list[int]) -> list[int]:
    """The picture of a difference: what the script does, for tests."""
    picture: list[int] = []
    at, k = 0, 0
    while k < len(told):
        if told[k] >= 0:
            picture.append(told[k])
            k += 1
        else:
            start = at + told[k + 1]
            at = start - told[k]
            picture += base[start:at]
            k += 2
    return picture


def squeeze(data: Any) -> str:
    """Plain data as JSON, compressed (raw deflate) and written in base64."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(packer.compress(text) + packer.flush()).decode("ascii")


def unsqueeze(text: str) -> Any:
    """What `squeeze` wrote, for tests."""
    return json.loads(zlib.decompress(base64.b64decode(text), -zlib.MAX_WBITS))
