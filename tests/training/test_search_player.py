"""Players that search: their names, what they see, and that a run can guide them."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load
from theogony.envs.core.thinking.player_names import parse_player
from theogony.training.config.sections import Network
from theogony.training.networks.policy import make_policy
from theogony.training.networks.weights import CheckpointError, weights_of
from theogony.training.players.names import run_of
from theogony.training.players.network import NetworkPlayer
from theogony.training.players.plan_player import PlanOptions, parse_plan
from theogony.training.players.search import SearchOptions
from theogony.training.players.search.options import parse_search
from theogony.training.players.search_player import SearchPlayer
from theogony.training.rating.evaluate import evaluate
from theogony.training.storage import checkpoint
from theogony.training.storage.header import CheckpointHeader


@pytest.mark.parametrize(
    ("name", "expected", "run"),
    [
        ("mcts:400", SearchOptions(400, rollout="value", depth=8), None),
        ("mcts:50ms", SearchOptions(milliseconds=50.0, rollout="value", depth=8), None),
        ("mcts:80:random", SearchOptions(80), None),
        ("mcts:80:greedy", SearchOptions(80, rollout="greedy"), None),
        ("mcts:80:turn", SearchOptions(80, rollout="turn"), None),
        ("mcts:80:value@runs/x:y", SearchOptions(80, rollout="value"), "runs/x:y"),
        ("gumbel:64@reference", SearchOptions(64, rollout="value", depth=8, halving=True, trust=4.0), None),
        ("flat:30", SearchOptions(30, rollout="value", depth=8, prior="uniform", flat=True), None),
        ("gumbel:50ms", SearchOptions(milliseconds=50.0, rollout="value", depth=8, halving=True, trust=4.0), None),
        ("mcts:400x2", SearchOptions(400, rollout="value", depth=8, threads=2), None),
        ("mcts:50msx3:value@runs/x", SearchOptions(milliseconds=50.0, rollout="value", threads=3), "runs/x"),
        ("mcts:999999999", SearchOptions(999_999_999, rollout="value", depth=8), None),
        ("flat:5ms:greedy", SearchOptions(milliseconds=5.0, rollout="greedy", prior="uniform", flat=True), None),
    ],
)
def test_names(name: str, expected: SearchOptions, run: str | None) -> None:
    options, guide = parse_search(name)
    assert parse_player(name).kind in ("mcts", "gumbel", "flat") and options == expected
    assert run_of(name) == run and guide in (run, "reference")


@pytest.mark.parametrize(
    ("name", "rollout"),
    [("mcts:64", "turn"), ("gumbel:50ms", "turn"), ("mcts:64:value", "value"), ("flat:64:greedy", "greedy")],
)
def test_a_learnt_value_counts_at_the_end_of_the_own_turn_unless_another_way_is_named(name: str, rollout: str) -> None:
    game = load("orbis").configure({})
    player = make_player(f"{name}@reference", game)
    assert isinstance(player, SearchPlayer)
    found = player.search.options
    assert (found.rollout, found.depth, found.reward) == (rollout, 0, "margin")
    assert found.exploration < parse_search(name)[0].exploration
    assert found.halving != name.startswith("flat")


@pytest.mark.parametrize(
    ("table", "name", "outcomes", "wide"),
    [
        ("push_of_faith-3", "mcts:64", False, False),
        ("push_of_faith-3", "mcts:100", True, False),
        ("push_of_faith-3", "mcts:50ms", True, False),
        ("push_of_faith-4", "mcts:1600:value", True, False),
        ("push_of_faith-2", "mcts:64", False, False),
        ("push_of_faith-2", "mcts:100", False, True),
        ("push_of_faith-2", "mcts:50ms", False, True),
        ("push_of_faith-2", "flat:1600", False, False),
        ("push_of_faith-3", "flat:1600", False, False),
        ("innovation-2", "mcts:1600", False, True),
        ("orbis-2", "mcts:1600", False, False),
    ],
)
def test_long_searches_look_wider_at_a_table_of_two_and_tell_outcomes_apart_at_larger_ones(
    table: str, name: str, outcomes: bool, wide: bool
) -> None:
    game, _, players = table.partition("-")
    player = make_player(f"{name}@reference", load(game).configure({"players": int(players)}))
    assert isinstance(player, SearchPlayer)
    found = player.search.options
    assert found.outcomes == outcomes
    assert (found.temperature, found.exploration) == ((0.08, 0.04) if wide else (0.02, 0.01))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mcts", "player 'mcts': expected simulations or milliseconds"),
        ("mcts:", 'as in "mcts:400"'),
        ("mcts:0", "expected simulations or milliseconds"),
        ("mcts:-5", "expected simulations or milliseconds"),
        ("mcts:1.5", "expected simulations or milliseconds"),
        ("mcts:50s", "expected simulations or milliseconds"),
        ("mcts:400x", "expected simulations or milliseconds"),
        ("mcts:400x0", "expected simulations or milliseconds"),
        ("mcts:400x65", "at most 64 threads"),
        ("mcts:400x100000000000000000000", "at most 64 threads"),
        ("mcts:10000000000", "player 'mcts:10000000000': a search has at most 999,999,999 simulations"),
        ("gumbel:10000000000ms", "a search has at most 999,999,999 milliseconds"),
        ("flat:9:clever", "there is no rollout 'clever'; expected random, greedy, value, turn"),
        ("mcts:9:", "there is no rollout ''"),
        ("mcts:9@", 'expected a run behind "@"'),
        ("mcts:9@runs/none", "there is no player 'runs/none'"),
        ("plan", "player 'plan': expected plans up to 4,096, perhaps copies, or milliseconds"),
        ("plan:0", 'as in "plan:32"'),
        ("plan:8x", "expected plans up to"),
        ("plan:5000", "a plan follows at most 4,096 positions at once"),
        ("plan:8@", "expected plans up to"),
        ("plan:8@runs/none", "there is no player 'runs/none'"),
        ("plan:8@reference-policy", "reference-policy is a policy; expected a learnt value"),
    ],
)
def test_bad_names_are_explained(game: Game, name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_player(name, game)


def test_a_search_gets_resampled_positions_and_leaves_the_game_alone(game: Game) -> None:
    position = Position(game, 4)
    before = position.key()
    player = make_player("mcts:50", game)
    first = [player.act(Views.at(position), np.random.default_rng(seed))[0] for seed in (1, 1)]
    assert first[0] == first[1] and position.mask[0, first[0]] == 1
    assert position.key() == before
    with pytest.raises(ValueError, match="no positions to sample from"):
        player.act(Views(position.observation, position.mask, np.zeros(1, np.int8)), np.random.default_rng(1))


def test_what_is_hidden_does_not_change_the_choice(game: Game) -> None:
    position = Position(game, 4)
    player, found = make_player("mcts:50", game), set()
    for seed in range(4):
        other = position.clone()
        other.resample(position.actor, np.array([seed], np.uint64))
        found.add(int(player.act(Views.at(other), np.random.default_rng(5))[0]))
    assert len(found) == 1


def test_views_of_chosen_rows(game: Game) -> None:
    batch = Batch(game, 5, seed=2)
    rows = np.array([1, 4])
    actions = make_player("mcts:20", game).act(Views.of(batch, rows), np.random.default_rng(0))
    assert actions.shape == (2,) and (batch.masks[rows, actions] == 1).all()


def test_evaluation_against_a_search(game: Game) -> None:
    result = evaluate(make_player("random", game), "mcts:30", game, 10)
    assert result.against == "mcts:30" and result.games == 10 and result.win_rate <= 0.2


def favour(game: Game, action: int) -> NetworkPlayer:
    """A policy that thinks of one action only."""
    policy = make_policy(game, Network(policy=[4], value=[4]))
    with torch.no_grad():
        for parameter in policy.parameters():
            parameter.zero_()
        policy.action_net.bias[action] = 30.0  # pyright: ignore[reportIndexIssue]
    return NetworkPlayer("", policy)


def test_a_policy_says_where_to_look_first(game: Game) -> None:
    position = Position(game, 4)
    for action in position.legal_actions()[[0, -1]]:
        player = SearchPlayer("", game, SearchOptions(60), favour(game, int(action)))
        assert player.act(Views.at(position), np.random.default_rng(0))[0] == action
        assert player.search.visits()[int(action)] > 40


def test_a_run_by_name_as_guide(game: Game, tmp_path: Path) -> None:
    network = Network(policy=[4], value=[4])
    policy = make_policy(game, network)
    checkpoint.save(tmp_path, CheckpointHeader.of(game, network, 1), weights_of(policy), {}, {}, {})
    player = make_player(f"mcts:20@{tmp_path}", game)
    position = Position(game, 4)
    assert position.mask[0, player.act(Views.at(position), np.random.default_rng(0))[0]] == 1
    shutil.rmtree(tmp_path / "checkpoints")
    with pytest.raises(CheckpointError, match="has no checkpoint yet"):
        make_player(f"mcts:20@{tmp_path}", game)


# ---------------------------------------------------------------------------------------------------- plans


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("plan:32", PlanOptions(32)),
        ("plan:32x8", PlanOptions(32, 8)),
        ("plan:4096@runs/x:y", PlanOptions(4096, run="runs/x:y")),
        ("plan:10ms@reference", PlanOptions(1024, milliseconds=10.0, run="reference")),
    ],
)
def test_names_of_plans(name: str, found: PlanOptions) -> None:
    assert parse_player(name).kind == "plan" and parse_plan(name) == found
    assert run_of(name) == (None if found.run == "reference" else found.run)


def test_plans_play_where_players_do(game: Game) -> None:
    """By a width they repeat; against the clock a wider beam follows while there is time."""
    batch = Batch(game, 3, seed=2, opponents="plan:4", seat=0)
    again = Batch(game, 3, seed=2, opponents="plan:4", seat=0)
    for _ in range(3):
        actions = batch.sample()
        batch.step(actions)
        again.step(actions)
    assert batch.states.tobytes() == again.states.tobytes()
    position = Position(game, 4)
    for name in ("plan:1ms", "plan:4x3", "plan:4@reference"):
        action = make_player(name, game).act(Views.at(position), np.random.default_rng(1))[0]
        assert position.mask[0, action] == 1
