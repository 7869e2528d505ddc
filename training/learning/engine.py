"""What an engine is: `Engine` has what all share (the folder and evaluation), `Training` what learns in this process.

`train.py` has the loop that asks an engine for what `Training` lists.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch

from theogony.console import interrupt
from theogony.console.progress import Progress
from theogony.envs.core.game import Game
from theogony.envs.core.players import Player, make_player
from theogony.envs.core.rng import mixed
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.training.config import ConfigError
from theogony.training.config.engines import Config, LocalConfig
from theogony.training.config.sections import Network, ValueNetwork
from theogony.training.learning.logs import missing
from theogony.training.networks.policy import AgentPolicy
from theogony.training.networks.weights import Tensors
from theogony.training.players.network import NetworkPlayer
from theogony.training.players.reference import KINDS, reference_folder
from theogony.training.rating.evaluate import Result, evaluate, table
from theogony.training.storage import checkpoint
from theogony.training.storage.curve import draw_curve
from theogony.training.storage.folder import METRICS, write_config, write_versions
from theogony.training.storage.header import read_header
from theogony.training.storage.mirrors import send, shown

EVALUATIONS = 5  # what a run's seed is mixed with, so that no evaluation plays deals that the run learnt from
SHARED = "shared"  # the one network of all seats; otherwise networks have the names of seats: player_0, player_1 ...


def whole_weights(path: Path) -> Tensors:
    """The weights of a checkpoint as float32, whatever they are kept in. Raises CheckpointError."""
    return {name: tensor.float() for name, tensor in checkpoint.read_weights(path).items()}


def player_named(key: str, name: str, game: Game, draws: bool = False) -> Player:
    """The player that a key of the training file names. Raises ConfigError."""
    try:
        return make_player(name, game, draws=draws)
    except ValueError as error:
        raise ConfigError(f"{key}: {error}") from None


Given = TypeVar("Given", bound=Config)
Local = TypeVar("Local", bound=LocalConfig)


class Engine(Generic[Given]):
    """A run in its folder. An engine says how many `steps` are done and which networks learn."""

    network: Network | ValueNetwork  # what learns

    def __init__(self, config: Given, folder: Path) -> None:
        if config.torch_threads != "auto":
            torch.set_num_threads(config.torch_threads)
        self.config, self.folder, self.game = config, folder, config.make_game()
        self.tested = config.make_tested_game(self.game)  # the game of the evaluations
        self.names = [SHARED]
        self.seconds = 0.0  # of learning, over all sessions
        self.say: Callable[[str], None] = print
        self.how_to_go_on = f"go on with: theogony train --resume {shown(folder)}"

    @property
    def steps(self) -> int:
        """Decisions of the learner so far, over all sessions."""
        raise NotImplementedError

    def policy(self, name: str) -> AgentPolicy:
        """A network as it is now; `name` is one of `names`."""
        raise NotImplementedError

    def player(self, name: str) -> Player:
        """The player that a network is now."""
        policy = self.policy(name)
        policy.set_training_mode(False)
        return NetworkPlayer(str(self.place(name)), policy, game=self.game)

    def place(self, name: str) -> Path:
        """The folder that holds the checkpoints of a network."""
        return self.folder if name == SHARED else self.folder / name

    # ------------------------------------------------------------------------------------------------ the folder

    def write_down(self, **versions: str) -> None:
        """What the run is and what it is made with; no metrics yet."""
        make_folder(self.folder)
        write_config(self.config, self.folder)
        self.say_how_to_go_on()
        write_versions(self.folder, **versions)
        replace_file(self.folder / METRICS, b"")

    def say_how_to_go_on(self) -> None:
        """What a command says that is stopped."""
        interrupt.say(self.how_to_go_on)

    def weights_from(self, run: str | Path) -> tuple[Tensors, Path]:
        """The weights of another run or of a reference player, float32, and where they lie.

        Raises CheckpointError when they are of another game or network, or damaged.
        """
        path = reference_folder(self.game, str(run)) if str(run) in KINDS else checkpoint.checkpoint_path(Path(run))
        header = read_header(path)
        header.check(self.game, path)
        header.check_network(self.network, path)
        return {name: tensor.float() for name, tensor in checkpoint.weights_for(path, self.game).items()}, path

    def due(self, every: int, before: int) -> bool:
        """Whether a multiple of `every` steps was reached since `before`, or the end."""
        return self.steps // every > before // every or self.steps >= self.config.algorithm.total_steps

    # ------------------------------------------------------------------------------------------------ evaluation

    def results(self, games: int) -> dict[str, list[Result]]:
        """Every network against the fixed players of the file; one of a single seat plays only there."""
        found, seed = {}, mixed(self.config.seed, 0, EVALUATIONS)
        for seat, name in enumerate(self.names):
            only, player = None if name == SHARED else seat, self.player(name)
            against = self.config.evaluation.against
            found[name] = [evaluate(player, other, self.tested, games, seed, only, both=True) for other in against]
        return found

    def evaluation(self, games: int) -> dict[str, dict[str, float | None]]:
        """The evaluation of the networks in short, for the metrics: by fixed player the mean over the networks."""
        found = {}
        for of in zip(*self.results(games).values(), strict=True):
            means = {"won": "win_rate", "margin": "margin", "cut_off": "cut_off"}
            means |= {"drawn": "drawn"} if of[0].drawn is not None else {}
            found[of[0].against] = {name: _mean(of, figure) for name, figure in means.items()}
        return found

    def before_learning(self) -> dict[str, Any]:
        """The metrics of step 0: how the agent plays before it has learnt anything, with what its network is told."""
        found = self.evaluation(self.config.evaluation.games)
        self.say("before learning: " + ", ".join(f"{one['won']:.1%} against {name}" for name, one in found.items()))
        return {"steps": 0, "seconds": 0.0, "evaluation": found}

    def report(self, done: str) -> None:
        """Learning curve and evaluation at the end, with a line that says what was done."""
        draw_curve(self.folder)
        with Progress("the last evaluation"):
            results = self.results(self.config.evaluation.final_games)
        content: dict[str, Any] = {name: [asdict(result) for result in found] for name, found in results.items()}
        whole = content.get(SHARED, content)
        replace_file(self.folder / "evaluation.json", json.dumps(whole, indent=1).encode())
        print(done)
        for name, found in results.items():
            print(table(found) if name == SHARED else f"{name}, in its own seat\n{table(found)}")
        send(self.folder)
        print(f"agent, metrics and curve are in {shown(self.folder)}")


def _mean(results: Sequence[Result], figure: str) -> float | None:
    """The mean of a figure over several networks, None where games have none."""
    found = [value for result in results if (value := getattr(result, figure)) is not None]
    return sum(found) / len(found) if found else None


class Training(Engine[Local]):
    """A run that learns in this process. `spent` has the seconds of each part of the work in this session."""

    def __init__(self, config: Local, folder: Path) -> None:
        super().__init__(config, folder)
        if (problem := missing(config)) is not None:
            raise ConfigError(problem)
        self.spent: dict[str, float] = {}
        self.cpu = 0.0  # seconds of the processor while it learns, over all sessions; evaluations are not counted

    def begin(self) -> None:
        """Write down what the run is; the first checkpoint is that of the agent before any training."""
        raise NotImplementedError

    def last_step(self) -> int:
        """The steps of the run in the end, as far as they are known before."""
        return max(self.steps, self.config.algorithm.total_steps)

    def rounding(self, end: int) -> str:
        """Why the steps are not as many as were asked for, where they are not."""
        return ""

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

    def export(self) -> None:
        """Files of the agent in another form, which the training file may ask for."""

    def close(self) -> None:
        """Let go of what the run holds."""
