"""What everything in Push of Faith is called, and what it does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from theogony.envs.core.vocabulary import ACTION, ADVICE, Entry, Vocabulary
from theogony.envs.push_of_faith.actions import FRAME_NAMES, LINE_NAMES, MAP_NAMES, SIDES
from theogony.envs.push_of_faith.components import TYPES
from theogony.envs.push_of_faith.state import PLACE, REFILL, TAKE

ACTIONS = {  # what it is, what it does, where it stands
    "push": (
        "push",
        "move the marker of a side to another column or row, push that line, take the tile that falls out",
        "§5.1",
    ),
    "token": ("use the token", "take this tile, which shows its statue or terrain, instead, once a game", "§5.1"),
    "place": ("place", "the tile in hand in your world, turned by so many quarter turns clockwise", "§5.2"),
    "refill": ("refill", "from which stack the hole of the map is filled", "§5.3"),
}
PHASES = {TAKE: "takes a tile", PLACE: "places the tile in hand", REFILL: "chooses a stack for the refill"}
SPOKEN = {
    "push": "push {0:push}", "token": "take the tile at {0} with the god token", "place": "place at {0}, {1:turn}",
    "refill": "refill from stack {0}",
}  # fmt: skip
TURNS = ("not turned", "a quarter turn clockwise", "half a turn", "a quarter turn anticlockwise")
ASKED = {
    TAKE: "Take a tile: push a line of the map, or use your token", PLACE: "Place the tile in hand in your world",
    REFILL: "Choose the stack that fills the map",
}  # fmt: skip
FIRST_GAME = {  # what matters in a decision
    TAKE: "What falls out at the far end of the pushed line is yours; rest on a push to see which tile that is. A "
    "terrain pays its largest connected group times the statues of its god in your world: take what makes a group "
    "larger whose statues you have, or a statue of a large group",
    PLACE: "Lay squares of one terrain side by side, for only the largest group of each terrain pays; borders need "
    "not match. Your world becomes three tiles wide and three high",
    REFILL: "The stacks are shuffled, so any will do: the order of their tiles is unknown to everybody",
}
COMPASS = dict(zip(SIDES, ("north", "south", "west", "east"), strict=True))
PIECES = {
    "tile": "four squares of terrain and the statues of gods",
    "marker": "stands at a side of the map and says which column or row is pushed from there",
    "token": "shows a god: takes a tile of the map with a statue or terrain of that god, once a game",
    "hole": "the place of the map from which a tile was taken",
}


def vocabulary(game: Any) -> Vocabulary:
    """The vocabulary for the tiles of a game."""
    return Vocabulary(
        game.spec.name,
        (
            *(Entry(ACTION, kind, name, does, rule=rule) for kind, (name, does, rule) in ACTIONS.items()),
            *(Entry("phase", str(key), name, ASKED[key]) for key, name in PHASES.items()),
            *(Entry(ADVICE, str(key), PHASES[key], said) for key, said in FIRST_GAME.items()),
            *(Entry("piece", key, key, does) for key, does in PIECES.items()),
            *_terrains(game),
            *(Entry("side", key, f"{key} ({name})") for key, name in COMPASS.items()),
            *(Entry("push", key, name, rule="§5.1") for key, name in _pushes()),
            *(Entry("turn", str(k), name, rule="§5.2") for k, name in enumerate(TURNS)),
            *(Entry("place", name, name, "on the map" if name in MAP_NAMES else "in a world") for name in FRAME_NAMES),
        ),
        spoken=SPOKEN,
    )


def _pushes() -> Iterator[tuple[str, str]]:
    """Where a marker goes: `from the north at column b`."""
    for side, lines in zip(SIDES, LINE_NAMES, strict=True):
        for line in lines:
            yield f"{side} to {line}", f"from the {COMPASS[side]} at {'column' if line.isalpha() else 'row'} {line}"


def terrain_letters(terrains: list[str]) -> str:
    """A letter for each terrain: its initial, or a to e where two begin alike."""
    initials = "".join(name[:1].lower() for name in terrains)
    return initials if len(set(initials)) == TYPES and initials.isalpha() else "abcde"


def _terrains(game: Any) -> Iterator[Entry]:
    """Terrains with their letters; the capital stands for a statue of the terrain's god."""
    terrains = game.components["terrains"]
    for letter, name in zip(terrain_letters(terrains), terrains, strict=True):
        yield Entry("terrain", letter, name, "pays its largest group for each statue of its god", rule="§7")
        yield Entry("statue", letter.upper(), f"{letter.upper()} (statue: {name})", rule="§7")
