"""Short texts for readers who remember: rules without what a text can tell when it comes up, then what has changed.

A word of the vocabulary is explained when it is named for the first time, unless the rules have done so; a part of the
position is repeated when it has changed, and legal moves stand together by their kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from theogony.envs.core.actions import ActionCodec
from theogony.envs.core.vocabulary import Entry, Vocabulary
from theogony.wrappers.text.changes import Parts, differences, parts_of, shown_whole

EXAMPLES = re.compile(r"\*\*§[\d.]+ Examples.*?(?=\n\n|\Z)", re.DOTALL)
RULINGS = re.compile(r"^## Rulings\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)  # those that are cited are told
CITED = re.compile(r"(?<![\w-])[RAD]\d{1,3}[a-z]?\b(?![-.:]\d)")
TABLE = re.compile(r"^\| *([^|\n]*?) *\|.*\n(?:\|.*(?:\n|\Z))*", re.MULTILINE)
EMPTY = re.compile(r"^#+ .*\n+(?=#|\Z)", re.MULTILINE)  # a heading with nothing below it
EXPLAINED = ("card", "tile", "god", "action", "here")  # first columns of tables of what is explained when it is named
NOTATION = "text, for example"  # the first column of the table of moves
BREAK, MANY = ", ", "; "  # between moves; the second where one of them holds the first
EACH = "; each: "  # between what moves begin with and how they may go on
SILENT = (
    "action",
    "phase",
    "ruling",
    "place",
    "space",
    "river space",
    "bridge",
    "row",
    "push",
    "turn",
    "conversion",
    "play",
    "role",
    "colour",
    "first game",  # advice: a model is measured by what it finds itself
)
IN_RULES = ("icon", "splay")  # kinds that the rules explain, where they are told


def rules_in_brief(rules: str, words: Vocabulary, notation: bool = False) -> str:
    """The rules without examples and without tables of what is explained when it is named; of the rulings those that
    are cited. The table of moves stays with `notation`, where no text lists them."""
    left_out = EXPLAINED if notation else (*EXPLAINED, NOTATION)
    kept = EXAMPLES.sub("", RULINGS.sub("", rules))
    kept = TABLE.sub(lambda table: "" if table[1] in left_out else table[0], kept)
    parts = [EMPTY.sub("", f"{kept.strip()}\n")]
    cited = set(CITED.findall(parts[0])) & {entry.key for entry in words.of("ruling")}
    for key in sorted(cited, key=lambda key: (key[0], int(re.sub(r"\D", "", key)), key)):
        parts.append(f"{key}: {words['ruling', key].name} {words['ruling', key].does}.")
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(part.strip() for part in parts))


def grouped(codec: ActionCodec, moves: Iterable[tuple[int, str]]) -> list[str]:
    """Moves (ids and texts as they are shown) by kind: what they begin with, then what follows on it; where every end
    goes with every one of these, once: `place at: b2, c3; each: turned 0, turned 1`."""
    kinds: dict[str, list[str]] = {}
    for action, shown in moves:
        kinds.setdefault(codec.decode(action)[0], []).append(shown)
    lines = []
    for shown in (some for kind in kinds.values() for some in _by_first_word(kind)):
        head = _beginning(shown)
        rest = [one[len(head) + 1 :] for one in shown] if head else shown
        lines += [f"- {head}: {line}" if head else f"- {line}" for line in _crossed(rest)]
    return lines


def _by_first_word(shown: list[str]) -> list[list[str]]:
    """Moves of a kind by the word with which they begin, where several share one or it says who moves, as `hero:`."""
    found: dict[str, list[str]] = {}
    for one in shown:
        found.setdefault(one.partition(" ")[0], []).append(one)
    apart = len(found) < len(shown) or any(word.endswith(":") for word in found)
    return [*found.values()] if apart else [shown]


def _crossed(rest: list[str]) -> list[str]:
    """Ends of moves as lines: first words that have the same ends stand together, where that is shorter."""
    plain = (MANY if any(BREAK in one for one in rest) else BREAK).join(rest)
    if any("(" in one or " " not in one or BREAK in one for one in rest):
        return [plain]
    ends: dict[str, list[str]] = {}
    for one in rest:
        first, _, end = one.partition(" ")
        ends.setdefault(first, []).append(end)
    alike: dict[tuple[str, ...], list[str]] = {}
    for first, found in ends.items():
        alike.setdefault(tuple(found), []).append(first)
    if any(len(firsts) < 2 or len(found) < 2 for found, firsts in alike.items()):
        return [plain]
    lines = [f"{', '.join(firsts)}{EACH}{', '.join(found)}" for found, firsts in alike.items()]
    return lines if sum(map(len, lines)) < len(plain) else [plain]


def _beginning(texts: list[str]) -> str:
    """The words with which several texts begin, as far as all of them go on; "" for a single one."""
    if len(texts) < 2:
        return ""
    common: list[str] = []
    for parts in zip(*(text.split(" ") for text in texts), strict=False):
        if len(set(parts)) > 1:
            break
        common.append(parts[0])
    head = " ".join(common)
    return head if all(text.startswith(f"{head} ") for text in texts) else ""


class Brief:
    """What a reader was told so far, the `rules` among it."""

    def __init__(self, words: Vocabulary, rules: str = "") -> None:
        self._words = words
        self._entries = [entry for entry in words if _says_more(entry) and not (rules and _told_in(rules, entry))]
        self._told: set[str] = set()
        self._parts: Parts = {}

    def explained(self, text: str, before: str = "") -> str:
        """What is named in a text for the first time, a line for all of which the same is said; "" for nothing new.

        What `before` or the text says in parentheses behind the name is not said again.
        """
        alike: dict[tuple[str, str], list[str]] = {}
        for entry in self._entries:
            if entry.name in self._told or not re.search(rf"\b{re.escape(entry.name)}(?!\w)", text):
                continue
            self._told.add(entry.name)
            if f"{entry.name} ({entry.does}" not in before + text:
                alone = f": {entry.name}" if "," in entry.name else ""
                alike.setdefault((self._kind(entry) + alone, entry.does), []).append(entry.name)
        lines = [f"{', '.join(names)} ({kind.partition(': ')[0]}): {does}" for (kind, does), names in alike.items()]
        return "\n".join(["New words:", *lines]) if lines else ""

    def _kind(self, entry: Entry) -> str:
        """What an entry is, with the icon that it bears where the game counts icons."""
        return (
            entry.kind
            if entry.kind == "icon" or ("icon", entry.icon) not in self._words
            else f"{entry.kind}, {entry.icon}"
        )

    def changed(self, text: str) -> str:
        """The position, the first time whole, then what differs from the last one; see `differences`."""
        parts, known = parts_of(text), self._parts
        self._parts = parts
        return shown_whole(parts) if not known else differences(known, parts)


def _says_more(entry: Entry) -> bool:
    """Whether an entry tells more than its name."""
    more = entry.does.casefold() not in ("", entry.name.casefold())
    return more and entry.kind not in SILENT and len(entry.name) > 2


def _told_in(rules: str, entry: Entry) -> bool:
    """Whether the rules explain an entry: its kind, or itself in parentheses, as a term or in a row of a table."""
    name, said = entry.name, " ".join(rules.split())
    row = name[0].isupper() and f"\n| {name} |" in rules
    term = f"*{name[0].upper()}{name[1:]}*:" in said
    return entry.kind in IN_RULES or row or term or f"{name} ({entry.does})" in said
