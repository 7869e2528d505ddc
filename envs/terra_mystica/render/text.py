"""A position as text: the map by rows, one line a faction, cult tracks, what lies free."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from theogony.envs.terra_mystica.actions import BOARD, POWER_ACTIONS
from theogony.envs.terra_mystica.components import BONUS, CULTS, FAVOR, LETTERS, STRUCTURES, TOWN
from theogony.envs.terra_mystica.render.words import (
    check_viewer,
    goods_text,
    headline,
    scoring_text,
    seat_name,
    tiles_text,
)  # fmt: skip
from theogony.envs.terra_mystica.snapshot import snapshot
from theogony.envs.terra_mystica.state import FREE

MARKS = "dtesS"  # dwelling, trading house, temple, stronghold, sanctuary


def render_text(game: Any, g: Any, viewer: int | str | None) -> str:
    """The whole table. Spaces show their colour's letter (yellow Y, brown U, black K, blue B, green G, gray S, red R),
    the structure (d, t, e, s, S) and the seat it belongs to; rivers are dots."""
    check_viewer(game, viewer)
    lines = [headline(game, g), "", *_map(game, g), "", *_seats(game, g), "", *_cults(game, g), "", *_supplies(game, g)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _map(game: Any, g: Any) -> Iterator[str]:
    rows: dict[int, list[str]] = {}
    for label, (row, _) in BOARD.places.items():
        rows.setdefault(row, []).append(label)
    for row, labels in rows.items():
        yield f"{chr(65 + row)}  {'  ' * (row % 2)}" + " ".join(_space(game, g, label) for label in labels)
    if g.bridges:
        built = [site for site, owner in enumerate(g.bridge_owner) if owner >= 0]
        names = [f"{BOARD.land[a]}:{BOARD.land[b]} {g.bridge_owner[s]}" for s in built for a, b in [BOARD.sites[s]]]
        yield "bridges " + ", ".join(names)


def _space(game: Any, g: Any, label: str) -> str:
    if label.startswith("r"):
        return " T " if int(g.river_towns) >> BOARD.river.index(label) & 1 else " . "
    space = BOARD.land.index(label)
    letter = LETTERS[g.terrain[space]]
    if not g.building[space]:
        return f" {letter} "
    owner = next(s for s in range(game.players) if int(g.own[s, space >> 6]) >> (space & 63) & 1)
    return f"{letter}{MARKS[g.building[space] - 1]}{owner}"


def _seats(game: Any, g: Any) -> Iterator[str]:
    for seat in range(game.players):
        built = " ".join(f"{g.built[seat, k]}{kind}" for k, kind in enumerate(STRUCTURES, 1) if g.built[seat, k]) or "-"
        levels = f"ship {g.ship[seat]}, dig {g.dig[seat]}, keys {g.keys[seat]}"
        passed = " (passed)" if g.passed[seat] and not g.over else ""
        yield (
            f"{seat} {seat_name(g, seat)}{passed}: {g.vp[seat]} VP | {goods_text(g, seat)} | {levels} | {built} | "
            f"{tiles_text(g, seat)}"
        )


def _cults(game: Any, g: Any) -> Iterator[str]:
    for track, name in enumerate(CULTS):
        places = ", ".join(f"{seat_name(g, s)} {g.cult[s, track]}" for s in range(game.players))
        spots = " ".join("-" if s < 0 else str(s) for s in g.spots[track])
        yield f"{name:5} {places} | priests {spots}"


def _supplies(game: Any, g: Any) -> Iterator[str]:
    yield "scoring " + ", ".join(f"{k + 1}: {scoring_text(game, g, k)}" for k in range(6))
    free = [f"{name}+{g.card_coins[k]}" for k, name in enumerate(BONUS) if g.card_place[k] == FREE]
    yield "free cards " + " ".join(free)
    used = snapshot(game, g)["power_actions_used"]
    yield "power actions left " + " ".join(name for name in POWER_ACTIONS if name not in used)
    left = [f"{name}x{g.favor_supply[k]}" for k, name in enumerate(FAVOR) if g.favor_supply[k]]
    left += [f"{name}x{g.town_supply[k]}" for k, name in enumerate(TOWN) if g.town_supply[k]]
    yield "supply " + " ".join(left)
