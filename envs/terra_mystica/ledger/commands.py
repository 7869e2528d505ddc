"""The commands of a ledger: from a line's text to words, old spellings included."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.game import Game
from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.actions import CODEC
from theogony.envs.terra_mystica.components import BONUS, COLOURS, CULTS, FACTIONS, SCORING
from theogony.envs.terra_mystica.rules.legal import clear_offers
from theogony.envs.terra_mystica.rules.rounds import clear_turn
from theogony.envs.terra_mystica.state import FREE, NOT_IN_GAME

GOODS = {
    "c": "C", "coin": "C", "coins": "C", "w": "W", "worker": "W", "workers": "W", "p": "P", "priest": "P",
    "priests": "P", "pw": "PW", "power": "PW", "vp": "VP",
}  # fmt: skip
KINDS = {
    "trading post": "TP", "trading house": "TP", "temple": "TE", "stronghold": "SH", "sanctuary": "SA",
}  # fmt: skip
TERRAINS = dict(
    zip(("desert", "plains", "swamp", "lakes", "forest", "mountains", "wasteland"), COLOURS, strict=True)
) | {"lake": "blue", "mountain": "gray", "grey": "gray"}
SHOWN = 60  # characters of a stranger's text in a message


def shown(text: object) -> str:
    """Text of a stranger as it may stand in a message: one line, short, without control characters."""
    plain = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text)[: SHOWN + 1])
    return plain if len(plain) <= SHOWN else plain[: SHOWN - 3] + "..."


class LedgerError(ValueError):
    """A row of a ledger cannot be read or played. `line` is its number, where there is one."""

    def __init__(self, reason: str, line: int | None = None, text: str = "") -> None:
        where = "" if line is None else f"line {line}: "
        super().__init__(f"{where}{shown(text) + ': ' if text else ''}{reason}")
        self.reason, self.line, self.text = reason, line, text


@dataclass
class Command:
    """One command: `name` and its words, and the text it was read from."""

    name: str
    words: dict[str, Any] = field(default_factory=dict)
    text: str = ""

    def __getattr__(self, word: str) -> Any:
        try:
            return self.__dict__["words"][word]
        except KeyError:
            raise AttributeError(f"command {self.__dict__.get('text')!r} has no {word!r}") from None


SPACE = r"[a-i]\d{1,2}"
GOOD = "|".join(sorted(GOODS, key=len, reverse=True))
# How the words of a command are written. `<space>` in a pattern is such a word, `<number:[1-3]>` one that is narrower.
WORDS = {
    "space": SPACE, "first": SPACE, "second": SPACE, "spaces": f"{SPACE}(?::{SPACE}){{1,2}}", "river": r"r\d{1,2}",
    "number": r"\d{1,3}", "given": r"\d{1,3}", "taken": r"\d{1,3}", "give": GOOD, "take": GOOD,
    "colour": "[a-z]+", "source": "[a-z]+", "faction": "[a-z]+", "cult": "fire|water|earth|air",
    "kind": "|".join(["tp", "te", "sh", "sa", *KINDS]), "what": r"act[1-6a-z]|bon\d{1,2}|fav\d{1,2}",
    "card": r"bon\d{1,2}", "tiles": r"score\d{1,2}(?:,score\d{1,2})*",
    "gift": "spade|free_d|free_tf|free_tp|bridge|cult|gain_favor|gain_tw|convert_w_to_p",
}  # fmt: skip
# Name of a command, how it is written (for messages), and its pattern. The first that fits is taken.
TABLE = r"""
build              build H                          build <space>
dig                dig n                            dig <number>
transform          transform H [to colour]          transform <space>(?: to <colour>)?
upgrade            upgrade H to TP|TE|SH|SA         upgrade <space> to <kind>
action             action ACTn|BONn|FAVn            action <what>
bridge             bridge H:H                       bridge <first>:<second>
send               send p to CULT [for n]           send (?:p|priest) to <cult:[a-z]+>(?: (?:for )?<number:[1-3]>)?
advance            advance ship|dig                 advance <track:ship|dig>(?:ping|ging)?
pass               pass [BONn]                      (?:pass(?: |$)|\+)<card>?
burn               burn n                           burn <number>
convert            convert [n]X to [n]Y with X, Y of C, W, P, PW, VP   convert <given>? ?<give> to <taken>? ?<take>
leech              leech n [from F]                 leech <number>(?: from <source>)?
decline            decline [n] [from F]             decline(?: <number>)?(?: from <source>)?
favor              +FAVn                            \+<tile:fav\d{1,2}>
town               +[n]TWn                          \+<number:\d>?<tile:tw\d{1,2}>
cult               +[n]CULT                         \+<number:\d>?<cult>
not cult           -CULT                            -<number:1>?<cult>
give up            -[n]SPADE|FREE_D|FREE_TF|FREE_TP|BRIDGE|CULT|GAIN_FAVOR|GAIN_TW|CONVERT_W_TO_P   -<number>? ?<gift>s?
lose               -[n]C|W|P|PW                     -<number>? ?<give:coins?|workers?|priests?|power|pw|c|w|p>
engineers' bridge  convert 2W to BRIDGE             convert 2 ?w to 1?bridge
connect river      connect rN                       connect <river>
connect            connect H:H[:H]                  connect <spaces>
wait               wait                             wait
done               done                             done
automatic          income   (?:cult_|other_|all_)?income_for_faction|income|start|finish|setup|score_resources
automatic          [remark]                         \[[a-z ]+\]|\+\d{1,3}vp for [\w -]+
option             option NAME                      option <option:[a-z0-9/_-]+>
score              score SCOREn,... (six)           score <tiles>
delete             delete BONn                      delete <card>
setup              setup FACTION                    setup <faction>(?: for \S+)?(?: email \S+)?
table              player NAME                      player \S.*|player-count \d+|order \S+|map original|admin email .*
"""


def _pattern(text: str) -> re.Pattern[str]:
    """A pattern of the table with its words written out, each a group of its name."""
    plain = re.sub(r"<(\w+)(?::(.+?))?>", lambda m: f"(?P<{m[1]}>{m[2] or WORDS[m[1]]})", text)
    return re.compile(plain, re.ASCII)


ROWS = [re.split(" {2,}", row) for row in TABLE.strip().split("\n")]
FORMS = [(name, form, _pattern(text)) for name, form, text in ROWS]
FOREIGN = {  # commands that are understood and cannot be followed, and what to do
    "randomize": "tiles drawn by another program are not known here: write `score` and `delete` instead",
    "drop-faction": "a game that a player leaves cannot be played on",
    "resign": "a game that a player leaves cannot be played on",
    "map": "only the original map is known",
}


def read_command(text: str) -> Command:
    """A command from its text; case and white space do not matter. Raises LedgerError when it is none."""
    plain = re.sub(r"(?<=[:+,-]) | (?=[:,])", "", " ".join(text.lower().split()))
    for name, _, pattern in FORMS:
        if match := pattern.fullmatch(plain):
            words = {key: _word(key, value, text) for key, value in match.groupdict().items()}
            return Command(name, words, shown(" ".join(text.split())))
    raise LedgerError(_expected(plain), text=text.strip())


def _expected(plain: str) -> str:
    """What a text that is no command should have been."""
    first = plain.split(" ")[0]
    if first in FOREIGN:
        return FOREIGN[first]
    forms = [
        form for _, form, _ in FORMS if form.split(" ")[0] == first or (first[:1] in "+-" and form[0] == first[:1])
    ]
    if forms and first:
        return f"expected {' or '.join(f'`{form}`' for form in forms)}"
    known = dict.fromkeys(form.split(" ")[0] for _, form, _ in FORMS)
    return f"{shown(first)!r} is not a command of the ledger; known are {', '.join(known)}"


READ: dict[str, Callable[[str], Any]] = {  # how a word is read; others are taken as they are
    **dict.fromkeys(("number", "given", "taken"), int),
    **dict.fromkeys(("space", "first", "second", "spaces", "card", "tile", "tiles", "what", "cult"), str.upper),
    **dict.fromkeys(("give", "take"), GOODS.__getitem__),
    "kind": lambda word: KINDS.get(word, word.upper()),
    "colour": lambda word: TERRAINS.get(word, word),
}
ONE_OF = {"colour": ("colour", COLOURS), "cult": ("cult", CULTS)}
ONE_OF |= {word: ("faction", FACTIONS) for word in ("source", "faction")}


def _word(key: str, value: str | None, text: str) -> Any:
    """The value of one word of a command; None where it is left out. Raises LedgerError for a name of nothing."""
    if not value:
        return None
    found = READ.get(key, str)(value)
    what, names = ONE_OF.get(key, ("", (found,)))
    if found not in names:
        raise LedgerError(f"{shown(found)!r} is no {what}; known are {', '.join(names)}", text=text.strip())
    return found


# Two commands in a row that people write in this order and mean in the other.
SWAPPED = {("pass", "convert"), ("pass", "burn"), ("dig", "action"), ("build", "transform")}


def in_order(commands: list[Command]) -> list[Command]:
    """A row's commands in the order they are meant: answers first, old orders swapped, equal steps added up."""
    answers = [c for c in commands if c.name in ("leech", "decline")]
    others: list[Command] = []
    for command in commands:
        last = others[-1] if others else None
        if command.name in ("leech", "decline"):
            continue
        if last is not None and (last.name, command.name) in SWAPPED:
            others.insert(-1, command)
        elif last is not None and last.name == command.name == "cult" and last.cult == command.cult:
            steps = {"number": (last.number or 1) + (command.number or 1), "cult": last.cult}
            others[-1] = Command("cult", steps, f"{last.text}. {command.text}")
        elif last is not None and last.name == command.name == "pass" and last.card is None:
            others[-1] = command  # `pass. +BONn`
        else:
            others.append(command)
    return answers + others


# ---- A game that is played from written rows: its decisions, and how a moment of it is kept and taken up again ----

# What a turn is in the middle of: set aside while somebody else answers.
TURN_FIELDS = (
    "actor", "turn", "decision", "turns_left", "spades", "spade_use", "target", "first", "tunnelled", "sites",
    "free_dwelling", "free_house", "favors_due", "towns_due", "steps_due", "bridge_due", "priests_due", "stopped",
    "connecting", "brought", "turned", "key_choice", "offer_seat", "offer_power", "offer_count", "offer_next",
    "offer_taken", "offer_declined",
)  # fmt: skip
Turn = dict[str, np.ndarray]  # the values of these fields
Listener = Callable[[Position, int], Any]  # hears of a decision before it is made; what it returns is kept in `notes`


@dataclass
class Moment:
    """A game as it stood: its record, the number of decisions and notes, and everything else that is kept."""

    now: int
    record: np.ndarray
    notes: int
    books: dict[str, Any]


class WrittenGame:
    """A game in play. `position` is where it stands; `notes` is what the listener said of each decision."""

    books: tuple[str, ...] = ("held",)  # attributes that belong to a moment of the game

    def __init__(self, game: Game, listener: Listener | None = None) -> None:
        self.game = game
        self.position = Position(game, 0)
        self.listener = listener
        self.notes: list[Any] = []
        self.held = False  # a round waits for what is still open

    def arrange(self, scoring: list[str], removed: list[str], factions: list[str]) -> None:
        """Lay out the recorded tiles and cards, and let the seats take their factions. Raises LedgerError."""
        g = self.position.g
        if len(scoring) != 6 or len(set(scoring)) != 6:
            raise LedgerError(f"six different scoring tiles are needed, not {shown(', '.join(scoring)) or 'none'}")
        if len(factions) != g.players:
            raise LedgerError(f"{len(factions)} factions for {g.players} players")
        pool = BONUS if self.game.options.ship_card else BONUS[:-1]
        cards = [name for name in pool if name not in removed]
        if len(cards) != g.players + 3:
            raise LedgerError(f"{len(cards)} bonus cards are left in the game, expected {g.players + 3}")
        g.scoring[:] = [_index(SCORING, name, "scoring tile") for name in scoring]
        g.card_place[:] = [FREE if name in cards else NOT_IN_GAME for name in BONUS]
        self.position.refresh()
        for faction in factions:
            self.play(CODEC.encode("setup", faction))

    def seat_of(self, faction: str) -> int:
        """The seat of a faction. Raises LedgerError when it is not in the game."""
        g = self.position.g
        for seat in range(int(g.players)):
            if FACTIONS[g.faction[seat]] == faction:
                return seat
        raise LedgerError(f"{shown(faction)} is not in this game")

    # ------------------------------------------------------------------------------------------------ decisions

    def play(self, action: int) -> None:
        """One decision of the seat that is due. Raises LedgerError with what is legal."""
        self._note(action)
        try:
            self.position.play(action)
        except IllegalAction as error:
            raise LedgerError(str(error)) from None

    def _note(self, action: int) -> None:
        if self.listener is not None and self.position.mask[0, action]:
            self.notes.append(self.listener(self.position, action))

    def legal(self, action: int) -> bool:
        """Whether the seat that is due may do this."""
        return bool(self.position.mask[0, action])

    def mine(self, seat: int, decision: int) -> bool:
        """Whether a seat is due with this kind of decision."""
        g = self.position.g
        return not self.held and g.actor == seat and g.decision == decision and not g.over

    def refresh(self) -> None:
        """Observation and mask of the seat that is due, unless a round waits for answers."""
        if not self.held:
            self.position.refresh()

    # ------------------------------------------------------------------------------------------------ out of turn

    @contextmanager
    def another_turn(self) -> Iterator[Any]:
        """Set the running turn aside; the block finds an empty one, and the turn is taken up again afterwards."""
        g = self.position.g
        before = self.turn_fields()
        clear_turn(g)
        clear_offers(g)
        g.favors_due = g.towns_due = g.bridge_due = g.steps_due = 0
        try:
            yield g
        finally:
            self.take_up(before)
            self.refresh()

    def turn_fields(self) -> Turn:
        """A copy of what the running turn is in the middle of."""
        return {name: np.copy(self.position.g[name]) for name in TURN_FIELDS}

    def take_up(self, turn: Turn) -> None:
        """Go on with a turn that was set aside."""
        g = self.position.g
        for name, value in turn.items():
            g[name] = value

    def decide(self, action: int, effect: Callable[[Any, Any], Any]) -> None:
        """A decision in a turn of its own: checked, heard, and done without running on. Raises LedgerError."""
        self.position.refresh()
        if not self.legal(action):
            raise LedgerError(str(self.position.illegal(action)))
        self._note(action)
        effect(self.position.g, self.game.tables[0])

    # ------------------------------------------------------------------------------------------------ moments

    def save(self) -> Moment:
        """The game as it stands, to come back to."""
        books = {name: copy.deepcopy(getattr(self, name)) for name in self.books}
        return Moment(self.position.now, self.position.states[self.position.now].copy(), len(self.notes), books)

    def load(self, moment: Moment) -> None:
        """Come back to a moment of this game."""
        position = self.position
        position.now = moment.now
        del position.actions[moment.now :], self.notes[moment.notes :]
        position.states[moment.now] = moment.record
        for name, value in moment.books.items():
            setattr(self, name, copy.deepcopy(value))
        self.refresh()


def _index(names: tuple[str, ...], name: str, what: str) -> int:
    if name not in names:
        raise LedgerError(f"there is no {what} {name}")
    return names.index(name)
