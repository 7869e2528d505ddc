"""The words of the component vocabulary as numbers: codes for the tables and the rules that read them."""

from __future__ import annotations

NONE = -1

# what an option of a card is (kinds of play)
NUMBER, MELEE, RANGED, BLOCK, SPECIAL = range(5)
ITEMS = ("number", "melee", "ranged", "block", "crystal")  # cost items; the first four are kinds of play
CRYSTAL_ITEM = 4

# what a special needs to be told
NO_TARGET, FIGURE_TARGET, COLUMN_TARGET, ANY_TARGET = range(4)

# effects of heroes
HERO_OPS = (
    "rage", "draw", "heal", "boost", "guard", "stun", "damage", "scry", "move", "next_attack", "block_boost", "ward",
    "cancel_rune", "die_to_bonus",
)  # fmt: skip
(
    H_RAGE, H_DRAW, H_HEAL, H_BOOST, H_GUARD, H_STUN, H_DAMAGE, H_SCRY, H_MOVE, H_NEXT_ATTACK, H_BLOCK_BOOST, H_WARD,
    H_CANCEL_RUNE, H_DIE_TO_BONUS,
) = range(len(HERO_OPS))  # fmt: skip
TO_SELF, TO_ANY, TO_BEARER, TO_PAIR = range(4)

# when effects may be used: some only in the window of an attack, or of a block
ANY_TIME, IN_ATTACK, IN_BLOCK = MOMENTS = range(3)
ONLY_IN = {"boost": (IN_ATTACK, IN_BLOCK), "guard": (IN_BLOCK,), "block_boost": (IN_BLOCK,)}

# what a companion's skill is
SKILL_ATTACK, SKILL_NUMBER, SKILL_BLOCK, SKILL_SPECIAL, SKILL_DIE = range(5)

# what stands on a side of a scene card
EMPTY, OWN, PART = range(3)
FRONT, BACK = 0, 1

# conditions of flips and boxes
CONDITIONS = ("defeated", "armour_broken", "attacked", "rune", "hp<=", "tokens>=", "scene_clear")
C_DEFEATED, C_ARMOUR_BROKEN, C_ATTACKED, C_RUNE, C_HP_LE, C_TOKENS_GE, C_SCENE_CLEAR = range(7)
PREDICATES = ("hp_le", "tokens_ge", "dead", "clear")
P_HP_LE, P_TOKENS_GE, P_DEAD, P_CLEAR = range(4)

# effects of scene cards
SCENE_OPS = (
    "flip", "attack", "damage_enemy", "heal_enemy", "stun_enemy", "break_armour", "add_token", "remove_token",
    "damage_heroes", "heal_heroes", "status", "crystal", "draw", "rage", "hand_limit",
)  # fmt: skip
(
    E_FLIP, E_ATTACK, E_DAMAGE_ENEMY, E_HEAL_ENEMY, E_STUN_ENEMY, E_BREAK_ARMOUR, E_ADD_TOKEN, E_REMOVE_TOKEN,
    E_DAMAGE_HEROES, E_HEAL_HEROES, E_STATUS, E_CRYSTAL, E_DRAW, E_RAGE, E_HAND_LIMIT,
) = range(len(SCENE_OPS))  # fmt: skip
SCOPES = ("acting", "column", "front", "all", "chosen")
S_ACTING, S_COLUMN, S_FRONT, S_ALL, S_CHOSEN = range(5)
SELF, EACH_OTHER = -2, -3  # a target that is no slot

HINDRANCES = ("shuffle_status", "start_damage", "hand_limit", "extra_activation")
STUN_CARD, POISON_CARD, CRYSTAL_CARD = range(3)  # index of a status card in the supply

# heroes and figures, in the order of HEROES and FIGURES in components/pieces.py
MIMIR_HERO, MIMIR, BROK = 2, 2, 4


# ---- Frames of the agenda: what is still to be done. A frame is a row of numbers: its kind, then its arguments ----
#
# `rules/agenda.py` explains how frames are worked off. Here is what each kind holds, and the names of those places
# that several files use: place 0 is the kind. The others stand where their rules do.

DEPTH, WIDTH = 48, 7  # frames of the agenda, and numbers of a frame

(
    F_HEROES,  # players choose heroes (how many have)
    F_SCENE,  # lay out the scene of `scenario`
    F_PLACE,  # heroes enter (figure number in the order of placing)
    F_HINDRANCE,  # extra activations before the first round (how many are left)
    F_ROUND,  # a round (stage, seats done)
    F_DRAW,  # a player draws (seat, cards left)
    F_POISON,  # a player suffers from a poison card (seat)
    F_HERO_TURN,  # a hero activation (seat, whether it ended, whether Mimir's player did nothing when asked)
    F_MIMIR,  # Mimir's player acts in it (whether anything was done)
    F_ATTACK,  # a hero's attack (stage, seats asked)
    F_STRIKE,  # an attack meets an enemy (card, strength, stun, figure, damage after the die, die)
    F_SPECIAL,  # a special card (figure, play, target, whether its effects were carried out)
    F_RAGE,  # a rage ability (figure, target)
    F_SKILL,  # a companion's skill (option, first target, second target)
    F_STEP,  # an extra move (figure)
    F_HERO_EFFECTS,  # hero effects (next, end, figure, target)
    F_INTERACT,  # pay and resolve an interaction (figure, card, interaction, items paid)
    F_SCRY,  # look at upgrade cards (seat, cards left, cards put on top)
    F_ACTIVATION,  # a scene activation (stage, seats asked, rune, cards left as bits, phase)
    F_CARD,  # one scene card in it (card, rune, stamp, stage, next)
    F_ENEMY_ATTACK,  # an enemy attacks (attack, card, whether it began, columns left as bits, stamp)
    F_HIT,  # one hero is attacked (stage, seats asked)
    F_SUFFER,  # damage without blocks (figure, damage, card or NONE for poison, whether it is decided who suffers)
    F_EFFECTS,  # effects of a scene card (next, end, card, acting figure, whether checks follow)
    F_AFFECT,  # one effect on several figures (effect, figures left as bits, card)
    F_EACH,  # damage to several enemies (cards left as bits, damage, acting figure, stamp)
    F_CHOSEN,  # an effect on one picked hero (effect, card, acting figure)
    F_DEFEATED,  # an enemy is defeated (card, acting figure)
    F_BOXES,  # boxed effects of a condition (card, condition, parameter, acting figure, next, stamp)
    F_FLIPS,  # flips of a condition (card, condition, parameter, acting figure, next, stamp)
    F_TURN,  # after cards were turned (first, end, acting figure, stage, next)
    F_CHECK,  # conditions that are checked after every change (card, whether something changed, acting figure)
    F_UPGRADE,  # the upgrade phase (players done)
    F_NEXT,  # the next quest or boss is chosen
) = range(34)  # fmt: skip

# The names of places and stages, in the order of the kinds above.
STAGE, ASKED = 1, 2  # of rounds, attacks, hits and activations; seats that passed in the window
COUNT = 1  # of heroes chosen or placed, extra activations, upgrade cards taken


# `rules/attack.py` says what a row of `told` holds. Two attacks at most are made in a decision, by a companion.
ROLLS, TOLD_WIDTH = 2, 8
