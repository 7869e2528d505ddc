"""What runs an ONNX file in its room: `fence/inside.py` calls it with the file.

A network is data, but data that may say "loop 2^62 times" or "make a table of 100 GB", to a large library in C++. A
question is `QUESTION` (rows, length, actions), then observations float32 and masks int8. An answer is a line of JSON,
{"dtype": ..., "shape": ..., "bytes": ...} or {"error": ...}, then the array. The first answer, to no question, says
that the file was loaded. This file imports nothing of the project.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from typing import Any

import numpy as np

QUESTIONS, ANSWERS = 8, 9  # files that `fence/inside.py` opened
QUESTION = struct.Struct("<3q")
LARGEST = 1 << 28  # bytes of an answer
WORDS = 500  # characters of an error


def main(path: str) -> None:
    """Answer until nobody asks any more."""
    try:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # small networks only wait for each other
        options.log_severity_level = 4
        session: Any = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except ImportError as error:
        return _answer({"missing": error.name or "onnxruntime", "error": _words(error)})
    except Exception as error:  # onnxruntime has many kinds of them
        return _answer({"error": _words(error)})
    _answer({})
    inputs, questions = session.get_inputs(), os.fdopen(QUESTIONS, "rb")
    while len(head := questions.read(QUESTION.size)) == QUESTION.size:
        rows, length, actions = QUESTION.unpack(head)
        observations = np.frombuffer(questions.read(4 * rows * length), "<f4").reshape(rows, length)
        masks = np.frombuffer(questions.read(rows * actions), np.int8).reshape(rows, actions)
        given = [observations, masks.astype(bool if "bool" in inputs[-1].type else np.float32)]
        try:
            fed = {one.name: value for one, value in zip(inputs, given, strict=False)}
            found = np.ascontiguousarray(session.run(None, fed)[0])
            if found.dtype.kind not in "fiu" or found.nbytes > LARGEST:
                raise ValueError(f"gave {found.dtype} {found.shape}; expected a number for each action")
        except Exception as error:
            _answer({"error": _words(error)})
        else:
            _answer({"dtype": found.dtype.str, "shape": found.shape, "bytes": found.nbytes}, found.tobytes())


def _answer(head: dict[str, Any], content: bytes = b"") -> None:
    for part in (json.dumps(head).encode() + b"\n", content):
        left = memoryview(part)
        while left:
            left = left[os.write(ANSWERS, left) :]


def _words(error: Exception) -> str:
    return " ".join(str(error).split())[:WORDS]


if __name__ == "__main__":
    main(sys.argv[1])
