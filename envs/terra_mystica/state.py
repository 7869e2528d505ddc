"""The state record, the kinds of decision and the options."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np

from theogony.envs.core.game import PackOptions
from theogony.envs.core.record import header, record_dtype
from theogony.envs.core.untrusted.models import Field
from theogony.envs.core.untrusted.ranges import set_of, two_words
from theogony.envs.terra_mystica.components import COLOURS, DATA, LAND, MAX_PLAYERS, REACHES, RIVER, SITES, pieces

# Kinds of decision. MAIN begins a turn; TURN goes on with it until `done`: everything an action still asks for
# (favor and town tiles, spades, a bridge ...) is open at once, in any order, with conversions in between.
DRAFT, SETTLE, CARD, MAIN, TURN, COLOUR, LEECH, REWARD, CULT_SPADES = range(9)
DECISIONS = ("draft", "settle", "card", "main", "turn", "colour", "leech", "reward", "cult spades")
OFFERS, NEXT, CULT_PHASE = 10, 11, 12  # stations between decisions; a position never rests there

# What the spades of a turn may be used for.
NO_SPADES, ACTION_SPADES, STRONGHOLD_SPADES, PHASE_SPADES, SANDSTORM = range(5)

# Sources of victory points, for the breakdown. As int64: a rule is compiled once for all, not for each literal.
SOURCES = (
    "start", "scoring tiles", "favor tiles", "towns", "passing", "shipping and digging", "faction", "power", "exchange",
    "cults", "area", "resources",
)  # fmt: skip
(V_START, V_SCORING, V_FAVOR, V_TOWN, V_PASS, V_ADVANCE, V_FACTION, V_POWER, V_EXCHANGE,
 V_CULT, V_AREA, V_GOODS) = np.arange(12)  # fmt: skip

QUEUE = 2 * (MAX_PLAYERS - 1)  # power offers of one turn: the Halflings may build twice
NONE = -1
NOT_IN_GAME, FREE = -2, -1  # a bonus card's place, else the seat that holds it


class Options(PackOptions):
    """Options of Terra Mystica."""

    players: int = Field(default=4, description="seats at the table")
    factions: Literal["draft", "dealt"] = Field(default="draft", description="chosen in turn order, or dealt at random")
    first_player: Literal["seat0", "random"] = Field(default="seat0", description="who begins the first round")
    ruleset: Literal["usual", "chinese"] = Field(default="usual", description="`chinese`: as the Chinese text has it")
    cultists_power: bool = Field(default=True, description="Cultists gain 1 power when everybody declines")
    extra_towns: bool = Field(default=False, description="town tiles TW6, TW7 and TW8")
    ship_card: bool = Field(default=False, description="bonus card BON10")
    temple_tile: bool = Field(default=False, description="scoring tile SCORE9")
    turn_order: Literal["clockwise", "passing"] = Field(default="clockwise", description="of the next round")
    max_decisions: int = Field(
        default=4000, ge=0, description="number of decisions after which a game is truncated; 0: never"
    )
    component_folder: Path = Field(default=DATA, description="folder with other map, faction and tile files")


def flags(options: Options) -> dict[str, bool]:
    """The options as the flags of the tables record."""
    chinese = options.ruleset == "chinese"
    return {
        "extra_towns": options.extra_towns,
        "ship_card": options.ship_card,
        "temple_tile": options.temple_tile,
        "passing_order": options.turn_order == "passing",
        "draft": options.factions == "draft",
        "random_first": options.first_player == "random",
        "cultists_power": options.cultists_power and not chinese,  # (R28)
        "town_of_six": chinese,  # the sanctuary lowers the value that a town needs, not the number (R21)
        "one_special": chinese,  # one special action a round (R22)
        "convert_always": chinese,  # also when one decides in somebody else's turn (R23)
        "free_spades": chinese,  # leftover spades may go to a second space at any time, and be topped up there (R24)
        "priest_back": chinese,  # the single step takes a priest off the cult board (R25)
        "both_caps": chinese,  # an offer is reduced only when neither bowls nor victory points suffice (R26)
        "lean_setup": chinese,  # no coins on the first unused bonus cards (R27)
    }


FLAG, COUNT, SMALL = (0, 1), (0, 2**15 - 1), (0, 2**7 - 1)
SEAT, SPACE, LANDS = (NONE, MAX_PLAYERS - 1), (NONE, LAND - 1), two_words(LAND)


def state_fields() -> tuple[tuple[Any, ...], ...]:
    """The fields of the state: name, type, lowest and highest value of each number (-1 is nothing; None: all that its
    type holds) and shape. Arrays with a first axis of 5 are by seat."""
    seats = (MAX_PLAYERS,)
    return (
        ("round_number", "i1", (0, pieces.ROUNDS)),  # 0 during setup, then 1 to 6
        ("setup_step", "i1", SMALL),  # drafts, dwellings and cards taken so far
        ("scoring", "i1", (0, len(pieces.SCORING) - 1), (6,)),  # scoring tile of each round
        ("card_place", "i1", (NOT_IN_GAME, MAX_PLAYERS - 1), (10,)),  # seat that has a card, FREE or NOT_IN_GAME
        ("card_coins", "i1", SMALL, (10,)),
        ("card", "i1", (NONE, len(pieces.BONUS) - 1), seats),  # bonus card of a seat
        ("town_supply", "i1", SMALL, (8,)),
        ("favor_supply", "i1", SMALL, (12,)),
        ("power_used", "i1", FLAG, (6,)),  # power actions taken this round
        ("terrain", "i1", (0, len(COLOURS) - 1), (LAND,)),
        ("colour", "u8", LANDS, (7, 2)),  # the same as sets
        ("building", "i1", (0, pieces.SA), (LAND,)),
        ("taken", "u8", LANDS, (2,)),  # spaces with a structure
        ("bridges", "u4", set_of(SITES)),  # sites with a bridge
        ("bridge_owner", "i1", SEAT, (SITES,)),
        ("spots", "i1", SEAT, (4, 4)),  # seat of the priest on the 3, 2, 2, 2 spaces of each cult
        ("order", "i1", SEAT, seats),  # seats in turn order
        ("next_order", "i1", SEAT, seats),  # in the order they passed
        ("passed_count", "i1", (0, MAX_PLAYERS)),  # seats that have passed
        # ------------------------------------------------------------ seats
        ("faction", "i1", (NONE, len(pieces.FACTIONS) - 1), seats),
        ("passed", "i1", FLAG, seats),
        ("vp", "i2", None, seats),
        ("vp_from", "i2", None, (MAX_PLAYERS, len(SOURCES))),
        ("coins", "i2", COUNT, seats),
        ("workers", "i2", COUNT, seats),
        ("priests", "i1", (0, pieces.PRIESTS), seats),
        ("priests_away", "i1", (0, pieces.PRIESTS), seats),  # on the cult board for good
        ("bowls", "i1", SMALL, (MAX_PLAYERS, 3)),
        ("cult", "i1", (0, pieces.TOP), (MAX_PLAYERS, 4)),
        ("keys", "i1", SMALL, seats),
        ("ship", "i1", (0, REACHES - 1), seats),  # shipping level; for Dwarves and Fakirs the spaces they may skip
        ("dig", "i1", (0, 2), seats),
        ("built", "i1", (0, max(pieces.LIMITS)), (MAX_PLAYERS, 6)),  # structures on the map, by kind
        ("bridges_left", "i1", (0, pieces.BRIDGES), seats),
        ("favors", "i1", (0, len(pieces.FAVOR)), (MAX_PLAYERS, 12)),
        ("towns", "i1", SMALL, (MAX_PLAYERS, 8)),
        ("specials_used", "i1", FLAG, (MAX_PLAYERS, 10)),
        ("own", "u8", LANDS, (MAX_PLAYERS, 2)),  # spaces with own structures
        ("near", "u8", LANDS, (MAX_PLAYERS, 2)),  # spaces directly adjacent to them
        ("far", "u8", LANDS, (MAX_PLAYERS, 2, 2)),  # indirectly: at the own level, and with one more
        ("in_town", "u8", LANDS, (MAX_PLAYERS, 2)),
        ("area", "i1", (0, LAND), seats),  # largest area, from final scoring
        ("river_towns", "u8", set_of(RIVER)),  # river spaces with the Mermaids' town tiles
        ("river_sites", "u8", set_of(RIVER)),  # river spaces where they could found one
        # ------------------------------------------------------------ the turn
        ("turns_left", "i1", (NONE, 2**7 - 1)),  # actions in a row (Chaos Magicians)
        ("spades", "i1", SMALL),  # free spades left
        ("spade_use", "i1", (0, SANDSTORM)),
        ("target", "i1", SPACE),  # space that is being transformed
        ("first", "i1", SPACE),  # space that was transformed first
        ("turned", "i1", (-3, 3)),  # steps it was turned so far, up the wheel or (negative) down; 0 on the own colour
        ("tunnelled", "i1", SMALL),
        ("sites", "u8", LANDS, (2,)),  # spaces where the action may still build a dwelling
        ("free_dwelling", "i1", FLAG),  # that dwelling costs nothing (Witches' ride)
        ("free_house", "i1", FLAG),  # an upgrade to a trading house that costs nothing (Swarmlings)
        ("favors_due", "i1", SMALL),
        ("towns_due", "i1", SMALL),
        ("steps_due", "i1", SMALL),  # steps on one cult track
        ("bridge_due", "i1", SMALL),
        ("priests_due", "i1", SMALL),  # workers the Darklings may still turn into priests
        ("stopped", "i1", SMALL, (4,)),  # cult tracks where a step to 10 lacked a key this turn
        ("connecting", "i1", FLAG),  # a river town was founded before the main action
        ("brought", "i1", FLAG),  # the action brought what can be converted before the neighbours are asked
        ("key_choice", "i1", (0, len(pieces.CULTS))),  # more such tracks than keys: choose one
        # ------------------------------------------------------------ power offers, phase III
        ("offer_seat", "i1", SEAT, (QUEUE,)),
        ("offer_power", "i1", SMALL, (QUEUE,)),
        ("offer_count", "i1", (0, QUEUE)),
        ("offer_next", "i1", (0, QUEUE)),
        ("offer_taken", "i1", FLAG),  # somebody accepted
        ("offer_declined", "i1", FLAG),  # somebody who could have gained declined
        ("spades_due", "i1", SMALL, seats),  # cult bonus spades
    )  # fmt: skip


def state_dtype() -> np.dtype:
    """The state record."""
    return record_dtype(*header(), *((name, kind, *shape) for name, kind, _, *shape in state_fields()))
