"""Commands of the benchmark: `theogony benchmark run`, `join`, `verify`, `exploit`, `compare`, `regret`, `submit`,
`report`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer
from typer import Argument, Option

from theogony.commands import arguments as given

MAX_DIGITS, MAX_SEEDS = 24, 1000
SUITES, TASK = "quick, medium, standard, ladder or unseen", "orbis-2p-medium-v1"
WHOM = (
    "whom to measure: a player by its name, net.onnx, module:Class, the folder of a run; or with --track what is "
    "trained first: a training file ('FILE.yaml key=value') or a program. In it {game}, {players} and {task} stand for "
    "those of the task, {seed} for the seed"
)
RESULTS = "the results file, .json or .json.gz; {seed} stands for the seed; by default AGENT-SUITE-SEED.json"
COST = "only play one deal of each task and tell how long all would take a processor; learning is not in it"


def run(
    suite: Annotated[str, Argument(metavar="SUITE|TASK,TASK...", help=f"{SUITES}; or ids of tasks, such as {TASK}")],
    agent: Annotated[str, Option(metavar="PLAYER|FILE.yaml|FILE.py", help=WHOM)],
    track: Annotated[
        str | None, Option(metavar="TRACK", help="how much it may learn: 200k, 1M or 10M decisions, or 1h")
    ] = None,
    seeds: Annotated[
        str, Option(metavar="N|N-N|N,N", help="seeds of its training, or of its random numbers: a file for each")
    ] = "0",
    only: Annotated[str, Option(metavar="TASK,TASK...", help="play only these tasks of the suite")] = "",
    deals: Annotated[
        int | None, Option(min=1, metavar="N", help="a trial: only the first N deals of each task, no result to submit")
    ] = None,
    out: Annotated[str, Option(metavar="FILE", help=RESULTS)] = "",
    name: Annotated[str, Option(help="what the agent is called in results; by default what --agent says")] = "",
    workers: given.Workers = None,
    cluster: given.OnCluster = None,
    cost: Annotated[bool, Option("--cost", help=COST)] = False,
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Measure an agent in a suite.

    Plays the deals of its tasks, which no training meets, and writes a results file; with --track it trains the agent
    first. A run that was stopped goes on with the same command, and results that are there already stay.
    """
    given.consent([agent], allow_modules)
    from theogony.benchmark import run as running
    from theogony.benchmark.tasks import Suite, track_named

    chosen, called, numbers = Suite.named(suite, only=only), name or agent, _seeds(seeds)
    trial = deals is not None and any(deals < task.deals for task in chosen.tasks)
    chosen = chosen.trial(deals) if trial and deals is not None else chosen
    if deals is not None and not trial:
        most = max(task.deals for task in chosen.tasks)
        print(f"--deals {deals}: no task has more than {most}, so all are played", file=sys.stderr, flush=True)
    form = out or f"{given.as_file(called)}-{given.as_file(suite)}-{{seed}}.json"
    if not form.endswith((".json", ".json.gz")):  # which says so to whoever reads a folder of them
        raise typer.BadParameter(f"--out: {form}: expected a name that ends in .json or .json.gz")
    if len(numbers) > 1 and "{seed}" not in form:
        raise typer.BadParameter(f"{form}: there is a file for each of {len(numbers)} seeds: expected {{seed}} in it")
    files, limit = [given.mirrored(Path(form.replace("{seed}", str(seed)))) for seed in numbers], track_named(track)
    asked = [running.Asked(chosen, agent, file, called, seed, limit) for file, seed in zip(files, numbers, strict=True)]
    if cost:
        return print(running.said(asked[0], running.costs(asked[0]), len(asked)))
    for one in asked:
        given.writable_folder(one.out.parent)
        if one.out.parent.is_dir():  # else it is made with the first file
            given.writable(one.out)
    if limit is not None and not asked[0].runs.exists():
        print(running.in_a_line(asked[0], running.costs(asked[0]), len(asked)), file=sys.stderr, flush=True)
    for one in asked:
        was_there = one.out.exists()
        print(running.table(running.run(one, workers, cluster)))
        if trial:
            first = "the first deal" if deals == 1 else f"the first {deals} deals"
            print(f"a trial, {first} of each task: no result of the suite, and few deals say little")
        done = "was there already; remove it to play these games anew" if was_there else "written"
        print(f"{one.out}: {done}", flush=True)


def _seeds(text: str) -> list[int]:
    """The numbers of `0`, `0-4` or `0,3`. Raises BadParameter."""
    found: list[int] = []
    for part in map(str.strip, text.split(",")):
        first, _, last = part.partition("-")
        if not first.isdecimal() or not (last or first).isdecimal() or len(part) > MAX_DIGITS:
            raise typer.BadParameter(f"--seeds: {text!r}: expected numbers such as 0, 0-4 or 0,3")
        found += range(int(first), min(int(last or first), int(first) + MAX_SEEDS) + 1)
    if not found or len(found) > MAX_SEEDS:
        raise typer.BadParameter(f"--seeds: {text!r}: expected 1 to {MAX_SEEDS} of them, the smaller one first")
    return list(dict.fromkeys(found))


def join(
    suite: Annotated[str, Argument(metavar="SUITE", help=SUITES)],
    files: Annotated[list[Path], given.read("FILE...", "results files, each of other tasks of it")],
    out: Annotated[Path, given.file_out("the results file of all")],
) -> None:
    """Make one results file of parts.

    The parts are results files of one agent and one suite, each of other tasks, as `run --only` writes them.
    """
    from theogony.benchmark import run as running
    from theogony.benchmark.results import write_results

    results = running.join(suite, files)
    write_results(results, out)
    print(running.table(results))
    print(f"{out}: written")


def verify(
    files: Annotated[list[Path], given.read("FILE|FOLDER...", "results files, or folders to submit")],
    replay: Annotated[
        int, Option(min=0, metavar="N", help="also play N drawn games of each file again with the agent itself")
    ] = 0,
    mark: Annotated[
        Path | None,
        Option(metavar="FILE", help="note what was verified, for the leaderboard: verified.json of its folder"),
    ] = None,
    every: Annotated[
        bool, Option("--all", help="of folders of submissions: all of them, also where one does not fit")
    ] = False,
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Check results files.

    Plays their records again, opponents included, and counts every figure again. Of a language model's results every
    transcript is played again, of what `exploit` wrote the figures are counted again.
    """
    given.consent([], allow_modules)
    from theogony.benchmark.verify import files_of, submissions_in

    failed = 0
    for file in submissions_in(files) if every else (one for path in files for one in files_of(path)):
        try:
            _verify(file, replay, mark)
        except ValueError as error:
            if not every:
                raise
            failed += 1
            print(f"does not fit: {error}", flush=True)
    given.fail_unless(not failed)


def _verify(file: Path, replay: int, mark: Path | None) -> None:
    """One file or submission; what was verified is printed, and noted in `mark`."""
    from theogony.benchmark.exploit.file import is_exploit
    from theogony.benchmark.exploit.file import verified as exploit_verified
    from theogony.benchmark.marks import write_marks
    from theogony.benchmark.verify import verified
    from theogony.models.results import is_results
    from theogony.models.verify import marked
    from theogony.models.verify import verify as verify_model

    if is_exploit(file):
        print(exploit_verified(file, replay), flush=True)
        return
    if is_results(file):
        print(verify_model(file), flush=True)
        found = [marked(file)]
    else:
        found = verified(file, games=replay)
        print("\n".join(map(str, found)), flush=True)
    if mark is not None:
        write_marks(given.writable(mark) or mark, found)


def exploit(
    entry: Annotated[
        str, Argument(metavar="PLAYER|FILE.json", help="who is to be beaten: a player, or a results file's agent")
    ],
    task: Annotated[str, Option(metavar="TASK", help="id of a task, or a table such as push_of_faith-2p")],
    out: Annotated[Path, given.file_out("the file of what was found, .json")],
    budget: Annotated[str, Option(metavar="200k|1M|N", help="decisions that each learner may learn from")] = "200k",
    deals: Annotated[int, Option(min=1, metavar="N", help="fresh deals, each played in every seat")] = 1000,
    seed: Annotated[int, Option(min=0, help="of the learners, and of the exploiters' rng")] = 0,
    workers: given.Workers = None,
    cluster: given.OnCluster = None,
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Find out how far an agent can be beaten.

    Learners play against it alone, and the best of them is measured: others may win more, so it is a lower bound. Goes
    on where it was stopped.
    """
    given.consent([entry], allow_modules)
    _own_class_is_allowed(entry)
    from theogony.benchmark.exploit import run as hunting
    from theogony.benchmark.exploit.file import task_at

    hunt = hunting.Hunt(entry, task_at(task), hunting.budget_of(budget), out, seed, deals)
    print(hunting.table(hunting.exploit(hunt, workers, cluster=cluster)))
    print(f"{out}: written")


def _own_class_is_allowed(entry: str) -> None:
    """The runs of the learners will name the entry, and what files name is imported with consent alone: better told
    now than when the first has learnt. Raises BadParameter."""
    from theogony.envs.core.thinking.player_names import OWN, parse_player
    from theogony.training.config import modules

    if parse_player(entry).kind == OWN and not modules.allowed():
        raise typer.BadParameter(f"{entry}: the runs of its learners will name this module; {modules.how_to_consent()}")


def report(
    folder: Annotated[Path, given.read("FOLDER", "of submissions, each a folder with metadata.yaml")],
    out: Annotated[Path | None, given.folder_out("where the page goes; by default there")] = None,
    csv: Annotated[bool, Option("--csv", help="also all tables and learning curves, as CSV")] = False,
    latex: Annotated[bool, Option("--latex", help="also a table for each suite, as LaTeX")] = False,
) -> None:
    """Write the leaderboard.

    Of all submissions in a folder it makes pages with plots, and tables as files.
    """
    from theogony.benchmark.report.page import report as reported

    print(f"{reported(folder, out or folder, csv=csv, latex=latex)}: written")


def compare(
    files: Annotated[
        list[Path],
        given.read(
            "FILE|FOLDER...", "results files, or folders with one for each seed of an agent; the first is yours"
        ),
    ],
    suite: Annotated[
        str, Option(metavar="SUITE", help="where folders hold several; by default that of most tasks of both")
    ] = "",
    csv: Annotated[Path | None, given.file_out("also write all figures there, as CSV")] = None,
    latex: Annotated[
        Path | None, given.file_out("also write a table of scores there, one of all, for booktabs")
    ] = None,
) -> None:
    """Compare an agent with others.

    Sets the first beside each of the others: rewards and scores of every task and over all, with intervals of the
    difference, paired by deals.
    """
    from theogony.benchmark.report.compare import as_text, compare_csv, compare_latex, comparisons
    from theogony.envs.core.untrusted.files import replace_file

    if len(files) < 2:
        raise typer.BadParameter("expected two at least: yours, and one to compare it with")
    found = comparisons(files, suite)
    print("\n\n".join(map(as_text, found)))
    print("\nin brackets: 95 % intervals; *: the interval leaves out zero, as in one of twenty tasks by chance")
    for path, write in ((csv, compare_csv), (latex, compare_latex)):
        if path is not None:
            replace_file(path, write(found).encode())
            print(f"{path}: written")


PLAYED = "the --records of a tournament or an evaluation, results files of agents or language models, records"


def regret(
    files: Annotated[list[Path], given.read("FILE|FOLDER...", PLAYED)],
    by: Annotated[
        str, Option(metavar="PLAYER", help="who finds the best move: a search by simulations")
    ] = "mcts:400@reference",
    rollouts: Annotated[
        int, Option(min=1, max=10**6, help="games played on from each of two moves, for each of two searches")
    ] = 16,
    seed: given.Seed = 0,
    agent: Annotated[
        list[str] | None, Option(help="judge this agent alone; may be given several times; by default all")
    ] = None,
    games: Annotated[int, Option(min=0, help="of each agent at most so many games; 0: all")] = 0,
    price: Annotated[
        Literal["value", "points", "odds"],
        Option(help="how moves are priced: games played on to the next turn, by value; or to the end, by these"),
    ] = "value",
    json: Annotated[Path | None, given.file_out("write all figures and verdicts there")] = None,
    svg: Annotated[Path | None, given.file_out("draw regret over tokens and dollars there")] = None,
    workers: given.Workers = None,
    cluster: given.OnCluster = None,
    allow_modules: given.Modules = False,
    unconfined: given.Unconfined = False,
) -> None:
    """Tell what every decision cost.

    A long search judges each move of games that were played: what it cost against the best one. So few games
    tell much about an agent, and also in which part of the game and kind of decision it errs.
    """
    given.consent([by], allow_modules)
    from theogony.benchmark.regret.run import Asked, run

    print(run(Asked(files, by, rollouts, seed, agent or [], games, price), workers, cluster, json, svg))
    for path in (json, svg):
        if path is not None:
            print(f"{path}: written")


def submit(folder: Annotated[Path, given.read("FOLDER", "metadata.yaml and a results file for each seed")]) -> None:
    """Check a submission; nothing is sent.

    It is checked as the leaderboard will, and everything that it lacks is said.
    """
    from theogony.benchmark.report.ready import missing, not_replayed

    found = missing(folder)
    if found:
        print("\n".join(f"* {one}" for one in found))
        raise typer.Exit(1)
    if said := not_replayed(folder):
        print(said)
    print(f"{folder}: is ready: copy it to leaderboard/results/ and open a pull request that adds this folder only")
