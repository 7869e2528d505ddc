"""What everything in Orbis is called, and what it does."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.vocabulary import ACTION, ADVICE, Entry, Vocabulary
from theogony.envs.orbis.actions import CELL_NAMES, DISPLAY_NAMES, SLOT_NAMES
from theogony.envs.orbis.components import COLOUR_NAMES, GOD_NAMES, GODS, effect_parts, worshippers
from theogony.envs.orbis.state import CHOOSE, DESTROY, FINISH, GAIN, GIVE, PAY, PAY_ANY, PLACE

LETTERS = "wygbr"
PLURAL = {  # what gods count
    "wilderness": "wildernesses", "temple": "temples", "active_village": "active villages",
    "active_volcano": "active volcanoes", "active_irrigation": "active irrigation tiles",
    "active_forest": "active forests",
}  # fmt: skip


def letters(numbers: Any) -> str:
    """Worshippers as letters, one each; * is any colour."""
    return "".join(letter * int(number) for letter, number in zip(LETTERS + "*", numbers, strict=False))


def points(number: int) -> str:
    """So many points: `1 point`."""
    return f"{number} point{'' if number == 1 else 's'}"


def in_words(numbers: dict[str, int]) -> str:
    """Worshippers in words: 1 white 2 red."""
    return " ".join(f"{number} {colour}" for colour, number in numbers.items()) or "nothing"


def tile_of(game: Any, tile: int) -> dict[str, Any]:
    """The entry of the tile list."""
    return game.components["regions"][tile]


def asked(numbers: dict[str, int]) -> str:
    """Worshippers or tiles that are asked for: `1 green + 2 of any colour`."""
    return " + ".join(f"{n} {'of any colour' if name == 'any' else name}" for name, n in numbers.items())


def worshippers_in_words(number: int) -> str:
    """So many worshippers."""
    return f"{number} worshipper{'' if number == 1 else 's'}"


def effect_words(effect: dict[str, Any], short: bool = False) -> str:
    """An effect and what its points ask for, in a few words; `short` in at most 22 characters, with letters."""
    parts = effect_parts(effect)
    asks = asked(parts) if not short else f"{parts['any']} any" if [*parts] == ["any"] else letters(worshippers(parts))
    match effect["type"]:
        case "conversion":
            return f"gain {effect['count']} {effect['gain']}" if short else f"gain {asks}"
        case "farm":
            return f"farm: no {effect['waives']} to pay" + (" from then on" * (not short))
        case "village":
            number = effect["discard"]
            return f"village: discard {number}" if short else f"village: with {worshippers_in_words(number)} discarded"
        case "volcano":
            return f"volcano: destroy {asks}" if short else f"volcano: with {asks} destroyed on the display"
        case "irrigation":
            return f"irrigation: {asks} below" if short else f"irrigation: with {asks} directly below"
        case "forest":
            return f"forest: {asks.replace(' any', '')} around" if short else f"forest: with {_neighbours(effect)}"
        case "temple":
            return "1 temple" if effect["temples"] == 1 else f"{effect['temples']} temples"
    return "holy stone"


def _neighbours(effect: dict[str, Any]) -> str:
    """What a forest asks for: `at least 2 blue neighbours`."""
    number, colour = effect["count"], effect["neighbour_colour"]
    kind = "" if colour == "any" else f"{colour} "
    return f"at least {number} {kind}neighbour{'' if number == 1 else 's'}"


def tile_words(game: Any, tile: int) -> str:
    """All of a tile in one line."""
    found = tile_of(game, tile)
    cost = f"costs {asked(found['cost'])}" if found["cost"] else "free"
    return f"{found['colour']}, {cost}, {effect_words(found['effect'])}, {points(found['cp'])}"


def god_name(god: int) -> str:
    """A god as people write it."""
    return GOD_NAMES[god].replace("_", " ")


def god_words(game: Any, god: int) -> str:
    """What a god pays, in a few words."""
    found = next(one for one in game.components["gods"] if one["id"] == GOD_NAMES[god])
    end, take = found["end"], found["on_take"]
    paid = points(end["cp"])
    match end["type"]:
        case "wilderness_penalty_waived":
            return f"{paid}, own wildernesses take no points"
        case "fewest" | "most":
            return f"{paid} for the {end['type']} {PLURAL[end['what']]}"
        case "set":
            needs = ", ".join(f"{number} {what.replace('_', ' ')}" for what, number in end["needs"].items())
            return f"{paid} for {needs}"
        case "if_on_take_done":
            return f"{paid} if {worshippers_in_words(take['count'])} are discarded at once"
    return f"{paid}, gain {take['count']} worshippers" if take else paid


# ---- What everything in Orbis is called, and what it does --------------------------------------------------------

ACTIONS = {  # what it is, what it does
    "take tile": ("take a tile", "of the display, with the worshippers that lie on it; its neighbours get one each"),
    "take god": ("take a god", "instead of a tile, once a game"),
    "exchange": ("exchange", "three worshippers of a colour for one of another"),
    "face up": ("keep face up", "pay the cost of the tile, to have its effect"),
    "wilderness": ("wilderness", "turn the tile over: it costs nothing now and a point at the end"),
    "pay": ("pay", "one worshipper of this colour, where any will do"),
    "place": ("place", "the tile at this place of the pyramid"),
    "gain": ("gain", "one worshipper of this colour"),
    "discard": ("discard", "one worshipper of this colour"),
    "destroy": ("destroy", "a worshipper that lies on a tile of the display"),
    "decline": ("decline", "what is optional, before its first worshipper: who has begun goes on to the end"),
    "end turn": (
        "end the turn",
        "asked for while three of a colour could be exchanged; else, or after discarding excess, it ends by itself",
    ),
}
SPOKEN = {
    "face up": "keep the tile face up", "wilderness": "turn the tile over to wilderness",
    "pay": "pay a {0} worshipper", "place": "place in the pyramid at {0:pyramid place}",
    "gain": "gain a {0} worshipper",
    "discard": "discard a {0} worshipper", "destroy": "destroy a {0} worshipper on {1}", "decline": "decline",
    "end turn": "end the turn",
}  # fmt: skip
MORE = {"take god": "{0:god.does}"}
PHASES = {
    CHOOSE: "chooses a tile or a god", PAY: "may pay, exchange or turn the tile over",
    PAY_ANY: "pays worshippers of any colour", PLACE: "places the tile", GAIN: "gains worshippers",
    GIVE: "may discard worshippers", DESTROY: "may destroy worshippers",
    FINISH: "may exchange, discard or end the turn",
}  # fmt: skip
ASKED = {
    CHOOSE: "Take a tile of the display, or a god",
    PAY: "Keep the tile and pay, exchange, or turn it to wilderness",
    PAY_ANY: "Choose the worshippers that pay for any colour", PLACE: "Place the tile in your pyramid",
    GAIN: "Choose the worshippers that you gain", GIVE: "Discard worshippers for the tile or god, or decline",
    DESTROY: "Destroy worshippers on the display, or decline",
    FINISH: "Exchange, discard, or end the turn",
}  # fmt: skip
FIRST_GAME = {  # what matters in a decision
    CHOOSE: "A tile costs the worshippers in its top corner and brings those that lie below it. Worshippers are the "
    "money of the game, and ten are the most: cheap tiles with many of them first. A god is taken once, when you see "
    "which one will pay",
    PAY: "Face up the tile costs what its corner shows, and its effect counts. Turned over it costs nothing, shows "
    "every colour to the tiles above it, and takes a point at the end",
    PAY_ANY: "Keep the colours for which the tiles ask that you would like next",
    PLACE: "The bottom row takes any colour. Above it a tile stands on two, one of which has its colour or is "
    "wilderness: keep colours at hand for the rows above",
    GAIN: "Take the colours for which the tiles ask that you would like next",
    GIVE: "A village or a god that is paid now counts at the end; one that is declined never does",
    DESTROY: "A volcano that is paid now, with worshippers that lie on the display, counts at the end; one that is "
    "declined never does. Destroy those that the others would like",
    FINISH: "Three worshippers of a colour that you do not need become one of a colour that you do",
}
EMBLEMS = (  # of gods, in their order
    "star", "clock", "factory", "exchange", "skull", "heart", "water", "fire", "leaf", "house",
)  # fmt: skip
EFFECTS = {
    "conversion": "take the worshippers it shows",
    "holy stone": "a point",
    "farm": "the colour that it shows is no longer paid in costs of tiles, from the next tile on",
    "village": "pays if the worshippers that it shows are discarded when it is placed",
    "volcano": "pays if the worshippers that it shows are destroyed on the display when it is placed",
    "irrigation": "pays if the two tiles directly below show the colours that it asks for; wilderness shows any",
    "forest": "pays if at least so many neighbours as it shows have the colour that it shows, or any without one",
    "temple": "counts for the temple tokens",
}
POINTS = {
    "number": ("number of a white tile", "breaks a tie for temple tokens: the highest in a pyramid", "§7"),
    "CP": ("CP", "creation points, which decide the game", "§1"),
}
IN_ROW = "the row of a pyramid, counted from below, and the place in it, counted from the left"


def place_name(name: str) -> str:
    """What people call a place of a pyramid, which no place of the display is called: `2-1` for `a2`."""
    return f"{name[1]}-{'abcde'.index(name[0]) + 1}" if name in CELL_NAMES else name


def vocabulary(game: Any) -> Vocabulary:
    """The vocabulary for the tiles of a game."""
    return Vocabulary(
        game.spec.name,
        (
            *(Entry(ACTION, kind, name, does, rule="§3") for kind, (name, does) in ACTIONS.items()),
            *(Entry("phase", str(key), name, ASKED[key]) for key, name in PHASES.items()),
            *(Entry(ADVICE, str(key), PHASES[key], said) for key, said in FIRST_GAME.items()),
            *(Entry("colour", name, name, "a colour of tiles and worshippers") for name in COLOUR_NAMES),
            *(Entry("god", god_name(k), god_name(k), god_words(game, k), EMBLEMS[k], "§6") for k in range(GODS)),
            *(
                Entry("tile", tile["id"], f"{tile['colour']} tile {tile['id']}", tile_words(game, k), rule="§5")
                for k, tile in enumerate(game.components["regions"])
            ),
            *(Entry("effect", key, key, does, rule="§5") for key, does in EFFECTS.items()),
            *(Entry("points", key, name, does, rule=rule) for key, (name, does, rule) in POINTS.items()),
            *(Entry("place", name, name) for name in dict.fromkeys((*DISPLAY_NAMES, *CELL_NAMES))),
            *(
                Entry("pyramid place", name, place_name(name), IN_ROW if name in CELL_NAMES else "")
                for name in SLOT_NAMES
            ),
        ),
        spoken=SPOKEN,
        more=MORE,
    )
