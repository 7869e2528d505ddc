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
    "rage",
    "draw",
    "heal",
    "boost",
    "guard",
    "stun",
    "damage",
    "scry",
    "move",
    "next_attack",
    "block_boost",
    "ward",
    "cancel_rune",
    "die_to_bonus",
)
(
    H_RAGE,
    H_DRAW,
    H_HEAL,
    H_BOOST,
    H_GUARD,
    H_STUN,
    H_DAMAGE,
    H_SCRY,
    H_MOVE,
    H_NEXT_ATTACK,
    H_BLOCK_BOOST,
    H_WARD,
    H_CANCEL_RUNE,
    H_DIE_TO_BONUS,
) = range(14)
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
    "flip",
    "attack",
    "damage_enemy",
    "heal_enemy",
    "stun_enemy",
    "break_armour",
    "add_token",
    "remove_token",
    "damage_heroes",
    "heal_heroes",
    "status",
    "crystal",
    "draw",
    "rage",
    "hand_limit",
)
(
    E_FLIP,
    E_ATTACK,
    E_DAMAGE_ENEMY,
    E_HEAL_ENEMY,
    E_STUN_ENEMY,
    E_BREAK_ARMOUR,
    E_ADD_TOKEN,
    E_REMOVE_TOKEN,
    E_DAMAGE_HEROES,
    E_HEAL_HEROES,
    E_STATUS,
    E_CRYSTAL,
    E_DRAW,
    E_RAGE,
    E_HAND_LIMIT,
) = range(15)
SCOPES = ("acting", "column", "front", "all", "chosen")
S_ACTING, S_COLUMN, S_FRONT, S_ALL, S_CHOSEN = range(5)
SELF, EACH_OTHER = -2, -3  # a target that is no slot

HINDRANCES = ("shuffle_status", "start_damage", "hand_limit", "extra_activation")
X_SHUFFLE, X_DAMAGE, X_LIMIT, X_ACTIVATION = range(4)
STUN_CARD, POISON_CARD, CRYSTAL_CARD = range(3)  # index of a status card in the supply

# heroes and figures, in the order of HEROES and FIGURES in components/pieces.py
MIMIR_HERO, PAIR_HERO = 2, 4
MIMIR, BROK, SINDRI = 2, 4, 5
