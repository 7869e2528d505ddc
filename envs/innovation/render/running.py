"""The effect that is carried out, in words: what it says, by whom, who else shares or must obey, and what is asked for.

Several effects of a card, and several choices of one effect, look alike without it: whether the card that is chosen is
melded or returned stands nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from theogony.envs.core.draw.people import seat_word
from theogony.envs.innovation.actions import name_of
from theogony.envs.innovation.cards import effects_of
from theogony.envs.innovation.cards.opcodes import DONE, ME, VERBS
from theogony.envs.innovation.cards.wording import sentence
from theogony.envs.innovation.components import CARDS, SPLAYS
from theogony.envs.innovation.render.seen import Viewer
from theogony.envs.innovation.state import NONE, SPLAY_COLOUR


def running_words(game: Any, g: Any, viewer: Viewer) -> Iterator[str]:
    """The lines about the running effect, none outside of one."""
    if g.over or not g.depth:
        return
    top = int(g.depth) - 1
    effects, number = effects_of(game, int(g.frame_card[top])), int(g.frame_effect[top])
    who, of = seat_word(int(g.num[top, ME]), viewer), name_of(game, g.frame_card[top])
    does = "obeyed" if effects[number].demand else "carried out"
    yield f"effect {number + 1} of {len(effects)} of {of}, {does} by {who}: {sentence(effects[number])}"
    if g.dogma != NONE:
        demands = [effect.demand for effect in effects_of(game, int(g.dogma))]
        moved = ", and has moved a card" if g.hit else ""
        told = [f"the demand strikes {_seats(g.victims, viewer)}{moved}"] if any(demands) else []
        told += [f"shared by {_seats(g.sharers, viewer)}"] if not all(demands) else []
        told += ["a draw at the end is earned by sharing"] if g.bonus else []
        yield f"this action: {'; '.join([*told, *_tally(game, g, viewer)])}"
    if asked := _asked(g, int(g.num[top, DONE])):
        yield f"asked for: {asked}"


def _tally(game: Any, g: Any, viewer: Viewer) -> list[str]:
    """How many cards each seat returned in this action, where the card counts that."""
    seats = range(game.players)
    counts = ", ".join(f"{seat_word(seat, viewer)} {int(g.tally[seat])}" for seat in seats if g.tally[seat])
    return [f"returned in it: {counts}"] if counts else []


def _asked(g: Any, moved: int) -> str:
    """What is to be chosen and what becomes of it; "" where the effect says all."""
    if g.decision == SPLAY_COLOUR:
        return f"a colour to splay {SPLAYS[g.aim]}"
    if g.most <= 0:
        return ""
    so_far = f"; cards moved before: {moved}" if moved > 0 else ""
    becomes = BECOMES[VERBS[g.aim]]
    return f"{_number(int(g.least), int(g.most))}, {f'to {becomes}' if g.most == 1 else f'each to {becomes}'}{so_far}"


def _number(least: int, most: int) -> str:
    """How many cards are still to be chosen; as many as there are cards means all."""
    if most >= CARDS:
        return "all cards in question" if least >= CARDS else "any number of cards"
    cards = f"{most} card{'s' * (most > 1)}"
    return cards if least == most else f"up to {cards}" if least <= 0 else f"{least} to {cards}"


BECOMES = {
    "choose": "be chosen", "meld": "be melded", "tuck": "be tucked", "score": "be scored", "return": "be returned",
    "to hand": "go to a hand", "to score pile": "go to a score pile", "to board": "go to a board", "reveal": "be shown",
}  # fmt: skip


def _seats(bits: Any, viewer: Viewer) -> str:
    return ", ".join(seat_word(seat, viewer) for seat in range(8) if int(bits) >> seat & 1) or "nobody"
