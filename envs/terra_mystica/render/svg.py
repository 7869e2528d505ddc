"""A position as SVG: map and supplies above, the boards of the factions below."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.style import BOARD, GAP, MARGIN, PAGE, TOP, page, panel
from theogony.envs.core.draw.svg import group
from theogony.envs.terra_mystica.render import board, seats, supplies
from theogony.envs.terra_mystica.render.words import check_viewer, headline
from theogony.envs.terra_mystica.state import DRAFT

RIGHT = MARGIN + board.WIDTH + GAP  # where the right column begins
SIDE = PAGE - MARGIN - RIGHT  # and how wide it is


def render_svg(game: Any, g: Any, viewer: int | str | None = None) -> str:
    """The whole table as an SVG document."""
    check_viewer(game, viewer)
    left, left_end = _left(game, g, viewer)
    right, right_end = _right(game, g)
    y = max(left_end, right_end) + GAP + 4
    draft = ""
    if g.decision == DRAFT and not g.over:
        draft = group(supplies.heading("Factions", 12), group(seats.factions(game, g), y=22), x=MARGIN, y=y)
        y += seats.DRAFT_HEIGHT + 22 + GAP
    boards = []
    for first in range(0, game.players, 2):
        row = range(first, min(first + 2, game.players))
        for k, seat in enumerate(row):
            x = MARGIN + k * (PAGE - 2 * MARGIN - seats.WIDTH)
            boards.append(group(seats.seat_board(game, g, seat, viewer), x=x, y=y))
        y += max(seats.board_height(g, seat) for seat in row) + GAP
    return page(game.spec.title, headline(game, g), y - GAP + MARGIN, left, right, draft, *boards)


def _left(game: Any, g: Any, viewer: int | str | None) -> tuple[str, float]:
    """The map, the rounds and the power actions, and where they end."""
    ground = panel(board.WIDTH, board.HEIGHT, fill=BOARD)
    rounds_at = TOP + board.HEIGHT + GAP
    parts = [
        group(ground, board.board(game, g, viewer), x=MARGIN, y=TOP),
        group(supplies.rounds(game, g, board.WIDTH), x=MARGIN, y=rounds_at),
        group(supplies.heading("Power actions", 12, more="once a round, for all players together"),
              group(supplies.power_actions(game, g, board.WIDTH), y=22), x=MARGIN, y=rounds_at + 80 + GAP),
    ]  # fmt: skip
    return group(*parts), rounds_at + 80 + GAP + 62


def _right(game: Any, g: Any) -> tuple[str, float]:
    """Cult tracks, favor tiles, town tiles and free cards below each other, and where they end."""
    drawn, high = supplies.cults(game, g, SIDE)
    parts, y = [group(drawn, x=RIGHT, y=TOP - 6)], TOP - 6 + high + GAP + 4
    sections = (
        ("Favor tiles", "steps at once, then as it says", supplies.favors(game, g, SIDE), 104),
        ("Town tiles", "each with a key", supplies.towns(game, g, SIDE), 52),
        ("Bonus cards", "to take when passing", supplies.cards(game, g, SIDE), 98),
    )
    for name, more, section, height in sections:
        parts.append(group(supplies.heading(name, 12, more=more), group(section, y=22), x=RIGHT, y=y))
        y += 22 + height + 8
    return group(*parts), y - 8
