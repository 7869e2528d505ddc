"""What is true of every position: no card is lost or twice, and every count that is kept up agrees with the cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.ranges import Ranges, set_of, two_words
from theogony.envs.innovation import state
from theogony.envs.innovation.cards.opcodes import ACTIVE, IT, ME, NUMBERS, OTHER
from theogony.envs.innovation.components import CARDS, ICONS, MAX_PLAYERS, NO_SPLAY, UP, WHOLE
from theogony.envs.innovation.state import HANDS, NONE, PILES, SCORES, SHOWN, SIDE, SUPPLY, cards_in, pile_of


def invariant(game: Game, g: Any) -> str | None:
    """What is wrong with a position, or None."""
    t = game.tables[0]
    for pile in range(PILES):
        cards = pile_of(g, pile)
        if any(g.place[card] != pile for card in cards) or len(cards) != g.height[pile]:
            return f"pile {pile} holds {cards}, which is not what the cards say"
        if (cards[-1] if cards else NONE) != g.bottom[pile]:
            return f"the bottom card of pile {pile} is not {g.bottom[pile]}"
    for seat in range(game.players):
        wrong = _areas(g, seat) or _counts(t, g, seat)
        if wrong:
            return f"seat {seat}: {wrong}"
    if any(not 0 <= g.place[c] < SUPPLY or g.top[g.place[c]] == c for c in cards_in(g.mixed)):
        return "a card whose place in its pile is unknown is no covered card"
    if int(g.depth) == 0 and (g.num.any() or g.sets.any() or g.pc.any()):
        return "a closed frame left something behind"
    return None


def _areas(g: Any, seat: int) -> str | None:
    for name, first, words in (("hand", HANDS, g.hand), ("score pile", SCORES, g.scored), ("shown", SHOWN, g.shown)):
        if cards_in(words[seat]) != [card for card in range(CARDS) if g.place[card] == first + seat]:
            return f"the {name} is not what the cards say"
    tops = sorted(int(g.top[seat * SIDE + c]) for c in range(SIDE) if g.top[seat * SIDE + c] != NONE)
    return None if cards_in(g.tops[seat]) == tops else "the top cards are not what the piles say"


def _counts(t: Any, g: Any, seat: int) -> str | None:
    if g.points[seat] != sum(int(t.age[card]) for card in cards_in(g.scored[seat])):
        return f"{g.points[seat]} points are not the values of the score pile"
    total = 0
    for pile in range(seat * SIDE, seat * SIDE + SIDE):
        cards = pile_of(g, pile)
        if len(cards) < 2 and g.splay[pile] != NO_SPLAY:
            return f"pile {pile} of {len(cards)} is splayed"
        total += sum(int(t.face[card, WHOLE if k == 0 else g.splay[pile]]) for k, card in enumerate(cards))
    if int(g.icons[seat]) != total:
        return f"the icons {[int(g.icons[seat]) >> 8 * i & 255 for i in range(len(ICONS))]} are not those in view"
    claimed = sum(int(x) == seat for x in (*g.period, *g.special))
    if claimed != g.achievements[seat]:
        return f"{g.achievements[seat]} achievements, but {claimed} are claimed"
    held = sum(int(place) == state.CLAIMED + seat for place in g.place)
    return None if held == sum(int(x) == seat for x in g.period) else "the cards of its age achievements are elsewhere"


# ---- The range of every field of the state: what bytes from a file must keep to before the rules see them --------

ALIKE: dict[str, tuple[Any, Any]] = {  # names of fields -> what they keep to
    "hand scored shown tops known mixed sets": two_words(CARDS),
    "below top bottom dogma frame_card": (NONE, CARDS - 1),
    "height meld_choice": (0, CARDS),
    "special performer": (NONE, MAX_PLAYERS - 1),
    "dirty winners victims sharers": set_of(MAX_PLAYERS),
    "demanding hit bonus had_bonus nested": (0, 1),
    "achievements tucks scores actions_left short_turns offset tally aim least most": (0, 2**7 - 1),
    "points action_count": (0, 2**15 - 1),
    "exchange lists": (0, 0),  # in use only while a position is redrawn
}


def ranges(game: Game) -> Ranges:
    """Lowest and highest value of each field; -1 is nothing."""
    tables = game.tables[0]
    ranges: Ranges = {
        "icons": set_of(8 * len(ICONS)),
        "place": (0, state.EVERYWHERE - 1),
        "splay": (0, UP),
        "period": (-2, MAX_PLAYERS - 1),
        "decision": (0, len(state.DECISIONS) - 1),
        "answer": (0, game.actions.size),
        "options": (0, 2**64 - 1),
        "ended_by": (0, len(state.ENDINGS) - 1),
        "reordered": (0, PILES),
        "depth": (0, state.FRAMES),
        "pc": (0, len(tables.code)),
        "num": _registers(),
    }
    for fields, both in ALIKE.items():
        ranges |= dict.fromkeys(fields.split(), both)
    return ranges | dict.fromkeys(("effect", "frame_effect"), (NONE, tables.first_row.shape[1]))


def _registers() -> tuple[Any, Any]:
    """Those that always hold a player or a card; the others hold whatever an effect counts or chooses."""
    low, high = np.full(NUMBERS, -(2**15)), np.full(NUMBERS, 2**15 - 1)
    for register, last in ((OTHER, MAX_PLAYERS - 1), (ME, MAX_PLAYERS - 1), (ACTIVE, MAX_PLAYERS - 1), (IT, CARDS - 1)):
        low[register], high[register] = NONE, last
    return low, high
