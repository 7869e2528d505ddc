"""What came of a decision in God of War: runes and what they make enemies do, damage, cards, tokens, scenes.

Hands are open; of decks only what is drawn from them is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.actions import PLACES
from theogony.envs.god_of_war.components.pieces import FIGURES, STATUS
from theogony.envs.god_of_war.components.tables import designs, upgrade_types
from theogony.envs.god_of_war.render import words
from theogony.envs.god_of_war.render.forecast import at_reveal, cancels, effects_of
from theogony.envs.god_of_war.render.forecast import note as note
from theogony.envs.god_of_war.render.text import about as about
from theogony.envs.god_of_war.render.text import counted, enemy_attack_words
from theogony.envs.god_of_war.render.words import Scene, hero_name
from theogony.envs.god_of_war.rules.attack import STRIKE_DIE
from theogony.envs.god_of_war.rules.setup import laid_out
from theogony.envs.god_of_war.snapshot import card_id, enemy_attack
from theogony.envs.god_of_war.state import DIE, PAY, REASONS
from theogony.envs.god_of_war.vocabulary.effects import hindrance, rune_name, scenario_of, scene_of

ON_CARDS = ("side", "hurt", "armour", "stunned", "dead", "tokens")
TAKEN = ("hurt", "armour", "side", "dead")  # what an attack changes of an enemy
ON_FIGURES = ("damage", "standing", "rage", "wards", "column")


def story(game: Game, before: Any, action: int, after: Any, viewer: Any) -> list[str]:
    """The rune that is revealed and who acts by it, attacks, what became of enemies and heroes, cards, the end."""
    lines = [f"{who} on {aim}: {said}." for who, aim, said, _ in words.rolls(game, after, before)]
    lines += _reveals(game, before, action, after)
    same = laid_out(before) and laid_out(after) and before.scenario == after.scenario
    if same:
        then, now = Scene(game, before), Scene(game, after)
        lines += [*_scene(then, now), *_stopped(game, then, now), *_missed(game, then, action, now)]
        lines += _in_vain(game, then, action, now)
    elif laid_out(after):
        lines += _begins(game, after)
    lines += _figures(game, before, after)
    lines += _strengths(game, before, after)
    lines += _status(before, after) if same else ()
    if same and after.round_number > before.round_number:
        lines.append(f"Round {int(after.round_number)} begins.")
    lines += _attack(game, before, after)
    if after.over:
        lines.append(f"The game is over: {REASONS[int(after.reason)] or 'cut off'}.")
    return lines


def _begins(game: Game, g: Any) -> Iterator[str]:
    """A scene that begins, with what hinders in it."""
    yield f"The scene {scene_of(game, int(g.scenario))['name']} begins."
    for number in g.hindrances:
        if number != codes.NONE:
            scenario = scenario_of(game, number)
            yield f"Hindrance of {scenario['name']}: {hindrance(scenario['back']['hindrance'])}."


def _reveals(game: Game, before: Any, action: int, after: Any) -> Iterator[str]:
    """Upgrade cards that were revealed, with the cards of the scene that their rune makes act."""
    types = upgrade_types(game.components)
    then, now = ([types[card] for card in g.revealed[: int(g.revealed_cards)]] for g in (before, after))
    new = now[len(then) :]
    cancelled = bool(new) and cancels(game, before, action)
    scene = at_reveal(game, before, action, after) if new else None
    for k, key in enumerate(new):
        rune = key.split(":")[1]
        if k == 0 and cancelled:
            yield f"Rune {rune_name(rune)}: it triggers nothing."
        elif scene is not None:
            yield f"Rune {rune_name(rune)}: {'; '.join(_acting(game, scene, rune)) or 'nobody acts'}."


def _acting(game: Game, g: Any, rune: str) -> Iterator[str]:
    """The cards that act by a rune, as they lie when it is revealed."""
    scene = Scene(game, g)
    for slot in scene.slots:
        side, name = scene.side(slot), scene.name(slot)
        for attack, said in scene.attacks(slot):
            if attack["rune"] == rune:
                idle = "stunned, so no " if g.stunned[scene.owner(slot)] else ""
                yield f"{name} {idle}{said}"
        for box in (*side["triggers"], *side["flip"]):
            if box["when"] == f"rune:{rune}":
                said = scene.effects(box["do"]) if "do" in box else scene.flip(box)
                yield f"{name}: {said}"


def _scene(then: Scene, now: Scene) -> Iterator[str]:
    """Damage, armour, tokens, stuns and flips of the scene's cards."""
    before, after = then.g, now.g
    for slot in map(int, np.flatnonzero(np.any([before[name] != after[name] for name in ON_CARDS], axis=0))):
        parts, turned = [], after.side[slot] != before.side[slot]
        lost = int(after.hurt[slot]) - int(before.hurt[slot])
        if after.dead[slot] and not before.dead[slot]:
            parts.append("is defeated")
        elif lost and not turned:
            left = f"{max(now.health(slot), 0)} of {int(then.t.enemy_hp[then.at(slot)])} left"
            parts.append(f"{'loses' if lost > 0 else 'regains'} {abs(lost)} health, {left}")
        had, has = then.armour(slot), now.armour(slot)
        if not turned and len(had) > len(has):
            parts.append(f"loses armour {_both(had[: len(had) - len(has)])}, {_both(has)} is left")
        if after.stunned[slot] and not before.stunned[slot]:
            parts.append("is stunned")
        if turned:
            reward = now.reward(slot)
            parts.append(f"turns over: {now.side(slot)['name']}" + (f" ({reward})" if reward else ""))
        elif change := int(after.tokens[slot]) - int(before.tokens[slot]):
            parts.append(f"{'gets' if change > 0 else 'loses'} {abs(change)} token{'s' * (abs(change) > 1)}")
        if parts:
            yield f"{then.name(slot)} {', '.join(parts)}."


def _both(markers: list[int]) -> str:
    return " and ".join(map(str, markers)) or "none"


def _stopped(game: Game, then: Scene, now: Scene) -> Iterator[str]:
    """Enemies whose armour stops the damage of an interaction that was paid for."""
    before, after = then.g, now.g
    if before.decision != PAY or after.decision == PAY:
        return
    interaction, _ = words.interaction_due(game, before)
    aims = {effect["target"] for effect in interaction["do"] if effect["op"] == "damage_enemy"}
    for slot in then.slots:
        if card_id(then.number, slot) in aims and after.armour[slot]:
            if after.hurt[slot] == before.hurt[slot] and after.armour[slot] == before.armour[slot]:
                yield f"{then.name(slot)} loses nothing: armour that is left stops the damage."


def _aim(game: Game, before: Any, action: int) -> int:
    """The card at which a hero's attack is aimed that is being made, or that this decision makes; NONE."""
    if before.attacker != codes.NONE:
        return int(before.aim)
    kind, arguments = game.actions.decode(action)
    if kind != "attack":
        return codes.NONE
    return words.slot_of(before, words.figure_of(game, before, str(arguments[0])), str(arguments[1]))


def _missed(game: Game, then: Scene, action: int, now: Scene) -> Iterator[str]:
    """A hero's attack that is over and took neither health nor armour."""
    aim = _aim(game, then.g, action)
    owner = codes.NONE if aim == codes.NONE or now.g.attacker != codes.NONE else then.owner(aim)
    if owner == codes.NONE or any(then.g[name][owner] != now.g[name][owner] for name in TAKEN):
        return
    if armour := then.armour(owner):
        yield f"The attack is too weak for the armour of {then.name(owner)}: {armour[0]} breaks it."
    else:
        yield f"The attack takes no health of {then.name(owner)}."


def _in_vain(game: Game, then: Scene, action: int, now: Scene) -> Iterator[str]:
    """What protects an enemy from an ability, card or skill that is aimed at it and does nothing to it."""
    kind, arguments = game.actions.decode(action)
    if kind != "target":
        return
    before, owner = then.g, then.owner(PLACES.index(str(arguments[0])))
    ops = {int(then.t.effect_op[k]) for k in effects_of(game, before, action)}
    if owner == codes.NONE or before.side[owner] != now.g.side[owner]:
        return
    if codes.H_DAMAGE in ops and before.hurt[owner] == now.g.hurt[owner] and (why := then.stopped(owner)):
        yield f"{then.name(owner)} loses nothing: {'armour stops the damage' if why == 'armour' else f'it is {why}'}."
    if codes.H_STUN in ops and before.stunned[owner]:
        yield f"{then.name(owner)} is stunned already."


def _strengths(game: Game, before: Any, after: Any) -> Iterator[str]:
    """What helps an attack, or waits for the next one; what was blocked; runes and skills that an ability changes."""
    for seat in range(game.players):
        for name, what in (("next_attack", "strength"), ("next_damage", "damage")):
            if (more := int(after[name][seat]) - int(before[name][seat])) > 0:
                yield f"The next attack of {words.decider(game, after, seat)} has {more} more {what}."
    if after.decision == DIE and not after.over:
        yield f"The die shows {int(after.agenda[int(after.depth) - 1, STRIKE_DIE])}."
    if after.boost > before.boost and after.attacker != codes.NONE:
        yield f"The attack has {int(after.set_strength) + int(after.boost)} strength."
    if after.blocked > before.blocked:
        left = max(int(after.enemy_strength) - int(after.blocked), 0)
        yield f"{int(after.blocked)} of the attack blocked, {left} still to come."
    if codes.NONE not in (before.attacked, before.enemy_owner) and after.attacked == codes.NONE:
        victim = int(before.victim)
        if all(before[name][victim] == after[name][victim] for name in ("damage", "wards", "standing")):
            yield f"{hero_name(game, FIGURES[victim])} loses nothing: all of it is blocked."
    if after.cancel_rune > before.cancel_rune:
        yield "The next rune triggers nothing."
    if laid_out(after) and before.scenario == after.scenario and before.skills_used.any() > after.skills_used.any():
        yield "All skills can be used again."


def _figures(game: Game, before: Any, after: Any) -> Iterator[str]:
    """Health, rage and wards of heroes, where they stand, and the cards of their players."""
    t, names = game.tables[0], designs(game.components)
    touched = np.any([before[name] != after[name] for name in ON_FIGURES], axis=0)
    drew = (before.hand < after.hand).any(axis=1)
    by = " by poison" if after.round_number > before.round_number else ""  # nothing else hurts while hands are drawn
    for k, figure in enumerate(FIGURES):
        seat = int(after.seat_of[k])
        if seat == codes.NONE or not (touched[k] or drew[seat]):
            continue
        parts, whole = [], int(t.hp[k])
        if change := int(after.damage[k]) - int(before.damage[k]):
            left = max(whole - int(after.damage[k]), 0)
            done = f"loses {change} health{by}" if change > 0 else f"regains {-change} health"
            parts.append(f"{done}, {left} of {whole} left")
        if before.standing[k] and not after.standing[k]:
            parts.append("is knocked out")
        if change := int(after.rage[k]) - int(before.rage[k]):
            parts.append(f"{change:+d} rage")
        if change := int(after.wards[k]) - int(before.wards[k]):
            parts.append("gets a ward" if change > 0 else "uses up a ward")
        if after.column[k] != before.column[k] and after.column[k] != codes.NONE:
            parts.append(f"is in column {int(after.column[k]) + 1}")
        if drew[seat] and k == int(t.first_figure[int(after.heroes[seat])]):
            more = np.maximum(after.hand[seat].astype(int) - before.hand[seat], 0)
            parts.append(f"draws {counted(game, np.repeat(names, more))}")
        if parts:
            yield f"{hero_name(game, figure)} {', '.join(parts)}."


def _status(before: Any, after: Any) -> Iterator[str]:
    """Status cards that came onto decks."""
    for kind, name in enumerate(STATUS):
        if (gone := int(before.supply[kind]) - int(after.supply[kind])) > 0:
            yield f"{gone} {name} card{'s' * (gone > 1)} put on top of a deck."


def _attack(game: Game, before: Any, after: Any) -> Iterator[str]:
    """An enemy's attack that has begun, or falls on another hero now."""
    if after.over or after.enemy_strength <= 0 or not laid_out(after):
        return
    same = ("enemy_slot", "attacked", "enemy_strength", "scenario")
    if all(before[name] == after[name] for name in same) and before.enemy_strength > 0:
        return
    attack = {key: value for key, value in enemy_attack(after).items() if key != "blocked"}
    yield f"{enemy_attack_words(game, attack, Scene(game, after))}."
