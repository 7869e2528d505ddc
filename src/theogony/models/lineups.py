"""Who sits with whom: the tables of a game or a suite, line-ups of models and players, and the games they play."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from typing import Any

from theogony.benchmark.tasks import TEAM, Suite, shipped
from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.models.ask import ModelError
from theogony.models.ladder import ANCHORS, NAME
from theogony.models.table import BESIDE, MODEL, Job, ModelTable, jobs_of, usual_table
from theogony.training.rating.tournament import Plan

Jobs = tuple[Job, ...]  # a job for each model that sits there
Chain = list[Jobs]  # played one after the other
TEAMMATES = "+"  # between those who sit together in a cooperative game
OWN_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,40}")  # of a model among several


def tables_of(name: str, options: dict[str, Any], teams: bool = False) -> list[ModelTable]:
    """The table of a game, or of every game of a suite. Raises ModelError for options of a suite."""
    if name not in shipped().suites:
        return [usual_table(name, options, teams)]
    if options:
        raise ModelError(f"{name}: is a suite, whose tasks have their options; expected no others")
    return [usual_table(game, {}) for game in dict.fromkeys(task.game for task in Suite.named(name).tasks)]


def opponents_of(table: ModelTable, against: str) -> list[str]:
    """Return who sits in the other seats, in turn: the anchors of the ladder, or players by name; of a team nobody.

    Raises ModelError, PlayerError or CheckpointError.
    """
    game = table.made
    if game.spec.cooperative:
        return [TEAM]
    named = ANCHORS if against == NAME else (part.strip() for part in against.split(",") if part)
    names = list(dict.fromkeys(named))
    if not names:
        raise ModelError(f"--against: nobody is named; expected {NAME} or players such as greedy,reference")
    for name in names:
        check_player(name, game)
    return names


def check_player(name: str, game: Game) -> None:
    """Raise ModelError, PlayerError or CheckpointError for one that cannot sit at a table of models."""
    from theogony.benchmark.verify import thinks_by_time

    make_player(name, game)
    if thinks_by_time(name):
        raise ModelError(f"{name}: thinks by time, and such games do not repeat; expected a number of simulations")


def chains_of(table: ModelTable, lineups: Sequence[Sequence[str]], games: int, length: int) -> list[Chain]:
    """At least `games` games of each line-up, every deal in every rotation of its seats, in chains of such a length.

    The games of a chain are of different deals, and the seats take turns: nobody learns a deal by heart. Chains are
    counted for each line-up from 0 on, so that a run that goes on with more games, or with others too, finds what was
    played.
    """
    found: list[Chain] = []
    for lineup in lineups:
        turned = (tuple(lineup[len(lineup) - k :]) + tuple(lineup[: len(lineup) - k]) for k in range(len(lineup)))
        seatings = list(dict.fromkeys(turned))
        count = len(seatings)
        deals = math.ceil(math.ceil(games / count) / length) * length
        for chain in range(deals // length * count):
            begin, first = chain // count * length, chain % count
            places = [(seatings[(first + number) % count], begin + number, number) for number in range(length)]
            found.append([jobs_of(table.name, seating, deal, chain, number) for seating, deal, number in places])
    return found


# ---- Several models: `--seats model:a,model:b,reference` ---------------------------------------------------------


def seats_named(text: str, models: Collection[str]) -> list[str]:
    """Who is to meet, by the names in a list; `ladder` stands for its anchors. Raises ModelError."""
    found: list[str] = []
    for name in (part.strip() for part in text.split(",")):
        found += ANCHORS if name == NAME else [name] if name else []
    found = list(dict.fromkeys(found))
    mates = [mate for name in found for mate in name.split(TEAMMATES)]
    named = {mate.removeprefix(MODEL) for mate in mates if mate.startswith(MODEL)}
    if len(found) < 2:
        raise ModelError(f"--seats: {text or 'nobody'}: expected two names or more: {MODEL}a,{MODEL}b,reference")
    if not named:
        raise ModelError(f"--seats: {text}: names no model; expected {MODEL}{next(iter(models), 'a')} among them")
    if unknown := next((name for name in named if name not in models), None):
        raise ModelError(f"--seats: {MODEL}{unknown}: expected one that --model NAME=... names: {', '.join(models)}")
    if idle := next((name for name in models if name not in named), None):
        raise ModelError(f"--model: {idle}: has no seat; expected {MODEL}{idle} in --seats")
    return found


def lineups_of(table: ModelTable, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Who sits together: as in a tournament, but for those line-ups in which there is no model.

    In a cooperative game each name is a team, of one or of `a+b`. Raises ModelError, PlayerError or CheckpointError.
    """
    game = table.made
    if game.spec.cooperative:
        found = [team_of(name, game.players) for name in names]
    elif together := next((name for name in names if TEAMMATES in name or BESIDE in name), None):
        raise ModelError(f"--seats: {together}: {game.spec.name} has no teams; expected one name")
    else:
        found = Plan(game, tuple(names), 0).lineups()
    for name in dict.fromkeys(name for lineup in found for name in lineup if not name.startswith(MODEL)):
        check_player(name, game)
    return [lineup for lineup in found if any(name.startswith(MODEL) for name in lineup)]


def team_of(name: str, players: int) -> tuple[str, ...]:
    """Who the heroes of a team are. Raises ModelError."""
    mates = name.split(TEAMMATES)
    if len(mates) not in (1, players):
        raise ModelError(f"--seats: {name}: is a team of {len(mates)}; expected one name, or {players}")
    return tuple(mates * players if len(mates) == 1 else mates)
