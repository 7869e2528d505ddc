"""The contract of a game: a `GameSpec` at module level, and a `Game`, which is a spec with its options in force."""

from __future__ import annotations

import hashlib
import json
import pickle
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from theogony.envs.core.actions import ActionCodec
from theogony.envs.core.contract import (
    MOST_DECISIONS,
    NOT_GIVEN,
    ComponentError,
    GameOptions,
    OptionError,
    PackOptions,
    SpecError,
    UnknownOption,
    check_parts,
    check_spec,
    checked_options,
    generated,
    never_pass_over,
    nothing_hidden,
    one_stage,
    parts_from_outside,
    value_of,
)
from theogony.envs.core.draw.places import no_places
from theogony.envs.core.draw.svg import text_picture
from theogony.envs.core.features import FeatureLayout
from theogony.envs.core.jit import apart
from theogony.envs.core.packs import PRINTED, Draw, pack_of, packs_named
from theogony.envs.core.registry import load
from theogony.envs.core.rewards import KINDS
from theogony.envs.core.rows import Rows, check_rows
from theogony.envs.core.thinking.scratch import Scratch, make_scratch
from theogony.envs.core.untrusted.outside import read_json
from theogony.envs.core.untrusted.ranges import Ranges
from theogony.envs.core.vocabulary import Vocabulary, plain_vocabulary, rules_text

if TYPE_CHECKING:
    from theogony.envs.core.position import Position

__all__ = [
    "MOST_DECISIONS", "REWARDS", "ComponentError", "Game", "GameOptions", "GameSpec", "OptionError", "PackOptions",
    "Parts", "SpecError", "UnknownOption", "configured", "nothing_hidden", "read_components",
]  # fmt: skip

REWARDS = ("outcome", "rank", "margin")
LARGE = ("setup", "legal", "apply", "observe", "score", "standing", "resample", "value")  # in many kernels each
PLANS = ("plan_stage", "pass_over")  # rules of plans


class Parts(NamedTuple):
    """What a spec builds from options and components."""

    state: np.dtype
    tables: np.ndarray
    features: FeatureLayout
    actions: ActionCodec


@dataclass(frozen=True, eq=False)
class GameSpec:
    """One game: its name, its options and its rules. Lives in a module as `SPEC`.

    The rules are `@rule` functions over one state record `g` and the read-only record `t` of tables:

    * `setup(g, t)` writes the starting position into a record of zeros, in which core has seeded `g.rng` and written
      `g.players`;
    * `legal(g, t, mask)` sets the legal entries of a zeroed int8 mask of the acting seat to 1;
    * `apply(g, t, action)` makes one decision and runs on to the next decision or the end (`over`, `actor`, `turn`
      and `decision` are the game's; `ply` and the cut-off are core's);
    * `observe(g, t, seat, f)` writes what that seat may know, as codes, into a zeroed features record;
    * `score(g, t, out)` writes the printed score of each seat into a float64 array;
    * `standing(g, t, out)` writes a number for each seat by which seats are ranked at the end, equal for a shared
      place (score and tie-breaks in one; in a cooperative game 1 for a win and 0 for a loss);
    * `resample(g, t, seat, rng)` replaces what the seat cannot know by a uniformly drawn one, a determinization;
      core has drawn `g.rng` anew;
    * `value(g, t, seat)` estimates the final reward of a seat, about -1 to 1, for greedy play and search cut-offs.
      The position is a scratch copy of a resampled one: it may be written on;
    * `plan_stage(g, t, seat)` is an integer that stays the same while a plan of a seat goes on, such as the round;
    * `pass_over(g, t, seat, mask)` is asked in a plan of `seat` while somebody else decides, whose legal actions `mask`
      holds: it returns the action that is taken for granted, `PASSED_OVER` when it has let the turn go by in `g`, or
      `PLAN_ENDS` (`core/contract.py`).
    """

    module: str  # where it lives, for pickling: "package.game" for its `SPEC`, or "package.game:OTHER"
    name: str
    title: str
    players: tuple[int, ...]
    options: type[GameOptions]
    build: Callable[[Any, Any], Parts]  # options, components -> parts; core writes the header of the tables
    setup: Callable
    legal: Callable
    apply: Callable
    observe: Callable
    score: Callable
    render_text: Callable[..., str]  # (game, g, seat or None) -> text
    render_svg: Callable[..., str] = text_picture  # the same as a picture
    places: Callable[..., Sequence[str]] = no_places  # (game, g, action) -> places of the picture where it is clicked
    # (game, g, action) -> for each piece that it moves: the place where it is, that where the action lays it, degrees
    # clockwise; "" for the first: the place would be empty
    lands: Callable[..., Sequence[tuple[str, str, int]]] | None = None
    # (game, kind, key) -> a card or another thing as a picture of its own, whole and readable, or None: `data-drawn`
    pieces: Callable[..., str | None] | None = None
    # (game, g before, action, g after, viewer) -> a decision in words, as far as a viewer knows it; without it they are
    # those of the vocabulary, for all
    move_text: Callable[..., str] | None = None
    # (game, g before, action, g after, viewer) -> what came of a decision, in sentences, as far as a viewer knows it
    story: Callable[..., list[str]] | None = None
    vocabulary: Callable[[Any], Vocabulary] = plain_vocabulary  # game -> what its pieces, actions and phases are called
    standing: Callable = NOT_GIVEN  # then seats are ranked by score
    resample: Callable = nothing_hidden
    plan_stage: Callable = one_stage
    pass_over: Callable = never_pass_over  # without it a plan ends where somebody else decides
    value: Callable = NOT_GIVEN  # then the score, less that of the others
    components: Callable[[Any], Any] = lambda options: {}  # options -> JSON-able component data, checked
    version: int = 0
    scale: float = 1.0  # the difference in points that is worth a `margin` reward of 1
    won_by: str = ""  # what wins most games where points do not, such as "achievements"
    breakdown: Callable[..., Any] | None = None  # (game, g) -> JSON-able reasons of the final scores
    room: float = 1.0  # how high usual pictures grow, by the height of a first one: that of `render_mode="rgb_array"`
    account: Callable[..., Any] | None = None  # (game, g) -> the `Account` of a finished game, for people
    cooperative: bool = False
    option_sets: tuple[dict[str, Any], ...] = ({},)  # what conformance plays besides every player count
    lookahead: int = 1  # how many decisions of its own in a row the greedy player looks ahead
    decision_bound: Callable[[Any], int] | None = None  # options -> a proven bound on decisions, where there is one
    # (data, where it comes from) -> checked component data; without it a game takes no components but its own.
    # Compiled rules do not check indices, so whatever passes must be safe to play with.
    check_components: Callable[[Any, str], Any] | None = None
    # (options, `Draw`) -> component data drawn anew, for the option `components` of `PackOptions`
    generate: Callable[[Any, Draw], Any] | None = None
    ranges: Callable[[Any], Ranges] | None = None  # game -> lowest and highest value of its state fields
    hidden: tuple[str, ...] = ()  # state fields in which there is something that some seat cannot know (`rng` aside)
    surprises: tuple[int, ...] = ()  # kinds of decision of which the rules do not tell beforehand what they bring
    invariant: Callable[..., str | None] | None = None  # (game, g) -> what is wrong, for conformance: pieces lost ...
    # game -> by kind of action, which entries of the observation each action is about
    action_rows: Callable[[Any], Mapping[str, Rows]] | None = None
    own_limit: Callable[[Any, Any], bool] | None = None  # (game, g) -> whether a limit of the game's own truncated it
    # rule (g, t, seat) -> in [-1, 1], what the seat's own points will be worth; pays reward="points" at the end
    outlook: Callable | None = None
    par: float | None = None  # points for which reward="points" pays nothing; beyond them `scale` points pay 1
    progress: Callable | None = None  # rule (g, t) -> [0, 1], 1 for a win: pays reward="progress" in a cooperative game
    from_json: Callable[..., Any] | None = None  # (game, JSON data) -> a `Position`, for positions from outside
    to_json: Callable[..., Any] | None = None  # (game, g) -> JSON data

    def __post_init__(self) -> None:
        """Raise SpecError for what can be seen before the game is configured."""
        if self.standing is NOT_GIVEN:
            object.__setattr__(self, "standing", self.score)
        if self.value is NOT_GIVEN:
            object.__setattr__(self, "value", value_of(self.score))
        check_spec(self, (*LARGE, *PLANS))
        for function in (*(getattr(self, name) for name in LARGE), *([self.outlook] if self.outlook else [])):
            apart(function)

    def configure(
        self, options: dict[str, Any] | GameOptions | None = None, components: Any = None, where: str = "components"
    ) -> Game:
        """A game with these options in force. Raises OptionError or ComponentError.

        `components` may come from a stranger: they are checked before rules see them. `where` they come from is said
        in messages. They go by what the check made of them.
        """
        checked: Any = options if isinstance(options, self.options) else self.check_options(dict(options or {}))
        if checked.players not in self.players:
            raise OptionError(f"{self.name} is for {_list(self.players)} players, not {checked.players}")
        if components is None and _lasts(checked):
            game, pieces = _kept(self, checked)
            return replace(game, options=checked, components=pickle.loads(pieces))
        return self._made(checked, components, where)

    def _made(self, checked: Any, components: Any, where: str) -> Game:
        """The game with checked options, from the component data on."""
        packs = packs_named(getattr(checked, "components", PRINTED))
        if len(packs) > 1:
            return self._with_packs(checked, packs, components, where)
        if components is None and packs:
            components, where = generated(self, checked, packs[0]), f"components {checked.components}"
        if components is None:
            data = self.components(checked)
            parts = self.build(checked, data)
        else:
            data, parts = parts_from_outside(self, checked, components, where)
        check_parts(self, parts)
        t: Any = parts.tables[0]
        t.players, t.max_decisions, t.scale = checked.players, checked.max_decisions, t.scale or self.scale
        parts.tables.flags.writeable = False
        return Game(self, checked, data, *parts)

    def _with_packs(self, options: Any, seeds: Sequence[int], components: Any, where: str) -> Game:
        """A game with several packs, which must be alike in everything that kernels are compiled for."""
        named = {"packs": options.components}
        if components not in (None, named):
            raise ComponentError(f"{where}: {options.components!r} draws its own: none were expected")
        given = options.model_dump()
        packs = tuple(self.configure({**given, "components": f"random:{seed}"}) for seed in seeds)
        first = packs[0]
        for pack in packs:
            if pack.layout() != first.layout():
                names = f"{first.options.components} and {pack.options.components}"
                raise ComponentError(f"{self.name}: {names} differ in their layouts, and cannot be in one game")
        tables = np.concatenate([pack.tables.view(np.uint8) for pack in packs]).view(first.tables.dtype)
        tables.flags.writeable = False
        return Game(self, options, named, first.state, tables, first.features, first.actions, packs)

    @property
    def rewards(self) -> tuple[str, ...]:
        """The kinds of reward that this game pays."""
        more = {"progress": self.progress is not None, "points": self.par is not None or self.outlook is not None}
        return (*REWARDS, *(kind for kind, pays in more.items() if pays))

    def reward_index(self, kind: str) -> int:
        """The index of a kind of reward in `KINDS`. Raises OptionError when the game does not pay it."""
        if kind not in self.rewards:
            raise OptionError(f"{self.name}: reward={kind!r} is not one of {', '.join(self.rewards)}")
        return KINDS.index(kind)

    def check_options(self, options: dict[str, Any]) -> GameOptions:
        """The options as the game's model. Raises OptionError naming the one that is unknown or wrong."""
        return checked_options(self, options)


@dataclass(frozen=True, eq=False)
class Game:
    """A spec with its options in force. Immutable: deepcopy returns itself, pickle sends the options and components.

    Where the option `components` names several packs, `packs` has a game of each, and `tables` a row. Every position
    then is of one of them, see `dealt`.
    """

    spec: GameSpec
    options: Any
    components: Any
    state: np.dtype
    tables: np.ndarray
    features: FeatureLayout
    actions: ActionCodec
    packs: tuple[Game, ...] = ()
    shipped: str = ""  # the digest of its components, where they come with the game: pickles hold it in their place

    @property
    def players(self) -> int:
        """Seats at the table."""
        return self.options.players

    @property
    def usual_reward(self) -> str:
        """The kind of reward where none is asked for."""
        return "outcome" if self.players <= 2 else "rank"

    @property
    def learning_reward(self) -> str:
        """The kind of reward from which beginners learn soonest: the own points tell more than won or lost, and so does
        how far a team came; but where points do not win, only winning counts."""
        if self.spec.cooperative:
            return "progress" if self.spec.progress else "outcome"
        if self.spec.won_by:
            return self.usual_reward
        return "points" if "points" in self.spec.rewards else "margin"

    def reward_of(self, kind: str | None) -> str:
        """The kind of reward that is asked for, or the usual one. Warns of "margin" where points do not win.

        Raises OptionError when the game does not pay it.
        """
        self.spec.reward_index(kind or self.usual_reward)
        if kind == "margin" and self.spec.won_by:
            warnings.warn(
                f'{self.spec.name}: reward="margin" pays the lead in points, and games are won by {self.spec.won_by}: '
                f"reward={self.usual_reward!r} pays for winning",
                stacklevel=3,
            )
        return kind or self.usual_reward

    @property
    def t(self) -> Any:
        """The tables record that every rule gets."""
        return self.tables[0]

    def dealt(self, seed: int) -> Game:
        """The game that is played from this seed: itself, or that of one of its packs."""
        return self.packs[int(pack_of(np.uint64(seed), len(self.packs)))] if self.packs else self

    @property
    def drawn(self) -> bool:
        """Whether its components are drawn, and not printed ones or those of a file."""
        return getattr(self.options, "components", PRINTED) != PRINTED

    def layout(self) -> tuple[Any, ...]:
        """All that kernels are compiled for and networks made for: games with equal ones can be played together."""
        f = self.features
        bounds = tuple(array.tobytes() for array in (f.zeros, f.scales, f.highest))
        return self.state, self.tables.dtype, f.dtype, bounds, self.actions.size

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What pieces, actions and phases of this game are called, and what they do; of several packs, the first's."""
        if self.packs:
            return self.packs[0].vocabulary
        return self.spec.vocabulary(self).with_rulings(rules_text(self.spec.module, self.options))

    @cached_property
    def action_rows(self) -> Mapping[str, Rows]:
        """By kind of action, which entries of the observation each action is about; kinds without rows are left out.

        Raises SpecError when they do not fit the game.
        """
        if self.spec.action_rows is None:
            return {}
        try:
            rows = self.spec.action_rows(self)
            check_rows(rows, self.features, self.actions)
        except ValueError as error:
            raise SpecError(f"{self.spec.name}: {error}") from None
        return rows

    @cached_property
    def component_digest(self) -> str:
        """SHA-256 of the component data, 16 hexadecimal digits; of several packs, that of their digests."""
        if self.packs:
            return hashlib.sha256("".join(pack.component_digest for pack in self.packs).encode()).hexdigest()[:16]
        text = json.dumps(self.components, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def new_states(self, count: int) -> np.ndarray:
        """`count` zeroed state records."""
        return np.zeros(count * self.state.itemsize, np.uint8).view(self.state)

    def scratch(self, times: int = 1) -> Scratch:
        """What a greedy player in the kernel thinks in, so many times: `lookahead + 1` rows of each."""
        return make_scratch(self, times * (self.spec.lookahead + 1))

    def position_from_json(self, data: Any) -> Position:
        """A position to play on from, in the game's own JSON form. Raises ValueError when it is impossible."""
        if self.spec.from_json is None:
            raise ValueError(f"{self.spec.name} has no form for positions in JSON")
        return self.spec.from_json(self, data)

    def to_json(self, g: Any) -> Any:
        """A position (its record) in the game's own JSON form. Raises ValueError when the game has none."""
        if self.spec.to_json is None:
            raise ValueError(f"{self.spec.name} has no form for positions in JSON")
        return self.spec.to_json(self, g)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.spec.module, self.options.model_dump(), self.shipped or self.components)

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def __copy__(self) -> Game:
        return self

    def __repr__(self) -> str:
        options = ", ".join(f"{k}={v!r}" for k, v in self.options.model_dump(exclude_defaults=True).items())
        return f"<{self.spec.title}{' ' * bool(options)}{options}>"


@lru_cache(64)
def _kept(spec: GameSpec, options: Any) -> tuple[Game, bytes]:
    """The game with these options, made once, since to check and lay out the pieces takes long; and its component data
    as a pickle, of which everybody gets a copy to change."""
    game = spec._made(options, None, "components")
    return replace(game, shipped=game.component_digest), pickle.dumps(game.components)


def _lasts(options: Any) -> bool:
    """Tell whether equal options always make the same game: none names a file of the user's own, which may change."""
    fields = type(options).model_fields.items()
    if any(isinstance(own := getattr(options, name), Path) and own != field.default for name, field in fields):
        return False
    try:
        hash(options)
    except TypeError:  # a list or a dictionary among the options of a user's game
        return False
    return True


def _rebuild(module: str, options: dict[str, Any], pieces: Any) -> Game:
    """The game of a pickle; `pieces` are its components, or the digest of those that come with it.

    Raises ComponentError where others come with it here.
    """
    spec = load(module if ":" in module else f"{module}:SPEC")
    if not isinstance(pieces, str):
        return spec.configure(options, pieces)
    game = spec.configure(options)
    if game.component_digest != pieces:
        raise ComponentError(f"{spec.name}: pickled with other components than those that are installed")
    return game


def read_components(path: str | Path) -> Any:
    """A JSON component file. Raises ComponentError naming the file when it is missing or no JSON."""
    return read_json(path, str(path), ComponentError)


def configured(game: Any) -> Game:
    """The game itself. Raises TypeError for what has no options in force yet, a spec or a name, or is none."""
    if isinstance(game, Game):
        return game
    name = game.name if isinstance(game, GameSpec) else game if isinstance(game, str) else "orbis"
    given = f"the spec of {name}" if isinstance(game, GameSpec) else f"{game!r:.60}"
    raise TypeError(f"expected a game with its options in force, load({name!r:.60}).configure({{...}}), not {given}")


def _list(numbers: tuple[int, ...]) -> str:
    if len(numbers) == 1:
        return str(numbers[0])
    return f"{', '.join(map(str, numbers[:-1]))} or {numbers[-1]}"
