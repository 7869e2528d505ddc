"""The checked component data as one read-only record of arrays, which every rule gets as `t`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from theogony.envs.core.features import SHARE
from theogony.envs.core.record import given_chances, record_dtype, tables_header
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.components.estimates import estimate_fields
from theogony.envs.god_of_war.components.in_force import in_force
from theogony.envs.god_of_war.components.pieces import FIGURES, HEROES, RUNES, STATUS
from theogony.envs.god_of_war.components.scene_tables import Lists, scenario_fields, scene_fields

CHANCES = 512  # results that a recording may give between two decisions: shuffles of several decks


def designs(data: dict[str, Any]) -> list[str]:
    """Names of all card designs: action cards, then stun, poison and crystal."""
    return [*data["action_cards"], *STATUS]


def plays(data: dict[str, Any]) -> list[tuple[str, int]]:
    """Every option of every card that can be played, as (design, option); a crystal has one."""
    found = [(key, k) for key, card in data["action_cards"].items() for k in range(len(card["options"]))]
    return [*found, ("crystal", 0)]


def upgrade_types(data: dict[str, Any]) -> list[str]:
    """The different upgrade cards as `design:rune`, in the order of the file."""
    return list(dict.fromkeys(f"{entry['card']}:{entry['rune']}" for entry in data["upgrade_deck"]))


def skill_options(data: dict[str, Any]) -> list[tuple[int, str, dict[str, Any]]]:
    """Every alternative of the companions' skills, as (number of the skill, name of the skill, option)."""
    return [
        (k, skill["id"], option) for k, skill in enumerate(data["solo"]["companions"]) for option in skill["options"]
    ]


def build_tables(
    data: dict[str, Any], settings: dict[str, Any], codec_fields: Callable[[dict[str, Any]], dict[str, Any]]
) -> np.ndarray:
    """The tables record as an array of one.

    `settings` are the values that options decide; `codec_fields` makes the fields of the action codec from those of
    the cards.
    """
    fields: dict[str, Any] = {}
    played = in_force(data, settings)
    hero_effects = Lists("op", "n", "target")
    fields |= _cards(data, hero_effects)
    fields |= _heroes(played, hero_effects, settings["players"] == 1)
    fields |= _skills(data, hero_effects)
    fields |= hero_effects.fields("effect")
    fields |= scene_fields(played)
    fields |= scenario_fields(played)
    fields |= estimate_fields(data, fields)
    fields |= {
        name: settings[name]
        for name in ("heroes", "chosen_heroes", "path", "single", "hindered", "upgrades", "max_rounds")
    }
    fields |= codec_fields(fields)
    arrays = {name: np.asarray(value, np.int16) for name, value in fields.items()}
    arrays["card_used"] = _moments(data)
    shares = _rune_shares(sum(fields["upgrade_copies"]))
    given = ((name, array.dtype.str, array.shape) for name, array in arrays.items())
    dtype = record_dtype(*tables_header(), *given, ("rune_share", "u1", shares.shape), *given_chances(CHANCES))
    tables = np.zeros(1, dtype)
    t = tables[0]
    t.players, t.max_decisions, t.scale = settings["players"], settings["max_decisions"], 1.0
    for name, array in arrays.items():
        t[name] = array
    return tables


# ---------------------------------------------------------------------------------------------------- cards


TARGETS = {
    None: codes.TO_SELF,
    "self": codes.TO_SELF,
    "any": codes.TO_ANY,
    "bearer": codes.TO_BEARER,
    "own_pair": codes.TO_PAIR,
}


def _hero_effects(effects: list[dict[str, Any]], lists: Lists) -> tuple[int, int, int]:
    """Append a list of hero effects; returns its first, its end and the target that must be named."""
    rows, needed = [], codes.NO_TARGET
    for effect in effects:
        op, target = effect["op"], effect.get("target")
        reach_any = effect.get("reach") == "any"
        rows.append((codes.HERO_OPS.index(op), effect.get("n", 1), codes.TO_ANY if reach_any else TARGETS[target]))
        if op in ("stun", "damage"):
            needed = codes.ANY_TARGET if reach_any else codes.COLUMN_TARGET
        elif op == "ward" or (op == "heal" and target == "any"):
            needed = codes.FIGURE_TARGET
    return (*lists.add(rows), needed)


def _cards(data: dict[str, Any], lists: Lists) -> dict[str, Any]:
    names, kinds = designs(data), ("number", "melee", "ranged", "block", "special")
    columns = ("design", "option", "kind", "number", "stun", "rage", "first", "end", "target", "attack_only")
    rows = []
    pays = np.zeros((len(names), len(codes.ITEMS)), np.int16)
    for design, k in plays(data):
        if design == "crystal":
            number = data["status_cards"]["crystal"]["number_attack_only"]
            rows.append((names.index(design), 0, codes.NUMBER, number, 0, 0, 0, 0, 0, 1))
            pays[names.index(design), codes.CRYSTAL_ITEM] = 1
            continue
        option = data["action_cards"][design]["options"][k]
        kind = "special" if option["special"] else (option["symbols"] or ["number"])[0]
        first, end, target = _hero_effects(option["special"], lists)
        row = (kinds.index(kind), option["number"], option["stun"], option["rage"], first, end, target, 0)
        rows.append((names.index(design), k, *row))
        if kind != "special":
            pays[names.index(design), kinds.index(kind)] = 1
    table = np.array(rows, np.int16)
    fields: dict[str, Any] = {f"play_{name}": table[:, k] for k, name in enumerate(columns)}
    attack = np.flatnonzero(np.isin(table[:, 2], (codes.MELEE, codes.RANGED)))
    by_kind = {"attack": attack, "number": None, "block": None, "special": None}
    for name in by_kind:
        chosen = attack if name == "attack" else np.flatnonzero(table[:, 2] == kinds.index(name))
        fields[f"{name}_plays"] = chosen
        fields[f"{name}_design"] = table[chosen, 0]
    types = upgrade_types(data)
    fields["pays"] = pays
    fields["pay_bits"] = pays @ (1 << np.arange(len(codes.ITEMS)))  # the same, kinds of item as bits
    fields["upgrade_design"] = [names.index(name.split(":")[0]) for name in types]
    fields["upgrade_rune"] = [RUNES.index(name.split(":")[1]) for name in types]
    copies = {name: 0 for name in types}
    for entry in data["upgrade_deck"]:
        copies[f"{entry['card']}:{entry['rune']}"] += entry["copies"]
    fields["upgrade_copies"] = list(copies.values())
    fields["supply"] = [data["status_cards"][kind]["copies"] for kind in STATUS]
    fields["status"] = len(names) - len(STATUS)  # design of the first status card
    fields["die"] = data["die"]["faces"]
    return fields


def _moments(data: dict[str, Any]) -> np.ndarray:
    """`[moment, design]`: all bits set where a card has a special that may be used at such a moment at all."""
    names = designs(data)
    used = np.zeros((len(codes.MOMENTS), len(names)), np.int8)
    for design, card in data["action_cards"].items():
        for special in (option["special"] for option in card["options"] if option["special"]):
            moments = [codes.ONLY_IN.get(effect["op"], codes.MOMENTS) for effect in special]
            used[[k for k in codes.MOMENTS if all(k in some for some in moments)], names.index(design)] = -1
    return used


def _rune_shares(deck: int) -> np.ndarray:
    """`[cards, n]`: the share of n cards in an upgrade deck of so many, as a code."""
    cards, n = np.arange(deck + 1)[:, None], np.arange(deck + 1)[None]
    return np.floor(SHARE * np.minimum(n / np.maximum(cards, 1), 1) + 0.5).astype(np.uint8)


def _heroes(data: dict[str, Any], lists: Lists, solo: bool) -> dict[str, Any]:
    names = designs(data)
    decks = np.zeros((len(HEROES), len(names)), np.int16)
    fields: dict[str, Any] = {name: [] for name in ("hp", "rage_max", "figure_hero", "rage_first", "rage_end")}
    fields["rage_target"] = []
    for number, hero in enumerate(data["heroes"]):
        for entry in hero["deck"]:
            decks[number, names.index(entry["card"])] += entry["copies"]
        for figure in hero["figures"]:
            first, end, target = _hero_effects(figure["rage"]["effects"], lists)
            row = (figure["hp"], figure["rage_max"], number, first, end)
            for name, value in zip(fields, (*row, target), strict=True):
                fields[name].append(value)
    # the last row, which hero -1 reads, is a seat that has no hero yet: it has no figures
    fields["first_figure"] = [*(fields["figure_hero"].index(k) for k in range(len(HEROES))), 0]
    fields["figure_count"] = [fields["figure_hero"].count(k) for k in range(len(HEROES) + 1)]
    refresh = [f["rage"]["id"] == data["solo"]["refresh"] for hero in data["heroes"] for f in hero["figures"]]
    fields["refresher"] = [solo and flag for flag in refresh]  # whose rage ability makes the skills available again
    fields["solo_hero"] = HEROES.index(data["solo"]["hero"])
    fields["starting_deck"] = decks
    assert len(fields["hp"]) == len(FIGURES)
    return fields


def _skills(data: dict[str, Any], lists: Lists) -> dict[str, Any]:
    columns = ("number", "kind", "ranged", "strength", "stun", "targets", "anywhere", "first", "end", "target")
    rows = []
    for number, _, option in skill_options(data):
        attack, special = option.get("attack"), option.get("special") or []
        first, end, target = _hero_effects(special, lists)
        strength, details = 0, (0, 0, 0, 0)
        if attack:
            kind, strength = codes.SKILL_ATTACK, attack["strength"]
            details = (attack["type"] == "ranged", attack["stun"], attack["targets"], attack["any_column"])
        elif option.get("number"):
            kind, strength = codes.SKILL_NUMBER, option["number"]
        elif option.get("block"):
            kind, strength = codes.SKILL_BLOCK, option["block"]
        else:
            kind = codes.SKILL_DIE if special[0]["op"] == "die_to_bonus" else codes.SKILL_SPECIAL
        ranged, stun, targets, anywhere = details
        rows.append((number, kind, ranged, strength, stun, targets, anywhere, first, end, target))
    table = np.array(rows, np.int16)
    return {f"skill_{name}": table[:, k] for k, name in enumerate(columns)}
