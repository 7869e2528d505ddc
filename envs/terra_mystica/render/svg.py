"""A position as SVG: map and supplies above, the boards of the factions below."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.arguments import checked_viewer
from theogony.envs.core.draw import style, svg
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.style import GAP, MARGIN, QUIET, TOP, box, panel, region, seat_ground
from theogony.envs.core.draw.svg import BODY, HEAD, INK, SMALL, TINY, circle, group, label, rect, text, title
from theogony.envs.core.record import ENDED
from theogony.envs.terra_mystica import vocabulary
from theogony.envs.terra_mystica.actions import POWER_ACTIONS, SPECIALS
from theogony.envs.terra_mystica.components import BONUS, CULTS, FACTIONS, FAVOR, STRUCTURES, TOWN
from theogony.envs.terra_mystica.components.pieces import LIMITS, PRIESTS
from theogony.envs.terra_mystica.render import tiles
from theogony.envs.terra_mystica.render.words import fields, headline, title_of_seat
from theogony.envs.terra_mystica.rules.actions import DIG_VP
from theogony.envs.terra_mystica.state import DRAFT, FREE, SOURCES
from theogony.envs.terra_mystica.vocabulary import ability, faction_name

# ---- The boards of the seats: goods, power, levels, structures with costs and income, tiles, and points by source

WIDTH, HEIGHT, EMPTY = 609, 268, 56
SAID = 434  # width of what is said beneath
DRAFT_WIDTH, DRAFT_HEIGHT = 828, 172  # of all factions, five in a row
TILE, TILE_HIGH = 70, 46
OF_FACTION = {"auren": "ACTA", "chaosmagicians": "ACTC", "giants": "ACTG", "nomads": "ACTN", "swarmlings": "ACTS",
              "witches": "ACTW", "engineers": "ACTE"}  # fmt: skip


def seat_board(game: Any, g: Any, seat: int, viewer: int | str | None) -> str:
    """Everything of one seat."""
    name, number = title_of_seat(g, seat), style.seat_name(seat, viewer)
    beside = number if g.faction[seat] >= 0 else ""
    colour = tiles.colour_of(game, g, seat)
    place_in_turn = [int(s) for s in g.order[: game.players]].index(seat) + 1
    head = [
        seat_ground(g, seat, viewer, WIDTH, board_height(g, seat), x=68, room=218, name=name if beside else number),
        label(80 + svg.text_width(name, HEAD, True), 32, beside, 130, SMALL, QUIET),
        _marker(game, g, seat, 53, 25, 10) if beside else "",
        group(
            title("place in the order of turns"),
            rect(14, 14, 22, 22, colour, rx=5, stroke=INK),
            text(25, 30, place_in_turn, BODY, tiles.on(colour), text_anchor="middle", font_weight="bold"),
        ),
        box(80, 34, label(80, 20, f"{int(g.vp[seat])} VP", 80, HEAD, bold=True, anchor="end"), x=WIDTH - 96, y=12),
    ]
    if g.passed[seat] and not g.over:
        said = rect(0, 4, 66, 20, "#e5dccb", rx=6), text(33, 18, "passed", SMALL, text_anchor="middle")
        head.append(box(66, 34, *said, x=WIDTH - 180, y=12))
    if g.faction[seat] < 0:
        return group(*head)
    return group(
        *head,
        *_goods(game, g, seat),
        *_structures(game, g, seat),
        *_levels(game, g, seat),
        *_tiles(game, g, seat),
        _points(g, seat) if g.over else _ability(game, g, seat),
    )


def board_height(g: Any, seat: int) -> float:
    """A seat that has no faction yet takes little room."""
    return EMPTY if g.faction[seat] < 0 else HEIGHT


def _goods(game: Any, g: Any, seat: int) -> list[str]:
    """Coins, workers, priests, the bowls of power, keys, bridges, and the next income."""
    held = [(int(g.coins[seat]), "C"), (int(g.workers[seat]), "W"), (int(g.priests[seat]), "P")]
    parts = []
    for k, (number, name) in enumerate(held):
        parts.append(tiles.look(name, 2 + 58 * k, 6, 21))
        parts.append(text(27 + 58 * k, 23, number, HEAD - 1, font_weight="bold"))
    priests = PRIESTS - int(g.priests_away[seat])
    tip = title(f"coins, workers, priests (at most {priests}, {int(g.priests_away[seat])} on the cult board)")
    goods = place(f"seat {seat} goods", 172, 34, tip, *parts, data_word="good:W")
    more = [tiles.look("KEY", 0, 8, 17), text(20, 22, int(g.keys[seat]), BODY, font_weight="bold")]
    more += [tiles.look("BRIDGE", 42, 7, 19), text(65, 22, int(g.bridges_left[seat]), BODY, font_weight="bold")]
    boxes = [box(172, 46, goods, x=14, y=48), box(122, 46, _bowls(g, seat), x=192, y=48)]
    boxes.append(box(90, 34, group(title("keys, bridges left"), *more), x=326, y=48))
    if not g.over:
        income, _ = tiles.goods_line(52, 22, next_income(game, g, seat), 12)
        boxes.append(box(150, 34, text(0, 21, "income", TINY, QUIET), income, x=436, y=48))
    return boxes


def _bowls(g: Any, seat: int) -> str:
    """The three bowls of power; only what is in the third can be spent."""
    parts = [title("power in bowls I, II and III")]
    for k, roman in enumerate(("I", "II", "III")):
        x, full = 20 + 41 * k, k == 2
        parts.append(circle(x, 17, 14, "#7d3c98" if full else "#ece0f2", stroke="#7d3c98", stroke_width=1.6))
        colour = "#fff" if full else INK
        parts.append(text(x, 21, int(g.bowls[seat, k]), BODY, colour, text_anchor="middle", font_weight="bold"))
        parts.append(text(x, 43, roman, TINY, QUIET, text_anchor="middle"))
    return place(f"seat {seat} bowls", 122, 46, *parts, data_word="bowl:III")


def next_income(game: Any, g: Any, seat: int) -> list[tuple[int, str]]:
    """The goods of the next income, with the card in hand (§5.1)."""
    t, f = game.tables[0], int(g.faction[seat])
    total = t.income[f, 0, 0].astype(int)
    for kind in range(1, 6):
        total += t.income[f, kind, int(g.built[seat, kind])]
    for k in range(len(FAVOR)):
        total += t.favor_income[k] * int(g.favors[seat, k])
    if g.card[seat] >= 0:
        total += t.bonus_income[int(g.card[seat])]
    return tiles.amounts(total)


def _structures(game: Any, g: Any, seat: int) -> list[str]:
    """Each kind with how many stand on the map, what one costs, and what the next one adds to the income."""
    t, f, colour, parts = game.tables[0], int(g.faction[seat]), tiles.colour_of(game, g, seat), []
    for k, kind in enumerate(STRUCTURES, 1):
        built, limit = int(g.built[seat, k]), LIMITS[k]
        cost = tiles.amounts(t.cost[f, k])[::-1]
        more = tiles.amounts(t.income[f, k, min(built + 1, limit)] - t.income[f, k, built]) if built < limit else []
        gain = text(6, 59, "all built" if built == limit else "–", TINY, QUIET)
        if more:
            wide = tiles.goods_line(0, 59, more, TINY, sign="+")[1]
            gain = tiles.goods_line(min(6, 67 - wide), 59, more, TINY, sign="+")[0]
        lone = f", {int(t.lone_cost[f])} C with no neighbour" if kind == "TP" else ""
        drawn = [
            title(f"{vocabulary.STRUCTURES[kind]}: {built} of {limit} on the map{lone}"),
            rect(0, 0, 70, 64, "#f3ede0", rx=6),
            tiles.structure(kind, 17, 15, 22, colour),
            text(65, 20, f"{built}/{limit}", BODY - 1, text_anchor="end", font_weight="bold"),
            tiles.goods_line(6, 41, cost, 12)[0] if built < limit else "",
            svg.line(6, 46, 64, 46, "#ddd3bf"),
            gain,
        ]
        said: dict[str, Any] = {"data_word": f"structure:{kind}", "data_drawn": f"structure:{kind} {FACTIONS[f]}"}
        drawn = place(f"seat {seat} {kind}", 70, 64, *drawn, **said)
        parts.append(box(70, 64, drawn, x=14 + 75 * (k - 1), y=99))
    return parts


def _levels(game: Any, g: Any, seat: int) -> list[str]:
    """Shipping (or the spaces a faction skips) and the price of a spade, with points and costs of the next level."""
    t, f = game.tables[0], int(g.faction[seat])
    ship, dig = int(g.ship[seat]), int(g.dig[seat])
    can_ship = ship < int(t.ship_max[f]) and not t.skips[f]
    said = "skips" if t.skips[f] else "shipping"
    ship_next = f"+{int(t.ship_vp[f, ship + 1])} VP:" if can_ship else "at its maximum"
    can_dig = dig < int(t.dig_max[f])
    boxes = (
        ("ship", "SHIP", 100, f"{said} {ship}", [], ship_next, tiles.amounts(t.ship_cost)[::-1] if can_ship else []),
        ("dig", "S", 80, "1 =", tiles.amounts(t.spade_cost[f, dig]), f"+{int(DIG_VP)} VP:" if can_dig else "best price",
         tiles.amounts(t.dig_cost[f])[::-1] if can_dig else []),
    )  # fmt: skip
    parts = []
    for k, (name, good, x, word, price, gain, cost) in enumerate(boxes):
        drawn = [rect(0, 0, 203, 30, "#f3ede0", rx=6), tiles.look(good, 6, 7, 16)]
        drawn.append(text(26, 20, word, SMALL, font_weight="bold"))
        drawn.append(tiles.goods_line(50, 20, price, 12)[0] if price else "")
        drawn.append(text(x, 19, gain, TINY, QUIET) if cost else label(197, 19, gain, 101, TINY, QUIET, anchor="end"))
        drawn.append(tiles.goods_line(x + 42, 19, cost, TINY)[0] if cost else "")
        level = place(f"seat {seat} {name}", 203, 30, *drawn, data_word=f"level:{name}")
        parts.append(box(203, 30, level, x=392, y=99 + 34 * k))
    return parts


def _tiles(game: Any, g: Any, seat: int) -> list[str]:
    """The bonus card, favor and town tiles, and the faction's own action."""
    drawn: list[tuple[str, str, float]] = []
    used = {name for k, name in enumerate(SPECIALS) if g.specials_used[seat, k]}
    if g.card[seat] >= 0:
        name = BONUS[g.card[seat]]
        drawn.append((f"card {name}", tiles.bonus_tile(game, int(g.card[seat]), 0, 96, TILE_HIGH, name in used), 96))
    own = OF_FACTION.get(FACTIONS[g.faction[seat]])
    if own and (g.built[seat, 4] or own == "ACTE"):
        drawn.append((f"seat {seat} {own}", tiles.special_tile(game, own, own in used, 96, TILE_HIGH), 96))
    for k, name in enumerate(FAVOR):
        if g.favors[seat, k]:
            drawn.append((f"seat {seat} {name}", tiles.favor_tile(game, k, TILE, TILE_HIGH, name in used), TILE))
    for k, name in enumerate(TOWN):
        if g.towns[seat, k]:
            count = f"×{int(g.towns[seat, k])}" if g.towns[seat, k] > 1 else ""
            more = text(TILE - 4, 12, count, TINY, QUIET, text_anchor="end") if count else ""
            drawn.append((f"seat {seat} {name}", tiles.town_tile(game, k, TILE, TILE_HIGH) + more, TILE))
    gap = 5
    whole = sum(width + gap for *_, width in drawn) - gap
    zoom, at, parts = min(1, (WIDTH - 28) / max(whole, 1)), 0.0, []
    for name, tile, width in drawn:
        small = group(place(name, width, TILE_HIGH, tile), zoom=zoom)
        parts.append(box(width * zoom, TILE_HIGH * zoom, small, x=14 + at * zoom, y=168))
        at += width + gap
    return parts


def _ability(game: Any, g: Any, seat: int) -> str:
    """What the faction does, and what its stronghold brings."""
    said = ability(FACTIONS[g.faction[seat]], bool(game.tables[0].cultists_power))
    return box(SAID, 44, svg.paragraph(0, 11, said, SAID, 3, TINY, QUIET), x=16, y=219)


def _points(g: Any, seat: int) -> str:
    """Where the points of a game that is over come from; areas are not counted where it was cut off."""
    said = ", ".join(f"{name} {int(n)}" for name, n in zip(SOURCES, g.vp_from[seat], strict=True) if n)
    largest = int(g.area[seat])
    area = f"; largest area: {largest} structure{'' if largest == 1 else 's'}" if g.over == ENDED else ""
    told = svg.paragraph(6, 13, f"Points: {said}{area}", SAID - 12, 3, TINY)
    return box(SAID, 46, place(f"seat {seat} points", SAID, 46, told), x=14, y=217)


def factions(game: Any, g: Any) -> str:
    """The factions to choose from, with what they begin with; those that are taken, or whose colour is, are faded."""
    t, parts = game.tables[0], []
    taken = {int(t.home[g.faction[s]]) for s in range(game.players) if g.faction[s] >= 0}
    for f, name in enumerate(FACTIONS):
        home = int(t.home[f])
        cults = [(int(n), key) for n, key in zip(t.cults[f], CULTS, strict=True) if n]
        drawn = [
            rect(0, 0, 160, 52, "#fffdf8", rx=8, stroke=tiles.LANDS[home], stroke_width=2),
            rect(0, 0, 160, 27, tiles.PIECES[home], rx=8),
            label(80, 18, faction_name(name), 150, BODY, tiles.on(tiles.PIECES[home]), bold=True, anchor="middle"),
            tiles.centred(80, 44, tiles.amounts(t.start[f]) + cults, 11),
        ]
        faded = 0.35 if home in taken else None
        drawn = place(f"faction {name}", 160, 52, *drawn, data_word=f"faction:{name}", opacity=faded)
        parts.append(box(160, 52, drawn, x=f % 5 * 167, y=f // 5 * 60, row=f == 0))
    return group(*parts)


# ---- What lies beside the map: cult tracks, scoring tiles, power actions, free cards, favor and town tiles -------

STEP, TRACK = 30.5, 58  # a cult space is so wide, a track so high
POWER_AT, POWER_LEFT = {3: 1, 5: 2, 7: 2, 10: 3}, {10: 29.5}  # the rest at 21.5
SPOTS = (3, 2, 2, 2)  # steps of the spaces of a cult track where priests stay
_LINES = "".join(f"M{41 + STEP * step:g} 5V{TRACK - 5}" for step in range(11))
GRID = svg.shape("cult spaces", "path", d=_LINES, stroke=svg.FAINT, fill="none")
SMALL_TILE = 78  # width of what stands six in a row beside the map


def heading(content: str, y: float, more: str = "") -> str:
    """A section's name, and a word of explanation after it."""
    head = text(0, y, content, BODY, font_weight="bold")
    return head + (label(12 + 0.75 * BODY * len(content), y, more, 360, TINY, QUIET) if more else "")


# ---------------------------------------------------------------------------------------------------- cults


def cults(game: Any, g: Any, width: float) -> tuple[str, float]:
    """The four tracks and their height."""
    parts = [heading("Cult tracks", 14, more="violet: power gained there; 10 needs a key; end: 8 / 4 / 2 VP")]
    for track in range(4):
        parts.append(group(_track(game, g, track, width), y=24 + (TRACK + 4) * track))
    return group(*parts), 24 + 4 * (TRACK + 4) - 4


def _track(game: Any, g: Any, track: int, width: float) -> str:
    name, colour = CULTS[track], tiles.CULT_COLOURS[track]
    cells = [_cell(game, g, track, step) for step in range(11)]
    spots = [_spot(game, g, track, k) for k in range(5)]
    head = tiles.look(name, 8, 8, 24) + label(20, 48, name.lower(), 38, TINY, bold=True, anchor="middle")
    body = rect(0, 0, width, TRACK, colour, rx=8, opacity=0.16) + svg.use(GRID)
    whole = place(f"cult {name}", 42 + 11 * STEP, TRACK, body, head, *cells, data_word=f"cult:{name}")
    return group(whole, *spots)


def _cell(game: Any, g: Any, track: int, step: int) -> str:
    """One space of a track: its number, what it gives, and the markers below, side by side."""
    x = 41 + STEP * step
    parts = [text(x + 2.5, 17, step, BODY, font_weight="bold")]
    if step in POWER_AT:
        left = x + POWER_LEFT.get(step, 21.5)
        parts.append(circle(left, 12, 7.5, "#7d3c98"))
        parts.append(text(left, 16.5, POWER_AT[step], SMALL, "#fff", text_anchor="middle", font_weight="bold"))
    here = [seat for seat in range(game.players) if g.cult[seat, track] == step and g.faction[seat] >= 0]
    radius, rows = (7, 13.5) if len(here) > 2 else (8, 16)
    for k, seat in enumerate(here):
        cx = x + STEP / 2 + (0 if len(here) == 1 else -7.4 if k % 2 == 0 else 7.4)
        cy = (37 if len(here) < 3 else 26) + rows * (k // 2)
        drawn = title(title_of_seat(g, seat)), _marker(game, g, seat, cx, cy, radius)
        parts.append(group(*drawn, data_piece=f"marker {seat} {track}"))
    return group(*parts)


def _marker(game: Any, g: Any, seat: int, x: float, y: float, radius: float) -> str:
    """The marker of a seat: the colour of its faction with the sign of it."""
    colour = tiles.colour_of(game, g, seat)
    drawn = tiles.sign(int(game.tables[0].home[g.faction[seat]]), x, y, radius / 13, tiles.on(colour))
    return circle(x, y, radius, colour, stroke="#fff", stroke_width=1.2) + drawn


def _spot(game: Any, g: Any, track: int, k: int) -> str:
    """Where a priest is sent: four spaces for good, and the fifth, from which it returns."""
    x, name = 386 + 21.5 * k, CULTS[track]
    seat = int(g.spots[track, k]) if k < 4 else -1
    if seat >= 0:
        priest = tiles.look("P", 1.5, 6, 16, tiles.colour_of(game, g, seat))
        drawn = group(rect(0, 0, 19, 28, "#fff", rx=4, stroke=INK), priest, data_own=1)
        drawn = title(f"priest of {title_of_seat(g, seat)}") + drawn
    else:
        said = text(9.5, 18, SPOTS[k] if k < 4 else 1, BODY - 1, text_anchor="middle", font_weight="bold")
        drawn = rect(0, 0, 19, 28, "#fff", rx=4, stroke=svg.FAINT, stroke_dasharray=None if k < 4 else "3 2") + said
    return place(f"priest {name} {k}", 19, 28, drawn, x=x, y=15, rx=4)


# ---------------------------------------------------------------------------------------------------- tiles


def rounds(game: Any, g: Any, width: float) -> str:
    """The scoring tiles of the six rounds."""
    step = (width - SMALL_TILE) / 5
    now = int(g.round_number) if not g.over else 7
    parts = [tiles.scoring_tile(game, int(g.scoring[k]), k, now, SMALL_TILE, 80) for k in range(6)]
    return group(*(box(SMALL_TILE, 80, part, x=k * step) for k, part in enumerate(parts)))


def power_actions(game: Any, g: Any, width: float) -> str:
    """The six power actions."""
    step = (width - SMALL_TILE) / 5
    parts = []
    for k, name in enumerate(POWER_ACTIONS):
        drawn = place(f"power {name}", SMALL_TILE, 40, tiles.power_tile(game, k, bool(g.power_used[k]), SMALL_TILE, 40))
        parts.append(box(SMALL_TILE, 40, drawn, x=k * step, row=k == 0))
    return group(*parts)


def favors(game: Any, g: Any, width: float) -> str:
    """The supply of favor tiles, in the rows of their cults' columns."""
    step = (width + 6) / 6
    drawn = [tiles.favor_tile(game, k, step - 6, 46) + _count(step, g.favor_supply[k]) for k in range(len(FAVOR))]
    return _in_rows(6, step, 46, [f"favor {name}" for name in FAVOR], drawn, g.favor_supply)


def towns(game: Any, g: Any, width: float) -> str:
    """The supply of town tiles."""
    kinds = len(TOWN) if game.tables[0].extra_towns else 5
    each, y = max(kinds, 6), 13 if kinds < 8 else 29
    step = (width + 6) / each
    drawn = [tiles.town_tile(game, k, step - 6, 46) + _count(step, g.town_supply[k], y) for k in range(kinds)]
    return _in_rows(each, step, 46, [f"town {name}" for name in TOWN], drawn, g.town_supply)


def _count(step: float, count: int, y: float = 13) -> str:
    return text(step - 11, y, f"×{count}", TINY, QUIET, text_anchor="end")


def cards(game: Any, g: Any, width: float) -> tuple[str, float]:
    """The bonus cards that nobody holds, with the coins on them; and how high they are."""
    free = [k for k in range(len(BONUS)) if g.card_place[k] == FREE]
    step, high = (width + 6) / 4, 46 if len(free) > 4 else 52
    drawn = [tiles.bonus_tile(game, k, int(g.card_coins[k]), step - 6, high) for k in free]
    return _in_rows(4, step, high, [f"card {BONUS[k]}" for k in free], drawn), 98 if len(free) > 4 else high


def _in_rows(each: int, step: float, high: float, named: list[str], drawn: list[str], left: Any = None) -> str:
    """Tiles in rows of so many; faded where none is `left`."""
    parts = []
    for k, (name, tile) in enumerate(zip(named, drawn, strict=False)):
        where: dict[str, Any] = {"x": k % each * step, "y": k // each * (high + 6)}
        faded = 0.4 if left is not None and not left[k] else None
        parts.append(place(name, step - 6, high, tile, opacity=faded, **where))
    return group(*parts)


# ---- The whole table --------------------------------------------------------------------------------------------

RIGHT = MARGIN + tiles.WIDTH + GAP  # where the right column begins
SIDE = style.PAGE - MARGIN - RIGHT  # and how wide it is
SIX = 6 * SMALL_TILE + 25  # width of six tiles in a row
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
        drawn = [box(440, 20, heading("Factions", 12)), group(factions(game, g), y=22)]
        high = DRAFT_HEIGHT + 22
        draft = region("factions", DRAFT_WIDTH, high, *drawn, x=MARGIN, y=y, passing=True, beside=SIDE)
        y += high + GAP
    boards = []
    for first in range(0, game.players, 2):
        row = range(first, min(first + 2, game.players))
        for k, seat in enumerate(row):
            x = MARGIN + k * (style.PAGE - 2 * MARGIN - WIDTH)
            drawn, high, tally = seat_board(game, g, seat, viewer), board_height(g, seat), f"{int(g.vp[seat])} VP"
            tint = None if g.faction[seat] < 0 else tiles.colour_of(game, g, seat)
            more = {} if seat == viewer else {"beside": SIDE, "brief": BRIEF if g.faction[seat] >= 0 else None}
            boards.append(region(f"seat {seat}", WIDTH, high, drawn, x=x, y=y, tint=tint, tally=tally, **more))
        y += max(board_height(g, seat) for seat in row) + GAP
    return style.page(game.spec.title, headline(game, g, viewer), y - GAP + MARGIN, left, right, draft, *boards)


def _left(game: Any, g: Any, viewer: int | str | None) -> tuple[str, float]:
    """The map, the rounds and the power actions, and where they end."""
    ground = panel(tiles.WIDTH, tiles.HEIGHT, fill=style.BOARD)
    rounds_at = TOP + tiles.HEIGHT + GAP
    beneath = [
        rounds(game, g, SIX),
        group(box(440, 20, heading("Power actions", 12, more="once a round, for all players together")),
              group(power_actions(game, g, SIX), y=22), y=80 + GAP),
    ]  # fmt: skip
    high = 80 + GAP + 62
    parts = [
        region("map", tiles.WIDTH, tiles.HEIGHT, ground, tiles.board(game, g, viewer), x=MARGIN, y=TOP, main=True),
        region("rounds", SIX, high, *beneath, x=MARGIN, y=rounds_at, beside=SIDE),
    ]
    return group(*parts), rounds_at + high


def _right(game: Any, g: Any) -> tuple[str, float]:
    """Cult tracks, favor tiles, town tiles and free cards below each other, and where they end."""
    drawn, high = cults(game, g, SIDE)
    parts, y = [region("cults", SIDE, high, drawn, x=RIGHT, y=TOP - 6, beside=SIDE)], TOP - 6 + high + GAP + 4
    sections = (
        ("favors", "Favor tiles", "cult steps at once, the rest from then on", (favors(game, g, SIDE), 98)),
        ("towns", "Town tiles", "each with a key", (towns(game, g, SIDE), 46)),
        ("bonus", "Bonus cards", "to take when passing", cards(game, g, SIDE)),
    )
    for part, name, more, (section, height) in sections:
        head = heading(name, 12, more=more)
        drawn = group(section, y=22)
        parts.append(region(part, SIDE, 22 + height, head, drawn, x=RIGHT, y=y, beside=SIDE, behind=True))
        y += 22 + height + 8
    return group(*parts), y - 8
