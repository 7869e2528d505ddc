"""A reference player that is a policy with lookahead scores, as that of a team; one of another layout is refused."""

from pathlib import Path

import numpy as np
import pytest

import theogony
from theogony.envs.core.batch import Batch
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.god_of_war.game import SPEC
from theogony.training.config import ConfigError
from theogony.training.config.sections import Network
from theogony.training.learning.train import run
from theogony.training.networks.weights import CheckpointError
from theogony.training.players import reference
from theogony.training.players.network import NetworkPlayer
from theogony.training.players.search_player import SearchPlayer
from theogony.training.rating.evaluate import evaluate
from theogony.training.rating.tournament import Plan, TournamentTable
from theogony.training.storage.header import HEADER, CheckpointHeader, read_header

CONFIGS = Path(__file__).parents[2] / "configs" / "god_of_war"
GAME = SPEC.configure({"players": 2})
SHORT = {"players": 2, "max_decisions": 60}
TINY = [
    "algorithm.total_steps=64", "algorithm.n_steps=8", "algorithm.batch_size=32", "environment.num_envs=8",
    "algorithm.net_arch.shared=[16]", "algorithm.net_arch.policy=[8]", "algorithm.net_arch.value=[8]",
    "algorithm.net_arch.rows=[]", "algorithm.net_arch.lookahead=8.0",
    "evaluation.games=1", "evaluation.final_games=1", "options={players: 2, max_decisions: 60}", "logging=[]",
]  # fmt: skip


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of reference players with that of a team of two, written from a tiny run."""
    folder = tmp_path_factory.mktemp("agents")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reference, "AGENTS", folder)
        run(CONFIGS / "selfplay.yaml", [*TINY, f"folder={folder / 'run'}"], None)
        assert reference.write(folder / "run") == folder / "god_of_war" / "2p"
    return folder


@pytest.fixture
def team(agents: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The reference player of the tiny run is that of the game."""
    monkeypatch.setattr(reference, "AGENTS", agents)
    return agents


@pytest.mark.slow
def test_a_policy_that_looks_ahead_plays_wherever_a_player_is_named(team: Path) -> None:
    assert read_header(team / "god_of_war" / "2p").precision == "float16"
    player, game = make_player("greedy@reference", GAME), SPEC.configure(SHORT)
    assert isinstance(player, NetworkPlayer) and player.needs_positions
    assert isinstance(make_player("reference", GAME), SearchPlayer)
    assert evaluate(make_player("reference", game), "team", game, 2).games == 2
    assert evaluate(make_player("random", game), "reference", game, 2).games == 2
    batch = Batch(game, 2, seed=1, seat=0, opponents="reference")
    batch.step(batch.sample())
    env = theogony.make("god_of_war", **SHORT)
    env.reset(seed=1)
    named = theogony.player("reference", env, seed=1)
    assert env.position.mask[0][named.act(env)]
    plan = Plan(game, ("random", "reference"), seed=1)
    played = [TournamentTable(plan).play(task) for task in plan.deals(1)]
    assert len(played) == 2 and all(one.crash is None for dealt in played for one in dealt.games)


@pytest.mark.slow
def test_it_decides_as_its_run_does(team: Path) -> None:
    shipped, trained = make_player("greedy@reference", GAME), make_player(str(team / "run"), GAME)
    position, rng, same = Position(GAME, 3), np.random.default_rng(0), []
    for step in range(40):
        chosen = [player.act(Views.at(position), np.random.default_rng(step))[0] for player in (shipped, trained)]
        same.append(chosen[0] == chosen[1])
        position.play(int(rng.choice(position.legal_actions())))
    assert np.mean(same) > 0.9  # half precision may turn what is all but equal


def test_a_search_takes_it_as_a_prior_and_who_needs_a_value_says_so(team: Path, tmp_path: Path) -> None:
    position = Position(GAME, 3)
    guided = make_player("mcts:4@reference", GAME)
    assert isinstance(guided, SearchPlayer) and guided.guide is not None
    assert position.mask[0][guided.act(Views.at(position), np.random.default_rng(0))[0]]
    begin = [f"folder={tmp_path / 'td'}", "start_from=reference", "td.widths=[8]"]
    with pytest.raises(CheckpointError, match=r"2p: holds a policy; a learnt value was expected"):
        run(CONFIGS / "td.yaml", begin, None)
    with pytest.raises(CheckpointError, match=r"2p: holds a policy; a learnt value was expected"):
        run(CONFIGS / "td.yaml", [*begin, "options.players=3", "td.other_table=true"], None)
    with pytest.raises(ConfigError, match=r"distil\.teacher: 'reference' goes by no value; expected greedy, a run of"):
        run(CONFIGS / "distil.yaml", [f"folder={tmp_path / 'd'}", "distil.teacher=reference"], None)


def test_a_network_of_another_layout_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The header is whole, but of a game with one action more."""
    header = CheckpointHeader.of(GAME, Network(), 0)
    other = header.model_copy(update={"actions": header.actions + 1, "features": "0" * 16}).sealed({})
    (tmp_path / "god_of_war" / "2p").mkdir(parents=True)
    (tmp_path / "god_of_war" / "2p" / HEADER).write_bytes(other.as_bytes())
    monkeypatch.setattr(reference, "AGENTS", tmp_path)
    refused = r"actions is \d+, but this game has \d+; .* has changed since: train the agent anew.*; \"greedy\" plays"
    with pytest.raises(CheckpointError, match=refused):
        make_player("reference", GAME)
