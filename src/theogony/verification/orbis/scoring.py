"""A recorded final position is built, and its whole scoring is compared."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.verify import Differ
from theogony.envs.orbis.components import IRRIGATION
from theogony.envs.orbis.rules.pyramid import irrigated
from theogony.envs.orbis.state import CELLS
from theogony.verification.orbis.compare import differences
from theogony.verification.orbis.rulings import game_of
from theogony.verification.orbis.snapshot import final_position, scoring_json


def score_case(line: dict[str, Any], differ: Differ) -> None:
    game = game_of(line, differ)
    states = final_position(game, line["seats"])
    for seat in range(game.players):
        for cell in range(CELLS):
            tile = int(states[0].tiles[seat, cell])
            if tile >= 0 and game.tables[0].effect[tile] == IRRIGATION and not states[0].wild[seat] >> cell & 1:
                fits = bool(irrigated(states[0], game.tables[0], seat, tile, cell))
                if fits != bool(states[0].active[seat] >> cell & 1):
                    differ(seat, f"status of {game.components['regions'][tile]['id']}", not fits, fits)
    differences(differ, "scoring", line["expected"], scoring_json(game, states[0]), "expected")
