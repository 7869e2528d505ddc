"""Reader for recorded games of another implementation.

One JSON object a line: a header with the starting position, a line for each decision (its legal actions, the action,
the chance results it used, the position after it) and the end. Points with one legal action are left out of the
recordings; the reader plays them. Rules draw the recorded chance results.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from theogony.envs.core.game import Game
from theogony.envs.core.jit import rule
from theogony.envs.core.position import Position
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.verify import Case, Differ, RecordingError, compare
from theogony.envs.god_of_war.components.pieces import FIGURES, HEROES, STATUS
from theogony.envs.god_of_war.components.tables import designs, slot_of, upgrade_types
from theogony.envs.god_of_war.rules.setup import begin, clear_record_fields
from theogony.envs.god_of_war.snapshot import snapshot
from theogony.envs.god_of_war.state import DECISIONS, REASONS, SCENES
from theogony.verification.chance import Part, configured, given, nothing_after, with_given_chances
from theogony.verification.god_of_war.composite import composites

# ---- What the lines hold

Seat = Annotated[int, Field(ge=0, lt=4)]
Quest = Annotated[int, Field(ge=1, le=len(SCENES))]
HeroId = Literal["kratos", "atreus", "mimir", "freya", "brok_sindri"]


class Rules(Part):
    mode: Literal["full", "single"]
    max_rounds: Annotated[int, Field(ge=0, le=30_000)]


class FigureStart(Part):
    damage: int = 0
    rage: int = 0
    wards: int = 0


class CardStart(Part):
    side: Literal["front", "back"] = "front"
    damage: int = 0
    dead: bool = False
    tokens: int = 0
    armour: list[int] | None = None
    stunned: bool = False


class Start(Part):
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


class RecordingHeader(Part):
    type: Literal["header"]
    game: Literal["god_of_war"]
    heroes: Annotated[list[HeroId], Field(min_length=1, max_length=4)] | None
    options: Rules
    components: str
    start: Start
    chance: list[dict[str, Any]]
    state: dict[str, Any]


class Decision(Part):
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
    quests, bosses = set(start.quests or [0]), set(start.bosses or [0])
    if quests - set(range(1, 7)) or bosses - set(range(7, 11)):
        problems.append(("quests and bosses", (start.quests, start.bosses), "three quests and three bosses"))
    for hero, deck in decks:
        printed = t.starting_deck[HEROES.index(hero)]
        if Counter(deck) != Counter({names[k]: int(n) for k, n in enumerate(printed) if n}):
            problems.append((f"decks.{hero}", sorted(deck), "the starting deck of the hero"))
    if Counter(start.upgrade_deck) != Counter(dict(zip(types, map(int, t.upgrade_copies), strict=True))):
        problems.append(("upgrade_deck", start.upgrade_deck, "all upgrade cards"))
    return problems


# ---- Recorded chance results as those that the rules draw, and whether they were drawn


def drawn(position: Position, chance: list[dict[str, Any]], step: Any, differ: Differ) -> list[int]:
    """Recorded chance results as draws: faces of the die, and those that shuffle a deck into its recorded order."""
    names, faces = designs(position.game.components), [int(face) for face in position.tables[0].die]
    results: list[int] = []
    for result in chance:
        if "die" in result:
            if result["die"] not in faces:
                raise RecordingError(f"step {step}: the enemy die has no face {result['die']!r}")
            results.append(faces.index(result["die"]))
        elif "shuffle" in result:
            if unknown := set(result["deck"]) - set(names):
                raise RecordingError(f"step {step}: there are no cards {sorted(unknown)}")
            results += draws_of([names.index(card) for card in reversed(result["deck"])])
        elif "reveal" not in result:
            differ(step, "chance", result, "no chance result of this game")
    return results


def draws_of(wanted: list[int]) -> list[int]:
    """The draws with which a Fisher-Yates shuffle of the sorted cards ends in the wanted order."""
    cards, draws = sorted(wanted), []
    for i in range(len(cards) - 1, 0, -1):
        j = cards.index(wanted[i], 0, i + 1)
        draws.append(j)
        cards[i], cards[j] = cards[j], cards[i]
    return draws


def check_used(position: Position, results: list[int], step: Any, differ: Differ) -> None:
    """All recorded results must have been drawn, and no others."""
    used = int(position.g.rng[0])
    if used < len(results):
        differ(step, "chance", f"{len(results)} results", f"{used} of them used")
    if used > len(results):
        differ(step, "chance", "all results recorded", "more were drawn")


def compare_reveals(position: Position, line: Decision, differ: Differ) -> None:
    """Revealed cards follow from the order of the upgrade deck."""
    types = upgrade_types(position.game.components)
    deck = [types[card] for card in position.g.upgrade[: int(position.g.upgrade_cards)][::-1]]
    if line.kind == "scry":
        looked_at = len(line.action["top"]) + len(line.action["bottom"])
        deck = [*line.action["top"], *deck[looked_at:], *line.action["bottom"]]
    revealed = [result["reveal"] for result in line.chance if "reveal" in result]
    count = min(len(revealed), len(deck))
    if revealed[:count] != deck[:count]:
        differ(line.step, "chance", revealed, f"the upgrade deck begins with {deck[:count]}")


# ---- A game

COMPONENTS = "sha256:c3683dbb730608b6ec2f5df496cecaf4d978f541b6e55044e1aa9965ef047168"  # what our data was written from
RESULTS = {0: None, 1: "ended", 2: "truncated"}


def recordings(path: Path, lines: Iterator[dict[str, Any]]) -> Iterator[Case]:
    """The one case of a file: a whole game. Raises RecordingError."""
    header = checked(RecordingHeader, next(lines), "the header", RecordingError)
    yield path.name.split(".")[0], lambda differ: _play_game(header, lines, differ)


# ---------------------------------------------------------------------------------------------------- a game

same = functools.partial(compare, whole=True)


def _play_game(header: RecordingHeader, lines: Iterator[dict[str, Any]], differ: Differ) -> None:
    """Play a recorded game and compare all of it. Stops where it cannot go on."""
    game = _game(header)
    if header.components != COMPONENTS:
        differ("start", "components", header.components, COMPONENTS)
    position = Position(game, 0)
    if not _set_up(header, position, differ):
        return
    same(differ, "start", header.state, snapshot(game, position.g), "state")
    steps = 0
    for line in lines:
        if line.get("type") == "end":
            _compare_end(position, line, steps, differ)
            return nothing_after(lines, differ)
        decision = checked(Decision, line, f"the line after step {steps}", RecordingError)
        steps += 1
        if decision.step != steps:
            differ(steps, "step", decision.step, steps)
        if position.over:
            return differ(steps, "record", "a decision", "the game is over")
        if not _play_step(position, decision, header, differ):
            return
    differ(steps, "record", "the end", "nothing")


def _game(header: RecordingHeader) -> Any:
    scene = None if header.start.quest is None else SCENES[header.start.quest - 1]
    if (header.options.mode == "single") != (scene is not None) or header.start.mode != header.options.mode:
        raise RecordingError(f"the header: mode {header.options.mode!r} does not fit the start")
    start, heroes = header.start, header.heroes
    decks = len(heroes) if heroes else len(HEROES)
    if start.heroes != heroes or (heroes is None) != isinstance(start.decks, dict) or len(start.decks) != decks:
        raise RecordingError("the header: heroes and decks of the start do not fit the heroes")
    if (start.players is None) == (heroes is None):
        raise RecordingError("the header: the start says the number of players if they choose their heroes")
    hindrances = tuple(SCENES[k - 1] for k in start.hindrances)
    players, choice = (len(heroes), "dealt") if heroes else (int(start.players or 0), "choose")
    options = {"players": players, "heroes": tuple(heroes or ()), "hero_choice": choice, "scene": scene}
    options |= {"hindrances": hindrances, "max_rounds": header.options.max_rounds, "max_decisions": 0}
    return with_given_chances(configured("god_of_war", **options))


@rule
def begin_at(states, i, tables):
    """Begin the game of a record whose decks and scenarios are laid out."""
    begin(states[i], tables[0])


def _set_up(header: RecordingHeader, position: Position, differ: Differ) -> bool:
    """Write a recorded start over ours and run on to the first decision. False when it cannot be."""
    start, game, g = header.start, position.game, position.g
    problems = start_problems(header, game)
    for field, expected, found in problems:
        differ("start", field, expected, found)
    if problems:
        return False
    names, types = designs(game.components), upgrade_types(game.components)
    position.states[:1].view(np.uint8)[:] = 0
    g.players = game.players
    clear_record_fields(g)
    for seat, (hero, deck) in enumerate(start_decks(header) if header.heroes else []):
        g.heroes[seat] = HEROES.index(hero)
        g.deck[seat, : len(deck)] = [names.index(card) for card in reversed(deck)]
        g.deck_cards[seat] = len(deck)
    g.upgrade[: len(start.upgrade_deck)] = [types.index(card) for card in reversed(start.upgrade_deck)]
    g.upgrade_cards = len(start.upgrade_deck)
    g.supply[:] = [start.supply[kind] for kind in STATUS]
    g.starting_player = start.starting_player
    if start.quest is not None:
        g.scenario = start.quest - 1
        g.hindrances[: len(start.hindrances)] = [k - 1 for k in start.hindrances]
    else:
        g.quests[:] = [k - 1 for k in start.quests or []]
        g.bosses[:] = [k - 1 for k in start.bosses or []]
        g.scenario = g.quests[0]
    results = drawn(position, header.chance, "start", differ)
    with given(game, g, results):
        begin_at(position.states, 0, position.tables)
    _turn_up(start, position)
    position.refresh()
    check_used(position, results, "start", differ)
    return True


def _turn_up(start: Start, position: Position) -> None:
    """A start in the middle of a scene: damage and rage of heroes, scene cards as they lie."""
    g, t = position.g, position.tables[0]
    for name, figure in start.figures.items():
        for field in figure.model_fields_set:  # they have the names of the fields of the state
            g[field][FIGURES.index(name)] = getattr(figure, field)
    for name, card in start.scene_cards.items():
        slot, side = slot_of(name), ("front", "back").index(card.side)
        printed = [int(value) for value in t.armour[int(g.scenario), slot, side]]
        g.side[slot] = side
        left, bits = list(printed if card.armour is None else card.armour), 0
        for marker, value in enumerate(printed):
            if value and value in left:
                left.remove(value)
                bits |= 1 << marker
        g.armour[slot] = bits
        tokens = t.tokens_start[int(g.scenario), slot, side]
        g.tokens[slot] = card.tokens if "tokens" in card.model_fields_set else tokens
        g.hurt[slot], g.dead[slot], g.stunned[slot] = card.damage, card.dead, card.stunned


# ---------------------------------------------------------------------------------------------------- a decision


def _play_step(position: Position, line: Decision, header: RecordingHeader, differ: Differ) -> bool:
    """Compare and play one decision. False when the recorded action cannot be played here."""
    step, g = line.step, position.g
    same(differ, step, {"seat": line.seat, "kind": line.kind}, {"seat": int(g.actor), "kind": DECISIONS[g.decision]})
    ours = {json.dumps(action, sort_keys=True): decisions for action, decisions in composites(position)}
    if line.legal_count != len(ours):
        differ(step, "legal_count", line.legal_count, len(ours))
    if line.legal is not None:
        expected = {json.dumps(action, sort_keys=True) for action in line.legal}
        if len(expected) != len(line.legal):
            differ(step, "legal", "each action once", "an action twice")
        if missing := sorted(expected - set(ours)):
            differ(step, "legal", missing, "not legal here")
        if extra := sorted(set(ours) - expected):
            differ(step, "legal", "not legal", extra)
    decisions = ours.get(json.dumps(line.action, sort_keys=True))
    if decisions is None:
        differ(step, "action", line.action, "not legal here")
        return False
    compare_reveals(position, line, differ)
    for decision in decisions[:-1]:
        position.play(decision)
    results = drawn(position, [*_chosen_deck(line, header), *line.chance], step, differ)
    with given(position.game, position.g, results):
        position.play(decisions[-1])
        _play_forced(position)
    check_used(position, results, step, differ)
    same(differ, step, line.state, snapshot(position.game, position.g), "state")
    return True


def _chosen_deck(line: Decision, header: RecordingHeader) -> list[dict[str, Any]]:
    """A hero who is chosen brings a deck, which the start holds and our rules shuffle now."""
    decks = header.start.decks
    if line.kind != "hero" or not isinstance(decks, dict):
        return []
    return [{"shuffle": line.seat, "deck": decks[line.action["hero"]]}]


def _play_forced(position: Position) -> None:
    """Points with one legal action are left out of the recordings."""
    while not position.over:
        legal = composites(position)
        if len(legal) != 1:
            return
        for decision in legal[0][1]:
            position.play(decision)


# ---------------------------------------------------------------------------------------------------- comparing


def _compare_end(position: Position, line: dict[str, Any], steps: int, differ: Differ) -> None:
    """Result, reason, rounds and steps."""
    g = position.g
    result = "truncated" if position.over == 2 else "won" if position.standings()[0] > 0 else "lost"
    found = {
        "result": result if position.over else "running",
        "reason": REASONS[g.reason],
        "rounds": int(g.round_number),
        "steps": steps,
    }
    same(differ, "end", {key: line[key] for key in found if key in line}, found)
