"""The actions of recordings, which are whole moves of the rules, as sequences of our small decisions."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any

from theogony.envs.god_of_war import state
from theogony.envs.god_of_war.actions import ROLES, ROWS, play_names
from theogony.envs.god_of_war.codes import F_SKILL
from theogony.envs.god_of_war.components.pieces import COLUMNS, FIGURES
from theogony.envs.god_of_war.components.tables import plays, skill_options
from theogony.envs.god_of_war.rules.figures import first_figure, role_figure
from theogony.envs.god_of_war.rules.usable import PAY_INTERACTION
from theogony.envs.god_of_war.snapshot import card_id, context

Composite = tuple[dict[str, Any], list[int]]  # the action of a recording, our decisions in order


def composites(position: Any) -> list[Composite]:
    """Every legal action of the recordings' kind, each once, with the decisions that make it."""
    if position.g.decision == state.SCRY:
        branches = _scry(position)
    else:
        branches = [branch for action in position.legal_actions() for branch in _branches(position, int(action))]
    found: dict[str, Composite] = {}
    for done, decisions in branches:
        found.setdefault(json.dumps(done, sort_keys=True), (done, decisions))
    return list(found.values())


def _branches(position: Any, action: int) -> list[Composite]:
    """A first decision with everything that must be said at once."""
    done = describe(position, action)
    kind = position.game.actions.decode(action)[0]
    if kind in ("special", "rage", "skill") and needs_more(position, action):
        return _with_targets(position, action, done)
    if kind == "interact":
        return _with_payment(position, action, done)
    return [(done, [action])]


def needs_more(position: Any, action: int) -> bool:
    """Whether a special, rage ability or skill asks for a target or a place."""
    g, t, data = position.g, position.tables[0], position.game.components
    kind, arguments = position.game.actions.decode(action)
    if kind == "special":
        return bool(t.play_target[play_names(data).index(str(arguments[1]))])
    if kind == "rage":
        role = ROLES.index(str(arguments[0]))
        return bool(t.rage_target[role_figure(g, t, int(g.actor), role)])
    _, _, option = _skill(data, str(arguments[0]))
    asks = ("move", "stun", "damage", "ward")
    return bool(option.get("attack")) or any(effect["op"] in asks for effect in option.get("special") or [])


def _with_targets(position: Any, action: int, done: dict[str, Any]) -> list[Composite]:
    after = position.clone()
    after.play(action)
    g, legal = after.g, [int(a) for a in after.legal_actions()]
    if g.decision == state.TARGET and g.agenda[int(g.depth) - 1, 0] == F_SKILL:
        return _with_shots(after, action, done, legal)

    def said(a: int) -> dict[str, Any]:
        if g.decision == state.STEP:
            return _stand(*_words(after, a))
        return {"target": _words(after, a)[0] if g.decision == state.FIGURE else _target(after, a)}

    return [({**done, **said(a)}, [action, a]) for a in legal]


def _with_shots(after: Any, action: int, done: dict[str, Any], first: list[int]) -> list[Composite]:
    _, _, option = _skill(after.game.components, f"{done['skill']} {done['option']}")
    wanted = option["attack"]["targets"] if option["attack"].get("any_column") else 1
    aims = itertools.combinations(first, 1 if min(wanted, len(first)) == 1 else 2)
    return [({**done, "targets": [_target(after, a) for a in aim]}, [action, *aim]) for aim in aims]


def _with_payment(position: Any, action: int, done: dict[str, Any]) -> list[Composite]:
    after = position.clone()
    after.play(action)
    t, frame = after.tables[0], after.g.agenda[int(after.g.depth) - 1]
    items = int(t.interaction_cost_end[frame[PAY_INTERACTION]]) - int(t.interaction_cost_first[frame[PAY_INTERACTION]])
    return [
        ({**done, "pay": sorted(_words(after, a)[0] for a in path)}, [action, *path])
        for path in _payments(after, items)
    ]


def _payments(position: Any, items: int) -> list[list[int]]:
    assert position.g.decision == state.PAY
    paths = []
    for action in position.legal_actions():
        if items == 1:
            paths.append([int(action)])
            continue
        after = position.clone()
        after.play(int(action))
        paths += [[int(action), *rest] for rest in _payments(after, items - 1)]
    return paths


def _scry(position: Any) -> list[Composite]:
    """All ways to lay back the cards that are looked at."""
    codec, found = position.game.actions, []

    def go(left: list[str], top: list[str], bottom: list[str], decisions: list[int]) -> None:
        """`left` are still to be laid back; those of the bottom come first, then the top ones downwards."""
        if not left or (len(left) == 1 and top):
            found.append(({"do": "scry", "top": top + left, "bottom": bottom}, decisions))
            return
        for k, card in enumerate(left):
            rest = left[:k] + left[k + 1 :]
            go(rest, [*top, card], bottom, [*decisions, codec.encode("top", k + 1)])
            if not top:
                go(rest, top, [*bottom, card], [*decisions, codec.encode("bottom", k + 1)])

    go(context(position.game, position.g)["cards"], [], [], [])
    return found


# ---------------------------------------------------------------------------------------------------- one decision


def _skill(data: dict[str, Any], name: str) -> tuple[int, str, dict[str, Any]]:
    return next(entry for entry in skill_options(data) if f"{entry[1]} {entry[2]['id']}" == name)


def _target(position: Any, action: int) -> str:
    return card_id(int(position.g.scenario), action - position.game.actions.first["target"])


def _words(position: Any, action: int) -> tuple[str, ...]:
    """What a decision names, as its text does."""
    return tuple(map(str, position.game.actions.decode(action)[1]))


def _stand(column: str, slot: str) -> dict[str, Any]:
    return {"column": int(column) - 1, "slot": slot}


def describe(position: Any, action: int) -> dict[str, Any]:
    """One of our decisions in the words of the recordings; what is said later is missing."""
    kind, words = position.game.actions.decode(action)[0], _words(position, action)
    if kind in WHOLE:
        return WHOLE[kind](position, *words)
    if kind in ("take", "remove"):
        return {"do": kind, "card": words[0]}
    if kind in ("add", "block"):
        return {"do": kind, **_card(position, words[0])}
    if kind in ("end", "commit", "done", "pass"):
        return {"do": kind}
    figure = int(role_figure(position.g, position.tables[0], int(position.g.actor), ROLES.index(words[0])))
    return {"do": kind, "figure": FIGURES[figure], **BY_FIGURE[kind](position, figure, *words[1:])}


def _card(position: Any, name: str) -> dict[str, Any]:
    data = position.game.components
    design, option = plays(data)[play_names(data).index(name)]
    return {"card": design, "option": option}


def _attack(position: Any, figure: int, row: str, name: str) -> dict[str, Any]:
    slot = COLUMNS * ROWS.index(row) + int(position.g.column[figure])
    return {**_card(position, name), "target": card_id(int(position.g.scenario), slot)}


def _named(position: Any, figure: str) -> dict[str, Any]:
    g = position.g
    words = {state.BEARER: ("hang", "on"), state.SHIELD: ("take", "figure"), state.POISON: ("suffer", "figure")}
    do, key = words.get(int(g.decision), ("choose", "figure"))
    assert g.decision in (state.BEARER, state.SHIELD, state.POISON, state.CHOSEN)
    return {"do": do, key: figure}


def _used_skill(position: Any, name: str) -> dict[str, Any]:
    g, t = position.g, position.tables[0]
    _, skill, option = _skill(position.game.components, name)
    found = {"do": "skill", "skill": skill, "option": option["id"]}
    if not option.get("block") and g.decision not in (state.SET, state.DIE):
        found["figure"] = FIGURES[int(first_figure(g, t, int(g.actor)))]
    return found


def _interaction(position: Any, figure: int, row: str, place: str) -> dict[str, Any]:
    number = int(place) - 1
    g, data = position.g, position.game.components
    scenario, slot = int(g.scenario), COLUMNS * ROWS.index(row) + int(g.column[figure])
    name = card_id(scenario, slot)
    cards = next(scene for scene in data["scenes"] if scene["id"] == scenario + 1)["cards"]
    card = next(card for card in cards if card["id"] == name)
    label = card[("front", "back")[g.side[slot]]]["interactions"][number]["label"]
    return {"scene_card": name, "interaction": number, "label": label}


# Decisions that are told whole, and those of a figure: kind -> position, figure, words of the action -> the rest of it.
WHOLE: dict[str, Callable[..., dict[str, Any]]] = {
    "ask": lambda position: {"do": "ask", "figure": "mimir"},
    "hero": lambda position, hero: {"do": "choose", "hero": hero},
    "place": lambda position, *stand: {"do": "place", **context(position.game, position.g), **_stand(*stand)},
    "figure": _named,
    "choose": lambda position, scene: {"do": "choose", "quest": state.SCENES.index(scene) + 1},
    "column": lambda position, column: {"do": "column", "column": int(column) - 1},
    "skill": _used_skill,
}
BY_FIGURE: dict[str, Callable[..., dict[str, Any]]] = {
    "move": lambda position, figure, *stand: _stand(*stand),
    "special": lambda position, figure, name: _card(position, name),
    "attack": _attack,
    "rage": lambda position, figure: {},
    "interact": _interaction,
}
