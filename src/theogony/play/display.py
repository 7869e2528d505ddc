"""The window of `render_mode="human"`: the page of the game in the browser, or text where there is no display."""

from __future__ import annotations

import threading
import webbrowser

from theogony.envs.core.draw.viewers import Printed, Window
from theogony.envs.core.position import Position
from theogony.play.launch import has_display, http_server, listening, seat_links, server_class
from theogony.play.saved import Kept, new_link
from theogony.play.seats import Seats
from theogony.play.seen import Viewer, history
from theogony.play.table import Table

PROGRAM = "the program"  # who sits in the seats


def open_window(viewer: Viewer) -> Window:
    """A page that follows the game; without a display one line that says so, and text from then on."""
    if not has_display():
        print("there is no display: positions are printed as text")
        return Printed(viewer)
    try:
        server_class()
    except ModuleNotFoundError as error:
        print(f"{error}; positions are printed as text")
        return Printed(viewer)
    return PageWindow(viewer)


class PageWindow:
    """A page that follows the game of an environment. It is served from the first position that is shown."""

    def __init__(self, viewer: Viewer, browser: bool = True) -> None:
        self._viewer, self._browser = viewer, browser
        self._table: Table | None = None
        self._server = None
        self.address = ""

    def show(self, position: Position) -> None:
        """Let the page show it."""
        if self._table is None:
            self._table = self._serve(position)
        else:
            self._table.follow(position)

    def _serve(self, position: Position) -> Table:
        players = position.game.players
        table = Table(history(position), Seats((PROGRAM,) * players, {}))
        kept = Kept(seats=[PROGRAM] * players, links=[None] * players, watch=new_link(), port=0)
        server = self._server = http_server(server_class()(table, kept, self._viewer).application())
        ready = threading.Event()

        def run() -> None:
            with listening(0, fall_back=False) as found:
                port = found.getsockname()[1]
                self.address = seat_links(kept.model_copy(update={"port": port}))["look on"]
                ready.set()
                server.run(sockets=[found])

        threading.Thread(target=run, name="window", daemon=True).start()
        ready.wait()
        print(f"the game is shown at {self.address}")
        if self._browser:
            webbrowser.open(self.address)
        return table

    def close(self) -> None:
        """The page is served no more."""
        if self._server is not None:
            self._server.should_exit = True
            self._server = self._table = None
