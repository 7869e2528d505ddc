"""What a position says in words, for the text and for the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from theogony.envs.core.draw.style import seat_name, seat_word, yours
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.actions import PLACES, ROLES, ROWS, play_number
from theogony.envs.god_of_war.components.pieces import COLUMNS, FIGURES, HEROES, SLOTS
from theogony.envs.god_of_war.components.tables import plays
from theogony.envs.god_of_war.rules.attack import NOT_ROLLED, TOLD_BY
from theogony.envs.god_of_war.rules.enemies import carrier, hp_left
from theogony.envs.god_of_war.rules.setup import laid_out
from theogony.envs.god_of_war.rules.usable import PAY_INTERACTION, PAY_PAID, PAY_SLOT
from theogony.envs.god_of_war.snapshot import card_id, intact_armour
from theogony.envs.god_of_war.state import DECISIONS, REASONS
from theogony.envs.god_of_war.vocabulary.effects import SceneWords, attack_words, boxes, rune_name, scene_of

Seat = int | str | None  # a seat, "all" eyes, or None: what is public


def hero_name(game: Any, key: str) -> str:
    """What the vocabulary calls a hero or figure."""
    return game.vocabulary.name("figure" if ("figure", key) in game.vocabulary else "hero", key)


def side_data(game: Any, g: Any, slot: int) -> dict[str, Any]:
    """The visible side of a scene card as in the component file, with the numbers in force."""
    scenario = int(g.scenario)
    card = next(card for card in scene_of(game, scenario)["cards"] if card["id"] == card_id(scenario, slot))
    return card[("front", "back")[int(g.side[slot])]]


def scene_words(game: Any, g: Any) -> SceneWords:
    """Words about the cards of the present scene, by the sides that lie up."""
    scenario = int(g.scenario)
    return SceneWords(scene_of(game, scenario), [card_id(scenario, slot) for slot in range(SLOTS) if g.side[slot]])


def owner_of(game: Any, g: Any, slot: int) -> int:
    """The card that carries the living enemy seen on a card, -1 without one."""
    return int(carrier(g, game.tables[0], slot))


def health_left(game: Any, g: Any, owner: int) -> int:
    """Health that an enemy has left."""
    return int(hp_left(g, game.tables[0], owner))


def stopped_by(game: Any, g: Any, owner: int) -> str:
    """What keeps damage from an enemy: `armour`, `invulnerable`, or nothing."""
    t = game.tables[0]
    if intact_armour(t, g, owner):
        return "armour"
    return "invulnerable" if t.invulnerable[int(g.scenario), owner, int(g.side[owner])] else ""


def present_slots(game: Any, g: Any) -> list[int]:
    """The places of the scene that hold a card."""
    if not laid_out(g):
        return []
    return [slot for slot in range(SLOTS) if game.tables[0].present[int(g.scenario), slot]]


def attack_tokens(game: Any, g: Any, slot: int) -> list[int | None]:
    """The tokens that add to each attack of a card, None where none can."""
    t, at = game.tables[0], (int(g.scenario), slot, int(g.side[slot]))
    cards = t.attack_tokens[int(t.attacks_first[at]) : int(t.attacks_end[at])]
    return [None if card == codes.NONE else int(g.tokens[card]) for card in cards]


def attacks_told(game: Any, g: Any, slot: int, words: SceneWords) -> Iterator[tuple[dict[str, Any], str]]:
    """The attacks of a card, each with its words; none where nobody lives there."""
    if owner_of(game, g, slot) != codes.NONE:
        column = slot % COLUMNS if slot < 2 * COLUMNS else None
        attacks = side_data(game, g, slot)["enemy"]["attacks"]
        for attack, tokens in zip(attacks, attack_tokens(game, g, slot), strict=True):
            yield attack, attack_words(attack, column, words, tokens)


def headline(game: Any, g: Any, found: dict[str, Any]) -> str:
    """Scene, round, and who decides what, or how it ended; `found` is the snapshot of the position."""
    quest = int(g.scenario) + 1
    scene = scene_of(game, quest - 1)
    words = [f"{scene['name']} ({scene['kind']})"] if laid_out(g) else []
    if found["round"]:
        words.append(f"round {found['round']}")
    if g.over:
        words.append(REASONS[int(g.reason)] or "cut off")
    else:
        words += [found["phase"].replace("_", " "), due(game, g)]
    return ", ".join(words)


def due(game: Any, g: Any) -> str:
    """Who is to do what: `Kratos is to act`, `Brok & Sindri are to act`."""
    who, does = decider(game, g), game.vocabulary.name("phase", DECISIONS[int(g.decision)])
    return f"{who} {yours(does) if '&' in who else does}"


def decider(game: Any, g: Any, seat: int | None = None) -> str:
    """Who decides, or has a seat: the hero of the seat, or the seat while it has none."""
    seat = int(g.actor) if seat is None else seat
    number = int(g.heroes[seat])
    return seat_word(seat) if number == codes.NONE else hero_name(game, HEROES[number])


def card_text(game: Any, g: Any, slot: int) -> str:
    """A scene card in one line: where it lies, its enemy, and all that it does."""
    words = scene_words(game, g)
    attacks = (f"{rune_name(attack['rune'])}: {said}" for attack, said in attacks_told(game, g, slot, words))
    return "; ".join([card_state(game, g, slot), *attacks, *boxes(side_data(game, g, slot), words)])


def card_state(game: Any, g: Any, slot: int) -> str:
    """Where a scene card lies and how its enemy stands: what is printed on it is told elsewhere."""
    side, owner = side_data(game, g, slot), owner_of(game, g, slot)
    tokens = f"; {int(g.tokens[slot])} token{'s' * int(g.tokens[slot] > 1)}" if g.tokens[slot] else ""
    return f"{PLACES[slot]}, {side['name']}: {_enemy(game, g, slot, owner)}{tokens}"


def other_side(game: Any, g: Any, slot: int) -> str:
    """The side of a scene card that lies down, in one line, as it is when the card is turned over: all know it."""
    turned = g.copy()
    turned.side[slot] = 1 - int(g.side[slot])
    printed = game.tables[0].armour[int(g.scenario), slot, int(turned.side[slot])]
    turned.armour[slot] = sum(1 << marker for marker, value in enumerate(printed) if value)  # whole
    for field in ("hurt", "tokens", "dead", "stunned", "skipping"):
        turned[field][slot] = 0
    reward = reward_words(game, turned, slot)
    return card_text(game, turned, slot).partition(", ")[2] + (f"; as it turns up: {reward}" if reward else "")


def reward_words(game: Any, g: Any, slot: int) -> str:
    """What the upper side of a scene card brings at once as it is turned up; "" for nothing."""
    return scene_words(game, g).effects(reward) if (reward := side_data(game, g, slot)["reward"]) else ""


def _enemy(game: Any, g: Any, slot: int, owner: int) -> str:
    """The living enemy of a card with its health, armour and state."""
    if owner == codes.NONE:
        return "defeated" if g.dead[slot] else "no enemy"
    if owner != slot:
        return f"part of {side_data(game, g, owner)['enemy']['name']}"
    t, at = game.tables[0], (int(g.scenario), slot, int(g.side[slot]))
    health = int(t.enemy_hp[at])
    words = [f"{side_data(game, g, slot)['enemy']['name']} {health - int(g.hurt[slot])}/{health} health"]
    if armour := intact_armour(t, g, slot):
        words.append("armour " + " and ".join(map(str, armour)))
    words += ["invulnerable"] * bool(t.invulnerable[at]) + ["stunned"] * bool(g.stunned[slot])
    return ", ".join(words + ["attacks no more in this activation"] * bool(g.skipping[slot]))


def interaction_due(game: Any, g: Any) -> tuple[int, dict[str, Any], int]:
    """The card and the interaction that is being paid, as in the component file, and how much is paid already."""
    t, frame = game.tables[0], g.agenda[int(g.depth) - 1]
    slot = int(frame[PAY_SLOT])
    number = int(frame[PAY_INTERACTION]) - int(t.interactions_first[int(g.scenario), slot, int(g.side[slot])])
    return slot, side_data(game, g, slot)["interactions"][number], int(frame[PAY_PAID])


def hero_of(game: Any, player: dict[str, Any]) -> str:
    """The hero of a seat, or the seat while it has none."""
    return hero_name(game, player["hero"]) if player["hero"] else seat_name(player["seat"])


def waiting(player: dict[str, Any]) -> str:
    """What waits for a player's next attack: strength and damage after the die."""
    strength = f", next attack +{player['next_attack']}" if player["next_attack"] else ""
    return strength + (f", next attack +{player['next_damage']} damage" if player["next_damage"] else "")


def attack_notes(context: dict[str, Any]) -> list[str]:
    """What is known of a hero's attack besides its strength: the die, and what waits for it."""
    die = context.get("die", NOT_ROLLED)
    said = [] if die == NOT_ROLLED else [f"die {die}"]
    said += [f"+{context['waiting_bonus']} waiting"] if context.get("waiting_bonus") else []
    return said + ([f"+{context['waiting_damage']} damage after the die"] if context.get("waiting_damage") else [])


def rolls(game: Any, g: Any, then: Any) -> Iterator[tuple[str, str, str, int]]:
    """The attacks with a die of the last decision: who, on whom, how the damage comes about, and the die; the scene as
    it lay `then`."""
    words = scene_words(game, then) if laid_out(then) else None
    for row in g.told[g.told[:, TOLD_BY] > 0]:
        by, owner, card, numbers, more, die, later, dealt = map(int, row)
        terms = {"card": card, "numbers": numbers, "help": more}
        said = " + ".join(f"{what} {strength}" for what, strength in terms.items() if strength) or "strength 0"
        said += f" {'−' if die >= 0 else '+'} die {abs(die)}"
        if later:
            said += f" = {max(card + numbers + more - die, 0)}, + {later}"
        on = words.card(card_id(int(then.scenario), owner)) if words else "an enemy"
        yield hero_name(game, FIGURES[by - 1]), on, f"{said} = {dealt} damage", die


# ---- Where in the picture an action is made: on the card that is played, and on what it is aimed at --------------

CLICKED = {  # by kind of action, with its arguments
    "hero": ("hero {0}",), "place": ("stand {0} {1}",), "move": ("stand {1} {2}",),
    "attack": ("scene {slot}", "hand {seat} {card}"), "special": ("hand {seat} {card}",), "rage": ("rage {figure}",),
    "skill": ("skill {0}",), "interact": ("interaction {slot} {2}",), "ask": ("figure mimir",),
    "target": ("scene {0}",), "figure": ("figure {0}",), "pay": ("hand {seat} {0}",), "step": ("stand {0} {1}",),
    "add": ("hand {seat} {card}",), "commit": ("pending",), "block": ("hand {seat} {card}",),
    "column": ("column {0}",), "top": ("look {0}",), "bottom": ("look {0}",), "take": ("upgrade {0}",),
    "remove": ("discard {seat} {0}",), "choose": ("scenario {0}",),
}  # fmt: skip


def places(game: Any, g: Any, action: int) -> Sequence[str]:
    """The names of the places where an action of the acting seat is clicked; none for passing and ending."""
    kind, arguments = game.actions.decode(action)
    named: dict[str, Any] = {"seat": int(g.actor)}
    if kind in ("attack", "special", "add", "block"):  # the last argument is how a card is played
        named["card"] = plays(game.components)[play_number(game.components, arguments[-1])][0]
    if kind in ("attack", "rage", "interact"):
        figure = figure_of(game, g, str(arguments[0]))
        named["figure"] = FIGURES[figure]
        if kind != "rage":
            named["slot"] = PLACES[slot_of(g, figure, str(arguments[1]))]
    return tuple(pattern.format(*arguments, **named) for pattern in CLICKED.get(kind, ()))


def slot_of(g: Any, figure: int, row: str) -> int:
    """The scene card above a figure; Mimir's are those of his bearer."""
    column = int(g.column[figure])
    if column < 0:
        column = int(g.column[int(g.bearer)])
    return COLUMNS * ROWS.index(row) + column


# ---- A decision with what it is aimed at -------------------------------------------------------------------------


def move_text(game: Any, before: Any, action: int, after: Any, who: Seat) -> str:
    """A move in words: whose figure acts, and what an attack, a target or an interaction is aimed at. All of it is
    open."""
    kind, arguments = game.actions.decode(action)
    said = game.vocabulary.say(game.actions, action, int(before.decision))
    if kind == "target":
        slot = PLACES.index(str(arguments[0]))
        there = slot in present_slots(game, before)
        return f"target {_called(game, before, slot)} ({arguments[0]})" if there else said
    if not arguments or arguments[0] not in ROLES:
        return said
    figure = figure_of(game, before, str(arguments[0]))
    named = hero_name(game, FIGURES[figure])
    said = said.replace(game.vocabulary.name("role", arguments[0]), named, 1)
    if kind not in ("attack", "interact"):
        return said
    slot = slot_of(before, figure, str(arguments[1]))
    if slot not in present_slots(game, before) or slot >= 2 * COLUMNS:
        return said
    if kind == "attack":
        return said.replace(f"the {arguments[1]} card", f"{_called(game, before, slot)} ({arguments[1]})")
    card, number = side_data(game, before, slot), int(arguments[2])
    boxes = card.get("interactions") or []
    return f"{named}: {boxes[number - 1]['label']} ({card['name']})" if number <= len(boxes) else said


def figure_of(game: Any, g: Any, role: str) -> int:
    """The figure of the player who decides that has a role in an action."""
    return int(game.tables[0].first_figure[int(g.heroes[int(g.actor)])]) + (role == "second")


def _called(game: Any, g: Any, slot: int) -> str:
    """The enemy that is seen on a card, or the card."""
    owner = owner_of(game, g, slot)
    if owner == codes.NONE:
        return side_data(game, g, slot)["name"]
    return side_data(game, g, owner)["enemy"]["name"]
