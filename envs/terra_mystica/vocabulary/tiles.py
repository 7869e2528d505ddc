"""What tiles and cards do, in words, from their data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from theogony.envs.core.vocabulary import Entry
from theogony.envs.terra_mystica.components import POWER_COST, goods
from theogony.envs.terra_mystica.components.pieces import GOODS
from theogony.envs.terra_mystica.vocabulary.abilities import ABILITIES, CULTISTS_DECLINED, EFFECTS
from theogony.envs.terra_mystica.vocabulary.names import (
    BONUS,
    COUNTED,
    CULTS,
    FAVOR,
    POWER_ACTIONS,
    TOWN,
    counted,
    faction_name,
)

ORDER = ("C", "W", "P", "PW", "S")


def goods_words(text: str) -> str:
    """Goods of the data in words: "1 PW 1 W" becomes "1 worker, 1 power"."""
    amounts = dict(zip(GOODS, goods(text), strict=True))
    return ", ".join(counted(amounts[key], key) for key in ORDER if amounts[key])


def points_each(what: Mapping[str, int]) -> str:
    """Points for each of something: "4 points a stronghold or sanctuary"."""
    named = " or ".join(COUNTED[key] for key in sorted(what, key=list(COUNTED).index))
    number = next(iter(what.values()), 0)
    return f"{number} point{'s' if number != 1 else ''} a {named}" if what else ""


def tiles(data: dict[str, Any]) -> Iterator[Entry]:
    """Bonus cards, favor tiles, town tiles, scoring tiles and power actions."""
    for key, card in data["bonus"].items():
        does = _joined(_income(card["income"]), points_each(card["pass_vp"]) + " on passing" * bool(card["pass_vp"]))
        yield Entry("bonus card", key, BONUS[key], _joined(does, EFFECTS.get(key, "")), rule="§4")
    for key, tile in data["favor"].items():
        name = f"{CULTS[tile['cult']]} {tile['steps']}" + (f": {FAVOR[key]}" if key in FAVOR else "")
        yield Entry("favor tile", key, name, _favor(key, tile), tile["cult"].lower(), "§11")
    for key, tile in data["town"].items():
        gain = _joined(goods_words(tile["gain"]), _every_cult(tile["steps"]), EFFECTS.get(key, ""))
        keys = f"{tile['keys']} keys" if tile["keys"] > 1 else "a key"
        yield Entry("town tile", key, TOWN[key], _joined(f"{tile['vp']} points, {keys}", gain), "town", "§9")
    for key, tile in data["scoring"].items():
        yield Entry("scoring tile", key, _scoring_name(tile), _scoring(tile), rule="§5.3")
    for k, brings in enumerate(POWER_ACTIONS):
        name = f"{brings} for {POWER_COST[k]} power"
        yield Entry("power action", f"ACT{k + 1}", name, "once a round among all players", "power", "§6.6")


def factions(data: dict[str, Any], cultists_power: bool) -> Iterator[Entry]:
    """What each faction does at any time, and from its stronghold on."""
    for key, faction in data.items():
        does = f"{faction['home'].capitalize()}. {ability(key, cultists_power)}"
        yield Entry("faction", key, faction_name(key), does, rule="§12")


def ability(key: str, cultists_power: bool) -> str:
    """What a faction does at any time and from its stronghold on, by the rules in force."""
    always, later = ABILITIES[key]
    if key == "cultists" and cultists_power:
        always += f"; {CULTISTS_DECLINED}"
    return ". ".join(f"{part[:1].upper()}{part[1:]}" for part in (always, f"stronghold: {later}") if part)


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _income(text: str) -> str:
    return f"{goods_words(text)} income" if text else ""


def _every_cult(steps: int) -> str:
    return f"{steps} step{'s' if steps > 1 else ''} on every cult track" if steps else ""


def _favor(key: str, tile: dict[str, Any]) -> str:
    """What a favor tile does from the moment it is taken on; its name tells the steps."""
    built = f"{points_each(tile['build_vp'])} that is built" if tile["build_vp"] else ""
    by_houses = "/".join(map(str, tile["pass_vp"]))
    passing = f"on passing {by_houses} points for 0 to {len(tile['pass_vp']) - 1} trading houses" if by_houses else ""
    steps = f"{tile['steps']} step{'s' if tile['steps'] > 1 else ''} on {CULTS[tile['cult']]}"
    return _joined(steps, _income(tile["income"]), built, passing, EFFECTS.get(key, ""))


def _scoring_name(tile: dict[str, Any]) -> str:
    """What it scores and which cult pays: `dwellings and Fire`."""
    scored = COUNTED[tile["scores"][0]]
    return f"{scored}s and {'priests' if tile['cult'] is None else CULTS[tile['cult']]}"


def _scoring(tile: dict[str, Any]) -> str:
    """Points in the round, and what is paid at its end."""
    every = "step" if tile["every"] == 1 else f"{tile['every']} steps"
    every = "priest on the cult board" if tile["cult"] is None else f"{every} on {CULTS[tile['cult']]}"
    scored = points_each({what: int(tile["vp"]) for what in tile["scores"]})
    return f"{scored}; at the end of the round {goods_words(tile['reward'])} for every {every}"
