"""Records of games: JSON lines that hold a hash of every position, so that reading one proves it.

The first line is the header (game, version, options, seed, components), then comes one line a decision, then one line
with the scores. A record is read by playing it: whatever does not fit is refused by the number of its line. Nothing in
a record is trusted: it names no module and no file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar, Literal

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.game import ComponentError, Game, GameSpec, OptionError
from theogony.envs.core.packs import PRINTED, packs_named
from theogony.envs.core.position import NO_SEED, Position
from theogony.envs.core.record import state_hash, to_bytes
from theogony.envs.core.registry import UnknownGame, load_registered
from theogony.envs.core.rewards import RESULTS
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import replace_file
from theogony.envs.core.untrusted.models import BaseModel, ConfigDict
from theogony.envs.core.untrusted.outside import SHOWN, parse_json, printable, read_bytes

LONGEST = 200  # characters of what an error repeats
FORMAT = 1
ONLY_PLAYED = "only a game that was played from its start, and not changed from outside, is recorded"


class RecordError(ValueError):
    """A record cannot be written or does not hold what it should; the message names the file and its first bad line."""


class _Line(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)


class RecordHeader(_Line):
    """The first line. `components` is there when they are not the ones that the game brings along."""

    theogony_record: Literal[1]
    game: str
    version: int
    theogony: str
    options: dict[str, Any]
    seed: int
    component_digest: str
    components: Any = None
    hash: str


class Move(_Line):
    """One decision: how many were taken with it, who took it, which it was, and the position it led to."""

    ply: int
    seat: int
    action: int
    text: str
    hash: str


class End(_Line):
    """The last line. `over` is 0 for a game that was recorded while it ran."""

    end: Literal[True]
    over: int
    scores: list[float]
    standings: list[float]
    rewards: dict[str, list[float]]


# ---------------------------------------------------------------------------------------------------- writing


def write_record(position: Position, path: str | Path) -> None:
    """Write the game so far, at once or not at all.

    Raises RecordError when it cannot be played again from its seed, and TypeError for what is no position.

    >>> import tempfile
    >>> position = Position(load_registered("push_of_faith").configure({}), seed=7)
    >>> position.play(int(position.legal_actions()[0]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_record(position, f"{folder}/game.jsonl")
    ...     again = read_record(f"{folder}/game.jsonl")
    >>> again.hash() == position.hash()
    True
    """
    replace_file(path, ("\n".join(record_lines(position)) + "\n").encode())


def record_lines(position: Position) -> list[str]:
    """The lines of a record of the game so far. Raises RecordError when it cannot be played again from its seed."""
    return [_text(line) for line in _lines(position)]


def _lines(position: Position) -> Iterator[_Line]:
    """The lines of a record, from playing the game once more: what is written can be read."""
    if not isinstance(position, Position):
        raise TypeError(f"a Position is recorded, such as env.position, not {type(position).__name__}")
    if position.seed == NO_SEED:
        raise RecordError(f"the position was not played from a seed: {ONLY_PLAYED}")
    again = Position(position.game, position.seed)
    _check_same(again, position)
    yield _header(again)
    for action in position.actions:
        again.play(action)
        _check_same(again, position)
        yield _move(position, again.now - 1)
    if again.key() != position.key():
        raise RecordError("the position goes on from a copy: only a game that was played from its start is recorded")
    yield _end(again)


class Keeper:
    """Keeps the record of a running game in a file: after `save` it holds every decision, also when the power goes.

    Only its owner can read the file: it tells all that is hidden or yet to come.
    The position must have been played from its seed by `play` and `undo` alone. Raises RecordError where it was not.
    """

    def __init__(self, position: Position, path: str | Path) -> None:
        self.path: Path = Path(path)
        self._position = position
        self._head, *moves, _ = map(_text, _lines(position))
        self._moves = list(zip(position.actions, moves, strict=True))

    def save(self) -> None:
        """Write the file anew. Raises OSError naming it; it then holds what it held before."""
        position, moves = self._position, self._moves
        pairs = enumerate(zip(moves, position.actions, strict=False))
        kept = next((k for k, (move, action) in pairs if move[0] != action), min(len(moves), position.now))
        del moves[kept:]  # an undo has taken the rest back
        moves += [(position.actions[k], _text(_move(position, k))) for k in range(kept, position.now)]
        lines = [self._head, *(text for _, text in moves), _text(_end(position))]
        replace_file(self.path, ("\n".join(lines) + "\n").encode(), private=True)


def _text(line: _Line) -> str:
    return json.dumps(line.model_dump(exclude_none=True))


def _move(position: Position, k: int) -> Move:
    """The line of decision k of a game, counted from 0."""
    action, after = position.actions[k], position.states[k + 1 : k + 2]
    return Move(
        ply=k + 1,
        seat=int(position.states[k].actor),
        action=action,
        text=position.game.actions.text(action),
        hash=state_hash(after),
    )


def _check_same(again: Position, position: Position) -> None:
    if again.key() != to_bytes(position.states[again.now : again.now + 1]):
        raise RecordError(f"decision {again.now} did not lead to this position: {ONLY_PLAYED}")


def _header(position: Position) -> RecordHeader:
    from theogony import __version__

    game = position.game
    return RecordHeader(
        theogony_record=FORMAT,
        game=game.spec.name,
        version=game.spec.version,
        theogony=__version__,
        options=plain_options(game),
        seed=position.seed,
        component_digest=game.component_digest,
        components=None if _are_default(game) else game.components,
        hash=position.hash(),
    )


def _end(position: Position) -> End:
    return End(
        end=True,
        over=int(position.over),
        scores=position.scores().tolist(),
        standings=position.standings().tolist(),
        rewards={kind: position.rewards(kind).tolist() for kind in position.game.spec.rewards if kind in RESULTS},
    )


def plain_options(game: Game) -> dict[str, Any]:
    """Every option as JSON has it, but for those that name a file: what the file holds is in `game.components`.

    Nor is it said that components are the printed ones: games got this option later, and what was written before is of
    the same game.
    """
    python = game.options.model_dump()
    left_out = {name for name, value in python.items() if isinstance(value, Path)}
    left_out |= {"components"} if not game.drawn else set()
    return {k: v for k, v in game.options.model_dump(mode="json").items() if k not in left_out}


def _are_default(game: Game) -> bool:
    """Whether the game brings its components along. Drawn ones stand in the record: another version may draw others."""
    if game.drawn:
        return False
    try:
        return game.spec.configure(plain_options(game)).component_digest == game.component_digest
    except (OptionError, ComponentError):
        return False


# ---------------------------------------------------------------------------------------------------- reading


def read_record(path: str | Path, find: Callable[[str], GameSpec] = load_registered) -> Position:
    """The game of a record, played again with every hash compared; its history goes back to the start.

    `find` gives the spec of a game's name, for a game that is not registered. Raises RecordError with the file and the
    first bad line.

    >>> read_record("nothing.jsonl")
    Traceback (most recent call last):
    theogony.envs.core.gamerecord.RecordError: ...
    """
    lines = read_bytes(path, str(path), RecordError).split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    number = 0
    try:
        header = _parse(lines, number, RecordHeader)
        position = Position(_game(header, find), header.seed)
        _same("state hash", header.hash, position.hash())
        for number in range(1, len(lines) - 1):
            _play(position, _parse(lines, number, Move))
        number = len(lines) - 1
        _check_end(position, lines, number)
    except RecordError as error:
        raise RecordError(printable(f"{path}: line {number + 1}: {error}")) from None
    return position


def _parse(lines: list[bytes], number: int, kind: type[Any]) -> Any:
    """One line. Raises RecordError with what is wrong and what was expected."""
    what = {RecordHeader: "the header of a record", Move: "a decision", End: "the end of the game"}[kind]
    if number >= len(lines):
        raise RecordError("the file is empty, the header of a record was expected")
    content = parse_json(lines[number], f"{what} was expected", RecordError)
    if kind is RecordHeader and not (isinstance(content, dict) and "theogony_record" in content):
        raise RecordError("this is no record of Theogony: its header was expected")
    if kind is RecordHeader and content["theogony_record"] != FORMAT:
        found = f"{content['theogony_record']!r:.{SHOWN}}"
        raise RecordError(f"record format {found} is not {FORMAT}, the one this version reads")
    if kind is Move and isinstance(content, dict) and "end" in content:
        raise RecordError("is the end of the game, but the file goes on")
    return checked(kind, content, f"is not {what}", RecordError)


def _game(header: RecordHeader, find: Callable[[str], GameSpec]) -> Game:
    """The game as the header configures it."""
    try:
        spec = find(header.game)
    except UnknownGame as error:
        raise RecordError(str(error)) from None
    if spec.name != header.game:
        raise RecordError(f"the game is {header.game!r:.{SHOWN}}, not {spec.name!r}")
    if spec.version != header.version:
        writer = f"version {header.version} of {spec.name} (theogony {header.theogony!r:.20})"
        raise RecordError(f"was written by {writer}, this is version {spec.version}: no position would be the same")
    try:
        options = spec.check_options(header.options)
        for name, value in options.model_dump().items():
            if isinstance(value, Path) and name in header.options:
                raise RecordError(f"option {name!r} names a file: a record holds its components itself")
        if len(packs_named(getattr(options, "components", PRINTED))) > 1:
            raise RecordError(f"option components={header.options['components']!r:.{SHOWN}}: a game is of one pack")
        game = spec.configure(options, header.components, "components of the record")
    except (OptionError, ComponentError) as error:
        raise RecordError(str(error)) from None
    _same("component digest", header.component_digest, game.component_digest)
    return game


def _play(position: Position, move: Move) -> None:
    _same("ply", move.ply, position.now + 1)
    _same("seat", move.seat, int(position.actor))
    try:
        position.play(move.action)
    except IllegalAction as error:
        raise RecordError(str(error)) from None
    _same("text", move.text, position.game.actions.text(move.action))
    _same("state hash", move.hash, position.hash())


def _check_end(position: Position, lines: list[bytes], number: int) -> None:
    if number == 0 or b'"end"' not in lines[number]:
        raise RecordError("the file is truncated: its last line is not the end of the game")
    end = _parse(lines, number, End)
    found = _end(position)
    for name in End.model_fields:
        _same(name, getattr(end, name), getattr(found, name))


def _same(what: str, written: Any, found: Any) -> None:
    if written != found:
        raise RecordError(f"{what} {written!r:.{LONGEST}} was written, but playing gives {found!r:.{LONGEST}}")
