"""A whole game looked at by a search or a trained player: odds along the game, alternatives, costly mistakes.

Who looks at a decision gets what the deciding seat knows and nothing else: a position redrawn from those that the seat
holds possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from theogony.envs.core.draw.places import move_words
from theogony.envs.core.game import Game
from theogony.envs.core.players import GreedyPlayer, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.play.film import Film
from theogony.training.players.search_player import SearchPlayer

SHOWN = 5  # alternatives of a decision
FEW = 0.02  # an action with a smaller share of the visits was hardly looked at: what it costs is not known
Track = Callable[[Iterable[int]], Iterable[int]]
PLAYED_OUT = ("random", "greedy")  # rollouts that reach the end, where a win is seen as one


@dataclass(frozen=True)
class Advice:
    """What a search says of the decision of one seat.

    `odds` is how likely that seat wins with the best action, from 0 to 1; None where that cannot be told. `options`
    are (action, share of the visits, odds or None), the most visited first.
    """

    seat: int
    odds: float | None
    options: list[tuple[int, float, float | None]]


def odds_of(reward: float, players: int, cooperative: bool) -> float:
    """The chance to win that an expected `outcome` reward stands for; what lies outside of 0 to 1 is cut off."""
    share = (reward + 1) / 2 if cooperative else (reward * (players - 1) + 1) / players
    return min(1.0, max(0.0, share))


class SearchAdviser:
    """A search, alone or by what a run has learnt. Odds are told where it counts wins, or judges by the game's `value`;
    what a learnt value counts may be places or points."""

    def __init__(self, player: SearchPlayer, game: Game) -> None:
        self._player, self._game = player, game
        self._tells_odds = player.search.reward == "outcome" or not player.learnt

    def look(self, position: Position, rng: np.random.Generator) -> Advice:
        """Visits and odds of every action that was looked at, in a decision with more than one."""
        game = self._game
        self._player.act(Views.at(position), rng)
        found = self._player.search.results()
        visits = sum(count for count, _ in found.values()) or 1

        def odds(count: int, total: float) -> float | None:
            told = count > 0 and self._tells_odds
            return odds_of(total / count, game.players, game.spec.cooperative) if told else None

        best_first = sorted(found, key=lambda a: (-found[a][0], -found[a][1], a))  # equal visits: the greater sum
        options = [(action, found[action][0] / visits, odds(*found[action])) for action in best_first]
        return Advice(position.actor, options[0][2] if options else None, options)


class PolicyAdviser:
    """A policy, of a run or `reference-policy`: how likely it would choose each action. It knows no odds."""

    def __init__(self, player: Any) -> None:
        self._player = player

    def look(self, position: Position, rng: np.random.Generator) -> Advice:
        """How likely each action is."""
        chances = self._player.probabilities(Views.at(position), rng)[0]
        best = sorted(map(int, np.flatnonzero(chances)), key=lambda action: -chances[action])
        return Advice(position.actor, None, [(action, float(chances[action]), None) for action in best])


def adviser(name: str, game: Game) -> SearchAdviser | PolicyAdviser:
    """Somebody who looks at decisions, by name: a player that searches, or one with a policy. Raises PlayerError."""
    player: Any = make_player(name, game)
    if isinstance(player, SearchPlayer):
        options = player.search.options
        if not player.learnt and options.rollout in PLAYED_OUT:  # it counts wins, whatever it would count to play well
            player = SearchPlayer(name, game, replace(options, reward="outcome"), player.guide)
        return SearchAdviser(player, game)
    if callable(getattr(player, "probabilities", None)):
        return PolicyAdviser(player)
    guide = name if isinstance(player, GreedyPlayer) and player.net.size and "@" not in name else "runs/x"
    raise PlayerError(f'{name!r} cannot analyse: expected a search, "mcts:2000" or "mcts:400@{guide}", or a policy')


def analyse(film: Film, name: str, seats: list[int], seed: int = 0, track: Track = iter) -> dict[str, Any]:
    """What `name` ("mcts:2000", or a run) says of every decision of these seats.

    Returns `by`, and `decisions`: one entry a decision, None where there was nothing to choose or another seat
    decided; else `seat`, `odds`, `options` (text, share of the visits or of the policy, odds; the one that was played
    is marked), and `loss`, the odds that the decision cost, where that can be told. Raises PlayerError.
    """
    by, rng = adviser(name, film.game), np.random.default_rng(seed)
    looked = [_look(film, k, by, seats, rng) for k in track(range(len(film.actions)))]
    decisions = [advice and _entry(film, k, advice) for k, advice in enumerate(looked)]
    _lose_by_sequel(decisions)
    return {"by": name, "decisions": decisions}


def _look(film: Film, k: int, by: Any, seats: list[int], rng: np.random.Generator) -> Advice | None:
    """What is said of decision k, counted from 0; None where there was nothing to choose."""
    if int(film.states[k].actor) not in seats:
        return None
    position = film.position(k)
    legal = position.legal_actions()
    return by.look(position, rng) if len(legal) > 1 and film.actions[k] in legal else None


def _entry(film: Film, k: int, advice: Advice) -> dict[str, Any]:
    played, g = film.actions[k], film.states[k]
    shown = [option for place, option in enumerate(advice.options) if place < SHOWN or option[0] == played]
    options = [
        {
            "text": move_words(film.game, g, a, g, int(g.actor)),
            "share": round(share, 4),
            "odds": _short(odds),
            "played": a == played,
        }
        for a, share, odds in shown
    ]
    own = next((option for option in advice.options if option[0] == played), None)
    told = own is not None and own[1] >= FEW and own[2] is not None and advice.odds is not None
    loss = max(0.0, advice.odds - own[2]) if told else None  # pyright: ignore[reportOptionalSubscript, reportOperatorIssue]
    return {"seat": advice.seat, "odds": _short(advice.odds), "options": options, "loss": _short(loss)}


def _lose_by_sequel(decisions: list[dict[str, Any] | None]) -> None:
    """Where alternatives have no odds, or too few visits: what was lost until the seat's next decision."""
    later: dict[int, float] = {}
    for entry in reversed(decisions):
        if entry is None or entry["odds"] is None:
            continue
        best = entry["options"][0]
        if entry["loss"] is None and entry["seat"] in later:
            entry["loss"] = 0.0 if best["played"] else _short(max(0.0, entry["odds"] - later[entry["seat"]]))
        later[entry["seat"]] = entry["odds"]


def _short(number: float | None) -> float | None:
    return None if number is None else round(number, 4)
