"""The Features record: what a seat is shown, as named fields over one flat tensor.

Hands are open (§5.2), and so is what a deck holds, though not in which order. Figures and scene cards stand in a
fixed order, because actions name them; `figures` says which are the observer's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.features import LARGEST, SHARE, Feature, FeatureLayout
from theogony.envs.god_of_war.codes import ITEMS
from theogony.envs.god_of_war.components.pieces import COLUMNS, FIGURES, HEROES, RUNES, SLOTS, STATUS
from theogony.envs.god_of_war.components.tables import designs, plays, skill_options, upgrade_types
from theogony.envs.god_of_war.observe.described import ATTACK as ATTACK_CARD
from theogony.envs.god_of_war.observe.described import BLOCK, EFFECT, INTERACTION, NUMBER, PANEL
from theogony.envs.god_of_war.state import DECISIONS, HAND_LIMIT, PHASES, SCENES

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


# ---- The Features record: what a seat is shown, as named fields over one flat tensor -----------------------------

NEXT = 4  # upgrade cards from the top that a seat may know or look at

# scales
ROUNDS, COPIES, WAITING, LIMIT = 40, 4, 12, 2 * HAND_LIMIT
HEALTH, WARDS, ENEMY_HEALTH, MARKER, MARKERS, TOKENS, INTERACTIONS = 14, 2, 50, 6, 3, 8, 2
STRENGTH, BLOCKED, BLOCK_SETS, SET, BOOST, DIE = 6, 8, 4, 12, 8, 2
CARD_SCALES = (1, 1, 1, 1, ENEMY_HEALTH, SHARE, MARKER, MARKERS, 1, 1, TOKENS, 1, INTERACTIONS, 1)
ATTACK_SCALES = (STRENGTH, STRENGTH, 1, 1, 1, 1, 1)
RAGE, RESERVE, MOST_STRENGTH, STRIKES = 6, 24, 12, 12
OWN_SCALES = (1, HEALTH, HEALTH, RAGE, RAGE, 1, WARDS, 1, 1, 1, *[1] * COLUMNS)
FOE_SCALES = (1, 1, ENEMY_HEALTH, MARKER, MARKERS, 1, 1, 1, TOKENS, MOST_STRENGTH, *PANEL.values())


def layout(players: int, data: dict[str, Any], t: Any) -> FeatureLayout:
    """The features for a player count, a set of components and the tables made of them."""
    figures = len(FIGURES)
    return FeatureLayout(
        *_general(players),
        *_cards(players, len(designs(data))),
        *_upgrades(data, t),
        *_scene(figures, t),
        *_attacks(data, figures),
        *_own(players, data, t),
        *_before(),
    )


def _general(players: int) -> tuple[Feature, ...]:
    """Whose decision it is, the way through the game."""
    return (
        Feature("decision", (len(DECISIONS),), "kind of the decision that is due: " + ", ".join(DECISIONS)),
        Feature("phase", (len(PHASES),), "phase: " + ", ".join(PHASES)),
        Feature("my_turn", (1,), "whether the observer decides"),
        Feature("deciding", (players,), "seat that decides"),
        Feature("active", (players,), "seat whose turn it is"),
        Feature("starting", (players,), "seat with the starting-player token"),
        Feature("stage", (3,), "first quest, second quest, boss"),
        Feature("scenario", (len(SCENES),), "quest or boss of the scene"),
        Feature("to_choose", (len(SCENES),), "quests and bosses that lie in the triangle"),
        Feature("hindrances", (len(SCENES),), "scenarios whose hindrances apply"),
        Feature("rounds", (1,), "rounds played", scale=ROUNDS),
    )


def _cards(players: int, cards: int) -> tuple[Feature, ...]:
    """The cards of every player."""
    return (
        Feature("heroes", (players, len(HEROES)), "hero of each seat"),
        Feature("hand", (players, cards), "copies of each card design in each hand", scale=COPIES),
        Feature("deck", (players, cards), "copies in each deck", scale=COPIES),
        Feature("discard", (players, cards), "copies in each discard pile", scale=COPIES),
        Feature("deck_top", (players, cards), "the top card of a deck, if it is known"),
        Feature("in_play", (players, cards), "cards of an open set or special", scale=COPIES),
        Feature("hand_limit", (players,), "hand limit", scale=LIMIT),
        Feature("next_attack", (players,), "strength that waits for the next attack", scale=WAITING),
        Feature("next_damage", (players,), "damage that waits for the next attack", scale=WAITING),
    )


def _upgrades(data: dict[str, Any], t: Any) -> tuple[Feature, ...]:
    """Skills, supplies and upgrade cards."""
    deck = sum(entry["copies"] for entry in data["upgrade_deck"]) + 1
    return (
        Feature("skills_used", (8,), "solo: skills that were used in this scene"),
        Feature("supply", (len(STATUS),), "stun, poison and crystal cards left, as a share", scale=whole(t.supply)),
        Feature("revealed", (len(upgrade_types(data)),), "upgrade cards beside the scene"),
        Feature("upgrade_cards", (1,), "cards in the upgrade deck, as a share", scale=whole(deck)),
        Feature("next_rune", (NEXT, len(RUNES)), "runes of the next upgrade cards, as far as the observer knows them"),
        Feature("runes_left", (len(RUNES),), "share of each rune in the upgrade deck", scale=SHARE),
        Feature("cancel_rune", (1,), "whether the next reveal triggers nothing"),
    )


def _scene(figures: int, t: Any) -> tuple[Feature, ...]:
    """Figures and scene cards."""
    ones = np.ones(figures, np.int64)
    body = (*[ones] * 3, whole(t.hp), HEALTH * ones, HEALTH * ones, whole(t.rage_max), ones, WARDS * ones, *[ones] * 4)
    return (
        Feature(
            "figures",
            (figures, BODY),
            "in the game, the observer's own, standing, health left as a share, damage, health left, rage as a share, "
            "rage full, wards, in front, has moved, carries Mimir, is placed next",
            scale=np.stack(body, 1).tolist(),
        ),
        Feature("places", (figures, COLUMNS), "column of each figure"),
        Feature(
            "cards",
            (SLOTS, CARD),
            "scene card: present, back side, living enemy of its own, part of a living enemy, health left, health left "
            "as a share, next armour marker, markers left, invulnerable, stunned, tokens, death token, interactions, "
            "attacks no more in this activation",
            scale=CARD_SCALES,
        ),
        Feature(
            "attacks",
            (SLOTS, len(RUNES), ATTACK),
            "attacks of a scene card by rune: melee strength, ranged strength, hits left, own, right column, stuns, "
            "poisons",
            scale=ATTACK_SCALES,
        ),
        Feature("runes", (SLOTS, len(RUNES)), "runes that a scene card shows"),
        Feature("bodies", (SLOTS, SLOTS), "card that carries the living enemy seen on a card"),
    )


def _attacks(data: dict[str, Any], figures: int) -> tuple[Feature, ...]:
    """Attacks that are going on, and what is asked for."""
    return (
        Feature(
            "enemy_attack",
            (8,),
            "attack on a hero: going on, ranged, strength, blocked, strength left, stun, poison, block sets",
            scale=(1, 1, BLOCKED, BLOCKED, BLOCKED, 1, 1, BLOCK_SETS),
        ),
        Feature("enemy_card", (SLOTS,), "card that attacks"),
        Feature("attacked", (figures,), "figure that is attacked"),
        Feature("victim", (figures,), "figure that takes the damage"),
        Feature("set", (3,), "open set: for an attack, strength, boosts", scale=(1, SET, BOOST)),
        Feature("die", (2,), "die that was rolled, and strength against it", scale=(DIE, SET)),
        Feature("suffering", (figures,), "figure that would suffer from a boxed effect or poison"),
        Feature("suffered", (1,), "that damage", scale=BLOCKED),
        Feature("attacker", (figures,), "figure that attacks"),
        Feature("aim", (SLOTS,), "card that is attacked"),
        Feature("pending_play", (len(plays(data)),), "card whose target is asked for, or symbol card of the open set"),
        Feature("pending_rage", (figures,), "figure whose rage ability asks for a target"),
        Feature("pending_skill", (len(skill_options(data)),), "skill that asks for a target"),
        Feature("pending_item", (len(ITEMS),), "item that is to be paid: " + ", ".join(ITEMS)),
    )


def _own(players: int, data: dict[str, Any], t: Any) -> tuple[Feature, ...]:
    """What the cards and abilities of the observer do, and its figures; `described.py` names the numbers."""
    seen = "for each card of it in the own hand, in play or discarded, or revealed"
    skills = len(skill_options(data)) if players == 1 else 0
    return (
        _described("attack_cards", ATTACK_CARD, f"what `attack` is made with, {seen}", len(t.attack_plays)),
        _described("number_cards", NUMBER, f"what `add` adds, {seen}", len(t.number_plays)),
        _described("block_cards", BLOCK, f"what `block` is made with, {seen}", len(t.block_plays)),
        _described("special_cards", EFFECT, f"what `special` does, {seen}", len(t.special_plays)),
        Feature("reserve", (2,), "numbers in the own hand, added up: for attacks, for blocks", scale=RESERVE),
        _described("abilities", EFFECT, "rage abilities of `hero` and `second`; solo: skills not used", 2 + skills),
        Feature(
            "own",
            (2, OWN),
            "`hero` and `second`: standing, health left, damage, rage, rage to a full track, rage full, wards, in "
            "front, has moved, carries Mimir, column",
            scale=OWN_SCALES,
        ),
        Feature(
            "stands",
            (COLUMNS, 2, STAND),
            "who stands in front and behind: somebody, the observer's own, health left, damage, wards, carries Mimir",
            scale=(1, 1, HEALTH, HEALTH, WARDS, 1),
        ),
    )


def _before() -> tuple[Feature, ...]:
    """What stands before the own figures, and what is asked about."""
    foe = (
        "there, part of it, health left, next armour marker, markers left, invulnerable, stunned, attacks no more, "
        "tokens, strength of its attacks on this card, then the panel of its card"
    )
    runes = len(RUNES)
    return (
        _described("panels", PANEL, "what the visible side of each scene card is", SLOTS),
        Feature(
            "before", (2, 2, len(FOE_SCALES)), f"enemy in the column of each role, by row: {foe}", scale=FOE_SCALES
        ),
        _described("interactions", INTERACTION, "interactions of these cards", 2, 2, 2),
        Feature("strikes", (COLUMNS, runes), "melee strength against a column, by rune, stun aside", scale=STRIKES),
        Feature("volleys", (runes,), "ranged strength by rune, stun aside", scale=STRIKES),
        Feature("aimed", (len(FOE_SCALES),), "the enemy that is attacked, as before", scale=FOE_SCALES),
        Feature(
            "struck", (3,), "who takes the damage: health left, wards, the observer's own", scale=(HEALTH, WARDS, 1)
        ),
        _described("pending", EFFECT, "the special, ability or skill that asks for a target"),
        Feature("looked", (NEXT, runes), "runes of the upgrade cards that the observer looks at"),
    )


def _described(name: str, group: dict[str, int], meaning: str, *shape: int) -> Feature:
    return Feature(name, (*shape, len(group)), meaning, scale=tuple(group.values()))


def whole(numbers: Any) -> Any:
    """The scales for shares of these numbers, which are counted card by card: 1 to 255."""
    return np.clip(np.asarray(numbers, np.int64), 1, LARGEST).tolist()
