"""Frames of the agenda: what is still to be done. A frame is a row of numbers: its kind, then its arguments.

`rules/agenda.py` explains how frames are worked off. Here is what each kind holds, and the names of those places that
more than its own rule reads: place 0 is the kind.
"""

from __future__ import annotations

DEPTH, WIDTH = 48, 7  # frames of the agenda, and numbers of a frame

(
    F_HEROES,  # players choose heroes (how many have)
    F_SCENE,  # lay out the scene of `scenario`
    F_PLACE,  # heroes enter (figure number in the order of placing)
    F_HINDRANCE,  # extra activations before the first round (how many are left)
    F_ROUND,  # a round (stage, seats done)
    F_DRAW,  # a player draws (seat, cards left)
    F_POISON,  # a player suffers from a poison card (seat)
    F_HERO_TURN,  # a hero activation (seat, whether it ended, whether Mimir's player did nothing when asked)
    F_MIMIR,  # Mimir's player acts in it (whether anything was done)
    F_ATTACK,  # a hero's attack (stage, seats asked)
    F_STRIKE,  # an attack meets an enemy (card, strength, stun, figure, damage after the die, die)
    F_SPECIAL,  # a special card (figure, play, target, whether its effects were carried out)
    F_RAGE,  # a rage ability (figure, target)
    F_SKILL,  # a companion's skill (option, first target, second target)
    F_STEP,  # an extra move (figure)
    F_HERO_EFFECTS,  # hero effects (next, end, figure, target)
    F_INTERACT,  # pay and resolve an interaction (figure, card, interaction, items paid)
    F_SCRY,  # look at upgrade cards (seat, cards left, cards put on top)
    F_ACTIVATION,  # a scene activation (stage, seats asked, rune, cards left as bits, phase)
    F_CARD,  # one scene card in it (card, rune, stamp, stage, next)
    F_ENEMY_ATTACK,  # an enemy attacks (attack, card, whether it began, columns left as bits, stamp)
    F_HIT,  # one hero is attacked (stage, seats asked)
    F_SUFFER,  # damage without blocks (figure, damage, card or NONE for poison, whether it is decided who suffers)
    F_EFFECTS,  # effects of a scene card (next, end, card, acting figure, whether checks follow)
    F_AFFECT,  # one effect on several figures (effect, figures left as bits, card)
    F_EACH,  # damage to several enemies (cards left as bits, damage, acting figure, stamp)
    F_CHOSEN,  # an effect on one picked hero (effect, card, acting figure)
    F_DEFEATED,  # an enemy is defeated (card, acting figure)
    F_BOXES,  # boxed effects of a condition (card, condition, parameter, acting figure, next, stamp)
    F_FLIPS,  # flips of a condition (card, condition, parameter, acting figure, next, stamp)
    F_TURN,  # after cards were turned (first, end, acting figure, stage, next)
    F_CHECK,  # conditions that are checked after every change (card, whether something changed, acting figure)
    F_UPGRADE,  # the upgrade phase (players done)
    F_NEXT,  # the next quest or boss is chosen
) = range(34)  # fmt: skip

# The names of places and stages, in the order of the kinds above.
STAGE, ASKED = 1, 2  # of rounds, attacks, hits and activations; seats that passed in the window
COUNT = 1  # of heroes chosen or placed, extra activations, upgrade cards taken

ROUND_BEGINS, ROUND_DRAWS, ROUND_TURNS, ROUND_EXTRA, ROUND_WINDOW, ROUND_DISCARDS, ROUND_ENDS = range(7)
DONE = 2  # seats done in this stage of a round
DRAW_SEAT, DRAW_LEFT = 1, 2
TURN_SEAT, TURN_ENDED, TURN_REFUSED = 1, 2, 3
MIMIR_ACTED = 1

ATTACK_OPEN, ATTACK_HELPED, ATTACK_MADE = range(3)
STRIKE_SLOT, STRIKE_STRENGTH, STRIKE_STUN, STRIKE_FIGURE, STRIKE_DAMAGE, STRIKE_DIE = range(1, 7)
NOT_ROLLED = -99  # the die; it is negative when it adds to the strength
SPECIAL_FIGURE, SPECIAL_PLAY, SPECIAL_TARGET, SPECIAL_DONE = range(1, 5)
RAGE_FIGURE, RAGE_TARGET = 1, 2
SKILL_OPTION, SKILL_TARGET, SKILL_SECOND = range(1, 4)
STEP_FIGURE = 1
PAY_FIGURE, PAY_SLOT, PAY_INTERACTION, PAY_PAID = range(1, 5)
SCRY_SEAT, SCRY_LEFT, SCRY_TOP = range(1, 4)

ACTIVATION_WINDOW, ACTIVATION_CARDS = range(2)
ACTIVATION_RUNE, ACTIVATION_LEFT, ACTIVATION_PHASE = 3, 4, 5
CARD_SLOT, CARD_RUNE, CARD_STAMP, CARD_STAGE, CARD_NEXT = range(1, 6)
CARD_ATTACKS, CARD_BOXES, CARD_DONE = range(3)
ENEMY_ATTACK, ENEMY_SLOT, ENEMY_BEGAN, ENEMY_COLUMNS, ENEMY_STAMP = range(1, 6)
HIT_BEGINS, HIT_BLOCKS, HIT_SET, HIT_HELPED = range(4)
SUFFER_FIGURE, SUFFER_DAMAGE, SUFFER_SLOT, SUFFER_DECIDED = range(1, 5)

# lists of effects: of heroes with figure and target, of scene cards with card, acting figure and whether checks follow
LIST_NEXT, LIST_END, LIST_USER, LIST_ACTOR, LIST_CHECKED = range(1, 6)
ONE_EFFECT, ONE_FIGURES, ONE_SLOT = 1, 2, 3
CHOSEN_SLOT = 2
EACH_LEFT, EACH_DAMAGE, EACH_ACTOR, EACH_STAMP = range(1, 5)
DEFEATED_SLOT, DEFEATED_ACTOR = 1, 2
WHEN_SLOT, WHEN_CONDITION, WHEN_NUMBER, WHEN_ACTOR, WHEN_NEXT, WHEN_STAMP = range(1, 7)
TURNED_FIRST, TURNED_END, TURNED_ACTOR, TURNED_STAGE, TURNED_NEXT = range(1, 6)
TURNED_DEFEATS, TURNED_REWARDS = range(2)
CHECK_FROM, CHECK_CHANGED, CHECK_ACTOR = range(1, 4)
