"""Tables of the pieces in docs/games/terra_mystica.md, made from the data and the vocabulary (see docs/generate.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import groupby
from typing import Any

from theogony.envs.core.contract import table
from theogony.envs.core.game import GameSpec
from theogony.envs.terra_mystica.actions import BOARD
from theogony.envs.terra_mystica.components import SHIP_COST, STRUCTURES
from theogony.envs.terra_mystica.components.pieces import GOODS
from theogony.envs.terra_mystica.rules.actions import DIG_VP
from theogony.envs.terra_mystica.vocabulary import ABILITIES, CULTISTS_DECLINED, goods_words

OPTIONAL = {"BON10": "ship_card", "TW6": "extra_towns", "TW7": "extra_towns", "TW8": "extra_towns",
            "SCORE9": "temple_tile"}  # fmt: skip


def _pieces(kind: str, heads: list[str], copies: str = "") -> Callable[[GameSpec], str]:
    """A table of the entries of a kind: name with the short form of records, perhaps the copies, and what it does."""

    def rows(spec: GameSpec) -> str:
        game = spec.configure()
        found = []
        for entry in game.vocabulary.of(kind):
            option = f", option `{OPTIONAL[entry.key]}`" if entry.key in OPTIONAL else ""
            number = [game.components["tiles"][copies][entry.key]["copies"]] if copies else []
            found.append([f"{entry.name} (`{entry.key}`{option})", *number, entry.does])
        return table(heads, found)

    return rows


def words(text: str) -> str:
    """Goods in short: "1 PW 1 W" becomes "1 W, 1 PW"."""
    return goods_words(text, "{} {}".format)


def power_actions(spec: GameSpec) -> str:
    """The power actions, whose names say what they cost and bring."""
    return table(
        ["action", "text"], ([e.name, f"`action {e.key}`"] for e in spec.configure().vocabulary.of("power action"))
    )


def land(spec: GameSpec) -> str:
    """The map with the names of its land spaces."""
    rows: dict[int, list[str]] = {}
    for label, (row, _) in BOARD.places.items():
        rows.setdefault(row, []).append("." if label.startswith("r") else label)
    lines = ("  " * (row % 2) + "".join(label.ljust(4) for label in labels) for row, labels in rows.items())
    return "\n".join(["```", *(line.rstrip() for line in lines), "```"])


def factions(spec: GameSpec) -> str:
    """How each faction begins, and what sets it apart."""
    game, rows = spec.configure(), []
    for key, faction in game.components["factions"].items():
        start = f"{words(faction['start'])}; bowls {'/'.join(map(str, faction['bowls']))}"
        cults = "/".join(map(str, faction["cults"]))
        name = game.vocabulary.name("faction", key)
        always, later = ABILITIES[key]
        always += f"; {CULTISTS_DECLINED} (option `cultists_power`)" if key == "cultists" else ""
        rows.append([name, faction["home"], start, cults, words(faction["income"]) or "none", always, later])
    heads = ["faction", "colour", "start", "cults", "base income", "ability", "stronghold"]
    return table(heads, rows)


def _costs(faction: dict[str, Any]) -> dict[str, str]:
    """What structures and levels cost a faction."""
    costs = {kind: words(faction["cost"][kind]) for kind in STRUCTURES}
    costs["TP"] += f" ({faction['lone_trading_house']} C alone)"
    return costs | {"shipping": _shipping(faction["shipping"]), "digging": _digging(faction["digging"])}


def _incomes(faction: dict[str, Any]) -> dict[str, str]:
    """The income of each slot of a faction board, in the order in which they are emptied."""
    return {kind: _slots(faction["slots"][kind]) for kind in STRUCTURES}


def _slots(slots: list[str]) -> str:
    """Equal incomes are counted: `7 × 1 W, then none`."""
    runs = ((said, len(list(same))) for said, same in groupby(words(slot) or "none" for slot in slots))
    return ", then ".join(f"{number} × {said}" if number > 1 else said for said, number in runs)


def _by_faction(cells: Callable[[dict[str, Any]], dict[str, str]]) -> Callable[[GameSpec], str]:
    """What is usual, and for each faction only what differs."""

    def rows(spec: GameSpec) -> str:
        game = spec.configure()
        found = {key: cells(faction) for key, faction in game.components["factions"].items()}
        columns = next(iter(found.values()))
        usual = {column: Counter(cell[column] for cell in found.values()).most_common(1)[0][0] for column in columns}
        lines = [["usual", "; ".join(f"{column} {said}" for column, said in usual.items())]]
        for key, cell in found.items():
            other = [f"{column} {said}" for column, said in cell.items() if said != usual[column]]
            lines += [[game.vocabulary.name("faction", key), "; ".join(other)]] if other else []
        return table(["faction", "what differs"], lines)

    return rows


def _shipping(ship: dict[str, Any] | None) -> str:
    if ship is None:
        return "none"
    cost = ", ".join(f"{n} {name}" for name, n in zip(GOODS, SHIP_COST, strict=True) if n)
    points = "/".join(map(str, ship["vp"][ship["start"] + 1 :]))
    return f"{ship['start']} to {ship['max']}, {cost} a level for {points} VP"


def _digging(dig: dict[str, Any]) -> str:
    spades = " / ".join(dict.fromkeys(words(spade) for spade in dig["spade"][: dig["max"] + 1]))
    if not dig["max"]:
        return f"none, a spade costs {spades}"
    return f"0 to {dig['max']}, {words(dig['cost'])} a level for {DIG_VP} VP, a spade costs {spades}"


TABLES: dict[str, Callable[[GameSpec], str]] = {
    "scoring_tiles": _pieces("scoring tile", ["tile", "in its round, and at the end of rounds 1 to 5"]),
    "bonus_cards": _pieces("bonus card", ["card", "brings"]),
    "favor_tiles": _pieces("favor tile", ["tile", "copies", "brings"], "favor"),
    "town_tiles": _pieces("town tile", ["tile", "copies", "brings"], "town"),
    "power_actions": power_actions,
    "land": land,
    "factions": factions,
    "faction_costs": _by_faction(_costs),
    "faction_incomes": _by_faction(_incomes),
}
