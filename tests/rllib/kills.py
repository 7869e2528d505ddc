"""A training on a Ray cluster that is killed at random, with real processes: a worker, the cluster's head, the command.

`python tests/rllib/kills.py [ENGINE ...]` kills ten times for each engine and prints the table of
docs/lab/2026-11-29-sb3-on-a-cluster.md.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from ray.cluster_utils import Cluster  # pyright: ignore[reportMissingImports]

from theogony.training.storage.checkpoint import FOLDER, OPTIMIZER, POLICY, latest

KINDS = ("worker", "head", "command")
COMMON: dict[str, Any] = {
    "game": "push_of_faith",
    "evaluation": {"every": 10**9, "games": 2, "final_games": 2, "against": ["random"]},
}
FILES: dict[str, dict[str, Any]] = {
    "td": {
        "environment": {"num_envs": 64},
        "algorithm": {"total_steps": 150_000, "batch_size": 256},
        "td": {"widths": [32]},
        "checkpoint_every": 4000,
    },
    "sb3": {
        "environment": {"num_envs": 32},
        "algorithm": {"total_steps": 32 * 18 * 150, "n_steps": 18, "batch_size": 144, "net_arch": {"shared": [32]}},
        "opponents": [{"player": "greedy"}, {"player": "self"}],
        "self_play": {"every": 20_000},
        "checkpoint_every": 576 * 4,
    },
    "distil": {
        "environment": {"num_envs": 64},
        "algorithm": {"total_steps": 150_000, "batch_size": 256, "net_arch": {"shared": [32]}},
        "distil": {"teacher": "greedy"},
        "checkpoint_every": 4000,
    },
    "rllib": {
        "environment": {"num_envs": 4},
        "algorithm": {"total_steps": 144 * 60, "n_steps": 36, "batch_size": 72, "net_arch": {"shared": [32]}},
        "checkpoint_every": 144,
    },
}
WORKERS = {"td": b"ray::_Remote", "sb3": b"ray::_Remote", "distil": b"ray::_Remote", "rllib": b"ray::MultiAgentEnv"}
SAME = ("td", "sb3", "distil")  # engines of whose weights it is said that they do not depend on the cluster


class Kill(NamedTuple):
    """What was killed, seconds of work since the last checkpoint that had to be done again, and until the command ended
    by itself where its cluster was lost."""

    kind: str
    again: float
    noticed: float


class Head:
    """A cluster of one node with two processors."""

    def __init__(self) -> None:
        self._cluster = Cluster(
            initialize_head=True,
            head_node_args={"num_cpus": 2, "object_store_memory": 100 << 20, "include_dashboard": False},
        )
        self.address: str = self._cluster.address

    def kill(self) -> None:
        """End all that the head consists of, as a loss of its machine does."""
        for of_a_kind in self._cluster.head_node.all_processes.values():
            for one in of_a_kind:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one.process.pid, signal.SIGKILL)
        with contextlib.suppress(Exception):
            self._cluster.shutdown()


def workers(called: bytes) -> list[int]:
    """The processes of Ray's actors of this name."""
    found = []
    for place in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if place.name.isdecimal() and (place / "cmdline").read_bytes().startswith(called):
                found.append(int(place.name))
    return found


def command(arguments: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    """Begin a training."""
    with log.open("ab") as file:
        return subprocess.Popen([sys.executable, "-m", "theogony", "train", *arguments], stdout=file, stderr=file)


def last_checkpoint(run: Path) -> float:
    """When the last checkpoint was written; 0 where there is none."""
    return max((path.stat().st_mtime for path in (run / FOLDER).glob("0*") if path.is_dir()), default=0.0)


def same_agent(one: Path, other: Path) -> bool:
    """Whether two runs end with the same bits, of the optimiser too."""
    last = [latest(run) for run in (one, other)]
    return all((last[0] / name).read_bytes() == (last[1] / name).read_bytes() for name in (POLICY, OPTIMIZER))


def killed(engine: str, kinds: Sequence[str], place: Path, chance: random.Random) -> Iterator[Kill]:
    """Train in `place/killed`, and kill one after the other. Returns how each went; at last the training ends."""
    run, log, file = place / "killed", place / "log", place / "killed.yaml"
    file.write_text(yaml.safe_dump({**COMMON, "engine": engine, "folder": str(run), **FILES[engine]}))
    head = Head()
    try:
        process = command([str(file), f"ray.address={head.address}"], log)
        for kind in kinds:
            begun = last_checkpoint(run)
            while last_checkpoint(run) <= begun and process.poll() is None:
                time.sleep(0.05)
            time.sleep(chance.uniform(0, 2))
            if process.poll() is not None:
                raise RuntimeError(f"the training ended before the last kill: {log.read_text()[-2000:]}")
            again, noticed, now = 0.0, 0.0, time.time()
            if kind == "worker":
                while not (there := workers(WORKERS[engine])) and process.poll() is None:
                    time.sleep(0.05)
                os.kill(chance.choice(there), signal.SIGKILL)
            else:
                again = now - last_checkpoint(run)
                if kind == "head":
                    head.kill()
                    process.wait(120)
                    noticed = time.time() - now
                    head = Head()
                else:
                    process.kill()
                    process.wait()
                process = command(["--resume", str(run), f"ray.address={head.address}"], log)
            yield Kill(kind, again, noticed)
        if process.wait(600):
            raise RuntimeError(log.read_text()[-2000:])
    finally:
        head.kill()


def undisturbed(engine: str, place: Path) -> Path:
    """The same training on this machine alone."""
    file, run = place / "alone.yaml", place / "alone"
    file.write_text(yaml.safe_dump({**COMMON, "engine": engine, "folder": str(run), **FILES[engine]}))
    command([str(file)], place / "log").wait()
    return run


def main() -> None:
    """Print the table."""
    os.environ["RAY_worker_niceness"] = "0"  # else other programs starve the workers
    print("| engine | killed | seconds of work done again: mean, most | until the command noticed | same weights |")
    print("|---|---|---|---|---|")
    for engine in sys.argv[1:] or FILES:
        chance = random.Random(7)
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            alone = undisturbed(engine, place) if engine in SAME else place
            kills = list(killed(engine, [chance.choice(KINDS) for _ in range(10)], place, chance))
            same = ("yes" if same_agent(alone, place / "killed") else "NO") if engine in SAME else "not promised"
        for kind in KINDS:
            of = [one for one in kills if one.kind == kind]
            again = [one.again for one in of] or [0.0]
            noticed = f"{max(one.noticed for one in of):.0f} s" if kind == "head" and of else ""
            print(
                f"| `{engine}` | {len(of)} × {kind} | {sum(again) / len(again):.1f}, {max(again):.1f} | {noticed} "
                f"| {same} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
