"""What the pages of a game need of its vocabulary: entries, their icons, and the rules in short."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.draw.style import ICONS
from theogony.envs.core.game import Game
from theogony.envs.core.vocabulary import rules_text

CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")


@lru_cache(maxsize=8)
def words_of(game: Game) -> dict[str, Any]:
    """The vocabulary as JSON has it: `entries` (kind, key, name, what it does, icon, rule), `icons` as paths in a
    square of 24, and the `rules` in Markdown. It is the same for everybody: all of it is open."""
    entries = list(game.vocabulary)
    icons = {entry.icon: ICONS[entry.icon] for entry in entries if entry.icon in ICONS}
    return {
        "title": game.spec.title,
        "entries": [list(entry) for entry in entries],
        "icons": icons,
        "rules": spoken(game, rules_text(game.spec.module, game.options)),
    }


def spoken(game: Game, rules: str) -> str:
    """Rules with their moves in the words of the page, in place of the texts by which programs name them."""

    def said(found: re.Match[str]) -> str:
        try:
            action = game.actions.parse(found[1])
        except IllegalAction:
            return found[0]
        return f"*{game.vocabulary.say(game.actions, action)}*"

    return CODE.sub(said, rules).replace("| text, for example |", "| for example |")
