"""Weights of the heuristic. The unit is a point of damage; a pair holds one for a lone hero and one for a team.

Most were found by a search (CMA-ES) over whole games of greedy players and rounded, a few by comparing.
"""

from __future__ import annotations

from theogony.envs.core.jit import rule

SCALE = 400.0  # points that are half of a victory
SCENE = (100.0, 17.0)  # a scene that is done
ROUND = 1.0  # a round that is gone, for each player

# heroes
HEALTH = (0.22, 0.79)  # a point of health
LAST_HEALTH = (3.9, 0.67)  # more for each of the last four
LIFE = (9.5, 3.8)  # a hero who stands
RAGE = (1.5, 0.37)  # a point of rage
BONUS = (0.59, 0.29)  # a point of a waiting bonus
WARD = (1.1, 1.5)  # a ward
CANCEL = (1.4, 3.0)  # the next rune triggers nothing
LIMIT = 1.5  # a card of the hand limit
SKILL = (8.3, 1.0)  # a companion's skill that is not used yet

# cards
QUALITY = (74.0, 20.0)  # mean worth of a player's cards
FEWEST = (7.2, 8.0)  # cards that a mean is taken of at least
BLOCKING = (0.4, 0.33)  # worth of a block card, in shares of its block
ATTACKING = (4.0, 1.1)  # worth of an attack symbol besides its strength, in tenths
PLANS = (0.47, 0.61)  # damage that a hand may still deal
SPARE = (0.0, 0.2)  # share of it that is lost beyond the enemies' health
SHIELD = (1.2, 0.076)  # a point of block in the hand, for each activation that is still to come
SPECIALS = 0.4  # a special card in the hand

# enemies
THREAT = (0.58, 1.6)  # a point of strength that a living enemy keeps, for each activation of a round
HARD = (0.0, 10.0)  # that threat once more where a scene is chosen
PRINTED = (6.2, 0.89)  # strength that heroes are expected to block
STATUS = (0.46, 1.4)  # a stun or poison card
BOXES = (0.0, 1.1)  # a point of damage by boxed effects
FAILING = (97.0, 45.0)  # tokens one short of failure
FLOW = (3.0, 3.0)  # a rune that adds such a token
FALLIBLE = (300.0, 300.0)  # a scene that can fail, where it is chosen

# interactions
PAID = (0.9, 0.84)  # share of what an interaction brings while it is not paid
COST = (1.2, 1.1)  # a card that is still to be paid

# readiness: with which mean worth of cards the later scenes should begin, and what it costs to begin sooner
READY_2 = (2.0, 2.4)  # mean worth for the second scene
READY_3 = (1.3, 1.3)  # for the third
SOON_2 = (350.0, 270.0)  # a point of worth that is lacking in the second scene
SOON_3 = (170.0, 430.0)  # in the third
PATIENCE = (84.0, 60.0)  # rounds after which a team goes on as it is


@rule
def of(g, weights):
    """The weight of a pair that is for the number of players."""
    return weights[0] if g.players == 1 else weights[1]
