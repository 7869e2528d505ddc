"""ONNX files, each in a room of its own that can be ended: see `onnx_child.py`."""

from __future__ import annotations

import json
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np

from theogony.fence.room import Room
from theogony.fence.talk import Silent, Talk
from theogony.training.players import onnx_child
from theogony.training.players.onnx_child import LARGEST, QUESTION

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
