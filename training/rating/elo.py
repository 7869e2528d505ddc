"""Ratings from the places of players in many games: Plackett-Luce, which for two at a table is Bradley-Terry (Elo).

A player has a strength; of those still without a place, the next place goes to each with a chance in proportion to
exp(strength). A shared place counts as every order of those who share it, each with its share of one game. Strengths
are fitted by maximum likelihood (Newton's method) and given as Elo points, 400 for odds of ten to one; their mean is 0.

So that strengths stay finite when somebody wins every game, each pair of players has a pseudo-count of one drawn game.
Intervals are 95 % of a bootstrap over deals, in which the pseudo-counts are drawn as well (Gamma, mean one half: the
spread of Jeffreys' prior), so that a clean sheet does not look like certainty.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

ELO = 400 / np.log(10)
PSEUDO_COUNT = 0.5  # wins of each player of a pair in the game that they begin with
LEAST = 1e-3  # of a pseudo-count in the bootstrap, so that no interval ends at infinity
SAMPLES = 1000  # of the bootstrap
ROUNDS = 200  # of Newton's method, at most
LOT = 1 << 22  # numbers that are worked on at a time


class Placing(NamedTuple):
    """One game: which player sat in each seat (several seats may have the same), and the place of each, from 1."""

    deal: int
    players: tuple[int, ...]
    places: tuple[int, ...]


class Ratings(NamedTuple):
    """Elo points of each player with the ends of its interval, float64 (players,) each."""

    points: np.ndarray
    low: np.ndarray
    high: np.ndarray


def rate(
    games: Sequence[Placing],
    players: int,
    seed: int = 0,
    samples: int = SAMPLES,
    known: Mapping[int, tuple[float, float]] | None = None,
) -> Ratings:
    """Fit ratings to games; the same games and seed give the same ratings, in whatever order the games come.

    `known`: the ratings that some players have from elsewhere, and their standard errors. Those of the others are then
    on that scale, and the bootstrap draws the known ones as well.
    """
    known = known or {}
    orders, counts = _count(games, players, known)
    deals, pairs = len(counts), len(orders) - counts.shape[1]
    rng = np.random.default_rng(seed)
    weights = [np.concatenate([counts.sum(0), np.full(pairs, PSEUDO_COUNT)])]
    for _ in range(samples):
        drawn = rng.multinomial(deals, np.full(deals, 1 / deals)) @ counts
        weights.append(np.concatenate([drawn, pseudo_counts(rng, pairs)]))
    fixed = np.full((samples + 1, players), np.nan)
    for player, (points, error) in sorted(known.items()):
        fixed[:, player] = (points + error * np.append(0.0, rng.normal(size=samples))) / ELO
    strengths = fit(orders, np.array(weights), players, fixed)
    low, high = np.quantile(strengths[1:], [0.025, 0.975], axis=0)
    return Ratings(ELO * strengths[0], ELO * np.minimum(low, strengths[0]), ELO * np.maximum(high, strengths[0]))


def pseudo_counts(rng: np.random.Generator, size: int | tuple[int, ...]) -> np.ndarray:
    """Pseudo-counts as they are drawn for a bootstrap."""
    return np.maximum(rng.gamma(PSEUDO_COUNT, size=size), LEAST)


def _count(games: Sequence[Placing], players: int, known: Container[int] = ()) -> tuple[np.ndarray, np.ndarray]:
    """Every order that occurs, int64 (m + pairs, seats), the pseudo-counts last and filled up with -1; and how often
    the first m occurred in each deal, float64 (deals, m). Two whose ratings are known need no pseudo-count."""
    found: dict[int, dict[tuple[int, ...], float]] = {}
    for game in games:
        tally = found.setdefault(game.deal, defaultdict(float))
        for order, share in orders_of(game):
            tally[order] += share
    kinds = sorted(set(itertools.chain.from_iterable(found.values())))
    counts = np.array([[found[deal][order] for order in kinds] for deal in sorted(found)], np.float64)
    pairs = [(a, b) for a, b in itertools.permutations(range(players), 2) if not (a in known and b in known)]
    width = max(len(order) for order in [*kinds, (0, 0)])
    orders = np.full((len(kinds) + len(pairs), width), -1, np.int64)
    for row, order in zip(orders, [*kinds, *pairs], strict=True):
        row[: len(order)] = order
    return orders, counts


def orders_of(game: Placing) -> Iterator[tuple[tuple[int, ...], float]]:
    """The orders that a game stands for, best first, with what each counts; they add up to one."""
    groups: dict[int, list[int]] = {}
    for player, place in zip(game.players, game.places, strict=True):
        groups.setdefault(place, []).append(player)
    choices = [list(itertools.permutations(groups[place])) for place in sorted(groups)]
    share = 1.0 / np.prod([len(choice) for choice in choices])
    for parts in itertools.product(*choices):
        yield tuple(itertools.chain.from_iterable(parts)), share


def fit(orders: np.ndarray, weights: np.ndarray, players: int, fixed: np.ndarray | None = None) -> np.ndarray:
    """The likeliest strengths, float64 (samples, players), by how often each order occurred, float64 (samples, m).
    `orders` int64 (m, seats), best first, -1 for empty seats. `fixed` has strengths that are known, nan for the others;
    where none is, the mean is 0."""
    fixed = np.full((len(weights), players), np.nan) if fixed is None else fixed
    sizes = (orders[:, :, None] == np.arange(players)).astype(np.float64)  # (m, seats, players)
    waiting = sizes[:, ::-1].cumsum(axis=1)[:, ::-1]  # seats of each player that have no place yet
    stages = waiting[:, :-1].reshape(-1, players)  # (m * places, players)
    taken = sizes[:, :-1].reshape(-1, players)
    lot = max(1, LOT // (len(stages) * players))
    parts = [slice(k, k + lot) for k in range(0, len(weights), lot)]
    counted = (weights[part].repeat(orders.shape[1] - 1, axis=1) * (taken.sum(1) > 0) for part in parts)
    return np.concatenate(
        [_fitted(stages, taken, *two) for two in zip(counted, (fixed[part] for part in parts), strict=True)]
    )


def _fitted(waiting: np.ndarray, taken: np.ndarray, weights: np.ndarray, fixed: np.ndarray) -> np.ndarray:
    """Strengths by Newton's method; a stage is a choice among those who wait, float64 (stages, players)."""
    players, won, free = waiting.shape[1], weights @ taken, np.isnan(fixed)
    strength, loose = np.where(free, 0.0, fixed), bool(free.all())
    for _ in range(ROUNDS):
        shares = np.exp(strength)[:, None, :] * waiting
        shares /= np.maximum(shares.sum(axis=2, keepdims=True), 1e-300)
        expected = (weights[:, None, :] @ shares)[:, 0]
        curvature = np.eye(players) * (expected[:, :, None] + 1e-9) + loose / players
        curvature -= (shares * weights[:, :, None]).transpose(0, 2, 1) @ shares
        curvature = np.where(free[:, :, None] & free[:, None, :], curvature, np.eye(players))
        step = np.linalg.solve(curvature, ((won - expected) * free)[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        strength += step * np.minimum(1.0, 2.0 / np.maximum(longest, 1e-12))
        if longest.max() < 1e-8:
            break
    return strength - strength.mean(axis=1, keepdims=True) if loose else strength


def fit_one(others: np.ndarray, won: np.ndarray, played: np.ndarray) -> np.ndarray:
    """The likeliest strength of one player among others whose strengths are known, float64 (samples,), by the games won
    and played against each, float64 (samples, others)."""
    strength = np.zeros(len(won))
    for _ in range(ROUNDS):
        chance = 1.0 / (1.0 + np.exp(others - strength[:, None]))
        slope = (played * chance * (1.0 - chance)).sum(axis=1)
        step = np.clip((won - played * chance).sum(axis=1) / np.maximum(slope, 1e-9), -1.0, 1.0)
        strength += step
        if np.abs(step).max() < 1e-8:
            break
    return strength


def ahead(games: Sequence[Placing], players: int) -> np.ndarray:
    """How often the player of the row came before that of the column, a shared place as one half, float64; nan where
    the two never met."""
    won, met = np.zeros((players, players)), np.zeros((players, players))
    for game in games:
        for (a, x), (b, y) in itertools.permutations(zip(game.players, game.places, strict=True), 2):
            met[a, b] += 1
            won[a, b] += 1.0 if x < y else 0.5 if x == y else 0.0
    np.fill_diagonal(met, 0)
    return np.divide(won, met, where=met > 0, out=np.full_like(won, np.nan))


def win_shares(games: Sequence[Placing], players: int) -> tuple[np.ndarray, np.ndarray]:
    """Games won by each player (a shared win as the share of it) and games played, seat by seat, float64 (players,)."""
    won, played = np.zeros(players), np.zeros(players)
    for game in games:
        winners = game.places.count(1)
        for player, place in zip(game.players, game.places, strict=True):
            played[player] += 1
            won[player] += (place == 1) / max(winners, 1)
    return won, played
