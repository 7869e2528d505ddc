"""What Gymnasium's pages do, on every game: loops, vector environments, checkers, videos, statistics."""

import subprocess
import sys
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import RecordEpisodeStatistics, RecordVideo, RenderCollection
from outside import GAMES, drawn, id_of

from theogony.envs.core.game import OptionError

WITHOUT_IMPORT = """
import gymnasium
env = gymnasium.make("theogony:theogony/Orbis-v0", opponents="reference")
observation, info = env.reset(seed=1)
env.step(int(info["action_mask"].argmax()))
envs = gymnasium.make_vec(
    "theogony:theogony/PushOfFaith-v0", num_envs=3, vectorization_mode="vector_entry_point", opponents="greedy"
)
envs.reset(seed=1)
print(type(env.unwrapped).__name__, type(envs).__name__, envs.num_envs)
"""


@pytest.mark.slow
def test_ids_need_no_import() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_IMPORT], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["SingleAgentEnv", "BatchVectorEnv", "3"], done.stderr


def test_the_native_batch_is_what_make_vec_takes_by_itself() -> None:
    by_itself, named = (
        gymnasium.make_vec("theogony/PushOfFaith-v0", num_envs=2, vectorization_mode=mode)
        for mode in (None, "vector_entry_point")
    )
    assert type(by_itself) is type(named)


@pytest.mark.parametrize("game", ["PushOfFaith", "Orbis"])
def test_the_checker_has_nothing_to_say(game: str) -> None:
    """Its remark on actions is about environments that raise for what the space holds: `illegal="random"` plays on."""
    env = gymnasium.make(f"theogony/{game}-v0", illegal="random", render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=False)


def play(env: Any, seed: int) -> dict[str, Any]:
    """A whole game of first legal actions. Returns the last info."""
    _, info = env.reset(seed=seed)
    while True:
        _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        if terminated or truncated:
            return info


def test_statistics_of_episodes() -> None:
    env = RecordEpisodeStatistics(gymnasium.make("theogony/PushOfFaith-v0", players=3, reward="margin"))
    for seed in range(3):
        info = play(env, seed)
        assert info["episode"]["l"] == 18 and -1 <= info["episode"]["r"] <= 1
    assert len(env.return_queue) == 3


@pytest.mark.parametrize("game", GAMES)
def test_the_loop_of_its_first_page(game: str) -> None:
    """Actions are drawn from the space, infos have the same keys and kinds at every step, and what is seen fits."""
    env: Any = gymnasium.make(id_of(game))
    observation, info = env.reset(seed=42)
    env.action_space.seed(42)
    kinds, over = {key: type(value) for key, value in info.items()}, False
    assert set(kinds) == {"action_mask", "score", "seat", "illegal_actions"}
    while not over:
        observation, _, terminated, truncated, info = env.step(env.action_space.sample())
        assert observation in env.observation_space
        assert {key: type(value) for key, value in info.items()} == kinds
        over = terminated or truncated
    assert info["action_mask"].all() and terminated


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
@pytest.mark.parametrize("game", GAMES)
def test_many_games_with_a_policy_that_draws_by_the_masks(game: str, mode: str) -> None:
    """Also where a game has just ended, and the next begins in the step after: its action is not played."""
    how = {"autoreset_mode": AutoresetMode[mode]}
    envs: Any = gymnasium.make_vec(id_of(game), 3, vectorization_mode="sync", vector_kwargs=how)
    _, infos = envs.reset(seed=0)
    rng, ended, kinds = np.random.default_rng(0), 0, {key for key in infos if not key.startswith("_")}
    while ended < 4:
        _, _, terminated, truncated, infos = envs.step(drawn(infos["action_mask"], rng))
        ended += (terminated | truncated).sum()
        assert infos["_action_mask"].all() and infos["action_mask"].dtype == np.int8
        assert {key for key in infos if not key.startswith("_")} - {"final_obs", "final_info"} == kinds
        over = infos["final_info"]["action_mask"] if "final_info" in infos else infos["action_mask"]
        assert over[terminated | truncated].all()


def test_illegal_actions_of_many_games_are_replaced_and_marked() -> None:
    envs: Any = gymnasium.make_vec(id_of("push_of_faith"), 4, illegal="random")
    _, infos = envs.reset(seed=0)
    for step in range(60):
        legal, wrong = drawn(infos["action_mask"], np.random.default_rng(step)), np.arange(4) % 2 == step % 2
        chosen = np.where(wrong, [infos["action_mask"][0].argmin(), *infos["action_mask"][1:].argmin(1)], legal)
        chosen[wrong & (np.arange(4) == 3)] = -1
        *_, infos = envs.step(chosen)
        assert (infos["illegal"] == wrong).all() and infos["_illegal"].all()
    with pytest.raises(ValueError, match="gives 4 integer actions"):
        envs.step(chosen[:3])
    with pytest.raises(ValueError, match='illegal=\'never\' is not "raise" or "random"'):
        gymnasium.make_vec(id_of("push_of_faith"), 4, illegal="never")


@pytest.mark.filterwarnings("ignore")  # in which a worker says why it ends
@pytest.mark.parametrize("vectorization", ["sync", "async"])
def test_what_reset_may_not_be_asked(vectorization: str) -> None:
    envs: Any = gymnasium.make_vec(id_of("push_of_faith"), 2, vectorization_mode=vectorization)
    with pytest.raises(OptionError, match=r"reset.* has no 'players'"):
        envs.reset(options={"players": 3})
    envs.close(terminate=True) if vectorization == "async" else envs.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_pictures_of_a_game_have_one_size(game: str) -> None:
    """From the first to the last; what is drawn differs in size."""
    env: Any = gymnasium.make(id_of(game), render_mode="rgb_array")
    env.unwrapped.env.render_width = 160
    _, info = env.reset(seed=1)
    shapes, over, k, rng = {env.render().shape}, False, 0, np.random.default_rng(1)
    while not over:
        _, _, terminated, truncated, info = env.step(drawn(info["action_mask"], rng))
        over, k = terminated or truncated, k + 1
        if over or k % 12 == 0:
            shapes.add(env.render().shape)
    assert len(shapes) == 1 and next(iter(shapes))[1:] == (160, 3)
    other: Any = gymnasium.make(id_of(game), render_mode="rgb_array")
    other.unwrapped.env.render_width = 160
    other.reset(seed=2)
    assert {other.render().shape} == shapes, "in every environment of this game"


def test_frames_are_collected() -> None:
    inner: Any = gymnasium.make("theogony/PushOfFaith-v0", players=2, render_mode="rgb_array")
    inner.unwrapped.env.render_width = 160
    env: Any = RenderCollection(inner)
    play(env, 1)
    frames = env.render()
    assert len(frames) == 19 and all((a != b).any() for a, b in pairwise(frames))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_videos(game: str, tmp_path: Path) -> None:
    pytest.importorskip("moviepy", reason="needs the extra `video`")
    inner: Any = gymnasium.make(id_of(game), max_decisions=50, render_mode="rgb_array")
    inner.unwrapped.env.render_width = 320
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of moviepy
        env = RecordVideo(
            inner, str(tmp_path / "videos"), episode_trigger=lambda episode: episode == 0, disable_logger=True
        )
        play(env, 1)
        env.close()
    (video,) = (tmp_path / "videos").glob("*.mp4")
    assert video.stat().st_size > 1000


def test_scores_of_ended_games_in_a_batch() -> None:
    """Those of all seats, and the caller's own: who has more points is who won."""
    env: Any = gymnasium.make_vec("theogony/PushOfFaith-v0", num_envs=6, reward="margin", seat="random")
    env.reset(seed=1)
    seen = set()
    for _ in range(60):
        _, rewards, ended, _, infos = env.step(env.batch.sample())
        assert ("final_info" in infos) == ended.any()
        for row in np.flatnonzero(ended):
            found = infos["final_info"]
            seat, scores = found["seat"][row], found["scores"][row]
            assert found["score"][row] == scores[seat] and scores.shape == (2,)
            assert np.sign(rewards[row]) == np.sign(scores[seat] - scores[1 - seat])
            seen.add((int(seat), float(np.sign(rewards[row]))))
        if ended.any():
            assert infos["final_info"]["_score"].tolist() == ended.tolist()
            assert not infos["final_info"]["scores"][~ended].any()
    assert {(0, 1), (0, -1), (1, 1), (1, -1)} <= seen
