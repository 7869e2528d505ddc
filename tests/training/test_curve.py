"""Learning curves of several runs in one picture."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from theogony.training.config import ConfigError
from theogony.training.storage.curve import draw_curves


def a_run(folder: Path, seed: int, rate: float, shares: list[float]) -> Path:
    folder.mkdir()
    (folder / "config.yaml").write_text(f"game: orbis\nseed: {seed}\nfolder: {folder}\nrate: {rate}\n", "utf-8")
    lines = [
        {"steps": 1000 * k, "evaluation": {"random": {"won": share}, "greedy": {"won": share / 2}}}
        for k, share in enumerate(shares)
    ]
    (folder / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return folder


def test_runs_that_differ_in_their_seed_alone_are_one_line(tmp_path: Path) -> None:
    runs = [
        a_run(tmp_path / "one", 0, 0.1, [0.5, 0.8]),
        a_run(tmp_path / "two", 1, 0.1, [0.5, 0.9]),
        a_run(tmp_path / "other", 0, 0.2, [0.4, 0.7]),
    ]
    draw_curves(runs, tmp_path / "curves.svg")
    picture = (tmp_path / "curves.svg").read_text("utf-8")
    ElementTree.fromstring(picture)
    texts = [text for text in ("one (2 seeds)", "other", "two", "against random", "against greedy") if text in picture]
    assert texts == ["one (2 seeds)", "other", "against random", "against greedy"]


@pytest.mark.parametrize(
    ("name", "out", "message"),
    [
        ("nothing", "curves.png", "nothing: is no run; expected a folder with metrics.jsonl"),
        ("empty", "curves.png", "empty: has no evaluation yet"),
        ("one", "curves.txt", "curves.txt: expected a picture, .png or .svg"),
    ],
)
def test_what_cannot_be_drawn_is_named(name: str, out: str, message: str, tmp_path: Path) -> None:
    a_run(tmp_path / "one", 0, 0.1, [0.5])
    a_run(tmp_path / "empty", 0, 0.1, [])
    with pytest.raises(ConfigError, match=message):
        draw_curves([tmp_path / name], tmp_path / out)
    assert not (tmp_path / out).exists()
