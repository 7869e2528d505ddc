"""`theogony dataset --parquet`: games of players as Parquet tables, one row a decision and one row a game.

A deal is played from every seat of the first player, or once where one player has all seats. All follows from the seed,
the players and the options: made again, by however many processes, the tables are the same files. Deals are split, not
rows: no deal of the test is played in training. Deals of the benchmark are never played here.

A row of `decisions` holds what the deciding seat sees and nothing else of the position; `full_state` is there only
where it was asked for. Rows of a game stand together, in order.
"""

from __future__ import annotations

import functools
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from theogony.console.progress import Progress
from theogony.dataset import metadata
from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import plain_options
from theogony.envs.core.players import Player, PlayerError, Views, make_player
from theogony.envs.core.record import CUT_OFF, RUNNING, byte_rows
from theogony.envs.core.registry import load
from theogony.envs.core.rng import mixed, seed_bits
from theogony.envs.core.thinking.player_rng import player_rng
from theogony.envs.core.untrusted.files import make_folder, naming, sync_folder
from theogony.models.ask import ModelError
from theogony.models.records import SPLITS, TENTHS, split_of
from theogony.training.rating.arena import each
from theogony.training.storage.disk import LOCK, only_here

TABLES = 36  # what the seed of a dataset is mixed with
CHUNK = 64  # deals played side by side: as much as memory must hold
MOST_PARTS = 16  # files of a split and table
HELD = 1 << 25  # bytes that are written at once
NONE = "none"  # no chances
MORE = "chances", "full_state"  # columns that are there where they are asked for
DECISIONS, GAMES = ([(name, kind) for name, (kind, _) in columns.items() if name not in MORE]
                    for columns in metadata.COLUMNS.values())  # fmt: skip


@dataclass(frozen=True)
class Wanted:
    """Which games: `player` has one seat after the other of each deal, `against` the others."""

    game: str
    folder: Path
    player: str = "reference"
    against: str = "reference"
    deals: int = 100
    seed: int = 0
    reward: str | None = None
    chances: str = "reference-policy"  # a policy whose chances of the legal actions are kept
    state: bool = False
    published: str = ""  # a date, for the metadata
    options: dict[str, Any] = field(default_factory=dict)

    @functools.cached_property
    def made(self) -> Game:
        """The game: for two, a cooperative one for one, unless the options say otherwise."""
        spec = load(self.game)
        return spec.configure({"players": 1 if spec.cooperative else 2, **self.options})

    @property
    def rotations(self) -> int:
        """How often a deal is played."""
        return 1 if self.player == self.against else self.made.players


class Part(NamedTuple):
    """A file of each table: chunks of one split, each by its number and its deals."""

    split: str
    number: int
    of: int
    chunks: list[tuple[int, list[int]]]

    def file(self, table: str) -> str:
        """Its place in the folder."""
        return f"{table}/{self.split}-{self.number:05}-of-{self.of:05}.parquet"


def write(wanted: Wanted, workers: int = 1, cluster: str | None = None) -> dict[str, Any]:
    """Play, and write the folder, whole or not at all. Returns the statistics.

    Raises OptionError, PlayerError or CheckpointError before anything is played, ClusterError, InUse and OSError.

    Args:
        workers: So many processes play.
        cluster: In their place the Ray cluster at this address, see `arena.each`.
    """
    if wanted.deals < sum(TENTHS):
        raise ModelError(f"--games: {wanted.deals} deals cannot be split; expected {sum(TENTHS)} or more")
    if wanted.folder.exists():
        raise FileExistsError(17, "is there already; expected the name of a new folder", str(wanted.folder))
    Maker(wanted)  # raises what is wrong with the players
    place = wanted.folder.with_name(f".{wanted.folder.name}.tmp")
    with naming(wanted.folder), only_here(place):
        try:
            for left in place.iterdir():  # of a process that was killed
                if left.is_dir():
                    shutil.rmtree(left)
                elif left.name != LOCK:
                    left.unlink()
            for table in metadata.COLUMNS:
                make_folder(place / table)
            found = _play(wanted, place, workers, cluster)
            metadata.write(place, wanted, found)
            (place / LOCK).unlink()
            place.rename(wanted.folder)
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise
    sync_folder(wanted.folder.parent)
    return found


def parts_of(deals: int) -> list[Part]:
    """The files of a dataset."""
    chunks = {}
    for split in SPLITS:
        dealt = [deal for deal in range(deals) if split_of(deal) == split]
        chunks[split] = [(k, dealt[k * CHUNK : (k + 1) * CHUNK]) for k in range(-(-len(dealt) // CHUNK))]
    size = -(-len(chunks[SPLITS[0]]) // MOST_PARTS)
    return [
        Part(split, k, -(-len(found) // size), found[k * size : (k + 1) * size])
        for split, found in chunks.items()
        for k in range(-(-len(found) // size))
    ]


def _play(wanted: Wanted, place: Path, workers: int, cluster: str | None) -> dict[str, Any]:
    """Play all parts. Returns the statistics of the splits."""
    parts, counts = parts_of(wanted.deals), {}
    make = functools.partial(Maker, wanted, place if cluster is None else None)
    with Progress("dataset", wanted.deals * wanted.rotations, "games") as progress:
        for part, count, files in each(make, parts, workers, cluster):
            for table, content in files.items():
                (place / part.file(table)).write_bytes(content)
            counts[part.split, part.number] = count
            progress.add(count["games"])
    sums: dict[str, Counter[Any]] = {split: Counter() for split in SPLITS}
    for split, number in sorted(counts):
        sums[split].update(counts[split, number])
    return {split: _statistics(count) for split, count in sums.items()}


def _statistics(count: Counter[Any]) -> dict[str, Any]:
    """Sums of a split as figures."""
    players = sorted({key[1] for key in count if key[0] == "decisions of"})
    return {
        "games": count["games"],
        "cut_off": count["cut_off"],
        "decisions": count["decisions"],
        "legal_actions": round(count["legal"] / max(count["decisions"], 1), 3),
        "players": {
            name: {
                "decisions": count["decisions of", name],
                "seats": count["seats of", name],
                "mean_reward": round(count["reward of", name] / count["seats of", name] / 1e6, 6),
            }
            for name in players
        },
        "moves": {key[1]: number for key, number in count.most_common() if key[0] == "moves"},
    }


# ---- Parts: games played side by side, in one process ---------------------------------------------------------------


class Maker:
    """Plays parts and writes their files: a worker of `training/rating/arena.py`. Without a `place` it sends them."""

    def __init__(self, wanted: Wanted, place: Path | None = None) -> None:
        self.wanted, self.place, self.game = wanted, place, wanted.made
        self.reward = self.game.reward_of(wanted.reward)
        self._players()
        self.policy: Any = None if wanted.chances == NONE else make_player(wanted.chances, self.game)
        if self.policy is not None and not callable(getattr(self.policy, "probabilities", None)):
            raise PlayerError(f"--chances: {wanted.chances!r} has no chances of actions; expected a policy, or {NONE}")
        if getattr(self.policy, "needs_positions", False):
            raise PlayerError(f"--chances: {wanted.chances!r} looks ahead; expected a policy that only sees, or {NONE}")

    def _players(self) -> tuple[Player, Player]:
        """The players, new for each chunk: what one remembers does not depend on who played what before."""
        return make_player(self.wanted.player, self.game), make_player(self.wanted.against, self.game)

    def warm_up(self, jobs: Sequence[Part]) -> None:
        """Compile before several processes do it at once."""
        batch = Batch(self.game, 1, 0)
        for player in self._players():
            batch.step(player.act(Views.of(batch), player_rng(0)))

    def play(self, part: Part) -> tuple[Part, Counter[Any], dict[str, bytes]]:
        """Play a part. Returns it with its statistics, and its files, by table, where they are not written."""
        if self.place is not None:
            return part, self._write(part, self.place), {}
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            for table in metadata.COLUMNS:
                (place / table).mkdir()
            count = self._write(part, place)
            return part, count, {table: (place / part.file(table)).read_bytes() for table in metadata.COLUMNS}

    def _write(self, part: Part, place: Path) -> Counter[Any]:
        """Write the files of a part. Returns its statistics."""
        count: Counter[Any] = Counter()
        with (
            Table(place / part.file("decisions"), self.decisions_schema()) as decisions,
            Table(place / part.file("games"), pa.schema(GAMES)) as games,
        ):
            for chunk, deals in part.chunks:
                for rotation in range(self.wanted.rotations):
                    played = self._chunk(part.split, chunk, deals, rotation)
                    decisions.add(self._decisions(played))
                    games.add(self._games(played))
                    count.update(self._count(played))
        return count

    def _chunk(self, split: str, chunk: int, deals: list[int], rotation: int) -> Played:
        """The games of a chunk, the first player in one seat."""
        wanted, game = self.wanted, self.game
        key = [SPLITS.index(split), chunk]
        seed = mixed(mixed(wanted.seed, key[1], TABLES), key[0], TABLES)
        rng = player_rng([seed_bits(wanted.seed), *key, rotation])
        batch = Batch(game, len(deals), seed, reward=self.reward)
        players = self._players()
        names = [wanted.player if seat == rotation else wanted.against for seat in range(game.players)]
        seeds = np.array([mixed(seed, row, 0) for row in range(len(deals))], np.uint64)
        running, kept = np.arange(len(deals)), []
        ends = batch.rows.copy()
        while len(running):
            actions = batch.masks.argmax(1)  # in rows whose game is over, anything
            first = batch.rows["seat"][running] == rotation
            for player, rows in zip(players, (running[first], running[~first]), strict=True):
                if len(rows):
                    actions[rows] = player.act(Views.of(batch, rows), rng)
            states = byte_rows(batch.states[running]) if wanted.state else None
            seen = batch.codes[running], batch.masks[running], batch.rows["seat"][running], actions[running]
            kept.append((running, *seen, states))
            batch.step(actions)
            over = batch.rows["over"][running] != RUNNING
            ends[running[over]] = batch.rows[running[over]]
            running = running[~over]
        return Played.of(kept, ends, np.array(deals) * wanted.rotations + rotation, rotation, deals, names, seeds)

    def _decisions(self, played: Played) -> pa.Table:
        returns = played.ends["rewards"][played.row, played.seat].astype(np.float32)
        last = played.last()
        columns: dict[str, Any] = {
            "game": played.games[played.row],
            "ply": played.ply,
            "seat": played.seat,
            "player": pa.array(played.names).take(pa.array(played.seat)).dictionary_encode(),
            "view": _binary(played.codes),
            "mask": _binary(played.masks.view(np.uint8)),
            "action": played.actions.astype(np.int32),
            "reward": np.where(last, returns, np.float32(0)),
            "returns": returns,
            "end": np.where(last, played.ends["over"][played.row], RUNNING).astype(np.int8),
        }
        if self.policy is not None:
            columns["chances"] = self._chances(played)
        if played.states is not None:
            columns["full_state"] = _binary(played.states)
        return _table(columns, self.decisions_schema())

    def _chances(self, played: Played) -> pa.Array:
        """How likely the policy would choose each legal action, from what the seat sees."""
        views = Views(played.codes, played.masks, played.seat, layout=self.game.features)
        legal = played.masks > 0
        chances = self.policy.probabilities(views, player_rng(0))[legal].round(4).astype(np.float32)
        ends = np.concatenate([[0], np.cumsum(legal.sum(1))]).astype(np.int32)
        return pa.ListArray.from_arrays(pa.array(ends), pa.array(chances))

    def _games(self, played: Played) -> pa.Table:
        n, seats, ends = len(played.games), self.game.players, played.ends
        columns = {
            "game": played.games,
            "name": pa.repeat(self.game.spec.name, n),
            "options": pa.repeat(json.dumps(plain_options(self.game), sort_keys=True), n),
            "deal": np.array(played.deals),
            "seed": played.seeds,
            "players": [played.names] * n,
            "decisions": np.bincount(played.row, minlength=n),
            "cut_off": ends["over"] == CUT_OFF,
            "rewards": list(ends["rewards"][:, :seats]),
            "scores": list(ends["scores"][:, :seats]),
            "standings": list(ends["standing"][:, :seats]),
        }
        return _table(columns, pa.schema(GAMES))

    def _count(self, played: Played) -> Counter[Any]:
        """Sums of a chunk; rewards in millionths, as whole numbers, whose sum has no order."""
        count: Counter[Any] = Counter(games=len(played.games), decisions=len(played.row))
        count["legal"] = int((played.masks > 0).sum())
        count["cut_off"] = int((played.ends["over"] == CUT_OFF).sum())
        for seat, name in enumerate(played.names):
            count["decisions of", name] += int((played.seat == seat).sum())
            count["seats of", name] += len(played.games)
            count["reward of", name] += int(np.rint(played.ends["rewards"][:, seat] * 1e6).sum())
        for action, times in zip(*np.unique(played.actions, return_counts=True), strict=True):
            count["moves", self.game.actions.decode(int(action))[0]] += int(times)
        return count

    def decisions_schema(self) -> pa.Schema:
        """The columns of `decisions`."""
        asked = [name for name, there in zip(MORE, (self.policy is not None, self.wanted.state), strict=True) if there]
        return pa.schema([*DECISIONS, *((name, metadata.COLUMNS["decisions"][name][0]) for name in asked)])


class Played(NamedTuple):
    """The decisions of some games, game by game, and how they ended; `row` is the place of a decision's game."""

    row: np.ndarray
    codes: np.ndarray
    masks: np.ndarray
    seat: np.ndarray
    actions: np.ndarray
    states: np.ndarray | None
    ply: np.ndarray
    ends: np.ndarray
    games: np.ndarray
    rotation: int
    deals: list[int]
    names: list[str]
    seeds: np.ndarray

    @classmethod
    def of(cls, kept: list[tuple[Any, ...]], *more: Any) -> Played:
        """Put what was kept at every step in the order of the games."""
        ply = np.repeat(np.arange(len(kept), dtype=np.int32), [len(step[0]) for step in kept])
        columns = [None if column[0] is None else np.concatenate(column) for column in zip(*kept, strict=True)]
        order = np.argsort(np.asarray(columns[0]), kind="stable")
        return cls(*(None if column is None else column[order] for column in [*columns, ply]), *more)  # pyright: ignore[reportArgumentType]

    def last(self) -> np.ndarray:
        """Whether a decision is the last of its seat in its game, bool (decisions,)."""
        key = self.row * 128 + self.seat
        _, first = np.unique(key[::-1], return_index=True)
        found = np.zeros(len(key), bool)
        found[len(key) - 1 - first] = True
        return found


def _binary(rows: np.ndarray) -> pa.Array:
    """Rows of bytes as they are in a column."""
    n, width = rows.shape
    if n * width >= 1 << 31:
        raise ValueError(f"games are too long for a table: expected less than 2 GB of views in {CHUNK} games")
    ends = pa.py_buffer(np.arange(0, (n + 1) * width, width, dtype=np.int32))
    return pa.Array.from_buffers(pa.binary(), n, [None, ends, pa.py_buffer(np.ascontiguousarray(rows))])


def _table(columns: dict[str, Any], schema: pa.Schema) -> pa.Table:
    """Columns of Arrow, NumPy or Python as a table."""
    return pa.table({f.name: columns[f.name].cast(f.type) if isinstance(columns[f.name], pa.Array)
                     else pa.array(columns[f.name], f.type) for f in schema}, schema)  # fmt: skip


class Table:
    """A Parquet file that is written in groups of rows."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        wide = {"view", "full_state"}
        short: Any = [name for name in schema.names if name not in wide]
        told: Any = [name for name in short if name not in ("mask", "chances")]
        self._writer = pq.ParquetWriter(path, schema, compression="zstd", use_dictionary=short, write_statistics=told)
        self._held: list[pa.Table] = []

    def add(self, table: pa.Table) -> None:
        """Rows at the end."""
        self._held.append(table)
        if sum(held.nbytes for held in self._held) > HELD:
            self._flush()

    def _flush(self) -> None:
        if self._held:
            whole = pa.concat_tables(self._held).unify_dictionaries().combine_chunks()
            self._writer.write_table(whole, row_group_size=max(whole.num_rows, 1))
        self._held = []

    def __enter__(self) -> Table:
        return self

    def __exit__(self, kind: Any, *_: object) -> None:
        if kind is None:
            self._flush()
        self._writer.close()


# ---- Reading --------------------------------------------------------------------------------------------------------


def bytes_of(column: pa.ChunkedArray | pa.Array) -> np.ndarray:
    """A column of views or masks as uint8 (rows, length)."""
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    column = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
    ends = np.frombuffer(column.buffers()[1], np.int32)[column.offset : column.offset + len(column) + 1]
    data = np.frombuffer(column.buffers()[2], np.uint8)[ends[0] : ends[-1]] if len(column) else np.zeros(0, np.uint8)
    return data.reshape(len(column), -1) if len(column) else data.reshape(0, 0)


def read(folder: Path, split: str, columns: list[str] | None = None, rows: int = 1 << 14) -> Iterator[pa.RecordBatch]:
    """The decisions of a split in their order, some rows at a time."""
    for path in sorted((Path(folder) / "decisions").glob(f"{split}-*.parquet")):
        with pq.ParquetFile(path) as file:
            yield from file.iter_batches(rows, columns=columns)
