"""The window of `render_mode="human"`: core prints text, the package registers one that opens a page."""

from __future__ import annotations

import contextlib
import math
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from theogony.console.extras import install
from theogony.envs.core.draw.places import picture_at
from theogony.envs.core.draw.style import height_by_width
from theogony.envs.core.draw.svg import RenderError, rasterise
from theogony.envs.core.untrusted.files import replace_file

if TYPE_CHECKING:
    from theogony.envs.core.position import Position


class Window(Protocol):
    """Where an environment shows its game to a person."""

    def show(self, position: Position) -> None:
        """Show how the game stands."""

    def close(self) -> None:
        """Show nothing any more."""


class Printed:
    """A window that prints the position as text."""

    def __init__(self, viewer: Any) -> None:
        self._viewer = viewer

    def show(self, position: Position) -> None:
        """Print it."""
        print(position.game.spec.render_text(position.game, position.g, self._viewer))

    def close(self) -> None:
        """Nothing is open."""


class Screen:
    """What an environment with `render_mode="human"` shows: a window, opened when there is something to show.

    `follows`: it shows every position by itself; that of a copy does not, as long as the copy plays the same game.
    """

    def __init__(self, follows: bool = True) -> None:
        self.follows = follows
        self._window: Window | None = None
        self._shown = b""  # the key of what the window shows

    def follow(self, position: Position, viewer: Any) -> None:
        """Show a position that has come about, where it is to follow."""
        if self.follows:
            self._show(position, viewer)

    def ask(self, position: Position, viewer: Any) -> None:
        """Show a position that somebody asks for, unless it is shown already."""
        if self._shown != position.key():
            self._show(position, viewer)

    def _show(self, position: Position, viewer: Any) -> None:
        if self._window is None:
            self._window = open_window(viewer)
        self._window.show(position)
        self._shown = position.key()

    def close(self) -> None:
        """Close the window; a later position opens another."""
        if self._window is not None:
            self._window.close()
            self._window, self._shown = None, b""


open_window: Callable[[Any], Window] = Printed  # for what a viewer sees: a seat, None for what is public, or "all"


def register_window(opener: Callable[[Any], Window]) -> None:
    """Let `opener(viewer)` open windows from now on."""
    global open_window
    open_window = opener


# ---- A played game as a film: a GIF by Pillow, an MP4 by ffmpeg where it is installed ----------------------------

WIDTH = 960  # of a film, in pixels; even, as codecs want it
LAST = 3.0  # seconds that the last picture stands
Track = Callable[[list[str], str], Iterable[str]]


class Played(Protocol):
    """A game with its history: a `Position`, or what was read from a file."""

    game: Any
    states: Any
    actions: Any

    @property
    def now(self) -> Any:
        """How many decisions were taken."""


def frames(position: Played, viewer: Any = "all", every: int = 1, track: Track | None = None) -> Iterator[np.ndarray]:
    """The pictures of a game from its first kept position to the last, uint8 of shape (height, width, 3), all alike.

    Every `every`-th decision is shown, and the last; what has changed since the picture before is framed. A picture
    that is lower than others has paper below it.
    """
    drawn = [picture_at(position, k, viewer, every) for k in [*range(0, position.now, every), position.now]]
    height = 2 * math.ceil(max(map(height_by_width, drawn)) * WIDTH / 2)
    for svg in track(drawn, "drawing") if track else drawn:
        yield rasterise(svg, width=WIDTH, height=height)


def few_colours(pixels: np.ndarray, count: int) -> Any:
    """A Pillow image of the `count` most frequent colours: drawings are flat, so that these are nearly all there are.

    `pixels` are uint8 of shape (height, width, 3). Raises RenderError without Pillow.
    """
    try:
        from PIL import Image
    except ImportError:
        raise RenderError(f"films need the package PIL: {install('render')}") from None
    found, numbers = np.unique(pixels.astype(np.uint32) @ np.array([65_536, 256, 1], np.uint32), return_counts=True)
    often = found[np.argsort(-numbers.astype(np.int64), kind="stable")[:count]]
    colours = np.stack([often >> 16, often >> 8 & 255, often & 255], axis=1).astype(np.uint8)
    palette = Image.new("P", (1, 1))
    palette.putpalette(colours.tobytes())
    return Image.fromarray(pixels).quantize(palette=palette, dither=Image.Dither.NONE)


def write_gif(pictures: Iterable[np.ndarray], file: str | Path, seconds: float = 0.8) -> None:
    """An animated GIF that is repeated for ever. Raises RenderError without Pillow, OSError naming the file."""
    images = [few_colours(one, 128) for one in pictures]
    times = [round(1000 * seconds)] * (len(images) - 1) + [round(1000 * LAST)]
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "film.gif"
        images[0].save(made, save_all=True, append_images=images[1:], duration=times, loop=0, optimize=False)
        replace_file(file, made.read_bytes())


def write_mp4(pictures: Iterable[np.ndarray], file: str | Path, seconds: float = 0.8) -> None:
    """An MP4 film. Raises RenderError where there is no ffmpeg or it fails, OSError naming the file."""
    if shutil.which("ffmpeg") is None:
        raise RenderError("an MP4 needs the program ffmpeg, which is not installed; a GIF does without")
    shown = iter(pictures)
    one = next(shown)
    size = f"{one.shape[1]}x{one.shape[0]}"
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", f"{1 / seconds:g}", "-i", "-"]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as said:
        made = Path(folder) / "film.mp4"
        command = ["ffmpeg", "-loglevel", "error", *source, "-pix_fmt", "yuv420p", "-r", "25", str(made)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=said, stderr=said) as ffmpeg:
            assert ffmpeg.stdin is not None
            with contextlib.suppress(BrokenPipeError), ffmpeg.stdin as film:  # it says itself why it has ended
                film.write(one.tobytes())
                for one in shown:
                    film.write(one.tobytes())
                film.write(one.tobytes() * (round(LAST / seconds) - 1))
        if ffmpeg.returncode:
            said.seek(0)
            raise RenderError(f"ffmpeg: {said.read().decode(errors='replace').strip()}")
        replace_file(file, made.read_bytes())
