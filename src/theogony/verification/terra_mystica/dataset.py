"""Real games as data: ledgers become observations, masks, actions and returns, ready for imitation learning."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from theogony.envs.core.game import REWARDS
from theogony.envs.core.position import Position
from theogony.envs.core.untrusted.files import replace_file
from theogony.envs.core.verify import RecordingError, read_lines
from theogony.envs.terra_mystica.ledger.commands import LedgerError
from theogony.envs.terra_mystica.ledger.importer import Importer
from theogony.envs.terra_mystica.ledger.ledger import load_ledger, play_ledger
from theogony.verification.terra_mystica.reader import Recording, read_recording


@dataclass
class Decision:
    """One decision before it is made: what the seat saw, what it might do, what it did."""

    observation: np.ndarray
    mask: np.ndarray
    action: int
    seat: int


@dataclass
class Decisions:
    """The decisions of one game in order, and how it ended."""

    players: int
    decisions: list[Decision]
    scores: np.ndarray
    rewards: np.ndarray


def see(position: Position, action: int) -> Decision:
    """Keep a decision before it is made."""
    return Decision(position.observation[0].copy(), position.mask[0].copy(), action, int(position.g.actor))


def read_game(path: str | Path, reward: str = "rank") -> Decisions:
    """Play a ledger (text) or a recorded game (`.jsonl`, `.jsonl.gz`) and keep its decisions. Raises LedgerError."""
    path = Path(path)
    importer = _recorded(path) if path.name.endswith((".jsonl", ".jsonl.gz")) else _written(path)
    position = importer.position
    if not position.over:
        raise LedgerError(f"{path}: the game is not finished: its returns are unknown")
    return Decisions(position.game.players, importer.notes, position.scores().copy(), position.rewards(reward).copy())


def _written(path: Path) -> Importer:
    """A ledger, played."""
    ledger = load_ledger(path)
    try:
        return play_ledger(ledger, see)
    except LedgerError as error:
        raise LedgerError(f"{path}: {error}") from None


def _recorded(path: Path) -> Importer:
    """A recorded game, played; the positions it states help to read its rows."""
    try:
        return Recording(read_recording(read_lines(path)), see).play()
    except RecordingError as error:
        text = str(error)
        raise LedgerError(text if text.startswith(f"{path}:") else f"{path}: is not a recorded game: {text}") from None


def build_dataset(paths: Iterable[str | Path], reward: str = "rank") -> dict[str, np.ndarray]:
    """All decisions of some games with the same number of players.

    Returns arrays over N decisions: `observations` float32 (N, length), `masks` int8 (N, actions), `actions` int64,
    `seats` int8, `episodes` int32 (the number of the game), `returns` float32 (the final reward of the seat that
    decides); and `scores` float64 (games, players), `files` (names). `reward` is "outcome", "rank" or "margin".
    Raises LedgerError naming the file that cannot be played, and ValueError for games that do not fit together.
    """
    if reward not in REWARDS:
        raise ValueError(f"reward {reward!r} is none of {', '.join(REWARDS)}")
    names = [Path(path) for path in paths]
    games = [read_game(path, reward) for path in names]
    if not games:
        raise ValueError("no ledgers were given")
    if len({game.players for game in games}) > 1:
        counts = ", ".join(f"{path.name}: {game.players}" for path, game in zip(names, games, strict=True))
        raise ValueError(f"observations depend on the number of players, which differs ({counts}): one set for each")
    made = [decision for game in games for decision in game.decisions]
    return {
        "observations": np.array([d.observation for d in made]),
        "masks": np.array([d.mask for d in made]),
        "actions": np.array([d.action for d in made], np.int64),
        "seats": np.array([d.seat for d in made], np.int8),
        "episodes": np.repeat(np.arange(len(games), dtype=np.int32), [len(game.decisions) for game in games]),
        "returns": np.array([game.rewards[d.seat] for game in games for d in game.decisions], np.float32),
        "scores": np.array([game.scores for game in games]),
        "files": np.array([path.name for path in names]),
    }


def dataset(paths: Iterable[str | Path], out: str | Path, reward: str = "rank") -> dict[str, int]:
    """Write the decisions of some ledgers to a file: `.npz`, or else a Minari dataset of that name.

    Returns how many games and decisions there are. Raises LedgerError, ValueError, and ImportError without Minari.
    """
    data = build_dataset(paths, reward)
    if str(out).endswith(".npz"):
        content = io.BytesIO()
        np.savez_compressed(content, **data)  # type: ignore[arg-type]
        replace_file(Path(out), content.getvalue())
    else:
        write_minari(data, str(out))
    return {"games": len(data["scores"]), "decisions": len(data["actions"])}


def write_minari(data: dict[str, np.ndarray], name: str) -> None:
    """Store a dataset with Minari, one episode for each seat of each game. Raises ImportError when it is missing."""
    try:
        import minari  # type: ignore[import-not-found]
        from gymnasium import spaces
        from minari.data_collector.episode_buffer import EpisodeBuffer  # type: ignore[import-not-found]
    except ImportError:
        raise ImportError("Minari is not installed (pip install minari): write to a file named *.npz instead") from None
    length, actions = data["observations"].shape[1], data["masks"].shape[1]
    minari.create_dataset_from_buffers(
        name,
        [EpisodeBuffer(id=k, **episode) for k, episode in enumerate(_episodes(data))],
        observation_space=spaces.Dict(
            observation=spaces.Box(0.0, 1.0, (length,), np.float32), action_mask=spaces.MultiBinary(actions)
        ),
        action_space=spaces.Discrete(actions),
    )


def _episodes(data: dict[str, np.ndarray]) -> Iterator[dict[str, Any]]:
    """The decisions of one seat in one game each: observations, actions, and the reward at the end."""
    for game in range(len(data["scores"])):
        for seat in range(data["scores"].shape[1]):
            rows = np.flatnonzero((data["episodes"] == game) & (data["seats"] == seat))
            last = np.arange(len(rows)) == len(rows) - 1
            yield {
                "observations": {
                    "observation": data["observations"][np.append(rows, rows[-1])],
                    "action_mask": data["masks"][np.append(rows, rows[-1])],
                },
                "actions": data["actions"][rows],
                "rewards": np.where(last, data["returns"][rows], 0.0),
                "terminations": last,
                "truncations": np.zeros(len(rows), bool),
            }
