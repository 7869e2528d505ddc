"""Other shapes of the same environment. Each is imported when it is asked for: some need libraries that are extras."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theogony.wrappers.env_player import EnvPlayer
    from theogony.wrappers.gym_vector import BatchVectorEnv
    from theogony.wrappers.jax_batch import JaxBatch
    from theogony.wrappers.sb3_vec import BatchVecEnv
    from theogony.wrappers.single_agent import SingleAgentEnv
    from theogony.wrappers.tianshou_batch import TianshouBatch
    from theogony.wrappers.time_limit import TimeLimit
    from theogony.wrappers.torchrl_batch import TorchRLBatch

__all__ = [
    "BatchVecEnv", "BatchVectorEnv", "EnvPlayer", "JaxBatch", "SingleAgentEnv", "TianshouBatch", "TimeLimit",
    "TorchRLBatch",
]  # fmt: skip
_MODULES = {
    "BatchVecEnv": "sb3_vec", "BatchVectorEnv": "gym_vector", "EnvPlayer": "env_player", "JaxBatch": "jax_batch",
    "SingleAgentEnv": "single_agent", "TianshouBatch": "tianshou_batch", "TimeLimit": "time_limit",
    "TorchRLBatch": "torchrl_batch",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
