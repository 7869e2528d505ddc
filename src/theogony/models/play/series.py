"""Which games are played: every deal in every seat against every player, in chains that share lessons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from theogony.benchmark.tasks import TEAM, Suite, shipped
from theogony.envs.core.players import make_player
from theogony.models.ask.said import ModelError
from theogony.models.play.settings import Settings
from theogony.models.play.table import Job, ModelTable, usual_table
from theogony.models.results.ladder import NAME, RUNGS

Chain = list[Job]  # played one after the other


def tables_of(name: str, options: dict[str, Any]) -> list[ModelTable]:
    """The table of a game, or of every game of a suite. Raises ModelError for options of a suite."""
    if name not in shipped().suites:
        return [usual_table(name, options)]
    if options:
        raise ModelError(f"{name}: is a suite, whose tasks have their options; expected no others")
    return [usual_table(game, {}) for game in dict.fromkeys(task.game for task in Suite.named(name).tasks)]


def opponents_of(table: ModelTable, against: str) -> list[str]:
    """Who sits in the other seats, one after the other: the rungs of the ladder, or players by name; of a team nobody.

    Raises ModelError, PlayerError or CheckpointError.
    """
    from theogony.benchmark.check.claims import thinks_by_time

    game = table.made
    if game.spec.cooperative:
        return [TEAM]
    names = list(RUNGS) if against == NAME else list(dict.fromkeys(part.strip() for part in against.split(",") if part))
    if not names:
        raise ModelError(f"--against: nobody is named; expected {NAME} or players such as greedy,reference")
    for name in names:
        make_player(name, game)
        if thinks_by_time(name):
            raise ModelError(f"{name}: thinks by time, and such games do not repeat; expected a number of simulations")
    return names


def chains_of(table: ModelTable, against: Sequence[str], games: int, settings: Settings) -> list[Chain]:
    """At least `games` games against each, as many in each seat.

    The games of a chain are of different deals, and the seats take turns: nobody learns a deal by heart. Chains are
    counted for each opponent from 0 on, so that a run that goes on with more games, or against others too, finds what
    was played.
    """
    game = table.made
    seats, length = game.players, settings.learn
    deals = math.ceil(math.ceil(games / seats) / length) * length
    found: list[Chain] = []
    for name in against:
        for chain in range(deals // length * seats):
            begin, first = chain // seats * length, chain % seats
            found.append(
                [
                    Job(table.name, name, begin + number, (first + number) % seats, chain, number)
                    for number in range(length)
                ]
            )
    return found
