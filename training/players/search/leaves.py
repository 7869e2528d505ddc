"""What a leaf of the tree is worth to every seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.game import GameSpec
from theogony.envs.core.jit import rule
from theogony.envs.core.kernels import kernels, pick
from theogony.envs.core.memory import copy_record
from theogony.envs.core.rewards import POINTS
from theogony.training.players.search.tree import anchor

GREEDY, VALUE, TURN = 1, 2, 3  # in `ROLLOUTS`


def leaf_kernel(spec: GameSpec) -> Any:
    """The kernel that plays on from a leaf."""
    k = kernels(spec)
    legal, advance, greedy, final = spec.legal, k.advance, k.greedy, k.rewards
    leaf_values, to_own_turn = _leaf_values(spec), _to_own_turn(spec)

    @rule
    def roll_out(q, tree, mover, rng):
        """From the leaf in position 0 of the scratch to rewards of every seat in `rewards[0]`."""
        scratch, how = tree.scratch, q.settings
        g, mask = scratch.states[0], scratch.masks[0]
        left, judge = how.depth, mover if how.depth == 0 else -1
        if how.rollout == TURN:
            to_own_turn(q, scratch, rng)
            left, judge = 0, q.seat
        while g.over == 0 and (how.rollout < VALUE or left > 0):
            mask[:] = 0
            legal(g, q.tables[0], mask)
            if how.rollout == GREEDY:
                advance(g, q.tables[0], greedy(scratch.states, 0, q.tables, mask, scratch, 1, rng, q.net))
            else:
                advance(g, q.tables[0], pick(mask, mask.shape[0], rng))
            left -= 1
        if g.over != 0:
            final(scratch.states, 0, q.tables, how.reward, tree.rewards[1], tree.rewards[0])
        else:
            leaf_values(q, tree, judge)

    return roll_out


def _leaf_values(spec: GameSpec) -> Any:
    value_now, cooperative = kernels(spec).value_now, spec.cooperative

    @rule
    def leaf_values(q, tree, mover):
        """What position 0 of the scratch, into which a seat moved, is worth to every seat, into `rewards[0]`.

        A network learnt the value for the seat that has moved; others are asked for themselves only where theirs does
        not follow from it.
        """
        scratch, rewards = tree.scratch, tree.rewards
        players = int(scratch.states[0].players)
        follows = q.net.shape[0] > 0 and mover >= 0 and (cooperative or (players == 2 and q.settings.reward != POINTS))
        for seat in range(players):
            if follows and seat != mover:
                continue
            copy_record(scratch.states, 1, scratch.states, 0)  # which `value` may write on
            estimate = value_now(scratch, 1, q.tables, seat, q.net, anchor(scratch, seat))
            rewards[0, seat] = min(max(estimate, -1.0), 1.0)
        if follows:
            other = rewards[0, mover] if cooperative else -rewards[0, mover]
            for seat in range(players):
                if seat != mover:
                    rewards[0, seat] = other

    return leaf_values


def _to_own_turn(spec: GameSpec) -> Any:
    k = kernels(spec)
    legal, advance, imagine, tried = spec.legal, k.advance, k.imagine, k.tried

    @rule
    def likeliest(q, scratch, rng):
        """The action with the best value one decision ahead in position 0, for the seat that decides there: it judges
        copies in which all that it cannot know is drawn anew."""
        states, mask = scratch.states, scratch.masks[0]
        seat = np.int64(states[0].actor)
        mask[:] = 0
        legal(states[0], q.tables[0], mask)
        choices, best, most = 0, -1, -np.inf
        for action in range(mask.shape[0]):
            if mask[action]:
                choices, best = choices + 1, action
        if choices == 1:
            return best
        imagine(states, 0, q.tables, seat, scratch, 1, rng, q.net)
        for action in range(mask.shape[0]):
            if mask[action]:
                estimate = tried(scratch, 1, q.tables, action, seat, q.net, 1, False)
                if estimate > most:
                    best, most = action, estimate
        return best

    @rule
    def to_own_turn(q, scratch, rng):
        """Play position 0 on, everybody by the value, until the searching seat has ended its next turn.

        There the value was learnt, and there all actions of the root are compared alike: at the leaf itself it may be
        anybody's turn, and what two seats think of a position does not fit together that well.
        """
        g, began = scratch.states[0], False
        while g.over == 0 and not (began and g.actor != q.seat):
            began = began or g.actor == q.seat
            advance(g, q.tables[0], likeliest(q, scratch, rng))

    return to_own_turn
