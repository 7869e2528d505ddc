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

from theogony.console.progress import Progress, track
from theogony.envs.core.batches.shaping import Potential
from theogony.envs.core.contract import is_reserved
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.gamerecord import RecordError, read_record
from theogony.envs.core.players import Player, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.record import ENDED, RUNNING
from theogony.envs.core.rng import mixed
from theogony.envs.core.thinking.lookahead_scores import position_lookahead
from theogony.envs.core.thinking.player_rng import player_rng
from theogony.envs.core.untrusted.files import replace_file
from theogony.envs.core.untrusted.outside import read_arrays
from theogony.training.config import ConfigError
from theogony.training.config.engines import PolicyConfig, TdConfig
from theogony.training.config.file import inside, load_config
from theogony.training.networks.policy import AgentPolicy, act, make_policy
from theogony.training.networks.weights import weights_of
from theogony.training.storage import checkpoint
from theogony.training.storage.disk import only_here
from theogony.training.storage.folder import new_folder, tidy, write_config
from theogony.training.storage.header import CheckpointHeader
from theogony.wrappers.sb3_vec import with_scores

TEACHING = 4  # what a run's seed is mixed with for the games of teachers
MAY_LACK = ("returns", "episodes")  # of the arrays of a data set


class LessonError(ValueError):
    """A file holds no games of this game; the message names it and what was expected."""


class Lessons(NamedTuple):
    """N decisions."""

    observations: np.ndarray  # uint8 (N, length): codes, and where the network takes them the bytes of lookahead scores
    masks: np.ndarray  # int8 (N, actions)
    actions: np.ndarray  # int64 (N,)
    returns: np.ndarray  # float32 (N,): what the deciding seat got from there on, nan where that is not known
    games: np.ndarray  # int64 (N,): which game it was

    def where(self, chosen: np.ndarray) -> Lessons:
        """Some of the decisions."""
        return Lessons(*(array[chosen] for array in self))


def read_lessons(
    paths: Sequence[Path], game: Game, config: PolicyConfig, teachers: Sequence[Player] = (), played: int = 0
) -> Lessons:
    """The decisions of some files, and of games that teachers play. Raises LessonError, RecordError or OSError naming
    the file that is wrong."""
    parts = [
        _from_arrays(path, game, config) if path.suffix == ".npz" else _from_record(path, game, config)
        for path in track(paths, "reading", "files")
    ]
    parts += [_from_player(teacher, game, config, played) for teacher in teachers]
    if not parts or not sum(len(part.actions) for part in parts):
        raise LessonError(
            "there are no decisions to learn from; expected records (.jsonl), data sets (.npz) or names of players"
        )
    first = np.cumsum([0, *(part.games.max(initial=-1) + 1 for part in parts)])
    parts = [part._replace(games=part.games + offset) for part, offset in zip(parts, first[:-1], strict=True)]
    return Lessons(*map(np.concatenate, zip(*parts, strict=True)))


def _from_record(path: Path, game: Game, config: PolicyConfig) -> Lessons:
    """Every decision of a recorded game, all seats."""

    def spec_of(name: str) -> GameSpec:
        if name != game.spec.name:
            raise RecordError(f"is of the game {name!r}, not of {game.spec.name!r}")
        return game.spec

    end = read_record(path, spec_of)
    if end.game.component_digest != game.component_digest or end.game.options != game.options:
        raise RecordError(f"{path}: is of {end.game!r}, but the training file is of {game!r}")
    if is_reserved(end.seed):
        raise RecordError(f"{path}: is a deal of the benchmark, which training never uses")
    return _from_game(end, config)


def _from_player(teacher: Player, game: Game, config: PolicyConfig, played: int) -> Lessons:
    """Every decision of games that a player plays in all seats."""
    rng, parts = player_rng([config.seed, TEACHING]), []
    for k in track(range(played), f"{teacher.name} plays", "games"):
        position = Position(game, mixed(config.seed, k, TEACHING))
        while position.over == RUNNING:
            position.play(teacher.act(Views.at(position), rng)[0])
        parts.append(_from_game(position, config)._replace(games=np.full(position.now, k)))
    return Lessons(*map(np.concatenate, zip(*parts, strict=True)))


def _from_game(end: Position, config: PolicyConfig) -> Lessons:
    """Every decision of a game, given by its end."""
    game = end.game
    rewards = end.rewards(config.reward or game.usual_reward)
    position, seen, masks, returns = Position(game, end.seed), [], [], []
    potential = Potential(position.game, config.shaping) if config.shaping != "none" else None
    for action in end.actions:
        seen.append(_seen(position, config))
        masks.append(position.mask[0].copy())
        paid = 0.0 if potential is None else potential.here(position)
        returns.append(rewards[position.actor] - paid if end.over == ENDED else np.nan)
        position.play(action)
    return Lessons(
        np.array(seen, np.uint8).reshape(len(seen), -1),
        np.array(masks, np.int8).reshape(len(seen), -1),
        np.array(end.actions, np.int64),
        np.array(returns, np.float32),
        np.zeros(len(seen), np.int64),
    )


def _seen(position: Position, config: PolicyConfig) -> np.ndarray:
    """What the network sees: the observation and, where it takes some, lookahead scores."""
    if config.network.lookahead:
        return with_scores(position.codes, position_lookahead(position)[None])[0]
    return position.codes[0].copy()


def _from_arrays(path: Path, game: Game, config: PolicyConfig) -> Lessons:
    """A data set; without positions, so that neither lookahead scores nor shaping can be worked out."""
    if config.network.lookahead:
        raise LessonError(
            f"{path}: a network that takes lookahead scores learns from records only: a data set has no positions"
        )
    data = read_arrays(path, str(path), LessonError)
    count = data["actions"].size if "actions" in data else 0
    compact = "observations" in data and data["observations"].dtype == np.uint8
    wanted = {
        "observations": (np.uint8 if compact else np.float32, (count, game.features.length)),
        "masks": (np.int8, (count, game.actions.size)),
        "actions": (np.int64, (count,)),
        "returns": (np.float32, (count,)),
        "episodes": (np.int64, (count,)),
    }
    for name, (dtype, shape) in wanted.items():
        if name in data or name not in MAY_LACK:
            data[name] = _fitting(path, name, data.get(name), np.dtype(dtype), shape, game)
    actions = data["actions"]
    legal = (actions >= 0) & (actions < game.actions.size)
    if not legal.all() or not data["masks"][np.arange(count), actions].all():
        raise LessonError(f"{path}: has actions that its masks do not allow")
    known = data.get("returns", np.full(count, np.nan)) if config.shaping == "none" else np.full(count, np.nan)
    games = np.unique(data.get("episodes", np.zeros(count, np.int64)), return_inverse=True)[1]
    codes = data["observations"] if compact else game.features.encode(data["observations"])
    if (codes > game.features.highest).any():
        raise LessonError(f"{path}: observations hold codes beyond their bounds")
    return Lessons(codes, data["masks"], actions, known.astype(np.float32), games.astype(np.int64))


def _fitting(
    path: Path, name: str, found: np.ndarray | None, dtype: np.dtype, shape: tuple[int, ...], game: Game
) -> np.ndarray:
    """An array of a data set as it is needed. Raises LessonError for another kind, shape or range of numbers."""
    if found is None or found.shape != shape:
        raise LessonError(
            f"{path}: {name} is {'missing' if found is None else found.shape}, but {game!r} needs {shape}"
        )
    if not np.can_cast(found.dtype, dtype, "same_kind") and not (found.dtype == bool or found.dtype.kind in "iu"):
        raise LessonError(f"{path}: {name} is of {found.dtype}, but {game!r} needs {dtype}")
    if found.dtype.kind == "f" and name != "returns" and not np.isfinite(found).all():
        raise LessonError(f"{path}: {name} holds numbers that are not finite")
    return found.astype(dtype)


def split(lessons: Lessons, share: float, seed: int) -> tuple[Lessons, Lessons]:
    """Lessons to learn, and those of a share of the games, at least one of each. Raises LessonError for one game; a
    data set that does not tell its games apart counts as one."""
    games = np.random.default_rng(seed).permutation(np.unique(lessons.games))
    if len(games) < 2:
        raise LessonError(
            "there is one game only; expected at least two, one to learn from and one to hold out (a data set "
            "tells its games apart by the array episodes)"
        )
    out = np.isin(lessons.games, games[: min(max(1, round(share * len(games))), len(games) - 1)])
    return lessons.where(~out), lessons.where(out)


# ---- Learning from them --------------------------------------------------------------------------------------------

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
    policy: AgentPolicy, lessons: Lessons, held_out: Lessons, study: Study, seed: int, progress: Progress
) -> list[dict[str, float]]:
    """Fit a policy to lessons, keeping the weights that do best on those held out. Returns figures of each epoch."""
    optimizer, rng = torch.optim.Adam(policy.parameters(), study.rate), np.random.default_rng(seed)
    history, best = [], weights_of(policy)
    for _ in range(study.epochs):
        policy.set_training_mode(True)
        order = rng.permutation(len(lessons.actions))
        parts = (order[start : start + study.batch] for start in range(0, len(order), study.batch))
        losses = [_step(policy, optimizer, lessons.where(part)) for part in parts]
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
