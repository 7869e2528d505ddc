"""What seats are called in pictures, texts and stories: `You`, `Player 2`. Programs know seats by number, from 0;
people read names, which count from 1. A page puts the names of those who play in their place."""

from __future__ import annotations

from collections.abc import Iterable

Viewer = int | str | None
YOURS = {"is": "are", "has": "have", "does": "do", "goes": "go"}  # verbs whose form with `you` is another word
SILENT = ("sses", "shes", "ches")  # ends of verbs that lose two letters


def seat_name(seat: int, viewer: Viewer = None) -> str:
    """What a seat is called: `You` for itself, `Player 2` for the others."""
    return "You" if viewer == seat else f"Player {seat + 1}"


def seat_word(seat: int, viewer: Viewer = None) -> str:
    """What a seat is called within a sentence: `you`, `player 2`."""
    return "you" if viewer == seat else f"player {seat + 1}"


def seat_does(seat: int, viewer: Viewer, *done: str, name: str = "") -> str:
    """`Player 2 takes a tile, pays 3` of another seat, `You take a tile, pay 3` of the viewer's own.

    Each of `done` begins with a verb in the third person. `name` is what is said in place of the seat's name.
    """
    mine = viewer == seat
    said = ", ".join(map(yours, done) if mine else done)
    return f"{name or seat_name(seat, viewer)} {said}"


def seats_do(seats: Iterable[int], viewer: Viewer, one: str, several: str) -> str:
    """`player 1 and player 3 share the win`: what one seat does (third person), or several do."""
    seats = list(seats)
    names = [seat_word(seat, viewer) for seat in seats]
    if len(names) == 1:
        return f"{names[0]} {yours(one) if viewer == seats[0] else one}"
    return f"{' and '.join(names) or 'nobody'} {several if names else one}"


def yours(done: str) -> str:
    """What somebody does, as it is said to them: `takes a tile` is `take a tile`."""
    verb, space, rest = done.partition(" ")
    if verb in YOURS:
        verb = YOURS[verb]
    elif verb.endswith(SILENT):
        verb = verb[:-2]
    elif verb.endswith("ies"):
        verb = f"{verb[:-3]}y"
    elif verb.endswith("s") and not verb.endswith("ss"):
        verb = verb[:-1]
    return verb + space + rest
