"""Random play with checks inside the kernel: what conformance tests in hundreds of decisions, for hundreds of millions.

`play` checks that some action is legal in every position, that every game ends within its bound, and that rewards of
every kind are finite, in [-1, 1] and sum to zero (or are the same for all). Observations of all seats are checked in
every `SAMPLE`-th position and at every `SAMPLE`-th end: they would take most of the time. `masks` plays every legal
action of a position on a copy and tries every other; `hidden` compares what a seat receives in a redrawn position.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.conformance.base import ENDLESS
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.jit import rule
from theogony.envs.core.kernels import kernels, pick
from theogony.envs.core.memory import clear_record, copy_record
from theogony.envs.core.position import Position
from theogony.envs.core.record import SEATS, from_bytes, record_dtype, to_bytes
from theogony.envs.core.rng import mix

CHECKS = 1  # raised when the checks find more: then everything is played again
SAMPLE = 64  # one position in so many has the observations of all seats checked
APART = 5  # decisions between two positions that are audited or redrawn
CHUNK = 200_000  # decisions of a call, so that progress is seen

OK, EMPTY, TOO_LONG, OUTSIDE, REWARD, UNFAIR, NOT_LEFT, NOT_REFUSED, NOT_CHANGED, SEEN, MASK_SEEN = range(11)
SENTENCES = {
    EMPTY: "no action is legal, and the game is not over",
    TOO_LONG: "the game is longer than its bound",
    OUTSIDE: "an observation leaves its bounds",
    REWARD: "a reward is not finite or leaves [-1, 1]",
    UNFAIR: "rewards do not sum to zero, or differ in a cooperative game",
    NOT_LEFT: "an action that was refused changed the position",
    NOT_REFUSED: "an action that is not in the mask was played",
    NOT_CHANGED: "no legal action changes anything",
    SEEN: "the observation of a seat shows what it cannot know",
    MASK_SEEN: "the mask of a seat shows what it cannot know",
}
TALLY = record_dtype(
    ("seed", "u8"), ("games", "i8"), ("decisions", "i8"), ("longest", "i8"), ("audited", "i8"), ("tried", "i8"),
    ("idle", "i8"), ("seat", "i4"),
)  # fmt: skip


class Checked(NamedTuple):
    """What the kernels work on. The running game is position 0 of `states`; 1 and 2 are scratch."""

    states: np.ndarray  # (3,)
    bytes: np.ndarray  # uint8 (3, itemsize), a view
    tables: np.ndarray
    masks: np.ndarray  # int8 (2, actions)
    features: np.ndarray  # (2,)
    views: np.ndarray  # codes, uint8 (2, length), the same memory
    floats: np.ndarray  # what `step` decodes into, see `FeatureLayout.floats`
    highest: np.ndarray  # uint8 (length,)
    rng: np.ndarray  # uint64 (1,)
    standings: np.ndarray  # float64 (SEATS,)
    rewards: np.ndarray
    tally: np.ndarray  # TALLY (1,)
    bound: int
    kinds: int  # of rewards
    cooperative: bool
    ply: tuple[int, int]  # bytes of the record that count decisions, which every action changes


@rule
def differ(content, one, other, skip):
    """Whether two records differ anywhere but in their count of decisions."""
    for k in range(content.shape[1]):
        if content[one, k] != content[other, k] and not skip[0] <= k < skip[1]:
            return True
    return False


@rule
def fair(c, players):
    """What is wrong with the rewards."""
    total = 0.0
    for seat in range(players):
        reward = c.rewards[seat]
        if not abs(reward) <= 1.0 + 1e-12:  # also when it is no number
            return REWARD
        if c.cooperative and reward != c.rewards[0]:
            return UNFAIR
        total += reward
    return UNFAIR if not c.cooperative and abs(total) > 1e-9 else OK


@functools.cache
def checked_kernels(spec: GameSpec) -> Any:
    """`play`, `masks` and `hidden` of a game; `c` is a `Checked`. Each returns OK or what is wrong."""
    k = kernels(spec)
    setup, legal, advance, observe = k.setup, spec.legal, k.advance, spec.observe
    resample, rewards, step = k.redraw, k.rewards, k.step

    @rule
    def begin(c):
        """The next game."""
        tally = c.tally[0]
        clear_record(c.states, 0)
        setup(c.states[0], c.tables[0], mix(tally.seed, tally.games, 0))
        tally.games += 1

    @rule
    def look(c, g, seat, row):
        clear_record(c.features, row)
        observe(g, c.tables[0], seat, c.features[row])

    @rule
    def views_inside(c):
        """Whether what every seat sees is within its bounds. No early end: so it is compiled to wide instructions."""
        for seat in range(c.states[0].players):
            look(c, c.states[0], seat, 0)
            view, beyond = c.views[0], 0
            for entry in range(view.shape[0]):
                beyond += view[entry] > c.highest[entry]
            if beyond > 0:
                c.tally[0].seat = seat
                return False
        return True

    @rule
    def check_end(c):
        """What is wrong with the end of a game."""
        g, tally = c.states[0], c.tally[0]
        tally.longest = max(tally.longest, np.int64(g.ply))
        if g.ply > c.bound:
            return TOO_LONG
        for kind in range(c.kinds):
            c.rewards[:] = 0.0
            rewards(c.states, 0, c.tables, kind, c.standings, c.rewards)
            wrong = fair(c, np.int64(g.players))
            if wrong != OK:
                return wrong
        return OK if tally.games % SAMPLE or views_inside(c) else OUTSIDE

    @rule
    def play(c, decisions):
        """Random decisions, through the ends of games to the starts of the next."""
        g, t, mask, tally, rng, bound = c.states[0], c.tables[0], c.masks[0], c.tally[0], c.rng, c.bound
        for _ in range(decisions):
            mask[:] = 0
            legal(g, t, mask)
            action = pick(mask, mask.shape[0], rng)
            if action < 0:
                return EMPTY
            if tally.decisions % SAMPLE == 0 and not views_inside(c):
                return OUTSIDE
            advance(g, t, action)
            tally.decisions += 1
            if g.over:
                wrong = check_end(c)
                if wrong != OK:
                    return wrong
                begin(c)
            elif g.ply >= bound:
                return TOO_LONG
        return OK

    @rule
    def audit(c):
        """Every action of the running position, both ways."""
        g, mask, tally = c.states[0], c.masks[1], c.tally[0]
        mask[:] = 0
        legal(g, c.tables[0], mask)
        tally.audited += 1
        moves = False
        for action in range(-1, mask.shape[0] + 1):
            tally.tried += 1
            if 0 <= action < mask.shape[0] and mask[action]:
                copy_record(c.states, 1, c.states, 0)
                advance(c.states[1], c.tables[0], action)
                if differ(c.bytes, 0, 1, c.ply):
                    moves = True
                else:
                    tally.idle += 1
            else:
                copy_record(c.states, 1, c.states, 0)
                copy_record(c.states, 2, c.states, 0)
                if step(c.states, 1, c.tables, action, c.features, c.masks[1:], c.floats) >= 0:
                    return NOT_REFUSED
                if differ(c.bytes, 0, 1, (0, 0)) or differ(c.bytes, 0, 2, (0, 0)):
                    return NOT_LEFT
        return OK if moves else NOT_CHANGED

    @rule
    def masks(c, positions):
        for _ in range(positions):
            wrong = audit(c)
            if wrong == OK:
                wrong = play(c, APART)
            if wrong != OK:
                return wrong
        return OK

    @rule
    def redraw(c, seat):
        """Compare what a seat receives here and in a redrawn position, which is left in position 1."""
        g, other = c.states[0], c.states[1]
        c.tally[0].seat = seat
        copy_record(c.states, 1, c.states, 0)
        resample(other, c.tables[0], seat, c.rng)
        look(c, g, seat, 0)
        look(c, other, seat, 1)
        for entry in range(c.views.shape[1]):
            if c.views[0, entry] != c.views[1, entry]:
                return SEEN
        if g.actor == seat:
            c.masks[:, :] = 0
            legal(g, c.tables[0], c.masks[0])
            legal(other, c.tables[0], c.masks[1])
            for action in range(c.masks.shape[1]):
                if c.masks[0, action] != c.masks[1, action]:
                    return MASK_SEEN
        return OK

    @rule
    def hidden(c, positions):
        for _ in range(positions):
            wrong = redraw(c, c.tally[0].audited % np.int64(c.states[0].players))
            c.tally[0].audited += 1
            if wrong == OK:
                wrong = play(c, APART)
            if wrong != OK:
                return wrong
        return OK

    return SimpleNamespace(begin=begin, play=play, masks=masks, hidden=hidden, redraw=redraw)


class CheckedPlay:
    """One game at a time, played at random and checked. The same seed plays the same games."""

    def __init__(self, game: Game, seed: int) -> None:
        spec, layout, states = game.spec, game.features, game.new_states(3)
        views = np.zeros((2, layout.length), np.uint8)
        fields = dict(game.state.fields or {})
        start = int(fields["ply"][1])
        self.game, self.kernels = game, checked_kernels(spec)
        self.arrays = Checked(
            states=states,
            bytes=states.view(np.uint8).reshape(3, -1),
            tables=game.tables,
            masks=np.zeros((2, game.actions.size), np.int8),
            features=layout.records(views),
            views=views,
            floats=layout.floats(),
            highest=layout.highest,
            rng=np.array([mix(seed, 0, 1)], np.uint64),
            standings=np.zeros(SEATS),
            rewards=np.zeros(SEATS),
            tally=np.zeros(1, TALLY),
            bound=spec.decision_bound(game.options) if spec.decision_bound else ENDLESS,
            kinds=len(spec.rewards),
            cooperative=spec.cooperative,
            ply=(start, start + 4),
        )
        self.tally = self.arrays.tally[0]
        self.tally.seed = seed
        self.kernels.begin(self.arrays)

    def run(self, what: str, count: int) -> Iterator[int]:
        """Do `what` ("play", "masks", "hidden") so often; yields how often it was done. Raises AssertionError."""
        chunk = CHUNK if what == "play" else max(1, CHUNK // 200)
        for done in range(0, count, chunk):
            now = min(chunk, count - done)
            self._raise(getattr(self.kernels, what)(self.arrays, now))
            yield now

    def texts(self, count: int) -> None:
        """Texts for a seat and for the public, here and in a redrawn position, so often. Raises AssertionError."""
        game, states = self.game, self.arrays.states
        for k in range(count):
            seat = k % game.players
            self._raise(self.kernels.redraw(self.arrays, seat))
            for who in (seat, None):
                if game.spec.render_text(game, states[0], who) != game.spec.render_text(game, states[1], who):
                    raise AssertionError(f"{self._where()}: the text for {who} shows what seat {seat} cannot know")
            self._raise(self.kernels.play(self.arrays, APART))

    def refusals(self, count: int) -> None:
        """Actions that are not legal, given to a `Position`, so often: each raises and changes nothing."""
        from theogony.envs.core.actions import IllegalAction

        draw = np.random.default_rng(int(self.tally.seed))
        for _ in range(count):
            position = Position(self.game, 0)
            position.load(to_bytes(self.arrays.states[:1]))
            before, others = position.key(), np.flatnonzero(position.mask[0] == 0)
            for action in (-1, self.game.actions.size, int(draw.choice(others)) if len(others) else -1):
                try:
                    position.play(action)
                except IllegalAction:
                    if position.key() == before:
                        continue
                raise AssertionError(f"{self._where()}: action {action} was not refused, or changed the position")
            self._raise(self.kernels.play(self.arrays, APART))

    def _raise(self, wrong: int) -> None:
        if wrong != OK:
            raise AssertionError(f"{self._where()}: {SENTENCES[wrong]}")

    def _where(self) -> str:
        t, g = self.tally, from_bytes(to_bytes(self.arrays.states[:1]), self.game.state)[0]
        return f"{self.game!r}, seed {t.seed}, game {t.games - 1}, decision {int(g.ply)}, seat {t.seat}"
