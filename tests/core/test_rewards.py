"""Final rewards: bounded, zero-sum or shared, fair to shared places."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theogony.envs import load
from theogony.envs.core.game import REWARDS, OptionError
from theogony.envs.core.gamerecord import write_record
from theogony.envs.core.position import Position
from theogony.envs.core.record import CUT_OFF, ENDED, RUNNING, SEATS
from theogony.envs.core.rewards import KINDS, MARGIN, POINTS, PROGRESS, final_rewards
from theogony.envs.core.thinking.lookahead import own_value_of

DOCS = Path(__file__).parents[2] / "docs"


def rewards(kind: str, scores, standing=None, over: int = ENDED, cooperative: bool = False, scale: float = 40.0):
    count = len(scores)
    out, places = np.zeros(SEATS), np.zeros(SEATS)
    out[:count], places[:count] = scores, scores if standing is None else standing
    out[count:] = 99.0  # seats that are not at the table must not be touched
    final_rewards(REWARDS.index(kind), cooperative, over, count, np.float32(scale), places, out)
    assert (out[count:] == 99.0).all()
    return out[:count].tolist()


@pytest.mark.parametrize(
    ("kind", "scores", "expected"),
    [
        ("outcome", [5, 3], [1, -1]),
        ("outcome", [4, 4], [0, 0]),
        ("outcome", [9, 1, 1], [1, -0.5, -0.5]),
        ("outcome", [9, 9, 1], [0.25, 0.25, -0.5]),
        ("outcome", [1, 1, 1, 1], [0, 0, 0, 0]),
        ("rank", [5, 3], [1, -1]),
        ("rank", [30, 20, 10], [1, 0, -1]),
        ("rank", [30, 30, 10], [0.5, 0.5, -1]),
        ("rank", [10, 10, 10], [0, 0, 0]),
        ("rank", [1, 2, 3, 4, 5], [-1, -0.5, 0, 0.5, 1]),
        ("margin", [30, 20], [0.25, -0.25]),
        ("margin", [300, 20], [1, -1]),
        ("margin", [40, 20, 0], [0.75, 0, -0.75]),
    ],
)
def test_examples(kind: str, scores: list[float], expected: list[float]) -> None:
    assert rewards(kind, scores) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["innovation", "orbis", "push_of_faith", "terra_mystica"])
def test_pages_say_the_scale_of_the_margin(name: str) -> None:
    spec = load(name)
    page, interface = ((DOCS / file).read_text(encoding="utf-8") for file in (f"games/{name}.md", "interface.md"))
    words = f"the mean over all other seats of the lead in points over {spec.scale:g}, each clipped to [-1, 1]"
    assert words in " ".join(page.split())
    assert f"{spec.title} {spec.scale:g}" in " ".join(interface.split())


def test_ties_are_broken_by_the_standing() -> None:
    assert rewards("outcome", [7, 7], standing=[7.5, 7]) == [1, -1]
    assert rewards("rank", [7, 7], standing=[7, 7.5]) == [-1, 1]
    assert rewards("margin", [7, 7], standing=[7.5, 7]) == [0, 0]


@pytest.mark.parametrize("kind", REWARDS)
def test_games_that_did_not_end_pay_nothing(kind: str) -> None:
    assert rewards(kind, [5, 3, 1], over=CUT_OFF) == rewards(kind, [5, 3, 1], over=RUNNING) == [0, 0, 0]


@pytest.mark.parametrize("kind", REWARDS)
def test_a_team_wins_and_loses_together(kind: str) -> None:
    assert rewards(kind, [5, 3], standing=[1, 1], cooperative=True) == [1, 1]
    assert rewards(kind, [5, 3], standing=[0, 0], cooperative=True) == [-1, -1]
    assert rewards(kind, [5, 3], standing=[1, 1], cooperative=True, over=CUT_OFF) == [0, 0]


@settings(deadline=None)  # the first example may compile
@given(
    kind=st.sampled_from(REWARDS),
    scores=st.lists(st.integers(-200, 200).map(float), min_size=2, max_size=SEATS),
    scale=st.sampled_from([1.0, 40.0, 1000.0]),
)
def test_bounds_sum_and_order(kind: str, scores: list[float], scale: float) -> None:
    found = rewards(kind, scores, scale=scale)
    assert all(-1 - 1e-9 <= reward <= 1 + 1e-9 for reward in found)
    assert sum(found) == pytest.approx(0, abs=1e-9)
    for a, reward_a in zip(scores, found, strict=True):
        for b, reward_b in zip(scores, found, strict=True):
            if a == b:
                assert reward_a == pytest.approx(reward_b)
            elif a > b:
                assert reward_a >= reward_b - 1e-9


def test_progress_is_paid_only_by_games_that_have_it() -> None:
    cooperative, competitive = load("theogony.envs.god_of_war.game"), load("push_of_faith")
    assert cooperative.rewards == (*REWARDS, "progress") and cooperative.reward_index("progress") == PROGRESS
    with pytest.raises(OptionError, match="push_of_faith: reward='progress' is not one of outcome, rank, margin"):
        competitive.reward_index("progress")


@pytest.mark.parametrize("name", ["terra_mystica", "push_of_faith"])
def test_points_are_those_of_a_seat_alone(name: str) -> None:
    spec = load(name)
    assert spec.par is not None
    assert spec.rewards == (*REWARDS, "points") and KINDS[spec.reward_index("points")] == "points"
    position, rng = Position(spec.configure({"players": 2}), 3), np.random.default_rng(3)
    assert not position.rewards("points").any()  # they are paid at the end
    while not position.over:
        position.play(int(rng.choice(position.legal_actions())))
    paid = position.rewards("points")
    assert paid.tolist() == pytest.approx(np.clip((position.scores() - spec.par) / spec.scale, -1.0, 1.0).tolist())
    assert abs(paid.sum()) > 0.1, "not zero-sum"
    with pytest.raises(OptionError, match="innovation: reward='points' is not one of outcome, rank, margin"):
        load("innovation").reward_index("points")


def test_a_network_for_points_is_given_the_outlook() -> None:
    game = load("terra_mystica").configure({"players": 2})
    position, own_value = Position(game, 3), own_value_of(game.spec)
    found = [own_value(position.g, game.t, 1, kind) for kind in (MARGIN, POINTS)]
    assert game.spec.outlook is not None
    assert found == [game.spec.value(position.g, game.t, 1), game.spec.outlook(position.g, game.t, 1)]
    assert found[0] != found[1]


def test_a_record_says_nothing_of_points(tmp_path: Path) -> None:
    """They follow from its scores; records of before there were any stay readable."""
    position = Position(load("terra_mystica").configure({"players": 2}), 3)
    rng = np.random.default_rng(3)
    while not position.over:
        position.play(int(rng.choice(position.legal_actions())))
    write_record(position, tmp_path / "game.jsonl")
    end = json.loads((tmp_path / "game.jsonl").read_text().splitlines()[-1])
    assert list(end["rewards"]) == ["outcome", "rank", "margin"]
