"""The generated parts of docs/games/innovation.md: `python -m theogony.envs.innovation.docs_tables PAGE` renews them.

A part stands between `<!-- begin NAME -->` and `<!-- end NAME -->`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from theogony.envs.innovation.effects import DEFINITIONS
from theogony.envs.innovation.game import SPEC
from theogony.envs.innovation.wording import sentence


def parts() -> dict[str, str]:
    """Markdown by name: the actions, the observation, the options, the cards."""
    game = SPEC.configure({"players": 2})
    return {"actions": _actions(), "observation": game.features.table(), "options": _options(), "cards": _cards()}


def _actions() -> str:
    codec = SPEC.configure().actions
    rows = ["| from | kind | number | first text |", "|---|---|---|---|"]
    for block in codec.blocks:
        first = codec.first[block.kind]
        rows.append(f"| {first} | `{block.kind}` | {len(block.actions)} | {codec.text(first)} |")
    return "\n".join(rows)


def _options() -> str:
    rows = ["| option | default | meaning |", "|---|---|---|"]
    for name, field in SPEC.options.model_fields.items():
        default = field.default.name if isinstance(field.default, Path) else field.default
        rows.append(f"| `{name}` | `{default}` | {field.description or 'seats at the table'} |")
    return "\n".join(rows)


def _cards() -> str:
    printed = SPEC.configure().components["cards"]
    rows = ["| card | age | colour | icon | effects |", "|---|---|---|---|---|"]
    for card, definition in zip(printed, DEFINITIONS, strict=True):
        effects = "<br>".join(sentence(effect) for effect in definition.effects)
        rows.append(f"| {card['name']} | {card['age']} | {card['colour']} | {card['dogma']} | {effects} |")
    return "\n".join(rows)


def renewed(page: str) -> str:
    """The page with its generated parts as they are now. Raises KeyError for a part that nobody generates."""
    made = parts()

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        return f"<!-- begin {name} -->\n{made[name]}\n<!-- end {name} -->"

    return re.sub(r"<!-- begin (\w+) -->\n.*?<!-- end \1 -->", fill, page, flags=re.DOTALL)


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(renewed(path.read_text("utf-8")), "utf-8")
