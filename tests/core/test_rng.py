"""Chance: a known generator, unbiased, the same compiled and interpreted."""

import os
import subprocess
import sys
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from theogony.envs.core.record import given_chances, header, record_dtype
from theogony.envs.core.rng import below, chance, mix, mixed, next_u64, scramble, shuffle, sort, uniform

MASK = 2**64 - 1
GAME, TABLES = record_dtype(*header()), record_dtype(*given_chances(3))


def stream(seed: int = 0) -> np.ndarray:
    return np.array([seed], np.uint64)


def plain_splitmix(seed: int, count: int) -> list[int]:
    """SplitMix64 in Python's unbounded integers."""
    found = []
    for k in range(1, count + 1):
        z = (seed + k * 0x9E3779B97F4A7C15) & MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        found.append(z ^ (z >> 31))
    return found


def test_published_vector() -> None:
    """The first numbers for seed 1234567, as published with SplitMix64 (rosettacode.org, prng.di.unimi.it)."""
    rng = stream(1234567)
    assert [int(next_u64(rng)) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("seed", [0, 1, 2**63, MASK])
def test_splitmix(seed: int) -> None:
    rng = stream(seed)
    assert [int(next_u64(rng)) for _ in range(100)] == plain_splitmix(seed, 100)


def test_scramble_is_a_bijection_on_what_is_tried() -> None:
    assert len({int(scramble(np.uint64(k))) for k in range(2_000)}) == 2_000


def test_mix_keeps_its_arguments_apart() -> None:
    numbers = [0, 1, 2, 3, 2**63, MASK]
    seeds = {int(mix(np.uint64(s), np.uint64(a), np.uint64(b))) for s in numbers for a in numbers for b in numbers}
    assert len(seeds) == len(numbers) ** 3


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 10, 52])
def test_below_is_uniform(n: int) -> None:
    """Chi-squared of 20,000 draws within six standard deviations: a wrong bound is far outside."""
    rng, draws = stream(7), 20_000
    counts = Counter(int(below(rng, n)) for _ in range(draws))
    assert set(counts) == set(range(n))
    statistic = sum((counts[k] - draws / n) ** 2 / (draws / n) for k in range(n))
    assert abs(statistic - (n - 1)) <= 6 * max(2 * (n - 1), 1) ** 0.5


def test_below_rejects_what_would_bias() -> None:
    """For 3 * 2**30 a draw without rejection would hit a third of the results twice as often."""
    n, rng = 3 * 2**30, stream(3)
    thirds = Counter(int(below(rng, n)) % 3 for _ in range(30_000))
    assert max(thirds.values()) < 10_000 + 6 * (30_000 * 2 / 9) ** 0.5
    assert min(thirds.values()) > 10_000 - 6 * (30_000 * 2 / 9) ** 0.5


def test_below_is_what_lemire_describes() -> None:
    def lemire(numbers, n):
        for number in numbers:
            product = (number >> 32) * n
            if (product & 0xFFFFFFFF) >= (2**32 - n) % n:
                return product >> 32

    for n in (1, 2, 3, 100, 3 * 2**30, 2**32 - 1):
        for seed in range(50):
            assert int(below(stream(seed), n)) == lemire(plain_splitmix(seed, 200), n)


def test_uniform() -> None:
    rng = stream(11)
    numbers = np.array([uniform(rng) for _ in range(10_000)])
    assert ((numbers >= 0) & (numbers < 1)).all()
    assert abs(numbers.mean() - 0.5) < 6 * (1 / 12 / 10_000) ** 0.5


def test_shuffle_is_uniform_over_permutations() -> None:
    rng, draws, counts = stream(5), 12_000, Counter()
    for _ in range(draws):
        items = np.array([0, 1, 2, 9], np.int8)
        shuffle(rng, items, 3)
        assert items[3] == 9  # only the first three are shuffled
        counts[tuple(items[:3].tolist())] += 1
    assert set(counts) == set(permutations(range(3)))
    assert all(abs(count - draws / 6) < 6 * (draws * 5 / 36) ** 0.5 for count in counts.values())


def test_sort() -> None:
    generator = np.random.default_rng(0)
    for size in (0, 1, 2, 7, 60):
        items = generator.integers(-9, 9, size + 2).astype(np.int16)
        expected = np.concatenate([np.sort(items[:size]), items[size:]])
        sort(items, size)
        assert items.tolist() == expected.tolist()


def test_chance_takes_given_results_first_and_counts_them() -> None:
    states, tables = np.zeros(1, GAME), np.zeros(1, TABLES)
    tables["given"], tables["results"][0] = 2, [4, 5, 0]
    assert [int(chance(states[0], tables[0], 6)) for _ in range(2)] == [4, 5]
    assert states["rng"][0, 0] == 2
    chance(states[0], tables[0], 6)
    assert states["rng"][0, 0] > 2, "none is left, so it was drawn"


def test_chance_in_play_is_the_dice_of_the_position() -> None:
    played, plain, tables = np.zeros(1, GAME), np.zeros(1, GAME), np.zeros(1, TABLES)
    drawn = [int(chance(played[0], tables[0], 6)) for _ in range(9)]
    assert drawn == [int(below(plain[0].rng, 6)) for _ in range(9)]
    assert played.tobytes() == plain.tobytes()


PROGRAM = """
import numpy as np
from theogony.envs.core.rng import below, mix, shuffle, uniform
with np.errstate(over="raise"):
    rng = np.array([2**64 - 3], np.uint64)
    items = np.arange(20, dtype=np.int8)
    shuffle(rng, items, 20)
    numbers = [int(below(rng, n)) for n in range(1, 50)]
    print(items.tolist(), numbers, uniform(rng), int(mix(2**63, 5, -1 % 2**64)), int(rng[0]))
"""


@pytest.mark.slow
def test_interpreted_is_compiled() -> None:
    found = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert found[0] == found[1] != ""


def test_any_integer_is_mixed() -> None:
    """Of all integers 64 bits count, whatever came before."""
    small = [mixed(3, 1, 2), mixed(2**64 + 3, 1, 2), mixed(np.int8(3), 1, 2)]
    assert len(set(small)) == 1 and small[0] == int(mix(np.uint64(3), 1, 2))
    assert mixed(-1, 0, 0) == mixed(2**64 - 1, 0, 0) != mixed(2**63 - 1, 0, 0)
