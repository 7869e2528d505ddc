"""Movements in the form of recordings: an entry of the log as an event, events in groups."""

from __future__ import annotations

from typing import Any

from theogony.envs.innovation.components import COLOURS, SPECIALS, SPLAYS
from theogony.envs.innovation.state import (
    CLAIMED,
    HANDS,
    LOG_REMOVE,
    LOG_REORDER,
    LOG_SPECIAL,
    LOG_SPLAY,
    SCORES,
    SHOWN,
    SIDE,
    SUPPLY,
    UNCLAIMED,
)

Event = dict[str, Any]


def place_name(place: int) -> str:
    """A place in the recording's words."""
    if place < SUPPLY:
        return f"{place // SIDE}.board"
    if place < HANDS:
        return "supply"
    if place == UNCLAIMED:
        return "achievements"
    areas = {CLAIMED: "achievements", SHOWN: "revealed", SCORES: "score", HANDS: "hand"}  # from the last one on
    first = next(first for first in areas if place >= first)
    return f"{place - first}.{areas[first]}"


def event(what: int, source: int, target: int) -> Event:
    """A movement of the log in the recording's form."""
    if what == LOG_SPLAY:
        return {"splay": SPLAYS[target], "player": source // SIDE, "color": COLOURS[source % SIDE]}
    if what == LOG_REORDER:
        return {"reorder": True}
    if what == LOG_REMOVE:
        return {"remove_all": True}
    card = what if what < LOG_SPECIAL else SPECIALS[what - LOG_SPECIAL]
    if target < 0:
        return {"card": card, "from": place_name(source), "to": place_name(-1 - target), "under": True}
    return {"card": card, "from": place_name(source), "to": place_name(target)}


def straight(events: list[Event]) -> list[Event]:
    """Movements without those that only show a card on its way from a hand to a score pile (ruling R8)."""
    kept: list[Event] = []
    for e in events:
        before = kept[-1] if kept else {}
        path = [before.get("from", ""), before.get("to", ""), e.get("to", "")]
        if path[1] == e.get("from") and [place.split(".")[-1] for place in path] == ["hand", "revealed", "score"]:
            kept[-1] = {**e, "from": path[0]}
        else:
            kept.append(e)
    return kept


def in_groups(events: list[Event]) -> list[Any]:
    """Events with the order inside of a group taken out.

    A group is a run of movements between the same kinds of places; what happens on the way (a splay that is lost, a
    special achievement) belongs to it.
    """
    runs: list[tuple[Any, list[str]]] = []
    for e in events:
        kind = None
        if "from" in e:
            kind = "supply" if e["to"] == "supply" else (e["from"].split(".")[-1], e["to"])
        on_the_way = e.get("splay") == "none" or e.get("card") in SPECIALS
        if not runs or not (on_the_way or (kind is not None and runs[-1][0] == kind)):
            runs.append((kind, []))
        runs[-1][1].append(str(sorted(e.items())))
    return [sorted(run) for _, run in runs]
