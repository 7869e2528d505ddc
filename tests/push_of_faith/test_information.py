"""Who knows what (rules §8): observations and redrawn positions."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from theogony.envs.core.position import Position
from theogony.envs.push_of_faith.breakdown import frame_squares, groups


def seen(position: Position, seat: int) -> dict[str, np.ndarray]:
    """The observation of a seat by its fields."""
    flat, layout = position.observe(seat), position.game.features
    return {f.name: flat[layout.slices()[f.name]].reshape(f.shape) for f in layout.features}


def test_open_to_all(new: Callable, play: Callable) -> None:
    """Map, markers, worlds, hand, heights of the stacks, spent tokens, who still holds one (ruling R25)."""
    position = play(new(3, seed=2), 31)
    g, t = position.g, position.tables[0]
    g.spent[:3], g.tokens[:3] = [0, 1, 1], [4, 2, 0]
    for seat in range(3):
        view = seen(position, seat)
        assert view["decision"].argmax() == g.decision and view["my_turn"][0] == (seat == g.actor)
        assert view["markers"].argmax(axis=1).tolist() == g.markers.tolist()
        tiles = [cell for cell in range(9) if cell != g.hole]
        for cell in tiles:
            tile = g.map[cell // 3, cell % 3]
            assert view["map_squares"][cell].argmax(axis=1).tolist() == t.terrain[tile, 0].reshape(-1).tolist()
            assert view["map_statues"][cell].tolist() == t.statues[tile].tolist()
        assert not view["map_squares"][g.hole].any()
        assert view["hand_squares"].argmax(axis=1).tolist() == t.terrain[g.hand, 0].reshape(-1).tolist()
        assert np.allclose(view["stacks"] * g.stacks.shape[1], g.heights)
        order = [(seat + k) % 3 for k in range(3)]  # the observer first
        assert view["tokens_held"].tolist() == [1 - g.spent[s] for s in order]
        assert view["tokens_shown"].argmax(axis=1)[[s != 0 for s in order]].tolist() == [
            g.tokens[s] for s in order if s
        ]
        assert np.allclose(view["placed"] * 9, [g.placed[s] for s in order])
        assert np.allclose(view["points"] * 81, [position.scores()[s] for s in order])


def test_worlds(new: Callable, play: Callable) -> None:
    """The own world by terrain with the extent of every group, the others' as one number a square."""
    position = play(new(3, seed=5), 40)
    for seat in range(3):
        view = seen(position, seat)
        worlds = [frame_squares(position.game, position.g, (seat + k) % 3) for k in range(3)]
        by_cell = [world.reshape(5, 2, 5, 2).swapaxes(1, 2).reshape(25, 4) for world in worlds]
        own = np.where(view["my_world"].any(axis=-1), view["my_world"].argmax(axis=-1), -1)
        assert (own == by_cell[0]).all() and (view["my_world"].sum(axis=-1) == (own >= 0)).all()
        others = np.rint(view["other_worlds"] * 5).astype(int) - 1
        assert (others == np.stack(by_cell[1:])).all()
        extents = np.zeros((10, 10))
        for members in groups(worlds[0]):
            extents[tuple(zip(*members, strict=True))] = len(members) / 18
        assert np.allclose(view["my_groups"], extents.reshape(5, 2, 5, 2).swapaxes(1, 2).reshape(25, 4))
        statues = [position.g.statues[(seat + k) % 3] / 9 for k in range(3)]
        assert np.allclose(view["statues"], statues)


def test_own_token_alone(new: Callable) -> None:
    position = new(4, seed=1)
    for seat in range(4):
        view = seen(position, seat)
        assert view["my_god"].nonzero()[0].tolist() == [position.g.tokens[seat]]
        assert not view["tokens_shown"].any()


def test_composition_is_known_order_is_not(new: Callable, play: Callable) -> None:
    """Ruling R26: what has not been seen is counted; how it lies in the stacks changes nothing."""
    position = play(new(2, seed=6), 10)
    g, t = position.g, position.tables[0]
    hidden = [tile for s in range(3) for tile in g.stacks[s, : g.heights[s]]]
    expected = t.statues[hidden].sum(axis=0) / t.statues[hidden].sum()
    before = seen(position, 0)
    assert np.allclose(before["unseen_statues"], expected, atol=0.5 / 240)
    g.stacks[0, : g.heights[0]] = g.stacks[0, : g.heights[0]][::-1].copy()
    after = seen(position, 0)
    assert all((before[name] == after[name]).all() for name in before)


@pytest.mark.random_play
@pytest.mark.parametrize("players", [2, 5])
def test_redrawn_positions(players: int, new: Callable, play: Callable) -> None:
    """What a seat knows stays; stacks, other tokens, leftover tokens and the dice are drawn anew, all alike likely."""
    position = play(new(players, seed=9), 7)
    g = position.g
    g.spent[:players] = [0, 1, *[0] * (players - 2)]
    position.refresh()
    known = {name: np.array(g[name]) for name in g.dtype.names if name not in ("rng", "stacks", "tokens")}
    tokens, view = g.tokens.copy(), position.observe(0)
    tops, gods, dice = Counter(), Counter(), set()
    rng, games = np.array([3], np.uint64), 2_000
    for _ in range(games):
        other = position.clone()
        other.resample(0, rng)
        h = other.g
        assert all((np.array(h[name]) == value).all() for name, value in known.items())
        assert h.tokens[:2].tolist() == tokens[:2].tolist() and sorted(h.tokens) == [0, 1, 2, 3, 4]
        assert (other.observe(0) == view).all()
        assert sorted(h.stacks.reshape(-1)) == sorted(g.stacks.reshape(-1))
        tops[int(h.stacks[2, h.heights[2] - 1])] += 1
        gods[int(h.tokens[4])] += 1
        dice.add(int(h.rng[0]))
    tiles = int(g.heights.sum())
    assert len(tops) == tiles and min(tops.values()) > games / tiles / 2
    assert len(gods) == 3 and min(gods.values()) > games / 3 * 0.85 and len(dice) == games


def test_rng_is_not_shown(new: Callable) -> None:
    position = new(2)
    before = position.observe(1)
    position.g.rng[0] += np.uint64(1)
    assert (position.observe(1) == before).all()
