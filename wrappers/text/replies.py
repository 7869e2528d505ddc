"""Reading the reply of a language model: exactly one legal move, or an error that says what was found instead."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

LONGEST = 100_000  # characters of a reply that are looked at
DIGITS = 9  # of the number of a move
SHOWN = 60  # characters of a reply that an error repeats
_LINE = re.compile(r"^[^\w\n]*moves?[^\w\n]*:[ \t]*(.*)$", re.IGNORECASE | re.MULTILINE)
_TAG = re.compile(r"<(/?)move>", re.IGNORECASE)
_WORD = re.compile(r"\w")


class ReplyError(ValueError):
    """A reply names no legal move, or more than one."""


def read_reply(
    reply: str, legal: Mapping[str, int], numbered: bool = False, words: Mapping[str, int] | None = None
) -> int:
    """The action that a reply names.

    Args:
        reply: free text. What stands in `<move>...</move>`, or behind `Move:` at the beginning of a line (where that
            line ends there, on the next one), counts alone; of several the last. Otherwise the whole reply does.
        legal: the legal actions by their texts.
        numbered: whether the number of a move in this list, from 1 on, names it too.
        words: the same actions as they are shown, where that is longer than their texts; these are understood as well.

    Case and white space do not matter. Raises ReplyError when the reply names no legal move, or two.
    """
    check_readable(reply)
    said = _fold(_marked(reply))
    moves = {_fold(text): action for text, action in {**(words or {}), **legal}.items()}
    if said in moves:
        return moves[said]
    if numbered and said.isascii() and said.isdigit():
        digits = said.lstrip("0")
        if digits and len(digits) <= DIGITS and int(digits) <= len(legal):
            return list(legal.values())[int(digits) - 1]
        raise ReplyError(f"there is no move {digits[:DIGITS] or 0}: the list has {len(legal)}")
    named = _named_in(said, moves)
    if len(named) == 1:
        return moves[named[0]]
    if named:
        written = {_fold(text): text for text in (*(words or {}), *legal)}
        some = ", ".join(written[move] for move in named[:3]) + " ..." * (len(named) > 3)
        raise ReplyError(f"the reply names {len(named)} moves ({some}); one was expected")
    raise ReplyError(f"{reply.strip()[:SHOWN]!r} names no legal move")


def check_readable(reply: str) -> None:
    """Raise ReplyError for what is no text, or too long to be read."""
    if not isinstance(reply, str):
        raise ReplyError(f"a reply is a text, not {type(reply).__name__}")
    if len(reply) > LONGEST:
        raise ReplyError(f"the reply has {len(reply):,} characters; at most {LONGEST:,} are read")


def split_moves(reply: str) -> list[str]:
    """The parts of a reply that may hold several moves: each `<move>...</move>`, or the lines from the last `Moves:` on
    with those `Move:` that stand right above it, or all lines. Raises ReplyError as `check_readable` does."""
    check_readable(reply)
    if tags := _tagged(reply):
        return tags
    found = list(_LINE.finditer(reply))
    first = len(found) - 1
    while first > 0 and not _WORD.search(reply, found[first - 1].end(), found[first].start()):
        first -= 1
    above = [line[1] for line in found[max(first, 0) : -1]]
    rest = reply[found[-1].start(1) :] if found else reply
    return [line for line in (*above, *rest.splitlines()) if line.strip()]


def check_marked(reply: str) -> None:
    """Raise ReplyError for a reply without `<move>...</move>` and without a line `Move: ...`: it may be reasoning; and
    as `check_readable` does."""
    check_readable(reply)
    if not (_tagged(reply) or _LINE.search(reply)):
        raise ReplyError("the reply marks no move; expected `Move: ...` on a line of its own, or <move>...</move>")


def replies_of(lines: Iterable[str]) -> Iterator[str]:
    """The replies in the lines of a pipe: each ends with a blank line, or is one line of JSON.

    The JSON is `{"move": "..."}`, or a string that is the whole reply. Of a reply that is too long as much is kept as
    `read_reply` needs to refuse it.
    """
    kept: list[str] = []
    length = 0
    for line in lines:
        if not kept and (said := _from_json(line)) is not None:
            yield said
        elif line.strip():
            if length <= LONGEST:
                kept.append(line[: LONGEST + 1])
                length += len(kept[-1])
        elif kept:
            yield "".join(kept)
            kept, length = [], 0
    if kept:
        yield "".join(kept)


def _from_json(line: str) -> str | None:
    """The reply that a line of JSON is; None for any other line."""
    if not line.lstrip().startswith(("{", '"')) or len(line) > LONGEST:
        return None
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if isinstance(said, dict):
        return f"<move>{said['move']}</move>" if isinstance(said.get("move"), str | int) else None
    return said if isinstance(said, str) else None


def _marked(reply: str) -> str:
    """What the writer marked as the move, else all of the reply."""
    if tags := _tagged(reply):
        return tags[-1]
    lines = list(_LINE.finditer(reply))
    if not lines:
        return reply
    behind = [lines[-1][1], *reply[lines[-1].end() :].splitlines()]
    return next((line for line in behind if _WORD.search(line)), "")


def _tagged(reply: str) -> list[str]:
    """What stands between each `<move>` and the next `</move>`, in one pass: an expression for both would look for the
    end of every `<move>` anew."""
    found, begun = [], None
    for tag in _TAG.finditer(reply):
        if begun is None:
            begun = None if tag[1] else tag.end()
        elif tag[1]:
            found.append(reply[begun : tag.start()])
            begun = None
    return found


def _fold(text: str) -> str:
    """Without case, bullets, quotes and what else stands around a move."""
    return " ".join(text.casefold().split()).strip(" .-*`\"'")


def _named_in(said: str, moves: Mapping[str, int]) -> list[str]:
    """The moves that stand in a text as whole words, but for those that are part of a longer one."""
    there = [move for move in moves if move in said and re.search(rf"(?<!\w){re.escape(move)}(?!\w)", said)]
    return [move for move in there if not any(move != other and move in other for other in there)]
