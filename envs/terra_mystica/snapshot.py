"""A position in the words of the recorded games: what `verify` compares and what people read."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.terra_mystica.actions import BOARD, POWER_ACTIONS, SPECIALS
from theogony.envs.terra_mystica.components import COLOURS, in_set, pieces
from theogony.envs.terra_mystica.state import CULT_SPADES, FREE, LEECH, NONE, NOT_IN_GAME, OFFERS, REWARD


def spaces_of(pair: Any) -> list[str]:
    """Labels of a set of land spaces, sorted."""
    return sorted(label for k, label in enumerate(BOARD.land) if in_set(pair, k))


def name_of(g: Any, seat: int) -> str | None:
    """The faction of a seat; None for no seat or before the choice."""
    return None if seat < 0 or g.faction[seat] < 0 else pieces.FACTIONS[g.faction[seat]]


def snapshot(game: Game, g: Any) -> dict[str, Any]:
    """The open state of a game, as the recorded games state it (their README), without `pending`."""
    players = int(g.players)
    return {
        "players": {pieces.FACTIONS[g.faction[s]]: _seat(game, g, s) for s in range(players) if g.faction[s] >= 0},
        "terrain": {
            label: COLOURS[g.terrain[k]] for k, label in enumerate(BOARD.land) if g.terrain[k] != BOARD.terrain[k]
        },
        "bridges": sorted(
            [BOARD.land[a], BOARD.land[b], name_of(g, int(g.bridge_owner[site]))]
            for site, (a, b) in enumerate(BOARD.sites)
            if g.bridge_owner[site] != NONE
        ),
        "cult_spots": {c: [name_of(g, int(s)) for s in g.spots[k]] for k, c in enumerate(pieces.CULTS)},
        "supply": {name: int(g.favor_supply[k]) for k, name in enumerate(pieces.FAVOR)}
        | {name: int(g.town_supply[k]) for k, name in enumerate(pieces.TOWN)},
        "bonus": {name: int(g.card_coins[k]) for k, name in enumerate(pieces.BONUS) if g.card_place[k] == FREE},
        "cards_in_game": [name for k, name in enumerate(pieces.BONUS) if g.card_place[k] != NOT_IN_GAME],
        "scoring": [pieces.SCORING[k] for k in g.scoring],
        "order": [name_of(g, int(s)) for s in g.order[:players]],
        "power_actions_used": [name for k, name in enumerate(POWER_ACTIONS) if g.power_used[k]],
        "round": int(g.round_number),
        "finished": int(g.over != 0),
        "active": active(g),
    }


def active(g: Any) -> str | None:
    """Whose turn it is, or will be once the power offers and cult spades that are open are settled."""
    if g.over or g.round_number == 0:
        return None
    if g.decision not in (LEECH, REWARD, OFFERS) or g.turns_left > 1:
        return name_of(g, int(g.turn))
    order = [int(s) for s in g.order[: g.players]]
    place = order.index(int(g.turn))
    following = [s for s in order[place + 1 :] + order[: place + 1] if not g.passed[s]]
    return name_of(g, following[0] if following else int(g.turn))


def _seat(game: Game, g: Any, s: int) -> dict[str, Any]:
    """One faction's goods, structures and tiles."""
    f = int(g.faction[s])
    skips = bool(game.tables[0].skips[f])
    out: dict[str, Any] = {"VP": g.vp[s], "C": g.coins[s], "W": g.workers[s], "P": g.priests[s]}
    out |= {f"P{k + 1}": g.bowls[s, k] for k in range(3)}
    out |= {name: g.cult[s, k] for k, name in enumerate(pieces.CULTS)}
    out |= {
        "MAX_P": pieces.PRIESTS - g.priests_away[s],
        "KEY": g.keys[s],
        "dig": g.dig[s],
        "bridges_left": g.bridges_left[s],
    }
    out = {name: int(value) for name, value in out.items()}
    out["ship"] = None if skips else int(g.ship[s])
    if f in (pieces.DWARVES, pieces.FAKIRS):
        out["teleport"] = int(g.built[s, pieces.SH])
    out["town_size"] = 6 if g.favors[s, pieces.FAV5] else 7
    out["passed"] = int(not g.over and (g.passed[s] or (g.round_number == 0 and g.card[s] >= 0)))
    out["start_player"] = int((g.next_order[0] if g.passed_count else g.order[0]) == s)
    out["buildings"] = {
        kind: sorted(label for k, label in enumerate(BOARD.land) if g.building[k] == n and in_set(g.own[s], k))
        for n, kind in enumerate(pieces.STRUCTURES, 1)
        if g.built[s, n]
    }
    out["fav"] = sorted(name for k, name in enumerate(pieces.FAVOR) if g.favors[s, k])
    out["tw"] = {name: int(g.towns[s, k]) for k, name in enumerate(pieces.TOWN) if g.towns[s, k]}
    out["bon"] = None if g.card[s] < 0 else pieces.BONUS[g.card[s]]
    out["town_hexes"] = spaces_of(g.in_town[s])
    out["used"] = sorted(name for k, name in enumerate(SPECIALS) if g.specials_used[s, k])
    if g.over:
        out["network"] = int(g.area[s])
    return out


def spades_open(g: Any) -> dict[str, int]:
    """Cult bonus spades that are still to be used, by faction."""
    if g.decision != CULT_SPADES and not np.any(g.spades_due):
        return {}
    return {pieces.FACTIONS[g.faction[s]]: int(g.spades_due[s]) for s in range(int(g.players)) if g.spades_due[s]}
