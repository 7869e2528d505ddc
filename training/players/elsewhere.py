"""Agents that were made elsewhere: ONNX and TorchScript networks, and models that Stable-Baselines3 saved.

A network takes observations, float32 (n, length), and perhaps action masks, (n, actions), and gives one number for each
action or the actions themselves. Of numbers the largest among the legal actions is played.

An ONNX file is data, run with limits in a process of its own (`onnx_file.py`). The other two hold programs, so they are
loaded only where modules are allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from theogony.console import extras
from theogony.envs.core.game import Game
from theogony.envs.core.players import Views
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.training.config import modules
from theogony.training.players.onnx_file import OnnxEnded, OnnxFile

Network = Callable[[np.ndarray, np.ndarray], np.ndarray]  # observations, masks -> numbers or actions


class ForeignPlayer:
    """A network from elsewhere. Raises PlayerError when it does not fit the game."""

    def __init__(self, name: str, game: Game, network: Network) -> None:
        self.name, self._network, self._actions = name, network, game.actions.size
        self.made_for: Game = game
        # Two rows, so that a network which was exported for one row alone is found out as well.
        self._choose(np.zeros((2, game.features.length), np.float32), np.ones((2, self._actions), np.int8))

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,). Raises PlayerError when the network names an illegal one."""
        chosen = self._choose(views.observations, views.masks)
        if not views.masks[np.arange(len(chosen)), chosen].all():
            raise PlayerError(f"player {self.name!r}: chose an action that is not legal")
        return chosen

    def _choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        try:
            found = np.asarray(self._network(observations, masks))
        except OnnxEnded as error:
            raise PlayerError(f"player {self.name!r}: {error}") from None
        except Exception as error:  # each library has its own
            reason = " ".join(str(error).split())[:200]
            raise PlayerError(
                f"player {self.name!r} does not take {observations.shape} observations of "
                f"{self.made_for.spec.name} for {self.made_for.players}: {reason}"
            ) from None
        n = len(observations)
        if found.shape == (n, self._actions) and found.dtype.kind == "f":
            if np.isnan(found).any():
                raise PlayerError(f"player {self.name!r}: gave numbers that are no numbers")
            return np.where(masks > 0, found, -np.inf).argmax(1).astype(np.int64)
        if found.shape == (n,) and found.dtype.kind in "iu" and (found < self._actions).all() and (found >= 0).all():
            return found.astype(np.int64)
        raise PlayerError(
            f"player {self.name!r}: gave {found.dtype} {found.shape}; "
            f"expected float ({n}, {self._actions}), one number an action, or int ({n},)"
        )


def from_file(name: str, game: Game) -> ForeignPlayer:
    """The player in a file, by the suffix of its name. Raises PlayerError."""
    path = Path(name)
    if path.suffix not in KINDS:
        raise PlayerError(f"{name}: is a file of no known kind; expected {', '.join(KINDS)} or the folder of a run")
    load, holds_code = KINDS[path.suffix]
    if holds_code and not modules.allowed():
        raise PlayerError(f"{name}: holds a program; --allow-modules or THEOGONY_ALLOW_MODULES=1 lets it run")
    try:
        network = load(path)
    except ImportError as error:
        raise PlayerError(f"{name}: {extras.advice(error)}") from None
    except Exception as error:
        raise PlayerError(f"{name}: cannot be read: {' '.join(str(error).split())[:200]}") from None
    return ForeignPlayer(name, game, network)


def _torchscript(path: Path) -> Network:
    import torch

    network = torch.jit.load(str(path), map_location="cpu").eval()
    takes_masks = len(list(network.forward.schema.arguments)) > 2  # self and observations come first

    @torch.no_grad()
    def run(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        given = [torch.as_tensor(observations), *([torch.as_tensor(masks > 0)] if takes_masks else [])]
        return network(*given).numpy()

    return run


def _stable_baselines(path: Path) -> Network:
    from sb3_contrib import MaskablePPO

    model = MaskablePPO.load(path, device="cpu")
    return lambda observations, masks: model.predict(observations, action_masks=masks > 0, deterministic=True)[0]


KINDS: dict[str, tuple[Callable[[Path], Network], bool]] = {  # suffix -> how it is loaded, whether that runs code
    ".onnx": (OnnxFile, False),
    ".pt": (_torchscript, True),
    ".zip": (_stable_baselines, True),
}
