"""Mistakes that can be read in the text of rules, said as `file:line: the source line: the reason`.

What is read: fields of the records `g`, `t` and `f`, names that nothing defines, the number of arguments of calls of
other rules, calls of functions that are no rules, Python objects that rules cannot or should not make, random numbers
that do not come from `g.rng`, rules that return a value on some ways through them only or never though one is taken,
whether any rule sets `g.turn` and `g.over`, whether there is a `resample` that names every field that is hidden, and
whether `observe` writes every feature.
"""

from __future__ import annotations

import _thread
import ast
import builtins
import inspect
import itertools
import signal
import textwrap
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import CodeType
from typing import Any

import numpy as np

from theogony.envs.core.compile.digest import references
from theogony.envs.core.conformance import hidden, positions
from theogony.envs.core.conformance.base import OfPositions, at, player_counts
from theogony.envs.core.conformance.processes import in_fresh_interpreter
from theogony.envs.core.contract import CORE, Mistake, did_you_mean, has_own_place, place_of
from theogony.envs.core.game import Game, GameSpec, OptionError, nothing_hidden
from theogony.envs.core.jit import is_rule
from theogony.envs.core.plain import GENERATED
from theogony.envs.core.position import Position
from theogony.envs.core.record import ENDED, RUNNING

RULES = (
    "setup", "legal", "apply", "observe", "score", "standing", "resample", "value", "outlook", "progress",
    "plan_stage", "pass_over",
)  # fmt: skip

LOOP = "loop over the record instead, and keep what must be kept in a field of it"
ARRAY = "look numbers up in an array, of the tables or of the module"
OUTSIDE = "chance from outside of the record: draw from g.rng with theogony.envs.core.rng"
OBJECTS: dict[type[ast.AST], str] = {  # what rules make no use of, and what to do instead
    **dict.fromkeys((ast.List, ast.ListComp), f"a list in a rule: {LOOP}"),
    **dict.fromkeys((ast.Set, ast.SetComp), f"a set in a rule: {LOOP}"),
    **dict.fromkeys((ast.Dict, ast.DictComp), f"a dict in a rule: {ARRAY}"),
    ast.GeneratorExp: f"a generator in a rule: {LOOP}",
    ast.JoinedStr: "text in a rule: rules know numbers only; write texts in render_text or story",
    ast.Lambda: "a lambda in a rule: write a rule of its own",
    ast.Try: "try in a rule: rules raise and catch nothing; ask beforehand",
    ast.With: "with in a rule: rules change the record and nothing else",
}
MUST_BE_SET = {"turn": "the seat whose turn it is", "over": "g.over = ENDED where the game ends"}


def mistakes_in(spec: GameSpec) -> list[Mistake]:
    """Mistakes in the rules of a game, in the order of files and lines, each once; empty when none was found."""
    game = spec.configure({"players": spec.players[-1]})
    records = {"g": game.state, "t": game.tables.dtype, "f": game.features.dtype}
    found: set[Mistake] = set()
    for function in rules_of(spec):
        found.update(_Reader(function, records).mistakes())
    first = {(mistake.file, mistake.reason): mistake for mistake in sorted(found, reverse=True)}
    more = itertools.chain(_never_set(spec), _hidden_but_kept(spec), _features_never_written(spec, game))
    return sorted(first.values()) or list(itertools.islice(more, 1))


def rules_of(spec: GameSpec, names: Sequence[str] = RULES) -> list[Callable[..., Any]]:
    """The plain functions of all rules that a game, or those of its rules that are named, reaches; core's left out."""
    waiting = [getattr(spec, name) for name in names if getattr(spec, name, None) is not None]
    found: dict[CodeType, Callable[..., Any]] = {}
    while waiting:
        function = plain(waiting.pop())
        if not inspect.isfunction(function) or function.__code__ in found or _of_core(function):
            continue
        found[function.__code__] = function
        waiting += [value for _, value in references(function) if callable(value)]
    return list(found.values())


def plain(function: Any) -> Any:
    """A rule as the plain function that it was made of."""
    return getattr(function, "py_func", function)


def _of_core(function: Callable[..., Any]) -> bool:
    file = function.__code__.co_filename
    if file.startswith(GENERATED):
        return False
    return file.startswith((CORE, "<")) or not function.__module__ or "site-packages" in file


class _Reader:
    """The mistakes in one rule."""

    def __init__(self, function: Callable[..., Any], records: dict[str, np.dtype]) -> None:
        self.function = function
        self.tree: Any = _tree(function)
        self.statements = {node.value for node in ast.walk(self.tree) if isinstance(node, ast.Expr)}
        arguments = set(inspect.signature(function).parameters)
        self.records = {name: dtype for name, dtype in records.items() if name in arguments}
        self.named = dict(references(function))

    def mistakes(self) -> Iterator[Mistake]:
        nodes: Iterator[Any] = ast.walk(self.tree)
        for node in nodes:
            for reason in (*self._field(node), *self._call(node), *self._name(node), *self._object(node)):
                yield _mistake(self.function, node, reason)
            yield from self._nothing(node)
        yield from self._returns()

    def _field(self, node: Any) -> Iterator[str]:
        """A field that the record does not have."""
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in self.records):
            return
        name, dtype = node.value.id, self.records[node.value.id]
        if node.attr not in (dtype.names or ()):
            yield f"{name} has no field {node.attr!r}{did_you_mean(node.attr, dtype.names or ())}"

    def _name(self, node: Any) -> Iterator[str]:
        """A name that nothing defines."""
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
            return
        code, name = self.function.__code__, node.id
        known = {*code.co_varnames, *code.co_freevars, *code.co_cellvars}
        if name in known or name in self.function.__globals__ or hasattr(builtins, name):
            return
        if not any(isinstance(inner, ast.comprehension) for inner in ast.walk(self.tree)):
            yield f"{name} is not defined{did_you_mean(name, [*known, *self.function.__globals__])}"

    def _object(self, node: Any) -> Iterator[str]:
        """A Python object that a rule makes, or chance that does not come from the record."""
        if type(node) in OBJECTS and not (isinstance(node, ast.List) and not isinstance(node.ctx, ast.Load)):
            yield OBJECTS[type(node)]
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("np.random", "numpy.random"):
            yield OUTSIDE
        if isinstance(node, ast.Name):
            owner = getattr(self.named.get(node.id), "__self__", None)  # of a function of NumPy, which draws by itself
            if type(owner).__module__.startswith("numpy.random"):
                yield OUTSIDE
        sides = (node.left, *node.comparators) if isinstance(node, ast.Compare) else ()
        if any(isinstance(side, ast.Constant) and isinstance(side.value, str) for side in sides):
            yield "a comparison with a text: rules know numbers only; an action is its id, CODEC.first[kind] the first"

    def _call(self, node: Any) -> Iterator[str]:
        """A call of a function that is no rule, or of a rule with the wrong number of arguments."""
        if not isinstance(node, ast.Call) or any(isinstance(argument, ast.Starred) for argument in node.args):
            return
        named = self.named.get(ast.unparse(node.func))
        called = plain(named)
        if not inspect.isfunction(called):
            return
        if not is_rule(named) and not _of_core(called):
            yield f"{called.__name__} is no rule: write @rule above it"
        signature = inspect.signature(called)
        try:
            signature.bind(*node.args, **{word.arg: word for word in node.keywords if word.arg})
        except TypeError:
            given, wanted = len(node.args) + len(node.keywords), ", ".join(signature.parameters)
            yield f"{called.__name__} takes {len(signature.parameters)} arguments ({wanted}), {given} are given"

    def _nothing(self, node: Any) -> Iterator[Mistake]:
        """A rule from which a value is taken though it returns none: told once, where it ends."""
        if not isinstance(node, ast.Call) or node in self.statements:
            return
        called = plain(self.named.get(ast.unparse(node.func)))
        if not inspect.isfunction(called) or _of_core(called) or _values(tree := _tree(called)):
            return
        yield _mistake(called, tree.body[-1], f"{called.__name__} returns nothing, but a value is taken from it")

    def _returns(self) -> Iterator[Mistake]:
        """A value returned on some ways only: compiled code would give something else there."""
        if _values(self.tree) and not _always_returns(self.tree.body):
            reason = f"{self.function.__name__} returns a value elsewhere, but not when it ends here"
            yield _mistake(self.function, self.tree.body[-1], reason)


def _tree(function: Callable[..., Any]) -> Any:
    """The syntax tree of a function."""
    return ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]


def _mistake(function: Callable[..., Any], node: Any, reason: str) -> Mistake:
    """A mistake at a node of the tree of a function; at the whole tree it is where the function is defined."""
    code = function.__code__
    return Mistake(code.co_filename, code.co_firstlineno - 1 + node.lineno, reason)


def _values(tree: Any) -> list[ast.Return]:
    """The statements of a function that return a value."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value is not None]


def _always_returns(body: list[ast.stmt]) -> bool:
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and _always_returns(last.body) and _always_returns(last.orelse)
    if isinstance(last, ast.While):
        endless = isinstance(last.test, ast.Constant) and bool(last.test.value)
        return endless and not any(isinstance(node, ast.Break) for node in ast.walk(last))
    return isinstance(last, ast.Return | ast.Raise)


def _never_set(spec: GameSpec) -> Iterator[Mistake]:
    """Fields of the header that a game has to write, and that none of its rules does."""
    reached = rules_of(spec)
    stores = (node for node in _attributes(reached) if isinstance(node.ctx, ast.Store))
    written = {node.attr for node in stores if ast.unparse(node.value) == "g"}
    if any(_hands_on(function, reached) for function in reached):
        return  # who knows what is written there
    for field, expected in MUST_BE_SET.items():
        if field not in written and not (field == "turn" and max(spec.players) == 1):
            apply = plain(spec.apply)
            yield _mistake(apply, _tree(apply), f"no rule sets g.{field}: expected {expected}")


def _features_never_written(spec: GameSpec, game: Game) -> Iterator[Mistake]:
    """Features of the layout that no line of `observe`, nor of a rule that it calls, names: they stay 0."""
    reached = rules_of(spec, ["observe"])
    if not reached or any(_hands_on(function, reached, "f") for function in reached):
        return
    named = {node.attr for node in _attributes(reached)}
    if missing := [name for name in game.features.slices() if name not in named]:
        reason = f"no line writes f.{missing[0]}, which the layout has: expected it here, or no such feature"
        yield _mistake(reached[0], _tree(reached[0]), reason)


def _hidden_but_kept(spec: GameSpec) -> Iterator[Mistake]:
    """Fields in `hidden` that no line of `resample`, nor of a rule that it calls, names: they can never be redrawn."""
    reached = rules_of(spec, ["resample"])
    if spec.hidden and spec.resample is nothing_hidden:
        setup, names = plain(spec.setup), ", ".join(spec.hidden)
        reason = f"hidden names {names}, but there is no rule resample(g, t, seat, rng) that draws it anew"
        yield _mistake(setup, _tree(setup), reason)
    if not reached or any(_hands_on(function, reached) for function in reached):
        return
    named = {node.attr for node in _attributes(reached)}
    if kept := [field for field in spec.hidden if field not in named]:
        reason = f"every_hidden_field_varies: resample never draws {', '.join(kept)} anew, which `hidden` names"
        yield _mistake(reached[0], _tree(reached[0]), reason)


def _attributes(functions: list[Callable[..., Any]]) -> Iterator[ast.Attribute]:
    """All that is written `one.other` in some functions."""
    nodes = itertools.chain.from_iterable(ast.walk(_tree(function)) for function in functions)
    return (node for node in nodes if isinstance(node, ast.Attribute))


def _hands_on(function: Callable[..., Any], reached: list[Callable[..., Any]], record: str | None = None) -> bool:
    """Whether a rule gives a record of this name, by default its first argument, to a function whose text is not
    read."""
    record = record or next(iter(inspect.signature(function).parameters), None)
    named = dict(references(function))
    return any(
        any(isinstance(argument, ast.Name) and argument.id == record for argument in call.args)
        and plain(named.get(ast.unparse(call.func))) not in reached
        for call in ast.walk(_tree(function))
        if isinstance(call, ast.Call)
    )


# ---- A first look at a game before conformance is tested: the first mistake, in one line that says where it is ----
#
# Compiled code gives its errors late, long and without a line, and one mistake breaks many properties. So `theogony
# check` first reads the rules as Python does (`mistakes.mistakes_in`), then plays a game of every player count
# interpreted, in which every position is looked at for what must hold (`first_trouble`), and compiles the rules. It
# stops at the first thing that is wrong. What is cheap comes first: the beginning of every game before the whole of
# any, and whole games without redrawing what is hidden before games in which every position is redrawn for every seat.

DECISIONS = 300  # of the game that is played interpreted
GLANCE = 4  # decisions that are looked at with every player count before any game is played on
LOOKS = 20  # decisions between two positions that are drawn
EARLY = (1, 2, 3, 5, 8, 13)  # which are drawn as well: a short game has what is secret there
PATIENCE = 60.0  # seconds that a decision may take, all that is looked at included

ALWAYS: tuple[OfPositions, ...] = (
    positions.header_is_sane,
    positions.mask_says_what_is_legal,
    positions.values_are_finite,
    positions.rules_that_look_change_nothing,
    positions.observations_keep_their_bounds,
    positions.rewards_are_fair,
    positions.invariant_holds,
    hidden.resample_changes_what_is_hidden,
    hidden.seats_see_only_what_they_may,
)
NOW_AND_THEN: tuple[OfPositions, ...] = (
    hidden.resample_forgets_the_truth,
    positions.legal_actions_apply,
    positions.illegal_actions_are_refused,
    positions.copies_are_equal_and_apart,
    positions.pictures_are_drawn,
    hidden.pictures_show_only_what_they_may,
    hidden.stories_tell_only_what_they_may,
    hidden.alternatives_keep_the_invariant,
    hidden.moves_tell_only_what_they_may,
    hidden.what_is_kept_back_is_hidden,
)


def _cheap(looks: tuple[OfPositions, ...]) -> tuple[OfPositions, ...]:
    """Those for which nothing hidden is redrawn."""
    return tuple(look for look in looks if look.__module__ == positions.__name__)


Looks = tuple[tuple[OfPositions, ...], tuple[OfPositions, ...]]  # at every decision, and at few
ALL: Looks = (ALWAYS, NOW_AND_THEN)
CHEAP: Looks = ((*_cheap(ALWAYS), positions.legal_actions_apply), _cheap(NOW_AND_THEN))


def first_look(spec: GameSpec, seed: int = 0, given: Mapping[str, Any] | None = None) -> list[str]:
    """What is wrong with a game before anything is played compiled, empty when nothing is: mistakes in the text of its
    rules, else the first trouble in play, else what cannot be compiled."""
    if found := in_text(spec):
        return found
    options = dict(given or {})
    games = [spec.configure({**options, "players": players}) for players in player_counts(spec, options)]
    trouble = interpreted(games, seed)
    return [trouble] if trouble else not_compiled(games[-1])


def in_text(spec: GameSpec) -> list[str]:
    """Options that are refused and mistakes in the text of the rules, or the one that keeps a game from being put
    together."""
    try:
        return [*_options_refused(spec), *(str(mistake) for mistake in mistakes_in(spec))]
    except Exception as error:  # of the functions that make tables and layouts
        if not has_own_place(error):
            raise
        return [str(place_of(error))]


def _options_refused(spec: GameSpec) -> Iterator[str]:
    """What is wrong with the first of `option_sets` that the game's own options refuse."""
    try:
        for one in spec.option_sets:
            spec.check_options({"players": spec.players[0], **one})
    except OptionError as error:
        yield f"option_sets: {error}"


def interpreted(games: list[Game], seed: int) -> str | None:
    """The first trouble in any of some games, played interpreted in another process; None when there is none."""
    [trouble] = in_fresh_interpreter(first_of_all, [(games, seed, DECISIONS)], NUMBA_DISABLE_JIT="1")
    return trouble


def first_of_all(games: list[Game], seed: int, decisions: int) -> str | None:
    """The first trouble in any of some games; None when there is none.

    To be called where rules are interpreted (`NUMBA_DISABLE_JIT=1`), so that an index out of bounds is an error.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # for `_patience`: commands in the background ignore it
    redrawn: set[str] = set()
    glance = min(GLANCE, decisions)
    for most, looks in ((glance, ALL), (decisions, CHEAP), (decisions, ALL)):
        for game in games:
            if trouble := first_trouble(game, seed, most, redrawn, looks):
                return trouble
        spec = games[0].spec
        if most == glance and (trouble := next(filter(None, map(_at_start, games)), None)):
            return _with_rule(spec, "resample", trouble)
        if most > glance and spec.hidden and not redrawn & set(spec.hidden):
            reason = f"every_hidden_field_varies: resample never changed {', '.join(spec.hidden)}, which `hidden` names"
            return _with_rule(spec, "resample", reason)
    return None


def _at_start(game: Game) -> str | None:
    try:
        with _patience():
            return hidden.trouble_at_start(game)
    except (Exception, KeyboardInterrupt):  # a mistake that has its place is found in play
        return None


def first_trouble(game: Game, seed: int, decisions: int, redrawn: set[str], looks: Looks = ALL) -> str | None:
    """Play a game at random, every seat looking on: the first exception or the first property that does not hold, with
    its place; None when there is no trouble. What `resample` changes now and then is added to `redrawn`."""
    generator, position = np.random.default_rng(seed), None
    try:
        with _patience():
            position = Position(game, seed)
        while True:
            with _patience():
                over = position.over != RUNNING or position.now == decisions
                now_and_then = over or position.now % LOOKS == 0 or position.now in EARLY
                for property in dict.fromkeys((*looks[0], *looks[1])) if now_and_then else looks[0]:
                    for sentence in property.look(position):
                        said = f"{property.__name__}: {_where(position)}: {sentence}"
                        return _with_rule(game.spec, property.rule, said)
                for sentence in positions.longer_than_promised(position):
                    return f"games_end_in_time: {_where(position)}: {sentence}"
                if now_and_then:
                    redrawn.update(hidden.redrawn_fields(position))
                if over:
                    return None
                position.play(int(generator.choice(position.legal_actions())))
                if position.over == ENDED and game.spec.breakdown is not None:
                    game.spec.breakdown(game, position.g)
    except KeyboardInterrupt as error:  # of `_patience`: there is nobody at the keyboard of this process
        place = place_of(error)
        return str(Mistake(place.file, place.line, f"still running after {PATIENCE:.0f} s; does this loop end?"))
    except Exception as error:
        return f"{place_of(error)}{f'; {_where(position)}' if position else ''}"


def not_compiled(game: Game) -> list[str]:
    """Where the rules of a game cannot be compiled, in one sentence; empty when they can."""
    try:
        position = Position(game, 0)
        for rule in (position.scores, position.standings, lambda: position.value(0)):
            rule()
        position.clone().resample(0, np.zeros(1, np.uint64))
    except Exception as error:
        return [str(place_of(error))]
    return []


def _with_rule(spec: GameSpec, rule: str, reason: str) -> str:
    """A reason, behind the first line of a rule where the game has it written out."""
    function = plain(getattr(spec, rule, None))
    if not inspect.isfunction(function) or function.__code__.co_filename.startswith((CORE, "<")):
        return reason
    lines, first = inspect.getsourcelines(function)
    head = next(k for k, line in enumerate(lines) if line.lstrip().startswith("def "))
    return str(Mistake(function.__code__.co_filename, first + head, reason))


def _where(position: Position) -> str:
    return f"{position.game.players} players, {at(position)}"


@contextmanager
def _patience() -> Iterator[None]:
    """A KeyboardInterrupt in the line that runs when this block takes too long: a loop without end has a place, too."""
    timer = threading.Timer(PATIENCE, _thread.interrupt_main)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
