"""`theogony imitate`: behaviour cloning. A network learns to decide as the players of given games did.

Games are records of this project (`.jsonl`) or data sets (`.npz` with `observations`, `masks`, `actions` and, where
they are known, `returns` and `episodes`, as `theogony dataset` writes them). A player that is named plays games to be
imitated in every seat. The training file says which game and network it is. What comes out is a run with one
checkpoint, where `start_from` of a training file begins.

The policy learns by cross entropy, the value by the final rewards (less what shaping has paid by then, so that training
goes on where this ends). A share of the games is held out; the weights that do best on it are kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional

from theogony.console.progress import Progress
from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.envs.core.untrusted.files import replace_file
from theogony.training.config import ConfigError
from theogony.training.config.engines.td import TdConfig
from theogony.training.config.file import load_config
from theogony.training.config.keys import inside
from theogony.training.config.schema import PolicyConfig
from theogony.training.learning.lessons import Lessons, read_lessons, split
from theogony.training.networks.policy import AgentPolicy, act, make_policy
from theogony.training.networks.weights import weights_of
from theogony.training.storage import checkpoint
from theogony.training.storage.folder import new_folder, tidy, write_config
from theogony.training.storage.header import CheckpointHeader
from theogony.training.storage.lock import only_here

READ = ("engine", "game", "options", "reward", "shaping", "seed", "folder", "torch_threads", "algorithm.net_arch")
OPTIONS = {"algorithm.learning_rate": "--learning-rate", "algorithm.batch_size": "--batch-size"}
NEEDED = "algorithm.total_steps"  # must be in a training file, whatever is done with it


class Study(NamedTuple):
    """How lessons are learnt."""

    epochs: int = 10  # how often each decision is learnt
    rate: float = 1e-3  # of Adam
    batch: int = 512  # decisions of a step
    held_out: float = 0.1  # share of the games to measure on


USUAL = Study()


def learn(
    policy: AgentPolicy,
    lessons: Lessons,
    held_out: Lessons,
    study: Study,
    seed: int,
    progress: Progress,
) -> list[dict[str, float]]:
    """Fit a policy to lessons, keeping the weights that do best on those held out. Returns figures of each epoch."""
    optimizer, rng = torch.optim.Adam(policy.parameters(), study.rate), np.random.default_rng(seed)
    history, best = [], weights_of(policy)
    for _ in range(study.epochs):
        policy.set_training_mode(True)
        order = rng.permutation(len(lessons.actions))
        losses = [
            _step(policy, optimizer, lessons.where(order[start : start + study.batch]))
            for start in range(0, len(order), study.batch)
        ]
        policy.set_training_mode(False)
        figures = {"loss": float(np.mean(losses))} | measure(policy, held_out, study.batch)
        if all(figures["held_out_loss"] < earlier["held_out_loss"] for earlier in history):
            best = weights_of(policy)
        history.append(figures)
        progress.add()
        progress.note = f"agrees in {figures['agrees']:.1%}"
    policy.load_state_dict(best, strict=False)  # shared layers are in it under one of their names
    return history


def _step(policy: AgentPolicy, optimizer: torch.optim.Optimizer, lessons: Lessons) -> float:
    """One step of the optimiser. Returns the cross entropy of the policy."""
    values, chances = _judge(policy, lessons)
    known = ~np.isnan(lessons.returns)
    loss = -chances.mean()
    if known.any():
        target = torch.from_numpy(lessons.returns[known])
        loss = loss + 0.5 * functional.mse_loss(values[torch.from_numpy(known)], target)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
    optimizer.step()
    return -float(chances.mean().detach())


def _judge(policy: AgentPolicy, lessons: Lessons) -> tuple[torch.Tensor, torch.Tensor]:
    """Values and log probabilities of the actions, both (n,)."""
    values, chances, _ = policy.evaluate_actions(
        torch.from_numpy(lessons.observations),
        torch.from_numpy(lessons.actions),
        lessons.masks,  # pyright: ignore[reportArgumentType]
    )
    assert isinstance(chances, torch.Tensor)
    return values.flatten(), chances


@torch.no_grad()
def measure(policy: AgentPolicy, lessons: Lessons, batch: int) -> dict[str, float]:
    """Cross entropy on decisions that were not learnt, and the share in which the likeliest action is that taken."""
    losses, agreed = [], []
    for start in range(0, len(lessons.actions), batch):
        part = lessons.where(np.arange(start, min(start + batch, len(lessons.actions))))
        losses.append(-_judge(policy, part)[1].numpy())
        agreed.append(act(policy, part.observations, part.masks) == part.actions)
    return {"held_out_loss": float(np.concatenate(losses).mean()), "agrees": float(np.concatenate(agreed).mean())}


def run(
    config_path: Path,
    paths: Sequence[Path],
    overrides: Sequence[str],
    folder: Path | None = None,
    study: Study = USUAL,
    teachers: Sequence[str] = (),
    played: int = 100,
) -> Path:
    """`theogony imitate`: learn from files, and from `played` games of each teacher, a player's name.

    Writes a run with one checkpoint and returns its folder.
    """
    _check_read(overrides)
    config = load_config(config_path, list(overrides))
    if isinstance(config, TdConfig):
        raise ConfigError(f"{config_path}: engine td learns a value, no policy; expected engine sb3, distil or rllib")
    if folder is not None:
        config = config.model_copy(update={"folder": str(folder)})
    if config.torch_threads != "auto":
        torch.set_num_threads(config.torch_threads)
    game = config.make_game()
    named = [make_player(name, game) for name in teachers]
    learnt, kept = split(read_lessons(paths, game, config, named, played), study.held_out, config.seed)
    torch.manual_seed(config.seed)
    policy = make_policy(game, config.network)
    with Progress("learning", study.epochs, "epochs") as progress:
        history = learn(policy, learnt, kept, study, config.seed, progress)
    target = new_folder(config, config_path.with_stem(f"{config_path.stem}-imitation"))
    _save(target, game, config, policy, history)
    best = min(history, key=lambda figures: figures["held_out_loss"])
    print(
        f"{len(learnt.actions):,} decisions learnt, {len(kept.actions):,} held out; of those the agent decides "
        f"{best['agrees']:.1%} as its teachers did\nit is in {target}; go on with: theogony train CONFIG "
        f"start_from={target}"
    )
    return target


def _check_read(overrides: Sequence[str]) -> None:
    """Raise ConfigError for an entry that would change nothing."""
    for key in (override.partition("=")[0] for override in overrides):
        if not any(inside(key, read) or inside(read, key) for read in (*READ, NEEDED)):
            expected = OPTIONS.get(key, ", ".join(READ))
            raise ConfigError(f"command line: {key}: imitation does not read it; expected {expected}")


def _save(folder: Path, game: Game, config: PolicyConfig, policy: AgentPolicy, history: list[dict[str, float]]) -> None:
    with only_here(folder):
        tidy(folder)
        write_config(config, folder)
        replace_file(folder / "imitation.json", json.dumps(history, indent=1).encode())
        header = CheckpointHeader.of(game, config.network, 0)
        checkpoint.save(folder, header, weights_of(policy), {}, {}, {})
