"""Random play: the invariants of the component counts."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position
from theogony.envs.orbis.game import SPEC
from theogony.envs.orbis.state import CHOOSE, NONE

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])


def walk(table: Callable, players: int, seed: int, options: dict):
    """The positions of a game at random."""
    position = table(players, seed, **options).position
    generator = np.random.default_rng(seed)
    yield position
    while not position.over:
        position.play(generator.choice(position.legal_actions()))
        yield position


@pytest.mark.random_play
@PLAYERS
@pytest.mark.parametrize("options", SPEC.option_sets)
def test_invariants(players: int, options: dict, table: Callable) -> None:
    """Pieces are conserved; the display is full before every choice; at most ten worshippers after a turn."""
    assert SPEC.invariant is not None and SPEC.decision_bound is not None
    for seed in range(3):
        for position in walk(table, players, seed, options):
            assert SPEC.invariant(position.game, position.g) is None
            if position.g.decision == CHOOSE and not position.over:
                assert (position.g.display != NONE).all()
        g = position.g
        assert (g.display != NONE).all() and g.drawn == 14 * players and (g.pile == NONE).all()
        assert (g.placed[:players] == 14).all() and (g.god[:players] != NONE).all()
        assert (g.realm.sum(axis=1) <= 10).all()
        assert position.now <= SPEC.decision_bound(position.game.options)


def test_invariants_notice(table: Callable) -> None:
    """An invariant that finds nothing wrong with a spoilt position proves nothing."""
    assert SPEC.invariant is not None
    start = next(p for p in walk(table, 3, 5, {}) if p.now == 60).clone()
    assert start.g.tiles[0, :7].tolist() == [18, 6, 1, NONE, NONE, 7, 9] and start.g.source == 3

    def move(g: Any, cell: int) -> None:
        """The tile at b2, which supports no other, to another cell."""
        g.tiles[0, cell], g.tiles[0, 6] = g.tiles[0, 6], NONE

    spoil: dict[str, Callable] = {
        "tiles are not conserved": lambda g: g.display.__setitem__(0, g.display[1]),
        "the display has holes at ['a2']": lambda g: g.__setattr__("source", 4),
        "the piles are out of order": lambda g: g.__setattr__("drawn", g.drawn + 1),
        "there are fewer than no worshippers": lambda g: g.lying.__setitem__((0, 0), -1),
        "gods taken [2, 9, 4] and on offer [0, 1, 2,": lambda g: g.__setattr__("offer", 1023),
        "seat 0 decides 3 in the turn of seat 1": lambda g: g.__setattr__("turn", 1),
        "over is 1 after 18 turns": lambda g: g.__setattr__("over", 1),
        "seat 0 is to act in turn 19": lambda g: g.__setattr__("turns", 19),
        "seat 0 has 1 tiles and god 2 after 6 turns": lambda g: g.placed.__setitem__(0, 1),
        "seat 1 keeps [11, 0": lambda g: g.realm.__setitem__((1, 0), 11),
        "seat 0: tiles lie in a1, b1, c1, a2, e4;": lambda g: move(g, 19),
        "seat 0: one of the tiles in a1, b1, c1, a2, c2 lies on nothing": lambda g: move(g, 7),
        "seat 0: the bottom row has a gap: a1, b1, c1, e1, a2": lambda g: move(g, 4),
        "seat 0: the tile in b2 has no support of its colour": lambda g: g.wild.__setitem__(0, 0),
        "seat 0: colours are": lambda g: g.colours.__setitem__((0, 0), 0),
        "seat 0: active 10000000000000000000, cancelled 0": lambda g: g.active.__setitem__(0, 1 << 19),
        "seat 0: counts are [0, 0, 0], counted as [3": lambda g: g.counts.__setitem__((0, 0), 3),
        "seat 0: icons are 0, counted as 9": lambda g: g.icons.__setitem__(0, 9),
        "seat 0: cp are 0, counted as 99": lambda g: g.cp.__setitem__(0, 99),
        "seat 0: forests are 0, counted as 1": lambda g: g.forests.__setitem__(0, 1),
        "seat 0: farms are 0, counted as 31": lambda g: g.farms.__setitem__(0, 31),
    }
    for message, change in spoil.items():
        position = start.clone()
        assert SPEC.invariant(position.game, position.g) is None
        change(position.g)
        assert str(SPEC.invariant(position.game, position.g)).startswith(message)


def test_greedy_is_far_above_random(table: Callable) -> None:
    """Two players, ten games: about 27 points against less than 5."""
    game = table(2).position.game
    player, stream, scores = KernelPlay(game), np.array([7], np.uint64), []
    for seed in range(10):
        position = Position(game, seed)
        while not position.over:
            if position.actor == seed % 2:
                action = player.choose(position, 1.0, stream)
            else:
                action = np.random.default_rng(position.now).choice(position.legal_actions())
            position.play(int(action))
        scores.append(position.scores()[[seed % 2, 1 - seed % 2]])
    greedy, random = np.mean(scores, axis=0)
    assert greedy > 20 and random < 8
