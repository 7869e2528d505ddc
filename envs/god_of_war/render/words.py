"""What a position says in words, for the text and for the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from theogony.envs.core.draw.style import seat_word, yours
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.actions import PLACES, ROLES, ROWS, play_number
from theogony.envs.god_of_war.components.pieces import COLUMNS, FIGURES, HEROES
from theogony.envs.god_of_war.components.tables import plays
from theogony.envs.god_of_war.rules.attack import NOT_ROLLED, STRIKE_FIGURE, STRIKE_SLOT, TOLD_BY
from theogony.envs.god_of_war.rules.enemies import carrier, hp_left
from theogony.envs.god_of_war.rules.setup import laid_out
from theogony.envs.god_of_war.rules.usable import PAY_INTERACTION, PAY_PAID, PAY_SLOT
from theogony.envs.god_of_war.snapshot import card_id, intact_armour
from theogony.envs.god_of_war.state import ATTACK_WINDOW, DECISIONS, DIE, REASONS, SET
from theogony.envs.god_of_war.vocabulary.effects import SceneWords, attack_words, boxes, rune_name, scene_of

Seat = int | str | None  # a seat, "all" eyes, or None: what is public


def hero_name(game: Any, key: str) -> str:
    """What the vocabulary calls a hero or figure."""
    return game.vocabulary.name("figure" if ("figure", key) in game.vocabulary else "hero", key)


class Scene(SceneWords):
    """The present scene as it lies: words about its cards by the sides that are up, and the enemies seen on them."""

    def __init__(self, game: Any, g: Any) -> None:
        self.g, self.t, self.number = g, game.tables[0], int(g.scenario)
        self._owners: dict[int, int] = {}
        turned = [card_id(self.number, slot) for slot, side in enumerate(g.side) if side]
        super().__init__(scene_of(game, self.number), turned)
        self.slots = [slot for slot, there in enumerate(self.t.present[self.number]) if there] if laid_out(g) else []

    def at(self, slot: int) -> tuple[int, int, int]:
        """Where the tables have what is printed on a card."""
        return self.number, slot, int(self.g.side[slot])

    def side(self, slot: int) -> dict[str, Any]:
        """The visible side of a card as in the component file, with the numbers in force."""
        return self.sides[card_id(self.number, slot)]

    def name(self, slot: int) -> str:
        """What a card is called."""
        return self.card(card_id(self.number, slot))

    def owner(self, slot: int) -> int:
        """The card that carries the living enemy seen on a card, -1 without one."""
        if slot not in self._owners:  # asked often, and a call of a rule from Python takes long
            self._owners[slot] = int(carrier(self.g, self.t, slot))
        return self._owners[slot]

    def health(self, owner: int) -> int:
        """Health that an enemy has left."""
        return int(hp_left(self.g, self.t, owner))

    def armour(self, owner: int) -> list[int]:
        """Armour that an enemy has left, the highest first."""
        return intact_armour(self.t, self.g, owner)

    def stopped(self, owner: int) -> str:
        """What keeps damage from an enemy: `armour`, `invulnerable`, or nothing."""
        return "armour" if self.armour(owner) else "invulnerable" * bool(self.t.invulnerable[self.at(owner)])

    def tokens(self, slot: int) -> list[int | None]:
        """The tokens that add to each attack of a card, None where none can."""
        first, end = (int(bound[self.at(slot)]) for bound in (self.t.attacks_first, self.t.attacks_end))
        return [None if card == codes.NONE else int(self.g.tokens[card]) for card in self.t.attack_tokens[first:end]]

    def attacks(self, slot: int) -> Iterator[tuple[dict[str, Any], str]]:
        """The attacks of a card, each with its words; none where nobody lives there."""
        if self.owner(slot) != codes.NONE:
            column = slot % COLUMNS if slot < 2 * COLUMNS else None
            for attack, tokens in zip(self.side(slot)["enemy"]["attacks"], self.tokens(slot), strict=True):
                yield attack, attack_words(attack, column, self, tokens)

    def text(self, slot: int) -> str:
        """A card in one line: where it lies, its enemy, and all that it does."""
        attacks = (f"{rune_name(attack['rune'])}: {said}" for attack, said in self.attacks(slot))
        return "; ".join([self.state(slot), *attacks, *boxes(self.side(slot), self)])

    def state(self, slot: int) -> str:
        """Where a card lies and how its enemy stands: what is printed on it is told elsewhere."""
        count = int(self.g.tokens[slot])
        tokens = f"; {count} token{'s' * (count > 1)}" if count else ""
        return f"{PLACES[slot]}, {self.side(slot)['name']}: {self._enemy(slot)}{tokens}"

    def reward(self, slot: int) -> str:
        """What the upper side of a card brings at once as it is turned up; "" for nothing."""
        return self.effects(self.side(slot)["reward"])

    def called(self, slot: int) -> str:
        """The enemy that is seen on a card, or the card."""
        owner = self.owner(slot)
        return self.side(slot)["name"] if owner == codes.NONE else self.side(owner)["enemy"]["name"]

    def _enemy(self, slot: int) -> str:
        """The living enemy of a card with its health, armour and state."""
        g, owner = self.g, self.owner(slot)
        if owner == codes.NONE:
            return "defeated" if g.dead[slot] else "no enemy"
        name = self.side(owner)["enemy"]["name"]
        if owner != slot:
            return f"part of {name}"
        health = int(self.t.enemy_hp[self.at(slot)])
        words = [f"{name} {health - int(g.hurt[slot])}/{health} health"]
        if armour := self.armour(slot):
            words.append("armour " + " and ".join(map(str, armour)))
        words += ["invulnerable"] * bool(self.t.invulnerable[self.at(slot)]) + ["stunned"] * bool(g.stunned[slot])
        return ", ".join(words + ["attacks no more in this activation"] * bool(g.skipping[slot]))


def other_side(game: Any, g: Any, slot: int) -> str:
    """The side of a scene card that lies down, in one line, as it is when the card is turned over: all know it."""
    turned = g.copy()
    turned.side[slot] = 1 - int(g.side[slot])
    printed = game.tables[0].armour[int(g.scenario), slot, int(turned.side[slot])]
    turned.armour[slot] = sum(1 << marker for marker, value in enumerate(printed) if value)  # whole
    for field in ("hurt", "tokens", "dead", "stunned", "skipping"):
        turned[field][slot] = 0
    scene = Scene(game, turned)
    reward = scene.reward(slot)
    return scene.text(slot).partition(", ")[2] + (f"; as it turns up: {reward}" if reward else "")


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


def interaction_due(game: Any, g: Any) -> tuple[dict[str, Any], int]:
    """The interaction that is being paid, as in the component file, and how much is paid already."""
    scene, frame = Scene(game, g), g.agenda[int(g.depth) - 1]
    slot = int(frame[PAY_SLOT])
    number = int(frame[PAY_INTERACTION]) - int(scene.t.interactions_first[scene.at(slot)])
    return scene.side(slot)["interactions"][number], int(frame[PAY_PAID])


def waiting(player: dict[str, Any]) -> str:
    """What waits for a player's next attack: strength and damage after the die."""
    strength = f", next attack +{player['next_attack']}" if player["next_attack"] else ""
    return strength + (f", next attack +{player['next_damage']} damage" if player["next_damage"] else "")


def attacker_and_target(g: Any) -> tuple[int, int]:
    """The figure whose attack is being made, and the slot at which it is aimed; NONE where there is none."""
    if int(g.decision) == DIE:
        frame = g.agenda[int(g.depth) - 1]
        return int(frame[STRIKE_FIGURE]), int(frame[STRIKE_SLOT])
    own = int(g.decision) == ATTACK_WINDOW or (int(g.decision) == SET and int(g.attacked) == codes.NONE)
    return (int(g.attacker), int(g.aim)) if own and not g.over else (codes.NONE, codes.NONE)


def attack_notes(context: dict[str, Any]) -> list[str]:
    """What is known of a hero's attack besides its strength: the die, and what waits for it."""
    die = context.get("die", NOT_ROLLED)
    said = [] if die == NOT_ROLLED else [f"die {die}"]
    said += [f"+{context['waiting_bonus']} waiting"] if context.get("waiting_bonus") else []
    return said + ([f"+{context['waiting_damage']} damage after the die"] if context.get("waiting_damage") else [])


def rolls(game: Any, g: Any, then: Any) -> Iterator[tuple[str, str, str, int]]:
    """The attacks with a die of the last decision: who, on whom, how the damage comes about, and the die; the scene as
    it lay `then`."""
    scene = Scene(game, then) if laid_out(then) else None
    for row in g.told[g.told[:, TOLD_BY] > 0]:
        by, owner, card, numbers, more, die, later, dealt = map(int, row)
        terms = {"card": card, "numbers": numbers, "help": more}
        said = " + ".join(f"{what} {strength}" for what, strength in terms.items() if strength) or "strength 0"
        said += f" {'−' if die >= 0 else '+'} die {abs(die)}"
        if later:
            said += f" = {max(card + numbers + more - die, 0)}, + {later}"
        on = scene.name(owner) if scene else "an enemy"
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
        slot, scene = PLACES.index(str(arguments[0])), Scene(game, before)
        return f"target {scene.called(slot)} ({arguments[0]})" if slot in scene.slots else said
    if not arguments or arguments[0] not in ROLES:
        return said
    figure = figure_of(game, before, str(arguments[0]))
    named = hero_name(game, FIGURES[figure])
    said = said.replace(game.vocabulary.name("role", arguments[0]), named, 1)
    if kind not in ("attack", "interact"):
        return said
    slot, scene = slot_of(before, figure, str(arguments[1])), Scene(game, before)
    if slot not in scene.slots or slot >= 2 * COLUMNS:
        return said
    if kind == "attack":
        return said.replace(f"the {arguments[1]} card", f"{scene.called(slot)} ({arguments[1]})")
    card, number = scene.side(slot), int(arguments[2])
    boxes = card.get("interactions") or []
    return f"{named}: {boxes[number - 1]['label']} ({card['name']})" if number <= len(boxes) else said


def figure_of(game: Any, g: Any, role: str) -> int:
    """The figure of the player who decides that has a role in an action."""
    return int(game.tables[0].first_figure[int(g.heroes[int(g.actor)])]) + (role == "second")
