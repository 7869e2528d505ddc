"""`SPEC`: Innovation as a game of the contract in `envs/core/game.py`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from theogony.envs.core.assemble import assemble
from theogony.envs.core.game import Parts
from theogony.envs.innovation.actions import CODEC
from theogony.envs.innovation.cards import DEFINITIONS, compile_cards
from theogony.envs.innovation.components import build_tables, check_cards, load_cards
from theogony.envs.innovation.observe import layout
from theogony.envs.innovation.state import Options, state_dtype


def components(options: Options) -> dict[str, Any]:
    """The card list that the options name, checked."""
    return load_cards(options.card_file)


def build(options: Options, data: dict[str, Any]) -> Parts:
    """Layouts and tables for the options in force."""
    cards = data["cards"]
    tables = build_tables(cards, compile_cards(cards, DEFINITIONS), options.players)
    counts = Counter(card[kind] for kind in ("age", "colour") for card in cards)
    return Parts(state_dtype(max(counts.values())), tables, layout(options.players, int(tables[0].needed)), CODEC)


HIDDEN = (
    "place", "below", "top", "bottom", "hand", "scored", "known", "options", "sets", "num", "meld_choice",
)  # fmt: skip

SPEC = assemble(
    __name__,
    title="Innovation",
    players=(2, 3, 4),
    scale=50.0,
    check_components=check_cards,
    hidden=HIDDEN,
)
