"""What other libraries make of our environments: `python benchmarks/libraries.py` runs the examples and writes the
table in docs/libraries.md.

Every example learns Push of Faith for two with a small budget, in this process. Decisions a second are those of its
training by the time of the whole example: learning and the evaluation at the end are in it, imports are not.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import runpy
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from theogony.envs.core.files import replace_file

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "libraries.md"
BEGIN, END = "<!-- benchmarks/libraries.py -->", "<!-- end -->"
HEADER = ("library", "version", "what was run", "decisions", "decisions a second", "win rate against random")


@dataclass(frozen=True)
class Example:
    """One row: `counted` and `won` read the number of decisions and the win rate from what `main` returns."""

    library: str
    package: str
    file: str
    arguments: Callable[[float], list[str]]  # of the budget, 1 for the usual
    counted: Callable[[Any, float], float]
    won: Callable[[Any], float | None]


EXAMPLES = (
    Example(
        "CleanRL's style",
        "torch",
        "cleanrl_ppo.py",
        lambda budget: ["--total-steps", str(round(100_000 * budget))],
        lambda found, budget: round(100_000 * budget),
        float,
    ),
    Example(
        "Tianshou",
        "tianshou",
        "tianshou_ppo.py",
        lambda budget: ["--epochs", "1", "--epoch-steps", str(round(20_000 * budget))],
        lambda found, budget: round(20_000 * budget),
        lambda found: float((found.returns > 0).mean()),
    ),
    Example(
        "TorchRL",
        "torchrl",
        "torchrl_rollout.py",
        lambda budget: ["--games", str(max(1, round(100 * budget)))],
        lambda found, budget: sum(len(game) for game in found),
        lambda found: None,  # the example plays against itself only
    ),
)


def row(example: Example, budget: float) -> tuple[str, ...]:
    """The figures of one example; a dash where the library is missing."""
    try:
        release = f"{example.package} {version(example.package)}"
    except PackageNotFoundError:
        return (example.library, "not installed", "–", "–", "–", "–")
    arguments = example.arguments(budget)
    main = runpy.run_path(str(ROOT / "examples" / example.file))["main"]
    with contextlib.redirect_stdout(io.StringIO()):
        begin = time.perf_counter()
        found = main(arguments)
        seconds = time.perf_counter() - begin
    decisions, won = example.counted(found, budget), example.won(found)
    command = f"`examples/{example.file} {' '.join(arguments)}`"
    share = "not measured" if won is None else f"{won:.0%}"
    return (example.library, release, command, f"{decisions:,}", f"{decisions / seconds:,.0f}", share)


def table(rows: list[tuple[str, ...]]) -> str:
    """Rows as Markdown."""
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (HEADER, ("---",) * len(HEADER), *rows))


def write(page: Path, text: str) -> None:
    """Put the table between its marks. Raises ValueError where they are missing."""
    found = page.read_text("utf-8")
    pattern = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    if not pattern.search(found):
        raise ValueError(f"{page}: expected the marks {BEGIN} and {END}")
    replace_file(page, pattern.sub(lambda _: f"{BEGIN}\n{text}\n{END}", found).encode())


def main() -> None:
    """Run all examples and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=float, default=1.0, help="times the usual number of decisions")
    budget = parser.parse_args().budget
    rows = []
    for example in EXAMPLES:
        rows.append(row(example, budget))
        print(" | ".join(rows[-1]), flush=True)
        write(PAGE, table(rows))


if __name__ == "__main__":
    main()
