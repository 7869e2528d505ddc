"""The judge: a search finds the best move of a decision, and games that are played on tell what another one costs.

Both know what the deciding seat knows and nothing else: the search looks at positions that the seat holds possible, and
every game that is played on has what is hidden drawn anew, alike for both moves. The search that chooses and the games
that price have random numbers of their own, so a move is not dear because the best one was lucky: who plays as the
search does costs nothing on average. Every decision is judged by two such searches that know nothing of each other;
how far they differ is the judge's own noise.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from theogony.benchmark.games import result_of
from theogony.benchmark.results import WORTH
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import plain_options
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.envs.core.thinking.player_rng import player_rng
from theogony.models.table import OUTCOME, PROGRESS, RANK
from theogony.training.players.search import Search
from theogony.training.players.search_player import SearchPlayer

Priced = Literal["value", "points", "odds"]
SEARCHES = 2  # of each decision, independent of each other
PARTS = ("opening", "middle", "end")  # thirds of the decisions of a game


@dataclass(frozen=True)
class Played:
    """A game by its seed and its actions, and the agents by seat whose decisions are judged.

    `tokens` are those that were written for each move of the agent's seat, `dollars` what all replies cost; of a game
    without them there are none.
    """

    game: Game
    seed: int
    actions: tuple[int, ...]
    agents: dict[int, str]
    tokens: tuple[float, ...] = field(default=())
    dollars: float = 0.0

    @property
    def table(self) -> str:
        """The game's name and how many play; of drawn components also which."""
        game = self.game
        drawn = f" {game.component_digest[:6]}" if game.drawn else ""
        return f"{game.spec.name}-{game.players}p{drawn}"

    @property
    def key(self) -> str:
        """A digest of all that verdicts follow from, but for the judge."""
        game = self.game
        rules = game.spec.name, game.spec.version, plain_options(game), game.component_digest
        told = *rules, self.seed, self.actions, self.agents, self.tokens, self.dollars
        return hashlib.sha256(repr(told).encode()).hexdigest()

    def of(self, seats: Collection[int]) -> Played:
        """The same game, of which these seats are judged."""
        return replace(self, agents={seat: agent for seat, agent in self.agents.items() if seat in seats})


class Verdict(NamedTuple):
    """What one search says of a move: whether it found the same, and what the move cost (0 where it did)."""

    same: bool
    cost: float


class Decision(NamedTuple):
    """One decision with a choice: where it stood, and a verdict of each search. `tokens` were written for it, -1 where
    that is not known."""

    part: str
    kind: str
    verdicts: list[Verdict]
    tokens: float


class JudgedGame(NamedTuple):
    """One agent in one seat of one game; `unit` is what its decisions cost, `won` is 1, 0.5 or 0, `dollars` what its
    replies cost."""

    table: str
    agent: str
    unit: str
    deal: int
    won: float
    dollars: float
    decisions: list[Decision]


class Judged(NamedTuple):
    """What came of a game: one entry for each seat whose agent is judged."""

    key: str
    games: list[JudgedGame]


class Unit(NamedTuple):
    """What a move is priced in: the reward that is counted, what a difference of it is multiplied by, and its name."""

    reward: str
    factor: float
    name: str


def unit_of(game: Game, priced: Priced, learnt: str) -> Unit:
    """What moves of a game are priced in, by a search whose value stands for the reward `learnt`.

    "points" are those of the lead, "odds" those to win; in a cooperative game both are how far the team comes, where it
    tells that, else odds. In a game that is won or lost already odds cost nothing, so points tell more.
    """
    spec, players = game.spec, game.players
    reward = learnt if priced == "value" else OUTCOME if spec.cooperative or priced == "odds" else "margin"
    if spec.cooperative and (priced != "value" or reward == "margin"):  # where a win is all that a margin tells
        reward = PROGRESS if priced != "value" and PROGRESS in spec.rewards else OUTCOME
    win = 50.0 if spec.cooperative else 100.0 * (players - 1) / players
    return {
        OUTCOME: Unit(OUTCOME, win, "% of a win"),
        PROGRESS: Unit(PROGRESS, 100.0, "% of the way to the win"),
        RANK: Unit(RANK, (players - 1) / 2, "places"),
        "margin": Unit("margin", float(game.tables[0].scale), "points"),
    }.get(reward, Unit(reward, 1.0, f"of the reward {reward}"))


class Judge:
    """Who judges the decisions of a game: a search by name, and so many games played on from each of two moves.

    Raises PlayerError for a player that does not search, or searches by time, and CheckpointError.
    """

    def __init__(self, by: str, game: Game, rollouts: int, priced: Priced = "value") -> None:
        player: Any = make_player(by, game)
        if not isinstance(player, SearchPlayer) or player.search.options.milliseconds is not None:
            raise PlayerError(f'{by!r} cannot judge: expected a search by simulations, such as "mcts:400@reference"')
        options = player.search.options
        self._player, self._rollouts, self.unit = player, rollouts, unit_of(game, priced, options.reward)
        if priced != "value":
            options = replace(options, rollout="greedy", depth=0, reward=self.unit.reward)
        options = replace(options, flat=True)
        self._pricer = Search(game, replace(options, iterations=2 * rollouts, threads=1), player.search.net)

    def judge(self, position: Position, action: int, rng: np.random.Generator) -> Verdict:
        """What one search says of an action of the seat that decides in a position, which is not changed."""
        views = Views.at(position)
        best = int(self._player.act(views, rng)[0])
        if best == action:
            return Verdict(True, 0.0)
        held, stream = views[0].sample(rng), rng.integers(2**64, size=1, dtype=np.uint64)
        worth = self._pricer.compared(held.states, held.now, (best, action), self._rollouts, stream, held.tables)
        return Verdict(False, self.unit.factor * (worth[best] - worth[action]))


@dataclass
class Bench:
    """Where games are judged, in one process."""

    by: str
    rollouts: int
    seed: int
    priced: Priced = "value"

    def __post_init__(self) -> None:
        self._judges: dict[str, Judge] = {}

    def judge_of(self, played: Played) -> Judge:
        """The judge of the table of a game. Raises PlayerError or CheckpointError."""
        if played.table not in self._judges:
            self._judges[played.table] = Judge(self.by, played.game, self.rollouts, self.priced)
        return self._judges[played.table]

    def warm_up(self, games: Sequence[Played]) -> None:
        """One decision at each table, so that rules are compiled once and not by every process."""
        for played in {one.table: one for one in games}.values():
            position = Position(played.game, 0)
            for action in position.legal_actions()[:2]:  # one of them is not the best
                self.judge_of(played).judge(position, int(action), np.random.default_rng(0))

    def play(self, played: Played) -> Judged:
        """Judge a game."""
        position = Position(played.game, played.seed)
        decisions: dict[int, list[Decision]] = {seat: [] for seat in played.agents}
        moves = dict.fromkeys(played.agents, 0)  # how many the seat has made, those without a choice among them
        for k, action in enumerate(played.actions):
            seat = int(position.actor)
            if seat in decisions:
                if len(position.legal_actions()) > 1:
                    decisions[seat].append(self._decision(played, position, k, action, moves[seat]))
                moves[seat] += 1
            position.play(action)
        unit, games = self.judge_of(played).unit.name, []
        for seat, agent in played.agents.items():
            if decisions[seat] or not played.game.spec.cooperative:
                end = played.seed, WORTH[result_of(position, seat)], played.dollars
                games.append(JudgedGame(played.table, agent, unit, *end, decisions[seat]))
        return Judged(played.key, games)

    def _decision(self, played: Played, position: Position, k: int, action: int, number: int) -> Decision:
        judge, game = self.judge_of(played), played.game
        bare = Position(game, 0)
        bare.begin_at(position.states[position.now : position.now + 1])  # without what led there
        streams = [player_rng([self.seed, which, played.seed, k]) for which in range(SEARCHES)]
        return Decision(
            PARTS[len(PARTS) * k // len(played.actions)],
            kind_of(game, int(position.g.decision), action),
            [judge.judge(bare, action, rng) for rng in streams],
            played.tokens[number] if number < len(played.tokens) else -1.0,
        )


def kind_of(game: Game, decision: int, action: int) -> str:
    """The kind of a decision in the game's words; in a game that has none, the kind of the action."""
    phases = game.vocabulary.of("phase")
    return phases[decision].name if decision < len(phases) else game.actions.decode(action)[0]
