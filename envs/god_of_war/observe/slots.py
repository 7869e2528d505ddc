"""Names of the numbers in a row of the fields `figures`, `cards`, `attacks`, `enemy_attack` and `set` (`layout.py`)."""

# a figure
(
    BODY_PRESENT,  # in the game
    BODY_MINE,
    BODY_STANDING,
    BODY_HEALTH_SHARE,  # health left as a share
    BODY_DAMAGE,
    BODY_HEALTH,  # health left
    BODY_RAGE_SHARE,
    BODY_RAGE_FULL,
    BODY_WARDS,
    BODY_IN_FRONT,
    BODY_MOVED,
    BODY_BEARER,  # carries Mimir
    BODY_PLACED_NEXT,
) = range(13)  # fmt: skip
BODY = 13

# a scene card
(
    CARD_PRESENT,
    CARD_SIDE,
    CARD_ENEMY,  # a living enemy of its own
    CARD_PART,  # part of a living enemy
    CARD_HEALTH,
    CARD_HEALTH_SHARE,
    CARD_ARMOUR,  # next armour marker
    CARD_MARKERS,  # markers left
    CARD_INVULNERABLE,
    CARD_STUNNED,
    CARD_TOKENS,
    CARD_DEAD,  # death token
    CARD_INTERACTIONS,
    CARD_SKIPPING,  # attacks no more in this activation
) = range(14)  # fmt: skip
CARD = 14

# the attacks that a scene card shows with one rune: strengths, then flags from DIRECTION (hits left, own, right column)
# and from STATUS (stuns, poisons) on
PRINTED_MELEE, PRINTED_RANGED, PRINTED_DIRECTION, PRINTED_STATUS = 0, 1, 2, 5
ATTACK = 7

# the attack of an enemy that is going on; MET_STATUS is followed by one flag for each status
MET_NOW, MET_RANGED, MET_STRENGTH, MET_BLOCKED, MET_LEFT, MET_STATUS, MET_BLOCK_SETS = 0, 1, 2, 3, 4, 5, 7

# the attack of a hero that is going on
SET_ATTACKER, SET_STRENGTH, SET_BOOST = range(3)
