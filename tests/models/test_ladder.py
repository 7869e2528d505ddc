"""Ratings on the ladder: places at larger tables, teams against the game, and ladders that no longer fit."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from theogony.benchmark.tasks import TEAM
from theogony.envs import load
from theogony.models import ladder
from theogony.models.ladder import ANCHORS, Anchor, doubt_of, from_tournaments, of_play, rate, shipped_ladders
from theogony.models.results import as_text
from theogony.models.run import Measurement, measure
from theogony.training.players.reference import REFERENCE
from theogony.training.rating.elo import ELO

STRENGTHS = {"weak": -200.0, "middle": 0.0, "strong": 250.0}


def anchor(player: str, points: float) -> Anchor:
    return Anchor(player=player, points=points, low=points - 5, high=points + 5, games=9999, plays="")


def games_of(strength: float, seats: int, count: int, rng: np.random.Generator) -> tuple[list[Anchor], list[float]]:
    """Games by Plackett-Luce: Gumbel noise on the strengths, and the share of the others that come behind."""
    met, won = [], []
    for player, points in STRENGTHS.items():
        for _ in range(count):
            others = (points / ELO + rng.gumbel(size=seats - 1)) < strength / ELO + rng.gumbel()
            met.append(anchor(player, points))
            won.append(float(others.mean()))
    return met, won


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a_known_strength_is_found_at_tables_of_every_size(seats: int) -> None:
    rng, inside = np.random.default_rng(seats), 0
    for strength in (-300.0, 50.0, 400.0):
        met, won = games_of(strength, seats, 150, rng)
        found, low, high = rate(met, won, list(range(len(met))), seats)
        inside += low <= strength <= high
        assert abs(found - strength) < 90 and high - low < 260
    assert inside >= 2


def test_one_that_wins_and_loses_as_its_equals_has_their_rating() -> None:
    """Three alike: a third of the games won, a third lost; shared places in the middle."""
    met = [anchor("middle", 0.0)] * 30
    found = [rate(met, won, list(range(30)), 3)[0] for won in ([1.0, 0.5, 0.0] * 10, [0.5] * 30)]
    assert abs(found[0]) < 15 and found[0] == pytest.approx(found[1], abs=60)


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4])
def test_a_model_at_a_larger_table_is_rated_by_its_places(
    asked: Callable[..., Measurement], monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    table = f"push_of_faith-{players}p"
    monkeypatch.setattr("theogony.models.results.anchors_of", lambda _: {"random": anchor("random", 0.0)})
    one = asked("random", games=48, options={"players": players})  # of few deals intervals are too narrow
    figures = measure(one)[0].figures
    assert [found.table for found in figures.ratings] == [table]
    assert figures.ratings[0].low <= 0 <= figures.ratings[0].high


def test_a_team_is_rated_against_the_game(tmp_path: Path) -> None:
    shares = dict(zip(ANCHORS, (0.02, 0.1, 0.5, 0.7, 0.9), strict=True))
    rows = [{"player": p, "rating": s, "low": s / 2, "high": (1 + s) / 2, "games": 200} for p, s in shares.items()]
    file = tmp_path / "tournament.json"
    file.write_text(json.dumps({"game": "god_of_war", "options": {"players": 1}, "ratings": rows}))
    found = {one.player: one for one in from_tournaments([file]).tables["god_of_war-1p"].anchors}
    assert found["random"].points == 0 and found["greedy"].points == found[TEAM].points, "half of the games won"
    assert found["greedy@reference"].points > found["mcts:100"].points > found[TEAM].points > found["greedy:0.3"].points
    again = rate([found[TEAM]] * 200, [1.0] * 140 + [0.0] * 60, list(range(200)))
    assert again[0] == pytest.approx(found["mcts:100"].points, abs=2) and again[1] < again[0] < again[2]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 99}, "another version of the game"),
        ({"components": "0" * 16}, "another set of components"),
        ({"options": {"players": 2, "x": 1}}, "another choice of options"),
    ],
)
def test_a_ladder_of_another_game_is_said(change: dict[str, object], said: str) -> None:
    table = shipped_ladders().tables["push_of_faith-2p"]
    game = load("push_of_faith").configure({"players": 2})
    assert doubt_of(table, game) is None
    assert said in str(doubt_of(table.model_copy(update=change), game))


def test_an_anchor_that_plays_otherwise_is_said(
    asked: Callable[..., Measurement], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = shipped_ladders().tables["push_of_faith-2p"]
    anchors = [one.model_copy(update={"plays": "?"}) if one.player == "greedy" else one for one in table.anchors]
    changed = ladder.Ladders(tables={"push_of_faith-2p": table.model_copy(update={"anchors": anchors})})
    monkeypatch.setattr(ladder, "shipped_ladders", lambda: changed)
    results, _ = measure(asked("first", games=2))
    assert "push_of_faith-2p: the ladder was measured when greedy played otherwise" in as_text(results)


@pytest.mark.parametrize("name", sorted(shipped_ladders().tables))
def test_the_ladders_of_the_package_are_of_its_reference_players(name: str) -> None:
    """Where this fails, a player was shipped: CONTRIBUTING.md says what is measured anew."""
    found = shipped_ladders().tables[name]
    game = load(name.rpartition("-")[0]).configure(found.options)
    player = f"greedy@{REFERENCE}"
    assert {anchor.player: anchor.plays for anchor in found.anchors}[player] == of_play(player, game)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped_ladders().tables))
def test_the_ladders_of_the_package_are_of_today(name: str) -> None:
    """Where this fails, play the tournament anew: `python -m theogony.models.ladder`."""
    found = shipped_ladders().tables[name]
    game = load(name.rpartition("-")[0]).configure(found.options)
    assert doubt_of(found, game) is None
