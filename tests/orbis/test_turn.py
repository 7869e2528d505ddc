"""The seven steps of a region turn, exchanges and the god turn (rules §3)."""

from collections.abc import Callable

import pytest

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.record import ENDED
from theogony.envs.orbis.actions import DISPLAY_NAMES
from theogony.envs.orbis.state import NONE

NINE = "B1-1 Y1-2 R1-1 W1-2 G1-3 G1-2 B1-3 R1-4 W1-4"


@pytest.mark.parametrize(
    ("place", "neighbours"), [(0, {1, 3}), (1, {0, 2, 4}), (4, {1, 3, 5, 7}), (5, {2, 4, 8}), (8, {5, 7})]
)
@pytest.mark.parametrize("face", ["face up", "wilderness"])
def test_step_1_generate_on_orthogonal_neighbours(place: int, neighbours: set, face: str, table: Callable) -> None:
    """Corner 2, edge 3, centre 4, of the tile's colour, also for a wilderness."""
    game = table().display("B1-1 B1-2 B2-1 B2-2 B1-3 B2-3 B3-1 B3-2 B1-1")
    game.realm("2 white 2 yellow 2 green 2 blue 2 red").play(f"take tile from {DISPLAY_NAMES[place]}", face)
    lying = [game.lies(k) for k in range(9)]
    assert {k for k in range(9) if lying[k] == "1 blue"} == neighbours
    assert all(not lying[k] for k in range(9) if k not in neighbours)


def test_step_2_collect(table: Callable) -> None:
    game = table().display(NINE).lying(p4="2 white 1 red", p5="1 blue").realm("1 red")
    game.play("take tile from b2")
    assert game.has() == "2 white 2 red" and not game.lies(4) and game.lies(5) == "1 green 1 blue"


def test_step_2_the_realm_may_exceed_ten_during_the_turn(table: Callable) -> None:
    """A15."""
    game = table().display(NINE).lying(p4="5 white").realm("2 white 2 yellow 2 green 2 blue 2 red")
    game.play("take tile from b2")
    assert game.g.realm[0].sum() == 15


def test_step_3_named_colours_and_any(table: Callable) -> None:
    """1 green and 1 any: the green is paid by itself, the payer chooses the other."""
    game = table().display("W1-4").realm("1 white 2 blue").play("take tile from a1", "face up")
    assert game.legal("pay") == ["white", "blue"]
    game.play("pay blue")
    assert game.has() == "1 white 1 blue"
    game = table().display("B2-1").realm("1 green 1 blue 1 red").play("take tile from a1", "face up")
    assert game.has() == "1 red" and game.legal() == ["pay red"]


def test_step_3_collected_worshippers_pay_for_their_tile(table: Callable) -> None:
    game = table().display("B2-4").lying(p0="1 green 1 blue").play("take tile from a1", "face up")
    assert game.has() == ""


@pytest.mark.parametrize(
    ("realm", "payable"),
    [("1 green 1 blue 1 white", True), ("2 green 2 blue", True), ("1 green 1 blue", False), ("3 green 2 red", False)],
)
def test_step_3_payable(realm: str, payable: bool, table: Callable) -> None:
    """B2-1 costs 1 blue, 1 green and 1 any."""
    game = table().display("B2-1").realm(realm).play("take tile from a1")
    assert ("face up" in game.legal()) == payable
    assert "wilderness" in game.legal()


def test_step_3_a_payable_tile_may_become_wilderness(table: Callable) -> None:
    """A4, and its option."""
    assert table().display(NINE).play("take tile from a1").legal() == ["face up", "wilderness"]
    strict = table(free_wilderness=False).display(NINE)
    assert strict.play("take tile from a1").legal() == ["face up"]
    strict.play("face up", "place bottom right", "take tile from b3")
    assert strict.legal() == ["wilderness"]


def test_step_3_a_tile_payable_after_an_exchange_may_become_wilderness(table: Callable) -> None:
    """A4: with free_wilderness=False the realm counts as it is; nobody has to exchange."""
    game = table(free_wilderness=False).display("B2-4").realm("3 white 1 green").play("take tile from a1")
    assert "wilderness" in game.legal() and "face up" not in game.legal()
    assert "wilderness" not in game.play("exchange 3 white for 1 blue").legal()


def test_step_3_payable_without_a_slot_becomes_wilderness_and_nothing_is_paid(table: Callable) -> None:
    """A5."""
    game = table().universe("W1-1 W1-2 W1-3 Y1-1 Y1-2").display("B2-4").realm("1 green 1 blue")
    assert game.play("take tile from a1").legal() == ["wilderness"]
    game.play("wilderness")
    assert game.has() == "1 green 1 blue"


def test_step_6_discard_exactly_the_excess_by_choice(table: Callable) -> None:
    """A46."""
    game = table().display(NINE).lying(p0="2 white 1 red").realm("2 white 2 yellow 2 green 2 blue 2 red")
    game.play("take tile from a1", "wilderness", "place bottom right")
    assert "end turn" not in game.legal() and game.legal("discard") == ["white", "yellow", "green", "blue", "red"]
    game.play("discard red", "discard red", "discard white")
    assert game.position.actor == 1 and game.has() == "3 white 2 yellow 2 green 2 blue 1 red"


def test_step_6_no_exchange_after_the_discard(table: Callable) -> None:
    """A44."""
    game = table().display(NINE).lying(p0="2 white").realm("2 white 2 yellow 2 green 2 blue 2 red")
    game.play("take tile from a1", "wilderness", "place bottom right")
    assert game.legal("exchange")
    game.play("discard red")
    assert not game.legal("exchange") and game.legal("discard")


def test_step_7_refill_from_the_lowest_level_left(table: Callable) -> None:
    game = table(2, seed=1)
    levels = []
    for _ in range(27):
        for _ in range(2):
            coming = game.g.pile[game.g.drawn]
            game.play("take tile from a2", "wilderness")
            slot = game.legal("place")[0]
            game.play(f"place {slot}")
            if game.legal("end turn"):
                game.play("end turn")
            while game.legal("discard"):
                game.play(f"discard {game.legal('discard')[0]}")
            assert game.g.display[3] == coming and game.lies(3) == ""
            levels.append(int(game.t.level[coming]))
        if len(levels) == 28:
            break
    assert levels == [1] * 2 + [2] * 11 + [3] * 15


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_piles_last_for_every_refill(players: int, table: Callable, finish: Callable) -> None:
    """A27: 14 tiles are taken by each seat, and after the last refill the piles are empty."""
    game = table(players, seed=7)
    finish(game.position)
    assert game.g.drawn == 14 * players and (game.g.pile == NONE).all() and (game.g.display != NONE).all()


def test_the_supply_of_worshippers_has_no_end(table: Callable) -> None:
    """A26: with a hundred red ones in realms and on the display, another one comes."""
    game = table().display("R1-1 R1-2 R1-3 R1-4 B1-1 Y1-2 W1-2 G1-3 G1-2")
    game.g.lying[:, 4], game.g.realm[1, 4] = 10, 10
    game.realm("3 red").play("take tile from b1", "wilderness")
    assert game.lies(0) == "11 red" and game.has() == "13 red"


def test_exchange_three_for_one(table: Callable) -> None:
    """§3.1: any number of times before paying, also with worshippers just collected."""
    game = table().display("B2-4").lying(p0="1 red").realm("3 white 2 red").play("take tile from a1")
    assert len(game.legal("exchange")) == 8 and "face up" not in game.legal()
    game.play("exchange 3 white for 1 green", "exchange 3 red for 1 blue", "face up", "place bottom right")
    assert game.has() == ""


def test_exchange_three_are_needed(table: Callable) -> None:
    game = table().display(NINE).realm("2 white 2 red").play("take tile from a1")
    assert not game.legal("exchange")


def test_exchange_into_the_same_colour_is_an_option(table: Callable) -> None:
    """A45."""
    assert "3 red for 1 red" not in table().display(NINE).realm("3 red").play("take tile from a1").legal("exchange")
    game = table(same_colour_exchange=True).display(NINE).realm("3 red").play("take tile from a1")
    assert game.play("exchange 3 red for 1 red").has() == "1 red"


def test_exchange_at_the_end_of_the_turn(table: Callable) -> None:
    """A44: after the effect, with ten or fewer only unless the option forbids it."""
    game = table().display(NINE).realm("3 red").play("take tile from a1", "wilderness", "place bottom right")
    assert game.legal("end turn") and len(game.legal("exchange")) == 4
    assert game.play("exchange 3 red for 1 blue").position.actor == 1
    game = table(late_exchange=False).display(NINE).realm("3 red")
    assert game.play("take tile from a1", "wilderness", "place bottom right").position.actor == 1


def test_exchange_in_a_god_turn(table: Callable) -> None:
    """A16."""
    game = table().offer("apprentice_goddess", "god_of_technology").realm("3 red").play("take apprentice goddess")
    assert game.position.actor == 0 and len(game.legal("exchange")) == 4
    assert game.play("exchange 3 red for 1 blue").has() == "1 blue" and game.position.actor == 1


def test_no_exchange_in_another_players_turn(table: Callable) -> None:
    game = table().display(NINE).realm("3 red", seat=1)
    game.play("take tile from a1")
    assert game.position.actor == 0 and not game.legal("exchange")


def test_god_turn(table: Callable) -> None:
    """§3.3: nothing is generated or refilled, the offer is not filled up, and there is no second god."""
    game = table(3).offer("apprentice_goddess", "god_of_technology")
    display = game.g.display.copy()
    game.play("take apprentice goddess")
    assert game.position.actor == 1 and (game.g.display == display).all() and game.g.lying.sum() == 0
    assert game.legal("take go") == ["d of technology"] and not game.legal("take apprentice")
    game.play("take god of technology", "take tile from a1", "wilderness", "place bottom right")
    assert game.legal() == [f"take tile from {place}" for place in DISPLAY_NAMES]


def test_a_god_is_forced_when_the_pyramid_is_full(table: Callable) -> None:
    """A17."""
    rows = ("~W1-1 ~W1-2 ~W1-3 ~W1-4 ~Y1-1", "~Y1-2 ~Y1-3 ~Y1-4 ~G1-1", "~G1-2 ~G1-3 ~G1-4", "~B1-1 ~B1-2")
    game = table().universe(*rows).offer("apprentice_goddess", "goddess_of_fire")
    assert game.legal() == ["take apprentice goddess", "take goddess of fire"]


def test_the_limit_ends_a_god_turn_too(table: Callable) -> None:
    """A18."""
    game = table().offer("goddess_of_love").realm("2 white 2 yellow 2 green 2 blue 1 red")
    game.play("take goddess of love", *["gain red"] * 5)
    assert game.g.realm[0].sum() == 14 and game.legal("discard") and not game.legal("end turn")


def test_fifteen_turns_each(table: Callable, finish: Callable) -> None:
    """14 region turns and 1 god turn, in any order."""
    for players in (2, 3, 4):
        game = table(players, seed=players)
        finish(game.position, players)
        g = game.position.g
        assert g.over == ENDED and g.turns == 15 * players
        assert (g.placed[:players] == 14).all() and (g.god[:players] >= 0).all()


def test_turns_go_clockwise(table: Callable) -> None:
    game = table(3, seed=2, first_player="random")
    first = game.position.actor
    for k in range(6):
        assert game.position.actor == (first + k) % 3
        game.play("take tile from a1", "wilderness", "place bottom right")
        while game.position.actor == (first + k) % 3:
            game.position.play(int(game.position.legal_actions()[-1]))


def test_an_illegal_action_says_what_was_legal(table: Callable) -> None:
    game = table().display("W1-4").play("take tile from a1")
    before = game.position.key()
    with pytest.raises(IllegalAction, match=r"'face up'\) is not legal for seat 0; legal: 'wilderness'"):
        game.play("face up")
    assert game.position.key() == before
