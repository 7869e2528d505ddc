"""Names and numbers of the printed pieces."""

from __future__ import annotations

from pathlib import Path

DEFAULT_COMPONENTS = Path(__file__).parents[1] / "data" / "components.json"
RUNES = ("gebo", "fehu", "tiwaz", "algiz")
HEROES = ("kratos", "atreus", "mimir", "freya", "brok_sindri")
FIGURES = ("kratos", "atreus", "mimir", "freya", "brok", "sindri")
STATUS = ("stun", "poison", "crystal")  # the three supplies
COLUMNS, SIDE_CARDS = 4, 2
SLOTS = 2 * COLUMNS + SIDE_CARDS  # places of a scene: top row, bottom row, side cards
COUNTS = {
    "cards of each starting deck": 14,
    "upgrade cards": 88,
    "upgrade cards of each rune": 22,
    "scene cards": 92,
    "scenes": 10,
    "quests": 6,
    "bosses": 4,
    "faces of the enemy die": 6,
    "cards of each supply": 10,
}
