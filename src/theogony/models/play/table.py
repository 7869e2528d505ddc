"""Where a model sits: a game with its options, the players of the other seats, and one deal."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from theogony.benchmark.tasks import TEAM
from theogony.envs.core.contract.reserved import deal_seed
from theogony.envs.core.game import Game
from theogony.envs.core.players import Player, Views, make_player
from theogony.envs.core.registry import load
from theogony.envs.core.thinking.player_rng import player_rng
from theogony.models.ask.said import ModelError
from theogony.models.play.settings import Settings
from theogony.wrappers.text import TextEnv

PROGRESS, OUTCOME, RANK = "progress", "outcome", "rank"


@dataclass(frozen=True)
class ModelTable:
    """A game with its options, as `name` calls it: "orbis-2p"."""

    game: str
    options: dict[str, Any]

    @functools.cached_property
    def made(self) -> Game:
        """The game. Raises UnknownGame, OptionError, ComponentError, and ModelError for a team of several."""
        game = load(self.game).configure(self.options)
        if game.spec.cooperative and game.players != 1:
            raise ModelError(f"{game.spec.name}: a model plays for the whole team; expected the option players=1")
        return game

    @property
    def name(self) -> str:
        """The game's name and how many play."""
        return f"{self.made.spec.name}-{self.made.players}p"


def usual_table(game: str, options: dict[str, Any]) -> ModelTable:
    """The table of a game: for two, and in a cooperative game for one, unless the options say otherwise."""
    return ModelTable(game, {"players": 1 if load(game).cooperative else 2, **options})


@dataclass(frozen=True)
class Job:
    """One game: the table, who sits in the other seats, the deal and the model's seat. `chain` and `number` say where
    it stands among games that share lessons."""

    table: str
    against: str
    deal: int
    seat: int
    chain: int = 0
    number: int = 0

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What names it in files."""
        return self.table, self.against, self.deal, self.seat


def reward_of(game: Game) -> str:
    """What a game pays here: the outcome, for three and more the place; of a team how far it came, where the game
    tells."""
    if game.spec.cooperative:
        return PROGRESS if PROGRESS in game.spec.rewards else OUTCOME
    return OUTCOME if game.players == 2 else RANK


class Seats:
    """The tables of one thread. Players are made once, and no other thread asks them."""

    def __init__(self, tables: dict[str, ModelTable], settings: Settings) -> None:
        self.tables, self.settings = tables, settings
        self._players: dict[tuple[str, str], Player] = {}

    def sit(self, job: Job) -> TextEnv:
        """A game in words, before its deal. Raises PlayerError or OptionError."""
        table, asked = self.tables[job.table], self.settings
        game = table.made
        return TextEnv(
            table.game,
            seat=job.seat,
            opponents="random" if job.against == TEAM else self.player(job.against, job.table, game),
            moves=asked.moves,
            whole_turns=asked.whole_turns,
            tries=asked.tries,
            after_tries=asked.after_tries,
            marked=True,
            rules=asked.rules != "none",
            reward=reward_of(game),
            **{name: True for name in ("brief", "forced") if getattr(asked, name)},
            **table.options,
        )

    def player(self, name: str, table: str, game: Game) -> Player:
        """A player by name, made for a table."""
        if (name, table) not in self._players:
            self._players[name, table] = make_player(name, game)
        return self._players[name, table]

    def hint(self, env: TextEnv, job: Job, decision: int) -> str:
        """The move that the player of the hints would make; it sees what the seat does."""
        return env.words(self.choice(self.settings.hint, env, job, decision, deal_seed(job.deal)))

    def choice(self, name: str, env: TextEnv, job: Job, decision: int, seed: int) -> int:
        """The action that a player would choose in the place of the reader."""
        rng = player_rng([seed, job.deal, job.seat, decision])
        return int(self.player(name, job.table, env.game).act(Views.at(env.position), rng)[0])
