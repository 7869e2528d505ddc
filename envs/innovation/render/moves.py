"""What a viewer knows of a decision that somebody else has made."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.people import seat_word
from theogony.envs.innovation.actions import CARD_AT, CODEC, DOGMA_AT, STOP_AT, name_of
from theogony.envs.innovation.cards.opcodes import DONE
from theogony.envs.innovation.components import CARDS, COLOURS
from theogony.envs.innovation.render.seen import Viewer, check_viewer
from theogony.envs.innovation.state import CARD, INITIAL_MELD, ORDER, SIDE, SUPPLY, cards_in

SECRET = (INITIAL_MELD, ORDER)  # decisions that nobody else sees: a first meld, and the order of covered cards (R11)


def move_text(game: Any, before: Any, action: int, after: Any, who: Viewer) -> str:
    """An action in words; of a card that `who` (a seat, or None for the public) did not see, only its age.

    A card that moved shows its back, and its name to those who know where it went. One that stayed where it was is
    named only if it lies open.
    """
    check_viewer(game, who)
    if action == STOP_AT:
        return _stopped(before)
    if CODEC.decode(action)[0] in ("player", "back"):
        return _of_player(game, before, action, who)
    card, said = action - CARD_AT, game.vocabulary.say(CODEC, action, int(before.decision))
    if DOGMA_AT <= action < DOGMA_AT + SIDE:
        pile = int(before.actor) * SIDE + action - DOGMA_AT
        return f"use {name_of(game, before.top[pile])} ({COLOURS[action - DOGMA_AT]})"
    if not 0 <= card < CARDS or who in (int(before.actor), "all"):
        return said
    moved = before.place[card] != after.place[card]
    open_to = range(game.players) if who is None else [who]
    known = all(card in cards_in(after.known[seat]) for seat in open_to)
    if known and (moved or (after.place[card] < SUPPLY and before.decision not in SECRET)):
        return said
    return f"a card of age {game.tables[0].age[card]}" if moved else "a card"


def _stopped(before: Any) -> str:
    """What stopping means: no card, where none is chosen yet."""
    if before.decision != CARD:
        return "decline"
    return "no more cards" if before.num[before.depth - 1, DONE] else "choose no card"


def _of_player(game: Any, before: Any, action: int, who: Viewer) -> str:
    """A player, or a card whose face the one who decides cannot see, by whose it is."""
    kind, arguments = CODEC.decode(action)
    seat = (int(before.actor) + int(str(arguments[0]))) % game.players
    named = seat_word(seat, who)
    return f"choose {named}" if kind == "player" else f"a card of age {arguments[1]} of {named}"
