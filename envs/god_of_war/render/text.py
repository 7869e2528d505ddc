"""A position in lines of text: mosaic, columns, hands, rage, tokens. Decks are written for all eyes only."""

from __future__ import annotations

from typing import Any

from theogony.envs.god_of_war.render.words import Seat, card_text, headline, hero_name, present_slots, waiting
from theogony.envs.god_of_war.snapshot import snapshot


def render_text(game: Any, g: Any, seat: Seat) -> str:
    """The position in lines of text."""
    found = snapshot(game, g)
    rows = [headline(game, g, found)]
    rows += [card_text(game, g, slot) for slot in present_slots(game, g)]
    for number, column in enumerate(found["columns"]):
        stands = " behind ".join(reversed([hero_name(figure) for figure in column])) or "-"
        rows.append(f"column {number + 1}: {stands}")
    for player in found["players"]:
        rows += _player_text(player, found, seat)
    rows.append(f"revealed: {', '.join(found['revealed']) or '-'}; upgrade deck: {len(found['upgrade_deck'])} cards")
    if seat == "all":
        rows.append(f"upgrade deck: {', '.join(found['upgrade_deck'])}")
    return "\n".join(rows)


def _player_text(player: dict[str, Any], found: dict[str, Any], seat: Seat) -> list[str]:
    star = "*" if player["seat"] == found["starting_player"] else " "
    figures = "; ".join(
        f"{hero_name(f['id'])} {max(f['hp'] - f['damage'], 0)}/{f['hp']} HP, rage {f['rage']}"
        + (f", {f['wards']} wards" if f["wards"] else "")
        + ("" if f["standing"] else ", out")
        for f in player["figures"]
    )
    bonus = waiting(player)
    rows = [f"seat {player['seat']}{star} {figures}{bonus}"]
    rows.append(f"    hand: {' '.join(player['hand']) or '-'}")
    if player["in_play"]:
        rows.append(f"    in play: {' '.join(player['in_play'])}")
    deck = f": {' '.join(player['deck'])}" if seat == "all" else ""
    rows.append(f"    deck {len(player['deck'])} cards{deck}; discard pile {len(player['discard'])}")
    return rows
