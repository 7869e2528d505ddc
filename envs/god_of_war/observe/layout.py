"""The Features record: what a seat is shown, as named fields over one flat tensor.

Hands are open (§5.2), and so is what a deck holds, though not in which order. Figures and scene cards stand in a
fixed order, because actions name them; `figures` says which are the observer's own.
"""

from __future__ import annotations

from typing import Any

from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.god_of_war.codes import ITEMS
from theogony.envs.god_of_war.components.pieces import COLUMNS, FIGURES, HEROES, RUNES, SLOTS, STATUS
from theogony.envs.god_of_war.components.tables import designs, plays, skill_options, upgrade_types
from theogony.envs.god_of_war.state import DECISIONS, PHASES, SCENES

NEXT = 4  # upgrade cards from the top that a seat may know
ATTACK = 7  # numbers about the attacks of a scene card with one rune
CARD = 14  # other numbers about a scene card
BODY = 13  # numbers about a figure


def layout(players: int, data: dict[str, Any]) -> FeatureLayout:
    """The features for a player count and a set of components."""
    figures = len(FIGURES)
    return FeatureLayout(
        *_general(players),
        *_cards(players, len(designs(data))),
        *_upgrades(data),
        *_scene(figures),
        *_attacks(data, figures),
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
        Feature("rounds", (1,), "rounds played, over 40"),
    )


def _cards(players: int, cards: int) -> tuple[Feature, ...]:
    """The cards of every player."""
    return (
        Feature("heroes", (players, len(HEROES)), "hero of each seat"),
        Feature("hand", (players, cards), "copies of each card design in each hand, over 4"),
        Feature("deck", (players, cards), "copies in each deck, over 4"),
        Feature("discard", (players, cards), "copies in each discard pile, over 4"),
        Feature("deck_top", (players, cards), "the top card of a deck, if it is known"),
        Feature("in_play", (players, cards), "cards of an open set or special, over 4"),
        Feature("hand_limit", (players,), "hand limit, over 14"),
        Feature("next_attack", (players,), "strength that waits for the next attack, over 12"),
        Feature("next_damage", (players,), "damage that waits for the next attack, over 12"),
    )


def _upgrades(data: dict[str, Any]) -> tuple[Feature, ...]:
    """Skills, supplies and upgrade cards."""
    return (
        Feature("skills_used", (8,), "solo: skills that were used in this scene"),
        Feature("supply", (len(STATUS),), "stun, poison and crystal cards left, as a share"),
        Feature("revealed", (len(upgrade_types(data)),), "upgrade cards beside the scene"),
        Feature("upgrade_cards", (1,), "cards in the upgrade deck, as a share"),
        Feature("next_rune", (NEXT, len(RUNES)), "runes of the next upgrade cards, as far as the observer knows them"),
        Feature("runes_left", (len(RUNES),), "share of each rune in the upgrade deck"),
        Feature("cancel_rune", (1,), "whether the next reveal triggers nothing"),
    )


def _scene(figures: int) -> tuple[Feature, ...]:
    """Figures and scene cards."""
    return (
        Feature(
            "figures",
            (figures, BODY),
            "in the game, the observer's own, standing, health left as a share, damage over 14, health left over 14, "
            "rage as a share, rage full, wards over 2, in front, has moved, carries Mimir, is placed next",
        ),
        Feature("places", (figures, COLUMNS), "column of each figure"),
        Feature(
            "cards",
            (SLOTS, CARD),
            "scene card: present, back side, living enemy of its own, part of a living enemy, health left over 50, "
            "health left as a share, next armour marker over 6, markers left over 3, invulnerable, stunned, tokens "
            "over 8, death token, interactions over 2, attacks no more in this activation",
        ),
        Feature(
            "attacks",
            (SLOTS, len(RUNES), ATTACK),
            "attacks of a scene card by rune: melee strength over 6, ranged strength over 6, hits left, own, right "
            "column, stuns, poisons",
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
            "attack on a hero: going on, ranged, strength over 8, blocked over 8, left over 8, stun, poison, "
            "block sets over 4",
        ),
        Feature("enemy_card", (SLOTS,), "card that attacks"),
        Feature("attacked", (figures,), "figure that is attacked"),
        Feature("victim", (figures,), "figure that takes the damage"),
        Feature("set", (3,), "open set: for an attack, strength over 12, boosts over 8"),
        Feature("die", (2,), "die that was rolled, over 2, and strength against it, over 12"),
        Feature("suffering", (figures,), "figure that would suffer from a boxed effect or poison"),
        Feature("suffered", (1,), "that damage, over 8"),
        Feature("attacker", (figures,), "figure that attacks"),
        Feature("aim", (SLOTS,), "card that is attacked"),
        Feature("pending_play", (len(plays(data)),), "card whose target is asked for, or symbol card of the open set"),
        Feature("pending_rage", (figures,), "figure whose rage ability asks for a target"),
        Feature("pending_skill", (len(skill_options(data)),), "skill that asks for a target"),
        Feature("pending_item", (len(ITEMS),), "item that is to be paid: " + ", ".join(ITEMS)),
    )
