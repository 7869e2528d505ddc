"""The games of a tournament: a page that lists their records, with a replay page for the first of them."""

from __future__ import annotations

import html
from itertools import chain
from pathlib import Path

from theogony.console.progress import track
from theogony.envs.core.game import GameSpec
from theogony.envs.core.gamerecord import RecordError, read_record
from theogony.envs.core.untrusted.files import replace_file
from theogony.play.film import film_of
from theogony.play.pages import STYLE, fill, web
from theogony.play.replay import replay_page
from theogony.play.seats import seat_titles
from theogony.training.rating.tournament import read_records

INDEX = "index.html"


def write_index(folder: Path, pages: int, spec: GameSpec) -> None:
    """Write `index.html` beside the records of a tournament, and replay pages of the first `pages` of them.

    A file that is no record of this game is left out. A page that is there already, younger than its record, stays:
    drawing one takes seconds.
    """
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
                replace_file(page, replay_page(film_of(position, _titles(names))).encode())
            cells.append(", ".join(f"{score:g}" for score in position.scores()))
        rows.append(_row(cells, record.with_suffix(".html").name if number < pages else record.name))
    parts = {"TITLE": html.escape(spec.title), "STYLE": web(STYLE), "ROWS": "\n".join(rows)}
    replace_file(folder / INDEX, fill(web("index.html"), parts).encode())
    print(f"{folder / INDEX}: {len(rows)} games")


def _titles(names: list[str]) -> list[str] | None:
    """The seats with who sat there."""
    return seat_titles(names) or None


def _row(cells: list[str], link: str) -> str:
    first, *others = map(html.escape, cells)
    return f'<tr><td><a href="{html.escape(link)}">{first}</a></td>' + "".join(f"<td>{cell}</td>" for cell in others)
