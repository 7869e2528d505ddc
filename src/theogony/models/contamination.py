"""How much of a model's rating is memory of the printed game: `theogony models --contamination`.

A model plays the same deals from the same seats against the same players in three conditions: the game as it is
printed, with every name another, and with components that nobody has seen. Players that have learnt nothing do not
notice other names; what other components change for one of them, the `control`, is taken off. All differences are
paired: a bootstrap over deals draws the same deals, and the same ratings of the anchors, in every condition.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from theogony.benchmark.tasks import TEAM, Strict, shipped
from theogony.envs.core.contract import deal_seed
from theogony.envs.core.untrusted.files import replace_file
from theogony.models.ask import ModelError
from theogony.models.game import ModelGame, played_by
from theogony.models.ladder import ANCHORS, NAME, Anchor, anchors_of, bounded, rated, seats_at
from theogony.models.results import Results, read_results, unrated, won_of
from theogony.models.run import Measurement, measure
from theogony.models.table import End, Job, ModelTable, Seats
from theogony.training.storage.disk import remove_leftovers

PRINTED, RENAMED, UNSEEN = "printed", "renamed", "unseen"
WORDS = {
    PRINTED: "names and components as printed",
    RENAMED: "every name another",
    UNSEEN: "components that nobody has seen",
}
COMPONENTS = "random:1000-1099"  # nobody learns with these, see docs/packs.md
UNLEARNT = tuple(name for name in ANCHORS if "@" not in name)


class Points(Strict):
    """Elo points, or a difference of such, with the 95 % interval."""

    points: float
    low: float
    high: float


FEWEST = 5  # deals from which something is said: fewer have no interval to speak of


class Report(Strict):
    """What is told: the rating in each condition, those of the control, and what of the first is memory."""

    name: str
    track: str
    table: str
    games: int
    deals: int
    against: list[str]
    ratings: dict[str, Points]
    control: str
    controls: dict[str, Points]
    names: Points
    components: Points


def conditions(wanted: Measurement) -> dict[str, Measurement]:
    """The three measurements. Raises ModelError for what would make them differ in more than that."""
    if wanted.seats or wanted.game in shipped().suites:
        raise ModelError("--contamination: expected one game and one model")
    if wanted.settings.rules != "given" or "components" in wanted.options:
        raise ModelError("--contamination: sets rules and components itself; expected neither --rules nor components")
    printed = replace(wanted, against=",".join(UNLEARNT) if wanted.against == NAME else wanted.against)
    renamed = {"settings": wanted.settings.model_copy(update={"rules": "renamed"})}
    unseen = {"options": {**wanted.options, "components": COMPONENTS}}
    return {PRINTED: printed} | {
        name: replace(printed, out=wanted.out.with_name(f"{wanted.out.stem}-{name}.json"), **changed)
        for name, changed in ((RENAMED, renamed), (UNSEEN, unseen))
    }


def run(wanted: Measurement) -> None:
    """The command: measure in each condition, print and write the report. Raises ModelError when games are left."""
    budget = wanted.budget()
    for name, one in conditions(wanted).items():
        print(f"{name}: {WORDS[name]}", flush=True)
        why = measure(one, budget)[1]
        if why:
            raise ModelError(f"{name}: {why}")
    report = report_of(conditions(wanted))
    out = wanted.out.with_name(f"{wanted.out.stem}-contamination.json")
    remove_leftovers(out.parent, (out.name,))
    replace_file(out, json.dumps(report.model_dump(), indent=1, ensure_ascii=False).encode() + b"\n")
    print(as_text(report), f"{out}: written", sep="\n", flush=True)


# ---- From games to differences -------------------------------------------------------------------------------------


def report_of(measured: Mapping[str, Measurement]) -> Report:
    """What the results files of the three measurements say. Raises ModelError where nothing can be rated."""
    found = {name: read_results(one.out) for name, one in measured.items()}
    printed = found[PRINTED]
    table = printed.tables[0].name
    anchors = anchors_of(table)
    games = {
        name: {(one.against, one.deal, one.seat): one for one in results.games if one.against in anchors}
        for name, results in found.items()
    }
    keys = sorted(set.intersection(*(set(one) for one in games.values())))
    if why := next((why for results in found.values() for why in unrated(results.games).values()), None):
        raise ModelError(f"{printed.name}: has no rating: {why}")
    if not keys:
        raise ModelError(
            f"{table}: has no ladder, or none of its anchors played; expected some of {', '.join(UNLEARNT)}"
        )
    drawn = {name: _drawn(keys, [one[key] for key in keys], anchors, table) for name, one in games.items()}
    against = list(dict.fromkeys(key[0] for key in keys))
    control = _control(float(drawn[PRINTED][0]), against, anchors)
    beside = {name: _played_by(control, measured[name], found[name], keys) for name in (PRINTED, UNSEEN)}
    controls = {name: _drawn(keys, ends, anchors, table) for name, ends in beside.items()}
    return Report(
        name=printed.name,
        track=printed.track,
        table=table,
        games=len(keys),
        deals=len({deal for _, deal, _ in keys}),
        against=against,
        ratings={name: _points(one) for name, one in drawn.items()},
        control=control,
        controls={name: _points(one) for name, one in controls.items()},
        names=_points(drawn[PRINTED] - drawn[RENAMED]),
        components=_points(drawn[PRINTED] - drawn[UNSEEN] - (controls[PRINTED] - controls[UNSEEN])),
    )


Key = tuple[str, int, int]  # against, deal and seat


def _drawn(keys: Sequence[Key], ends: Sequence[End], anchors: Mapping[str, Anchor], table: str) -> np.ndarray:
    """The rating of these games, and those of the bootstrap."""
    met, deals = [anchors[against] for against, _, _ in keys], [deal for _, deal, _ in keys]
    return rated(met, won_of(ends, table), deals, seats_at(table))


def _points(drawn: np.ndarray) -> Points:
    return Points(**dict(zip(Points.model_fields, bounded(drawn), strict=True)))


def _control(points: float, against: Sequence[str], anchors: Mapping[str, Anchor]) -> str:
    """The player that is nearest to the model, of those that have learnt nothing and play here."""
    known = [name for name in UNLEARNT if name in anchors and (name in against or TEAM in against)]
    if not known:
        raise ModelError(f"--against: expected one of {', '.join(UNLEARNT)} as well, to compare with")
    return min(known, key=lambda name: abs(anchors[name].points - points))


def _played_by(player: str, wanted: Measurement, results: Results, keys: Sequence[Key]) -> list[End]:
    """How the games end where a player sits in the model's seat."""
    table = ModelTable(results.tables[0].game, results.tables[0].options)
    settings = wanted.settings.model_copy(update={"learn": 1})
    seats = Seats({table.name: table}, settings)
    jobs = [Job(table.name, *key) for key in keys]
    return [played_by(player, seats, ModelGame(seats, [one], [settings]), deal_seed(one.deal))[0] for one in jobs]


# ---- Output --------------------------------------------------------------------------------------------------------


def as_text(report: Report) -> str:
    """The rating in each condition, and what of it is memory."""
    lines = [
        f"{report.name} ({report.track}), {report.table}: {report.games} games in each condition, the same deals and "
        f"seats, against {', '.join(report.against)}",
        f"{'condition':<16}{'points above random':<28}played with",
    ]
    lines += [f"{name:<16}{_shown(one):<28}{WORDS[name]}" for name, one in report.ratings.items()]
    who = f"{report.control}, which remembers nothing"
    lines += [f"  control       {_shown(one):<28}{WORDS[name]}: {who}" for name, one in report.controls.items()]
    return "\n".join([*lines, *_verdicts(report)])


def _verdicts(report: Report) -> Iterator[str]:
    told: dict[str, Any] = {
        "printed names": (report.names, "are lost when every name is another"),
        "printed components": (report.components, f"are lost with others, beyond what {report.control} loses"),
    }
    whole = report.ratings[PRINTED].points
    for what, (one, why) in told.items():
        sure = "memory of them, or what it costs to do without" if one.low > 0 else "no more than chance"
        if report.deals < FEWEST:
            sure = f"nothing can be said from {report.deals} of the {FEWEST} deals that it takes at least (--games)"
        yield f"{what}: {_shown(one)} of {whole:+.0f} points {why}: {sure}"


def _shown(one: Points) -> str:
    return f"{one.points:+.0f} ({one.low:+.0f} to {one.high:+.0f})"
