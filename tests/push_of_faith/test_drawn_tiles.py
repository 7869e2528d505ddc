"""Tile lists that are drawn: the printed patterns with other terrains."""

from collections import Counter
from typing import Any

from theogony.envs import load
from theogony.envs.core.packs import Draw

SPEC = load("push_of_faith")
PRINTED = SPEC.configure().components["tiles"]


def drawn(seed: int) -> list[dict[str, Any]]:
    assert SPEC.generate is not None
    return SPEC.generate(None, Draw(seed, "push_of_faith"))["tiles"]


def squares(tile: dict[str, Any]) -> Counter[int]:
    return Counter(kind for row in tile["squares"] for kind in row)


def pattern(tile: dict[str, Any]) -> tuple[Any, ...]:
    """How many squares share a terrain, and how many that of the statue has."""
    found = squares(tile)
    return tile["players"], tuple(sorted(found.values())), found[tile["statues"][0]]


def test_patterns_and_statues_stay() -> None:
    for seed in range(40):
        tiles = drawn(seed)
        assert Counter(map(pattern, tiles)) == Counter(map(pattern, PRINTED))
        for players in (2, 3, 4, 5):
            gods = [
                Counter(tile["statues"][0] for tile in some if tile["players"] == players) for some in (tiles, PRINTED)
            ]
            assert gods[0] == gods[1]


def test_terrains_are_even() -> None:
    for seed in range(40):
        counts = sum((squares(tile) for tile in drawn(seed) if tile["players"] == 2), Counter())
        assert max(counts.values()) - min(counts.values()) <= 4
