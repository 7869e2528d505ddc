"""Maps that are drawn: balanced as the printed one is."""

import numpy as np

from theogony.envs import load
from theogony.envs.core.packs import Draw
from theogony.envs.terra_mystica.components import BOARD, build_map
from theogony.envs.terra_mystica.generate import NEIGHBOURS, ON_RIVERS, counts_of, fault_of

SPEC = load("terra_mystica")
PRINTED = SPEC.configure().components


def test_the_printed_map_is_balanced() -> None:
    counts = counts_of(BOARD.terrain)
    assert fault_of(counts) == 0
    for away, bounds in enumerate(NEIGHBOURS, 1):
        assert (counts.near[:, away].min(), counts.near[:, away].max()) == bounds
    assert (counts.banks.min(), counts.banks.max()) == ON_RIVERS


def test_drawn_maps_are_balanced_too() -> None:
    assert SPEC.generate is not None
    for seed in range(6):
        found = SPEC.generate(None, Draw(seed, "terra_mystica"))
        board = build_map(found["map"])
        assert fault_of(counts_of(board.terrain)) == 0
        assert (np.bincount(board.terrain) == 11).all()
        for space, around in enumerate(board.beside):
            assert all(board.terrain[space] != board.terrain[other] for other in around)
        assert (board.land, board.river, board.sites) == (BOARD.land, BOARD.river, BOARD.sites)
        assert {**found, "map": 0} == {**PRINTED, "map": 0}
