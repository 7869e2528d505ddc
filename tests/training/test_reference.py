"""Reference players: they come with the package, play well, and are refused where they do not fit."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from theogony.envs import push_of_faith_v0
from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game
from theogony.envs.core.players import GreedyPlayer, Views, in_kernel, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.registry import GAMES, load
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.training.config.sections import Network
from theogony.training.networks.policy import make_policy
from theogony.training.networks.weights import CheckpointError, weights_of
from theogony.training.players import reference
from theogony.training.players.names import run_of
from theogony.training.players.network import NetworkPlayer
from theogony.training.players.plan_player import PlanPlayer
from theogony.training.players.search_player import SearchPlayer
from theogony.training.players.thinking import thinking_of, thinking_table
from theogony.training.rating.evaluate import evaluate
from theogony.training.storage import checkpoint
from theogony.training.storage.header import CheckpointHeader, read_header
from theogony.wrappers.single_agent import SingleAgentEnv

FOLDERS = sorted(path.parent.relative_to(reference.AGENTS) for path in reference.AGENTS.glob("*/*/header.json"))


@pytest.mark.parametrize("place", FOLDERS, ids=str)
def test_weights_are_small_and_plain(place: Path) -> None:
    folder = reference.AGENTS / place
    assert sorted(path.name for path in folder.iterdir()) == ["header.json", "policy.safetensors"]
    assert (folder / "policy.safetensors").stat().st_size <= reference.LARGEST
    game = read_header(folder).make_game(folder)
    name = reference.POLICY_ALONE if place.name.endswith("policy") else reference.REFERENCE
    assert reference.reference_folder(game, name) == folder
    checkpoint.check_agent(folder, game)
    assert all(torch.isfinite(tensor).all() for tensor in checkpoint.read_weights(folder).values())


def test_reference_player_beats_random_play(game: Game) -> None:
    assert evaluate(make_player("reference", game), "random", game, 60).win_rate > 0.95


def test_reference_is_an_opponent_of_a_batch_and_of_a_gymnasium_environment(game: Game) -> None:
    batch = Batch(game, 16, seed=1, seat=0, opponents="reference")
    results: list[float] = []
    while len(results) < 32:
        batch.step(batch.sample())
        results += batch.ended()[1].tolist()
    assert np.mean(results) < -0.8
    env = SingleAgentEnv(push_of_faith_v0.env(players=2), seat=1, opponents="reference")
    env.action_space.seed(1)
    _, info = env.reset(seed=1)
    ended, reward = False, 0.0
    while not ended:
        _, reward, ended, _, info = env.step(env.action_space.sample(info["action_mask"]))
    assert reward == -1


def test_the_table_of_thinking_is_of_agents_that_are_there() -> None:
    assert set(thinking_table()) <= {str(place) for place in FOLDERS}


@pytest.mark.parametrize("name", sorted({place.partition("/")[0] for place in thinking_table()}))
def test_reference_thinks_as_the_table_says(name: str) -> None:
    """Alone and as an opponent in a batch it decides as the player of the longer name does."""
    game = load(name).configure({"players": 2})
    thinking = thinking_of(game, policy=f"{name}/2p-policy" in thinking_table())
    names = ("reference", f"{thinking}@reference")
    players, position = [make_player(one, game) for one in names], Position(game, 4)
    thinks = PlanPlayer if thinking.startswith("plan") else SearchPlayer
    assert all(isinstance(player, thinks) for player in players) and players[0].name == "reference"
    for ply in range(4):
        (action,) = {int(player.act(Views.at(position), np.random.default_rng(ply))[0]) for player in players}
        position.play(action)
    batches = [Batch(game, 2, seed=1, seat=0, opponents=one) for one in names]
    for _ in range(3):
        for batch in batches:
            batch.step(batch.masks.argmax(1))
    assert batches[0].states.tobytes() == batches[1].states.tobytes()


def test_one_decision_ahead_has_a_name_of_its_own(game: Game) -> None:
    """`greedy@` plays by a learnt value in compiled code; of a policy it is the likeliest action."""
    value, some = make_player("greedy@reference", game), make_player("greedy:0.5@reference", game)
    assert isinstance(value, GreedyPlayer) and len(value.net) and value.greed == 1.0 and in_kernel(some) is some
    assert run_of("greedy@reference") is None and run_of("greedy@runs/x") == "runs/x" and run_of("greedy") is None
    position, seed = Position(game, 3), 5
    policy, named = (make_player(one, game) for one in ("reference-policy", "greedy@reference-policy"))
    actions = [player.act(Views.at(position), np.random.default_rng(seed)) for player in (policy, named)]
    assert actions[0] == actions[1] and named.name == "greedy@reference-policy"
    with pytest.raises(PlayerError, match="is a policy; expected a learnt value, or greedy@reference-policy"):
        make_player("greedy:0.5@reference-policy", game)
    with pytest.raises(PlayerError, match='expected a run behind "@"'):
        make_player("greedy@", game)


def test_a_policy_may_draw_its_actions(game: Game) -> None:
    """`sampled@` draws by the chances of a policy, and never what has none."""
    position, rng = Position(game, 3), np.random.default_rng(5)
    policy, drawn = (make_player(one, game) for one in ("reference-policy", "sampled@reference-policy"))
    assert isinstance(policy, NetworkPlayer) and drawn.name == "sampled@reference-policy"
    assert run_of("sampled@reference-policy") is None and run_of("sampled@runs/x") == "runs/x"
    expected = 400 * policy.probabilities(Views.at(position), rng)[0]
    counts = np.zeros(game.actions.size)
    for _ in range(400):
        counts[drawn.act(Views.at(position), rng)] += 1
    assert np.count_nonzero(counts) > 1 and not counts[expected == 0].any()
    assert (np.abs(counts - expected) <= 5 * np.sqrt(expected) + 1).all()


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("sampled", "there is no player 'sampled'"),
        ("sampled@", 'expected a run behind "@", as in "sampled@runs/x"'),
        ("sampled@greedy", """behind "@": 'greedy' is no run; expected the folder of one, "reference" or"""),
        (f"sampled@{__file__}", "test_reference.py' is no run; expected the folder of one"),
        ("sampled@reference", "reference has no chances to draw actions from; expected a policy"),
        ("sampled:0.5@reference-policy", "nothing can be set before the @; expected sampled@reference-policy"),
    ],
)
def test_only_a_policy_may_draw_its_actions(game: Game, name: str, problem: str) -> None:
    with pytest.raises(PlayerError, match=problem):
        make_player(name, game)


def test_other_tables_and_games_without_one_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for_three = load("push_of_faith").configure({"players": 3})
    shutil.copytree(reference.AGENTS / "push_of_faith" / "2p-policy", tmp_path / "push_of_faith" / "2p-policy")
    monkeypatch.setattr(reference, "AGENTS", tmp_path)
    with pytest.raises(CheckpointError, match='"reference-policy" of push_of_faith for 3 players, only for 2'):
        make_player("reference-policy", for_three)
    monkeypatch.setattr(reference, "AGENTS", tmp_path / "none")
    with pytest.raises(CheckpointError, match='no player "reference" of push_of_faith; games that have one: none'):
        make_player("reference", for_three)


def test_every_table_of_every_game_has_its_players() -> None:
    for name in GAMES:
        for players in load(name).players:
            game = load(name).configure({"players": players})
            for kind in (reference.REFERENCE, reference.POLICY_ALONE):
                assert reference.reference_folder(game, kind).name.startswith(f"{players}p")


def test_a_run_becomes_the_reference_player_of_its_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("push_of_faith").configure({"players": 3})
    monkeypatch.setattr(reference, "AGENTS", tmp_path / "agents")
    network = Network(shared=[8], policy=[], value=[])
    for name, lookahead in (("alone", 0.0), ("looks", 1.0)):
        kind = network.model_copy(update={"lookahead": lookahead})
        header, weights = CheckpointHeader.of(game, kind, 0), weights_of(make_policy(game, kind))
        checkpoint.save(tmp_path / name, header, weights, {}, {}, {})
    assert reference.write(tmp_path / "alone") == tmp_path / "agents" / "push_of_faith" / "3p-policy"
    player = make_player("reference-policy", game)
    assert isinstance(player, NetworkPlayer) and not player.needs_positions
    alone = make_player("reference", game)
    assert isinstance(alone, NetworkPlayer) and not alone.needs_positions  # where none looks ahead
    assert reference.write(tmp_path / "looks") == tmp_path / "agents" / "push_of_faith" / "3p"
    looks = make_player("reference", game)
    assert isinstance(looks, NetworkPlayer) and looks.needs_positions
    for_two = load("push_of_faith").configure({"players": 2})
    assert reference.reference_folder(for_two, "reference-policy", nearest=True).name == "3p-policy"
