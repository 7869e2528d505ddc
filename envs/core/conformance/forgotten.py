"""What a game keeps secret and forgot to say, and draws of `resample` that no game could lead to.

Every test of hidden information goes by the game's own word, `resample` and `hidden`. These look for what neither says:
they are asked of interpreted games only, since they lay out positions that no game has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from theogony.envs.core.conformance.base import sometimes
from theogony.envs.core.conformance.hidden import alternatives
from theogony.envs.core.game import Game
from theogony.envs.core.position import Position
from theogony.envs.core.record import HEADER, RUNNING

BEGINNINGS = 24  # that are compared with each other
TRIES = 2  # other contents of a field, of either kind, that are looked at
FIELDS = 6  # that are looked at in a position
MOST = 12  # different numbers that a message tells
AHEAD = 40  # decisions in which what nobody sees may come to matter


@sometimes("render_text")
def what_is_kept_back_is_hidden(position: Position) -> Iterator[str]:
    """What the text for all eyes shows, and a seat is shown nowhere, is named in `hidden`."""
    drawn = position.game.spec.render_text
    text, shown = drawn(position.game, position.g, "all"), {}
    names = [name for name in position.game.state.names or () if name not in (*HEADER, *position.game.spec.hidden)]
    for name in map(str, _generator(position).permutation(names)[:FIELDS]):
        for other in _changed(position, name):
            try:
                if drawn(position.game, other.g, "all") == text:
                    continue
                shown = shown or _shown(position)
                unseen = [seat for seat, views in _shown(other).items() if views == shown[seat]]
            except Exception:  # of a position that no game has
                continue
            except KeyboardInterrupt:  # in such a position a loop may have no end, too
                return
            if unseen:
                yield (
                    f"the text for all eyes shows {name}, which seat {unseen[0]} sees neither in its text nor in its "
                    f"observation: expected {name!r} in `hidden` and drawn anew by resample, or shown to it"
                )


def _shown(position: Position) -> dict[int, tuple[str, bytes]]:
    """What every seat sees."""
    game = position.game
    return {
        seat: (game.spec.render_text(game, position.g, seat), position.observe_codes(seat).tobytes())
        for seat in range(game.players)
    }


def _changed(position: Position, name: str) -> Iterator[Position]:
    """Copies in which two entries of a field have changed places, or one that is not 0 is another number."""
    values = np.asarray(position.g[name]).reshape(-1)
    if values.dtype.kind in "iu":
        yield from _swapped(position, name)
        for entry in _generator(position).permutation(np.flatnonzero(values))[:TRIES]:
            yield _with(position, name, {entry: values[entry] - 1 or 2})


def _swapped(position: Position, name: str) -> Iterator[Position]:
    """Copies in which two entries of a field have changed places."""
    values, generator = np.asarray(position.g[name]).reshape(-1), _generator(position)
    for _ in range(TRIES if values.size > 1 else 0):
        one, two = generator.permutation(values.size)[:2]
        if values[one] != values[two]:
            yield _with(position, name, {one: values[two], two: values[one]})


def _generator(position: Position) -> np.random.Generator:
    return np.random.default_rng([position.seed & (2**64 - 1), position.now])


def _with(position: Position, name: str, entries: dict[Any, Any]) -> Position:
    """A copy with other numbers in a field."""
    other = position.clone()
    changed = other.states[name][other.now : other.now + 1].reshape(-1)  # a view: records are packed
    for entry, value in entries.items():
        changed[entry] = value
    return other


def trouble_at_start(game: Game) -> str | None:
    """What is wrong with the beginnings of a game: with what is drawn there, or drawn anew."""
    begun = [Position(game, seed) for seed in range(BEGINNINGS)]
    return _impossible_draw(begun) or _forgotten_chance(begun)


def _forgotten_chance(begun: list[Position]) -> str | None:
    """What is wrong with a game which at its start draws what nobody sees, and `hidden` does not name."""
    game = begun[0].game
    for name in game.state.names or ():
        if name in (*HEADER, *game.spec.hidden) or len({np.asarray(one.g[name]).tobytes() for one in begun}) == 1:
            continue
        for position in begun[:TRIES]:
            if any(_matters_unseen(position, other) for other in _swapped(position, name)):
                return (
                    f"what_is_kept_back_is_hidden: {game.players} players, seed {position.seed}: {name} is drawn by "
                    f"`setup`, decides how the game goes on, and nobody sees it: expected {name!r} in `hidden` and "
                    "drawn anew by resample, or shown"
                )
    return None


def _matters_unseen(position: Position, other: Position) -> bool:
    """Whether two positions look the same to all, and no longer when the same decisions have been made in both."""
    try:
        if _views(position) != _views(other):
            return False
        one, generator = position.clone(), np.random.default_rng(position.seed)
        while one.over == RUNNING and one.now < AHEAD:
            action = int(generator.choice(one.legal_actions()))
            one.play(action)
            other.play(action)
            if one.over != other.over or _seen(one) != _seen(other):
                return True
    except Exception:  # of a position that no game has, or a decision that one of them does not allow
        return False
    return False


def _seen(position: Position) -> list[bytes]:
    return [position.observe_codes(seat).tobytes() for seat in range(position.game.players)]


def _views(position: Position) -> list[Any]:
    game, drawn = position.game, position.game.spec.render_text
    return [_shown(position), *(drawn(game, position.g, who) for who in (None, "all"))]


def _impossible_draw(begun: list[Position]) -> str | None:
    """What is wrong with what `resample` draws at the start of a game: other pieces than any game begins with."""
    game = begun[0].game
    for names in _groups(game):
        true, *others = {_pieces(position, names) for position in begun}
        if others:  # chance decides which pieces there are
            continue
        for seat in range(game.players):
            for other in (other for position in begun[:TRIES] for other in alternatives(position, seat)):
                if (drawn := _pieces(other, names)) != true:
                    return (
                        f"drawn_worlds_are_possible: {game.players} players: for seat {seat} "
                        f"resample draws {_numbers(drawn)} in {' and '.join(names)}, but every game begins with "
                        f"{_numbers(true)} there, in some order"
                    )
    return None


def _groups(game: Game) -> list[Sequence[str]]:
    """Hidden fields to count the pieces of: each, and all together."""
    names = [name for name in game.spec.hidden if game.state[name].base.kind in "iu" and name != "rng"]
    return [*([name] for name in names), names] if len(names) > 1 else [names] * bool(names)


def _pieces(position: Position, names: Sequence[str]) -> tuple[int, ...]:
    return tuple(sorted(int(n) for name in names for n in np.asarray(position.g[name], dtype=object).reshape(-1)))


def _numbers(pieces: tuple[int, ...]) -> str:
    """The pieces as `2 of 0, 3 of 1`, as long as they are few."""
    counts = Counter(pieces)
    said = ", ".join(f"{count} of {n}" for n, count in list(counts.items())[:MOST])
    return said if len(counts) <= MOST else f"{said} ..."
