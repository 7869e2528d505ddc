"""`engine: distil`: a policy learns what a value says of every action, and plays from the observation alone."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
import yaml
from safetensors.torch import save as save_tensors

import theogony
from tests.toy.tictactoe import SPEC
from tests.training.ahead import Write, check_it_goes_on, writer
from tests.training.loaded import loaded
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load
from theogony.envs.core.rng import mix
from theogony.envs.core.thinking.value_network import OWN_VALUE
from theogony.training.config import ConfigError
from theogony.training.config.engines import DistilConfig
from theogony.training.learning.distil import DEALS, DistilTraining, Teacher, Teaching
from theogony.training.learning.train import run
from theogony.training.networks.weights import CheckpointError, weights_of
from theogony.training.players import reference
from theogony.training.players.names import load_player
from theogony.training.players.network import NetworkPlayer
from theogony.training.rating.evaluate import TEAM, evaluate
from theogony.training.storage import checkpoint
from theogony.training.storage.header import HEADER, CheckpointHeader

TOY: dict[str, Any] = {
    "game": "tests.toy.tictactoe",
    "engine": "distil",
    "environment": {"num_envs": 16, "threads": 2},
    "algorithm": {
        "total_steps": 1500,
        "batch_size": 64,
        "learning_rate": {"start": 3e-3, "end": 1e-3},
        "net_arch": {"shared": [32], "policy": [], "value": []},
    },
    "distil": {"teacher": "greedy", "temperature": 0.1, "explore": 0.8},
    "evaluation": {"every": 10**6, "games": 8, "against": ["random"], "final_games": 10},
    "checkpoint_every": 300,
}
CONFIGS = Path(__file__).parents[2] / "configs"
GREEDY = Teacher(OWN_VALUE, explore=0.5, noise=0.0, reward=0, shaping=0.0, deep=False)
GAME = SPEC.configure({"players": 2})


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    return writer(tmp_path, monkeypatch, TOY)


# ---------------------------------------------------------------------------------------------------- what is taught


def test_values_are_those_of_all_legal_actions_and_returns_the_final_rewards() -> None:
    taught = Teaching(GAME, GREEDY, 1, 3).play(0, 20)
    assert len(taught.codes) == len(taught.values) == len(taught.returns) > 100
    empty = taught.codes[0]
    begin = Position(GAME, 0)
    assert (empty == begin.codes[0]).all()
    for action in begin.legal_actions():
        assert taught.values[0, action] == pytest.approx(after(begin, action).value(0))
    assert (np.isnan(taught.values) == (taught.codes != 1)).all()  # an empty cell has the code 1
    assert set(taught.returns) <= {-1.0, 0.0, 1.0}


def test_games_do_not_depend_on_the_number_of_threads() -> None:
    one, three = (Teaching(GAME, GREEDY, threads, 3).play(5, 23) for threads in (1, 3))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(one[:3], three[:3], strict=True))
    assert one.reward == pytest.approx(three.reward)


@pytest.mark.parametrize("name", ["push_of_faith", "orbis"])
def test_what_shaping_pays_is_left_out_of_the_returns(name: str) -> None:
    """The games stay the same, in Orbis too, where `value` writes on what it judges."""
    game = load(name).configure({"players": 2})
    teacher = GREEDY._replace(reward=game.spec.reward_index("margin"))
    plain = Teaching(game, teacher, 1, 3).play(0, 4)
    shaped = Teaching(game, teacher._replace(shaping=0.5), 1, 3).play(0, 4)
    assert (plain.codes == shaped.codes).all()
    first = Position(game, int(mix(np.uint64(3), 0, DEALS)))
    assert first.codes[0].tobytes() == plain.codes[0].tobytes()
    assert shaped.returns[0] == pytest.approx(plain.returns[0] - 0.5 * first.value(first.actor))
    assert (shaped.returns != plain.returns).any()


@pytest.mark.slow
def test_the_pupil_decides_as_its_teacher_from_the_observation_alone(write, tmp_path: Path) -> None:
    """The game's own value sees a row that is complete, so its pupil must learn to complete rows."""
    run(write(), ["algorithm.total_steps=20_000"], None)
    pupil = load_player(tmp_path / "run", GAME)
    assert isinstance(pupil, NetworkPlayer) and not pupil.needs_positions
    rng, position, taken = np.random.default_rng(0), Position(GAME, 0), []
    while len(taken) < 200:
        position = Position(GAME, 0) if position.over else position
        ends = [after(position, action).value(position.actor) == 1 for action in position.legal_actions()]
        if any(ends) and not all(ends):
            chosen = int(pupil.act(Views.at(position), rng)[0])
            taken.append(ends[position.legal_actions().tolist().index(chosen)])
        position.play(int(rng.choice(position.legal_actions())))
    assert np.mean(taken) > 0.9


def after(position: Position, action: int) -> Position:
    """The position after a decision."""
    copy = position.clone()
    copy.play(int(action))
    return copy


# ---------------------------------------------------------------------------------------------------- going on


@pytest.mark.slow
def test_a_run_goes_on_as_if_nothing_had_happened(write) -> None:
    check_it_goes_on(write, 900)


@pytest.mark.slow
def test_ppo_goes_on_from_a_pupil(write, tmp_path: Path) -> None:
    run(write("pupil"), [], None)
    ppo = {"n_steps": 4, "batch_size": 32, "total_steps": 128, "net_arch": TOY["algorithm"]["net_arch"]}
    common = {key: TOY[key] for key in ("game", "evaluation")} | {"folder": str(tmp_path / "ppo")}
    path = tmp_path / "ppo.yaml"
    content = {**common, "algorithm": ppo, "start_from": str(tmp_path / "pupil"), "environment": {"num_envs": 8}}
    path.write_text(yaml.safe_dump(content), "utf-8")
    run(path, [], None)
    begun, pupil = tmp_path / "ppo" / "checkpoints" / f"{0:012d}", checkpoint.latest(tmp_path / "pupil")
    assert (begun / checkpoint.POLICY).read_bytes() == (pupil / checkpoint.POLICY).read_bytes()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"distil": {"teacher": "mcts:4"}},
            "distil.teacher: 'mcts:4' goes by no value; expected greedy, a run of",
        ),
        ({"distil": {"teacher": "greedy:0.5"}}, "goes by no value"),
        ({"distil": {"teacher": "reference"}}, 'distil.teacher: there is no player "reference" of tictactoe'),
        ({"distil": {"temperature": 0.0}}, "distil.temperature: .* greater than 0"),
        ({"td": {"explore": 0.5}}, "td.explore: engine distil does not read it; td does"),
        ({"algorithm": {"total_steps": 9, "net_arch": {"lookahead": 2.0}}}, "lookahead: engine distil does not read"),
        ({"engine": "sb3"}, "distil.teacher: engine sb3 does not read it; distil does"),
    ],
)
def test_what_does_not_go_is_refused_in_one_line(write, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        DistilTraining(loaded(DistilConfig, write(**changes)), Path("nowhere"))


def test_the_file_that_goes_on_from_the_shipped_pupil_does(tmp_path: Path) -> None:
    tiny = ["environment.num_envs=8", "algorithm.n_steps=4", "algorithm.batch_size=32", "algorithm.total_steps=64"]
    quick = ["evaluation.games=2", "evaluation.final_games=2", "logging=[]", f"folder={tmp_path / 'run'}"]
    run(CONFIGS / "push_of_faith" / "taught.yaml", [*tiny, *quick], None)
    begun = checkpoint.read_weights(tmp_path / "run" / "checkpoints" / f"{0:012d}")
    pupil = checkpoint.read_weights(reference.AGENTS / "push_of_faith" / "2p-policy")
    assert begun.keys() == pupil.keys() and all(torch.equal(begun[name], pupil[name].float()) for name in pupil)
    learnt = checkpoint.read_weights(checkpoint.latest(tmp_path / "run"))
    assert not torch.equal(learnt["action_net.weight"], begun["action_net.weight"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ("algorithm.net_arch.value=[32]", r"its network has value \[64\], that of this run value \[32\]; expected the"),
        ("algorithm.net_arch.activation=tanh", "its network has activation relu, that of this run activation tanh"),
        ("algorithm.net_arch.lookahead=8.0", r"its network has lookahead 0\.0, that of this run lookahead 8\.0"),
        ("start_from=reference", "holds a learnt value; a policy was expected"),
    ],
)
def test_a_pupil_of_another_kind_is_no_beginning(tmp_path: Path, changes: str, message: str) -> None:
    tiny = ["environment.num_envs=8", "algorithm.batch_size=32", f"folder={tmp_path / 'run'}"]
    with pytest.raises(CheckpointError, match=message):
        run(CONFIGS / "push_of_faith" / "taught.yaml", [*tiny, changes], None)


def test_a_pupil_that_is_not_there_is_no_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(reference.AGENTS / "push_of_faith" / "2p-policy", tmp_path / "push_of_faith" / "2p-policy")
    monkeypatch.setattr(reference, "AGENTS", tmp_path)
    changes = ["options.players=3", "environment.num_envs=8", "algorithm.batch_size=32", f"folder={tmp_path / 'run'}"]
    with pytest.raises(CheckpointError, match='there is no player "reference-policy" of push_of_faith for 3 players'):
        run(CONFIGS / "push_of_faith" / "taught.yaml", changes, None)


@pytest.mark.slow
def test_a_run_of_another_kind_is_no_beginning(write, tmp_path: Path) -> None:
    run(write(), [], None)
    path = write("td", start_from=str(tmp_path / "run"))
    value = {key: entry for key, entry in yaml.safe_load(path.read_text()).items() if key != "distil"}
    value |= {"engine": "td", "algorithm": {"total_steps": 100}, "td": {"widths": [8]}}
    path.write_text(yaml.safe_dump(value), "utf-8")
    with pytest.raises(CheckpointError, match="holds a policy; a learnt value was expected"):
        run(path, [], None)


def test_weights_that_are_not_finite_are_no_beginning(write, tmp_path: Path) -> None:
    training = DistilTraining(loaded(DistilConfig, write()), tmp_path / "run")
    weights = weights_of(training.net)
    weights["action_net.bias"][0] = float("nan")
    content = save_tensors(weights)
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / checkpoint.POLICY).write_bytes(content)
    header = CheckpointHeader.of(GAME, training.network, 0).sealed({checkpoint.POLICY: content})
    (tmp_path / "run" / HEADER).write_bytes(header.as_bytes())
    training.close()
    with pytest.raises(CheckpointError, match=r"action_net\.bias holds numbers that are not finite"):
        run(write("next", start_from=str(tmp_path / "run")), [], None)


# ---------------------------------------------------------------------------------------------------- reference-policy

POLICIES = sorted(reference.AGENTS.glob("*/*p-policy/header.json"))


@pytest.mark.parametrize("header", POLICIES, ids=lambda path: f"{path.parents[1].name}-{path.parent.name}")
def test_a_reference_policy_plays_by_name_from_the_observation_alone(header: Path) -> None:
    game = checkpoint.game_of(header.parent)
    player = make_player("reference-policy", game)
    assert isinstance(player, NetworkPlayer) and not player.needs_positions
    alone = game.spec.cooperative and game.players == 1  # wins 80.3 % of 1,000 games, where greedy wins 66.6 %
    games = 1000 if alone else 60
    assert evaluate(player, TEAM if game.spec.cooperative else "random", game, games).win_rate > 0.8


def test_a_reference_policy_is_an_opponent_and_a_player_of_environments() -> None:
    env = gymnasium.make("theogony/PushOfFaith-v0", players=2, opponents="reference-policy")
    player = theogony.player("reference-policy", env, seed=1)
    env.reset(seed=1)
    ended = False
    while not ended:
        _, reward, ended, _, _ = env.step(player.act(env))
    assert reward in (-1, 0, 1)
