"""`TextEnv`: a game in which one seat reads texts and answers with texts."""

from __future__ import annotations

import asyncio
import copy
import functools
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from theogony.envs.core.aec import env_function
from theogony.envs.core.draw.style import seat_word
from theogony.envs.core.game import Game, OptionError
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load
from theogony.envs.core.story import LEFT, lines_of, price_of, since_own
from theogony.envs.core.thinking.opponents import OpponentSpec
from theogony.wrappers.single_agent import SingleAgentEnv
from theogony.wrappers.text.brief import (
    Brief,
    Moves,
    Parts,
    answering,
    differences,
    grouped,
    notation_of,
    parts_of,
    rules_in_brief,
    rules_of,
    with_drawn_cards,
)
from theogony.wrappers.text.replies import ReplyError, read_reply, split_moves

AfterTries = Literal["random", "forfeit"]
AFTER = {"random": "a random move is played for you", "forfeit": "the game is lost"}


class TextEnv:
    """One seat of a game, in words: `reset() -> text`, then `step(reply) -> text` until `over`.

    Args:
        game: name of a game, "orbis".
        seat: the reader's, or "random": drawn for each game; or the seats of several readers. Then this is the first
            of them, and `beside` gives the others.
        opponents: who plays the others, as everywhere (docs/players.md).
        moves: "listed": every text ends with the legal moves; "numbered": with numbers, by which they may be named;
            "hidden": the reader must know them from the rules.
        whole_turns: a reply may hold several moves, one a line; they are played until another seat decides.
        tries: replies without a legal move in a row that are answered by an explanation.
        after_tries: what happens then: a "random" legal move is played, or the game is a "forfeit": it ends with
            reward -1.
        marked: whether only a marked move counts, `Move: ...` or `<move>...</move>`; otherwise a reply without a mark
            may name one move anywhere.
        rules: whether the first text explains the game.
        brief: whether texts are short: the rules without tables, words explained when they are named first, then of the
            position what has changed, and legal moves by kinds.
        forced: whether a decision with one legal move is played without asking; the next text tells it.
        repeat: whether the whole position is told at every decision, for readers that see one text alone; otherwise,
            between two decisions that nobody else's came between, what has changed is.
        reward: as in `theogony.make`.
        options: of the game.

    A text holds what this seat knows and nothing else. After a game: `reward`, `score`, and counts that tell weak play
    from bad form: `decisions`, `invalid` (replies without a legal move), `random_moves`, `forfeited`.
    Raises OptionError, UnknownGame or PlayerError.

    >>> env = TextEnv("push_of_faith", opponents="greedy", moves="numbered")
    >>> text = env.reset(seed=1)  # rules, how to answer, position, legal moves
    >>> while not env.over:
    ...     text = env.step("Move: 1")
    >>> env.result()["invalid"]
    0
    """

    def __init__(
        self,
        game: str,
        *,
        seat: int | tuple[int, ...] | Literal["random"] = "random",
        opponents: OpponentSpec = "random",
        moves: Moves = "listed",
        whole_turns: bool = False,
        tries: int = 3,
        after_tries: AfterTries = "random",
        marked: bool = False,
        rules: bool = True,
        brief: bool = False,
        forced: bool = False,
        repeat: bool = False,
        reward: str | None = None,
        **options: Any,
    ) -> None:
        _one_of("moves", moves, get_args(Moves))
        _one_of("after_tries", after_tries, get_args(AfterTries))
        if isinstance(tries, bool) or not isinstance(tries, int | np.integer) or tries < 1:
            raise OptionError(f"tries={tries!r:.60}: a whole number from 1 on was expected")
        self.moves: Moves = moves
        self.whole_turns: bool = whole_turns
        self.tries: int = int(tries)
        self.after_tries: AfterTries = after_tries
        self.marked: bool = marked
        self.rules: bool = rules
        self.brief: bool = brief
        self.forced: bool = forced
        self.repeat: bool = repeat
        self._env = SingleAgentEnv(env_function(load(game))(reward=reward, **options), seat, opponents)
        self._game: Game = self._env.env.unwrapped.game  # pyright: ignore[reportAttributeAccessIssue]
        self._begun: bool = False
        self._own: int | None = seat[0] if isinstance(seat, tuple) else None
        self._clear()
        self.over: bool = True

    @property
    def seat(self) -> int:
        """The reader's seat in this game. Raises RuntimeError before the first game, as all that tells of one does."""
        self._check_begun("seat")
        return self._env.seat if self._own is None else self._own

    @property
    def waiting(self) -> bool:
        """Whether another reader decides now."""
        return self._own is not None and not self.position.over and self._env.seat != self._own

    @property
    def game(self) -> Game:
        """The game, with the components that are in play."""
        return self.position.game if self._game.packs and self._env.env.unwrapped._ready else self._game  # pyright: ignore[reportAttributeAccessIssue]

    @property
    def position(self) -> Position:
        """The true position. It is not for the reader: what that seat may know is in the texts."""
        self._check_begun("position")
        return self._env.env.unwrapped.position  # pyright: ignore[reportAttributeAccessIssue]

    # ------------------------------------------------------------------------------------------------ play

    def reset(self, seed: int | None = None) -> str:
        """Begin a game. Returns the rules and how to answer, which are the `head`, and the first position unless the
        reader is `waiting`."""
        self._env.reset(seed=seed)
        self._chance = int(self._env.np_random.integers(2**63))
        self._begin()
        self._play_forced()
        return _joined(self.head, self._next())

    def beside(self, seat: int) -> TextEnv:
        """Another reader of the game that was begun just now; `due` is what it is told first behind its `head`."""
        other = copy.copy(self)
        other._own = seat
        other._begin()
        return other

    def _begin(self) -> None:
        self._begun = True
        self.rng: np.random.Generator = np.random.default_rng(self._chance)
        self._clear()
        how = answering(self.moves, self.whole_turns, self.marked, self.brief, not self.repeat)
        self.head: str = _joined(f"# {self.game.spec.title}", self._rules(), how)

    def _clear(self) -> None:
        """All counts as they are when a game begins."""
        self.over = False
        self.forfeited: bool = False
        self.reward: float = 0.0
        self.score: float | None = None
        self.decisions: int = 0
        self.invalid: int = 0
        self.random_moves: int = 0
        self._in_a_row = 0
        self._note = ""  # stands before what the reader is told next
        self._asked: int | None = None  # how many decisions were taken when the reader was asked last
        self._chosen: list[int] = []  # how many decisions were taken at each that the reader took
        self._memory = self._new_memory()
        self._parts: Parts = {}  # of the position that was told last

    def _new_memory(self) -> Brief | None:
        """What a reader of brief texts knows at first."""
        return Brief(self.game.vocabulary, self._rules() if self.rules else "") if self.brief else None

    def _rules(self) -> str:
        """The rules, in brief where texts are; without them the notation of moves alone, where no text lists them."""
        rules, hidden = rules_of(self.game.spec, self.game.options), self.moves == "hidden"
        if not self.rules:
            return notation_of(rules) if hidden else ""
        if self.game.drawn:
            rules = with_drawn_cards(rules, self.game.vocabulary)
        return rules_in_brief(rules, self.game.vocabulary, hidden) if self.brief else rules

    def step(self, reply: str, cut: bool = False) -> str:
        """Play what a reply says. Returns the next text: a position, an explanation of what was wrong, or the result.

        `cut`: the reply ended because it was too long, so what it ends with does not count. Raises RuntimeError when no
        game is running.
        """
        if self.over:
            raise RuntimeError("no game is running: call reset()")
        try:
            parts = split_moves(reply, self.marked, cut) if self.whole_turns else [reply]
        except ReplyError as error:
            return self._refuse(error)
        begun = self.position.now
        for played, part in enumerate(parts or [""]):
            if played and (self.waiting or self._others_decided(begun)):
                return self._stopped(played, parts, "the others have moved")
            try:
                action = self._read(part, alone=parts == [part], cut=cut)
            except ReplyError as error:
                return self._stopped(played, parts, str(error)) if played else self._refuse(error)
            self._play(action)
            self._asked = begun  # what came of all parts is told
            if self.over:
                break
        return self._next()

    def due(self) -> str:
        """What a reader is told that was `waiting`: the position, or the result; "" while it still is."""
        self.see_end()
        self._play_forced()
        return self._next(self._note)

    def _next(self, note: str = "") -> str:
        """What the reader is told next, behind a note; "" where it is waiting, and the note is kept."""
        self._note = note if self.waiting else ""
        if self.waiting:
            return ""
        return _joined(note, self.result_text() if self.over else self._view())

    def _read(self, part: str, alone: bool, cut: bool) -> int:
        """The action of a reply, or of one of its parts. Raises ReplyError."""
        numbered, marked, legal = self.moves == "numbered", self.marked and alone, self.legal_moves()
        shown, words = {self.words(action): action for action in legal.values()}, self.game.vocabulary
        ways = functools.partial(words.called, self.game.actions, legal.values())
        return read_reply(part, legal, numbered, shown, marked, cut and alone, ways)

    def _stopped(self, played: int, parts: list[str], why: str) -> str:
        """What is said where only the first parts of a reply were played."""
        return self._next(f"Played {played} of {len(parts)} moves: {why}.")

    def undo(self) -> None:
        """Take back the reader's last decision and what was played since. Raises ValueError where there is none."""
        self._check_begun("undo")
        last = self._chosen.pop() if self._chosen else None
        self._env.undo()
        while last is not None and self.position.now > last:  # what was played unasked
            self._env.undo()
        self.over = self.forfeited = False
        self._asked = None
        self._memory = self._new_memory()
        self._parts = {}
        self.reward, self.score = 0.0, None
        self._in_a_row = 0

    def _check_begun(self, what: str) -> None:
        """Raise RuntimeError before the first game."""
        if not self._begun:
            raise RuntimeError(f"call reset() before {what}: no game was begun")

    def _others_decided(self, begun: int) -> bool:
        """Whether another seat has decided since so many decisions."""
        states = self.position.states
        return any(int(states[k].actor) != self.seat for k in range(begun, self.position.now))

    def _play(self, action: int) -> None:
        self._asked = self.position.now
        self._chosen.append(self._asked)
        self.decisions += 1
        self._in_a_row = 0
        self._step(action)
        self._play_forced()

    def _play_forced(self) -> None:
        """Play what is the only legal move, as long as there is no other and the reader wants it so."""
        while self.forced and not (self.over or self.waiting):
            only = np.flatnonzero(self._env.action_masks())
            if len(only) != 1:
                return
            self._step(int(only[0]))

    def _step(self, action: int) -> None:
        self._env.step(action)
        self.see_end()

    def see_end(self) -> None:
        """See whether the game is over, and what it pays."""
        if self.position.over:
            self.over, kind = True, self._env.env.unwrapped.reward  # pyright: ignore[reportAttributeAccessIssue]
            self.reward = float(self.position.rewards(kind)[self.seat])
            self.score = float(self.position.scores()[self.seat])

    def _refuse(self, error: ReplyError) -> str:
        """Explain what was wrong; after `tries` in a row, go on without the reader's word."""
        self.invalid += 1
        self._in_a_row += 1
        refused = f"Not played: {error}.".replace("?.", "?")
        if self._in_a_row < self.tries:
            left = self.tries - self._in_a_row
            tries = f"{left} more {'try' if left == 1 else 'tries'}, then {AFTER[self.after_tries]}"
            return _joined(f"{refused} {tries}.", self._list())
        if self.after_tries == "forfeit":
            self.over, self.forfeited, self.reward = True, True, -1.0
            return self.result_text()
        self.random_moves += 1
        chosen = int(self.rng.choice(np.flatnonzero(self._env.action_masks())))
        self._play(chosen)
        return self._next(f"{refused} A random move was played for you: {self.words(chosen)}.")

    # ------------------------------------------------------------------------------------------------ texts

    def legal_moves(self) -> dict[str, int]:
        """The legal actions by their texts, in the order of their ids."""
        self._check_begun("legal_moves")
        return {self.game.actions.text(int(action)): int(action) for action in np.flatnonzero(self._env.action_masks())}

    def words(self, action: int) -> str:
        """An action as it is shown to the reader: its text, with words beside it where that alone says little."""
        return self.game.vocabulary.beside(self.game.actions, action)

    def view(self) -> str:
        """The position as this seat knows it, and its legal moves unless they are hidden: the whole of it, also where
        texts are brief."""
        self._check_begun("view")
        return _joined(f"You are player {self.seat + 1}.", self.since_last_move(), self._position(), self._list())

    def retold(self) -> str:
        """The view for a reader who has forgotten all but the head."""
        self._memory, self._parts = self._new_memory(), {}
        return self.view() if self._memory is None else self._view()

    def _view(self) -> str:
        """What the reader is told next: the view, or what it does not know yet of it."""
        if self._memory is None:
            return self._whole_or_changed()
        you, moves = "" if self._asked is not None else f"You are player {self.seat + 1}.", self._list()
        happened, changed = self.since_last_move(), self._memory.changed(self._position())
        return _joined(you, happened, changed, self._memory.explained(f"{changed}\n{moves}", happened), moves)

    def _whole_or_changed(self) -> str:
        """The view; of a position within the reader's turn what has changed."""
        parts, known = parts_of(self._position()), self._parts
        self._parts = parts
        if self.repeat or not known or self._asked is None or self._others_decided(self._asked):
            return self.view()
        you = f"You are player {self.seat + 1}."
        return _joined(you, self.since_last_move(), differences(known, parts), self._list())

    def _position(self) -> str:
        return self.game.spec.render_text(self.game, self.position.g, self.seat).rstrip()

    def since_last_move(self) -> str:
        """What happened since this seat decided last, or so far, as far as it knows; "" for nothing."""
        self._check_begun("since_last_move")
        lines = lines_of(since_own(self.position, self.seat, self._asked), self.seat)
        head = "Since your last move:" if self._chosen else "So far:"
        return "\n".join([head, *lines]) if lines else ""

    def _list(self) -> str:
        """The legal moves, "" where they are hidden."""
        if self.moves == "hidden":
            return ""
        moves = [(action, self._with_price(action)) for action in self.legal_moves().values()]
        if self.brief and self.moves == "listed":
            lines = grouped(self.game.actions, moves)
        else:
            mark = "{}. " if self.moves == "numbered" else "- "
            lines = [f"{mark.format(i)}{text}" for i, (_, text) in enumerate(moves, 1)]
        return "\n".join(["Legal moves:", *lines])

    def _with_price(self, action: int) -> str:
        """A move as it is shown, with what it costs where its game tells that and, unless texts are brief, leaves."""
        shown, price = self.words(action), price_of(self.position, action)
        price = price.partition(LEFT)[0] if self.brief else price.removeprefix("; ")
        return f"{shown.removesuffix(')')}; {price})" if price and "(" in shown else shown + f" ({price})" * bool(price)

    def result_text(self) -> str:
        """How the game ended for this seat."""
        self._check_begun("result_text")
        if self.forfeited:
            return f"The game is lost: {self.tries} replies in a row held no legal move."
        score = "" if self.score is None else f", {self.score:g} points"
        head = f"The game is over. Reward {self.reward:g}{score}. {self.decisions} decisions, {self.invalid} invalid."
        return _joined(head, self.since_last_move(), self._account())

    def _account(self) -> str:
        """What all seats scored, with the reasons, as a table; "" for a game that gives none."""
        if self.game.spec.account is None or not self.position.over:
            return ""
        account = self.game.spec.account(self.game, self.position.g)
        heads = ["", *(seat_word(seat, self.seat) for seat in range(self.game.players))]
        rows = [heads, ["counts", *account.counted], *([reason, *cells] for reason, cells in account.rows)]
        widths = [max(len(row[k]) for row in rows) for k in range(len(heads))]
        padded = ([f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)] for row in rows)
        table = ["  ".join(cells).rstrip() for cells in padded]
        return "\n".join([*([account.decided] if account.decided else []), *table])

    def result(self) -> dict[str, Any]:
        """The counts of this game, JSON-able. A game that is not `over` has no reward yet."""
        self._check_begun("result")
        names = ("seat", "over", "reward", "score", "decisions", "invalid", "random_moves", "forfeited")
        return {name: getattr(self, name) for name in names}


def _joined(*parts: str) -> str:
    """Paragraphs, those that say something."""
    return "\n\n".join(part for part in parts if part)


def _one_of(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise OptionError(f"{name}={value!r} is not one of {', '.join(map(repr, choices))}")


# ---- `Turns`: a game in words as hubs for language models want it: text, reward, whether it is over, metadata ----


@dataclass(frozen=True)
class Turn:
    """What a reply led to.

    `reward` is that of this turn alone; rewards of all turns add up to that of the game. `metadata` has the counts of
    `TextEnv.result`, the legal moves as texts, and as `action_mask`, 0 or 1 for each action of the game; both are empty
    where legal moves are hidden, and when the game is over.
    """

    text: str
    reward: float
    over: bool
    metadata: dict[str, Any]


class Turns:
    """One game after another; `arguments` are those of `TextEnv`.

    `invalid` is paid for every reply without a legal move, such as -0.01, so that form is learnt before play. A loop of
    asyncio awaits `areset` and `astep`, one after the other for each game.
    """

    def __init__(self, game: str, *, invalid: float = 0.0, **arguments: Any) -> None:
        self.env = TextEnv(game, **arguments)
        self._invalid = invalid

    def reset(self, seed: int | None = None) -> Turn:
        """A new game: its rules, and the first position."""
        return Turn(self.env.reset(seed), 0.0, False, self.metadata())

    def step(self, reply: str) -> Turn:
        """Play a reply."""
        env, before = self.env, (self.env.reward, self.env.invalid)
        text = env.step(reply)
        reward = env.reward - before[0] + self._invalid * (env.invalid - before[1])
        return Turn(text, reward, env.over, self.metadata())

    async def areset(self, seed: int | None = None) -> Turn:
        """`reset` on a thread of its own: the others of a loop go on meanwhile."""
        return await asyncio.to_thread(self.reset, seed)

    async def astep(self, reply: str) -> Turn:
        """`step` on a thread of its own: while an opponent thinks, the others of a loop go on."""
        return await asyncio.to_thread(self.step, reply)

    def metadata(self) -> dict[str, Any]:
        """The counts so far, and what is legal."""
        env = self.env
        shown = not env.over and env.moves != "hidden"
        legal = env.legal_moves() if shown else {}
        mask = [0] * env.game.actions.size if shown else []
        for action in legal.values():
            mask[action] = 1
        return {**env.result(), "legal_moves": list(legal), "action_mask": mask}
