"""What a position says in words, for the text and for the picture."""

from __future__ import annotations

from typing import Any

from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.components.pieces import HEROES, RUNES, SLOTS
from theogony.envs.god_of_war.rules.enemies import carrier
from theogony.envs.god_of_war.rules.scenes import laid_out
from theogony.envs.god_of_war.snapshot import card_id, intact_armour
from theogony.envs.god_of_war.state import DECISIONS, REASONS

Seat = int | str | None  # a seat, "all" eyes, or None: what is public
LETTERS = {"gebo": "X", "fehu": "F", "tiwaz": "T", "algiz": "Y"}
NAMES = {"brok_sindri": "Brok & Sindri"}
DOES = {
    "hero": "chooses a hero", "place": "enters a column", "bearer": "hangs Mimir on a hero", "turn": "is to act",
    "mimir": "acts for Mimir", "target": "chooses a target", "figure": "chooses a hero", "pay": "pays card by card",
    "step": "makes the extra move", "set": "adds numbers to the set", "attack_window": "may help the attack",
    "die": "may use the die", "reveal_window": "may act before the reveal", "end_window": "may act at the round's end",
    "ranged_target": "says which column is hit", "shield": "says who suffers", "block": "may block",
    "block_window": "may help the block", "poison": "suffers from poison", "chosen": "chooses who is affected",
    "scry": "looks at upgrade cards", "upgrade": "takes an upgrade or removes a card",
    "next_quest": "chooses the next quest", "next_boss": "chooses the boss",
}  # fmt: skip


def hero_name(hero: str) -> str:
    """The printed name of a hero or figure."""
    return NAMES.get(hero, hero.capitalize())


def side_data(game: Any, g: Any, slot: int) -> dict[str, Any]:
    """The visible side of a scene card as in the component file."""
    scenario = int(g.scenario)
    cards = next(scene for scene in game.components["scenes"] if scene["id"] == scenario + 1)["cards"]
    card = next(card for card in cards if card["id"] == card_id(scenario, slot))
    return card[("front", "back")[int(g.side[slot])]]


def owner_of(game: Any, g: Any, slot: int) -> int:
    """The card that carries the living enemy seen on a card, -1 without one."""
    return int(carrier(g, game.tables[0], slot))


def present_slots(game: Any, g: Any) -> list[int]:
    """The places of the scene that hold a card."""
    if not laid_out(g):
        return []
    return [slot for slot in range(SLOTS) if game.tables[0].present[int(g.scenario), slot]]


def attack_text(attack: dict[str, Any]) -> str:
    """An attack in a few signs: `melee 3 <v> stun`."""
    arrows = "".join("<v>"[offset + 1] for offset in sorted(attack["dirs"]))
    plus = "+tokens" if attack["plus_tokens"] else ""
    words = [attack["type"], f"{attack['strength']}{plus}", arrows, attack["effect"] or ""]
    return " ".join(word for word in words if word)


def attack_strengths(game: Any, g: Any, slot: int) -> list[str]:
    """The strength of each attack of a card, options and tokens included."""
    t, scenario = game.tables[0], int(g.scenario)
    side, found = int(g.side[slot]), []
    for k in range(int(t.attacks_first[scenario, slot, side]), int(t.attacks_end[scenario, slot, side])):
        tokens = int(t.attack_tokens[k])
        plus = 0 if tokens == codes.NONE else int(g.tokens[tokens])
        found.append(f"{int(t.attack_strength[k])}+{plus}" if tokens != codes.NONE else str(int(t.attack_strength[k])))
    return found


def headline(game: Any, g: Any, found: dict[str, Any]) -> str:
    """Scene, round, and who decides what, or how it ended; `found` is the snapshot of the position."""
    quest = int(g.scenario) + 1
    scene = next(scene for scene in game.components["scenes"] if scene["id"] == quest)
    words = [f"{scene['name']} ({scene['kind']})"] if laid_out(g) else []
    if found["round"]:
        words.append(f"round {found['round']}")
    if g.over:
        words.append(REASONS[int(g.reason)] or "cut off")
    else:
        words += [found["phase"].replace("_", " "), f"{decider(g)} {DOES[DECISIONS[int(g.decision)]]}"]
    return ", ".join(words)


def decider(g: Any) -> str:
    """Who decides: the hero of the seat, or the seat while it has none."""
    number = int(g.heroes[int(g.actor)])
    return f"seat {int(g.actor)}" if number == codes.NONE else hero_name(HEROES[number])


def card_text(game: Any, g: Any, slot: int) -> str:
    """A scene card in one line."""
    side = side_data(game, g, slot)
    where = card_id(int(g.scenario), slot)
    words = [f"{where:>5} {side['name']}:"]
    enemy, owner = side["enemy"], owner_of(game, g, slot)
    if owner == codes.NONE:
        words.append("dead" if g.dead[slot] else "no enemy")
    elif owner == slot:
        t = game.tables[0]
        health = int(t.enemy_hp[int(g.scenario), slot, int(g.side[slot])])
        words.append(f"{enemy['name']} {health - int(g.hurt[slot])}/{health} HP")
        if armour := intact_armour(t, g, slot):
            words.append("armour " + "/".join(map(str, armour)))
        if g.stunned[slot]:
            words.append("stunned")
    else:
        words.append(f"part of {card_id(int(g.scenario), owner)}")
    if owner != codes.NONE:
        words += [f"[{LETTERS[a['rune']]} {attack_text(a)}]" for a in enemy["attacks"]]
    if g.tokens[slot]:
        words.append(f"{int(g.tokens[slot])} tokens")
    words += [f"({i['label']}: {' + '.join(i['cost'])})" for i in side["interactions"]]
    return " ".join(words)


def seat_name(player: dict[str, Any]) -> str:
    """The hero of a seat, or the seat while it has none."""
    return hero_name(player["hero"]) if player["hero"] else f"seat {player['seat']}"


def waiting(player: dict[str, Any]) -> str:
    """What waits for a player's next attack: strength and damage after the die."""
    strength = f", next attack +{player['next_attack']}" if player["next_attack"] else ""
    return strength + (f", next attack +{player['next_damage']} damage" if player["next_damage"] else "")


assert set(LETTERS) == set(RUNES)
assert set(DOES) == set(DECISIONS)
