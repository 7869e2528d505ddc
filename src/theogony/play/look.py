"""`theogony replay`: a game as text, as a film or as a page; and the page that lists the games of a tournament."""

from __future__ import annotations

import html
from itertools import chain
from pathlib import Path

import numpy as np

from theogony.console.progress import track
from theogony.envs.core.game import GameSpec
from theogony.envs.core.gamerecord import RecordError, read_record
from theogony.envs.core.untrusted.files import replace_file
from theogony.play.analysis import analyse
from theogony.play.film import Film, FilmError, film_of
from theogony.play.pages import STYLE, fill, web
from theogony.play.replay import replay_page
from theogony.play.seats import seat_titles
from theogony.play.seen import result, scores

INDEX = "index.html"


def write_page(film: Film, path: Path, seat: int | None = None, by: str | None = None) -> None:
    """Write the replay page of a game, for one seat or for all eyes, analysed by a player or not.

    Raises FilmError for a seat that is not there, PlayerError and OSError.
    """
    _check_seat(film, seat)
    seats = list(range(film.game.players)) if seat is None else [seat]
    found = (
        None if by is None else analyse(film, by, seats, track=lambda items: track(items, f"{by} looks", "decisions"))
    )
    page = replay_page(film, seat, found, track=lambda items: track(items, "drawing", "frames"))
    replace_file(path, page.encode())
    print(f"{path}: {len(page) / 1e6:.1f} MB, opens in a browser")


def write_films(film: Film, gif: Path | None, mp4: Path | None, seat: int | None, every: int) -> None:
    """Write the game as a GIF, an MP4 or both. Raises RenderError, FilmError and OSError."""
    from theogony.envs.core.draw.viewers import frames, write_gif, write_mp4

    _check_seat(film, seat)
    viewer = "all" if seat is None else seat
    for file, write in ((gif, write_gif), (mp4, write_mp4)):
        if file:
            write(frames(film, viewer, every, lambda items, label: track(items, label, "pictures")), file)
            print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")


def _check_seat(film: Film, seat: int | None) -> None:
    if seat is not None and seat >= film.game.players:
        raise FilmError(f"seat {seat} is not 0 to {film.game.players - 1}")


def print_film(film: Film) -> None:
    """The moves of a game, its last position and the scores."""
    game = film.game
    seed = "" if film.seed is None else f", seed {film.seed}"
    print(f"{game.spec.title}{seed}, {game!r}")
    for ply, action in enumerate(film.actions):
        print(f"{ply + 1:>5}  {film.names[int(film.states[ply].actor)]}:  {game.actions.text(action)}")
    print(game.spec.render_text(game, film.states[-1], "all"))
    ended = result(game, film.states[-1:])
    scored = ended["scores"] if ended else scores(game, film.states[-1:], "all", np.zeros(1, np.uint64))
    for name, score in zip(film.names, scored, strict=True):
        print(f"{name}: {score:g}")


def write_index(folder: Path, pages: int, spec: GameSpec) -> None:
    """Write `index.html` beside the records of a tournament, and replay pages of the first `pages` of them.

    A file that is no record of this game is left out. A page that is there already, younger than its record, stays:
    drawing one takes seconds.
    """
    from theogony.training.rating.tournament import read_records

    rows, records, files = [], read_records(folder), sorted(folder.glob("*.jsonl"))
    with_page = track(files[:pages], "writing replay pages", "pages")  # the others are listed in no time
    for number, record in enumerate(chain(with_page, files[pages:])):
        names = records.seats(record)
        cells = [record.stem, ", ".join(names)]
        if number < pages:
            try:
                position = read_record(record, lambda _: spec)
            except RecordError:
                continue
            page = record.with_suffix(".html")
            if not page.is_file() or page.stat().st_mtime < record.stat().st_mtime:
                replace_file(page, replay_page(film_of(position, seat_titles(names) or None)).encode())
            cells.append(", ".join(f"{score:g}" for score in position.scores()))
        rows.append(_row(cells, record.with_suffix(".html").name if number < pages else record.name))
    parts = {"TITLE": html.escape(spec.title), "STYLE": web(STYLE), "ROWS": "\n".join(rows)}
    replace_file(folder / INDEX, fill(web("index.html"), parts).encode())
    print(f"{folder / INDEX}: {len(rows)} games")


def _row(cells: list[str], link: str) -> str:
    first, *others = map(html.escape, cells)
    return f'<tr><td><a href="{html.escape(link)}">{first}</a></td>' + "".join(f"<td>{cell}</td>" for cell in others)
