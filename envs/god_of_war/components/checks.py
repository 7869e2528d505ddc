"""The printed pieces as a checked JSON file: cards, heroes, scenes, quests and bosses in a closed vocabulary.

The vocabulary is explained in docs/games/god_of_war.md. Keys `source`, `...source`, `colours`, `meta`, `special_rule`
and `text` may be in a file as notes; they decide nothing and are dropped, so that they are no part of the component
digest (`provenance.py` reads those that say what is printed). Everything else must be a word that `card_models.py` or
`scene_models.py` lists, and every card that is named must exist (`references.py`).
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from theogony.envs.core.game import ComponentError, read_components
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.god_of_war.components.pieces import COUNTS, RUNES, STATUS
from theogony.envs.god_of_war.components.references import check_references
from theogony.envs.god_of_war.components.scene_models import ComponentFile

NOTES = ("colours", "meta", "special_rule", "text", "effect_text", "glyph")


def load_components(path: str | Path) -> dict[str, Any]:
    """A checked component file as plain data. Raises ComponentError naming file, place and what was expected."""
    return check_components(read_components(path), str(path))


def check_components(data: Any, path: str) -> dict[str, Any]:
    """The content of a component file, checked; `path` says in messages where it comes from. Raises ComponentError."""
    file = checked(ComponentFile, json.dumps(_without_notes(data)), path, ComponentError)
    for problem in (*_wrong_counts(file), *check_references(file)):
        raise ComponentError(f"{path}: {problem}")
    return file.model_dump(mode="json", by_alias=True, exclude_defaults=False)


def _without_notes(data: Any) -> Any:
    if isinstance(data, dict):
        kept = {k: v for k, v in data.items() if k not in NOTES and not str(k).endswith("source")}
        return {key: _without_notes(value) for key, value in kept.items()}
    return [_without_notes(item) for item in data] if isinstance(data, list) else data


def _wrong_counts(file: ComponentFile) -> list[str]:
    """Where the file does not have the printed numbers of pieces (§1)."""
    runes = Counter(rune for entry in file.upgrade_deck for rune in [entry.rune] * entry.copies)
    found: list[tuple[str, str, int]] = [
        ("upgrade cards", "", sum(runes.values())),
        *(("upgrade cards of each rune", f" {rune}", runes[rune]) for rune in RUNES),
        ("scene cards", "", sum(len(scene.cards) for scene in file.scenes)),
        ("scenes", "", len(file.scenes)),
        ("quests", "", len(file.quests)),
        ("bosses", "", len(file.bosses)),
        ("faces of the enemy die", "", len(file.die.faces)),
        *(("cards of each supply", f" {kind}", getattr(file.status_cards, kind).copies) for kind in STATUS),
        *(("cards of each starting deck", f" {h.id}", sum(c.copies for c in h.deck)) for h in file.heroes),
    ]
    return [
        f"{what}{which}: there are {count}, but {COUNTS[what]} are printed"
        for what, which, count in found
        if count != COUNTS[what]
    ]
