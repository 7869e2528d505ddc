"""Who plays the other seats of a batch: the table that its kernels read, and the players behind it, by number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from theogony.envs.core.batches.kernels import CALLER, KERNEL, OPPONENT
from theogony.envs.core.players import Player, in_kernel, same_player
from theogony.envs.core.thinking.opponents import Opponent
from theogony.envs.core.thinking.value_network import OWN_VALUE


def player_numbers(controllers: np.ndarray) -> np.ndarray:
    """The number of the player behind each controller; 0 for the caller, and for those that need no player."""
    return np.where(controllers <= KERNEL, KERNEL - controllers, controllers)


def needed_players(rows: np.ndarray, opponents: np.ndarray) -> set[int]:
    """Numbers of the players that play in a running game or may in the next."""
    numbers = player_numbers(np.concatenate([rows["controller"].ravel(), opponents["controller"]]))
    return {int(number) for number in np.unique(numbers) if number > CALLER}


class OpponentTable:
    """The opponents in force: `records` (OPPONENT), from which one is drawn for each seat of each game.

    `players` are those that the batch does not make of itself. A number stands for each of them, here, in `rows` and in
    a saved state, as long as a game needs it.
    """

    def __init__(self) -> None:
        self.records: np.ndarray = np.zeros(1, OPPONENT)
        self.players: dict[int, Player] = {}

    def put(self, opponents: Sequence[Opponent], rows: np.ndarray) -> None:
        """Other opponents; players that neither they nor the running games (`rows`) need are forgotten."""
        self.records = np.zeros(len(opponents), OPPONENT)
        reached = 0.0
        for entry, opponent in zip(self.records, opponents, strict=True):
            reached += opponent.weight
            inside = in_kernel(opponent.player)
            entry.cumulative, entry.greed = reached, 0.0 if inside is None else inside.greed
            if inside is None:
                entry.controller = self._number(opponent.player)
            else:
                entry.controller = KERNEL - (self._number(opponent.player) if len(inside.net) else 0)
        self.load(self.records, self.players, rows)

    def load(self, records: np.ndarray, players: Mapping[int, Player], rows: np.ndarray) -> None:
        """These records, and of these players those that they or the running games need."""
        self.records, used = records, needed_players(rows, records)
        self.players = {number: player for number, player in players.items() if number in used}

    def _number(self, player: Player) -> int:
        """The number of a player, a new one if it has none."""
        for number, known in self.players.items():
            if same_player(known, player):
                return number
        number = next(n for n in range(1, len(self.players) + 2) if n not in self.players)
        self.players[number] = player
        return number

    def weighed(self) -> list[tuple[float, str | Player]]:
        """The opponents as (weight, player); those that the kernel plays by name."""
        weights = np.diff(self.records["cumulative"], prepend=0.0)
        named = [f"greedy:{greed:g}" if greed > 0 else "random" for greed in self.records["greed"]]
        numbers = player_numbers(self.records["controller"])
        who = [self.players.get(int(n), name) for n, name in zip(numbers, named, strict=True)]
        return [(float(weight), player) for weight, player in zip(weights, who, strict=True)]

    def nets(self) -> tuple[np.ndarray, np.ndarray]:
        """The networks of the players inside the kernel, float32, one behind the other, and where that of each number
        ends, int64."""
        found = [OWN_VALUE] * (1 + max(self.players, default=0))
        for number, player in self.players.items():
            inside = in_kernel(player)
            found[number] = OWN_VALUE if inside is None else inside.net
        return np.concatenate(found), np.cumsum([len(net) for net in found])
