"""The checked component data as one read-only record of arrays, which every rule gets as `t`."""

from __future__ import annotations

import copy
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from theogony.envs.core.features import SHARE
from theogony.envs.core.record import given_chances, record_dtype, tables_header
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.components.pieces import HEROES, RUNES, SLOTS, STATUS

PLACES = ("scene", "slot", "side")
ARMOUR = 4  # most armour markers of one enemy
ROOM = 32  # rows by which a list of effects, flips and the like grows


class Lists:
    """Rows of several flat arrays; a list of rows is named by where it begins and ends.

    Arrays end with empty rows: sets of components that have nearly the same lists share compiled rules.
    """

    def __init__(self, *columns: str) -> None:
        self.columns = columns
        self.rows: list[tuple[int, ...]] = []

    def add(self, rows: list[tuple[int, ...]]) -> tuple[int, int]:
        """Append a list of rows; returns its first and its end."""
        first = len(self.rows)
        self.rows += rows
        return first, len(self.rows)

    def fields(self, prefix: str) -> dict[str, np.ndarray]:
        """The columns as arrays of a multiple of `ROOM` rows, at least one of them empty."""
        rows = np.zeros((ROOM * (len(self.rows) // ROOM + 1), len(self.columns)), np.int16)
        rows[: len(self.rows)] = np.reshape(self.rows, (-1, len(self.columns)))
        return {f"{prefix}_{name}": rows[:, k] for k, name in enumerate(self.columns)}


def columns(prefix: str, names: tuple[str, ...], rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    """The columns of rows of numbers, by their names."""
    return {prefix + name: column for name, column in zip(names, np.array(rows, np.int16).T, strict=True)}


def slot_of(card: str) -> int:
    """The slot of a scene card, from its id `<scene>-<row><column>`."""
    row, column = card.split("-")[1]
    return 4 * int(row) + int(column)


def _slot(name: str, own: int | None = None) -> int:
    if name == "self":
        return codes.SELF if own is None else own
    return codes.EACH_OTHER if name == "each_other" else slot_of(name)


class _Scenes:
    """Collects the flat lists that sides of scene cards point into."""

    def __init__(self) -> None:
        self.attacks = Lists("rune", "ranged", "strength", "dirs", "status", "tokens")
        self.flips = Lists("when", "n", "first", "end")
        self.turned = Lists("slot")
        self.boxes = Lists("when", "n", "if_first", "if_end", "first", "end")
        self.interactions = Lists("if_first", "if_end", "first", "end", "cost_first", "cost_end")
        self.costs = Lists("item")
        self.predicates = Lists("kind", "slot", "n")
        self.effects = Lists("op", "slot", "n", "scope", "kind", "first", "end")

    def attack(self, attack: dict[str, Any], rune: int) -> tuple[int, ...]:
        dirs = sum(1 << (offset + 1) for offset in attack.get("dirs", []))
        status = {None: codes.NONE, "stun": codes.STUN_CARD, "poison": codes.POISON_CARD}[attack.get("effect")]
        tokens = codes.NONE if attack.get("plus_tokens") is None else slot_of(attack["plus_tokens"])
        return (rune, int(attack["type"] == "ranged"), attack["strength"], dirs, status, tokens)

    def condition(self, text: str) -> tuple[int, int]:
        for number, word in enumerate(codes.CONDITIONS):
            if text.startswith(word):
                rest = text[len(word) :].lstrip(":")
                values = {"": 0, "melee": 0, "ranged": 1, **{rune: k for k, rune in enumerate(RUNES)}}
                return number, values[rest] if rest in values else int(rest)
        raise ValueError(f"{text!r} is no condition")

    def conditions(self, listed: list[dict[str, Any]], own: int | None) -> tuple[int, int]:
        rows = []
        for predicate in listed:
            kind, value = next((k, v) for k, v in predicate.items() if v is not None)
            card, n = value if isinstance(value, list | tuple) else (value, 0)
            slot = codes.NONE if kind == "clear" else _slot(card, own)
            rows.append((codes.PREDICATES.index(kind), slot, n))
        return self.predicates.add(rows)

    def effect(self, effect: dict[str, Any], own: int) -> tuple[int, ...]:
        op = effect["op"]
        slot = _slot(effect.get("target") or effect.get("card") or "self", own)
        n, first, end = effect.get("n", 0), 0, 0
        scope = codes.SCOPES.index(effect["scope"]) if effect.get("scope") else 0
        kind = STATUS.index(effect["kind"]) if effect.get("kind") else codes.CRYSTAL_CARD
        if op == "flip":
            cards = [effect["cards"]] if isinstance(effect["cards"], str) else effect["cards"]
            first, end = self.turn(cards, own)
        if op == "attack":
            first, end = self.attacks.add([self.attack(effect, codes.NONE)])
        return (codes.SCENE_OPS.index(op), slot, n, scope, kind, first, end)

    def turn(self, cards: list[str], own: int) -> tuple[int, int]:
        return self.turned.add([(_slot(card, own),) for card in cards])

    def effect_list(self, effects: list[dict[str, Any]], own: int) -> tuple[int, int]:
        return self.effects.add([self.effect(effect, own) for effect in effects])

    def asked_and_done(self, entry: dict[str, Any], own: int) -> tuple[int, ...]:
        return (*self.conditions(entry["if"], own), *self.effect_list(entry["do"], own))

    def interaction_list(self, interactions: list[dict[str, Any]], own: int) -> tuple[int, int]:
        rows = []
        for entry in interactions:
            cost = self.costs.add([(codes.ITEMS.index(item),) for item in entry["cost"]])
            rows.append((*self.asked_and_done(entry, own), *cost))
        return self.interactions.add(rows)

    def fields(self) -> dict[str, np.ndarray]:
        lists = {
            "attack": self.attacks, "flip": self.flips, "turned": self.turned, "box": self.boxes,
            "interaction": self.interactions, "cost": self.costs, "if": self.predicates, "scene": self.effects,
        }  # fmt: skip
        return {name: column for prefix, rows in lists.items() for name, column in rows.fields(prefix).items()}


WATCHED = ("hp<=", "tokens>=", "scene_clear")  # conditions of flips that are checked after every change


def scene_fields(data: dict[str, Any]) -> dict[str, Any]:
    """All that is printed on scene cards, and the flips of each scene that are watched, cards in reading order."""
    shape = (len(data["scenes"]), SLOTS, 2)
    sides: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(shape, np.int16))
    armour, present = np.zeros((*shape, ARMOUR), np.int16), np.zeros(shape[:2], np.int16)
    lists, watched, bounds = _Scenes(), Lists("slot", "side", "flip"), np.zeros((shape[0], 2), np.int16)
    for scene in data["scenes"]:
        number, rows = scene["id"] - 1, []
        for card in scene["cards"]:
            slot = slot_of(card["id"])
            present[number, slot] = 1
            for side, shown in enumerate((card["front"], card["back"])):
                for field, value in _side(shown, slot, lists).items():
                    sides[field][number, slot, side] = value
                markers = (shown["enemy"] or {}).get("armour", [])
                armour[number, slot, side, : len(markers)] = markers
                flips = enumerate(shown["flip"], int(sides["flips_first"][number, slot, side]))
                rows += [(slot, side, k) for k, flip in flips if flip["when"].startswith(WATCHED)]
        bounds[number] = watched.add(sorted(rows))
    found = {"armour": armour, "present": present, **lists.fields()}
    ends = {"watched_first": bounds[:, 0], "watched_end": bounds[:, 1]}
    return {**sides, **found, **ends, **watched.fields("watched")}


def _side(side: dict[str, Any], slot: int, lists: _Scenes) -> dict[str, int]:
    enemy = side["enemy"] or {}
    attacks = enemy.get("attacks", [])
    row: dict[str, int] = {"enemy": codes.EMPTY, "part_of": codes.NONE, "enemy_hp": 0, "invulnerable": 0}
    if enemy:
        row["enemy"] = codes.PART if "part_of" in enemy else codes.OWN
        row["part_of"] = slot_of(enemy["part_of"]) if "part_of" in enemy else slot
        row["enemy_hp"] = max(enemy.get("hp", 0), 1)
        row["invulnerable"] = int(enemy.get("invulnerable", False))
    pairs = {
        "attacks": lists.attacks.add([lists.attack(a, RUNES.index(a["rune"])) for a in attacks]),
        "flips": lists.flips.add([(*lists.condition(f["when"]), *lists.turn(f["cards"], slot)) for f in side["flip"]]),
        "boxes": lists.boxes.add(
            [(*lists.condition(box["when"]), *lists.asked_and_done(box, slot)) for box in side["triggers"]]
        ),
        "interactions": lists.interaction_list(side["interactions"], slot),
        "reward": lists.effect_list(side["reward"], slot),
    }
    for name, (first, end) in pairs.items():
        row[f"{name}_first"], row[f"{name}_end"] = first, end
    tokens = side["tokens"] or {"start": 0, "max": codes.NONE}  # max -1: no token area
    row["tokens_start"], row["tokens_max"] = tokens["start"], tokens["max"]
    shown = {attack["rune"] for attack in attacks}  # runes printed on the side: of attacks, boxes and flips (§6)
    shown |= {entry["when"][5:] for entry in (*side["triggers"], *side["flip"]) if entry["when"].startswith("rune:")}
    return row | {"shows": sum(1 << RUNES.index(rune) for rune in shown)}


def scenario_fields(data: dict[str, Any]) -> dict[str, Any]:
    """Success, failure and hindrances of quests and bosses; their predicates get lists of their own."""
    goals, hindrances = _Scenes(), Lists("op", "kind", "n")
    scenarios = sorted([*data["quests"], *data["bosses"]], key=lambda scenario: scenario["id"])
    rows = []
    for scenario in scenarios:
        front = scenario["front"]
        success = goals.conditions(front["success"]["all"], None)
        failure = goals.conditions(front["fail"]["any"] if front["fail"] else [], None)
        listed = [
            (codes.HINDRANCES.index(h["op"]), STATUS.index(h["kind"]) if h.get("kind") else codes.NONE, h["n"])
            for h in scenario["back"]["hindrance"]
        ]
        rows.append((*success, *failure, *hindrances.add(listed)))
    names = ("success_first", "success_end", "failure_first", "failure_end", "hindrances_first", "hindrances_end")
    lists = goals.predicates.fields("goal") | hindrances.fields("hindrance")
    ids = {kind: sorted(scenario["id"] - 1 for scenario in data[kind]) for kind in ("quests", "bosses")}
    return columns("", names, rows) | lists | ids


# ---- What the heuristic reads in the tables: estimates made from the components, once ----------------------------

GOAL, OTHER = 10, 3  # weight of an enemy that the success of the scene names, and of another, in tenths


def estimate_fields(data: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """What the heuristic reads: worth of cards, weight of enemies, health that is still behind a front."""
    shape = fields["present"].shape
    weight, later = np.full(shape, OTHER, np.int16), np.zeros(shape, np.int16)
    for scenario in (*data["quests"], *data["bosses"]):
        success = scenario["front"]["success"]["all"]
        if any(predicate.get("clear") for predicate in success):
            weight[scenario["id"] - 1] = GOAL
        for predicate in success:
            if predicate.get("dead"):
                weight[scenario["id"] - 1, slot_of(predicate["dead"])] = GOAL
    for scene in data["scenes"]:
        for card in scene["cards"]:
            back, slot = card["back"]["enemy"] or {}, slot_of(card["id"])
            if "hp" in back and _renews(scene, card):
                later[scene["id"] - 1, slot] = back["hp"] + sum(back["armour"])
    worth = [_worth(data["action_cards"][name]) for name in data["action_cards"]]
    found = {"weight": weight, "later": later, "worth": [*worth, -6, -16, 10]}
    return found | _card_estimates(fields)


def _card_estimates(fields: dict[str, Any]) -> dict[str, Any]:
    """What each design can be used for: number, melee, ranged, the strength of its attack, block in tenths, special."""
    names = ("number", "melee", "ranged", "strength", "block", "special")
    best = {name: np.zeros(len(fields["pays"]), np.int16) for name in names}
    for design, kind, number in zip(fields["play_design"], fields["play_kind"], fields["play_number"], strict=True):
        if kind == codes.NUMBER:
            best["number"][design] = max(best["number"][design], number)
        elif kind == codes.BLOCK:
            best["block"][design] = 10 * number + 10
        elif kind == codes.SPECIAL:
            best["special"][design] = 1
        else:
            best["melee" if kind == codes.MELEE else "ranged"][design] = 1
            best["strength"][design] = max(best["strength"][design], number)
    return {f"card_{name}": values for name, values in best.items()}


def _renews(scene: dict[str, Any], card: dict[str, Any]) -> bool:
    """Whether the enemy on the back comes besides the one in front, and is not the same one changed."""
    if not card["front"]["enemy"]:
        return True
    own = any(
        flip["when"] == "defeated" and {"self", card["id"]} & set(flip["cards"]) for flip in card["front"]["flip"]
    )
    fronts = [flip for other in scene["cards"] for flip in other["front"]["flip"] if card["id"] in flip["cards"]]
    return own or any(flip["when"] == "scene_clear" for flip in fronts)


def _worth(card: dict[str, Any]) -> int:
    """About how much damage a card is worth, in tenths: the best of its options, and a little for a choice."""
    each = {"draw": 10, "heal": 9, "boost": 9, "guard": 9, "stun": 20, "damage": 13, "scry": 4, "rage": 8}

    def option(entry: dict[str, Any]) -> int:
        if entry["special"]:
            return sum(each.get(effect["op"], 10) * effect.get("n", 1) for effect in entry["special"])
        base = {(): 0, ("melee",): 8, ("ranged",): 11, ("block",): 6}[tuple(entry["symbols"])]
        return base + 10 * entry["number"] + 7 * entry["stun"] + 5 * max(entry["rage"] - 1, 0)

    return max(map(option, card["options"])) + 4 * (len(card["options"]) - 1)


# ---- The component data with the numbers that options decide: what the tables are made of and what texts tell ----


def in_force(data: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    """A copy of checked component data in which health, strengths and what is said of health are those in force.

    `settings` are the values that options decide. Health of bosses and whatever names it go by the same percentage.
    """
    found = {**data, **{key: copy.deepcopy(data[key]) for key in ("heroes", "quests", "bosses", "scenes")}}
    for hero in found["heroes"]:
        alone = settings["players"] == 1 and hero["id"] == data["solo"]["hero"]
        for figure in hero["figures"]:
            # at least 1 for heroes that are not in the game: `check_health` looked at the others
            figure["hp"] = max((data["solo"]["hp"] if alone else figure["hp"]) + settings["hero_hp"], 1)
    for scene in found["scenes"]:
        percent = settings["boss_hp"] if scene["kind"] == "boss" else 100
        for card in scene["cards"]:
            for side in (card["front"], card["back"]):
                _side_in_force(side, percent, settings["enemy_strength"])
    for scenario in found["bosses"]:
        front = scenario["front"]
        _predicates([*front["success"]["all"], *(front["fail"] or {"any": ()})["any"]], settings["boss_hp"])
    return found


def _side_in_force(side: dict[str, Any], percent: int, stronger: int) -> None:
    enemy = side["enemy"] or {}
    if "hp" in enemy:
        enemy["hp"] = _share(enemy["hp"], percent)
    for flip in side["flip"]:
        if flip["when"].startswith("hp<="):
            flip["when"] = f"hp<={_share(int(flip['when'][4:]), percent)}"
    for entry in (*side["triggers"], *side["interactions"]):
        _predicates(entry["if"], percent)
    for attack in attacks_of(side):
        attack["strength"] = max(attack["strength"] + stronger, 0)


def attacks_of(side: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The attacks of an enemy, and the effects of its card that are attacks."""
    yield from (side["enemy"] or {}).get("attacks", ())
    effects = [effect for entry in (*side["triggers"], *side["interactions"]) for effect in entry["do"]]
    yield from (effect for effect in (*effects, *side["reward"]) if effect["op"] == "attack")


def _predicates(listed: list[dict[str, Any]], percent: int) -> None:
    for predicate in listed:
        if predicate.get("hp_le"):
            card, number = predicate["hp_le"]
            predicate["hp_le"] = (card, _share(number, percent))


def _share(health: int, percent: int) -> int:
    """So many percent of a health, at least 1."""
    return max(health * percent // 100, 1)


# ---- The checked component data as one read-only record of arrays, which every rule gets as `t` ------------------

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


def option_kind(option: dict[str, Any]) -> str:
    """What a card is played as by an option: special, melee, ranged, block or number."""
    return "special" if option["special"] else (option["symbols"] or ["number"])[0]


def figure_data(data: dict[str, Any], figure: str) -> dict[str, Any]:
    """A figure of the heroes by its id."""
    return next(one for hero in data["heroes"] for one in hero["figures"] if one["id"] == figure)


def build_tables(
    data: dict[str, Any], settings: dict[str, Any], codec_fields: Callable[[dict[str, Any]], dict[str, Any]]
) -> np.ndarray:
    """The tables record as an array of one.

    `settings` are the values that options decide; `codec_fields` makes the fields of the action codec from those of
    the cards.
    """
    played, hero_effects = in_force(data, settings), Lists("op", "n", "target")
    fields = _cards(data, hero_effects)
    fields |= _heroes(played, hero_effects, settings["players"] == 1) | _skills(data, hero_effects)
    fields |= hero_effects.fields("effect") | scene_fields(played) | scenario_fields(played)
    fields |= estimate_fields(data, fields)
    decided = ("heroes", "chosen_heroes", "path", "single", "hindered", "upgrades", "max_rounds")
    fields |= {name: settings[name] for name in decided}
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


TARGETS = {None: codes.TO_SELF, "self": codes.TO_SELF, "any": codes.TO_ANY, "bearer": codes.TO_BEARER,
           "own_pair": codes.TO_PAIR}  # fmt: skip


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
    named = ("design", "option", "kind", "number", "stun", "rage", "first", "end", "target", "attack_only")
    rows = []
    pays = np.zeros((len(names), len(codes.ITEMS)), np.int16)
    for design, k in plays(data):
        if design == "crystal":
            number = data["status_cards"]["crystal"]["number_attack_only"]
            rows.append((names.index(design), 0, codes.NUMBER, number, 0, 0, 0, 0, 0, 1))
            pays[names.index(design), codes.CRYSTAL_ITEM] = 1
            continue
        option = data["action_cards"][design]["options"][k]
        kind = option_kind(option)
        first, end, target = _hero_effects(option["special"], lists)
        row = (kinds.index(kind), option["number"], option["stun"], option["rage"], first, end, target, 0)
        rows.append((names.index(design), k, *row))
        if kind != "special":
            pays[names.index(design), kinds.index(kind)] = 1
    fields = columns("play_", named, rows)
    attacks = (codes.MELEE, codes.RANGED)
    for name in ("attack", "number", "block", "special"):
        of = attacks if name == "attack" else (kinds.index(name),)
        fields[f"{name}_plays"] = np.flatnonzero(np.isin(fields["play_kind"], of))
        fields[f"{name}_design"] = fields["play_design"][fields[f"{name}_plays"]]
    types = upgrade_types(data)
    fields["pays"] = pays
    fields["pay_bits"] = pays @ (1 << np.arange(len(codes.ITEMS)))  # the same, kinds of item as bits
    fields["upgrade_design"] = [names.index(name.split(":")[0]) for name in types]
    fields["upgrade_rune"] = [RUNES.index(name.split(":")[1]) for name in types]
    copies = Counter[str]()
    for entry in data["upgrade_deck"]:
        copies[f"{entry['card']}:{entry['rune']}"] += entry["copies"]
    fields["upgrade_copies"] = [copies[name] for name in types]
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
    named = ("hp", "rage_max", "figure_hero", "rage_first", "rage_end", "rage_target")
    rows: list[tuple[Any, ...]] = []
    for number, hero in enumerate(data["heroes"]):
        for entry in hero["deck"]:
            decks[number, names.index(entry["card"])] += entry["copies"]
        for figure in hero["figures"]:
            effects = _hero_effects(figure["rage"]["effects"], lists)
            rows.append((figure["hp"], figure["rage_max"], number, *effects))
    fields, of = columns("", named, rows), [number for _, _, number, *_ in rows]
    # the last row, which hero -1 reads, is a seat that has no hero yet: it has no figures
    fields["first_figure"] = [*map(of.index, range(len(HEROES))), 0]
    fields["figure_count"] = [of.count(k) for k in range(len(HEROES) + 1)]
    refresh = [f["rage"]["id"] == data["solo"]["refresh"] for hero in data["heroes"] for f in hero["figures"]]
    fields["refresher"] = [solo and flag for flag in refresh]  # whose rage ability makes the skills available again
    fields["solo_hero"] = HEROES.index(data["solo"]["hero"])
    fields["starting_deck"] = decks
    return fields


def _skills(data: dict[str, Any], lists: Lists) -> dict[str, Any]:
    named = ("number", "kind", "ranged", "strength", "stun", "targets", "anywhere", "first", "end", "target")
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
    return columns("skill_", named, rows)
