"""How a game stands: what each seat has, and why the game ended."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.contract import Account
from theogony.envs.core.game import Game
from theogony.envs.innovation.components import COLOURS, ICONS, SPECIALS, SPLAYS
from theogony.envs.innovation.state import ENDINGS, SIDE, cards_in


def breakdown(game: Game, g: Any) -> list[dict[str, Any]]:
    """For each seat: points, achievements, visible icons, piles; and how the game ended, if it was won by that seat."""
    return [_seat(g, seat) for seat in range(game.players)]


def _seat(g: Any, seat: int) -> dict[str, Any]:
    piles = {name: seat * SIDE + colour for colour, name in enumerate(COLOURS)}
    return {
        "won_by": ENDINGS[g.ended_by] if g.winners >> seat & 1 else "",
        "points": int(g.points[seat]),
        "score_pile": len(cards_in(g.scored[seat])),
        "age_achievements": [age for age, owner in enumerate(g.period, 1) if owner == seat],
        "special_achievements": [name for name, owner in zip(SPECIALS, g.special, strict=True) if owner == seat],
        "icons": icons_of(g, seat),
        "piles": {name: int(g.height[pile]) for name, pile in piles.items() if g.height[pile]},
        "splays": {name: SPLAYS[g.splay[pile]] for name, pile in piles.items() if g.splay[pile]},
    }


def icons_of(g: Any, seat: int) -> dict[str, int]:
    """Visible icons of each kind."""
    return {icon: int(g.icons[seat]) >> 8 * i & 255 for i, icon in enumerate(ICONS)}


def account(game: Game, g: Any) -> Account:
    """What ended the game: enough achievements, points when a card above 10 is due, or a card that says so (§8)."""
    seats, needed = breakdown(game, g), int(game.tables[0].needed)
    won = [int(number) for number in g.achievements[: game.players]]
    points = [seat["points"] for seat in seats]
    by = ENDINGS[g.ended_by]
    counted = [f"{number} of {needed} achievements" for number in won]
    if by == "points":
        counted = [f"{n} points" for n in points]
    rows = [
        ("achievements", [str(number) for number in won]),
        ("for ages", [", ".join(map(str, seat["age_achievements"])) or "–" for seat in seats]),
        ("special", [", ".join(seat["special_achievements"]) or "–" for seat in seats]),
        ("points in the score pile", [str(number) for number in points]),
        *((icon, [str(seat["icons"][icon]) for seat in seats]) for icon in ICONS),
    ]
    return Account(DECIDED[by].format(needed=needed), counted, rows)


DECIDED = {
    "": "",
    "achievements": "{needed} achievements win at once; points do not count then.",
    "points": "A card above 10 was to be drawn: most points win, then most achievements.",
    "card": "A card ended the game and named the winner.",
}
