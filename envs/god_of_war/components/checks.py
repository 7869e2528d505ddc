"""The printed pieces as a checked JSON file: cards, heroes, scenes, quests and bosses in a closed vocabulary.

The vocabulary is explained in docs/games/god_of_war.md. Keys `source`, `...source`, `colours`, `meta`, `special_rule`
and `text` may be in a file as notes; they decide nothing and are dropped, so that they are no part of the component
digest (`docs_tables.py` reads those that say what is printed). Everything else must be a word that `models.py`
lists, and every card that is named must exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from theogony.envs.core.game import ComponentError, OptionError, read_components
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.god_of_war.codes import NONE
from theogony.envs.god_of_war.components import models
from theogony.envs.god_of_war.components.models import ComponentFile
from theogony.envs.god_of_war.components.pieces import COLUMNS, COUNTS, FIGURES, HEROES, RUNES, SIDE_CARDS, STATUS

WINDOW_OPS = ("boost", "guard", "block_boost", "die_to_bonus")  # only in a window of an attack or block
TARGETED = ("heal", "ward", "stun", "damage")  # a special has at most one effect whose target the player names


# ---- Every reference that leads nowhere and every combination that has no meaning, as messages -------------------


def _heroes(file: ComponentFile) -> Iterator[str]:
    if tuple(hero.id for hero in file.heroes) != HEROES:
        yield f"heroes: expected {', '.join(HEROES)} in this order"
    if tuple(figure.id for hero in file.heroes for figure in hero.figures) != FIGURES:
        yield f"heroes: expected the figures {', '.join(FIGURES)} in this order"
    for hero in file.heroes:
        if hero.can_attack != (hero.id != "mimir"):
            yield f"heroes: {hero.id}: can_attack must be false for mimir and true for the others"
        for entry in hero.deck:
            if entry.card not in file.action_cards:
                yield f"heroes: {hero.id}: deck: there is no action card {entry.card!r}"
        for figure in hero.figures:
            for op in (effect.op for effect in figure.rage.effects):
                if op in ("boost", "guard", "die_to_bonus", "move"):
                    yield f"heroes: {figure.id}: rage: a rage ability cannot have the effect {op!r}"


def _cards(file: ComponentFile) -> Iterator[str]:
    for key, card in file.action_cards.items():
        if key != card.id:
            yield f"action_cards: {key}: its id is {card.id!r}"
        if key in STATUS:
            yield f"action_cards: {key}: is the name of a status card"
        for number, option in enumerate(card.options):
            yield from (f"action_cards: {key}: option {number}: {problem}" for problem in _option(option))
    for number, entry in enumerate(file.upgrade_deck):
        if entry.card not in file.action_cards:
            yield f"upgrade_deck: {number}: there is no action card {entry.card!r}"


def _option(option: models.Option) -> Iterator[str]:
    ops = [effect.op for effect in option.special]
    if ops and (option.symbols or option.number):
        yield "a special option has neither symbol nor number"
    if not ops and not option.symbols and not option.number:
        yield "has neither symbol, number nor special"
    if option.stun and option.symbols not in (["melee"], ["ranged"]):
        yield "only attack symbols stun"
    yield from _effect_list(ops)
    if any(op in WINDOW_OPS for op in ops) and not all(op in (*WINDOW_OPS, "rage") for op in ops):
        yield "boost and guard are played in windows and go together only with rage"


def _effect_list(ops: list[str]) -> Iterator[str]:
    if sum(op in TARGETED for op in ops) > 1:
        yield f"at most one of its effects may be one of {', '.join(TARGETED)}"


def _solo(file: ComponentFile) -> Iterator[str]:
    figures = {figure.rage.id: hero.id for hero in file.heroes for figure in hero.figures}
    if figures.get(file.solo.refresh) != file.solo.hero:
        yield f"solo: refresh: {file.solo.hero} has no rage ability {file.solo.refresh!r}"
    names = [skill.id for skill in file.solo.companions]
    if len(set(names)) != len(names):
        yield f"solo: companions: a skill is listed twice in {', '.join(names)}"
    for skill in file.solo.companions:
        for option in skill.options:
            kinds = [option.attack, option.number, option.block, option.special]
            if sum(kind is not None for kind in kinds) != 1:
                yield f"solo: {skill.id}: {option.id}: expected exactly one of attack, number, block and special"
            ops = [effect.op for effect in option.special or []]
            if "die_to_bonus" in ops and len(ops) > 1:
                yield f"solo: {skill.id}: {option.id}: die_to_bonus stands alone"
            if any(op in ("boost", "guard", "block_boost") for op in ops):
                yield f"solo: {skill.id}: {option.id}: a skill cannot have boost, guard or block_boost"
            yield from (f"solo: {skill.id}: {option.id}: {problem}" for problem in _effect_list(ops))


def _scenarios(file: ComponentFile) -> Iterator[str]:
    scenes = {scene.id: scene for scene in file.scenes}
    numbers = [scenario.id for scenario in (*file.quests, *file.bosses)]
    if sorted(numbers) != list(range(1, len(numbers) + 1)):
        yield f"quests and bosses: their ids are {numbers}, expected 1 to {len(numbers)}"
    for kind, scenarios in (("quest", file.quests), ("boss", file.bosses)):
        for scenario in scenarios:
            scene = scenes.get(scenario.scene)
            if scene is None or scene.kind != kind or scenario.id != scenario.scene:
                yield f"{kind} {scenario.id}: its scene must be the {kind} scene of the same number"
                continue
            predicates = [*scenario.front.success.all, *(scenario.front.fail.any if scenario.front.fail else [])]
            ids = {card.id for card in scene.cards}
            yield from (f"{kind} {scenario.id}: {p}" for p in _predicates(predicates, ids, None))
            for hindrance in scenario.back.hindrance:
                if (hindrance.kind is None) == (hindrance.op == "shuffle_status"):
                    yield f"{kind} {scenario.id}: {hindrance.op}: a kind of card belongs to shuffle_status only"
                if hindrance.n < 0 and hindrance.op != "hand_limit":
                    yield f"{kind} {scenario.id}: hindrance {hindrance.op}: n must not be negative"


def _scenes(file: ComponentFile) -> Iterator[str]:
    for scene in file.scenes:
        ids = [card.id for card in scene.cards]
        expected = [f"{scene.id}-{card.pos[0]}{card.pos[1]}" for card in scene.cards]
        if ids != expected:
            yield f"scene {scene.id}: card ids are {ids}, their places make them {expected}"
        grid = [(row, column) for row in range(2) for column in range(COLUMNS)]
        places = [tuple(card.pos) for card in scene.cards]
        side = places[len(grid) :]
        if places[: len(grid)] != grid or side != [(2, c) for c in range(len(side))] or len(side) > SIDE_CARDS:
            yield f"scene {scene.id}: expected two rows of {COLUMNS} cards, then at most {SIDE_CARDS} side cards"
            continue
        for card in scene.cards:
            for name, shown in (("front", card.front), ("back", card.back)):
                yield from (f"scene card {card.id}: {name}: {p}" for p in _side(card, shown, scene))


def _side(card: models.SceneCard, side: models.SideModel, scene: models.Scene) -> Iterator[str]:
    ids = {c.id for c in scene.cards}
    enemy = side.enemy
    if isinstance(enemy, models.BodyPart):
        owner = next((c for c in scene.cards if c.id == enemy.part_of), None)
        if owner is None or not isinstance(owner.front.enemy, models.OwnEnemy):
            yield f"part_of: {enemy.part_of!r} is no card of this scene with an enemy of its own"
    if isinstance(enemy, models.OwnEnemy) and enemy.armour != sorted(enemy.armour, reverse=True):
        yield f"armour {enemy.armour} is not listed from the highest"
    for attack in enemy.attacks if enemy else []:
        if attack.type == "ranged" and attack.dirs:
            yield "a ranged attack has no dirs"
        if attack.plus_tokens is not None:
            yield from _names([attack.plus_tokens], ids)
    for flip in side.flip:
        yield from _names(flip.cards, ids)
    for entry in (*side.triggers, *side.interactions):
        yield from _predicates(entry.if_, ids, card.id)
        yield from _effects(entry.do, ids)
    yield from _effects(side.reward, ids)
    if side.tokens and side.tokens.start > side.tokens.max:
        yield f"tokens: start {side.tokens.start} is above max {side.tokens.max}"
    if side.interactions and card.pos[0] == 2:
        yield "interactions belong to cards of the mosaic: heroes stand in no column of a side card"


def _effects(effects: Iterable[Any], ids: set[str]) -> Iterator[str]:
    for effect in effects:
        cards = getattr(effect, "cards", ())
        named = [cards] if isinstance(cards, str) else [*cards]
        named += [getattr(effect, key) for key in ("card", "target") if hasattr(effect, key)]
        yield from _names(named if effect.op != "damage_enemy" else set(named) - {"each_other"}, ids)


def _predicates(predicates: Iterable[models.Predicate], ids: set[str], own: str | None) -> Iterator[str]:
    for predicate in predicates:
        forms = [predicate.hp_le, predicate.tokens_ge, predicate.dead, predicate.clear]
        if sum(form is not None for form in forms) != 1:
            yield "a condition is exactly one of hp_le, tokens_ge, dead and clear"
        named = [form[0] for form in (predicate.hp_le, predicate.tokens_ge) if form is not None]
        if predicate.dead is not None:
            named.append(predicate.dead)
        for name in named:
            if not (name == "self" and own is not None):
                yield from _names([name], ids - {"self"})


def _names(names: Iterable[str], ids: set[str]) -> Iterator[str]:
    for name in names:
        if name != "self" and name not in ids:
            yield f"there is no card {name!r} in this scene"


# ---- A whole file: its words, its references and the numbers of its pieces ---------------------------------------

NOTES = ("colours", "meta", "special_rule", "text", "effect_text", "glyph")


def load_components(path: str | Path) -> dict[str, Any]:
    """A checked component file as plain data. Raises ComponentError naming file, place and what was expected."""
    return check_components(read_components(path), str(path))


def check_components(data: Any, path: str) -> dict[str, Any]:
    """The content of a component file, checked; `path` says in messages where it comes from. Raises ComponentError."""
    file = checked(ComponentFile, _without_notes(data), path, ComponentError)
    kinds = (_wrong_counts, _heroes, _cards, _solo, _scenarios, _scenes)
    for problem in [problem for kind in kinds for problem in kind(file)]:
        raise ComponentError(f"{path}: {problem}")
    return file.model_dump(mode="json", by_alias=True, exclude_defaults=False)


def _without_notes(data: Any) -> Any:
    if isinstance(data, dict):
        kept = {k: v for k, v in data.items() if k not in NOTES and not str(k).endswith("source")}
        return {key: _without_notes(value) for key, value in kept.items()}
    return [_without_notes(item) for item in data] if isinstance(data, list) else data


def _wrong_counts(file: ComponentFile) -> Iterator[str]:
    """Where the file does not have the printed numbers of pieces (§1)."""
    runes = Counter(rune for entry in file.upgrade_deck for rune in [entry.rune] * entry.copies)
    found: list[tuple[str, str, int]] = [
        ("upgrade cards", "", sum(runes.values())),
        *(("upgrade cards of each rune", f" {rune}", runes[rune]) for rune in RUNES),
        ("scene cards", "", sum(len(scene.cards) for scene in file.scenes)),
        ("scenes", "", len(file.scenes)),
        ("quests", "", len(file.quests)),
        ("bosses", "", len(file.bosses)),
        ("faces of the enemy die", "", len(file.die.faces)),
        *(("cards of each supply", f" {kind}", getattr(file.status_cards, kind).copies) for kind in STATUS),
        *(("cards of each starting deck", f" {h.id}", sum(c.copies for c in h.deck)) for h in file.heroes),
    ]
    for what, which, count in found:
        if count != COUNTS[what]:
            yield f"{what}{which}: there are {count}, but {COUNTS[what]} are printed"


# ---- How much health heroes need: more than the damage that is laid out for them when a scene begins (R38) -------


def check_health(data: dict[str, Any], settings: dict[str, Any], hero_hp: int) -> None:
    """Refuse health with which a hero could begin a scene beaten.

    `settings` are the values that options decide, with the health that the level of difficulty adds; `hero_hp` is the
    option itself. Raises OptionError naming the hero and the lowest `hero_hp` that works for the heroes, scenes and
    components in force.
    """
    laid_out = most_laid_out(data, settings)
    health, name = min((hp + settings["hero_hp"], name) for name, hp in figures_in_play(data, settings))
    if health <= laid_out:
        raise OptionError(
            f"god_of_war: option hero_hp={hero_hp}: {name} would have {health} health where a scene can begin with "
            f"{laid_out} damage; the lowest that works here is {hero_hp + laid_out + 1 - health}"
        )


def figures_in_play(data: dict[str, Any], settings: dict[str, Any]) -> list[tuple[str, int]]:
    """Name and printed health of every figure that may be in the game; without given heroes that is every one."""
    if settings["players"] == 1:
        return [(data["solo"]["hero"], data["solo"]["hp"])]
    given = [HEROES[hero] for hero in settings["heroes"] if hero != NONE]
    heroes = [hero for hero in data["heroes"] if not given or hero["id"] in given]
    return [(figure["id"], figure["hp"]) for hero in heroes for figure in hero["figures"]]


def most_laid_out(data: dict[str, Any], settings: dict[str, Any]) -> int:
    """The most damage that hindrances can lay out in one scene (§8): one quest is passed over, then two bosses."""
    hindrances = {s["id"] - 1: s["back"]["hindrance"] for s in (*data["quests"], *data["bosses"])}
    damage = {s: sum(h["n"] for h in listed if h["op"] == "start_damage") for s, listed in hindrances.items()}
    if settings["single"] != NONE:
        return sum(damage[scenario] for scenario in settings["hindered"] if scenario != NONE)
    passed = {number: n for number, n in damage.items() if number not in settings["path"]}
    quests = [passed[k["id"] - 1] for k in data["quests"] if k["id"] - 1 in passed]
    bosses = sorted(passed[k["id"] - 1] for k in data["bosses"] if k["id"] - 1 in passed)
    return max(*quests, sum(bosses[-2:]))
