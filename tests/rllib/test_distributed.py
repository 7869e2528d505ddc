"""`theogony benchmark run --distributed` over a real Ray cluster. `make rllib` installs Ray and runs this."""

import os
from pathlib import Path

import pytest
from toy_tasks import content, played

pytest.importorskip("ray", reason="make rllib installs it")
cluster_utils = pytest.importorskip("ray.cluster_utils")


def test_a_cluster_plays_the_same_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [str(Path(__file__).parents[1] / "toy"), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join(filter(None, paths))
    )  # of the workers, which start with the cluster
    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    try:
        monkeypatch.setenv("RAY_ADDRESS", cluster.address)
        here, there = tmp_path / "here", tmp_path / "there"
        here.mkdir()
        there.mkdir()
        assert content(played(there, "greedy", distributed=True)) == content(played(here, "greedy"))
    finally:
        cluster.shutdown()
