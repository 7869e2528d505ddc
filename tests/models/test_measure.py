"""`theogony models` against an endpoint that plays scripts."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from scripted import WRITTEN, Scripted
from typer.testing import CliRunner

from theogony.cli import app
from theogony.models.ask import ModelError
from theogony.models.results import games_folder, read_results
from theogony.models.run import Measurement, measure
from theogony.models.table import Transcript
from theogony.models.verify import verify

Make = Callable[..., Measurement]


def test_a_scripted_player_is_measured(asked: Make, endpoint: Scripted) -> None:
    one = asked("first", games=6)
    results, why = measure(one)
    assert why == "" and read_results(one.out) == results
    assert [(g.deal, g.seat) for g in results.games] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    figures = results.figures
    assert figures.legal.first == 1.0 and figures.legal.asked == 6 * 18 == figures.spent.replies
    read = sum(sum(len(m["content"]) for m in request["messages"]) // 5 for request in endpoint.seen)
    assert (figures.spent.read, figures.spent.written, figures.spent.counted) == (read, 108 * WRITTEN, True)
    assert figures.against[0].games == 6 and figures.ratings[0].low <= figures.ratings[0].points
    picture = one.out.with_name("results-push_of_faith-2p.svg").read_text("utf-8")
    assert picture.startswith("<svg") and "random" in picture
    assert "6 games and 108 replies played again" in verify(one.out)


def test_bad_form_is_counted_apart(asked: Make) -> None:
    two = measure(asked("two"))[0].figures.legal
    assert two.first == 0 and two.invalid == two.asked == 72 and two.random_moves == 0
    nonsense = measure(asked("nonsense", out=asked().out.with_name("n.json"), games=2))[0]
    assert nonsense.figures.legal.random_moves == 36 and nonsense.figures.legal.invalid == 108
    assert all(turn == [] for turn in _played(asked().out.with_name("n.json"))[::3])
    lost = asked("nonsense", out=asked().out.with_name("f.json"), settings={"after_tries": "forfeit", "tries": 1})
    assert [game.result for game in measure(lost)[0].games] == ["L"] * 4 and "4 games and 4 replies" in verify(lost.out)


def _played(results: Path) -> list[list[str]]:
    return [turn.played for path in sorted(games_folder(results).glob("*.jsonl")) for turn in Transcript(path).turns]


def test_a_reply_that_is_too_long_is_refused_and_the_game_goes_on(asked: Make) -> None:
    one = asked("long", games=2)
    results, why = measure(one)
    assert why == "" and results.figures.legal.first == 0 and results.figures.legal.random_moves == 0
    assert "2 games" in verify(one.out)


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["random", "hinted"])
def test_ratings_are_those_of_the_same_players_by_name(asked: Make, policy: str) -> None:
    """`random` has 0 points; one that does what `greedy` would has those of greedy, within the interval."""
    from theogony.models.ladder import anchors_of

    hint = {"hint": "greedy"} if policy == "hinted" else {}
    results, _ = measure(asked(policy, games=60, against="random,greedy:0.3,greedy", settings=hint))
    anchor, found = anchors_of("push_of_faith-2p")["greedy" if hint else "random"], results.figures.ratings[0]
    assert found.low <= anchor.high and anchor.low <= found.high, (found, anchor)
    assert found.high - found.low < 400


def test_verify_finds_what_was_changed(asked: Make) -> None:
    one = asked("first")
    measure(one)
    whole = one.out.read_text("utf-8")
    data = json.loads(whole)
    data["figures"]["ratings"][0]["points"] += 100
    one.out.write_text(json.dumps(data), "utf-8")
    with pytest.raises(ModelError, match="figures"):
        verify(one.out)
    data = json.loads(whole)
    data["games"] = data["games"][1:]
    one.out.write_text(json.dumps(data), "utf-8")
    with pytest.raises(ModelError, match="games are missing"):
        verify(one.out)
    data = json.loads(whole)
    data["tables"][0]["against"] = {"os:system": None}
    one.out.write_text(json.dumps(data), "utf-8")
    with pytest.raises(ModelError, match="expected one of this package"):
        verify(one.out)
    data["tables"][0]["against"] = {"mcts:999999999": None}
    one.out.write_text(json.dumps(data), "utf-8")
    with pytest.raises(ModelError, match="would think too long; expected at most mcts:10000"):
        verify(one.out)
    one.out.write_text(whole, "utf-8")
    path = sorted(games_folder(one.out).glob("*.jsonl"))[0]
    path.write_text(path.read_text("utf-8").replace('"result": "L"', '"result": "W"'), "utf-8")
    with pytest.raises(ModelError, match="another SHA-256"):
        verify(one.out)


def test_verify_changes_nothing(asked: Make) -> None:
    one = asked("first", games=2)
    results, _ = measure(one)
    path = games_folder(one.out) / results.games[0].transcript
    content = path.read_bytes()[:-5]
    path.write_bytes(content)
    with pytest.raises(ModelError, match="its last line is cut off"):
        verify(one.out)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("line", "old", "new", "message"),
    [
        (1, '"played": ["', '"played": ["no ', "played is"),
        (3, '"sent": "', '"sent": "Your opponent holds the water token. ', "what was sent is not"),
    ],
)
def test_verify_plays_a_forged_transcript(asked: Make, line: int, old: str, new: str, message: str) -> None:
    """With the digest of the forged file in the results."""
    one = asked("first", games=2)
    results, _ = measure(one)
    path = games_folder(one.out) / results.games[0].transcript
    lines = path.read_text("utf-8").splitlines()
    assert old in lines[line]
    lines[line] = lines[line].replace(old, new, 1)
    path.write_text("\n".join(lines) + "\n", "utf-8")
    data = json.loads(one.out.read_text("utf-8"))
    data["games"][0]["sha256"] = Transcript(path).digest
    one.out.write_text(json.dumps(data), "utf-8")
    with pytest.raises(ModelError, match=message):
        verify(one.out)


def test_the_command(asked: Make, endpoint: Scripted) -> None:
    one = asked("first")
    command = ["models", "push_of_faith", "--model", endpoint.address("first"), "--against", "random", "--games", "2"]
    done = CliRunner().invoke(app, [*command, "--out", str(one.out), "--name", "First"])
    assert done.exit_code == 0, done.output
    assert "First (listed)" in done.stdout and "points above random" in done.stdout
    again = CliRunner().invoke(app, ["benchmark", "verify", str(one.out)])
    assert again.exit_code == 0 and "language model, 2 games and 36 replies played again" in again.stdout


def test_a_run_goes_on_with_more_games_and_other_opponents(asked: Make, endpoint: Scripted) -> None:
    """What was played is not asked again: a first look at a model is the beginning of the whole measurement."""
    measure(asked("first", games=2, against="random,greedy"))
    before = len(endpoint.seen)
    results, why = measure(asked("first", games=4, against="greedy:0.3,random,greedy"))
    assert why == "" and len(results.games) == 12
    assert len(endpoint.seen) - before == 8 * 18, "18 decisions in each of the games that were not there"
    assert "12 games" in verify(asked().out)
