"""Looking ahead: what an action is worth to a seat, found by trying it on a copy of the position.

The greedy player, lookahead scores, self-play, teachers and search all go the same two steps. `imagine` makes a copy in
which all that the seat cannot know is drawn anew; `tried` plays one action on a copy of that copy and gives the value
of what follows, at once or after further decisions of the seat, as many as the game's `lookahead` says.
"""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any

import numpy as np

from theogony.envs.core.game import GameSpec
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import clear_record, copy_record
from theogony.envs.core.rewards import POINTS
from theogony.envs.core.thinking.value_network import REWARD, changed_layer, first_layer, further_layers


def lookahead_kernels(spec: GameSpec, single: SimpleNamespace) -> SimpleNamespace:
    """`imagine`, `tried` and what they are made of, for a game; `single` are its kernels over one position.

    All work in rows of a `Scratch`. `net` is the value that is asked: a network, or the game's own where it is empty.
    """
    redraw, advance = single.redraw, single.advance
    look, value_now = _values(spec, single)
    best_ahead, own_ahead = _best_ahead(spec, advance, value_now), _own_ahead(spec, advance)

    @rule
    def imagine(states, i, tables, seat, scratch, s, rng, net):
        """Position i as the seat holds it possible, in row s, which the seat looks at."""
        copy_record(scratch.states, s, states, i)
        redraw(scratch.states[s], tables[0], seat, rng)
        look(scratch, s, tables, seat, net)

    @rule
    def tried(scratch, s, tables, action, seat, net, anchor, deep):
        """What an action in row s is worth to a seat, which has looked at row `anchor`; works in the rows behind s.

        `deep`: after the decisions of its own that may follow, as far as the game's `lookahead`.
        """
        copy_record(scratch.states, s + 1, scratch.states, s)
        advance(scratch.states[s + 1], tables[0], action)
        if deep:
            return best_ahead(scratch, s + 1, tables, seat, net, anchor)
        return value_now(scratch, s + 1, tables, seat, net, anchor)

    @rule
    def own_tried(states, masks, s, tables, action, seat):
        """`tried` to the full depth by the game's own value: to pass what a network needs would cost a third more."""
        copy_record(states, s + 1, states, s)
        advance(states[s + 1], tables[0], action)
        return own_ahead(states, masks, s + 1, tables, seat)

    @rule
    def judge(states, i, tables, mask, scratch, s, rng, net, deep, out):
        """What every legal action in position i is worth to the seat that decides there, into `out`; others are nan."""
        seat = np.int64(states[i].actor)
        imagine(states, i, tables, seat, scratch, s, rng, net)
        for action in range(mask.shape[0]):
            out[action] = tried(scratch, s, tables, action, seat, net, s, deep) if mask[action] else np.nan

    return SimpleNamespace(
        look=look, value_now=value_now, imagine=imagine, tried=tried, own_tried=own_tried, judge=judge
    )


def _best_ahead(spec: GameSpec, advance: Any, value_now: Any) -> Any:
    """The best value while the seat goes on deciding, at most `lookahead` decisions."""
    found = value_now
    for _ in range(spec.lookahead - 1):
        found = _one_further(found, value_now, spec.legal, advance)
    return found


@functools.cache
def own_value_of(spec: GameSpec) -> Any:
    """`(g, t, seat, reward)`: the value of the game's own that a network for this kind of reward is given."""
    value, outlook = spec.value, spec.outlook
    if outlook is None:

        @rule
        def own_value(g, t, seat, reward):
            return value(g, t, seat)

        return own_value

    @rule
    def own_value_or_outlook(g, t, seat, reward):
        return outlook(g, t, seat) if reward == POINTS else value(g, t, seat)

    return own_value_or_outlook


def _values(spec: GameSpec, single: SimpleNamespace) -> tuple[Any, Any]:
    """What a position is worth: by the game's own value, or by a network."""
    observe, game_value, rewards, own_value = spec.observe, spec.value, single.rewards, own_value_of(spec)

    @rule
    def look(scratch, s, tables, seat, net):
        """Let a seat look at position s of the scratch, the anchor of positions that differ little from it."""
        if net.shape[0] > 0:
            clear_record(scratch.seen, s)
            observe(scratch.states[s], tables[0], seat, scratch.seen[s])
            first_layer(net, scratch.inputs[s], scratch.layers[s, 0])

    @rule
    def learned(scratch, s, tables, seat, net, anchor):
        g, pay = scratch.states[s], scratch.pay[s]
        if g.over != 0:
            rewards(scratch.states, s, tables, np.int64(net[REWARD]), pay[0], pay[1])
            return pay[1, seat]
        clear_record(scratch.seen, s)
        observe(g, tables[0], seat, scratch.seen[s])
        layers, known = scratch.layers[s], scratch.layers[anchor, 0]
        changed_layer(net, scratch.inputs[s], scratch.inputs[anchor], known, layers[0])
        own = np.float64(own_value(g, tables[0], seat, np.int64(net[REWARD])))
        return further_layers(net, layers[0], layers[1], layers[2], own)

    @rule
    def value_now(scratch, s, tables, seat, net, anchor):
        """The value of position s of the scratch for a seat, which has looked at position `anchor`."""
        if net.shape[0] == 0:
            return np.float64(game_value(scratch.states[s], tables[0], seat))
        return learned(scratch, s, tables, seat, net, anchor)

    return look, value_now


def _own_ahead(spec: GameSpec, advance: Any) -> Any:
    """Look ahead by the game's own `value` alone: no network is asked, so no observation is written."""
    legal, game_value = spec.legal, spec.value

    @rule
    def own_now(states, masks, s, tables, seat):
        return np.float64(game_value(states[s], tables[0], seat))

    def further(best_after: Any) -> Any:
        @rule
        def own_ahead(states, masks, s, tables, seat):
            g = states[s]
            if g.over != 0 or g.actor != seat:
                return own_now(states, masks, s, tables, seat)
            mask = masks[s]
            mask[:] = 0
            legal(g, tables[0], mask)
            best = -np.inf
            for action in range(mask.shape[0]):
                if mask[action]:
                    copy_record(states, s + 1, states, s)
                    advance(states[s + 1], tables[0], action)
                    best = max(best, best_after(states, masks, s + 1, tables, seat))
            return best

        return own_ahead

    found = own_now
    for _ in range(spec.lookahead - 1):
        found = further(found)
    return found


def _one_further(best_after: Any, value_now: Any, legal: Any, advance: Any) -> Any:
    """One decision more of the same seat, and then `best_after`: a chain, since Numba cannot cache recursion."""

    @rule
    def best_ahead(scratch, s, tables, seat, net, anchor):
        g = scratch.states[s]
        if g.over != 0 or g.actor != seat:
            return value_now(scratch, s, tables, seat, net, anchor)
        mask = scratch.masks[s]
        mask[:] = 0
        legal(g, tables[0], mask)
        best = -np.inf
        for action in range(mask.shape[0]):
            if mask[action]:
                copy_record(scratch.states, s + 1, scratch.states, s)
                advance(scratch.states[s + 1], tables[0], action)
                best = max(best, best_after(scratch, s + 1, tables, seat, net, anchor))
        return best

    return best_ahead
