"""The cards of ages 3 and 4."""

# ruff: noqa: F403, F405  (the words of the card language)
from __future__ import annotations

from theogony.envs.innovation.cards.language import *
from theogony.envs.innovation.cards.statements import *
from theogony.envs.innovation.components import LEFT, RIGHT, UP

# fmt: off
CARDS = (
    card("Alchemy",
         share(draw_shown(4, times=have(CASTLES) // 3), fix(first_group, moved),
               when(first_group & red, return_(each(hand_and_shown))).otherwise(keep(every(first_group)))),
         share(meld(one(hand)), score(one(hand)))),
    card("Translation",
         share(may(meld(each(score_pile)))),
         share(when(top_cards, unless(top_cards - crown, claim("World"))))),
    card("Engineering",
         demand(transfer(each(top_cards & castle), score_pile_of(A))),
         share(may(splay(LEFT, red)))),
    card("Optics",
         share(draw_and_meld(3),
               when(it & crown, draw_and_score(4)).otherwise(
                    pick_player(others_with_less(POINTS)),
                    when(done, transfer(one(score_pile), score_pile_of(chosen_player)))))),
    card("Compass",
         demand(transfer(one(top_cards - green & leaf), board_of(A)),
                transfer(one(top_cards.of(A) - leaf), board_of(V)))),
    card("Paper",
         share(may(splay(LEFT, green | blue))),
         share(draw(4, times=how_many(splayed(LEFT))))),
    card("Machinery",
         demand(exchange(hand, hand_of(A), hand.of(A).highest, hand_of(V))),
         share(score(one(hand & castle)), may(splay(LEFT, red)))),
    card("Medicine",
         demand(fix(first_group, score_pile.of(A).lowest),
                transfer(one(score_pile.highest), score_pile_of(A)),
                pick(one(first_group).by_back), transfer(every(moved), score_pile_of(V)))),
    card("Education",
         share(may(return_(one(score_pile.highest))), when(done, draw(highest_value(score_pile) + 2)))),
    card("Feudalism",
         demand(transfer(one(hand & castle), hand_of(A))),
         share(may(splay(LEFT, yellow | purple)))),

    card("Experimentation",
         share(draw_and_meld(5))),
    card("Printing Press",
         share(may(return_(one(score_pile))), when(done, draw(highest_value(top(PURPLE)) + 2))),
         share(may(splay(RIGHT, blue)))),
    card("Colonialism",
         share(loop(draw_and_tuck(3), when(it & crown, again)))),
    card("Gunpowder",
         demand(transfer(one(top_cards & castle), score_pile_of(A))),
         share(when(demand_moved, draw_and_score(2)))),
    card("Invention",
         share(may(splay(RIGHT, splayed(LEFT))), when(done, draw_and_score(4))),
         share(when(how_many(splayed(LEFT)) + how_many(splayed(RIGHT)) + how_many(splayed(UP)) == 5, claim("Wonder")))),
    card("Navigation",
         demand(transfer(one(score_pile & values(2, 3)), score_pile_of(A)))),
    card("Anatomy",
         demand(return_(one(score_pile)), when(done, return_(one(top_cards & value(it.value)))))),
    card("Perspective",
         share(may(return_(one(hand))), when(done, score(exactly(have(BULBS) // 2, hand))))),
    card("Enterprise",
         demand(transfer(one(top_cards - purple & crown), board_of(A)), when(done, draw_and_meld(4))),
         share(may(splay(RIGHT, green)))),
    card("Reformation",
         share(may(tuck(exactly(have(LEAVES) // 2, hand)))),
         share(may(splay(RIGHT, yellow | purple)))),
)
