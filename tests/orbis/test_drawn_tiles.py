"""Tile lists that are drawn: the printed statistics with other tiles."""

from collections import Counter
from typing import Any

from theogony.envs import load
from theogony.envs.core.packs import Draw

SPEC = load("orbis")
PRINTED = SPEC.configure().components


def drawn(seed: int) -> list[dict[str, Any]]:
    assert SPEC.generate is not None
    return SPEC.generate(None, Draw(seed, "orbis"))["regions"]


def by_level(tiles: list[dict[str, Any]], what: Any) -> dict[int, Any]:
    return {level: what([tile for tile in tiles if tile["level"] == level]) for level in (1, 2, 3)}


def test_levels_keep_their_statistics() -> None:
    statistics = (
        lambda tiles: Counter(tile["colour"] for tile in tiles),
        lambda tiles: Counter(tile["effect"]["type"] for tile in tiles),
        lambda tiles: Counter(tile["stars"] for tile in tiles),
        lambda tiles: Counter(tile["mythology"] for tile in tiles),
        lambda tiles: sum(tile["cp"] for tile in tiles),
        lambda tiles: sum(sum(tile["cost"].values()) for tile in tiles),
    )
    for seed in range(40):
        tiles = drawn(seed)
        assert [tile["id"] for tile in tiles] == [tile["id"] for tile in PRINTED["regions"]]
        for statistic in statistics:
            assert by_level(tiles, statistic) == by_level(PRINTED["regions"], statistic)


def test_kinds_of_effect_change_their_colours() -> None:
    forests = {next(tile["colour"] for tile in drawn(seed) if tile["effect"]["type"] == "forest") for seed in range(40)}
    assert forests == {"yellow", "green", "blue", "red"}
    assert all(
        tile["colour"] == "white" for seed in range(10) for tile in drawn(seed) if tile["effect"]["type"] == "temple"
    )


def test_costs_are_shared_out_evenly() -> None:
    for seed in range(20):
        counts = Counter(colour for tile in drawn(seed) for colour in tile["cost"] if colour != "any")
        assert max(counts.values()) - min(counts.values()) <= 8 and len(counts) == 5
