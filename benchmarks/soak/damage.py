"""Damaged files of every kind that is read, and the readers, each with the error that it may raise.

`python damage.py KIND FOLDER SEED FIRST COUNT` writes and reads the files FIRST to COUNT of a kind, one after another,
and prints a line for each: it is run as a process of its own, so that a crash is seen. A file that takes longer than
`PATIENCE` ends the process.
"""

from __future__ import annotations

import faulthandler
import gzip
import json
import os
import random
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

PATIENCE = 20.0  # seconds that reading a file may take
ROOT = Path(__file__).resolve().parents[2]
TOKENS = (
    "-1", "0", "1", "255", "99999", "-2147483649", "9223372036854775808", "1e999", "NaN", "null", "true", '"x"', '""',
    "[]", "{}", "[" * 5000, "0.5", '"\\u001b[2J"', "-", "",
)  # fmt: skip
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
SIZES = (1, 1, 1, 2, 4, 16, 64)


# ---------------------------------------------------------------------------------------------------- changes


def damaged(content: bytes, draw: random.Random) -> bytes:
    """The content with one to three changes: bits, pieces lost, doubled or moved, numbers and words replaced."""
    for _ in range(draw.randint(1, 3)):
        content = draw.choice((_flip, _cut, _double, _move, _number, _number, _line))(content, draw)
    return content


def _span(content: bytes, draw: random.Random) -> tuple[int, int]:
    start = draw.randrange(len(content) + 1)
    return start, min(len(content), start + draw.choice(SIZES))


def _flip(content: bytes, draw: random.Random) -> bytes:
    found = bytearray(content)
    if found:
        found[draw.randrange(len(found))] ^= 1 << draw.randrange(8)
    return bytes(found)


def _cut(content: bytes, draw: random.Random) -> bytes:
    start, end = _span(content, draw)
    return content[:start] if draw.random() < 0.2 else content[:start] + content[end:]


def _double(content: bytes, draw: random.Random) -> bytes:
    start, end = _span(content, draw)
    return content[:end] + content[start:]


def _move(content: bytes, draw: random.Random) -> bytes:
    start, end = _span(content, draw)
    rest = content[:start] + content[end:]
    to = draw.randrange(len(rest) + 1)
    return rest[:to] + content[start:end] + rest[to:]


def _number(content: bytes, draw: random.Random) -> bytes:
    numbers = list(NUMBER.finditer(content))
    if not numbers:
        return _flip(content, draw)
    found = draw.choice(numbers)
    return content[: found.start()] + draw.choice(TOKENS).encode() + content[found.end() :]


def _line(content: bytes, draw: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    if len(lines) > 1:
        line = lines.pop(draw.randrange(len(lines)))
        if draw.random() < 0.5:
            lines.insert(draw.randrange(len(lines) + 1), line)
    return b"".join(lines)


def damage(path: Path, draw: random.Random) -> None:
    """Change one file of a folder, or the file; what is packed is also unpacked, changed and packed again."""
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    file = draw.choice(files)
    content = file.read_bytes()
    if file.suffix == ".gz" and draw.random() < 0.8:
        file.write_bytes(gzip.compress(damaged(gzip.decompress(content), draw)))
    elif path.is_dir() and draw.random() < 0.1:
        file.unlink()
    else:
        file.write_bytes(damaged(content, draw))


# ---------------------------------------------------------------------------------------------------- kinds


class Kind(NamedTuple):
    """A kind of file: how a sound one is made (in a folder), how it is read, and what it may be refused with."""

    make: Callable[[Path, int], Path]
    read: Callable[[Path], Any]
    refusals: tuple[str, ...]


def _played(name: str, seed: int, decisions: int = 40) -> Any:
    from theogony.envs import load
    from theogony.envs.core.conformance.base import walk

    for position in walk(load(name).configure(), seed):
        if position.now == decisions:
            return position
    return position  # pyright: ignore[reportPossiblyUnboundVariable]


def _game(seed: int, takes: Callable[[Any], bool]) -> str:
    """One of the games that can do something, drawn."""
    from theogony.envs import GAMES, load

    names = [name for name in GAMES if takes(load(name))]
    return names[seed % len(names)]


def make_record(folder: Path, seed: int) -> Path:
    from theogony.envs.core.gamerecord import write_record

    write_record(_played(_game(seed, lambda spec: True), seed), folder / "game.jsonl")
    return folder / "game.jsonl"


def read_record(path: Path) -> None:
    from theogony.envs.core.gamerecord import read_record as read

    read(path)


def make_position(folder: Path, seed: int) -> Path:
    position = _played(_game(seed, lambda spec: spec.to_json is not None), seed)
    path = folder / f"{position.game.spec.name}.json"
    path.write_text(json.dumps(position.game.to_json(position.g)))
    return path


def read_position(path: Path) -> None:
    from theogony.envs import load
    from theogony.envs.core.game import read_components

    position = load(path.stem).configure().position_from_json(read_components(path))
    for _ in range(20):
        if not position.mask.any():
            break
        position.play(int(position.legal_actions()[0]))


def make_batch(folder: Path, seed: int) -> Path:
    from theogony.envs import load
    from theogony.envs.core.batch import Batch

    name = _game(seed, lambda spec: True)
    np.savez(folder / f"{name}.npz", **Batch(load(name).configure(), 2, seed, seat=0).state_dict())  # pyright: ignore
    return folder / f"{name}.npz"


def read_batch(path: Path) -> None:
    from theogony.envs import load
    from theogony.envs.core.batch import Batch

    batch = Batch(load(path.stem).configure(), 2, 0, seat=0)
    with np.load(path, allow_pickle=False) as archive:
        batch.load_state_dict({name: archive[name] for name in archive.files})
    for _ in range(20):
        batch.step(batch.sample())


def make_checkpoint(folder: Path, seed: int) -> Path:
    """A short training run, made once; its last checkpoint."""
    from theogony.training.storage import checkpoint

    path = checkpoint.latest(_run(folder.parent))
    shutil.copytree(path, folder / path.name)
    return folder / path.name


def _run(folder: Path) -> Path:
    from theogony.training.learning.train import run

    made = folder / "trained"
    if not (made / "checkpoints").exists():
        config = ROOT / "configs/push_of_faith/quickstart.yaml"
        run(config, [f"folder={made}", *SHORT], None)
    return made


SHORT = (
    "environment.num_envs=2", "algorithm.total_steps=128", "algorithm.n_steps=32", "algorithm.batch_size=32",
    "algorithm.net_arch.shared=[8]", "algorithm.net_arch.policy=[8]", "algorithm.net_arch.value=[8]",
    "evaluation.games=2", "evaluation.every=128", "torch_threads=1",
)  # fmt: skip


def read_checkpoint(path: Path) -> None:
    from theogony.envs import load
    from theogony.training.storage import checkpoint

    header = checkpoint.read(path).header
    checkpoint.read_policy(path, load(header.game).configure(header.options))


def make_config(folder: Path, seed: int) -> Path:
    configs = sorted((ROOT / "configs").glob("*/*.yaml"))
    return Path(shutil.copy(configs[seed % len(configs)], folder))


def read_config(path: Path) -> None:
    from theogony.training.config.file import load_config

    load_config(path)


def make_components(folder: Path, seed: int) -> Path:
    from theogony.envs import load

    name = _game(seed, lambda spec: spec.check_components is not None)
    (folder / f"{name}.json").write_text(json.dumps(load(name).configure().components))
    return folder / f"{name}.json"


def read_components(path: Path) -> None:
    from theogony.envs import load
    from theogony.envs.core.game import read_components as read

    spec = load(path.stem)
    assert spec.check_components is not None
    spec.configure(None, spec.check_components(read(path), str(path)))


def make_ledger(folder: Path, seed: int) -> Path:
    files = sorted((ROOT / "tests/terra_mystica/data").glob("base*.jsonl.gz"))
    return Path(shutil.copy(files[seed % len(files)], folder))


def read_ledger(path: Path) -> None:
    from theogony.envs.terra_mystica.recordings.dataset import read_game

    read_game(path)


def make_recording(folder: Path, seed: int) -> Path:
    files = [file for file in sorted((ROOT / "tests").glob("*/data/*")) if file.name.endswith((".jsonl", ".jsonl.gz"))]
    file = files[seed % len(files)]
    return Path(shutil.copy(file, folder / f"{file.parent.parent.name}-{file.name}"))


def read_recording(path: Path) -> None:
    from theogony.envs import load
    from theogony.envs.core.verify import verify

    passed, failed = verify(load(path.name.partition("-")[0]), [path], say=lambda line: None)
    if failed:
        raise Differences(f"{passed} passed, {failed} failed")


class Differences(ValueError):
    """A recording does not pass: it was read, and what does not fit was told."""


def make_tournament(folder: Path, seed: int) -> Path:
    """A tournament of two line-ups, made once."""
    made = folder.parent / "tournament"
    if not made.exists():
        _tournament(made)
    shutil.copytree(made, folder / "tournament")
    return folder / "tournament"


def _tournament(folder: Path) -> None:
    from theogony.training.rating import standings

    standings.run("push_of_faith", ["random", "greedy"], 2, [], 0, 1, folder, None, None, None)


def make_metrics(folder: Path, seed: int) -> Path:
    run = _run(folder.parent)
    return Path(shutil.copy(run / "metrics.jsonl", folder))


def read_metrics(path: Path) -> None:
    from theogony.training.storage.curve import draw_curve

    draw_curve(path.parent)


KINDS = {
    "records": Kind(make_record, read_record, ("RecordError",)),
    "positions": Kind(make_position, read_position, ("PositionError", "ComponentError", "ValueError")),
    "batch states": Kind(make_batch, read_batch, ("ValueError", "BatchError")),
    "checkpoints": Kind(make_checkpoint, read_checkpoint, ("CheckpointError",)),
    "training files": Kind(make_config, read_config, ("ConfigError",)),
    "component files": Kind(make_components, read_components, ("ComponentError",)),
    "ledgers": Kind(make_ledger, read_ledger, ("LedgerError", "RecordingError")),
    "recordings": Kind(make_recording, read_recording, ("Differences",)),
    "tournament folders": Kind(make_tournament, _tournament, ("TournamentError",)),
    "metrics": Kind(make_metrics, read_metrics, ("ConfigError", "RunError", "MetricsError")),
}


def read_damaged(kind: Kind, folder: Path, seed: int) -> str:
    """Make one damaged file, and read it: "read", "refused: ..." or "FAILED: ..."."""
    place = folder / "one"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    path = kind.make(place, seed)
    damage(path, random.Random(seed))
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    try:
        kind.read(path)
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        own = type(error).__name__ in kind.refusals
        return f"refused: {said}" if own else f"FAILED: {said}"
    finally:
        faulthandler.cancel_dump_traceback_later()
    return "read"


def main(name: str, folder: str, seed: str, first: str, count: str) -> None:
    """A line "begin K" and a line with what came of it, for every file."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a reader prints must not mix with the results
    for k in range(int(first), int(count)):
        print(f"begin {k}", file=out, flush=True)
        print(read_damaged(KINDS[name], Path(folder), 1_000_000 * int(seed) + k), file=out, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
