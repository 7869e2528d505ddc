"""Files made to be slow: every reader refuses or reads them in time and memory that grow no faster than their size."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from theogony.benchmark.exploit.file import read_exploit
from theogony.benchmark.marks import read_marks
from theogony.benchmark.results import read_metadata, read_results
from theogony.envs.core.game import read_components
from theogony.envs.core.gamerecord import read_record
from theogony.envs.core.registry import load
from theogony.envs.core.untrusted import outside_yaml
from theogony.envs.core.untrusted.outside import MAX_VALUES, MEGABYTE, parse_json, read_arrays, read_json
from theogony.envs.core.untrusted.outside_yaml import MAX_YAML, PLAIN_PYTHON, loader_of, parse_yaml
from theogony.envs.core.verify import verify as verify_recordings
from theogony.models.results import is_results
from theogony.models.results import read_results as read_model_results
from theogony.models.table import Transcript
from theogony.training.config.file import load_config
from theogony.training.networks.weights import read_tensors
from theogony.training.players.elsewhere import OnnxError, OnnxFile
from theogony.training.storage.header import read_header

pytestmark = pytest.mark.slow
# Times as long that four times the size may take (16 were the square), from so many seconds on.
GROWTH, FLOOR = 12.0, 1.0
LONGEST = 60.0  # seconds of the processor for 4 MB
MESSAGE = 5000  # characters
SIZES = (1, 2, 4)  # megabytes
LONGEST_YAML = MAX_YAML // 4 - 1024  # so that four times as much is read too
SHAPES = ("lists in lists", "many long numbers", "long keys", "a key again and again")  # of JSON, for every reader
MANY = ("empty lists", "small objects", "many keys")  # which take seconds a megabyte where much is missing around them
SMALL = MEGABYTE // 16


def keys(n: int, last: str) -> str:
    return "{" + ",".join(f'"{k:x}":0' for k in range(n)) + f',"{last}":0}}'


def twice(k: int) -> str:
    return f"a{k + 1}: &a{k + 1} [*a{k} , *a{k} ]\n"


def one_more(k: int) -> str:
    return f"a{k}: &a{k} {{<<: *a{k - 1} , k{k}: 1}}\n"


JSON: dict[str, Callable[[int], str]] = {  # by size in bytes
    "lists in lists": lambda n: "[" * (n // 2) + "]" * (n // 2),
    "objects in objects": lambda n: '{"a":' * (n // 6) + "0" + "}" * (n // 6),
    "empty lists": lambda n: "[" + "[]," * (n // 3) + "0]",
    "empty objects": lambda n: "[" + "{}," * (n // 3) + "0]",
    "small objects": lambda n: "[" + '{"a":[0]},' * (n // 10) + "0]",
    "a long whole number": lambda n: "9" * n,
    "many long numbers": lambda n: "[" + ("9" * 60 + ",") * (n // 61) + "0]",
    "a long fraction": lambda n: "0." + "1" * n,
    "a long exponent": lambda n: "1e" + "9" * n,
    "equal hashes": lambda n: "[" + ",".join(str(k * (2**61 - 1)) for k in range(n // 24)) + "]",
    "a long key": lambda n: '{"' + "k" * n + '":0}',
    "long keys": lambda n: "{" + ",".join(f'"{"k" * 1000}{k}":0' for k in range(n // 1010)) + "}",
    "many keys": lambda n: keys(n // 10, "x"),
    "a key twice": lambda n: keys(n // 10, "0"),
    "the last key twice": lambda n: keys(n // 10, f"{n // 10 - 1:x}"),
    "a key again and again": lambda n: "{" + '"a":0,' * (n // 6) + '"a":0}',
    "a key twice in many objects": lambda n: "[" + '{"a":0},' * (n // 8) + '{"a":0,"a":0}]',
    "escapes": lambda n: '"' + "\\n\\\\" * (n // 4) + '"',
    "halves of characters": lambda n: '"' + "\\ud800" * (n // 6) + '"',
    "brackets in a text": lambda n: '"' + '[{,\\"' * (n // 5) + '"',
    "empty texts": lambda n: "[" + '"",' * (n // 3) + "0]",
    "blanks": lambda n: " " * n + "0",
    "no end": lambda n: "[" + "0," * (n // 2),
}
YAML: dict[str, Callable[[int], str]] = {
    "lists in lists": lambda n: "[" * n,
    "blocks in blocks": lambda n: "".join(" " * i + "a:\n" for i in range(int((2 * n) ** 0.5))),
    "questions": lambda n: "? " * (n // 2),
    "a list": lambda n: "a: [" + "1," * (n // 2) + "1]",
    "keys": lambda n: "{" + ",".join(f"k{k}: 1" for k in range(n // 12)) + "}",
    "the last key twice": lambda n: "".join(f"k{k}: 1\n" for k in range(n // 12)) + f"k{n // 12 - 1}: 1\n",
    "equal hashes": lambda n: "".join(f"{k * (2**61 - 1)}: 1\n" for k in range(1, n // 24)),
    "a long whole number": lambda n: "seed: " + "9" * n,
    "a number to the base of 60": lambda n: "seed: " + ":".join(["59"] * (n // 3)),
    "a fraction to the base of 60": lambda n: "seed: " + ":".join(["59"] * (n // 3)) + ".5",
    "a number with a tag": lambda n: 'seed: !!int "' + "1:" * (n // 2) + '1"',
    "underscores": lambda n: "seed: " + "1_" * (n // 2) + "1",
    "bytes": lambda n: "seed: !!binary " + "A" * n,
    "a long fraction": lambda n: "seed: 0." + "1" * n,
    "anchors": lambda n: "".join(f"a{k}: &x{k} 1\n" for k in range(n // 16)),
    "aliases": lambda n: "a: &a [1]\nb: [" + "*a ," * (n // 4) + "1]",
    "a bomb": lambda n: "a0: &a0 [" + "x," * (n // 4) + "x]\n" + "".join(map(twice, range(50))),
    "merged": lambda n: "a: &a {x: 1}\nb: {<<: [" + "*a ," * (n // 4) + "*a ]}",
    "merged in a chain": lambda n: "a0: &a0 {k: 1}\n" + "".join(map(one_more, range(1, n // 40))),
    "a long key": lambda n: "? " + "k" * n + "\n: [0,0,0]",
    "many values of a long key": lambda n: "? " + "k" * (n // 2) + "\n: [" + "0," * (n // 4) + "0]",
    "a text of many lines": lambda n: "a: " + "b\n  " * (n // 4),
    "documents": lambda n: "---\n" * (n // 4),
    "a comment": lambda n: "#" * n,
}  # fmt: skip


def safetensors(n: int) -> bytes:
    """A header of many tensors without a number."""
    head = "{" + ",".join(f'"{k}":{{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}' for k in range(n // 60)) + "}"
    return struct.pack("<Q", len(head)) + head.encode()


def recording(game: str) -> Callable[[Path], Any]:
    return lambda path: verify_recordings(load(game), [path], say=lambda line: None)


def varint(n: int) -> bytes:
    """A number as protocol buffers write it."""
    return bytes([n & 127 | 128]) + varint(n >> 7) if n > 127 else bytes([n])


def part(field: int, content: bytes) -> bytes:
    """A field of a message of protocol buffers."""
    return bytes([field << 3 | 2]) + varint(len(content)) + content


ONNX: dict[str, Callable[[int], bytes]] = {
    "zeros": bytes,
    "groups in groups": lambda n: b"\x3b" * n,
    "empty nodes": lambda n: b"\x08\x09" + part(7, part(1, b"") * (n // 2)),
    "a long name": lambda n: b"\x08\x09" + part(7, part(2, b"a" * n)),
    "many dimensions": lambda n: b"\x08\x09" + part(7, part(5, part(1, b"\x7f" * n))),
}


def in_folder(name: str, read: Callable[[Path], Any]) -> Callable[[Path], Any]:
    """A reader of a folder, which looks for a file of this name in it."""

    def reader(path: Path) -> Any:
        path.rename(path.with_name(name))
        return read(path.parent)

    return reader


PLAIN = "{}"
READERS: dict[str, tuple[Callable[[Path], Any], str]] = {  # what reads a file, and a file with a place for the data
    "json": (lambda path: read_json(path, str(path), ValueError), PLAIN),
    "components": (read_components, '{"tiles": {}}'),
    "record": (read_record, '{"theogony_record":1,"options":{}}\n'),
    "results": (read_results, '{"format":"theogony-benchmark-1","figures":{}}'),
    "rewards": (read_results, '{"format":"theogony-benchmark-1","games":[{"rewards":{}}]}'),
    "marks": (read_marks, '{"format":"theogony-verified-1","files":{}}'),
    "exploit": (read_exploit, '{"format":"theogony-exploit-2","weights":{}}'),
    "model results": (read_model_results, '{"format": "theogony-models-1","tables":{}}'),
    "transcript": (Transcript, '{"format":"theogony-transcript-1","settings":{}}\n'),
    "header": (in_folder("header.json", read_header), '{"format":"theogony-checkpoint-2","options":{}}'),
    "ledger": (recording("terra_mystica"), '{"step":0,"kind":"setup","faction":"","commands":[],"state":{}}\n'),
    "recording": (recording("innovation"), '{"state":{}}\n'),
}


def seconds_and_words(read: Callable[[Path], Any], path: Path, content: bytes) -> tuple[float, str]:
    path.write_bytes(content)
    begun, said = time.process_time(), ""
    try:
        read(path)
    except (ValueError, OSError) as error:
        said = str(error)
    return time.process_time() - begun, said


def megabytes_more(read: Callable[[Path], Any], path: Path) -> int:
    """By how much a process grows that reads a file: a copy of this one, which does nothing else."""
    receive, send = os.pipe()
    if not (child := os.fork()):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with contextlib.suppress(BaseException):
            read(path)
        os.write(send, struct.pack("q", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most))
        os._exit(0)
    os.waitpid(child, 0)
    kilobytes = os.read(receive, 8)
    os.close(receive)
    os.close(send)
    return struct.unpack("q", kilobytes)[0] // 1024


def check_growth(read: Callable[[Path], Any], made: Callable[[int], bytes], folder: Path, megabyte: int) -> None:
    """Reading takes no time that grows as the square, and what is said of the file is short. A machine that was busy
    in the wrong moment is asked again."""
    for tried in range(2):
        spent = []
        for size in SIZES:
            spent.append(seconds_and_words(read, folder / "file", made(size * megabyte)))
            assert len(spent[-1][1]) < MESSAGE and spent[-1][0] < LONGEST, spent[-1]
        if spent[-1][0] <= GROWTH * max(spent[0][0], FLOOR):
            return
        assert tried == 0, spent


@pytest.mark.parametrize("what", JSON)
def test_json_is_read_in_one_pass(what: str, tmp_path: Path) -> None:
    read = READERS["json"][0]
    check_growth(read, lambda n: JSON[what](n).encode(), tmp_path, MEGABYTE)


@pytest.mark.parametrize("reader", [name for name in READERS if name != "json"])
def test_every_reader_of_json_takes_linear_time(reader: str, tmp_path: Path) -> None:
    """Each with its own shape around the data."""
    read, around = READERS[reader]
    before, after = around.rsplit("{}", 1)
    for what in (*SHAPES, *MANY):
        folder = tmp_path / what
        folder.mkdir()
        size = SMALL if what in MANY else MEGABYTE
        check_growth(read, lambda n, what=what: (before + JSON[what](n) + after).encode(), folder, size)


@pytest.mark.parametrize("what", ONNX)
def test_an_onnx_file_takes_linear_time(what: str, tmp_path: Path) -> None:
    """In its room, whose process is waited for, so the clock counts."""
    pytest.importorskip("onnxruntime")

    def read(path: Path) -> None:
        begun = time.monotonic()
        with contextlib.suppress(OnnxError):
            OnnxFile(path)
        spent.append(time.monotonic() - begun)

    for tried in range(2):
        spent: list[float] = []
        for size in SIZES:
            path = tmp_path / "net.onnx"
            path.write_bytes(ONNX[what](size * MEGABYTE))
            read(path)
        if spent[-1] <= GROWTH * max(spent[0], FLOOR):
            return
        assert tried == 0, spent


@pytest.mark.parametrize("what", YAML)
def test_yaml_takes_linear_time(what: str, tmp_path: Path) -> None:
    """As a training file and as the metadata of a submission; of more than 1 MB nothing is read."""
    check_growth(load_config, lambda n: YAML[what](n).encode(), tmp_path, LONGEST_YAML)
    for read in (load_config, read_metadata):
        for size in SIZES:
            content = YAML[what](size * MEGABYTE + 1024).encode()
            content += b"#" * (size * MEGABYTE + 1 - len(content))
            spent, said = seconds_and_words(read, tmp_path / "file", content)
            assert "is too large: at most 1 MB were expected" in said and spent < FLOOR


@pytest.mark.parametrize("what", YAML)
def test_yaml_without_libyaml_is_refused_alike(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> bool:
        try:
            parse_yaml(YAML[what](MEGABYTE // 16), "file", ValueError)
        except ValueError:
            return True
        return False

    fast = refused()
    monkeypatch.setattr(outside_yaml, "Loader", loader_of(PLAIN_PYTHON))
    assert refused() == fast


@pytest.mark.parametrize(
    "text", ["!!bool x", "!!int ''", "!!timestamp x", "!!float ''", "!!null [1]", "!!omap 1", "&a *a"]
)
def test_a_tag_that_the_text_does_not_fit_is_refused(text: str) -> None:
    try:
        parse_yaml(f"a: {text}", "file", ValueError)
    except ValueError as error:
        assert str(error).startswith("file: is not YAML: ")


def test_weights_and_arrays_take_linear_time(tmp_path: Path) -> None:
    check_growth(read_tensors, safetensors, tmp_path, MEGABYTE)
    check_growth(
        read_tensors, lambda n: struct.pack("<Q", n) + JSON["a key again and again"](n).encode()[:n], tmp_path, MEGABYTE
    )
    check_growth(read_tensors, lambda n: struct.pack("<Q", n) + b"[" * n, tmp_path, MEGABYTE)

    def archive(n: int) -> bytes:
        arrays: Any = {"a" * 1000: np.zeros(n, np.uint8)}
        np.savez(tmp_path / "made.npz", **arrays)
        return (tmp_path / "made.npz").read_bytes()

    check_growth(lambda path: read_arrays(path, "file", ValueError), archive, tmp_path, MEGABYTE)


def test_lines_without_end_take_linear_time(tmp_path: Path) -> None:
    for read in (read_record, Transcript):
        for line in (b"\n", b"{}\n", b"[]", b'{"a":0}\n' * 9):
            check_growth(read, lambda n, line=line: line * (n // len(line)), tmp_path, MEGABYTE)


@pytest.mark.parametrize("value", ["[]", "{}", '""', "0", "[[]]", '{"a":0}'])
def test_values_are_counted_before_anything_is_made_of_them(value: str) -> None:
    """64 MB of empty lists took 1.8 GB."""
    text = "[" + f"{value}," * (16 * MEGABYTE // (len(value) + 1) - 1) + "0]"
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=f"at most {MAX_VALUES:,} values were expected"):
            parse_json(text, "file", ValueError)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5 * len(text)


def test_memory_is_bounded_for_as_many_values_as_there_may_be() -> None:
    for value in ("[]", "{}", '{"a":0}'):
        text = "[" + f"{value}," * (MAX_VALUES // (3 if ":" in value else 2) - 2) + "0]"
        tracemalloc.start()
        parse_json(text, "file", ValueError)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 250 * MAX_VALUES


def test_brackets_and_commas_in_texts_are_no_values() -> None:
    data = {"lines": ['[{,"\\' * MAX_VALUES]}
    assert parse_json(json.dumps(data), "file", ValueError) == data
    assert parse_json(json.dumps([data, "é\\"], ensure_ascii=False).encode(), "file", ValueError)[1] == "é\\"


def grown(folder: Path) -> dict[str, int]:
    """Megabytes that each reader takes for a megabyte of each kind of small values."""
    found = {}
    for reader, (read, around) in READERS.items():
        before, after = around.rsplit("{}", 1)
        for what in MANY:
            path = folder / f"{reader} {what}" / "file"
            path.parent.mkdir()
            path.write_text(before + JSON[what](MEGABYTE) + after)
            found[path.parent.name] = megabytes_more(read, path)
    return found


def test_readers_of_json_take_little_memory(tmp_path: Path) -> None:
    """Of the process, as pydantic's is not Python's: in one that has no other threads, as it makes copies of itself."""
    folders = os.pathsep.join(entry for entry in sys.path if entry)
    done = subprocess.run(
        [sys.executable, __file__, tmp_path],
        env={**os.environ, "PYTHONPATH": folders},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found) == len(READERS) * len(MANY) and max(found.values()) < 200, found


@pytest.mark.parametrize("reader", READERS)
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(reader: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "file")
    signal.alarm(60)  # ends the process: to open a pipe waits for ever
    with contextlib.suppress(ValueError, OSError):
        READERS[reader][0](tmp_path / "file")
    signal.alarm(0)


def test_a_pipe_holds_no_results(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "file")
    signal.alarm(60)
    assert not is_results(tmp_path / "file")
    signal.alarm(0)


if __name__ == "__main__":
    print(json.dumps(grown(Path(sys.argv[1]))))
