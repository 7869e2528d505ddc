"""`theogony mcp`, spoken to by the client of the official package over real pipes."""

import asyncio
import os
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the package mcp is not installed")
from mcp import ClientSession, StdioServerParameters, stdio_client

from theogony.wrappers.text.server import TOOLS, Session

SLOW = "mcts:10000"  # an opponent that thinks for a while, and always alike


@asynccontextmanager
async def _served(*options: str) -> AsyncIterator[tuple[Any, Any]]:
    """A client of the command `theogony mcp`, and a function that calls a tool."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "theogony", "mcp", *options], env={**os.environ})
    async with stdio_client(server) as (reader, writer), ClientSession(reader, writer) as client:
        await client.initialize()

        async def call(name: str, **arguments: Any) -> str:
            result = await client.call_tool(name, arguments)
            return "\n".join(getattr(part, "text", "") for part in result.content)

        yield client, call


async def _talk() -> dict[str, str]:
    async with _served() as (client, call):
        said = {"tools": ",".join(tool.name for tool in (await client.list_tools()).tools)}
        said["early"] = await call("view")
        said["games"] = await call("list_games")
        said["rules"] = await call("rules", game="push_of_faith")
        said["wrong game"] = await call("new_game", game="chess")
        said["wrong seat"] = await call("new_game", game="push_of_faith", seat=2)
        said["new"] = await call("new_game", game="push_of_faith", opponents="random", seat=0, seed=3)
        said["legal"] = await call("legal")
        said["two"] = await call("play", move=" or ".join(said["legal"].splitlines()[:2]))
        said["play"] = await call("play", move=said["legal"].splitlines()[0])
        said["undo"] = await call("undo")
        said["view"] = await call("view")
        said["nothing to undo"] = await call("undo")
        return said


@pytest.mark.slow
def test_a_game_over_the_protocol() -> None:
    said = asyncio.run(asyncio.wait_for(_talk(), 120))
    assert said["tools"] == ",".join(TOOLS)
    assert "call new_game first" in said["early"]
    assert "push_of_faith: Push of Faith, 2 to 5 players" in said["games"]
    assert "## Rules" in said["rules"]
    assert said["wrong game"].startswith("Not done:") and "chess" in said["wrong game"]
    assert said["wrong seat"] == "Not done: seat 2 is not 0 to 1 (seat 0 is player 1), or -1 to draw it"
    assert "You are player 1 (seat 0)." in said["new"] and "push N to" in said["legal"]
    assert "Move: " not in said["new"], "a client says its move to `play`"
    assert said["two"].startswith("Not played: the reply names 2 moves (push N to a, push N to c); one was expected.")
    assert "2 more tries, then a random move is played for you." in said["two"]
    assert "You are player 1 (seat 0)." in said["play"]
    assert "you place the tile" in said["play"] and said["play"] != said["undo"]
    assert said["undo"] == said["view"] and said["view"] in said["new"]
    assert said["nothing to undo"] == "Not done: there is no decision of yours to take back"


@pytest.mark.parametrize(
    ("opponents", "expected"),
    [
        ("own_players:First", "there is no opponent"),
        ("mcts:10@own_players:First", "there is no opponent"),
        ("runs/selfplay", "there is no opponent"),
        ("", "there is no opponent"),
        ("mcts:99999999", "would think too long"),
        ("mcts:10000ms", "would think too long"),
        ("mcts:5000x4", "would think too long"),
        ("mcts:1000msx2", "would think too long"),
        ("flat:1001ms:greedy", "would think too long"),
    ],
)
def test_a_client_names_no_code_and_no_file(opponents: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        Session().new_game("push_of_faith", opponents)
    for tool in (Session().new_game, Session().rules):
        with pytest.raises(ValueError, match="there is no game 'tictactoe:SPEC'"):
            tool("tictactoe:SPEC")


def test_a_hint_is_a_legal_move() -> None:
    session = Session()
    session.new_game("push_of_faith", "random", seat=1, seed=1)
    assert any(session.hint().endswith(f": {move}") for move in session.legal())


# ---------------------------------------------------------------------------------------------------- calls at once


def _begun() -> tuple[Session, str]:
    """A game in which the client is to decide, and a move after which an opponent thinks."""
    session = Session()
    session.new_game("innovation", SLOW, seat=0, seed=3)
    return session, session.legal()[0]


@pytest.mark.slow
@pytest.mark.parametrize("second", ["play", "undo", "legal", "view"])
def test_a_call_waits_until_the_one_before_has_ended(second: str) -> None:
    """While an opponent thinks the game stands at its decision: another call must not see that, nor change it."""

    def tell(session: Session, move: str) -> Any:
        return session.play(move) if second == "play" else getattr(session, second)()

    session, move = _begun()
    expected = session.play(move), tell(session, move), session.view()
    session, move = _begun()
    told: list[Any] = []
    running = threading.Thread(target=lambda: told.append(session.play(move)))
    running.start()
    while not session.lock.locked() and running.is_alive():
        time.sleep(0.001)
    time.sleep(0.01)  # now the opponent thinks
    assert running.is_alive(), "the opponent has answered already: it must think longer"
    after = tell(session, move)
    running.join(60)
    assert (*told, after, session.view()) == expected


@pytest.mark.slow
def test_a_client_that_does_not_wait_sees_no_legal_moves_of_an_opponent() -> None:
    async def hurry() -> list[str]:
        async with _served() as (_, call):
            await call("new_game", game="innovation", opponents="mcts:1000ms", seat=0, seed=3)
            move = (await call("legal")).splitlines()[0]
            first = asyncio.create_task(call("play", move=move))
            await asyncio.sleep(0.4)
            tools = [call("play", move=move), call("legal"), call("play", move=move), call("view")]
            return [*await asyncio.gather(*tools), await first]

    for text in asyncio.run(asyncio.wait_for(hurry(), 120)):
        assert "seat 1" not in text and "Error" not in text and "not legal" not in text, text


@pytest.mark.slow
def test_fair_play_takes_tools_and_seeds_away() -> None:
    async def look() -> tuple[list[str], str, str]:
        async with _served("--no-undo", "--no-hint", "--hidden-seed") as (client, call):
            tools = {tool.name: str(tool) for tool in (await client.list_tools()).tools}
            drawn = await call("new_game", game="push_of_faith", opponents="random", seat=0)
            return list(tools), tools["new_game"], drawn

    tools, new_game, drawn = asyncio.run(asyncio.wait_for(look(), 120))
    assert tools == [name for name in TOOLS if name not in ("undo", "hint")]
    assert "opponents" in new_game and "seed" not in new_game
    assert "You are player 1 (seat 0)." in drawn
