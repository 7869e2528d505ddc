"""Short texts for readers who remember: rules without what a text can tell when it comes up, then what has changed.

A word of the vocabulary is explained when it is named for the first time, a part of the position is repeated when it
has changed, and legal moves stand together by their kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from theogony.envs.core.actions import ActionCodec
from theogony.envs.core.vocabulary import Vocabulary

EXAMPLES = re.compile(r"\*\*§[\d.]+ Examples.*?(?=\n\n|\Z)", re.DOTALL)
RULES = re.compile(r"^## Rules\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
CITED = re.compile(r"(?<![\w-])[RAD]\d{1,3}[a-z]?\b(?![-.:]\d)")
TABLE = re.compile(r"(?:^\|.*\n?)+", re.MULTILINE)
FRAME = re.compile(r"[\s+|-]+")  # a line that draws nothing but a frame
SAME = "(What is not repeated here is as before.)"
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
)


def rules_in_brief(rules: str, words: Vocabulary) -> str:
    """The introduction and the section of the rules, with the rulings that they cite, without tables and examples."""
    found = RULES.search(rules)
    if found is None:
        return rules
    kept = [rules.partition("\n\n")[0], TABLE.sub("", EXAMPLES.sub("", found[1]))]
    cited = sorted(set(CITED.findall("\n".join(kept))) & {entry.key for entry in words.of("ruling")})
    kept += [f"{key}: {words['ruling', key].name} {words['ruling', key].does}." for key in cited]
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(part.strip() for part in kept))


def grouped(codec: ActionCodec, moves: Iterable[tuple[int, str]]) -> list[str]:
    """Moves (ids and texts as they are shown) by kind: what they begin with, then what follows on it."""
    kinds: dict[str, list[str]] = {}
    for action, shown in moves:
        kinds.setdefault(codec.decode(action)[0], []).append(shown)
    lines = []
    for shown in kinds.values():
        head = _beginning(shown)
        lines.append(
            f"- {head}: {', '.join(one[len(head) + 1 :] for one in shown)}" if head else f"- {', '.join(shown)}"
        )
    return lines


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
    """What a reader was told so far."""

    def __init__(self, words: Vocabulary) -> None:
        self._entries = [entry for entry in words if entry.does and entry.kind not in SILENT and len(entry.name) > 2]
        self._told: set[str] = set()
        self._parts: set[str] = set()

    def explained(self, text: str) -> str:
        """What is named in a text for the first time, a line each; "" for nothing new."""
        lines = []
        for entry in self._entries:
            if entry.name not in self._told and re.search(rf"\b{re.escape(entry.name)}(?!\w)", text):
                self._told.add(entry.name)
                lines.append(f"{entry.name} ({entry.kind}): {entry.does}")
        return "\n".join(["New words:", *lines]) if lines else ""

    def changed(self, text: str) -> str:
        """The parts of a position that differ from those of the last one: lines with what is indented below them."""
        parts = re.findall(r"^\S.*(?:\n[ \t].*)*", text, re.MULTILINE)
        known, self._parts = self._parts, set(parts)
        fresh = [part for part in parts if part not in known]
        shown = "\n".join(line for part in fresh for line in _squeezed(part) if not FRAME.fullmatch(line))
        return f"{shown}\n{SAME}" if len(fresh) < len(parts) else shown


def _squeezed(part: str) -> list[str]:
    """The lines of a part; gaps are closed where they do not keep columns of a drawing apart."""
    drawn = "|" in part or "+-" in part
    return [line.rstrip() if drawn else re.sub(r"(?<=\S) {2,}", " ", line).rstrip() for line in part.splitlines()]
