"""Short texts for readers who remember: rules without what a text can tell when it comes up, then what has changed.

A word of the vocabulary is explained when it is named for the first time, unless the rules have done so; a part of the
position is repeated when it has changed, and legal moves stand together by their kinds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from theogony.envs.core.actions import ActionCodec
from theogony.envs.core.game import GameSpec
from theogony.envs.core.vocabulary import Entry, Vocabulary, rules_text, sentence

AS_BEFORE = (
    "a part or a line that is not repeated is as before, and so is what a list calls `the rest`, and a row of a "
    "drawing that is not `drawn anew`."
)
HOW = f"The position is told whole now, and later what has changed: {AS_BEFORE}"
WITHIN = f"Within your turn only what has changed is told: {AS_BEFORE}"
GONE, NONE, REST = "No longer there: ", "(no longer there)", "the rest"
WITHOUT = (" (without ", ")")  # around what the rest lacks of what there was
ANEW = " (drawn anew)"
HEADING = ("", 1)  # the name of the first part, whatever it says
PLACE = re.compile(r"[a-z]\d+ ")  # with which a cell of a table of places begins
ROW = re.compile(r"^\d+(?=[ >]*\|)")  # with which a row of a drawing begins; its further lines have no number
FRAME = re.compile(r"[\s+|-]+")  # a line that draws nothing but a frame
SHORT = 24  # characters of a name that ends with a colon
NOTE = re.compile(r" \([^)]*\)(?=:)")  # behind a name: (you)
TO_ACT = "* "  # before the one who is to act
GAP = re.compile(r"(?<=\S) {2,}")
COMMA = re.compile(r", (?![^()]*\))")
SIGNS = re.compile(r"^(?:[^\w]+|\d+ ×) ")  # before a name in a list: how a pile lies, how many there are
FIRST = re.compile(r"(?:[\w ]{1,24}:|\S+)(?= |$)")  # what a line below the first of a part begins with

Name = tuple[str, int]  # what a part is called, and which of that name it is
Parts = dict[Name, list[str]]


def parts_of(text: str) -> Parts:
    """The parts of a position."""
    found: Parts = {}
    seen: Counter[str] = Counter()
    for block in blocks_of(text):
        for lines in _places(block) or [_squeezed(block)]:
            if _unframed(lines):
                name = name_of(lines[0]) if found else HEADING[0]
                seen[name] += 1
                found[name, seen[name]] = lines
    return found


def shown_whole(parts: Parts) -> str:
    """All parts, without lines that draw nothing but a frame."""
    return "\n".join(line for lines in parts.values() for line in _unframed(lines))


def differences(old: Parts, new: Parts) -> str:
    """What is to be told to a reader of `old`."""
    lines: list[str] = []
    ambiguous = {name for name, number in (*old, *new) if number > 1}  # one of several would not say which it is
    again = {name[0] for name, part in new.items() if part != old.get(name)} & ambiguous
    for name, part in new.items():
        if name[0] in again or part != old.get(name):
            lines += _unframed(part) if name[0] in again else _changes(old.get(name), part)
    if gone := [called(part[0]) for name, part in old.items() if name not in new]:
        lines.append(f"{GONE}{', '.join(gone)}.")
    return "\n".join(lines)


def listed(line: str) -> list[str]:
    """The items of a list; a comma within parentheses parts none."""
    return COMMA.split(line)


def short_names(some: list[str], items: list[str]) -> list[str]:
    """Some of the items without what is said of them in parentheses, where that names each alone."""
    names = [item.partition(" (")[0] for item in items]
    return [name if names.count(name) == 1 else item for item in some for name in [item.partition(" (")[0]]]


def called(line: str) -> str:
    """How a line that has gone is named: by its first words, up to the first stop."""
    return re.split(r"[,;:] |:$", NOTE.sub("", line.strip()))[0]


def _changes(old: list[str] | None, new: list[str]) -> list[str]:
    """The lines of a part that changed, behind the first, which says what they are of."""
    if old is None:
        return _unframed(new)
    if is_drawn(new):
        return _redrawn(old, new)
    was, now = by_name(old[1:]), by_name(new[1:])
    if was is None or now is None:
        return new
    head = new[0] if new[0] != old[0] or ": " not in new[0] else f"{new[0].partition(': ')[0]}:"
    lines = [_line(name, was.get(name), text) for name, text in now.items() if text != was.get(name)]
    return [head, *lines, *(f"  {name} {NONE}" for name in was if name not in now)]


def _redrawn(old: list[str], new: list[str]) -> list[str]:
    """Of a drawing with the same rows the first line and those that changed, each with the row that it is of.

    A line of the frame is told when something else has stood there.
    """
    if [_mark(line) for line in old[1:]] != [_mark(line) for line in new[1:]]:
        return [f"{new[0]}{ANEW}", *_unframed(new[1:])]
    told, row = {0}, 0
    for place, (line, was) in enumerate(zip(new, old, strict=True)):
        row = place if ROW.match(line) else row
        if line != was and _unframed([line, was]):
            told |= {place, row} if "|" in line or "+-" in line else {place}
    return [line for place, line in enumerate(new) if place in told]


def _mark(line: str) -> str:
    """By what a line of a drawing is known: a row by its number, another by its first word."""
    row = ROW.match(line)
    return row[0] if row else "" if "|" in line else line.split()[0]


def _unframed(lines: list[str]) -> list[str]:
    """Lines without those that draw nothing but a frame."""
    return [line for line in lines if not FRAME.fullmatch(line)]


def _line(name: str, old: str | None, new: str) -> str:
    """A line with its new content or, where that is shorter, what of a list came and went."""
    whole = f"  {name} {new}"
    if old is None:
        return whole
    was, now = listed(old), listed(new)
    gone = [item for item in was if item not in now]
    rest = [item for item in was if item in now]
    if not rest or max(Counter([*was]).values()) > 1 or max(Counter([*now]).values()) > 1:
        return whole
    start = next(k for k, item in enumerate(now) if item in rest)
    if now[start : start + len(rest)] != rest or {_bare(item) for item in gone} & {_bare(item) for item in now}:
        return whole
    kept = REST + (" and ".join(short_names(gone, was)).join(WITHOUT) if gone else "")
    told = f"  {name} {', '.join([*now[:start], kept, *now[start + len(rest) :]])}"
    return told if len(told) < len(whole) else whole


def by_name(lines: list[str]) -> dict[str, str] | None:
    """The rest of each line by what it begins with; None where two begin alike, or one is indented further."""
    found: dict[str, str] = {}
    for line in lines:
        first = FIRST.match(line.strip())
        if first is None or not re.match(r" {2}\S", line) or first[0] in found:
            return None
        found[first[0]] = line.strip()[first.end() :].strip()
    return found


def _bare(item: str) -> str:
    return SIGNS.sub("", item)


def name_of(head: str) -> str:
    """What a part is called: what stands before a colon, up to a comma there, or its first word."""
    head = NOTE.sub("", head).removeprefix(TO_ACT)
    before, colon, _ = head.partition(":")
    named = colon and len(before) <= SHORT and ";" not in before
    return before.partition(",")[0] if named else head.split()[0]


def is_drawn(lines: list[str]) -> bool:
    return any("|" in line or "+-" in line for line in lines)


def blocks_of(text: str) -> Iterator[list[str]]:
    """The lines of each part: one behind a gap or without indentation begins another, a row of a drawing none."""
    block: list[str] = []
    for line in text.splitlines():
        table = bool(block) and block[0][0] == line[:1] == "|"
        goes_on = bool(block) and (line[:1].isspace() or table or ROW.match(line) is not None)
        if not goes_on or not line.strip():
            yield from [block] if block else []
            block = []
        block += [line] if line.strip() else []
    yield from [block] if block else []


def _places(block: list[str]) -> list[list[str]]:
    """Of a table of places a line for each, `a1 red; 2 points`; [] for everything else."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in block]
    if not (block[0].startswith("|") and all(PLACE.match(cell) for cell in rows[0])):
        return []
    cells: list[list[str]] = []
    for row in rows:
        if all(PLACE.match(cell) for cell in row):
            cells += [[cell] for cell in row]
        else:
            for cell, more in zip(cells[-len(row) :], row, strict=True):
                cell += [more] if more else []
    return [["; ".join(cell)] for cell in cells]


def _squeezed(block: list[str]) -> list[str]:
    """The lines of a part; gaps are closed where they do not keep columns of a drawing apart, and shortened in what is
    written beside and above one."""
    lines = [block[0].lstrip(), *block[1:]]
    if not is_drawn(block):
        return [GAP.sub(" ", line).rstrip() for line in lines]
    written = (place == 0 or "," in line for place, line in enumerate(lines))
    return [(GAP.sub("   ", line) if prose else line).rstrip() for prose, line in zip(written, lines, strict=True)]


# ---- Rules in brief, moves by their kinds, and words that are explained when they are named ------------------------

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
    "action, phase, ruling, place, space, river space, bridge, row, push, turn, conversion, play, role, colour, "
    "first game"  # advice: a model is measured by what it finds itself
).split(", ")
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
        counts = entry.kind != "icon" and ("icon", entry.icon) in self._words
        return f"{entry.kind}, {entry.icon}" if counts else entry.kind

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


# ---- What a reader is told before the first move: the rules of the game in short, and how to answer --------------

Moves = Literal["listed", "numbered", "hidden"]
ACTIONS_CHAPTER = re.compile(r"^## Actions\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
CARDS = re.compile(r"^## Cards\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)

ANSWERS: dict[str, str] = {
    "listed": "Answer with one of the legal moves, written as in the list; words in parentheses may be left out.",
    "numbered": "Answer with one of the legal moves, as text or by its number.",
    "hidden": "Answer with one legal move in the notation of the examples. Legal moves are not listed.",
}
TURNS = "You may write several moves, one a line: they are played in this order while you are to decide."
PUT = ("put the move behind `Move: ` on a line of its own, at the end", "put the moves behind `Moves:`, at the end")
REASONS = "If you want to think aloud, {}."
MARKED = "{}: nothing else of a reply is played."
TOGETHER = (
    "Moves that begin alike stand together: `- push: N to a, S to b` are `push N to a` and `push S to b`, and "
    "`- place at: b2, c3; each: turned 0, turned 1` are four, such as `place at c3 turned 0`."
)
PIPED = 'A reply ends with an empty line, or is one line of JSON such as {"move": "..."}.'


def rules_of(spec: GameSpec, options: Any = None) -> str:
    """The rules of a game in short, in words of this project, with what the options in force change; "" for a game that
    brings none."""
    return rules_text(spec.module, options)


def notation_of(rules: str) -> str:
    """The section of the rules that tells how moves are written; "" where there is none."""
    found = ACTIONS_CHAPTER.search(rules)
    return found[0].strip() if found else ""


def with_drawn_cards(rules: str, vocabulary: Vocabulary) -> str:
    """Rules whose section about cards, where they have one, lists those in force in place of the printed ones."""
    rows = [f"| {card.name} | {card.icon} | {card.does} |" for card in vocabulary.of("card")]
    section = "\n".join(["## Cards", "", "| card | icon | effects |", "|---|---|---|", *rows, "", ""])
    return CARDS.sub(lambda _: section, rules)


def answering(moves: str, whole_turns: bool, marked: bool = False, brief: bool = False, within: bool = False) -> str:
    """How to answer and, where texts are brief, how they are read."""
    where = sentence((MARKED if marked else REASONS).format(PUT[whole_turns]))
    how = [ANSWERS[moves], *([TURNS] if whole_turns else []), where]
    if brief:
        how.append(f"{TOGETHER} {HOW}" if moves == "listed" else HOW)
    return " ".join([*how, *([WITHIN] if within and not brief else [])])
