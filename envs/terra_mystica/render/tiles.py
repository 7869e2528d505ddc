"""What the pieces of Terra Mystica look like: goods, structures, and tiles with what they give and cost."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

from theogony.envs.core.draw import svg
from theogony.envs.core.draw.landscapes import landscape
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.style import CARD, LINE, QUIET, icon
from theogony.envs.core.draw.svg import BODY, INK, TINY, circle, group, label, rect, shape, text, title, use
from theogony.envs.terra_mystica import components, vocabulary
from theogony.envs.terra_mystica.actions import BOARD
from theogony.envs.terra_mystica.components import BONUS, COLOURS, CULTS, FACTIONS, FAVOR, STRUCTURES, TOWN, in_set
from theogony.envs.terra_mystica.components.pieces import GOODS, LIMITS, POWER_COST, POWER_GOODS, POWER_VALUE
from theogony.envs.terra_mystica.vocabulary import MARKS

LANDS = ("#ecd274", "#bd9063", "#6a6470", "#79acdf", "#82ba74", "#bdbdbd", "#dd7465")  # in the order of the wheel
SCENERY = ("desert", "plains", "swamp", "lakes", "forest", "mountains", "wasteland")
PIECES = ("#c08800", "#6b3d18", "#17151c", "#0f4a9c", "#1c6427", "#525c66", "#a3140f")  # by home colour
DARK = "#1c1812"  # of letters on yellow pieces, by night as well
CULT_COLOURS = ("#c8500a", "#0072b2", "#7a5c2e", "#5d7f99")
USED = "#d8d0c2"  # ground of a tile that is used up
OCTAGON = "#f0a24b"
LOOKS = {  # goods and what counts: icon and colour
    "C": ("coin", "#a07700"), "W": ("worker", "#8a6547"), "P": ("priest", "#5a5560"), "PW": ("power", "#7d3c98"),
    "S": ("spade", "#6b4a2b"), "KEY": ("key", "#957000"), "SHIP": ("ship", "#0072b2"), "BRIDGE": ("bridge", "#6b4a2b"),
    "D": ("house", INK), "TP": ("trading house", INK), "TE": ("temple", INK), "SH": ("stronghold", INK),
    "SA": ("sanctuary", INK), "TOWN": ("town", INK), "SPADE": ("spade", "#6b4a2b"),
    **{name: (name.lower(), colour) for name, colour in zip(CULTS, CULT_COLOURS, strict=True)},
}  # fmt: skip


def look(what: str, x: float, y: float, size: float = 16, colour: str | None = None) -> str:
    """The icon of a good, a structure, a cult: its upper left corner at (x, y)."""
    name, fill = LOOKS[what]
    return use(_sized(name, size), x, y, fill=colour or fill)


@cache
def _sized(name: str, size: float) -> str:
    """An icon in a size in which it is drawn often: its uses are short."""
    used, grown = f"#icon-{name.replace(' ', '-')}", f"scale({size / 24:.3g})"
    return shape(f"{name}-{size:g}", "use", href=used, transform=grown, pointer_events="none")


def amounts(goods: Any) -> list[tuple[int, str]]:
    """Coins, workers, priests, power and spades as (number, name), without what is 0."""
    return [(int(n), name) for n, name in zip(goods, GOODS, strict=False) if n]


def goods_line(x: float, y: float, goods: list[tuple[int, str]], size: float = 13, sign: str = "") -> tuple[str, float]:
    """Numbers with icons in a row, the baseline at y, and how wide it is."""
    parts, at = [], x
    for number, name in goods:
        said = f"{sign}{number}"
        parts.append(text(at, y, said, size, font_weight="bold"))
        at += svg.text_width(said, size, True) + 1
        parts.append(look(name, at, y - size + 1.5, size))
        at += size + 5
    return group(*parts), at - x - 5 if goods else 0


def centred(x: float, y: float, goods: list[tuple[int, str]], size: float = 13) -> str:
    """Numbers with icons around x."""
    _, width = goods_line(0, 0, goods, size)
    return goods_line(x - width / 2, y, goods, size)[0]


def structure(kind: str, x: float, y: float, size: float, colour: str) -> str:
    """A structure around (x, y), with a white line so that it is seen on every ground."""
    return use(BUILT[kind], x - size / 2, y - size / 2, size / 24, fill=colour)


def _built(name: str) -> str:
    """A structure in the colour of its use, in a square 24 wide."""
    edge = icon(name, 0, 0, 24, "#fff", stroke=INK, stroke_width=5.5)
    piece = icon(name, 0, 0, 24, None, stroke="#fff", stroke_width=2.4)
    return shape(f"built {name}", "g", edge, piece, stroke_linejoin="round", pointer_events="none")


BUILT = {kind: _built(LOOKS[kind][0]) for kind in STRUCTURES}


def tip(game: Any, kind: str, key: str) -> str:
    """What a piece is called; what it does is told by its entry in the vocabulary."""
    return title(game.vocabulary.name(kind, key))


def on(colour: str) -> str:
    """The colour of letters on a piece."""
    return DARK if colour == PIECES[0] else "#fff"


def ground(width: float, height: float, faded: bool = False, fill: str = CARD) -> str:
    edge = svg.FAINT if faded else LINE
    return rect(0, 0, width, height, USED if faded else fill, rx=6, stroke=edge, stroke_width=1.2)


# ---------------------------------------------------------------------------------------------------- tiles


def power_tile(game: Any, k: int, used: bool, width: float, height: float) -> str:
    """A power action: what it costs and what it brings."""
    mid, colour, y = width / 2, svg.FAINT if used else None, 18 if used else 25
    gain = [(int(POWER_GOODS[k].split()[0]), POWER_GOODS[k].split()[1])] if POWER_GOODS[k] else [(1, "BRIDGE")]
    said = label(mid, height - 5, "used", width - 8, TINY, QUIET, anchor="middle")
    return group(
        tip(game, "power action", f"ACT{k + 1}"),
        ground(width, height, used, "#fbe6c8"),
        centred(0.24 * width, y, [(POWER_COST[k], "PW")], 14),
        text(mid - 1, y, "→", svg.SMALL, colour or INK, text_anchor="middle"),
        centred(0.75 * width, y, gain, 14),
        said if used else "",
        opacity=0.55 if used else None,
        data_word=f"power action:ACT{k + 1}",
    )


def scoring_tile(game: Any, tile: int, k: int, now: int, width: float, height: float) -> str:
    """A round's scoring tile: points for what, and what cult steps pay at its end. Past rounds are faded."""
    t = game.tables[0]
    kinds = [components.SCORES[n - 1] for n in range(1, 8) if t.score_vp[tile, n]]
    said = f"{int(max(t.score_vp[tile]))} VP"
    at = svg.text_width(said, 13, True) + 3
    x = (width - at - 16 * len(kinds)) / 2
    score = [text(x, 37, said, 13, font_weight="bold")]
    score += [look(kind, x + at + 16 * i, 24.5, 15) for i, kind in enumerate(kinds)]
    fill = "#fff0bf" if k + 1 == now else CARD
    return group(
        tip(game, "scoring tile", components.SCORING[tile]),
        rect(0, 0, width, height, fill, rx=6, stroke=INK if k + 1 == now else LINE, stroke_width=1.5),
        label(width / 2, 15, f"round {k + 1}", width - 10, TINY, QUIET, anchor="middle"),
        *score,
        _cult_reward(t, tile, width)
        if k < 5
        else label(width / 2, 64, "last round", width, TINY, QUIET, anchor="middle"),
        opacity=0.5 if k + 1 < now else None,
        data_word=f"scoring tile:{components.SCORING[tile]}",
    )


def _cult_reward(t: Any, tile: int, width: float) -> str:
    """`4 steps on water: 1 priest` in icons."""
    every, cult = int(t.score_every[tile]), int(t.score_cult[tile])
    ((number, name),) = amounts(t.score_reward[tile])
    asked = [(every, CULTS[cult])] if cult >= 0 else [(1, "P")]
    return group(
        rect(4, 47, width - 8, 27, "#f1ead9", rx=5),
        centred(width * 0.26, 65, asked, 13),
        text(width / 2, 65, "→", TINY, QUIET, text_anchor="middle"),
        centred(width * 0.74, 65, [(number, name)], 13),
    )


def bonus_tile(game: Any, k: int, coins: int, width: float, height: float, used: bool = False) -> str:
    """A bonus card: income, what passing scores, its action; and the coins that lie on it."""
    t, name = game.tables[0], BONUS[k]
    passing = [((*STRUCTURES, "SHIP")[n - 1], int(t.bonus_pass[k, n])) for n in range(1, 7) if t.bonus_pass[k, n]]
    row = height * 0.42
    parts = [
        tip(game, "bonus card", name),
        ground(width, height, fill="#f4ecf7"),
        goods_line(7, row, amounts(t.bonus_income[k]), sign="+")[0],
    ]
    if coins:
        parts.append(circle(width - 15, 14, 11, "#f5d76e", stroke=INK))
        parts.append(text(width - 15, 18, f"+{coins}", TINY, text_anchor="middle", font_weight="bold"))
    if passing:
        said = f"pass: {passing[0][1]} VP"
        parts.append(label(7, height - 8, said, width - 14, TINY))
        at = 10 + svg.text_width(said, TINY)
        each = min(15.0, (width - 3 - at) / len(passing))  # the card in a seat's own part is narrow
        parts += [look(kind, at + each * i, height - 18, each - 2) for i, (kind, _) in enumerate(passing)]
    elif name in MARKS:
        parts.append(_words(MARKS[name], 7, height - 8, width - 14, used))
    return group(*parts, data_word=f"bonus card:{name}")


def _words(said: str, x: float, y: float, width: float, used: bool) -> str:
    """What a tile does; an action stands in an orange box, grey once it is used."""
    if not said.startswith("action: "):
        return label(x, y, said, width, TINY)
    said = "used" if used else said[8:]
    box = rect(x - 3, y - 11, width + 6, 15, USED if used else OCTAGON, rx=6, stroke=INK, stroke_width=0.7)
    return box + label(x + width / 2, y, said, width, TINY, anchor="middle")


def favor_tile(game: Any, k: int, width: float, height: float, used: bool = False) -> str:
    """A favor tile: steps at once, and what it does from then on."""
    t, name = game.tables[0], FAVOR[k]
    parts = [tip(game, "favor tile", name), ground(width, height, fill="#eef4ea")]
    parts.append(goods_line(7, 19, [(int(t.favor_steps[k]), CULTS[t.favor_cult[k]])], sign="+")[0])
    income = amounts(t.favor_income[k])
    built = [(STRUCTURES[n - 1], int(t.favor_build[k, n])) for n in range(1, 6) if t.favor_build[k, n]]
    if income:
        parts.append(goods_line(7, height - 7, income, TINY, sign="+")[0])
    elif built:
        said = f"{built[0][1]} VP"
        parts.append(text(7, height - 7, said, TINY, font_weight="bold"))
        parts.append(look(built[0][0], 11 + svg.text_width(said, TINY, True), height - 18, 13))
    elif any(t.favor_pass) and name == "FAV12":
        said = f"pass {int(t.favor_pass[1])}–{int(t.favor_pass[4])}"
        parts += [label(7, height - 7, said, width - 26, TINY), look("TP", width - 18, height - 18, 13)]
    elif name in MARKS:
        parts.append(_words(MARKS[name], 7, height - 7, width - 14, used))
    elif name == "FAV5":
        parts += [look("TOWN", 7, height - 18, 13), label(23, height - 7, "from 6", width - 28, TINY)]
    return group(*parts, data_word=f"favor tile:{name}")


def town_tile(game: Any, k: int, width: float, height: float) -> str:
    """A town tile: points, goods, keys, cult steps."""
    t = game.tables[0]
    gains = amounts(t.town_gain[k])
    if TOWN[k] == "TW7":
        gains.append((1, "SHIP"))
    if t.town_keys[k] > 1:
        gains.append((int(t.town_keys[k]), "KEY"))
    steps = int(t.town_steps[k])
    parts = [tip(game, "town tile", TOWN[k]), ground(width, height, fill="#fbf0cf")]
    parts.append(label(6, 16, f"{int(t.town_vp[k])} VP", width - 12, 12, bold=True))
    if gains:
        parts.append(goods_line(6, 29 if steps else height - 8, gains, TINY)[0])
    if steps:
        parts.append(text(5, height - 6, f"+{steps}", TINY, font_weight="bold"))
        parts += [look(name, 21 + 11.5 * n, height - 16, 11) for n, name in enumerate(CULTS)]
    return group(*parts, data_word=f"town tile:{TOWN[k]}")


def special_tile(game: Any, key: str, used: bool, width: float, height: float) -> str:
    """A faction's own action, an octagon in words."""
    said = f"action: {game.vocabulary.name('special action', key).partition(': ')[2]}"
    return group(
        tip(game, "special action", key),
        ground(width, height, used, "#fbd9ae"),
        svg.paragraph(7, 15, said + (" (used)" if used else ""), width - 14, 3, TINY),
        data_word=f"special action:{key}",
    )


# ---- A structure as a card: what it costs a faction, what each brings as income, and what it becomes -------------

CARD_WIDE, CARD_ROW = 300, 26
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
        rows.append((f"→ {vocabulary.STRUCTURES[other]}", cost, ""))
    high = 64 + CARD_ROW * len(rows)
    parts = [
        rect(0, 0, CARD_WIDE, high, CARD, rx=10, stroke=LINE, stroke_width=1.2),
        rect(0, 0, CARD_WIDE, 54, colour, rx=10, opacity=0.25),
        structure(kind, 30, 27, 38, colour),
        label(58, 25, vocabulary.STRUCTURES[kind], CARD_WIDE - 66, svg.HEAD, bold=True),
        label(58, 43, FACTIONS[faction], CARD_WIDE - 66, TINY, QUIET),
    ]
    for row, (said, goods, more) in enumerate(rows):
        y = 74 + CARD_ROW * row
        drawn, wide = goods_line(150, y, goods, 15)
        parts.append(label(12, y, said, 132, BODY) + drawn)
        parts.append(text(150 + wide + 12 * bool(goods), y, more, TINY, QUIET) if more else "")
        parts.append(svg.line(10, y + 8, CARD_WIDE - 10, y + 8, "#ddd3bf") if row < len(rows) - 1 else "")
    return svg.picture(CARD_WIDE, high, *parts, background="none")


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


# ---- The map: spaces with their landscapes, structures, towns, bridges, and the wheel of colours -----------------

RIVER, GOLD, NOBODY = "#dcecf5", "#ffd23f", "#6b6156"
RADIUS = 30.0  # of a space, centre to corner
NAME = 14  # of a space, which a phone draws small
WIDE, HIGH = RADIUS * math.sqrt(3), RADIUS * 1.5
LEFT, TOP = 38.0, 42.0  # the centre of the first space
WIDTH, HEIGHT = LEFT * 2 + 12.5 * WIDE - 4, TOP * 2 + 8 * HIGH + 50
WAYS = (  # signs of the landscapes around (0, 0), so that they differ without colours; in the order of the wheel
    "M-9 4 Q-4 -5 0 3 Q4 -4 9 4",  # dunes
    "M-7 4 H7 M-5 0 H5 M-7 -4 H7",  # furrows
    "M-6 5 V-1 M-2 5 V-5 M2 5 V-2 M6 5 V-4",  # reeds
    "M-8 -2 Q-4 -6 0 -2 T8 -2 M-8 4 Q-4 0 0 4 T8 4",  # waves
    "M0 -7 L6 2 H-6 Z M0 2 V7",  # a tree
    "M-9 5 L-3 -5 L1 1 L4 -3 L9 5 Z",  # peaks
    "M-7 -5 L-2 0 L-6 5 M2 -6 L6 -1 L1 5",  # cracks
)


def sign(home: int, x: float, y: float, zoom: float, colour: str) -> str:
    """The sign of a colour around (x, y)."""
    return use(SIGNS[home], x, y, zoom, stroke=colour)


def centre(label: str) -> tuple[float, float]:
    """The middle of a space in the map."""
    row, x = BOARD.places[label]
    return LEFT + x * WIDE / 2, TOP + row * HIGH


@cache
def hexagon(x: float, y: float, radius: float) -> tuple[tuple[float, float], ...]:
    """The corners of a space around (x, y)."""
    angles = [math.radians(60 * k - 90) for k in range(6)]
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles)


def _hex(radius: float, **drawn: Any) -> str:
    points = " ".join(f"{round(x, 2):g},{round(y, 2):g}" for x, y in hexagon(0, 0, radius))
    return shape(f"hex-{radius:g}", "polygon", points=points, **drawn)


HEX, FRAME, TIP = (_hex(radius) for radius in (RADIUS, RADIUS - 2, 9))
GROUND = _hex(RADIUS - 0.7, stroke="#fff", stroke_width=1.2)
SPACES = {  # a landscape, which is faint beneath a structure
    (land, built): shape(
        f"space {name}{' built' * built}",
        "g",
        use(GROUND, fill=LANDS[land]),
        landscape(name, opacity=0.45 if built else None),
        pointer_events="none",  # clicks go to the frame
    )
    for land, name in enumerate(SCENERY)
    for built in (False, True)
}
SIGNS = [shape(f"way {k}", "path", d=d, stroke_width=2.6, fill="none") for k, d in enumerate(WAYS)]


def owner_of(g: Any, players: int, space: int) -> int:
    """The seat whose structure stands on a space."""
    return next(s for s in range(players) if in_set(g.own[s], space))


def colour_of(game: Any, g: Any, seat: int) -> str:
    """The colour of a seat's pieces; grey before it has a faction."""
    return NOBODY if g.faction[seat] < 0 else PIECES[game.tables[0].home[g.faction[seat]]]


def board(game: Any, g: Any, viewer: int | str | None = None) -> str:
    """The whole map. Bridges lie on it, and the places where one may be built are named."""
    names = group(*_names(g), pointer_events="none", data_names=1)  # larger on a phone
    built = group(*_structures(game, g), pointer_events="none")
    drawn = (*_spaces(game, g, viewer), *_towns(game, g), names, *_bridges(game, g), built)
    return group(group(*drawn, data_own=1), wheel(g))


def _spaces(game: Any, g: Any, viewer: int | str | None) -> Iterator[str]:
    for where in BOARD.places:
        x, y = centre(where)
        if where.startswith("r"):
            town = int(g.river_towns) >> BOARD.river.index(where) & 1
            drawn = use(HEX, fill=RIVER) + (circle(0, 0, 9, GOLD, stroke=INK) if town else "")
            yield place(f"space {where}", 0, 0, drawn, outline=FRAME, x=x, y=y, data_word=f"river space:{where}")
            continue
        space = BOARD.land.index(where)
        now = f"{where}: {COLOURS[int(g.terrain[space])]}{_standing(g, space)}{_steps(game, g, space, viewer)}"
        word = f"structure:{STRUCTURES[g.building[space] - 1]}" if g.building[space] else f"space:{where}"
        said = {"data_word": word, "data_now": now, "data_drawn": _drawn(game, g, space)}
        said["data_asked"] = 1 if g.target == space else None
        yield place(f"space {where}", 0, 0, *_space(g, where, space), outline=FRAME, x=x, y=y, **said)


def _drawn(game: Any, g: Any, space: int) -> str | None:
    """The card of the structure on a space."""
    if not g.building[space]:
        return None
    faction = FACTIONS[g.faction[owner_of(g, game.players, space)]]
    return f"structure:{STRUCTURES[g.building[space] - 1]} {faction}"


def _steps(game: Any, g: Any, space: int, viewer: int | str | None) -> str:
    """How far a free space is from the viewer's own colour along the wheel (§7)."""
    if not isinstance(viewer, int) or g.faction[viewer] < 0 or g.building[space]:
        return ""
    apart = abs(int(g.terrain[space]) - int(game.tables[0].home[g.faction[viewer]]))
    steps = min(apart, len(COLOURS) - apart)
    return f", {steps} step{'' if steps == 1 else 's'} from your colour" if steps else ", your colour"


def _space(g: Any, label: str, space: int) -> Iterator[str]:
    land = int(g.terrain[space])
    yield title(f"{label}: {COLOURS[land]}{_standing(g, space)}")
    yield use(SPACES[land, bool(g.building[space])])
    if g.target == space:
        yield svg.polygon(hexagon(0, 0, RADIUS - 5), stroke=INK, stroke_width=5)
        yield svg.polygon(hexagon(0, 0, RADIUS - 5), stroke="#fff", stroke_width=3, stroke_dasharray="5 3")


def _names(g: Any) -> Iterator[str]:
    """The labels of the land spaces, above the borders of towns."""
    for space, where in enumerate(BOARD.land):
        x, y = centre(where)
        fill = "#fff" if g.terrain[space] == 2 else INK
        yield text(x, y + RADIUS - 9, where, NAME, fill, text_anchor="middle")


def _standing(g: Any, space: int) -> str:
    """The structure on a space, which belongs to what the space shows."""
    return f", {vocabulary.STRUCTURES[STRUCTURES[g.building[space] - 1]]}" if g.building[space] else ""


def _structures(game: Any, g: Any) -> Iterator[str]:
    for space, where in enumerate(BOARD.land):
        if g.building[space]:
            x, y = centre(where)
            kind = STRUCTURES[g.building[space] - 1]
            size = 30 if kind in ("SH", "SA", "TP") else 26
            seat = owner_of(g, game.players, space)
            home = int(game.tables[0].home[g.faction[seat]])
            yield structure(kind, x, y - 5, size, colour_of(game, g, seat))
            yield sign(home, x, y - 3, 0.62, "#fff")  # whose, without colours


def _towns(game: Any, g: Any) -> Iterator[str]:
    """Spaces of towns have a golden border, and golden lines join those that belong together."""
    for seat in range(game.players):
        spaces = [k for k in range(len(BOARD.land)) if in_set(g.in_town[seat], k)]
        for k in spaces:
            yield svg.polygon(hexagon(*centre(BOARD.land[k]), RADIUS - 3), stroke=INK, stroke_width=5)
        for k in spaces:
            for other in (n for n in BOARD.beside[k] if n > k and n in spaces):
                yield _stroke(_between(BOARD.land[k], BOARD.land[other]), GOLD, 9)
            yield svg.polygon(hexagon(*centre(BOARD.land[k]), RADIUS - 3), stroke=GOLD, stroke_width=3.4)


def _between(a: str, b: str) -> tuple[float, float, float, float]:
    """A short line over the edge that two spaces share."""
    (x1, y1), (x2, y2) = centre(a), centre(b)
    return 0.58 * x1 + 0.42 * x2, 0.58 * y1 + 0.42 * y2, 0.42 * x1 + 0.58 * x2, 0.42 * y1 + 0.58 * y2


def _stroke(ends: tuple[float, float, float, float], colour: str, width: float) -> str:
    x1, y1, x2, y2 = ends
    return svg.line(x1, y1, x2, y2, colour, stroke_width=width, stroke_linecap="round")


def _bridges(game: Any, g: Any) -> Iterator[str]:
    for site, (a, b) in enumerate(BOARD.sites):
        names = BOARD.land[a], BOARD.land[b]
        (x1, y1), (x2, y2) = (centre(name) for name in names)
        x, y, drawn = (x1 + x2) / 2, (y1 + y2) / 2, ""
        if g.bridge_owner[site] >= 0:
            ends = (0.34 * (x1 - x2), 0.34 * (y1 - y2), 0.34 * (x2 - x1), 0.34 * (y2 - y1))
            colour = colour_of(game, g, int(g.bridge_owner[site]))
            drawn = _stroke(ends, "#fff", 11) + _stroke(ends, INK, 8) + _stroke(ends, colour, 6)
        tip = title(f"bridge {names[0]} to {names[1]}")
        yield place(f"bridge {names[0]}:{names[1]}", 0, 0, tip, drawn, outline=TIP, x=x, y=y)


def wheel(g: Any) -> str:
    """The colours as a ring, in the order in which spades turn them: four above, three below on the way back."""
    y, step, left, deep = HEIGHT - 30, 70, 330, 14
    right, round_it = left + 3 * step, f"a{deep} {deep} 0 0 1 0"
    ring = f"M{left} {y - deep:g}H{right}{round_it} {2 * deep}H{left}{round_it} {-2 * deep}Z"
    parts = [
        text(14, y - 2, "Spades turn a space one step", NAME, QUIET),
        text(14, y + 15, "along this ring, either way", NAME, QUIET),
        svg.element("path", d=ring, fill="none", stroke="#847b72", stroke_width=2.5),
    ]
    for k, name in enumerate(COLOURS):
        x, at = (left + step * k, y - deep) if k < 4 else (left + step * (6.5 - k), y + deep)
        drawn = sign(k, 12, 12, 0.75, "#fff" if k == 2 else INK)
        chip = circle(12, 12, 12, LANDS[k], stroke=INK, stroke_width=0.8) + drawn
        parts.append(place(f"colour {name}", 24, 24, title(name), chip, x=x - 12, y=at - 12, rx=12))
    return group(*parts)
