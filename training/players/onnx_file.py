"""ONNX files, each in a process of its own that can be ended: see `onnx_child.py`."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np

from theogony.training.players import onnx_child
from theogony.training.players.onnx_child import ANSWER, LARGEST, QUESTION

SECONDS = 10.0  # for one answer, to however many views
MEMORY = 2 << 30  # bytes that a network may take, besides three times its own file
HEAD = 1 << 16  # bytes


class OnnxError(ValueError):
    """A network cannot be loaded or gave no answer: says why."""


class OnnxEnded(OnnxError):
    """A network took more time or memory than it may, and its process is gone."""


class OnnxFile:
    """The network of an ONNX file: called with observations float32 (n, length) and masks int8 (n, actions).

    A process that was ended begins anew with the next call. Raises OnnxError, and ModuleNotFoundError without
    onnxruntime.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._started()

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """What the network gives, its first output. Raises OnnxError."""
        question = QUESTION.pack(*observations.shape, masks.shape[1])
        parts = (question, observations.astype("<f4").tobytes(), masks.astype(np.int8).tobytes())
        with self._lock:
            head, content = self._asked(self._started(), parts)
        return np.frombuffer(content, np.dtype(head["dtype"])).reshape(head["shape"])

    def _started(self) -> subprocess.Popen[bytes]:
        """The process, with the file loaded."""
        if self._process is not None and self._process.poll() is None:
            return self._process
        most = MEMORY + 3 * self.path.stat().st_size
        command = [sys.executable, "-P", onnx_child.__file__, str(self.path), str(SECONDS), str(most)]
        pipe, none = subprocess.PIPE, subprocess.DEVNULL
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=none)
        self._process = process
        weakref.finalize(self, _end, process)
        self._asked(process, ())
        return process

    def _asked(self, process: subprocess.Popen[bytes], parts: tuple[bytes, ...]) -> tuple[dict[str, Any], bytes]:
        """The head and the array of an answer. Raises OnnxError."""
        assert process.stdin is not None and process.stdout is not None
        try:
            for part in parts:
                process.stdin.write(part)
            process.stdin.flush()
            words, content = ANSWER.unpack(_exactly(process, ANSWER.size))
            if not 0 <= words <= HEAD or not 0 <= content <= LARGEST:
                raise EOFError
            head = json.loads(_exactly(process, words))
            array = _exactly(process, content)
        except (OSError, EOFError):
            _end(process)
            took = f"took more than {SECONDS:g} s or {MEMORY / 2**30:g} GB for an answer, or broke down"
            raise OnnxEnded(f"{took}: its process was ended") from None
        if "missing" in head:
            raise ModuleNotFoundError(head["error"], name=head["missing"])
        if "error" in head:
            raise OnnxError(head["error"])
        return head, array


def _exactly(process: subprocess.Popen[bytes], length: int) -> bytes:
    assert process.stdout is not None
    found = process.stdout.read(length)
    if len(found) != length:
        raise EOFError
    return found


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process, and leave none behind."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # what was still to be written has nobody to read it
                continue
