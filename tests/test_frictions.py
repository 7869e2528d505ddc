"""What people who come from other libraries try first: it works, or one line names the way."""

import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor

import theogony
from theogony.envs import UnknownGame, load
from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.game import OptionError
from theogony.envs.core.position import Position
from theogony.training.config import ConfigError
from theogony.training.config.file import load_config

WITHOUT_PICTURES = """
import sys
for name in ("thorvg_python", "PIL"):
    sys.modules[name] = None
import gymnasium
import theogony
from gymnasium.utils.env_checker import check_env
env = gymnasium.make("theogony/PushOfFaith-v0", illegal="random")
assert "rgb_array" not in env.metadata["render_modes"]
check_env(env.unwrapped)
"""


@pytest.mark.slow
def test_the_checker_passes_without_the_libraries_of_pictures() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_PICTURES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_with_them_pictures_are_offered() -> None:
    env = gymnasium.make("theogony/PushOfFaith-v0", illegal="random")
    assert "rgb_array" in env.metadata["render_modes"]
    check_env(env.unwrapped, skip_render_check=True)


def test_a_sampled_action_is_legal() -> None:
    env = gymnasium.make("theogony/PushOfFaith-v0")
    env.reset(seed=1)
    env.action_space.seed(1)
    over, info = False, {}
    while not over:
        _, _, terminated, truncated, info = env.step(env.action_space.sample())
        over = terminated or truncated
    assert info["illegal_actions"] == 0
    assert env.action_space.contains(env.action_space.sample()), "after the end any"


def test_an_illegal_action_names_the_way() -> None:
    env = gymnasium.make("theogony/PushOfFaith-v0")
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match='illegal="random" plays a legal one instead'):
        env.step(123)


def test_vec_monitor_has_nothing_to_warn_of() -> None:
    envs = theogony.make_vec("push_of_faith", 2, seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        VecMonitor(envs)
    assert envs.env_is_wrapped(Monitor) == [True, True], "evaluate_policy takes the episodes of the infos"


def test_illegal_for_many_games_names_the_way() -> None:
    """Gymnasium's batches take it, for libraries that know no masks; those of SB3 do not."""
    with pytest.raises(OptionError, match=r"choose by the masks, with MaskablePPO or theogony.sample_masks"):
        theogony.make_vec("push_of_faith", 2, illegal="random")
    vec(2, illegal="random").close()


@pytest.mark.parametrize(
    ("make", "word", "message"),
    [
        (lambda **given: theogony.make("orbis", **given), "seed", r"seed= is no argument .*reset\(seed=\.\.\.\)"),
        (lambda **given: gymnasium.make("theogony/Orbis-v0", **given), "seed", r"give it to reset\(seed=\.\.\.\)"),
        (lambda **given: gymnasium.make("theogony/Orbis-v0", **given), "threads", "an argument of theogony.make_vec"),
        (lambda **given: theogony.make_vec("orbis", 2, **given), "render_mode", r"envs\.batch\.position\(row\)\.svg"),
        (lambda **given: vec(2, **given), "render_seat", r"envs\.batch\.position\(row\)\.svg"),
        (lambda **given: theogony.make("orbis", **given), "num_players", r"its options are .*did you mean 'players'\?"),
    ],
)
def test_an_argument_of_somewhere_else_names_the_place(make, word: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        make(**{word: 3})


@pytest.mark.parametrize("name", ["Push of Faith", "pushoffaith", "push_of_faith_v0", "theogony/PushOfFaith-v0"])
def test_a_name_that_is_nearly_one_is_answered_with_it(name: str) -> None:
    with pytest.raises(UnknownGame, match=r"\(did you mean 'push_of_faith'\?\); known games: god_of_war"):
        theogony.make(name)


def test_an_unknown_argument_is_a_type_error_as_everywhere_in_python() -> None:
    """TorchRL's `GymEnv` tries `frameskip=` first, and goes on without it where it is told so in Python's words."""
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'") as caught:
        gymnasium.make("theogony/PushOfFaith-v0", frameskip=1)
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), OptionError), "vector environments send it on"


def test_torchrl_makes_environments_by_their_ids() -> None:
    envs = pytest.importorskip("torchrl.envs", reason="needs the extra `examples`")
    assert envs.GymEnv("theogony/PushOfFaith-v0", illegal="random").rollout(100).batch_size == (18,)


def vec(count: int, **arguments):
    return gymnasium.make_vec("theogony/PushOfFaith-v0", num_envs=count, **arguments)


EVERY_WAY = [
    lambda **given: gymnasium.make("theogony/PushOfFaith-v0", **given),
    lambda **given: vec(2, **given),
    lambda **given: theogony.make_vec("push_of_faith", 2, **given),
]


@pytest.mark.parametrize("make", EVERY_WAY)
def test_a_wrong_seat_is_answered_with_what_there_is(make) -> None:
    with pytest.raises(ValueError, match=r'seat=5 is not 0 to 1 or "random"$'):
        make(seat=5)


@pytest.mark.parametrize("make", EVERY_WAY)
def test_a_team_in_a_competitive_game_is_refused_in_the_words_that_were_typed(make) -> None:
    with pytest.raises(OptionError, match='push_of_faith: control="team" is for cooperative games'):
        make(control="team")


def test_a_batch_plays_a_whole_team() -> None:
    envs = theogony.make_vec("god_of_war", 2, players=2, control="team", seed=0)
    envs.reset()
    seats = set(envs.batch.rows["seat"].tolist())
    for _ in range(60):
        envs.step(envs.action_masks().argmax(1))
        seats |= set(envs.batch.rows["seat"].tolist())
    assert seats == {0, 1}, "both heroes are the caller's"


def test_rewards_need_no_kind() -> None:
    for players, usual in ((2, "outcome"), (3, "rank")):
        position = Position(load("push_of_faith").configure({"players": players}), seed=3)
        while not position.over:
            position.play(int(position.legal_actions()[0]))
        assert np.array_equal(position.rewards(), position.rewards(usual)) and position.rewards().any()


def test_a_key_of_another_section_is_found(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("game: push_of_faith\nalgorithm: {total_steps: 1000}\ntotal_steps: 1\n", "utf-8")
    with pytest.raises(ConfigError, match=r"total_steps: there is no such key; did you mean algorithm.total_steps\?"):
        load_config(path)


def test_the_last_observation_has_a_type() -> None:
    """Pyright reads this file: what `last()` gives is indexed without a question, but for `last(observe=False)`."""
    env = theogony.make("push_of_faith")
    env.reset(seed=7)
    observation, *_ = env.last()
    assert observation["action_mask"].any()
    assert env.last(observe=False)[0] is None
