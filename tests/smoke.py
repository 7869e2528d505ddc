"""What an installed package must do, far from the repository: `python smoke.py`, or `python smoke.py --minimal` where
PyTorch is not installed and must not be needed.

Plays every game as a PettingZoo, a Gymnasium and a batch environment, against players by name, and trains a little from
a training file of the package. pytest does not collect it: the workflow `package` runs it on every system.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

TRAINED = ["algorithm.total_steps=2304", "environment.num_envs=16", "algorithm.batch_size=576", "evaluation.games=10"]
ANYWHERE = ("random", "greedy", "mcts:8")  # players that need nothing but the package


def main() -> None:
    """Play and train; any failure is an error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minimal", action="store_true", help="PyTorch must not be there, and is not needed")
    minimal = parser.parse_args().minimal
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        import theogony

        check_place(Path(theogony.__file__).resolve())
        if (importlib.util.find_spec("torch") is None) != minimal:
            raise SystemExit("smoke: PyTorch is here exactly when --minimal is not given; that was not so")
        for name in theogony.games():
            aec(name)
            single(name)
            batch(name)
            met = players(name, (*ANYWHERE, *(() if minimal else ("reference",))))
            print(f"{name}: AEC, Gymnasium, batch, {', '.join(met)}", flush=True)
        if not minimal:
            train()
        os.chdir(tempfile.gettempdir())  # Windows removes no folder that somebody works in


def check_place(package: Path) -> None:
    """The package must be the installed one, not a checkout."""
    if any((parent / ".git").exists() or (parent / "tests" / "smoke.py").exists() for parent in package.parents):
        raise SystemExit(f"smoke: {package} is in a checkout; install the wheel in an environment of its own")


def aec(name: str) -> None:
    """A whole game, seat by seat."""
    import theogony

    env = theogony.make(name, render_mode="ansi")
    env.reset(seed=1)
    assert env.render(), "the position as text"
    for agent in env.agent_iter():
        view, _, terminated, truncated, _ = env.last()
        assert view is not None
        env.step(None if terminated or truncated else env.action_space(agent).sample(view["action_mask"]))
    assert not env.agents


def single(name: str) -> None:
    """A whole game of one seat, by the id that imports the package."""
    env = gymnasium.make(f"theogony:{gym_id(name)}", illegal="random")
    _, info = env.reset(seed=1)
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
        over = terminated or truncated
    assert "score" in info and info["illegal_actions"] == 0


def batch(name: str) -> None:
    """Some steps of 16 games, by the same id."""
    envs: Any = gymnasium.make_vec(f"theogony:{gym_id(name)}", num_envs=16, vectorization_mode="vector_entry_point")
    observations, infos = envs.reset(seed=1)
    for _ in range(40):
        observations, _, _, _, infos = envs.step(infos["action_mask"].argmax(1))
    assert observations in envs.observation_space and infos["action_mask"].any(1).all()


def players(name: str, names: tuple[str, ...]) -> list[str]:
    """Three decisions of every player; returns those that there are. A game may be without a reference player."""
    import theogony

    met = []
    for player in names:
        env = theogony.make(name)
        env.reset(seed=1)
        try:
            who = theogony.player(player, env, seed=1)
        except ValueError as error:
            if player != "reference" or f'there is no player "{player}"' not in str(error):
                raise
            continue
        for _ in range(3):
            env.step(who.act(env))
        met.append(player)
    return met


def train() -> None:
    """A short run of a training file of the package, by its name; then what it made plays."""
    command = [sys.executable, "-m", "theogony"]
    file = ["push_of_faith/quickstart", *TRAINED, "folder=run", "evaluation.every=2304"]
    subprocess.run([*command, "train", *file], check=True)
    subprocess.run([*command, "evaluate", "run", "--against", "random", "--games", "10"], check=True)
    failed = subprocess.run([*command, "train", "push_of_faith/quick"], capture_output=True, text=True, check=False)
    assert failed.returncode == 1 and "push_of_faith/quickstart" in failed.stderr, failed.stderr
    print("trained and evaluated push_of_faith/quickstart", flush=True)


def gym_id(name: str) -> str:
    """`theogony/PushOfFaith-v0` of `push_of_faith`."""
    return f"theogony/{name.title().replace('_', '')}-v0"


if __name__ == "__main__":
    main()
