"""`theogony train`: a run from its file to its agent, from top to bottom.

`run` reads the training file; `carry_out` makes the engine that the file names, begins or goes on, learns and finishes;
`learn` is the loop. What plays and learns is the engine's: PPO in `sb3.py`, TD(λ) in `td.py`, policies in `distil.py`.
RLlib, whose processes play elsewhere, has a loop of its own in `rllib.py`. What a run writes lies in its folder, see
`storage/folder.py`.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import os
import time
from pathlib import Path
from typing import Any, NamedTuple

import torch

from theogony.console.extras import install
from theogony.console.progress import Progress
from theogony.training.config import ConfigError
from theogony.training.config.engines import Config
from theogony.training.config.file import load_config, resumed_config
from theogony.training.learning.distil import DistilTraining
from theogony.training.learning.engine import Training
from theogony.training.learning.logs import Log, figures_of, logs
from theogony.training.learning.sb3 import Sb3Training
from theogony.training.learning.td import TdTraining
from theogony.training.storage import checkpoint
from theogony.training.storage.curve import draw_curve
from theogony.training.storage.disk import only_here, sync_file
from theogony.training.storage.folder import (
    METRICS,
    add_metrics,
    forget_metrics_after,
    new_folder,
    read_metrics,
    tidy,
    write_config,
)
from theogony.training.storage.header import read_header
from theogony.training.storage.mirrors import local, shown

# Of this process.
ENGINES: dict[str, type[Training[Any]]] = {"sb3": Sb3Training, "td": TdTraining, "distil": DistilTraining}


class Limits(NamedTuple):
    """How a run is stopped: what the command says at Ctrl-C, and after how many seconds of the processor it ends."""

    how_to_go_on: str
    cpu: float = math.inf


def run(config_path: Path | None, overrides: list[str], resume: Path | None) -> None:
    """Train from a file, or go on with a run. Raises ConfigError, CheckpointError or InUse."""
    if (config_path is None) == (resume is None):
        raise ConfigError("give a training file or a run to resume, one of the two")
    if resume is not None:
        folder = local(resume, writes=True)
        carry_out(resumed_config(folder, overrides), folder, resumed=True)
    elif config_path is not None:
        config = load_config(config_path, overrides)
        carry_out(config, new_folder(config, config_path), resumed=False)


def carry_out(config: Config, folder: Path, resumed: bool, limits: Limits | None = None) -> None:
    """Train, or go on, in a folder. Raises ConfigError, CheckpointError or InUse."""
    if config.torch_threads == "auto":
        config = config.model_copy(update={"torch_threads": helpful_threads()})
    if config.engine == "rllib":
        engine = rllib_engine()
        with only_here(folder):
            return engine.run(config, folder, resumed=resumed)
    training = ENGINES[config.engine](config, folder)  # before its folder is made: what is wrong is found here
    if limits is not None:
        training.how_to_go_on = limits.how_to_go_on
    with only_here(folder), contextlib.closing(training):
        tidy(folder)
        if resumed and checkpoint.any_checkpoint(folder):
            restore(training)
        else:
            training.begin()
        learn(training, math.inf if limits is None else limits.cpu)
        finish(training)


def is_done(config: Config, folder: Path) -> bool:
    """Whether a run has made all steps that are asked for."""
    if not checkpoint.any_checkpoint(folder):
        return False
    return read_header(checkpoint.latest(folder)).steps >= config.algorithm.total_steps


def restore(training: Training[Any]) -> None:
    """Go on from the last whole checkpoint. Raises CheckpointError when there is none that fits."""
    training.say_how_to_go_on()
    steps = training.read_checkpoint(checkpoint.latest(training.folder))
    checkpoint.put_aside_after(training.folder, steps)
    kept = forget_metrics_after(training.folder, steps)
    training.cpu = kept[-1].get("cpu", 0.0) if kept else 0.0
    write_config(training.config, training.folder)


# ---------------------------------------------------------------------------------------------------- the loop


def learn(training: Training[Any], cpu: float = math.inf) -> None:
    """Iterate, with an evaluation and a checkpoint now and then, until all steps are done or the time is up."""
    end, config = training.last_step(), training.config
    announce(training, end)

    def is_done() -> bool:
        return training.steps >= end or training.cpu >= cpu

    if is_done():
        return
    with contextlib.ExitStack() as opened:
        places = logs(config, training.folder, training.steps)
        for place in places:
            opened.callback(place.close)
        progress = opened.enter_context(Progress("training", end, "steps", training.steps))
        training.say = progress.say
        if training.steps == 0 and not read_metrics(training.folder):
            write(training, training.before_learning() | {"cpu": 0.0}, places)
        while not is_done():
            before = training.steps
            iterate(training)
            metrics, last = training.metrics() | {"cpu": round(training.cpu, 3)}, is_done()
            if last or training.due(config.evaluation.every, before):
                metrics["evaluation"] = training.evaluation(config.evaluation.games)
            write(training, metrics, places)
            if last or training.due(config.checkpoint_every, before):
                for place in places:
                    place.flush()
                save(training)
                draw_curve(training.folder)
            progress.note = summary(metrics)
            progress.done = training.steps


def iterate(training: Training[Any]) -> None:
    """Play and learn once, and take the time of it."""
    started, cpu = time.perf_counter(), time.process_time()
    training.iterate()
    training.seconds += time.perf_counter() - started
    training.cpu += time.process_time() - cpu


def write(training: Training[Any], metrics: dict[str, Any], places: list[Log]) -> None:
    """A line of metrics, also for the places that the training file names."""
    add_metrics(training.folder, metrics)
    for place in places:
        place.write(metrics["steps"], figures_of(metrics))


def save(training: Training[Any]) -> None:
    """A checkpoint; the metrics up to it are on the disk first."""
    sync_file(training.folder / METRICS)
    training.write_checkpoint()


def finish(training: Training[Any]) -> None:
    """Learning curve and evaluation; the last checkpoint is there already."""
    training.export()
    speed = training.steps / max(training.seconds, 1e-9)
    total = max(sum(training.spent.values()), 1e-9)
    shares = ", ".join(f"{name} {seconds / total:.0%}" for name, seconds in training.spent.items())
    training.report(f"{training.steps:,} steps in {training.seconds:.0f} s: {speed:,.0f} steps/s ({shares})")


# ---------------------------------------------------------------------------------------------------- what it says


def announce(training: Training[Any], end: int) -> None:
    """Say what will be done: the game, the steps that are really made, and where they go."""
    now, folder = training.steps, training.folder
    title = f"{training.game.spec.title}, {training.game.players} players"
    if now >= end:
        print(
            f"{title}: {folder} has made all its {now:,} steps; for more: theogony train --resume "
            f"{folder} algorithm.total_steps=N"
        )
        return
    done = f", {now:,} of them made before" if now else ""
    print(f"{title}: {end:,} steps{training.rounding(end)}{done}, run folder {shown(folder)}", flush=True)
    if (ray := getattr(training.config, "ray", None)) is not None and (ray.workers or ray.address):
        print(f"should the cluster lose its head, this command ends; {training.how_to_go_on}", flush=True)
    for sentence in training.config.unused():
        print(sentence, flush=True)


def summary(metrics: dict[str, Any]) -> str:
    """The end of the progress bar."""
    parts = [f"won {metrics['won']:.0%}"] if metrics.get("won") is not None else []
    if "greedy_share" in metrics:
        parts.append(f"of {metrics['greedy_share']:.0%} greedy")
    if "evaluation" in metrics:
        parts += [f"{result['won']:.0%} against {name}" for name, result in metrics["evaluation"].items()]
    return " ".join(parts)


# ---------------------------------------------------------------------------------------------------- small things


def rllib_engine() -> Any:
    """The module of RLlib, which is an extra. Raises ConfigError when its library is not installed."""
    try:
        return importlib.import_module("theogony.training.learning.rllib")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "ray":
            raise
        raise ConfigError(
            f"engine: rllib needs Ray, which is not installed here: {install('rllib')}, in an environment of its own"
        ) from None


def helpful_threads(seconds: float = 0.3) -> int:
    """1, 2 or 4: threads with which torch multiplies matrices faster now; on a busy machine one is best."""
    best, best_rate = 1, 0.0
    inputs, weights = torch.rand(1024, 1536), torch.rand(1536, 256)
    for threads in (count for count in (1, 2, 4) if count <= (os.cpu_count() or 1)):
        torch.set_num_threads(threads)
        torch.mm(inputs, weights)
        started, products = time.perf_counter(), 0
        while time.perf_counter() - started < seconds:
            torch.mm(inputs, weights)
            products += 1
        rate = products / (time.perf_counter() - started)
        if rate > 1.25 * best_rate:
            best, best_rate = threads, rate
    torch.set_num_threads(best)
    return best
