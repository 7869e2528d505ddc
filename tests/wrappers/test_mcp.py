"""`theogony mcp`, spoken to by the client of the official package over real pipes."""

import asyncio
import sys
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the package mcp is not installed")
from mcp import ClientSession, StdioServerParameters, stdio_client

from theogony.wrappers.text.server import TOOLS, Session


async def _talk() -> dict[str, str]:
    server = StdioServerParameters(command=sys.executable, args=["-m", "theogony", "mcp"])
    async with stdio_client(server) as (reader, writer), ClientSession(reader, writer) as client:
        await client.initialize()

        async def call(name: str, **arguments: Any) -> str:
            result = await client.call_tool(name, arguments)
            return "\n".join(getattr(part, "text", "") for part in result.content)

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
    assert said["wrong seat"] == "Not done: seat 2 is not 0 to 1, or -1"
    assert "You are player 0." in said["new"] and "push N to" in said["legal"]
    assert said["two"].startswith("Not played: the reply names 2 moves")
    assert "places" in said["play"] and said["play"] != said["undo"]
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
