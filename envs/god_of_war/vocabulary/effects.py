"""Effects, conditions and costs of the pieces in our own words."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from theogony.envs.god_of_war.components.pieces import COLUMNS

HERO_EFFECTS: dict[Any, str] = {  # by (op, target or reach), else by op
    ("draw", "self"): "draw {n}",
    ("draw", "bearer"): "Mimir's bearer draws {n}",
    ("heal", "self"): "heal {n}",
    ("heal", "any"): "heal any hero {n}",
    ("boost", "any"): "+{n} to any attack or block that is being made",
    ("boost", "bearer"): "+{n} to an attack or block that Mimir's bearer makes",
    ("damage", "any"): "{n} damage to any enemy without armour",
    ("damage", "column"): "{n} damage to an enemy of the column without armour",
    "rage": "+{n} rage",
    "guard": "block {n} for any hero",
    "ward": "{n} ward on any hero",
    "stun": "stun an enemy of the column",
    "scry": "look at {n} upgrade cards",
    "move": "an extra move",
    ("next_attack", "own_pair"): "+{n} strength for the next attack of Brok or Sindri",
    "next_attack": "next attack: {n} more damage",
    "block_boost": "block {n} for Brok or Sindri",
    "cancel_rune": "the next reveal triggers nothing",
    "die_to_bonus": "the die adds to the attack",
}
SCOPES = {
    "acting": "the acting hero",
    "column": "the heroes in its column",
    "front": "the front hero in its column",
    "all": "all heroes",
    "chosen": "a hero of choice",
}
SCENE_EFFECTS = {
    "flip": "turn over {cards}",
    "attack": "{card} attacks: {type} {strength}{columns}{status}",
    "damage_enemy": "{n} damage to {target}",
    "heal_enemy": "heal {target} {n}",
    "stun_enemy": "stun {target}",
    "break_armour": "break armour of {target}",
    "add_token": "{n} token{s} on {card}",
    "remove_token": "{n} token{s} off {card}",
    "damage_heroes": "{n} damage to {scope}",
    "heal_heroes": "heal {n}: {scope}",
    "status": "{n} {kind} card{s}: {scope}",
    "crystal": "gain {n} crystal{s}",
    "draw": "draw {n}: {scope}",
    "rage": "+{n} rage: {scope}",
    "hand_limit": "hand limit {n:+d}: {scope}",
}
OPERATIONS = {  # what the words of scene cards mean
    "flip": (
        "turn over",
        "the card shows its other side: damage stays unless the enemy was defeated, armour is whole, tokens go",
    ),
    "attack": ("attack at once", "the enemy attacks, besides the attacks that runes trigger"),
    "damage_enemy": ("damage an enemy", "without an attack and a die; armour that is left stops it"),
    "heal_enemy": ("heal an enemy", "damage is taken off its card"),
    "stun_enemy": ("stun an enemy", "it makes no attack in its next activation"),
    "break_armour": ("break armour", "the highest armour that is left is removed"),
    "add_token": ("add tokens", "they count up to something that happens on that card"),
    "remove_token": ("remove tokens", "off the card, as far as there are some"),
    "damage_heroes": ("damage heroes", "it is no attack, so it is not blocked; a ward cancels it"),
    "heal_heroes": ("heal heroes", "up to their full health"),
    "status": ("status card", "a stun or poison card goes on top of the deck of each hero named"),
    "crystal": (
        "gain a crystal",
        "a crystal card goes on top of the deck: it pays for interactions or adds 2 to an attack",
    ),
    "draw": ("draw cards", "each hero named draws so many"),
    "rage": ("rage", "so many spaces up the rage track of each hero named"),
    "hand_limit": ("hand limit", "up to how many cards a player draws at the start of a round, from then on"),
}
CONDITIONS = {
    "defeated": "when defeated",
    "armour_broken": "when its armour is broken",
    "attacked": "after it has made a {} attack",
    "hp<": "at {} health or less",
    "tokens>": "at {}+ tokens",
    "scene_clear": "when all enemies are gone",
}
RELATIVE = ("left", "here", "right")
MANY = 3  # more cards than so many are named by their places
HINDRANCES = {
    "shuffle_status": "{n} {kind} card{s} shuffled into each deck",
    "start_damage": "each hero begins with {n} damage",
    "hand_limit": "hand limit {n:+d}",
    "extra_activation": "{n} scene activation{s} before the first round",
}


def hero_effect(effect: dict[str, Any]) -> str:
    """What an effect of a hero's card or ability does."""
    where = effect.get("target") or effect.get("reach")
    op: str = effect["op"]
    text: str = HERO_EFFECTS.get((op, where)) or HERO_EFFECTS.get(op) or op.replace("_", " ")
    return text.format(n=effect.get("n", ""))


def hero_effects(effects: list[dict[str, Any]]) -> str:
    """Several effects in one line."""
    return ", ".join(hero_effect(effect) for effect in effects)


class SceneWords:
    """Words about the cards of one scene, which name each other by the sides that lie up: the fronts, or those named
    in `turned` by their backs."""

    def __init__(self, scene: dict[str, Any], turned: Collection[str] = ()) -> None:
        self.places = places = {
            card["id"]: slot_name(COLUMNS * card["pos"][0] + card["pos"][1]) for card in scene["cards"]
        }
        self.sides = {card["id"]: card["back" if card["id"] in turned else "front"] for card in scene["cards"]}
        names = {key: (side["enemy"] or {}).get("name") or side["name"] for key, side in self.sides.items()}
        enemies = {key: (side["enemy"] or {}).get("name") for key, side in self.sides.items()}
        shown = list(names.values())
        self.names = {
            key: name if shown.count(name) == 1 and (enemies[key] or self._beside(key)) else f"{name} ({places[key]})"
            for key, name in names.items()
        }

    def _beside(self, card: str) -> bool:
        """Whether a card lies beside the mosaic."""
        return self.places[card].startswith("side")

    def _column(self, card: str) -> int | None:
        """The column of a card that is named, None beside the mosaic."""
        row, _, place = self.places.get(card, "side 1").partition(" ")
        return None if row == "side" else int(place) - 1

    def card(self, name: str) -> str:
        """A card that an effect names."""
        return {"self": "this card", "each_other": "every other enemy"}.get(name) or self.names.get(name, name)

    def effect(self, effect: dict[str, Any]) -> str:
        """What an effect of a scene card does."""
        words = {key: self.card(str(effect[key])) for key in ("card", "target") if key in effect}
        if "cards" in effect:
            cards = effect["cards"] if isinstance(effect["cards"], list) else [effect["cards"]]
            words["cards"] = ", ".join(self.card(card) for card in cards)
        if "scope" in effect:
            words["scope"] = SCOPES[effect["scope"]]
        if effect["op"] == "attack":
            words["columns"] = columns_hit(effect, self._column(effect["card"]))
            words["status"] = status_words(effect)
        plural = "" if effect.get("n") == 1 else "s"
        return SCENE_EFFECTS[effect["op"]].format(**{**effect, **words, "s": plural})

    def effects(self, effects: list[dict[str, Any]]) -> str:
        return ", ".join(self.effect(effect) for effect in effects)

    def predicate(self, predicate: dict[str, Any]) -> str:
        """A condition of an interaction, of success or of failure."""
        if predicate.get("hp_le"):
            card, number = predicate["hp_le"]
            return f"{self.card(card)} at {number} health or less"
        if predicate.get("tokens_ge"):
            card, number = predicate["tokens_ge"]
            return f"{'a token' if number == 1 else f'{number}+ tokens'} on {self.card(card)}"
        if predicate.get("dead"):
            enemy = self.sides[predicate["dead"]]["enemy"]
            return f"{self.card(predicate['dead'])} {'defeated' if enemy else 'without an enemy'}"
        return "all enemies defeated"

    def flip(self, flip: dict[str, Any]) -> str:
        """When a card turns over, and which others with it."""
        kind, _, more = flip["when"].replace("<=", "<:").replace(">=", ">:").partition(":")
        when = "" if kind == "rune" else CONDITIONS[kind].format(more)
        others = [card for card in flip["cards"] if card != "self"]
        named = self._places(others) if len(others) > MANY else ", ".join(map(self.card, others))
        own = "self" in flip["cards"]
        turned = f"turns over{' with' * (own and bool(others))}{' ' * bool(others)}{named}"
        return ": ".join(part for part in (when, turned) if part)

    def _places(self, cards: list[str]) -> str:
        """Many cards by where they lie: `top 2, 3, bottom 2`."""
        rows: dict[str, list[str]] = {}
        for row, _, column in (self.places[card].partition(" ") for card in cards):
            rows.setdefault(row, []).append(column)
        return ", ".join(f"{row} {', '.join(columns)}" for row, columns in rows.items())


def columns_hit(attack: dict[str, Any], column: int | None) -> str:
    """The columns that a melee attack hits: ` on columns 1, 2`; `column` is that of its card, None beside."""
    if attack["type"] != "melee":
        return ""
    hit = [d for d in sorted(attack["dirs"]) if column is None or 0 <= column + d < COLUMNS]
    names = [RELATIVE[d + 1] if column is None else str(column + d + 1) for d in hit]
    return f" on column{'s' if len(names) > 1 else ''} {', '.join(names)}" if names else ""


def status_words(attack: dict[str, Any]) -> str:
    """The status card that comes with the damage of an attack."""
    return f" + {attack['effect']} card" if attack.get("effect") else ""


def hindrance(effects: list[dict[str, Any]]) -> str:
    """What a scene that was passed over does."""
    return ", ".join(HINDRANCES[e["op"]].format(**e, s="" if e["n"] == 1 else "s") for e in effects)


def rune_name(key: str) -> str:
    """What people call a rune: `Fehu`."""
    return key.capitalize()


def slot_name(slot: int) -> str:
    """A place of the scene as the actions call it."""
    row, column = divmod(slot, COLUMNS)
    return f"{('top', 'bottom', 'side')[row]} {column + 1}"
