"""What everything in Terra Mystica is called, and what it does: one entry for each thing, from the data of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from theogony.envs.core.vocabulary import ACTION, ADVICE, Entry, Vocabulary
from theogony.envs.terra_mystica.actions import BOARD, CONVERSIONS, MOST_PRIESTS, SPECIALS
from theogony.envs.terra_mystica.components import FACTIONS
from theogony.envs.terra_mystica.components.pieces import POWER_VALUE
from theogony.envs.terra_mystica.vocabulary import names
from theogony.envs.terra_mystica.vocabulary.names import CHINESE, DOES, MORE, SPOKEN, WORDS, factions, tiles

__all__ = ["vocabulary"]

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
            *(Entry("phase", key, name, names.ASKED[key]) for key, name in names.PHASES.items()),
            *(Entry(ADVICE, key, names.PHASES[key], said) for key, said in names.FIRST_GAME.items()),
            *_pieces(),
            *factions(data["factions"], bool(game.tables[0].cultists_power)),
            *tiles(data["tiles"]),
            *(Entry("special action", key, *names.SPECIALS[key][:2], rule=names.SPECIALS[key][2]) for key in SPECIALS),
            *(Entry("conversion", said, _conversion(said), rule="§3") for said in (*CONVERSIONS, *PRIESTS)),
            *_map(),
        ),
        WORDS,
        SPOKEN,
        MORE,
    )


def _pieces() -> Iterator[Entry]:
    for key, name in names.NAMES_OF_GOODS.items():
        yield Entry("good", key, name, GOOD[key], icon="" if key == "VP" else name, rule="§1")
    for key, name in BOWLS.items():
        yield Entry("bowl", key, name, "tokens of power; only those in bowl III can be spent", "power", "§3")
    for number, (key, name) in enumerate(names.STRUCTURES.items(), 1):
        icon = "house" if key == "D" else name
        counts = f"{STRUCTURE[key]}; counts {POWER_VALUE[number]} for neighbours and towns"
        yield Entry("structure", key, name, counts, icon, "§6.4")
    yield Entry("good", "points", "VP", "victory points, which decide the game", "star", "§1")
    for key, name in names.CULTS.items():
        yield Entry("cult", key, name, CULT, key.lower(), "§10")
    for key in FACTIONS:
        initial, name = key[0].upper(), names.faction_name(key)
        yield Entry("marker", key, f"{initial} ({name})", "a marker on the cult tracks", rule="§10")
    for key, name in enumerate(names.STEPS, 1):
        yield Entry("steps", str(key), name, rule="§6.5")
    for key, (name, does, rule) in names.LEVELS.items():
        yield Entry("level", key, name, does, {"dig": "spade"}.get(key, key), rule)
    for key, name in names.LANDSCAPES.items():
        yield Entry("colour", key, key, name, rule="§7")


def _conversion(said: str) -> str:
    """`5PW to 1P` in words."""
    pairs = ((int(part.rstrip("CWPV")), part.lstrip("0123456789")) for part in said.split(" to "))
    return " to ".join(names.counted(number, key) for number, key in pairs)


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
