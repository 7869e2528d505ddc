"""A whole game looked at by a search or a trained player: odds along the game, alternatives, costly mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from theogony.envs.core.draw.places import move_words
from theogony.play.advice import Advice, adviser
from theogony.play.film import Film

SHOWN = 5  # alternatives of a decision
FEW = 0.02  # an action with a smaller share of the visits was hardly looked at: what it costs is not known
Track = Callable[[Iterable[int]], Iterable[int]]


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
