"""Kinds of files that are read: how a sound one is made, how it is read, and what it may be refused with."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
QUICKSTART = ROOT / "configs/push_of_faith/quickstart.yaml"


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


def make_bytes(folder: Path, seed: int) -> Path:
    position = _played(_game(seed, lambda spec: True), seed)
    path = folder / f"{position.game.spec.name}.bin"
    path.write_bytes(position.key())
    return path


def read_bytes(path: Path) -> None:
    from theogony.envs import load
    from theogony.envs.core.position import Position

    Position(load(path.stem).configure(), 0).load(path.read_bytes())


def make_batch(folder: Path, seed: int) -> Path:
    path = folder / f"{_game(seed, lambda spec: True)}.npz"
    np.savez(path, **_batch(path, seed).state_dict())  # pyright: ignore[reportArgumentType]
    return path


def read_batch(path: Path) -> None:
    from theogony.envs.core.untrusted.outside import read_arrays

    batch = _batch(path, 0)
    batch.load_state_dict(read_arrays(path, str(path), ValueError, batch.saved_forms()))


def _batch(path: Path, seed: int) -> Any:
    from theogony.envs import load
    from theogony.envs.core.batch import Batch

    return Batch(load(path.stem).configure(), 2, seed, seat=0)


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
        run(QUICKSTART, [f"folder={made}", *SHORT], None)
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
    checkpoint.check_agent(path, load(header.game).configure(header.options))


def make_agent(folder: Path, seed: int) -> Path:
    """One of the agents that come along."""
    agents = sorted((ROOT / "training/agents").glob("*/*/header.json"))
    return Path(shutil.copytree(agents[seed % len(agents)].parent, folder / "agent"))


def read_agent(path: Path) -> None:
    """Load an agent, sealed with the digests of what is in it now, as a forger would; it must also decide."""
    from theogony.envs.core.players import Views
    from theogony.envs.core.position import Position
    from theogony.training.players.names import load_player
    from theogony.training.storage.checkpoint import game_of

    _seal(path)
    game = game_of(path)
    player, position = load_player(path, game), Position(game, 0)
    for _ in range(5):
        position.play(int(player.act(Views.at(position), np.random.default_rng(0))[0]))


def _seal(path: Path) -> None:
    """Write the digests anew, as far as there is something to write them into."""
    header = path / "header.json"
    try:
        content = json.loads(header.read_bytes())
        files = {name: hashlib.sha256((path / name).read_bytes()).hexdigest() for name in content["files"]}
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return
    sealed = {name: value for name, value in {**content, "files": files}.items() if name != "digest"}
    digest = hashlib.sha256(json.dumps(sealed, sort_keys=True).encode()).hexdigest()
    header.write_text(json.dumps({**sealed, "digest": digest}))


def make_data(folder: Path, seed: int) -> Path:
    """A few decisions, as `theogony dataset` writes them."""
    position = _played("push_of_faith", seed, 12)
    again, seen, masks = type(position)(position.game, position.seed), [], []
    for action in position.actions:
        seen.append(again.observation[0].copy())
        masks.append(again.mask[0].copy())
        again.play(action)
    count = len(seen)
    arrays = {"returns": np.zeros(count, np.float32), "episodes": np.zeros(count, np.int64)}
    path = folder / "lessons.npz"
    np.savez(path, observations=seen, masks=masks, actions=np.array(position.actions, np.int64), **arrays)
    return path


def read_data(path: Path) -> None:
    from theogony.training.config.engines import Sb3Config
    from theogony.training.config.file import load_config
    from theogony.training.learning.imitation import read_lessons

    config = load_config(QUICKSTART)
    assert isinstance(config, Sb3Config)
    read_lessons([path], config.make_game(), config)


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
    files = sorted((ROOT / "tests/terra_mystica/data").glob("*.jsonl.gz"))
    return Path(shutil.copy(files[seed % len(files)], folder))


def read_ledger(path: Path) -> None:
    from theogony.verification.terra_mystica import read_game

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

    standings.run("push_of_faith", ["random", "greedy"], 2, workers=1, folder=folder)


def make_metrics(folder: Path, seed: int) -> Path:
    run = _run(folder.parent)
    return Path(shutil.copy(run / "metrics.jsonl", folder))


def read_metrics(path: Path) -> None:
    from theogony.training.storage.curve import draw_curve

    draw_curve(path.parent)


KINDS = {
    "records": Kind(make_record, read_record, ("RecordError",)),
    "positions": Kind(make_position, read_position, ("PositionError", "ComponentError", "ValueError")),
    "batch states": Kind(make_batch, read_batch, ("ValueError",)),
    "bytes of positions": Kind(make_bytes, read_bytes, ("ValueError",)),
    "checkpoints": Kind(make_checkpoint, read_checkpoint, ("CheckpointError",)),
    "saved agents": Kind(make_agent, read_agent, ("CheckpointError",)),
    "data sets": Kind(make_data, read_data, ("LessonError",)),
    "training files": Kind(make_config, read_config, ("ConfigError",)),
    "component files": Kind(make_components, read_components, ("ComponentError",)),
    "ledgers": Kind(make_ledger, read_ledger, ("LedgerError", "RecordingError")),
    "recordings": Kind(make_recording, read_recording, ("Differences",)),
    "tournament folders": Kind(make_tournament, _tournament, ("TournamentError",)),
    "metrics": Kind(make_metrics, read_metrics, ("ConfigError", "RunError", "MetricsError")),
}
