"""`--cluster` over a real Ray cluster of two nodes. `make rllib` installs Ray and runs this."""

import contextlib
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from naps import Deadly, Naps, Unknown
from toy_tasks import content, played

ray = pytest.importorskip("ray", reason="make rllib installs it")
cluster_utils = pytest.importorskip("ray.cluster_utils")

from theogony.envs.core.registry import load  # noqa: E402
from theogony.models.results import games_folder  # noqa: E402
from theogony.models.run import Measurement, measure  # noqa: E402
from theogony.models.table import Transcript  # noqa: E402
from theogony.training.learning import tune  # noqa: E402
from theogony.training.rating import arena, evaluate, standings  # noqa: E402
from theogony.training.rating.tournament import Plan  # noqa: E402

PUSH = load("push_of_faith")
SEARCHED = """
game: push_of_faith
engine: td
environment: {num_envs: 16}
algorithm: {total_steps: 10_000, batch_size: 128}
td: {widths: [16]}
evaluation: {against: [random]}
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes on this machine, each with a processor; `--cluster auto` finds them by RAY_ADDRESS."""
    node = {"num_cpus": 1, "object_store_memory": 100 << 20}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_worker_niceness", "0")  # else other programs starve them
        found = cluster_utils.Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
        found.add_node(**node)
        patch.setenv("RAY_ADDRESS", found.address)
        yield found
        found.shutdown()


OURS = (b"ray::_Remote", b"ray::_decide_there")


def workers() -> list[int]:
    """The processes of the arena's workers that this process began by way of Ray."""
    found = []
    for place in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if place.name.isdecimal() and (place / "cmdline").read_bytes().startswith(OURS):
                found.append(int(place.name))
    return [one for one in found if _begun_here(one)]


def _begun_here(process: int) -> bool:
    while process > 1 and process != os.getpid():
        with contextlib.suppress(OSError):
            process = int(Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[1])
            continue
        return False
    return process == os.getpid()


@contextlib.contextmanager
def killing(times: int) -> Iterator[list[int]]:
    """Kill a worker at random, so many times, at random moments."""
    killed, ended, chance = list[int](), threading.Event(), random.Random(7)

    def kill() -> None:
        while len(killed) < times and not ended.wait(chance.uniform(0.05, 0.6)):
            if there := [one for one in workers() if one not in killed]:
                killed.append(chance.choice(there))
                with contextlib.suppress(ProcessLookupError):
                    os.kill(killed[-1], signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        ended.set()
        thread.join()


def of_a_benchmark(place: Path, cluster: str | None) -> Any:
    return content(played(place, "mcts:30", cluster=cluster))


def of_a_tournament(place: Path, cluster: str | None) -> Any:
    plan = Plan(PUSH.configure({"players": 2}), ("greedy", "mcts:60", "random"), 3)
    return standings.as_json(standings.tournament(plan, 16, 1, place, cluster))


def of_an_evaluation(place: Path, cluster: str | None) -> Any:
    asked = evaluate.Asked("mcts:40", ["greedy", "mcts:20", "random"], PUSH, players=3)
    evaluate.run(asked, 24, 5, place / "result.json", place / "games", cluster)
    records = {file.name: file.read_bytes() for file in sorted((place / "games").glob("*.jsonl"))}
    return (place / "result.json").read_bytes(), records


def of_a_search(place: Path, cluster: str | None) -> Any:
    pytest.importorskip("optuna")
    file = place / "td.yaml"
    file.write_text(SEARCHED)
    tune.run(
        tune.Asked(tune.TrainingFile(file, ()), place / "search", 6, 4000, 20, 0, None, at_once=3, cluster=cluster)
    )
    return (place / "search" / tune.BEST).read_bytes()


def of_a_dataset(place: Path, cluster: str | None) -> Any:
    pytest.importorskip("pyarrow")
    from theogony.dataset.games import Wanted, write

    wanted = Wanted("push_of_faith", place / "games", "mcts:40", "greedy", deals=200, chances="none")
    found = write(wanted, 1, cluster)
    return found, {file.name: file.read_bytes() for file in sorted((place / "games").rglob("*.parquet"))}


def of_a_model(place: Path, cluster: str | None) -> Any:
    """A program answers here, and players that search do so there."""
    (place / "first.py").write_text("def act(view):\n    return view['legal'][0]\n")
    named, out = str(place / "first.py"), place / "m.json"
    found, why = measure(
        Measurement("push_of_faith", named, out, "mcts:600,greedy", name="m", games=4, cluster=cluster)
    )
    assert not why
    played = sorted(games_folder(out).rglob("*.jsonl"))
    return [game.places for game in found.games], [[one.reply for one in Transcript(path).turns] for path in played]


@pytest.mark.parametrize(
    "play", [of_a_model, of_a_benchmark, of_a_tournament, of_an_evaluation, of_a_search, of_a_dataset]
)
def test_a_cluster_whose_workers_are_killed_gives_what_one_machine_gives(
    play: Callable[[Path, str | None], Any], cluster: Any, tmp_path: Path
) -> None:
    """Bit for bit: what a lost worker played is played again."""
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    here = play(tmp_path / "here", None)
    with killing(10) as killed:
        there = play(tmp_path / "there", "auto")
    assert there == here
    assert killed, "none was killed, and nothing was shown"
    assert not ray.is_initialized()


def test_a_node_that_is_lost_and_never_comes_back(cluster: Any) -> None:
    node = cluster.add_node(num_cpus=2, object_store_memory=100 << 20)
    done = []
    for one in arena.each(Naps, list(range(24)), cluster=cluster.address):
        done.append(one)
        if len(done) == 4:
            cluster.remove_node(node, allow_graceful=False)
    assert sorted(done) == [k * k for k in range(24)]


def test_where_no_worker_has_room_the_command_plays(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "PATIENCE", 0.5)
    arena.connect(cluster.address, ValueError)
    try:
        assert dict(arena.Cluster(Naps, Naps().play, 2, cpus=64).each([2, 3])) == {0: 4, 1: 9}
    finally:
        ray.shutdown()


def test_it_waits_only_once_where_no_worker_has_room(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """PPO asks for every decision anew."""
    monkeypatch.setattr(arena, "PATIENCE", 2.0)
    arena.connect(cluster.address, ValueError)
    try:
        found, begun = arena.Cluster(Naps, Naps().play, 1, cpus=64), time.monotonic()
        assert [dict(found.each([k])) for k in range(5)] == [{0: k * k} for k in range(5)]
        assert time.monotonic() - begun < 2 * 2.0 + 5 * 0.5
    finally:
        ray.shutdown()


def test_a_job_that_ends_its_workers_ends_the_run(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "MOST_LOST", 2)
    with pytest.raises(arena.ClusterError, match="2 workers of the cluster ended over one job"):
        list(arena.each(Deadly, [1, 3], cluster="auto"))


def test_what_a_worker_raises_is_raised_here(cluster: Any) -> None:
    with pytest.raises(ValueError, match=r"^there is no player 1$"):
        list(arena.each(Unknown, [1], cluster="auto"))
