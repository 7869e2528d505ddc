"""The lines of a recording, checked; and where a recorded start does not fit the game."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from theogony.envs.core.game import Game
from theogony.envs.god_of_war.components.pieces import FIGURES, HEROES, STATUS
from theogony.envs.god_of_war.components.tables import designs, upgrade_types
from theogony.envs.god_of_war.state import SCENES

Seat = Annotated[int, Field(ge=0, lt=4)]
Quest = Annotated[int, Field(ge=1, le=len(SCENES))]
HeroId = Literal["kratos", "atreus", "mimir", "freya", "brok_sindri"]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")


class Rules(_Part):
    mode: Literal["full", "single"]
    max_rounds: Annotated[int, Field(ge=0, le=30_000)]


class FigureStart(_Part):
    damage: int = 0
    rage: int = 0
    wards: int = 0


class CardStart(_Part):
    side: Literal["front", "back"] = "front"
    damage: int = 0
    dead: bool = False
    tokens: int = 0
    armour: list[int] | None = None
    stunned: bool = False


class Start(_Part):
    mode: Literal["full", "single"]
    heroes: list[HeroId] | None
    players: Annotated[int, Field(ge=2, le=4)] | None = None  # where the players choose
    starting_player: Seat
    decks: list[list[str]] | dict[HeroId, list[str]]  # of each seat, or of each hero
    upgrade_deck: list[str]
    supply: dict[str, Annotated[int, Field(ge=0, le=99)]]
    quests: Annotated[list[Quest], Field(min_length=3, max_length=3)] | None = None
    bosses: Annotated[list[Quest], Field(min_length=3, max_length=3)] | None = None
    quest: Quest | None = None
    hindrances: Annotated[list[Quest], Field(max_length=4)] = []
    figures: dict[str, FigureStart] = {}
    scene_cards: dict[str, CardStart] = {}


class RecordingHeader(_Part):
    type: Literal["header"]
    game: Literal["god_of_war"]
    heroes: Annotated[list[HeroId], Field(min_length=1, max_length=4)] | None
    options: Rules
    components: str
    start: Start
    chance: list[dict[str, Any]]
    state: dict[str, Any]


class Decision(_Part):
    type: Literal["decision"]
    step: int
    seat: Seat
    kind: str
    action: dict[str, Any]
    legal: list[dict[str, Any]] | None
    legal_count: int
    chance: list[dict[str, Any]]
    state: dict[str, Any]


def start_decks(header: RecordingHeader) -> list[tuple[str, list[str]]]:
    """The decks of a start with their heroes."""
    decks = header.start.decks
    return list(decks.items()) if isinstance(decks, dict) else list(zip(header.heroes or [], decks, strict=True))


def start_problems(header: RecordingHeader, game: Game) -> list[tuple[str, Any, Any]]:
    """Where a recorded start names what does not exist, or is not a start of the rules."""
    start, t = header.start, game.tables[0]
    names, types = designs(game.components), upgrade_types(game.components)
    problems: list[tuple[str, Any, Any]] = []
    decks = start_decks(header)
    used = {card for _, deck in decks for card in deck} - set(names)
    used |= set(start.upgrade_deck) - set(types) | set(start.supply) ^ set(STATUS) | set(start.figures) - set(FIGURES)
    if used:
        problems.append(("names", sorted(used), "no such card or figure"))
    if len(start.upgrade_deck) >= len(game.new_states(1)[0].upgrade) or start.starting_player >= game.players:
        problems.append(("upgrade_deck or starting_player", "within the rules", "not within the rules"))
    if header.options.mode == "single" or problems:
        return problems
    if (
        start.quests is None
        or start.bosses is None
        or {*start.quests} - set(range(1, 7))
        or {*start.bosses} - set(range(7, 11))
    ):
        problems.append(("quests and bosses", (start.quests, start.bosses), "three quests and three bosses"))
    for hero, deck in decks:
        printed = t.starting_deck[HEROES.index(hero)]
        if Counter(deck) != Counter({names[k]: int(n) for k, n in enumerate(printed) if n}):
            problems.append((f"decks.{hero}", sorted(deck), "the starting deck of the hero"))
    if Counter(start.upgrade_deck) != Counter(dict(zip(types, map(int, t.upgrade_copies), strict=True))):
        problems.append(("upgrade_deck", start.upgrade_deck, "all upgrade cards"))
    return problems
