"""The cards of ages 7 and 8."""

# ruff: noqa: F403, F405  (the words of the card language)
from __future__ import annotations

from theogony.envs.innovation.cards.language import *
from theogony.envs.innovation.cards.statements import *
from theogony.envs.innovation.components import RIGHT, UP

# fmt: off
CARDS = (
    card("Evolution",
         share(either((draw_and_score(8), return_(one(score_pile))), draw(highest_value(score_pile) + 1)))),
    card("Publications",
         share(may(reorder_a_pile())),
         share(may(splay(UP, yellow | blue)))),
    card("Combustion",
         demand(transfer(exactly(2, score_pile), score_pile_of(A)))),
    card("Explosives",
         demand(transfer(highest(3, hand), hand_of(A)), when(done, unless(hand, draw(7))))),
    card("Bicycle",
         share(may(exchange(score_pile, hand_of(P), hand, score_pile_of(P))))),
    card("Electricity",
         share(return_(each(top_cards - factory)), draw(8, times=done))),
    card("Refrigeration",
         demand(return_(exactly(count(hand) // 2, hand))),
         share(may(score(one(hand))))),
    card("Sanitation",
         demand(fix(first_group, hand.of(A).lowest),
                transfer(highest(2, hand), hand_of(A)),
                pick(one(first_group).by_back), transfer(every(moved), hand_of(V)))),
    card("Lighting",
         share(may(tuck(between(1, 3, hand))), draw_and_score(7, times=distinct_values(moved)))),
    card("Railroad",
         share(return_(each(hand)), draw(6, times=3)),
         share(may(splay(UP, splayed(RIGHT))))),

    card("Quantum Theory",
         share(may(return_(between(1, 2, hand))), when(done == 2, draw(10), draw_and_score(10)))),
    card("Rocketry",
         share(return_(exactly(have(CLOCKS) // 2, other_score_piles).by_back))),
    card("Flight",
         share(when(splayed(UP) & red, may(splay(UP, any_colour)))),
         share(may(splay(UP, red)))),
    card("Mobility",
         demand(transfer(highest(2, top_cards - red - factory), score_pile_of(A)), when(done, draw(8)))),
    card("Corporations",
         demand(transfer(one(top_cards - green & factory), score_pile_of(A)), when(done, draw_and_meld(8))),
         share(draw_and_meld(8))),
    card("Mass Media",
         share(may(return_(one(hand))),
               when(done, pick_value(), return_(each(all_score_piles & value(chosen_value)).by_back))),
         share(may(splay(UP, purple)))),
    card("Antibiotics",
         share(may(return_(between(1, 3, hand))), draw(8, times=distinct_values(moved) + distinct_values(moved)))),
    card("Skyscrapers",
         demand(transfer(one(top_cards - yellow & clock), board_of(A)),
                when(done, remember(it.colour),
                     score(top(remembered_colour)), return_(each(pile(remembered_colour)))))),
    card("Empiricism",
         share(pick_two_colours(), draw_shown(9),
               when(it & of_colours(chosen_colours), meld(it), may(splay(UP, just(it.colour)))).otherwise(keep(it))),
         share(when(have(BULBS) >= 20, win()))),
    card("Socialism",
         share(may(tuck(each(hand))),
               when(moved & purple, for_each_other(transfer(every(hand.of(Q).lowest), hand_of(P)))))),
)
