"""`theogony dataset --parquet`: games as tables, split by deal, made again bit for bit, and told in Croissant."""

import hashlib
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from theogony.cli import app
from theogony.envs.core.contract import is_reserved
from theogony.envs.core.players import PlayerError
from theogony.envs.core.position import Position
from theogony.envs.core.record import to_bytes
from theogony.envs.core.registry import load
from theogony.models.records import split_of

pytest.importorskip("pyarrow", reason="pyarrow is not installed: the extra `data` brings it")
import pyarrow as pa
import pyarrow.parquet as pq

from theogony.dataset import games
from theogony.dataset.games import Wanted, bytes_of, parts_of, read, write

DAY = "2026-01-02"
TABLES = {"decisions": 20 * 36, "games": 20}


def wanted(folder: Path, **more: Any) -> Wanted:
    usual: dict[str, Any] = {"player": "greedy", "against": "random", "deals": 10, "published": DAY}
    return Wanted("push_of_faith", folder, **{**usual, **more})


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables") / "data"
    write(wanted(folder, state=True))
    return folder


def table(folder: Path, name: str) -> pa.Table:
    return pa.concat_tables(pq.read_table(path) for path in sorted((folder / name).glob("*.parquet")))


def hashes(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_rows_are_the_games_and_what_each_seat_saw(written: Path) -> None:
    """Every game begins from its seed and goes on by its actions; views, masks, positions and rewards are its own."""
    decisions, played = table(written, "decisions"), table(written, "games").to_pylist()
    assert decisions.num_rows == TABLES["decisions"] and len(played) == TABLES["games"]
    game = load("push_of_faith").configure({"players": 2})
    views, masks, states = (bytes_of(decisions[name]) for name in ("view", "mask", "full_state"))
    rows = decisions.drop_columns(["view", "mask", "full_state"]).to_pylist()
    at = 0
    for one in sorted(played, key=lambda one: [row["game"] for row in rows].index(one["game"])):
        position = Position(game, one["seed"])
        assert not is_reserved(one["seed"]) and one["deal"] == one["game"] // 2
        for ply in range(one["decisions"]):
            row = rows[at]
            assert (row["game"], row["ply"], row["seat"]) == (one["game"], ply, position.actor)
            assert row["player"] == one["players"][position.actor]
            assert (views[at] == position.codes[0]).all() and (masks[at] == position.mask[0]).all()
            assert states[at].tobytes() == to_bytes(position.states[position.now : position.now + 1])
            assert len(row["chances"]) == masks[at].sum() and sum(row["chances"]) == pytest.approx(1, abs=2e-3)
            position.play(row["action"])
            at += 1
        assert position.over and position.rewards("outcome").tolist() == one["rewards"]
        assert position.scores().tolist() == one["scores"]
        ends = [row for row in rows[at - one["decisions"] : at] if row["end"]]
        assert sorted(row["seat"] for row in ends) == [0, 1] and all(row["end"] == 1 for row in ends)
        assert all(row["reward"] == row["returns"] == one["rewards"][row["seat"]] for row in ends)
    assert at == len(rows) and sum(row["reward"] != 0 for row in rows) == 2 * len(played)


@pytest.mark.slow
def test_a_row_tells_nothing_that_the_seat_cannot_know(tmp_path: Path) -> None:
    """A redrawn position of the seat gives the same row; the position is there only where it was asked for."""
    write(Wanted("innovation", tmp_path / "d", "random", "random", deals=10, options={"max_decisions": 40}))
    decisions, played = table(tmp_path / "d", "decisions"), table(tmp_path / "d", "games").to_pylist()
    assert set(decisions.column_names) == {*dict(games.DECISIONS), "chances"}
    game = load("innovation").configure({"players": 2, "max_decisions": 40})
    first = [decisions["game"].to_pylist().index(one["game"]) for one in played]
    views, masks, stream = bytes_of(decisions["view"]), bytes_of(decisions["mask"]), np.ones(1, np.uint64)
    policy, changed = games.make_player("reference-policy", game), 0
    for row, one in zip(first, played, strict=True):
        position = Position(game, one["seed"])
        before = position.key()
        position.resample(position.actor, stream)
        changed += position.key() != before
        assert (position.codes[0] == views[row]).all() and (position.mask[0] == masks[row]).all()
        seen = games.Views(position.codes, position.mask, np.array([position.actor]), layout=game.features)
        chances = policy.probabilities(seen, np.random.default_rng(0))[0][position.mask[0] > 0]  # pyright: ignore
        assert decisions["chances"][row].as_py() == pytest.approx(chances, abs=1e-3)
    assert changed > len(played) / 2 and any(one["cut_off"] for one in played)
    ends = decisions["end"].to_numpy()
    assert set(ends) == {0, 2} and (decisions["reward"].to_numpy() == 0).all(), "a game that was cut off pays nothing"


@pytest.mark.slow
def test_made_again_it_is_the_same_to_the_last_byte(written: Path, tmp_path: Path) -> None:
    """By one process or two, and from another seed another dataset."""
    write(wanted(tmp_path / "again", state=True), workers=2)
    assert hashes(tmp_path / "again") == hashes(written)
    write(wanted(tmp_path / "other", state=True, seed=1))
    assert not {hashes(tmp_path / "other")[name] for name in hashes(written) if name.startswith("decisions")} & set(
        hashes(written).values()
    )


@pytest.mark.slow
def test_the_command_in_the_metadata_makes_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command = [
        "dataset",
        "push_of_faith",
        "--parquet",
        "--out",
        "first",
        "--player",
        "random",
        "--against",
        "greedy:0.5",
    ]
    command += ["--games", "11", "--option", "players=3", "--seed", "5", "--reward", "margin", "--chances", "none"]
    done = CliRunner().invoke(app, [*command, "--workers", "1"])
    assert done.exit_code == 0 and "train 27 games" in done.stdout, done.output
    about = json.loads(Path("first/statistics.json").read_text("utf-8"))
    program, *words = about["command"].split()
    assert program == "theogony" and CliRunner().invoke(app, [*words, "--workers", "1"]).exit_code == 0
    assert hashes(Path("first")) == hashes(Path("again"))


def test_deals_are_split_and_counted(written: Path) -> None:
    about = json.loads((written / "statistics.json").read_text("utf-8"))
    for split, figures in about["splits"].items():
        played = pa.concat_tables(pq.read_table(path) for path in (written / "games").glob(f"{split}-*")).to_pylist()
        rows = pa.Table.from_batches(read(written, split, ["player", "returns", "end"])).to_pandas()
        assert {split_of(one["deal"]) for one in played} == {split}
        assert figures["games"] == len(played) and figures["decisions"] == len(rows) == sum(figures["moves"].values())
        for name, of in figures["players"].items():
            ends = rows[(rows.player == name) & (rows.end > 0)]
            assert of["seats"] == len(ends) and of["mean_reward"] == pytest.approx(ends.returns.mean(), abs=1e-6)
    assert about["splits"]["train"]["players"]["greedy"]["mean_reward"] > 0.8, "greedy beats random"
    assert about["splits"]["train"]["players"]["random"]["mean_reward"] < -0.8


def test_parts_hold_every_deal_once_in_few_files() -> None:
    for deals in (10, 99, 1000, 54_321):
        parts = parts_of(deals)
        assert sorted(deal for part in parts for _, dealt in part.chunks for deal in dealt) == list(range(deals))
        assert max(part.of for part in parts) <= games.MOST_PARTS


def test_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device", "elsewhere")

    with monkeypatch.context() as patch:
        patch.setattr(games.metadata, "write", fail)
        with pytest.raises(OSError, match=r"No space left.*'.*/data'"):
            write(wanted(tmp_path / "data"))
    assert not list(tmp_path.iterdir())
    (tmp_path / "data").mkdir()
    with pytest.raises(FileExistsError, match="expected the name of a new folder"):
        write(wanted(tmp_path / "data"))


KILLED = """
import os, signal
from pathlib import Path
from theogony.dataset import games
games.metadata.write = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
games.write(games.Wanted("push_of_faith", Path("data"), "greedy", "random", 10, published={day!r}, state=True))
"""


@pytest.mark.slow
def test_what_a_killed_one_left_is_gone_after_the_next(written: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED.format(day=DAY)], cwd=tmp_path, check=False)
    assert done.returncode == -signal.SIGKILL and [path.name for path in tmp_path.iterdir()] == [".data.tmp"]
    write(wanted(tmp_path / "data", state=True))
    assert [path.name for path in tmp_path.iterdir()] == ["data"] and hashes(tmp_path / "data") == hashes(written)


def test_what_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="9 deals cannot be split"):
        write(wanted(tmp_path / "d", deals=9))
    with pytest.raises(PlayerError, match="'greedy' has no chances of actions"):
        write(wanted(tmp_path / "d", chances="greedy"))
    done = CliRunner().invoke(app, ["dataset", "push_of_faith", "--parquet", "--won", "--out", str(tmp_path / "d")])
    assert done.exit_code == 2 and "--won is for data made with --text" in done.output
    done = CliRunner().invoke(app, ["dataset", "push_of_faith", "--state", "--text", "--out", str(tmp_path / "d")])
    assert done.exit_code == 2 and "--state is for data made with --parquet" in done.output


# ---- Other libraries ------------------------------------------------------------------------------------------------


def test_croissant_is_valid_and_reads_the_tables(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlc = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed: the extra `data` brings it")
    found = mlc.Dataset(jsonld=str(written / "croissant.json"))
    assert not found.metadata.ctx.issues.errors and not found.metadata.ctx.issues.warnings
    about = found.metadata
    assert about.data_biases and about.personal_sensitive_information and about.data_limitations and about.cite_as
    records = list(found.records("games"))
    assert len(records) == TABLES["games"] and {one["games/split"] for one in records} == {
        b"train",
        b"validation",
        b"test",
    }
    files = {one.id: one.sha256 for one in about.distribution if hasattr(one, "sha256")}
    assert files == {name: sha for name, sha in hashes(written).items() if name.endswith(".parquet")}
    first = next(iter(found.records("decisions")))
    assert len(first["decisions/view"]) == 1015 and first["decisions/player"] in (b"greedy", b"random")


def test_polars_loads_it(written: Path) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed: the extra `data` brings it")
    rows = polars.scan_parquet(written / "decisions/train-*.parquet").filter(polars.col("player") == "greedy").collect()
    seen = np.frombuffer(b"".join(rows["view"]), np.uint8).reshape(len(rows), -1)
    assert seen.shape == (16 * 18, 1015)
    layout = json.loads((written / "layout.json").read_text("utf-8"))
    last = layout["fields"][-1]
    assert last["start"] + np.prod(last["shape"]) == 1015 and len(layout["actions"]) == 124


def test_datasets_loads_it(written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets", reason="datasets is not installed: the extra `data` brings it")
    for name, rows in TABLES.items():
        found = datasets.load_dataset(str(written), name, cache_dir=str(tmp_path))
        assert {split: len(part) for split, part in found.items()} == {
            "train": rows * 8 // 10, "validation": rows // 10, "test": rows // 10
        }  # fmt: skip


@pytest.mark.slow
def test_minari_loads_it_and_a_network_is_cloned_from_it(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As behaviour cloning goes with Minari: episodes padded by a loader, cross entropy, play where it was recorded."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    minari = pytest.importorskip("minari", reason="minari is not installed: the extra `data` brings it")
    import torch

    from theogony.dataset.offline import to_minari

    to_minari(written, "push_of_faith/greedy-v0", player="greedy")
    data = minari.load_dataset("push_of_faith/greedy-v0")
    assert data.total_episodes == 16 and data.total_steps == 16 * 18
    env = data.recover_environment()
    assert data.observation_space == env.observation_space and data.action_space == env.action_space
    episode = next(data.iterate_episodes())
    assert episode.rewards[-1] in (-1, 0, 1) and not episode.rewards[:-1].any() and episode.terminations[-1]
    assert episode.infos["action_mask"][np.arange(18), episode.actions].all()
    torch.manual_seed(0)
    net = torch.nn.Linear(1015, 124)
    optimizer, losses = torch.optim.Adam(net.parameters(), 1e-2), []
    pad = torch.nn.utils.rnn.pad_sequence

    def collate(batch: list[Any]) -> tuple[torch.Tensor, torch.Tensor]:
        seen = pad([torch.as_tensor(one.observations[:-1]) for one in batch], batch_first=True)
        return seen, pad([torch.as_tensor(one.actions) for one in batch], batch_first=True, padding_value=-100)

    for _ in range(20):
        for seen, actions in torch.utils.data.DataLoader(data, batch_size=8, shuffle=True, collate_fn=collate):
            loss = torch.nn.functional.cross_entropy(net(seen).flatten(0, 1), actions.flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(float(loss))
    assert losses[-1] < losses[0] / 2
    seen, info = env.reset(seed=1)
    over = False
    while not over:
        logits = net(torch.as_tensor(seen)).masked_fill(torch.as_tensor(info["action_mask"]) == 0, -torch.inf)
        seen, _, ended, cut, info = env.step(int(logits.argmax()))
        over = ended or cut
    assert info["illegal_actions"] == 0
