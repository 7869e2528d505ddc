"""`SPEC`: God of War: The Card Game as a game of the contract in `envs/core/game.py`."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.assemble import assemble
from theogony.envs.core.game import Game, Parts
from theogony.envs.god_of_war.actions import codec, codec_fields
from theogony.envs.god_of_war.components.checks import check_health, load_components
from theogony.envs.god_of_war.components.tables import build_tables
from theogony.envs.god_of_war.heuristic import potential
from theogony.envs.god_of_war.observe import layout
from theogony.envs.god_of_war.observe.described import with_descriptions
from theogony.envs.god_of_war.state import DECISIONS, ROUND_LIMIT, Options, settings, state_dtype


def components(options: Options) -> dict[str, Any]:
    """The component file that the options name, checked."""
    return load_components(options.component_file)


def build(options: Options, data: dict[str, Any]) -> Parts:
    """Layouts and tables for the options in force. Raises OptionError when heroes would have too little health."""
    given = settings(options)
    check_health(data, given, options.hero_hp)
    tables = with_descriptions(build_tables(data, given, lambda fields: codec_fields(codec(data, fields))))
    actions = codec(data, tables[0])
    upgrades = sum(entry["copies"] for entry in data["upgrade_deck"])
    statuses = sum(supply["copies"] for supply in data["status_cards"].values())
    largest = max(sum(entry["copies"] for entry in hero["deck"]) for hero in data["heroes"])
    state = state_dtype(tables[0], upgrades, largest + upgrades + statuses)
    return Parts(state, tables, layout(options.players, data, tables[0]), actions)


# What conformance plays: full games of every player count, also with chosen heroes, and a single scene with hindrances.
# Four strengthened teams bring the greedy player through two quests and a boss: together every hero, quest, boss and
# scene.
STRONG: dict[str, Any] = {"hero_hp": 99, "enemy_strength": -9, "boss_hp": 10, "upgrades": 9, "max_rounds": 40}
OPTION_SETS: tuple[dict[str, Any], ...] = (
    {},
    {"players": 1, "heroes": ("kratos",), "path": ("wanderers", "ogre", "baldur"), **STRONG},
    {"players": 2, "heroes": ("freya", "brok_sindri"), "path": ("alfheim", "helheim", "magni_modi"), **STRONG},
    {"players": 3, "heroes": ("atreus", "mimir", "kratos"), "path": ("grendels", "thamur", "hraezlyr"), **STRONG},
    {"players": 4, "path": ("ogre", "helheim", "sigrun"), **STRONG},
    {"players": 3, "hero_choice": "choose", "first_quest": "ogre", "difficulty": "ragnarok"},
    {"players": 2, "scene": "thamur", "hindrances": ("ogre", "sigrun"), "max_rounds": 9},
)


def round_limit(game: Game, g: Any) -> bool:
    """Whether the option `max_rounds` cut the game off."""
    return int(g.reason) == ROUND_LIMIT


# Whoever chooses a scene does not know yet what the scene that is passed over will do (ruling R3).
SURPRISES = tuple(DECISIONS.index(name) for name in ("next_quest", "next_boss"))

SPEC = assemble(
    __name__,
    title="God of War: The Card Game",
    players=(1, 2, 3, 4),
    cooperative=True,
    hidden=("deck", "upgrade"),
    surprises=SURPRISES,
    own_limit=round_limit,
    room=1.3,
    progress=potential,
    option_sets=OPTION_SETS,
)
