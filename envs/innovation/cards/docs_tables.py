"""The card index of docs/games/innovation.md (see docs/generate.py)."""

from __future__ import annotations

from theogony.envs.core.game import GameSpec
from theogony.envs.innovation.cards.description import EFFECT, FACE
from theogony.envs.innovation.cards.effects import DEFINITIONS
from theogony.envs.innovation.cards.wording import sentence


def cards(spec: GameSpec) -> str:
    """Every card with its effects in words, made from the definitions."""
    rows = ["| card | age | colour | dogma | icons | effects |", "|---|---|---|---|---|---|"]
    for card, definition in zip(spec.configure().components["cards"], DEFINITIONS, strict=True):
        effects = "<br>".join(sentence(effect) for effect in definition.effects)
        icons = " ".join(icon or "-" for icon in card["icons"])
        rows.append(f"| {card['name']} | {card['age']} | {card['colour']} | {card['dogma']} | {icons} | {effects} |")
    return "\n".join(rows)


TABLES = {"cards": cards}
NUMBERS = {"face": FACE, "effect": EFFECT}
