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
from theogony.envs.god_of_war.observe import seen
from theogony.envs.god_of_war.observe.described import ATTACK as ATTACK_CARD
from theogony.envs.god_of_war.observe.described import BLOCK, EFFECT, INTERACTION, NUMBER, PANEL
from theogony.envs.god_of_war.state import DECISIONS, PHASES, SCENES

BODY, CARD = 13, len(seen.CARD_SCALES)  # numbers of a figure and of a scene card
FOE_SCALES = (*seen.FOE_SCALES, *PANEL.values())


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
        Feature("rounds", (1,), "rounds played", scale=seen.ROUNDS),
    )


def _cards(players: int, cards: int) -> tuple[Feature, ...]:
    """The cards of every player."""
    return (
        Feature("heroes", (players, len(HEROES)), "hero of each seat"),
        Feature("hand", (players, cards), "copies of each card design in each hand", scale=seen.COPIES),
        Feature("deck", (players, cards), "copies in each deck", scale=seen.COPIES),
        Feature("discard", (players, cards), "copies in each discard pile", scale=seen.COPIES),
        Feature("deck_top", (players, cards), "the top card of a deck, if it is known"),
        Feature("in_play", (players, cards), "cards of an open set or special", scale=seen.COPIES),
        Feature("hand_limit", (players,), "hand limit", scale=seen.LIMIT),
        Feature("next_attack", (players,), "strength that waits for the next attack", scale=seen.WAITING),
        Feature("next_damage", (players,), "damage that waits for the next attack", scale=seen.WAITING),
    )


def _upgrades(data: dict[str, Any], t: Any) -> tuple[Feature, ...]:
    """Skills, supplies and upgrade cards."""
    deck = sum(entry["copies"] for entry in data["upgrade_deck"]) + 1
    return (
        Feature("skills_used", (8,), "solo: skills that were used in this scene"),
        Feature("supply", (len(STATUS),), "stun, poison and crystal cards left, as a share", scale=whole(t.supply)),
        Feature("revealed", (len(upgrade_types(data)),), "upgrade cards beside the scene"),
        Feature("upgrade_cards", (1,), "cards in the upgrade deck, as a share", scale=whole(deck)),
        Feature(
            "next_rune", (seen.NEXT, len(RUNES)), "runes of the next upgrade cards, as far as the observer knows them"
        ),
        Feature("runes_left", (len(RUNES),), "share of each rune in the upgrade deck", scale=SHARE),
        Feature("cancel_rune", (1,), "whether the next reveal triggers nothing"),
    )


def _scene(figures: int, t: Any) -> tuple[Feature, ...]:
    """Figures and scene cards."""
    ones = np.ones(figures, np.int64)
    once, health = [ones] * 3, [seen.HEALTH * ones] * 2
    body = (*once, whole(t.hp), *health, whole(t.rage_max), ones, seen.WARDS * ones, *once, ones)
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
            scale=seen.CARD_SCALES,
        ),
        Feature(
            "attacks",
            (SLOTS, len(RUNES), len(seen.PRINTED_SCALES)),
            "attacks of a scene card by rune: melee strength, ranged strength, hits left, own, right column, stuns, "
            "poisons",
            scale=seen.PRINTED_SCALES,
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
            scale=seen.MET_SCALES,
        ),
        Feature("enemy_card", (SLOTS,), "card that attacks"),
        Feature("attacked", (figures,), "figure that is attacked"),
        Feature("victim", (figures,), "figure that takes the damage"),
        Feature("set", (3,), "open set: for an attack, strength, boosts", scale=(1, seen.SET, seen.BOOST)),
        Feature("die", (2,), "die that was rolled, and strength against it", scale=(seen.DIE_FACES, seen.SET)),
        Feature("suffering", (figures,), "figure that would suffer from a boxed effect or poison"),
        Feature("suffered", (1,), "that damage", scale=seen.BLOCKED),
        Feature("attacker", (figures,), "figure that attacks"),
        Feature("aim", (SLOTS,), "card that is attacked"),
        Feature("pending_play", (len(plays(data)),), "card whose target is asked for, or symbol card of the open set"),
        Feature("pending_rage", (figures,), "figure whose rage ability asks for a target"),
        Feature("pending_skill", (len(skill_options(data)),), "skill that asks for a target"),
        Feature("pending_item", (len(ITEMS),), "item that is to be paid: " + ", ".join(ITEMS)),
    )


def _own(players: int, data: dict[str, Any], t: Any) -> tuple[Feature, ...]:
    """What the cards and abilities of the observer do, and its figures; `described.py` names the numbers."""
    where = "for each card of it in the own hand, in play or discarded, or revealed"
    skills = len(skill_options(data)) if players == 1 else 0
    return (
        _described("attack_cards", ATTACK_CARD, f"what `attack` is made with, {where}", len(t.attack_plays)),
        _described("number_cards", NUMBER, f"what `add` adds, {where}", len(t.number_plays)),
        _described("block_cards", BLOCK, f"what `block` is made with, {where}", len(t.block_plays)),
        _described("special_cards", EFFECT, f"what `special` does, {where}", len(t.special_plays)),
        Feature("reserve", (2,), "numbers in the own hand, added up: for attacks, for blocks", scale=seen.RESERVE),
        _described("abilities", EFFECT, "rage abilities of `hero` and `second`; solo: skills not used", 2 + skills),
        Feature(
            "own",
            (2, len(seen.OWN_SCALES)),
            "`hero` and `second`: standing, health left, damage, rage, rage to a full track, rage full, wards, in "
            "front, has moved, carries Mimir, column",
            scale=seen.OWN_SCALES,
        ),
        Feature(
            "stands",
            (COLUMNS, 2, len(seen.STAND_SCALES)),
            "who stands in front and behind: somebody, the observer's own, health left, damage, wards, carries Mimir",
            scale=seen.STAND_SCALES,
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
        Feature(
            "strikes", (COLUMNS, runes), "melee strength against a column, by rune, stun aside", scale=seen.STRIKES
        ),
        Feature("volleys", (runes,), "ranged strength by rune, stun aside", scale=seen.STRIKES),
        Feature("aimed", (len(FOE_SCALES),), "the enemy that is attacked, as before", scale=FOE_SCALES),
        Feature(
            "struck",
            (3,),
            "who takes the damage: health left, wards, the observer's own",
            scale=(seen.HEALTH, seen.WARDS, 1),
        ),
        _described("pending", EFFECT, "the special, ability or skill that asks for a target"),
        Feature("looked", (seen.NEXT, runes), "runes of the upgrade cards that the observer looks at"),
    )


def _described(name: str, group: dict[str, int], meaning: str, *shape: int) -> Feature:
    return Feature(name, (*shape, len(group)), meaning, scale=tuple(group.values()))


def whole(numbers: Any) -> Any:
    """The scales for shares of these numbers, which are counted card by card: 1 to 255."""
    return np.clip(np.asarray(numbers, np.int64), 1, LARGEST).tolist()
