"""The process that runs an ONNX file: `python onnx_child.py FILE SECONDS MEMORY`, spoken to over its standard streams.

A network is data, but data that may say "loop 2^62 times" or "make a table of 100 GB". So it runs here, apart from
the game: an answer that takes longer than SECONDS ends the process, memory beyond MEMORY bytes is refused by the
system, and no file can be written. The file imports nothing of this project, so that the process starts quickly.

A question is `QUESTION` (rows, length, actions), then observations float32 and masks int8. An answer is `ANSWER` (bytes
of the head, of the array), then the head as JSON, {"dtype": ..., "shape": ...} or {"error": ...}, then the array. The
first answer, to no question, says that the file was loaded.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import struct
import sys
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

QUESTION, ANSWER = struct.Struct("<3q"), struct.Struct("<2q")
LARGEST = 1 << 28  # bytes of an answer
WORDS = 500  # characters of an error
LOADING = 6  # times as long as an answer


def main(path: Path, seconds: float, memory: int) -> None:
    """Answer until nobody asks any more."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    begin(LOADING * seconds)
    try:
        import onnxruntime

        _limit(memory)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # small networks only wait for each other
        options.log_severity_level = 4
        session: Any = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except ImportError as error:
        return _answer(answers, {"missing": error.name or "onnxruntime", "error": _words(error)})
    except Exception as error:  # onnxruntime has many kinds of them
        return _answer(answers, {"error": _words(error)})
    end()
    _answer(answers, {})
    inputs = session.get_inputs()
    while len(head := questions.read(QUESTION.size)) == QUESTION.size:
        rows, length, actions = QUESTION.unpack(head)
        observations = np.frombuffer(questions.read(4 * rows * length), "<f4").reshape(rows, length)
        masks = np.frombuffer(questions.read(rows * actions), np.int8).reshape(rows, actions)
        given = [observations, masks.astype(bool if "bool" in inputs[-1].type else np.float32)]
        begin(seconds)
        try:
            fed = {one.name: value for one, value in zip(inputs, given, strict=False)}
            found = np.ascontiguousarray(session.run(None, fed)[0])
            if found.dtype.kind not in "fiu" or found.nbytes > LARGEST:
                raise ValueError(f"gave {found.dtype} {found.shape}; expected a number for each action")
        except Exception as error:
            _answer(answers, {"error": _words(error)})
        else:
            _answer(answers, {"dtype": found.dtype.str, "shape": found.shape}, found.tobytes())
        end()


def begin(seconds: float) -> None:
    """From here on so many seconds are left: then the process ends, whatever it is doing."""
    if hasattr(signal, "setitimer"):  # at once and without a thread; what SIGALRM does by default is to end
        signal.setitimer(signal.ITIMER_REAL, seconds)
    else:
        faulthandler.dump_traceback_later(seconds, exit=True)


def end() -> None:
    """Stop the clock of `begin`: the question was answered in time."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0.0)
    else:
        faulthandler.cancel_dump_traceback_later()


def _limit(memory: int) -> None:
    """At most so many bytes more than now, no core dump, no file that is written; where the system has such limits."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limits = {"RLIMIT_CORE": 0, "RLIMIT_FSIZE": 0, "RLIMIT_AS": pages * resource.getpagesize() + memory}
        for name, most in limits.items():
            resource.setrlimit(getattr(resource, name), (most, most))
    except (ImportError, OSError, ValueError):
        return


def _answer(pipe: BinaryIO, head: dict[str, Any], content: bytes = b"") -> None:
    said = json.dumps(head).encode()
    pipe.write(ANSWER.pack(len(said), len(content)) + said + content)
    pipe.flush()


def _words(error: Exception) -> str:
    return " ".join(str(error).split())[:WORDS]


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]))
