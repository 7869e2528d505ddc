"""Sets of cards: a symbol and at least one number (§5.2)."""

from __future__ import annotations

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import NONE, SKILL_NUMBER


@rule
def number_in_hand(g, t, seat, attack):
    """Whether a hand has a number for a set; a crystal counts only for an attack (ruling R8)."""
    for k in range(t.number_plays.shape[0]):
        if g.hand[seat, t.number_design[k]] > 0 and (attack or not t.play_attack_only[t.number_plays[k]]):
            return True
    return attack and free_skill(g, t, SKILL_NUMBER) != NONE


@rule
def free_skill(g, t, kind):
    """An alternative of a companion's skill of this kind that was not used yet; NONE when there is none (§10)."""
    if t.players == 1:
        for option in range(t.skill_kind.shape[0]):
            if t.skill_kind[option] == kind and not g.skills_used[t.skill_number[option]]:
                return option
    return NONE


@rule
def set_possible(g, t, seat, play, attack):
    """Whether a symbol card is in the hand, with its own number or another card for it (§5.2)."""
    design = t.play_design[play]
    if g.hand[seat, design] <= 0:
        return False
    if t.play_number[play] > 0:
        return True
    g.hand[seat, design] -= 1  # a card cannot be its own number
    found = number_in_hand(g, t, seat, attack)
    g.hand[seat, design] += 1
    return found
