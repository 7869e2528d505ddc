"""Reading the reply of a language model: exactly one legal move, or an error that says what was found instead.

Models think before they answer, weigh moves that they do not play, quote what they were told, and mark their answer as
they have learnt to. What was thought is left out first; then the last mark decides, unless its move is asked about,
denied, taken back, an example, or one of a list.
"""

from __future__ import annotations

import difflib
import functools
import itertools
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

LONGEST = 100_000  # characters of a reply that are looked at
DIGITS = 9  # of the number of a move
SHOWN = 60  # characters of a reply that an error repeats
Ways = Callable[[], Mapping[str, Sequence[int]]]
AROUND = " \t.,;!-*_`\"'“”„‘’«»「」【】[]<>{}$。…■"  # what stands around a move and is no part of it


class ReplyError(ValueError):
    """A reply names no legal move, or more than one."""


def read_reply(
    reply: str,
    legal: Mapping[str, int],
    numbered: bool = False,
    words: Mapping[str, int] | None = None,
    marked: bool = False,
    cut: bool = False,
    ways: Ways = dict,
) -> int:
    """The action that a reply names.

    Args:
        reply: free text. Thinking in tags or channels of its own, `<think>...</think>`, does not count. Of the rest
            counts what is marked as the move: `<move>...</move>`, `<answer>...</answer>`, `\\boxed{...}`, a line
            `Move: ...` or `Final answer: ...` (where it ends there, the next one), `{"move": "..."}`; of several marks
            the last. Without a mark a line at the beginning or end that is a move and nothing else counts, or one that
            says `I play ...`.
        legal: the legal actions by their texts.
        numbered: whether the number of a move in this list, from 1 on, names it too.
        words: the same actions as they are shown, where that is longer than their texts; these are understood as well.
        marked: whether nothing else counts; otherwise a reply without a mark may name one move anywhere.
        cut: whether the reply ended because it was too long: then what it ends with does not count.
        ways: gives what else the actions may be called, by whom nothing else is understood; it is asked only then.

    Case and white space do not matter. Raises ReplyError when the reply names no legal move, or two.
    """
    check_readable(reply)
    said = _heard(reply, cut)
    names = _Names(legal, numbered, words or {}, ways)
    if not cut and (whole := names.exact(said)) is not None:
        return whole
    if (told := _from_object(said)) is not None:
        return names.one_in(told)
    if found := _marks(said):
        marks = [mark for mark in found if not _EXAMPLE.search(_before(said, mark.start))]
        if not marks:
            raise ReplyError("the reply marks a move as an example, or as one of several")
        return _last_of(marks, said, names, cut)
    if (alone := _alone(said, names, cut)) is not None:
        return alone
    if marked or cut:
        raise ReplyError(CUT if cut else UNMARKED)
    return names.one_in(said)


CUT = "the reply was cut off before it marked a move"
UNMARKED = "the reply marks no move; expected `Move: ...` on a line of its own, or <move>...</move>"


def check_readable(reply: str) -> None:
    """Raise ReplyError for what is no text, or too long to be read."""
    if not isinstance(reply, str):
        raise ReplyError(f"a reply is a text, not {type(reply).__name__}")
    if len(reply) > LONGEST:
        raise ReplyError(f"the reply has {len(reply):,} characters; at most {LONGEST:,} are read")


# ---- What was thought, and what was said ---------------------------------------------------------------------------

_THINKING = re.compile(
    r"(?P<open><(?:seed:)?(?:think|thinking|thoughts?|reasoning|analysis|scratchpad)>|\[THINK\]|◁think▷"
    r"|<\|START_THINKING\|>|<\|channel\|?>(?:analysis|commentary|thought)\b(?:<\|message\|>)?)"
    r"|(?P<close></(?:seed:)?(?:think|thinking|thoughts?|reasoning|analysis|scratchpad)>|\[/THINK\]|◁/think▷"
    r"|<\|END_THINKING\|>|<\|channel\|>final<\|message\|>|<channel\|>)"
    r"|(?P<end><\|end\|>)",
    re.IGNORECASE,
)
_SPECIAL = re.compile(
    r"<\|start(?:_header_id)?\|>\w*|<\|[^\s<>|]{1,40}\|>|</?s>|<(?:start|end)_of_turn>", re.IGNORECASE
)


def without_thinking(reply: str) -> str:
    """What a reply says aloud: without what is in tags or channels for thinking, also where their beginning or end is
    missing, and without signs that end a turn."""
    spoken: list[str] = []
    place, inside = 0, False
    for tag in _THINKING.finditer(reply):
        if not inside and not tag["end"]:
            spoken.append(reply[place : tag.start()])
        if tag["close"] and not inside:
            spoken.clear()
        if tag["end"] and not inside:
            continue
        inside, place = bool(tag["open"]), tag.end()
    return _SPECIAL.sub("", "".join([*spoken, "" if inside else reply[place:]]))


def _heard(reply: str, cut: bool = False) -> str:
    """What a reply says, full-width signs as others. Raises ReplyError where it was only thought."""
    said = unicodedata.normalize("NFKC", without_thinking(reply))
    if reply.strip() and not said.strip():
        raise ReplyError("the reply was cut off while thinking" if cut else "the reply is thinking, and says nothing")
    return said


# ---- What is marked as the move ------------------------------------------------------------------------------------

_NAME = (
    r"(?:(?:my|the|our|final|best|chosen|selected|next)[ \t]+)*(?:moves?|answer|action|choice|decision)"
    r"|最终答案|最終答案|答案|走法|手|zug|antwort|coup|réponse|jugada|respuesta|ход|ответ"
)
_MOVES = re.compile(r"^[^\w\n]*moves?[^\w\n]*:[ \t]*(.*)$", re.IGNORECASE | re.MULTILINE)
_LINE = re.compile(
    rf"^(?P<before>[^\w\n]*(?:assistant[ \t]*:[ \t]*|\(?\d{{1,2}}[.)][^\w\n]*)?)(?P<name>{_NAME})"
    r"(?:[ \t]+is)?[^\w\n]*?[:】][ \t]*(?P<content>.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_HEAD = re.compile(
    rf"^[ \t]*(?:\#+[ \t]*|\*\*)(?P<name>{_NAME})[ \t]*(?:\*\*)?(?P<content>)[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_TAG = re.compile(r"<(/?)(move|answer|final_answer|final_move)>", re.IGNORECASE)
_BOX = re.compile(r"\\(boxed)\{((?:[^{}\n]|\{[^{}\n]*+\}){0,300}+)\}")
_LATEX = re.compile(r"\\(?:text\w*|mathrm|mathbf|blacksquare|\[|\]|\(|\))")
_WORD = re.compile(r"\w")
_KEYS = ("move", "action", "answer", "choice")  # of a reply that is data
_FENCE = re.compile(r"```(?:json)?\s*(?=\{)", re.IGNORECASE)

# Around a mark: the line before it gives an example or tells of others, the words behind take it back.
_EXAMPLE = re.compile(
    r"(?:\b(?:example|e\.g\.|such as|like this|looks? like|must be|should be|format"
    r"|(?:would|could) (?:say|play|answer))"
    r"|^\W*(?:option|candidate|alternative|possibility|variant|plan|idea)s?\b"
    r"|^\W*(?:player \d+|you|(?:the |my )?opponent)\b.*\b(?:played|wrote|said|answered|chose))[^.!?\n]*$",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\W*(?:but\b|wait\b|hmm+\b|no[,.!]|nope\b|actually\b|on second thought|scratch that|not good|or\b|would\b|could\b"
    r"|let me (?:think|re|see|check|compare)|in the (?:last|previous)\b|loses\b|i am (?:still )?thinking"
    r"|i (?:have to|need to|must|should|will now) (?:think|compare|reconsider|decide))",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|never|no|avoid|cannot|anything but|except|other than|without|nicht|kein\w*|ne|pas|не|нет)\b|n['’]t\b"
    r"|[不别別勿]",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\s*(?:\?|(?:would|could|might|may|cannot|can['’]t|does not|doesn['’]t|if|unless)\b|loses?\b"
    r"|(?:is|looks?) (?:a )?(?:bad|weak|worse|illegal|not|too)\b)",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s+(?:[-(:]|(?:because|since)\b|(?P<not>not|instead of|rather than|over)\b)|[,;.](?:\s|$)|[—–]")
_SENTENCE = re.compile(r"[.!?;\n]")
_SAYS = re.compile(
    r"\W*(?:(?:so|therefore|thus|hence)\b\W*)?(?:(?:the|my|our) (?:best |final |right |correct )?"
    r"(?:move|answer|choice|action|decision) is|(?:i|we)(?:['’]ll| will| shall| now)*)\s*:?\s+"
    r"(?P<verb>(?:play|choose|pick|select|take|go (?:with|for)|decide (?:on|for))\b\s*:?\s*)?(?P<move>\S.*)",
    re.IGNORECASE,
)
WINDOW = 400  # characters before and behind a mark that are looked at
NEAR = 0.6  # how like words must be to a move that they may mean, from 0 to 1
ENDS = "done, pass, stop, decline, end turn, end activation, commit set".split(", ")  # one word for another
COMMENTS = 8  # places at which the comment behind a move may begin


class _Mark(NamedTuple):
    """What is marked as a move: under which name, and where that begins and ends. `whole`: nothing of it can be cut."""

    name: str
    content: str
    start: int
    end: int
    whole: bool = True


def _marks(said: str) -> list[_Mark]:
    """All marks, in the order in which they begin; a line that is quoted is none."""
    found = [_Mark(box[1], box[2], box.start(), box.end()) for box in _BOX.finditer(said)] + list(_tagged(said))
    for pattern in (_LINE, _HEAD):
        found += [_of_line(said, line) for line in pattern.finditer(said) if not line[0].lstrip().startswith(">")]
    return sorted(found, key=lambda mark: mark.start)


def _of_line(said: str, line: re.Match[str]) -> _Mark:
    """What stands behind the name of a mark or, where nothing does, on the next line that says something."""
    content, end = line["content"], line.end()
    if not _WORD.search(content) and (below := _WORD.search(said, end)):
        start = said.rfind("\n", 0, below.start()) + 1
        end = said.find("\n", below.start())
        end = len(said) if end < 0 else end
        content = said[start:end]
    return _Mark(line["name"].casefold(), content, line.start(), end, end < len(said))


def _tagged(said: str) -> Iterator[_Mark]:
    """What stands between each `<move>` and the next `</move>`, in one pass: an expression for both would look for the
    end of every `<move>` anew."""
    begun: re.Match[str] | None = None
    for tag in _TAG.finditer(said):
        if begun is None:
            begun = None if tag[1] else tag
        elif tag[1] and tag[2].casefold() == begun[2].casefold():
            content = said[begun.end() : tag.start()]
            inner = [line["content"] for line in _LINE.finditer(content)]
            yield _Mark(tag[2].casefold(), inner[-1] if inner else content, begun.start(), tag.end())
            begun = None


def _before(said: str, place: int) -> str:
    """The words on the line before a place, or on the last one above that has some."""
    lines = [line for line in said[max(0, place - WINDOW) : place].splitlines() if _WORD.search(line)]
    return lines[-1] if lines else ""


def _last_of(marks: list[_Mark], said: str, names: _Names, cut: bool) -> int:
    """The action of the last mark. Raises ReplyError where it is taken back, one of several, or cut off."""
    last = marks[-1]
    action = names.one_in(last.content)
    if _TAKEN_BACK.match(said[last.end : last.end + WINDOW].lstrip()):
        raise ReplyError("the reply takes back the move that it marks")
    others = [mark for mark in marks[:-1] if names.begun(mark.content) not in (None, action)]
    if others and (cut or _in_one_list(others[-1], marks, said)):
        raise ReplyError(
            f"the reply marks several moves ({_one_line(others[-1])}, {_one_line(last)}); one was expected"
        )
    if cut and not last.whole:
        raise ReplyError(CUT)
    return action


def _in_one_list(other: _Mark, marks: list[_Mark], said: str) -> bool:
    """Whether the last mark and another that is like it have no word between them."""
    last = marks[-1]
    return other == marks[-2] and other.name == last.name and not _WORD.search(said[other.end : last.start])


def _one_line(mark: _Mark) -> str:
    return " ".join(mark.content.split())[:SHOWN]


def _from_object(said: str) -> str | None:
    """The move in a reply that begins with an object of JSON, or holds one in a fence; None where there is none."""
    fences = [fence.end() for fence in _FENCE.finditer(said)]
    begun = len(said) - len(said.lstrip())
    if said[begun : begun + 1] != "{":
        if not fences:
            return None
        begun = fences[-1]
    try:
        data, _ = json.JSONDecoder().raw_decode(said, begun)
    except (ValueError, RecursionError):
        return None
    values = [data[key] for key in _KEYS if key in data]
    return str(values[0]) if values and isinstance(values[0], str | int) else None


def _alone(said: str, names: _Names, cut: bool) -> int | None:
    """The action of a last line that is a move and nothing else, or says `I play ...`; or of such a first line."""
    lines = [line for line in said.splitlines() if _WORD.search(line)]
    if not lines:
        return None
    first, last, before = lines[0], lines[-1], lines[-2] if len(lines) > 1 else ""
    if not cut and not _EXAMPLE.search(before) and not last.lstrip().startswith(">"):
        spoken = _SAYS.fullmatch(last)
        parts = (spoken["move"], (spoken["verb"] or "") + spoken["move"]) if spoken else (last,)
        found = [action for part in parts if (action := names.exact(part)) is not None]
        if found and (spoken or names.exact(before) is None):
            return found[0]
    if len(lines) > 1 and names.exact(lines[1]) is None and not _TAKEN_BACK.match(lines[1]):
        return names.exact(first)
    return None


# ---- Which move some words are -------------------------------------------------------------------------------------


class _Names:
    """The legal moves, by all that names them."""

    def __init__(self, legal: Mapping[str, int], numbered: bool, words: Mapping[str, int], ways: Ways = dict) -> None:
        self._moves = {_fold(text): action for text, action in {**words, **legal}.items()}
        self._written = {_fold(text): text for text in (*words, *legal)}
        self._texts, self._actions = list(legal), list(legal.values())
        self._numbered, self._ways = numbered, ways

    @functools.cached_property
    def _called(self) -> dict[str, Sequence[int]]:
        """What else the moves may be called, and which of them are called so."""
        return {_fold(way): actions for way, actions in self._ways().items()}

    def exact(self, words: str) -> int | None:
        """The action that words name and say nothing else. Raises ReplyError for a number that no move has."""
        said = _fold(words)
        if said in self._moves or not self._numbered:
            return self._moves.get(said)
        number, _, rest = said.partition(" ")
        if rest and number.rstrip(".):").isdecimal():
            return self._moves.get(rest)
        if not (said.isascii() and said.isdecimal()):
            return None
        digits = said.lstrip("0")
        if digits and len(digits) <= DIGITS and int(digits) <= len(self._actions):
            return self._actions[int(digits) - 1]
        raise ReplyError(f"there is no move {digits[:DIGITS] or 0}: the list has {len(self._actions)}")

    def begun(self, words: str, moves: Mapping[str, int] | None = None) -> int | None:
        """The action that words begin with, up to a comment that is no other move; None where there is none."""
        words, known = words[:WINDOW], self._moves if moves is None else moves
        if moves is not None and (action := known.get(_fold(words))) is not None:
            return action
        for comment in itertools.islice(_COMMENT.finditer(words), COMMENTS):
            if (action := known.get(_fold(words[: comment.start()]))) is not None:
                behind = _fold(words[comment.end() :])
                several = not comment["not"] and any(behind.startswith(move) for move in known)
                return None if several else action
        return known.get(_fold(words))

    def called(self, words: str) -> int | None:
        """The action that is called so by people, or by another's name before it, `Kratos: attack top`. Raises
        ReplyError for what several are called."""
        who, _, behind = words[:WINDOW].strip(AROUND).partition(": ")
        parts = (words, behind) if who.isalpha() and not _NOT.search(who) else (words,)
        one = {way: actions[0] for way, actions in self._called.items() if len(actions) == 1} | self._moves
        found = [action for part in parts if (action := self.begun(part, one)) is not None]
        for several in () if found else (self._called.get(_fold(part), ()) for part in parts):
            if several:
                some = ", ".join(self._text(action) for action in several[:3]) + " ..." * (len(several) > 3)
                raise ReplyError(f"{words.strip()[:SHOWN]!r} names {len(several)} moves ({some}); one was expected")
        return found[0] if found else None

    def _text(self, action: int) -> str:
        return self._texts[self._actions.index(action)]

    def near(self, words: str) -> str:
        """What is added where words name no move: the one that they are most like, as the list writes it."""
        names = self._called | {move: [action] for move, action in self._moves.items()}
        said = _fold(words[:WINDOW])
        close = [move for move in ENDS if said in ENDS and move in self._moves]
        close = close or difflib.get_close_matches(said, list(names), 1, NEAR)
        return f"; did you mean {self._text(names[close[0]][0])!r}?" if close else ""

    def one_in(self, words: str) -> int:
        """The one action that is named in words. Raises ReplyError for none, several, or one that is denied."""
        for found in (self.exact(words), self.begun(words)):
            if found is not None:
                return found
        if (found := self.called(words)) is not None:
            return found
        said = _fold(words)
        named = [move for move in self._moves if move in said and _whole(move).search(said)]
        named = [move for move in named if not any(move != other and move in other for other in named)]
        if not named:
            raise ReplyError(f"{words.strip()[:SHOWN]!r} names no legal move{self.near(words)}")
        if len({self._moves[move] for move in named}) > 1:
            some = ", ".join(self._written[move] for move in named[:3]) + " ..." * (len(named) > 3)
            raise ReplyError(f"the reply names {len(named)} moves ({some}); one was expected")
        place = _whole(named[0]).search(said)
        assert place is not None
        if _NOT.search(_SENTENCE.split(said[: place.start()])[-1]) or _BUT.match(said, place.end()):
            raise ReplyError(f"{words.strip()[:SHOWN]!r} names a move without choosing it")
        return self._moves[named[0]]


def _fold(text: str) -> str:
    """Without case, bullets, quotes and what else stands around a move."""
    return " ".join(_LATEX.sub("", text).casefold().split()).strip(AROUND)


def _whole(move: str) -> re.Pattern[str]:
    """A move as whole words."""
    return re.compile(rf"(?<!\w){re.escape(move)}(?!\w)")


# ---- Several moves in a reply, several replies in a pipe -----------------------------------------------------------


def split_moves(reply: str, marked: bool = False, cut: bool = False) -> list[str]:
    """The parts of a reply that may hold several moves: each `<move>...</move>`, or the lines from the last `Moves:` on
    with those `Move:` that stand right above it, or all lines.

    Where only what is `marked` counts, a reply without a mark is one part. Raises ReplyError as `read_reply` does.
    """
    check_readable(reply)
    said = _heard(reply, cut)
    if tags := [tag.content for tag in _tagged(said)]:
        return tags
    found = list(_MOVES.finditer(said))
    if marked and not found:
        return [said]
    first = len(found) - 1
    while first > 0 and not _WORD.search(said, found[first - 1].end(), found[first].start()):
        first -= 1
    above = [line[1] for line in found[max(first, 0) : -1]]
    rest = (said[found[-1].start(1) :] if found else said).splitlines(keepends=True)
    if cut and rest and not rest[-1].endswith("\n"):
        rest.pop()
    return [line.rstrip("\n") for line in (*above, *rest) if line.strip()]


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
