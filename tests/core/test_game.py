"""Configuring a game with component data of a stranger: checked before rules see them."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest
from tictactoe import SPEC as TICTACTOE

from theogony.envs import GAMES, load
from theogony.envs.core.game import MOST_DECISIONS, ComponentError, OptionError
from theogony.envs.core.position import Position

Change = Callable[[Any], Any]


def refused(name: str, change: Change, message: str) -> None:
    spec = load(name)
    data = copy.deepcopy(spec.configure().components)
    change(data)
    with pytest.raises(ComponentError, match=f"^a stranger's file: .*{re.escape(message)}") as caught:
        spec.configure(None, data, "a stranger's file")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("name", GAMES)
def test_components_that_are_the_games_own_change_nothing(name: str) -> None:
    own = load(name).configure()
    given = load(name).configure(None, own.components)
    assert given.component_digest == own.component_digest
    assert given.tables.tobytes() == own.tables.tobytes()
    assert pickle.loads(pickle.dumps(given)).component_digest == own.component_digest


@pytest.mark.parametrize("value", [-128, -1, 5, 127, 10**30, "0", None, True])
def test_squares_that_would_corrupt_memory_are_refused(value: Any) -> None:
    refused("push_of_faith", lambda d: d["tiles"][0]["squares"][0].__setitem__(0, value), "tiles.0 (id 0).squares.0.0")


def test_sums_that_would_overflow_are_refused() -> None:
    def change(data: Any) -> None:
        tile = data["tiles"][0]
        data["tiles"] = [{**tile, "id": k, "statues": [0] * 99} for k in range(400)]

    refused("push_of_faith", change, "tiles.0 (id 0).statues")


@pytest.mark.parametrize("name", ["push_of_faith", "orbis", "innovation", "god_of_war"])
def test_text_that_steers_a_terminal_is_refused(name: str) -> None:
    def change(data: Any) -> None:
        paths: dict[str, Change] = {
            "push_of_faith": lambda d: d["terrains"].__setitem__(0, "\x1b]0;x\x07"),
            "orbis": lambda d: d["regions"][0].update(id="\x1b[2J"),
            "innovation": lambda d: d["cards"][0].update(name="\x1b[2J"),
            "god_of_war": lambda d: d["scenes"][0].update(name="\x1b[2J"),
        }
        paths[name](data)

    refused(name, change, "\\x1b" if name != "innovation" else "")


def test_a_game_without_a_check_takes_its_own_components_only() -> None:
    assert TICTACTOE.check_components is None
    game = TICTACTOE.configure(None, TICTACTOE.configure().components)
    Position(game, 1).play(4)
    with pytest.raises(ComponentError, match=r"^components: tictactoe takes no other components than its own$"):
        TICTACTOE.configure(None, {"squares": 10})


def test_the_limit_of_decisions_is_counted_in_32_bits() -> None:
    for name in GAMES:
        assert load(name).configure({"max_decisions": MOST_DECISIONS}).tables[0].max_decisions == MOST_DECISIONS
        with pytest.raises(OptionError, match=r"max_decisions=2147483648: .*at most 2147483647 was expected"):
            load(name).configure({"max_decisions": MOST_DECISIONS + 1})


TERRA_MYSTICA: dict[str, Change] = {
    "fakirs: start: '31 C': at most": lambda d: d["factions"]["fakirs"].update(start="31 C"),
    "giants: slots D: '5 S'": lambda d: d["factions"]["giants"]["slots"]["D"].__setitem__(0, "5 S"),
    "factions.giants.cost.HUT.[key]: Input should be 'D', 'TP', 'TE', 'SH' or 'SA', found 'HUT'": (
        lambda d: d["factions"]["giants"]["cost"].update(HUT="")
    ),
    "nomads: digging: spade: one worker": lambda d: d["factions"]["nomads"]["digging"].update(spade=["1 C"]),
    "nomads: spades are no part of a start": lambda d: d["factions"]["nomads"].update(income="1 S"),
    "factions.witches.cults.2: Input should be less than or equal to 10, found 11": (
        lambda d: d["factions"]["witches"].update(cults=[0, 0, 11, 0])
    ),
    "witches: shipping: start, then max, at most 5": lambda d: d["factions"]["witches"]["shipping"].update(max=6),
    "tiles.bonus.BON6.pass_vp.boat.[key]: Input should be 'D', 'TP', 'TE', 'SH', 'SA' or 'ship', found 'boat'": (
        lambda d: d["tiles"]["bonus"]["BON6"]["pass_vp"].update(boat=3)
    ),
    "FAV9: copies 2: 3 to 10": lambda d: d["tiles"]["favor"]["FAV9"].update(copies=2),
    "tiles.favor.FAV9.steps: Input should be less than or equal to 10, found 11": (
        lambda d: d["tiles"]["favor"]["FAV9"].update(steps=11)
    ),
    "FAV12: pass_vp: 5 numbers": lambda d: d["tiles"]["favor"]["FAV12"].update(pass_vp=[1, 2]),
    "tiles.town.TW1.keys: Input should be less than or equal to 3, found 4": (
        lambda d: d["tiles"]["town"]["TW1"].update(keys=4)
    ),
    "tiles.scoring.SCORE1.scores.0: Input should be 'D', 'TP', 'TE', 'SH', 'SA', 'SPADE' or 'TOWN', found 'X'": (
        lambda d: d["tiles"]["scoring"]["SCORE1"].update(scores=["X"])
    ),
    "tiles.scoring.SCORE2.every: Input should be greater than or equal to 1, found 0": (
        lambda d: d["tiles"]["scoring"]["SCORE2"].update(every=0)
    ),
    "map: List should have at most 20 items after validation, not 29": (lambda d: d["map"].extend(["Y"] * 20)),
    "map: the map has": lambda d: d["map"].pop(),
    "factions: fakirs missing or unknown": lambda d: d["factions"].pop("fakirs"),
}


@pytest.mark.parametrize("message", TERRA_MYSTICA)
def test_pieces_of_terra_mystica_are_checked(message: str) -> None:
    refused("terra_mystica", TERRA_MYSTICA[message], message)


@pytest.mark.parametrize("name", GAMES)
def test_pieces_may_be_changed_without_changing_those_of_other_games(name: str) -> None:
    """Games with equal options are made once, and their component data is everybody's own."""
    spec = load(name)
    one = spec.configure()
    before = copy.deepcopy(one.components)
    one.components.clear()
    for other in (spec.configure(), pickle.loads(pickle.dumps(one))):
        assert other.components == before and other.tables is one.tables


class _Lists(TICTACTOE.options):  # pyright: ignore[reportGeneralTypeIssues]
    order: list[int] = [1, 2]


def test_options_may_be_lists() -> None:
    spec = dataclasses.replace(TICTACTOE, options=_Lists)
    assert spec.configure({"order": [3]}).options.order == [3]


def test_a_pickle_names_pieces_that_are_not_these() -> None:
    game = load("orbis").configure()
    make, (module, options, _) = game.__reduce__()
    with pytest.raises(ComponentError, match="orbis: pickled with other components than those that are installed"):
        make(module, options, "0" * 16)
