"""What holds for every way to play: the same names for the same thing, the same mistakes in the same words."""

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

import theogony
from theogony.envs import load
from theogony.envs.core.aec import GameEnv
from theogony.envs.core.batch import Batch
from theogony.envs.core.position import Position
from theogony.envs.core.rng import mix
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.wrappers import BatchVecEnv, BatchVectorEnv, SingleAgentEnv

NAME, ID = "push_of_faith", "theogony/PushOfFaith-v0"
GAME = load(NAME).configure({"players": 2})
MANY: dict[str, Callable[..., Any]] = {"BatchVecEnv": BatchVecEnv, "BatchVectorEnv": BatchVectorEnv}
for _module, _kind in (("jax", "JaxBatch"), ("torchrl", "TorchRLBatch"), ("tianshou", "TianshouBatch")):

    def _made(*given: Any, _module: str = _module, _kind: str = _kind, **named: Any) -> Any:
        pytest.importorskip(_module, reason="needs the extra `examples`")
        return getattr(__import__("theogony.wrappers", fromlist=[_kind]), _kind)(*given, **named)

    MANY[_kind] = _made


# ---------------------------------------------------------------------------------------------------- opponents


@pytest.mark.parametrize("kind", MANY)
def test_opponents_of_many_games_are_exchanged_under_one_name(kind: str) -> None:
    envs = MANY[kind](GAME, 3, 0, opponents="greedy")
    assert envs.opponents == [(1.0, "greedy:1")]
    envs.opponents = "random"
    assert envs.opponents == envs.batch.opponents == [(1.0, "random")]
    envs.set_opponents([(1, "greedy"), (1, "random")])
    assert envs.opponents == [(0.5, "greedy:1"), (0.5, "random")]
    with pytest.raises(PlayerError, match="there is no player 'clever'"):
        envs.opponents = "clever"
    assert "<Push of Faith> 3 games side by side" in repr(envs) or kind == "BatchVectorEnv"


def test_opponents_of_one_seat_are_exchanged_too() -> None:
    """From the next game on: also in the environments of a `SyncVectorEnv`, by Gymnasium's own `set_attr`."""
    asked: list[str] = []

    def policy(name: str) -> Callable[..., np.ndarray]:
        def choose(observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
            asked.append(name)
            return masks.argmax(1)

        return choose

    env: Any = gymnasium.make(ID, seat=0, opponents=policy("first"))
    _, info = env.reset(seed=1)
    env.unwrapped.set_opponents(policy("second"))
    over = False
    while not over:
        _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
    assert set(asked) == {"first"}, "games in play keep theirs"
    _, info = env.reset()
    for _ in range(4):
        _, _, _, _, info = env.step(int(info["action_mask"].argmax()))
    assert set(asked) == {"first", "second"}
    ((weight, player),) = env.unwrapped.opponents
    assert weight == 1 and player.name == "choose"
    many: Any = gymnasium.make_vec(ID, 2, vectorization_mode="sync")
    many.set_attr("opponents", ["greedy", "random"])
    assert [env.unwrapped.opponents[0][1].name for env in many.envs] == ["greedy", "random"]


# ---------------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize("wrong", [load(NAME), NAME, None], ids=["spec", "name", "nothing"])
@pytest.mark.parametrize(
    "make", [Position, GameEnv, *(lambda game, kind=kind: MANY[kind](game, 2) for kind in ("BatchVecEnv", "JaxBatch"))]
)
def test_a_game_without_its_options_is_answered_with_the_way(make: Callable[..., Any], wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"expected a game with its options in force, load\('\w+'\).configure\({...}\)"):
        make(wrong)
    with pytest.raises(TypeError, match="expected a game with its options in force"):
        Batch(wrong, 2)


@pytest.mark.parametrize("wrong", [NAME, GAME, gymnasium.make(ID)], ids=["name", "game", "gymnasium"])
def test_one_seat_is_one_of_an_aec_environment(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"expected an AEC environment, such as theogony\.make gives, not"):
        SingleAgentEnv(wrong)


# ---------------------------------------------------------------------------------------------------- seeds


def test_which_game_a_seed_begins() -> None:
    """As docs/interface.md tells it."""
    env, batch = theogony.make(NAME, players=2), Batch(GAME, 3, seed=7)
    for k in range(3):
        env.reset(seed=None if k else 7)
        assert env.key() == batch.position(k).key(), "the games after a seed are the first ones of the rows"
        assert Position(GAME, env.position.seed).key() == env.key() != Position(GAME, 7).key()
    fresh = np.zeros(3, bool)
    while not fresh.all():
        batch.step(batch.sample())
        for row in np.flatnonzero((batch.rows["over"] != 0) & (batch.rows["episode"] == 1)):
            second = Position(GAME, int(mix(np.uint64(7), int(row), 1)))
            assert batch.position(int(row)).key() == second.key(), "its second game"
            fresh[row] = True
    single: Any = gymnasium.make(ID, players=2, seat=0).unwrapped
    single.reset(seed=7)
    inside = single.env.position
    assert Position(GAME, inside.seed).key() == inside.key()


# ---------------------------------------------------------------------------------------------------- rewards


def test_points_as_a_reward_are_warned_of_where_they_do_not_win() -> None:
    said = (
        r'innovation: reward="margin" pays the lead in points, and games are won by achievements: reward=.outcome. pays'
    )
    game = load("innovation").configure({})
    for make in (
        lambda: theogony.make("innovation", reward="margin"),
        lambda: theogony.make_vec("innovation", 2, reward="margin"),
        lambda: gymnasium.make("theogony/Innovation-v0", reward="margin"),
        lambda: Batch(game, 2, reward="margin"),
    ):
        with pytest.warns(UserWarning, match=said):
            make()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        theogony.make("innovation", reward="outcome")
        for name in theogony.games():
            options = load(name).configure({})
            theogony.make(name, reward=options.learning_reward)
    suited = {name: load(name).configure({}).learning_reward for name in theogony.games()}
    assert suited == {
        "god_of_war": "progress", "innovation": "outcome", "orbis": "points", "push_of_faith": "points",
        "terra_mystica": "points",
    }  # fmt: skip
    assert load("innovation").configure({"players": 3}).learning_reward == "rank"


# ---------------------------------------------------------------------------------------------------- spaces


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs)), lambda envs: envs])
def test_what_the_space_of_many_games_draws_is_legal(copied: Callable[[Any], Any]) -> None:
    envs = BatchVectorEnv(GAME, 5, seed=0, opponents="greedy")
    envs.reset(seed=0)
    envs.action_space.seed(1)
    plain = spaces.MultiDiscrete([GAME.actions.size] * 5)
    assert envs.action_space == plain == copy.deepcopy(envs.action_space)
    envs = copied(envs)
    for _ in range(60):
        actions = envs.action_space.sample()
        assert actions in plain
        envs.step(actions)
    assert (envs.batch.rows["episode"] > 1).all()
    assert copy.deepcopy(envs.action_space).masks is None and envs.action_space.masks is envs.batch.masks


def test_types_tell_what_there_is() -> None:
    """Pyright reads this file: what is asked for below needs no cast."""
    env = theogony.make(NAME)
    assert env.action_space("player_0").n == GAME.actions.size
    assert env.observation_space("player_0")["observation"].shape == (GAME.features.length,)
    envs = theogony.make_vec(NAME, 2, seed=0)
    envs.reset()
    observations, rewards, dones, infos = envs.step(envs.action_masks().argmax(1))
    assert (
        observations.shape == (2, GAME.features.length) and rewards.shape == dones.shape == (2,) and infos == [{}, {}]
    )


def test_scores_of_ended_games_are_in_the_infos_of_stable_baselines() -> None:
    """Whose score is higher is who won, as in the infos of Gymnasium."""
    envs = theogony.make_vec(NAME, 6, seed=1, reward="margin")
    envs.reset()
    seen: set[int] = set()
    while len(seen) < 2:
        _, rewards, dones, infos = envs.step(envs.batch.sample())
        for row in np.flatnonzero(dones):
            seat, scores = infos[row]["seat"], infos[row]["scores"]
            assert scores.shape == (2,) and infos[row]["score"] == scores[seat]
            assert np.sign(rewards[row]) == np.sign(scores[seat] - scores[1 - seat])
            seen.add(seat)
