"""What must always hold of a position, for the conformance test: no card, figure or token is lost."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.ranges import Ranges, declared
from theogony.envs.god_of_war.codes import MIMIR, NONE
from theogony.envs.god_of_war.state import DECISIONS, state_fields


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


def ranges(game: Game) -> Ranges:
    """Lowest and highest value of each field: what bytes from a file must keep to before the rules see them."""
    upgrades, deck = game.state["upgrade"].shape[0] - 1, game.state["deck"].shape[1]
    return {"decision": (0, len(DECISIONS) - 1)} | declared(state_fields(game.tables[0], upgrades, deck))
