"""What a move costs and whether it can do anything at all, from what lies open: strength, armour, health, payment."""

from __future__ import annotations

from typing import Any

from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.actions import PLACES, play_number
from theogony.envs.god_of_war.codes import F_ACTIVATION, F_CARD, F_RAGE, F_SKILL, F_SPECIAL, STAGE
from theogony.envs.god_of_war.components.pieces import COLUMNS, FIGURES, SLOTS
from theogony.envs.god_of_war.components.tables import figure_data, plays, skill_options
from theogony.envs.god_of_war.render import words
from theogony.envs.god_of_war.render.words import Scene
from theogony.envs.god_of_war.rules.activation import ACTIVATION_CARDS, ACTIVATION_LEFT, ACTIVATION_RUNE, CARD_SLOT
from theogony.envs.god_of_war.rules.enemies import carrier, hp_left, lives, vulnerable
from theogony.envs.god_of_war.rules.setup import laid_out
from theogony.envs.god_of_war.rules.specials import RAGE_FIGURE, SKILL_OPTION, SPECIAL_PLAY
from theogony.envs.god_of_war.snapshot import card_id

CAREFUL = "careful: "  # begins what warns
AIMS = {"damage_enemy": "damage", "stun_enemy": "stun", "break_armour": "armour to break"}  # of effects on enemies
DIE = "less 0 to {} by the die"


def note(game: Any, before: Any, action: int, after: Any, viewer: Any) -> str:
    """What a move costs, what it must reach, and that it can do nothing where that is so."""
    kind, arguments = game.actions.decode(action)
    tells = TELLS.get(kind)
    return "" if tells is None else tells(game, before, [str(argument) for argument in arguments])


def _attack(game: Any, g: Any, arguments: list[str]) -> str:
    """What an attack must reach, and how far the cards of the hand go."""
    role, row, play = arguments
    scene, figure = Scene(game, g), words.figure_of(game, g, role)
    owner = scene.owner(words.slot_of(g, figure, row))
    if owner == codes.NONE:
        return ""
    first, seat = _number(game, play), int(g.seat_of[figure])
    used = int(game.tables[0].play_design[play_number(game.components, play)])
    most = first + _numbers(game, g, seat, used) + _companion(game, g) + int(g.next_attack[seat])
    stopped = scene.stopped(owner)
    if stopped == "armour":
        armour = scene.armour(owner)[0]
        if most < armour:
            return f"{CAREFUL}armour {armour}, and with all your numbers you reach {most}"
        return f"up to strength {most}; armour {armour} breaks at {armour}, and stops the damage"
    if stopped:
        return f"{CAREFUL}{stopped}, so it takes no damage"
    return f"up to strength {most}, {_die(game, g, seat)}; it has health {scene.health(owner)}"


def _set(game: Any, g: Any, strength: int) -> str:
    """What the open set does with so much strength."""
    if g.attacked != codes.NONE:
        return _blocked(g, strength)
    scene = Scene(game, g)
    owner = codes.NONE if g.aim == codes.NONE else scene.owner(int(g.aim))
    if owner == codes.NONE:
        return ""
    seat = int(g.seat_of[g.attacker])
    strength += int(g.boost) + int(g.next_attack[seat])
    stopped = scene.stopped(owner)
    if stopped == "armour":
        armour = scene.armour(owner)[0]
        return f"strength {strength}, {'breaks' if strength >= armour else 'not enough for'} armour {armour}"
    if stopped:
        return f"{CAREFUL}{stopped}, so it takes no damage"
    enough = _enough(game, g, seat, strength, scene.health(owner))
    return f"strength {strength}, {_die(game, g, seat)}; {enough}"


def _enough(game: Any, g: Any, seat: int, strength: int, health: int) -> str:
    """Whether the damage takes all health that is left: at the worst result of the die, or at the best."""
    more = int(g.next_damage[seat])
    most, least = strength + more, max(strength - int(game.tables[0].die.max()), 0) + more
    if least >= health:
        return f"enough for its health of {health}, whatever the die says"
    if most >= health:
        spare = f"{most - health} at most" if most > health else "nothing"
        return f"enough for its health of {health} if the die takes {spare}"
    return f"leaves it at least {health - most} of its health of {health}"


def _blocked(g: Any, strength: int) -> str:
    """How much of an enemy's attack is left."""
    left = int(g.enemy_strength) - int(g.blocked)
    return f"blocks {min(strength, left)} of {left}" if left > 0 else ""


def _done(game: Any, g: Any, arguments: list[str]) -> str:
    left = int(g.enemy_strength) - int(g.blocked)
    if g.attacked == codes.NONE or left <= 0:
        return ""
    return f"{left} damage" + ", which a ward cancels" * bool(g.wards[g.victim])


def _target(game: Any, g: Any, arguments: list[str]) -> str:
    """How the enemy on a card stands."""
    scene, slot = Scene(game, g), PLACES.index(arguments[0])
    owner = scene.owner(slot) if slot in scene.slots else codes.NONE
    if owner == codes.NONE:
        return ""
    told, stopped = [f"health {scene.health(owner)} left"], scene.stopped(owner)
    if stopped == "armour":
        told.append(f"armour {scene.armour(owner)[0]} stops damage")
    elif stopped:
        told.append(f"{stopped}, so it takes no damage")
    return ", ".join(told + ["stunned already"] * bool(g.stunned[owner]))


def _special(game: Any, g: Any, arguments: list[str]) -> str:
    """A special card that damages or stuns, where that can do nothing."""
    design, option = plays(game.components)[play_number(game.components, arguments[1])]
    effects = game.components["action_cards"][design]["options"][option]["special"] if design != "crystal" else []
    return _in_vain(game, g, words.figure_of(game, g, arguments[0]), effects)


def _rage(game: Any, g: Any, arguments: list[str]) -> str:
    figure = words.figure_of(game, g, arguments[0])
    return _in_vain(game, g, figure, figure_data(game.components, FIGURES[figure])["rage"]["effects"])


def _in_vain(game: Any, g: Any, figure: int, effects: list[dict[str, Any]]) -> str:
    """Damage of a hero's effect that reaches only enemies whom something protects."""
    if all(effect["op"] != "damage" for effect in effects):
        return ""
    reach = next(effect.get("reach") for effect in effects if effect["op"] == "damage")
    scene = Scene(game, g)
    slots = scene.slots
    if reach == "column":
        slots = [slot for slot in slots if slot < 2 * COLUMNS and slot % COLUMNS == int(g.column[figure])]
    stopped = {scene.stopped(owner) for slot in slots if (owner := scene.owner(slot)) != codes.NONE}
    if not stopped or "" in stopped:
        return ""
    return CAREFUL + ("armour stops the damage" if "armour" in stopped else "no damage: who is there is invulnerable")


def _interact(game: Any, g: Any, arguments: list[str]) -> str:
    """What an interaction costs, and which of its effects would do nothing."""
    role, row, number = arguments
    scene, slot = Scene(game, g), words.slot_of(g, words.figure_of(game, g, role), row)
    boxes = scene.side(slot).get("interactions") or []
    if int(number) > len(boxes):
        return ""
    box, vain = boxes[int(number) - 1], list[str]()
    for effect in box["do"]:
        vain += _nothing(scene, slot, effect)
        if effect["op"] in ("flip", "break_armour"):  # what comes behind it meets another enemy
            break
    cost = f"costs {' + '.join(box['cost'])}" if box["cost"] else ""
    return f"{CAREFUL}{'; '.join(dict.fromkeys(vain))} ({cost})" if vain else cost


def _nothing(scene: Scene, slot: int, effect: dict[str, Any]) -> list[str]:
    """Why an effect of a scene card on enemies does nothing as things are."""
    op, aim = effect["op"], effect.get("target")
    if op not in AIMS:
        return []
    there = {card_id(scene.number, other): other for other in scene.slots}
    aimed = {"self": [slot], "each_other": [other for other in scene.slots if other != slot]}
    slots = aimed[aim] if aim in aimed else [there[aim]] if aim in there else []
    owners = list(dict.fromkeys(owner for one in slots if (owner := scene.owner(one)) != codes.NONE))
    if not owners:
        return [f"no {AIMS[op]}, for nobody is left there"]
    whys = [_useless(scene, owner, op) for owner in owners]
    return whys if all(whys) else []


def _useless(scene: Scene, owner: int, op: str) -> str:
    """What makes an effect on an enemy useless; "" where it does something."""
    name, stopped = scene.name(owner), scene.stopped(owner)
    if op == "damage_enemy" and stopped:
        return f"armour stops the damage to {name}" if stopped == "armour" else f"{name} is {stopped}: no damage"
    if op == "break_armour" and stopped != "armour":
        return f"{name} has no armour left"
    return ""


def _number(game: Any, play: str) -> int:
    """What a card counts in a set."""
    return int(game.tables[0].play_number[play_number(game.components, play)])


def _numbers(game: Any, g: Any, seat: int, used: int) -> int:
    """What all numbers of a hand count together, without one card that is used already."""
    t = game.tables[0]
    best: dict[int, int] = {}
    for play in map(int, t.number_plays):
        design = int(t.play_design[play])
        best[design] = max(best.get(design, 0), int(t.play_number[play]))
    return sum(
        count * (int(g.hand[seat, design]) - (design == used)) for design, count in best.items() if g.hand[seat, design]
    )


def _companion(game: Any, g: Any) -> int:
    """What companions' skills that are left can add to a set, as a number card does."""
    if game.players > 1:
        return 0
    most: dict[int, int] = {}
    for k, _, option in skill_options(game.components):
        if not g.skills_used[k]:
            most[k] = max(most.get(k, 0), int(option.get("number") or 0))
    return sum(most.values())


def _die(game: Any, g: Any, seat: int) -> str:
    """What the die takes off, and the damage that waits for the attack."""
    more = int(g.next_damage[seat])
    return DIE.format(int(game.tables[0].die.max())) + (f", and {more} more damage" if more else "")


TELLS = {  # by the kind of action
    "attack": _attack, "done": _done, "target": _target, "special": _special, "rage": _rage, "interact": _interact,
    "add": lambda game, g, arguments: _set(game, g, int(g.set_strength) + _number(game, arguments[0])),
    "commit": lambda game, g, arguments: _set(game, g, int(g.set_strength)),
    "block": lambda game, g, arguments: _blocked(g, _number(game, arguments[0])),
}  # fmt: skip


# ---- How the scene stood when a rune was revealed in the course of a decision: what the decision did comes before it

STANDS = ("side", "dead", "stunned", "tokens")  # what says whether a card acts, and how


def cancels(game: Any, before: Any, action: int) -> bool:
    """Whether the next reveal triggers nothing: it was said before, or the decision says so."""
    t = game.tables[0]
    return bool(before.cancel_rune) or any(
        t.effect_op[k] == codes.H_CANCEL_RUNE for k in effects_of(game, before, action)
    )


def at_reveal(game: Any, before: Any, action: int, after: Any) -> Any:
    """The position as far as it tells which cards act by a rune, None where no scene lies open.

    It is the one before the decision, with what the decision itself does to enemies, or what is left of an earlier
    activation. A scene that was laid out meanwhile is taken as it lies in the end.
    """
    if not laid_out(before) or before.scenario != after.scenario:
        return after if laid_out(after) else None
    scene = before.copy()
    kind, arguments = game.actions.decode(action)
    if kind == "target":
        _strike(game, scene, after, PLACES.index(str(arguments[0])), effects_of(game, before, action))
    _finish(game, scene, after)
    scene.skipping[:] = 0
    return scene


def effects_of(game: Any, g: Any, action: int) -> range:
    """The effects of the special card, rage ability or skill that a decision uses, or completes."""
    t, frame = game.tables[0], g.agenda[int(g.depth) - 1]
    kind, arguments = game.actions.decode(action)
    top = {"rage": F_RAGE, "special": F_SPECIAL, "skill": F_SKILL}.get(kind, int(frame[0]))
    if top == F_RAGE:
        figure = words.figure_of(game, g, str(arguments[0])) if kind == "rage" else int(frame[RAGE_FIGURE])
        return range(int(t.rage_first[figure]), int(t.rage_end[figure]))
    if top == F_SPECIAL:
        own = kind == "special"
        play = play_number(game.components, arguments[1]) if own else int(frame[SPECIAL_PLAY])
        return range(int(t.play_first[play]), int(t.play_end[play]))
    if top == F_SKILL:
        option = action - game.actions.first["skill"] if kind == "skill" else int(frame[SKILL_OPTION])
        return range(int(t.skill_first[option]), int(t.skill_end[option]))
    return range(0)


def _strike(game: Any, g: Any, after: Any, slot: int, effects: range) -> None:
    """Stun and damage of a hero's effect on the enemy seen on a card, with the cards that turn over by it."""
    t = game.tables[0]
    for k in effects:
        owner = int(carrier(g, t, slot))
        if owner == codes.NONE:
            return
        if t.effect_op[k] == codes.H_STUN:
            g.stunned[owner] = 1
        elif t.effect_op[k] == codes.H_DAMAGE and vulnerable(g, t, owner):
            g.hurt[owner] += t.effect_n[k]
            _check(t, g, after, owner)


def _check(t: Any, g: Any, after: Any, owner: int) -> None:
    """What the health that is left of an enemy brings: its defeat, and cards that turn over."""
    left, where = int(hp_left(g, t, owner)), (int(g.scenario), owner, int(g.side[owner]))
    if left <= 0:
        g.dead[owner], g.stunned[owner] = 1, 0
    for k in range(int(t.flips_first[where]), int(t.flips_end[where])):
        when = int(t.flip_when[k])
        if (left <= 0 and when == codes.C_DEFEATED) or (0 < left <= int(t.flip_n[k]) and when == codes.C_HP_LE):
            for slot in t.turned_slot[int(t.flip_first[k]) : int(t.flip_end[k])]:
                g.side[slot] ^= 1
                g.dead[slot], g.stunned[slot] = 0, 0
    if not any(lives(g, t, slot) for slot in range(SLOTS)):  # others may come instead
        for name in STANDS:
            g[name][:] = after[name]


def _finish(game: Any, g: Any, after: Any) -> None:
    """What is left of an activation that was going on: cards that it turns over, stuns that it uses up."""
    t = game.tables[0]
    frames = [list(map(int, frame)) for frame in g.agenda[: int(g.depth)]]
    activation = next((f for f in frames if f[0] == F_ACTIVATION and f[STAGE] == ACTIVATION_CARDS), None)
    if activation is None:
        return
    rune, left = activation[ACTIVATION_RUNE], activation[ACTIVATION_LEFT]
    acting = [slot for slot in range(SLOTS) if left >> slot & 1]
    acting += [frame[CARD_SLOT] for frame in frames if frame[0] == F_CARD]
    touched: set[int] = set()
    for slot in acting:
        where = (int(g.scenario), slot, int(g.side[slot]))
        attacks = range(int(t.attacks_first[where]), int(t.attacks_end[where]))
        if any(t.attack_rune[k] == rune for k in attacks) and (owner := int(carrier(g, t, slot))) != codes.NONE:
            g.stunned[owner] = after.stunned[owner]
        touched |= _touched(t, where)
    for name in STANDS:
        for slot in touched:
            g[name][slot] = after[name][slot]


def _touched(t: Any, where: tuple[int, ...]) -> set[int]:
    """The cards that flips and boxes of a side may change."""
    found: set[int] = set()
    for k in range(int(t.flips_first[where]), int(t.flips_end[where])):
        found |= set(map(int, t.turned_slot[int(t.flip_first[k]) : int(t.flip_end[k])]))
    for box in range(int(t.boxes_first[where]), int(t.boxes_end[where])):
        for k in range(int(t.box_first[box]), int(t.box_end[box])):
            if t.scene_op[k] == codes.E_FLIP:
                found |= set(map(int, t.turned_slot[int(t.scene_first[k]) : int(t.scene_end[k])]))
            elif t.scene_op[k] <= codes.E_REMOVE_TOKEN and t.scene_slot[k] >= 0:
                found.add(int(t.scene_slot[k]))
    return found
