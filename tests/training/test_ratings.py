"""Ratings: closed forms, known strengths found again, intervals that hold what they say."""

import itertools

import numpy as np
import pytest

from theogony.training.rating.elo import ELO, Placing, ahead, fit, orders_of, rate, win_shares


def duel(deal: int, first: int, second: int) -> Placing:
    return Placing(deal, (0, 1), (first, second))


def play(strengths: np.ndarray, seats: int, deals: int, rng: np.random.Generator) -> list[Placing]:
    """Games of every choice of so many players, drawn as the model says."""
    games = []
    for deal in range(deals):
        for players in itertools.combinations(range(len(strengths)), seats):
            keys = rng.gumbel(size=seats) + strengths[list(players)]
            games.append(Placing(deal, players, tuple(int(x) for x in 1 + (-keys).argsort().argsort())))
    return games


@pytest.mark.parametrize(("won", "drawn", "lost"), [(7, 0, 3), (10, 0, 0), (2, 5, 4), (0, 9, 0)])
def test_two_players_are_rated_by_their_odds(won: int, drawn: int, lost: int) -> None:
    places = [(1, 2)] * won + [(1, 1)] * drawn + [(2, 1)] * lost
    points = rate([duel(deal, *pair) for deal, pair in enumerate(places)], 2, samples=10).points
    odds = (won + drawn / 2 + 0.5) / (lost + drawn / 2 + 0.5)
    assert points[0] - points[1] == pytest.approx(400 * np.log10(odds), abs=1e-6)
    assert points.sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_strengths_are_found_again(seats: int) -> None:
    true = np.array([300.0, 100.0, 0.0, -400.0])
    found = rate(play(true / ELO, seats, 400, np.random.default_rng(seats)), 4, samples=200)
    assert found.points == pytest.approx(true, abs=45)
    assert (found.low < found.points).all() and (found.points < found.high).all()
    assert (found.high - found.low < 120).all()


def test_the_fit_is_the_likeliest() -> None:
    rng = np.random.default_rng(5)
    orders = np.array([rng.permutation(4)[:3] for _ in range(40)])
    weights = rng.random(40)
    [best] = fit(orders, weights[None], 4)

    def likelihood(strength: np.ndarray) -> float:
        left = [np.exp(strength[orders[:, k:]]).sum(1) for k in range(3)]
        return float(sum(weights @ (strength[orders[:, k]] - np.log(left[k])) for k in range(3)))

    for direction in np.eye(4):
        for step in (-0.01, 0.01):
            assert likelihood(best + step * direction) < likelihood(best)


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    true, held = np.array([80.0, -80.0]), 0
    for seed in range(60):
        found = rate(play(true / ELO, 2, 60, np.random.default_rng(seed)), 2, seed, samples=150)
        held += found.low[0] <= true[0] <= found.high[0]
    assert 51 <= held < 60


def test_a_clean_sheet_is_no_certainty() -> None:
    found = rate([duel(deal, 1, 2) for deal in range(100)], 2)
    assert found.points[0] == pytest.approx(400 * np.log10(201) / 2)
    assert 250 < found.low[0] < 400 < found.high[0]
    few = rate([duel(deal, 1, 2) for deal in range(5)], 2)
    assert few.low[0] < found.low[0]


def test_games_in_any_order_give_the_same_ratings() -> None:
    games = play(np.array([0.4, 0.0, -0.4]), 2, 30, np.random.default_rng(1))
    one, other = rate(games, 3, seed=7, samples=50), rate(games[::-1], 3, seed=7, samples=50)
    for a, b in zip((one.points, one.low, one.high), (other.points, other.low, other.high), strict=True):
        assert np.array_equal(a, b)


def test_shared_places_are_every_order_of_those_who_share() -> None:
    assert list(orders_of(Placing(0, (4, 2, 7), (1, 3, 1)))) == [((4, 7, 2), 0.5), ((7, 4, 2), 0.5)]
    assert [share for _, share in orders_of(Placing(0, (0, 1, 2), (1, 1, 1)))] == pytest.approx([1 / 6] * 6)


def test_a_player_in_two_seats() -> None:
    """Two seats of A against one of B, equally strong: A is before B as often as not."""
    games = [Placing(deal, (0, 0, 1), places) for deal, places in enumerate([(1, 2, 3), (2, 3, 1), (1, 3, 2)] * 10)]
    assert rate(games, 2, samples=10).points == pytest.approx([0, 0], abs=1e-6)
    assert ahead(games, 2)[0, 1] == pytest.approx(0.5)


def test_shares_of_wins_and_who_came_before_whom() -> None:
    games = [Placing(0, (0, 1, 2), (1, 1, 3)), Placing(0, (2, 0, 1), (1, 2, 3))]
    won, played = win_shares(games, 4)
    assert won.tolist() == [0.5, 0.5, 1.0, 0.0] and played.tolist() == [2, 2, 2, 0]
    table = ahead(games, 4)
    assert table[0, 1] == 0.75 and table[1, 0] == 0.25 and table[2, 0] == 0.5
    assert np.isnan(table[3]).all() and np.isnan(np.diag(table)).all()
