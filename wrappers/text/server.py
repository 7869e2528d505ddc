"""`theogony mcp`: a game as tools of the Model Context Protocol, over stdio. Needs the package `mcp`.

One client plays one game at a time. What a tool returns is a text of `TextEnv`: it holds what the client's seat knows
and nothing else; what was wrong is said in the text too, and the game goes on. Tools run on threads, and a client may
call one before the last has answered: they wait for each other, since a game in which an opponent is thinking stands at
that opponent's decision.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, Concatenate, ParamSpec, TypeVar

from theogony.envs import GAMES, load
from theogony.envs.core.game import GameSpec
from theogony.envs.core.players import Views, make_player
from theogony.wrappers.text.brief import rules_of
from theogony.wrappers.text.env import TextEnv
from theogony.wrappers.text.opponents import check_opponent

HINTS = "mcts:400"
NO_GAME = "No game is running: call new_game first."
INSTRUCTIONS = (
    "Play modern board games. Call rules, then new_game; read the view, choose one of the legal moves, and call play "
    "with its text. The other seats are played by the server."
)

Given = ParamSpec("Given")
Told = TypeVar("Told")


def in_turn(tool: Callable[Concatenate[Session, Given], Told]) -> Callable[Concatenate[Session, Given], Told]:
    """A tool that looks at the game or changes it: it waits until no other does."""

    @functools.wraps(tool)
    def waiting(self: Session, *arguments: Given.args, **named: Given.kwargs) -> Told:
        with self.lock:
            return tool(self, *arguments, **named)

    return waiting


class Session:
    """The game of one client. Every public method is a tool; its docstring is what the client reads of it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._env: TextEnv | None = None

    def list_games(self) -> str:
        """The games that can be played, and for how many players."""
        specs = [load(name) for name in GAMES]
        return "\n".join(f"{s.name}: {s.title}, {min(s.players)} to {max(s.players)} players" for s in specs)

    def rules(self, game: str) -> str:
        """The rules of a game."""
        return rules_of(known(game)) or f"{game} brings no rules for readers."

    @in_turn
    def new_game(
        self, game: str, opponents: str = "greedy", players: int = 0, seat: int = -1, seed: int | None = None
    ) -> str:
        """Begin a game and see the first position. A running game is given up.

        opponents: random, greedy, reference or mcts:400. players: seats at the table, 0 for the usual number.
        seat: yours, from 0 on (seat 0 is player 1), -1 to draw it. seed: the deal, drawn when left out.
        """
        options: dict[str, Any] = {"players": players} if players else {}
        table = known(game).configure(options).players
        check_opponent(opponents)
        if not -1 <= seat < table:
            raise ValueError(f"seat {seat} is not 0 to {table - 1} (seat 0 is player 1), or -1 to draw it")
        env = TextEnv(game, opponents=opponents, seat="random" if seat == -1 else seat, rules=False, **options)
        env.reset(seed)  # its text says how to write a reply; here `play` says that
        self._env = env
        return f"# {env.game.spec.title}\n\n{with_seat(env.view(), env.seat)}"

    def new_drawn_game(self, game: str, opponents: str = "greedy", players: int = 0, seat: int = -1) -> str:
        """Begin a game and see the first position. A running game is given up.

        opponents: random, greedy, reference or mcts:400. players: seats at the table, 0 for the usual number.
        seat: yours, from 0 on (seat 0 is player 1), -1 to draw it.
        """
        return self.new_game(game, opponents, players, seat)

    @in_turn
    def view(self) -> str:
        """The position as your seat knows it, with the legal moves."""
        env = self._playing()
        return with_seat(env.view(), env.seat)

    @in_turn
    def legal(self) -> list[str]:
        """The legal moves."""
        env = self._playing()
        return [env.words(action) for action in env.legal_moves().values()]

    @in_turn
    def play(self, move: str) -> str:
        """Play a legal move, written as in the list; words in parentheses may be left out. Returns the position when it
        is your turn again, or the result. In place of the third move in a row that is not legal a random one is played.
        """
        env = self._playing()
        return with_seat(env.step(move), env.seat)

    @in_turn
    def undo(self) -> str:
        """Take back your last move, and what the others answered."""
        if self._env is None:
            raise ValueError(NO_GAME)
        self._env.undo()
        return with_seat(self._env.view(), self._env.seat)

    @in_turn
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


def with_seat(text: str, seat: int) -> str:
    """A text for readers, to whom seats are players from 1 on, with the number by which a client asks for a seat."""
    return text.replace(f"You are player {seat + 1}.", f"You are player {seat + 1} (seat {seat}).", 1)


def known(game: str) -> GameSpec:
    """A game of the package. A name of a module would be imported, and a client has no say in what runs here."""
    if game not in GAMES:
        raise ValueError(f"there is no game {game!r}; expected {', '.join(GAMES)}")
    return load(game)


TOOLS = ("list_games", "rules", "new_game", "view", "legal", "play", "undo", "hint")


def answered(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The tool, with what a user did wrong as an answer in words instead of an exception."""

    @functools.wraps(tool)
    def answer(*arguments: Any, **named: Any) -> Any:
        try:
            return tool(*arguments, **named)
        except (ValueError, LookupError, ImportError, RuntimeError) as error:
            return f"Not done: {error}"

    return answer


def make_server(undo: bool = True, hint: bool = True, hidden_seed: bool = False) -> Any:
    """The server with its tools, an `MCPServer`; with `hidden_seed` every deal is drawn.

    Raises ModuleNotFoundError without the package `mcp`.
    """
    from mcp.server.mcpserver import MCPServer

    server, session = MCPServer("theogony", version=version("theogony"), instructions=INSTRUCTIONS), Session()
    tools: dict[str, Callable[..., Any]] = {name: getattr(session, name) for name in TOOLS}
    if hidden_seed:
        tools["new_game"] = session.new_drawn_game
    for name, offered in {"undo": undo, "hint": hint}.items():
        if not offered:
            del tools[name]
    for name, tool in tools.items():
        server.tool(name, structured_output=False)(answered(tool))
    return server
