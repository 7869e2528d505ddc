"""Models against each other: who sits with whom, what each is told, and one scale for all."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scripted import Scripted
from typer.testing import CliRunner

from theogony.cli import app
from theogony.envs.core.contract import deal_seed
from theogony.envs.core.players import Views
from theogony.models.ask import ModelError
from theogony.models.ladder import anchors_of
from theogony.models.results import Results, games_folder, read_results, standings_of, told
from theogony.models.run import Measurement, measure_all
from theogony.models.table import (
    ModelTable,
    Transcript,
    chains_of,
    jobs_of,
    lineups_of,
    seating_of,
    seats_named,
)
from theogony.models.verify import verify
from theogony.wrappers.text import TextEnv

Make = Callable[..., Measurement]


@pytest.fixture
def duel(asked: Make, endpoint: Scripted, tmp_path: Path) -> Make:
    """Two models, `a` and `b`, by the policies of the endpoint, and who else sits there."""

    def make(a: str = "first", b: str = "random", seats: str = "model:a,model:b", **changed: Any) -> Measurement:
        models = {"a": endpoint.address(a), "b": endpoint.address(b)}
        models = {name: address for name, address in models.items() if f"model:{name}" in seats}
        out = changed.pop("out", tmp_path / "duel.json")
        return asked(out=out, models=models, seats=seats_named(seats, models), **changed)

    return make


def transcripts(wanted: Measurement, name: str, found: Results) -> list[Transcript]:
    return [Transcript(games_folder(wanted.files()[name]) / one.transcript) for one in found.games]


# ---- Ratings -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_models_of_known_strength_are_placed_among_the_anchors(duel: Make) -> None:
    """One plays what `greedy` would, the other at random; both meet each other and some of the ladder."""
    wanted = duel("hinted", "random", "model:a,model:b,random,greedy", games=20, settings={"hint": "greedy"})
    found, why = measure_all(wanted)
    assert why == ""
    table = standings_of(found["a"].tables[0], found)
    assert table is not None
    rows = {row.player: row for row in table.ratings}
    anchors = anchors_of("push_of_faith-2p")
    assert {name: round(rows[name].rating, 1) for name in ("random", "greedy")} == {
        name: anchors[name].points for name in ("random", "greedy")
    }, "anchors stay where the ladder has them"
    for model, like in (("model:a", "greedy"), ("model:b", "random")):
        row, anchor = rows[model], anchors[like]
        assert row.low <= anchor.high and anchor.low <= row.high and row.high - row.low < 600, (row, anchor)
    names = [row.player for row in table.ratings]
    assert table.ahead[names.index("model:a")][names.index("model:b")] > 0.9  # pyright: ignore[reportOptionalOperand]
    for name in found:
        assert f"{len(found[name].games)} games" in verify(wanted.files()[name])


def test_each_model_has_its_costs(duel: Make) -> None:
    wanted = duel(games=2, prices={"a": (2.0, 8.0), "b": (1.0, 0.0)})
    found, _ = measure_all(wanted)
    for name, (read, written) in wanted.prices.items():
        spent = found[name].figures.spent
        assert spent.cost == pytest.approx((spent.read * read + spent.written * written) / 1e6)
        assert spent.read > 1000 and f"{spent.read:,}" in told(found)
    with pytest.raises(ModelError, match="--max-cost needs to know"):
        duel(prices={"a": (2.0, 8.0)}, max_cost=1.0).budget()


def test_one_who_never_answers_legally_is_not_rated(duel: Make) -> None:
    found, _ = measure_all(duel("first", "nonsense", "model:a,model:b,random", games=2))
    table = standings_of(found["a"].tables[0], found)
    assert table is not None and [row.player for row in table.ratings if "model" in row.player] == ["model:a"]
    assert "b: push_of_faith-2p: no rating: no reply named a legal move" in told(found)


def test_who_forfeits_has_lost_and_the_other_has_won(duel: Make) -> None:
    wanted = duel("first", "nonsense", games=2, settings={"after_tries": "forfeit", "tries": 1})
    found, _ = measure_all(wanted)
    assert [(g.result, g.reward, g.places[g.seat]) for g in found["a"].games] == [("W", 1.0, 1)] * 2
    assert [(g.result, g.reward, g.places[g.seat]) for g in found["b"].games] == [("L", -1.0, 2)] * 2
    assert all("2 games" in verify(file) for file in wanted.files().values())


# ---- What each is told ---------------------------------------------------------------------------------------------


class Replay:
    """Plays what was played."""

    name = "replay"

    def __init__(self, moves: Sequence[str], env: list[TextEnv]) -> None:
        self._moves, self._env = iter(moves), env

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        return np.array([self._env[0].game.actions.parse(next(self._moves))])


@pytest.mark.parametrize(
    "manner",
    [
        {},
        {"memory": "conversation"},
        {"memory": "conversation", "brief": True, "forced": True},
        {"memory": "conversation", "whole_turns": True},
    ],
)
def test_a_model_is_told_the_same_whoever_sits_there(duel: Make, manner: dict[str, Any]) -> None:
    """What it reads beside another model is what it reads where a player makes the same moves."""
    wanted = duel("first", "random", games=2, settings=manner)
    found, _ = measure_all(wanted)
    for one, script, other in zip(found["a"].games, *(transcripts(wanted, n, found[n]) for n in "ab"), strict=True):
        env: list[TextEnv] = []
        shown = {name: manner[name] for name in ("brief", "forced", "whole_turns") if name in manner}
        player = Replay([move for turn in other.turns for move in turn.played], env)
        repeat = manner.get("memory") != "conversation"
        alone = TextEnv("push_of_faith", seat=one.seat, opponents=player, marked=True, repeat=repeat, **shown)
        env.append(alone)
        text = alone.reset(deal_seed(one.deal)).removeprefix(alone.head).lstrip()
        for turn in script.turns:
            assert turn.sent == text
            text = alone.step(turn.reply)
        assert alone.over and alone.reward == one.reward


def test_a_table_of_three_seats_two_models_and_a_player(duel: Make) -> None:
    wanted = duel(seats="model:a,model:b,greedy", games=3, options={"players": 3})
    found, why = measure_all(wanted)
    assert why == "" and {g.against for g in found["a"].games} == {"model:b + greedy"}
    assert [g.places for g in found["a"].games] == [g.places for g in found["b"].games]
    assert [g.seat for g in found["a"].games] != [g.seat for g in found["b"].games]
    assert all("3 games" in verify(file) for file in wanted.files().values())


@pytest.mark.slow
def test_models_are_a_team_in_a_cooperative_game(duel: Make) -> None:
    """One plays both heroes, or each has one; a player may be a mate."""
    wanted = duel(seats="model:a,model:a+model:b,model:b+greedy", games=1, options={"players": 2})
    wanted.game = "god_of_war"
    found, why = measure_all(wanted)
    assert why == ""
    table = standings_of(found["a"].tables[0], found)
    assert table is not None and {row.player for row in table.ratings} == {
        "model:a",
        "model:a+model:b",
        "greedy+model:b",
    }
    assert [g.against for g in found["a"].games] == ["model:a", "model:a", "model:b", "model:b"]
    assert all("played again" in verify(file) for file in wanted.files().values())


# ---- Stops, and what does not fit ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_round_robin_goes_on_after_a_kill(duel: Make, endpoint: Scripted, tmp_path: Path) -> None:
    """With the same results as one that nobody stopped, and no reply is asked for twice but those under way."""
    whole, _ = measure_all(duel("first", "random", "model:a,model:b,random", games=4))
    asked_for, endpoint.seen = len(endpoint.seen), []
    names = [f"--model={name}={endpoint.address(policy)}" for name, policy in (("a", "first"), ("b", "random"))]
    command = [sys.executable, "-m", "theogony", "models", "push_of_faith", *names, "--games=4", "--at-once=2"]
    command += ["--seats=model:a,model:b,random", f"--out={tmp_path / 'again.json'}"]
    for count in (40, 110):
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(endpoint.seen) < count and running.poll() is None:
            time.sleep(0.005)
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
    subprocess.run(command, check=True, capture_output=True)
    for name, results in whole.items():
        again = read_results(tmp_path / f"again-{name}.json")
        assert [(g.deal, g.seat, g.against, g.result, g.reward) for g in again.games] == [
            (g.deal, g.seat, g.against, g.result, g.reward) for g in results.games
        ]
        assert "played again" in verify(tmp_path / f"again-{name}.json")
    assert asked_for <= len(endpoint.seen) <= asked_for + 2 * 2


def test_verify_finds_a_game_that_the_other_model_played_otherwise(duel: Make) -> None:
    wanted = duel(games=2)
    found, _ = measure_all(wanted)
    path = transcripts(wanted, "b", found["b"])[0].path
    lines = path.read_text("utf-8").splitlines()
    del lines[5]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(ModelError):
        verify(wanted.files()["a"])


@pytest.mark.parametrize(
    ("seats", "message"),
    [
        ("model:a", "expected two names or more"),
        ("random,greedy", "names no model; expected model:a among them"),
        ("model:a,model:a", "expected two names or more"),
        ("model:a,model:c", "model:c: expected one that --model NAME=... names: a, b"),
        ("model:a,greedy", "b: has no seat"),
    ],
)
def test_who_may_sit_there(seats: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        seats_named(seats, {"a": "x", "b": "y"})


def test_everybody_meets_everybody_in_every_seat() -> None:
    table = ModelTable("push_of_faith", {"players": 2})
    lineups = lineups_of(table, seats_named("model:a,model:b,ladder", {"a": "", "b": ""}))
    assert len(lineups) == 11, "each model against five anchors, and one against the other"
    games = [game for chain in chains_of(table, lineups, 4, 1) for game in chain]
    assert len({job.key for game in games for job in game}) == 4 * (10 + 2)
    assert all(jobs_of(j.table, seating_of(j, 2), j.deal, j.chain) == game for game in games for j in game)
    with pytest.raises(ModelError, match="push_of_faith has no teams"):
        lineups_of(table, ["model:a", "model:a+greedy"])
    with pytest.raises(ModelError, match="a team of 3; expected one name, or 2"):
        lineups_of(ModelTable("god_of_war", {"players": 2}), ["model:a", "model:a+greedy+greedy"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "x", "--seats", "model:a,greedy"], "with --seats expected NAME=MODEL"),
        (["--model", "x", "--model", "y"], "expected one, or --seats"),
        (["--model", "a=x", "--seats", "model:a,greedy", "--price", "b=1,2"], "expected one of a, once"),
    ],
)
def test_the_command_says_what_it_expects(arguments: list[str], message: str) -> None:
    done = CliRunner().invoke(app, ["models", "push_of_faith", *arguments])
    assert done.exit_code != 0 and message in " ".join(done.output.replace("│", " ").split())


def test_standings_are_written_for_others(duel: Make) -> None:
    from theogony.models.results import write_standings as write

    wanted = duel(seats="model:a,model:b,random", games=2)
    found, _ = measure_all(wanted)
    write(found, wanted.out)
    data = json.loads(wanted.out.read_text("utf-8"))
    assert set(data["models"]) == {"a", "b"} and data["models"]["a"]["model"] == "first"
    assert {row["player"] for row in data["tables"]["push_of_faith-2p"]["ratings"]} == {"model:a", "model:b", "random"}
    assert wanted.out.with_name("duel-push_of_faith-2p.svg").read_text("utf-8").startswith("<svg")
