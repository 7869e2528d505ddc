"""Writing the ledger of a game: every decision becomes a command, and every turn, answer and reward a row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.actions import BOARD, CODEC, POWER_ACTIONS
from theogony.envs.terra_mystica.components import BONUS, COLOURS, CULTS, FACTIONS, POWER_COST, SCORING
from theogony.envs.terra_mystica.rules.bits import ZERO
from theogony.envs.terra_mystica.rules.targets import distance
from theogony.envs.terra_mystica.rules.turn import decide, next_station
from theogony.envs.terra_mystica.state import (
    COLOUR,
    CULT_SPADES,
    DRAFT,
    MAIN,
    NOT_IN_GAME,
    OFFERS,
    PHASE_SPADES,
    SANDSTORM,
    TURN,
)  # fmt: skip

ENDS = ("done", "pass", "pass with", "leech", "leech more", "decline")  # decisions that end a row
ALWAYS = ("strict-leech", "strict-darkling-sh", "strict-chaosmagician-sh")


def write_ledger(position: Position) -> str:
    """The ledger of a game from its start to where it stands. Raises ValueError when its history is not complete."""
    first = position.states[0]
    if first.ply != 0:
        raise ValueError("the ledger of a game needs its whole history: this position is a copy that began in mid-game")
    rows = "\n".join(f"{faction}: {'. '.join(commands)}" for faction, commands, _ in written_rows(position))
    return "\n".join([*written_setup(position), "", rows, ""])


def written_setup(position: Position) -> Iterator[str]:
    """Options, scoring tiles, cards that are not in the game, factions in turn order."""
    g, options = position.g, position.game.options
    given = {
        "errata-cultist-power": options.cultists_power,
        "mini-expansion-1": options.extra_towns,
        "shipping-bonus": options.ship_card,
        "temple-scoring-tile": options.temple_tile,
        "variable-turn-order": options.turn_order == "passing",
        "chinese-rules": options.ruleset == "chinese",
    }
    yield from (f"option {name}" for name in [*ALWAYS, *(name for name, on in given.items() if on)])
    yield f"score {','.join(SCORING[k] for k in g.scoring)}"
    pool = BONUS if options.ship_card else BONUS[:-1]
    yield from (f"delete {name}" for k, name in enumerate(pool) if g.card_place[k] == NOT_IN_GAME)
    for seat in position.states[0].order[: g.players]:
        if g.faction[seat] >= 0:
            yield f"setup {FACTIONS[g.faction[seat]]}"


def written_rows(position: Position) -> Iterator[tuple[str, list[str], int]]:
    """Rows of one faction each: they end with a turn, and when somebody else decides.

    Yields the faction, the commands, and how many decisions of the game had been made after them.
    """
    row: list[str] = []
    owner = -1
    for k, action in enumerate(position.actions):
        g = position.states[k]
        if g.decision == DRAFT:
            continue
        if row and g.actor != owner:
            yield FACTIONS[position.g.faction[owner]], row, k
            row = []
        owner = int(g.actor)
        _write(position, k, action, row)
        following = position.states[k + 1]
        same_turn = following.actor == owner and following.decision in (MAIN, TURN, COLOUR) and not following.over
        if row and (not same_turn or CODEC.decode(action)[0] in ENDS):
            yield FACTIONS[position.g.faction[owner]], row, k + 1
            row = []
        for seat, spades in given_up(position, k, action):
            yield FACTIONS[position.g.faction[seat]], [f"-{spades}SPADE"], k + 1
    if row:
        yield FACTIONS[position.g.faction[owner]], row, len(position.actions)


def given_up(position: Position, k: int, action: int) -> Iterator[tuple[int, int]]:
    """Seats and spades of the cult bonus that no space took after a decision: other programs expect a row for them."""
    g, t = position.states[k].copy(), position.game.tables[0]
    if g.spade_use != PHASE_SPADES and CODEC.decode(action)[0] not in ("pass", "pass with"):
        return
    decide(g, t, action)
    while g.decision >= OFFERS:
        due = g.spades_due.copy()
        next_station(g, t)
        if np.any(due):
            yield from ((int(s), int(due[s])) for s in g.order[: g.players] if due[s] and not g.spades_due[s])


def _write(position: Position, k: int, action: int, row: list[str]) -> None:
    """Add the commands of one decision to a row."""
    g, t = position.states[k], position.game.tables[0]
    kind, arguments = CODEC.decode(action)
    if kind == "to":
        _write_colour(g, t, int(g.target), str(arguments[0]), row)
    elif kind == "transform":
        _write_colour(g, t, BOARD.land.index(str(arguments[0])), COLOURS[t.home[g.faction[g.actor]]], row)
    elif kind == "transform partly":
        following = position.states[k + 1]
        if following.decision != COLOUR:  # else it is chosen next
            space = BOARD.land.index(str(arguments[0]))
            _write_colour(g, t, space, COLOURS[following.terrain[space]], row)
    elif kind == "power action":
        lacking = POWER_COST[POWER_ACTIONS.index(str(arguments[0]))] - int(g.bowls[g.actor, 2])
        row += [f"burn {lacking}"] if lacking > 0 else []
        row.append(CODEC.text(action))
    elif kind in ("leech", "leech more", "decline"):
        verb, power = "decline" if kind == "decline" else "leech", int(g.offer_power[g.offer_next])
        row.append(f"{verb} {power} from {FACTIONS[g.faction[g.turn]]}")
    elif kind == "cult":
        _write_step(g, str(arguments[0]), row)
    elif kind == "done":
        if g.decision == CULT_SPADES:
            row.append(f"-{int(g.spades)}SPADE")
        elif g.sites[0] | g.sites[1] != ZERO:
            row.append("done")
    else:
        row.append(CODEC.text(action))


def _write_colour(g: Any, t: Any, space: int, colour: str, row: list[str]) -> None:
    """`dig n` for the spades that are bought, then the space and its colour."""
    steps = int(distance(g, t, int(g.actor), space, COLOURS.index(colour)))
    bought = 0 if g.spade_use == SANDSTORM else max(0, steps - int(g.spades))
    if bought:
        row.append(f"dig {bought}")
    row.append(f"transform {BOARD.land[space]} to {colour}")


def _write_step(g: Any, cult: str, row: list[str]) -> None:
    """`+CULT`; a track chosen for a scarce key is written as `-CULT` for the others, before the town tile."""
    if not g.key_choice:
        row.append(f"+{int(g.steps_due)}{cult}")
        return
    tile = max(k for k, command in enumerate(row) if command.startswith("+TW"))
    others = [f"-{name}" for track, name in enumerate(CULTS) if g.stopped[track] and name != cult]
    row[tile:tile] = [command for command in others if command not in row]
    if f"-{cult}" in row:
        row.remove(f"-{cult}")
