"""What RLlib plays and learns with: a game as its multi-agent environment, and our network as its module.

Both are made on every worker from plain data (name of the game, options, sizes), so nothing of ours is pickled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from ray.rllib.core.columns import Columns  # pyright: ignore[reportMissingImports]
from ray.rllib.core.rl_module.apis import ValueFunctionAPI  # pyright: ignore[reportMissingImports]
from ray.rllib.core.rl_module.torch import TorchRLModule  # pyright: ignore[reportMissingImports]
from ray.rllib.env.multi_agent_env import MultiAgentEnv  # pyright: ignore[reportMissingImports]

from theogony.envs.core.aec import GameEnv
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.registry import load
from theogony.envs.core.thinking.lookahead_scores import LEAST, position_lookahead
from theogony.envs.core.thinking.player_rng import lent
from theogony.training.config.engines.rllib import RllibConfig
from theogony.training.config.sections import Network
from theogony.training.learning.opposition import SELF
from theogony.training.networks.policy import make_policy
from theogony.wrappers.sb3_vec import observation_space, with_scores

NEVER = -1e8  # logit of an action that is not legal; finite, because RLlib also looks at views of ended games
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
