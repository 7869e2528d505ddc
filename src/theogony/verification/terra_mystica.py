"""Terra Mystica: recorded games, random (`turn` lines) and real (`row` lines), and datasets of these and of ledgers.

Each line states what was played and the whole state after it; many also what was legal before. The importer plays the
commands, and every stated fact is compared.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import BaseModel, Field

from theogony.envs.core.game import REWARDS
from theogony.envs.core.position import Position
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import replace_file
from theogony.envs.core.verify import Case, Differ, RecordingError, compare, read_lines
from theogony.envs.terra_mystica.actions import CODEC, POWER_ACTIONS
from theogony.envs.terra_mystica.components import CULTISTS, FACTIONS, POWER_COST
from theogony.envs.terra_mystica.ledger.commands import LedgerError, in_order, read_command
from theogony.envs.terra_mystica.ledger.importer import SPACE, Importer
from theogony.envs.terra_mystica.ledger.ledger import Ledger, Search, load_ledger, play_ledger, read_setup
from theogony.envs.terra_mystica.ledger.turns import Listener
from theogony.envs.terra_mystica.rules.legal import can_take
from theogony.envs.terra_mystica.rules.reach import reached, tunnel_priests, tunnel_workers, tunnelled
from theogony.envs.terra_mystica.snapshot import snapshot, spaces_of, spades_open
from theogony.envs.terra_mystica.state import LEECH, MAIN, REWARD, TURN

MOST_LINES, DEEPEST, LONGEST = 5000, 8, 200  # of a recording: lines, levels of a line, characters of a text
Value = int | str | None | list[str] | dict[str, int | list[str]]
Difference = tuple[Any, str, Any, Any]


class Pending(BaseModel):
    """An open decision: a power offer, cult steps, spades and others."""

    type: str
    faction: str = ""
    from_faction: str = ""
    amount: int = 0
    actual: int = 0


class State(BaseModel, extra="allow"):
    """The position after a line; what it does not state is not compared."""

    players: dict[str, dict[str, Value]] = {}
    terrain: dict[str, str] = {}
    bridges: list[tuple[str, str, str]] = []
    power_actions_used: list[str] = []
    pending: list[Pending] = []
    active: str | None = None


class LegalBefore(BaseModel):
    """What was legal before a line without converting first."""

    build: list[str] | None = None
    upgrade: list[str] | None = None
    action: list[str] | None = None
    advance: list[str] | None = None
    send: list[str] | None = None
    reach: dict[str, dict[str, int]] | None = None


class Line(BaseModel):
    """A line of a recording: what was played, and the position after it."""

    step: int
    kind: Literal["setup", "first_dwelling", "first_bonus", "turn", "leech", "cult", "phase3_spade", "row"]
    faction: str
    commands: list[str] = Field(max_length=200)
    state: State
    legal_before: LegalBefore | None = None
    scoring: list[str] | None = None
    order: list[str] | None = None


def recordings(path: Path, lines: Iterable[dict[str, Any]]) -> Iterator[Case]:
    """One case: the game of the file."""
    yield path.name.split(".")[0], lambda differ: _verify(lines, differ)


def _verify(lines: Iterable[dict[str, Any]], differ: Differ) -> None:
    Recording(read_recording(lines), differ=differ).play()


def read_recording(lines: Iterable[Any]) -> list[Line]:
    """The lines of a recorded game, checked. Raises RecordingError with the first line that is none."""
    out = []
    try:
        for number, content in enumerate(islice(lines, MOST_LINES + 1), 1):
            check_plain(content, f"line {number}")
            out.append(checked(Line, content, f"line {number}", RecordingError))
    except RecursionError:
        raise RecordingError(f"line {len(out) + 1} is nested too deeply") from None
    if len(out) > MOST_LINES:
        raise RecordingError(f"more than {MOST_LINES} lines are no game")
    if not out or out[0].kind != "setup":
        raise RecordingError("the first line is not of kind `setup`")
    return out


def check_plain(content: Any, where: str) -> None:
    """Strangers' data that may be compared and shown: not too deep, no long or unprintable text."""
    level: list[Any] = [content]
    for _ in range(DEEPEST):
        if any(isinstance(v, str) and (len(v) > LONGEST or not v.isprintable()) for v in level):
            raise RecordingError(f"{where}: a text is longer than {LONGEST} characters or cannot be printed")
        dicts = [v for v in level if isinstance(v, dict)]
        inner = [v for pairs in dicts for pair in pairs.items() for v in pair]
        level = inner + [v for values in level if isinstance(values, list) for v in values]
    if level:
        raise RecordingError(f"{where} is nested deeper than {DEEPEST} levels")


class Recording:
    """A recorded game that is played and compared line by line."""

    def __init__(
        self, lines: list[Line], listener: Listener | None = None, differ: Differ = lambda *said: None
    ) -> None:
        """Raises RecordingError when the first line does not begin a game."""
        self.lines, self.differ = lines, differ
        written = Ledger()
        try:
            for text in lines[0].commands:
                read_setup(written, read_command(text))
            late = any(line.kind == "row" for line in lines)
            self.importer = Importer(written.game(), listener, late=late)
            self.importer.arrange(written.scoring, written.removed, written.factions)
        except LedgerError as error:
            raise RecordingError(f"step {lines[0].step}: {error}") from None

    def play(self) -> Importer:
        """Play all lines and report what differs. Raises RecordingError naming the step that cannot be played."""
        self.accept(differences(self.importer, self.lines[0]))
        try:
            Search(self.importer, self.play_line, self.accept).run(len(self.lines) - 1)
        except LedgerError as error:
            raise RecordingError(str(error)) from None
        return self.importer

    def play_line(self, number: int) -> list[Difference]:
        """Play a line after the first, and tell what differs before and after it."""
        line, importer = self.lines[number + 1], self.importer
        wrong: list[Difference] = []
        if line.kind == "setup":
            raise LedgerError(f"step {line.step}: a game begins only once")
        try:
            if line.legal_before is not None:
                _compare_legal(lambda *d: wrong.append(d), line, line.legal_before, importer)
            commands = [read_command(text) for text in line.commands]
            importer.spades_kept = {entry.faction for entry in line.state.pending if entry.type == "transform"}
            importer.row(line.faction, in_order(commands) if line.kind == "row" else commands)
            importer.end_row(importer.seat_of(line.faction))
        except LedgerError as error:
            raise LedgerError(f"step {line.step}: {line.faction}: {error}") from None
        return wrong + differences(importer, line)

    def accept(self, wrong: list[Difference]) -> None:
        """Report what differs in every reading."""
        for difference in wrong:
            self.differ(*difference)


# ---------------------------------------------------------------------------------------------------- state


def differences(importer: Importer, line: Line) -> list[Difference]:
    """Everything that the line states otherwise about the position after it."""
    wrong: list[Difference] = []
    found = snapshot(importer.game, importer.position.g)
    found["pending"] = _pending(importer)
    compare(lambda *d: wrong.append(d), line.step, _stated(line, importer), found)
    return wrong


def _stated(line: Line, importer: Importer) -> dict[str, Any]:
    """The stated position. Lists whose order means nothing are sorted; bridges begin with their lower end."""
    stated = line.state.model_dump(exclude_unset=True)
    state = stated | {
        "power_actions_used": sorted(line.state.power_actions_used),
        "bridges": sorted([*sorted(b[:2], key=lambda a: SPACE.get(a, -1)), b[2]] for b in line.state.bridges),
        "players": {name: {k: _sorted(v) for k, v in seat.items()} for name, seat in line.state.players.items()},
        "pending": _expected_pending(line.state.pending, importer.late),
    }
    state = {name: value for name, value in state.items() if name in stated}
    if state.get("active") is None or importer.owed:  # whose turn it is while a step is owed is told in two ways
        state.pop("active", None)
    if line.kind == "setup":
        beside = {"scoring": line.scoring, "order": line.order}
        state |= {name: value for name, value in beside.items() if value is not None}
    return state


def _sorted(value: Value) -> Value:
    if isinstance(value, list):
        return sorted(value)
    if isinstance(value, dict):
        return {k: sorted(v) if isinstance(v, list) else v for k, v in value.items()}
    return value


def _expected_pending(pending: list[Pending], late: bool) -> list[list[Any]]:
    """Open power offers, cult steps and spades of a recording. Who can gain nothing is not asked by the engine."""
    out = []
    for entry in pending:
        if entry.type == "leech" and (late or entry.actual > 0):
            out.append(["leech", entry.faction, entry.from_faction, entry.amount])
        elif entry.type in ("cult", "transform"):
            if [entry.type, entry.faction, entry.amount] not in out:
                out.append([entry.type, entry.faction, entry.amount])
    return sorted(out, key=str)


def _pending(importer: Importer) -> list[list[Any]]:
    """What is pending by the engine and the importer, in the words of the recording, sorted."""
    g, t = importer.position.g, importer.game.tables[0]
    names = [FACTIONS[f] for f in g.faction[: g.players]]
    out: list[list[Any]] = [["leech", names[o.seat], names[o.builder], o.power] for o in importer.offers]
    for k in range(int(g.offer_next), int(g.offer_count)):
        seat, power = int(g.offer_seat[k]), int(g.offer_power[k])
        if can_take(g, t, seat, power) > 0:
            out.append(["leech", names[seat], names[g.turn], power])
    out += [["transform", name, spades] for name, spades in spades_open(g).items()]
    if g.decision == TURN and g.spades and not importer.held:
        out.append(["transform", names[g.actor], int(g.spades)])
    steps = {names[seat]: int(turn["steps_due"]) for seat, turn in importer.owed.items() if turn["steps_due"]}
    if g.decision == TURN and g.steps_due and not importer.held:
        steps[names[g.actor]] = steps.get(names[g.actor], 0) + int(g.steps_due)
    taken = g.decision == LEECH and g.offer_taken and g.faction[g.turn] == CULTISTS
    if importer.rewards or g.decision == REWARD or taken:
        cultists = FACTIONS[CULTISTS]
        steps[cultists] = steps.get(cultists, 0) + max(importer.rewards, 1)
    out += [["cult", name, number] for name, number in steps.items()]
    return sorted(out, key=str)


# ---------------------------------------------------------------------------------------------------- legal


def _compare_legal(differ: Differ, line: Line, stated: LegalBefore, importer: Importer) -> None:
    """What a line says was legal before it, without converting first."""
    g, seat = importer.position.g, importer.seat_of(line.faction)
    if not importer.mine(seat, MAIN):
        differ(line.step, "legal_before", "a turn", f"decision {int(g.decision)} of seat {int(g.actor)}")
        return
    legal = {name: sorted(values) for name, values in stated.model_dump(exclude_unset=True, exclude={"reach"}).items()}
    found = _legal(importer)
    if "action" in legal:
        found["action"] = sorted(set(found["action"]) | importer.idle_actions(seat) & set(legal["action"]))
    compare(differ, line.step, legal, found, "legal_before")
    if stated.reach is not None:
        compare(differ, line.step, stated.reach, _reach(importer, seat), "legal_before.reach")


def _legal(importer: Importer) -> dict[str, list[str]]:
    """The legal single commands, in the words of the recordings."""
    g = importer.position.g
    out: dict[str, list[str]] = {name: [] for name in ("build", "upgrade", "action", "advance", "send")}
    for action in importer.position.legal_actions():
        kind, arguments = CODEC.decode(int(action))
        words = ":".join(map(str, arguments))
        unburnt = kind == "power action" and g.bowls[g.actor, 2] >= POWER_COST[POWER_ACTIONS.index(words)]
        if kind == "special action" or unburnt:
            out["action"].append(words)
        elif kind in out:
            out[kind].append(words)
    return {name: sorted(values) for name, values in out.items()}


def _reach(importer: Importer, seat: int) -> dict[str, dict[str, int]]:
    """Free spaces in reach, with the extra price of a tunnel or carpet flight."""
    g, t = importer.position.g, importer.game.tables[0]
    near = spaces_of(reached(g, t, seat))
    price = {"W": tunnel_workers(g, seat)} if tunnel_workers(g, seat) else {"P": tunnel_priests(g, seat)}
    skipped = spaces_of(tunnelled(g, t, seat))
    return {space: {} for space in near} | {space: price for space in skipped}


# ---- Real games as data: observations, masks, actions and returns, ready for imitation learning


Seen = tuple[np.ndarray, np.ndarray, int, int]  # by the seat that decides: observation, mask, what it did, the seat


class Decisions(NamedTuple):
    """The decisions of one game in order, and how it ended."""

    made: list[Seen]
    scores: np.ndarray
    rewards: np.ndarray


def see(position: Position, action: int) -> Seen:
    """Keep a decision before it is made."""
    return position.observation[0].copy(), position.mask[0].copy(), action, int(position.g.actor)


def read_game(path: str | Path, reward: str = "rank") -> Decisions:
    """Play a ledger (text) or a recorded game (`.jsonl`, `.jsonl.gz`) and keep its decisions. Raises LedgerError."""
    path = Path(path)
    try:
        if path.name.endswith((".jsonl", ".jsonl.gz")):  # the positions it states help to read its rows
            importer = Recording(read_recording(read_lines(path)), see).play()
        else:
            importer = play_ledger(load_ledger(path), see)
    except (RecordingError, LedgerError) as error:
        text, kind = str(error), "is not a recorded game: " if isinstance(error, RecordingError) else ""
        raise LedgerError(text if text.startswith(f"{path}:") else f"{path}: {kind}{text}") from None
    position = importer.position
    if not position.over:
        raise LedgerError(f"{path}: the game is not finished: its returns are unknown")
    return Decisions(importer.notes, position.scores().copy(), position.rewards(reward).copy())


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
    if len({len(game.scores) for game in games}) > 1:
        counts = ", ".join(f"{path.name}: {len(game.scores)}" for path, game in zip(names, games, strict=True))
        raise ValueError(f"observations depend on the number of players, which differs ({counts}): one set for each")
    observations, masks, actions, seats = zip(*(seen for game in games for seen in game.made), strict=True)
    episodes = np.repeat(np.arange(len(games), dtype=np.int32), [len(game.made) for game in games])
    return {
        "observations": np.array(observations),
        "masks": np.array(masks),
        "actions": np.array(actions, np.int64),
        "seats": np.array(seats, np.int8),
        "episodes": episodes,
        "returns": np.array([game.rewards for game in games], np.float32)[episodes, seats],
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
    for game, seat in np.ndindex(data["scores"].shape):
        rows = np.flatnonzero((data["episodes"] == game) & (data["seats"] == seat))
        after, last = np.append(rows, rows[-1]), np.arange(len(rows)) == len(rows) - 1
        yield {
            "observations": {"observation": data["observations"][after], "action_mask": data["masks"][after]},
            "actions": data["actions"][rows],
            "rewards": np.where(last, data["returns"][rows], 0.0),
            "terminations": last,
            "truncations": np.zeros(len(rows), bool),
        }
