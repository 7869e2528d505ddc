"""Short texts lose nothing: of what was told, a reader makes every position again."""

import re
from collections import Counter
from typing import Any

import pytest

from theogony.envs import GAMES
from theogony.wrappers.text import TextEnv
from theogony.wrappers.text.brief import (
    ANEW,
    FRAME,
    GONE,
    HEADING,
    HOW,
    NONE,
    REST,
    ROW,
    WITHOUT,
    Parts,
    blocks_of,
    by_name,
    called,
    differences,
    is_drawn,
    listed,
    name_of,
    parts_of,
    short_names,
    shown_whole,
)

DECISIONS = 60
TABLES = [*GAMES, "push_of_faith 3", "orbis 3"]


def read_line(old: str, told: str) -> str:
    """A line of a list, as it is now."""
    items, was = listed(told), listed(old)
    at = next((k for k, item in enumerate(items) if item == REST or item.startswith(REST + WITHOUT[0])), None)
    if at is None:
        return told
    gone = f" and {items[at].partition(WITHOUT[0])[2].removesuffix(WITHOUT[1])} and "
    names = short_names(was, was)
    rest = [item for item, name in zip(was, names, strict=True) if f" and {name} and " not in gone]
    return ", ".join([*items[:at], *rest, *items[at + 1 :]])


def read_drawing(old: list[str], told: list[str]) -> list[str]:
    """A drawing in which rows are known by their numbers, what has none stands below its row or begins as before."""
    if told[0].endswith(ANEW):
        return [told[0].removesuffix(ANEW), *told[1:]]
    new, row = [told[0], *old[1:]], 0
    for line in told[1:]:
        first, below = line.split()[0], range(row + 1, len(new))
        if ROW.match(line):
            place = row = next(k for k, one in enumerate(new) if ROW.match(one) and one.split()[0] == first)
        elif "|" in line or first.startswith("+"):
            place = next(k for k in below if new[k].lstrip()[0] == first[0])
        else:
            (place,) = (k for k, one in enumerate(new) if k and one.split()[0] == first and "|" not in one)
        new[place] = line
    return new


def read_part(old: list[str] | None, told: list[str]) -> list[str]:
    """A part as it is now."""
    if old is None:
        return told
    if is_drawn(told) or is_drawn(old):
        return read_drawing(old, told)
    was, now = by_name(old[1:]), by_name(told[1:])
    if was is None or now is None:
        return told
    for name, text in now.items():
        was[name] = read_line(was.get(name, ""), text)
    head = old[0] if told[0] == f"{old[0].partition(': ')[0]}:" else told[0]
    return [head, *(f"  {name} {text}".rstrip() for name, text in was.items() if text != NONE)]


def read(old: Parts, told: str, heading: str) -> Parts:
    """What a reader of `old` and of `told` knows. The heading is known by what it says."""
    new, seen = dict(old), Counter[str]()
    for block in blocks_of(told):
        if block[0].startswith(GONE):
            gone = block[0].removeprefix(GONE)[:-1].split(", ")
            new = {name: part for name, part in new.items() if called(part[0]) not in gone}
            continue
        if block[0] == heading:
            new[HEADING] = read_part(old.get(HEADING), block)
            continue
        name = name_of(block[0])
        seen[name] += 1
        alone = (name, 2) not in old
        new[name, seen[name]] = read_part(old.get((name, 1)) if alone else None, block)
    return new


def bare(parts: Parts) -> dict[tuple[str, int], list[str]]:
    """Parts without the lines of frames; those of a list in any order."""
    kept = {name: [line for line in part if not FRAME.fullmatch(line)] for name, part in parts.items()}
    return {name: part if is_drawn(part) else [part[0], *sorted(part[1:])] for name, part in kept.items()}


def words_of(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text))


@pytest.mark.parametrize("table", TABLES)
def test_every_position_follows_from_what_was_told(table: str) -> None:
    game, _, players = table.partition(" ")
    options: dict[str, Any] = {"players": int(players)} if players else {}
    env = TextEnv(game, seat=0, opponents="random", brief=True, **options)
    assert HOW in env.reset(seed=5)
    old = parts_of(env._position())
    for k in range(DECISIONS):
        moves = list(env.legal_moves())
        env.step(moves[(7 * k) % len(moves)])
        if env.over:
            break
        text = env._position()
        new = parts_of(text)
        assert words_of(text) == words_of(shown_whole(new)), "nothing is left out"
        told = differences(old, new)
        assert bare(read(old, told, new[HEADING][0])) == bare(new), told
        old = new


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "a: 1\n  hand Oak Tree (1), Elm Tree (2)\n  pile -",
            "a: 1\n  hand Oak Tree (1), Elm Tree (2)\n  pile x",
            "a:\n  pile x",
        ),
        (
            "a: 1\n  hand Oak Tree (1), Elm Tree (2), Ash (3)",
            "a: 2\n  hand Fig (4), Oak Tree (1), Ash (3)",
            "a: 2\n  hand Fig (4), Oak Tree (1), Ash (3)",
        ),
        (
            "a: 1\n  hand Oak Tree (1), Elm Tree (2), Ash Tree (3), Pear Tree (3), Plum Tree (3)",
            "a: 1\n  hand Fig (4), Oak Tree (1), Ash Tree (3), Pear Tree (3), Plum Tree (3)",
            "a:\n  hand Fig (4), the rest (without Elm Tree)",
        ),
        ("a: 1\n  hand Oak\n  pile x, y", "a: 1\n  pile x, y", "a:\n  hand (no longer there)"),
        ("a: 1\nb: 2", "a: 1", "No longer there: b."),
        ("t\na: 1\n  x 1\na: 1\n  x 2", "t\na: 1\n  x 1\na: 1\n  x 3", "a: 1\n  x 1\na: 1\n  x 3"),
    ],
)
def test_what_is_told_of_a_change(old: str, new: str, told: str) -> None:
    assert differences(parts_of(old), parts_of(new)) == told


def test_a_list_in_which_a_number_changed_is_told_whole() -> None:
    old, new = (parts_of(f"head\nyou: 1\n  hand: Long Card Name, {some}+1, Block") for some in ("2 × ", ""))
    assert differences(old, new) == "you:\n  hand: Long Card Name, +1, Block"
