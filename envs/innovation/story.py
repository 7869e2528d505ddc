"""What came of a decision in Innovation: cards that moved, splays, achievements, points.

Two positions are compared as the viewer is shown them: cards whose place it knows, and the backs of all others. Which
of several equal backs moved is nobody's to know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, NamedTuple

from theogony.envs.core.draw.style import seat_does, seat_word
from theogony.envs.core.game import Game
from theogony.envs.innovation import state
from theogony.envs.innovation.actions import DOGMA_AT, DRAW_AT, name_of
from theogony.envs.innovation.cards import effects_of
from theogony.envs.innovation.cards.opcodes import VERBS
from theogony.envs.innovation.cards.wording import sentence
from theogony.envs.innovation.components import AGES, CARDS, COLOURS, MAX_PLAYERS, SPECIALS, SPLAYS
from theogony.envs.innovation.render.words import reach, running, status
from theogony.envs.innovation.state import HANDS, NONE, SCORES, SHOWN, SIDE, SUPPLY, cards_in, pile_of, supply_heights

MANY = 10  # cards: who chooses so many chooses all that there are


class Seen(NamedTuple):
    """What a viewer is shown of where the cards are."""

    places: dict[int, int]  # of the cards that it knows
    backs: Counter[tuple[int, int]]  # the others in hands and score piles, by place and age
    supply: list[int]  # cards by age


class Done(NamedTuple):
    """How cards came to a seat's board and score pile: only what is tucked and scored counts as that."""

    tucked: set[int]  # of the cards that came to its board
    scored: int | None  # how many cards it scored; None: its turn is over, and the count with it

    @classmethod
    def of(cls, before: Any, after: Any, then: Seen, now: Seen, seat: int) -> Done:
        """Tucked are cards that lie beneath others which lay there before, and as many more as the count says."""
        goes_on = before.turn == after.turn and before.decision != state.INITIAL_MELD
        counts = [int(after[name][seat]) - int(before[name][seat]) for name in ("tucks", "scores")]
        new = [card for card, place in now.places.items() if place // SIDE == seat and place != then.places.get(card)]
        piles = [pile_of(after, pile) for pile in range(seat * SIDE, (seat + 1) * SIDE)]
        beneath = {card for cards in piles for k, card in enumerate(cards) if set(cards[:k]) - {*new}} & {*new}
        more = [card for cards in piles for card in reversed(cards) if card in new and card not in beneath]
        left = max(counts[0] - len(beneath), 0) if goes_on else 0
        return cls(beneath | set(more[:left]), counts[1] if goes_on else None)


def about(game: Game, g: Any) -> str:
    """What the decision at hand is part of: the card that is carried out and its running effect; "" for an action."""
    if g.dogma == NONE or g.over:
        return ""
    card, effect = running(g)
    effects = effects_of(game, card)
    return f"{name_of(game, card)}: {sentence(effects[effect])}" if effect < len(effects) else name_of(game, card)


BECOMES = {  # what becomes of cards that are chosen, by verb
    "meld": "to meld", "tuck": "to tuck", "score": "to score", "return": "to return", "to hand": "that go to a hand",
    "to score pile": "that go to a score pile", "to board": "that go to a board", "reveal": "to reveal",
}  # fmt: skip


def asks(game: Game, g: Any, kinds: Collection[str]) -> str:
    """What is to be decided: `Choose a card to return, or decline`; "" where the kind of decision says it all."""
    if g.decision == state.SPLAY_COLOUR:
        return f"Choose a colour to splay {SPLAYS[g.aim]}"
    becomes = BECOMES.get(VERBS[g.aim], "")
    if g.decision != state.CARD or not becomes:
        return ""
    if g.most >= MANY:
        return f"Choose cards {becomes}, one by one{': all of them go' if g.least >= MANY else ', or decline'}"
    if g.most > 1:
        number = g.most if g.least == g.most else f"{g.least} to {g.most}" if g.least else f"up to {g.most}"
        return f"Choose {number} cards {becomes}, one by one"
    return f"Choose a card {becomes.replace('go', 'goes')}{'' if g.least else ', or decline'}"


def note(game: Game, before: Any, action: int, after: Any, viewer: Any) -> str:
    """Whom a dogma would concern, and of which value a card is drawn."""
    seat = int(before.actor)
    if DOGMA_AT <= action < DOGMA_AT + SIDE:
        card = int(before.top[seat * SIDE + action - DOGMA_AT])
        return reach(game, before, card, seat, viewer).partition(": ")[2]
    if action == DRAW_AT:
        then, now = supply_heights(before), supply_heights(after)
        return next((f"value {age}" for age, (a, b) in enumerate(zip(then, now, strict=True), 1) if b < a), "")
    return ""


def story(game: Game, before: Any, action: int, after: Any, viewer: Any) -> list[str]:
    """Whom a dogma concerns, what every seat's cards do, what went back, achievements, and who won."""
    lines, used, effect = [], DOGMA_AT <= action < DOGMA_AT + SIDE, int(before.dogma)
    if used:
        seat = int(before.actor)
        card = int(before.top[seat * SIDE + COLOURS.index(str(game.actions.decode(action)[1][0]))])
        lines.append(f"{name_of(game, card)}, {reach(game, before, card, seat, viewer)}.")
        effect = card
    then, now = (_seen(game, g, viewer) for g in (before, after))
    for seat in range(game.players):
        done = Done.of(before, after, then, now, seat)
        said = [*_grouped(_cards(game, then, now, done, seat, viewer, effect)), *_state(before, after, seat)]
        if said:
            lines.append(f"{seat_does(seat, viewer, *said)}.")
    lines += _returned(game, before, action if viewer in (int(before.actor), "all") else None, then, now)
    if used and len(lines) == 1 and after.dogma == NONE and not after.over:
        lines.append("Nothing is seen to change.")
    if after.over:
        lines.append(f"The game is {status(game, after, viewer)}.")
    return lines


def _seen(game: Game, g: Any, viewer: Any) -> Seen:
    seats = range(game.players) if viewer is None else [viewer]
    known = set(range(CARDS)) if viewer == "all" else set.intersection(*(set(cards_in(g.known[s])) for s in seats))
    places, age = [int(place) for place in g.place], game.tables[0].age
    held = [card for card, place in enumerate(places) if HANDS <= place < SCORES + MAX_PLAYERS and card not in known]
    backs = Counter((places[card], int(age[card])) for card in held)
    return Seen({card: places[card] for card in known}, backs, supply_heights(g))


def _returned(game: Game, before: Any, own: int | None, then: Seen, now: Seen) -> Iterator[str]:
    """Cards that went back to the supply, by name where the viewer knows them; of the viewer's `own` action also the
    card that was drawn again at once: what others choose from a hand is theirs to know."""
    supplied = range(SUPPLY, HANDS)
    came = [card for card in sorted(now.places) if now.places[card] in supplied]
    known = [card for card in came if card in then.places and then.places[card] not in supplied]
    if known:
        names = [name_of(game, card) for card in known]
        yield f"{_all_of(names)} {'goes' if len(names) == 1 else 'go'} back to the supply."
    for age in range(1, AGES + 1):
        more = now.supply[age - 1] - then.supply[age - 1] - sum(game.tables[0].age[card] == age for card in known)
        if more > 0:
            yield f"{_some(more, age).capitalize()} {'goes' if more == 1 else 'go'} back to the supply."
    if own is not None and before.dogma != NONE and before.most > 0 and VERBS[before.aim] == "return":
        kind, arguments = game.actions.decode(own)
        chosen = [card for card in now.places if kind == "card" and name_of(game, card) == arguments[0]]
        if chosen and now.places[chosen[0]] == then.places.get(chosen[0]):
            yield f"{name_of(game, chosen[0])} goes back to the supply, and is drawn again."


def _some(number: int, age: int) -> str:
    return f"a card of value {age}" if number == 1 else f"{number} cards of value {age}"


def _grouped(done: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Cards to which the same was done, together."""
    found: dict[str, list[str]] = {}
    for pattern, card in done:
        found.setdefault(pattern, []).append(card)
    for pattern, cards in found.items():
        yield pattern.format(_all_of(cards))


def _all_of(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _cards(
    game: Game, then: Seen, now: Seen, done: Done, seat: int, viewer: Any, effect: int
) -> Iterator[tuple[str, str]]:
    """The cards that came to a seat: what it did with them, as a pattern, and which they are; `effect` is the card of
    the dogma, which says why cards are shown."""
    age, colour = game.tables[0].age, game.tables[0].colour
    scores = _scoring(then, now, done, seat)
    for card in sorted(now.places):
        place, former = now.places[card], then.places.get(card)
        if place == former:
            continue
        called = f"{name_of(game, card)} ({int(age[card])} {COLOURS[int(colour[card])]})"
        if place < SUPPLY and place // SIDE == seat:
            yield _laid(former, seat, card in done.tucked, viewer), called
        elif place == HANDS + seat:
            own = former is not None and former < SUPPLY and former // SIDE == seat
            yield "takes {} back into hand" if own else "takes {} into hand", called
        elif place == SCORES + seat:
            yield SCORED if scores(former) else GETS, called
        elif place == SHOWN + seat:
            yield "shows {}" + (f" for {name_of(game, effect)}" if effect != NONE else ""), called
    for (place, of), number in sorted((now.backs - then.backs).items()):
        if place == HANDS + seat:
            yield "takes {} into hand", _some(number, of)
        elif place == SCORES + seat:
            yield SCORED if scores(None) else GETS, _some(number, of)


SCORED, GETS = "scores {}", "gets {} into the score pile"


def _laid(former: int | None, seat: int, tucked: bool, viewer: Any) -> str:
    """What was done with a card that lies on a seat's board now."""
    owner = NONE if former is None else owner_of(former)
    if former is not None and owner not in (NONE, seat):
        board = "your board" if owner == viewer else f"the board of {seat_word(owner)}"
        return f"gets {{}} from {board}" if former < SUPPLY else "gets {} onto the board"
    return "tucks {}" if tucked else "melds {}"


def _scoring(then: Seen, now: Seen, done: Done, seat: int) -> Callable[[int | None], bool]:
    """Whether a card that came to a seat's score pile from a place (None: unknown) was scored, or laid there."""
    place = SCORES + seat
    came = sum(now.places[card] == place != then.places.get(card) for card in now.places)
    came += sum(number for (at, _), number in (now.backs - then.backs).items() if at == place)
    given = any(owner_of(at) not in (NONE, seat) for at, _ in then.backs - now.backs)  # a back left somebody else
    swapped = any(then.places.get(card) == place and now.places[card] == HANDS + seat for card in now.places)

    def scores(former: int | None) -> bool:
        if done.scored is not None and done.scored in (0, came):
            return done.scored > 0
        if former is None:
            return not given
        return owner_of(former) in (NONE, seat) and not (swapped and former == HANDS + seat)

    return scores


def owner_of(place: int) -> int:
    """The seat that a board, hand, score pile or shown card belongs to, else NONE."""
    if place < SUPPLY:
        return place // SIDE
    return (place - HANDS) % MAX_PLAYERS if HANDS <= place < SHOWN + MAX_PLAYERS else NONE


def _state(before: Any, after: Any, seat: int) -> Iterator[str]:
    """Splays, achievements and points of a seat."""
    for colour, name in enumerate(COLOURS):
        pile = seat * SIDE + colour
        if after.splay[pile] != before.splay[pile] and after.splay[pile]:
            yield f"splays {name} {SPLAYS[after.splay[pile]]}"
    for age in range(1, AGES):
        if after.period[age - 1] == seat != before.period[age - 1]:
            yield f"claims achievement {age}"
    for k, name in enumerate(SPECIALS):
        if after.special[k] == seat and before.special[k] == NONE:
            yield f"claims {name}"
    if after.points[seat] != before.points[seat]:
        now = int(after.points[seat])
        yield f"goes from {int(before.points[seat])} to {now} point{'' if now == 1 else 's'}"
