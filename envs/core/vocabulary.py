"""What a game calls things: one entry for each piece, action and phase, which everything that speaks of it uses.

A game has a room `vocabulary` with a function `vocabulary(game) -> Vocabulary`; texts, pictures, prompts and the tables
of the game's page take their names from it. Records and the action codec keep their own short forms (`action ACT6`),
and beside them stand the words of the vocabulary: `action ACT6 (two spades for 6 power)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from string import Formatter
from typing import Any, NamedTuple

from theogony.envs.core.actions import ActionCodec
from theogony.envs.core.contract import did_you_mean

ACTION = "action"  # the kind of the entries for kinds of actions, whose keys are those of the codec's blocks
ADVICE = "first game"  # the kind of the entries with advice for a first game, whose keys are those of the phases
CODE = re.compile(  # what looks like a short form: BON3, u06:fehu, r12, m_fore, TP, 5PW, N
    r"\b(?:\w+:\w+|\w*_\w*|[A-Za-z]+\d\w*|\d+[A-Za-z]+\w*|[A-Z]{2,}|[B-HJ-Z])\b(?!')"
)
RULING = re.compile(r"^\| ([RAD]\d+[a-z]?) \| ([^|]+) \| ([^|]+) \|", re.MULTILINE)  # a row of a table of rulings
RULES = "rules.md"  # in the game's folder `data`


class UnknownWord(LookupError):
    """A vocabulary has no such entry. The message names it, and what is near."""


class Entry(NamedTuple):
    """One thing of a game.

    `key` is what code and records call it, unique within its `kind` ("bonus card", "phase", "action"); `name` what
    people call it; `does` what it does, in our words; `icon` its picture in `core.draw.icons` or among the game's own,
    if any; `rule` where it stands in the rules ("§6.6", "R6").
    """

    kind: str
    key: str
    name: str
    does: str = ""
    icon: str = ""
    rule: str = ""


class Vocabulary:
    """The entries of a game by kind and key, and the words of its moves.

    Args:
        game: the game's name, for messages.
        entries: in the order in which a glossary should list them.
        moves: by kind of action, a pattern of what is said beside the text of a move where the text alone does not
            say it. `{0}` is the first argument as it is, `{0:bonus card}` the name of its entry of that kind, and
            `{0:bonus card.does}` what it does.
        spoken: by kind of action, or by kind and number of the decision, a pattern of the whole move for people; where
            there is none, its text is what people say.
        more: by kind of action, a pattern of what is told of a move besides what all of its kind do.

    Raises ValueError for two entries with the same kind and key, or one without a name.
    """

    def __init__(
        self,
        game: str,
        entries: Iterable[Entry],
        moves: Mapping[str, str] | None = None,
        spoken: Mapping[Any, str] | None = None,
        more: Mapping[str, str] | None = None,
    ) -> None:
        self.game = game
        self._entries: dict[tuple[str, str], Entry] = {}
        self._moves, self._spoken, self._more = dict(moves or {}), dict(spoken or {}), dict(more or {})
        for entry in entries:
            if (entry.kind, entry.key) in self._entries or not entry.name:
                what = "has no name" if not entry.name else "stands twice in the vocabulary"
                raise ValueError(f"{game}: the {entry.kind} {entry.key!r} {what}")
            self._entries[entry.kind, entry.key] = entry

    def with_rulings(self, rules: str) -> Vocabulary:
        """This vocabulary with the rulings that stand in a text of the rules."""
        self._entries |= {(entry.kind, entry.key): entry for entry in rulings(rules)}
        return self

    def __getitem__(self, word: tuple[str, Any]) -> Entry:
        """The entry of a kind and key, `vocabulary["bonus card", "BON3"]`. Raises UnknownWord."""
        kind, key = word[0], str(word[1])
        try:
            return self._entries[kind, key]
        except KeyError:
            near = did_you_mean(key, [entry.key for entry in self.of(kind)])
            raise UnknownWord(f"the vocabulary of {self.game} has no {kind} {key!r}{near}") from None

    def __contains__(self, word: object) -> bool:
        return word in self._entries

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def of(self, kind: str) -> tuple[Entry, ...]:
        """All entries of a kind, in their order."""
        return tuple(entry for entry in self if entry.kind == kind)

    def name(self, kind: str, key: Any) -> str:
        """What people call it. Raises UnknownWord."""
        return self[kind, key].name

    def move(self, actions: ActionCodec, action: int) -> str:
        """A move in words, "" where its text says all. Raises UnknownWord, or IllegalAction for no action."""
        kind, arguments = actions.decode(action)
        return self._fill(self._moves.get(kind, ""), arguments)

    def _fill(self, pattern: str, arguments: Iterable[Any]) -> str:
        return pattern.format(*(_Argument(self, argument) for argument in arguments))

    def say(self, actions: ActionCodec, action: int, decision: int | None = None) -> str:
        """A move as people say it, without short forms: `two spades for 6 power`; `decision` is the kind of the
        decision, where that is known. Raises UnknownWord, or IllegalAction for no action."""
        kind, arguments = actions.decode(action)
        pattern = self._spoken.get((kind, -1 if decision is None else decision)) or self._spoken.get(kind)
        return self._fill(pattern, arguments) if pattern else actions.text(action)

    def does(self, actions: ActionCodec, action: int) -> str:
        """What a move does, in sentences: what all of its kind do, and what is particular to it. Raises UnknownWord,
        or IllegalAction for no action."""
        kind, arguments = actions.decode(action)
        entry = self[ACTION, kind]
        told = f"{entry.name}: {entry.does}" if entry.does else entry.name
        return " ".join(sentence(part) for part in (told, self._fill(self._more.get(kind, ""), arguments)) if part)

    def beside(self, actions: ActionCodec, action: int) -> str:
        """The text of a move with its words: `action ACT6 (two spades for 6 power)`, or the text alone."""
        words = self.move(actions, action)
        return f"{actions.text(action)} ({words})" if words else actions.text(action)

    def ways(self, actions: ActionCodec, action: int) -> list[str]:
        """What a move may be called besides its text and the words beside it: as people say it; with names in place of
        short forms; with the front part of short forms alone, `u04` of `u04/number`; and each without who makes it,
        the `hero: ` of `hero: attack top`. Several moves may share one of these. Raises UnknownWord, or IllegalAction
        for no action."""
        kind, arguments = actions.decode(action)
        named, short = list(arguments), [str(argument).partition("/")[0] for argument in arguments]
        for _, place, spec, _ in Formatter().parse(self._moves.get(kind, "")):
            if place and spec:
                named[int(place)] = self.name(spec.partition(".")[0], arguments[int(place)])
        found = [self.say(actions, action), actions.named(action, named), actions.named(action, short)]
        alone = [text.partition(": ")[2] for text in (actions.text(action), *found)]
        return [way for way in dict.fromkeys([*found, *alone]) if way]

    def called(self, actions: ActionCodec, legal: Iterable[int]) -> dict[str, list[int]]:
        """What these actions may be called, in small letters, and which of them are called so."""
        found: dict[str, list[int]] = {}
        for action in legal:
            for way in dict.fromkeys(way.casefold() for way in self.ways(actions, action)):
                found.setdefault(way, []).append(action)
        return found

    def unknown(self, text: str, keys: bool = False) -> list[str]:
        """What looks like a short form in a text, and stands in no name of this vocabulary (nor is a key, with `keys`).

        The tests ask this of all texts: nothing may be called by what is explained nowhere.
        """
        known = {code for entry in self for code in CODE.findall(entry.name)}
        if keys:
            known |= {code for entry in self for code in (entry.key, *CODE.findall(entry.key))}
        return sorted({code for code in CODE.findall(text)} - known)


class _Argument:
    """An argument of an action in a pattern: `{0}`, `{0:bonus card}` or `{0:bonus card.does}`."""

    def __init__(self, vocabulary: Vocabulary, label: Any) -> None:
        self._vocabulary, self._label = vocabulary, label

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self._label)
        kind, _, field = spec.partition(".")
        return getattr(self._vocabulary[kind, self._label], field or "name")


def plain_vocabulary(game: Any) -> Vocabulary:
    """Of a game that brings none: the kinds of its actions, by their own names, with what they say that they do."""
    entries = (Entry(ACTION, block.kind, block.kind, block.does) for block in game.actions.blocks)
    return Vocabulary(game.spec.name, entries)


def sentence(words: str) -> str:
    """Words as a sentence."""
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith('.') else '.'}"


def rules_file(option: str, value: Any) -> str:
    """The file in the folder `data` that holds what a value of an option changes in the rules."""
    return f"rules-{option}-{value}.md"


def rules_text(module: str, options: Any = None) -> str:
    """The rules of the game of a module in short, with what its options change; "" for a game that brings none."""
    package = module.partition(":")[0].rpartition(".")[0]
    if not package:
        return ""
    changed = {} if options is None else options.model_dump()
    names = [RULES, *(rules_file(*option) for option in sorted(changed.items(), key=str))]
    files = [resources.files(package) / "data" / name for name in names]
    return "\n\n".join(file.read_text("utf-8").strip() for file in files if file.is_file())


def rulings(rules: str) -> Iterator[Entry]:
    """The rulings in a text of rules, a row of a table each: number, question, answer."""
    for number, question, answer in RULING.findall(rules):
        yield Entry("ruling", number, question.strip(), answer.strip(), rule=number)
