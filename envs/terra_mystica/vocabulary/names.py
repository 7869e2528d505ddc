"""What people call the pieces of Terra Mystica, by the short forms of records and actions."""

from __future__ import annotations

GOODS = {"C": "coin", "W": "worker", "P": "priest", "PW": "power", "S": "spade", "VP": "point"}
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
    "turn": "Go on with the turn: what is open may be done in any order", "colour": "Choose the colour of the space",
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
    name = GOODS[key]
    return f"{number} {name}{'s' if number != 1 and key != 'PW' else ''}"
