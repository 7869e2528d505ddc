"""Players and masked evaluation."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tictactoe import SPEC as TICTACTOE

from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import read_record, write_record
from theogony.envs.core.players import GreedyPlayer, RandomPlayer, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.record import CUT_OFF, ENDED
from theogony.envs.core.registry import load
from theogony.envs.push_of_faith.game import SPEC
from theogony.training.config import ConfigError
from theogony.training.config.modules import find_game
from theogony.training.config.sections import Network
from theogony.training.learning.train import run as train
from theogony.training.networks.policy import make_policy
from theogony.training.networks.weights import CheckpointError
from theogony.training.players.network import NetworkPlayer
from theogony.training.rating.evaluate import TEAM, Asked, evaluate, run, table, wilson, won_shares
from theogony.training.rating.tournament import read_records

Write = Callable[..., Path]


@pytest.mark.random_play
@pytest.mark.parametrize("players", [2, 3, 5])
def test_random_against_random_wins_its_share(players: int) -> None:
    game = SPEC.configure({"players": players})
    result = evaluate(RandomPlayer(), "random", game, 900, seed=1)
    assert result.games == 900 and len(result.seats) == players
    assert result.win_rate == pytest.approx(1 / players, abs=0.05)
    assert result.win_rate == pytest.approx(np.mean(result.seats))
    assert result.margin is not None and result.margin < (2 if players == 2 else 0)


def test_seats_play_the_same_games() -> None:
    """Greedy against greedy: what one seat wins, the other loses, in the same games."""
    game = SPEC.configure({"players": 2})
    results = [evaluate(make_player("greedy", game), "greedy", game, 60, seed=3) for _ in range(2)]
    assert results[0] == results[1], "the same seed gives the same games"
    assert 0.2 < results[0].win_rate < 0.8


class Counting:
    """Takes the first legal action, and counts its decisions."""

    name = "counting"

    def __init__(self) -> None:
        self.asked = 0

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        self.asked += len(views)
        return views.masks.argmax(1)


def test_nobody_thinks_about_games_that_do_not_count() -> None:
    """Rows of a batch whose game is over play on; neither the player nor its opponents are asked there."""
    game = load("orbis").configure({"players": 3})
    player, other = Counting(), Counting()
    assert evaluate(player, other, game, 8, seed=3, only=0).games == 8
    batch, lengths = Batch(game, 8, seed=3), np.zeros(8, int)
    while not lengths.all():
        batch.step(batch.masks.argmax(1))
        first = (batch.rows["over"] != 0) & (lengths == 0)
        lengths[first] = batch.rows["ended_length"][first]
    assert len(set(lengths)) > 1
    assert player.asked + other.asked == lengths.sum()


def test_greedy_player_is_the_greedy_of_the_kernel(game: Game) -> None:
    """Both win against random play, by about the same margin."""
    python = evaluate(GreedyPlayer(game), "random", game, 100, seed=2)
    kernel = evaluate(RandomPlayer(), "greedy", game, 100, seed=2)
    assert python.win_rate > 0.97 and kernel.win_rate < 0.03
    assert python.margin is not None and kernel.margin is not None
    assert python.margin == pytest.approx(-kernel.margin, abs=6)


def test_a_share_of_greedy_decisions_is_between(game: Game) -> None:
    margins = [
        evaluate(make_player(name, game), "random", game, 100).margin for name in ("random", "greedy:0.5", "greedy")
    ]
    assert margins == sorted(margins, key=lambda margin: margin or 0.0)
    assert (margins[1] or 0.0) - (margins[0] or 0.0) > 5


def test_views_sample_positions_that_fit_what_the_seat_sees(game: Game) -> None:
    batch = Batch(game, 4, seed=5)
    for _ in range(9):
        batch.step(batch.sample())
    views, rng = Views.of(batch), np.random.default_rng(0)
    keys = set()
    for row, view in enumerate(views):
        for _ in range(3):
            position = view.sample(rng)
            assert position.actor == batch.rows["seat"][row]
            assert np.array_equal(position.observe(position.actor), view.observation)
            assert np.array_equal(position.mask[0], view.mask)
            keys.add(position.key())
    assert len(keys) == 12, "what is hidden varies"
    assert len(views[1:3]) == 2
    with pytest.raises(ValueError, match="no positions to sample from"):
        Views(batch.observations, batch.masks, batch.rows["seat"])[0].sample(rng)


def test_shares_of_a_win() -> None:
    """Of three: a win, a shared one, the third place, a game that was cut off; of a team such ends as well."""
    three = Batch(SPEC.configure({"players": 3}), 4, 0)
    three.rows["over"] = [ENDED, ENDED, ENDED, CUT_OFF]
    three.rows["ended_seat"] = [0, 0, 2, 0]
    three.rows["standing"][:, :3] = [[30, 20, 10], [30, 30, 10], [30, 30, 10], [30, 20, 10]]
    assert won_shares(three).tolist() == [1.0, 0.5, 0.0, 1 / 3]
    team = Batch(load("god_of_war").configure({"players": 1}), 3, 0, seat="all")
    team.rows["over"], team.rows["standing"][:, 0] = [ENDED, ENDED, CUT_OFF], [1, 0, 1]
    assert won_shares(team).tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("reward", ["rank", "margin"])
@pytest.mark.parametrize("players", [2, 4])
def test_what_was_won_does_not_depend_on_the_reward(players: int, reward: str) -> None:
    """A win is a win by every reward: the second of four, whom `rank` pays, has won nothing; who loses by a tie-break
    has not won half, though `margin` knows no tie-breaks."""
    game = load("push_of_faith").configure({"players": players})
    batch, usual = (Batch(game, 64, 5, seat=0, reward=kind) for kind in (reward, "outcome"))
    found: list[float] = []
    broken = 0
    while len(found) < 600:
        actions = batch.sample()
        batch.step(actions)
        usual.step(actions)
        ended, _ = batch.ended()
        shares = won_shares(batch)
        assert len(shares) == len(ended) and (shares == won_shares(usual)).all()
        scores = batch.rows["scores"][ended][:, :players]
        first = scores == scores.max(1, keepdims=True)
        assert (shares[~first[:, 0]] == 0).all()
        broken += int((first[:, 0] & (first.sum(1) > 1) & np.isin(shares, (0.0, 1.0))).sum())
        found += shares.tolist()
    assert broken, "no two had equal scores"
    assert np.mean(found) == pytest.approx(1 / players, abs=0.08)


def test_of_a_team_those_are_won_that_end_well() -> None:
    """Progress is paid of lost games as well, and nothing of those that are cut off."""
    for options in ({}, {"max_decisions": 5}):
        batch = Batch(load("god_of_war").configure({"players": 1, **options}), 16, 5, seat="all", reward="progress")
        ended = 0
        while ended < 30:
            batch.step(batch.sample())
            shares, rows = won_shares(batch), batch.rows[batch.rows["over"] > 0]
            assert (shares == ((rows["over"] == ENDED) & (rows["rewards"][:, 0] == 1.0))).all()
            ended += len(rows)


def test_a_table_says_how_many_games_were_cut_off() -> None:
    """Somebody who holds out has lost none of them; the column is there only where there were any."""
    limits = {"players": 1, "scene": "alfheim"}
    of_one, of_all = ({**limits, "max_rounds": 1}, {**limits, "max_decisions": 5})
    results = [evaluate(RandomPlayer(), TEAM, load("god_of_war").configure(of), 20) for of in (limits, of_one, of_all)]
    assert results[0].cut_off == 0 and 0 < results[1].cut_off <= results[2].cut_off == 1
    assert results[2].win_rate == 0
    heading, *lines = table(results[1:]).splitlines()
    assert "  cut off  " in heading and lines[1].split()[-2:] == ["100.0%", "0.0%"]
    assert "cut off" not in table(results[:1])


def test_a_policy_is_evaluated_both_ways_and_a_table_shows_where_they_differ(game: Game) -> None:
    """Nearly all of this one's chance lies on many actions alike, a little more on one: drawn it is as random play."""
    policy = make_policy(game, Network(shared=[], policy=[], value=[]))
    choice: Any = policy.action_net
    with torch.no_grad():
        choice.weight.zero_()
        choice.bias.copy_(-1e-3 * torch.arange(game.actions.size))
    result = evaluate(NetworkPlayer("flat", policy, game=game), "random", game, 200, both=True)
    assert result.drawn == pytest.approx(0.5, abs=0.12)
    assert evaluate(GreedyPlayer(game), "random", game, 10, both=True).drawn is None
    unlike, alike = replace(result, low=0.6, high=0.7, win_rate=0.65, drawn=0.5), replace(result, drawn=result.win_rate)
    assert "drawn" in table([unlike]) and "50.0%" in table([unlike]) and "drawn" not in table([alike])


def test_wilson_interval() -> None:
    """Against the values of the textbook formula (Newcombe 1998, table I: 81 of 263, 0 of 20)."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(20, 20)[1] == 1.0 and wilson(0, 0) == (0.0, 1.0)


def test_table_and_errors(game: Game, tmp_path: Path) -> None:
    text = table([evaluate(RandomPlayer(), "random", game, 20)])
    assert text.splitlines()[0].split()[:3] == ["against", "games", "won"]
    assert text.splitlines()[1].startswith("random")
    with pytest.raises(ConfigError, match="which game"):
        run(Asked("greedy", ["random"]), 10, 0)
    with pytest.raises(ValueError, match="there is no player"):
        run(Asked(str(tmp_path / "none"), ["random"]), 10, 0)
    with pytest.raises(ValueError, match="a share of greedy decisions from 0 to 1"):
        make_player("greedy:2", game)


def test_the_game_is_named_or_that_of_a_run(game: Game) -> None:
    named = Asked("greedy", ["random"], SPEC, ["players=4"]).make_game()
    assert (named.spec.name, named.players) == ("push_of_faith", 4)
    assert Asked("greedy", ["random"], SPEC, players=3).make_game().players == 3
    trained = Asked("greedy", ["training/agents/push_of_faith/2p"])
    assert trained.make_game().options == game.options
    with pytest.raises(ConfigError, match=r"players: .*not 9"):
        Asked("greedy", ["random"], SPEC, players=9).make_game()


@pytest.mark.parametrize("players", [3, 4])
def test_a_result_as_json(players: int, tmp_path: Path) -> None:
    run(Asked("greedy:0.5", ["random", "greedy"], SPEC, players=players), players, 5, tmp_path / "result.json")
    content = json.loads((tmp_path / "result.json").read_text())
    assert (content["player"], content["game"], content["seed"]) == ("greedy:0.5", "push_of_faith", 5)
    assert content["options"]["players"] == players
    assert [result["against"] for result in content["results"]] == ["random", "greedy"]
    assert all(len(result["seats"]) == players for result in content["results"])


def test_recorded_games_are_those_that_were_counted(tmp_path: Path) -> None:
    """Each is played again from its record; who won is what the table says, and who sat where what the name says."""
    folder, result = tmp_path / "games", tmp_path / "result.json"
    run(Asked("greedy", ["random", "greedy"], SPEC, players=3), 12, 5, result, folder)
    counted = {found["against"]: found["win_rate"] for found in json.loads(result.read_text())["results"]}
    records, won = read_records(folder), {"random": [], "greedy": []}
    files = sorted(folder.glob("*.jsonl"))
    for file in files:
        position, seats = read_record(file, lambda _: SPEC), records.seats(file)
        standings = position.standings()
        best = standings == standings.max()
        seat = int(file.stem.split("_")[1])
        assert seats[seat] == "greedy"
        won[seats[seat - 1]].append(best[seat] / best.sum())
    assert len(files) == 24
    assert {name: float(np.mean(shares)) for name, shares in won.items()} == pytest.approx(counted)


@pytest.mark.slow
def test_a_run_finds_the_game_that_its_own_file_names_by_module(
    write: Write, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Only with consent, since a module executes code."""
    plain: dict[str, Any] = {"reward": "outcome", "shaping": "none", "opponents": [{"player": "random"}]}
    path = write(game="tictactoe:SPEC", evaluation={"games": 2, "final_games": 2, "against": ["random"]}, **plain)
    monkeypatch.setenv("THEOGONY_ALLOW_MODULES", "1")
    train(path, ["algorithm.total_steps=40"], None)
    run(Asked(str(tmp_path / "run"), ["random"]), 4, 0)
    assert "Tic-tac-toe, 2 players" in capsys.readouterr().out
    position = Position(TICTACTOE.configure({}), 1)
    while not position.over:
        position.play(position.legal_actions()[0])
    write_record(position, tmp_path / "run" / "game.jsonl")
    again = read_record(tmp_path / "run" / "game.jsonl", lambda name: find_game(name, tmp_path / "run" / "game.jsonl"))
    assert again.key() == position.key()
    monkeypatch.delenv("THEOGONY_ALLOW_MODULES")
    with pytest.raises(CheckpointError, match="'tictactoe:SPEC' is a module, which executes code; say --allow-modules"):
        run(Asked(str(tmp_path / "run"), ["random"]), 4, 0)
