"""A position in words, for text and picture."""

from __future__ import annotations

import re
from typing import Any

from theogony.envs.terra_mystica.components import BOARD, BONUS, FACTIONS, FAVOR, SCORES, SCORING, TOWN
from theogony.envs.terra_mystica.render.abilities import ABILITIES
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
    MAIN: "is to act", TURN: "goes on with the turn", COLOUR: "chooses a colour", LEECH: "may take power",
    REWARD: "takes a cult step", CULT_SPADES: "uses spades of the cult bonus",
}  # fmt: skip
OPEN = {  # what a turn may still ask for, by the field that counts it
    "spades": "{} free spade{s}", "favors_due": "{} favor tile{s} to take", "towns_due": "{} town tile{s} to take",
    "steps_due": "{} cult step{s}", "bridge_due": "a bridge to build", "priests_due": "{} worker{s} may become priests",
    "free_dwelling": "a free dwelling", "free_house": "a free trading house",
    "key_choice": "a key to use on a cult track",
}  # fmt: skip
COUNTED = {"D": "dwelling", "TP": "trading house", "TE": "temple", "SH": "stronghold", "SA": "sanctuary",
           "SPADE": "spade", "TOWN": "town"}  # fmt: skip
GOODS_WORDS = {"C": "coin", "W": "worker", "P": "priest", "PW": "power", "VP": "VP"}


def check_viewer(game: Any, viewer: int | str | None) -> None:
    """Raises ValueError for a viewer who is no seat, not "all" and not None."""
    if viewer not in (None, "all") and viewer not in range(game.players):
        raise ValueError(f"a viewer is a seat from 0 to {game.players - 1}, 'all' or None, not {viewer!r}")


def seat_name(g: Any, seat: int) -> str:
    """The faction of a seat, or its number before the choice."""
    return f"player {seat}" if g.faction[seat] < 0 else FACTIONS[g.faction[seat]]


def title_of(name: str) -> str:
    """A faction's name for people: `Chaos magicians`."""
    return name.replace("chaosm", "chaos m").capitalize()


def title_of_seat(g: Any, seat: int) -> str:
    """What stands over the board of a seat."""
    return f"Player {seat}" if g.faction[seat] < 0 else title_of(FACTIONS[g.faction[seat]])


def ability(name: str) -> str:
    """What a faction does at any time and from its stronghold on, without abbreviations."""
    always, later = ABILITIES[name]
    said = ". ".join(f"{part[:1].upper()}{part[1:]}" for part in (always, f"stronghold: {later}") if part)
    said = re.sub(r"\bACT[A-Z]: ", "action: ", said)
    return re.sub(r"\b(\d+) (C|W|P|PW)\b", lambda found: _counted(int(found[1]), GOODS_WORDS[found[2]]), said)


def _counted(number: int, name: str) -> str:
    return f"{number} {name}{'s' if number > 1 and name != 'power' else ''}"


def headline(game: Any, g: Any) -> str:
    """Round, scoring tile and what is due."""
    if g.over:
        best = max(int(g.vp[s]) for s in range(game.players))
        winners = [title_of_seat(g, s) for s in range(game.players) if g.vp[s] == best]
        return f"game over: {' and '.join(winners)} with {best} points"
    when = "setup" if g.round_number == 0 else f"round {g.round_number} of 6 ({round_text(game, g)})"
    return f"{when}: {title_of_seat(g, int(g.actor))} {_due(game, g)}"


def round_text(game: Any, g: Any) -> str:
    """What this round scores, in words."""
    tile, t = int(g.scoring[g.round_number - 1]), game.tables[0]
    what = [COUNTED[SCORES[n - 1]] for n in range(1, 8) if t.score_vp[tile, n]]
    return f"{max(t.score_vp[tile])} VP a {' or '.join(what)}"


def _due(game: Any, g: Any) -> str:
    """The decision in words."""
    what = DUE[int(g.decision)]
    if g.decision == LEECH:
        power = int(g.offer_power[g.offer_next])
        return f"{what}: {power} offered by {title_of_seat(g, int(g.turn))}, for {power - 1} VP"
    if g.decision == COLOUR and g.target >= 0:
        return f"{what} for {BOARD.land[g.target]}"
    number = {name: int(g[name]) for name in OPEN}
    due = [text.format(n, s="s" if n > 1 else "") for name, text in OPEN.items() if (n := number[name]) > 0]
    return f"{what}: {', '.join(due)}" if due and g.decision == TURN else what


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
