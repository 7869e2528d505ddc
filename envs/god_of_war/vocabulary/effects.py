"""Effects, conditions and costs of the pieces in our own words."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any
from weakref import WeakKeyDictionary

from theogony.envs.core.vocabulary import Entry
from theogony.envs.god_of_war.actions import PLACES, play_names
from theogony.envs.god_of_war.components import tables
from theogony.envs.god_of_war.components.pieces import COLUMNS
from theogony.envs.god_of_war.state import SCENES, settings

HERO_EFFECTS: dict[Any, str] = {  # by (op, target or reach), else by op
    ("draw", "self"): "draw {n}",
    ("draw", "bearer"): "Mimir's bearer draws {n}",
    ("heal", "self"): "heal {n}",
    ("heal", "any"): "heal any hero {n}",
    ("boost", "any"): "+{n} to any attack or block that is being made",
    ("boost", "bearer"): "+{n} to an attack or block that Mimir's bearer makes",
    ("damage", "any"): "{n} damage to any enemy without armour",
    ("damage", "column"): "{n} damage to an enemy of the column without armour",
    "rage": "+{n} rage",
    "guard": "block {n} for any hero",
    "ward": "{n} ward on any hero",
    "stun": "stun an enemy of the column",
    "scry": "look at {n} upgrade cards",
    "move": "an extra move",
    ("next_attack", "own_pair"): "+{n} strength for the next attack of Brok or Sindri",
    "next_attack": "next attack: {n} more damage",
    "block_boost": "block {n} for Brok or Sindri",
    "cancel_rune": "the next reveal triggers nothing",
    "die_to_bonus": "the die adds to the attack",
}
SCOPES = {
    "acting": "the acting hero",
    "column": "the heroes in its column",
    "front": "the front hero in its column",
    "all": "all heroes",
    "chosen": "a hero of choice",
}
SCENE_EFFECTS = {
    "flip": "turn over {cards}",
    "attack": "{card} attacks: {type} {strength}{columns}{status}",
    "damage_enemy": "{n} damage to {target}",
    "heal_enemy": "heal {target} {n}",
    "stun_enemy": "stun {target}",
    "break_armour": "break armour of {target}",
    "add_token": "{n} token{s} on {card}",
    "remove_token": "{n} token{s} off {card}",
    "damage_heroes": "{n} damage to {scope}",
    "heal_heroes": "heal {n}: {scope}",
    "status": "{n} {kind} card{s}: {scope}",
    "crystal": "gain {n} crystal{s}",
    "draw": "draw {n}: {scope}",
    "rage": "+{n} rage: {scope}",
    "hand_limit": "hand limit {n:+d}: {scope}",
}
OPERATIONS = {  # what the words of scene cards mean
    "flip": ("turn over", "the card shows its other side: damage stays unless the enemy was defeated, armour is whole, "
             "tokens go"),
    "attack": ("attack at once", "the enemy attacks, besides the attacks that runes trigger"),
    "damage_enemy": ("damage an enemy", "without an attack and a die; armour that is left stops it"),
    "heal_enemy": ("heal an enemy", "damage is taken off its card"),
    "stun_enemy": ("stun an enemy", "it makes no attack in its next activation"),
    "break_armour": ("break armour", "the highest armour that is left is removed"),
    "add_token": ("add tokens", "they count up to something that happens on that card"),
    "remove_token": ("remove tokens", "off the card, as far as there are some"),
    "damage_heroes": ("damage heroes", "it is no attack, so it is not blocked; a ward cancels it"),
    "heal_heroes": ("heal heroes", "up to their full health"),
    "status": ("status card", "a stun or poison card goes on top of the deck of each hero named"),
    "crystal": ("gain a crystal", "a crystal card goes on top of the deck: it pays for interactions or adds 2 to an "
                "attack"),
    "draw": ("draw cards", "each hero named draws so many"),
    "rage": ("rage", "so many spaces up the rage track of each hero named"),
    "hand_limit": ("hand limit", "up to how many cards a player draws at the start of a round, from then on"),
}  # fmt: skip
CONDITIONS = {
    "defeated": "when defeated",
    "armour_broken": "when its armour is broken",
    "attacked": "after it has made a {} attack",
    "hp<": "at {} health or less",
    "tokens>": "at {}+ tokens",
    "scene_clear": "when all enemies are gone",
}
RELATIVE = ("left", "here", "right")
MANY = 3  # more cards than so many are named by their places
HINDRANCES = {
    "shuffle_status": "{n} {kind} card{s} shuffled into each deck",
    "start_damage": "each hero begins with {n} damage",
    "hand_limit": "hand limit {n:+d}",
    "extra_activation": "{n} scene activation{s} before the first round",
}


def hero_effect(effect: dict[str, Any]) -> str:
    """What an effect of a hero's card or ability does."""
    where = effect.get("target") or effect.get("reach")
    op: str = effect["op"]
    text: str = HERO_EFFECTS.get((op, where)) or HERO_EFFECTS.get(op) or op.replace("_", " ")
    return text.format(n=effect.get("n", ""))


def hero_effects(effects: list[dict[str, Any]]) -> str:
    """Several effects in one line."""
    return ", ".join(hero_effect(effect) for effect in effects)


class SceneWords:
    """Words about the cards of one scene, which name each other by the sides that lie up: the fronts, or those named
    in `turned` by their backs."""

    def __init__(self, scene: dict[str, Any], turned: Collection[str] = ()) -> None:
        self.places = places = {card["id"]: PLACES[tables.slot_of(card["id"])] for card in scene["cards"]}
        self.sides = {card["id"]: card["back" if card["id"] in turned else "front"] for card in scene["cards"]}
        enemies = {key: (side["enemy"] or {}).get("name") for key, side in self.sides.items()}
        shown = [enemies[key] or side["name"] for key, side in self.sides.items()]
        self.names = dict(zip(self.sides, shown, strict=True))
        for key, name in self.names.items():
            if shown.count(name) > 1 or not (enemies[key] or places[key].startswith("side")):
                self.names[key] = f"{name} ({places[key]})"

    def card(self, name: str) -> str:
        """A card that an effect names."""
        return {"self": "this card", "each_other": "every other enemy"}.get(name) or self.names.get(name, name)

    def effect(self, effect: dict[str, Any]) -> str:
        """What an effect of a scene card does."""
        words = {key: self.card(str(effect[key])) for key in ("card", "target") if key in effect}
        if "cards" in effect:
            cards = effect["cards"] if isinstance(effect["cards"], list) else [effect["cards"]]
            words["cards"] = ", ".join(self.card(card) for card in cards)
        if "scope" in effect:
            words["scope"] = SCOPES[effect["scope"]]
        if effect["op"] == "attack":
            row, _, place = self.places.get(effect["card"], "side 1").partition(" ")
            words["columns"] = columns_hit(effect, None if row == "side" else int(place) - 1)
            words["status"] = status_words(effect)
        plural = "" if effect.get("n") == 1 else "s"
        return SCENE_EFFECTS[effect["op"]].format(**{**effect, **words, "s": plural})

    def effects(self, effects: list[dict[str, Any]]) -> str:
        return ", ".join(self.effect(effect) for effect in effects)

    def predicate(self, predicate: dict[str, Any]) -> str:
        """A condition of an interaction, of success or of failure."""
        if predicate.get("hp_le"):
            card, number = predicate["hp_le"]
            return f"{self.card(card)} at {number} health or less"
        if predicate.get("tokens_ge"):
            card, number = predicate["tokens_ge"]
            return f"{'a token' if number == 1 else f'{number}+ tokens'} on {self.card(card)}"
        if predicate.get("dead"):
            enemy = self.sides[predicate["dead"]]["enemy"]
            return f"{self.card(predicate['dead'])} {'defeated' if enemy else 'without an enemy'}"
        return "all enemies defeated"

    def flip(self, flip: dict[str, Any]) -> str:
        """When a card turns over, and which others with it."""
        when = "" if flip["when"].startswith("rune") else moment(flip["when"])
        others = [card for card in flip["cards"] if card != "self"]
        named = self._places(others) if len(others) > MANY else ", ".join(map(self.card, others))
        own = "self" in flip["cards"]
        turned = f"turns over{' with' * (own and bool(others))}{' ' * bool(others)}{named}"
        return ": ".join(part for part in (when, turned) if part)

    def _places(self, cards: list[str]) -> str:
        """Many cards by where they lie: `top 2, 3, bottom 2`."""
        rows: dict[str, list[str]] = {}
        for row, _, column in (self.places[card].partition(" ") for card in cards):
            rows.setdefault(row, []).append(column)
        return ", ".join(f"{row} {', '.join(columns)}" for row, columns in rows.items())


def columns_hit(attack: dict[str, Any], column: int | None) -> str:
    """The columns that a melee attack hits: ` on columns 1, 2`; `column` is that of its card, None beside."""
    if attack["type"] != "melee":
        return ""
    hit = [d for d in sorted(attack["dirs"]) if column is None or 0 <= column + d < COLUMNS]
    names = [RELATIVE[d + 1] if column is None else str(column + d + 1) for d in hit]
    return f" on column{'s' if len(names) > 1 else ''} {', '.join(names)}" if names else ""


def status_words(attack: dict[str, Any]) -> str:
    """The status card that comes with the damage of an attack."""
    return f" + {attack['effect']} card" if attack.get("effect") else ""


def hindrance(effects: list[dict[str, Any]]) -> str:
    """What a scene that was passed over does."""
    return ", ".join(HINDRANCES[e["op"]].format(**e, s="" if e["n"] == 1 else "s") for e in effects)


def rune_name(key: str) -> str:
    """What people call a rune: `Fehu`."""
    return key.capitalize()


# ---- Action cards, companions' skills and heroes in words, from the component file -------------------------------


def option_words(option: dict[str, Any]) -> str:
    """One way to play a card: `melee +1, stuns`, `+2 to an attack or block`, `look at 2 upgrade cards`."""
    if option["special"]:
        gains = f"; {option['rage']} rage" if option["rage"] else ""
        return hero_effects(option["special"]) + gains
    number = f"+{option['number']}" if option["number"] else ""
    if not option["symbols"]:
        return f"{number} to an attack or block"
    symbol = f"{option['symbols'][0]} {number or 'with number cards'}"
    return symbol + ", stuns" * option["stun"] + f", {option['rage']} rage" * (option["rage"] > 1)


def crystal_words(data: dict[str, Any]) -> str:
    """What a crystal adds."""
    return f"+{data['status_cards']['crystal']['number_attack_only']} to an attack"


def status_cards(data: dict[str, Any]) -> Iterator[Entry]:
    """Stun, poison and crystal."""
    does = {
        "stun": "drawn for nothing, then discarded",
        "poison": "does 1 damage when it is drawn, and is replaced",
        "crystal": f"{crystal_words(data)}, or pays a crystal",
    }
    for key, said in does.items():
        yield Entry("card", key, key.capitalize(), said, key, "§6.3")


def card_name(card: dict[str, Any]) -> str:
    """A design by name; one with a comma, `Melee +2, rage`, would fall apart in a list of cards."""
    return card["name"].replace(", ", " with ")


def cards(data: dict[str, Any]) -> Iterator[Entry]:
    """Every design, every way to play one, and every upgrade card."""
    ways = {key: " or ".join(map(option_words, card["options"])) for key, card in data["action_cards"].items()}
    designs = {key: (card_name(card), ways[key]) for key, card in data["action_cards"].items()}
    for key, (name, does) in designs.items():
        yield Entry("card", key, name, does, rule="§5.2")
    yield from status_cards(data)
    for key, (design, k) in zip(play_names(data), tables.plays(data), strict=True):
        yield _play(data, key, design, k)
    for key in tables.upgrade_types(data):
        design, rune = key.split(":")
        name, does = designs[design]
        yield Entry("upgrade card", key, f"{name}, rune {rune_name(rune)}", does, rule="§4")


def _play(data: dict[str, Any], key: str, design: str, k: int) -> Entry:
    if design == "crystal":
        return Entry("play", key, "Crystal", crystal_words(data), "crystal", "§6.3")
    card = data["action_cards"][design]
    option = card["options"][k]
    as_what = f", as {(option['symbols'] or ['number'])[0]}" if len(card["options"]) > 1 else ""
    icon = "" if option["special"] else tables.option_kind(option)
    return Entry("play", key, card_name(card) + as_what, option_words(option), icon, "§5.2")


def skill_words(option: dict[str, Any]) -> str:
    """One way to use a companion's skill."""
    if attack := option.get("attack"):
        stun = ", stuns" if attack["stun"] else ""
        twice = " on two enemies" if attack["targets"] > 1 else ""
        return f"{attack['type']} {attack['strength']}{stun}{twice}"
    if option.get("special"):
        return hero_effects(option["special"])
    return f"+{option['number']} to an attack" if option.get("number") else f"block {option['block']}"


def skills(data: dict[str, Any]) -> Iterator[Entry]:
    """What the companions of a single player can do."""
    figures = {figure["id"]: figure["name"] for hero in data["heroes"] for figure in hero["figures"]}
    owners = {skill["id"]: figures[skill["owner"]] for skill in data["solo"]["companions"]}
    for _, skill, option in tables.skill_options(data):
        said = skill_words(option)
        yield Entry("skill", f"{skill} {option['id']}", f"{owners[skill]}: {said}", "once a scene", rule="§10")


def heroes(data: dict[str, Any]) -> Iterator[Entry]:
    """Heroes and their figures, with what a full rage track allows."""
    for hero in data["heroes"]:
        does = "; ".join(_ability(figure, len(hero["figures"]) > 1) for figure in hero["figures"])
        icon = hero["figures"][0]["id"]
        yield Entry("hero", hero["id"], hero["name"], does, icon, "§9")
        for figure in hero["figures"]:
            yield Entry("figure", figure["id"], figure["name"], _ability(figure, False), figure["id"], "§9")


def _ability(figure: dict[str, Any], named: bool) -> str:
    who = f"{figure['name']}: " if named else ""
    rage = f"{figure['rage']['name']} ({hero_effects(figure['rage']['effects'])})"
    return f"{who}{figure['hp']} health; at {figure['rage_max']} rage {rage}"


# ---- Scene cards, quests and bosses in words, from the component file --------------------------------------------


def attack_words(attack: dict[str, Any], column: int | None, words: SceneWords, tokens: int | None = None) -> str:
    """An attack without its rune: `melee 3 on columns 1, 2 + stun card`; `column` is that of its card, None beside.

    `tokens` are those that add to it, None where they are not known."""
    said = f"{attack['type']} {attack['strength'] + (tokens or 0)}"
    if on := attack.get("plus_tokens"):
        plus = "+1 for each token" if tokens is None else f"{attack['strength']} +{tokens} for the tokens"
        said += f" ({plus} on {words.card(on)})"
    return said + columns_hit(attack, column) + status_words(attack)


def moment(when: str) -> str:
    """When something of a card happens: a rune, or a condition."""
    kind, _, more = when.replace("<=", "<:").replace(">=", ">:").partition(":")
    return rune_name(more) if kind == "rune" else CONDITIONS[kind].format(more)


def boxes(side: dict[str, Any], words: SceneWords) -> Iterator[str]:
    """Boxed effects, flips and interactions of a side, a phrase each."""
    for box in side["triggers"]:
        asked = f", if {' and '.join(words.predicate(p) for p in box['if'])}" if box["if"] else ""
        yield f"{moment(box['when'])}{asked}: {words.effects(box['do'])}"
    for flip in side["flip"]:
        said = words.flip(flip)
        yield f"{moment(flip['when'])}: {said}" if flip["when"].startswith("rune") else said
    for k, entry in enumerate(side["interactions"], 1):
        asked = f", if {' and '.join(words.predicate(p) for p in entry['if'])}" if entry["if"] else ""
        cost = " + ".join(entry["cost"])
        yield f"interaction {k}, {entry['label']} ({cost}{asked}): {words.effects(entry['do'])}"


def side_words(card: dict[str, Any], side: dict[str, Any], words: SceneWords) -> str:
    """All of a side of a scene card."""
    row, column = card["pos"]
    at = column if row < 2 else None
    enemy, parts = side.get("enemy"), []
    if enemy and "part_of" in enemy:
        parts.append(f"part of {words.card(enemy['part_of'])}")
    elif enemy:
        armour = f", armour {' and '.join(map(str, enemy['armour']))}" if enemy["armour"] else ""
        parts.append(f"{enemy['name']}, {enemy['hp']} health{armour}{', invulnerable' * enemy['invulnerable']}")
    attacks = enemy["attacks"] if enemy else ()
    parts += [f"{rune_name(attack['rune'])}: {attack_words(attack, at, words)}" for attack in attacks]
    parts += boxes(side, words)
    if side["reward"]:
        parts.append(f"reward: {words.effects(side['reward'])}")
    if side["tokens"]:
        parts.append(f"{side['tokens']['start']} tokens, at most {side['tokens']['max']}")
    return "; ".join(parts) or "nothing"


def turned_with(scene: dict[str, Any], card: str) -> list[str]:
    """The cards that turn to their backs together with one, and this one."""
    for other in scene["cards"]:
        for flip in other["front"]["flip"]:
            turned = [other["id"] if key == "self" else key for key in flip["cards"]]
            if card in turned:
                return turned
    return [card]


def both_sides(scene: dict[str, Any], card: dict[str, Any]) -> tuple[str, str]:
    """All that the front and the back of a scene card do; a back names the cards that turned over with it by theirs."""
    turned = SceneWords(scene, turned_with(scene, card["id"]))
    return side_words(card, card["front"], SceneWords(scene)), side_words(card, card["back"], turned)


def scene_cards(data: dict[str, Any]) -> Iterator[Entry]:
    """Every scene card with all that its two sides do."""
    for scene in data["scenes"]:
        for card in scene["cards"]:
            front, back = both_sides(scene, card)
            name = f"{card['front']['name']} ({PLACES[tables.slot_of(card['id'])]} of {scene['name']})"
            yield Entry("scene card", card["id"], name, f"{front}. Turned, {card['back']['name']}: {back}", rule="§6")


def scenario_words(
    data: dict[str, Any], scenario: dict[str, Any], words: SceneWords | None = None
) -> tuple[str, str, str]:
    """Goal, failure ("" without one) and hindrance of a quest or boss.

    Without `words`, cards have the names of their fronts."""
    words = words or SceneWords(next(scene for scene in data["scenes"] if scene["id"] == scenario["scene"]))
    goal = " and ".join(words.predicate(p) for p in scenario["front"]["success"]["all"])
    fails = (scenario["front"].get("fail") or {"any": ()})["any"]
    return goal, " or ".join(words.predicate(p) for p in fails), hindrance(scenario["back"]["hindrance"])


def scenarios(data: dict[str, Any]) -> Iterator[Entry]:
    """Quests and bosses with what must be done and what must not happen. How they hinder stands on their backs, which
    nobody sees while a scene is chosen (R3)."""
    for scenario in (*data["quests"], *data["bosses"]):
        goal, failure, _ = scenario_words(data, scenario)
        kind = "boss" if scenario in data["bosses"] else "quest"
        does = f"{kind}; goal: {goal}" + (f"; failure: {failure}" if failure else "")
        yield Entry("scenario", SCENES[scenario["id"] - 1], scenario["name"], does, rule="§8")


# ---- The components as a game plays them: with the health and the strengths that its options make of them --------

_FOUND: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()


def played(game: Any) -> dict[str, Any]:
    """The component data of a game with the numbers in force; texts and pictures read these."""
    if game not in _FOUND:
        _FOUND[game] = tables.in_force(game.components, settings(game.options))
    return _FOUND[game]


def scene_of(game: Any, scenario: int) -> dict[str, Any]:
    """The scene of a scenario, counted from 0."""
    return next(scene for scene in played(game)["scenes"] if scene["id"] == scenario + 1)


def scenario_of(game: Any, scenario: int) -> dict[str, Any]:
    """A quest or boss, counted from 0."""
    data = played(game)
    return next(one for one in (*data["quests"], *data["bosses"]) if one["id"] == scenario + 1)


# ---- What matters in each kind of decision, for a first game -----------------------------------------------------

FIRST_GAME = {  # by the kind of the decision
    "hero": "Each hero has a deck and a rage ability: rest on one to read them. Kratos hits hardest and stands longest",
    "place": "You reach enemies of your own column: the bottom row with melee or ranged cards, the top row with "
    "ranged ones. The arrows of an enemy say which columns it hits",
    "bearer": "Whenever Mimir or his bearer would suffer, you say which of them does: two who share it last longer",
    "turn": "Read the goal of the scene first. A melee or ranged card attacks, and number cards make it stronger; "
    "armour must break before an enemy suffers. Enemies act when you end, so keep a block card; what is left in hand "
    "is discarded at the end of the round",
    "mimir": "Mimir does not attack: he plays special cards, uses his rage ability and interacts",
    "target": "An enemy that falls now acts no more: often better than some damage to a strong one",
    "figure": "The effect says whether being chosen is good or bad",
    "pay": "The card is discarded: give what helps least in the enemies' turn",
    "step": "Away from the arrows of strong enemies, or below what you would like to attack",
    "set": "Each card adds to the strength. The enemy die takes 0 to 2 off; against armour there is no die, and the "
    "strength must reach the highest marker that stands. Add no more than that takes",
    "attack_window": "What is missing can still be added; when the strength is enough, pass",
    "die": "The die takes 0 to 2 off the strength: with this skill it adds to it",
    "reveal_window": "An upgrade card is revealed next, and the enemies that show its rune act. Pass unless a card "
    "is of use before that",
    "end_window": "The round ends now, and cards in hand are discarded: what is of use is better played",
    "ranged_target": "Several columns are equally far: let the attack hit who can bear it",
    "shield": "Let the one suffer who has more health to spare",
    "block": "A block card takes its strength off the attack, with numbers that are added next; the rest is damage",
    "block_window": "What is still to come can be lowered; a point of damage may be cheaper than a card",
    "poison": "Let the one suffer who has more health to spare",
    "chosen": "The effect says whether being chosen is good or bad",
    "scry": "The card on top is revealed next, and its rune says which enemies act: leave a rune on top that few show",
    "upgrade": "An upgrade goes on top of your deck, so it is in your next hand. Without a weak card the good ones "
    "come more often",
    "next_quest": "The quest that is not chosen hinders the next scene",
    "next_boss": "The bosses that are not chosen hinder the next scene",
}
