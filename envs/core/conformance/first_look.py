"""A first look at a game before conformance is tested: the first mistake, in one line that says where it is.

Compiled code gives its errors late, long and without a line, and one mistake breaks many properties. So `theogony
check` first reads the rules as Python does (`mistakes.mistakes_in`), then plays a game of every player count
interpreted, in which every position is looked at for what must hold (`first_trouble`), and compiles the rules. It stops
at the first thing that is wrong. What is cheap comes first: the beginning of every game before the whole of any, and
whole games without redrawing what is hidden before games in which every position is redrawn for every seat.
"""

from __future__ import annotations

import _thread
import inspect
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from theogony.envs.core.conformance import hidden, positions, words
from theogony.envs.core.conformance.base import OfPositions, at
from theogony.envs.core.conformance.forgotten import trouble_at_start, what_is_kept_back_is_hidden
from theogony.envs.core.conformance.mistakes import mistakes_in, plain
from theogony.envs.core.conformance.processes import in_fresh_interpreter
from theogony.envs.core.contract.faults import CORE, Mistake, has_own_place, place_of
from theogony.envs.core.game import Game, GameSpec, OptionError
from theogony.envs.core.position import Position
from theogony.envs.core.record import ENDED, RUNNING

DECISIONS = 300  # of the game that is played interpreted
GLANCE = 4  # decisions that are looked at with every player count before any game is played on
LOOKS = 20  # decisions between two positions that are drawn
EARLY = (1, 2, 3, 5, 8, 13)  # which are drawn as well: a short game has what is secret there
PATIENCE = 60.0  # seconds that a decision may take, all that is looked at included

ALWAYS_CHEAP: tuple[OfPositions, ...] = (
    positions.header_is_sane,
    positions.mask_says_what_is_legal,
    positions.values_are_finite,
    positions.rules_that_look_change_nothing,
    positions.observations_keep_their_bounds,
    positions.rewards_are_fair,
    positions.invariant_holds,
)
ALWAYS: tuple[OfPositions, ...] = (
    *ALWAYS_CHEAP,
    hidden.resample_changes_what_is_hidden,
    hidden.seats_see_only_what_they_may,
)
NOW_AND_THEN_CHEAP: tuple[OfPositions, ...] = (
    positions.illegal_actions_are_refused,
    positions.copies_are_equal_and_apart,
    positions.pictures_are_drawn,
)
NOW_AND_THEN: tuple[OfPositions, ...] = (
    hidden.resample_forgets_the_truth,
    positions.legal_actions_apply,
    *NOW_AND_THEN_CHEAP,
    hidden.pictures_show_only_what_they_may,
    hidden.stories_tell_only_what_they_may,
    hidden.alternatives_keep_the_invariant,
    words.moves_tell_only_what_they_may,
    what_is_kept_back_is_hidden,
)
Looks = tuple[tuple[OfPositions, ...], tuple[OfPositions, ...]]  # at every decision, and at few
ALL: Looks = (ALWAYS, NOW_AND_THEN)
CHEAP: Looks = ((*ALWAYS_CHEAP, positions.legal_actions_apply), NOW_AND_THEN_CHEAP)  # nothing hidden is redrawn


def first_look(spec: GameSpec, seed: int = 0, given: Mapping[str, Any] | None = None) -> list[str]:
    """What is wrong with a game before anything is played compiled, empty when nothing is: mistakes in the text of its
    rules, else the first trouble in play, else what cannot be compiled."""
    if found := in_text(spec):
        return found
    options = dict(given or {})
    games = [spec.configure({**options, "players": players}) for players in _counts(spec, options)]
    trouble = interpreted(games, seed)
    return [trouble] if trouble else not_compiled(games[-1])


def _counts(spec: GameSpec, options: Mapping[str, Any]) -> tuple[int, ...]:
    return (options["players"],) if "players" in options else spec.players


def in_text(spec: GameSpec) -> list[str]:
    """Options that are refused and mistakes in the text of the rules, or the one that keeps a game from being put
    together."""
    try:
        return [*_options_refused(spec), *(str(mistake) for mistake in mistakes_in(spec))]
    except Exception as error:  # of the functions that make tables and layouts
        if not has_own_place(error):
            raise
        return [str(place_of(error))]


def _options_refused(spec: GameSpec) -> Iterator[str]:
    """What is wrong with the first of `option_sets` that the game's own options refuse."""
    try:
        for one in spec.option_sets:
            spec.check_options({"players": spec.players[0], **one})
    except OptionError as error:
        yield f"option_sets: {error}"


def interpreted(games: list[Game], seed: int) -> str | None:
    """The first trouble in any of some games, played interpreted in another process; None when there is none."""
    [trouble] = in_fresh_interpreter(first_of_all, [(games, seed, DECISIONS)], NUMBA_DISABLE_JIT="1")
    return trouble


def first_of_all(games: list[Game], seed: int, decisions: int) -> str | None:
    """The first trouble in any of some games; None when there is none.

    To be called where rules are interpreted (`NUMBA_DISABLE_JIT=1`), so that an index out of bounds is an error.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # for `_patience`: commands in the background ignore it
    redrawn: set[str] = set()
    glance = min(GLANCE, decisions)
    for most, looks in ((glance, ALL), (decisions, CHEAP), (decisions, ALL)):
        for game in games:
            if trouble := first_trouble(game, seed, most, redrawn, looks):
                return trouble
        spec = games[0].spec
        if most == glance and (trouble := next(filter(None, map(_at_start, games)), None)):
            return _with_rule(spec, "resample", trouble)
        if most > glance and spec.hidden and not redrawn & set(spec.hidden):
            reason = f"every_hidden_field_varies: resample never changed {', '.join(spec.hidden)}, which `hidden` names"
            return _with_rule(spec, "resample", reason)
    return None


def _at_start(game: Game) -> str | None:
    try:
        with _patience():
            return trouble_at_start(game)
    except (Exception, KeyboardInterrupt):  # a mistake that has its place is found in play
        return None


def first_trouble(game: Game, seed: int, decisions: int, redrawn: set[str], looks: Looks = ALL) -> str | None:
    """Play a game at random, every seat looking on: the first exception or the first property that does not hold, with
    its place; None when there is no trouble. What `resample` changes now and then is added to `redrawn`."""
    generator, position = np.random.default_rng(seed), None
    try:
        with _patience():
            position = Position(game, seed)
        while True:
            with _patience():
                over = position.over != RUNNING or position.now == decisions
                now_and_then = over or position.now % LOOKS == 0 or position.now in EARLY
                for property in (*looks[0], *looks[1]) if now_and_then else looks[0]:
                    for sentence in property.look(position):
                        return _said(property, position, sentence)
                for sentence in positions.longer_than_promised(position):
                    return f"games_end_in_time: {_where(position)}: {sentence}"
                if now_and_then:
                    redrawn.update(hidden.redrawn_fields(position))
                if over:
                    return None
                position.play(int(generator.choice(position.legal_actions())))
                if position.over == ENDED and game.spec.breakdown is not None:
                    game.spec.breakdown(game, position.g)
    except KeyboardInterrupt as error:  # of `_patience`: there is nobody at the keyboard of this process
        place = place_of(error)
        return str(Mistake(place.file, place.line, f"still running after {PATIENCE:.0f} s; does this loop end?"))
    except Exception as error:
        return f"{place_of(error)}{f'; {_where(position)}' if position else ''}"


def not_compiled(game: Game) -> list[str]:
    """Where the rules of a game cannot be compiled, in one sentence; empty when they can."""
    try:
        position = Position(game, 0)
        for rule in (position.scores, position.standings, lambda: position.value(0)):
            rule()
        position.clone().resample(0, np.zeros(1, np.uint64))
    except Exception as error:
        return [str(place_of(error))]
    return []


def _said(property: OfPositions, position: Position, sentence: str) -> str:
    """A sentence of a property, with the rule that has to be mended where that is known."""
    return _with_rule(position.game.spec, property.rule, f"{property.__name__}: {_where(position)}: {sentence}")


def _with_rule(spec: GameSpec, rule: str, reason: str) -> str:
    """A reason, behind the first line of a rule where the game has it written out."""
    function = plain(getattr(spec, rule, None))
    if not inspect.isfunction(function) or function.__code__.co_filename.startswith((CORE, "<")):
        return reason
    lines, first = inspect.getsourcelines(function)
    head = next(k for k, line in enumerate(lines) if line.lstrip().startswith("def "))
    return str(Mistake(function.__code__.co_filename, first + head, reason))


def _where(position: Position) -> str:
    return f"{position.game.players} players, {at(position)}"


@contextmanager
def _patience() -> Iterator[None]:
    """A KeyboardInterrupt in the line that runs when this block takes too long: a loop without end has a place, too."""
    timer = threading.Timer(PATIENCE, _thread.interrupt_main)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
