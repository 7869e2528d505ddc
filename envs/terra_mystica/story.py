"""What came of a decision in Terra Mystica: goods, points and their sources, cults, tiles, what is built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.record import ENDED
from theogony.envs.core.story import LEFT, gains
from theogony.envs.terra_mystica.components import BOARD, COLOURS, ROUNDS, pieces
from theogony.envs.terra_mystica.render.svg import next_income
from theogony.envs.terra_mystica.render.words import fields, offered, result, round_text, title_of_seat
from theogony.envs.terra_mystica.state import LEECH, SOURCES, V_FACTION, V_FAVOR, V_PASS
from theogony.envs.terra_mystica.vocabulary import counted

GOODS = ("coins", "workers", "priests", "keys", "ship", "dig")
CALLED = {"ship": "shipping", "dig": "digging"}
PAID = (("coins", "C"), ("workers", "W"), ("priests", "P"))
GAINED = (*PAID, ("power", "PW"))  # as income


def story(game: Game, before: Any, action: int, after: Any, viewer: Any) -> list[str]:
    """What is built and changes on the map, what every seat gains and pays, offers, the next round, who won."""
    before, after = fields(before), fields(after)
    lines = [*_map(game, before, after)]
    for seat in range(game.players):
        if said := ", ".join(_seat(game, before, after, seat)):
            lines.append(f"{title_of_seat(after, seat)}: {said}.")
    if after.round_number > before.round_number and not after.over:
        lines.append(f"Round {after.round_number} begins: income, and {round_text(game, after)}.")
    asked = before.decision != LEECH or before.offer_next != after.offer_next  # else it converts before it answers
    if after.decision == LEECH and asked and not after.over:
        lines.append(f"{title_of_seat(after, int(after.actor))} may take {offered(game, after)}.")
    if after.over:
        lines.append(f"The game is over: {result(game, after)}.")
    return lines


def note(game: Game, before: Any, action: int, after: Any, viewer: Any) -> str:
    """What a move costs and brings its seat there and then, where its own words do not tell it: `−1 worker, −2 coins`.

    Of the last pass of a round, after which all seats gain more, the points for passing are told. Free spades that are
    given up by building or by ending the turn are told too, and what building changes of the income.
    """
    now = ", ".join(filter(None, (_brings(game, before, action, after), _lost(game, before, action))))
    return "; ".join(filter(None, (now, _earns(game, before, action, after))))


def price(game: Game, before: Any, action: int, after: Any) -> str:
    """What a move costs and brings its seat, and what that leaves of the goods which it changes: `−1 worker, −2 coins;
    left 2 workers, 4 coins`."""
    seat = int(before.actor)
    told = note(game, before, action, after, seat)
    if after.faction[seat] != before.faction[seat] or after.over == ENDED or after.round_number != before.round_number:
        return told
    then, now = fields(before), fields(after)
    left = [counted(int(now[name][seat]), key) for name, key in PAID if now[name][seat] != then[name][seat]]
    bowls = "/".join(map(str, now.bowls[seat]))
    left += [f"power {bowls}"] if (now.bowls[seat] != then.bowls[seat]).any() else []
    return told + (LEFT + ", ".join(left) if left else "")


def _lost(game: Game, before: Any, action: int) -> str:
    """Free spades that are not used before a dwelling is built or the turn ends (§6.1)."""
    spades = int(before.spades)
    if not spades or game.actions.decode(action)[0] not in ("build", "done"):
        return ""
    return f"{spades} spades left are lost" if spades > 1 else "1 spade left is lost"


def _earns(game: Game, before: Any, action: int, after: Any) -> str:
    """What a structure changes of its seat's income: `income −1 worker, +2 coins`; none comes after round 6."""
    if before.round_number >= ROUNDS or game.actions.decode(action)[0] not in ("build", "upgrade"):
        return ""
    then, now = ({key: n for n, key in next_income(game, g, int(before.actor))} for g in (before, after))
    more = _changes([(name, now.get(key, 0) - then.get(key, 0)) for name, key in GAINED])
    return more and f"income {more}"


def _brings(game: Game, before: Any, action: int, after: Any) -> str:
    """Goods, steps and points that are paid and gained."""
    seat, kind = int(before.actor), game.actions.decode(action)[0]
    before, after = fields(before), fields(after)
    if after.faction[seat] != before.faction[seat] or kind in ("convert", "priest"):
        return ""
    if after.over == ENDED or after.round_number != before.round_number:
        return _changes([("points", _passing(before, after, seat))])
    then, now = _goods(game, before, seat), _goods(game, after, seat)
    changes = [(name, now[name] - then[name]) for name in now]
    spent = pieces.POWER_COST[action - game.actions.first[kind]] if kind == "power action" else 0
    changes += _power(before.bowls[seat], after.bowls[seat], spent)
    steps = (after.cult[seat].astype(int) - before.cult[seat]).tolist()
    changes += [(f"on {game.vocabulary.name('cult', key)}", n) for key, n in zip(pieces.CULTS, steps, strict=True)]
    return _changes([*changes, ("points", int(after.vp[seat]) - int(before.vp[seat]))])


def _passing(before: Any, after: Any, seat: int) -> int:
    """Points for passing, of the bonus card, of the favor tile and of the Engineers' bridges (§6.8)."""
    sources = [V_PASS, V_FAVOR, *([V_FACTION] if after.faction[seat] == pieces.ENGINEERS else [])]
    return int(after.vp_from[seat, sources].sum()) - int(before.vp_from[seat, sources].sum())


def _power(before: Any, after: Any, spent: int) -> list[tuple[str, int]]:
    """Power that a power action costs, power that is gained, and tokens that are burned."""
    one, two, three = (int(b) - int(a) for a, b in zip(before, after, strict=True))
    moved = two + 2 * three  # from bowl to bowl; a token that is burned takes another one with it, for nothing
    return [("power", -spent), ("power", moved + 2 * spent), ("tokens of power burned", one + two + three)]


def _changes(changes: list[tuple[str, int]]) -> str:
    """What is paid, then what is gained."""
    told = sorted((item for item in changes if item[1]), key=lambda item: item[1] > 0)
    return ", ".join(f"{'+' if n > 0 else '−'}{abs(n)} {_one(name) if abs(n) == 1 else name}" for name, n in told)


def _one(name: str) -> str:
    """What several are called, of one: `worker`, `token of power`."""
    first, space, rest = name.partition(" ")
    return first.removesuffix("s") + space + rest


def _map(game: Game, before: Any, after: Any) -> Iterator[str]:
    """Spaces that got another colour or structure, and bridges."""
    for space in np.flatnonzero(before.terrain != after.terrain):
        yield f"{BOARD.land[space]} turns {COLOURS[after.terrain[space]]}."
    for space in np.flatnonzero(before.building != after.building):
        built = game.vocabulary.name("structure", pieces.STRUCTURES[after.building[space] - 1])
        yield f"A {built} stands at {BOARD.land[space]}."
    if before.bridges != after.bridges:
        built = [k for k in range(len(BOARD.sites)) if (int(after.bridges) & ~int(before.bridges)) >> k & 1]
        ends = (f"{BOARD.land[a]}:{BOARD.land[b]}" for a, b in (BOARD.sites[k] for k in built))
        yield from (f"A bridge leads from {game.vocabulary.name('bridge', key)}." for key in ends)


def _seat(game: Game, before: Any, after: Any, seat: int) -> Iterator[str]:
    """What one seat gained and paid: goods, power, cults, tiles, points with their sources."""
    if after.faction[seat] != before.faction[seat]:
        yield f"begins with {gains({}, _goods(game, after, seat)).replace('+', '')}"
        return
    if said := gains(_goods(game, before, seat), _goods(game, after, seat)):
        yield said
    then, now = (tuple(int(n) for n in g.bowls[seat]) for g in (before, after))
    if then != now:
        yield f"bowls of power {'/'.join(map(str, then))} → {'/'.join(map(str, now))}"
    for track, key in enumerate(pieces.CULTS):
        if change := int(after.cult[seat, track]) - int(before.cult[seat, track]):
            yield f"{change:+d} on {game.vocabulary.name('cult', key)}"
    yield from _tiles(game, before, after, seat)
    if change := int(after.vp[seat]) - int(before.vp[seat]):
        gained = after.vp_from[seat].astype(int) - before.vp_from[seat]
        sources = [f"{name} {n:+d}" for name, n in zip(SOURCES, gained.tolist(), strict=True) if n]
        yield f"{change:+d} point{'' if abs(change) == 1 else 's'} ({', '.join(sources)})"


def _goods(game: Game, g: Any, seat: int) -> dict[str, int]:
    called = CALLED | ({"ship": "skipping"} if game.tables[0].skips[g.faction[seat]] else {})
    return {called.get(name, name): int(g[name][seat]) for name in GOODS}


def _tiles(game: Game, before: Any, after: Any, seat: int) -> Iterator[str]:
    """Bonus card, favor and town tiles that are new."""
    called = game.vocabulary.name
    if after.card[seat] != before.card[seat] and after.card[seat] >= 0:
        yield f"takes the {called('bonus card', pieces.BONUS[after.card[seat]])}"
    for field, kind, keys in (("favors", "favor tile", pieces.FAVOR), ("towns", "town tile", pieces.TOWN)):
        for k, key in enumerate(keys):
            if after[field][seat, k] > before[field][seat, k]:
                yield f"{kind} {called(kind, key)}"
