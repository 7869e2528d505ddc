"""What lies beside the map: cult tracks, scoring tiles, power actions, free cards, favor and town tiles."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.lettering import BODY, TINY, label
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.style import QUIET, box
from theogony.envs.core.draw.svg import FAINT, INK, circle, group, line, rect, text, title
from theogony.envs.terra_mystica.actions import POWER_ACTIONS
from theogony.envs.terra_mystica.components import BONUS, CULTS, FAVOR, TOWN
from theogony.envs.terra_mystica.render.board import colour_of
from theogony.envs.terra_mystica.render.tiles import (
    CULT_COLOURS,
    bonus_tile,
    favor_tile,
    look,
    on,
    power_tile,
    scoring_tile,
    town_tile,
)
from theogony.envs.terra_mystica.render.words import title_of_seat
from theogony.envs.terra_mystica.state import FREE

STEP, TRACK = 30.5, 58  # a cult space is so wide, a track so high
POWER_AT, POWER_LEFT = {3: 1, 5: 2, 7: 2, 10: 3}, 24.3
SPOTS = (3, 2, 2, 2)


def heading(content: str, y: float = 0, x: float = 0, more: str = "") -> str:
    """A section's name, and a word of explanation after it."""
    head = text(x, y, content, BODY, font_weight="bold")
    return head + (label(x + 12 + 0.75 * BODY * len(content), y, more, 360, TINY, QUIET) if more else "")


# ---------------------------------------------------------------------------------------------------- cults


def cults(game: Any, g: Any, width: float) -> tuple[str, float]:
    """The four tracks and their height."""
    parts = [heading("Cult tracks", 14, more="power where a sign stands, 10 takes a key; end: 8 / 4 / 2 VP")]
    for track in range(4):
        parts.append(group(_track(game, g, track, width), y=24 + (TRACK + 5) * track))
    return group(*parts), 24 + 4 * (TRACK + 5) - 5


def _track(game: Any, g: Any, track: int, width: float) -> str:
    name, colour = CULTS[track], CULT_COLOURS[track]
    cells = [_cell(game, g, track, step) for step in range(11)]
    spots = [_spot(game, g, track, k) for k in range(5)]
    head = look(name, 8, 8, 24) + label(20, 48, name.lower(), 38, TINY, bold=True, anchor="middle")
    body = rect(0, 0, width, TRACK, colour, rx=8, opacity=0.16)
    whole = place(f"cult {name}", 40 + 11 * STEP, TRACK, body, head, *cells, data_word=f"cult:{name}")
    return group(whole, *spots)


def _cell(game: Any, g: Any, track: int, step: int) -> str:
    """One space of a track: its number, what it gives, and the markers below, side by side."""
    x = 41 + STEP * step
    parts = [line(x, 5, x, TRACK - 5, FAINT, stroke_width=1)]
    parts.append(text(x + 2.5, 15, step, TINY, font_weight="bold"))
    if step in POWER_AT:
        parts.append(circle(x + POWER_LEFT, 11.5, 6, "#7d3c98"))
        parts.append(text(x + POWER_LEFT, 15, POWER_AT[step], TINY, "#fff", text_anchor="middle", font_weight="bold"))
    here = [seat for seat in range(game.players) if g.cult[seat, track] == step and g.faction[seat] >= 0]
    radius, rows = (7, 13.5) if len(here) > 2 else (8, 16)
    for k, seat in enumerate(here):
        cx = x + STEP / 2 + (0 if len(here) == 1 else -7.4 if k % 2 == 0 else 7.4)
        cy = (37 if len(here) < 3 else 26) + rows * (k // 2)
        initial = title_of_seat(g, seat)[0].upper()
        colour = colour_of(game, g, seat)
        dot = circle(cx, cy, radius, colour, stroke="#fff", stroke_width=1.2)
        said = text(cx, cy + 3.6, initial, TINY, on(colour), text_anchor="middle", font_weight="bold")
        parts.append(group(title(title_of_seat(g, seat)), dot, said, data_piece=f"marker {seat} {track}"))
    return group(*parts)


def _spot(game: Any, g: Any, track: int, k: int) -> str:
    """Where a priest is sent: four spaces for good, and the fifth, from which it returns."""
    x, name = 386 + 21.5 * k, CULTS[track]
    seat = int(g.spots[track, k]) if k < 4 else -1
    if seat >= 0:
        priest = look("P", 1.5, 6, 16, colour_of(game, g, seat))
        drawn = group(rect(0, 0, 19, 28, "#fff", rx=4, stroke=INK), priest, data_own=1)
        drawn = title(f"priest of {title_of_seat(g, seat)}") + drawn
    else:
        said = text(9.5, 18, SPOTS[k] if k < 4 else 1, BODY - 1, text_anchor="middle", font_weight="bold")
        drawn = rect(0, 0, 19, 28, "#fff", rx=4, stroke=FAINT, stroke_dasharray=None if k < 4 else "3 2") + said
    return place(f"priest {name} {k}", 19, 28, drawn, x=x, y=15, rx=4)


# ---------------------------------------------------------------------------------------------------- tiles


def rounds(game: Any, g: Any, width: float) -> str:
    """The scoring tiles of the six rounds."""
    step = (width + 8) / 6
    now = int(g.round_number) if not g.over else 7
    parts = [scoring_tile(game, int(g.scoring[k]), k, now, step - 8, 80) for k in range(6)]
    return group(*(box(step - 8, 80, part, x=k * step) for k, part in enumerate(parts)))


def power_actions(game: Any, g: Any, width: float) -> str:
    """The six power actions."""
    step = (width + 8) / 6
    tiles = [power_tile(game, k, bool(g.power_used[k]), step - 8, 40) for k in range(6)]
    named = zip(POWER_ACTIONS, tiles, strict=True)
    places = [place(f"power {name}", step - 8, 40, tile) for name, tile in named]
    return group(*(box(step - 8, 40, drawn, x=k * step, row=k == 0) for k, drawn in enumerate(places)))


def favors(game: Any, g: Any, width: float) -> str:
    """The supply of favor tiles, in the rows of their cults' columns."""
    step, parts = (width + 6) / 6, []
    for k, name in enumerate(FAVOR):
        count = int(g.favor_supply[k])
        tile = favor_tile(game, k, step - 6, 46) + _count(step - 6, count)
        where: dict[str, Any] = {"x": k % 6 * step, "y": k // 6 * 52, "opacity": None if count else 0.4}
        parts.append(place(f"favor {name}", step - 6, 46, tile, **where))
    return group(*parts)


def towns(game: Any, g: Any, width: float) -> str:
    """The supply of town tiles."""
    names = [k for k in range(len(TOWN)) if k < 5 or game.tables[0].extra_towns]
    step, parts = (width + 6) / max(len(names), 6), []
    for place_of, k in enumerate(names):
        count = int(g.town_supply[k])
        tile = town_tile(game, k, step - 6, 46) + _count(step - 6, count, 13 if len(names) < 8 else 29)
        where: dict[str, Any] = {"x": place_of * step, "opacity": None if count else 0.4}
        parts.append(place(f"town {TOWN[k]}", step - 6, 46, tile, **where))
    return group(*parts)


def _count(width: float, count: int, y: float = 13) -> str:
    return text(width - 5, y, f"×{count}", TINY, QUIET, text_anchor="end")


def cards(game: Any, g: Any, width: float) -> str:
    """The bonus cards that nobody holds, with the coins on them."""
    free = [k for k in range(len(BONUS)) if g.card_place[k] == FREE]
    step, parts = (width + 6) / 4, []
    high = 46 if len(free) > 4 else 58
    for place_of, k in enumerate(free):
        tile = bonus_tile(game, k, int(g.card_coins[k]), step - 6, high)
        where: dict[str, Any] = {"x": place_of % 4 * step, "y": place_of // 4 * (high + 6)}
        parts.append(place(f"card {BONUS[k]}", step - 6, high, tile, **where))
    return group(*parts)
