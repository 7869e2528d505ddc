"""The loop of a run in this process: play, learn, and now and then an evaluation and a checkpoint, until all is done.

What plays and learns is the engine's: PPO in `train.py`; TD(λ) in `td.py` and policies in `distil.py`, which share
`ahead.py`.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from theogony.console import interrupt
from theogony.console.progress import Progress
from theogony.training.config import ConfigError
from theogony.training.config.schema import LocalConfig
from theogony.training.learning.engine import Engine
from theogony.training.learning.logs import Log, figures_of, logs, missing
from theogony.training.storage import checkpoint
from theogony.training.storage.curve import draw_curve
from theogony.training.storage.disk import sync_file
from theogony.training.storage.folder import METRICS, add_metrics, forget_metrics_after, write_config


class Limits(NamedTuple):
    """How a run is stopped: what the command says at Ctrl-C, and after how many seconds of the processor it ends."""

    how_to_go_on: str
    cpu: float = math.inf


Given = TypeVar("Given", bound=LocalConfig)


class Session(Engine[Given]):
    """A run that learns in this process. `spent` has the seconds of each part of the work in this session."""

    def __init__(self, config: Given, folder: Path) -> None:
        super().__init__(config, folder)
        if (problem := missing(config)) is not None:
            raise ConfigError(problem)
        self.spent: dict[str, float] = {}
        self.cpu = 0.0  # seconds of the processor while it learns, over all sessions; evaluations are not counted
        self.limits = Limits(f"go on with: theogony train --resume {folder}")
        self.say: Callable[[str], None] = print

    def begin(self) -> None:
        """Write down what the run is; the first checkpoint is that of the agent before any training."""
        raise NotImplementedError

    def iterate(self) -> None:
        """Play and learn once."""
        raise NotImplementedError

    def metrics(self) -> dict[str, Any]:
        """Figures of the last iteration."""
        raise NotImplementedError

    def write_checkpoint(self) -> None:
        """A checkpoint of the run as it is now."""
        raise NotImplementedError

    def read_checkpoint(self, path: Path) -> int:
        """Go on from a checkpoint as if nothing had happened. Returns its steps. Raises CheckpointError."""
        raise NotImplementedError

    def last_step(self) -> int:
        """The steps of the run in the end, as far as they are known before."""
        return max(self.steps, self.config.algorithm.total_steps)

    def close(self) -> None:
        """Let go of what the run holds."""

    # ------------------------------------------------------------------------------------------------ the run

    def restore(self) -> None:
        """Go on from the last whole checkpoint. Raises CheckpointError when there is none that fits."""
        self.say_how_to_go_on()
        steps = self.read_checkpoint(checkpoint.latest(self.folder))
        checkpoint.put_aside_after(self.folder, steps)
        kept = forget_metrics_after(self.folder, steps)
        self.cpu = kept[-1].get("cpu", 0.0) if kept else 0.0
        write_config(self.config, self.folder)

    def learn(self) -> None:
        """Iterate, with an evaluation and a checkpoint now and then, until all steps are done."""
        end = self.last_step()
        self.announce()
        if self.is_done(end):
            return
        with contextlib.ExitStack() as opened:
            places = logs(self.config, self.folder, self.steps)
            for place in places:
                opened.callback(place.close)
            progress = opened.enter_context(Progress("training", end, "steps", self.steps))
            self.say = progress.say
            while not self.is_done(end):
                started, cpu, before = time.perf_counter(), time.process_time(), self.steps
                self.iterate()
                self.seconds += time.perf_counter() - started
                self.cpu += time.process_time() - cpu
                metrics, last = self.metrics() | {"cpu": round(self.cpu, 3)}, self.is_done(end)
                if last or self.due(self.config.evaluation.every, before):
                    metrics["evaluation"] = self.evaluation(self.config.evaluation.games)
                self.write(metrics, places)
                if last or self.due(self.config.checkpoint_every, before):
                    for place in places:
                        place.flush()
                    self.save()
                    draw_curve(self.folder)
                progress.note = summary(metrics)
                progress.done = self.steps

    def is_done(self, end: int) -> bool:
        """Whether all steps are made, or the time is up."""
        return self.steps >= end or self.cpu >= self.limits.cpu

    def say_how_to_go_on(self) -> None:
        """What a command says that is stopped."""
        interrupt.say(self.limits.how_to_go_on)

    def announce(self) -> None:
        """Say what will be done: the game, the steps that are really made, and where they go."""
        now, end = self.steps, self.last_step()
        title = f"{self.game.spec.title}, {self.game.players} players"
        if now >= end:
            print(
                f"{title}: {self.folder} has made all its {now:,} steps; for more: theogony train --resume "
                f"{self.folder} algorithm.total_steps=N"
            )
            return
        done = f", {now:,} of them made before" if now else ""
        print(f"{title}: {end:,} steps{self.rounding(end)}{done}, run folder {self.folder}", flush=True)

    def rounding(self, end: int) -> str:
        """Why the steps are not as many as were asked for, where they are not."""
        return ""

    def finish(self) -> None:
        """Learning curve and evaluation; the last checkpoint is there already."""
        speed = self.steps / max(self.seconds, 1e-9)
        total = max(sum(self.spent.values()), 1e-9)
        shares = ", ".join(f"{name} {seconds / total:.0%}" for name, seconds in self.spent.items())
        self.report(f"{self.steps:,} steps in {self.seconds:.0f} s: {speed:,.0f} steps/s ({shares})")

    def save(self) -> None:
        """A checkpoint; the metrics up to it are on the disk first."""
        sync_file(self.folder / METRICS)
        self.write_checkpoint()

    def write(self, metrics: dict[str, Any], places: list[Log]) -> None:
        """A line of metrics, also for the places that the training file names."""
        add_metrics(self.folder, metrics)
        for place in places:
            place.write(metrics["steps"], figures_of(metrics))


def summary(metrics: dict[str, Any]) -> str:
    """The end of the progress bar."""
    parts = [f"won {metrics['won']:.0%}"] if "won" in metrics else []
    if "greedy_share" in metrics:
        parts.append(f"of {metrics['greedy_share']:.0%} greedy")
    if "evaluation" in metrics:
        parts += [f"{result['won']:.0%} against {name}" for name, result in metrics["evaluation"].items()]
    return " ".join(parts)
