"""The rules that `TextEnv` tells a reader: sections of a game's page, as a file in its folder.

A package holds no docs/, and rules that are written twice drift apart: so `make docs` copies these sections to
`envs/<game>/data/rules.md`, without links, numbers of code and remarks for programmers. Rulings that these sections
cite come with them, so that nothing is cited which a reader cannot look up.
"""

from __future__ import annotations

import re
from pathlib import Path

from theogony.envs.core.vocabulary import RULES, rules_file

ALWAYS = ("Rules", "Actions")
BESIDES: dict[str, tuple[str, ...]] = {
    "innovation": ("Cards",),
    "terra_mystica": ("Tiles, cards and power actions", "Factions", "How a turn is played"),
    "god_of_war": ("Decisions",),
}
LEFT_OUT = (
    re.compile(r"^The (sections|numbers)[^.]*? cited in .*?\n\n", re.MULTILINE | re.DOTALL),
    re.compile(r"<!-- generated: actions -->.*?<!-- end -->\n?", re.DOTALL),  # ids; `moves` says what they do
    re.compile(r"<!--.*?-->\n?"),
    re.compile(r"^!\[.*?\]\(.*?\)\n", re.MULTILINE),
)
FOR_OPTION = re.compile(r"<!-- prompt: (\w+)=(\w+) -->\n(.*?)<!-- end -->", re.DOTALL)  # read where it is in force
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
CITED = re.compile(r"(?<![\w-])[RAD]\d{1,3}[a-z]?\b(?![-.:]\d)")
ROW = re.compile(r"^\| *((?:[RAD]\d+[a-z]?(?:, )?)+) *\|.*$", re.MULTILINE)


def prompt_path(page: Path) -> Path:
    """Where the rules of a page's game lie."""
    return page.parents[2] / "envs" / page.stem / "data" / RULES


def prompt(page: Path, text: str) -> str:
    """Return the rules of a game, from the text of its page with all tables."""
    introduction = text.split("\n\n", 2)[1]
    wanted = (*ALWAYS, *BESIDES.get(page.stem, ()))
    sections = {part.partition("\n")[0]: part for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]}
    kept = "\n".join([introduction, "", *(f"## {sections[name]}" for name in wanted)])
    for pattern in LEFT_OUT:
        kept = pattern.sub("", kept)
    kept = "\n\n".join(part for part in (kept.rstrip(), _rulings(kept, text)) if part)
    return re.sub(r"\n{3,}", "\n\n", LINK.sub(r"\1", kept)).strip() + "\n"


def option_prompts(page: Path) -> dict[Path, str]:
    """What a page marks as read only where an option has a value: file and text."""
    found = FOR_OPTION.findall(page.read_text("utf-8"))
    folder = prompt_path(page).parent
    return {folder / rules_file(name, value): LINK.sub(r"\1", text).strip() + "\n" for name, value, text in found}


def _rulings(kept: str, page: str) -> str:
    """The rulings that a text cites and those that they cite, as a table; "" for none."""
    rows = {match[0]: set(match[1].split(", ")) for match in ROW.finditer(page)}
    rows = {row: numbers for row, numbers in rows.items() if row not in kept}
    cited, taken = set(CITED.findall(kept)), {}
    while found := {row: numbers for row, numbers in rows.items() if numbers & cited and row not in taken}:
        taken |= found
        cited |= set(CITED.findall("\n".join(found)))
    chosen = [row for row in rows if row in taken]
    return "\n".join(["## Rulings", "", "| ruling | question | answer |", "|---|---|---|", *chosen]) if chosen else ""
