"""What the pages of a game need of its vocabulary: entries, their icons, the rules in short, and an introduction."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.draw.places import picture_of
from theogony.envs.core.draw.style import ICONS
from theogony.envs.core.game import Game
from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position
from theogony.envs.core.vocabulary import rules_text

CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")


@lru_cache(maxsize=8)
def words_of(game: Game) -> dict[str, Any]:
    """The vocabulary as JSON has it: `entries` (kind, key, name, what it does, icon, rule), `icons` as paths in a
    square of 24, and the `rules` in Markdown. It is the same for everybody: all of it is open."""
    entries = list(game.vocabulary)
    icons = {entry.icon: ICONS[entry.icon] for entry in entries if entry.icon in ICONS}
    return {
        "title": game.spec.title,
        "entries": [list(entry) for entry in entries],
        "icons": icons,
        "rules": spoken(game, rules_text(game.spec.module, game.options)),
    }


def spoken(game: Game, rules: str) -> str:
    """Rules with their moves in the words of the page, in place of the texts by which programs name them."""

    def said(found: re.Match[str]) -> str:
        try:
            action = game.actions.parse(found[1])
        except IllegalAction:
            return found[0]
        return f"*{game.vocabulary.say(game.actions, action)}*"

    return CODE.sub(said, rules).replace("| text, for example |", "| for example |")


# ---- An introduction: pictures of a game that greedy players played, a sentence each

SEED = 0x1E9D_07C3_5A42_F681  # of that game: one that nobody plays, whose hidden cards are no secret here
FILE = "introduction.json"  # in the game's folder `data`


@lru_cache(maxsize=8)
def introduction_of(game: Game) -> list[dict[str, Any]]:
    """The introduction as JSON has it: `svg`, what to look at in it (`show`, regions and places), and what it `says`.
    Empty for a game that brings none. It is of another game than the one that is played, so all of it is open."""
    file = resources.files(game.spec.module.partition(":")[0].rpartition(".")[0] or "theogony") / "data" / FILE
    if not file.is_file():
        return []
    position = greedy_game(game, SEED)
    kinds = [game.actions.decode(action)[0] for action in position.actions]
    found = ((entry, _when(kinds, entry)) for entry in json.loads(file.read_text("utf-8")))
    return [_picture(position, ply, entry) for entry, ply in found if ply is not None]


def greedy_game(game: Game, seed: int) -> Position:
    """A finished game of greedy players, with its history."""
    position, stream = Position(game, seed), np.array([seed], np.uint64)
    greedy = KernelPlay(game)
    while not position.over:
        position.play(greedy.choose(position, 1.0, stream))
    return position


def _when(kinds: Sequence[str], entry: dict[str, Any]) -> int | None:
    """The decision before which the picture is drawn, the last of its kind where there are not so many; None without
    any."""
    if "before" not in entry:
        return len(kinds)
    plies = [ply for ply, kind in enumerate(kinds) if kind == entry["before"]]
    return plies[min(entry.get("number", 1), len(plies)) - 1] if plies else None


def _picture(position: Position, ply: int, entry: dict[str, Any]) -> dict[str, Any]:
    g = position.states[ply]
    seat = int(g.actor) if ply < position.now else 0
    svg = picture_of(position.game, g, seat, None, (), "")
    return {"svg": svg, "show": [one.format(seat=seat) for one in entry["show"]], "says": entry["says"]}
