"""What a leaf of the tree is worth to every seat."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.game import GameSpec
from theogony.envs.core.jit import rule
from theogony.envs.core.kernels import kernels, pick
from theogony.envs.core.memory import copy_record
from theogony.training.players.search.tree import anchor

GREEDY, VALUE = 1, 2  # in `ROLLOUTS`


def leaf_kernel(spec: GameSpec) -> Any:
    """The kernel that plays on from a leaf."""
    k = kernels(spec)
    legal, advance, greedy, final, value_now = spec.legal, k.advance, k.greedy, k.rewards, k.value_now
    cooperative = spec.cooperative

    @rule
    def leaf_values(q, tree, mover):
        """What position 0 of the scratch, into which a seat moved, is worth to every seat, into `rewards[0]`.

        A network learnt the value for the seat that has moved; others are asked for themselves only where theirs does
        not follow from it.
        """
        scratch, rewards = tree.scratch, tree.rewards
        players = int(scratch.states[0].players)
        follows = q.net.shape[0] > 0 and mover >= 0 and (cooperative or players == 2)
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

    @rule
    def roll_out(q, tree, mover, rng):
        """From the leaf in position 0 of the scratch to rewards of every seat in `rewards[0]`."""
        scratch, how = tree.scratch, q.settings
        g, mask = scratch.states[0], scratch.masks[0]
        left = how.depth
        while g.over == 0 and (how.rollout != VALUE or left > 0):
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
            leaf_values(q, tree, mover if how.depth == 0 else -1)

    return roll_out
