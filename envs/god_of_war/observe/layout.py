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

# What the numbers of a row tell, each with the count that is 1.0, in the order in which `seen.py` names their places.
BODY = {  # of a figure; shares are those of its health and its rage track
    "in the game": 1, "the observer's own": 1, "standing": 1, "health left as a share": 1, "damage": seen.HEALTH,
    "health left": seen.HEALTH, "rage as a share": 1, "rage full": 1, "wards": seen.WARDS, "in front": 1,
    "has moved": 1, "carries Mimir": 1, "is placed next": 1,
}  # fmt: skip
CARD = {
    "present": 1, "back side": 1, "living enemy of its own": 1, "part of a living enemy": 1,
    "health left": seen.ENEMY_HEALTH, "health left as a share": SHARE, "next armour marker": seen.MARKER,
    "markers left": seen.MARKERS, "invulnerable": 1, "stunned": 1, "tokens": seen.TOKENS, "death token": 1,
    "interactions": seen.INTERACTIONS, "attacks no more in this activation": 1,
}  # fmt: skip
PRINTED = {
    "melee strength": seen.STRENGTH, "ranged strength": seen.STRENGTH, "hits left": 1, "own": 1, "right column": 1,
    "stuns": 1, "poisons": 1,
}  # fmt: skip
MET = {
    "going on": 1, "ranged": 1, "strength": seen.BLOCKED, "blocked": seen.BLOCKED, "strength left": seen.BLOCKED,
    "stun": 1, "poison": 1, "block sets": seen.BLOCK_SETS,
}  # fmt: skip
OWN = {
    "standing": 1, "health left": seen.HEALTH, "damage": seen.HEALTH, "rage": seen.RAGE,
    "rage to a full track": seen.RAGE, "rage full": 1, "wards": seen.WARDS, "in front": 1, "has moved": 1,
    "carries Mimir": 1,
}  # fmt: skip
STAND = {
    "somebody": 1, "the observer's own": 1, "health left": seen.HEALTH, "damage": seen.HEALTH, "wards": seen.WARDS,
    "carries Mimir": 1,
}  # fmt: skip
FOE = {
    "there": 1, "part of it": 1, "health left": seen.ENEMY_HEALTH, "next armour marker": seen.MARKER,
    "markers left": seen.MARKERS, "invulnerable": 1, "stunned": 1, "attacks no more": 1, "tokens": seen.TOKENS,
    "strength of its attacks on this card": seen.MOST_STRENGTH,
}  # fmt: skip
STRUCK = {"health left": seen.HEALTH, "wards": seen.WARDS, "the observer's own": 1}
FOE_SCALES = (*FOE.values(), *PANEL.values())


def layout(players: int, data: dict[str, Any], t: Any) -> FeatureLayout:
    """The features for a player count, a set of components and the tables made of them."""
    return FeatureLayout(
        *_general(players, len(designs(data))),
        *_upgrades(data, t),
        *_scene(data, len(FIGURES), t),
        *_own(players, data, t),
        *_before(),
    )


def _general(players: int, cards: int) -> tuple[Feature, ...]:
    """Whose decision it is, the way through the game, the cards of every player."""
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


def _scene(data: dict[str, Any], figures: int, t: Any) -> tuple[Feature, ...]:
    """Figures and scene cards, attacks that are going on, and what is asked for."""
    body = np.tile(list(BODY.values()), (figures, 1))
    body[:, seen.BODY_HEALTH_SHARE], body[:, seen.BODY_RAGE_SHARE] = whole(t.hp), whole(t.rage_max)
    return (
        Feature("figures", (figures, len(BODY)), ", ".join(BODY), scale=body.tolist()),
        Feature("places", (figures, COLUMNS), "column of each figure"),
        _listed("cards", CARD, "scene card", SLOTS),
        _listed("attacks", PRINTED, "attacks of a scene card by rune", SLOTS, len(RUNES)),
        Feature("runes", (SLOTS, len(RUNES)), "runes that a scene card shows"),
        Feature("bodies", (SLOTS, SLOTS), "card that carries the living enemy seen on a card"),
        _listed("enemy_attack", MET, "attack on a hero"),
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
            (2, len(OWN) + COLUMNS),
            f"`hero` and `second`: {', '.join(OWN)}, column",
            scale=(*OWN.values(), *[1] * COLUMNS),
        ),
        _listed("stands", STAND, "who stands in front and behind", COLUMNS, 2),
    )


def _before() -> tuple[Feature, ...]:
    """What stands before the own figures, and what is asked about."""
    foe = f"{', '.join(FOE)}, then the panel of its card"
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
        _listed("struck", STRUCK, "who takes the damage"),
        _described("pending", EFFECT, "the special, ability or skill that asks for a target"),
        Feature("looked", (seen.NEXT, runes), "runes of the upgrade cards that the observer looks at"),
    )


def _described(name: str, group: dict[str, int], meaning: str, *shape: int) -> Feature:
    return Feature(name, (*shape, len(group)), meaning, scale=tuple(group.values()))


def _listed(name: str, group: dict[str, int], about: str, *shape: int) -> Feature:
    return _described(name, group, f"{about}: {', '.join(group)}", *shape)


def whole(numbers: Any) -> Any:
    """The scales for shares of these numbers, which are counted card by card: 1 to 255."""
    return np.clip(np.asarray(numbers, np.int64), 1, LARGEST).tolist()
