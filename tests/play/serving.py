"""Tables that are served in this process, on a real port, and a plain HTTP client."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import Keeper
from theogony.envs.core.position import Position
from theogony.play.launch import Asked, http_server, laid, listening
from theogony.play.saved import Kept, new_table
from theogony.play.seats import Seats
from theogony.play.server import Server
from theogony.play.table import Table


@dataclass
class Served:
    """A table and where it is served."""

    table: Table
    kept: Kept
    port: int
    record: Path

    def path(self, seat: int | None) -> str:
        """The path of a seat's page; None: of those who look on."""
        return f"/seat/{self.kept.watch if seat is None else self.kept.links[seat]}/"

    def url(self, seat: int | None) -> str:
        """The address of a seat's page."""
        return f"http://127.0.0.1:{self.port}{self.path(seat)}"

    def ask(self, method: str, path: str, content: Any = None, **headers: str) -> tuple[int, bytes, dict[str, str]]:
        """Status, body and headers of one request. `content` is sent as it is when it is bytes, else as JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if content is not None:
            sent.setdefault("content-type", "application/json")
        raw = content if isinstance(content, bytes) or content is None else json.dumps(content).encode()
        try:
            connection.request(method, path, raw, sent)
            answer = connection.getresponse()
            return answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
        finally:
            connection.close()

    def get(self, seat: int | None, name: str) -> Any:
        """What a seat is told, from JSON."""
        return json.loads(self.ask("GET", self.path(seat) + name)[1])

    def post(self, seat: int | None, path: str, /, **content: Any) -> tuple[int, Any]:
        """Status and answer of a message of a seat."""
        status, body, _ = self.ask("POST", self.path(seat) + path, {"window": "test", **content})
        return status, json.loads(body)

    def play(self, seat: int, action: int, decision: str | None = None) -> tuple[int, Any]:
        """Play an action of a seat."""
        decision = self.table.decision if decision is None else decision
        return self.post(seat, "play", decision=decision, action=action, epoch="none", after=-1)

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until something is so."""
        deadline = time.monotonic() + 20
        while not condition():
            assert time.monotonic() < deadline, "waited in vain"
            time.sleep(0.005)


Opener = Callable[..., Served]


def lay(game: Game, names: list[str], record: Path, seed: int = 7) -> tuple[Table, Kept]:
    """A table with its record and its links."""
    position = Position(game, seed)
    table = Table(position, Seats.make(names, game), Keeper(position, record))
    table.save()
    return table, new_table(names)


@contextlib.contextmanager
def tables(folder: Path) -> Iterator[Opener]:
    """A function that lays tables and serves them until the block ends."""
    with contextlib.ExitStack() as stack:

        def serve(game: str, names: list[str], seed: int = 7, **options: Any) -> Served:
            record = folder / f"{game}-{seed}.jsonl"
            asked = Asked(load(game), ",".join(names), {"players": len(names), **options}, seed, record)
            at = stack.enter_context(laid(asked))
            table, kept = at.table, at.kept
            server = http_server(Server(table, kept, again=at.again).application())
            found = stack.enter_context(listening(0, fall_back=False))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [found]}, daemon=True)
            thread.start()

            def stop() -> None:
                table.close()
                server.should_exit = True
                thread.join(10)

            stack.callback(stop)
            table.start()
            return Served(table, kept, found.getsockname()[1], record)

        yield serve
