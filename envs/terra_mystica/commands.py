"""The commands of a ledger: from a line's text to words, old spellings included."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from theogony.envs.terra_mystica.components import COLOURS, CULTS, FACTIONS

GOODS = {"c": "C", "w": "W", "p": "P", "pw": "PW", "vp": "VP"}
TERRAINS = dict(
    zip(("desert", "plains", "swamp", "lakes", "forest", "mountains", "wasteland"), COLOURS, strict=True)
) | {"lake": "blue", "mountain": "gray", "grey": "gray"}
ADVANCES = {"ship": "ship", "shipping": "ship", "dig": "dig", "digging": "dig"}


class LedgerError(ValueError):
    """A row of a ledger cannot be read or played. `line` is its number, where there is one."""

    def __init__(self, reason: str, line: int | None = None, text: str = "") -> None:
        where = "" if line is None else f"line {line}: "
        super().__init__(f"{where}{text + ': ' if text else ''}{reason}")
        self.reason, self.line, self.text = reason, line, text


@dataclass
class Command:
    """One command: `name` and its words, and the text it was read from."""

    name: str
    words: dict[str, Any] = field(default_factory=dict)
    text: str = ""

    def __getattr__(self, word: str) -> Any:
        try:
            return self.words[word]
        except KeyError:
            raise AttributeError(f"command {self.text!r} has no {word!r}") from None


PATTERNS = [
    (name, re.compile(pattern))
    for name, pattern in (
        ("build", r"build (?P<space>[a-i]\d+)"),
        ("dig", r"dig (?P<number>\d+)"),
        ("transform", r"transform (?P<space>[a-i]\d+)(?: to (?P<colour>[a-z]+))?"),
        ("upgrade", r"upgrade (?P<space>[a-i]\d+) to (?P<kind>tp|te|sh|sa)"),
        ("action", r"action (?P<what>act[1-6a-z]|bon\d+|fav\d+)"),
        ("bridge", r"bridge (?P<first>[a-i]\d+):(?P<second>[a-i]\d+)"),
        ("send", r"send p to (?P<cult>[a-z]+)(?: (?:for )?(?P<number>\d))?"),
        ("advance", r"advance (?P<what>[a-z]+)"),
        ("pass", r"pass(?: (?P<card>bon\d+))?"),
        ("burn", r"burn (?P<number>\d+)"),
        ("convert", r"convert (?P<given>\d*) ?(?P<give>pw|vp|p|w|c) to (?P<taken>\d*) ?(?P<take>pw|vp|p|w|c)"),
        ("leech", r"leech (?P<number>\d+)(?: from (?P<source>[a-z]+))?"),
        ("decline", r"decline(?: (?P<number>\d+))?(?: from (?P<source>[a-z]+))?"),
        ("favor", r"\+ ?(?P<tile>fav\d+)"),
        ("town", r"\+ ?(?P<number>\d*)(?P<tile>tw\d+)"),
        ("cult", r"\+ ?(?P<number>\d*)(?P<cult>fire|water|earth|air)"),
        ("not cult", r"- ?(?P<number>\d*)(?P<cult>fire|water|earth|air)"),
        ("no spade", r"- ?(?P<number>\d*)spades?"),
        ("no priests", r"- ?(?P<number>\d*)convert_w_to_p"),
        ("connect river", r"connect (?P<river>r\d+)"),
        ("connect", r"connect (?P<spaces>[a-i]\d+(?::[a-i]\d+)+)"),
        ("wait", r"wait"),
        ("done", r"done"),
        ("option", r"option (?P<option>[a-z0-9-]+)"),
        ("score", r"score (?P<tiles>score\d+(?: ?, ?score\d+)*)"),
        ("delete", r"delete (?P<card>bon\d+)"),
        ("setup", r"setup (?P<faction>[a-z]+)"),
    )
]
UPPER = ("space", "first", "second", "card", "tile", "kind", "spaces", "tiles")


def read_command(text: str) -> Command:
    """A command from its text; case and white space do not matter. Raises LedgerError when it is none."""
    plain = " ".join(text.lower().split())
    for name, pattern in PATTERNS:
        if match := pattern.fullmatch(plain):
            words = {key: _word(key, value, text) for key, value in match.groupdict().items()}
            return Command(name, words, " ".join(text.split()))
    raise LedgerError("is not a command of the ledger", text=text.strip())


def _word(key: str, value: str | None, text: str) -> Any:
    if value is None:
        return None
    if key in ("number", "given", "taken"):
        return int(value) if value else None
    if key in UPPER or (key == "what" and value not in ADVANCES):
        return value.upper()
    if key in ("give", "take"):
        return GOODS[value]
    if key == "what":
        return ADVANCES[value]
    if key == "colour":
        return _known(TERRAINS.get(value, value), COLOURS, "colour", text)
    if key == "cult":
        return _known(value.upper(), CULTS, "cult", text)
    if key in ("source", "faction"):
        return _known(value, FACTIONS, "faction", text)
    return value


def _known(value: str, names: tuple[str, ...], what: str, text: str) -> str:
    if value not in names:
        raise LedgerError(f"{value!r} is no {what}; known are {', '.join(names)}", text=text.strip())
    return value


def split_commands(text: str) -> list[str]:
    """The commands of a row, separated by full stops."""
    return [part.strip() for part in text.split(".") if part.strip()]


def in_order(commands: list[Command]) -> list[Command]:
    """A row's commands in the order they are meant: answers first, `build X. transform Y` and `pass. convert` swapped.

    Conversions and burning written after a pass belong before it.
    """
    answers = [c for c in commands if c.name in ("leech", "decline")]
    others = [c for c in commands if c.name not in ("leech", "decline")]
    for k in range(len(others) - 1):
        if others[k].name == "pass" and others[k + 1].name in ("convert", "burn"):
            others[k], others[k + 1] = others[k + 1], others[k]
    return answers + others
