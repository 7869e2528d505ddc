"""How far a team has come: what is still to be done in a scene, and the potential that reward="progress" pays."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import FRONT, NONE
from theogony.envs.god_of_war.rules.enemies import hp_left, lives
from theogony.envs.god_of_war.rules.scenes import laid_out
from theogony.envs.god_of_war.rules.scoring import won

TENTHS = 0.1
ARMOUR = 0.7  # a point of an armour marker
INVULNERABLE = 8.0  # an enemy that cannot be damaged yet


@rule
def potential(g, t):
    """Progress of the team in [0, 1]: scenes that are done, and damage to the enemies that count in the present one."""
    scenes = 1.0 if t.single != NONE else 3.0
    if won(g):
        return 1.0
    done = np.float64(g.stage) - 1.0
    if laid_out(g):
        done += 1.0 - min(effort(g, t, False) / whole_effort(g, t), 1.0)
    return min(done / scenes, 1.0)


@rule
def effort(g, t, others):
    """Damage that is still to be dealt in the scene; `others`: also to enemies that success does not name."""
    total = 0.0
    for slot in range(g.side.shape[0]):
        weight = np.float64(t.weight[g.scenario, slot]) * TENTHS
        if weight < 1.0 and not others:
            continue
        here = 0.0
        if lives(g, t, slot):
            here += hp_left(g, t, slot)
            for marker in range(t.armour.shape[3]):
                if (np.int64(g.armour[slot]) >> marker) & 1:
                    here += ARMOUR * t.armour[g.scenario, slot, g.side[slot], marker]
            if t.invulnerable[g.scenario, slot, g.side[slot]]:
                here += INVULNERABLE
        if g.side[slot] == FRONT:
            here += t.later[g.scenario, slot]
        total += here * weight
    return total


@rule
def whole_effort(g, t):
    """Damage that the fresh scene takes, from the enemies that count."""
    total = 0.0
    for slot in range(g.side.shape[0]):
        if t.weight[g.scenario, slot] >= 10 and t.present[g.scenario, slot]:
            total += t.later[g.scenario, slot]
            if t.enemy[g.scenario, slot, 0] == 1:
                total += t.enemy_hp[g.scenario, slot, 0] + INVULNERABLE * t.invulnerable[g.scenario, slot, 0]
                for marker in range(t.armour.shape[3]):
                    total += ARMOUR * t.armour[g.scenario, slot, 0, marker]
    return max(total, 1.0)
