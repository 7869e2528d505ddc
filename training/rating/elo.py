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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

ELO = 400 / np.log(10)
PSEUDO_COUNT = 0.5  # wins of each player of a pair in the game that they begin with
LEAST = 1e-3  # of a pseudo-count in the bootstrap, so that no interval ends at infinity
SAMPLES = 1000  # of the bootstrap


@dataclass(frozen=True)
class Placing:
    """One game: which player sat in each seat (several seats may have the same), and the place of each, from 1."""

    deal: int
    players: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class Ratings:
    """Elo points of each player with the ends of its interval, float64 (players,) each."""

    points: np.ndarray
    low: np.ndarray
    high: np.ndarray


def rate(games: Sequence[Placing], players: int, seed: int = 0, samples: int = SAMPLES) -> Ratings:
    """Fit ratings to games; the same games and seed give the same ratings, in whatever order the games come."""
    orders, counts = _count(games, players)
    pairs = len(orders) - counts.shape[1]
    fitted = fit(orders, np.concatenate([counts.sum(0), np.full(pairs, PSEUDO_COUNT)]), players)
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(samples):
        weights = rng.multinomial(len(counts), np.full(len(counts), 1 / len(counts))) @ counts
        pseudo = np.maximum(rng.gamma(PSEUDO_COUNT, size=pairs), LEAST)
        drawn.append(fit(orders, np.concatenate([weights, pseudo]), players, fitted))
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return Ratings(ELO * fitted, ELO * np.minimum(low, fitted), ELO * np.maximum(high, fitted))


def _count(games: Sequence[Placing], players: int) -> tuple[np.ndarray, np.ndarray]:
    """Every order that occurs, int64 (m + pairs, seats), the pseudo-counts last and filled up with -1; and how often
    the first m occurred in each deal, float64 (deals, m)."""
    found: dict[int, dict[tuple[int, ...], float]] = {}
    for game in games:
        tally = found.setdefault(game.deal, defaultdict(float))
        for order, share in orders_of(game):
            tally[order] += share
    kinds = sorted(set(itertools.chain.from_iterable(found.values())))
    counts = np.array([[found[deal][order] for order in kinds] for deal in sorted(found)], np.float64)
    pairs = list(itertools.permutations(range(players), 2))
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


def fit(orders: np.ndarray, weights: np.ndarray, players: int, start: np.ndarray | None = None) -> np.ndarray:
    """The likeliest strengths, float64 (players,), mean 0. `orders` int64 (m, seats) best first, -1 for empty seats."""
    strength = np.zeros(players) if start is None else start.copy()
    here = orders >= 0
    for _ in range(200):
        gradient, curvature = np.zeros(players), np.full((players, players), 1.0 / players) + 1e-9 * np.eye(players)
        scores = np.where(here, np.exp(strength)[orders], 0.0)
        for place in range(orders.shape[1] - 1):
            left = scores[:, place:]
            chances = np.zeros((len(orders), players))
            np.add.at(chances, (np.arange(len(orders))[:, None], orders[:, place:]), left)  # -1 adds 0 to the last
            total = chances.sum(1, keepdims=True)
            chances = np.divide(chances, total, where=total > 0, out=chances)
            weight = weights * here[:, place]
            np.add.at(gradient, orders[:, place], weight)
            gradient -= weight @ chances
            curvature += np.diag(weight @ chances) - (chances * weight[:, None]).T @ chances
        step = np.linalg.solve(curvature, gradient)
        strength += step * min(1.0, 2.0 / max(np.abs(step).max(), 1e-12))
        if np.abs(step).max() < 1e-8:
            break
    return strength - strength.mean()


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
