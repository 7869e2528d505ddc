"""What came of a decision in Orbis: worshippers, tiles, points, and new tiles of the display."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from theogony.envs.core.draw.style import seat_does, seat_name, yours
from theogony.envs.core.game import Game
from theogony.envs.core.story import gains
from theogony.envs.orbis.actions import DISPLAY_NAMES
from theogony.envs.orbis.components import COLOUR_NAMES
from theogony.envs.orbis.render.words import result
from theogony.envs.orbis.rules import scoring
from theogony.envs.orbis.state import FINISH, LIMIT, NONE, PAY
from theogony.envs.orbis.vocabulary import god_name, god_words, tile_of, tile_words

WAYS = {  # what may be done with the tile in hand or at the end of a turn, by kind of action
    "face up": "keep the tile and pay", "exchange": "exchange", "wilderness": "turn it to wilderness",
    "discard": f"discard down to {LIMIT}", "end turn": "end the turn",
}  # fmt: skip


def asks(game: Game, g: Any, kinds: Collection[str]) -> str:
    """`Exchange, or end the turn`: what is legal; "" where the kind of decision says it all."""
    *first, last = [said for kind, said in WAYS.items() if kind in kinds] or [""]
    said = f"{', '.join(first)}, or {last}" if first else last
    return said[:1].upper() + said[1:] if g.decision in (PAY, FINISH) else ""


def story(game: Game, before: Any, action: int, after: Any, viewer: Any) -> list[str]:
    """The tile that is taken, worshippers that move, what is built, points, what is new in the display, who won."""
    seat = int(before.actor)
    lines = []
    if before.hand == NONE and after.hand != NONE:
        lines.append(seat_does(seat, viewer, f"takes the tile {_tile(game, int(after.hand))}."))
    for owner in range(game.players):
        lines += _seat(game, before, after, owner, viewer)
    lying = [
        f"{name} {said}"
        for k, name in enumerate(DISPLAY_NAMES)
        if before.display[k] == after.display[k] != NONE and (said := _moved(before.lying[k], after.lying[k]))
    ]
    if lying:
        lines.append(f"Worshippers on the display: {'; '.join(lying)}.")
    new = [k for k in range(9) if after.display[k] != before.display[k] and after.display[k] != NONE]
    named = {k: tile_of(game, int(after.display[k]))["id"] for k in new}
    lines += [
        f"New in the display at {DISPLAY_NAMES[k]}: {named[k]}, {tile_words(game, int(after.display[k]))}." for k in new
    ]
    if after.over:
        lines.append(f"The game is over: {result(game, after, viewer)}.")
    return lines


def note(game: Game, before: Any, action: int, after: Any, viewer: Any) -> str:
    """The worshippers and points that a move costs and brings there and then, where its own words do not tell them:
    `−1 white, +2 points`. What a god pays is not known before the end."""
    kind, seat = game.actions.decode(action)[0], int(before.actor)
    if kind == "take god":
        return ""
    moved = "" if kind in ("exchange", "pay", "gain", "discard") else _moved(before.realm[seat], after.realm[seat])
    more = int(scoring.points(after, game.tables[0], seat)) - int(scoring.points(before, game.tables[0], seat))
    told = [*moved.split(", "), f"{more:+d} point{'' if abs(more) == 1 else 's'}" if more else ""]
    told.sort(key=lambda one: one.startswith("+"))
    return ", ".join(filter(None, told)).replace("-", "−")


def _tile(game: Game, tile: int) -> str:
    return f"{tile_of(game, tile)['id']} ({tile_words(game, tile)})"


def _moved(before: Any, after: Any) -> str:
    """Worshippers that came and went."""
    then, now = ([int(number) for number in realm] for realm in (before, after))
    if then == now:
        return ""
    names: list[str] = list(COLOUR_NAMES)
    return gains(dict(zip(names, then, strict=False)), dict(zip(names, now, strict=False)))


def _seat(game: Game, before: Any, after: Any, owner: int, viewer: Any) -> list[str]:
    """What one seat gained and lost."""
    says = yours if owner == viewer else str
    parts = [moved] if (moved := _moved(before.realm[owner], after.realm[owner])) else []
    if after.god[owner] != before.god[owner]:
        god = int(after.god[owner])
        parts.append(says(f"takes the {god_name(god)} ({god_words(game, god)})"))
    if after.placed[owner] > before.placed[owner]:
        cell = next(k for k, tile in enumerate(after.tiles[owner]) if tile != NONE and tile not in before.tiles[owner])
        tile = int(after.tiles[owner, cell])
        wild = bool(int(after.wild[owner]) >> cell & 1)
        parts.append(says("builds a wilderness" if wild else f"builds the tile {_tile(game, tile)}"))
    if any((before[name] != after[name]).any() for name in ("placed", "god", "active", "cancelled")):
        then, now = (int(scoring.points(g, game.tables[0], owner)) for g in (before, after))
        parts += [f"points {then} → {now}"] if then != now else []
    return [f"{seat_name(owner, viewer)}: {', '.join(parts)}."] if parts else []
