"""Runs, players and results under addresses of fsspec: in memory, and in S3 on a server of this machine."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from theogony.envs.core.players import make_player
from theogony.envs.core.registry import load
from theogony.training.learning.train import run
from theogony.training.rating.evaluate import Asked
from theogony.training.storage import checkpoint, mirrors

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed: the extra `cloud` brings it")

FILE: dict[str, Any] = {
    "game": "push_of_faith",
    "engine": "td",
    "environment": {"num_envs": 16},
    "algorithm": {"total_steps": 1500, "batch_size": 128},
    "td": {"widths": [16]},
    "evaluation": {"every": 10**6, "games": 4, "against": ["random"], "final_games": 6},
    "checkpoint_every": 500,
}


class Forgetful:
    """A machine that has none of the files here: its cache is another folder."""

    def __init__(self, place: Path, patch: pytest.MonkeyPatch) -> None:
        self._place, self._patch, self._times = place, patch, 0

    def move(self, to: int | None = None) -> None:
        """Go on elsewhere, or where one was before."""
        self._times = self._times + 1 if to is None else to
        monkeypatch = self._patch
        monkeypatch.setattr(mirrors, "_root", lambda: self._place / f"cache{self._times}")
        for name in ("_fetched", "_written"):
            getattr(mirrors, name).clear()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Forgetful]:
    found = Forgetful(tmp_path, monkeypatch)
    found.move()
    yield found
    fsspec.filesystem("memory").store.clear()


def write(place: Path, folder: str, **changes: Any) -> Path:
    path = place / "file.yaml"
    path.write_text(yaml.safe_dump({**FILE, "folder": folder, **changes}), "utf-8")
    return path


def test_a_run_goes_on_elsewhere_as_it_would_have_here(machine: Forgetful, tmp_path: Path) -> None:
    run(write(tmp_path, str(tmp_path / "alone")), ["algorithm.total_steps=3000"], None)
    run(write(tmp_path, "memory://runs/mine"), [], None)
    there = fsspec.filesystem("memory")
    names = {Path(name).name for name in there.find("/runs/mine")}
    assert {"config.yaml", "metrics.jsonl", "evaluation.json", "header.json", "LATEST"} <= names
    assert ".lock" not in names
    kept = {name.split("/")[-2] for name in there.find("/runs/mine/checkpoints") if name.endswith("header.json")}
    assert len(kept) == checkpoint.KEEP, "old checkpoints go there too"

    machine.move()
    run(None, ["algorithm.total_steps=3000"], Path("memory://runs/mine"))
    machine.move()
    last = [checkpoint.latest(place) for place in (mirrors.local(Path("memory://runs/mine")), tmp_path / "alone")]
    assert (last[0] / checkpoint.POLICY).read_bytes() == (last[1] / checkpoint.POLICY).read_bytes()
    assert Asked("memory://runs/mine", ["greedy"]).make_game().players == 2, "the game is that of the run"
    player = make_player("memory://runs/mine", load("push_of_faith").configure({"players": 2}))
    assert player.name == "memory://runs/mine"


def test_a_checkpoint_that_was_half_sent_does_not_count(machine: Forgetful, tmp_path: Path) -> None:
    run(write(tmp_path, "memory://runs/mine"), [], None)
    there = fsspec.filesystem("memory")
    newest = sorted(name for name in there.find("/runs/mine/checkpoints") if name.endswith("header.json"))[-1]
    there.rm_file(newest)  # sent last
    machine.move()
    with pytest.warns(UserWarning, match="the checkpoint before it is taken"):
        found = checkpoint.latest(mirrors.local(Path("memory://runs/mine")))
    assert found.name < newest.split("/")[-2]


def test_what_could_not_be_sent_is_gone_on_with_or_put_aside(machine: Forgetful) -> None:
    """A command that is killed leaves more here than there; nothing of it is removed, wherever one goes on."""
    address, there = Path("memory://results/mine"), fsspec.filesystem("memory")
    here = mirrors.local(address)
    here.mkdir(parents=True)
    (here / "old.txt").write_text("sent")
    mirrors.send(here)
    (here / "new.txt").write_text("not sent")

    mirrors._fetched.clear()  # the next command on the same machine
    with pytest.warns(UserWarning, match="goes on with what is here and was not sent"):
        assert (mirrors.local(address) / "new.txt").read_text() == "not sent"
    mirrors.send(here)
    assert there.cat_file("/results/mine/new.txt") == b"not sent"

    (here / "new.txt").write_text("not sent either")
    machine.move()
    elsewhere = mirrors.local(address)
    (elsewhere / "new.txt").write_text("from elsewhere")
    mirrors.send(elsewhere)
    machine.move(to=1)
    with pytest.warns(UserWarning, match="has gone on elsewhere; what was not sent from here is"):
        assert (mirrors.local(address) / "new.txt").read_text() == "from elsewhere"
    (aside,) = here.parent.glob("mine.*.not-sent")
    assert (aside / "new.txt").read_text() == "not sent either"


def test_a_folder_that_is_taken_gets_a_number(machine: Forgetful, tmp_path: Path) -> None:
    for _ in range(2):
        run(write(tmp_path, "memory://runs/mine", evaluation={"against": ["random"], "games": 2}), [], None)
        machine.move()
    assert {name.split("/")[2] for name in fsspec.filesystem("memory").find("/runs")} == {"mine", "mine-2"}


def test_an_address_on_the_disk_is_one_place_wherever_one_stands(
    machine: Forgetful, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    store.mkdir()
    here = mirrors.local(Path(f"file://{store}/a.json"), writes=True)
    here.parent.mkdir(parents=True, exist_ok=True)
    here.write_text("{}")
    monkeypatch.chdir(tmp_path)
    mirrors.send(here)
    assert (store / "a.json").read_text() == "{}" and mirrors.shown(here) == f"file://{store}/a.json"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("memory://runs/../../etc", "leads out of itself"),
        ("nowhere://runs/x", "nowhere://runs/x: "),
    ],
)
def test_addresses_that_cannot_be(machine: Forgetful, address: str, message: str) -> None:
    with pytest.raises(mirrors.StorageError, match=message):
        mirrors.local(Path(address))


def test_an_address_that_nobody_may_write_is_noticed_before_the_work(machine: Forgetful, tmp_path: Path) -> None:
    with pytest.raises(mirrors.StorageError, match=f"file://{tmp_path}/none/a.json: FileNotFoundError"):
        mirrors.local(Path(f"file://{tmp_path}/none/a.json"), writes=True)
    assert not list(tmp_path.rglob("*.tmp"))


def test_commands_name_addresses_and_read_what_they_wrote(tmp_path: Path) -> None:
    out = f"file://{tmp_path}/r.json"

    def command(*arguments: str) -> str:
        words = [sys.executable, "-m", "theogony", "benchmark", *arguments]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    assert f"{out}: written" in command(
        "run", "quick", "--agent", "random", "--only", "orbis-2p-small-v1", "--out", out
    )
    shutil.rmtree(mirrors._root() / "file" / tmp_path.relative_to("/"))
    assert f"{out}: fits; 1 task, 80 games" in command("verify", out)
    shutil.rmtree(mirrors._root() / "file" / tmp_path.relative_to("/"))
    (tmp_path / "r.json").write_text("{")
    assert f"theogony: {out}: " in command("verify", out)


@pytest.mark.slow
def test_commands_write_to_s3_and_read_from_there(tmp_path: Path) -> None:
    """Processes of their own, none of which finds here what another wrote, beside a server that speaks S3."""
    server = pytest.importorskip("moto.server", reason="moto is not installed").ThreadedMotoServer(port=0)
    pytest.importorskip("s3fs", reason="s3fs is not installed")
    server.start()
    host, port = server.get_host_and_port()
    usual = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_ENDPOINT_URL": f"http://{host}:{port}"}
    s3, bucket = fsspec.filesystem("s3", key="x", secret="x", endpoint_url=usual["AWS_ENDPOINT_URL"]), f"t{os.getpid()}"
    s3.mkdir(bucket)

    def command(*arguments: str) -> None:
        words = [sys.executable, "-m", "theogony", *(argument.format(f"s3://{bucket}") for argument in arguments)]
        try:
            subprocess.run(words, env={**os.environ, **usual}, check=True)
        finally:
            shutil.rmtree(mirrors._root() / "s3" / bucket, ignore_errors=True)

    command("train", str(write(tmp_path, f"s3://{bucket}/runs/mine")))
    command("evaluate", "{}/runs/mine", "--against", "random", "--games", "4", "--game", "push_of_faith",
            "--json", "{}/results/mine.json", "--records", "{}/records")  # fmt: skip
    command("dataset", "push_of_faith", "--parquet", "--out", "{}/data", "--games", "10", "--player", "random",
            "--against", "random", "--chances", "none")  # fmt: skip
    s3.invalidate_cache()
    assert b"random" in s3.cat_file(f"{bucket}/results/mine.json")
    assert sum(name.endswith(".jsonl") for name in s3.find(f"{bucket}/records")) == 4
    assert f"{bucket}/data/croissant.json" in s3.find(f"{bucket}/data")
    server.stop()
