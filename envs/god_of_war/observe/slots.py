"""Names of the numbers in a row of the fields `figures`, `cards`, `attacks`, `enemy_attack` and so on (`layout.py`)."""

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

# one of the own figures, by its role; OWN_COLUMN is the first of four
(
    OWN_STANDING, OWN_HEALTH, OWN_DAMAGE, OWN_RAGE, OWN_RAGE_LEFT, OWN_FULL, OWN_WARDS, OWN_IN_FRONT, OWN_MOVED,
    OWN_BEARER, OWN_COLUMN,
) = range(11)  # fmt: skip
OWN = 14

# who stands in a place
STAND_THERE, STAND_MINE, STAND_HEALTH, STAND_DAMAGE, STAND_WARDS, STAND_BEARER = range(6)
STAND = 6

# an enemy that may be or is attacked; FOE_PANEL is the first number of what its card is (`described.py`)
(
    FOE_THERE, FOE_PART, FOE_HEALTH, FOE_ARMOUR, FOE_MARKERS, FOE_INVULNERABLE, FOE_STUNNED, FOE_SKIPPING, FOE_TOKENS,
    FOE_STRENGTH, FOE_PANEL,
) = range(11)  # fmt: skip

# who takes the damage
STRUCK_HEALTH, STRUCK_WARDS, STRUCK_MINE = range(3)
