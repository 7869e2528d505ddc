"""Goofspiel over the contract of a game: everybody bids in secret at the same time, so one after the other here.

All seats hold the same cards. Each round a prize is turned over, each seat lays a card face down, and then all are
turned over: the highest card takes the prize, unless two are equal. A seat that has laid its card waits in `bid`, which
nobody else sees before the last one is laid.
"""

from __future__ import annotations

from typing import Any

from theogony.envs.core.actions import ActionCodec, Block
from theogony.envs.core.assemble import assemble
from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.game import GameOptions
from theogony.envs.core.jit import rule
from theogony.envs.core.plain import Plain, PlainFeatures
from theogony.envs.core.record import ENDED, header, record_dtype
from theogony.envs.core.rng import below, shuffle, sort

CARDS, SEATS = 4, 3
STATE = record_dtype(
    *header(),
    ("prizes", "i1", (CARDS,)),  # in the order in which they are turned over
    ("round_", "i1"),  # rounds that are over
    ("bid", "i1", (SEATS,)),  # card that each seat has laid face down, 0: none yet
    ("hand", "i1", (SEATS, CARDS)),  # 1: not played yet, for all to see; a card leaves it when it is turned over
    ("points", "i1", (SEATS,)),
)
CODEC = ActionCodec(Block("bid", range(1, CARDS + 1), does="Lays this card face down."))


class Options(GameOptions):
    players: int = 2


@rule
def setup(g, t):
    for k in range(CARDS):
        g.prizes[k] = k + 1
    shuffle(g.rng, g.prizes, CARDS)
    g.hand[: g.players] = 1


@rule
def legal(g, t, mask):
    for card in range(CARDS):
        mask[card] = g.hand[g.actor, card]


@rule
def apply(g, t, action):
    g.bid[g.actor] = action + 1
    g.actor = (g.actor + 1) % g.players
    g.turn = g.actor
    if g.bid[g.actor] > 0:
        turn_over(g)


@rule
def turn_over(g):
    """The highest card takes the prize, unless two are equal."""
    best, winner = 0, -1
    for seat in range(g.players):
        if g.bid[seat] >= best:
            winner = -1 if g.bid[seat] == best else seat
            best = g.bid[seat]
        g.hand[seat, g.bid[seat] - 1] = 0
    if winner >= 0:
        g.points[winner] += g.prizes[g.round_]
    g.bid[:] = 0
    g.round_ += 1
    if g.round_ == CARDS:
        g.over = ENDED


@rule
def score(g, t, out):
    for seat in range(g.players):
        out[seat] = g.points[seat]


@rule
def resample(g, t, seat, rng):
    """The prizes to come in another order, and other bids out of the hands that all see."""
    draw_prizes(g, rng)
    draw_bids(g, seat, rng)


@rule
def draw_prizes(g, rng):
    if g.over == 0:
        rest = g.prizes[g.round_ + 1 :]
        sort(rest, CARDS - 1 - g.round_)
        shuffle(rng, rest, CARDS - 1 - g.round_)


@rule
def draw_bids(g, seat, rng):
    for other in range(g.players):
        if other != seat and g.bid[other] > 0:
            card = below(rng, CARDS)
            while g.hand[other, card] == 0:
                card = below(rng, CARDS)
            g.bid[other] = card + 1


PLAIN = PlainFeatures(
    Plain("points", "prizes", per_seat=True, over=10),
    Plain("own_bid", "card that the observer has laid", of="bid", own=True, one_hot=CARDS, first=1),
)
write_plain = PLAIN.rule


def layout(players: int, t: Any) -> FeatureLayout:
    return FeatureLayout(
        *PLAIN.features(players, t),
        Feature("hand", (players, CARDS), "cards that are not played, the observer's first"),
        Feature("laid", (players,), "who has laid a card"),
        Feature("prize", (1,), "the prize of this round", scale=CARDS),
    )


@rule
def observe(g, t, seat, f):
    write_plain(g, t, seat, f)
    for other in range(g.players):
        row = (other - seat) % g.players
        f.laid[row] = g.bid[other] > 0
        for card in range(CARDS):
            f.hand[row, card] = g.hand[other, card]
    if g.over == 0:
        f.prize[0] = g.prizes[g.round_]


def render_text(game: Any, g: Any, who: Any) -> str:
    rows = ["the game is over" if g.over else f"prize {int(g.prizes[g.round_])}"]
    for seat in range(int(g.players)):
        laid = "nothing" if not g.bid[seat] else f"{int(g.bid[seat])}" if who in (seat, "all") else "a card"
        rows.append(f"player_{seat}: laid {laid}, played {1 - g.hand[seat]}, points {int(g.points[seat])}")
    return "\n".join(rows)


def move_text(game: Any, before: Any, action: int, after: Any, who: Any) -> str:
    """The others hear that a card was laid, and see which one when all are turned over."""
    seat = int(before.actor)
    return game.actions.text(action) if who in (seat, "all") or not after.bid[seat] else "lay a card"


def invariant(game: Any, g: Any) -> str | None:
    """Who has laid a card has it in the hand until it is turned over."""
    laid = [(seat, int(g.bid[seat])) for seat in range(int(g.players)) if g.bid[seat]]
    wrong = [seat for seat, card in laid if not g.hand[seat, card - 1]]
    return f"player_{wrong[0]} has laid a card that it does not hold" if wrong else None


SPEC = assemble(
    __name__,
    title="Goofspiel",
    players=(2, 3),
    hidden=("prizes", "bid"),
    decision_bound=lambda options: CARDS * options.players,
)
