"""Ledgers: the text files in which games of Terra Mystica are written down. Reading, playing and writing them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from theogony.envs.core.game import Game, OptionError
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load
from theogony.envs.terra_mystica import state
from theogony.envs.terra_mystica.actions import BOARD, CODEC, POWER_ACTIONS
from theogony.envs.terra_mystica.components import BONUS, COLOURS, CULTS, FACTIONS, POWER_COST, ROUNDS, SCORING
from theogony.envs.terra_mystica.ledger.commands import Command, LedgerError, in_order, read_command
from theogony.envs.terra_mystica.ledger.importer import Importer
from theogony.envs.terra_mystica.ledger.turns import Listener, Moment, TurnGame
from theogony.envs.terra_mystica.rules.bits import ZERO
from theogony.envs.terra_mystica.rules.targets import distance
from theogony.envs.terra_mystica.rules.turn import decide, next_station

DEPTH = 48  # readings not yet tried that are kept
TRIES = 400  # readings tried for one row that does not fit

PlayRow = Callable[[int], list[Any]]  # plays a row by its number and tells what does not fit; raises LedgerError
Accept = Callable[[list[Any]], None]  # hears what does not fit in any reading
Branch = tuple[int, Moment, tuple[int, ...]]  # a reading not tried: the row, the game before it, the choices there


@dataclass
class Failure:
    """The furthest row that did not fit, in the first reading that got there."""

    row: int = -1
    error: LedgerError | None = None  # it could not be played ...
    misfits: Sequence[Any] = ()  # ... or was played and does not fit
    moment: Moment | None = None  # the game after it
    tries: int = 0


class Search:
    """Plays rows one after the other, depth first through their readings."""

    def __init__(self, game: TurnGame, play: PlayRow, accept: Accept) -> None:
        self.game, self.play, self.accept = game, play, accept
        self.branches: deque[Branch] = deque(maxlen=DEPTH)
        self.failure = Failure()

    def run(self, count: int) -> None:
        """Play all rows. Raises LedgerError of the furthest row when it cannot be played in any reading tried."""
        row, script = 0, ()
        while row < count:
            error, misfits = self.try_row(row, script)
            if error is None and not misfits:
                row, script = row + 1, ()
                continue
            self.note(row, error, misfits)
            row, script = self.next_reading()

    def try_row(self, row: int, script: tuple[int, ...]) -> tuple[LedgerError | None, list[Any]]:
        """Play a row in one reading; its other readings are kept for later."""
        game = self.game
        before = game.save()
        game.script, game.made = script, []
        error, misfits = None, []
        try:
            misfits = self.play(row)
        except LedgerError as problem:
            error = problem
        self.branches.extend((row, before, other) for other in others(script, game.made))
        return error, misfits

    def note(self, row: int, error: LedgerError | None, misfits: list[Any]) -> None:
        """Remember the furthest failure; one that was played counts more than one that could not be."""
        if row > self.failure.row:
            self.failure = Failure(row, error, misfits, None if error else self.game.save())
        elif row == self.failure.row and self.failure.error and error is None:
            self.failure = Failure(row, None, misfits, self.game.save(), self.failure.tries)
        self.failure.tries += 1

    def next_reading(self) -> tuple[int, tuple[int, ...]]:
        """Go back to the latest reading not tried; without any, go on in the first one or give up."""
        failure = self.failure
        if self.branches and failure.tries < TRIES:
            row, moment, script = self.branches.pop()
            self.game.load(moment)
            return row, script
        if failure.error is not None or failure.moment is None:
            raise failure.error or LedgerError("no reading fits")
        self.game.load(failure.moment)
        self.accept(list(failure.misfits))
        self.branches.clear()
        return failure.row + 1, ()


def others(script: tuple[int, ...], made: Sequence[tuple[int, int]]) -> list[tuple[int, ...]]:
    """The readings of a row that differ from the one made after its script: the last choice comes last."""
    choices = tuple(choice for choice, _ in made)
    return [
        (*choices[:k], choice)
        for k in range(len(script), len(made))
        for choice in range(made[k][1] - 1, 0, -1)
    ]  # fmt: skip


# ---- Writing the ledger of a game: every decision becomes a command, and every turn, answer and reward a row -----

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
    yield from (f"delete {name}" for k, name in enumerate(pool) if g.card_place[k] == state.NOT_IN_GAME)
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
        if g.decision == state.DRAFT:
            continue
        if row and g.actor != owner:
            yield FACTIONS[position.g.faction[owner]], row, k
            row = []
        owner = int(g.actor)
        _write(position, k, action, row)
        following = position.states[k + 1]
        same_turn = (
            following.actor == owner
            and following.decision in (state.MAIN, state.TURN, state.COLOUR)
            and not following.over
        )
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
    if g.spade_use != state.PHASE_SPADES and CODEC.decode(action)[0] not in ("pass", "pass with"):
        return
    decide(g, t, action)
    while g.decision >= state.OFFERS:
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
        if following.decision != state.COLOUR:  # else it is chosen next
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
        if g.decision == state.CULT_SPADES:
            row.append(f"-{int(g.spades)}SPADE")
        elif g.sites[0] | g.sites[1] != ZERO:
            row.append("done")
    else:
        row.append(CODEC.text(action))


def _write_colour(g: Any, t: Any, space: int, colour: str, row: list[str]) -> None:
    """`dig n` for the spades that are bought, then the space and its colour."""
    steps = int(distance(g, t, int(g.actor), space, COLOURS.index(colour)))
    bought = 0 if g.spade_use == state.SANDSTORM else max(0, steps - int(g.spades))
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


# ---- Ledgers: the text files in which games of Terra Mystica are written down. Reading, playing and writing them ---

OPTIONS = {  # options of ledgers: ours, or None where we always play so
    "mini-expansion-1": ("extra_towns", True),
    "shipping-bonus": ("ship_card", True),
    "temple-scoring-tile": ("temple_tile", True),
    "variable-turn-order": ("turn_order", "passing"),
    "errata-cultist-power": ("cultists_power", True),
    "chinese-rules": ("ruleset", "chinese"),  # our own: other engines do not know it
    "strict-leech": None,
    "strict-darkling-sh": None,
    "strict-chaosmagician-sh": None,
    "email-notify": None,
    "maintain-player-order": None,
}
LOOSE = "loose-"  # options that let a player do what the rules forbid: the rows say whether somebody did
LARGEST = 1 << 20  # bytes of a ledger; a long game has 20,000
ENDS_STREAM = ("leech", "decline", "pass")  # commands after which a row ends by force


@dataclass
class Row:
    """Commands of one faction in a row, from this line on."""

    line: int
    faction: str
    commands: list[Command]


@dataclass
class Ledger:
    """A game as it was written down. What stands before the first row, then the rows."""

    options: dict[str, object] = field(default_factory=lambda: {"cultists_power": False})
    scoring: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    factions: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def game(self) -> Game:
        """The game with the ledger's options. Raises LedgerError."""
        try:
            return load("terra_mystica").configure({"players": len(self.factions), **self.options})
        except OptionError as error:
            raise LedgerError(str(error)) from None


def read_ledger(text: str) -> Ledger:
    """A ledger from its text. Raises LedgerError with the line and the reason."""
    ledger = Ledger()
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        content = line.split("#")[0].strip()
        if not content:
            continue
        try:
            read_line(ledger, number, content)
        except LedgerError as error:
            raise LedgerError(error.reason, number, error.text or content) from None
    return ledger


def read_line(ledger: Ledger, number: int, content: str) -> None:
    """One line: a row of a faction in the game, or a command before the first row. Raises LedgerError."""
    faction, colon, commands = content.partition(":")
    faction = faction.strip().lower()
    if colon and faction in ledger.factions:
        read = in_order([read_command(part) for part in commands.split(".") if part.strip()])
        ledger.rows.append(Row(number, faction, read))
    elif ledger.rows:
        if not colon and read_command(content).name in ("automatic", "table"):
            return  # `start` and the like, between the rounds
        raise LedgerError("a row begins with one of the factions in the game and a colon")
    else:
        read_setup(ledger, read_command(content))


def load_ledger(path: str | Path) -> Ledger:
    """A ledger from a file. Raises LedgerError naming the file."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise LedgerError(f"is no ledger: larger than {LARGEST} bytes")
        return read_ledger(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        problem = f"is no ledger: byte {error.start} is not text in UTF-8"
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
    except LedgerError as error:
        problem = str(error)
    raise LedgerError(f"{path}: {problem}")


def read_setup(ledger: Ledger, command: Command) -> None:
    """One command before the first row. Raises LedgerError when it does not belong there."""
    if command.name == "option":
        read_option(ledger, command)
    elif command.name == "score":
        ledger.scoring = command.tiles.split(",")
    elif command.name == "delete":
        ledger.removed.append(command.card)
    elif command.name == "setup":
        if command.faction in ledger.factions:
            raise LedgerError("this faction is in the game already", text=command.text)
        ledger.factions.append(command.faction)
    elif command.name not in ("table", "automatic"):
        raise LedgerError("does not belong before the first row", text=command.text)


def read_option(ledger: Ledger, command: Command) -> None:
    """`option NAME`. Raises LedgerError when it asks for what is not played here."""
    if command.option.startswith(LOOSE):
        return
    if command.option not in OPTIONS:
        raise LedgerError(f"unknown option; known are {', '.join(OPTIONS)}", text=command.text)
    ours = OPTIONS[command.option]
    if ours is not None:
        ledger.options[ours[0]] = ours[1]


def streams(rows: list[Row]) -> list[Row]:
    """Consecutive rows of one faction are one stream, up to an answer to a power offer or a pass."""
    out: list[Row] = []
    for row in rows:
        last = out[-1] if out else None
        new = _named(row, 0, ("leech", "decline"))
        if last is not None and last.faction == row.faction and not _named(last, -1, ENDS_STREAM) and not new:
            last.commands.extend(row.commands)
        else:
            out.append(Row(row.line, row.faction, list(row.commands)))
    return out


def _named(row: Row, at: int, names: tuple[str, ...]) -> bool:
    return bool(row.commands) and row.commands[at].name in names


def play_ledger(ledger: Ledger, listener: Listener | None = None) -> Importer:
    """Play a ledger to its end. `listener(position, action)` is called before every decision.

    What the listener returns is found in `notes` of the importer. Where a row can be read in two ways it may be called
    in vain: only the notes of the reading that was kept are in `notes`.
    Raises LedgerError with the line of the row and the reason why it cannot be played.
    """
    importer = Importer(ledger.game(), listener)
    importer.arrange(ledger.scoring, ledger.removed, ledger.factions)
    play_rows(importer, ledger.rows)
    return importer


def play_rows(importer: Importer, rows: list[Row]) -> None:
    """Play rows of a ledger from where a game stands. Raises LedgerError as `play_ledger` does."""
    parts = streams(rows)

    def play(number: int) -> list[None]:
        row = parts[number]
        try:
            importer.row(row.faction, row.commands)
            if number + 1 == len(parts):
                importer.finish_turn(importer.seat_of(row.faction))
                if importer.position.g.round_number == ROUNDS:
                    importer.release()
        except LedgerError as error:
            text = f"{row.faction}: {error.text}" if error.text else row.faction
            raise LedgerError(error.reason, row.line, text) from None
        return []

    Search(importer, play, lambda misfits: None).run(len(parts))
