"""The commands of a ledger: from a line's text to words, old spellings included."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from theogony.envs.terra_mystica.components import COLOURS, CULTS, FACTIONS

GOODS = {
    "c": "C", "coin": "C", "coins": "C", "w": "W", "worker": "W", "workers": "W", "p": "P", "priest": "P",
    "priests": "P", "pw": "PW", "power": "PW", "vp": "VP",
}  # fmt: skip
KINDS = {
    "trading post": "TP", "trading house": "TP", "temple": "TE", "stronghold": "SH", "sanctuary": "SA",
}  # fmt: skip
TERRAINS = dict(
    zip(("desert", "plains", "swamp", "lakes", "forest", "mountains", "wasteland"), COLOURS, strict=True)
) | {"lake": "blue", "mountain": "gray", "grey": "gray"}
SHOWN = 60  # characters of a stranger's text in a message


def shown(text: object) -> str:
    """Text of a stranger as it may stand in a message: one line, short, without control characters."""
    plain = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text)[: SHOWN + 1])
    return plain if len(plain) <= SHOWN else plain[: SHOWN - 3] + "..."


class LedgerError(ValueError):
    """A row of a ledger cannot be read or played. `line` is its number, where there is one."""

    def __init__(self, reason: str, line: int | None = None, text: str = "") -> None:
        where = "" if line is None else f"line {line}: "
        super().__init__(f"{where}{shown(text) + ': ' if text else ''}{reason}")
        self.reason, self.line, self.text = reason, line, text


@dataclass
class Command:
    """One command: `name` and its words, and the text it was read from."""

    name: str
    words: dict[str, Any] = field(default_factory=dict)
    text: str = ""

    def __getattr__(self, word: str) -> Any:
        try:
            return self.__dict__["words"][word]
        except KeyError:
            raise AttributeError(f"command {self.__dict__.get('text')!r} has no {word!r}") from None


SPACE = r"[a-i]\d{1,2}"
GOOD = "|".join(sorted(GOODS, key=len, reverse=True))
# How the words of a command are written. `<space>` in a pattern is such a word, `<number:[1-3]>` one that is narrower.
WORDS = {
    "space": SPACE, "first": SPACE, "second": SPACE, "spaces": f"{SPACE}(?::{SPACE}){{1,2}}", "river": r"r\d{1,2}",
    "number": r"\d{1,3}", "given": r"\d{1,3}", "taken": r"\d{1,3}", "give": GOOD, "take": GOOD,
    "colour": "[a-z]+", "source": "[a-z]+", "faction": "[a-z]+", "cult": "fire|water|earth|air",
    "kind": "|".join(["tp", "te", "sh", "sa", *KINDS]), "what": r"act[1-6a-z]|bon\d{1,2}|fav\d{1,2}",
    "card": r"bon\d{1,2}", "tiles": r"score\d{1,2}(?:,score\d{1,2})*",
    "gift": "spade|free_d|free_tf|free_tp|bridge|cult|gain_favor|gain_tw|convert_w_to_p",
}  # fmt: skip
# Name of a command, how it is written (for messages), and its pattern. The first that fits is taken.
TABLE = r"""
build              build H                          build <space>
dig                dig n                            dig <number>
transform          transform H [to colour]          transform <space>(?: to <colour>)?
upgrade            upgrade H to TP|TE|SH|SA         upgrade <space> to <kind>
action             action ACTn|BONn|FAVn            action <what>
bridge             bridge H:H                       bridge <first>:<second>
send               send p to CULT [for n]           send (?:p|priest) to <cult:[a-z]+>(?: (?:for )?<number:[1-3]>)?
advance            advance ship|dig                 advance <track:ship|dig>(?:ping|ging)?
pass               pass [BONn]                      (?:pass(?: |$)|\+)<card>?
burn               burn n                           burn <number>
convert            convert [n]X to [n]Y with X, Y of C, W, P, PW, VP   convert <given>? ?<give> to <taken>? ?<take>
leech              leech n [from F]                 leech <number>(?: from <source>)?
decline            decline [n] [from F]             decline(?: <number>)?(?: from <source>)?
favor              +FAVn                            \+<tile:fav\d{1,2}>
town               +[n]TWn                          \+<number:\d>?<tile:tw\d{1,2}>
cult               +[n]CULT                         \+<number:\d>?<cult>
not cult           -CULT                            -<number:1>?<cult>
give up            -[n]SPADE|FREE_D|FREE_TF|FREE_TP|BRIDGE|CULT|GAIN_FAVOR|GAIN_TW|CONVERT_W_TO_P   -<number>? ?<gift>s?
lose               -[n]C|W|P|PW                     -<number>? ?<give:coins?|workers?|priests?|power|pw|c|w|p>
engineers' bridge  convert 2W to BRIDGE             convert 2 ?w to 1?bridge
connect river      connect rN                       connect <river>
connect            connect H:H[:H]                  connect <spaces>
wait               wait                             wait
done               done                             done
automatic          income   (?:cult_|other_|all_)?income_for_faction|income|start|finish|setup|score_resources
automatic          [remark]                         \[[a-z ]+\]|\+\d{1,3}vp for [\w -]+
option             option NAME                      option <option:[a-z0-9/_-]+>
score              score SCOREn,... (six)           score <tiles>
delete             delete BONn                      delete <card>
setup              setup FACTION                    setup <faction>(?: for \S+)?(?: email \S+)?
table              player NAME                      player \S.*|player-count \d+|order \S+|map original|admin email .*
"""


def _pattern(text: str) -> re.Pattern[str]:
    """A pattern of the table with its words written out, each a group of its name."""
    plain = re.sub(r"<(\w+)(?::(.+?))?>", lambda m: f"(?P<{m[1]}>{m[2] or WORDS[m[1]]})", text)
    return re.compile(plain, re.ASCII)


ROWS = [re.split(" {2,}", row) for row in TABLE.strip().split("\n")]
FORMS = [(name, form, _pattern(text)) for name, form, text in ROWS]
FOREIGN = {  # commands that are understood and cannot be followed, and what to do
    "randomize": "tiles drawn by another program are not known here: write `score` and `delete` instead",
    "drop-faction": "a game that a player leaves cannot be played on",
    "resign": "a game that a player leaves cannot be played on",
    "map": "only the original map is known",
}


def read_command(text: str) -> Command:
    """A command from its text; case and white space do not matter. Raises LedgerError when it is none."""
    plain = re.sub(r"(?<=[:+,-]) | (?=[:,])", "", " ".join(text.lower().split()))
    for name, _, pattern in FORMS:
        if match := pattern.fullmatch(plain):
            words = {key: _word(key, value, text) for key, value in match.groupdict().items()}
            return Command(name, words, shown(" ".join(text.split())))
    raise LedgerError(_expected(plain), text=text.strip())


def _expected(plain: str) -> str:
    """What a text that is no command should have been."""
    first = plain.split(" ")[0]
    if first in FOREIGN:
        return FOREIGN[first]
    forms = [
        form for _, form, _ in FORMS if form.split(" ")[0] == first or (first[:1] in "+-" and form[0] == first[:1])
    ]
    if forms and first:
        return f"expected {' or '.join(f'`{form}`' for form in forms)}"
    known = dict.fromkeys(form.split(" ")[0] for _, form, _ in FORMS)
    return f"{shown(first)!r} is not a command of the ledger; known are {', '.join(known)}"


READ: dict[str, Callable[[str], Any]] = {  # how a word is read; others are taken as they are
    **dict.fromkeys(("number", "given", "taken"), int),
    **dict.fromkeys(("space", "first", "second", "spaces", "card", "tile", "tiles", "what", "cult"), str.upper),
    **dict.fromkeys(("give", "take"), GOODS.__getitem__),
    "kind": lambda word: KINDS.get(word, word.upper()),
    "colour": lambda word: TERRAINS.get(word, word),
}
ONE_OF = {"colour": ("colour", COLOURS), "cult": ("cult", CULTS)}
ONE_OF |= {word: ("faction", FACTIONS) for word in ("source", "faction")}


def _word(key: str, value: str | None, text: str) -> Any:
    """The value of one word of a command; None where it is left out. Raises LedgerError for a name of nothing."""
    if not value:
        return None
    found = READ.get(key, str)(value)
    what, names = ONE_OF.get(key, ("", (found,)))
    if found not in names:
        raise LedgerError(f"{shown(found)!r} is no {what}; known are {', '.join(names)}", text=text.strip())
    return found


# Two commands in a row that people write in this order and mean in the other.
SWAPPED = {("pass", "convert"), ("pass", "burn"), ("dig", "action"), ("build", "transform")}


def in_order(commands: list[Command]) -> list[Command]:
    """A row's commands in the order they are meant: answers first, old orders swapped, equal steps added up."""
    answers = [c for c in commands if c.name in ("leech", "decline")]
    others: list[Command] = []
    for command in commands:
        last = others[-1] if others else None
        if command.name in ("leech", "decline"):
            continue
        if last is not None and (last.name, command.name) in SWAPPED:
            others.insert(-1, command)
        elif last is not None and last.name == command.name == "cult" and last.cult == command.cult:
            steps = {"number": (last.number or 1) + (command.number or 1), "cult": last.cult}
            others[-1] = Command("cult", steps, f"{last.text}. {command.text}")
        elif last is not None and last.name == command.name == "pass" and last.card is None:
            others[-1] = command  # `pass. +BONn`
        else:
            others.append(command)
    return answers + others
