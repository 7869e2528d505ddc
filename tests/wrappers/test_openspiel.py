"""Games as games of OpenSpiel: its own simulation test, its search and its environment run on them."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="open_spiel is not installed")
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts

from theogony.envs.core.game import OptionError
from theogony.envs.core.position import NO_SEED
from theogony.wrappers.openspiel import SpielState, load


@pytest.mark.slow
def test_games_and_states_by_name_come_back() -> None:
    game = pyspiel.load_game("theogony_push_of_faith(players=3,seeds=8)")
    assert game.theogony.players == 3 and game.num_players() == 3
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def _play(state: SpielState, decisions: int) -> None:
    for k in range(decisions):
        state.apply_action(state.legal_actions()[k % len(state.legal_actions())])


def test_the_same_deal_is_the_same_game() -> None:
    one, other = load("push_of_faith").new_initial_state(), load("push_of_faith").new_initial_state()
    assert one.is_chance_node() and sum(p for _, p in one.chance_outcomes()) == pytest.approx(1.0)
    for state in (one, other):
        state.apply_action(7)
        _play(state, 9)
    assert str(one) == str(other)
    clone = one.clone()
    _play(clone, 2)
    assert str(one) == str(other) != str(clone)


@pytest.mark.parametrize("name", ["push_of_faith", "innovation"])
def test_information_states_hold_what_a_seat_knows_and_no_more(name: str) -> None:
    state = load(name).new_initial_state()
    state.apply_action(3)
    _play(state, 8)
    for player in (0, 1):
        known = state.information_state_string(player)
        for draw in (0.1, 0.9):
            other = state.resample_from_infostate(player, lambda draw=draw: draw)
            assert other.information_state_string(player) == known
            assert other.observation_string(player) == state.observation_string(player)
    before = [state.information_state_string(player) for player in (0, 1)]
    _play(state, 1)
    assert [state.information_state_string(player) for player in (0, 1)] != before


def test_a_resampled_state_tells_nothing_of_the_game_that_was_played() -> None:
    """Two deals, one draw: the same history, and no trace of the seed or of earlier positions."""
    game = load("innovation", seeds=64)
    told = []
    for deal in (3, 50):
        state = game.new_initial_state()
        state.apply_action(deal)
        _play(state, 6)
        other = state.resample_from_infostate(0, lambda: 0.4)
        position = other.position
        assert position is not None and (position.seed, position.now, position.actions) == (NO_SEED, 0, [])
        told.append((other.history(), other.history_str(), other.clone().history()))
    assert told[0] == told[1] == ([25], "25", [25])


def test_recall_is_perfect() -> None:
    """Two orders of decisions that lead to one position are two information states."""
    game = load("push_of_faith")
    states = [game.new_initial_state() for _ in range(2)]
    for state, first in zip(states, (0, 1), strict=True):
        state.apply_action(3)
        state.apply_action(state.legal_actions()[first])
    assert states[0].information_state_string(0) != states[1].information_state_string(0)


def test_its_information_set_search_plays() -> None:
    game = load("push_of_faith", seeds=4)
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        uct_c=1.4,
        max_simulations=5,
        random_state=np.random.RandomState(2),
    )
    state = game.new_initial_state()
    state.apply_action(1)
    _play(state, 4)
    assert bot.step(state) in state.legal_actions()


def test_its_algorithms_in_c_know_what_a_seat_knows_too() -> None:
    """They ask an observer with perfect recall; nobody can do better than pass when the coin is always told right."""
    game = load("hidden_coin:SPEC", seeds=8)
    assert exploitability.exploitability(game, policy.UniformRandomPolicy(game)) == 0
    solver = cfr.CFRSolver(game)
    solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy(), use_cpp_br=True) == 0


def test_what_it_does_not_take() -> None:
    with pytest.raises(OptionError):
        load("push_of_faith", players=9)
    with pytest.raises(ValueError, match="seeds=0"):
        load("push_of_faith", seeds=0)
    with pytest.raises(ValueError, match="reward"):
        load("push_of_faith", reward="gold")
    for seeds in ("3", 2.5, True, -1):
        with pytest.raises(ValueError, match=f"seeds={seeds!r}: expected deals, a whole number from 1 on"):
            load("push_of_faith", seeds=seeds)  # pyright: ignore[reportArgumentType]
    for more in ("x7b", "7b22", "heroes"):
        with pytest.raises(ValueError, match="expected the parameter as a game's name has it"):
            load("push_of_faith", more=more)


def test_points_are_no_zero_sum() -> None:
    general, zero = pyspiel.GameType.Utility.GENERAL_SUM, pyspiel.GameType.Utility.ZERO_SUM
    points, usual = load("terra_mystica", reward="points"), load("terra_mystica", reward="margin")
    assert (points.get_type().utility, points.utility_sum()) == (general, None)
    assert (usual.get_type().utility, usual.utility_sum()) == (zero, 0.0)
    assert load("god_of_war").get_type().utility == pyspiel.GameType.Utility.IDENTICAL


GIVEN: dict[str, dict[str, Any]] = {
    "push_of_faith": {"players": 2, "seeds": 9, "reward": "margin", "components": "random:3-7"},
    "god_of_war": {"players": 2, "heroes": ("freya", "brok_sindri")},
}
COPIES = {
    "serialised": lambda game, state: pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state)),
    "pickled": lambda game, state: pickle.loads(pickle.dumps((game, state))),
    "copied": lambda game, state: copy.deepcopy((game, state)),
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("by_name", [False, True])
@pytest.mark.parametrize("name", GIVEN)
def test_games_and_states_come_back_whole(name: str, by_name: bool, copied: Any) -> None:
    game = load(name, **GIVEN[name])
    if by_name:
        game = pyspiel.load_game(str(game))
    state = game.new_initial_state()
    state.apply_action(1)
    _play(state, 3)
    other, again = copied(game, state)
    assert str(other) == str(again.get_game()) == str(game)
    assert repr(other.theogony) == repr(load(name, **GIVEN[name]).theogony)
    assert (other.seeds, other.reward) == (game.seeds, game.reward)
    assert str(again) == str(state) and again.observation_string(0) == state.observation_string(0)
    fresh = other.new_initial_state()
    fresh.apply_action(1)
    _play(fresh, 3)
    assert str(fresh) == str(state)


def test_a_deal_that_there_is_not_is_refused() -> None:
    for deal in (8, -2):
        with pytest.raises(ValueError, match=f"deal {deal} is not 0 to 7"):
            load("push_of_faith", seeds=8).new_initial_state().apply_action(deal)


def test_a_name_says_every_option() -> None:
    game, default = load("push_of_faith", players=2), load("push_of_faith")
    assert str(game) == str(default) == str(pyspiel.load_game("theogony_push_of_faith"))
    assert str(game) != str(load("push_of_faith", players=3))


def test_a_game_of_ones_own_is_pickled() -> None:
    game = pickle.loads(pickle.dumps(load("hidden_coin:SPEC", seeds=8)))
    assert game.seeds == 8 and game.new_initial_state().is_chance_node()


def test_players_that_are_not_at_the_table_are_refused() -> None:
    state = load("push_of_faith", players=2).new_initial_state()
    state.apply_action(2)
    _play(state, 5)
    known = state.clone().information_state_string(1)
    for player in (-1, -4, 2, 7, True):
        for ask in (state.information_state_string, state.observation_string):
            with pytest.raises(ValueError, match=rf"seat {player} is not 0 to 1"):
                ask(player)
        with pytest.raises(ValueError, match=rf"seat {player} is not 0 to 1"):
            state.resample_from_infostate(player, lambda: 0.5)
    assert state.information_state_string(1) == known
    while not state.is_terminal():
        _play(state, 1)
    for ask in (state.information_state_string, state.observation_string):
        with pytest.raises(ValueError, match="the game is over and nobody decides: say which player"):
            ask()
        assert ask(0)
