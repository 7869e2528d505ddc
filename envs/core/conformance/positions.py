"""Properties of single positions: legality, copies, observations, rewards, ends."""

from __future__ import annotations

import copy
import itertools
import pickle
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.conformance.base import (
    Case,
    at,
    bound_of,
    broken,
    everywhere,
    led_to,
    shape_of,
    some_of,
    sometimes,
    walk,
)
from theogony.envs.core.gamerecord import RecordError, read_record, write_record
from theogony.envs.core.position import Position
from theogony.envs.core.record import CUT_OFF, ENDED, RUNNING
from theogony.envs.core.untrusted.ranges import header_ranges

PICTURES = 3  # moments that are drawn
CUT = 7  # `max_decisions` of the games that are cut off


# ---------------------------------------------------------------------------------------------------- legality


@everywhere("legal")
def mask_says_what_is_legal(position: Position) -> Iterator[str]:
    """The mask is never empty while the game runs, zero at the end, and holds only 0 and 1."""
    mask = position.mask[0]
    if not np.isin(mask, (0, 1)).all():
        yield "the mask has other values than 0 and 1"
    if mask.any() != (position.over == RUNNING):
        yield "no action is legal" if position.over == RUNNING else "actions are legal after the end"


@sometimes("apply")
def legal_actions_apply(position: Position) -> Iterator[str]:
    """Every action in the mask can be played on a copy, and changes more of it than the count of decisions."""
    for action in some_of(position, position.legal_actions()):
        clone = led_to(position, action)
        clone.g.ply = position.g.ply
        if clone.key() == position.key():
            yield f"{position.game.actions.text(action)!r} is legal, but playing it changes nothing"


@sometimes()
def illegal_actions_are_refused(position: Position) -> Iterator[str]:
    """Every action out of the mask raises IllegalAction and changes no byte."""
    before = shape_of(position)
    for action in (*some_of(position, np.flatnonzero(position.mask[0] == 0)), -1, position.game.actions.size):
        try:
            position.play(action)
        except IllegalAction:
            if shape_of(position) != before:
                yield f"action {action} was refused but changed the position"
        else:
            yield f"action {action} is not in the mask but was played"
            position.undo()


@everywhere("apply")
def header_is_sane(position: Position) -> Iterator[str]:
    """`over`, `actor`, `turn`, `decision`, `players` and `ply` have values that mean something."""
    limits = header_ranges(position.game) | {"ply": (position.now, position.now)}
    for name in ("over", "actor", "turn", "decision", "players", "ply"):
        (low, high), value = limits[name], int(position.g[name])
        if not low <= value <= high:
            yield f"{name} is {value}, not {low} to {high}"


def actions_have_texts(case: Case) -> Iterator[str]:
    """Id, text and (kind, arguments) of every action lead to each other."""
    codec = case.game.actions
    for action in range(codec.size):
        text = codec.text(action)
        if not text or len(text.splitlines()) != 1:
            yield f"action {action} has the text {text!r}"
        if codec.parse(text) != action:
            yield f"the text {text!r} of action {action} is read as {codec.parse(text)}"
        kind, arguments = codec.decode(action)
        if codec.encode(kind, *arguments) != action:
            yield f"action {action} is decoded to {kind} {arguments}, which is {codec.encode(kind, *arguments)}"


# ---------------------------------------------------------------------------------------------------- copies


def games_repeat(case: Case) -> Iterator[str]:
    """Games are reproducible: the same seed and actions give the same bytes again."""
    for seed, greed in case.plays():
        again = Position(case.game, seed)
        for position in walk(case.game, seed, greed):
            if position.now:
                again.play(position.actions[-1])
            if shape_of(again) != shape_of(position):
                yield f"{at(position)}: playing the same actions again led elsewhere"
                return


@sometimes()
def copies_are_equal_and_apart(position: Position) -> Iterator[str]:
    """Clone, deepcopy, pickle and `load` give the same position, which goes its own way."""
    before = shape_of(position)
    loaded = Position(position.game, 0)
    loaded.load(position.key())
    pickled = pickle.loads(pickle.dumps(position))
    copies = {"clone": position.clone(), "load": loaded, "pickle": pickled, "deepcopy": copy.deepcopy(position)}
    for name, other in copies.items():
        if shape_of(other) != before or (other.over, other.actor) != (position.over, position.actor):
            yield f"{name} gives another position"
        elif position.over == RUNNING:
            other.play(int(other.legal_actions()[0]))
            if shape_of(position) != before:
                yield f"a decision of the copy ({name}) changed the original"


def undo_goes_back(case: Case) -> Iterator[str]:
    """Every decision of a game can be taken back, byte by byte."""
    for seed, greed in case.plays():
        passed = []
        for position in walk(case.game, seed, greed):
            passed.append(shape_of(position))
        for before in reversed(passed[:-1]):
            position.undo()  # pyright: ignore[reportPossiblyUnboundVariable]
            if shape_of(position) != before:
                yield f"{at(position)}: undo leads to another position"
                break


def records_come_back(case: Case) -> Iterator[str]:
    """A record of a game that is over, and of one that runs, is read as the same game."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.jsonl"
        for seed, greed in case.plays():
            for position in walk(case.game, seed, greed):
                if position.now != 5 and position.over == RUNNING:
                    continue
                try:
                    write_record(position, path)
                    again = read_record(path, lambda _: case.game.spec)
                except RecordError as error:
                    yield f"{at(position)}: {error}"
                else:
                    if again.key() != position.key() or again.actions != position.actions:
                        yield f"{at(position)}: the record holds another game"


@sometimes()
def rules_that_look_change_nothing(position: Position) -> Iterator[str]:
    """`legal`, `observe`, `score` and `standing` leave the position as it is."""
    looks = {
        "legal or observe": position.refresh,
        "observe of a seat": lambda: [position.observe(seat) for seat in range(position.game.players)],
        "score": position.scores,
        "standing": position.standings,
    }
    for name, look in looks.items():
        key = position.key()
        look()
        if position.key() != key:
            yield f"{name} changes the position"


@everywhere()
def invariant_holds(position: Position) -> Iterator[str]:
    """The game's own check (pieces conserved ...) after every decision."""
    if sentence := broken(position):
        yield sentence


# ---------------------------------------------------------------------------------------------------- views


@sometimes("observe", most=200)
def observations_keep_their_bounds(position: Position) -> Iterator[str]:
    """Observations are finite and in the declared Box, for every seat at every moment, and at the end; the floats are
    what the codes stand for."""
    layout = position.game.features
    views = [position.observe(seat) for seat in range(position.game.players)]
    if position.over == RUNNING and views[position.actor].tobytes() != position.observation.tobytes():
        yield "the acting seat sees another observation when it is asked again"
    for seat, view in enumerate(views):
        counts = position.observe_codes(seat) - layout.zeros.astype(np.float64)
        if (counts / layout.scales).astype(np.float32).tobytes() != view.tobytes():
            yield f"seat {seat}: the floats are not (codes - zero) / scale"
        yield from (f"seat {seat}: {what}" for what in _outside(layout, view))


def _outside(layout, view: np.ndarray) -> Iterator[str]:
    if view.shape != (layout.length,) or view.dtype != np.float32:
        yield f"the observation is {view.dtype} {view.shape}, declared is float32 ({layout.length},)"
        return
    bad = ~(np.isfinite(view) & (view >= layout.low) & (view <= layout.high))
    for name, where in layout.slices().items():
        if bad[where].any():
            k = where.start + int(np.flatnonzero(bad[where])[0])
            bounds = f"{layout.low[k]:g} to {layout.high[k]:g}"
            advice = "cut off what may be more or less with min and max: codes are 0 to 255, and wrap"
            yield f"{name} has {view[k]:g} at {k - where.start}, declared is {bounds}; {advice}"


@sometimes("render_text", most=PICTURES, games=1)
def pictures_are_drawn(position: Position) -> Iterator[str]:
    """Text and well-formed SVG for the public, every seat and all eyes; drawing changes nothing."""
    game, key = position.game, position.key()
    for who in (None, *range(game.players), "all"):
        text = game.spec.render_text(game, position.g, who)
        if not isinstance(text, str) or not text.strip():
            yield f"render_text for {who} gives {text!r}: a text was expected"
            continue
        svg = game.spec.render_svg(game, position.g, who)
        try:
            if ElementTree.fromstring(svg).tag != "{http://www.w3.org/2000/svg}svg":
                yield f"render_svg for {who} is no <svg> of the SVG namespace"
        except ElementTree.ParseError as error:
            yield f"render_svg for {who} is not well-formed: {error}"
    if position.key() != key:
        yield "render_text or render_svg changes the position"


@sometimes()
def values_are_finite(position: Position) -> Iterator[str]:
    """`value`, `score` and `standing` are finite numbers for every seat at any time."""
    for seat in range(position.game.players):
        value = position.clone().value(seat)
        if not np.isfinite(value):
            yield f"value of seat {seat} is {value}"
    for name, numbers in (("score", position.scores()), ("standing", position.standings())):
        if not np.isfinite(numbers).all():
            yield f"{name} is {numbers}"


# ---------------------------------------------------------------------------------------------------- ends


def games_end_in_time(case: Case) -> Iterator[str]:
    """Every game ends, within `decision_bound` and `max_decisions`."""
    spec, options = case.game.spec, case.game.options
    for seed, greed in case.plays():
        *_, position = walk(case.game, seed, greed)
        if position.over == RUNNING:
            yield f"{at(position)}: the game has not ended: give it a `decision_bound` or a default `max_decisions`"
        yield from (f"{at(position)}: {what}" for what in longer_than_promised(position))
        own_limit = spec.own_limit is not None and spec.own_limit(case.game, position.g)
        if position.over == CUT_OFF and not own_limit and not 0 < options.max_decisions == position.now:
            yield f"{at(position)}: the game was cut off, max_decisions is {options.max_decisions}"


def longer_than_promised(position: Position) -> Iterator[str]:
    """Whether a game has had more decisions than its bound."""
    bound = bound_of(position.game)
    if position.now > bound:
        yield f"the game is longer than its decision_bound, {bound}"


def cut_off_games_pay_nothing(case: Case) -> Iterator[str]:
    """With `max_decisions` in force a game is cut off exactly there, and all rewards are 0."""
    game = case.game.spec.configure({**case.game.options.model_dump(), "max_decisions": CUT}, case.game.components)
    for seed, greed in case.plays():
        for position in walk(game, seed, greed):
            expected = position.over in (ENDED, CUT_OFF) if position.now == CUT else position.over != CUT_OFF
            if not expected:
                yield f"{at(position)}: with max_decisions={CUT}, `over` is {position.over}"
                break
            if position.over == CUT_OFF and any(position.rewards(kind).any() for kind in game.spec.rewards):
                yield f"{at(position)}: a game that was cut off pays rewards"


@everywhere()
def rewards_are_fair(position: Position) -> Iterator[str]:
    """Every kind of reward is in [-1, 1] and sums to zero, or is the same for all in a cooperative game; `points` go
    by those of a seat alone."""
    spec = position.game.spec
    for kind in spec.rewards if position.over == ENDED else ():
        rewards = position.rewards(kind)
        if not (np.isfinite(rewards).all() and (np.abs(rewards) <= 1 + 1e-12).all()):
            yield f"{kind} rewards {rewards} leave [-1, 1]"
        elif spec.cooperative and (rewards != rewards[0]).any():
            yield f"{kind} rewards {rewards} differ in a cooperative game"
        elif not spec.cooperative and kind != "points" and abs(rewards.sum()) > 1e-9:
            yield f"{kind} rewards {rewards} sum to {rewards.sum():g}, not 0"


def rows_tell_actions_apart(case: Case) -> Iterator[str]:
    """Rows of actions fit the game, and two actions whose rows are equal throughout a game do the same.

    A kind of action whose `Rows` say why that need not be is passed over.
    """
    game = case.game
    asked = {kind: rows for kind, rows in game.action_rows.items() if not rows.alike}
    for seed, greed in case.plays() if asked else ():
        differ: dict[tuple[int, int], str] = {}  # pairs of actions that did different things, and when
        apart: set[tuple[int, int]] = set()  # pairs whose rows have differed
        for position in walk(game, seed, greed):
            for kind, rows in asked.items():
                first = game.actions.first[kind]
                legal = np.flatnonzero(position.mask[0, first : first + len(rows.places)])
                seen = rows.look_up(position.codes[0])
                for a, b in itertools.combinations(legal.tolist(), 2):
                    pair = first + a, first + b
                    if pair in apart:
                        continue
                    if not np.array_equal(seen[a], seen[b]):
                        apart.add(pair)
                    elif pair not in differ and len({led_to(position, action).key() for action in pair}) > 1:
                        differ[pair] = f"seed {seed}, decision {int(position.g.ply)}"
        for (a, b), when in differ.items():
            if (a, b) not in apart:
                texts = f"{game.actions.text(a)!r} and {game.actions.text(b)!r}"
                yield f"{texts} have the same row and do not do the same ({when})"
                return
