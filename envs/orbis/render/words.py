"""What text and picture say alike: tiles, gods, worshippers and the state of the game in words."""

from __future__ import annotations

from typing import Any

from theogony.envs.orbis.actions import CELL_NAMES, UPPER_CELLS
from theogony.envs.orbis.breakdown import whole_scoring
from theogony.envs.orbis.components import ANY, COLOUR_NAMES, GOD_NAMES, REGIONS, effect_parts, worshippers
from theogony.envs.orbis.rules.pyramid import open_cells
from theogony.envs.orbis.state import CHOOSE, DESTROY, FINISH, GAIN, GIVE, NONE, PAY, PAY_ANY, PLACE

Viewer = int | str | None  # a seat, "all", or None for what is public
LETTERS = "wygbr"
DOES = {
    CHOOSE: "chooses a region or a god",
    PAY: "pays, exchanges or turns the tile over",
    PAY_ANY: "pays worshippers of any colour",
    PLACE: "places the tile",
    GAIN: "gains worshippers",
    GIVE: "may discard worshippers",
    DESTROY: "may destroy worshippers",
    FINISH: "exchanges, discards or ends the turn",
}


def check_viewer(game: Any, viewer: Viewer) -> None:
    """Raises ValueError for a viewer who is not at this table."""
    if viewer not in (None, "all") and viewer not in range(game.players):
        raise ValueError(f"a viewer is a seat from 0 to {game.players - 1}, 'all' or None (the public), not {viewer!r}")


def letters(numbers: Any) -> str:
    """Worshippers as letters, one each; * is any colour."""
    return "".join(letter * int(number) for letter, number in zip(LETTERS + "*", numbers, strict=False))


def in_words(numbers: dict[str, int]) -> str:
    """Worshippers in words: 1 white 2 red."""
    return " ".join(f"{number} {colour}" for colour, number in numbers.items()) or "nothing"


def tile_of(game: Any, tile: int) -> dict[str, Any]:
    """The entry of the tile list."""
    return game.components["regions"][tile]


def effect_words(effect: dict[str, Any], short: bool = False) -> str:
    """An effect in a few words; `short` writes worshippers as letters."""

    def shown(numbers: dict[str, int]) -> str:
        return letters(worshippers(numbers)) if short else in_words(numbers)

    match effect["type"]:
        case "conversion":
            return f"gain {effect['count']} {effect['gain']}"
        case "farm":
            return f"farm of {effect['waives']}"
        case "village":
            return f"village for {effect['discard']}"
        case "volcano":
            return f"volcano on {shown(effect['destroy'])}"
        case "irrigation":
            return f"irrigation over {shown(effect_parts(effect))}"
        case "forest":
            return f"forest by {shown(effect_parts(effect))}"
        case "temple":
            return "1 temple" if effect["temples"] == 1 else f"{effect['temples']} temples"
    return "holy stone"


def tile_words(game: Any, tile: int) -> str:
    """All of a tile in one line."""
    found = tile_of(game, tile)
    cost = in_words(found["cost"]) if found["cost"] else "free"
    return f"{found['id']}: {found['colour']}, {cost}, {effect_words(found['effect'])}, {found['cp']} CP"


def god_name(god: int) -> str:
    """A god as people write it."""
    return GOD_NAMES[god].replace("_", " ")


def god_words(game: Any, god: int) -> str:
    """What a god pays, in a few words."""
    found = next(one for one in game.components["gods"] if one["id"] == GOD_NAMES[god])
    end, take = found["end"], found["on_take"]
    points = f"{end['cp']} CP"
    match end["type"]:
        case "wilderness_penalty_waived":
            return f"{points}, wilderness is free"
        case "fewest" | "most":
            return f"{points} for the {end['type']} {end['what'].replace('_', ' ')}"
        case "set":
            needs = ", ".join(f"{number} {what.replace('_', ' ')}" for what, number in end["needs"].items())
            return f"{points} for {needs}"
        case "if_on_take_done":
            return f"{points} for {take['count']} worshippers"
    return f"{points}, gain {take['count']} worshippers" if take else points


def status(game: Any, g: Any) -> str:
    """One line: how far the game is and who decides, or who won."""
    rounds = min(int(g.turns) // game.players + 1, REGIONS + 1)
    head = f"round {rounds} of {REGIONS + 1}"
    if not g.over:
        return f"{head}, player {int(g.actor)} {DOES[int(g.decision)]}"
    return f"{head}, {result(game, g)}"


def result(game: Any, g: Any) -> str:
    """Who won, with the tie-break where it decided."""
    if g.over != 1:
        return "cut off"
    found = whole_scoring(game, g)
    names = " and ".join(f"player {seat}" for seat in found["winners"])
    how = ", by worshippers left" if found["final"]["decided_by"] == "worshippers" else ""
    return f"{names} {'share the win' if len(found['winners']) > 1 else 'wins'}{how}"


def reasons(seat: dict[str, Any]) -> list[str]:
    """The points of a seat by reason, one short phrase each; `seat` is an entry of the breakdown."""
    paying: dict[str, list[int]] = {}
    for tile in seat["tiles"]:
        if tile["face"] == "up" and tile["cp"]:
            paying.setdefault(tile["type"], []).append(tile["cp"])
    found = [f"{kind.replace('_', ' ')} {'+'.join(map(str, points))}" for kind, points in paying.items()]
    if seat["wilderness"]:
        found.append(f"{seat['wilderness']} wilderness {seat['wilderness_cp']}")
    if seat["god"]["id"]:
        found.append(f"{seat['god']['id'].replace('_', ' ')} {seat['god']['cp']}")
    if seat["temple_rank"]:
        found.append(f"temples {seat['temple_token']}")
    return found


def realm_words(g: Any, seat: int) -> str:
    """The worshippers of a seat in words."""
    return in_words({name: int(n) for name, n in zip(COLOUR_NAMES, g.realm[seat], strict=True) if n})


def god_of(g: Any, seat: int) -> str:
    """The god of a seat in words."""
    return "no god" if g.god[seat] == NONE else god_name(int(g.god[seat]))


def open_name(g: Any, seat: int, cell: int) -> str:
    """The name of a cell of a pyramid where a tile may come to stand on two others (rules §4), else nothing."""
    return CELL_NAMES[cell] if cell in UPPER_CELLS and open_cells(g, seat, ANY) >> cell & 1 else ""
