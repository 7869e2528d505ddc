"""The reason for each point of the final score, as plain data."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.contract import Account
from theogony.envs.core.game import Game
from theogony.envs.orbis import components
from theogony.envs.orbis.actions import CELL_NAMES
from theogony.envs.orbis.rules import scoring
from theogony.envs.orbis.rules.effects import total
from theogony.envs.orbis.rules.pyramid import PYRAMID, count_bits, forest_matches
from theogony.envs.orbis.state import NONE

DECIDED = {  # where points do not
    "worshippers": "Equal points: worshippers that are left decide.",
    "shared": "Equal points and worshippers left: the win is shared.",
}


def breakdown(game: Game, g: Any) -> list[dict[str, Any]]:
    """For each seat every tile, god and temple token with its creation points, as if the game ended now.

    `total` is `tile_cp` + `wilderness_cp` + `god.cp` + `temple_token`.
    """
    return [_seat(game, g, game.tables[0], seat) for seat in range(game.players)]


def account(game: Game, g: Any) -> Account:
    """Points of tiles by their kind, of wilderness, god and temples; a tie goes to most worshippers left (§7.4)."""
    found = whole_scoring(game, g)
    seats = found["seats"]
    kinds = dict.fromkeys(tile["type"] for seat in seats for tile in seat["tiles"] if tile["face"] == "up")
    rows: list[tuple[str, list[Any]]] = [
        (f"tiles: {kind.replace('_', ' ')}", [_points_of(seat, kind) for seat in seats]) for kind in kinds
    ]
    rows += [
        ("wilderness", [seat["wilderness_cp"] for seat in seats]),
        ("god", [seat["god"]["cp"] for seat in seats]),
        ("temples", [seat["temple_token"] for seat in seats]),
    ]
    told = Account.of_points([seat["total"] for seat in seats], rows)
    if (by := found["final"]["decided_by"]) not in DECIDED:
        return told
    left = ("worshippers left, for the tie", [str(seat["worshippers_left"]) for seat in seats])
    return told._replace(decided=DECIDED[by], rows=[*told.rows, left])


def _points_of(seat: dict[str, Any], kind: str) -> int:
    return sum(tile["cp"] for tile in seat["tiles"] if tile["face"] == "up" and tile["type"] == kind)


def whole_scoring(game: Game, g: Any) -> dict[str, Any]:
    """The breakdown of all `seats` with the ranking of the temples, the ties and the winners."""
    t = game.tables[0]
    seats = breakdown(game, g)
    order = sorted(range(game.players), key=lambda seat: seats[seat]["temple_rank"] or 99)
    order = [seat for seat in order if seats[seat]["temple_rank"]]
    tokens = [int(token) for token in t.tokens if token]
    return {
        "seats": seats,
        "temple_order": order,
        "temple_tokens": tokens,
        "unused_temple_tokens": tokens[len(order) :],
        "temple_ties": _temple_ties(seats, order),
        "god_ties": [tie for seat in range(game.players) if (tie := _god_tie(seats, seat))],
        **_winners(seats),
    }


def _seat(game: Game, g: Any, t: Any, seat: int) -> dict[str, Any]:
    rank = int(scoring.temple_rank(g, t, seat))
    tiles = [_tile(game, g, t, seat, cell) for cell in PYRAMID if g.tiles[seat, cell] != NONE]
    return {
        "seat": seat,
        "tiles": tiles,
        "active": dict(zip(("village", "volcano", "irrigation"), g.counts[seat].tolist(), strict=True))
        | {"forest": int(scoring.active_forests(g, t, seat))},
        "wilderness": int(count_bits(g.wild[seat])),
        "temple_icons": int(g.icons[seat]),
        "mythology": _mythology(g, t, seat),
        "worshippers_left": int(total(g.realm[seat])),
        "temple_rank": None if rank == NONE else rank + 1,
        "temple_token": int(scoring.temple_points(g, t, seat)),
        "god": _god(g, t, seat),
        "tile_cp": sum(tile["cp"] for tile in tiles if tile["face"] == "up"),
        "wilderness_cp": int(scoring.wilderness_points(g, t, seat)),
        "total": int(scoring.points(g, t, seat)),
    }


def _tile(game: Game, g: Any, t: Any, seat: int, cell: int) -> dict[str, Any]:
    number = int(g.tiles[seat, cell])
    found: dict[str, Any] = {"place": CELL_NAMES[cell], "tile": game.components["regions"][number]["id"]}
    if g.wild[seat] >> cell & 1:
        waived = scoring.wilderness_points(g, t, seat) == 0
        return found | {"face": "wilderness", "type": "wilderness", "active": None, "cp": 0 if waived else -1}
    active = None
    if (g.active[seat] | g.cancelled[seat]) >> cell & 1:
        active = bool(g.active[seat] >> cell & 1)
    if t.effect[number] == components.FOREST:
        active = bool(scoring.forest_active(g, t, seat, cell))
    waiting = components.EFFECTS[t.effect[number]] in ("village", "volcano", "irrigation") and active is None
    points = 0 if active is False or waiting else int(t.cp[number])
    found |= {"face": "up", "type": components.EFFECTS[t.effect[number]], "active": active, "cp": points}
    if t.effect[number] == components.FOREST:
        found |= {"needed": int(t.number[number]), "matching": int(forest_matches(g, t, seat, cell))}
    return found


def _mythology(g: Any, t: Any, seat: int) -> list[int]:
    """Values on face-up white tiles, highest first."""
    shown = g.colours[seat, components.WHITE] & ~g.wild[seat]
    values = [int(t.mythology[g.tiles[seat, cell]]) for cell in PYRAMID if shown >> cell & 1]
    return sorted((value for value in values if value), reverse=True)


def _god(g: Any, t: Any, seat: int) -> dict[str, Any]:
    god = int(g.god[seat])
    if god == NONE:
        return {"id": None, "cp": 0}
    found: dict[str, Any] = {"id": components.GOD_NAMES[god]}
    end = t.end[god]
    if end == components.SET:
        needed = [k for k in range(len(components.COUNTED)) if t.needs[god, k]]
        found["have"] = {components.COUNTED[k]: int(scoring.count(g, t, seat, k)) for k in needed}
    if end in (components.MOST, components.FEWEST):
        found["counts"] = [int(scoring.count(g, t, other, t.what[god])) for other in range(g.players)]
    if end in (components.MOST, components.FEWEST, components.SET, components.IF_DONE):
        found["fulfilled"] = bool(scoring.god_fulfilled(g, t, seat))
    return found | {"cp": int(scoring.god_points(g, t, seat))}


def _god_tie(seats: list[dict], seat: int) -> dict[str, Any] | None:
    """The tie of a god of the most or the fewest that pays its owner."""
    god = seats[seat]["god"]
    if "counts" not in god or not god["fulfilled"]:
        return None
    tied = [other for other, count in enumerate(god["counts"]) if count == god["counts"][seat]]
    return {"god": god["id"], "seat": seat, "tied": tied} if len(tied) > 1 else None


def _temple_ties(seats: list[dict], order: list[int]) -> list[dict[str, Any]]:
    ties = []
    for icons in dict.fromkeys(seats[seat]["temple_icons"] for seat in order):
        tied = [seat for seat in order if seats[seat]["temple_icons"] == icons]
        if len(tied) > 1:
            highest = [max(seats[seat]["mythology"], default=0) for seat in tied]
            ties.append({"icons": icons, "order": tied, "highest_mythology": highest})
    return ties


def _winners(seats: list[dict]) -> dict[str, Any]:
    """Most points, then most worshippers left, else shared (§7.4)."""
    best = max(seat["total"] for seat in seats)
    tied = [seat for seat in seats if seat["total"] == best]
    left = max(seat["worshippers_left"] for seat in tied)
    winners = [seat["seat"] for seat in tied if seat["worshippers_left"] == left]
    decided = "total" if len(tied) == 1 else "worshippers" if len(winners) == 1 else "shared"
    shown = [seat["seat"] for seat in tied] if len(tied) > 1 else []
    return {"final": {"best_total": best, "tied_on_total": shown, "decided_by": decided}, "winners": winners}


def colour_numbers(realm: Any) -> dict[str, int]:
    """Worshippers as colour -> number, without zeros."""
    return {name: int(number) for name, number in zip(components.COLOUR_NAMES, realm, strict=True) if number}
