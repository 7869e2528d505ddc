"""A position as text: the map by rows, each seat with its structures, cult tracks, what lies free."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from theogony.envs.core.arguments import checked_viewer
from theogony.envs.core.draw.style import seat_word
from theogony.envs.terra_mystica.actions import BOARD, POWER_ACTIONS, SPECIALS
from theogony.envs.terra_mystica.components import BONUS, COLOURS, CULTS, FAVOR, ROUNDS, STRUCTURES, TOWN, in_set
from theogony.envs.terra_mystica.render.svg import SPOTS, next_income
from theogony.envs.terra_mystica.render.words import headline, scoring_text, tile_names, title_of_seat
from theogony.envs.terra_mystica.state import FREE
from theogony.envs.terra_mystica.vocabulary import counted

CELL = 11  # of the map


def render_text(game: Any, g: Any, viewer: int | str | None) -> str:
    """The whole table. Land spaces show their name and colour, in brackets where something is built, rivers are dots;
    what stands where is said beside the seats."""
    checked_viewer(viewer, game.players)
    head, rest = [headline(game, g, viewer), "", *_map(game, g), ""], [*_cults(game, g), *_supplies(game, g)]
    lines = [*head, *_seats(game, g, viewer), "", _order(game, g, viewer), *rest]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _map(game: Any, g: Any) -> Iterator[str]:
    rows: dict[int, list[str]] = {}
    for label, (row, _) in BOARD.places.items():
        rows.setdefault(row, []).append(label)
    for row, labels in rows.items():
        yield f"{chr(65 + row)}  " + " " * (CELL // 2 * (row % 2)) + "".join(_space(g, label) for label in labels)
    if g.bridges:
        built = [site for site, owner in enumerate(g.bridge_owner) if owner >= 0]
        yield "bridges: " + ", ".join(_bridge(game, g, site) for site in built)
    if g.river_towns:
        over = [label for k, label in enumerate(BOARD.river) if int(g.river_towns) >> k & 1]
        yield "towns over the river: " + ", ".join(game.vocabulary.name("river space", label) for label in over)


def _space(g: Any, label: str) -> str:
    if label.startswith("r"):
        return "    .".ljust(CELL)
    space = BOARD.land.index(label)
    colour = COLOURS[g.terrain[space]]
    return (f"[{label} {colour}]" if g.building[space] else f" {label} {colour}").ljust(CELL)


def _bridge(game: Any, g: Any, site: int) -> str:
    a, b = BOARD.sites[site]
    name = game.vocabulary.name("bridge", f"{BOARD.land[a]}:{BOARD.land[b]}")
    return f"{name} ({title_of_seat(g, int(g.bridge_owner[site]))})"


def _seats(game: Any, g: Any, viewer: int | str | None) -> Iterator[str]:
    for seat in range(game.players):
        if g.faction[seat] < 0:
            yield f"{seat_word(seat, viewer)}: no faction yet"
            continue
        passed = ", passed" if g.passed[seat] and not g.over else ""
        who = f"{title_of_seat(g, seat)} ({seat_word(seat, viewer)}{passed})"
        yield f"{who}: {g.vp[seat]} points, {_goods(game, g, seat)}"
        yield f"  on the map: {_built(game, g, seat)}"
        if g.round_number < ROUNDS:
            income = [counted(number, key) for number, key in next_income(game, g, seat)]
            yield f"  next income: {', '.join(income) or 'nothing'}"
        if tiles := tile_names(game, g, seat):
            yield f"  tiles: {'; '.join(tiles)}"
        if used := [key for k, key in enumerate(SPECIALS) if g.specials_used[seat, k]]:
            yield f"  used in this round: {'; '.join(game.vocabulary.name('special action', key) for key in used)}"


def _order(game: Any, g: Any, viewer: int | str | None) -> str:
    """Who follows whom, and how far the order of the next round is known."""
    seats = [int(seat) for seat in g.order[: game.players]]
    names = [title_of_seat(g, seat) if g.faction[seat] >= 0 else seat_word(seat, viewer) for seat in seats]
    said = f"turn order: {', '.join(names)}"
    passed = [title_of_seat(g, int(seat)) for seat in g.next_order[: int(g.passed_count)]]
    if not passed or g.over or g.round_number >= ROUNDS:
        return said
    by_passing = game.tables[0].passing_order
    return f"{said}; " + (
        f"in the next round {', '.join(passed)}" if by_passing else f"{passed[0]} begins the next round"
    )


def _goods(game: Any, g: Any, seat: int) -> str:
    """Goods, bowls, keys and levels of a seat."""
    goods = [counted(int(g[name][seat]), key) for name, key in (("coins", "C"), ("workers", "W"), ("priests", "P"))]
    bowls = "/".join(str(n) for n in g.bowls[seat])
    keys = [f"{g.keys[seat]} key{'s' if g.keys[seat] > 1 else ''}"] if g.keys[seat] else []
    far = "skipping" if game.tables[0].skips[g.faction[seat]] else "shipping"
    card = " + 1 by the card" if far == "shipping" and g.card[seat] >= 0 and BONUS[g.card[seat]] == "BON4" else ""
    spades = int(g.spades_due[seat])
    due = [f"{spades} spade{'s' if spades > 1 else ''} of the cult bonus to use"] if spades else []
    return ", ".join([*goods, f"power {bowls}", *keys, f"{far} {g.ship[seat]}{card}", f"digging {g.dig[seat]}", *due])


def _built(game: Any, g: Any, seat: int) -> str:
    """Structures and where they stand; those of towns are marked."""
    found = []
    for kind, key in enumerate(STRUCTURES, 1):
        at = [k for k in range(len(BOARD.land)) if in_set(g.own[seat], k) and g.building[k] == kind]
        if at:
            labels = [BOARD.land[k] + "*" * in_set(g.in_town[seat], k) for k in at]
            found.append(f"{game.vocabulary.name('structure', key)} {' '.join(labels)}")
    return ", ".join(found) or "nothing"


def _cults(game: Any, g: Any) -> Iterator[str]:
    chosen = [seat for seat in range(game.players) if g.faction[seat] >= 0]
    if not chosen:
        return
    for track, key in enumerate(CULTS):
        places = ", ".join(f"{title_of_seat(g, s)} {g.cult[s, track]}" for s in chosen)
        taken = [title_of_seat(g, int(s)) for s in g.spots[track] if s >= 0]
        free = " ".join(str(n) for n, s in zip(SPOTS, g.spots[track], strict=True) if s < 0) or "none"
        priests = f"; priests of {', '.join(taken)}" if taken else ""
        yield f"{game.vocabulary.name('cult', key)}: {places}; free for priests {free}{priests}"
    yield ""


def _supplies(game: Any, g: Any) -> Iterator[str]:
    called = game.vocabulary.name
    first = max(int(g.round_number), 1)
    yield "rounds: " + ", ".join(f"{k}. {scoring_text(game, g, k - 1)}" for k in range(first, 7))
    coins = [f" (+{n})" if n else "" for n in g.card_coins]
    yield "free bonus cards: " + ", ".join(
        called("bonus card", key) + coins[k] for k, key in enumerate(BONUS) if g.card_place[k] == FREE
    )
    left = [called("power action", key) for k, key in enumerate(POWER_ACTIONS) if not g.power_used[k]]
    yield f"power actions left: {', '.join(left) or 'none'}"
    t = game.tables[0]
    yield _left("favor tile", called, FAVOR, g.favor_supply, t.favor_copies)
    extra = slice(None) if t.extra_towns else slice(5)  # three kinds are optional
    yield _left("town tile", called, TOWN[extra], g.town_supply, t.town_copies)


def _left(kind: str, called: Any, keys: Any, supply: Any, copies: Any) -> str:
    """The supply of a kind of tile: only what differs from the beginning is named."""
    fewer = [
        f"{called(kind, key)} ({f'{supply[k]} left' if supply[k] else 'none left'})"
        for k, key in enumerate(keys)
        if supply[k] < copies[k]
    ]
    return f"{kind}s: all" + (f", but {', '.join(fewer)}" if fewer else "")
