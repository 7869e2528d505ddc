"""What has changed between two texts of a position, so that a reader who knows the first knows the second.

A part is a line with what is indented below it, or a drawing; of a table of places, `| a1 red | b1 blue |`, each place
is one. Parts and lines that are as before are left out; of a long list only what came and went is told. Nothing is
lost: a test plays games and makes every position again of what was told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

HOW = (
    "The position is told whole now, and later what has changed: a part or a line that is not repeated is as before, "
    "and so is what a list calls `the rest`, and a row of a drawing that is not `drawn anew`."
)
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
SIGNS = re.compile(r"^[^\w]+ ")  # before a name in a list: how a pile lies
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
    again = {name[0] for name, part in new.items() if part != old.get(name)} & _ambiguous(old, new)
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


def _ambiguous(old: Parts, new: Parts) -> set[str]:
    """Names that several parts bear: one of them alone would not say which it is."""
    return {name for name, number in (*old, *new) if number > 1}


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
    return before.partition(",")[0] if colon and len(before) <= SHORT else head.split()[0]


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
