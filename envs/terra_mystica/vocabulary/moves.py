"""The actions of Terra Mystica: what each kind does, where it stands, and what is said beside the text of a move."""

from __future__ import annotations

from theogony.envs.terra_mystica.state import CARD

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
    "special action": "{0:special action}",
    "convert": "{0:conversion}",
    "priest": "workers to priests",
    "favor": "{0:favor tile}",
    "town": "{0:town tile}",
    "cult": "a step on {0:cult}",
    "pass with": "{0:bonus card}",
}
