"""Submissions of language models and programs: results of `theogony models`, which are shown apart from agents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from theogony.benchmark.report.markdown import cell, table
from theogony.benchmark.results import METADATA, Metadata, read_metadata
from theogony.benchmark.tasks import BenchmarkError
from theogony.benchmark.verify import NAME, Mark, read_marks
from theogony.models.ladder import differs, shipped_ladders
from theogony.models.results import Rating, Results, digest_of_games, figures_of, is_results, read_results

HEADS = (
    "table",
    "model",
    "kind",
    "track",
    "points above random",
    "first replies legal",
    "tokens a game",
    "games",
    "verified",
)


class ModelEntry(NamedTuple):
    """A results file of a model, and what is said of it."""

    metadata: Metadata
    results: Results
    verified: str


def is_of_models(folder: Path) -> bool:
    """Whether a submission holds results of a language model or a program, and nothing else."""
    files = list(folder.glob("*.json"))
    return bool(files) and all(map(is_results, files))


def read_models(folder: Path) -> Iterator[ModelEntry]:
    """The submissions of models in a folder. Raises BenchmarkError or ModelError naming a file that does not fit."""
    marks = read_marks(folder / NAME).files
    for path in sorted(one.parent for one in folder.rglob(METADATA)):
        if not is_of_models(path):
            continue
        metadata = read_metadata(path / METADATA)
        for file in sorted(path.glob("*.json")):
            results = read_results(file)
            if results.name != metadata.name:
                raise BenchmarkError(f"{file}: is of {results.name!r}, but {METADATA} is of {metadata.name!r}")
            if figures_of(results.games, results.settings) != results.figures:
                raise BenchmarkError(f"{file}: figures: are others than those that follow from the games")
            mark = marks.get(file.resolve().relative_to(folder.resolve()).as_posix())
            yield ModelEntry(metadata, results, _level(mark, results))


def _level(mark: Mark | None, results: Results) -> str:
    return f"replayed ({mark.replayed})" if mark and mark.games == digest_of_games(results) else "-"


def models_table(entries: Sequence[ModelEntry]) -> Iterator[str]:
    """A line for each table that a model has played: the best first, by table."""
    rows = [(one.table, -rating, row) for entry in entries for one, rating, row in _rows(entry)]
    yield from table(HEADS, (row for _, _, row in sorted(rows, key=lambda row: row[:2])))


def _rows(entry: ModelEntry) -> Iterator[tuple[Rating, float, list[str]]]:
    figures, results = entry.results.figures, entry.results
    for one in figures.ratings:
        table, ladder = next(t for t in results.tables if t.name == one.table), shipped_ladders().tables[one.table]
        why = differs(ladder, table.version, table.components, table.options)
        rough = f"; rough: the ladder {why}" if why else ""
        games = [game for game in results.games if game.table == one.table]
        row = [
            cell(one.table),
            cell(results.name),
            results.kind,
            cell(results.track),
            f"{one.points:+.0f} ({one.low:+.0f} to {one.high:+.0f}){rough}",
            f"{sum(game.first_legal for game in games) / max(sum(game.asked for game in games), 1):.0%}",
            f"{sum(game.read + game.written for game in games) / len(games):,.0f}",
            f"{len(games):,}",
            entry.verified,
        ]
        yield one, one.points, row
