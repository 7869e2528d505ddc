"""Who plays the other seats: players, policies and mixtures of them."""

import numpy as np
import pytest

from theogony.envs.core.players import GreedyPlayer, PolicyPlayer, RandomPlayer, Views
from theogony.envs.core.thinking.opponents import parse_opponents
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.envs.push_of_faith.game import SPEC

GAME = SPEC.configure({"players": 2})


def policy(observations, masks, seats):
    return masks.argmax(1)


class Own:
    """A player of a user's."""

    name = "own"
    needs_positions = True

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        return views.masks.argmax(1)


def test_every_form_is_understood() -> None:
    own = Own()
    kinds = [(0.1, "random"), (0.2, "greedy:0.3"), (0.3, policy), (0.4, own)]
    (random, greedy, function, taken) = parse_opponents(kinds, GAME)
    assert [entry.weight for entry in (random, greedy, function, taken)] == [0.1, 0.2, 0.3, 0.4]
    assert isinstance(random.player, RandomPlayer)
    assert isinstance(greedy.player, GreedyPlayer) and greedy.player.greed == 0.3
    assert isinstance(function.player, PolicyPlayer) and function.player.policy is policy
    assert taken.player is own
    for alone, weight in (("random", 1.0), (policy, 1.0), (own, 1.0)):
        assert [entry.weight for entry in parse_opponents(alone, GAME)] == [weight]


def test_weights_add_up_to_one() -> None:
    mixed = parse_opponents([(1, "random"), (2.0, "greedy"), (1, policy)], GAME)
    assert [entry.weight for entry in mixed] == [0.25, 0.5, 0.25]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "clever",
            'there is no player \'clever\'; expected "flat:400", "greedy", "greedy:0.3", "greedy@reference"',
        ),
        ("random:0.5", "'random:0.5': expected \"random\""),
        ("greedy:2", "'greedy:2': expected a share of greedy decisions from 0 to 1"),
        ("greedy:much", "'greedy:much': expected a share"),
        ("reference:big", "'reference:big': expected \"reference\""),
        ("mcts:much", "'mcts:much'.*: expected simulations"),
        ("no_such_module:Player", "'no_such_module:Player': No module named"),
        (7, "7 is no player: expected a name, an object with name and act"),
        ([], "the list is empty"),
        (["random"], r"'random' is no pair \(weight, player\)"),
        ([("1", "random")], "weight '1' is not a number"),
        ([(-1, "random")], "weight -1 is not a finite number"),
        ([(float("nan"), "random")], "weight nan is not a finite number"),
        ([(0, "random")], "all weights are zero"),
        ([(1, 5)], "5 is no player"),
    ],
)
def test_errors_name_what_is_wrong(spec, message) -> None:
    with pytest.raises(PlayerError, match=message):
        parse_opponents(spec, GAME)


def test_without_positions_a_player_that_needs_them_is_refused_when_it_is_made() -> None:
    """In an environment of another project there are only observations."""
    assert parse_opponents("random", None)[0].player.name == "random"
    with pytest.raises(PlayerError, match="player 'own' needs positions"):
        parse_opponents(Own(), None)
    for name in ("greedy", "mcts:10", "reference"):
        with pytest.raises(PlayerError, match=f"player '{name}' plays only the games of theogony"):
            parse_opponents(name, None)
