"""From games that were played to what a results file says of them."""

from __future__ import annotations

from collections.abc import Sequence

from theogony.benchmark.figures import DIGITS
from theogony.benchmark.play.games import Dealt
from theogony.benchmark.results.file import Crash, Sample, Series


def series_of(dealt: Sequence[Dealt]) -> tuple[list[Series], list[Crash], list[Sample]]:
    """Games by task, opponent and seat, in the order of `dealt`, which is that of tasks, opponents and deals."""
    results: dict[tuple[str, str, int], list[str]] = {}
    rewards: dict[tuple[str, str, int], list[float]] = {}
    crashes, records = [], []
    for one in dealt:
        for game in one.games:
            key = (one.task, one.against, game.seat)
            results.setdefault(key, []).append(game.result)
            rewards.setdefault(key, []).append(round(game.reward, DIGITS))
            where = {"task": one.task, "against": one.against, "deal": one.deal, "seat": game.seat}
            if game.error is not None:
                crashes.append(Crash(**where, error=game.error))
            if game.record is not None:
                records.append(Sample(**where, moves=game.record))
    series = [
        Series(task=task, against=against, seat=seat, results="".join(letters), rewards=rewards[task, against, seat])
        for (task, against, seat), letters in results.items()
    ]
    return series, crashes, records
