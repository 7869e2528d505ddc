"""A position as SVG: map and supplies above, the boards of the factions below."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.arguments import checked_viewer
from theogony.envs.core.draw.style import BOARD, GAP, MARGIN, PAGE, TOP, box, page, panel, region
from theogony.envs.core.draw.svg import group
from theogony.envs.terra_mystica.render import seats, tiles
from theogony.envs.terra_mystica.render.words import fields, headline
from theogony.envs.terra_mystica.state import DRAFT

RIGHT = MARGIN + tiles.WIDTH + GAP  # where the right column begins
SIDE = PAGE - MARGIN - RIGHT  # and how wide it is
SIX = 6 * seats.SMALL_TILE + 25  # width of six tiles in a row
BRIEF = 92  # how much of a rival's board is shown before it is clicked: name, points, goods


def render_svg(game: Any, g: Any, viewer: int | str | None = None) -> str:
    """The whole table as an SVG document."""
    checked_viewer(viewer, game.players)
    g = fields(g)
    left, left_end = _left(game, g, viewer)
    right, right_end = _right(game, g)
    y = max(left_end, right_end) + GAP + 4
    draft = ""
    if g.decision == DRAFT and not g.over:
        drawn = [box(440, 20, seats.heading("Factions", 12)), group(seats.factions(game, g), y=22)]
        high = seats.DRAFT_HEIGHT + 22
        draft = region("factions", seats.DRAFT_WIDTH, high, *drawn, x=MARGIN, y=y, passing=True, beside=SIDE)
        y += high + GAP
    boards = []
    for first in range(0, game.players, 2):
        row = range(first, min(first + 2, game.players))
        for k, seat in enumerate(row):
            x = MARGIN + k * (PAGE - 2 * MARGIN - seats.WIDTH)
            drawn, high, tally = (
                seats.seat_board(game, g, seat, viewer),
                seats.board_height(g, seat),
                f"{int(g.vp[seat])} VP",
            )
            tint = None if g.faction[seat] < 0 else tiles.colour_of(game, g, seat)
            more = {} if seat == viewer else {"beside": SIDE, "brief": BRIEF if g.faction[seat] >= 0 else None}
            boards.append(region(f"seat {seat}", seats.WIDTH, high, drawn, x=x, y=y, tint=tint, tally=tally, **more))
        y += max(seats.board_height(g, seat) for seat in row) + GAP
    return page(game.spec.title, headline(game, g, viewer), y - GAP + MARGIN, left, right, draft, *boards)


def _left(game: Any, g: Any, viewer: int | str | None) -> tuple[str, float]:
    """The map, the rounds and the power actions, and where they end."""
    ground = panel(tiles.WIDTH, tiles.HEIGHT, fill=BOARD)
    rounds_at = TOP + tiles.HEIGHT + GAP
    beneath = [
        seats.rounds(game, g, SIX),
        group(box(440, 20, seats.heading("Power actions", 12, more="once a round, for all players together")),
              group(seats.power_actions(game, g, SIX), y=22), y=80 + GAP),
    ]  # fmt: skip
    high = 80 + GAP + 62
    parts = [
        region("map", tiles.WIDTH, tiles.HEIGHT, ground, tiles.board(game, g, viewer), x=MARGIN, y=TOP, main=True),
        region("rounds", SIX, high, *beneath, x=MARGIN, y=rounds_at, beside=SIDE),
    ]
    return group(*parts), rounds_at + high


def _right(game: Any, g: Any) -> tuple[str, float]:
    """Cult tracks, favor tiles, town tiles and free cards below each other, and where they end."""
    drawn, high = seats.cults(game, g, SIDE)
    parts, y = [region("cults", SIDE, high, drawn, x=RIGHT, y=TOP - 6, beside=SIDE)], TOP - 6 + high + GAP + 4
    sections = (
        ("favors", "Favor tiles", "cult steps at once, the rest from then on", (seats.favors(game, g, SIDE), 98)),
        ("towns", "Town tiles", "each with a key", (seats.towns(game, g, SIDE), 46)),
        ("bonus", "Bonus cards", "to take when passing", seats.cards(game, g, SIDE)),
    )
    for part, name, more, (section, height) in sections:
        heading = seats.heading(name, 12, more=more)
        drawn = group(section, y=22)
        parts.append(region(part, SIDE, 22 + height, heading, drawn, x=RIGHT, y=y, beside=SIDE, behind=True))
        y += 22 + height + 8
    return group(*parts), y - 8
