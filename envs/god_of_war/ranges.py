"""The range of every field of the state: what bytes from a file must keep to before the rules see them."""

from __future__ import annotations

from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.ranges import Ranges, any_value
from theogony.envs.god_of_war.components.pieces import COLUMNS, FIGURES, HEROES, SLOTS, STATUS
from theogony.envs.god_of_war.state import DECISIONS, DEPTH, PHASES, REASONS, REVEALED, SCENES, SEATS

NONE = -1
FLAG, SMALL, COUNT = (0, 1), (0, 2**7 - 1), (0, 2**15 - 1)
SEAT, FIGURE, SCENE = (NONE, SEATS - 1), (NONE, len(FIGURES) - 1), (NONE, len(SCENES) - 1)


def ranges(game: Game) -> Ranges:
    """Lowest and highest value of each field; -1 is nothing."""
    return _game() | _heroes(game) | _scene(game)


def _game() -> Ranges:
    return {
        "decision": (0, len(DECISIONS) - 1),
        "phase": (0, len(PHASES) - 1),
        "stage": (0, 3),
        "reason": (0, len(REASONS) - 1),
        "round_number": COUNT,
        "starting_player": SEAT,
        "active": SEAT,
        "scenario": SCENE,
        "quests": SCENE,
        "bosses": SCENE,
        "hindrances": SCENE,
        "passed_over": SCENE,
    }


def _heroes(game: Game) -> Ranges:
    state = game.state
    design, upgrade = (NONE, state["hand"].shape[1] - 1), (NONE, len(game.tables[0].upgrade_design) - 1)
    return {
        "heroes": (NONE, len(HEROES) - 1),
        "seat_of": SEAT,
        "damage": COUNT,
        "rage": SMALL,
        "standing": FLAG,
        "wards": SMALL,
        "column": (NONE, COLUMNS - 1),
        "columns": FIGURE,
        "moved": FLAG,
        "bearer": FIGURE,
        "hand": SMALL,
        "discard": SMALL,
        "in_play": SMALL,
        "deck": design,
        "deck_cards": (0, state["deck"].shape[1]),
        "deck_known": (0, state["deck"].shape[1]),
        "hand_limit": any_value(state["hand_limit"]),
        "limit_won": any_value(state["limit_won"]),
        "limit_scene": any_value(state["limit_scene"]),
        "next_attack": COUNT,
        "next_damage": COUNT,
        "supply": SMALL,
        "box": SMALL,
        "upgrade": upgrade,
        "upgrade_cards": (0, state["upgrade"].shape[0] - 1),  # one place is spare
        "upgrade_known": (0, (1 << SEATS) - 1),
        "revealed": upgrade,
        "revealed_cards": (0, REVEALED),
        "cancel_rune": FLAG,
        "skills_used": SMALL,
    }


def _scene(game: Game) -> Ranges:
    slot, play = (NONE, SLOTS - 1), (NONE, len(game.tables[0].play_design) - 1)
    return {
        "side": FLAG,
        "hurt": COUNT,
        "armour": (0, (1 << 4) - 1),
        "stunned": FLAG,
        "skipping": FLAG,
        "dead": FLAG,
        "tokens": SMALL,
        "turnings": COUNT,
        "turned_at": COUNT,
        "set_play": play,
        "set_strength": any_value(game.state["set_strength"]),
        "attacker": FIGURE,
        "aim": slot,
        "boost": any_value(game.state["boost"]),
        "enemy_slot": slot,
        "enemy_owner": slot,
        "drew": FLAG,
        "enemy_ranged": FLAG,
        "enemy_strength": any_value(game.state["enemy_strength"]),
        "enemy_status": (NONE, len(STATUS) - 1),
        "attacked": FIGURE,
        "victim": FIGURE,
        "blocked": any_value(game.state["blocked"]),
        "block_sets": SMALL,
        "agenda": any_value(game.state["agenda"]),  # what a number of a frame means depends on its kind
        "depth": (0, DEPTH),
    }
