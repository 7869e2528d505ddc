"""What a viewer knows of a decision that somebody else has made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from theogony.envs.core.arguments import checked_viewer
from theogony.envs.core.draw.style import Viewer, seat_does, seat_word, seats_do
from theogony.envs.innovation import state
from theogony.envs.innovation.actions import CARD_AT, CODEC, DOGMA_AT, STOP_AT, name_of
from theogony.envs.innovation.breakdown import icons_of
from theogony.envs.innovation.cards import effects_of
from theogony.envs.innovation.cards.opcodes import DONE, ME, VERBS
from theogony.envs.innovation.cards.wording import sentence
from theogony.envs.innovation.components import CARDS, COLOURS, MAX_PLAYERS, SPLAYS
from theogony.envs.innovation.state import HANDS, NONE, SCORES, SHOWN, SIDE, SUPPLY, cards_in, pile_of

ENDED = {"": "cut off", "achievements": "by achievements", "points": "by points: a card above 10 was due",
         "card": "by what a card says"}  # fmt: skip


def known_cards(g: Any, place: int, viewer: Viewer) -> tuple[list[int], list[int]]:
    """The cards of a hand or score pile: those the viewer knows, and the others, by age."""
    words = (g.hand if place < SCORES else g.scored)[(place - HANDS) % MAX_PLAYERS]
    cards = cards_in(words)
    if viewer == "all":
        return cards, []
    known = cards_in(g.known[viewer]) if viewer is not None else []
    seen = [card for card in cards if card in known]
    return seen, [card for card in cards if card not in seen]


def seen_pile(g: Any, pile: int, viewer: Viewer) -> list[tuple[int, bool]]:
    """The cards of a pile of a board from the top down, and whether the viewer knows that each lies there.

    The cards of which it does not know where they lie (ruling R11) take their places in the order of their numbers.
    """
    cards = pile_of(g, pile)
    if viewer in ("all", pile // SIDE):
        return [(card, True) for card in cards]
    mixed = iter(sorted(set(cards) & set(cards_in(g.mixed))))
    return [(next(mixed), False) if card in cards_in(g.mixed) else (card, True) for card in cards]


def running(g: Any) -> tuple[int, int]:
    """The card that is carried out, and which of its effects."""
    frame = int(g.depth) - 1
    return (int(g.frame_card[frame]), int(g.frame_effect[frame])) if g.depth else (int(g.dogma), int(g.effect))


def status(game: Any, g: Any, viewer: Viewer = None) -> str:
    """One line: the end, or who has to decide what."""
    if g.over:
        winners = [seat for seat in range(game.players) if g.winners >> seat & 1]
        return f"over ({ENDED[state.ENDINGS[g.ended_by]]}): {seats_do(winners, viewer, 'won', 'won')}"
    if g.decision == state.INITIAL_MELD:
        return f"all choose a first card; {_does(game, g, viewer)}"
    left = int(g.actions_left)
    line = f"{turn_of(int(g.turn), viewer)}, {left} action{'' if left == 1 else 's'} left"
    if g.dogma != NONE:
        line += f"; dogma of {name_of(game, g.dogma)}"
        if g.depth and g.frame_card[g.depth - 1] != g.dogma:
            line += f" > {name_of(game, g.frame_card[g.depth - 1])}"
    own = state.DECISIONS[g.decision] == "action" and g.actor == g.turn
    return line if own else f"{line}; {_does(game, g, viewer)}"


def _does(game: Any, g: Any, viewer: Viewer) -> str:
    """Who decides what."""
    seat = int(g.actor)
    does = game.vocabulary.name("phase", state.DECISIONS[g.decision])
    return seat_does(seat, viewer, does, name=seat_word(seat, viewer))


def turn_of(seat: int, viewer: Viewer) -> str:
    return "your turn" if seat == viewer else f"turn of {seat_word(seat)}"


def reach(game: Any, g: Any, card: int, seat: int, viewer: Viewer = None) -> str:
    """Who would share a seat's top card, and whom its demand would strike, with the icons of now (§5)."""
    icon = game.components["cards"][card]["dogma"]
    counts = [icons_of(g, other)[icon] for other in range(game.players)]
    others = [other for other in range(game.players) if other != seat]
    demands = [effect.demand for effect in effects_of(game, card)]
    weaker = [other for other in others if counts[other] < counts[seat]]
    stronger = [other for other in others if counts[other] >= counts[seat]]
    parts = [f"used by {seat_word(seat, viewer)} now ({counts[seat]} {game.vocabulary.name('icon', icon)})"]
    if any(demands):
        parts.append(f"the demand strikes {_players(weaker, counts, viewer)}")
    if not all(demands):
        parts.append(
            f"{_players(stronger, counts, viewer)} {'share' if len(stronger) > 1 or viewer in stronger else 'shares'}"
        )
    return f"{parts[0]}: {', '.join(parts[1:])}"


def _players(seats: list[int], counts: list[int], viewer: Viewer) -> str:
    return " and ".join(f"{seat_word(seat, viewer)} ({counts[seat]})" for seat in seats) or "nobody"


# ---- What a viewer knows of a decision that somebody else has made -----------------------------------------------

SECRET = (
    state.INITIAL_MELD,
    state.ORDER,
)  # decisions that nobody else sees: a first meld, and the order of covered cards (R11)


def move_text(game: Any, before: Any, action: int, after: Any, who: Viewer) -> str:
    """An action in words; of a card that `who` (a seat, or None for the public) did not see, only its age.

    A card that moved shows its back, and its name to those who know where it went. One that stayed where it was is
    named only if it lies open.
    """
    checked_viewer(who, game.players)
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
    return f"a card of value {game.tables[0].age[card]}" if moved else "a card"


def _stopped(before: Any) -> str:
    """What stopping means: no card, where none is chosen yet."""
    if before.decision != state.CARD:
        return "decline"
    return "no more cards" if before.num[before.depth - 1, DONE] else "choose no card"


def _of_player(game: Any, before: Any, action: int, who: Viewer) -> str:
    """A player, or a card whose face the one who decides cannot see, by whose it is."""
    kind, arguments = CODEC.decode(action)
    seat = (int(before.actor) + int(str(arguments[0]))) % game.players
    named = seat_word(seat, who)
    return f"choose {named}" if kind == "player" else f"a card of value {arguments[1]} of {named}"


# ---- Where in the picture an action is made ----------------------------------------------------------------------


def places(game: Any, g: Any, action: int) -> Sequence[str]:
    """The names of the places where an action of the acting seat is clicked; none for stopping and for answers."""
    kind, arguments = game.actions.decode(action)
    seat = int(g.actor)
    if kind == "card":
        return _of_card(game, g, action - CARD_AT)
    if kind == "dogma":
        top = int(g.top[seat * SIDE + COLOURS.index(str(arguments[0]))])
        return _of_card(game, g, top) if top != NONE else ()
    if kind == "pair":
        return [f"pile {seat} {colour}" for colour in str(arguments[0]).split("+")]
    if kind in ("player", "back"):
        other = (seat + int(arguments[0])) % game.players
        return (
            (f"seat {other}",) if kind == "player" else [f"{a} {other} back {arguments[1]}" for a in ("hand", "score")]
        )
    names = {"draw": "supply", "achieve": "achievement {}", "colour": "pile {seat} {}", "value": "supply {}"}
    return (names[kind].format(*arguments, seat=seat),) if kind in names else ()


def _of_card(game: Any, g: Any, card: int) -> Sequence[str]:
    """The place of a card: a pile of a board, a hand, a score pile."""
    where = int(g.place[card])
    if where < SUPPLY:
        seat, colour = divmod(where, SIDE)
        return (f"pile {seat} {COLOURS[colour]} {name_of(game, card)}",)
    for first, name in ((HANDS, "hand"), (SCORES, "score")):
        if first <= where < first + MAX_PLAYERS:
            return (f"{name} {where - first} {name_of(game, card)}",)
    return (f"hand {where - SHOWN} {name_of(game, card)}",) if SHOWN <= where < SHOWN + MAX_PLAYERS else ()


# ---- The effect that is carried out, in words: what it says, by whom, who else shares or must obey, and what is aske
#
# Several effects of a card, and several choices of one effect, look alike without it: whether the card that is chosen
# is melded or returned stands nowhere else.


def running_words(game: Any, g: Any, viewer: Viewer) -> Iterator[str]:
    """The lines about the running effect, none outside of one."""
    if g.over or not g.depth:
        return
    top, (card, number) = int(g.depth) - 1, running(g)
    effects, who, of = effects_of(game, card), seat_word(int(g.num[top, ME]), viewer), name_of(game, card)
    does = "obeyed" if effects[number].demand else "carried out"
    yield f"effect {number + 1} of {len(effects)} of {of}, {does} by {who}: {sentence(effects[number])}"
    if g.dogma != NONE:
        told = concerned(game, g, viewer)
        told += ["a draw at the end is earned by sharing"] if g.bonus else []
        yield f"this action: {'; '.join([*told, *_tally(game, g, viewer)])}"
    if asked := _asked(g, int(g.num[top, DONE])):
        yield f"asked for: {asked}"


def concerned(game: Any, g: Any, viewer: Viewer) -> list[str]:
    """Whom the demand of the dogma strikes, and who shares it (§5)."""
    demands = [effect.demand for effect in effects_of(game, int(g.dogma))]
    moved = ", and has moved a card" if g.hit else ""
    told = [f"the demand strikes {_seats(g.victims, viewer)}{moved}"] if any(demands) else []
    return told + ([f"shared by {_seats(g.sharers, viewer)}"] if not all(demands) else [])


def _tally(game: Any, g: Any, viewer: Viewer) -> list[str]:
    """How many cards each seat returned in this action, where the card counts that."""
    seats = range(game.players)
    counts = ", ".join(f"{seat_word(seat, viewer)} {int(g.tally[seat])}" for seat in seats if g.tally[seat])
    return [f"returned in it: {counts}"] if counts else []


def _asked(g: Any, moved: int) -> str:
    """What is to be chosen and what becomes of it; "" where the effect says all."""
    if g.decision == state.SPLAY_COLOUR:
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
