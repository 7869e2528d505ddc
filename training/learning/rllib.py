"""`engine: rllib`: the same training file on Ray RLlib, for as many machines as a Ray cluster has.

The loop is short: RLlib's PPO plays on its workers and learns; we write metrics, evaluate and save. All seats that
learn share one network, or have one each (`rllib.policies`). Checkpoints are those of every other run, one for each
network, so that `theogony evaluate`, tournaments and `start_from` take them; Ray's own, which hold pickles, are not
written. A run that goes on begins with the weights and the moments of the optimiser that it had, and with new games.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import ray  # pyright: ignore[reportMissingImports]
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig  # pyright: ignore[reportMissingImports]
from ray.rllib.core.columns import Columns  # pyright: ignore[reportMissingImports]
from ray.rllib.core.rl_module.apis import ValueFunctionAPI  # pyright: ignore[reportMissingImports]
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec  # pyright: ignore[reportMissingImports]
from ray.rllib.core.rl_module.rl_module import RLModuleSpec  # pyright: ignore[reportMissingImports]
from ray.rllib.core.rl_module.torch import TorchRLModule  # pyright: ignore[reportMissingImports]
from ray.rllib.env.multi_agent_env import MultiAgentEnv  # pyright: ignore[reportMissingImports]

from theogony.console import interrupt
from theogony.console.progress import Progress
from theogony.envs.core.aec import GameEnv
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.registry import load
from theogony.envs.core.thinking.lookahead_scores import LEAST, position_lookahead
from theogony.envs.core.thinking.player_rng import lent
from theogony.training.config import ConfigError
from theogony.training.config.engines import Ray, RllibConfig
from theogony.training.config.sections import Network, Schedule, rate_at
from theogony.training.learning.cluster import connect
from theogony.training.learning.engine import SHARED, Engine, player_named
from theogony.training.learning.opponent_pool import SELF
from theogony.training.networks.policy import NEVER, AgentPolicy, make_policy
from theogony.training.networks.weights import load_optimizer, load_weights, optimizer_tensors, weights_of
from theogony.training.storage import checkpoint
from theogony.training.storage.folder import add_metrics, forget_metrics_after, read_metrics, tidy, write_config
from theogony.training.storage.header import CheckpointHeader, read_header
from theogony.wrappers.sb3_vec import observation_space, with_scores

TRIES = 1000  # games that may end before a learning seat's first decision, one after the other


def plain(config: RllibConfig) -> dict[str, Any]:
    """What a worker needs to know of a training file, as plain data."""
    return {
        "game": config.game,
        "options": config.options,
        "reward": config.reward,
        "seat": config.environment.seat,
        "opponents": [(opponent.player, opponent.weight) for opponent in config.opponents],
        "network": config.network.model_dump(),
    }


class GameMultiAgentEnv(MultiAgentEnv):
    """A game over its AEC environment; only the seat that decides has an observation.

    One seat always learns (`environment.seat`), or all. For each other seat a player is drawn from `opponents` at the
    start of a game: `self` learns too, the others play inside and are not seen by RLlib. An observation is
    `{"observation": uint8 (length,), "action_mask": int8 (actions,)}`: codes, followed by the bytes of lookahead scores
    where the network takes them.
    """

    def __init__(self, settings: Any) -> None:
        game = load(settings["game"]).configure(settings["options"])
        self.env = GameEnv(game, settings["reward"], observation="compact")
        self.possible_agents = list(self.env.possible_agents)
        super().__init__()
        self.scored = Network(**settings["network"]).lookahead > 0
        space: Any = self.env.observation_space(self.possible_agents[0])
        if self.scored:
            space = spaces.Dict({**space.spaces, "observation": observation_space(game, True, "compact")})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict(self.env.action_spaces)
        self.seat = settings["seat"]
        self.names = [name for name, _ in settings["opponents"]]
        weights = np.array([weight for _, weight in settings["opponents"]], float)
        self.shares = weights / weights.sum()
        self.players = {name: make_player(name, game, draws=True) for name in self.names if name != SELF}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict, dict]:
        """Begin a new game and play it on to the first decision of a seat that learns."""
        super().reset(seed=seed)
        for _ in range(TRIES):
            self.env.reset(seed=int(self.np_random.integers(2**31)))
            self._seat_players()
            if self._run_on():
                return self._views(), {}
        raise RuntimeError(f"{TRIES} games in a row ended before the first decision of a seat that learns")

    def _seat_players(self) -> None:
        """Who sits where in this game. A seat without a player learns."""
        agents = self.possible_agents
        learner = int(self.np_random.integers(len(agents))) if self.seat == "random" else self.seat
        drawn = self.np_random.choice(len(self.names), len(agents), p=self.shares)
        players = [self.players.get(self.names[k]) for k in drawn]
        self.seated = {agent: players[seat] for seat, agent in enumerate(agents) if learner not in (seat, "all")}
        self.agents = [agent for agent in agents if self.seated.get(agent) is None]
        self.acted: list[str] = []  # RLlib knows only of those who have decided something

    def _run_on(self) -> bool:
        """Let the players inside play until a seat that learns is to decide; False when the game is over before."""
        env = self.env
        while not self._over() and (player := self.seated.get(env.agent_selection)) is not None:
            with lent(self.np_random) as rng:
                action = int(player.act(Views.at(env.position), rng)[0])
            env.step(action)
        return not self._over()

    def _over(self) -> bool:
        return any(self.env.terminations.values()) or any(self.env.truncations.values())

    def step(self, action_dict: dict[str, Any]) -> tuple[dict, dict, dict, dict, dict]:
        """One decision of the seat that is due. Raises IllegalAction, with the game as it was."""
        agent = self.env.agent_selection
        self.env.step(int(action_dict[agent]))
        env, acted = self.env, list(self.acted)
        if self._run_on():
            return self._views(), dict.fromkeys(acted, 0.0), {"__all__": False}, {"__all__": False}, {}
        terminated = {**{agent: env.terminations[agent] for agent in acted}, "__all__": env.terminations[agent]}
        truncated = {**{agent: env.truncations[agent] for agent in acted}, "__all__": env.truncations[agent]}
        rewards = {agent: env.rewards[agent] for agent in acted}
        return {agent: self._view(agent) for agent in acted}, rewards, terminated, truncated, {}

    def _views(self) -> dict[str, Any]:
        """The observation of the seat that is due."""
        agent = self.env.agent_selection
        if agent not in self.acted:
            self.acted.append(agent)
        return {agent: self._view(agent)}

    def _view(self, agent: str) -> dict[str, np.ndarray]:
        view = self.env.observe(agent)
        if self.scored:
            nothing = np.full(len(view["action_mask"]), LEAST, np.float32)
            scores = nothing if self._over() else position_lookahead(self.env.position)
            view["observation"] = with_scores(view["observation"][None], scores[None])[0]
        return view


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """The network of all other runs (`networks.policy`): what RLlib trains is a checkpoint that every part can read."""

    def setup(self) -> None:
        """Make the network from `model_config`, which is that of `plain`."""
        settings = self.model_config
        game = load(settings["game"]).configure(settings["options"])
        self.policy = make_policy(game, Network(**settings["network"]), ortho_init=True)

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, torch.Tensor]:
        """Logits (n, actions), and values (n, 1)."""
        legal = batch[Columns.OBS]["action_mask"] > 0
        logits, values = self.policy.judge(batch[Columns.OBS]["observation"], legal)
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(~legal, NEVER), Columns.EMBEDDINGS: values}

    def _forward_inference(self, batch: dict[str, Any], **_: Any) -> dict[str, torch.Tensor]:
        """Logits (n, actions)."""
        return {Columns.ACTION_DIST_INPUTS: self._forward(batch)[Columns.ACTION_DIST_INPUTS]}

    _forward_exploration = _forward_inference

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """Values (n,) of the views."""
        if embeddings is None:
            embeddings = self._forward(batch)[Columns.EMBEDDINGS]
        return embeddings.squeeze(-1)


# ---- `engine: rllib`: the same training file on Ray RLlib, for as many machines as a Ray cluster has -------------

PATIENCE = 3600.0  # seconds that a worker may take for its games: at first it compiles the rules
COMING = 300.0  # seconds until a new worker must have come for the lost ones
FIGURES = ("policy_loss", "vf_loss", "entropy", "vf_explained_var", "gradients_default_optimizer_global_norm")


def run(config: RllibConfig, folder: Path, resumed: bool = False) -> None:
    """Train on RLlib in this folder. Raises ConfigError or CheckpointError."""
    check_opponents(config)
    with interrupt.raised():
        logging.getLogger("ray.rllib").setLevel(logging.ERROR)
        connect(config.ray.address, config.ray.workers + 1, "ray.address")
        if config.ray.address is not None and not config.ray.workers:
            room = int(ray.cluster_resources().get("CPU", 2)) - 1  # but for the learner
            config = config.model_copy(update={"ray": Ray(workers=max(1, min(room, config.environment.num_envs)))})
        try:
            with closing(RllibTraining(config, folder)) as training:
                training.begin(resumed)
                training.learn()
                training.finish()
        finally:
            ray.shutdown()


def check_opponents(config: RllibConfig) -> None:
    """Find a wrong name here and not on a worker, where errors are long. Raises ConfigError."""
    game = config.make_game()
    for index, opponent in enumerate(config.opponents):
        if opponent.player != SELF:
            player_named(f"opponents.{index}.player", opponent.player, game)


def network_names(config: RllibConfig) -> list[str]:
    """The networks that learn: one, or one for each seat."""
    if config.rllib.policies == "shared":
        return [SHARED]
    return [f"player_{seat}" for seat in range(config.make_game().players)]


def ppo_config(config: RllibConfig, begun: int = 0) -> PPOConfig:
    """RLlib's settings for a training file; `begun` are the steps made before, from which RLlib counts anew."""
    settings, names, known = config.algorithm, network_names(config), plain(config)
    processes = max(1, config.ray.workers)
    games = config.environment.num_envs // processes
    rate = settings.learning_rate
    if isinstance(rate, Schedule):
        total = settings.total_steps
        rate = [[0, rate_at(rate, begun / total)], [max(total - begun, 1), rate.end]]
    module = RLModuleSpec(module_class=MaskedModule, model_config=known)
    return (
        PPOConfig()
        .environment(GameMultiAgentEnv, env_config=known, disable_env_checking=True)
        .env_runners(num_env_runners=config.ray.workers, num_envs_per_env_runner=games, sample_timeout_s=PATIENCE)
        .multi_agent(
            policies=set(names), policy_mapping_fn=lambda agent, *_, **__: SHARED if names == [SHARED] else agent
        )
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys(names, module)))
        .training(
            train_batch_size_per_learner=games * processes * settings.n_steps,
            minibatch_size=settings.batch_size,
            num_epochs=settings.n_epochs,
            lr=rate,
            gamma=settings.gamma,
            lambda_=settings.gae_lambda,
            clip_param=settings.clip_range,
            entropy_coeff=settings.ent_coef,
            vf_loss_coeff=settings.vf_coef,
            vf_clip_param=float("inf"),
            grad_clip=settings.max_grad_norm,
            grad_clip_by="global_norm",
            use_kl_loss=False,
        )
        .debugging(seed=config.seed, log_level="ERROR")
    )


class RllibTraining(Engine[RllibConfig]):
    """One run: RLlib's algorithm, and where it stands. It is to be closed."""

    def __init__(self, config: RllibConfig, folder: Path) -> None:
        super().__init__(config, folder)
        self.network = config.network
        self.names = network_names(config)
        self.begun, self.done = 0, 0  # steps before this session, and in all
        self.algorithm = ppo_config(config, self._last_steps()).build_algo()

    @property
    def steps(self) -> int:
        """Decisions of the learners so far, over all sessions."""
        return self.done

    def begin(self, resumed: bool) -> None:
        """Write down what the run is; begin with the weights of another run, or of this one where it goes on."""
        for name in self.names:
            tidy(self.place(name))
        if resumed and all(checkpoint.any_checkpoint(self.place(name)) for name in self.names):
            self.begun = self.done = self.load_last()
            write_config(self.config, self.folder)
            self.say_how_to_go_on()
            kept = forget_metrics_after(self.folder, self.steps)
            self.seconds = kept[-1]["seconds"] if kept else 0.0
            return
        for name in self.names:  # a kill may have left the first checkpoint of some
            checkpoint.put_aside_after(self.place(name), -1)
        if self.config.start_from is not None:
            self.load(dict.fromkeys(self.names, Path(self.config.start_from)))
        self.write_down(ray=ray.__version__)
        self.save()

    def policy(self, name: str) -> AgentPolicy:
        """A network as it is now, which the local worker has a copy of."""
        return self.algorithm.get_module(name).policy

    def _last_steps(self) -> int:
        """The last steps of which every network has a whole checkpoint, 0 where one has none."""
        places = [self.place(name) for name in self.names]
        if not all(checkpoint.any_checkpoint(place) for place in places):
            return 0
        return min(read_header(checkpoint.latest(place)).steps for place in places)

    def load_last(self) -> int:
        """Go on from the last steps of which every network has a whole checkpoint. Returns them."""
        steps = self._last_steps()
        runs = {name: self.place(name) / checkpoint.FOLDER / f"{steps:012d}" for name in self.names}
        self.load(runs)
        for name, path in runs.items():
            saved = checkpoint.read(path).optimizer
            self._of_optimizer(name, lambda one, saved=saved, path=path: load_optimizer(one, saved, path, bool(saved)))
            checkpoint.put_aside_after(self.place(name), steps)
        return steps

    def _of_optimizer(self, name: str, what: Callable[[torch.optim.Optimizer], Any]) -> Any:
        """What `what` gives of the optimiser of a network, where the learner is."""
        called = self.algorithm.learner_group.foreach_learner(lambda learner: what(learner.get_optimizer(name)))
        return next(iter(called)).get()

    def load(self, runs: dict[str, Path]) -> None:
        """Give every network the weights of a run, here and on all workers."""
        weights = {}
        for name, run in runs.items():
            load_weights(self.policy(name), *self.weights_from(run))
            weights[name] = {
                key: tensor.numpy() for key, tensor in self.algorithm.get_module(name).state_dict().items()
            }
        self.algorithm.learner_group.set_weights(weights)
        self.algorithm.env_runner_group.sync_weights(from_worker_or_learner_group=self.algorithm.learner_group)

    def close(self) -> None:
        """Stop the workers; what RLlib keeps in a folder of its own is not needed."""
        self.algorithm.stop()
        shutil.rmtree(self.algorithm.logdir, ignore_errors=True)

    # ------------------------------------------------------------------------------------------------ the run

    def learn(self) -> None:
        """Play and learn, and now and then an evaluation and a checkpoint, until all steps are done."""
        total, where = self.config.algorithm.total_steps, f"{self.config.ray.workers} workers"
        print(
            f"{self.game.spec.title}, {self.game.players} players: {total:,} steps, {where}, run folder {self.folder}"
        )
        with Progress("training", total, "steps", min(self.steps, total)) as progress:
            self._learn(total, progress)

    def _learn(self, total: int, progress: Progress) -> None:
        if self.steps == 0 and not read_metrics(self.folder):
            add_metrics(self.folder, self.before_learning())
        while self.steps < total:
            before, started = self.steps, time.perf_counter()
            result = self._trained()
            self.seconds += time.perf_counter() - started
            self.done = self.begun + int(result["env_runners"]["num_env_steps_sampled_lifetime"])
            metrics = self.metrics(result)
            if self.due(self.config.evaluation.every, before):
                metrics["evaluation"] = self.evaluation(self.config.evaluation.games)
            add_metrics(self.folder, metrics)
            if self.due(self.config.checkpoint_every, before):
                self.save()
            progress.done = self.steps

    def _trained(self) -> dict[str, Any]:
        """What RLlib says of one iteration that had games. Where all workers are lost, it waits for new ones.

        Raises ConfigError when none comes.
        """
        since = time.monotonic()
        while "env_runners" not in (result := self.algorithm.train()):
            if time.monotonic() - since > COMING:
                raise ConfigError(f"ray: all workers are lost, and none has come for {COMING:.0f} s")
            time.sleep(1)
        return result

    def metrics(self, result: dict[str, Any]) -> dict[str, Any]:
        """Figures of the last iteration; those of a network of its own bear its name."""
        metrics: dict[str, Any] = {"steps": self.steps, "seconds": round(self.seconds, 3)}
        returns = result["env_runners"].get("module_episode_returns_mean", {})
        for name in self.names:
            end = "" if name == SHARED else f"/{name}"
            if name in returns:
                metrics[f"reward{end}"] = float(returns[name])
            learnt = result["learners"].get(name, {})
            metrics |= {f"train/{key}{end}": float(learnt[key]) for key in FIGURES if key in learnt}
        return metrics

    def save(self) -> None:
        """A checkpoint of every network."""
        header = CheckpointHeader.of(self.game, self.network, self.steps)
        for name in self.names:
            moments = self._of_optimizer(name, optimizer_tensors)
            checkpoint.save(self.place(name), header, weights_of(self.policy(name)), moments, {}, {})

    def finish(self) -> None:
        """Learning curve and evaluation; the last checkpoint is there already."""
        made = self.steps - self.begun
        self.report(f"{self.steps:,} steps in {self.seconds:.0f} s, {made:,} of them in this session")
