"""What the pages of a game need of its vocabulary: entries, their icons, and the rules in short."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from theogony.envs.core.draw.icons import ICONS
from theogony.envs.core.game import Game
from theogony.envs.core.vocabulary import rules_text


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
        "rules": rules_text(game.spec.module, game.options),
    }
