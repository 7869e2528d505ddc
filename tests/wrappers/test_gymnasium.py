"""Gymnasium's own tools over our environments: ids without an import, checkers, videos, statistics."""

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
from gymnasium.wrappers import RecordEpisodeStatistics, RecordVideo, RenderCollection

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


def test_pictures_of_a_game_have_one_size() -> None:
    """Films want that."""
    inner: Any = gymnasium.make("theogony/PushOfFaith-v0", players=2, render_mode="rgb_array")
    inner.unwrapped.env.render_width = 160
    env: Any = RenderCollection(inner)
    play(env, 1)
    frames = env.render()
    assert len(frames) == 19 and {frame.shape for frame in frames} == {(*frames[0].shape[:1], 160, 3)}
    assert all((a != b).any() for a, b in pairwise(frames))


@pytest.mark.slow
def test_videos(tmp_path: Path) -> None:
    pytest.importorskip("moviepy", reason="needs the extra `video`")
    inner: Any = gymnasium.make("theogony/PushOfFaith-v0", players=2, render_mode="rgb_array")
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
