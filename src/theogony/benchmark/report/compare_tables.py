"""What `compare` found as text, as CSV and as LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from theogony.benchmark.agents import Agent as Played
from theogony.benchmark.report.compare import Ahead, Comparison, Overall
from theogony.benchmark.report.files import HEAD, as_csv, latex_row
from theogony.benchmark.report.markdown import one_line
from theogony.benchmark.results import MIN_SEEDS

NONE, WIDTH = "-", 27  # of a difference with its interval
ALL = "interquartile mean"
HEADS = (
    *("suite", "mine", "theirs", "my_seeds", "their_seeds", "task"),
    *("my_reward", "their_reward", "reward_ahead", "reward_low", "reward_high"),
    *("my_score", "their_score", "score_ahead", "score_low", "score_high"),
    *("improvement", "improvement_low", "improvement_high"),
)


def as_text(found: Comparison) -> str:
    """A line a task, then what holds over all; a star is where an interval leaves out zero."""
    wide = max(len(row.task) for row in found.rows)
    lines = [
        f"{found.mine.name} beside {found.theirs.name} in {found.mine.runs[0].suite}{_seeds(found)}",
        f"{'task':<{wide}} {'reward':>7} {'theirs':>7}  {'ahead by':<{WIDTH}} {'score':>6} {'theirs':>6}  ahead by",
    ]
    for row in found.rows:
        rewards = f"{row.rewards.mine:>7.3f} {row.rewards.theirs:>7.3f}  {_signed(row.rewards, 3):<{WIDTH}}"
        scores = f"{NONE:>6} {NONE:>6}  {NONE}"
        if row.scores is not None:
            scores = f"{_two(row.scores.mine):>6} {_two(row.scores.theirs):>6}  {_signed(row.scores, 2)}"
        lines.append(f"{row.task:<{wide}} {rewards} {scores}")
    lines += _of_all(found.overall)
    lines += [f"played by one of them only: {', '.join(found.left)}"] if found.left else []
    lines += [f"both have played {' and '.join(found.also)} as well: --suite {found.also[0]}"] if found.also else []
    return "\n".join([*lines, *_warnings(found)])


def _warnings(found: Comparison) -> Iterator[str]:
    """What of the two agents is not alike, or weakens what the figures say."""
    sides = found.mine, found.theirs
    kinds = [_kind(one.runs[0].agent) for one in sides]
    if kinds[0] != kinds[1]:
        said = " and ".join(f"{one.name} ({kind})" for one, kind in zip(sides, kinds, strict=True))
        yield f"not alike: {said}: the leaderboard compares agents of one kind and one track"
    versions = sorted({run.theogony for one in sides for run in one.runs})
    if len(versions) > 1:
        yield f"not alike: measured by theogony {' and '.join(versions)}"
    for one in sides:
        learnt = any(run.agent.trained for run in one.runs)
        if learnt and len(one.runs) < MIN_SEEDS:
            yield f"{one.name} has learnt with {len(one.runs)} of {MIN_SEEDS} seeds: another seed may play otherwise"
        if crashes := sum(len(run.crashes) for run in one.runs):
            games = sum(len(series.results) for run in one.runs for series in run.games)
            yield f"{one.name} has lost {crashes:,} of {games:,} games by an error or an illegal action"


def _kind(agent: Played) -> str:
    """The kind of an agent, and what it learnt within."""
    return f"{agent.kind}, {f'track {agent.track}' if agent.track else 'without a track'}"


def _of_all(overall: Overall | None) -> list[str]:
    if overall is None:
        return ["no scores: what 0 and 1 are is not known, or not the same for both"]
    iqm = overall.iqm
    over = f"{overall.tasks} tasks" if overall.tasks > 1 else "1 task"
    return [
        f"{ALL} over {over}: {_two(iqm.mine)} beside {_two(iqm.theirs)}, ahead by {_signed(iqm, 2)}",
        f"probability of improvement: {overall.better:.2f} ({overall.low:.2f} to {overall.high:.2f})",
    ]


def _seeds(found: Comparison) -> str:
    mine, theirs = len(found.mine.runs), len(found.theirs.runs)
    return f", {mine} and {theirs} seeds" if mine + theirs > 2 else ""


def _two(score: float) -> str:
    """A score with two digits; what is rounded to nothing has no minus."""
    return f"{round(score, 2) + 0.0:.2f}"


def _signed(ahead: Ahead, digits: int) -> str:
    """A difference with its interval, each with a sign."""
    middle, low, high = (round(one, digits) + 0.0 for one in (ahead.difference, ahead.low, ahead.high))
    return f"{middle:+.{digits}f} ({low:+.{digits}f} to {high:+.{digits}f}){' *' if ahead.is_clear else ''}"


# ---------------------------------------------------------------------------------------------------- files


def compare_csv(found: Sequence[Comparison]) -> str:
    """A line each task of each comparison, and one that is called `interquartile mean` over all."""
    return as_csv(HEADS, (row for one in found for row in _rows(one)))


def _rows(found: Comparison) -> Iterator[tuple[object, ...]]:
    sides = found.mine, found.theirs
    names = found.mine.runs[0].suite, *(one.name for one in sides), *(len(one.runs) for one in sides)
    for row in found.rows:
        yield *names, row.task, *_figures(row.rewards), *_figures(row.scores), None, None, None
    if (overall := found.overall) is not None:
        yield *names, ALL, *_figures(None), *_figures(overall.iqm), overall.better, overall.low, overall.high


def _figures(ahead: Ahead | None) -> tuple[float | None, ...]:
    return (None,) * 5 if ahead is None else (ahead.mine, ahead.theirs, ahead.difference, ahead.low, ahead.high)


def compare_latex(found: Sequence[Comparison]) -> str:
    """A `tabular` of scores for each suite, for the package booktabs: beside several agents a column for each."""
    suites: dict[str, list[Comparison]] = {}
    for one in found:
        suites.setdefault(one.mine.runs[0].suite, []).append(one)
    tables = [_beside_one(*of) if len(of) == 1 else _beside_many(of) for of in suites.values()]
    return f"{HEAD}% {_how_to_read(found)}\n" + "\n".join(tables)


def _how_to_read(found: Sequence[Comparison]) -> str:
    """What a caption should say: what 0 and 1 are, what stands in brackets, what has measured it."""
    runs = [run for one in found for side in (one.mine, one.theirs) for run in side.runs]
    ones = " or ".join(sorted({score.one for run in runs for score in run.scores}))
    versions = " and ".join(sorted({run.theogony for run in runs}))
    scores = f"0 is random play and 1 {ones}; " if ones else ""
    star = "a star where the 95 % interval of the difference leaves out zero; " if len(found) > 1 else ""
    return one_line(f"scores: {scores}in brackets 95 % intervals; {star}measured by theogony {versions}")


def _beside_one(found: Comparison) -> str:
    said = one_line(f"{found.mine.name} beside {found.theirs.name} in {found.mine.runs[0].suite}{_seeds(found)}")
    rows = [latex_row((row.task, *_cells(row.scores))) for row in found.rows]
    if (overall := found.overall) is not None:
        rows += ["\\midrule\n", latex_row((ALL, *_cells(overall.iqm)))]
        rows += [latex_row(("probability of improvement", "", "", _better(overall)))]
    return _tabular(said, ("task", found.mine.name, found.theirs.name, "difference"), rows)


def _beside_many(found: Sequence[Comparison]) -> str:
    """A column for each of the others, and under it how far the first is ahead of it over all."""
    mine = found[0].mine
    said = one_line(f"{mine.name} beside {len(found)} others in {mine.runs[0].suite}")
    by_task = [{row.task: row.scores for row in one.rows} for one in found]
    rows = []
    for task in dict.fromkeys(task for one in by_task for task in one):
        known = [one.get(task) for one in by_task]
        first = next((_two(ahead.mine) for ahead in known if ahead is not None), NONE)
        rows.append(latex_row((task, first, *map(_theirs, known))))
    iqms = [None if one.overall is None else one.overall.iqm for one in found]
    own = {_two(iqm.mine) for iqm in iqms if iqm is not None}
    likely = [NONE if one.overall is None else _better(one.overall) for one in found]
    rows += ["\\midrule\n", latex_row((ALL, own.pop() if len(own) == 1 else NONE, *map(_theirs, iqms)))]
    rows += [latex_row(("ahead by", "", *(_cells(iqm)[2] for iqm in iqms)))]
    rows += [latex_row(("probability of improvement", "", *likely))]
    return _tabular(said, ("task", mine.name, *(one.theirs.name for one in found)), rows)


def _theirs(ahead: Ahead | None) -> str:
    """The score of the other, with a star where the two are told apart."""
    return NONE if ahead is None else _two(ahead.theirs) + ("*" if ahead.is_clear else "")


def _better(overall: Overall) -> str:
    return f"{overall.better:.2f} [{overall.low:.2f}, {overall.high:.2f}]"


def _tabular(said: str, heads: Sequence[str], rows: Sequence[str]) -> str:
    body = "".join(rows)
    return (
        f"% {said}\n\\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}\n\\toprule\n{latex_row(heads)}\\midrule\n"
        f"{body}\\bottomrule\n\\end{{tabular}}\n"
    )


def _cells(ahead: Ahead | None) -> tuple[str, str, str]:
    if ahead is None:
        return NONE, NONE, NONE
    middle, low, high = (f"{round(one, 2) + 0.0:+.2f}" for one in (ahead.difference, ahead.low, ahead.high))
    return _two(ahead.mine), _two(ahead.theirs), f"{middle} [{low}, {high}]"
