"""The instruction set that card effects are compiled to. A row is an opcode and up to seven operands (int16).

Operands that stand for a number are a constant (0 or more) or a register of the frame (-1 - register). Operands that
stand for a set of cards are always a set register. Nothing here knows a card.
"""

from __future__ import annotations

COLUMNS = 8  # of a row: the opcode and its operands

# number registers of a frame
DONE, OTHER, CHOSEN, ME, ACTIVE, IT, REMEMBERED, REORDERED, TEMPORARY = range(9)
NUMBERS = 12
# set registers of a frame
MOVED, POOL, GROUP_1, GROUP_2, SPARE = range(5)
SETS = 7

# control: what follows the opcode
END = 0
JUMP = 1  # row
UNLESS = 2  # left, relation, right, row: jump when the comparison does not hold
NEXT_OTHER = 3  # row: the next other player into OTHER, clockwise; jump when all had their turn

# sets: the first operand is the register that is written
FIRST_SET = 10
AREA = 10  # set, area, player
AREA_OF_ALL = 11  # set, area, player left out (-1: nobody)
PILE = 12  # set, player, colour
TOP = 13  # set, player, colour
BOTTOM = 14  # set, player, colour
ONE_CARD = 15  # set, card
KEEP = 16  # set, first mask, number added to it
DROP = 17  # set, first mask, number added to it
COPY = 18  # set, set
MINUS = 19  # set, set
HIGHEST = 20  # set
LOWEST = 21  # set

# numbers: the first operand is the register that is written
FIRST_NUMBER = 30
METRIC = 30  # number, metric, player
MOST_OTHER = 31  # number, metric: the most that another player has
LEAST = 32  # number, metric: the least that any player has
BELOW = 33  # number, metric: other players with less than the performer, as bits
OTHER_PLAYERS = 34  # number: as bits
COUNT = 35  # number, set
TOP_VALUE = 36  # number, set: the highest value in it
DISTINCT_VALUES = 37  # number, set
DISTINCT_COLOURS = 38  # number, set
COLOURS_OF = 39  # number, player: colours on the board, as bits
COLOURS_ELSEWHERE = 40  # number: colours on the other boards, as bits
SPLAYED = 41  # number, player, direction: colours splayed so, as bits
PILE_SIZE = 42  # number, player, colour
VALUE_OF = 43  # number, card
COLOUR_OF = 44  # number, card
HOW_MANY = 45  # number, bits
BIT = 46  # number, number
ADD = 47  # number, number, number
SUBTRACT = 48
DIVIDE = 49  # rounded down
WITHOUT = 50  # number, bits, bits to take away
SET_NUMBER = 51  # number, number
DEMAND_MOVED = 53  # number: whether this action's demand moved a card
ANYBODY_MORE = 52  # number, metric, metric: whether somebody has more of the first than of the second

# actions
FIRST_ACTION = 60
DRAW = 60  # value, times, verb
MOVE_ALL = 61  # set, verb, owner of the destination
CLAIM = 62  # special achievement
PERFORM = 63  # card
TALLY = 64  # number
REMOVE_EVERYTHING = 65
WIN = 66
SINGLE_WINNER = 67  # metric, 1 for the most and 0 for the least
SHOW_HAND = 68  # player
EXCHANGE = 69  # set, verb, owner of the destination: for what the next row would move, a MOVE_ALL
# actions that may wait for an answer
FIRST_WAITING = 70
SELECT = 70  # least, most, who chooses, flags, verb, owner of the destination, row where its set (POOL) begins
SPLAY = 71  # direction, colours, flags
CHOOSE = 72  # kind, options as bits, flags
REORDER = 73  # flags

# flags of waiting actions
MAY, BY_BACK, TAKE_HIGHEST, TAKE_LOWEST, SHOW_IF_NONE = 1, 2, 4, 8, 16

# areas
HAND, SCORE, TOPS, REVEALED, HAND_AND_REVEALED = range(5)

# verbs: what happens to a card
NOTHING, MELD, TUCK, SCORE_IT, RETURN, TO_HAND, TO_SCORE, TO_BOARD, REVEAL = range(9)
VERBS = ("choose", "meld", "tuck", "score", "return", "to hand", "to score pile", "to board", "reveal")

# relations
EQUAL, DIFFERENT, LESS, AT_LEAST, MORE, AT_MOST = range(6)

# metrics of a player; 0 to 5 are the icons
POINTS, ACHIEVEMENTS, TALLIED, COLOUR_COUNT = range(6, 10)
