"""What stands behind `core/game.py`: options, refusals, defaults, errors in a user's code, reserved seeds, Markdown."""

from __future__ import annotations

import linecache
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from theogony.envs.core.jit import is_rule, rule
from theogony.envs.core.memory import seat_zeros
from theogony.envs.core.packs import PRINTED, Draw, packs_named
from theogony.envs.core.record import HEADER, SEATS
from theogony.envs.core.rng import seed_bits
from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field, ValidationError, field_validator
from theogony.envs.core.untrusted.outside import check_depth, check_plain_text

if TYPE_CHECKING:
    from theogony.envs.core.game import Game, GameSpec, Parts

# ---- What an environment has from its first `reset` on: asked for before, it says so -----------------------------


class BeforeReset(RuntimeError, AttributeError):
    """There is no game yet. An AttributeError as well, so that `hasattr`, copies and pickles find no such attribute."""


class BegunByReset:
    """A class whose attributes `from_reset` are there once `_begun` was called.

    Until then an object is of a subclass of the same name, whose `__getattr__` explains. In the class itself that
    method would make every attribute slower: `last()` took 1.3 times as long.
    """

    from_reset: ClassVar[frozenset[str]] = frozenset()

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        return object.__new__(_not_begun(cls))

    def _begun(self) -> None:
        """From now on all attributes are there."""
        cls = type(self)
        if "__begun__" in cls.__dict__:
            self.__class__ = cls.__dict__["__begun__"]
            self.__dict__ = dict(self.__dict__)  # CPython specialises reads of a dictionary of the object's own


def _made_anew(cls: type[BegunByReset]) -> BegunByReset:
    return cls.__new__(cls)


@cache
def _not_begun(cls: type) -> type:
    """The subclass of objects that have not begun."""

    def __getattr__(self: Any, name: str) -> Any:
        if name in cls.from_reset:
            raise BeforeReset(f"call reset() before asking {cls.__name__} for {name.lstrip('_')!r}")
        if (own := getattr(cls, "__getattr__", None)) is not None:  # of a user's subclass
            return own(self, name)
        raise AttributeError(f"{cls.__name__!r} object has no attribute {name!r}")

    def __reduce_ex__(self: Any, protocol: Any) -> Any:
        return _made_anew, (cls,), self.__getstate__()

    names = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": cls.__doc__, "__begun__": cls}
    return type(cls)(cls.__name__, (cls,), {**names, "__getattr__": __getattr__, "__reduce_ex__": __reduce_ex__})


# ---- The reasons for the scores at the end, in words for people --------------------------------------------------


class Account(NamedTuple):
    """The end of a game for people: by what the seats are ranked, and what each of them has of it."""

    decided: str  # a sentence where points alone do not say who won, else ""
    counted: list[str]  # for each seat what counts, such as "38 points" or "6 achievements"
    rows: list[tuple[str, list[str]]]  # a reason, and what it brought each seat

    @classmethod
    def of_points(cls, points: list[Any], rows: list[tuple[str, list[Any]]], decided: str = "") -> Account:
        """Where points decide: reasons that brought nobody anything are left out, and the sum comes last."""
        told = [(label, list(map(str, cells))) for label, cells in [*rows, ("all", points)] if any(cells)]
        return cls(decided, [f"{number:g}" for number in points], told)


# ---- Where a mistake is, as `file:line: the source line: the reason` ---------------------------------------------

CORE = str(Path(__file__).parent)
PACKAGE, ENVS = (str(Path(__file__).parents[k]) + os.sep for k in (2, 1))
NO_FIELD = re.compile(r"'record' object has no attribute '(\w+)'")
IN_ALL_TABLES = ("players", "max_decisions", "scale")
OWN_PLACE = re.compile(r"\w+: (?P<file>[^:\n]+\.py):(?P<line>\d+): ")  # in a reason: kind of error, then a place


@dataclass(frozen=True, order=True)
class Mistake:
    """One mistake and its place."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        if (own := OWN_PLACE.match(self.reason)) and Path(own["file"]).is_file():  # said by the error itself
            return self.reason.replace(own[0], f"{_short(own['file'])}:{own['line']}: ", 1)
        source = linecache.getline(self.file, self.line).strip().removesuffix(":")
        return f"{_short(self.file)}:{self.line}: {source}: {self.reason}"


def place_of(error: BaseException) -> Mistake:
    """Where an exception came from: the last line on the way to it that is of a game or of the user's own, not of this
    package otherwise, of Python or of a library."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return Mistake(error.filename, error.lineno, f"{type(error).__name__}: {error.msg}")
    if while_compiling := _compiled_lines(error):
        return Mistake(*while_compiling[0], reason_of(error))
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not _of_others(frame.filename)]
    frame = (own or frames)[-1]
    return Mistake(frame.filename, frame.lineno or 0, reason_of(error))


def reason_of(error: BaseException) -> str:
    """The kind of an exception and what it says, in one line."""
    if isinstance(error, AttributeError) and (missing := NO_FIELD.match(str(error))):
        return _no_field(missing[1], getattr(error.obj, "dtype", None))
    text = _first_cause(str(error)) if _of_numba(error) else str(error)
    return f"{type(error).__name__}: {' '.join(text.split())}".removesuffix(": ")


def _no_field(name: str, dtype: Any) -> str:
    """What is said of a field that a record does not have; NumPy does not say of which record when it is written."""
    fields = [field for field in getattr(dtype, "names", None) or () if field not in IN_ALL_TABLES]
    record = "the tables have" if dtype is not None and "max_decisions" in dtype.names else "the record has"
    near = did_you_mean(name, fields) or (f"; {record} {', '.join(fields)}" if fields else "")
    return f"{record} no field {name!r}{near}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """What is added to a message about an unknown name, where a known one is much like it, in whatever case."""
    import difflib  # here, since only a message needs it, and a page starts sooner without

    by_folded = {one.casefold(): one for one in known}
    close = difflib.get_close_matches(name.casefold(), list(by_folded), 1)
    return f"; did you mean {by_folded[close[0]]!r}?" if close else ""


def has_own_place(error: BaseException) -> bool:
    """Whether an exception passed code of a game or of the user's own."""
    if isinstance(error, SyntaxError) or _compiled_lines(error):
        return True
    return any(not _of_others(frame.filename) for frame in traceback.extract_tb(error.__traceback__))


# Numba says what it could not compile first, after a line for every rule that it was in the middle of; then it says
# where, from the inside out.
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
COMPILED_LINE = re.compile(r"^During: .* at (\S.*) \((\d+)\)$", re.MULTILINE)


def _of_numba(error: BaseException) -> bool:
    return type(error).__module__.startswith("numba.")


def _first_cause(text: str) -> str:
    """What Numba says it could not compile, without the rules it was in the middle of and all that it tried."""
    lines = COLOURS.sub("", text).splitlines()
    told = [line for line in lines if line.strip() and not line.startswith("Failed in nopython mode pipeline")]
    ends = (k for k, line in enumerate(told) if line.startswith(("During: ", "There are ", "File ")))
    return " ".join(told[: max(next(ends, len(told)), 1)])


def _compiled_lines(error: BaseException) -> list[tuple[str, int]]:
    """The lines of a user's code that Numba could not compile, the innermost first."""
    if not _of_numba(error):
        return []
    found = COMPILED_LINE.findall(COLOURS.sub("", str(error)))
    return [(file, int(line)) for file, line in found if not _of_others(file)]


def _of_others(file: str) -> bool:
    """Whether a file is of this package, but for its games, of Python or of a library."""
    inside = file.removeprefix(ENVS) if file.startswith(ENVS) else ""
    if file.startswith(PACKAGE) and os.sep not in inside:
        return True
    return file.startswith((CORE, sys.prefix, sys.base_prefix, "<")) or "site-packages" in file


def _short(file: str) -> str:
    """A path as seen from the working directory, where it lies below it."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file


# ---- Options that every game has, and what is raised for options, components and specs that do not fit -----------

MOST_DECISIONS = 2**31 - 1  # `ply` counts them


class OptionError(ValueError):
    """An option of a game is unknown or has a value that the game does not take."""


class UnknownOption(OptionError, TypeError):
    """A game has no option of this name, its `option`. A TypeError too, as of a function without such an argument."""

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(message)
        self.option = option


class ComponentError(ValueError):
    """A component file (tiles, cards ...) does not fit the game."""


class SpecError(TypeError, ValueError):
    """A game is put together wrongly: says which field of its spec, and what was expected."""


class GameOptions(BaseModel):
    """Options that every game has. A game adds its own fields."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True, validate_default=True)

    players: int
    max_decisions: int = Field(
        default=0, ge=0, description="number of decisions after which a game is truncated; 0: never"
    )

    @field_validator("max_decisions")
    @classmethod
    def _counted_in_32_bits(cls, value: int) -> int:
        if value > MOST_DECISIONS:
            raise ValueError(f"at most {MOST_DECISIONS} was expected")
        return value


class PackOptions(GameOptions):
    """Options of a game that can draw components of its own (`generate`)."""

    components: str = Field(
        default=PRINTED,
        description="`printed`, or drawn: `random:SEED`, or `random:FIRST-LAST`, one of these for every game",
    )

    @field_validator("components")
    @classmethod
    def _named(cls, value: str) -> str:
        packs_named(value)
        return value


def checked_options(spec: GameSpec, options: dict[str, Any]) -> GameOptions:
    """Options as the model of a game. Raises OptionError naming the one that is unknown or wrong."""
    for name in options:
        if name not in spec.options.model_fields:
            known = ", ".join(spec.options.model_fields)
            near = did_you_mean(name, spec.options.model_fields)
            raise UnknownOption(f"{spec.name} has no option {name!r}; its options are {known}{near}", name)
    try:
        return spec.options(**options)
    except ValidationError as error:
        first = error.errors()[0]
        where, said = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
        option = f"option {where}={first['input']!r}: " if where else ""  # some say what does not go together
        raise OptionError(f"{spec.name}: {option}{said}") from None


# ---- What a spec is refused for: fields and parts that do not go together ----------------------------------------


def check_spec(spec: GameSpec, rules: tuple[str, ...]) -> None:
    """Raise SpecError for what can be seen before a game is configured. `rules` are fields that must be rules."""
    for name in rules:
        if not is_rule(getattr(spec, name)):
            raise SpecError(f"{spec.name}: {name} is no compiled rule: expected `@rule` above its `def`")
    if not isinstance(spec.players, tuple) or not all(isinstance(n, int) and 1 <= n <= SEATS for n in spec.players):
        raise SpecError(f"{spec.name}: players={spec.players!r}: expected a tuple of numbers from 1 to {SEATS}")
    if not spec.players or "players" not in spec.options.model_fields:
        raise SpecError(f"{spec.name}: expected a player count in `players`, and an option `players`")
    if not isinstance(spec.hidden, tuple):
        raise SpecError(f"{spec.name}: hidden={spec.hidden!r}: expected a tuple of field names")
    if not isinstance(spec.option_sets, tuple | list) or not all(isinstance(one, dict) for one in spec.option_sets):
        expected = 'expected a tuple of dicts of options, such as ({}, {"rounds": 1})'
        raise SpecError(f"{spec.name}: option_sets={spec.option_sets!r}: {expected}")
    if (spec.generate is None) != ("components" not in spec.options.model_fields):
        raise SpecError(f"{spec.name}: `generate` and options that are `PackOptions` go together: expected both")
    if not isinstance(spec.surprises, tuple) or not all(isinstance(kind, int) for kind in spec.surprises):
        raise SpecError(f"{spec.name}: surprises={spec.surprises!r}: expected a tuple of kinds of decision")
    if spec.decision_bound is None and not spec.options.model_fields["max_decisions"].default:
        expected = "expected `decision_bound`, or a default for the option `max_decisions`"
        raise SpecError(f"{spec.name}: nothing ends a game for certain: {expected}")


def check_parts(spec: GameSpec, parts: Parts) -> None:
    """Raise SpecError for a state record that is none, or that has no field which the spec names."""
    if not (parts.state.isalignedstruct and set(HEADER) <= set(parts.state.names or ())):
        raise SpecError(f"{spec.name}: expected a state record made by `record_dtype(*header(), ...)` of core.record")
    for name in spec.hidden:
        if name not in (parts.state.names or ()):
            raise SpecError(f"{spec.name}: hidden names {name!r}, which is no field of the state record")


# ---- Components that are not a game's printed ones: drawn from a seed, or given by somebody and checked first ----


def generated(spec: GameSpec, options: Any, seed: int) -> Any:
    """Components that the game draws: data like those of a stranger. Raises OptionError beside a component file."""
    assert spec.generate is not None
    for name, value in options.model_dump(exclude_defaults=True).items():
        if isinstance(value, Path):
            raise OptionError(f"{spec.name}: option components={options.components!r} leaves no place for {name}")
    return spec.generate(options, Draw(seed, spec.name))


def parts_from_outside(spec: GameSpec, options: Any, components: Any, where: str) -> tuple[Any, Parts]:
    """Component data that somebody gave, checked, and the parts made of them. Raises ComponentError."""
    if spec.check_components is None:
        if components != spec.components(options):
            raise ComponentError(f"{where}: {spec.name} takes no other components than its own")
        return components, spec.build(options, components)
    try:
        check_depth(components)
        data = spec.check_components(components, where)
        check_plain_text(data)
        return data, spec.build(options, data)
    except ComponentError:
        raise
    except (ValueError, ArithmeticError, LookupError, TypeError, RecursionError) as error:
        raise ComponentError(f"{where}: do not make a game of {spec.name}: {error}") from None


# ---- What a game has where it does not say otherwise -------------------------------------------------------------

NOT_GIVEN: Any = None  # a rule that follows from others


@rule
def nothing_hidden(g, t, seat, rng):
    """Of a game in which all is open but the dice to come."""


def value_of(score: Callable) -> Callable:
    """The value of a position where a game has none of its own: the score less the mean of the others' scores."""

    @rule
    def value(g, t, seat):
        scores = seat_zeros()
        score(g, t, scores)
        total = 0.0
        for other in range(g.players):
            total += scores[other]
        others = (total - scores[seat]) / max(np.int64(g.players) - 1, 1)
        return (scores[seat] - others) / t.scale

    return value


# ---- Arguments that belong to another way to play a game: each is refused in words that say where it belongs -----

OF_ONE_SEAT = (
    "has no meaning in an AEC environment, where the caller plays every seat: take theogony.player(), gymnasium.make "
    "or make_vec"
)
OF_MANY = "is an argument of theogony.make_vec and gymnasium.make_vec, which play many games in one call"
NOT_OF_ONE_GAME = {
    **dict.fromkeys(("opponents", "seat", "control", "illegal"), OF_ONE_SEAT),
    **dict.fromkeys(("num_envs", "threads"), OF_MANY),
    "seed": "is no argument of an environment: give it to reset(seed=...)",
}
DRAWN = "is for one game, and many games in one call are not drawn: envs.batch.position(row).svg() is a picture of one"
NOT_OF_MANY = {
    "illegal": "is an argument of gymnasium.make and gymnasium.make_vec: here choose by the masks, with MaskablePPO or "
    "theogony.sample_masks(masks, rng)",
    **dict.fromkeys(("render_mode", "render_seat"), DRAWN),
}


def check_elsewhere(spec: GameSpec, given: Mapping[str, Any], elsewhere: Mapping[str, str]) -> None:
    """Raise OptionError for an argument that belongs elsewhere: one of `NOT_OF_ONE_GAME` or `NOT_OF_MANY`."""
    for word, where in elsewhere.items():
        if word in given and word not in spec.options.model_fields:
            raise OptionError(f"{spec.name}: {word}= {where}")


def illegal_option(illegal: Any) -> str:
    """What an illegal action does. Raises ValueError for what is none of both."""
    if illegal not in ("raise", "random"):
        raise ValueError(f'illegal={illegal!r:.60} is not "raise" or "random"')
    return illegal


def check_reset_options(options: Any, game: Game) -> None:
    """Raise OptionError for whatever `reset(options=...)` names, and TypeError when it is no dict.

    PettingZoo's `api_test` gives `{"options": 1}` to see whether there is such an argument: that passes.
    """
    if options is None or (isinstance(options, dict) and options.keys() <= {"options"}):
        return
    if not isinstance(options, dict):
        raise TypeError(f"reset(options=...) takes a dict or None, not {type(options).__name__}")
    name = next(name for name in options if name != "options")
    known = ", ".join(game.spec.options.model_fields)
    raise OptionError(
        f"{game.spec.name}: reset(options=...) has no {name!r:.60}: it takes none. Options of the game ({known}) are "
        "given when the environment is made, as in theogony.make"
    )


# ---- Tables of the documentation, which games and `docs/generate.py` make of what the code says ------------------


def table(heads: list[str], rows: Iterable[Iterable[Any]]) -> str:
    """A Markdown table, a line a row, cells as their texts."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


# ---- Where a plan of one's own decisions ends, and how the others are passed over in it --------------------------

PLAN_ENDS, PASSED_OVER = -1, -2  # what `pass_over` returns besides an action


@rule
def one_stage(g, t, seat):
    """Of a game in which only `pass_over` says where a plan ends."""
    return 0


@rule
def never_pass_over(g, t, seat, mask):
    """Of a game in which a plan ends where somebody else decides."""
    return PLAN_ENDS


# ---- The seeds of the benchmark's deals: a published list that training never uses -------------------------------
#
# Deal k has the seed `FIRST + k`. The top 40 bits are the same in all of them, so the list is 2**24 seeds long. Games
# of batches, of self-play and of teachers begin from `mix(seed, ...)`, 64 bits that look random: one of them lies in
# the list with probability 2**-40, in ten million games of training therefore any does with probability 1e-5. Seeds
# that people write down are refused where they are read (`is_reserved`).

FIRST = 0xB0A2_D6A3_5E00_0000
COUNT = 1 << 24


def deal_seed(deal: int) -> int:
    """The seed of deal `deal`, 0 to COUNT - 1. Raises ValueError for another number."""
    if not 0 <= deal < COUNT:
        raise ValueError(f"deal {deal} is none of the benchmark: expected 0 to {COUNT - 1}")
    return FIRST + deal


def is_reserved(seed: Any) -> bool:
    """Whether a game from this seed is one of the benchmark's deals. Raises TypeError for what is no seed."""
    return FIRST <= seed_bits(seed) < FIRST + COUNT
