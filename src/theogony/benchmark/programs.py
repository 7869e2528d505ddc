"""Training inside `theogony benchmark run` by a program of the user's own, in whatever library.

The program is called once for each task, in a process of its own:

    python my_dqn.py --game orbis --options '{"players": 2}' --seed 0 --steps 200000 --out FOLDER

In FOLDER it leaves what it learnt, `policy.onnx`, and from how many decisions, `training.json`. `arguments` reads that
command line, `decisions` says from how many it is to learn, and `hand_in` writes both files. What it says on the way is
in `log.txt` there. Nothing of a program that was stopped is kept: it begins again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import shlex
import shutil
import stat
import subprocess
import sys
import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from theogony.benchmark.tasks import (
    SLACK,
    TRACKS,
    BenchmarkError,
    Count,
    Strict,
    Task,
    Time,
    TrackName,
    Trained,
    TrainingSeconds,
)
from theogony.console import interrupt
from theogony.envs.core.compile.cache_files import cache_folder
from theogony.envs.core.contract import is_reserved
from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.envs.core.untrusted.outside import read_bytes
from theogony.fence.room import UNCONFINED, VARIABLE, FenceError, Room, called, packages_of

if TYPE_CHECKING:
    from torch import nn

SUFFIX = ".py"
NETWORK, STATED, DONE, LOG = "policy.onnx", "training.json", "program.json", "log.txt"
OF_THE_TASK = ("game", "options", "out")  # arguments of a program that are no settings of its own
LARGEST = 1 << 20  # bytes of a file that says how it went
# Variables of ours that a program is given.
PASSED = (
    *("PYTHONPATH", "OMP_NUM_THREADS", "MKL_NUM_THREADS"),
    *("NUMBA_NUM_THREADS", "NUMBA_BOUNDSCHECK", "THEOGONY_BACKEND"),
)
Form = TypeVar("Form", bound=Strict)


class Stated(Strict):
    """What a program says of its training: the decisions it learnt from, and whatever settings are worth knowing."""

    decisions: Count
    settings: dict[str, Any] = {}


class Program(Strict):
    """A program as a results file names it, in place of a training file."""

    program: str
    sha256: str  # of its file
    seed: Count
    steps: Count
    settings: dict[str, Any] = {}


class Done(Strict):
    """How a program ended: what it was asked, what it stated, the seconds on the clock and of all processors."""

    asked: Program
    stated: Stated
    wall: Time
    cpu: Time


def is_program(player: str) -> bool:
    """Whether an agent is given by a program: `my_dqn.py`, `my_dqn.py --width 64`, `other/python my_dqn.py`."""
    return any(word.endswith(SUFFIX) for word in player.split())


def arguments(description: str | None, steps: int) -> argparse.ArgumentParser:
    """What a program of a track is called with, to which it adds its own. Alone it learns from so many `steps`."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="push_of_faith")
    parser.add_argument("--options", type=json.loads, default={}, help='of the game, such as {"players": 3}')
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=steps, help="decisions to learn from")
    parser.add_argument("--most", type=int, help="never more decisions than this, whatever --steps says")
    parser.add_argument("--out", type=Path, help="a folder for the network and what it took to train it")
    return parser


def decisions(parser: argparse.ArgumentParser, settings: argparse.Namespace, lot: int = 1, least: int = 1) -> int:
    """The decisions to learn from: `--steps`, never more than `--most`, in whole lots. Ends the process, with one line,
    where that is fewer than `least`, or than a lot."""
    asked = settings.steps if settings.most is None else min(settings.steps, settings.most)
    if asked < (needed := max(least, lot)):
        parser.error(f"--steps: expected at least {needed} decisions, found {asked}")
    return asked // lot * lot


def hand_in(folder: Path, network: nn.Module, game: Game, decisions: int, settings: Mapping[str, Any]) -> None:
    """Write what a program of a track leaves: a network of observations float32 (n, length) that gives one number for
    every action, as an ONNX file; the decisions of the learner; its settings, but for those that say which task it is.
    Raises OSError. Needs `onnx`.
    """
    import torch

    make_folder(folder)
    seen = torch.zeros(2, game.features.length)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # dynamo=True needs one more package
        torch.onnx.export(
            network.eval(),
            (seen,),
            str(folder / NETWORK),
            input_names=["observations"],
            output_names=["values"],
            dynamic_axes={"observations": {0: "n"}, "values": {0: "n"}},
            dynamo=False,
        )
    said = {name: value for name, value in settings.items() if name not in OF_THE_TASK}
    stated = Stated(decisions=decisions, settings=said)
    replace_file(folder / STATED, stated.model_dump_json(indent=1).encode() + b"\n")


def train(player: str, task: Task, game: Game, track: TrackName, seed: int, folder: Path, again: str) -> None:
    """Train an agent for a task, or do nothing where it is ready. `again`: what Ctrl-C says.

    Raises BenchmarkError when the program fails, leaves nothing, or breaks the rules of the track.
    """
    check_seed(seed)
    if math.isinf(TRACKS[track].decisions):
        raise BenchmarkError(f"{player}: a program is given a number of decisions: expected another track than {track}")
    call(asked_of(player, int(TRACKS[track].decisions), seed), task.game, task.options_of_training, folder, again)


def call(asked: Program, game: str, options: Mapping[str, Any], folder: Path, again: str) -> None:
    """Let a program learn a game with these options, into a folder, or do nothing where that is done.

    Raises BenchmarkError when the folder holds another training, or when the program fails, leaves nothing, or learns
    from more decisions than it was asked to.
    """
    player = asked.program
    if (folder / DONE).is_file():
        former = _read(folder / DONE, Done).asked
        return refuse_another(folder, former.model_dump(), asked.model_dump(exclude={"settings"}))
    if folder.exists():
        if any(folder.iterdir()) and not (folder / LOG).is_file():
            raise BenchmarkError(f"{folder}: holds another training; remove it, or name another file of results")
        shutil.rmtree(folder)
    make_folder(folder)
    interrupt.say(again)
    given = ["--game", game, "--options", json.dumps(options), "--seed", str(asked.seed), "--steps", str(asked.steps)]
    print(f"{game}: {player} learns from at most {asked.steps:,} decisions; see {folder / LOG}", flush=True)
    wall, cpu = _carried_out([*words_of(player), *given, "--out", str(folder)], folder)
    if not (folder / NETWORK).is_file():
        raise BenchmarkError(f"{player}: ended without leaving {folder / NETWORK}; what it said is in {folder / LOG}")
    stated = _read(folder / STATED, Stated)
    if stated.decisions > SLACK * asked.steps:
        raise BenchmarkError(f"{player}: learnt from {stated.decisions:,} decisions, {asked.steps:,} were asked for")
    done = Done(asked=asked.model_copy(update={"settings": stated.settings}), stated=stated, wall=wall, cpu=cpu)
    replace_file(folder / DONE, done.model_dump_json(indent=1).encode() + b"\n")


def trained(task: Task, folder: Path) -> tuple[Trained, TrainingSeconds]:
    """What a results file says of a training that has ended. Raises BenchmarkError."""
    done = _read(folder / DONE, Done)
    one = Trained(task=task.id, config=done.asked.model_dump(), decisions=done.stated.decisions, curve=[])
    return one, TrainingSeconds(task=task.id, wall=round(done.wall, 3), cpu=round(done.cpu, 3), curve=[])


def refuse_another(folder: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise BenchmarkError where the training in a folder is not the one that is wanted."""
    if differs := next((key for key in wanted if found.get(key) != wanted[key]), None):
        raise BenchmarkError(
            f"{folder}: holds another training: {differs} differs; remove it, or name another file of results"
        )


def check_seed(seed: int) -> None:
    """Raise BenchmarkError for the seed of a deal that training never uses."""
    if is_reserved(seed):
        raise BenchmarkError(f"seed: {seed} is a deal of the benchmark, which training never uses")


def asked_of(player: str, steps: int, seed: int) -> Program:
    """A program as it is called for so many decisions. Raises BenchmarkError."""
    script = Path(next(word for word in words_of(player) if word.endswith(SUFFIX)))
    digest = hashlib.sha256(read_bytes(script, str(script), BenchmarkError)).hexdigest()
    return Program(program=player, sha256=digest, seed=seed, steps=steps)


def words_of(player: str) -> list[str]:
    """The command line. A program alone is run by this Python. Raises BenchmarkError."""
    try:
        words = shlex.split(player, posix=os.name == "posix")
    except ValueError as error:
        raise BenchmarkError(f"{player}: {error}") from None
    return [sys.executable, *words] if words[0].endswith(SUFFIX) else words


def _carried_out(command: list[str], folder: Path) -> tuple[float, float]:
    """Run a program to its end, in a room where it may write its folder and nothing else. Returns the seconds on the
    clock and of all processors. Raises BenchmarkError."""
    wall, before = time.monotonic(), os.times()
    with (folder / LOG).open("w+b") as log:
        try:
            words, room = _in_its_room(command, folder)
            process = room.start(words, subprocess.DEVNULL, log.fileno(), log.fileno())
        except OSError as error:
            raise BenchmarkError(f"{command[0]}: cannot be run: {error.strerror}") from None
        except FenceError as error:
            raise BenchmarkError(f"{command[0]}: {error}") from None
        with interrupt.raised(), process:  # and the program ends with us
            try:
                process.wait()
            except BaseException:
                process.kill()
                raise
        if process.returncode:
            log.seek(max(0, log.tell() - LARGEST))
            said = log.read().decode("utf-8", errors="replace").split("\n")
            last = next((line.strip() for line in reversed(said) if line.strip()), "it said nothing")
            raise BenchmarkError(f"{' '.join(command[:3])} ...: ended with {process.returncode}: {last[:300]}")
    kinds = {path: stat.S_IFMT(path.lstat().st_mode) for path in folder.rglob("*")}
    if left := next((path for path, kind in kinds.items() if kind not in (stat.S_IFREG, stat.S_IFDIR)), None):
        raise BenchmarkError(f"{left}: is left by the program and is no file; expected files and folders, no links")
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - wall, spent


def _in_its_room(command: list[str], folder: Path) -> tuple[list[str], Room]:
    """What is run, and its room, which shows the system, the program, this package and compiled rules."""
    environment = {name: os.environ[name] for name in PASSED if name in os.environ}
    environment |= {"THEOGONY_CACHE_DIR": str(cache_folder().absolute()), VARIABLE: UNCONFINED}  # it is in the room
    packages = [Path(place) for place in environment.get("PYTHONPATH", "").split(os.pathsep) if place]
    return called(command, (*packages_of("theogony"), *packages, cache_folder()), (folder,), environment)


def _read(path: Path, form: type[Form]) -> Form:
    """A file in which a program, or we, said how it went. Raises BenchmarkError."""
    return checked(form, read_bytes(path, str(path), BenchmarkError, LARGEST), str(path), BenchmarkError)
