"""What everything in Terra Mystica is called, and what it does: one entry for each thing, from the data of the game.

First what people call the pieces, by the short forms of records and actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from theogony.envs.core.vocabulary import ACTION, ADVICE, Entry, Vocabulary
from theogony.envs.terra_mystica.actions import BOARD, CONVERSIONS, MOST_PRIESTS
from theogony.envs.terra_mystica.components import FACTIONS, POWER_COST, POWER_VALUE, goods
from theogony.envs.terra_mystica.components.pieces import GOODS
from theogony.envs.terra_mystica.rules.building import ALCHEMISTS_POWER, CULTISTS_VP, HALFLINGS_SPADES
from theogony.envs.terra_mystica.rules.targets import SKIP_VP
from theogony.envs.terra_mystica.rules.towns import NEEDED_WITH_FAV5, WITCHES_VP
from theogony.envs.terra_mystica.state import CARD

NAMES_OF_GOODS = {"C": "coin", "W": "worker", "P": "priest", "PW": "power", "S": "spade", "VP": "point"}
STRUCTURES = {"D": "dwelling", "TP": "trading house", "TE": "temple", "SH": "stronghold", "SA": "sanctuary"}
CULTS = {"FIRE": "Fire", "WATER": "Water", "EARTH": "Earth", "AIR": "Air"}
COUNTED = {**STRUCTURES, "SPADE": "spade", "TOWN": "town", "ship": "level of shipping"}  # what is worth points
STEPS = ("one step", "two steps", "three steps")  # of a priest who is sent
LEVELS = {  # name, what it tells, where it stands
    "ship": ("shipping", "how many river spaces may lie between an own structure and a new one", "§6.2"),
    "dig": ("digging", "what a spade costs in workers", "§6.3"),
}
LANDSCAPES = {
    "yellow": "desert", "brown": "plains", "black": "swamp", "blue": "lakes", "green": "forest", "gray": "mountains",
    "red": "wasteland",
}  # fmt: skip
BONUS = {
    "BON1": "spade card", "BON2": "cult card", "BON3": "coin card", "BON4": "shipping card", "BON5": "power card",
    "BON6": "stronghold card", "BON7": "trading house card", "BON8": "priest card", "BON9": "dwelling card",
    "BON10": "voyage card",
}  # fmt: skip
FAVOR = {  # after the cult and the steps on it, which the data tell
    "FAV5": "smaller towns", "FAV6": "cult action", "FAV7": "worker and power", "FAV8": "power", "FAV9": "coins",
    "FAV10": "trading houses", "FAV11": "dwellings", "FAV12": "passing",
}  # fmt: skip
TOWN = {
    "TW1": "town of coins", "TW2": "town of workers", "TW3": "town of a priest", "TW4": "town of power",
    "TW5": "town of cults", "TW6": "town of two keys", "TW7": "town of shipping", "TW8": "town of points",
}  # fmt: skip
POWER_ACTIONS = ("a bridge", "a priest", "two workers", "seven coins", "a spade", "two spades")
SPECIALS = {  # name, what it does, where it stands
    "BON1": ("spade of the bonus card", "one spade, for this action", "§6.7"),
    "BON2": ("cult step of the bonus card", "one step on a cult track of choice", "§6.7"),
    "FAV6": ("cult step of the favor tile", "one step on a cult track of choice", "§6.7"),
    "ACTA": ("Auren: two cult steps", "two steps on one cult track", "§12"),
    "ACTC": ("Chaos magicians: double turn", "two actions in a row", "§12"),
    "ACTG": ("Giants: two spades", "two spades, for this action", "§12"),
    "ACTN": ("Nomads: sandstorm", "a space beside an own structure becomes yellow, without spades", "§12"),
    "ACTS": ("Swarmlings: free trading house", "a dwelling becomes a trading house, free", "§12"),
    "ACTW": ("Witches: ride", "a free dwelling on any free green space", "§12"),
    "ACTE": ("Engineers: bridge for 2 workers", "a bridge, as often as bridges last", "§12"),
}
MARKS = {  # what stands on bonus cards and favor tiles beside their numbers
    "BON1": "action: spade", "BON2": "action: cult step", "BON4": "shipping +1", "FAV6": "action: cult step",
}  # fmt: skip
PHASES = {  # what the seat that decides is to do, by the kind of decision
    "draft": "chooses a faction", "settle": "places a first dwelling", "card": "takes a first bonus card",
    "main": "is to act", "turn": "goes on with the turn", "colour": "chooses a colour", "leech": "may take power",
    "reward": "takes a cult step", "cult spades": "uses spades of the cult bonus",
}  # fmt: skip

ASKED = {  # the same as a question to the seat
    "draft": "Choose your faction", "settle": "Place a first dwelling on a space of your colour",
    "card": "Take a first bonus card", "main": "Take an action, or pass",
    "turn": "Choose what comes next; do all that is open, in any order",
    "colour": "Choose the colour of the space",
    "leech": "Take the power for points, or decline", "reward": "Take a cult step",
    "cult spades": "Use the spades of the cult bonus",
}  # fmt: skip

FIRST_GAME = {  # what matters in a decision
    "draft": "Rest on a faction to read what it can do. Nomads, Witches and Swarmlings are easy to begin with",
    "settle": "Choose a space beside spaces of your colour, or one or two steps from it on the wheel below the map, "
    "and near others: when they build beside you, you may take power, and trading houses cost less there",
    "card": "Its income comes at the start of the round; you give it back when you pass",
    "main": "One action, then it is the turn of the next, until all have passed. Dwellings bring workers, trading "
    "houses coins and power, temples priests and a favor tile. Build what scores in this round, and pass when "
    "nothing that is left is worth it",
    "turn": "Conversions end no turn. What was begun is finished here, such as the dwelling after a spade. Use all "
    "free spades before you build: those that are left are lost",
    "colour": "Each spade is one step along the wheel below the map: take the colour nearer to your own",
    "leech": "One power is free, more costs a point less than it is. Early in the game power is worth that; a track "
    "of bowls that is full takes none",
    "reward": "Power comes at steps 3, 5, 7 and 10, points at the end for the three who are highest on a track",
    "cult spades": "These spades are free, and are lost when the turn ends without them",
}  # fmt: skip


def faction_name(key: str) -> str:
    """A faction's name for people: `Chaos magicians`."""
    return key.replace("chaosm", "chaos m").capitalize()


def counted(number: int, key: str) -> str:
    """So many of a good: `2 workers`, `4 power`."""
    name = NAMES_OF_GOODS[key]
    return f"{number} {name}{'s' if number != 1 and key != 'PW' else ''}"


# ---- What tiles and factions do besides their numbers, in words --------------------------------------------------

# What a tile does beside the goods and points in the data.
EFFECTS = {
    "BON1": "special action: a spade",
    "BON2": "special action: a cult step",
    "BON4": "shipping reaches one space farther while the card is held",
    "FAV5": f"a town needs a value of {NEEDED_WITH_FAV5}",
    "FAV6": "special action: a cult step",
    "TW7": "a level of shipping; for the Fakirs a longer flight",
}
CULTISTS_DECLINED = "1 power when all decline"  # with the option `cultists_power`
# What sets a faction apart at any time, and from its stronghold on (§12).
ABILITIES = {
    "alchemists": (
        "a point becomes a coin and 2 coins a point; at the end 2 coins are a point",
        f"{ALCHEMISTS_POWER} power once; from then on 2 power for each spade",
    ),
    "auren": ("", "a favor tile once; action: two steps on one cult track"),
    "chaosmagicians": (
        "one first dwelling, placed last; two favor tiles for a temple or the sanctuary",
        "action: two actions in a row",
    ),
    "cultists": (
        "a cult step when a neighbour takes power from what they build",
        f"{CULTISTS_VP} points once",
    ),
    "darklings": ("spades cost a priest and bring 2 points each", "up to three workers become priests, once"),
    "dwarves": (f"tunnelling: skip one space for 2 workers and gain {SKIP_VP} points", "a tunnel costs 1 worker"),
    "engineers": (
        "action: a bridge for 2 workers, as often as bridges last",
        "3 points on passing for each own bridge between own structures",
    ),
    "fakirs": (
        f"carpet flight: skip one space for 1 priest and gain {SKIP_VP} points",
        "a flight skips up to two spaces",
    ),
    "giants": ("every transformation takes two spades, to red", "action: two spades"),
    "halflings": ("1 point for each spade", f"{HALFLINGS_SPADES} spades once, and a dwelling on one of the spaces"),
    "mermaids": ("a town may reach over one river space", "a level of shipping once"),
    "nomads": ("a third first dwelling", "action: a space beside an own structure becomes yellow, without spades"),
    "swarmlings": ("3 workers for each town", "action: a dwelling becomes a trading house, free"),
    "witches": (f"{WITCHES_VP} points for each town", "action: a free dwelling on any free green space"),
}


# ---- What tiles and cards do, in words, from their data ----------------------------------------------------------


def goods_words(text: str, said: Callable[[int, str], str] = counted) -> str:
    """Goods of the data in words: "1 PW 1 W" becomes "1 worker, 1 power"."""
    amounts = dict(zip(GOODS, goods(text), strict=True))
    return ", ".join(said(amounts[key], key) for key in ("C", "W", "P", "PW", "S") if amounts[key])


def points_each(what: Mapping[str, int]) -> str:
    """Points for each of something: "4 points a stronghold or sanctuary"."""
    named = " or ".join(COUNTED[key] for key in sorted(what, key=list(COUNTED).index))
    number = next(iter(what.values()), 0)
    return f"{number} point{'s' if number != 1 else ''} a {named}" if what else ""


def tiles(data: dict[str, Any]) -> Iterator[Entry]:
    """Bonus cards, favor tiles, town tiles, scoring tiles and power actions."""
    for key, card in data["bonus"].items():
        does = _joined(_income(card["income"]), points_each(card["pass_vp"]) + " on passing" * bool(card["pass_vp"]))
        yield Entry("bonus card", key, BONUS[key], _joined(does, EFFECTS.get(key, "")), rule="§4")
    for key, tile in data["favor"].items():
        name = f"{CULTS[tile['cult']]} {tile['steps']}" + (f": {FAVOR[key]}" if key in FAVOR else "")
        yield Entry("favor tile", key, name, _favor(key, tile), tile["cult"].lower(), "§11")
    for key, tile in data["town"].items():
        gain = _joined(goods_words(tile["gain"]), _every_cult(tile["steps"]), EFFECTS.get(key, ""))
        keys = f"{tile['keys']} keys" if tile["keys"] > 1 else "a key"
        yield Entry("town tile", key, TOWN[key], _joined(f"{tile['vp']} points, {keys}", gain), "town", "§9")
    for key, tile in data["scoring"].items():
        yield Entry("scoring tile", key, _scoring_name(tile), _scoring(tile), rule="§5.3")
    for k, brings in enumerate(POWER_ACTIONS):
        name = f"{brings} for {POWER_COST[k]} power"
        yield Entry("power action", f"ACT{k + 1}", name, "once a round among all players", "power", "§6.6")


def factions(data: dict[str, Any], cultists_power: bool) -> Iterator[Entry]:
    """What each faction does at any time, and from its stronghold on."""
    for key, faction in data.items():
        does = f"{faction['home'].capitalize()}. {ability(key, cultists_power)}"
        yield Entry("faction", key, faction_name(key), does, rule="§12")


def ability(key: str, cultists_power: bool) -> str:
    """What a faction does at any time and from its stronghold on, by the rules in force."""
    always, later = ABILITIES[key]
    if key == "cultists" and cultists_power:
        always += f"; {CULTISTS_DECLINED}"
    return ". ".join(f"{part[:1].upper()}{part[1:]}" for part in (always, f"stronghold: {later}") if part)


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _income(text: str) -> str:
    return f"{goods_words(text)} income" if text else ""


def _every_cult(steps: int) -> str:
    return f"{steps} step{'s' if steps > 1 else ''} on every cult track" if steps else ""


def _favor(key: str, tile: dict[str, Any]) -> str:
    """What a favor tile does from the moment it is taken on; its name tells the steps."""
    built = f"{points_each(tile['build_vp'])} that is built" if tile["build_vp"] else ""
    by_houses = "/".join(map(str, tile["pass_vp"]))
    passing = f"on passing {by_houses} points for 0 to {len(tile['pass_vp']) - 1} trading houses" if by_houses else ""
    steps = f"{tile['steps']} step{'s' if tile['steps'] > 1 else ''} on {CULTS[tile['cult']]}"
    return _joined(steps, _income(tile["income"]), built, passing, EFFECTS.get(key, ""))


def _scoring_name(tile: dict[str, Any]) -> str:
    """What it scores and which cult pays: `dwellings and Fire`."""
    scored = COUNTED[tile["scores"][0]]
    return f"{scored}s and {'priests' if tile['cult'] is None else CULTS[tile['cult']]}"


def _scoring(tile: dict[str, Any]) -> str:
    """Points in the round, and what is paid at its end."""
    every = "step" if tile["every"] == 1 else f"{tile['every']} steps"
    every = "priest on the cult board" if tile["cult"] is None else f"{every} on {CULTS[tile['cult']]}"
    scored = points_each({what: int(tile["vp"]) for what in tile["scores"]})
    return f"{scored}; at the end of the round {goods_words(tile['reward'])} for every {every}"


# ---- The actions of Terra Mystica: what each kind does, where it stands, and what is said beside the text of a move

DOES = {  # by the kind of the codec: what it is, what it does, where it stands in the rules
    "setup": ("choose a faction", "plays this faction to the end", "§4.4"),
    "build": ("build", "a dwelling on a space of the own colour; free spades that are left are lost", "§6.1"),
    "transform": ("transform", "turns a space to the own colour; spades that are missing are bought", "§6.1"),
    "transform partly": ("transform partly", "turns a space to another colour, which is chosen next", "§7"),
    "to": ("colour", "the colour of a space that is transformed partly", "§7"),
    "upgrade": ("upgrade", "replaces a structure by the next", "§6.4"),
    "bridge": ("bridge", "over a river, between two spaces that are adjacent from then on", "§2"),
    "connect": ("connect", "founds a town of the Mermaids over this river space", "§12"),
    "advance": ("advance", "a level of shipping or of digging, for the cost of the faction", "§6.2"),
    "send": ("send a priest", "to a cult track: 3 or 2 steps and it stays, or 1 and it returns to the supply", "§6.5"),
    "power action": ("power action", "for power, each once a round among all players; missing power is burned", "§6.6"),
    "special action": ("special action", "of a tile or stronghold, once a round", "§6.7"),
    "convert": ("convert", "one good into another; it ends no turn", "§3"),
    "priest": ("workers to priests", "when the Darklings build their stronghold", "§12"),
    "burn": ("burn power", "so many tokens go from bowl II to III, and as many out of the game; it ends no turn", "§3"),
    "favor": ("favor tile", "takes one; its steps are made at once", "§11"),
    "town": ("town tile", "takes one for a town that was founded", "§9"),
    "cult": ("cult step", "one step on this track", "§10"),
    "leech": ("take power", "that a neighbour's building offers, for a point less than the power", "§8"),
    "leech more": ("take power", "that is offered, where it is more than five", "§8"),
    "decline": ("decline", "takes no power and pays nothing", "§8"),
    "pass with": ("pass", "for this round, and take a bonus card for the next", "§6.8"),
    "pass": ("pass", "for the last round", "§6.8"),
    "done": ("done", "ends the turn where all that is left is optional; free spades that are left are lost", "§6"),
}
CHINESE = {  # what is otherwise in the Chinese text (R22, R25)
    "send": ("send a priest", "to a cult track: 3 or 2 steps and it stays; for 1 step one of yours leaves it", "§6.5"),
    "special action": ("special action", "of a tile or stronghold; each seat uses one a round", "§6.7"),
}
SPOKEN = {  # the whole move, for people
    "setup": "play the {0:faction}",
    "build": "build a dwelling at {0}",
    "transform": "transform {0} to your colour",
    "to": "to {0} ({0:colour.does})",
    "upgrade": "upgrade {0} to a {1:structure}",
    "bridge": "build a bridge from {0:bridge}",
    "connect": "found a town over the {0:river space}",
    "advance": "advance {0:level}",
    "send": "send a priest to {0:cult} by {1:steps}",
    "power action": "power action: {0:power action}",
    "special action": "{0:special action}",
    "convert": "convert {0:conversion}",
    "priest": "workers that become priests: {0}",
    "burn": "burn {0} power",
    "favor": "take the favor tile {0:favor tile}",
    "town": "take the {0:town tile}",
    "cult": "a step on {0:cult}",
    "leech": "take {0} power from the {1:faction}",
    "leech more": "take all the power that is offered",
    "decline": "decline the power",
    "pass with": "pass and take the {0:bonus card}",
    ("pass with", CARD): "take the {0:bonus card}",
    "done": "end the turn",
}
MORE = {  # what is particular to a move
    "setup": "{0:faction.does}",
    "upgrade": "{1:structure.does}",
    "special action": "{0:special action.does}",
    "favor": "{0:favor tile.does}",
    "town": "{0:town tile.does}",
    "pass with": "{0:bonus card.does}",
}
WORDS = {  # beside the text, which these need to be understood
    "upgrade": "{1:structure}",
    "bridge": "{0:bridge}",
    "connect": "{0:river space}",
    "send": "priest, {0:cult} +{1}",
    "power action": "{0:power action}",
    "special action": "{0:special action}: {0:special action.does}",
    "convert": "{0:conversion}",
    "priest": "workers to priests",
    "favor": "{0:favor tile}",
    "town": "{0:town tile}",
    "cult": "a step on {0:cult}",
    "pass with": "{0:bonus card}",
}


# ---- What everything is called and does: an entry for each -------------------------------------------------------

PRIESTS = tuple(f"{number}W to {number}P" for number in range(1, MOST_PRIESTS + 1))  # of the Darklings
GOOD = {
    "C": "pays for structures, shipping and digging", "W": "pays for structures, and for spades where none are free",
    "P": "goes to a cult track, or pays for shipping and digging",
    "PW": "tokens that go round through three bowls; those in bowl III pay for power actions and conversions",
    "S": "turns a space one step along the wheel of colours", "VP": "decides the game",
}  # fmt: skip
STRUCTURE = {  # what it is for
    "D": "the first structure of a space; income of workers",
    "TP": "replaces a dwelling, cheaper beside a neighbour; income of coins and power",
    "TE": "replaces a trading house and brings a favor tile; income of priests",
    "SH": "replaces a trading house; brings the faction's second ability",
    "SA": "replaces a temple and brings a favor tile; income of a priest",
}
CULT = (
    "a track of ten steps: 3, 5, 7 and 10 bring power, 10 asks for a key; steps pay by the scoring tiles at the end of "
    "rounds, and 8, 4 and 2 points at the end of the game"
)
SPACE = "land: it is built on once it has your colour, next to your structures or as far as shipping reaches"
BOWLS = {"I": "bowl I", "II": "bowl II", "III": "bowl III"}


def vocabulary(game: Any) -> Vocabulary:
    """The vocabulary for the component data of a game."""
    data = game.components
    moves = DOES | CHINESE if game.options.ruleset == "chinese" else DOES
    return Vocabulary(
        game.spec.name,
        (
            *(Entry(ACTION, kind, name, does, rule=rule) for kind, (name, does, rule) in moves.items()),
            *(Entry("phase", key, name, ASKED[key]) for key, name in PHASES.items()),
            *(Entry(ADVICE, key, PHASES[key], said) for key, said in FIRST_GAME.items()),
            *_pieces(),
            *factions(data["factions"], bool(game.tables[0].cultists_power)),
            *tiles(data["tiles"]),
            *(Entry("special action", key, name, does, rule=rule) for key, (name, does, rule) in SPECIALS.items()),
            *(Entry("conversion", said, _conversion(said), rule="§3") for said in (*CONVERSIONS, *PRIESTS)),
            *_map(),
        ),
        WORDS,
        SPOKEN,
        MORE,
    )


def _pieces() -> Iterator[Entry]:
    for key, name in NAMES_OF_GOODS.items():
        yield Entry("good", key, name, GOOD[key], icon="" if key == "VP" else name, rule="§1")
    for key, name in BOWLS.items():
        yield Entry("bowl", key, name, "tokens of power; only those in bowl III can be spent", "power", "§3")
    for number, (key, name) in enumerate(STRUCTURES.items(), 1):
        icon = "house" if key == "D" else name
        counts = f"{STRUCTURE[key]}; counts {POWER_VALUE[number]} for neighbours and towns"
        yield Entry("structure", key, name, counts, icon, "§6.4")
    yield Entry("good", "points", "VP", "victory points, which decide the game", "star", "§1")
    for key, name in CULTS.items():
        yield Entry("cult", key, name, CULT, key.lower(), "§10")
    for key in FACTIONS:
        initial, name = key[0].upper(), faction_name(key)
        yield Entry("marker", key, f"{initial} ({name})", "a marker on the cult tracks", rule="§10")
    for key, name in enumerate(STEPS, 1):
        yield Entry("steps", str(key), name, rule="§6.5")
    for key, (name, does, rule) in LEVELS.items():
        yield Entry("level", key, name, does, {"dig": "spade"}.get(key, key), rule)
    for key, name in LANDSCAPES.items():
        yield Entry("colour", key, key, name, rule="§7")


def _conversion(said: str) -> str:
    """`5PW to 1P` in words."""
    pairs = ((int(part.rstrip("CWPV")), part.lstrip("0123456789")) for part in said.split(" to "))
    return " to ".join(counted(number, key) for number, key in pairs)


def _map() -> Iterator[Entry]:
    """Spaces are called by their row and place in it; river spaces and bridges by the land around them."""
    for row in sorted({label[0] for label in BOARD.land}):
        yield Entry("row", row, f"row {row}", rule="§2")
    for label in BOARD.land:
        yield Entry("space", label, label, SPACE, rule="§2")
    for river, banks in zip(BOARD.river, BOARD.banks, strict=True):
        around = ", ".join(BOARD.land[space] for space in banks)
        yield Entry("river space", river, f"river beside {around}" if around else "river in the middle", rule="§2")
    for a, b in BOARD.sites:
        yield Entry("bridge", f"{BOARD.land[a]}:{BOARD.land[b]}", f"{BOARD.land[a]} to {BOARD.land[b]}", rule="§2")
