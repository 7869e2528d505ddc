"""Tournaments: fair to every seat, the same however they are played, and not to be stopped by a player that crashes."""

import dataclasses
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import own_players
import pytest
import torch
from bluff.game import SPEC as BLUFF
from tictactoe import SPEC as TICTACTOE

from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.jit import rule
from theogony.envs.core.registry import load
from theogony.training.config.sections import Network
from theogony.training.networks.policy import make_policy
from theogony.training.networks.weights import CheckpointError, weights_of
from theogony.training.rating.standings import as_json, as_svg, as_table, run, tournament
from theogony.training.rating.tournament import Job, Plan, TournamentError, TournamentTable
from theogony.training.storage import checkpoint
from theogony.training.storage.disk import InUse, only_here
from theogony.training.storage.header import CheckpointHeader

FIRST, LAST, CRASHER, CHEAT = (f"own_players:{name}" for name in ("First", "Last", "Crasher", "Cheat"))


def plan(*players: str, spec: GameSpec = BLUFF, seed: int = 0, **options: int) -> Plan:
    return Plan(spec.configure(options), players, seed)


def save_agent(run: Path, game: Game, steps: int = 10) -> None:
    """A run with one checkpoint, of an agent without training."""
    network = Network(shared=[], policy=[8], value=[8])
    torch.manual_seed(steps)
    policy = make_policy(game, network)
    for parameter in policy.parameters():
        torch.nn.init.normal_(parameter)
    checkpoint.save(run, CheckpointHeader.of(game, network, steps), weights_of(policy), {}, {}, {})


# ---------------------------------------------------------------------------------------------------- who plays whom


@pytest.mark.parametrize(
    ("players", "seats", "expected"),
    [
        ("ab", 2, ["ab"]),
        ("bca", 2, ["ab", "ac", "bc"]),
        ("abc", 3, ["abc"]),
        ("abcd", 3, ["abc", "abd", "acd", "bcd"]),
        ("ab", 3, ["aab", "abb"]),
        ("ab", 4, ["aabb"]),
        ("abc", 4, ["aabc", "abbc", "abcc"]),
    ],
)
def test_lineups(players: str, seats: int, expected: list[str]) -> None:
    assert ["".join(lineup) for lineup in plan(*players, players=seats).lineups()] == expected


@pytest.mark.parametrize("seats", [2, 3])
def test_everybody_plays_every_seat_of_every_deal(seats: int) -> None:
    names = ("random", FIRST, LAST)
    setup = plan(*names, players=seats)
    dealt = list(map(TournamentTable(setup).play, setup.deals(9)))
    places = Counter((name, seat, d.deal) for d in dealt for game in d.games for seat, name in enumerate(game.seats))
    assert set(places) == {
        (name, seat, deal) for name in names for seat in range(seats) for deal in range(-(-9 // seats))
    }
    assert len(set(places.values())) == 1, "all as often"


def test_all_lineups_play_the_same_deals() -> None:
    """What the first to decide sees is the same in all games of a deal, whoever sits where."""
    setup = plan(FIRST, LAST, "own_players:Third")
    table, first_views = TournamentTable(setup), set()
    for deal in range(4):
        for lineup in setup.lineups():
            for turn, seats in enumerate((list(lineup), list(lineup)[::-1])):
                own_players.First.seen.clear()
                table._play(seats, deal, turn)
                first_views.add((deal, own_players.First.seen[0].tobytes()))
    assert len(first_views) == 4


@pytest.mark.slow
def test_real_play_is_rated_as_it_should_be() -> None:
    found = tournament(plan("random", "greedy", "mcts:200", spec=load("push_of_faith")), 20, folder=None)
    assert found.games == 60 and found.ratings[-1].player == "random"
    rating = {row.player: row for row in found.ratings}
    assert rating["random"].win_rate < 0.1 < rating["random"].high - rating["random"].low
    assert rating["greedy"].low > rating["random"].high
    assert sum(row.rating for row in found.ratings) == pytest.approx(0, abs=1e-6)
    names = [row.player for row in found.ratings]
    share = found.ahead[names.index("greedy")][names.index("random")]
    assert share is not None and share > 0.9
    assert [found.ahead[k][k] for k in range(3)] == [None] * 3


def test_three_at_a_table() -> None:
    found = tournament(plan("random", "greedy", "greedy:0.5", spec=load("push_of_faith"), players=3), 30)
    assert [row.player for row in found.ratings] == ["greedy", "greedy:0.5", "random"]
    assert all(row.games == 30 for row in found.ratings)
    assert sum(row.win_rate for row in found.ratings) == pytest.approx(1)


def test_games_that_are_cut_off_are_drawn() -> None:
    found = tournament(plan("random", "greedy", max_decisions=1), 6)
    assert [row.win_rate for row in found.ratings] == [0.5, 0.5]
    assert [row.rating for row in found.ratings] == pytest.approx([0, 0])


@rule
def won_together(g, t, out):
    out[0] = 1.0 if g.winner == 0 else 0.0
    out[1] = out[0]


def test_teams_of_a_cooperative_game() -> None:
    """A team wins when the first seat gets its line, to which two who take the first cell always help it."""
    team = dataclasses.replace(TICTACTOE, cooperative=True, score=won_together, standing=won_together)
    found = tournament(plan("random", FIRST, CHEAT, spec=team), 40)
    assert found.games == 120
    best = found.ratings[0]
    assert (best.player, best.rating, best.win_rate, best.games) == (FIRST, 1.0, 1.0, 40)
    assert 0.9 < best.low < 1 and best.high == 1.0
    assert found.ratings[2].player == CHEAT and found.ratings[2].win_rate == 0
    assert "100.0%" in as_table(found) and "came before" not in as_table(found)
    assert "win rate" in as_json(found) and as_svg(found).startswith("<svg")


# ---------------------------------------------------------------------------------------------------- crashes


@pytest.mark.parametrize(
    ("player", "error"), [(CRASHER, "ZeroDivisionError: nothing left"), (CHEAT, "IllegalAction: ")]
)
def test_a_player_that_crashes_loses_and_is_named(player: str, error: str) -> None:
    found = tournament(plan("random", "greedy", player), 20)
    assert found.games == 60, "the tournament goes on"
    (crash,) = found.crashes
    assert crash["player"] == player and crash["error"].startswith(error)
    row = next(row for row in found.ratings if row.player == player)
    assert crash["games"] <= row.games * (1 - row.win_rate)
    assert f"{player} crashed in {crash['games']} games and lost them: {error}" in as_table(found)


def test_the_others_share_the_win_over_who_crashes() -> None:
    table = TournamentTable(plan("random", "greedy", CHEAT, players=3))
    games = [
        game for deal in range(4) for game in table.play(Job(("greedy", CHEAT, "random"), deal)).games if game.crash
    ]
    assert games
    for game in games:
        assert [game.places[game.seats.index(name)] for name in ("random", "greedy", CHEAT)] == [1, 1, 2]


# ---------------------------------------------------------------------------------------------------- going on


@pytest.mark.slow
def test_a_seed_decides_whatever_the_number_of_processes(tmp_path: Path) -> None:
    setup = plan("random", "greedy", FIRST, CRASHER, players=3)
    alone = tournament(setup, 12)
    together = tournament(setup, 12, workers=2, folder=tmp_path)
    assert as_json(alone) == as_json(together)
    assert as_json(tournament(plan("random", "greedy", FIRST, CRASHER, players=3, seed=1), 12)) != as_json(alone)
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 4 * 4


def test_a_stopped_tournament_goes_on(tmp_path: Path) -> None:
    setup = plan("random", "greedy", FIRST)
    whole = tournament(setup, 20, folder=tmp_path)
    lines = (tmp_path / "games.jsonl").read_bytes().splitlines(keepends=True)
    assert len(lines) == 30
    (tmp_path / "games.jsonl").write_bytes(b"".join(lines[:17]) + lines[17][:30])
    assert as_json(tournament(setup, 20, folder=tmp_path)) == as_json(whole)
    assert (tmp_path / "games.jsonl").read_bytes().splitlines(keepends=True) == lines


@pytest.mark.slow
def test_what_is_played_is_not_played_again(tmp_path: Path) -> None:
    """More games and another player are added; of those that are there not one is touched."""
    tournament(plan("random", FIRST), 10, folder=tmp_path)
    kept = (tmp_path / "games.jsonl").read_bytes()
    found = tournament(plan("random", FIRST, LAST), 20, folder=tmp_path)
    assert found.games == 60
    assert (tmp_path / "games.jsonl").read_bytes().startswith(kept)
    fewer = tournament(plan("random", FIRST), 10, folder=tmp_path)
    assert as_json(fewer) == as_json(tournament(plan("random", FIRST), 10)), "only what was asked for is counted"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 1}, "seed was 0, now it is 1; expected another folder"),
        ({"rounds": 1}, "options was .*'rounds': 3.* now it is .*'rounds': 1"),
        ({"spec": TICTACTOE}, "game was 'bluff', now it is 'tictactoe'"),
    ],
)
def test_a_folder_of_another_tournament(tmp_path: Path, change: dict, message: str) -> None:
    tournament(plan("random", FIRST), 2, folder=tmp_path)
    with pytest.raises(TournamentError, match=message):
        tournament(plan("random", FIRST, **change), 2, folder=tmp_path)


def test_damaged_and_foreign_folders(tmp_path: Path) -> None:
    setup = plan("random", FIRST)
    tournament(setup, 4, folder=tmp_path / "a")
    games = tmp_path / "a" / "games.jsonl"
    games.write_bytes(b'{"lineup": 3}\n' + games.read_bytes())
    with pytest.raises(TournamentError, match=r"games\.jsonl: line 1: lineup: Input should be a valid list"):
        tournament(setup, 4, folder=tmp_path / "a")
    (tmp_path / "a" / "tournament.json").write_text("[]")
    with pytest.raises(TournamentError, match="is no header of a tournament"):
        tournament(setup, 4, folder=tmp_path / "a")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "letter.txt").write_text("dear")
    with pytest.raises(TournamentError, match=r"holds other files and no tournament\.json"):
        tournament(setup, 4, folder=tmp_path / "b")
    assert [path.name for path in (tmp_path / "b").iterdir()] == ["letter.txt"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda line: None, "line 3: deal 0 of own_players:First, random is there twice"),
        (lambda line: line.update(deal=-1), "line 3: deal: Input should be greater than or equal to 0"),
        (lambda line: line["games"].reverse(), "line 3: in deal 0 the line-up sits otherwise"),
        (lambda line: line.update(lineup=["random"]), "line 3: the line-up random is none of 2 in order"),
        (lambda line: line["games"].pop(), "line 3: in deal 0 the line-up sits otherwise"),
        (lambda line: line["games"][0].update(places=[2, 2]), "places [2, 2] are impossible"),
        (lambda line: line["games"][0].update(places=[1, 3]), "places [1, 3] are impossible"),
        (lambda line: line["games"][0].update(places=[1]), "places [1] are impossible"),
        (lambda line: line["games"][0].update(crash={"player": "x", "error": ""}), "x crashed, but sits in another"),
        (lambda line: line["games"].append(None), "line 3: games.2: Input should be"),
    ],
)
def test_games_that_cannot_be(tmp_path: Path, change: Callable[[Any], Any], message: str) -> None:
    setup = plan("random", FIRST)
    tournament(setup, 4, folder=tmp_path)
    path = tmp_path / "games.jsonl"
    line = json.loads(path.read_text().splitlines()[0])
    change(line)
    path.write_text(path.read_text() + json.dumps(line) + "\n")
    with pytest.raises(TournamentError) as caught:
        tournament(setup, 6, folder=tmp_path)
    assert str(caught.value).startswith(str(path)) and message in str(caught.value)


def test_a_line_that_is_nested_too_deeply(tmp_path: Path) -> None:
    setup = plan("random", FIRST)
    tournament(setup, 4, folder=tmp_path)
    (tmp_path / "games.jsonl").write_text("[" * 100_000 + "\n")
    with pytest.raises(TournamentError, match=r"games\.jsonl: line 1: is nested more than"):
        tournament(setup, 4, folder=tmp_path)


def test_one_tournament_at_a_time_in_a_folder(tmp_path: Path) -> None:
    with only_here(tmp_path), pytest.raises(InUse, match="another process works in this folder"):
        tournament(plan("random", FIRST), 4, folder=tmp_path)
    tournament(plan("random", FIRST), 4, folder=tmp_path)


@pytest.mark.slow
def test_an_agent_that_has_learnt_since_is_another_player(tmp_path: Path) -> None:
    agent, folder = tmp_path / "agent", tmp_path / "games"
    save_agent(agent, BLUFF.configure())
    first = tournament(plan("random", str(agent)), 4, folder=folder)
    assert as_json(tournament(plan("random", str(agent)), 4, folder=folder)) == as_json(first)
    save_agent(agent, BLUFF.configure(), steps=20)
    with pytest.raises(TournamentError, match="agent has learnt since its games there; expected another folder"):
        tournament(plan("random", str(agent)), 4, folder=folder)


# ---------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ([], "nobody: a tournament needs at least two"),
        (["random"], "random: a tournament needs at least two"),
        (["random", "greedy", "random"], "'random' is named twice"),
        (["random", "nobody"], "there is no player 'nobody'; expected .*\"random\""),
        (["random", "mcts:many"], "player 'mcts:many': expected simulations or milliseconds"),
        (["random", "greedy:2"], "a share of greedy decisions from 0 to 1"),
        (["random", "mcts:9@nowhere"], "there is no player 'nowhere'"),
        (["random", "own_players:Nobody"], "player 'own_players:Nobody': .* expected a class"),
        (["random", "no_module:X"], "player 'no_module:X': No module named"),
        (["random", "own_players:no_player"], r"has no act\(views, rng\)"),
    ],
)
def test_players_that_there_are_not(players: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tournament(plan(*players), 2)


def test_checkpoints_that_cannot_play(tmp_path: Path) -> None:
    save_agent(tmp_path / "other", TICTACTOE.configure())
    with pytest.raises(CheckpointError, match="game is 'tictactoe', but this game has 'bluff'"):
        tournament(plan("random", str(tmp_path / "other")), 2)
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "config.yaml").touch()
    for name in (str(tmp_path / "half"), f"mcts:9@{tmp_path / 'half'}"):
        with pytest.raises(CheckpointError, match="has no checkpoint yet"):
            tournament(plan("random", name), 2, folder=tmp_path / "games")


def test_no_games() -> None:
    with pytest.raises(ValueError, match="games: 0: a tournament needs at least one"):
        tournament(plan("random", FIRST), 0)


def test_the_command_writes_its_files(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    files = tmp_path / "a.json", tmp_path / "a.svg"
    written: dict[str, Any] = {"folder": tmp_path / "run", "json_file": files[0], "svg_file": files[1]}
    run("bluff.game", ["random", FIRST], 5, options=["players=2", "rounds=1"], seed=3, workers=1, **written)
    found = json.loads(files[0].read_text())
    assert (found["game"], found["games"], found["options"]["rounds"], found["seed"]) == ("bluff", 6, 1, 3)
    assert {tuple(row) for row in found["ratings"]} == {("player", "rating", "low", "high", "win_rate", "games")}
    assert {row["player"] for row in found["ratings"]} == {"random", FIRST}
    assert all(row["low"] <= row["rating"] <= row["high"] for row in found["ratings"])
    assert files[1].read_text() == (tmp_path / "run" / "ratings.svg").read_text()
    assert files[0].read_text() == (tmp_path / "run" / "ratings.json").read_text()
    assert "6 games, seed 3" in capsys.readouterr().out
    with pytest.raises(ValueError, match="bluff has no option 'rooms'"):
        run("bluff.game", ["random", FIRST], 5, options=["rooms=2"], seed=3, workers=1)
