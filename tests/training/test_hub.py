"""Agents that are shared: what goes out comes back whole, and nothing else."""

import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from theogony.envs.core.players import make_player
from theogony.envs.core.registry import load
from theogony.training.networks.weights import CheckpointError
from theogony.training.players import reference
from theogony.training.storage import hub

GAME = load("push_of_faith").configure({"players": 2})
AGENT = reference.reference_folder(GAME)


def test_what_is_pushed_comes_back_and_plays(tmp_path: Path) -> None:
    shared = tmp_path / "hub" / "mine"
    assert hub.push(AGENT, str(shared)) == str(shared)
    assert sorted(path.name for path in shared.iterdir()) == ["README.md", "header.json", "policy.safetensors"]
    text = (shared / "README.md").read_text()
    assert "library_name: theogony" in text and "push_of_faith_v0" in text
    folder = hub.pull(str(shared), tmp_path / "agent")
    assert (folder / "policy.safetensors").read_bytes() == (AGENT / "policy.safetensors").read_bytes()
    assert make_player(str(folder), GAME).name == str(folder)


def test_the_card_holds_the_runs_evaluation(tmp_path: Path) -> None:
    run = tmp_path / "run"
    hub.push(AGENT, str(run))
    (run / hub.RESULTS).write_text(
        '[{"against": "greedy", "games": 2000, "win_rate": 0.76, "low": 0.741, "high": 0.778, "margin": 6.0}]'
    )
    hub.push(run, str(tmp_path / "mine"))
    assert "| greedy | 2,000 | 76.0% | 74.1% to 77.8% |" in (tmp_path / "mine" / "README.md").read_text()


@pytest.mark.parametrize("name", hub.SHARED)
def test_a_link_in_a_shared_folder_is_not_followed(tmp_path: Path, name: str) -> None:
    shared, secret = tmp_path / "shared", tmp_path / "secret"
    hub.push(AGENT, str(shared))
    (shared / name).rename(secret)
    (shared / name).symlink_to(secret)
    with pytest.raises(hub.HubError, match=f"{name}: is a link"):
        hub.pull(str(shared), tmp_path / "agent")
    assert not (tmp_path / "agent").exists()


@pytest.mark.parametrize("name", ["mine", "a/b/c", "https://x/y", "owner/../name", ""])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(hub.HubError, match="is no name"):
        hub.push(AGENT, name)


def test_what_is_damaged_or_no_agent_is_refused(tmp_path: Path) -> None:
    with pytest.raises(hub.HubError, match=r"there is no header\.json"):
        hub.pull(str(tmp_path), tmp_path / "agent")
    with pytest.raises(hub.HubError, match=r"nothing: there is no such folder"):
        hub.pull(str(tmp_path / "nothing"), tmp_path / "agent")
    shared = tmp_path / "mine"
    hub.push(AGENT, str(shared))
    weights = bytearray((shared / "policy.safetensors").read_bytes())
    weights[-1] ^= 1
    (shared / "policy.safetensors").write_bytes(weights)
    with pytest.raises(CheckpointError, match="is damaged"):
        hub.pull(str(shared), tmp_path / "agent")
    assert not (tmp_path / "agent").exists()


def test_a_folder_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    hub.push(AGENT, str(tmp_path / "mine"))
    with pytest.raises(hub.HubError, match="mine: is there already"):
        hub.push(AGENT, str(tmp_path / "mine"))
    with pytest.raises(hub.HubError, match="mine: is there already"):
        hub.pull(str(tmp_path / "mine"), tmp_path / "mine")


class Nobody(BaseHTTPRequestHandler):
    """A hub without agents, on this machine."""

    def do_GET(self) -> None:
        self.send_response(404)
        self.send_header("X-Error-Code", "RepoNotFound")
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.mark.slow
def test_a_name_that_the_hub_does_not_know(tmp_path: Path) -> None:
    """In a process of its own: the library reads its address when it is imported."""
    pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
    server = HTTPServer(("127.0.0.1", 0), Nobody)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    place = {"HF_ENDPOINT": f"http://127.0.0.1:{server.server_port}", "HF_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "theogony", "pull", "owner/nobody", str(tmp_path / "agent")]
    done = subprocess.run(command, env={**os.environ, **place}, capture_output=True, text=True, check=False)
    server.shutdown()
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "owner/nobody: the hub could not be used: RepositoryNotFoundError" in done.stderr
    assert not (tmp_path / "agent").exists()


def test_without_a_network_one_line_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(hub.HubError, match="owner/name: the hub could not be used") as raised:
        hub.pull("owner/name", tmp_path / "agent")
    assert "\n" not in str(raised.value)
