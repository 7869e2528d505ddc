"""How much memory a run takes, so that a file which asks for too much is refused before anything is made."""

from __future__ import annotations

from theogony.console.machine import machine_bytes
from theogony.envs.core.game import Game
from theogony.training.config import ConfigError
from theogony.training.config.engines.distil import DistilConfig
from theogony.training.config.engines.rllib import RllibConfig
from theogony.training.config.engines.sb3 import Sb3Config
from theogony.training.config.engines.td import TdConfig
from theogony.training.config.schema import Config, PolicyConfig

COPIES = 4  # of every weight: itself, its gradient and two moments
FLOAT = 4  # bytes
DECISIONS = 200  # of a game, about
GIGABYTE = 1e9


def check_memory(config: Config, game: Game) -> None:
    """Raise ConfigError naming the entries that ask for more memory than the machine has."""
    if isinstance(config, TdConfig):
        return _check_td(config, game)
    network = network_bytes(config, game)
    if network > machine_bytes():
        raise ConfigError(f"algorithm.net_arch: {_too_much('such a network', network)}")
    if isinstance(config, DistilConfig):
        return _check_distil(config, game)
    games = rollout_bytes(config, game)
    if games > machine_bytes():
        raise ConfigError(f"environment.num_envs: {_too_much('with algorithm.n_steps, a rollout', games)}")


def _check_td(config: TdConfig, game: Game) -> None:
    """Refuse what `engine: td` has no memory for: a batch of observations, and two sets of games.

    One set is learnt from while the other is played.
    """
    batch = COPIES * FLOAT * game.features.length * config.algorithm.batch_size
    if batch > machine_bytes():
        raise ConfigError(f"algorithm.batch_size: {_too_much('such a batch', batch)}")
    games = 2 * config.environment.num_envs * DECISIONS * game.state.itemsize
    if games > machine_bytes():
        raise ConfigError(f"environment.num_envs: {_too_much('what is kept of so many games', games)}")


def _check_distil(config: DistilConfig, game: Game) -> None:
    """Refuse what `engine: distil` has no memory for: a batch, and two sets of games.

    Of their decisions observations and values are kept.
    """
    decision = game.features.length + FLOAT * game.actions.size
    batch = COPIES * FLOAT * (game.features.length + game.actions.size) * config.algorithm.batch_size
    if batch > machine_bytes():
        raise ConfigError(f"algorithm.batch_size: {_too_much('such a batch', batch)}")
    games = 2 * config.environment.num_envs * DECISIONS * decision
    if games > machine_bytes():
        raise ConfigError(f"environment.num_envs: {_too_much('what is kept of so many games', games)}")


def _too_much(what: str, count: float) -> str:
    return f"{what} takes about {count / GIGABYTE:,.0f} GB, and this machine has {machine_bytes() / GIGABYTE:,.0f}"


def network_bytes(config: PolicyConfig, game: Game) -> int:
    """What learning takes for the network."""
    import torch  # slow, and reading `key=value` does without

    from theogony.training.networks.policy import make_policy

    with torch.device("meta"):  # shapes only
        policy = make_policy(game, config.network)
    return COPIES * FLOAT * sum(parameter.numel() for parameter in policy.parameters())


def rollout_bytes(config: Sb3Config | RllibConfig, game: Game) -> int:
    """What a rollout takes: observations and masks of all decisions, and the games themselves."""
    floats = isinstance(config, Sb3Config) and config.environment.observation == "float"
    scores = FLOAT * game.actions.size if config.network.lookahead else 0
    decision = game.features.length * (FLOAT if floats else 1) + scores + game.actions.size
    position = game.state.itemsize + (2 + FLOAT * floats) * game.features.length + game.actions.size
    games = config.environment.num_envs
    return games * (config.algorithm.n_steps * decision + position)
