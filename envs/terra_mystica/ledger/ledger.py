"""Ledgers: the text files in which games of Terra Mystica are written down. Reading, playing and writing them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from theogony.envs.core.game import Game, OptionError
from theogony.envs.core.registry import load
from theogony.envs.terra_mystica.components import ROUNDS
from theogony.envs.terra_mystica.ledger.commands import Command, LedgerError, in_order, read_command, split_commands
from theogony.envs.terra_mystica.ledger.importer import Importer
from theogony.envs.terra_mystica.ledger.readings import Search
from theogony.envs.terra_mystica.ledger.writer import write_ledger
from theogony.envs.terra_mystica.ledger.written_game import Listener

__all__ = ["OPTIONS", "Ledger", "LedgerError", "Row", "load_ledger", "play_ledger", "read_ledger", "write_ledger"]

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
        read = in_order([read_command(c) for c in split_commands(commands)])
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
            raise LedgerError(f"{path}: is no ledger: larger than {LARGEST} bytes")
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LedgerError(f"{path}: is no ledger: byte {error.start} is not text in UTF-8") from None
    except OSError as error:
        raise LedgerError(f"{path}: cannot be read: {error.strerror or error}") from None
    try:
        return read_ledger(text)
    except LedgerError as error:
        raise LedgerError(f"{path}: {error}") from None


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
        if last is not None and last.faction == row.faction and not _ends(last) and not _answers(row):
            last.commands.extend(row.commands)
        else:
            out.append(Row(row.line, row.faction, list(row.commands)))
    return out


def _ends(row: Row) -> bool:
    return bool(row.commands) and row.commands[-1].name in ENDS_STREAM


def _answers(row: Row) -> bool:
    return bool(row.commands) and row.commands[0].name in ("leech", "decline")


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
