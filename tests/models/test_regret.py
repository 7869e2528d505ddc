"""Regret of language models: from transcripts, with the tokens and dollars that decisions took."""

import json
from collections.abc import Callable

from typer.testing import CliRunner

from theogony.benchmark.regret.run import games_of
from theogony.cli import app
from theogony.models.results import games_folder
from theogony.models.run import Measurement, measure
from theogony.play.film import read_film
from theogony.play.replay import film_data


def test_transcripts_are_judged_and_tokens_counted_for_the_moves(asked: Callable[..., Measurement]) -> None:
    one = asked("first", games=2)
    results, _ = measure(one)
    games = list(games_of(one.out))
    assert [played.agents for played in games] == [{0: results.name}, {1: results.name}]
    assert all(sum(played.tokens) == game.written for played, game in zip(games, results.games, strict=True))
    json_file, svg = one.out.with_name("regret.json"), one.out.with_name("regret.svg")
    command = ["benchmark", "regret", str(one.out), "--by", "mcts:16", "--rollouts", "1", "--workers", "1"]
    said = CliRunner().invoke(app, [*command, "--json", str(json_file), "--svg", str(svg)], catch_exceptions=False)
    assert said.exit_code == 0 and "tokens a decision" in said.output and "takes a tile" in said.output
    (agent,) = json.loads(json_file.read_text())["agents"]
    assert agent["games"] == 2 and agent["tokens"] == results.games[0].written / results.games[0].replies
    picture = svg.read_text("utf-8")
    assert "tokens written a decision" in picture and "rating" in picture


def test_a_replay_shows_what_was_thought_beside_the_move_to_those_who_may_know(
    asked: Callable[..., Measurement],
) -> None:
    one = asked("first", games=2)
    measure(one)
    path = sorted(games_folder(one.out).glob("*.jsonl"))[0]
    film = read_film(path, None)
    assert len(film.said) == 18 and film.speaker == 0 and all("Move: " in "".join(said) for said in film.said.values())
    told = {who: film_data(film, [who], None)["moves"][0] for who in ("all", 0, 1)}
    shown = {who: [move["seat"] for move in moves if move and "answered: " in str(move)] for who, moves in told.items()}
    assert shown == {"all": [0] * 18, 0: [0] * 18, 1: []}
