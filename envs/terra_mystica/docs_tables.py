"""Tables of the pieces in docs/games/terra_mystica.md, made from the data (see docs/generate.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from theogony.envs.core.game import GameSpec
from theogony.envs.terra_mystica.components import POWER_COST, POWER_GOODS, SHIP_COST, STRUCTURES, goods
from theogony.envs.terra_mystica.render.abilities import ABILITIES, EFFECTS
from theogony.envs.terra_mystica.rules.actions import DIG_VP

ORDER = ("C", "W", "P", "PW", "S")
SPADES = {"S": "spade"}
COUNTED = {"D": "dwelling", "TP": "trading house", "TE": "temple", "SH": "stronghold", "SA": "sanctuary",
           "SPADE": "spade", "TOWN": "town", "ship": "level of shipping"}  # fmt: skip
OPTIONAL = {"BON10": "ship_card", "TW6": "extra_towns", "TW7": "extra_towns", "TW8": "extra_towns",
            "SCORE9": "temple_tile"}  # fmt: skip


def _table(heads: list[str], rows: Iterable[list[Any]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def words(text: str) -> str:
    """Goods in words: "1 PW 1 W" becomes "1 W, 1 PW", and "2 S" becomes "2 spades"."""
    amounts = zip(ORDER, goods(text), strict=True)
    return ", ".join(
        f"{n} {SPADES.get(name, name)}{'s' if name in SPADES and n > 1 else ''}" for name, n in amounts if n
    )


def _name(name: str) -> str:
    """A piece, with the option that brings it into the game."""
    return f"{name} (`{OPTIONAL[name]}`)" if name in OPTIONAL else name


def _points(what: Mapping[str, Any]) -> str:
    """Points for each of something: "4 VP a stronghold or sanctuary"."""
    counted = " or ".join(COUNTED[name] for name in sorted(what, key=list(COUNTED).index))
    return f"{next(iter(what.values()))} VP a {counted}" if what else ""


def _steps(cult: str, number: int) -> str:
    return f"{cult} {number}"


def bonus_cards(spec: GameSpec) -> str:
    """What each bonus card brings."""
    rows = []
    for name, card in spec.configure().components["tiles"]["bonus"].items():
        rows.append([_name(name), words(card["income"]), _points(card["pass_vp"]), EFFECTS.get(name, "")])
    return _table(["card", "income", "on passing", "besides"], rows)


def favor_tiles(spec: GameSpec) -> str:
    """What each favor tile brings."""
    rows = []
    for name, tile in spec.configure().components["tiles"]["favor"].items():
        lasting = [f"{words(tile['income'])} income"] if tile["income"] else []
        lasting += [f"{_points(tile['build_vp'])} that is built"] if tile["build_vp"] else []
        if tile["pass_vp"]:
            by_houses = "/".join(map(str, tile["pass_vp"]))
            lasting.append(f"on passing {by_houses} VP for 0 to {len(tile['pass_vp']) - 1} trading houses")
        lasting += [EFFECTS[name]] if name in EFFECTS else []
        rows.append([name, tile["copies"], _steps(tile["cult"], tile["steps"]), "; ".join(lasting)])
    return _table(["tile", "copies", "cult steps at once", "from then on"], rows)


def town_tiles(spec: GameSpec) -> str:
    """What each town tile brings."""
    rows = []
    for name, tile in spec.configure().components["tiles"]["town"].items():
        gains = [words(tile["gain"])] if tile["gain"] else []
        steps = tile["steps"]
        gains += [f"{steps} step{'s' if steps > 1 else ''} on every cult track"] if steps else []
        gains += [EFFECTS[name]] if name in EFFECTS else []
        rows.append([_name(name), tile["copies"], tile["vp"], tile["keys"], "; ".join(gains)])
    return _table(["tile", "copies", "VP", "keys", "besides"], rows)


def scoring_tiles(spec: GameSpec) -> str:
    """What each scoring tile scores in its round, and what it pays for cult steps at its end."""
    rows = []
    for name, tile in spec.configure().components["tiles"]["scoring"].items():
        every = "priest on the cult board" if tile["cult"] is None else f"{tile['every']} steps on {tile['cult']}"
        every = every.replace("1 steps", "step")
        scores = _points({what: int(tile["vp"]) for what in tile["scores"]})
        rows.append([_name(name), scores, f"{words(tile['reward'])} for every {every}"])
    return _table(["tile", "in its round", "at the end of its round (1 to 5)"], rows)


def power_actions(spec: GameSpec) -> str:
    """What the power actions cost and bring."""
    rows = [
        [f"ACT{k}", f"{cost} PW", words(brings) or "a bridge"]
        for k, (cost, brings) in enumerate(zip(POWER_COST, POWER_GOODS, strict=True), 1)
    ]
    return _table(["action", "cost", "brings"], rows)


def factions(spec: GameSpec) -> str:
    """How each faction begins, and what sets it apart."""
    rows = []
    for name, faction in spec.configure().components["factions"].items():
        start = f"{words(faction['start'])}; bowls {'/'.join(map(str, faction['bowls']))}"
        cults = "/".join(map(str, faction["cults"]))
        rows.append([name, faction["home"], start, cults, words(faction["income"]), *ABILITIES[name]])
    heads = ["faction", "colour", "start", "cults", "base income", "ability", "stronghold"]
    return _table(heads, rows)


def faction_costs(spec: GameSpec) -> str:
    """What structures and levels cost each faction."""
    rows = []
    for name, faction in spec.configure().components["factions"].items():
        costs = [words(faction["cost"][kind]) for kind in STRUCTURES]
        costs[1] += f" ({faction['lone_trading_house']} C alone)"
        rows.append([name, *costs, _shipping(faction["shipping"]), _digging(faction["digging"])])
    return _table(["faction", *STRUCTURES, "shipping", "digging"], rows)


def _shipping(ship: dict[str, Any] | None) -> str:
    if ship is None:
        return "none"
    cost = ", ".join(f"{n} {name}" for name, n in zip(ORDER, SHIP_COST, strict=True) if n)
    points = "/".join(map(str, ship["vp"][ship["start"] + 1 :]))
    return f"{ship['start']} to {ship['max']}, {cost} a level for {points} VP"


def _digging(dig: dict[str, Any]) -> str:
    spades = " / ".join(dict.fromkeys(words(spade) for spade in dig["spade"][: dig["max"] + 1]))
    if not dig["max"]:
        return f"none; a spade costs {spades}"
    return f"0 to {dig['max']}, {words(dig['cost'])} a level for {DIG_VP} VP; a spade costs {spades}"


def faction_incomes(spec: GameSpec) -> str:
    """The income of each slot of a faction board, in the order in which they are emptied."""
    rows = []
    for name, faction in spec.configure().components["factions"].items():
        rows.append([name, *("; ".join(words(slot) or "-" for slot in faction["slots"][kind]) for kind in STRUCTURES)])
    return _table(["faction", *STRUCTURES], rows)


TABLES = {
    table.__name__: table
    for table in (
        bonus_cards, favor_tiles, town_tiles, scoring_tiles, power_actions, factions, faction_costs, faction_incomes,
    )
}  # fmt: skip
