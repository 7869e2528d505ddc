"""A position as plain data, in the words of the recordings: for the reader of recordings and for pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from theogony.envs.core.game import Game
from theogony.envs.god_of_war import codes, state
from theogony.envs.god_of_war.codes import COUNT, F_SUFFER
from theogony.envs.god_of_war.components.pieces import COLUMNS, FIGURES, HEROES, STATUS
from theogony.envs.god_of_war.components.tables import designs, plays, skill_options, upgrade_types
from theogony.envs.god_of_war.rules import attack
from theogony.envs.god_of_war.rules.cards import SCRY_LEFT, SCRY_TOP
from theogony.envs.god_of_war.rules.scene_effects import CHOSEN_SLOT, ONE_EFFECT
from theogony.envs.god_of_war.rules.setup import figure_to_place, laid_out


def card_id(scenario: int, slot: int) -> str:
    """The id of a scene card: `<scene>-<row><column>`."""
    return f"{scenario + 1}-{slot // COLUMNS}{slot % COLUMNS}"


def listed(pile: Any, names: list[str]) -> list[str]:
    """A pile of copies as a sorted list of designs."""
    return sorted(name for name, copies in zip(names, pile, strict=True) for _ in range(int(copies)))


def snapshot(game: Game, g: Any) -> dict[str, Any]:
    """The whole position as in the `state` of a recording."""
    data = game.components
    names, types = designs(data), upgrade_types(data)
    found: dict[str, Any] = {
        "round": int(g.round_number),
        "phase": state.PHASES[g.phase],
        "starting_player": int(g.starting_player),
        "active_seat": int(g.active),
        "stage": 0 if g.phase == state.IN_HEROES else int(g.stage),
        "quest": None if g.phase == state.IN_HEROES else int(g.scenario) + 1,
        "hindrances": [int(k) + 1 for k in g.hindrances if k != codes.NONE],
        "passed_over": [int(k) + 1 for k in g.passed_over if k != codes.NONE],
        "players": [player(game, g, seat, names) for seat in range(game.players)],
        "columns": [[FIGURES[figure] for figure in column if figure != codes.NONE] for column in g.columns],
        "mimir_bearer": None if g.bearer == codes.NONE else FIGURES[g.bearer],
        "cancel_rune": bool(g.cancel_rune),
        "skipping": [card_id(int(g.scenario), slot) for slot in range(len(g.side)) if g.skipping[slot]],
        "skills_used": sorted({skill for k, skill, _ in skill_options(data) if g.skills_used[k]}),
        "upgrade_deck": [types[card] for card in g.upgrade[: int(g.upgrade_cards)][::-1]],
        "revealed": [types[card] for card in g.revealed[: int(g.revealed_cards)]],
        "box": listed(g.box, names),
        "supply": {kind: int(count) for kind, count in zip(STATUS, g.supply, strict=True)},
        "scene": scene(game, g) if laid_out(g) else [],
        "pending": None,
    }
    if not g.over:
        found["pending"] = {"seat": int(g.actor), "kind": state.DECISIONS[g.decision], "context": context(game, g)}
    if game.options.scene is None:
        found["quests"] = [int(k) + 1 for k in g.quests]
        found["bosses"] = [int(k) + 1 for k in g.bosses]
    return found


def player(game: Game, g: Any, seat: int, names: list[str]) -> dict[str, Any]:
    """One player: hero, cards, figures."""
    t, hero = game.tables[0], int(g.heroes[seat])
    first = int(t.first_figure[hero])
    deck = g.deck[seat, : int(g.deck_cards[seat])][::-1]
    return {
        "seat": seat,
        "hero": None if hero == codes.NONE else HEROES[hero],
        "deck": [names[design] for design in deck],
        **{pile: listed(g[pile][seat], names) for pile in ("hand", "discard", "in_play")},
        **{name: int(g[name][seat]) for name in ("hand_limit", "next_attack", "next_damage")},
        "figures": [figure(t, g, k) for k in range(first, first + int(t.figure_count[hero]))],
    }


def figure(t: Any, g: Any, k: int) -> dict[str, Any]:
    """One figure."""
    return {
        "id": FIGURES[k],
        "hp": int(t.hp[k]),
        "damage": int(g.damage[k]),
        "rage": int(g.rage[k]),
        "standing": bool(g.standing[k]),
        "wards": int(g.wards[k]),
        "column": None if g.column[k] == codes.NONE else int(g.column[k]),
    }


def scene(game: Game, g: Any) -> list[dict[str, Any]]:
    """The scene cards in reading order."""
    t, scenario = game.tables[0], int(g.scenario)
    return [
        {
            "id": card_id(scenario, slot),
            "side": ("front", "back")[g.side[slot]],
            "damage": int(g.hurt[slot]),
            "armour": intact_armour(t, g, slot),
            "stunned": bool(g.stunned[slot]),
            "dead": bool(g.dead[slot]),
            "tokens": int(g.tokens[slot]),
        }
        for slot in range(len(g.side))
        if t.present[scenario, slot]
    ]


def intact_armour(t: Any, g: Any, slot: int) -> list[int]:
    """Intact armour markers of a card, the highest first."""
    printed = t.armour[int(g.scenario), slot, int(g.side[slot])]
    return [int(value) for marker, value in enumerate(printed) if (int(g.armour[slot]) >> marker) & 1]


# ---------------------------------------------------------------------------------------------------- pending


def context(game: Game, g: Any) -> dict[str, Any]:
    """What a decision is about: the attack, the open set, the cards that are looked at."""
    told = CONTEXTS.get(int(g.decision))
    return told(game, g, g.agenda[int(g.depth) - 1]) if told else {}


def _cards_looked_at(game: Game, g: Any, frame: Any) -> dict[str, Any]:
    types = upgrade_types(game.components)
    top = int(g.upgrade_cards) - int(frame[SCRY_TOP])
    return {"cards": [types[card] for card in g.upgrade[top - int(frame[SCRY_LEFT]) : top][::-1]]}


def _own_attack(game: Game, g: Any, frame: Any) -> dict[str, Any]:
    seat = int(g.seat_of[g.attacker])
    return {
        "figure": FIGURES[g.attacker],
        "target": card_id(int(g.scenario), int(g.aim)),
        "strength": int(g.set_strength) + int(g.boost),
        "waiting_bonus": int(g.next_attack[seat]),
        "waiting_damage": int(g.next_damage[seat]),
    }


def _roll(game: Game, g: Any, frame: Any) -> dict[str, Any]:
    return {
        "target": card_id(int(g.scenario), int(frame[attack.STRIKE_SLOT])),
        "strength": int(frame[attack.STRIKE_STRENGTH]),
        "die": int(frame[attack.STRIKE_DIE]),
        "waiting_damage": int(frame[attack.STRIKE_DAMAGE]),
    }


def _damage_to_take(game: Game, g: Any, frame: Any) -> dict[str, Any]:
    """Of an attack, or of a poison card or boxed effect, which nobody can block."""
    if frame[0] != F_SUFFER:
        return {key: value for key, value in enemy_attack(g).items() if key not in ("victim", "blocked")}
    slot = int(frame[attack.SUFFER_SLOT])
    return {
        "card": None if slot == codes.NONE else card_id(int(g.scenario), slot),
        "type": "poison" if slot == codes.NONE else "boxed",
        "strength": int(frame[attack.SUFFER_DAMAGE]),
        "effect": None,
        "figure": FIGURES[frame[attack.SUFFER_FIGURE]],
    }


CONTEXTS: dict[int, Callable[[Game, Any, Any], dict[str, Any]]] = {  # game, record, frame on top of the agenda
    state.PLACE: lambda game, g, frame: {"figure": FIGURES[figure_to_place(g, game.tables[0], int(frame[COUNT]))]},
    state.SCRY: _cards_looked_at,
    state.ATTACK_WINDOW: _own_attack,
    state.MIMIR_TURN: lambda game, g, frame: {"bearer": FIGURES[g.bearer]},
    state.DIE: _roll,
    state.SET: lambda game, g, frame: open_set(game, g),
    state.BLOCK: lambda game, g, frame: enemy_attack(g),
    state.BLOCK_WINDOW: lambda game, g, frame: enemy_attack(g),
    state.SHIELD: _damage_to_take,
    state.RANGED_TARGET: lambda game, g, frame: {key: enemy_attack(g)[key] for key in ("card", "strength", "effect")},
    state.CHOSEN: lambda game, g, frame: {
        "card": card_id(int(g.scenario), int(frame[CHOSEN_SLOT])),
        "effect": scene_effect(game.tables[0], int(frame[ONE_EFFECT])),
    },
}


def open_set(game: Game, g: Any) -> dict[str, Any]:
    """The attack or block set that is being made."""
    design, option = plays(game.components)[g.set_play]
    found = {"symbol_card": design, "option": option, "set_strength": int(g.set_strength)}
    if g.attacked == codes.NONE:
        aim = card_id(int(g.scenario), int(g.aim))
        return {**found, "use": "attack", "figure": FIGURES[g.attacker], "target": aim}
    return {**found, "use": "block", **enemy_attack(g)}


def enemy_attack(g: Any) -> dict[str, Any]:
    """The enemy attack that is going on."""
    return {
        "victim": None if g.victim == codes.NONE else FIGURES[g.victim],
        "blocked": int(g.blocked),
        "card": card_id(int(g.scenario), int(g.enemy_slot)),
        "type": "ranged" if g.enemy_ranged else "melee",
        "strength": int(g.enemy_strength),
        "effect": None if g.enemy_status == codes.NONE else STATUS[g.enemy_status],
        "figure": None if g.attacked == codes.NONE else FIGURES[g.attacked],
    }


def scene_effect(t: Any, effect: int) -> dict[str, Any]:
    """An effect on heroes in the words of a component file."""
    op = codes.SCENE_OPS[t.scene_op[effect]]
    kind = {"kind": STATUS[t.scene_kind[effect]]} if op == "status" else {}
    return {"op": op, **kind, "scope": codes.SCOPES[t.scene_scope[effect]], "n": int(t.scene_n[effect])}
