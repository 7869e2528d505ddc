"""The rules around the cards, one by one (docs/games/innovation.md)."""

from collections.abc import Callable
from typing import Any

import pytest

from theogony.envs.core.position import Position
from theogony.envs.innovation.actions import NAMES
from theogony.envs.innovation.breakdown import icons_of
from theogony.envs.innovation.components import SPECIALS
from theogony.envs.innovation.game import SPEC
from theogony.envs.innovation.state import ACTION, ENDINGS, INITIAL_MELD, NONE, cards_in


def texts(position: Position) -> list[str]:
    return [position.game.actions.text(int(a)) for a in position.legal_actions()]


# ---------------------------------------------------------------------------------------------------- set-up (§2)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_set_up(players: int) -> None:
    """Nine age achievements of the tops of 1 to 9, two cards each, everything else in the supply."""
    g = Position(SPEC.configure({"players": players}), 5).g
    assert [int(n) for n in g.height[20:30]] == [14 - 2 * players, *[9] * 8, 10]
    assert [len(cards_in(g.hand[k])) for k in range(players)] == [2] * players
    assert g.decision == INITIAL_MELD


def test_first_melds_are_secret_and_the_alphabet_decides_who_begins() -> None:
    position = Position(SPEC.configure({"players": 3}), 2)
    melds = []
    for seat in range(3):
        assert position.actor == seat
        card = int(position.legal_actions()[0])
        other = position.clone()
        other.play(int(position.legal_actions()[1]))
        position.play(card)
        melds.append(NAMES[card])
        if seat < 2:  # the choice shows in nobody's view but the own
            hidden = [k for k in range(3) if k != seat]
            assert [position.observe(k).tobytes() for k in hidden] == [other.observe(k).tobytes() for k in hidden]
    assert position.g.decision == ACTION
    assert int(position.g.turn) == melds.index(min(melds))


@pytest.mark.parametrize(("players", "expected"), [(2, [1, 2, 2]), (3, [1, 2, 2, 2]), (4, [1, 1, 2, 2, 2])])
def test_first_turns_are_short(players: int, expected: list[int]) -> None:
    """One action for the first player; with four players for the first two (§2, 7)."""
    position = Position(SPEC.configure({"players": players}), 1)
    for _ in range(players):
        position.play(int(position.legal_actions()[0]))
    lengths, first = [], int(position.g.turn)
    for k in range(len(expected)):
        assert int(position.g.turn) == (first + k) % players
        lengths.append(int(position.g.actions_left))
        while int(position.g.turn) == (first + k) % players:
            position.play(position.game.actions.encode("draw"))
    assert lengths == expected


# ---------------------------------------------------------------------------------------------------- actions (§3)


def test_draw_takes_the_highest_top_value_or_the_next_higher_pile(
    lay: Callable, play: Callable, look: Callable
) -> None:
    position = lay(p0={"board": {"Optics": "none"}}, supply={3: ["Paper"]})
    play(position, "draw")
    assert look(position)["seats"][0]["hand"] == ["Paper"]


def test_an_empty_pile_gives_way_to_the_next_higher_one(lay: Callable, play: Callable, look: Callable) -> None:
    """All cards of age 1 are somewhere else, so a draw of 1 is a 2 (§4.1)."""
    ones = [name for name in NAMES[:15] if name not in ("Sailing", "Mysticism")]
    position = lay(p0={"board": {"Sailing": "none"}}, p1={"score": ones}, supply={2: ["Currency"]})
    play(position, "draw")  # Mysticism is the achievement of age 1
    assert look(position)["seats"][0]["hand"] == ["Currency"]


def test_meld_keeps_the_splay(lay: Callable, play: Callable, look: Callable) -> None:
    position = lay(p0={"board": {"Tools": "left", "Writing": "left"}, "hand": ["Pottery"]})
    play(position, "card Pottery")
    seat = look(position)["seats"][0]
    assert seat["board"]["blue"] == ["Tools", "Writing", "Pottery"] and seat["splays"]["blue"] == "left"
    assert icons_of(position.g, 0) == {"castle": 1, "crown": 1, "leaf": 3, "bulb": 0, "factory": 0, "clock": 0}


@pytest.mark.parametrize(("splay", "bulbs", "castles"), [("none", 0, 3), ("left", 0, 5), ("right", 1, 5), ("up", 1, 5)])
def test_icons_that_a_splay_shows(splay: str, bulbs: int, castles: int, lay: Callable) -> None:
    """Left: bottom right; right: both on the left; up: the three below (§4.5). Archery and Oars under Metalworking."""
    shown = icons_of(lay(p0={"board": {"Oars": splay, "Archery": splay, "Metalworking": splay}}).g, 0)
    assert (shown["bulb"], shown["castle"]) == (bulbs, castles)


def test_achieving_needs_points_and_a_top_card(lay: Callable, play: Callable) -> None:
    """Five points an age, and a top card of that age or higher (§3.3)."""
    score = ["Experimentation", "Colonialism", "Gunpowder"]  # 12 points
    low = lay(p0={"board": {"Sailing": "none"}, "score": score})
    assert [t for t in texts(low) if t.startswith("achieve")] == ["achieve 1"]
    high = lay(p0={"board": {"Paper": "none"}, "score": score})
    assert [t for t in texts(high) if t.startswith("achieve")] == ["achieve 1", "achieve 2"]
    play(high, "achieve 2")
    assert int(high.g.achievements[0]) == 1 and int(high.g.points[0]) == 12
    assert [t for t in texts(high) if t.startswith("achieve")] == ["achieve 1"]


# ---------------------------------------------------------------------------------------------------- dogma (§5)


def test_sharers_go_first_and_earn_the_active_player_a_card(lay: Callable, play: Callable, look: Callable) -> None:
    position = lay(
        p0={"board": {"Writing": "none"}},
        p1={"board": {"Tools": "none"}},
        supply={1: ["Sailing"], 2: ["Calendar", "Currency"]},
    )
    play(position, "dogma of blue")
    seats = look(position)["seats"]
    assert seats[1]["hand"] == ["Calendar"]
    assert seats[0]["hand"] == ["Sailing", "Currency"]  # own draw, then the free one of its highest value


def test_no_bonus_for_own_changes(lay: Callable, play: Callable, look: Callable) -> None:
    position = lay(p0={"board": {"Writing": "none"}}, supply={2: ["Calendar"]})
    play(position, "dogma of blue")
    assert look(position)["seats"][0]["hand"] == ["Calendar"]
    assert not position.g.had_bonus


def test_a_demand_strikes_those_with_fewer_icons(lay: Callable, play: Callable, look: Callable) -> None:
    """Archery: the seat with as many castles is left alone."""
    position = lay(
        players=3,
        p0={"board": {"Archery": "none"}},
        p1={"board": {"Oars": "none"}, "hand": ["Paper"]},
        p2={"board": {"Sailing": "none"}, "hand": ["Compass"]},
    )
    play(position, "dogma of red")
    seats = look(position)["seats"]
    assert "Compass" in seats[0]["hand"] and seats[1]["hand"] == ["Paper"]
    assert not position.g.had_bonus  # changes made by a demand never give it


def test_a_pile_of_one_loses_its_splay_for_good(lay: Callable, play: Callable, look: Callable) -> None:
    """Robotics scores the top green card (§4.5)."""
    position = lay(
        p0={"board": {"Robotics": "none", "Sailing": "up", "Clothing": "up"}, "hand": ["The Wheel"]},
        supply={10: ["Databases"]},
    )
    play(position, "dogma of red")
    assert look(position)["seats"][0]["splays"]["green"] == "none"


def test_what_must_go_in_any_order_is_not_asked(lay: Callable, play: Callable, look: Callable) -> None:
    """Combustion takes two of two cards without a question, but asks for two of three."""
    rest = {"board": {"Combustion": "none"}}
    two = lay(p0=rest, p1={"score": ["Tools", "Oars"]})
    play(two, "dogma of red")
    assert look(two)["seats"][0]["score"] == ["Tools", "Oars"]
    three = lay(p0=rest, p1={"score": ["Tools", "Oars", "Sailing"]})
    play(three, "dogma of red")
    assert three.actor == 1 and texts(three) == ["card Tools", "card Oars", "card Sailing"]


def test_performed_alone_nobody_shares_and_no_demand_is_made(lay: Callable, play: Callable, look: Callable) -> None:
    """Self Service on Oars: no demand took place, so its second effect draws (§5.2)."""
    position = lay(
        p0={"board": {"Self Service": "none", "Oars": "none"}},
        p1={"board": {"Sailing": "none"}, "hand": ["Clothing"]},
        supply={1: ["Pottery"]},
    )
    play(position, "dogma of green")  # its only other top card is picked without a question
    seats = look(position)["seats"]
    assert seats[0]["hand"] == ["Pottery"] and seats[1]["hand"] == ["Clothing"]


def test_performed_alone_the_others_remain_targets(lay: Callable, play: Callable, look: Callable) -> None:
    """Self Service on Bioengineering: nobody shares, but a leaf of another board is taken all the same (ruling R12)."""
    position = lay(
        p0={"board": {"Self Service": "none", "Bioengineering": "none"}},
        p1={"board": {"Pottery": "none", "Fermenting": "none", "Vaccination": "none"}},
    )
    play(position, "dogma of green", "card Pottery")
    assert look(position)["seats"][0]["score"] == ["Pottery"]


def test_no_question_has_a_single_answer(lay: Callable, play: Callable, look: Callable) -> None:
    """Optics with two players: whose score pile it is need not be asked; with three it is (ruling R14)."""
    optics = {"board": {"Optics": "none"}, "score": ["Paper", "Compass"]}
    two = lay(p0=optics, supply={3: ["Alchemy"]})
    play(two, "dogma of red", "card Paper")
    assert look(two)["seats"][1]["score"] == ["Paper"]
    three = lay(players=3, p0=optics, supply={3: ["Alchemy"]})
    play(three, "dogma of red")
    assert texts(three) == ["player 1 to the left", "player 2 to the left"]


def test_fission_removes_everything(lay: Callable, play: Callable, look: Callable) -> None:
    position = lay(
        p0={"board": {"Fission": "none"}, "hand": ["Tools"], "score": ["Oars"]},
        p1={"board": {"Sailing": "none"}},
        supply={10: ["Robotics"]},
    )
    play(position, "dogma of red")
    for seat in look(position)["seats"]:
        assert seat["hand"] == seat["score"] == [] and seat["board"] == {}
    assert int(position.g.points[0]) == 0 and int(position.g.turn) == 0 and int(position.g.actions_left) == 1


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
