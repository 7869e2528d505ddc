"""Who sits where: `human,greedy,mcts:1000` on the command line, and the players made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from theogony.envs.core.draw.style import seat_name
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.players import Player, make_player

HUMAN = "human"
TITLES = {  # of players whose names are not words
    "random": "Random player", "greedy": "Greedy player", "reference": "Reference player",
    "greedy@reference": "Fast reference player", "mcts:64@reference": "Reference search", "mcts:400": "Search player",
}  # fmt: skip


class SeatError(ValueError):
    """Seats and players do not fit together."""


def game_for(spec: GameSpec, seats: str | None, options: dict[str, Any]) -> tuple[Game, list[str]]:
    """The game, and who sits in each seat: HUMAN or the name of a player.

    Without `seats` one person plays against greedy players. Where no option `players` is given, there are as many as
    there are seats named. Raises SeatError or OptionError.
    """
    names = [name.strip() for name in seats.split(",")] if seats else []
    if seats is not None and not all(names):
        raise SeatError(f'--seats {seats!r}: a seat is empty; expected names such as "human,greedy"')
    if names and "players" not in options:
        if len(names) not in spec.players:
            counts = ", ".join(map(str, spec.players))
            raise SeatError(f"--seats names {len(names)}, and {spec.name} is for {counts} players")
        options = {**options, "players": len(names)}
    game = spec.configure(options)
    if not names:
        names = [HUMAN, *["greedy"] * (game.players - 1)]
    if len(names) != game.players:
        raise SeatError(f"--seats names {len(names)}, and option players={game.players}")
    return game, names


def seat_titles(names: Sequence[str], viewer: Any = None) -> list[str]:
    """The seats for people to read, of who sits there by name: `You`, `Greedy player`, `Player 2` for a person.

    Those who would be called the same have the number of their seat, by which texts of the game name them.
    """
    titles = [TITLES.get(name, name) for name in names]
    found = []
    for seat, (name, title) in enumerate(zip(names, titles, strict=True)):
        if name == HUMAN or seat == viewer:
            found.append(seat_name(seat, viewer))
        else:
            alone = sum(other == title for k, other in enumerate(titles) if k != viewer) == 1
            found.append(title if alone else f"{title} {seat + 1}")
    return found


@dataclass(frozen=True)
class Seats:
    """The seats of a table by number: their names, and the players of those that are no people's."""

    names: tuple[str, ...]
    bots: dict[int, Player]

    @classmethod
    def make(cls, names: list[str], game: Game) -> Seats:
        """Make the players. Raises PlayerError, CheckpointError or ModuleNotFoundError for one that cannot play."""
        made = {name: make_player(name, game) for name in dict.fromkeys(names) if name != HUMAN}
        return cls(tuple(names), {seat: made[name] for seat, name in enumerate(names) if name != HUMAN})

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, name in enumerate(self.names) if name == HUMAN]
