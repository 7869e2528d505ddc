"""The window of `render_mode="human"`: core prints text, the package registers one that opens a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from theogony.envs.core.position import Position


class Window(Protocol):
    """Where an environment shows its game to a person."""

    def show(self, position: Position) -> None:
        """Show how the game stands."""
        ...

    def close(self) -> None:
        """Show nothing any more."""
        ...


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


_open: Callable[[Any], Window] = Printed


def register_window(opener: Callable[[Any], Window]) -> None:
    """Let `opener(viewer)` open windows from now on."""
    global _open
    _open = opener


def open_window(viewer: Any) -> Window:
    """A window for what a viewer sees: a seat, None for what is public, or "all"."""
    return _open(viewer)
