"""Properties of hidden information: nothing that a seat receives or does depends on what it cannot know.

`resample` is the game's own word on what a seat cannot know. `GameSpec.hidden` names the fields that hold it, so that
neither a field which is redrawn by mistake nor one which is forgotten goes unnoticed.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from theogony.envs.core.conformance.base import (
    GREEDY,
    RANDOM,
    Case,
    Chooser,
    at,
    bound_of,
    broken,
    draw_at,
    led_to,
    moments,
    some_of,
    sometimes,
)
from theogony.envs.core.contract import PASSED_OVER, PLAN_ENDS, never_pass_over
from theogony.envs.core.game import Game
from theogony.envs.core.position import Position
from theogony.envs.core.record import HEADER, RUNNING
from theogony.envs.core.rng import mixed
from theogony.envs.core.story import told
from theogony.envs.core.thinking.planning import ANSWERS, make_beam, passing_kernel, planning_kernel
from theogony.envs.core.thinking.value_network import OWN_VALUE

DRAWS = 3  # alternatives drawn for each seat at a moment
PICTURES = 3  # moments that are drawn: drawing is slow
OPEN_AT_END = {"score": "; what the score shows must not be redrawn once the game is over"}


def alternatives(position: Position, seat: int, draws: int = DRAWS) -> Iterator[Position]:
    """Copies of a position in which what the seat cannot know is drawn anew."""
    for k in range(draws):
        other = position.clone()
        other.resample(seat, stream(position, seat, k))
        yield other


def for_every_seat(position: Position, draws: int = DRAWS) -> Iterator[tuple[int, Position]]:
    """The alternatives of all seats, each with its seat."""
    return ((seat, other) for seat in range(position.game.players) for other in alternatives(position, seat, draws))


def stream(position: Position, seat: int, k: int) -> np.ndarray:
    """An rng for a draw: a stream of its own for each position, seat and draw."""
    return np.array([mixed(position.seed, int(position.g.ply), 64 * seat + k)], np.uint64)


@sometimes()
def seats_see_only_what_they_may(position: Position) -> Iterator[str]:
    """Observation, mask, who decides and the scores at the end are the same for a seat in every alternative."""
    for seat in range(position.game.players):
        seen = _received(position, seat)
        for other in alternatives(position, seat):
            for name, received in _received(other, seat).items():
                if received != seen[name]:
                    more = _field(position, received, seen[name]) if name == "observation" else ""
                    yield f"the {name}{more} of seat {seat} shows what it cannot know{OPEN_AT_END.get(name, '')}"


@sometimes("render_text", most=PICTURES, games=1)
def pictures_show_only_what_they_may(position: Position) -> Iterator[str]:
    """Text and picture for a seat, and those for the public, are the same in an alternative for that seat."""
    public = _drawn(position, None)
    for seat, other in for_every_seat(position, 1):
        if _drawn(other, seat) != _drawn(position, seat):
            yield f"the text or picture for seat {seat} shows what it cannot know"
        if _drawn(other, None) != public:
            yield f"the text or picture for the public shows what seat {seat} cannot know"


def _drawn(position: Position, who: int | None) -> tuple[str, str]:
    spec = position.game.spec
    return spec.render_text(position.game, position.g, who), spec.render_svg(position.game, position.g, who)


@sometimes("story", most=PICTURES, games=1)
def stories_tell_only_what_they_may(position: Position) -> Iterator[str]:
    """What a seat is told of a decision is the same when what it did not know before and after is drawn anew."""
    game, story = position.game, position.game.spec.story
    if story is None or position.over != RUNNING:
        return
    action = int(position.legal_actions()[0])
    after = led_to(position, action)
    for seat in range(game.players):
        others = [next(alternatives(one, seat, 1)).g for one in (position, after)]
        if story(game, position.g, action, after.g, seat) != story(game, others[0], action, others[1], seat):
            yield f"the story of {game.actions.text(action)!r} tells seat {seat} what it cannot know"


def _received(position: Position, seat: int) -> dict[str, Any]:
    """Every byte that a seat receives, pictures aside."""
    g = position.g
    received: dict[str, Any] = {
        "observation": position.observe_codes(seat).tobytes(),
        "seat to act": (position.actor, position.over, int(g.turn), int(g.ply)),
    }
    if position.actor == seat:
        received["mask"] = position.mask.tobytes()
    if position.over != RUNNING:
        received["score"] = (position.scores().tobytes(), position.standings().tobytes())
    return received


def _field(position: Position, a: bytes, b: bytes) -> str:
    """Name of the first feature in which two observations differ."""
    layout = position.game.features
    differ = np.frombuffer(a, np.uint8) != np.frombuffer(b, np.uint8)
    return next(f" ({name})" for name, where in layout.slices().items() if differ[where].any())


@sometimes("resample")
def resample_forgets_the_truth(position: Position) -> Iterator[str]:
    """From every alternative the same rng draws the same position: a draw depends only on what the seat knows."""
    for seat in range(position.game.players):
        first = position.clone()
        first.resample(seat, stream(position, seat, DRAWS))
        for other in alternatives(position, seat):
            other.resample(seat, stream(position, seat, DRAWS))
            if first.key() != other.key():
                fields = ", ".join(changed_fields(first, other))
                yield (
                    f"what resample draws for seat {seat} depends on the hidden truth ({fields}): put what is hidden "
                    "in a fixed order before it is shuffled"
                )


def players_use_only_what_they_see(case: Case) -> Iterator[str]:
    """A random and a greedy player with the same rng choose the same action for every alternative."""
    for position in moments(case):
        if position.over != RUNNING:
            continue
        seat = position.actor
        for greed, name in ((RANDOM, "random"), (GREEDY, "greedy")):
            chosen = Chooser(case.game, int(position.g.ply), greed).choose(position)
            for other in alternatives(position, seat):
                action = Chooser(case.game, int(position.g.ply), greed).choose(other)
                if action != chosen:
                    text = case.game.actions.text
                    yield (
                        f"{at(position)}: the {name} player of seat {seat} chooses {text(chosen)!r}, but "
                        f"{text(action)!r} when only what it cannot know is another"
                    )


def changed_fields(a: Position, b: Position) -> list[str]:
    """Names of the state fields in which two positions differ."""
    names = a.game.state.names or ()
    return [name for name in names if np.asarray(a.g[name]).tobytes() != np.asarray(b.g[name]).tobytes()]


def redrawn_fields(position: Position) -> set[str]:
    """Names of the state fields that an alternative for some seat has otherwise."""
    return {name for _, other in for_every_seat(position) for name in changed_fields(position, other)}


@sometimes("resample")
def resample_changes_what_is_hidden(position: Position) -> Iterator[str]:
    """Only the rng and the fields in `GameSpec.hidden` are redrawn, and the rng always."""
    hidden = {*position.game.spec.hidden, "rng"}
    for seat, other in for_every_seat(position):
        changed = changed_fields(position, other)
        for name in changed:
            if name not in hidden:
                yield f"resample for seat {seat} changes {name}, which `hidden` does not name"
        if "rng" not in changed:
            yield f"resample for seat {seat} leaves `g.rng` as it is"


@sometimes("resample")
def alternatives_keep_the_invariant(position: Position) -> Iterator[str]:
    """What the game's own check says of a position holds in every alternative: no draw is impossible."""
    for seat, other in for_every_seat(position):
        if wrong := broken(other):
            yield f"redrawn for seat {seat}: {wrong}"


def every_hidden_field_varies(cases: list[Case]) -> Iterator[str]:
    """Each field in `GameSpec.hidden` is redrawn somewhere: none is forgotten."""
    missing = set(cases[0].game.spec.hidden)
    for case in cases:
        for position in moments(case):
            missing -= redrawn_fields(position)
            if not missing:
                return
    yield f"resample never changed {', '.join(sorted(missing))}, though `hidden` of the spec names it"


def alternatives_can_be_played(case: Case) -> Iterator[str]:
    """From a redrawn position, whatever seat it is drawn for, the game goes on to its end."""
    for k, position in enumerate(moments(case, 12)):
        seat = k % case.game.players
        other = next(alternatives(position, seat, 1))
        if problem := broken(other) or _play_out(other, position.seed):
            yield f"{at(position)}, redrawn for seat {seat}: {problem}"


def _play_out(position: Position, seed: int) -> str | None:
    """Play at random to the end; what goes wrong."""
    player, bound = Chooser(position.game, seed, RANDOM), bound_of(position.game)
    while position.over == RUNNING:
        if not position.mask.any():
            return f"{position.now} decisions later no action is legal"
        if int(position.g.ply) >= bound:
            return f"the game has not ended after {bound} decisions"
        position.play(player.choose(position))
    return broken(position)


# ---- What a game keeps secret and forgot to say, and draws of `resample` that no game could lead to --------------
#
# Every test of hidden information goes by the game's own word, `resample` and `hidden`. These look for what neither
# says: they are asked of interpreted games only, since they lay out positions that no game has.

BEGINNINGS = 24  # that are compared with each other
TRIES = 2  # other contents of a field, of either kind, that are looked at
FIELDS = 6  # that are looked at in a position
MOST = 12  # different numbers that a message tells
AHEAD = 40  # decisions in which what nobody sees may come to matter


@sometimes("render_text")
def what_is_kept_back_is_hidden(position: Position) -> Iterator[str]:
    """What the text for all eyes shows, and a seat is shown nowhere, is named in `hidden`."""
    drawn = position.game.spec.render_text
    text, shown = drawn(position.game, position.g, "all"), []
    names = [name for name in position.game.state.names or () if name not in (*HEADER, *position.game.spec.hidden)]
    for name in map(str, draw_at(position).permutation(names)[:FIELDS]):
        for other in _changed(position, name):
            try:
                if drawn(position.game, other.g, "all") == text:
                    continue
                shown = shown or _shown(position)
                unseen = [seat for seat, views in enumerate(_shown(other)) if views == shown[seat]]
            except Exception:  # of a position that no game has
                continue
            except KeyboardInterrupt:  # in such a position a loop may have no end, too
                return
            if unseen:
                yield (
                    f"the text for all eyes shows {name}, which seat {unseen[0]} sees neither in its text nor in its "
                    f"observation: expected {name!r} in `hidden` and drawn anew by resample, or shown to it"
                )


def _shown(position: Position) -> list[tuple[str, bytes]]:
    """What every seat sees."""
    drawn = position.game.spec.render_text
    return [(drawn(position.game, position.g, seat), seen) for seat, seen in enumerate(_seen(position))]


def _changed(position: Position, name: str) -> Iterator[Position]:
    """Copies in which two entries of a field have changed places, or one that is not 0 is another number."""
    values = np.asarray(position.g[name]).reshape(-1)
    if values.dtype.kind in "iu":
        yield from _swapped(position, name)
        for entry in draw_at(position).permutation(np.flatnonzero(values))[:TRIES]:
            yield _with(position, name, {entry: values[entry] - 1 or 2})


def _swapped(position: Position, name: str) -> Iterator[Position]:
    """Copies in which two entries of a field have changed places."""
    values, generator = np.asarray(position.g[name]).reshape(-1), draw_at(position)
    for _ in range(TRIES if values.size > 1 else 0):
        one, two = generator.permutation(values.size)[:2]
        if values[one] != values[two]:
            yield _with(position, name, {one: values[two], two: values[one]})


def _with(position: Position, name: str, entries: dict[Any, Any]) -> Position:
    """A copy with other numbers in a field."""
    other = position.clone()
    changed = other.states[name][other.now : other.now + 1].reshape(-1)  # a view: a field has no gaps
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


# ---- Words: a decision is told to nobody in words that give away what is hidden from them ------------------------
#
# Logs, prompts and pages tell every seat what the others decided. Without a `move_text` that is the text of the action,
# which for a card laid face down names the card. Neither observation nor picture shows that: it is said beside them.

TRIED = 8  # decisions that are compared with each other
WORLDS = 8  # that a seat holds possible, in which a decision is tried
Led = tuple[int, Position]  # a decision, and the position that it leads to
Entries = tuple[Any, Any]  # of a field: whether each entry is the same in all worlds, and the entries in one of them


@sometimes("move_text", most=12, games=1)
def moves_tell_only_what_they_may(position: Position) -> Iterator[str]:
    """Of decisions that a seat cannot tell apart by what it sees, the words do not tell it either which one it was,
    where that fixes something that is hidden from it."""
    game = position.game
    if position.over != RUNNING or not game.spec.hidden:
        return
    tried = [(action, led_to(position, action)) for action in some_of(position, position.legal_actions())[:TRIED]]
    for seat in range(game.players):
        for pair in _alike(position, seat, tried) if seat != position.actor else ():
            one, other = (told(game, position.g, action, after.g, seat) for action, after in pair)
            if one != other and (fields := _given_away(position, seat, pair)):
                yield (
                    f"seat {seat} is told {one.text!r}, not {other.text!r}, and so learns what is hidden from "
                    f"it ({', '.join(fields)}): expected a move_text(game, before, action, after, who) in render, "
                    "which says as much as `who` can see"
                )
                return


def _alike(before: Position, seat: int, tried: list[Led]) -> Iterator[tuple[Led, Led]]:
    """Pairs of decisions with results that are the same for all the seat knows: of both the same draw makes the same
    position."""
    groups: dict[bytes, list[Led]] = defaultdict(list)
    for action, after in tried:
        redrawn = after.clone()
        redrawn.resample(seat, stream(before, seat, 0))
        groups[redrawn.key()].append((action, after))
    for group in groups.values():
        yield from itertools.pairwise(group)


def _given_away(position: Position, seat: int, pair: tuple[Led, Led]) -> list[str]:
    """Fields that are fixed by either decision, each in its own way, whatever world the seat is in."""
    one, two = (_fixed(position, seat, action) for action, _ in pair)
    return [
        name
        for name, (fixed, entries) in one.items()
        if name in two and (fixed & two[name][0] & (entries != two[name][1])).any()
    ]


def _fixed(position: Position, seat: int, action: int) -> dict[str, Entries]:
    """Of every hidden field: which entries are the same after the decision in all worlds, and their values."""
    worlds = [position, *alternatives(position, seat, WORLDS)]
    ends = [led_to(world, action).g for world in worlds if world.mask[0, action]]
    found = {}
    for name in position.game.spec.hidden if len(ends) > 2 else ():
        values = np.array([np.asarray(end[name]) for end in ends])
        found[name] = ((values == values[0]).all(axis=0), values[0])
    return found


# ---- Plans: the others can be passed over as a game says, and a plan goes by what its seat sees only --------------

BEGUN = 4  # actions with which a plan is begun at a moment
WIDTH = 4  # of the plans that are compared


@sometimes("pass_over", most=16)
def others_can_be_passed_over(position: Position) -> Iterator[str]:
    """After own actions the others are passed over, by legal actions or by the rule, until the seat decides again."""
    game = position.game
    if game.spec.pass_over is never_pass_over or position.over != RUNNING:
        return
    for action in some_of(position, position.legal_actions())[:BEGUN]:
        after = led_to(next(alternatives(position, position.actor, 1)), action)
        if wrong := _wrong(after, position.actor):
            yield f"in a plan that begins with {game.actions.text(action)!r}, {wrong}"


def _wrong(after: Position, seat: int) -> str | None:
    """What is wrong on the way to the next decision of a seat, None where nothing is."""
    game, asked = after.game, passing_kernel(after.game.spec)
    for _ in range(ANSWERS):
        if after.over != RUNNING or after.actor == seat:
            return broken(after)
        answer = int(asked(after.states, after.now, after.tables, seat, after.mask[0]))
        if answer == PLAN_ENDS:
            return None
        if answer == PASSED_OVER:
            before = after.actor
            after.refresh()
            if after.over == RUNNING and not after.mask.any():
                return f"no action is legal once pass_over has passed over seat {before}"
        elif 0 <= answer < game.actions.size and after.mask[0, answer]:
            after.play(answer)
        else:
            return f"pass_over answers {answer} for seat {after.actor}, which is no legal action"
    return f"seat {seat} does not decide again after {ANSWERS} decisions of others; expected PLAN_ENDS"


def plans_use_only_what_is_seen(case: Case) -> Iterator[str]:
    """A plan with the same rng begins with the same action in every alternative."""
    if case.game.spec.pass_over is never_pass_over:
        return
    plan, beam, out = planning_kernel(case.game.spec), make_beam(case.game, WIDTH), np.zeros(case.game.actions.size)
    for position in moments(case, 8, 1):
        if position.over != RUNNING:
            continue
        seat, chosen = position.actor, set()
        for other in (position, *alternatives(position, seat)):
            rng = stream(position, seat, 0)
            chosen.add(int(plan(other.states, other.now, other.tables, seat, OWN_VALUE, WIDTH, beam, rng, out)))
        if len(chosen) > 1:
            yield f"{at(position)}: a plan of seat {seat} depends on what it cannot know"
