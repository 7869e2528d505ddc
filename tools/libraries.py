"""What other libraries make of our environments: `python tools/libraries.py` runs the examples and writes the
table in docs/libraries.md.

Every example has a process of its own; RLlib's has the Python of `.venv-rllib`, where there is one. What learns gets
a small budget of Orbis for two, and then plays against random; what does not learn plays Push of Faith. Decisions are
those that it learnt from, by the processor time of all of it: what other programs on the machine take does not count,
imports neither. The interval of a win rate is Wilson's, at 95 %; a shared win counts half.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import runpy
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from theogony.envs.core.contract import table
from theogony.envs.core.untrusted.files import replace_file

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "libraries.md"
BEGIN, END = "<!-- tools/libraries.py -->", "<!-- end -->"
HEADER = ["library", "version", "what was run", "decisions", "a second of processor time", "win rate against random"]
DECIDED = 18  # decisions of a seat in a game of Push of Faith for two
ROLLOUT = 18 * 64  # decisions between two updates of most examples
RAY = ROOT / ".venv-rllib" / "bin" / "python"


LEARN = "--game orbis --total-steps {decisions}"  # beginners learn sooner there than in Push of Faith


@dataclass(frozen=True)
class Example:
    """One row. The budget is rounded down to whole `unit`s, such as rollouts."""

    library: str
    package: str
    file: str
    budget: int  # decisions
    unit: int = ROLLOUT
    arguments: str = LEARN
    python: Path = Path(sys.executable)

    def of(self, budget: float) -> tuple[int, str]:
        """Return decisions and arguments of the example for so many times the usual budget."""
        units = max(1, int(self.budget * budget) // self.unit)
        decisions = units * self.unit
        return decisions, self.arguments.format(units=units, decisions=decisions, games=decisions // DECIDED)


EXAMPLES = (
    Example("CleanRL's style", "torch", "cleanrl_ppo.py", 300_000, 64 * 128),
    Example("Deep Monte Carlo", "torch", "deep_monte_carlo.py", 300_000, 36 * 128),
    Example("Stable-Baselines3", "sb3_contrib", "sb3_ppo.py", 100_000),
    Example("skrl", "skrl", "skrl_ppo.py", 100_000),
    Example("JAX", "jax", "jax_ppo.py", 300_000, 64 * 36),
    Example("Tianshou", "tianshou", "tianshou_ppo.py", 100_000),
    Example("TorchRL", "torchrl", "torchrl_ppo.py", 100_000),
    Example("RLlib", "ray", "rllib_ppo.py", 100_000, python=RAY),
    Example("OpenSpiel", "open_spiel", "openspiel_ismcts.py", 360, 2 * DECIDED, "--games {games}"),
    Example("PufferLib's style", "theogony", "puffer_env.py", 1_000_000, 256, "--steps {units}"),
)
NOT_RUN = (
    ("AgileRL", "2.58.0 asks for pettingzoo < 1.27, and ours is tested with 1.27; `make agilerl` lets it play"),
    (
        "PufferLib",
        "the newest wheel, 2.0.2, asks for numpy 1.23.3 and gymnasium < 0.30, and ours for numpy 2 and gymnasium 1.2; "
        "3.0.0 comes as source only, which did not build here",
    ),
)


def measure(example: Example, budget: float) -> tuple[str, ...]:
    """The figures of one example, in this process."""
    decisions, arguments = example.of(budget)
    sys.path.append(str(ROOT / "examples"))  # an example may import one beside it
    main = runpy.run_path(str(ROOT / "examples" / example.file))["main"]
    before = sum(os.times()[:4])  # with that of processes which have ended
    with contextlib.redirect_stdout(io.StringIO()):
        results = main(arguments.split())
    result = results[0] if isinstance(results, list) else results
    rate = decisions / (sum(os.times()[:4]) - before)
    won = "plays at random"
    if result is not None:
        won = f"{result.win_rate:.1%} ({result.low:.1%} to {result.high:.1%})"
    command = f"`examples/{example.file} {arguments}`"
    release = f"{example.package} {version(example.package)}"
    return (example.library, release, command, f"{decisions:,}", f"{rate:,.0f}", won)


def row(example: Example, budget: float) -> tuple[str, ...]:
    """A row of the table, measured in a process of its own; where that fails, a row that says why."""
    if not example.python.is_file():
        return not_run(example.library, f"there is no {example.python.relative_to(ROOT)}")
    command = [str(example.python), __file__, "--only", example.library, "--budget", str(budget)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return not_run(example.library, done.stderr.strip().rpartition("\n")[2])
    return tuple(json.loads(done.stdout.strip().rpartition("\n")[2]))


def one_row(library: str, budget: float) -> str:
    """The row as JSON. Ends the process where the library is missing."""
    try:
        return json.dumps(next(measure(example, budget) for example in EXAMPLES if example.library == library))
    except (ModuleNotFoundError, PackageNotFoundError) as error:
        sys.exit(f"{error.name} is not installed")


def not_run(library: str, reason: str) -> tuple[str, ...]:
    """A row without figures."""
    return (library, "–", f"not run: {reason}", "–", "–", "–")


def split(page: Path) -> tuple[str, dict[str, tuple[str, ...]], str]:
    """The page before the table, the rows by library, and the page behind it. Raises ValueError without its marks."""
    before, begin, rest = page.read_text("utf-8").partition(BEGIN)
    inside, end, behind = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page}: expected the marks {BEGIN} and {END}")
    rows = [tuple(line.strip("| ").split(" | ")) for line in inside.strip().splitlines()[2:]]
    return before, {cells[0]: cells for cells in rows}, behind


def write(page: Path, found: dict[str, tuple[str, ...]]) -> None:
    """Put rows into the table; those that are not in `found` stay."""
    before, rows, behind = split(page)
    rows |= found | {library: not_run(library, reason) for library, reason in NOT_RUN}
    order = [library for library in [*(example.library for example in EXAMPLES), *dict(NOT_RUN)] if library in rows]
    text = table(HEADER, [rows[library] for library in order])
    replace_file(page, f"{before}{BEGIN}\n{text}\n{END}{behind}".encode())


def main() -> None:
    """Run examples and write their rows into the page."""
    names = [example.library for example in EXAMPLES]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=float, default=1.0, help="times the usual number of decisions")
    parser.add_argument("--again", choices=names, action="append", help="only this row; the others stay as they are")
    parser.add_argument("--jobs", type=int, default=1, help="rows that are run at the same time")
    parser.add_argument("--only", choices=names, help="one row, in this process, as JSON")
    settings = parser.parse_args()
    if settings.only is not None:
        print(one_row(settings.only, settings.budget))
        return
    chosen = [example for example in EXAMPLES if example.library in (settings.again or names)]
    with ThreadPoolExecutor(settings.jobs) as pool:
        for found in pool.map(lambda example: row(example, settings.budget), chosen):
            print(" | ".join(found), flush=True)
            write(PAGE, {found[0]: found})


if __name__ == "__main__":
    main()
