"""`theogony play`: a table is laid, its page served on this machine only, and the browser opened where there is one.
So is the window of `render_mode="human"`: the page of its game, or text where there is no display.
"""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from theogony.console import interrupt
from theogony.console.extras import install
from theogony.envs.core.draw.style import seat_word
from theogony.envs.core.draw.viewers import Printed, Window
from theogony.envs.core.game import GameSpec
from theogony.envs.core.gamerecord import Keeper, read_record
from theogony.envs.core.position import Position
from theogony.envs.core.rng import seed_bits
from theogony.play import background, saved
from theogony.play.background import from_cache
from theogony.play.first import Coming
from theogony.play.seats import SeatError, Seats, game_for
from theogony.play.seen import Viewer, history
from theogony.play.table import Refused, Table
from theogony.training.config.modules import find_game
from theogony.training.storage.disk import locked

HOST = "127.0.0.1"
PROGRAM = "the program"  # who sits in the seats
MISSING = "the page needs {}: {} brings it; --text plays in the terminal"


class PortError(OSError):
    """A port cannot be listened on."""


@dataclass(frozen=True)
class Asked:
    """What the command line asks for."""

    game: GameSpec | None = None
    seats: str | None = None
    options: dict[str, Any] | None = None
    seed: int | None = None
    record: Path | None = None
    resume: Path | None = None


@dataclass(frozen=True)
class Laid:
    """A table with its record and its links. `again(names)` plays another game there, with a record of its own."""

    table: Table
    kept: saved.Kept
    record: Path
    again: Callable[[list[str]], None]


@dataclass(frozen=True)
class Plan:
    """A new game before its table is laid, and what stands for the table until then."""

    table: Coming
    kept: saved.Kept
    record: Path


def planned(asked: Asked) -> Plan:
    """What is asked for, drawn and chosen where nothing is said. Raises the errors of options and seats."""
    if asked.game is None:
        raise SeatError("name a game, or a record to go on from: --resume FILE")
    game, names = game_for(asked.game, asked.seats, asked.options or {})
    record = asked.record or saved.new_record(game.spec.name)
    if asked.record is not None and record.exists():
        raise SeatError(f"{record}: is there already; go on with it by --resume {record}")
    seed = secrets.randbits(63) if asked.seed is None else seed_bits(asked.seed)
    return Plan(Coming(game, names, seed), saved.new_table(names), record)


@contextlib.contextmanager
def laid(asked: Asked, made: tuple[Table, saved.Kept, Path] | None = None) -> Iterator[Laid]:
    """Lay a table, new or from a record, or one that is `made`; nobody else plays on that record meanwhile.

    Raises InUse, and the errors of options, players, records and files.
    """
    table, kept, record = made or (_new(planned(asked)) if asked.resume is None else _resumed(asked))
    saved.remove_leftovers(record.parent)
    with contextlib.ExitStack() as locks:

        def own(record: Path) -> None:
            locks.enter_context(locked(saved.lock_of(record), f"{record}: another process plays on this record"))
            interrupt.say(f"every decision is saved, go on with: theogony play --resume {record}")

        def again(names: list[str]) -> None:
            try:
                seats = Seats.make(names, table.game)
            except (ValueError, ModuleNotFoundError) as error:  # they cannot play here
                raise Refused(str(error)) from None
            links = saved.read_table(record, table.game.players) or kept
            position = Position(table.game, secrets.randbits(63))
            new = saved.new_record(table.game.spec.name, record.parent)
            own(new)
            saved.write_table(links.model_copy(update={"seats": names}), new)
            table.begin(position, seats, Keeper(position, new))
            print(f"another game is played: the record is {new}", flush=True)

        own(record)
        table.save()
        saved.write_table(kept, record)
        yield Laid(table, kept, record, again)
        table.close()


def _new(plan: Plan, drawn: bool = False) -> tuple[Table, saved.Kept, Path]:
    """A new table, with all compiled that its first picture needs where it is `drawn`."""
    game, position = plan.table.game, Position(plan.table.game, plan.table.seed)
    table = Table(position, Seats.make(list(plan.table.seats.names), game), Keeper(position, plan.record))
    if drawn:
        table.news(None, None, -1)
    return table, plan.kept, plan.record


def _resumed(asked: Asked) -> tuple[Table, saved.Kept, Path]:
    """A table from its record. Who sits where is what the file beside it says, unless `seats` says otherwise."""
    record: Path = asked.resume  # pyright: ignore[reportAssignmentType]
    if asked.record is not None or asked.options or asked.seed is not None:
        raise SeatError("--resume goes on with a game as it was: --record, --option and --seed are for new ones")
    position = read_record(record, lambda name: asked.game or find_game(name, record))
    game = position.game
    kept = saved.read_table(record, game.players)
    if asked.seats is not None or kept is None:
        names = game_for(game.spec, asked.seats, {"players": game.players})[1]
        links = saved.new_table(names)
        if kept is not None:  # people who stay keep their links
            stay = [old if new and old else new for new, old in zip(links.links, kept.links, strict=True)]
            links = links.model_copy(update={"links": stay, "watch": kept.watch, "port": kept.port})
        kept = links
    seats = Seats.make(kept.seats, game)
    return Table(position, seats, Keeper(position, record)), kept, record


# ---------------------------------------------------------------------------------------------------- the page


def serve(asked: Asked, port: int | None = None, browser: bool = True) -> None:
    """Serve the page of a table until the process is stopped. Raises PortError and the errors of `laid`.

    Where rules of a new game are still to be compiled, the page is there before the table is.
    """
    Server = server_class()
    plan = planned(asked) if asked.resume is None else None
    with contextlib.ExitStack() as stack:
        made = _resumed(asked) if plan is None else from_cache(lambda: _new(plan, drawn=True))
        at: Any = plan if made is None else stack.enter_context(laid(asked, made))
        with listening(at.kept.port if port is None else port, fall_back=port is None) as found:
            kept = at.kept.model_copy(update={"port": found.getsockname()[1]})
            page = Server(at.table, kept)
            running = http_server(page.application())
            links = seat_links(kept)
            _say_links(at, links)

            def open_table(at: Laid) -> None:
                saved.write_table(kept, at.record)
                page.serve(at.table, at.again)
                at.table.start()

            def compile_first() -> None:
                try:
                    at.table.compile()
                    open_table(stack.enter_context(laid(asked, _new(at))))
                except Exception as error:  # it ends the command
                    failed.append(error)
                    running.should_exit = True

            failed: list[Exception] = []
            if made is None:
                background.begin("drawing", at.table.draw)
                background.begin("rules", compile_first)
            else:
                open_table(at)
            if browser and has_display():
                threading.Timer(0.2, webbrowser.open, [next(iter(links.values()))]).start()
            running.run(sockets=[found])
            if failed:
                raise failed[0]


def server_class() -> Any:
    """The class `Server`. Raises ModuleNotFoundError saying what brings it."""
    try:
        import uvicorn  # noqa: F401

        from theogony.play.server import Server
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(MISSING.format(error.name, install("play")), name="theogony.play") from None
    return Server


def http_server(application: Any) -> Any:
    """What serves an application: `run(sockets=[...])`, until `should_exit` is set."""
    import uvicorn

    from theogony.play.guard import MOST_OPEN, PatientProtocol, Waiting

    protocol: Any = functools.partial(PatientProtocol, waiting=Waiting())
    config = uvicorn.Config(
        application, http=protocol, ws="none", log_level="critical", access_log=False, server_header=False,
        proxy_headers=False, limit_concurrency=MOST_OPEN, timeout_graceful_shutdown=1, lifespan="off",
    )  # fmt: skip
    server = uvicorn.Server(config)
    # Ctrl-C ends the command as it ends all others.
    server.capture_signals = contextlib.nullcontext  # pyright: ignore[reportAttributeAccessIssue]
    return server


def _say_links(at: Laid | Plan, links: dict[str, str]) -> None:
    if not at.table.seats.people:
        print("nobody of these seats is a person: you look on")
    print(f"{at.table.game.spec.title}: the record is {at.record}")
    for who, link in links.items():
        print(f"  {who}: {link}", flush=True)
    print("a link is a seat: give each to one person. Ctrl-C ends; --resume goes on", flush=True)
    if at.table.coming:
        print("rules are being compiled first, once: the page shows how far that is", flush=True)


def seat_links(kept: saved.Kept) -> dict[str, str]:
    """The address of every seat of a person, then of those who look on."""
    root = f"http://{HOST}:{kept.port}/seat"
    links = {seat_word(seat): f"{root}/{link}/" for seat, link in enumerate(kept.links) if link is not None}
    return links | {"look on": f"{root}/{kept.watch}/"}


@contextlib.contextmanager
def listening(port: int, fall_back: bool) -> Iterator[socket.socket]:
    """A socket that listens on this machine only. Port 0 is any free one; so is a taken one with `fall_back`.

    Raises PortError, which names the port.
    """
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio sends at once only then
    try:
        if os.name == "posix":  # elsewhere it would let two servers share a port
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((HOST, port))
            found.listen(64)
        except OSError as error:
            if not fall_back:
                reason = error.strerror or error
                raise PortError(f"port {port}: {reason}; name another one with --port, or 0 for any free one") from None
            found.bind((HOST, 0))
        yield found
    finally:
        found.close()


def has_display() -> bool:
    """Whether a browser could open a window here."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(v) for v in ("DISPLAY", "WAYLAND_DISPLAY"))


# ---- The window of an environment


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

    def __init__(self, viewer: Viewer) -> None:
        self._viewer, self._server = viewer, None
        self._table: Table | None = None
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
        kept = saved.Kept(seats=[PROGRAM] * players, links=[None] * players, watch=saved.new_link(), port=0)
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
        webbrowser.open(self.address)
        return table

    def close(self) -> None:
        """The page is served no more."""
        if self._server is not None:
            self._server.should_exit = True
            self._server = self._table = None
