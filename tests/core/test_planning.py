"""Plans: how far they go, what they see, and that a wider beam finds what a narrow one misses."""

import dataclasses

import numpy as np
import pytest
from tictactoe import LINES
from tictactoe import SPEC as TICTACTOE

from theogony.envs import load
from theogony.envs.core.contract import PASSED_OVER
from theogony.envs.core.game import SpecError
from theogony.envs.core.jit import rule
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.planning import line, make_beam, planning_kernel
from theogony.envs.core.thinking.value_network import OWN_VALUE
from theogony.envs.terra_mystica.state import MAIN


@rule
def let_it_go_by(g, t, seat, mask):
    """The other does not move: the seat decides again."""
    g.actor = seat
    g.turn = seat
    return PASSED_OVER


@rule
def blind(g, t, seat):
    """Nothing is known before the end."""
    return 1.0 if g.over != 0 and g.winner == seat else 0.0


def worth(game, position: Position, width: int, seed: int = 0) -> np.ndarray:
    """What a plan makes of every action."""
    out = np.zeros(game.actions.size)
    beam, rng = make_beam(game, width), np.array([seed], np.uint64)
    arguments = position.actor, OWN_VALUE, width, beam, rng, out
    chosen = planning_kernel(game.spec)(position.states, position.now, game.tables, *arguments)
    assert out[chosen] == out.max() and position.mask[0, chosen]
    return out


def test_without_a_rule_a_plan_ends_with_the_own_turn() -> None:
    """In tic-tac-toe that is one decision: what each action is worth at once."""
    game = TICTACTOE.configure()
    position = Position(game, 1)
    position.play(4)
    found = worth(game, position, 3)
    for action in range(9):
        if position.mask[0, action]:
            after = position.clone()
            after.play(action)
            assert found[action] == after.value(position.actor)
        else:
            assert found[action] == -np.inf


def test_others_are_passed_over_to_the_end_of_the_game() -> None:
    """If the other lets every turn go by, three in a row are found, though the value knows the end only."""
    spec = dataclasses.replace(TICTACTOE, pass_over=let_it_go_by, value=blind)
    game = spec.configure()
    position = Position(game, 1)
    found = worth(game, position, 200)
    assert set(found) == {1.0, -np.inf}  # what only leads to positions that others lead to as well is not followed
    assert position.value(0) == 0.0


def test_the_line_of_a_plan_leads_to_its_end() -> None:
    spec = dataclasses.replace(TICTACTOE, pass_over=let_it_go_by, value=blind)
    game = spec.configure()
    position, beam, out = Position(game, 1), make_beam(game, 200), np.zeros(9)
    arguments = 0, OWN_VALUE, 200, beam, np.zeros(1, np.uint64), out
    first = planning_kernel(spec)(position.states, 0, game.tables, *arguments)
    cells = {first, *line(beam, first)}
    assert len(cells) == 3 and any(set(map(int, row)) == cells for row in LINES)


def test_rules_of_plans_are_rules() -> None:
    with pytest.raises(SpecError, match="pass_over is no compiled rule"):
        dataclasses.replace(TICTACTOE, pass_over=7)


@pytest.fixture(scope="module")
def terra_mystica():
    return load("terra_mystica").configure({"players": 4, "factions": "dealt"})


@pytest.fixture
def first_round(terra_mystica) -> Position:
    """A main decision of the first round, played greedily up to there."""
    position, rng = Position(terra_mystica, 3), np.random.default_rng(3)
    greedy = make_player("greedy", terra_mystica)
    while int(position.g.round_number) < 1 or int(position.g.decision) != MAIN:
        position.play(int(greedy.act(Views.at(position), rng)[0]))
    return position


def test_a_plan_of_a_round_leaves_the_position_alone_and_repeats(terra_mystica, first_round: Position) -> None:
    before = first_round.key()
    one, other = (worth(terra_mystica, first_round, 8, seed) for seed in (0, 1))  # dice do not count in this game
    assert np.array_equal(one, other) and first_round.key() == before
    assert (one > -np.inf).sum() >= 2


def test_a_wider_beam_finds_at_least_as_good_an_end(terra_mystica, first_round: Position) -> None:
    narrow, wide = (worth(terra_mystica, first_round, width).max() for width in (1, 64))
    assert wide >= narrow


def test_a_plan_sees_nothing_that_is_hidden() -> None:
    """Push of Faith has bags: in all alternatives a player with the same rng plans the same."""
    game = load("push_of_faith").configure({"players": 2})
    player, position = make_player("plan:4", game), Position(game, 4)
    for _ in range(6):
        found = set()
        for seed in range(4):
            other = position.clone()
            other.resample(position.actor, np.array([seed], np.uint64))
            found.add(int(player.act(Views.at(other), np.random.default_rng(5))[0]))
        assert len(found) == 1
        position.play(found.pop())
