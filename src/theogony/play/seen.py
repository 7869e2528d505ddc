"""What one viewer is shown of a moment of a game: the only source of pages, of their JSON and of their pictures.

A viewer is a seat, the public (None) or all eyes ("all"). Everything here is made from what the viewer may know: the
picture by the game's `render_svg`, an action of another seat by its `move_text`, and the legal actions go to nobody
but the seat that decides.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from theogony.envs.core.contract import Account
from theogony.envs.core.draw.places import last_words, move_words, picture_of
from theogony.envs.core.game import Game
from theogony.envs.core.kernels import kernels
from theogony.envs.core.position import Position
from theogony.envs.core.record import RUNNING, SEATS
from theogony.envs.core.story import told
from theogony.envs.core.vocabulary import ADVICE, sentence

LATER = "What this brings is known when it is done."
TRIALS = 4  # positions in which each move of a list is tried to tell what is certain of it
PREVIEWS = 24  # the same of a single move, where a die is thrown as well: four throws are often alike by chance
Viewer = int | Literal["all"] | None


class Moment(NamedTuple):
    """A position with the decision that led to it: copies, which nobody changes any more."""

    game: Game
    before: np.ndarray | None  # one record, None at the start
    action: int | None
    states: np.ndarray  # one record: the position itself
    legal: np.ndarray  # ids of the legal actions of the seat that decides

    @property
    def g(self) -> Any:
        """The record of the position."""
        return self.states[0]

    @property
    def actor(self) -> int:
        """The seat that decides."""
        return int(self.g.actor)


NOTHING_LEGAL = np.zeros(0, np.int64)


def moment(position: Position, k: int) -> Moment:
    """The moment after k decisions of a game. Only in the last one there is something to choose."""
    states = position.states
    before = states[k - 1 : k].copy() if k else None
    action = position.actions[k - 1] if k else None
    legal = position.legal_actions() if k == position.now else NOTHING_LEGAL
    return Moment(position.game, before, action, states[k : k + 1].copy(), legal)


def history(position: Position) -> Position:
    """A copy of a game with all that came before."""
    copy = position.clone()
    copy.states, copy.actions, copy.now = position.states.copy(), list(position.actions), position.now
    return copy


def frame(at: Moment, who: Viewer, clickable: bool = False) -> dict[str, Any]:
    """What a viewer is shown, as JSON has it.

    `ply` decisions were taken, `actor` decides, `over` is 0 while the game runs, `svg` is the picture, `move` what the
    last decision was (`seat`, `text`, `story`), `asked` is what is to be decided, `about` what that is part of,
    `advice` what matters in it, `guide` what its moves do, and `choices`, of the seat that decides, are an id, its
    text, what it does, and what it costs or brings there and then; `kinds` are the kinds of these moves in the same
    order, a name, what they do, how many there are and whether they end something, which stand last; `lands` tells of
    some ids where a piece would come to lie.
    With `clickable` places of the picture carry the ids of the actions that are made there.
    """
    g, own = at.g, int(at.g.over) == RUNNING and who in (at.actor, "all")  # who may see what is legal now
    earlier, last = None if at.before is None else at.before[0], ""
    if earlier is not None and at.action is not None:
        last = last_words(at.game, earlier, at.action, g, who)
    return {
        "ply": int(g.ply),
        "actor": at.actor,
        "over": int(g.over),
        "move": move(at, who),
        "asked": asked(at) if own else "",
        "about": about(at) if own else "",
        "advice": advice(at) if own else "",
        "guide": guidance(at) if own else [],
        "choices": choices(at) if own else [],
        "kinds": kinds(at) if own else [],
        "lands": lands(at) if own else {},
        "svg": picture_of(at.game, g, who, earlier, at.legal if own and clickable else (), last),
    }


def move(at: Moment, who: Viewer) -> dict[str, Any] | None:
    """The decision that led to this moment in words, and what came of it (`seat`, `text`, `story`), as far as the
    viewer knows it; None at the start."""
    if at.before is None or at.action is None:
        return None
    return told(at.game, at.before[0], at.action, at.g, who)._asdict()


def asked(at: Moment) -> str:
    """What is to be decided, as a question in plain words: `Place the tile in your world.`.

    Where more can be said than the kind of decision, the game's file of stories does by `asks(game, g, kinds)`, given
    the kinds of actions that are legal.
    """
    phases, decision, ways = at.game.vocabulary.of("phase"), int(at.g.decision), len(at.legal)
    tells = _teller(at.game, "asks")
    kinds = {at.game.actions.decode(int(action))[0] for action in at.legal}
    said = (tells(at.game, at.g, kinds) if tells else "") or (phases[decision].does if decision < len(phases) else "")
    return f"{said}{' (only one way)' if ways == 1 else ''}." if said and ways else ""


def about(at: Moment) -> str:
    """What the decision at hand is part of, in words, where the game's file of stories tells it by `about(game, g)`."""
    tells = _teller(at.game, "about")
    return "" if tells is None else tells(at.game, at.g)


def _teller(game: Game, name: str) -> Any:
    """A function of the game's file of stories; None where it has none of this name."""
    return None if game.spec.story is None else getattr(sys.modules[game.spec.story.__module__], name, None)


def advice(at: Moment) -> str:
    """What matters in the decision at hand in a first game; "" where the game says nothing of it."""
    words, decision = at.game.vocabulary, int(at.g.decision)
    phases = words.of("phase")
    word = (ADVICE, phases[decision].key if decision < len(phases) else "")
    return sentence(words[word].does) if word in words else ""


def in_list(at: Moment) -> list[int]:
    """The legal actions as they are listed: in the order of their ids, but what ends a turn or a window last."""
    last, codec = ending(at.game), at.game.actions
    return sorted(map(int, at.legal), key=lambda action: codec.decode(action)[0] in last)


def ending(game: Game) -> set[str]:
    """The kinds of actions that end a turn or a window."""
    return {block.kind for block in game.actions.blocks if block.ends}


def kinds(at: Moment) -> list[tuple[str, str, int, bool]]:
    """The kinds of the legal actions as they are listed: a name, what moves of this kind do, how many there are, and
    whether they end something."""
    codec, words, last = at.game.actions, at.game.vocabulary, ending(at.game)
    counted = Counter(codec.decode(action)[0] for action in in_list(at))
    entries = [(words["action", kind], number, kind in last) for kind, number in counted.items()]
    return [(entry.name, entry.does, number, ends) for entry, number, ends in entries]


def guidance(at: Moment) -> list[str]:
    """What the moves of the decision at hand are good for, a sentence for each kind of them."""
    return [f"{name} ({number}): {does or 'no more than that'}." for name, does, number, _ in kinds(at)]


def preview(position: Position, action: int, rng: np.random.Generator) -> list[str]:
    """What a decision of the seat that is due would cost and bring, as far as it is certain.

    It is tried in positions that the seat holds possible; what is the same in all is told. Of decisions that are
    `surprises` of the game nothing is. Raises IllegalAction.
    """
    seat, told_by = position.actor, []
    if int(position.g.decision) in position.game.spec.surprises:
        position.clone().play(action)
        return [LATER]
    for _ in range(PREVIEWS):
        other = position.clone()
        other.resample(seat, rng.integers(2**64, size=1, dtype=np.uint64))
        before = other.g.copy()
        other.play(action)
        told_by.append(told(position.game, before, action, other.g, seat).story)
    lines = [line for line in told_by[0] if all(line in others for others in told_by[1:])]
    chance = any(line not in lines for others in told_by for line in others)
    return [*lines, *(["What else follows depends on chance, or on what you do not know."] if chance else [])]


def choices(at: Moment) -> list[tuple[int, str, str, str]]:
    """The legal actions in words, what each does, and what it costs or brings there and then."""
    actions, words, beside = at.game.actions, at.game.vocabulary, notes(at)
    return [
        (a, move_words(at.game, at.g, a, at.g, at.actor), words.does(actions, a), beside.get(a, ""))
        for a in in_list(at)
    ]


def notes(at: Moment) -> dict[int, str]:
    """What legal actions cost, bring, or are too weak for, in a few words, where the game's file of stories tells it by
    `note(game, before, action, after, viewer)`.

    They are tried in positions that the seat holds possible, so nothing else can be told; what differs is not.
    """
    tells = _teller(at.game, "note")
    if tells is None:
        return {}
    other, found = Position(at.game, 0), dict.fromkeys(map(int, at.legal), "")
    for draw in range(1, 1 + TRIALS):
        other.begin_at(at.states)
        other.resample(at.actor, np.array([draw], np.uint64))
        before = other.g.copy()
        known = int(before.decision) not in at.game.spec.surprises
        said = {}
        for action in found:
            if known:
                other.play(action)
            said[action] = tells(at.game, before, action, other.g, at.actor)
            if known:
                other.undo()
        found = {action: words for action, words in said.items() if words and found[action] in ("", words)}
    return found


def drawn(game: Game, name: str) -> str | None:
    """A thing of a game as a picture of its own, by its `data-drawn`; made of the components alone, so open to all.
    None where there is none."""
    kind, _, key = name.partition(":")
    return None if game.spec.pieces is None else game.spec.pieces(game, kind, key)


def lands(at: Moment) -> dict[int, Sequence[tuple[str, str, int]]]:
    """Where the legal actions lay pieces, see `GameSpec.lands`; of those that do."""
    ask = at.game.spec.lands
    found = {} if ask is None else {a: ask(at.game, at.g, a) for a in map(int, at.legal)}
    return {action: where for action, where in found.items() if where}


def scores(game: Game, states: np.ndarray, who: Viewer, stream: np.ndarray) -> list[float]:
    """The scores of all seats in a position (one record), as far as a viewer knows them.

    For a seat they are those of a position that it holds possible, drawn with `stream` (uint64, one element).
    """
    k, states = kernels(game.spec), states.copy()
    if isinstance(who, int) and int(states[0].over) == RUNNING:
        k.resample(states, 0, game.tables, who, stream)
    out = np.zeros(SEATS)
    k.score(states, 0, game.tables, out)
    return [round(float(score), 3) for score in out[: game.players]]


def result(game: Game, states: np.ndarray) -> dict[str, Any] | None:
    """How a game ended (one record), which everybody may know: places from 1, scores, and the `Account` of them.

    None while it runs.
    """
    g: Any = states[0]
    if int(g.over) == RUNNING:
        return None
    k, out = kernels(game.spec), np.zeros((2, SEATS))
    k.score(states, 0, game.tables, out[0])
    k.standing(states, 0, game.tables, out[1])
    scored, standings = out[0, : game.players].tolist(), out[1, : game.players]
    account = game.spec.account
    told = Account("", [f"{score:g}" for score in scored], []) if account is None else account(game, g)
    return {
        "cut_off": int(g.over) != 1,
        "cooperative": game.spec.cooperative,
        "won": bool(standings[0] > 0) if game.spec.cooperative else None,
        "places": [1 + int((standings > standing).sum()) for standing in standings],
        "scores": scored,
        **told._asdict(),
    }
