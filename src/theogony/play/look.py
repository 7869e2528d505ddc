"""`theogony replay`: a game as text, or as a page."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from theogony.console.progress import track
from theogony.envs.core.untrusted.files import replace_file
from theogony.play.analysis import analyse
from theogony.play.film import Film, FilmError
from theogony.play.replay import replay_page
from theogony.play.seen import result, scores


def write_page(film: Film, path: Path, seat: int | None = None, by: str | None = None) -> None:
    """Write the replay page of a game, for one seat or for all eyes, analysed by a player or not.

    Raises FilmError for a seat that is not there, PlayerError and OSError.
    """
    players = film.game.players
    if seat is not None and seat >= players:
        raise FilmError(f"seat {seat} is not 0 to {players - 1}")
    seats = list(range(players)) if seat is None else [seat]
    found = None
    if by is not None:
        found = analyse(film, by, seats, track=lambda items: track(items, f"{by} looks", "decisions"))
    page = replay_page(film, seat, found, track=lambda items: track(items, "drawing", "frames"))
    replace_file(path, page.encode())
    print(f"{path}: {len(page) / 1e6:.1f} MB, opens in a browser")


def write_films(film: Film, gif: Path | None, mp4: Path | None, seat: int | None, every: int) -> None:
    """Write the game as a GIF, an MP4 or both. Raises RenderError, FilmError and OSError."""
    from theogony.envs.core.draw.viewers import frames, write_gif, write_mp4

    if seat is not None and seat >= film.game.players:
        raise FilmError(f"seat {seat} is not 0 to {film.game.players - 1}")
    viewer = "all" if seat is None else seat
    for file, write in ((gif, write_gif), (mp4, write_mp4)):
        if file:
            write(frames(film, viewer, every, lambda items, label: track(items, label, "pictures")), file)
            print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")


def print_film(film: Film) -> None:
    """The moves of a game, its last position and the scores."""
    game = film.game
    seed = "" if film.seed is None else f", seed {film.seed}"
    print(f"{game.spec.title}{seed}, {game!r}")
    for ply, action in enumerate(film.actions):
        print(f"{ply + 1:>5}  {film.names[int(film.states[ply].actor)]}:  {game.actions.text(action)}")
    print(game.spec.render_text(game, film.states[-1], "all"))
    ended = result(game, film.states[-1:])
    for seat, score in enumerate(
        ended["scores"] if ended else scores(game, film.states[-1:], "all", np.zeros(1, np.uint64))
    ):
        print(f"{film.names[seat]}: {score:g}")
