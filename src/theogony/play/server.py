"""The local page: which address gives what. Whoever knows the link of a seat sees what that seat may know, no more.

/                        nothing but a word where links are found
/static/...              style sheet and script
/seat/LINK/              the page of a seat, or of those who look on
/seat/LINK/news          what has happened, as JSON: `?epoch=...&after=...`
/seat/LINK/events        a line whenever something has changed (server-sent events)
/seat/LINK/frame         the game after `?ply=...` decisions, as JSON
/seat/LINK/preview       what an action would cost and bring: `?decision=...&action=...`
/seat/LINK/course        where a game that is over has turned for the seat, as JSON
/seat/LINK/drawn         a card or another thing as a picture of its own: `?name=...`
/seat/LINK/words         what things are called and do, and the rules, as JSON
/seat/LINK/introduction  pictures that introduce the game, with a sentence each, as JSON
/seat/LINK/picture.svg   the picture alone
/seat/LINK/replay.html   the game so far as one file, with what this seat knew
/seat/LINK/sit, play, undo, hurry, again, answer, hint     messages, see `session.py`
"""

from __future__ import annotations

import asyncio
import hmac
import json
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from theogony.play.agreement import Agreement, Sitting, Taken
from theogony.play.guard import Guard, TooLarge
from theogony.play.pages import PLAY, STYLES, table_page, web
from theogony.play.saved import Kept
from theogony.play.seen import Viewer
from theogony.play.session import KINDS, LOOKED, Again, Answer, BadMessage, Message, Session, Sit, window_named
from theogony.play.table import Refused, Table

Handler = Callable[[Request, Viewer], Awaitable[Response]]
STATIC = {**dict.fromkeys(PLAY, "text/javascript"), **dict.fromkeys(STYLES, "text/css")}
BEAT = 15.0  # seconds between two signs of life
NO_SEAT = "no seat has this address; the links of the seats were printed where the game was started"


class NoSeat(LookupError):
    """There is no such link."""


class Server(Session):
    """The routes of one table. `again(names)` lays a new game with these players in the seats."""

    def __init__(
        self, table: Table, links: Kept, watcher: Viewer = None, again: Callable[[list[str]], None] | None = None
    ) -> None:
        self._called: dict[int, str] = {}
        people = [(link, seat) for seat, link in enumerate(links.links) if link is not None]
        self._viewers: list[tuple[str, Viewer]] = [(links.watch, watcher), *people]
        self._sitting = {seat: Sitting() for _, seat in people}
        self._listening: set[asyncio.Event] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.serve(table, again)

    def serve(self, table: Table, again: Callable[[list[str]], None] | None) -> None:
        """Show this table from now on; who sits there keeps the seat and the name."""
        self.table, self._agreement = table, Agreement(table, again)
        table.listeners.append(self._changed)
        self._changed()

    def application(self) -> Guard:
        """The ASGI application."""
        asked: dict[str, Handler] = {"": page, "events": self.events, "picture.svg": self.picture}
        asked |= {"replay.html": self.replay_page}
        asked |= {name: self._answering(name) for name in (*LOOKED, *KINDS) if name != "replay"}
        routes = [Route("/", nobody), Route("/static/{name}", static)]
        for name, handler in asked.items():
            way = "POST" if name in KINDS else "GET"
            routes.append(Route(f"/seat/{{link}}/{name}", self._seated(handler), methods=[way]))
        return Guard(Starlette(routes=routes, exception_handlers=dict.fromkeys(STATUS, failed)))

    def _answering(self, name: str) -> Handler:
        """The answer to a question of a session. Hints are made ready after news: first comes what is to be seen."""
        after = BackgroundTask(lambda: self.table.prepare_hints()) if name == "news" else None

        async def answer(request: Request, who: Viewer) -> Response:
            body = await request.body()  # `guard.limited` bounds it
            return JSONResponse(
                await run_in_threadpool(self.asked, name, who, request.query_params, body), background=after
            )

        return answer

    def _seated(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """A handler that is called with the viewer whose link the address has. Every link is compared, so that the time
        tells nothing."""

        async def seated(request: Request) -> Response:
            given = request.path_params["link"].encode()
            found: list[Viewer] = [who for known, who in self._viewers if hmac.compare_digest(known.encode(), given)]
            if not found:
                raise NoSeat(NO_SEAT)
            return await handler(request, found[0])

        return seated

    # ------------------------------------------------------------------------------------------------ looking

    def told(self, who: Viewer, epoch: str | None = None, after: int = -1, frames: int = 1) -> dict[str, Any]:
        """What has happened since a window looked last; for who plays alone also the command with which the game goes
        on: the page needs it when the server has ended. Where several people play, the terminal alone names the record,
        which holds all that is hidden."""
        found, record = super().told(who, epoch, after, frames), self.table.record
        if record is not None and self.table.seats.people == [who]:
            found["resume"] = shlex.join(["theogony", "play", "--resume", str(record)])
        return found

    def around(self) -> dict[str, Any]:
        """What is not of the game: who looks on, what people are called, what somebody would like."""
        here = [seat for seat, sitting in self._sitting.items() if sitting.here]
        called = [self._called.get(seat) for seat in range(len(self.table.seats.names))]
        return {"here": here, "called": called, "coming": self.table.coming} | self._agreement.told()

    async def picture(self, request: Request, who: Viewer) -> Response:
        """The picture of the present position."""
        found = await run_in_threadpool(self.table.frame, who)
        return Response(found["svg"], media_type="image/svg+xml")

    async def replay_page(self, request: Request, who: Viewer) -> Response:
        """The game so far as a page that needs no server."""
        text = await run_in_threadpool(self.replay, who)
        return HTMLResponse(text, headers={"content-security-policy": "frame-ancestors 'none'"})

    async def events(self, request: Request, who: Viewer) -> Response:
        """A line for every change, until the window goes or the seat is taken over."""
        window = window_named(request.query_params.get("window", ""))
        sitting = (self._sitting.get(who) if isinstance(who, int) else None) or Sitting()
        sitting.open(window)
        self._loop = asyncio.get_running_loop()
        self._wake()
        return StreamingResponse(self._lines(sitting, window), media_type="text/event-stream")

    async def _lines(self, sitting: Sitting, window: str) -> AsyncIterator[str]:
        changed = asyncio.Event()
        self._listening.add(changed)
        try:
            while sitting.window == window:
                changed.clear()
                table = self.table
                told = {"decision": table.decision, "trouble": table.trouble, "hints": table.hints}
                yield f"data: {json.dumps(told | self.around())}\n\n"
                try:
                    await asyncio.wait_for(changed.wait(), BEAT)
                except TimeoutError:
                    yield ": still here\n\n"
            yield "event: taken\ndata: {}\n\n"
        finally:
            self._listening.discard(changed)
            sitting.close(window)
            self._wake()

    def _changed(self) -> None:
        """The table's listener, in whatever thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        for changed in self._listening:
            changed.set()

    # ------------------------------------------------------------------------------------------------ deciding

    def sit(self, who: Viewer, message: Sit) -> Any:
        """A window sits down, or takes the seat over."""
        if isinstance(who, int) and who in self._sitting:
            self._sitting[who].sit(message.window, message.take)
            self._called[who] = "".join(filter(str.isprintable, message.name)).strip()
            self._changed()
        return {"ok": True}

    def undo(self, who: Viewer, message: Message) -> Any:
        """The last decision of a person taken back, or the others asked for that."""
        self._agreement.undo(self.seat(who, message), message.decision)
        return self.told(who)

    def again(self, who: Viewer, message: Again) -> Any:
        """A new game, or the others asked for one."""
        self._agreement.again(self.seat(who, message), message.decision, message.seats)
        return self.told(who)

    def answer(self, who: Viewer, message: Answer) -> Any:
        """Whether a person agrees with what another would like."""
        self._agreement.answer(self.seat(who, message), message.decision, message.agreed)
        return self.told(who)

    def seat(self, who: Viewer, message: Message) -> int:
        """The seat of a window that decides. Raises Taken, or Refused for one that only looks on."""
        if not isinstance(who, int) or who not in self._sitting:
            raise Refused("with this link you look on; the seats have links of their own")
        self._sitting[who].check(message.window)
        return who


# ---------------------------------------------------------------------------------------------------- answers


async def nobody(request: Request) -> Response:
    """What somebody without a link gets."""
    return HTMLResponse(f"<!doctype html><title>Theogony</title><p>{NO_SEAT[0].upper()}{NO_SEAT[1:]}.", 403)


async def static(request: Request) -> Response:
    """The style sheet and the scripts."""
    name = request.path_params["name"]
    if name not in STATIC:
        raise HTTPException(404, "there is no such file")
    return Response(web(name), media_type=STATIC[name])


async def page(request: Request, who: Viewer) -> Response:
    """The page of a seat: it holds nothing, the script asks for what is to be seen."""
    return HTMLResponse(table_page())


STATUS: dict[Any, int] = {Taken: 409, Refused: 409, BadMessage: 400, NoSeat: 404, TooLarge: 413, OSError: 507,
                          HTTPException: 0, Exception: 500}  # fmt: skip


async def failed(request: Request, error: Exception) -> Response:
    """An error as JSON, in words."""
    if isinstance(error, HTTPException):
        return JSONResponse({"error": error.detail}, error.status_code)
    status = next(status for kind, status in STATUS.items() if isinstance(error, kind))
    reason = {413: "the message is too large", 500: f"internal error: {type(error).__name__}: {error}"}.get(status)
    if isinstance(error, OSError):
        reason = f"this decision cannot be saved, so it is not taken: {error.strerror or error}"
    return JSONResponse({"error": reason or str(error), "taken": isinstance(error, Taken)}, status)
