"""A client of `theogony mcp` that plays one game: put a model in the place of `choose`.

python play.py orbis
"""

from __future__ import annotations

import asyncio
import os
import sys

from mcp import ClientSession, StdioServerParameters, stdio_client

FAIR = ["--no-undo", "--no-hint", "--hidden-seed"]


def choose(view: str, legal: list[str]) -> str:
    """The first legal move."""
    return legal[0]


async def play(game: str) -> str:
    """A whole game against `greedy`. Returns its last text."""
    command = [sys.executable, "-m", "theogony", "mcp", *FAIR]
    server = StdioServerParameters(command=command[0], args=command[1:], env={**os.environ})
    async with stdio_client(server) as (reader, writer), ClientSession(reader, writer) as client:
        await client.initialize()

        async def call(tool: str, **arguments: str) -> list[str]:
            return [getattr(part, "text", "") for part in (await client.call_tool(tool, arguments)).content]

        text = "".join(await call("new_game", game=game, opponents="greedy"))
        while "The game is over" not in text:
            legal = [move for part in await call("legal") for move in part.splitlines()]
            text = "".join(await call("play", move=choose(text, legal)))
        return text


if __name__ == "__main__":
    print(asyncio.run(play(sys.argv[1] if len(sys.argv) > 1 else "push_of_faith")))
