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


_open: Callable[[Any], Window] = Printed


def register_window(opener: Callable[[Any], Window]) -> None:
    """Let `opener(viewer)` open windows from now on."""
    global _open
    _open = opener


def open_window(viewer: Any) -> Window:
    """A window for what a viewer sees: a seat, None for what is public, or "all"."""
    return _open(viewer)
