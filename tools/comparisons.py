"""Compare ways to learn by what agents reach with them, as configs/comparisons.yaml says.

    python tools/comparisons.py                   train and measure what has not been measured yet; write the page
    python tools/comparisons.py --only Orbis      the same for comparisons whose title has that in it
    python tools/comparisons.py --again           train everything anew

What is compared is trained from the same file, changed in one thing, once for each seed, and plays fixed players with
the seats rotated. Figures are kept in docs/comparisons.json with a digest of the settings behind them: what was trained
with others is trained anew. Seconds are the processor's, which other work on the machine disturbs less than the clock.
`curves.py` then writes docs/lab/learning.md.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from theogony.envs.core.untrusted.checked import checked
from theogony.training.config import ConfigError
from theogony.training.config.engines import Config
from theogony.training.config.file import load_config, read_yaml
from theogony.training.learning.engine import SHARED
from theogony.training.learning.sb3 import Sb3Training
from theogony.training.learning.train import ENGINES

sys.path.append(str(Path(__file__).parent))  # for those who load this file by its path
from curves import COMPARISONS as FIGURES
from curves import write
from shared import ROOT, keep, read_figures

TABLE = ROOT / "configs/comparisons.yaml"


class Comparison(BaseModel):
    """One training file, changes of it for all, and the entries of it that each variant changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    file: str
    against: Annotated[list[str], Field(min_length=1)]
    overrides: list[str] = []
    variants: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]


class ComparisonList(BaseModel):
    """configs/comparisons.yaml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seeds: Annotated[list[int], Field(min_length=1)]
    games: Annotated[int, Field(ge=1)]
    comparisons: list[Comparison]


def read_table(path: Path) -> ComparisonList:
    """Raises ConfigError naming the key that is wrong."""
    return checked(ComparisonList, read_yaml(path)[0], str(path), ConfigError)


def settings(table: ComparisonList, comparison: Comparison, changes: dict[str, Any], seed: int) -> Config:
    """The training file of one run, changed. Raises ConfigError."""
    overrides = [*comparison.overrides, *(f"{key}={json.dumps(value)}" for key, value in changes.items())]
    overrides += [f"seed={seed}", f"evaluation.against={json.dumps(comparison.against)}"]
    return load_config(ROOT / comparison.file, [*overrides, f"evaluation.final_games={table.games}"])


def digest(config: Config) -> str:
    """16 hexadecimal digits that stand for all settings."""
    text = json.dumps(config.model_dump(mode="json", exclude={"folder"}), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def measure(config: Config, folder: Path) -> dict[str, Any]:
    """Train in a folder and evaluate: steps, parameters, seconds of the processor, results, and what an agent won
    before it had learnt anything."""
    training: Any = ENGINES[config.engine](config, folder)
    with contextlib.closing(training):
        training.begin()
        before = training.results(config.evaluation.final_games)[SHARED]
        started, end = time.process_time(), training.last_step()
        while training.steps < end:
            training.iterate()
        seconds = time.process_time() - started
        results = training.results(config.evaluation.final_games)[SHARED]
        network = training.model.policy if isinstance(training, Sb3Training) else training.net
        return {
            "steps": training.steps,
            "parameters": sum(parameter.numel() for parameter in network.parameters()),
            "seconds": round(seconds, 1),
            "before": {result.against: result.win_rate for result in before},
            "results": {result.against: asdict(result) for result in results},
        }


def planned(table: ComparisonList) -> Iterator[tuple[str, dict[str, Any], Config]]:
    """Key, facts and training file of each run, seed by seed: what disturbs the machine for a while disturbs all."""
    for seed in table.seeds:
        for comparison in table.comparisons:
            for name, changes in comparison.variants.items():
                config = settings(table, comparison, changes, seed)
                options = {option: value for option, value in config.options.items() if option != "players"}
                facts = {"title": comparison.title, "variant": name, "seed": seed, "options": options}
                facts |= {"changes": changes, "settings": digest(config)}
                yield f"{comparison.title}: {name} {seed}", facts, config


def figures(
    table: ComparisonList, known: dict[str, Any], only: str | None = None, again: bool = False
) -> Iterator[dict[str, Any]]:
    """What is known after each run, and at the end all that the table asks for."""
    found: dict[str, Any] = {}
    for key, facts, config in planned(table):
        same = not again and all(known.get(key, {}).get(name) == fact for name, fact in facts.items())
        if same or (only or "") not in facts["title"]:
            found |= {key: known[key]} if key in known else {}
            continue
        print(f"{key}: {config.algorithm.total_steps:,} steps", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            found[key] = {**facts, **measure(config, Path(folder))}
        yield {**known, **found}
    yield found


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", metavar="TEXT", help="comparisons whose title has this in it")
    parser.add_argument("--again", action="store_true", help="train everything anew")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    for found in figures(read_table(TABLE), read_figures(FIGURES), arguments.only, arguments.again):
        keep(FIGURES, found)
    write()


if __name__ == "__main__":
    main()
