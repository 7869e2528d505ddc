"""From games to figures. The same games always give the same figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from theogony.benchmark.figures import WORTH, rounded
from theogony.benchmark.tasks import TEAM
from theogony.models.play.settings import Settings
from theogony.models.results.file import Against, Figures, Learnt, Legal, PlayedGame, Rating, Spent
from theogony.models.results.ladder import rate, rungs_of
from theogony.training.rating.evaluate import wilson


def figures_of(games: Sequence[PlayedGame], settings: Settings) -> Figures:
    """The figures of a results file."""
    pairs = list(dict.fromkeys((one.table, one.against) for one in games))
    against = [_against([one for one in games if (one.table, one.against) == pair]) for pair in pairs]
    ratings = [_rating(table, games) for table in dict.fromkeys(table for table, _ in pairs)]
    learnt = [_learnt(pair, games, settings.learn) for pair in pairs] if settings.learn > 1 else []
    return Figures(
        against=against,
        ratings=[one for one in ratings if one is not None],
        legal=_legal(games),
        spent=_spent(games),
        learnt=learnt,
    )


def _against(games: Sequence[PlayedGame]) -> Against:
    letters = [one.result for one in games]
    team = games[0].against == TEAM
    gained = sum(one.reward for one in games) if team else sum(WORTH[letter] for letter in letters)
    gained = min(max(gained, 0.0), len(games))
    low, high = wilson(gained, len(games))
    return Against(
        table=games[0].table,
        against=games[0].against,
        games=len(games),
        wins=letters.count("W"),
        draws=letters.count("D"),
        losses=letters.count("L"),
        share=rounded(gained / len(games)),
        low=rounded(low),
        high=rounded(high),
    )


def _rating(table: str, games: Sequence[PlayedGame]) -> Rating | None:
    rungs, seats = rungs_of(table), int(table.rpartition("-")[2].removesuffix("p"))
    mine = [one for one in games if one.table == table and one.against in rungs]
    if not mine:
        return None
    # at larger tables the reward is that of places, from -1 for the last to 1 for the first
    won = [(1.0 + one.reward) / 2 if seats > 2 else WORTH[one.result] for one in mine]
    met, deals = [rungs[one.against] for one in mine], [one.deal for one in mine]
    found, low, high = rate(met, won, deals, max(seats, 2))
    return Rating(table=table, points=round(found, 1), low=round(low, 1), high=round(high, 1))


def _legal(games: Sequence[PlayedGame]) -> Legal:
    asked, first = sum(one.asked for one in games), sum(one.first_legal for one in games)
    low, high = wilson(first, asked)
    return Legal(
        asked=asked,
        first=rounded(first / max(asked, 1)),
        low=rounded(low),
        high=rounded(high),
        invalid=sum(one.invalid for one in games),
        random_moves=sum(one.random_moves for one in games),
        forfeited=sum(one.forfeited for one in games),
    )


def _spent(games: Sequence[PlayedGame]) -> Spent:
    read, written = sum(one.read for one in games), sum(one.written for one in games)
    return Spent(
        replies=sum(one.replies for one in games),
        read=read,
        written=written,
        counted=all(one.counted for one in games),
        cost=rounded(sum(one.cost for one in games)),
        seconds=round(sum(one.seconds for one in games), 3),
        tokens_a_game=round((read + written) / max(len(games), 1), 1),
    )


def _learnt(pair: tuple[str, str], games: Sequence[PlayedGame], count: int) -> Learnt:
    mine = [one for one in games if (one.table, one.against) == pair]
    means = [np.mean([one.reward for one in mine if one.number == number]) for number in range(count)]
    return Learnt(table=pair[0], against=pair[1], rewards=[rounded(float(mean)) for mean in means])
