"""A structure as a card: what it costs a faction, what each brings as income, and what it becomes."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.style import CARD, LINE, QUIET
from theogony.envs.core.draw.svg import BODY, HEAD, TINY, label, line, picture, rect, text
from theogony.envs.terra_mystica.components import FACTIONS, STRUCTURES
from theogony.envs.terra_mystica.components.pieces import LIMITS, POWER_VALUE
from theogony.envs.terra_mystica.render.tiles import PIECES, amounts, goods_line, structure
from theogony.envs.terra_mystica.vocabulary import names

WIDE, ROW = 300, 26
BECOMES = {"D": ("TP",), "TP": ("TE", "SH"), "TE": ("SA",)}  # §6.4


def pieces(game: Any, kind: str, key: str) -> str | None:
    """The card of a structure, of "TP witches"; None for anything else."""
    building, _, faction = key.partition(" ")
    if kind != "structure" or building not in STRUCTURES or faction not in FACTIONS:
        return None
    return _card(game, building, FACTIONS.index(faction))


def _card(game: Any, kind: str, faction: int) -> str:
    t, k = game.tables[0], STRUCTURES.index(kind) + 1
    colour, rows = PIECES[t.home[faction]], []
    rows.append(("costs", amounts(t.cost[faction, k])[::-1], f"{int(t.lone_cost[faction])} C alone" * (kind == "TP")))
    rows += [(said, goods, "" if goods else "none") for goods, said in _incomes(t, faction, k)]
    rows.append(("power value", [(int(POWER_VALUE[k]), "PW")], ""))
    for other in BECOMES.get(kind, ()):
        cost = amounts(t.cost[faction, STRUCTURES.index(other) + 1])[::-1]
        rows.append((f"→ {names.STRUCTURES[other]}", cost, ""))
    high = 64 + ROW * len(rows)
    parts = [
        rect(0, 0, WIDE, high, CARD, rx=10, stroke=LINE, stroke_width=1.2),
        rect(0, 0, WIDE, 54, colour, rx=10, opacity=0.25),
        structure(kind, 30, 27, 38, colour),
        label(58, 25, names.STRUCTURES[kind], WIDE - 66, HEAD, bold=True),
        label(58, 43, FACTIONS[faction], WIDE - 66, TINY, QUIET),
    ]
    for row, (said, goods, more) in enumerate(rows):
        y = 74 + ROW * row
        drawn, wide = goods_line(150, y, goods, 15)
        parts.append(label(12, y, said, 132, BODY) + drawn)
        parts.append(text(150 + wide + 12 * bool(goods), y, more, TINY, QUIET) if more else "")
        parts.append(line(10, y + 8, WIDE - 10, y + 8, "#ddd3bf") if row < len(rows) - 1 else "")
    return picture(WIDE, high, *parts, background="none")


def _incomes(t: Any, faction: int, k: int) -> list[tuple[Any, str]]:
    """What the pieces of a structure bring each, those that bring the same together."""
    each = [amounts(t.income[faction, k, n] - t.income[faction, k, n - 1]) for n in range(1, LIMITS[k] + 1)]
    ends = [n for n in range(len(each)) if n == len(each) - 1 or each[n + 1] != each[n]]
    found, start = [], 0
    for end in ends:
        which = "income" if len(ends) == 1 else f"income, {start + 1}{f' to {end + 1}' if end > start else ''}"
        found.append((each[end], which))
        start = end + 1
    return found
