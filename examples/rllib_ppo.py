"""RLlib: `engine: rllib` of a training file, with all seats learning from each other under action masks.

    .venv-rllib/bin/python examples/rllib_ppo.py --total-steps 200000

Ray pins an older Gymnasium, so it has an environment of its own: `make rllib`. At the end the network plays against a
random player.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from theogony.envs import load
from theogony.envs.core.players import make_player
from theogony.training.config.shipped import config_file
from theogony.training.learning import train
from theogony.training.rating.evaluate import Result, evaluate, table


def main(arguments: list[str] | None = None) -> Result:
    """Train, then play against a random player; prints and returns how that went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="push_of_faith", help="one that has configs/GAME/rllib.yaml")
    parser.add_argument("--workers", type=int, default=0, help="processes that play; 0: the learner's own")
    parser.add_argument("--total-steps", type=int, default=100_000)
    parser.add_argument("--eval-games", type=int, default=1000)
    settings = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        changed = {
            "folder": run,
            "rllib.workers": settings.workers,
            "algorithm.total_steps": settings.total_steps,
            "evaluation.every": settings.total_steps,
            "evaluation.games": 10,  # we evaluate below
        }
        file = config_file(Path(f"{settings.game}/rllib"))
        train.run(file, [f"{key}={value}" for key, value in changed.items()], None)
        game = load(settings.game).configure({})
        result = evaluate(make_player(str(run), game), "random", game, settings.eval_games, seed=1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
