"""What must always hold of a position, for the conformance test: no card, figure or token is lost."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.ranges import Ranges, any_value
from theogony.envs.god_of_war.codes import MIMIR, NONE
from theogony.envs.god_of_war.components.pieces import COLUMNS, FIGURES, HEROES, SLOTS, STATUS
from theogony.envs.god_of_war.state import DECISIONS, DEPTH, PHASES, REASONS, REVEALED, SCENES, SEATS


def invariant(game: Game, g: Any) -> str | None:
    """A sentence about what is wrong, or None."""
    t, players = game.tables[0], game.players
    copies = np.zeros(g.hand.shape[1], np.int64)
    for pile in (g.hand, g.discard, g.in_play):
        if pile.min() < 0:
            return "a pile has a negative number of cards"
        copies += pile[:players].sum(0)
    copies += g.box
    for seat in range(players):
        copies += np.bincount(g.deck[seat, : int(g.deck_cards[seat])], minlength=len(copies))
    copies[int(t.status) :] += g.supply
    upgrades = [*g.upgrade[: int(g.upgrade_cards)], *g.revealed[: int(g.revealed_cards)]]
    copies += np.bincount(t.upgrade_design[upgrades], minlength=len(copies))
    chosen = [hero for hero in g.heroes[:players] if hero != NONE]  # players may not have chosen yet
    expected = t.starting_deck[chosen].sum(0).astype(np.int64)
    np.add.at(expected, t.upgrade_design, t.upgrade_copies)
    expected[int(t.status) :] = t.supply
    if (copies != expected).any():
        k = int(np.flatnonzero(copies != expected)[0])
        return f"there are {copies[k]} cards of design {k} in the game, not {expected[k]}"
    return _figures(t, g) or _scene(g)


def _figures(t: Any, g: Any) -> str | None:
    placed = [int(figure) for figure in g.columns.reshape(-1) if figure != NONE]
    if len(set(placed)) != len(placed):
        return "a figure stands in two slots"
    for column in range(len(g.columns)):
        if g.columns[column, 0] == NONE != g.columns[column, 1]:
            return f"column {column} has a figure behind nobody"
        for figure in g.columns[column]:
            if figure != NONE and (g.column[figure] != column or not g.standing[figure]):
                return f"figure {figure} does not stand where column {column} has it"
    for figure in range(len(g.standing)):
        if g.standing[figure] and g.damage[figure] >= t.hp[figure]:
            return f"figure {figure} stands with {int(g.damage[figure])} damage"
        if not 0 <= g.rage[figure] <= t.rage_max[figure]:
            return f"figure {figure} has {int(g.rage[figure])} rage"
    if g.bearer != NONE and not (g.standing[g.bearer] and g.standing[MIMIR]):
        return "Mimir hangs on a fallen hero"
    return "more wards are out than there are" if g.wards.sum() > 2 or g.wards.min() < 0 else None


def _scene(g: Any) -> str | None:
    for slot in range(len(g.side)):
        if g.hurt[slot] < 0 or g.tokens[slot] < 0:
            return f"card {slot} has a negative number of tokens"
    if g.depth < 0 or (not g.over and g.depth == 0):
        return "nothing is left to be done, though the game goes on"
    return None


# ---- The range of every field of the state: what bytes from a file must keep to before the rules see them --------

FLAG, SMALL, COUNT = (0, 1), (0, 2**7 - 1), (0, 2**15 - 1)
SEAT, FIGURE, SCENE = (NONE, SEATS - 1), (NONE, len(FIGURES) - 1), (NONE, len(SCENES) - 1)


def ranges(game: Game) -> Ranges:
    """Lowest and highest value of each field; -1 is nothing."""
    return _game() | _heroes(game) | _scene_ranges(game)


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


def _scene_ranges(game: Game) -> Ranges:
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
        "told": any_value(game.state["told"]),
    }
