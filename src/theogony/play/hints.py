"""What a search or a plan would do in place of a seat, for people: what it expects of each action, and what follows.

It is guided by the trained agent of the game, where there is one, and gets what the seat knows and nothing else. What
it expects is said in the measure in which the agent was trained: chances to win, places or points; of an agent that
is a policy, how likely it would choose each action. Of a game that was played it tells where it has turned for a seat.
"""

from __future__ import annotations

import itertools
import threading
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from theogony.envs.core.contract import never_pass_over
from theogony.envs.core.draw.places import move_words
from theogony.envs.core.draw.style import seat_word
from theogony.envs.core.game import Game
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.record import ENDED
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.play.analysis import odds_of

SEARCH, ALONE = "mcts:64@reference", "mcts:600"  # with a trained agent, and without one
PLAN = "plan:32@reference"  # in a game that says how far a plan goes
SHOWN = 4  # actions
AHEAD = 3  # decisions that are told of what may follow
LEAST = 2  # visits of a decision that is told
LOOKED, TOLD = 60, 4  # decisions of a game that are looked at, at most; turning points
Measure = Literal["odds", "place", "lead", "points", "choice"]
MEASURES: dict[str, Measure] = {
    "outcome": "odds", "rank": "place", "margin": "lead", "points": "points", "progress": "odds",
}  # fmt: skip
CLEAR: dict[Measure, float] = {  # better by so much is clearly better
    "odds": 0.03, "place": 0.15, "lead": 1.5, "points": 1.5, "choice": 0.3,
}  # fmt: skip


@dataclass(frozen=True)
class Option:
    """An action: what is expected of it in the measure of the hint (None: it was hardly looked at), what may follow."""

    action: int
    text: str
    expected: float | None
    leads: str


@dataclass(frozen=True)
class Hint:
    """What a search says of a decision: the best action first."""

    measure: Measure
    options: list[Option]
    why: str


class Adviser:
    """Somebody to ask for hints in a game. Making one may take a while: rules are compiled, a network is read."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._lock = threading.Lock()  # a search that two seats ask at once would answer one with the other's actions
        try:
            self._player: Any = make_player(PLAN if game.spec.pass_over is not never_pass_over else SEARCH, game)
            guide = self._player.guide
            self.measure: Measure = "choice" if guide else MEASURES[self._player.search.reward]
        except (PlayerError, ValueError, ImportError):  # no agent for these options, or torch is not installed
            self._player = make_player(ALONE, game)
            self.measure = "odds"
        position, stream = Position(game, 0), np.zeros(1, np.uint64)
        search = self._player.search
        search.choose(position.states, position.now, stream, tables=position.tables)  # so that it is compiled

    def look(self, position: Position, rng: np.random.Generator) -> Hint:
        """What it would do, and how the alternatives compare. `position` is not changed."""
        legal = position.legal_actions()
        g = position.g.copy()

        def text(action: int) -> str:
            return move_words(self.game, g, action, g, int(g.actor))

        if len(legal) == 1:
            only = Option(int(legal[0]), text(int(legal[0])), None, "")
            return Hint(self.measure, [only], "There is no other action.")
        views = Views.at(position)
        with self._lock:
            self._player.act(views, rng)
            expected = self._expected(views, rng)
            seen = position.clone()
            seen.resample(position.actor, rng.integers(2**64, size=1, dtype=np.uint64))
            options = [Option(a, text(a), worth, self._leads(seen, a)) for a, worth in expected]
        return Hint(self.measure, options, _why(options, self.measure))

    def expects(self, position: Position, rng: np.random.Generator) -> float:
        """What it expects of a decision for the seat that takes it, in the measure `counted`."""
        with self._lock:
            self._player.act(Views.at(position), rng)
            worth = self._player.search.ranked()[0][1]
        return odds_of(worth, self.game.players, True) if self.measure == "choice" else self._measured(worth)

    def came(self, position: Position, seat: int) -> float | None:
        """What a seat has of a game that is over, in the measure `counted`; None of one that was cut off."""
        if int(position.g.over) != ENDED:
            return None
        counted, scores, players = self.counted, position.scores(), self.game.players
        if counted == "points":
            return float(scores[seat])
        if counted == "lead":  # of the mean of the others
            return float(scores[seat] - (scores.sum() - scores[seat]) / (players - 1))
        reward = float(position.rewards("rank" if counted == "place" else "outcome")[seat])
        return self._measured(reward) if counted == "place" else odds_of(reward, players, self.game.spec.cooperative)

    @property
    def counted(self) -> Measure:
        """What a search counts, also where a policy is what hints tell of."""
        return "odds" if self.measure == "choice" else self.measure

    def _expected(self, views: Views, rng: np.random.Generator) -> list[tuple[int, float | None]]:
        """The actions that are shown, best first, with what is expected of them; None, and last, where more is expected
        than of the best, which only means that fewer deals were looked at."""
        found = self._player.search.ranked()
        if self.measure == "choice":
            chances = self._player.guide.probabilities(views, rng)[0]
            found = [(action, float(chances[action])) for action, _ in found]
        best = found[0][1]
        shown = sorted(found[:SHOWN], key=lambda one: (one[1] > best, -one[1]))
        return [(action, self._measured(worth) if worth <= best else None) for action, worth in shown]

    def _measured(self, reward: float) -> float:
        """What the search counts, in the measure of the hint."""
        players = self.game.players
        if self.measure == "choice":
            return reward
        if self.measure in ("lead", "points"):
            par = self.game.spec.par or 0.0
            return reward * float(self.game.t.scale) + (par if self.measure == "points" else 0.0)
        if self.measure == "place":
            return 1 + (1 - reward) / 2 * (players - 1)
        return odds_of(reward, players, self.game.spec.cooperative)

    def _leads(self, seen: Position, action: int) -> str:
        """What may follow on an action in words, and what becomes of the seat's points."""
        if int(seen.g.decision) in self.game.spec.surprises:
            return ""
        at, seat = seen.clone(), seen.actor
        before, moves = float(at.scores()[seat]), []
        for following in [action, *self._player.search.line(action, LEAST)[:AHEAD]]:
            if at.over or following not in at.legal_actions():
                break
            earlier = at.g.copy()
            at.play(following)
            words = move_words(self.game, earlier, following, at.g, seat)
            moves.append(f"{seat_word(int(earlier.actor), seat)}: {words}")
        after = float(at.scores()[seat])
        told = [f"perhaps then {', '.join(moves[1:])}"] if moves[1:] else []
        return "; ".join(told + ([f"your points {before:g} → {after:g}"] if after != before else []))


def _why(options: list[Option], measure: Measure) -> str:
    """Whether the first is much better than what comes next."""
    known = [option.expected for option in options if option.expected is not None]
    if len(known) < 2:
        return ""
    lead = abs(known[0] - known[1])
    if measure == "choice":  # what a player prefers, and no figure of what comes of it
        return f"The trained player {'clearly' if lead >= CLEAR[measure] else 'slightly'} prefers the first."
    if lead >= CLEAR[measure]:
        return "The first is clearly better than the rest."
    close = sum(abs(known[0] - other) < CLEAR[measure] / 5 for other in known)
    return f"The first {close} are as good as equal." if close > 1 else "The first is a little better."


def course(past: Position, seat: int, adviser: Adviser) -> dict[str, Any]:
    """Where a game has turned for a seat: what a search expected at each of its decisions, by what the seat knew then.

    `points` are (decisions taken before, what was expected then), `turns` those decisions after which clearly more
    or less was expected: (number, text, before, after), the greatest first; `end` is what came of it, None where a
    game was cut off. `past` goes back to its start.
    """
    game, rng, actions = past.game, np.random.default_rng(0), list(past.actions[: past.now])
    end = adviser.came(past, seat)
    own = [k for k in range(past.now) if int(past.states[k].actor) == seat]
    wanted = {own[i] for i in np.linspace(0, len(own) - 1, min(LOOKED, len(own))).astype(int)} if own else set()
    found = []
    while past.now:
        past.undo()
        if past.now in wanted and len(past.legal_actions()) > 1:
            found.append((past.now, adviser.expects(past, rng)))
    points = found[::-1]

    def text(k: int) -> str:
        g = past.states[k]
        return move_words(game, g, actions[k], past.states[k + 1], seat)

    changes = [(k, before, after) for (k, before), (_, after) in itertools.pairwise(points)]
    clear = [one for one in changes if abs(one[2] - one[1]) >= CLEAR[adviser.counted]]
    most = sorted(clear, key=lambda one: -abs(one[2] - one[1]))[:TOLD]
    turns = [(k + 1, text(k), before, after) for k, before, after in most]
    return {"measure": adviser.counted, "seat": seat, "points": points, "turns": turns, "end": end}
