"""Games in which a value network plays all seats, and what it should have said of the positions it chose: `engine: td`.

Every legal action of the seat to act is tried on a copy that is resampled for that seat, and the one whose afterstate
the network values most is played. When the game is over, the afterstates that a seat chose are a chain; each should
have been worth a mix of what the network said further on in it and of the seat's final reward (λ-returns, as in
TD-Gammon).
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from theogony.envs.core.conformance.explore import recorded_starts
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.jit import rule
from theogony.envs.core.kernels import kernels, pick
from theogony.envs.core.memory import clear_record, copy_record
from theogony.envs.core.record import CUT_OFF, SEATS, from_bytes, record_dtype
from theogony.envs.core.rng import below, mix, uniform
from theogony.envs.core.thinking.lookahead import own_value_of
from theogony.envs.core.thinking.planning import Beam, make_beam, planning_kernel
from theogony.envs.core.thinking.scratch import Scratch
from theogony.envs.core.verify import RecordingError
from theogony.training.config import ConfigError

KEY = "td.starts.files"


class Starts(NamedTuple):
    """What games begin from, as kernels take it."""

    share: float  # of the games; 0: all are dealt
    dealt: int  # the first rows of `tables` are those of games that are dealt
    states: np.ndarray  # records, one for each position
    rows: np.ndarray  # int64: the row of `tables` that each is played with


def dealt_only(variants: Sequence[Game]) -> Starts:
    """All games begin at their beginning."""
    rows = sum(len(game.tables) for game in variants)
    return Starts(0.0, rows, variants[0].new_states(0), np.zeros(0, np.int64))


def read_starts(files: Sequence[str], share: float, variants: Sequence[Game]) -> tuple[Starts, list[Game]]:
    """The positions of these games, or of the games in these folders, and the games that they are played with, whose
    rows of tables follow those of `variants`. Without files all games begin at their beginning.

    Raises ConfigError for files that cannot be read, and for games that show players something else.
    """
    none = dealt_only(variants)
    if not files:
        return none, []
    paths = [path for name in files for path in _in(Path(name))]
    try:
        cases = recorded_starts(variants[0].spec, paths, most=None)
    except (RecordingError, OSError) as error:
        raise ConfigError(f"{KEY}: {error}") from None
    for case in cases:
        if case.game.layout() != variants[0].layout():
            raise ConfigError(
                f"{KEY}: {case.game!r} shows its players something else than {variants[0]!r}; expected that"
            )
    content = b"".join(start.content for case in cases for start in case.starts)
    states = from_bytes(content, variants[0].state)
    rows = np.repeat(none.dealt + np.arange(len(cases)), [len(case.starts) for case in cases])
    return Starts(share, none.dealt, states, rows), [case.game for case in cases]


def _in(path: Path) -> list[Path]:
    """A file, or the files of a folder by name. Raises ConfigError where there is none."""
    found = sorted(inner for inner in path.iterdir() if inner.is_file()) if path.is_dir() else [path]
    if not found or not found[0].exists():
        raise ConfigError(f"{KEY}: {path}: expected a recorded game, or a folder of some")
    return found


# ---- What self-play (`selfplay.py`), teaching (`distil.py`) and searched games (`td.py`) share -----------------
#
# A game follows from its number and from those who play it, so that it does not matter which thread plays it: a run
# learns the same with any number of threads, and the games that a checkpoint interrupts are played again.

CHUNK = 4  # games that a thread plays at a time
ROOM = 512  # decisions of such games to begin with; more is made when it is used up
Part = TypeVar("Part")


class Desk(NamedTuple):
    """What a thread plays its games on."""

    state: np.ndarray  # one record: the game
    tables: np.ndarray
    mask: np.ndarray  # int8 (actions,)
    scratch: Scratch
    values: np.ndarray  # float64 (actions,): what each is worth
    beam: Beam  # what plans are made in


def make_desk(game: Game, width: int = 1) -> Desk:
    """A desk for one thread, with plans of such a width at most."""
    mask, values = np.zeros(game.actions.size, np.int8), np.zeros(game.actions.size)
    return Desk(game.new_states(1), game.tables, mask, game.scratch(), values, make_beam(game, width))


@rule
def best_with_noise(mask, values, noise, stream):
    """The legal action of the highest value; `noise` above 0 is the scale of Gumbel noise that is added to values."""
    chosen, most = -1, -np.inf
    for action in range(mask.shape[0]):
        if mask[action]:
            estimate = np.float64(values[action])
            if noise > 0.0:
                estimate -= noise * np.log(-np.log(uniform(stream) + 1e-300) + 1e-300)
            if chosen < 0 or estimate > most:
                chosen, most = action, estimate
    return chosen


@rule
def count(mask):
    """The number of legal actions."""
    choices = 0
    for action in range(mask.shape[0]):
        choices += mask[action]
    return choices


class NumberedGames:
    """Threads that play games by number."""

    def __init__(self, threads: int, name: str) -> None:
        self.threads, self.stopped = threads, False
        self._pool = ThreadPoolExecutor(threads, name)

    def played(self, play: Callable[[int, int], Part], first: int, count: int, chunk: int = CHUNK) -> Part:
        """What `play(first, last)` gives for all parts of so many games, whatever the number of threads."""
        cuts = itertools.pairwise([*range(first, first + count, chunk), first + count])
        return joined(list(self._pool.map(lambda cut: play(*cut), cuts)))

    def stop(self) -> None:
        """End the threads, at the next whole games."""
        self.stopped = True
        self._pool.shutdown(wait=True)


def joined(parts: Sequence[Part]) -> Part:
    """Games that were played in parts, in their order: arrays one behind the other, the mean of `reward` over games."""
    first: Any = parts[0]
    games = sum(part.games for part in parts)  # pyright: ignore[reportAttributeAccessIssue]
    reward = sum(part.reward * part.games for part in parts) / games  # pyright: ignore[reportAttributeAccessIssue]
    arrays = {name for name, value in first._asdict().items() if isinstance(value, np.ndarray)}
    whole = {name: np.concatenate([getattr(part, name) for part in parts]) for name in arrays}
    return first._replace(games=games, reward=reward, **whole)


# ---- `engine: td`: a value network plays all seats -----------------------------------------------------------------

GAMES, PLAYERS = 11, 12  # what the seed is mixed with: for games, for those who play them
ENDS = -1  # in place of a chain: the end of a plan, which has the target of the decision behind it

SAMPLE = record_dtype(
    ("seat", "i1"),
    ("chain", "i1"),  # the seat; in a cooperative game one for the whole team; ENDS: none
    ("variant", "i2"),  # which options the game has
    ("explored", "i1"),  # the action was drawn at random
    ("best", "f4"),  # what the best action was worth to the network
    ("target", "f4"),  # what the afterstate should have been worth
)
CURSOR = record_dtype(
    ("game", "i8"),  # the next to begin
    ("running", "i1"),
    ("start", "i8"),  # where its samples begin
    ("used", "i8"),  # samples so far
    ("learner", "i8"),  # seat of the learner; -1: all of them
    ("variant", "i8"),  # which options the game has
    ("planned", "i1"),  # the learner plans
    ("reward", "f8"),  # sums over the games that are over: of the learner's (seat 0's) rewards,
    ("squared", "f8"),  # and of squared differences between what the network said and what it should have
    ("stream", "u8", (1,)),
    ("pay", "f8", (2, SEATS)),
    ("ahead", "f8", (SEATS,)),
)


class SelfPlayTable(NamedTuple):
    """Who plays the games: the learner's network is number 0, behind it are those of its opponents."""

    nets: np.ndarray  # float32, one behind the other
    ends: np.ndarray  # int64: where each ends
    greed: np.ndarray  # float64: share of decisions that each of the opponents does not draw at random
    weights: np.ndarray  # float64: how often each of the opponents is drawn, adding up to 1, cumulative
    share: float  # of games against opponents
    explore: float  # share of the learner's decisions that are drawn at random
    noise: float  # of the values when the learner compares them, in rewards
    td_lambda: float
    reward: int  # index in `KINDS`
    deep: bool  # look ahead over one's own turn, as far as the greedy player
    planned: float  # share of games in which the learner plans (`theogony.envs.core.thinking.planning`)
    width: int  # of its plans
    plan_ends: float  # share of planned decisions of which the end of the plan is a sample as well
    truncation: float = math.nan  # what a game that was cut off is worth; NaN: what the network says of its end


class Played(NamedTuple):
    """Samples in the order of their games: `states` (records) are afterstates as the seat may know them."""

    states: np.ndarray
    samples: np.ndarray  # SAMPLE
    games: int
    reward: float  # mean final reward of the learner, of seat 0 where it plays all

    @property
    def decisions(self) -> int:
        """How many there are to learn from."""
        return len(self.samples)


@functools.cache
def selfplay_kernels(spec: GameSpec) -> Any:
    """`play` of a game: plays on from a cursor until its games are over or there is no room for another sample."""
    k = kernels(spec)
    legal, cooperative, plan = spec.legal, spec.cooperative, planning_kernel(spec)
    setup, advance, rewards, judge, choose = k.setup, k.advance, k.rewards, k.judge, k.choose
    imagine, tried, redraw = k.imagine, k.tried, k.redraw

    @rule
    def deal(state, all_tables, cursor, starts, seed):
        """The position that a game begins with; of a recorded one, what the seat to act cannot know is drawn anew."""
        if starts.share > 0.0 and uniform(cursor.stream) < starts.share:
            n = below(cursor.stream, starts.states.shape[0])
            cursor.variant = starts.rows[n]
            copy_record(state, 0, starts.states, n)
            redraw(state[0], all_tables[cursor.variant], np.int64(state[0].actor), cursor.stream)
        else:
            clear_record(state, 0)
            cursor.variant = cursor.game % starts.dealt
            setup(state[0], all_tables[cursor.variant], mix(seed, cursor.game, GAMES))

    @rule
    def begin(state, all_tables, cursor, who, table, starts, seed):
        """The next game, and who sits where: `who` holds the number of a network for every seat."""
        cursor.stream[0] = mix(seed, cursor.game, PLAYERS)
        deal(state, all_tables, cursor, starts, seed)
        cursor.planned = table.planned > 0.0 and uniform(cursor.stream) < table.planned
        cursor.game += 1
        cursor.running, cursor.start, cursor.learner = 1, cursor.used, -1
        players = np.int64(state[0].players)
        who[:] = 0
        if table.share > 0.0 and uniform(cursor.stream) < table.share:
            cursor.learner = below(cursor.stream, players)
            for seat in range(players):
                if seat != cursor.learner:
                    draw = uniform(cursor.stream)
                    n = 0
                    while n < table.weights.shape[0] - 1 and draw >= table.weights[n]:
                        n += 1
                    who[seat] = n + 1

    @rule
    def compare(desk, tables, table, stream, net):
        """The learner's action one decision ahead, and what the best one is worth."""
        mask, values = desk.mask, desk.values
        judge(desk.state, 0, tables, mask, desk.scratch, 0, stream, net, table.deep, values)
        best = -np.inf
        for action in range(mask.shape[0]):
            if mask[action]:
                best = max(best, values[action])
        return best_with_noise(mask, values, table.noise, stream), best

    @rule
    def think(desk, tables, table, stream, net):
        """The learner's action by a plan, and what the position behind it is worth: less than the plan, in which
        nobody is in its way."""
        seat, scratch = np.int64(desk.state[0].actor), desk.scratch
        imagine(desk.state, 0, tables, seat, scratch, 0, stream, net)
        chosen = plan(scratch.states, 0, tables, seat, net, table.width, desk.beam, stream, desk.values)
        return chosen, tried(scratch, 0, tables, chosen, seat, net, 0, False)

    @rule
    def decide(desk, tables, table, planned, stream, sample):
        """The learner's action; its best value and whether it was drawn at random are noted in `sample`."""
        mask, net = desk.mask, table.nets[: table.ends[0]]
        if planned:
            chosen, best = think(desk, tables, table, stream, net)
        else:
            chosen, best = compare(desk, tables, table, stream, net)
        sample.best, sample.explored = best, 0
        if table.explore > 0.0 and uniform(stream) < table.explore:
            sample.explored = 1
            chosen = pick(mask, mask.shape[0], stream)
        return chosen

    @rule
    def finish(state, tables, cursor, samples, table):
        """λ-returns of the game that is over, backwards along each chain.

        Behind an action that was drawn at random, only what the best one was worth counts.
        """
        rewards(state, 0, tables, table.reward, cursor.pay[0], cursor.pay[1])
        cut = state[0].over == CUT_OFF
        cursor.ahead[:] = np.nan
        for n in range(cursor.used - 1, cursor.start - 1, -1):
            sample = samples[n]
            if sample.chain == ENDS:
                sample.target = samples[n + 1].target
                continue
            ahead = cursor.ahead[sample.chain]
            if np.isnan(ahead):  # the last of its chain
                ahead = table.truncation if cut else cursor.pay[1, sample.seat]
            if np.isnan(ahead):  # a game that goes on somewhere else tells nothing but what was thought
                ahead = np.float64(sample.best)
            sample.target = ahead
            cursor.squared += (ahead - sample.best) ** 2
            trace = 0.0 if sample.explored else table.td_lambda
            cursor.ahead[sample.chain] = (1.0 - trace) * sample.best + trace * ahead
        cursor.reward += cursor.pay[1, max(cursor.learner, 0)]
        cursor.running = 0

    @rule
    def note(desk, cursor, table, states, samples):
        """Keep the afterstate in row 1 of the scratch, and of a share of planned decisions the end of the plan."""
        sample, best = samples[cursor.used], desk.beam.best
        sample.seat = desk.state[0].actor
        sample.chain = 0 if cooperative else desk.state[0].actor
        sample.variant = cursor.variant
        if cursor.planned and table.plan_ends > 0.0 and sample.explored == 0 and best[0].over == 0:
            if uniform(cursor.stream) < table.plan_ends:
                copy_record(samples, cursor.used + 1, samples, cursor.used)
                copy_record(states, cursor.used, best, 0)
                sample.chain = ENDS
                cursor.used += 1
        copy_record(states, cursor.used, desk.scratch.states, 1)
        cursor.used += 1

    @rule
    def one_decision(desk, cursor, who, table, states, samples):
        """One decision of whoever is to act; those of the learner, if there was a choice, are kept."""
        g, mask, scratch = desk.state[0], desk.mask, desk.scratch
        tables = desk.tables[cursor.variant : cursor.variant + 1]
        mask[:] = 0
        legal(g, tables[0], mask)
        n = who[g.actor]
        if n > 0:
            net = table.nets[table.ends[n - 1] : table.ends[n]]
            action = choose(desk.state, 0, tables, mask, scratch, 0, table.greed[n - 1], cursor.stream, net)
            advance(g, tables[0], action)
            return
        if count(mask) == 1:
            advance(g, tables[0], pick(mask, mask.shape[0], cursor.stream))
            return
        chosen = decide(desk, tables, table, cursor.planned, cursor.stream, samples[cursor.used])
        copy_record(scratch.states, 1, scratch.states, 0)
        advance(scratch.states[1], tables[0], chosen)
        if scratch.states[1].over == 0:
            note(desk, cursor, table, states, samples)
        advance(g, tables[0], chosen)

    @rule
    def play(desk, cursors, who, table, starts, states, samples, seed, last):
        """Games up to `last`. Returns whether they are over; otherwise there must be room for more samples."""
        cursor, state = cursors[0], desk.state
        while cursor.running or cursor.game < last:
            if not cursor.running:
                begin(state, desk.tables, cursor, who, table, starts, seed)
            while state[0].over == 0:
                if cursor.used + 1 >= states.shape[0]:  # a decision and the end of its plan
                    return False
                one_decision(desk, cursor, who, table, states, samples)
            finish(state, desk.tables[cursor.variant : cursor.variant + 1], cursor, samples, table)
        return True

    return play


@functools.cache
def observer(spec: GameSpec) -> Any:
    """Observations of samples, and own values for a kind of reward; `tables` has a row for each variant."""
    observe, own_value = spec.observe, own_value_of(spec)

    @rule
    def see(states, samples, rows, tables, reward, spare, features, own):
        for j in range(rows.shape[0]):
            i = rows[j]
            seat, t = np.int64(samples[i].seat), tables[samples[i].variant]
            clear_record(features, j)
            observe(states[i], t, seat, features[j])
            copy_record(spare, 0, states, i)
            own[j] = own_value(spare[0], t, seat, reward)

    return see


class SelfPlay(NumberedGames):
    """Games of `engine: td`. Those of a number are played with the same one of some variants, games that differ only in
    what their tables hold, and begin from the same one of `starts`, or at their beginning."""

    def __init__(self, variants: Sequence[Game], threads: int, seed: int, starts: Starts | None = None) -> None:
        super().__init__(threads, "theogony-play")
        self.game, self.tables, self.seed = variants[0], tables_of(variants), np.uint64(seed)
        self.starts = starts or dealt_only(variants)
        self._play = selfplay_kernels(self.game.spec)

    def play(self, table: SelfPlayTable, first: int, count: int) -> Played:
        """Games `first` to `first + count`."""
        return self.played(functools.partial(self._part, table), first, count)

    def _part(self, table: SelfPlayTable, first: int, last: int) -> Played:
        desk, who = make_desk(self.game, max(table.width, 1))._replace(tables=self.tables), np.zeros(SEATS, np.int64)
        cursors, states, samples = np.zeros(1, CURSOR), self.game.new_states(ROOM), np.zeros(ROOM, SAMPLE)
        cursors["game"] = last if self.stopped else first
        while not self._play(desk, cursors, who, table, self.starts, states, samples, self.seed, last):
            states, samples = _doubled(states), _doubled(samples)
        used = int(cursors["used"][0])
        return Played(states[:used], samples[:used], last - first, float(cursors["reward"][0]) / (last - first))


def tables_of(variants: Sequence[Game]) -> np.ndarray:
    """The tables of some games, a row for each; read-only, as those of a game are."""
    found = np.concatenate([game.tables.view(np.uint8) for game in variants]).view(variants[0].tables.dtype)
    found.flags.writeable = False
    return found


def _doubled(records: np.ndarray) -> np.ndarray:
    """These records with as many empty ones behind them: room for more samples."""
    more = np.zeros(2 * len(records) * records.itemsize, np.uint8).view(records.dtype)
    more[: len(records)] = records
    return more
