"""Bluff with one thing wrong in each variant, and the properties of conformance that must notice it.

Run as a program, it checks every variant and prints the properties that do not hold, as JSON.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import sys
from typing import Any

import numpy as np
from bluff import rules
from bluff.actions import CODEC, DOUBT
from bluff.game import SPEC
from bluff.observe import observe
from bluff.state import STATE

from theogony.envs.core.actions import Block
from theogony.envs.core.conformance import check
from theogony.envs.core.game import GameSpec, Parts
from theogony.envs.core.jit import rule
from theogony.envs.core.record import ENDED, record_dtype
from theogony.envs.core.rng import next_u64

SOUGHT = 3000  # decisions of the player that looks for trouble


@rule
def observe_other_die(g, t, seat, f):
    """Leak: the shares of the bid hold the die of the next seat."""
    observe(g, t, seat, f)
    f.bid[0] = g.dice[(seat + 1) % g.players]


@rule
def observe_wildly(g, t, seat, f):
    """Ten times the bid is written, though the highest possible one is declared as the most."""
    observe(g, t, seat, f)
    f.bid[0] = 10 * np.int64(g.bid)


@rule
def observe_and_touch(g, t, seat, f):
    """Looking changes the position."""
    observe(g, t, seat, f)
    g.shown[3] = (g.shown[3] + 1) % 7


@rule
def legal_by_truth(g, t, mask):
    """Leak: only bids that the dice really show are legal."""
    mask[DOUBT] = 1 if g.bid > 0 else 0
    for bid in range(g.bid + 1, np.int64(g.dice[0]) + np.int64(g.dice[1]) + 1):
        mask[bid - 1] = 1


@rule
def legal_without_doubt(g, t, mask):
    """Nothing is left to do after the highest bid."""
    for bid in range(g.bid + 1, t.highest + 1):
        mask[bid - 1] = 1


@rule
def apply_by_chance(g, t, action):
    """Chance from outside of the record."""
    rules.apply(g, t, action)
    g.shown[3] = int(np.random.random() * 7)


@rule
def in_order(dice):
    """A copy, in new memory."""
    return np.sort(dice)


@rule
def apply_with_a_copy(g, t, action):
    """The dice lie in order, for which memory is asked."""
    rules.apply(g, t, action)
    g.shown[0] = in_order(g.dice)[0] * 0 + g.shown[0]


@rule
def setup_with_a_copy(g, t):
    """The same when a game begins."""
    rules.setup(g, t)
    g.shown[0] = in_order(g.dice)[0] * 0 + g.shown[0]


@rule
def apply_nothing(g, t, action):
    """A bid of 2 changes nothing but the count of decisions."""
    if action != 1:
        rules.apply(g, t, action)


@rule
def apply_no_seat(g, t, action):
    """The turn passes to a seat that is not at the table."""
    rules.apply(g, t, action)
    if g.over == 0 and g.bid > 5:
        g.turn = g.players


@rule
def apply_without_strikes(g, t, action):
    """A strike gets lost."""
    rules.apply(g, t, action)
    if g.over == ENDED:
        g.strikes[:] = 0


@rule
def resample_by_swaps(g, t, seat, rng):
    """Mixes the dice that are there: what comes out depends on the truth."""
    a, b = (seat + 1) % g.players, (seat + 2) % g.players
    if b != seat and next_u64(rng) & np.uint64(1):
        g.dice[a], g.dice[b] = g.dice[b], g.dice[a]


@rule
def resample_nothing(g, t, seat, rng):
    """The dice of the others stay, as if they were known."""


@rule
def resample_too_much(g, t, seat, rng):
    """The open dice of the last round are drawn as well."""
    rules.resample(g, t, seat, rng)
    g.shown[0] = 1 + (next_u64(rng) % np.uint64(6))


@rule
def value_without_end(g, t, seat):
    """A value that is no number at the end."""
    return np.nan if g.over == ENDED else 0.0


@rule
def value_that_overflows(g, t, seat):
    """The numbers of a record are small: compiled they grow, interpreted they overflow."""
    return (g.bid * g.bid) / 1000.0


@rule
def score_that_raises(g, t, out):
    """An error in a rule is a failure, not the end of the check."""
    raise ValueError("no score")


@rule
def pass_over_by_doubt(g, t, seat, mask):
    """Others doubt also when there is nothing to doubt."""
    return DOUBT


def render_truth(game: Any, g: Any, who: Any) -> str:
    """Everybody sees all dice."""
    return SPEC.render_text(game, g, "all")


def story_of_truth(game: Any, before: Any, action: int, after: Any, who: Any) -> list[str]:
    """Everybody hears of all dice."""
    return [f"The dice are {after.dice}."]


def render_badly(game: Any, g: Any, who: Any) -> str:
    """No well-formed picture."""
    return '<svg xmlns="http://www.w3.org/2000/svg"><text>'


def build_by_hash(options: Any, data: Any) -> Parts:
    """The order of the faces is that of a set of words, which PYTHONHASHSEED decides."""
    words = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
    data = {"faces": [words[word] for word in set(words)]}
    return SPEC.build(options, data)


def build_with_bad_texts(options: Any, data: Any) -> Parts:
    """An action whose text has two lines."""
    codec = type(CODEC)(CODEC.blocks[0], Block("doubt", text="doubt\nit"))
    return SPEC.build(options, data)._replace(actions=codec)


LADDER = record_dtype(*((name, STATE[name].base, STATE[name].shape) for name in STATE.names or ()), ("rungs", "i1"))
RUNGS = 14  # a random game takes three or four


@rule
def setup_ladder(g, t):
    rules.setup(g, t)
    g.rungs = RUNGS


@rule
def legal_to_the_last_rung(g, t, mask):
    """Nothing is legal when the last rung is gone."""
    if g.rungs > 0:
        rules.legal(g, t, mask)


@rule
def apply_on_the_ladder(g, t, action):
    """Whoever raises the bid by one takes a rung: few games of random bids take them all."""
    if action == g.bid and g.bid > 0:
        g.rungs -= 1
    rules.apply(g, t, action)


def build_ladder(options: Any, data: Any) -> Parts:
    """The record has a supply of rungs."""
    return SPEC.build(options, data)._replace(state=LADDER)


def leaking_picture(game: Any, g: Any, who: Any) -> str:
    """The dice stand in a comment of the picture."""
    return f'<svg xmlns="http://www.w3.org/2000/svg"><!-- {g.dice} --></svg>'


# name -> what is replaced in the spec, the properties that must notice it
VARIANTS: dict[str, tuple[dict[str, Any], set[str]]] = {
    "leak_in_observation": ({"observe": observe_other_die}, {"seats_see_only_what_they_may"}),
    "leak_in_mask": ({"legal": legal_by_truth}, {"seats_see_only_what_they_may"}),
    "leak_in_text": ({"render_text": render_truth}, {"pictures_show_only_what_they_may"}),
    "leak_in_picture": ({"render_svg": leaking_picture}, {"pictures_show_only_what_they_may"}),
    "leak_in_story": ({"story": story_of_truth}, {"stories_tell_only_what_they_may"}),
    "feature_out_of_bounds": ({"observe": observe_wildly}, {"observations_keep_their_bounds"}),
    "look_that_changes": ({"observe": observe_and_touch}, {"rules_that_look_change_nothing"}),
    "refused_silently": ({"apply": apply_nothing}, {"legal_actions_apply"}),
    "chance_from_outside": ({"apply": apply_by_chance}, {"games_repeat", "records_come_back"}),
    "mask_empty": ({"legal": legal_without_doubt}, {"mask_says_what_is_legal", "alternatives_can_be_played"}),
    "dead_end_few_reach": (
        {
            "build": build_ladder,
            "setup": setup_ladder,
            "legal": legal_to_the_last_rung,
            "apply": apply_on_the_ladder,
        },
        {"seeker_finds_no_trouble"},
    ),
    "no_such_seat": ({"apply": apply_no_seat}, {"header_is_sane"}),
    "lost_piece": ({"apply": apply_without_strikes}, {"invariant_holds"}),
    "wrong_bound": ({"decision_bound": lambda options: 2}, {"games_end_in_time"}),
    "draw_from_truth": ({"resample": resample_by_swaps}, {"resample_forgets_the_truth"}),
    "hidden_forgotten": ({"resample": resample_nothing}, {"every_hidden_field_varies"}),
    "open_redrawn": ({"resample": resample_too_much}, {"resample_changes_what_is_hidden"}),
    "hidden_not_named": ({"hidden": ()}, {"resample_changes_what_is_hidden"}),
    "value_not_finite": ({"value": value_without_end}, {"values_are_finite"}),
    "passed_over_wrongly": ({"pass_over": pass_over_by_doubt}, {"others_can_be_passed_over"}),
    "picture_broken": ({"render_svg": render_badly}, {"pictures_are_drawn"}),
    "text_of_two_lines": ({"build": build_with_bad_texts}, {"actions_have_texts"}),
    "rule_that_raises": ({"score": score_that_raises}, {"rewards_are_fair"}),
    "order_of_a_set": ({"build": build_by_hash}, {"hash_seed_decides_nothing"}),
    "memory": ({"setup": setup_with_a_copy, "apply": apply_with_a_copy}, {"no_rule_allocates"}),
    "overflow": ({"value": value_that_overflows}, {"interpreted_rules_agree"}),
}


@functools.cache
def __getattr__(name: str) -> GameSpec:
    """The spec of a variant, for three players."""
    if name not in VARIANTS:
        raise AttributeError(name)
    return dataclasses.replace(SPEC, module=f"broken:{name}", players=(3,), option_sets=({},), **VARIANTS[name][0])


def properties_broken(name: str) -> list[str]:
    """Those of the properties that must notice it which do."""
    return sorted(check(__getattr__(name), games=1, only=VARIANTS[name][1], sought=SOUGHT).broken())


if __name__ == "__main__":
    print(json.dumps({name: properties_broken(name) for name in sys.argv[1:] or VARIANTS}))
