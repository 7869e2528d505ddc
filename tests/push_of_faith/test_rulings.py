"""Rulings that no other file of tests names: what the tiles are, and what may not be done."""

import itertools
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from moves import legal_texts, play_texts

from theogony.envs.core.game import OptionError
from theogony.envs.core.position import Position
from theogony.envs.push_of_faith.game import SPEC
from theogony.envs.push_of_faith.state import NONE, PLACE

TILES = SPEC.configure({"players": 5}).components["tiles"]
NAMES = ["plains", "forest", "mountain", "water", "desert"]


def hold(position: Position, seat: int, tile: int) -> Position:
    """Let a seat hold a tile that it is to place."""
    g = position.g
    g.hand, g.actor, g.turn, g.decision, g.hole = tile, seat, seat, PLACE, 0
    position.refresh()
    return position


# ---------------------------------------------------------------------------------------------------- pieces (§2)


def test_two_to_five_play(new: Callable) -> None:
    """There are five tokens, and 55 tiles fill the map and five worlds (ruling R2)."""
    assert {new(players).game.players for players in (2, 3, 4, 5)} == {2, 3, 4, 5}
    for players in (1, 6):
        with pytest.raises(OptionError, match=f"not {players}"):
            new(players)
    assert len(new(5).g.tokens) == 5 and len(TILES) >= 9 + 9 * 5


def test_tiles_of_a_player_count() -> None:
    """30, 40, 50 and 55 tiles, more than the map and the worlds take (ruling R3)."""
    counts = Counter(tile["players"] for tile in TILES)
    in_use = {players: sum(n for lowest, n in counts.items() if lowest <= players) for players in (2, 3, 4, 5)}
    assert in_use == {2: 30, 3: 40, 4: 50, 5: 55}
    assert all(tiles >= 9 + 9 * players for players, tiles in in_use.items())


def test_a_tile_has_two_by_two_squares() -> None:
    """Ruling R4."""
    assert {tuple(map(len, tile["squares"])) for tile in TILES} == {(2, 2)}
    assert SPEC.configure({"players": 2}).components["tile_side"] == 2


def test_a_tile_has_one_statue_and_25_lack_its_terrain() -> None:
    """Ruling R5."""
    assert {len(tile["statues"]) for tile in TILES} == {1}
    assert sum(tile["statues"][0] not in itertools.chain(*tile["squares"]) for tile in TILES) == 25


def test_a_statue_belongs_to_its_tile_and_to_no_square(new: Callable) -> None:
    """However a tile is turned, and though it may lack the terrain, its statue counts (ruling R6)."""
    bare = next(tile for tile in TILES if tile["statues"][0] not in itertools.chain(*tile["squares"]))
    for turned in range(4):
        position = play_texts(hold(new(5, refill="choose"), 0, bare["id"]), f"place at c3 turned {turned}")
        assert position.g.statues[0].tolist() == [god == bare["statues"][0] for god in range(5)]


def test_names_of_terrains_and_gods(new: Callable) -> None:
    """Five terrains, and a god of each (ruling R7)."""
    position = new(3)
    assert position.game.components["terrains"] == NAMES
    assert all(name in position.game.spec.render_svg(position.game, position.g, "all").lower() for name in NAMES)
    assert sorted(position.g.tokens) == list(range(len(NAMES)))


# ---------------------------------------------------------------------------------------------------- a turn (§5)


def test_a_push_is_always_legal(new: Callable) -> None:
    """However the four markers stand (ruling R10c)."""
    position = new(2)
    for markers in itertools.product(range(3), repeat=4):
        position.g.markers[:] = markers
        position.refresh()
        assert len(legal_texts(position, "push")) >= 4


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_one_stack_can_run_out_and_not_all_three(players: int, new: Callable) -> None:
    """Always the first stack that has tiles: two run out, the last one gives to the end (ruling R13)."""
    position, generator = new(players, refill="choose"), np.random.default_rng(players)
    while not position.over:
        assert position.g.heights.any()
        first = legal_texts(position, "refill")[:1]
        position.play(position.game.actions.parse(first[0]) if first else generator.choice(position.legal_actions()))
    assert position.g.heights[0] == 0 < position.g.heights[2] and (position.g.map != NONE).all()


def test_a_token_is_shown_when_it_is_spent(new: Callable) -> None:
    """No action shows it before, and it is up for all from then on (ruling R15c)."""
    position = new(2, seed=3)
    assert [block.kind for block in position.game.actions.blocks] == ["push", "token", "place", "refill"]
    shown = position.game.features.slices()["tokens_shown"]
    assert not position.observe(1)[shown].any()
    play_texts(position, legal_texts(position, "token")[0])
    assert position.g.spent.tolist()[:2] == [1, 0] and position.observe(1)[shown].sum() == 1


def test_a_world_floats_until_it_spans_three_tiles(new: Callable) -> None:
    """The first tile may become any of the nine: the world grows from it to all sides, two tiles far (ruling R17)."""
    for row, column in itertools.product(range(3), repeat=2):  # where the first tile is to come to lie
        position, left = new(2, refill="choose"), {(r, c) for r in range(3) for c in range(3)}
        hold(position, 0, 0)
        target, tile = (row, column), 0
        while True:
            left.discard(target)
            cell = f"{'abcde'[2 + target[1] - column]}{3 + target[0] - row}"
            play_texts(position, f"place at {cell} turned 0")
            beside = [
                (r, c) for r, c in left if any((r + a, c + b) not in left for a, b in STEPS if inside(r + a, c + b))
            ]
            if not beside:
                break
            target, tile = beside[0], tile + 1
            hold(position, 0, tile)
        assert not left and position.g.placed[0] == 9


STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def inside(row: int, column: int) -> bool:
    return 0 <= row < 3 and 0 <= column < 3


def test_neighbouring_terrain_need_not_match(new: Callable) -> None:
    """Every tile may lie beside every other one, in all four rotations (ruling R19)."""
    position = new(5, refill="choose")
    for tile in range(0, 50, 7):
        position.reset(0)
        play_texts(hold(position, 0, tile), "place at c3 turned 0")
        hold(position, 0, tile + 1)
        sides = [f"place at {cell} turned {k}" for cell in ("c2", "b3", "d3", "c4") for k in range(4)]
        assert sorted(legal_texts(position, "place")) == sorted(sides)


def test_tiles_lie_on_the_map_as_in_the_tile_file(new: Callable) -> None:
    """Also those that came as a refill or were pushed (ruling R24)."""
    position, generator = new(3, seed=2, refill="choose"), np.random.default_rng(1)
    field = position.game.features.slices()["map_squares"]
    for _ in range(60):
        squares = position.observe(0)[field].reshape(9, 4, 5)
        for cell in set(range(9)) - {int(position.g.hole)}:
            tile = TILES[position.g.map[cell // 3, cell % 3]]
            assert squares[cell].argmax(1).tolist() == list(itertools.chain(*tile["squares"]))
        position.play(generator.choice(position.legal_actions()))


# ---------------------------------------------------------------------------------------------------- knowledge (§8)


def test_backs_of_tiles_show_nothing(new: Callable, play: Callable) -> None:
    """Whichever tile lies on top of a stack, text, picture and observation are the same for all (ruling R27)."""
    position = play(new(3, seed=4), 8)
    g, game = position.g, position.game

    def views() -> list[tuple[bytes, str, str]]:
        render = game.spec.render_text, game.spec.render_svg
        return [(position.observe(seat).tobytes(), *(draw(game, g, seat) for draw in render)) for seat in range(3)]

    before, tops = views(), set()
    for turn in range(1, 5):
        stack = g.stacks[2, : g.heights[2]]
        stack[:] = np.roll(stack, turn)
        tops.add(int(stack[-1]))
        assert views() == before
    assert len(tops) == 4
