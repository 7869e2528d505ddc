"""Conformance: one test that every game must pass, its own or a stranger's.

`check(spec)` plays games at random and greedily for every player count and option set and tests the properties below.
From the command line: `theogony check GAME`.
"""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from theogony.envs.core.conformance import explore, hidden, mistakes, positions, processes
from theogony.envs.core.conformance.base import FIRST_LOOK, Case, Failure, GameProperty, Property, Report, cases
from theogony.envs.core.conformance.explore import recorded_starts
from theogony.envs.core.contract import has_own_place, place_of, reason_of
from theogony.envs.core.game import GameSpec

__all__ = ["PROPERTIES", "WHOLE_GAME", "Case", "Failure", "Report", "cases", "check", "check_case", "check_game"]

Say = Callable[[str], None]
SHOWN = 3  # different failures of one property and case that are reported

PROPERTIES: tuple[Property, ...] = (  # tested in every case
    positions.mask_says_what_is_legal,
    positions.legal_actions_apply,
    positions.illegal_actions_are_refused,
    positions.header_is_sane,
    positions.actions_have_texts,
    positions.games_repeat,
    positions.copies_are_equal_and_apart,
    positions.undo_goes_back,
    positions.records_come_back,
    positions.rules_that_look_change_nothing,
    positions.invariant_holds,
    positions.observations_keep_their_bounds,
    positions.rows_tell_actions_apart,
    positions.pictures_are_drawn,
    positions.values_are_finite,
    positions.games_end_in_time,
    positions.cut_off_games_pay_nothing,
    positions.rewards_are_fair,
    hidden.seats_see_only_what_they_may,
    hidden.pictures_show_only_what_they_may,
    hidden.stories_tell_only_what_they_may,
    hidden.moves_tell_only_what_they_may,
    hidden.resample_forgets_the_truth,
    hidden.players_use_only_what_they_see,
    hidden.resample_changes_what_is_hidden,
    hidden.alternatives_keep_the_invariant,
    hidden.alternatives_can_be_played,
    hidden.others_can_be_passed_over,
    hidden.plans_use_only_what_is_seen,
    processes.batches_play_the_same,
    explore.seeker_finds_no_trouble,
)
FROM_RECORDINGS: tuple[Property, ...] = (explore.seeker_finds_no_trouble,)  # tested from positions that were given
AT_FIRST: tuple[GameProperty, ...] = (hidden.every_hidden_field_varies,)  # cheap: tested once, with all cases
AT_LAST: tuple[GameProperty, ...] = (  # dear: the same
    processes.hash_seed_decides_nothing,
    processes.spawned_workers_agree,
    processes.interpreted_rules_agree,
    processes.no_rule_allocates,
)
WHOLE_GAME: tuple[GameProperty, ...] = (*AT_FIRST, *AT_LAST)


def check(
    spec: GameSpec,
    games: int = 2,
    say: Say | None = None,
    seed: int = 0,
    only: Collection[str] | None = None,
    sought: int | None = None,
    starts: Iterable[Path] = (),
    options: Mapping[str, Any] | None = None,
    now: Say | None = None,
) -> Report:
    """Test that a game keeps the contract of `envs/core/game.py`.

    Args:
        spec: the game.
        games: games played at random for each player count and option set; one more is played greedily.
        say: called with a line of text for every case and every failure.
        seed: decides which games are played.
        only: names of the properties to test, by default all.
        sought: decisions that the seeker plays for each player count and option set, by default its own number.
        starts: records and recordings of real games; the seeker begins from their positions as well.
        options: options of the game that are in force in all that is played.
        now: called with what is being tested, whenever that changes.

    Returns:
        A report; `report.ok` tells whether everything holds. Errors that a game raises are failures in it. What a
        first look finds is reported alone, with its place.
    """
    report, say = Report(spec.name, now=now or (lambda line: None)), say or (lambda line: None)
    report.now("a first look, interpreted")
    if only is None and (found := mistakes.first_look(spec, seed, options)):
        report.checked[FIRST_LOOK] += 1
        report.failures += [Failure("before anything else", FIRST_LOOK, sentence) for sentence in found]
        for failure in report.failures:
            say(f"  {failure.message}")
        return report
    every = [dataclasses.replace(case, sought=sought) for case in cases(spec, games, seed, options)]
    check_game(every, report, say, only, AT_FIRST)
    for case in every:
        check_case(case, report, say, only)
    for case in recorded_starts(spec, starts, seed):
        _run(case.name, FROM_RECORDINGS, dataclasses.replace(case, sought=sought), report, say)
    check_game(every, report, say, only, AT_LAST)
    if report.decisions:
        say(report.one_answers())
    return report


def check_case(case: Case, report: Report, say: Say = print, only: Collection[str] | None = None) -> None:
    """The properties of one player count and option set, into a report; without `only` its questions are counted."""
    report.now(case.name)
    if only is None:
        report.count_alone(case)
    _run(case.name, filter(_chooser(only), PROPERTIES), case, report, say)


def check_game(
    every: list[Case],
    report: Report,
    say: Say = print,
    only: Collection[str] | None = None,
    tests: Iterable[GameProperty] = WHOLE_GAME,
) -> None:
    """The properties that take all cases at once, or those of them that are given, into a report."""
    _run("all cases", filter(_chooser(only), tests), every, report, say)


def _chooser(only: Collection[str] | None) -> Callable[[Callable], bool]:
    known = {test.__name__ for test in (*PROPERTIES, *WHOLE_GAME)}
    for name in only or ():
        if name not in known:
            raise ValueError(f"there is no property {name!r}; known are {', '.join(sorted(known))}")
    return lambda test: only is None or test.__name__ in only


def _run(where: str, tests: Iterable[Callable], argument: Any, report: Report, say: Say) -> None:
    """Test some properties; an error that the game raises is a failure."""
    started, before, count = time.perf_counter(), len(report.failures), 0
    for count, test in enumerate(tests, 1):  # noqa: B007
        report.checked[test.__name__] += 1
        report.now(f"{where}: {test.__name__}")
        known = test.__name__ in report.broken()  # then it was said of another case already, mostly in the same words
        for sentence in itertools.islice(_sentences(test, argument), SHOWN):
            report.failures.append(Failure(where, test.__name__, sentence))
            if not known:
                say(f"  {report.failures[-1]}")
    found = len({failure.property for failure in report.failures[before:]})
    verdict = f"{found} do not hold" if found else "all hold"
    say(f"{where}: {count} properties, {verdict}, {time.perf_counter() - started:.1f} s")


def _sentences(test: Callable, argument: Any) -> Iterator[str]:
    """What a property complains about, each sentence once, and the error that ended it if one did."""
    said: set[str] = set()
    try:
        for sentence in test(argument):
            if sentence not in said:
                said.add(sentence)
                yield sentence
    except Exception as error:
        yield f"raised {_placed(error, argument)}"


def _placed(error: Exception, argument: Any) -> str:
    """An error with its place. Compiled rules do not know it: then the case is played interpreted."""
    if has_own_place(error):
        return str(place_of(error))
    found = mistakes.interpreted([argument.game], argument.seed) if isinstance(argument, Case) else None
    return found or f"{reason_of(error)}; with NUMBA_DISABLE_JIT=1 the line is known"
