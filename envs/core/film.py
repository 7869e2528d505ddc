"""A played game as a film: a GIF by Pillow, an MP4 by ffmpeg where it is installed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from theogony.envs.core.files import replace_file
from theogony.envs.core.places import picture_of
from theogony.envs.core.svg import RenderError, rasterise

WIDTH = 960  # of a film, in pixels; even, as codecs want it
LAST = 3.0  # seconds that the last picture stands
PAPER = (246, 241, 231)
Track = Callable[[list[int], str], Iterable[int]]


class Played(Protocol):
    """A game with its history: a `Position`, or what was read from a file."""

    game: Any
    states: Any

    @property
    def now(self) -> Any:
        """How many decisions were taken."""
        ...


def frames(position: Played, viewer: Any = "all", every: int = 1, track: Track | None = None) -> Iterator[np.ndarray]:
    """The pictures of a game from its first kept position to the last, uint8 of shape (height, width, 3), all alike.

    Every `every`-th decision is shown, and the last; what has changed since the picture before is framed.
    """
    at = [*range(0, position.now, every), position.now]
    game, states = position.game, position.states
    for k in track(at, "drawing") if track else at:
        earlier = states[max(k - every, 0)] if k else None
        yield rasterise(picture_of(game, states[k], viewer, earlier), width=WIDTH)


def write_gif(pictures: Iterable[np.ndarray], file: str | Path, seconds: float = 0.8) -> None:
    """An animated GIF that is repeated for ever. Raises RenderError without Pillow, OSError naming the file."""
    try:
        from PIL import Image
    except ImportError:
        raise RenderError("films need the package PIL: pip install 'theogony[render]'") from None
    images = [
        Image.fromarray(one).quantize(128, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        for one in _of_one_size(pictures)
    ]
    times = [round(1000 * seconds)] * (len(images) - 1) + [round(1000 * LAST)]
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "film.gif"
        images[0].save(made, save_all=True, append_images=images[1:], duration=times, loop=0, optimize=False)
        replace_file(file, made.read_bytes())


def write_mp4(pictures: Iterable[np.ndarray], file: str | Path, seconds: float = 0.8) -> None:
    """An MP4 film. Raises RenderError where there is no ffmpeg or it fails, OSError naming the file."""
    if shutil.which("ffmpeg") is None:
        raise RenderError("an MP4 needs the program ffmpeg, which is not installed; a GIF does without")
    shown = _of_one_size(pictures)
    height, width = shown[0].shape[:2]
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{1 / seconds:g}", "-i", "-"]
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "film.mp4"
        command = ["ffmpeg", "-loglevel", "error", *source, "-pix_fmt", "yuv420p", "-r", "25", str(made)]
        done = subprocess.run(command, input=b"".join(one.tobytes() for one in shown), capture_output=True, check=False)
        if done.returncode:
            raise RenderError(f"ffmpeg: {done.stderr.decode(errors='replace').strip()}")
        replace_file(file, made.read_bytes())


def _of_one_size(pictures: Iterable[np.ndarray]) -> list[np.ndarray]:
    """All pictures as high as the highest, which is even, with paper below them."""
    shown = list(pictures)
    height = max(len(one) for one in shown)
    height += height % 2
    return [np.vstack([one, np.full((height - len(one), one.shape[1], 3), PAPER, np.uint8)]) for one in shown]
