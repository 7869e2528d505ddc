"""Results files that were not played: what they claim is refused, and what they name is left alone."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tictactoe import SPEC
from toy_tasks import TASKS, played

from theogony.benchmark import run as running
from theogony.benchmark.games import result_of
from theogony.benchmark.marks import NAME, read_marks, write_marks
from theogony.benchmark.report.page import report
from theogony.benchmark.results import Moves, Results, read_results, write_results
from theogony.benchmark.score import figures_of
from theogony.benchmark.tasks import BenchmarkError, Suite
from theogony.benchmark.verify import rewards_of, verified, verify
from theogony.envs import load
from theogony.envs.core.contract import deal_seed
from theogony.envs.core.position import Position
from theogony.training.config import modules

GAME = SPEC.configure({"players": 2})
TASK = "tictactoe-2p-v1"


@pytest.fixture(scope="module")
def greedy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("greedy"), "greedy")


def recounted(results: Results, path: Path, **changes: Any) -> Path:
    """The file with other games, and the figures that follow."""
    changed = results.model_copy(update=changes)
    write_results(changed.model_copy(update=figures_of(changed.tasks, changed.games)._asdict()), path)
    return path


def rewritten(file: Path, path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    data = json.loads(file.read_text())
    change(data)
    path.write_text(json.dumps(data))
    return path


def won_by_hand(deal: int, seat: int) -> Moves:
    """The record of a game in which one hand plays both sides until the seat has won."""
    for attempt in range(1000):
        position, rng = Position(GAME, deal_seed(deal)), np.random.default_rng([deal, attempt])
        while not position.over:
            position.play(int(rng.choice(position.legal_actions())))
        if result_of(position, seat) == "W":
            return Moves.of(position)
    raise AssertionError("nobody wins")


# ---------------------------------------------------------------------------------------------------- games


def test_games_that_nobody_played_are_refused(greedy: Path, tmp_path: Path) -> None:
    """Records played by hand on both sides, all other games said to be won, every figure recomputed."""
    results = read_results(greedy)
    series = [
        one.model_copy(update={"results": "W" * len(one.results), "rewards": [1.0] * len(one.rewards)})
        for one in results.games
    ]
    records = [one.model_copy(update={"moves": won_by_hand(one.deal, one.seat)}) for one in results.records]
    forged = recounted(results, tmp_path / "forged.json", games=series, records=records)
    with pytest.raises(BenchmarkError, match=r"record of .*: decision \d+ is '.*', but (random|greedy) plays '"):
        verify(forged, TASKS, {})


def test_a_game_without_a_record_is_found_out_by_playing_it_anew(greedy: Path, tmp_path: Path) -> None:
    results = read_results(greedy)
    without = next(
        (one, deal)
        for one in results.games
        for deal, letter in enumerate(one.results)
        if letter != "W" and (one.against, deal, one.seat) not in {(r.against, r.deal, r.seat) for r in results.records}
    )
    one, deal = without
    better = one.model_copy(
        update={
            "results": f"{one.results[:deal]}W{one.results[deal + 1 :]}",
            "rewards": [*one.rewards[:deal], 1.0, *one.rewards[deal + 1 :]],
        }
    )
    games = [better if of is one else of for of in results.games]
    forged = recounted(results, tmp_path / "forged.json", games=games)
    verify(forged, TASKS, {})
    with pytest.raises(BenchmarkError, match=rf"deal {deal} in seat {one.seat}: W with .* was counted, but"):
        verify(forged, TASKS, {}, games=1000)


def test_a_packed_file_that_is_not_whole_is_refused(greedy: Path, tmp_path: Path) -> None:
    write_results(read_results(greedy), tmp_path / "whole.json.gz")
    whole = (tmp_path / "whole.json.gz").read_bytes()
    for content, said in ((whole[:-1], "is cut off"), (whole[:-200], "is cut off"), (whole + b"x", "goes on behind")):
        (tmp_path / "part.json.gz").write_bytes(content)
        with pytest.raises(BenchmarkError, match=said):
            read_results(tmp_path / "part.json.gz")


@pytest.mark.parametrize("player", ["greedy", "mcts:5", "plan:2", "own_players:First", "own_players:Crasher"])
def test_what_was_played_plays_so_again(player: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(modules.VARIABLE, "1")
    (found,) = verified(played(tmp_path, player), TASKS, {}, games=1000)
    assert found.replayed == sum(len(one.results) for one in found.results.games) and found.opponents > 0


def test_who_thinks_by_time_is_not_played_anew(tmp_path: Path) -> None:
    (found,) = verified(played(tmp_path, "mcts:1ms"), TASKS, {}, games=5)
    assert found.replayed == 0 and "it thinks by time" in str(found)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("kind", ["outcome", "rank"])
def test_rewards_are_those_that_an_end_can_pay(kind: str, players: int) -> None:
    """Of every order of places, by the game's own rule."""
    import itertools

    from theogony.envs.core.rewards import OUTCOME, RANK, final_rewards

    game = load("push_of_faith").configure({"players": players})
    found: dict[str, set[float]] = {letter: set() for letter in "WDL"}
    for places in itertools.product(range(players), repeat=players):
        standing, paid = np.array(places, float), np.zeros(players)
        final_rewards(OUTCOME if kind == "outcome" else RANK, False, 1, players, 1.0, standing, paid)
        first = places.count(max(places))
        letter = "L" if places[0] < max(places) else "W" if first == 1 else "D"
        found[letter].add(round(float(paid[0]), 6))
    found["D"].add(0.0)  # a game that was cut off
    for letter, rewards in found.items():
        assert {round(one, 6) for one in rewards_of(letter, kind, game)} == rewards  # type: ignore[arg-type]


def _half_lost(data: dict[str, Any]) -> None:
    one = next(one for one in data["games"] if "L" in one["results"])
    one["rewards"][one["results"].index("L")] = 0.9


def _drawn(data: dict[str, Any]) -> None:
    one = next(one for one in data["games"] if "L" in one["results"])
    one["results"] = one["results"].replace("L", "D", 1)


def _observation_only(data: dict[str, Any]) -> None:
    data["agent"]["kind"] = "observation-only"


def _search(data: dict[str, Any]) -> None:
    data["agent"].update(player="mcts:100000", kind="observation-only")


def _no_such_player(data: dict[str, Any]) -> None:
    data["agent"].update(player="greedy:7")


def _trained(data: dict[str, Any]) -> None:
    data["agent"]["trained"] = True


def _on_a_track(data: dict[str, Any]) -> None:
    data["agent"]["track"] = "200k"


def _no_track(data: dict[str, Any]) -> None:
    data["agent"]["player"] = "configs/{game}/td.yaml"


def _before_it_began(data: dict[str, Any]) -> None:
    data["seconds"]["cpu"] = -1.0


def _without_weights(data: dict[str, Any]) -> None:
    data["agent"].update(player="runs/x", trained=True)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (_half_lost, "cannot end in 'L' with a reward of 0.9"),
        (_drawn, "cannot end in 'D' with a reward of -1.0"),
        (_observation_only, "agent: greedy is no observation-only agent: its kind is lookahead"),
        (_search, "agent: mcts:100000 is no observation-only agent: its kind is search"),
        (_no_such_player, "agent: player 'greedy:7': expected a share"),
        (_trained, "agent: trained is true, which does not fit greedy"),
        (_on_a_track, "a training file or a program has a track, and nothing else has"),
        (_no_track, "a training file or a program has a track, and nothing else has"),
        (_before_it_began, "seconds.cpu: Input should be greater than or equal to 0"),
        (_without_weights, f"agent: its SHA-256 in {TASK} is missing"),
    ],
)
def test_claims_that_do_not_fit_are_refused(
    change: Callable[[dict[str, Any]], None], expected: str, greedy: Path, tmp_path: Path
) -> None:
    with pytest.raises(BenchmarkError, match=expected):
        verify(rewritten(greedy, tmp_path / "changed.json", change), TASKS, {})


# ---------------------------------------------------------------------------------------------------- files it names


def named(file: Path, path: Path, player: str) -> Path:
    """The results file as one of another player."""

    def change(data: dict[str, Any]) -> None:
        trained = ":" not in player
        data["agent"].update(player=player, trained=trained, kind="lookahead", sha256={TASK: "0" * 64})

    return rewritten(file, path, change)


def test_a_module_that_a_results_file_names_is_not_imported(
    greedy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even to find it: looking for `a.b` imports `a`."""
    package = tmp_path / "hostile"
    package.mkdir()
    (package / "__init__.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()")
    (package / "part.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    file = named(greedy, tmp_path / "file.json", "hostile.part:Player")
    assert "SHA-256 of the agent compared in 0 of 1 tasks" in verify(file, TASKS, {}, games=3)
    assert not (tmp_path / "ran").exists()
    monkeypatch.setenv(modules.VARIABLE, "1")
    with pytest.raises(BenchmarkError, match=r"agent: hostile\.part:Player has SHA-256"):
        verify(file, TASKS, {})
    assert (tmp_path / "ran").exists()


@pytest.mark.parametrize("player", ["{outside}", "../secret", "mcts:2@{outside}"])
def test_a_file_elsewhere_is_not_read(player: str, greedy: Path, tmp_path: Path) -> None:
    outside, place = tmp_path / "secret", tmp_path / "submission"
    outside.write_text("a password")
    place.mkdir()
    file = named(greedy, place / "file.json", player.format(outside=outside))
    kind = "search" if "mcts" in player else "lookahead"
    rewritten(file, file, lambda data: data["agent"].update(kind=kind, trained=True))
    assert "SHA-256 of the agent compared in 0 of 1 tasks" in verify(file, TASKS, {})


def test_a_file_beside_it_is_read_and_a_link_is_not(greedy: Path, tmp_path: Path) -> None:
    outside, place = tmp_path / "secret", tmp_path / "submission"
    outside.write_text("a password")
    (place / "run").mkdir(parents=True)
    (place / "net.onnx").write_text("weights")
    with pytest.raises(BenchmarkError, match=r"net\.onnx has SHA-256"):
        verify(named(greedy, place / "file.json", "net.onnx"), TASKS, {})
    digest = hashlib.sha256(b"weights").hexdigest()
    file = named(greedy, place / "file.json", "net.onnx")
    rewritten(file, file, lambda data: data["agent"].update(kind="observation-only", sha256={TASK: digest}))
    assert "SHA-256 of the agent compared in 1 of 1 tasks" in verify(file, TASKS, {})
    (place / "run" / "header.json").symlink_to(outside)
    with pytest.raises(BenchmarkError, match=r"header\.json: is a link; expected files"):
        verify(named(greedy, place / "file.json", "run"), TASKS, {})
    (place / "net.onnx").unlink()
    (place / "net.onnx").symlink_to(outside)
    assert "in 0 of 1 tasks" in verify(named(greedy, place / "file.json", "net.onnx"), TASKS, {})


# ---------------------------------------------------------------------------------------------------- submissions


def submission(folder: Path, files: dict[str, Path], trained: bool) -> Path:
    folder.mkdir(parents=True)
    for name, file in files.items():
        rewritten(file, folder / f"{name}.json", lambda data: data["agent"].update(name="agent"))
    (folder / "metadata.yaml").write_text(f"name: agent\nauthors: x\ndescription: x\ntrained: {str(trained).lower()}\n")
    return folder


def with_seed(file: Path, path: Path, seed: int, **agent: Any) -> Path:
    return rewritten(file, path, lambda data: data["agent"].update(seed=seed, **agent))


def test_five_seeds_with_equal_games_are_refused(greedy: Path, tmp_path: Path) -> None:
    files = {f"seed-{k}": with_seed(greedy, tmp_path / f"{k}.json", k) for k in range(5)}
    with pytest.raises(BenchmarkError, match=r"seed-1\.json: has the same games, as seed-0\.json"):
        verify(submission(tmp_path / "in" / "learnt", files, trained=True), TASKS, {})
    with pytest.raises(BenchmarkError, match="has the same games"):
        report(tmp_path / "in", tmp_path / "out", TASKS, {})


def test_a_seed_that_is_there_twice_is_refused(greedy: Path, tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"b\.json: has the seed 0, as a\.json"):
        verify(submission(tmp_path / "in", {"a": greedy, "b": greedy}, trained=False), TASKS, {})


def test_seeds_of_several_suites_do_not_add_up(greedy: Path, tmp_path: Path) -> None:
    """Five files, but no suite with five of them."""
    tasks = TASKS.model_copy(update={"suites": {**TASKS.suites, "others": [TASK]}})
    files = {}
    for k in range(5):
        suite = Suite.named("others" if k % 2 else "toys", tasks)
        out = tmp_path / f"{k}.json"
        running.run(running.Asked(suite, "greedy:0.5", out, "agent", k), workers=1, anchors={})
        files[f"seed-{k}"] = out
    with pytest.raises(BenchmarkError, match=r"training seeds are too few; expected 5"):
        verify(submission(tmp_path / "in", files, trained=True), tasks, {})


def test_tracks_are_not_mixed_in_a_submission(greedy: Path, tmp_path: Path) -> None:
    other = with_seed(greedy, tmp_path / "other.json", 1, track="1M")
    with pytest.raises(BenchmarkError, match=r"b\.json: is of track 1M, none in another file"):
        verify(submission(tmp_path / "in", {"a": greedy, "b": other}, trained=False), TASKS, {})


def test_the_leaderboard_shows_what_was_verified(greedy: Path, tmp_path: Path) -> None:
    """A mark is for the games that were verified, and written by whoever verifies."""
    folder = submission(tmp_path / "in" / "agent", {"a": greedy}, trained=False)
    marks = tmp_path / "in" / NAME

    def column() -> str:
        page = report(tmp_path / "in", tmp_path / "out", TASKS, {}).read_text()
        return next(line for line in page.split("\n") if line.startswith("| agent | 0 of 1 |")).split("|")[-2].strip()

    assert column() == "-"
    write_marks(marks, verified(folder, TASKS, {}))
    assert column() == "checked" and list(read_marks(marks).files) == ["agent/a.json"]
    write_marks(marks, verified(folder, TASKS, {}, games=7))
    assert column() == "replayed (7)"
    write_marks(marks, verified(folder, TASKS, {}))
    assert column() == "replayed (7)", "where the agent is not at hand, what was played anew before still counts"
    rewritten(folder / "a.json", folder / "a.json", lambda data: data["seconds"].update(cpu=0.5))
    assert column() == "-", "it is another file now"
    with pytest.raises(BenchmarkError, match="is not below"):
        write_marks(tmp_path / "in" / "agent" / "sub" / NAME, verified(folder, TASKS, {}))
