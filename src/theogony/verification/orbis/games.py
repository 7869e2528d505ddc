"""A recorded game is played command by command.

What needs no decision is a single step of `rules.turn.proceed`, so that the state after each command can be compared;
at the end of each turn the same decisions are played through the engine as everybody uses it, which must come to the
same position.
"""

from __future__ import annotations

import json
from typing import Any

from theogony.envs.core.game import Game
from theogony.envs.core.verify import Differ, RecordingError
from theogony.envs.orbis.components import DISPLAY, GOD_NAMES
from theogony.verification.orbis.commands import play
from theogony.verification.orbis.compare import differences
from theogony.verification.orbis.offers import legal_tiles, wilderness_slots
from theogony.verification.orbis.player import Player
from theogony.verification.orbis.rulings import game_of
from theogony.verification.orbis.snapshot import legal_gods, scoring_json, state_view


def play_game(lines: list[dict[str, Any]], differ: Differ) -> None:
    header = lines[0]
    for field, expected in (("game", "orbis"), ("format", 1)):
        if header[field] != expected:
            raise RecordingError(f"{field} is {header[field]!r}, expected {expected!r}")
    game = game_of(header, differ)
    player = Player(game)
    gods = header["start"]["gods"]
    _deal(game, player, header, differ)
    differences(differ, "header", header["state"], state_view(game, player.g, gods), "state")
    for line in lines[1:]:
        if line["type"] == "turn":
            _play_turn(player, line, gods, differ)
        elif line["type"] == "end":
            _check_end(player, line, differ)
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
    now = state_view(game, g, gods)
    found = {"turn": now["turn"], "round": now["round"], "seat": now["to_act"]}
    differences(differ, step, {key: line[key] for key in found}, found)
    for field, legal in (
        ("legal_tiles", legal_tiles(game, player.states)),
        ("wilderness_slots", wilderness_slots(game, g)),
        ("legal_gods", legal_gods(g, gods)),
    ):
        differences(differ, step, _sorted(line[field]), _sorted(legal), field)
    player.check_faces(line["legal_tiles"], step, differ)
    for k, command in enumerate(line["commands"], 1):
        where = f"{step}.{k} ({command['command']})"
        detail, choice = play(player, command["command"])
        differences(differ, where, command["detail"], detail, "detail")
        differences(differ, where, command["choice"], choice, "choice")
        differences(differ, where, command["state_after"], state_view(game, player.g, gods), "state_after")
    differences(differ, step, line["state_after"], state_view(game, player.g, gods), "state_after")
    player.end_turn(step, differ)


def _sorted(value: Any) -> Any:
    """Lists without their order: slots, payments and gods are sets."""
    if isinstance(value, dict):
        return {key: _sorted(item) for key, item in value.items()}
    if isinstance(value, list):
        return sorted((_sorted(item) for item in value), key=lambda item: json.dumps(item, sort_keys=True))
    return value


def _check_end(player: Player, line: dict[str, Any], differ: Differ) -> None:
    if not player.g.over:
        differ("end", "over", True, False)
    expected = {key: value for key, value in line.items() if key != "type"}
    differences(differ, "end", expected, scoring_json(player.game, player.g))
