"""`SPEC`: Innovation as a game of the contract in `envs/core/game.py`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from theogony.envs.core.assemble import assemble
from theogony.envs.core.game import ComponentError, Parts, read_components
from theogony.envs.innovation.actions import codec_of
from theogony.envs.innovation.cards import compile_cards, definitions_of, fault_in
from theogony.envs.innovation.components import build_tables, check_cards
from theogony.envs.innovation.observe import layout
from theogony.envs.innovation.state import Options, state_dtype


def components(options: Options) -> dict[str, Any]:
    """The card list that the options name, checked."""
    return check_components(read_components(options.card_file), str(options.card_file))


def check_components(data: Any, where: str) -> dict[str, Any]:
    """A card list, checked, with the effects that its cards bring along. Raises ComponentError."""
    found = check_cards(data, where)
    for number, card in enumerate(found["cards"]):
        for effect in card.get("effects", ()):
            if fault := fault_in(effect):
                raise ComponentError(f"{where}: card {number} ({card['name']!r}): {fault}")
    return found


def build(options: Options, data: dict[str, Any]) -> Parts:
    """Layouts and tables for the options in force."""
    cards = data["cards"]
    tables = build_tables(cards, compile_cards(cards, definitions_of(cards)), options.players)
    counts = Counter(card[kind] for kind in ("age", "colour") for card in cards)
    features, codec = layout(options.players, int(tables[0].needed)), codec_of(tuple(card["name"] for card in cards))
    return Parts(state_dtype(max(counts.values())), tables, features, codec)


HIDDEN = (
    "place", "below", "top", "bottom", "hand", "scored", "known", "options", "sets", "num", "meld_choice",
)  # fmt: skip

SPEC = assemble(
    __name__,
    title="Innovation",
    players=(2, 3, 4),
    scale=50.0,
    won_by="achievements",
    room=1.6,
    check_components=check_components,
    hidden=HIDDEN,
)
