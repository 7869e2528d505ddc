"""The rules around the cards, one by one (docs/games/innovation.md)."""

from collections.abc import Callable

import pytest
from moves import legal_texts

from theogony.envs.core.position import Position
from theogony.envs.innovation.actions import NAMES
from theogony.envs.innovation.breakdown import icons_of
from theogony.envs.innovation.game import SPEC
from theogony.envs.innovation.state import ACTION, INITIAL_MELD, cards_in

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
    assert [t for t in legal_texts(low) if t.startswith("achieve")] == ["achieve 1"]
    high = lay(p0={"board": {"Paper": "none"}, "score": score})
    assert [t for t in legal_texts(high) if t.startswith("achieve")] == ["achieve 1", "achieve 2"]
    play(high, "achieve 2")
    assert int(high.g.achievements[0]) == 1 and int(high.g.points[0]) == 12
    assert [t for t in legal_texts(high) if t.startswith("achieve")] == ["achieve 1"]


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
    assert three.actor == 1 and legal_texts(three) == ["card Tools", "card Oars", "card Sailing"]


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
    assert legal_texts(three) == ["player 1 to the left", "player 2 to the left"]


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
