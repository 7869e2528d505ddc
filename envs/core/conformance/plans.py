"""Properties of plans: the others can be passed over as a game says, and a plan goes by what its seat sees only."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from theogony.envs.core.conformance.base import Case, Report, at, moments, sometimes, walk
from theogony.envs.core.conformance.hidden import alternatives, stream
from theogony.envs.core.contract import PASSED_OVER, PLAN_ENDS, never_pass_over
from theogony.envs.core.game import Game
from theogony.envs.core.position import Position
from theogony.envs.core.record import RUNNING
from theogony.envs.core.thinking.planning import ANSWERS, make_beam, passing_kernel, planning_kernel
from theogony.envs.core.thinking.value_network import OWN_VALUE


def count_alone(case: Case, report: Report) -> None:
    """Count the decisions in the games of a case, and those with one legal action, into a report."""
    for seed, greed in case.plays():
        for position in walk(case.game, seed, greed):
            legal = np.flatnonzero(position.mask[0])
            report.decisions += position.over == RUNNING
            if len(legal) == 1:
                report.alone[case.game.actions.decode(int(legal[0]))[0]] += 1


# ---- Properties of plans: the others can be passed over as a game says, and a plan goes by what its seat sees only -

BEGUN = 4  # actions with which a plan is begun at a moment
WIDTH = 4  # of the plans that are compared


def passes_over(game: Game) -> bool:
    """Whether a game says how others are passed over."""
    return game.spec.pass_over is not never_pass_over


@sometimes("pass_over", most=16)
def others_can_be_passed_over(position: Position) -> Iterator[str]:
    """After own actions the others are passed over, by legal actions or by the rule, until the seat decides again."""
    if not passes_over(position.game) or position.over != RUNNING:
        return
    generator = np.random.default_rng([position.seed & (2**64 - 1), position.now])
    for action in generator.permutation(position.legal_actions())[:BEGUN].tolist():
        after = next(alternatives(position, position.actor, 1))
        after.play(action)
        if wrong := _wrong(after, position.actor):
            yield f"in a plan that begins with {position.game.actions.text(action)!r}, {wrong}"


def _wrong(after: Position, seat: int) -> str | None:
    """What is wrong on the way to the next decision of a seat, None where nothing is."""
    game, asked = after.game, passing_kernel(after.game.spec)
    for _ in range(ANSWERS):
        if after.over != RUNNING or after.actor == seat:
            return game.spec.invariant(game, after.g) if game.spec.invariant else None
        answer = int(asked(after.states, after.now, after.tables, seat, after.mask[0]))
        if answer == PLAN_ENDS:
            return None
        if answer == PASSED_OVER:
            before = after.actor
            after.refresh()
            if after.over == RUNNING and not after.mask.any():
                return f"no action is legal once pass_over has passed over seat {before}"
        elif 0 <= answer < game.actions.size and after.mask[0, answer]:
            after.play(answer)
        else:
            return f"pass_over answers {answer} for seat {after.actor}, which is no legal action"
    return f"seat {seat} does not decide again after {ANSWERS} decisions of others; expected PLAN_ENDS"


def plans_use_only_what_is_seen(case: Case) -> Iterator[str]:
    """A plan with the same rng begins with the same action in every alternative."""
    if not passes_over(case.game):
        return
    plan, beam, out = planning_kernel(case.game.spec), make_beam(case.game, WIDTH), np.zeros(case.game.actions.size)
    for position in moments(case, 8, 1):
        if position.over != RUNNING:
            continue
        seat, chosen = position.actor, set()
        for other in (position, *alternatives(position, seat)):
            rng = stream(position, seat, 0)
            chosen.add(int(plan(other.states, other.now, other.tables, seat, OWN_VALUE, WIDTH, beam, rng, out)))
        if len(chosen) > 1:
            yield f"{at(position)}: a plan of seat {seat} depends on what it cannot know"
