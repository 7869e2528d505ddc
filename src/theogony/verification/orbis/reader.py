"""The reader of recorded games and scoring cases, for `theogony verify`."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from theogony.envs.core.game import Game
from theogony.envs.core.verify import Case, Differ, RecordingError, compare
from theogony.envs.orbis.components import ANY, DISPLAY, GOD_NAMES, IRRIGATION
from theogony.envs.orbis.rules.pyramid import irrigated
from theogony.envs.orbis.state import CELLS
from theogony.verification.chance import configured
from theogony.verification.orbis import snapshot
from theogony.verification.orbis.commands import Player, play

# ---- Which game a recording was made with: its rulings as our options, and the digest of its tiles

# Rulings a header states, with the values this reader knows and our options for them.
RULINGS: dict[str, dict[Any, dict[str, Any]]] = {
    "farm_waives": {
        "the whole named-colour part of a tile cost, never 'any', never the farm's own cost (A1, A2, A3)": {}
    },
    "wilderness_by_free_choice": {True: {}, False: {"free_wilderness": False}},
    "payable_without_matching_slot": {"wilderness, nothing paid": {}},
    "bottom_row_grows_at_both_ends": {True: {}},
    "upper_rows_may_have_gaps": {True: {}},
    "irrigation_in_bottom_row": {"cancelled": {}},
    "conversions_are_automatic": {True: {}, False: {"optional_gains": True}},
    "exchange_window": {"own turn, from taking the tile or god until the discard of step 6": {}},
    "exchange_into_same_colour": {"allowed, never recorded": {"same_colour_exchange": True}},
    "realm_discard": {"exactly the excess over 10": {}},
    "god_of_death": {"exactly 6 or nothing": {}},
    "most_gods_need_at_least_one": {True: {}, False: {"most_needs_one": False}},
    "fewest_wilderness_counts_zero_and_ties": {True: {}},
    "temples_counted_by": {"icons": {}, "tiles": {"temples_counted_by": "tiles"}},
    "temple_tie": {"highest mythology on any own face-up white tile, then next values, then seat": {}},
    "final_tie": {"most worshippers left, then shared victory": {}},
    "negative_totals": {True: {}},
}


def tiles_digest(components: dict[str, Any]) -> str:
    """SHA-256 by which recordings name the tile data they were made with."""
    gods = [{key: god[key] for key in ("id", "on_take", "end")} for god in components["gods"]]
    keys = ("id", "level", "colour", "cost", "effect", "cp", "stars", "mythology")
    regions = [{key: tile[key] for key in keys} for tile in components["regions"]]
    data = {"gods": gods, "regions": regions, "setup": components["setup"]}
    return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def game_of(line: dict[str, Any], differ: Differ) -> Game:
    """Our game under the rulings of a header; a ruling that is not known is a difference."""
    options: dict[str, Any] = {}
    for name, stated in line.get("options", {}).items():
        known = RULINGS.get(name, {})
        if isinstance(stated, (str, bool)) and stated in known:
            options |= known[stated]
        else:
            differ("header", f"options.{name}", stated, list(known) or "no such ruling")
    game = configured("orbis", players=line["players"], **options)
    if line["tiles_digest"] != tiles_digest(game.components):
        raise RecordingError(f"made with other tiles: tiles_digest {line['tiles_digest']!r}")
    return game


differences = functools.partial(compare, whole=True)

# ---- A game is played command by command
#
# What needs no decision is a single step of `rules.turn.proceed`, so that the state after each command can be compared;
# at the end of each turn the same decisions are played through the engine as everybody uses it, which must come to the
# same position.


def play_game(lines: list[dict[str, Any]], differ: Differ) -> None:
    header = lines[0]
    for field, expected in (("game", "orbis"), ("format", 1)):
        if header[field] != expected:
            raise RecordingError(f"{field} is {header[field]!r}, expected {expected!r}")
    game = game_of(header, differ)
    player = Player(game)
    gods = header["start"]["gods"]
    _deal(game, player, header, differ)
    differences(differ, "header", header["state"], snapshot.state_view(game, player.g, gods), "state")
    for line in lines[1:]:
        if line["type"] == "turn":
            _play_turn(player, line, gods, differ)
        elif line["type"] == "end":
            if not player.g.over:
                differ("end", "over", True, False)
            expected = {key: value for key, value in line.items() if key != "type"}
            differences(differ, "end", expected, snapshot.scoring_json(game, player.g))
        else:
            raise RecordingError(f"a line has the type {line['type']!r}, expected turn or end")
    if lines[-1]["type"] != "end":
        differ("end", "type", "the scoring of the finished game", "no such line")


def _deal(game: Game, player: Player, header: dict[str, Any], differ: Differ) -> None:
    """Lay out the recorded start: display, piles with the next tile first, gods on offer."""
    start, t = header["start"], game.tables[0]
    number = {tile["id"]: k for k, tile in enumerate(game.components["regions"])}
    display = [number[tile] for tile in start["display"]]
    piles = [[number[tile] for tile in start["piles"][level]] for level in ("1", "2", "3")]
    pile = [tile for tiles in piles for tile in tiles]
    if sorted(display + pile) != sorted(int(tile) for tile in t.in_use[: t.deck]) or len(display) != DISPLAY:
        raise RecordingError(f"start: the tiles are not those of a game of {game.players}")
    levels = [(tile, level) for level, tiles in enumerate(piles, 1) for tile in tiles] + [(k, 1) for k in display]
    if any(t.level[tile] != level for tile, level in levels):
        raise RecordingError("start: a tile lies in the pile of another level")
    offer = [GOD_NAMES.index(god) for god in start["gods"]]
    if len(set(offer)) != t.offer:
        raise RecordingError(f"start: {len(set(offer))} gods are on offer, {t.offer} were expected")
    out = [god for god in GOD_NAMES if god not in start["gods"]]
    differences(differ, "header", sorted(start["gods_out_of_the_game"]), sorted(out), "start.gods_out_of_the_game")
    tokens = [int(token) for token in t.tokens if token]
    differences(differ, "header", start["temple_tokens"], tokens, "start.temple_tokens")
    player.start(display, pile, sum(1 << god for god in offer))


def _play_turn(player: Player, line: dict[str, Any], gods: list[str], differ: Differ) -> None:
    """One turn: what is legal at its start, then command by command."""
    game, g, step = player.game, player.g, line["turn"]
    now = snapshot.state_view(game, g, gods)
    found = {"turn": now["turn"], "round": now["round"], "seat": now["to_act"]}
    differences(differ, step, {key: line[key] for key in found}, found)
    for field, legal in (
        ("legal_tiles", snapshot.legal_tiles(game, player.states)),
        ("wilderness_slots", snapshot.slots(game, g, int(g.actor), ANY)),  # none when the pyramid is full
        ("legal_gods", snapshot.legal_gods(g, gods)),
    ):
        differences(differ, step, _sorted(line[field]), _sorted(legal), field)
    player.check_faces(line["legal_tiles"], step, differ)
    for k, command in enumerate(line["commands"], 1):
        where = f"{step}.{k} ({command['command']})"
        detail, choice = play(player, command["command"])
        differences(differ, where, command["detail"], detail, "detail")
        differences(differ, where, command["choice"], choice, "choice")
        differences(differ, where, command["state_after"], snapshot.state_view(game, player.g, gods), "state_after")
    differences(differ, step, line["state_after"], snapshot.state_view(game, player.g, gods), "state_after")
    player.end_turn(step, differ)


def _sorted(value: Any) -> Any:
    """Lists without their order: slots, payments and gods are sets."""
    if isinstance(value, dict):
        return {key: _sorted(item) for key, item in value.items()}
    if isinstance(value, list):
        return sorted((_sorted(item) for item in value), key=lambda item: json.dumps(item, sort_keys=True))
    return value


# ---- A final position is built, and its whole scoring is compared


def score_case(line: dict[str, Any], differ: Differ) -> None:
    game = game_of(line, differ)
    states = snapshot.final_position(game, line["seats"])
    for seat in range(game.players):
        for cell in range(CELLS):
            tile = int(states[0].tiles[seat, cell])
            if tile >= 0 and game.tables[0].effect[tile] == IRRIGATION and not states[0].wild[seat] >> cell & 1:
                fits = bool(irrigated(states[0], game.tables[0], seat, tile, cell))
                if fits != bool(states[0].active[seat] >> cell & 1):
                    differ(seat, f"status of {game.components['regions'][tile]['id']}", not fits, fits)
    differences(differ, "scoring", line["expected"], snapshot.scoring_json(game, states[0]), "expected")


# ---- The cases of a file


def recordings(path: Path, lines: Iterable[dict[str, Any]]) -> Iterator[Case]:
    """The cases of a file: a game from its header to its end, or a scoring case a line."""
    found: list[dict[str, Any]] = []
    for line in lines:
        if "expected" in line:
            yield str(line.get("id", "case")), functools.partial(score_case, line)
        elif line.get("type") == "header":
            if found:
                yield _name(found), functools.partial(play_game, found)
            found = [line]
        elif found:
            found.append(line)
        else:
            raise RecordingError(f"{path}: the file begins with neither the header of a game nor a scoring case")
    if found:
        yield _name(found), functools.partial(play_game, found)


def _name(lines: list[dict[str, Any]]) -> str:
    return f"{lines[0].get('players')} players, {lines[0].get('style', 'game')}"
