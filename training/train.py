"""`theogony train`: from a training file to an agent. Reads from top to bottom.

Everything a run makes is in its folder: `config.yaml` (as it was in force), `versions.json`, `metrics.jsonl` (a line a
rollout), `curve.png`, `tensorboard/`, `checkpoints/`, `pool/` (past selves) and `evaluation.json`.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

from theogony import __version__
from theogony.envs.core.files import replace_file
from theogony.training import checkpoint
from theogony.training.checkpoint import Checkpoint, CheckpointError, Header
from theogony.training.config import Config, ConfigError
from theogony.training.config_file import load_config, resumed_config
from theogony.training.curve import draw_curve
from theogony.training.evaluate import Result, as_json, evaluate, table
from theogony.training.opposition import Opposition
from theogony.training.players import NetworkPlayer, checkpoint_path
from theogony.training.ppo import BatchPPO
from theogony.wrappers.sb3_vec import BatchVecEnv

LIBRARIES = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium", "safetensors")


def run(config_path: Path | None, overrides: list[str], resume: Path | None) -> None:
    """Train from a file, or go on with a run. Raises ConfigError or CheckpointError."""
    if (config_path is None) == (resume is None):
        raise ConfigError("give a training file or a run to resume, one of the two")
    if resume is not None:
        config = resumed_config(resume, overrides)
        if config.engine == "rllib":
            return other_engine(config).run(config, resume, resumed=True)
        training = Training(config, resume)
        training.restore(checkpoint.read(checkpoint.latest(resume)))
    else:
        assert config_path is not None
        config = load_config(config_path, overrides)
        if config.torch_threads == "auto":
            config = config.model_copy(update={"torch_threads": helpful_threads()})
        if config.engine == "rllib":
            return other_engine(config).run(config, new_folder(config, config_path))
        training = Training(config, new_folder(config, config_path))
        training.begin()
    try:
        training.learn()
    except KeyboardInterrupt:
        raise SystemExit(f"stopped; go on with: theogony train --resume {training.folder}") from None
    training.finish()


def other_engine(config: Config) -> Any:
    """The module of an engine that is an extra. Raises ConfigError when its library is not installed."""
    try:
        return importlib.import_module(f"theogony.training.{config.engine}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "ray":
            raise
        raise ConfigError(
            "engine: rllib needs Ray, which is not installed here: `make rllib`, or "
            "pip install -c constraints-rllib.txt -e '.[train,rllib]' in an environment of its own"
        ) from None


class Training:
    """One run: games, learner, opposition, and where it stands."""

    def __init__(self, config: Config, folder: Path) -> None:
        if config.torch_threads != "auto":
            torch.set_num_threads(config.torch_threads)
        torch.distributions.Distribution.set_default_validate_args(False)  # checks of every batch, a tenth of the time
        self.config, self.folder = config, folder
        self.game = config.make_game()
        self.opposition = Opposition(config, self.game, folder)
        self.env = BatchVecEnv(
            self.game,
            config.environment.num_envs,
            config.seed,
            seat=config.environment.seat,
            reward=config.reward,
            threads=config.environment.threads,
            advice=config.algorithm.net_arch.advice > 0,
        )
        self.model = BatchPPO(self.env, config.algorithm, config.seed, config.shaping)
        self.seconds = 0.0  # of learning, over all sessions

    # ------------------------------------------------------------------------------------------------ the run

    def begin(self) -> None:
        """Write down what the run is; the first checkpoint is that of the agent before any training."""
        if self.config.start_from is not None:
            self.start_from(Path(self.config.start_from))
        self.folder.mkdir(parents=True, exist_ok=True)
        write_config(self.config, self.folder)
        replace_file(self.folder / "versions.json", json.dumps(versions(), indent=1).encode())
        replace_file(self.folder / "metrics.jsonl", b"")
        if self.opposition.uses_self:
            self.opposition.join(checkpoint.weights_of(self.model.policy), 0)
        self.env.opponents = self.opposition.spec()
        self.model.start()
        self.save()

    def start_from(self, run: Path) -> None:
        """Take over the network of another run. Raises CheckpointError when it does not fit."""
        path = checkpoint_path(run)
        checkpoint.read_header(path).check(self.game, path)
        checkpoint.load_weights(self.model.policy, checkpoint.read_weights(path), path)

    def learn(self) -> None:
        """Rollout, update, and now and then an evaluation and a checkpoint, until all steps are done."""
        model, total = self.model, self.config.algorithm.total_steps
        print(f"{self.game.spec.title}, {self.game.players} players: {total:,} steps, run folder {self.folder}")
        board = SummaryWriter(str(self.folder / "tensorboard"), purge_step=model.num_timesteps + 1)
        bar = tqdm(total=total, initial=min(model.num_timesteps, total), unit=" steps", disable=None, smoothing=0.1)
        while model.num_timesteps < total:
            started, before = time.perf_counter(), model.num_timesteps
            model.rollout()
            model.train()
            self.let_opposition_grow(before)
            self.seconds += time.perf_counter() - started
            metrics = self.metrics()
            if self._due(self.config.evaluation.every, before):
                metrics["evaluation"] = self.evaluation(self.config.evaluation.games)
            self.write(metrics, board)
            if self._due(self.config.checkpoint_every, before):
                self.save()
                draw_curve(self.folder)
            bar.set_postfix_str(summary(metrics))
            bar.update(min(model.num_timesteps, total) - bar.n)
        bar.close()
        board.close()

    def finish(self) -> None:
        """Last checkpoint, learning curve and evaluation."""
        self.save()
        draw_curve(self.folder)
        if self.config.export_sb3:
            self.model.save(self.folder / "sb3.zip")
        results = self.results(self.config.evaluation.final_games)
        replace_file(self.folder / "evaluation.json", as_json(results).encode())
        speed = self.model.num_timesteps / max(self.seconds, 1e-9)
        shares = ", ".join(f"{name} {share:.0%}" for name, share in self.time_shares().items())
        print(f"{self.model.num_timesteps:,} steps in {self.seconds:.0f} s: {speed:,.0f} steps/s ({shares})")
        print(table(results))
        print(f"agent, metrics and curve are in {self.folder}")

    def _due(self, every: int, before: int) -> bool:
        """Whether a multiple of `every` steps was reached in this iteration, or the end."""
        now = self.model.num_timesteps
        return now // every > before // every or now >= self.config.algorithm.total_steps

    def let_opposition_grow(self, before: int) -> None:
        """Raise the curriculum when the learner wins, and take it into the pool of past selves in time."""
        changed = self.opposition.note(self.model.new_rewards())
        now, every = self.model.num_timesteps, self.config.self_play.every
        if self.opposition.uses_self and now // every > before // every:
            self.opposition.join(checkpoint.weights_of(self.model.policy), now)
            if self.opposition.league is not None and (circle := self.opposition.league.circle()) is not None:
                tqdm.write(f"the pool goes round in circles: {circle}")
            changed = True
        if changed:
            self.env.opponents = self.opposition.spec()

    # ------------------------------------------------------------------------------------------------ measuring

    def metrics(self) -> dict[str, Any]:
        """Figures of the last iteration."""
        logged = {k: float(v) for k, v in self.model.logger.name_to_value.items() if k.startswith("train/")}
        self.model.logger.name_to_value.clear()
        metrics = {
            "steps": self.model.num_timesteps,
            "seconds": round(self.seconds, 3),
            "won": self.opposition.win_rate(),
            "reward": float(np.mean(self.model.rewards)) if self.model.rewards else 0.0,
            **logged,
        }
        if self.opposition.uses_curriculum:
            metrics["greedy_share"] = self.opposition.greed
        if self.opposition.league is not None:
            metrics |= self.opposition.league.metrics()
        return metrics

    def results(self, games: int) -> list[Result]:
        """Play the agent against the fixed players of the file."""
        player = NetworkPlayer(str(self.folder), self.model.policy)
        self.model.policy.set_training_mode(False)
        return [evaluate(player, name, self.game, games, self.config.seed) for name in self.config.evaluation.against]

    def evaluation(self, games: int) -> dict[str, dict[str, float | None]]:
        """The same in short, for the metrics."""
        return {r.against: {"won": r.win_rate, "margin": r.margin} for r in self.results(games)}

    def time_shares(self) -> dict[str, float]:
        """Where the time of this session went: environment, policy, training."""
        total = max(sum(self.model.seconds.values()), 1e-9)
        return {name: seconds / total for name, seconds in self.model.seconds.items()}

    def write(self, metrics: dict[str, Any], board: SummaryWriter) -> None:
        """A line of metrics, also for TensorBoard."""
        with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(metrics) + "\n")
        steps = metrics["steps"]
        for name, value in metrics.items():
            if isinstance(value, int | float) and name != "steps":
                board.add_scalar(name if "/" in name else f"run/{name}", value, steps)
        for name, result in metrics.get("evaluation", {}).items():
            board.add_scalar(f"evaluation/{name.replace(':', '_')}", result["won"], steps)

    # ------------------------------------------------------------------------------------------------ saving

    def save(self) -> None:
        """A checkpoint of all that decides how the run goes on."""
        model = self.model
        arrays = {f"env/{name}": array for name, array in self.env.state_dict().items()}
        arrays["episode_starts"] = np.asarray(model._last_episode_starts)
        arrays["torch_rng"] = torch.get_rng_state().numpy()
        kind, keys, position, has_gauss, gauss = np.random.get_state(legacy=True)
        arrays["numpy_rng"] = np.asarray(keys)
        numbers = {
            "numpy_rng": [kind, int(position), int(has_gauss), float(gauss)],
            "updates": model._n_updates,
            "rewards": list(model.rewards),
            "seconds": self.seconds,
            "opposition": self.opposition.state(self.env.batch.policies),
        }
        header = Header.of(self.game, self.config.algorithm.net_arch, model.num_timesteps)
        optimizer = checkpoint.optimizer_tensors(model.policy.optimizer)
        checkpoint.save(self.folder, header, checkpoint.weights_of(model.policy), optimizer, arrays, numbers)

    def restore(self, saved: Checkpoint) -> None:
        """Go on from a checkpoint as if nothing had happened. Raises CheckpointError."""
        saved.header.check_same(self.game, saved.path)
        model, arrays, numbers = self.model, saved.arrays, saved.numbers
        checkpoint.load_weights(model.policy, saved.policy, saved.path)
        try:
            checkpoint.load_optimizer(model.policy.optimizer, saved.optimizer)
            policies = self.opposition.load_state(numbers["opposition"])
            state = {name.removeprefix("env/"): array for name, array in arrays.items() if name.startswith("env/")}
            self.env.load_state_dict(state, policies)
            model.resume(saved.header.steps, numbers["updates"], numbers["rewards"], arrays["episode_starts"])
            self.seconds = float(numbers["seconds"])
            torch.set_rng_state(torch.from_numpy(arrays["torch_rng"]))
            kind, *rest = numbers["numpy_rng"]
            np.random.set_state((kind, arrays["numpy_rng"], *rest))
        except (KeyError, IndexError, TypeError, RuntimeError, ValueError) as error:
            if isinstance(error, CheckpointError):
                raise
            raise CheckpointError(f"{saved.path}: does not fit this run: {error}") from None
        self._forget_metrics_after(saved.header.steps)
        write_config(self.config, self.folder)

    def _forget_metrics_after(self, steps: int) -> None:
        """Leave out the lines that were written after the checkpoint, and one that a kill cut off."""
        path, kept = self.folder / "metrics.jsonl", []
        for line in path.read_text("utf-8").splitlines() if path.exists() else []:
            try:
                if json.loads(line)["steps"] > steps:
                    break
            except ValueError:
                break
            kept.append(line + "\n")
        replace_file(path, "".join(kept).encode())


# ---------------------------------------------------------------------------------------------------- small things


def new_folder(config: Config, config_path: Path) -> Path:
    """Where a new run goes: the folder of the file, or `runs/` and its name, with a number when that is taken."""
    wanted = Path(config.folder) if config.folder else Path("runs") / config_path.stem
    folder, number = wanted, 1
    while folder.exists() and any(folder.iterdir()):
        number += 1
        folder = wanted.with_name(f"{wanted.name}-{number}")
    return folder


def write_config(config: Config, folder: Path) -> None:
    """The configuration in force, as a training file."""
    text = yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False)
    replace_file(folder / "config.yaml", text.encode())


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


def versions() -> dict[str, Any]:
    """What a run was made with."""
    return {
        "theogony": __version__,
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in LIBRARIES},
        "platform": platform.platform(),
        "processors": os.cpu_count(),
    }


def summary(metrics: dict[str, Any]) -> str:
    """The end of the progress bar."""
    parts = [f"won {metrics['won']:.0%}"]
    if "greedy_share" in metrics:
        parts.append(f"of {metrics['greedy_share']:.0%} greedy")
    return " ".join(parts)


def main(arguments: list[str]) -> None:
    """`python -m theogony.training.train CONFIG [key=value ...]`, or `--resume RUN [key=value ...]`."""
    try:
        if arguments[:1] == ["--resume"] and len(arguments) > 1:
            run(None, arguments[2:], Path(arguments[1]))
        elif arguments and not arguments[0].startswith("-"):
            run(Path(arguments[0]), arguments[1:], None)
        else:
            raise ConfigError("expected CONFIG [key=value ...] or --resume RUN [key=value ...]")
    except ValueError as error:
        raise SystemExit(f"theogony train: {error}") from None


if __name__ == "__main__":
    main(sys.argv[1:])
