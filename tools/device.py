"""Games on a GPU: the same bits as on a CPU, how many decisions a second, and PPO end to end, in under ten minutes.

    python tools/device.py
    python tools/device.py --emulated     # without a device, tiny: the kernels are run as C, and accesses counted

Before that `theogony compile --all --cuda` saves minutes of compiling.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import torch

import theogony
from theogony.cuda import driver
from theogony.cuda.batch import CudaVectorEnv
from theogony.cuda.emit import ptx_of
from theogony.envs import GAMES, load
from theogony.envs.core.batch import Batch

ROOT = Path(__file__).parents[1]
SIZES = [2**k for k in range(12, 21, 2)]
ENTRY = re.compile(r"(?ms)^\.visible \.entry theogony_(\w+)\(.*?^\}")
INSTRUCTION = re.compile(r"(?m)^\t(?!\.)[^\n]*;$")
LATE = 420  # seconds, after which no other game is begun
PPO = "--num-envs 16384 --n-steps 16 --minibatches 8 --epochs 1 --total-steps 10500000 --eval-games 1000"
TINY_PPO = "--num-envs 4 --n-steps 4 --minibatches 1 --epochs 1 --total-steps 320 --width 8 --eval-games 2"


def synchronize(envs: CudaVectorEnv) -> None:
    """Wait until the device has done all that it was told."""
    if envs.device.type == "cuda":
        torch.cuda.synchronize(envs.device)


def pace(step: Callable[[], Any], wait: Callable[[], None], decisions: int, seconds: float) -> float:
    """Decisions a second of a step that makes so many, after one to warm up."""
    step()
    wait()
    started, steps = time.perf_counter(), 0
    while (spent := time.perf_counter() - started) < seconds:
        for _ in range(4):
            step()
        wait()
        steps += 4
    return steps * decisions / spent


def differing(name: str, games: int, steps: int, **given: Any) -> str:
    """In how many of so many games, played at random on both, any byte differs after any step."""
    game, envs = load(name).configure({}), theogony.make_vec(name, games, seed=1, device="cuda", **given)
    batch = Batch(game, games, 1, threads=os.cpu_count() or 1, **given)
    wrong = torch.zeros(games, dtype=torch.bool)
    for _ in range(steps):
        actions = envs.sample()
        envs.step(actions)
        batch.step(actions.cpu().numpy())
        held = *envs.records(), envs.codes, envs.masks.view(torch.uint8)
        for mine, theirs in zip(held, (batch.states, batch.rows, batch.codes, batch.masks), strict=True):
            wrong |= (mine.cpu() != torch.from_numpy(theirs.view("u1").reshape(games, -1))).any(1)
    return f"{games - int(wrong.sum()):,} of {games:,} games equal"


def raw(name: str, n: int, seconds: float) -> float:
    """Millions of random decisions a second without observations."""
    envs, at_once = theogony.make_vec(name, n, seed=1, device="cuda", seat="all", observation="compact"), 16
    return pace(lambda: envs.play(at_once), lambda: synchronize(envs), at_once * n, seconds) / 1e6


def speeds(name: str, sizes: list[int], seconds: float) -> list[str]:
    """A row of the table for every size, the first with the CPU batch."""
    rows, threads = [], os.cpu_count() or 1
    batch = Batch(load(name).configure({}), min(sizes), 1, threads=threads)
    cpu = pace(lambda: batch.step(batch.sample()), lambda: None, batch.size, seconds)
    for n in sizes:
        found = [raw(name, n, seconds)]
        for form in ("compact", "float"):
            envs = theogony.make_vec(name, n, seed=1, device="cuda", seat="all", observation=form)

            def step(envs: CudaVectorEnv = envs) -> None:
                envs.step(envs.sample(), check=False)

            found.append(pace(step, lambda envs=envs: synchronize(envs), n, seconds) / 1e6)
            del envs
        numbers = " | ".join(f"{one:.2f}" for one in found)
        rows.append(f"| {name} | {n:,} | {numbers} | {cpu / 1e6:.2f} ({threads} threads) |")
    return rows


def sizes_of_code(ptx: str) -> dict[str, int]:
    """Instructions of each kernel of PTX, and of what they share."""
    found = {match[1]: len(INSTRUCTION.findall(match[0])) for match in ENTRY.finditer(ptx)}
    return {**found, "shared": len(INSTRUCTION.findall(ptx)) - sum(found.values())}


def accesses(name: str, steps: int) -> str:
    """Accesses to memory for each decision of the emulated device, and how many a real one would refuse."""
    envs: Any = theogony.make_vec(name, 64, seed=1, device="cuda", seat="all")
    found = {"sample": [0, 0], "step": [0, 0], "play": [0, 0]}

    def note(what: str) -> None:
        for k, number in enumerate((envs._driver.accesses(), envs._driver.outside())):
            found[what][k] += number

    envs._driver.accesses()
    envs._driver.outside()
    for _ in range(steps):
        actions = envs.sample()
        note("sample")
        envs.step(actions)
        note("step")
    envs.play(steps)
    note("play")
    words = ", ".join(
        f"{what} {every / steps / 64:,.0f} ({outside / steps / 64:,.0f})" for what, (every, outside) in found.items()
    )
    return (
        f"accesses a decision (to memory that is not the thread's own) {words}; misaligned {envs._driver.misaligned()}"
    )


def about(name: str, ptx: str, tiny: bool) -> None:
    """What is measured of a game, a line at once."""
    print(f"{name}: PTX instructions {', '.join(f'{k} {v:,}' for k, v in sizes_of_code(ptx).items())}", flush=True)
    if tiny:
        print(f"{name}: {accesses(name, 20)}", flush=True)
    for given in ({"seat": "all"}, {"seat": "random", "opponents": "greedy:0.3"}):
        print(f"{name}: {given}: {differing(name, *((8, 10) if tiny else (2048, 200)), **given)}", flush=True)
    print(
        "| game | games | M decisions a second, unseen | as codes | as float32 | CPU batch |\n|---|---|---|---|---|---|"
    )
    for row in speeds(name, [16, 32] if tiny else SIZES, 0.05 if tiny else 1.0):
        print(row, flush=True)


def loaded(ptx: str) -> None:
    """Let the driver compile kernels, in the thread that calls."""
    driver.Driver("cuda").load(ptx)


def main(arguments: list[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES), help="by default all")
    parser.add_argument("--emulated", action="store_true", help="without a device, tiny")
    args = parser.parse_args(arguments)
    if args.emulated:
        sys.path.insert(0, str(ROOT / "tests" / "cuda"))
        from ptx_as_c import Emulated

        setattr(driver, "Driver", Emulated)  # noqa: B010
    started, workers = time.perf_counter(), 1 if args.emulated else len(args.games)
    with ThreadPoolExecutor(workers) as pool:
        texts = dict(zip(args.games, pool.map(lambda name: ptx_of(load(name).configure({})), args.games), strict=True))
        print(f"PTX at hand after {time.perf_counter() - started:.0f} s", flush=True)
        small_first = sorted(texts, key=lambda name: len(texts[name]))  # what takes the driver longest comes last
        waiting = {name: pool.submit(loaded, texts[name]) for name in small_first}
        for name in small_first:
            waiting[name].result()
            print(f"{name}: kernels at hand after {time.perf_counter() - started:.0f} s", flush=True)
            if time.perf_counter() - started > LATE:
                print(f"no time is left for {name}")
                continue
            about(name, texts[name], args.emulated)
    sys.path.insert(0, str(ROOT / "examples"))
    from cleanrl_ppo import main as ppo

    ppo([*(TINY_PPO if args.emulated else PPO).split(), "--device", "cuda", "--game", small_first[0]])
    print(f"all in {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
