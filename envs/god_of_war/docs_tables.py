"""Tables of the pieces in docs/games/god_of_war.md, from the component file and the vocabulary (docs/generate.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from theogony.envs.core.contract import table
from theogony.envs.core.game import GameSpec, read_components
from theogony.envs.god_of_war.actions import PLACES
from theogony.envs.god_of_war.components.pieces import DEFAULT_COMPONENTS
from theogony.envs.god_of_war.components.tables import slot_of, upgrade_types
from theogony.envs.god_of_war.observe.described import ATTACK, BLOCK, EFFECT, INTERACTION, NUMBER, PANEL
from theogony.envs.god_of_war.vocabulary.effects import both_sides, scenario_words


def cards(spec: GameSpec) -> str:
    """Every design with what it does, in which decks it is."""
    game = spec.configure()
    decks = {
        hero["name"]: Counter({c["card"]: c["copies"] for c in hero["deck"]}) for hero in game.components["heroes"]
    }
    upgrades = Counter(card.partition(":")[0] for card in upgrade_types(game.components))
    rows = []
    for entry in game.vocabulary.of("card"):
        where = [f"{deck[entry.key]} {name}" for name, deck in decks.items() if deck[entry.key]]
        where += ["one upgrade card of each rune"] if upgrades[entry.key] else []
        where += ["supply of ten"] if entry.key in game.components["status_cards"] else []
        rows.append([f"{entry.name} (`{entry.key}`)", entry.does, ", ".join(where) or "no deck"])
    return table(["card", "does", "where"], rows)


def decks(spec: GameSpec) -> str:
    """The starting deck of every hero."""
    game, rows = spec.configure(), []
    for hero in game.components["heroes"]:
        named = (f"{c['copies']} × {game.vocabulary.name('card', c['card'])}" for c in hero["deck"])
        rows.append([hero["name"], game.vocabulary["hero", hero["id"]].does, ", ".join(named)])
    return table(["hero", "figures", "deck"], rows)


def runes(spec: GameSpec) -> str:
    """The runes with their upgrade cards."""
    game, rows = spec.configure(), []
    for entry in game.vocabulary.of("rune"):
        count = sum(card["copies"] for card in game.components["upgrade_deck"] if card["rune"] == entry.key)
        rows.append([entry.name, count, entry.does])
    return table(["rune", "upgrade cards", "what for"], rows)


def quests(spec: GameSpec) -> str:
    """Quests and bosses: goal, failure, and how they hinder when they are passed over."""
    data, rows = spec.configure().components, []
    for scenario in (*data["quests"], *data["bosses"]):
        goal, failure, hinders = scenario_words(data, scenario)
        kind = "boss" if scenario in data["bosses"] else "quest"
        rows.append([scenario["name"], kind, goal, failure or "none", hinders])
    return table(["scene", "kind", "goal", "failure", "hindrance when passed over"], rows)


def scenes(spec: GameSpec) -> str:
    """Both sides of every scene card."""
    parts = []
    for scene in spec.configure().components["scenes"]:
        rows = []
        for card in scene["cards"]:
            said = zip(("front", "back"), both_sides(scene, card), strict=True)
            sides = [f"**{card[side]['name']}**: {does}" for side, does in said]
            rows.append([PLACES[slot_of(card["id"])], *sides])
        parts.append(f"### {scene['name']}\n\n" + table(["place", "front", "back"], rows))
    return "\n\n".join(parts)


# ---- What is printed in the rulebook and what is reconstructed, as the notes of the component file say -----------
#
# A note `source` speaks of the object that it stands in, `hp_source` of its field `hp`; a note further inside goes
# before one further out. Each begins with one of `WORDS`; a remark may follow after a colon. Notes decide nothing in
# play and are no part of the component digest.

WORDS = ("printed", "reconstructed")
BY_KEY = ("action_cards", "status_cards")  # objects whose entries are called by their keys
OWN_PART = {"heroes": "hero", "scenes": "scene"}  # lists of which each entry is a part of its own


class Note(NamedTuple):
    """One note: the part of the file, what in it is meant, one of `WORDS`, and the remark."""

    part: str
    what: str
    word: str
    remark: str


def notes(data: dict[str, Any]) -> Iterator[Note]:
    """Every note of a component file, in its order. Raises ValueError for one that begins with no word of `WORDS`."""
    for section, content in data.items():
        if section.endswith("_source"):
            yield _note(section.removesuffix("_source"), "", content)
        elif section in OWN_PART:
            for entry in content:
                yield from _notes(entry, f"{OWN_PART[section]} {entry['name']}", "")
        else:
            yield from _notes(content, section, "", by_key=section in BY_KEY)


def _notes(data: Any, part: str, title: str, by_key: bool = False) -> Iterator[Note]:
    """The notes of a piece of the file; `title` is that of the nearest object around it that has one."""
    if isinstance(data, list):
        for entry in data:
            yield from _notes(entry, part, _title(entry) or title)
    elif isinstance(data, dict):
        for key, value in data.items():
            if key == "source":
                yield _note(part, title, value)
            elif key.endswith("_source"):
                yield _note(part, _field(title, key.removesuffix("_source"), data), value)
            else:
                yield from _notes(value, part, key if by_key else _title(value) or title)


def _title(entry: Any) -> str:
    """What an object is called by: its id, its label, or the name of one that has a number."""
    if not isinstance(entry, dict):
        return ""
    if isinstance(entry.get("id"), int):
        return entry["name"]
    return entry.get("id", entry.get("label", ""))


def _field(title: str, field: str, data: dict[str, Any]) -> str:
    value = data.get(field)
    said = f"{field} {value}" if isinstance(value, int) else field
    return f"{title}: {said}" if title else said


def _note(part: str, what: str, text: str) -> Note:
    word, _, remark = text.partition(": ")
    if word not in WORDS:
        raise ValueError(f"{part}: {what or 'source'}: {text!r} begins with none of {', '.join(WORDS)}")
    return Note(part, what, word, remark)


def provenance(spec: GameSpec) -> str:
    """What is printed and what is reconstructed, part by part; entries with the same remark stand together."""
    parts: dict[str, dict[str, dict[str, list[str]]]] = {}
    for note in notes(read_components(DEFAULT_COMPONENTS)):
        cells = parts.setdefault(note.part, {word: {} for word in WORDS})
        cells[note.word].setdefault(note.remark, []).append(f"`{note.what}`" if note.what else "itself")
    return table(["part of the file", *WORDS], ([part, *(_cell(c[w]) for w in WORDS)] for part, c in parts.items()))


def _cell(remarks: dict[str, list[str]]) -> str:
    return "; ".join(", ".join(whats) + (f" ({remark})" if remark else "") for remark, whats in remarks.items())


TABLES = {table.__name__: table for table in (cards, decks, runes, quests, scenes, provenance)}
NUMBERS = {
    "attack_cards": ATTACK,
    "number_cards": NUMBER,
    "block_cards": BLOCK,
    "special_cards, abilities, pending": EFFECT,
    "panels, end of before, aimed": PANEL,
    "interactions": INTERACTION,
}
