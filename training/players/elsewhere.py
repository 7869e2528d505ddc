"""Agents that were made elsewhere: ONNX and TorchScript networks, and models that Stable-Baselines3 saved.

A network takes observations, float32 (n, length), and perhaps action masks, (n, actions), and gives one number for each
action or the actions themselves. Of numbers the largest among the legal actions is played.

An ONNX file is data, run with limits in a room of its own that can be ended (`onnx_child.py`). The other two hold
programs, so they are loaded only where modules are allowed.
"""

from __future__ import annotations

import json
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from theogony.console import extras
from theogony.envs.core.game import Game
from theogony.envs.core.players import Views
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.fence.room import Room
from theogony.fence.talk import Silent, Talk
from theogony.training.config import modules
from theogony.training.players import onnx_child
from theogony.training.players.onnx_child import LARGEST, QUESTION

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


# ---- ONNX files, each in a room of its own -------------------------------------------------------------------------

SECONDS = 10.0  # for one answer, to however many views
LOADING = 6  # times as long as an answer
MEMORY = 2 << 30  # bytes that a network may take, besides three times its own file
HEAD = 1 << 16  # bytes


class OnnxError(ValueError):
    """A network cannot be loaded or gave no answer: says why."""


class OnnxEnded(OnnxError):
    """A network took more time or memory than it may, and its process is gone."""


class OnnxFile:
    """The network of an ONNX file: called with observations float32 (n, length) and masks int8 (n, actions).

    A process that was ended begins anew with the next call. Raises OnnxError, FenceError where nothing can hold it, and
    ModuleNotFoundError without onnxruntime.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._talk: Talk | None = None
        self._started()

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """What the network gives, its first output. Raises OnnxError."""
        question = QUESTION.pack(*observations.shape, masks.shape[1])
        question += observations.astype("<f4").tobytes() + masks.astype(np.int8).tobytes()
        with self._lock:
            head, content = _asked(self._started(), question, SECONDS)
        try:
            return np.frombuffer(content, np.dtype(head["dtype"])).reshape(head["shape"])
        except (KeyError, TypeError, ValueError) as error:
            raise OnnxError(f"answered nonsense: {error}") from None

    def _started(self) -> Talk:
        """The process, with the file loaded."""
        if self._talk is not None and self._talk.process.poll() is None:
            return self._talk
        most = MEMORY + 3 * self.path.stat().st_size
        file = str(self.path.resolve())
        room = Room((Path(file),), first=("numpy", "onnxruntime"), memory=most)
        self._talk = talk = Talk(room.start([onnx_child.__file__, file]))
        weakref.finalize(self, talk.end)
        _asked(talk, b"", LOADING * SECONDS)
        return talk


def _asked(talk: Talk, question: bytes, seconds: float) -> tuple[dict[str, Any], bytes]:
    """The head and the array of an answer. Raises OnnxError."""
    try:
        talk.ask(question, seconds)
        head = json.loads(talk.line(HEAD))
        size = head.get("bytes", 0)
        content = talk.exactly(size) if isinstance(size, int) and 0 <= size <= LARGEST else b""
    except Silent:
        took = f"took more than {SECONDS:g} s or {MEMORY / 2**30:g} GB for an answer, or broke down"
        raise OnnxEnded(f"{took}: its process was ended") from None
    except (ValueError, AttributeError, RecursionError):
        talk.end()
        raise OnnxEnded("answered nonsense: its process was ended") from None
    if "missing" in head:
        raise ModuleNotFoundError(str(head.get("error")), name=str(head["missing"]))
    if "error" in head:
        raise OnnxError(str(head["error"]))
    return head, content


# ---- Files that hold programs --------------------------------------------------------------------------------------


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
