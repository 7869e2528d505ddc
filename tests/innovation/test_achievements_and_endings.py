"""Special achievements (§6), and how the game ends (§8)."""

from collections.abc import Callable
from typing import Any

import pytest

from theogony.envs.core.position import Position
from theogony.envs.innovation.breakdown import icons_of
from theogony.envs.innovation.components import SPECIALS
from theogony.envs.innovation.state import ACTION, ENDINGS, NONE

# ---------------------------------------------------------------------------------------------------- specials (§6)


def special(position: Position, name: str) -> int:
    return int(position.g.special[SPECIALS.index(name)])


def test_monument_by_scoring_six_cards_in_a_turn(lay: Callable, play: Callable) -> None:
    hand = ["Tools", "Oars", "Sailing", "Pottery", "Writing", "Archery"]
    position = lay(p0={"board": {"Stem Cells": "none"}, "hand": hand}, p1={"board": {"Antibiotics": "none"}})
    play(position, "dogma of yellow")
    while position.g.decision != ACTION:
        play(position, "yes")
    assert special(position, "Monument") == 0 and int(position.g.scores[0]) == 6
    play(position, "draw")
    assert int(position.g.scores[0]) == 0  # the counters are of one turn


def test_monument_is_not_for_five(lay: Callable, play: Callable) -> None:
    hand = ["Tools", "Oars", "Sailing", "Pottery", "Writing"]
    position = lay(p0={"board": {"Stem Cells": "none"}, "hand": hand})
    play(position, "dogma of yellow", "yes")
    assert special(position, "Monument") == NONE


def test_universe_needs_five_top_cards_of_8(lay: Callable, play: Callable) -> None:
    board = {"Quantum Theory": "none", "Flight": "none", "Corporations": "none", "Antibiotics": "none"}
    position = lay(p0={"board": board, "hand": ["Empiricism", "Lighting"]})
    play(position, "card Lighting")
    assert special(position, "Universe") == NONE
    play(position, "card Empiricism")
    assert special(position, "Universe") == 0


def test_world_needs_twelve_clocks(lay: Callable, play: Callable) -> None:
    """Eleven are not enough; Quantum Theory on a splayed pile brings more."""
    board = {"Tools": "up", "Software": "up", "Fission": "none", "Satellites": "none", "Railroad": "none"}
    position = lay(p0={"board": board, "hand": ["Canning", "Quantum Theory"]})
    play(position, "card Canning")
    assert icons_of(position.g, 0)["clock"] == 11 and special(position, "World") == NONE
    play(position, "card Quantum Theory")
    assert icons_of(position.g, 0)["clock"] >= 12 and special(position, "World") == 0


def test_claims_by_card(lay: Callable, play: Callable) -> None:
    """Masonry: four castles melded at once give Monument; three do not."""
    hand = ["Archery", "Metalworking", "Oars", "Domestication"]
    for some, owner in ((hand, 0), (hand[:3], NONE)):
        position = lay(p0={"board": {"Masonry": "none"}, "hand": some}, p1={"board": {"Sailing": "none"}})
        play(position, "dogma of yellow")
        while position.g.decision != ACTION:
            position.play(int(position.legal_actions()[0]))
        assert special(position, "Monument") == owner


# ---------------------------------------------------------------------------------------------------- endings (§8)


def ending(position: Position) -> tuple[str, list[int]]:
    winners = [k for k in range(position.game.players) if position.g.winners >> k & 1]
    return ENDINGS[position.g.ended_by], winners


def dry(lay: Callable, **more: Any) -> Position:
    """A position without supply: whoever draws ends the game."""
    position = lay(**more)
    g = position.g
    for pile in range(20, 30):
        while g.top[pile] != NONE:
            card = int(g.top[pile])
            g.top[pile], g.below[card], g.place[card] = g.below[card], NONE, 47
        g.bottom[pile], g.height[pile] = NONE, 0
    position.refresh()
    return position


@pytest.mark.parametrize(
    ("p0", "p1", "winners"),
    [
        ({"score": ["Paper"]}, {"score": ["Currency"]}, [0]),
        ({"score": ["Currency"]}, {"score": ["Paper"]}, [1]),
        ({"score": ["Paper"], "special_achievements": ["World"]}, {"score": ["Compass"]}, [0]),
        ({"score": ["Paper"]}, {"score": ["Compass"]}, [0, 1]),
    ],
)
def test_end_by_points(p0: Any, p1: Any, winners: list[int], lay: Callable, play: Callable) -> None:
    """Most points, then most achievements, then a shared victory (§8.2)."""
    position = dry(lay, p0=p0, p1=p1)
    play(position, "draw")
    assert ending(position) == ("points", winners)
    rewards = position.rewards("outcome")
    assert rewards.tolist() == ([0.0, 0.0] if len(winners) == 2 else [1.0, -1.0] if winners == [0] else [-1.0, 1.0])


@pytest.mark.parametrize(("players", "needed"), [(2, 6), (3, 5), (4, 4)])
def test_end_by_achievements(players: int, needed: int, lay: Callable, play: Callable) -> None:
    periods = ["Pottery", "Calendar", "Alchemy"][: max(needed - 5, 0)]
    specials = list(SPECIALS[: needed - 1 - len(periods)])
    rest = {"special_achievements": specials, "age_achievements": periods}
    position = lay(players=players, p0={**rest, "board": {"Coal": "none"}, "score": ["Robotics", "Software"]})
    assert not position.over
    play(position, "achieve 4")
    assert ending(position) == ("achievements", [0])


def test_end_by_card(lay: Callable, play: Callable) -> None:
    """Empiricism wins with twenty bulbs (§8.3)."""
    bulbs = {"Physics": "up", "Experimentation": "up", "Atomic Theory": "up", "Genetics": "up", "Evolution": "up"}
    board = {**bulbs, "Philosophy": "up", "Empiricism": "up", "Perspective": "none", "Invention": "none"}
    position = lay(p0={"board": board}, supply={9: ["Composites"]})
    assert icons_of(position.g, 0)["bulb"] >= 20
    play(position, "dogma of purple", "colours blue+green")
    assert ending(position) == ("card", [0])


def standings(position: Position) -> list[int]:
    """The seats from the first to the last."""
    return sorted(range(position.game.players), key=lambda seat: -position.standings()[seat])


def test_an_end_by_points_ranks_everybody_by_points_first(lay: Callable, play: Callable) -> None:
    """The loser with more points is second, whoever has achievements (§8.2, ruling R13); these decide a tie."""
    periods = {"age_achievements": ["Pottery", "Calendar"]}
    losers = {"p1": {**periods, "score": ["Tools"]}, "p2": {"score": ["Paper"]}}
    position = dry(lay, players=3, p0={"score": ["Software"]}, **losers)
    play(position, "draw")
    assert ending(position) == ("points", [0]) and standings(position) == [0, 2, 1]
    assert position.rewards("rank").tolist() == [1, -1, 0]
    losers = {"p1": {"score": ["Compass"]}, "p2": {**periods, "score": ["Paper"]}}
    tied = dry(lay, players=3, p0={"score": ["Software"]}, **losers)
    play(tied, "draw")
    assert standings(tied) == [0, 2, 1]


def test_other_endings_rank_by_achievements_first(lay: Callable, play: Callable) -> None:
    """Behind the winner: achievements, then points (ruling R13)."""
    won = {"special_achievements": ["Empire", "Wonder", "World", "Universe"]}
    p0 = {**won, "board": {"Coal": "none"}, "score": ["Robotics", "Software"]}
    p1 = {"age_achievements": ["Pottery"], "score": ["Tools"]}
    position = lay(players=3, p0=p0, p1=p1, p2={"score": ["Genetics"]})
    play(position, "achieve 4")
    assert ending(position) == ("achievements", [0]) and standings(position) == [0, 1, 2]
