"""`theogony mcp`: a game as tools of the Model Context Protocol, over stdio. Needs the package `mcp`.

One client plays one game at a time. What a tool returns is a text of `TextEnv`: it holds what the client's seat knows
and nothing else; what was wrong is said in the text too, and the game goes on.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from theogony.envs import GAMES, load
from theogony.envs.core.game import GameSpec
from theogony.envs.core.player_names import OWN, RUN, kind_of
from theogony.envs.core.players import Views, make_player
from theogony.wrappers.text.env import TextEnv
from theogony.wrappers.text.prompt import rules_of

HINTS, MOST = "mcts:400", 10_000  # iterations of a search: of a hint, of an opponent at most
NO_GAME = "No game is running: call new_game first."
INSTRUCTIONS = (
    "Play modern board games. Call rules, then new_game; read the view, choose one of the legal moves, and call play "
    "with its text. The other seats are played by the server."
)


class Session:
    """The game of one client. Every public method is a tool; its docstring is what the client reads of it."""

    def __init__(self) -> None:
        self._env: TextEnv | None = None

    def list_games(self) -> str:
        """The games that can be played, and for how many players."""
        specs = [load(name) for name in GAMES]
        return "\n".join(f"{s.name}: {s.title}, {min(s.players)} to {max(s.players)} players" for s in specs)

    def rules(self, game: str) -> str:
        """The rules of a game."""
        return rules_of(known(game)) or f"{game} brings no rules for readers."

    def new_game(
        self, game: str, opponents: str = "greedy", players: int = 0, seat: int = -1, seed: int | None = None
    ) -> str:
        """Begin a game and see the first position. A running game is given up.

        opponents: random, greedy, reference or mcts:400. players: seats at the table, 0 for the usual number.
        seat: yours, -1 to draw it. seed: the deal, drawn when left out.
        """
        options: dict[str, Any] = {"players": players} if players else {}
        table = known(game).configure(options).players
        check_opponent(opponents)
        if not -1 <= seat < table:
            raise ValueError(f"seat {seat} is not 0 to {table - 1}, or -1")
        env = TextEnv(game, opponents=opponents, seat="random" if seat == -1 else seat, rules=False, **options)
        text = env.reset(seed)
        self._env = env
        return text

    def view(self) -> str:
        """The position as your seat knows it, with the legal moves."""
        return self._playing().view()

    def legal(self) -> list[str]:
        """The legal moves."""
        env = self._playing()
        return [env.words(action) for action in env.legal_moves().values()]

    def play(self, move: str) -> str:
        """Play a legal move, written as in the list. Returns the position when it is your turn again, or the result."""
        return self._playing().step(move)

    def undo(self) -> str:
        """Take back your last move, and what the others answered."""
        if self._env is None:
            raise ValueError(NO_GAME)
        self._env.undo()
        return self._env.view()

    def hint(self) -> str:
        """The move that a search would play in your place."""
        env = self._playing()
        player = make_player(HINTS, env.game)
        action = int(player.act(Views.at(env.position), env.rng)[0])
        return f"A search ({HINTS}) would play: {env.words(action)}"

    def _playing(self) -> TextEnv:
        if self._env is None or self._env.over:
            raise ValueError(NO_GAME)
        return self._env


def known(game: str) -> GameSpec:
    """A game of the package. A name of a module would be imported, and a client has no say in what runs here."""
    if game not in GAMES:
        raise ValueError(f"there is no game {game!r}; expected {', '.join(GAMES)}")
    return load(game)


def check_opponent(player: str) -> None:
    """Raise ValueError for a player that is a module or a file of this machine, or would think for hours."""
    guided = [part for part in player.partition("@") if part not in ("", "@")] or [player]
    if any(kind_of(name) in (OWN, RUN) for name in guided):
        raise ValueError(f"there is no opponent {player!r}; expected random, greedy, greedy:0.3, reference or mcts:400")
    if any(int(number) > MOST for number in re.findall(r"\d+", player)):
        raise ValueError(f"opponent {player!r} would think too long; expected at most mcts:{MOST}")


TOOLS = ("list_games", "rules", "new_game", "view", "legal", "play", "undo", "hint")


def answered(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The tool, with what a user did wrong as an answer in words instead of an exception."""

    @functools.wraps(tool)
    def answer(*arguments: Any, **named: Any) -> Any:
        try:
            return tool(*arguments, **named)
        except (ValueError, LookupError, ImportError) as error:
            return f"Not done: {error}"

    return answer


def make_server() -> Any:
    """The server with its tools, an `MCPServer`. Raises ModuleNotFoundError without the package `mcp`."""
    from mcp.server.mcpserver import MCPServer

    server, session = MCPServer("theogony", version=version("theogony"), instructions=INSTRUCTIONS), Session()
    for name in TOOLS:
        server.tool(structured_output=False)(answered(getattr(session, name)))
    return server
