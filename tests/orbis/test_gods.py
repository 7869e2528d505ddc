"""The ten gods (rules §6)."""

from collections.abc import Callable

import pytest


def points(game, god: str, **more: bool) -> int:
    """What a god of seat 0 pays now."""
    return game.god(god, **more).score()["god"]["cp"]


def test_apprentice_goddess(table: Callable) -> None:
    assert points(table(), "apprentice_goddess") == 2


def test_idle_goddess(table: Callable) -> None:
    """A33: wilderness costs nothing, and 1 point."""
    game = table().universe("~W1-1 ~W1-2 R1-4").god("idle_goddess")
    found = game.score()
    assert (found["wilderness_cp"], found["god"]["cp"], found["total"]) == (0, 1, 2)
    assert [tile["cp"] for tile in found["tiles"]] == [0, 0, 1]


@pytest.mark.parametrize(
    ("own", "other", "cp"), [("~W1-1", "~W1-2", 3), ("W1-1", "W1-2", 3), ("W1-1", "~W1-2", 3), ("~W1-1", "W1-2", 0)]
)
def test_god_of_technology_nobody_has_fewer_wildernesses(own: str, other: str, cp: int, table: Callable) -> None:
    """A21: zero counts, also when tied."""
    assert points(table().universe(own).universe(other, seat=1), "god_of_technology") == cp


def test_god_of_technology_counts_those_of_the_idle_goddess(table: Callable) -> None:
    """A33."""
    game = table().universe("~W1-1").universe("~W1-2 ~W1-3", seat=1).god("idle_goddess", seat=1)
    assert points(game, "god_of_technology") == 3


@pytest.mark.parametrize(
    ("universe", "cp"),
    [
        ("Y2-4+ R2-1+ W2-1", 3),
        ("Y2-4x R2-1+ W2-1", 0),
        ("Y2-4+ R2-1x W2-1", 0),
        ("Y2-4+ R2-1+ W1-4", 0),
        ("Y2-4+ R2-1+ ~W2-1", 0),
    ],
)
def test_god_of_balance(universe: str, cp: int, table: Callable) -> None:
    """A22: a white tile without a temple is none."""
    assert points(table().universe(universe), "god_of_balance") == cp


def test_god_of_death(table: Callable) -> None:
    """Exactly six of any colours, when taken."""
    game = table().offer("god_of_death", "idle_goddess").realm("4 white 3 red").play("take god of death")
    assert game.legal("discard") == ["white", "red"] and "decline" in game.legal()
    game.play(*["discard white"] * 4, "discard red", "discard red")
    assert game.position.actor == 1 and game.has() == "1 red" and game.score()["god"]["cp"] == 3


def test_god_of_death_declined_or_impossible(table: Callable) -> None:
    """A19: no partial discard."""
    game = table().offer("god_of_death", "idle_goddess").realm("2 white 2 red 2 blue").play("take god of death")
    game.play("decline")
    assert game.has() == "2 white 2 blue 2 red" and game.score()["god"] == {
        "id": "god_of_death",
        "fulfilled": False,
        "cp": 0,
    }
    game = table().offer("god_of_death", "idle_goddess").realm("2 white 2 red 1 blue").play("take god of death")
    assert game.position.actor == 1 and game.score()["god"]["cp"] == 0


def test_goddess_of_love(table: Callable) -> None:
    """Any five worshippers, any mix, and 1 point."""
    game = table().offer("goddess_of_love", "idle_goddess").play("take goddess of love")
    assert len(game.legal("gain")) == 5 == len(game.legal())
    game.play("gain white", "gain red", "gain red", "gain blue", "gain green")
    assert game.has() == "1 white 1 green 1 blue 2 red" and game.score()["god"]["cp"] == 1


MOST = {
    "god_of_the_sea": ("B2-1+ B2-2+", "B2-3+", "B2-4x"),
    "goddess_of_fire": ("R2-1+ R2-2+", "R2-3+", "R2-4x"),
    "god_of_harvest": ("Y2-4+ Y3-1+", "Y3-2+", "Y3-3x"),
    "goddess_of_nature": ("~W1-1 G2-1 ~W1-2 G2-4 ~W1-3", "~Y1-1 G2-3 ~Y1-2", "G3-1"),
}


@pytest.mark.parametrize("god", MOST)
def test_gods_of_the_most(god: str, table: Callable) -> None:
    """Ties count for the owner; at least one is needed (A20), unless the option says no."""
    two, one, none = MOST[god]
    assert points(table().universe(two).universe(one, seat=1), god) == 3
    assert points(table().universe(one).universe(two, seat=1), god) == 0
    assert points(table().universe(one), god) == 3
    tied = table().universe(one).universe(two.replace(two.split()[1], none), seat=1)
    assert points(tied, god) == 3
    assert points(table().universe(none), god) == 0
    assert points(table(most_needs_one=False).universe(none), god) == 3
