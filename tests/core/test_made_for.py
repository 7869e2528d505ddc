"""A player plays the game and the table that it was made for: what it holds fits no other."""

import pickle
from typing import Any

import numpy as np
import pytest

import theogony
from theogony.envs import load
from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.training.rating.evaluate import evaluate
from theogony.wrappers import SingleAgentEnv

KINDS = ("greedy", "greedy@reference", "reference", "reference-policy", "mcts:4", "plan:4")
REFUSED = r"was made for <Push of Faith players=5>, and cannot play <Push of Faith>"


def table(game: str = "push_of_faith", **options: Any) -> Game:
    return load(game).configure(options)


@pytest.mark.parametrize("name", KINDS)
def test_at_another_table_it_is_refused(name: str) -> None:
    large, small = theogony.make("push_of_faith", players=5), theogony.make("push_of_faith")
    player = theogony.player(name, large, seed=0)
    with pytest.raises(PlayerError, match=REFUSED):
        player.act(Batch(small.game, 2, 0))
    small.reset(seed=0)
    with pytest.raises(PlayerError, match=REFUSED):
        player.act(small)
    with pytest.raises(PlayerError, match=REFUSED):
        Batch(small.game, 2, 0, seat=1, opponents=player.player)
    with pytest.raises(PlayerError, match=REFUSED):
        SingleAgentEnv(small, opponents=[(1, "random"), (1, player.player)])
    with pytest.raises(PlayerError, match=REFUSED):
        evaluate(player.player, "random", small.game, 2)
    large.reset(seed=0)
    large.step(player.act(large))


def test_in_another_game_it_is_refused() -> None:
    with pytest.raises(PlayerError, match="'greedy' was made for <Push of Faith>, and cannot play <Orbis>"):
        make_player(make_player("greedy", table()), table("orbis"))


def test_a_saved_batch_takes_no_player_of_another_table() -> None:
    net = make_player("greedy@reference", table())
    batch = Batch(table(), 2, 0, seat=0, opponents=net)
    state, before = batch.state_dict(), batch.states.tobytes()
    with pytest.raises(PlayerError, match=REFUSED):
        batch.load_state_dict(state, {1: make_player("greedy@reference", table(players=5))})
    assert batch.states.tobytes() == before
    batch.load_state_dict(state, {1: net})


@pytest.mark.parametrize("name", ["greedy", "greedy@reference", "mcts:4", "plan:4"])
def test_other_components_of_the_same_layout_make_no_difference(name: str) -> None:
    printed, one, several = (table("orbis", components=pack) for pack in ("printed", "random:7", "random:0-3"))
    assert printed.layout() == one.layout() == several.layout()
    rng = np.random.default_rng(0)
    for made_for in (printed, one, several):
        player = make_player(name, made_for)
        for game in (printed, one, several):
            assert make_player(player, game) is player
            batch = Batch(game, 3, 0)
            batch.step(player.act(Views.of(batch), rng))


def test_the_same_game_made_twice_or_pickled_is_one() -> None:
    game = table(players=3)
    player = make_player("greedy", game)
    for other in (table(players=3), pickle.loads(pickle.dumps(game)), table(players=3, max_decisions=9)):
        assert make_player(player, other) is player


def test_what_has_no_game_plays_anywhere() -> None:
    class Own:
        name = "own"

        def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
            return views.masks.argmax(1)

    def policy(observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return masks.argmax(1)

    large, small = theogony.make("push_of_faith", players=5), Batch(table(), 2, 0)
    for player in (Own(), policy, "random"):
        made = theogony.player(player, large)
        small.step(made.act(small))
        Batch(small.game, 2, 0, seat=0, opponents=made.player).step([0, 0])
