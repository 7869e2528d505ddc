"""What a decision cost: by a judge that knows what the seat knew, with its own noise told."""

import itertools
import re
import subprocess
import sys
import time
from pathlib import Path

import bluff.game
import numpy as np
import pytest
import tictactoe
from typer.testing import CliRunner

from theogony.benchmark.regret.figures import agreements, apart, as_text, rows_of
from theogony.benchmark.regret.judge import Bench, Decision, Judge, JudgedGame, Played, Verdict
from theogony.benchmark.regret.run import Asked, games_of, judged, tokens_of
from theogony.benchmark.run import partial_of
from theogony.cli import app
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.envs.core.thinking.player_rng import player_rng
from theogony.models.table import Turn
from theogony.training.rating.evaluate import Asked as Evaluated
from theogony.training.rating.evaluate import run as evaluate

GAME = tictactoe.SPEC.configure({})
RESULTS = Path(__file__).parents[2] / "leaderboard/results"


def _played(agents: tuple[str, str], seed: int) -> Played:
    position, players = Position(GAME, seed), [make_player(name, GAME) for name in agents]
    while not position.over:
        seat = position.actor
        position.play(int(players[seat].act(Views.at(position), player_rng([seed, position.now]))[0]))
    return Played(GAME, seed, tuple(position.actions), dict(enumerate(agents)))


@pytest.fixture(scope="module")
def games() -> list[JudgedGame]:
    """Random and searching players against each other, judged by a longer search."""
    bench = Bench("mcts:200", 32, 0)
    tables = [("random", "mcts:200"), ("mcts:200", "random")] * 8
    return [one for seed, agents in enumerate(tables) for one in bench.play(_played(agents, seed)).games]


def test_who_plays_at_random_pays_and_who_plays_as_the_judge_does_not(games: list[JudgedGame]) -> None:
    worst, best = rows_of(games)
    assert (worst.agent, best.agent) == ("random", "mcts:200")
    assert worst.cost.low > best.cost.high and best.cost.low <= 0.02
    (both,) = apart(games)
    assert both.cost.low > 0 and both.cost.error > 0 and both.games == 16
    assert "random - mcts:200: a decision costs +" in as_text(games, "judged")


def test_a_win_that_is_passed_by_costs_the_game_and_the_win_itself_nothing() -> None:
    position = Position(GAME, 0)
    for cell in (0, 3, 1, 4):  # either side would end its line at 2 or 5
        position.play(cell)
    judge, rng = Judge("mcts:200", GAME, 16, "odds"), np.random.default_rng(0)
    assert judge.judge(position, 2, rng) == Verdict(True, 0.0)
    same, cost = judge.judge(position, 8, rng)
    assert not same and cost == pytest.approx(100.0)  # the other side wins at once


def test_a_verdict_hangs_on_what_the_seat_knows_alone() -> None:
    game = bluff.game.SPEC.configure({"players": 2})
    position = Position(game, 3)
    position.play(int(position.legal_actions()[4]))
    judge = Judge("mcts:50", game, 8)
    found = set()
    for die in range(1, 7):  # of the seat that does not decide
        other = position.clone()
        other.g.dice[1 - position.actor] = die
        actions = [int(action) for action in other.legal_actions()]
        found.add(tuple(judge.judge(other, action, np.random.default_rng(5)) for action in actions))
    assert len(found) == 1 and any(verdict.cost != 0 for verdict in found.pop())


def test_verdicts_come_again_with_the_seed_and_not_with_another() -> None:
    played = _played(("random", "greedy"), 2)
    once, again, other = (Bench("mcts:50", 4, seed).play(played) for seed in (0, 0, 1))
    assert once == again != other


def test_the_judge_tells_its_own_noise(games: list[JudgedGame]) -> None:
    """Two searches that agree in everything have no noise; where one finds the opposite of the other, all is noise."""
    (judge,) = agreements(games)
    assert judge.same > 0.5 and judge.correlation is not None and judge.correlation > 0.5
    alike = [_game(deal, [(0.1 * deal, 0.1 * deal)] * 5) for deal in range(6)]
    noisy = [_game(deal, [(0.2, -0.2), (-0.2, 0.2)] * 5) for deal in range(6)]
    assert rows_of(alike)[0].noise == 0 and rows_of(alike)[0].cost.error > 0
    assert rows_of(noisy)[0].noise == pytest.approx(0.2 / 60**0.5) and rows_of(noisy)[0].cost.mean == 0


def _game(deal: int, costs: list[tuple[float, float]], agent: str = "one", tokens: float = -1.0) -> JudgedGame:
    decisions = [Decision("opening", "moves", [Verdict(False, c) for c in pair], tokens) for pair in costs]
    return JudgedGame("toy-2p", agent, "points", deal, 0.5, 0.25, decisions)


def test_few_games_tell_more_by_regret_than_by_results() -> None:
    """By regret an agent is a little worse in each of ten games; it wins as often."""
    rng = np.random.default_rng(0)
    bad = [_game(deal, [(c, c) for c in rng.normal(0.06, 0.05, 20)], "bad") for deal in range(10)]
    good = [_game(deal, [(c, c) for c in rng.normal(0.02, 0.05, 20)], "good") for deal in range(10)]
    lost = [one._replace(won=float(deal % 2)) for deal, one in enumerate(bad)]
    won = [one._replace(won=float(deal % 3 > 0)) for deal, one in enumerate(good)]
    (both,) = apart([*lost, *won])
    assert (both.worse, both.better) == ("bad", "good") and both.cost.low > 0 > both.won.low
    assert both.as_good_as is not None and both.as_good_as > 100


def test_tokens_go_to_the_move_that_they_were_written_for() -> None:
    turns = [_turn(10), _turn(20, "a"), _turn(8, "b", "c"), _turn(99, lesson=True)]
    assert tokens_of(turns, 4) == (0.0, 30.0, 4.0, 4.0)  # the first was not asked for


def _turn(written: int, *played: str, lesson: bool = False) -> Turn:
    about = {"sent": "", "reply": "", "read": 0, "counted": True, "cost": 0.0, "seconds": 0.0}
    return Turn(**about, written=written, played=list(played), lesson=lesson)


def test_records_and_results_of_agents_are_read(tmp_path: Path) -> None:
    from theogony.envs.push_of_faith.game import SPEC

    evaluate(Evaluated("random", ["greedy"], SPEC, players=2), 2, 0, records=tmp_path)
    assert [played.agents for played in games_of(tmp_path)] == [{0: "random", 1: "greedy"}, {0: "greedy", 1: "random"}]
    mine = list(games_of(tmp_path, ["random"]))
    assert [played.agents for played in mine] == [{0: "random"}, {1: "random"}] and mine[0].table == "push_of_faith-2p"
    asked = Asked([tmp_path], "mcts:16", 1, players=["random"], games=1)
    alone, two = judged(asked, workers=1), judged(Asked([tmp_path], "mcts:16", 1), workers=2)
    assert len(alone) == 1 and len(two) == 4 and alone[0] == two[0]  # as many processes as one likes
    results = next((RESULTS / "greedy").glob("medium*.json*"))
    found = list(itertools.islice(games_of(results), 3))
    assert found and all(set(played.agents.values()) == {"greedy"} for played in found)


@pytest.mark.slow
def test_a_killed_run_goes_on_and_gives_the_same_figures(tmp_path: Path) -> None:
    from theogony.envs.push_of_faith.game import SPEC

    records, whole, cut = (tmp_path / name for name in ("records", "whole.json", "cut.json"))
    evaluate(Evaluated("random", ["greedy"], SPEC, players=2), 12, 0, records=records)
    options = ["--by", "mcts:200", "--workers", "1", "--json"]
    command = [sys.executable, "-m", "theogony", "benchmark", "regret", str(records), *options]
    told = subprocess.run([*command, whole], capture_output=True, text=True, check=True).stdout
    process = subprocess.Popen([*command, cut], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    partial, deadline = partial_of(cut), time.monotonic() + 300
    while not partial.exists() or partial.read_bytes().count(b"\n") < 4:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.005)
    process.kill()
    process.wait()
    kept = partial.read_bytes()
    assert 4 <= kept.count(b"\n") < 13 and not cut.exists(), "killed in the middle"
    other = CliRunner().invoke(app, [*command[3:], str(cut), "--seed", "1"])
    assert "is of something else: seed differs" in str(other.exception) + other.output
    partial.write_bytes(kept + b'{"wall": 1.0, "do')  # as a kill may leave it
    again = subprocess.run([*command, cut], capture_output=True, text=True, check=True)
    assert again.stdout.replace(str(cut), str(whole)) == told and cut.read_bytes() == whole.read_bytes()
    assert not partial.exists()


@pytest.mark.parametrize(
    ("by", "problem"), [("greedy", "cannot judge"), ("mcts:5ms", "by simulations"), ("mcts", "expected")]
)
def test_a_judge_searches_by_simulations(by: str, problem: str) -> None:
    with pytest.raises(PlayerError, match=problem):
        Judge(by, GAME, 4)


def test_what_holds_no_games_is_named(tmp_path: Path) -> None:
    said = CliRunner().invoke(app, ["benchmark", "regret", str(tmp_path)])
    assert said.exit_code != 0 and f"{tmp_path}: holds no players.json" in str(said.exception) + said.output


def test_one_deal_has_no_interval(games: list[JudgedGame]) -> None:
    said = as_text([one for one in games if one.deal == games[0].deal], "judged")
    assert "(no interval)" in said and "no spread between deals" in said
    assert not re.search(r"\d{5,}", said), "nothing is divided by rounding errors"
