"""`theogony dataset --text`: conversations of strong players, split by deal."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from theogony.cli import app
from theogony.envs.core.contract import is_reserved
from theogony.models.ask import ModelError
from theogony.models.records import Wanted, split_of, write
from theogony.models.table import Settings
from theogony.wrappers.text import TextEnv


def lines(folder: Path, split: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{split}.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("text") / "data"
    command = ["dataset", "push_of_faith", "--text", "--out", str(folder), "--player", "greedy", "--against", "random"]
    done = CliRunner().invoke(app, [*command, "--games", "10"])
    assert done.exit_code == 0, done.output
    assert done.stdout.endswith(
        "train 16 games, 288 decisions; validation 2 games, 36 decisions; test 2 games, 36 decisions\n"
    )
    return folder


def test_a_line_is_a_conversation_that_plays(written: Path) -> None:
    """Its replies, given to the game, are legal and lead to the same texts and the same reward."""
    one = lines(written, "train")[1]
    messages, about = one["messages"], one["metadata"]
    assert [m["role"] for m in messages] == ["system", *["user", "assistant"] * 18]
    assert all(m["reasoning_content"] == "" for m in messages if m["role"] == "assistant")
    from theogony.envs.core.rng import mix
    from theogony.models.records import DEALS

    seed = int(mix(0, about["deal"], DEALS))
    env = TextEnv("push_of_faith", seat=about["seat"], opponents="random", marked=True)
    text = env.reset(seed)
    for asked, said in zip(messages[1::2], messages[2::2], strict=True):
        assert text.endswith(asked["content"])
        text = env.step(said["content"])
    assert env.over and env.invalid == 0 and env.reward == about["reward"] and not is_reserved(seed)


def test_deals_are_split_and_counted(written: Path) -> None:
    found = json.loads((written / "statistics.json").read_text("utf-8"))
    seen: dict[str, set[int]] = {}
    for split, counts in found["splits"].items():
        kept = lines(written, split)
        seen[split] = {line["metadata"]["deal"] for line in kept}
        assert all(split_of(deal) == split for deal in seen[split]) and counts["games"] == len(kept)
        assert sum(counts["moves"].values()) == counts["decisions"] and counts["tokens"] > 5000 * len(kept) / 4
    assert not seen["train"] & seen["test"] and not seen["train"] & seen["validation"]
    assert found["splits"]["train"]["mean_reward"] > 0.8, "greedy beats random"


@pytest.mark.slow
def test_decisions_of_games_that_were_won(tmp_path: Path) -> None:
    settings = Settings(memory="conversation", rules="renamed")
    wanted = Wanted(
        "push_of_faith", tmp_path / "d", "random", "random", deals=10, form="decision", won=True, settings=settings
    )
    found = write(wanted)["splits"]["train"]
    kept = lines(tmp_path / "d", "train")
    assert found["games"] + found["left_out"] == 16 and 0 < found["left_out"] < 16
    assert len(kept) == 18 * found["games"] and all(len(line["messages"]) == 3 for line in kept)
    assert all(line["metadata"]["reward"] == 1 for line in kept)
    assert not any("push" in message["content"].lower() for line in kept for message in line["messages"])


def test_what_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="9 deals cannot be split"):
        write(Wanted("push_of_faith", tmp_path / "d", "random", "random", deals=9))
    done = CliRunner().invoke(app, ["dataset", "push_of_faith", "--out", str(tmp_path / "x.npz")])
    assert done.exit_code == 2 and "let players play with --text" in done.output
