"""A position in words, for text and picture."""

from __future__ import annotations

from typing import Any

from theogony.envs.terra_mystica.components import BONUS, FACTIONS, FAVOR, SCORES, SCORING, TOWN
from theogony.envs.terra_mystica.state import (
    CARD,
    COLOUR,
    CULT_SPADES,
    DRAFT,
    LEECH,
    MAIN,
    REWARD,
    SETTLE,
    TURN,
)  # fmt: skip

DUE = {
    DRAFT: "chooses a faction", SETTLE: "places a first dwelling", CARD: "takes a first bonus card",
    MAIN: "is to act", TURN: "goes on with the turn", COLOUR: "chooses a colour", LEECH: "is offered power",
    REWARD: "takes a cult step", CULT_SPADES: "uses cult bonus spades",
}  # fmt: skip


def check_viewer(game: Any, viewer: int | str | None) -> None:
    """Raises ValueError for a viewer who is no seat, not "all" and not None."""
    if viewer not in (None, "all") and viewer not in range(game.players):
        raise ValueError(f"a viewer is a seat from 0 to {game.players - 1}, 'all' or None, not {viewer!r}")


def seat_name(g: Any, seat: int) -> str:
    """The faction of a seat, or its number before the choice."""
    return f"player {seat}" if g.faction[seat] < 0 else FACTIONS[g.faction[seat]]


def headline(game: Any, g: Any) -> str:
    """Round, scoring tile and what is due."""
    if g.over:
        best = max(int(g.vp[s]) for s in range(game.players))
        winners = [seat_name(g, s) for s in range(game.players) if g.vp[s] == best]
        return f"game over: {' and '.join(winners)} with {best} points"
    when = (
        "setup" if g.round_number == 0 else f"round {g.round_number} of 6, {scoring_text(game, g, g.round_number - 1)}"
    )
    what = DUE[int(g.decision)]
    if g.decision == LEECH:
        what += f": {int(g.offer_power[g.offer_next])} from {seat_name(g, int(g.turn))}"
    return f"{when}: {seat_name(g, int(g.actor))} {what}"


def scoring_text(game: Any, g: Any, k: int) -> str:
    """A round's scoring tile: its name, and points for what."""
    tile, t = int(g.scoring[k]), game.tables[0]
    what = [SCORES[n - 1] for n in range(1, 8) if t.score_vp[tile, n]]
    return f"{SCORING[tile]} ({max(t.score_vp[tile])} for {'/'.join(what)})"


def tiles_text(g: Any, seat: int) -> str:
    """Bonus card, favor and town tiles of a seat."""
    names = [] if g.card[seat] < 0 else [BONUS[g.card[seat]]]
    names += [name for k, name in enumerate(FAVOR) if g.favors[seat, k]]
    names += [
        name if g.towns[seat, k] == 1 else f"{g.towns[seat, k]}x{name}"
        for k, name in enumerate(TOWN)
        if g.towns[seat, k]
    ]
    return " ".join(names) or "-"


def goods_text(g: Any, seat: int) -> str:
    """Goods and bowls of a seat."""
    bowls = "/".join(str(n) for n in g.bowls[seat])
    return f"{g.coins[seat]} C, {g.workers[seat]} W, {g.priests[seat]} P, power {bowls}"
