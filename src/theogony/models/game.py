"""One game of models: each is asked, what it answers is played, and every exchange is written down."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from theogony.benchmark.games import lost_reward, result_of
from theogony.envs.core.contract import deal_seed
from theogony.envs.core.game import Game
from theogony.models.ask import CUT, Message, ModelError, Overflow, Request, View
from theogony.models.table import End, Job, Seats, Settings, Turn, reward_of
from theogony.training.rating.arena import places_of
from theogony.wrappers.text import TextEnv
from theogony.wrappers.text.replies import without_thinking

SHORTEST = 3  # letters: shorter words are letters of maps and abbreviations of everyday language
WORD = re.compile(r"[^\W\d_]+")
KEPT = frozenset(  # everyday words, and those with which moves are asked for and answered
    """a about after again all also an and any are as at away back be before behind between by can card cards choose
    chooses decides decision do does done each end every first for from game give gives given goes has have hand her his
    how in into is it its last legal less line list lists listed many may more move moves name named names next no none
    not note notes now number numbers of off on one only or other others out over own per place play player players
    plays point points put puts reply round same score seat side take taken takes than that the their them then there
    they this three time times to turn turned turns two under until up use used uses what when where which who whole
    with without word words you your""".split()
)
VOWELS, CONSONANTS = "aeiou", "bdfgklmnprstvz"
ENDINGS = ("", "s", "es", "ed", "ing")


class Renaming:
    """The other names of one game. `out` is for what is sent, `back` for what comes."""

    def __init__(self, game: Game, seed: int, texts: Iterable[str] = ()) -> None:
        words = sorted(words_of(game))
        taken = {word for text in texts for word in _words(text)} | set(words) | KEPT
        chance = random.Random(f"{game.spec.name} {seed}")
        self.pairs: dict[str, str] = {}
        for word in words:
            new = _drawn(len(word), chance, taken)
            taken |= {new + ending for ending in ENDINGS}
            self.pairs[word] = new
        self._swap = self.pairs | {new: old for old, new in self.pairs.items()}

    def out(self, text: str) -> str:
        """A text with the other names."""
        return WORD.sub(self._other, text)

    back = out  # each pair changes places, so the way back is the same

    def _other(self, found: re.Match[str]) -> str:
        word = found[0]
        folded = word.lower()
        for ending in ENDINGS:
            if folded.endswith(ending) and (new := self._swap.get(folded[: len(folded) - len(ending)])):
                new += ending
                if word.isupper():
                    return new.upper()
                return new.capitalize() if word[0].isupper() else new
        return word


def words_of(game: Game) -> set[str]:
    """The words of a game's title, its vocabulary's names and icons, and its moves, without everyday ones and without
    endings that another of them has too."""
    names = [game.spec.title, game.spec.name.replace("_", " ")]
    names += [entry.name for entry in game.vocabulary] + [entry.key for entry in game.vocabulary.of("icon")]
    names += [game.actions.text(action) for action in range(game.actions.size)]
    found = {word for name in names for word in _words(name)} - KEPT
    return {word for word in found if not any(word == base + end for base in found for end in ENDINGS[1:])}


def _words(text: str) -> set[str]:
    return {word for word in (found.lower() for found in WORD.findall(text)) if len(word) >= SHORTEST}


def _drawn(length: int, chance: random.Random, taken: set[str]) -> str:
    """A word that can be spoken and is none of those taken."""
    while True:
        first = chance.randrange(2)
        letters = [chance.choice((CONSONANTS, VOWELS)[(first + place) % 2]) for place in range(length)]
        word = "".join(letters)
        if not any(word + ending in taken for ending in ENDINGS) and not word.endswith(ENDINGS[1:]):
            return word


# ---- What a model is sent: the rules once at the head, then the position, or all that was said in this game ------

NOTES = re.compile(r"<notes>(.*?)(?:</notes>|\Z)", re.IGNORECASE | re.DOTALL)
LONGEST_NOTES = 4000  # characters
SCRATCHPAD = (
    "You may keep notes: what you write in <notes>...</notes> is shown to you at your next decision, in place of your "
    f"former notes, up to {LONGEST_NOTES} characters."
)
SHORTENED = "What was said before became too long to be sent, and is left out."
LESSON = (
    "This game is over. You will play again, another deal. Write what you have learnt, to be read before your next "
    f"game: at most {LONGEST_NOTES} characters, and all that is worth keeping of your former lessons."
)


def parted(reply: str) -> tuple[str | None, str]:
    """The notes in a reply (None: there are none) and the rest of it."""
    found = NOTES.findall(reply)
    return (found[-1].strip()[:LONGEST_NOTES] if found else None), NOTES.sub("", reply)


class Conversation:
    """The messages of one game.

    `head` is what the reader was told first: rules, and how to answer; `lessons` what the model wrote after former
    games.
    """

    def __init__(self, head: str, settings: Settings, names: Renaming | None, lessons: str = "") -> None:
        self._settings, self._names = settings, names
        extra = [SCRATCHPAD] if settings.scratchpad else []
        extra += [f"What you wrote after your last game:\n{lessons}"] if lessons else []
        self.system = "\n\n".join(part for part in (self.told(head), *extra) if part)
        self.notes = ""
        self._said: list[Message] = []

    def told(self, text: str) -> str:
        """A text as the model reads it: with the other names, where it has some."""
        return text if self._names is None else self._names.out(text)

    def ask(self, text: str, again: bool) -> str:
        """A position is next, or `again` after a reply that was refused: its explanation. Returns what is sent."""
        told = self.told(text)
        if self._settings.scratchpad and not again:
            told = f"Your notes:\n{self.notes or '(none)'}\n\n{told}"
        if not again and self._settings.memory == "position":
            self._said.clear()
        self._said.append({"role": "user", "content": told})
        return told

    def shorten(self, moves: list[str], text: str) -> str:
        """Begin anew with a position told whole, and the moves that led there. Returns what is sent."""
        self._said.clear()
        return self.ask(f"{SHORTENED}\n\nYour moves so far: {', '.join(moves) or 'none'}.\n\n{text}", False)

    @property
    def long(self) -> bool:
        """Whether there is more in it than the position."""
        return len(self._said) > 1

    def answered(self, reply: str) -> str:
        """What a reply says to the game: with the printed names, without its notes. Thinking is not sent again."""
        self._said.append({"role": "assistant", "content": without_thinking(reply)})
        if self._settings.scratchpad:
            notes, reply = parted(reply)
            self.notes = self.notes if notes is None else notes
        return reply if self._names is None else self._names.back(reply)

    def messages(self) -> list[Message]:
        """All that is sent now."""
        head: list[Message] = [{"role": "system", "content": self.system}] if self.system else []
        return [*head, *self._said]


# ---- One game of models: each is asked, what it answers is played, and every exchange is written down ------------

Answer = Callable[[Request], Turn]  # sends a request; the turn has what came, and nothing yet of what was played


class Recorded:
    """The replies of a transcript, and whether what is sent here is what was sent there.

    `strict`: raise ModelError where it is not; otherwise `same` says so, as the words of prompts change with versions.
    """

    def __init__(self, turns: Sequence[Turn], where: str, strict: bool) -> None:
        self._left, self.where, self._strict = list(turns), where, strict
        self.same, self.count = True, 0

    def __bool__(self) -> bool:
        return bool(self._left)

    def next(self, sent: Callable[[bool], str]) -> Turn:
        """The next reply; `sent` is what is sent here, given whether the conversation was shortened there.

        Raises ModelError when there is none.
        """
        if not self._left:
            raise ModelError(f"{self.where}: ends before the game is over")
        turn = self._left.pop(0)
        self.count += 1
        if turn.sent != sent(turn.shortened):
            self.same = False
            if self._strict:
                raise ModelError(f"{self.where}: line {self.count + 1}: another text is sent now; remove the file")
        return turn


class Voice(NamedTuple):
    """Who answers in one seat: recorded replies first, then `answer`, whose turns are given to `keep`."""

    recorded: Recorded
    answer: Answer | None
    keep: Callable[[Turn], None]


class ModelGame:
    """A game in play, with a side for each of its jobs, its settings and its lessons. `seed` is that of another deal
    than the benchmark's.

    Raises PlayerError or OptionError when it cannot be set up.
    """

    def __init__(
        self,
        seats: Seats,
        jobs: Sequence[Job],
        settings: Sequence[Settings],
        lessons: Sequence[str] = (),
        seed: int | None = None,
    ) -> None:
        first = seats.sit(jobs)
        text = first.reset(deal_seed(jobs[0].deal) if seed is None else seed).removeprefix(first.head).lstrip()
        envs = [first, *(first.beside(job.seat) for job in jobs[1:])]
        texts = [text, *("" for _ in jobs[1:])]
        told = zip(jobs, settings, envs, texts, lessons or [""] * len(jobs), strict=True)
        self.sides = [Side(seats, *one) for one in told]
        self._by_seat = {side.job.seat: number for number, side in enumerate(self.sides)}

    def play(self, voices: Sequence[Voice]) -> list[End]:
        """Play on to the end. Returns how it ended for each side.

        Raises ModelError when a recorded turn does not fit, and whatever an `answer` raises.
        """
        sides, position = self.sides, self.sides[0].env.position
        while not any(side.env.over for side in sides):
            number = self._by_seat[position.actor]
            sides[number].decide(voices[number])
        ends = [side.end(*self._outcome()) for side in sides]
        for side, voice in zip(sides, voices, strict=True):
            side.learn(voice)
            if voice.recorded:
                raise ModelError(f"{voice.recorded.where}: goes on behind the end of the game")
        return ends

    def _outcome(self) -> tuple[list[int], bool]:
        """The place of each seat, and whether one has forfeited: then the others share the win; a team has lost."""
        position = self.sides[0].env.position
        lost = next((side.job.seat for side in self.sides if side.env.forfeited), None)
        if lost is None:
            return places_of(position), False
        seats = range(position.game.players)
        return [2 if position.game.spec.cooperative or seat == lost else 1 for seat in seats], True


class Side:
    """A seat of a game in which a model sits: what it is told, and what it has answered."""

    def __init__(self, seats: Seats, job: Job, settings: Settings, env: TextEnv, text: str, lessons: str) -> None:
        self.job, self.settings, self.env, self._seats = job, settings, env, seats
        self._text, self._waited = text, not text
        env.tries, env.after_tries = settings.tries, settings.after_tries
        renamed = settings.rules == "renamed"
        names = Renaming(env.game, settings.names, [env.head, text]) if renamed else None
        self.conversation = Conversation(env.head, settings, names, lessons)
        self._again = False

    def decide(self, voice: Voice) -> None:
        """One reply: a recorded one, or one that is asked for."""
        recorded, answer, keep = voice
        if self._waited:
            self._text = self.env.due()
            self._waited = self.env.waiting
            if self._waited or self.env.over:  # its decisions had one legal move each
                return
        sent = self.conversation.ask(self._told(), self._again)
        if recorded or answer is None:
            found = recorded.next(lambda shortened: self._shorten() if shortened else sent)
            turn = self._step(found)
            if change := changed(found, turn):
                raise ModelError(f"{recorded.where}: line {recorded.count + 1}: {change}")
        else:
            keep(self._step(self._answer(answer, self._view(), self._shorten)))

    def _answer(self, answer: Answer, view: View | None, shorten: Callable[[], str]) -> Turn:
        """Ask; where the conversation is too long for the model, with the position alone."""
        try:
            return answer(Request(self.conversation.messages(), view))
        except Overflow:
            if not self.conversation.long:
                raise
        shorten()
        return answer(Request(self.conversation.messages(), view)).model_copy(update={"shortened": True})

    def _shorten(self) -> str:
        """Leave out what was said, and tell the position whole. Returns what is sent."""
        refusal = f"{self._text}\n\n" if self._again else ""
        self._text = self.env.retold()
        return self.conversation.shorten(self._moves(0), refusal + self._told())

    def _step(self, turn: Turn) -> Turn:
        """Play a reply. Returns the turn with what was played."""
        env, first, before = self.env, not self._again, (self.env.decisions, self.env.random_moves)
        begun = env.position.now
        self._text = env.step(self.conversation.answered(turn.reply), cut=turn.finish == CUT)
        made = env.decisions - before[0] - (env.random_moves - before[1])
        self._again = env.decisions == before[0] and not env.over
        self._waited = env.waiting
        return turn.model_copy(update={"played": self._moves(begun), "first": first, "legal": made > 0})

    def _moves(self, begun: int) -> list[str]:
        """The seat's own moves since a point of the game."""
        position, text = self.env.position, self.env.game.actions.text
        states, made = position.states, range(begun, position.now)
        return [text(position.actions[k]) for k in made if int(states[k].actor) == self.job.seat]

    def _told(self) -> str:
        """The text that is due, with the hint where one is asked for."""
        if self._again or not self.settings.hint:
            return self._text
        move = self._seats.hint(self.env, self.job, self.env.decisions)
        return f"{self._text}\n\nHint: {self.settings.hint} would play: {move}"

    def _view(self) -> View:
        env = self.env
        return View(
            game=env.game.spec.name,
            seat=self.job.seat,
            text=self._text,
            legal=[] if self.settings.moves == "hidden" else list(env.legal_moves()),
            observation=[round(float(number), 6) for number in env.position.observation[0]],
        )

    def learn(self, voice: Voice) -> None:
        """Ask what is to be remembered, where another game follows that shares it."""
        recorded, answer, keep = voice
        if self.job.number + 1 >= self.settings.learn:
            return
        told = f"{self.env.result_text()}\n\n{LESSON}"
        sent, shorten = self.conversation.ask(told, False), lambda: self.conversation.shorten(self._moves(0), told)
        if recorded or answer is None:
            recorded.next(lambda shortened: shorten() if shortened else sent)
        else:
            keep(self._answer(answer, None, shorten).model_copy(update={"lesson": True}))

    def end(self, places: list[int], forfeited: bool) -> End:
        """How the game ended, by the places of all seats; it was broken off where one has forfeited."""
        env, won = self.env, places[self.job.seat] == 1
        if forfeited:
            paid = 1.0 / (env.game.players - 1) if won else lost_reward(reward_of(env.game), env.game)
            env.over, env.reward = True, paid
            result = "L" if not won else "W" if places.count(1) == 1 else "D"
        else:
            env.see_end()
            result = result_of(env.position, self.job.seat)
        return End(
            result=result,
            reward=round(float(env.reward), 6),
            score=None if env.score is None else round(float(env.score), 6),
            decisions=env.decisions,
            invalid=env.invalid,
            random_moves=env.random_moves,
            forfeited=env.forfeited,
            places=places,
        )


def played_by(player: str, seats: Seats, game: ModelGame, seed: int) -> tuple[End, list[int]]:
    """Play the game of one model with a player in its place, whose moves are the replies. Returns how it ended, and the
    player's actions."""
    (side,), actions = game.sides, list[int]()

    def answer(request: Request) -> Turn:
        actions.append(seats.choice(player, side.env, side.job, len(actions), seed))
        reply = side.conversation.told(f"Move: {side.env.game.actions.text(actions[-1])}")
        sent = request.messages[-1]["content"]
        return Turn(sent=sent, reply=reply, read=0, written=0, counted=False, cost=0, seconds=0)

    (end,) = game.play([Voice(Recorded([], player, strict=True), answer, lambda _: None)])
    return end, actions


def changed(there: Turn | End, here: Turn | End) -> str | None:
    """What is otherwise than a transcript says, in words, None where nothing is."""
    what = next((name for name in type(there).model_fields if getattr(there, name) != getattr(here, name)), None)
    return what and f"{what} is {getattr(there, what)!r}, played anew {getattr(here, what)!r}"
