"""What each action is about, as places of the observation: a space and those around it, a tile, a cult track.

Rows of spaces look in the six directions of the printed map, which all maps share: they differ in colours only.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.rows import NOTHING, Rows
from theogony.envs.terra_mystica.actions import CONVERSIONS, MOST_BURNT, MOST_PRIESTS, NAMED_OFFERS, SPECIALS
from theogony.envs.terra_mystica.components import BOARD, COLOURS, FACTIONS, LAND, POWER_COST, RIVER, SITES, D
from theogony.envs.terra_mystica.components.tables import DIRECTIONS
from theogony.envs.terra_mystica.observe import A_SPADE, DIGGING, LONE_HOUSE, SHIPPING
from theogony.envs.terra_mystica.rules.building import BECOMES

Places = dict[str, np.ndarray]
Columns = dict[str, Any]  # of rows, by name
ALIKE = "what is alike may lie elsewhere on the map"
FROM = np.array((1, 2, 2, 3)) - 1  # what TP, TE, SH and SA replace, among the columns of `structure`
MOST_SITES = 4  # bridge sites of a space


def action_rows(game: Any) -> dict[str, Rows]:
    """The rows of all kinds of action."""
    at = game.features.places()
    one = at["actor"][0]  # 1 whenever the observer decides
    goods: Columns = {"goods": _goods(at)[None]}
    dealt: Columns = {"scoring": at["scoring"][None], "cards": at["cards"][None, :, 0]}  # the tiles of the game
    ends = _standing(at)[np.array(BOARD.sites)]  # what stands at both ends of each bridge site
    return {
        "setup": _numbered(one, len(FACTIONS), taken=at["faction"][None, 1:], **dealt),
        "build": Rows(LAND, alike=ALIKE, dwellings=at["built"][None, 0, :1], **_spaces(at), **_plan(at), **goods),
        "transform": Rows(LAND, alike=ALIKE, turned=at["turned"][None], **_spaces(at), **_plan(at), **goods),
        "transform partly": Rows(LAND, alike=ALIKE, partly=at["turned"][None], **_spaces(at), **_plan(at), **goods),
        "to": _numbered(
            one,
            len(COLOURS),
            turned=at["turned"][None],
            spade=at["costs"][None, A_SPADE],
            faction=at["faction"][None],
            **_plan(at),
        ),
        "upgrade": _upgrades(at, goods),
        "bridge": Rows(SITES, alike=ALIKE, ends=ends, left=at["bridges_left"][None, :1], **goods),
        "connect": Rows(RIVER, alike=ALIKE, site=at["river_sites"][:, None], banks=_banks(at)),
        "advance": _numbered(one, 2, cost=at["costs"][[SHIPPING, DIGGING]], round=at["round_number"][None], **goods),
        "send": _priests(at, one),
        "power action": _numbered(one, len(POWER_COST), spade=at["costs"][None, A_SPADE], **_plan(at), **goods),
        "special action": _numbered(
            one, len(SPECIALS), cult=at["cult"][None, 0], others=at["cult"][None, 1:], **_plan(at), **goods
        ),
        "convert": _numbered(one, len(CONVERSIONS), **_paying(at), **goods),
        "priest": Rows(MOST_PRIESTS, priests=_which(one, MOST_PRIESTS), **goods),
        "burn": Rows(MOST_BURNT, burnt=_which(one, MOST_BURNT), **_paying(at), **goods),
        "favor": _favors(at, one, game),
        "town": _numbered(
            one,
            8,
            copies=at["town_supply"][:, None],
            cult=at["cult"][None, 0],
            **_whole(at, stopped="stopped", round="round_number"),
            **goods,
        ),
        "cult": Rows(4, alike="tracks may stand alike", due=at["dues"][None], **_tracks(at)),
        **_answers(at, one),
        "pass with": Rows(
            10,
            card=_which(one, 10),
            coins=at["card_coins"][:, None],
            held=at["cards"][None, :, 2],
            round=at["round_number"][None],
            built=at["built"][None, 0],
            **goods,
        ),
        "pass": Rows(1, held=at["cards"][None, :, 2], **goods),
        "done": Rows(1, **_whole(at, spades="spades", use="spade_use", due="dues"), **goods),
    }


def _which(one: Any, count: int) -> np.ndarray:
    """Which of so many an action is: one entry each, and 1 there."""
    return np.where(np.eye(count, dtype=bool), one, NOTHING)


def _numbered(one: Any, count: int, **columns: Any) -> Rows:
    """Rows of actions that are told apart by which of so many they are."""
    return Rows(count, which=_which(one, count), **columns)


def _whole(at: Places, **fields: str) -> Columns:
    """Columns that are the same for all actions: whole fields, by the names of the columns."""
    return {name: at[field][None] for name, field in fields.items()}


def _or_nothing(places: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Rows of places by index; an index below zero is nothing."""
    padded = np.concatenate([places, np.full_like(places[:1], NOTHING)])
    return padded[np.where(wanted < 0, len(places), wanted)]


def _goods(at: Places) -> np.ndarray:
    """What the observer has: coins, workers, priests, bowls, keys, levels."""
    names = ("coins", "workers", "priests", "bowls", "keys", "levels")
    return np.concatenate([at[name][0].ravel() for name in names])


def _plan(at: Places) -> Columns:
    """What the turn and the round are about."""
    return _whole(at, spades="spades", use="spade_use", due="dues", round="round_number", scored="scored")


def _paying(at: Places) -> Columns:
    """What the observer may pay for."""
    return _whole(at, round="round_number", costs="costs", passed="passed")


# ------------------------------------------------------------------------- the map


def _touching() -> np.ndarray:
    """The land space in each of six directions, (LAND, 6), or nothing."""
    number = {BOARD.places[label]: k for k, label in enumerate(BOARD.land)}
    return np.array([[number.get((row + down, x + right), NOTHING) for down, right in DIRECTIONS] for row, x in number])


def _standing(at: Places) -> np.ndarray:
    """What stands on each space: structure, owner, town, the observer's groups, spades (LAND, k)."""
    single = (at["in_town"], at["spades_needed"])
    return np.concatenate([at["structure"], at["owner"], *(part[:, None] for part in single), at["group"]], axis=1)


def _spaces(at: Places) -> Columns:
    """Spaces: what they are, what stands around them, and bridges."""
    single = (at["sites"], at["target"], *at["reach"])
    return {
        "terrain": at["terrain"],
        "here": np.concatenate([_standing(at), *(part[:, None] for part in single)], axis=1),
        "around": _or_nothing(_standing(at), _touching()),
        "bridges": _or_nothing(at["bridges"], _sites_of_spaces()),
        "costs": at["costs"][None, [D - 1, A_SPADE]],
    }


def _sites_of_spaces() -> np.ndarray:
    """The bridge sites of each space, (LAND, MOST_SITES), filled up with nothing."""
    found = [[site for site, ends in enumerate(BOARD.sites) if space in ends] for space in range(LAND)]
    return np.array([sites + [NOTHING] * (MOST_SITES - len(sites)) for sites in found])


def _upgrades(at: Places, goods: Columns) -> Rows:
    """A space and what it becomes: the cost, what the round pays, how many stand, and what stands around."""
    space, kind = np.divmod(np.arange(LAND * len(BECOMES)), len(BECOMES))
    new, old = BECOMES[kind] - 1, FROM[kind]
    which = np.where(np.arange(len(BECOMES)) == kind[:, None], at["structure"][space, old][:, None], NOTHING)
    return Rows(
        len(space),
        alike=ALIKE,
        which=which,
        cost=at["costs"][new],
        alone=at["costs"][None, LONE_HOUSE, :1],
        scored=at["scored"][new][:, None],
        scored_others=at["scored"][None],
        now=at["structure"][space],
        town=at["in_town"][space][:, None],
        group=at["group"][space],
        around=_or_nothing(_standing(at), _touching())[space],
        bridges=_or_nothing(at["bridges"], _sites_of_spaces())[space],
        built=at["built"][None, 0],
        house_due=at["dues"][None, 4:5],
        favors=at["favor_supply"][None],
        round=at["round_number"][None],
        **goods,
    )


def _banks(at: Places) -> np.ndarray:
    """What stands around each river space."""
    most = max(map(len, BOARD.banks))
    banks = np.array([banks + [NOTHING] * (most - len(banks)) for banks in BOARD.banks])
    return _or_nothing(_standing(at), banks)


# ------------------------------------------------------------------------- cults, tiles and the others


def _tracks(at: Places) -> Columns:
    """Of each cult track: the steps of all seats, who stands on it, what the round rewards, and keys."""
    return {
        "steps": at["cult"].transpose(1, 0),
        "priests_there": at["spots"],
        "stopped": at["stopped"][:, None],
        "reward_for": at["reward_for"][:4, None],
        "reward": at["reward"][None],
        "keys": at["keys"][None, :1],
        "round": at["round_number"][None],
    }


def _priests(at: Places, one: Any) -> Rows:
    """A track and how many steps a priest makes there."""
    tracks = {name: np.repeat(places, 3, axis=0) if len(places) > 1 else places for name, places in _tracks(at).items()}
    number = np.tile(_which(one, 3), (4, 1))
    return Rows(12, alike="tracks may stand alike", number=number, away=at["reward_for"][None, 4:], **tracks,
                goods=_goods(at)[None])  # fmt: skip


def _favors(at: Places, one: Any, game: Any) -> Rows:
    """Favor tiles: which, and the track that they move on."""
    track = game.tables[0].favor_cult
    return _numbered(
        one,
        12,
        copies=at["favor_supply"][:, None],
        steps=at["cult"].T[track],
        reward_for=at["reward_for"][track][:, None],
        reward=at["reward"][None],
        keys=at["keys"][None, :1],
        round=at["round_number"][None],
        built=at["built"][None, 0],
    )


def _answers(at: Places, one: Any) -> dict[str, Rows]:
    """Power that is offered: how much, by whom, what would be gained, and how the bowls stand."""
    power, faction = np.divmod(np.arange(NAMED_OFFERS * len(FACTIONS)), len(FACTIONS))
    offer: Columns = {
        "gain": at["offer_gain"][None],
        "bowls": at["bowls"][None, 0],
        "income": at["income"][None, 0],
        **_whole(at, points="points", offers="offers", round="round_number", costs="costs"),
    }
    return {
        "leech": Rows(len(power), power=_which(one, NAMED_OFFERS)[power], giver=at["faction"].T[faction], **offer),
        "leech more": Rows(1, taken=at["actor"][None, :1], **offer),
        "decline": Rows(1, **offer),
    }
