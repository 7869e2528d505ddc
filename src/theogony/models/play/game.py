"""One game of a model: it is asked, what it answers is played, and every exchange is written down."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from theogony.benchmark.play.games import lost_reward, result_of
from theogony.envs.core.contract.reserved import deal_seed
from theogony.models.ask.said import Asked, ModelError, View
from theogony.models.play.conversation import LESSON, Conversation
from theogony.models.play.renaming import Renaming
from theogony.models.play.settings import Settings
from theogony.models.play.table import Job, Seats, reward_of
from theogony.models.play.transcript import End, Turn
from theogony.wrappers.text import TextEnv

Answer = Callable[[Asked], Turn]  # sends a request; the turn has what came, and nothing yet of what was played


class Recorded:
    """The replies of a transcript, and whether what is sent here is what was sent there.

    `strict`: raise ModelError where it is not; otherwise `same` says so, as the words of prompts change with versions.
    """

    def __init__(self, turns: Sequence[Turn], where: str, strict: bool) -> None:
        self._left, self.where, self._strict = list(turns), where, strict
        self.same, self.count = True, 0

    def __bool__(self) -> bool:
        return bool(self._left)

    def next(self, sent: str) -> Turn:
        """The next reply. Raises ModelError when there is none."""
        if not self._left:
            raise ModelError(f"{self.where}: ends before the game is over")
        turn = self._left.pop(0)
        self.count += 1
        if turn.sent != sent:
            self.same = False
            if self._strict:
                raise ModelError(f"{self.where}: line {self.count + 1}: another text is sent now; remove the file")
        return turn


class Game:
    """A game in play. `seed` is that of another deal than the benchmark's.

    Raises PlayerError or OptionError when it cannot be set up.
    """

    def __init__(self, seats: Seats, job: Job, settings: Settings, lessons: str = "", seed: int | None = None) -> None:
        self.job, self.settings, self._seats = job, settings, seats
        self.env: TextEnv = seats.sit(job)
        text = self.env.reset(deal_seed(job.deal) if seed is None else seed)
        self._text = text.removeprefix(self.env.head).lstrip()
        renamed = settings.rules == "renamed"
        names = Renaming(self.env.game, settings.names, [text]) if renamed else None
        self.conversation = Conversation(self.env.head, settings, names, lessons)
        self._again, self._refused = False, 0

    def play(self, recorded: Recorded, answer: Answer | None, keep: Callable[[Turn], None]) -> End:
        """Play on to the end: by recorded replies first, then by `answer`, whose turns are given to `keep`.

        Raises ModelError when a recorded turn does not fit, and whatever `answer` raises.
        """
        while not self.env.over:
            self._decide(recorded, answer, keep)
        self.learn(recorded, answer, keep)
        if recorded:
            raise ModelError(f"{recorded.where}: goes on behind the end of the game")
        return self._end()

    def _decide(self, recorded: Recorded, answer: Answer | None, keep: Callable[[Turn], None]) -> None:
        sent = self.conversation.ask(self._told(), self._again)
        if recorded or answer is None:
            found = recorded.next(sent)
            turn = self._step(found)
            if turn != found:
                raise ModelError(f"{recorded.where}: line {recorded.count + 1}: {_difference(found, turn)}")
        else:
            keep(self._step(answer(Asked(self.conversation.messages(), self._view()))))

    def _step(self, turn: Turn) -> Turn:
        """Play a reply. Returns the turn with what was played."""
        env, first, before = self.env, not self._again, (self.env.decisions, self.env.random_moves)
        begun = env.position.now
        self._text = env.step(self.conversation.answered(turn.reply))
        made = env.decisions - before[0] - (env.random_moves - before[1])
        self._again = env.decisions == before[0] and not env.over
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

    def learn(self, recorded: Recorded, answer: Answer | None, keep: Callable[[Turn], None]) -> None:
        """Ask what is to be remembered, where another game follows that shares it."""
        if self.job.number + 1 >= self.settings.learn:
            return
        sent = self.conversation.ask(f"{self.env.result_text()}\n\n{LESSON}", False)
        if recorded or answer is None:
            recorded.next(sent)
        else:
            keep(answer(Asked(self.conversation.messages())).model_copy(update={"lesson": True}))

    def _end(self) -> End:
        env = self.env
        lost = lost_reward(reward_of(env.game), env.game)
        return End(
            result="L" if env.forfeited else result_of(env.position, self.job.seat),
            reward=lost if env.forfeited else round(float(env.reward), 6),
            score=None if env.score is None else round(float(env.score), 6),
            decisions=env.decisions,
            invalid=env.invalid,
            random_moves=env.random_moves,
            forfeited=env.forfeited,
        )


def _difference(there: Turn, here: Turn) -> str:
    """What was played otherwise than the transcript says."""
    what = next(name for name in ("played", "first", "legal") if getattr(there, name) != getattr(here, name))
    return f"{what} is {getattr(there, what)!r}, played anew {getattr(here, what)!r}"
