"""Films of played games."""

from pathlib import Path

import numpy as np
import pytest

from theogony.envs import load
from theogony.envs.core.film import WIDTH, frames, write_gif, write_mp4
from theogony.envs.core.position import Position
from theogony.envs.core.svg import RenderError


@pytest.fixture(scope="module")
def pictures() -> list[np.ndarray]:
    position = Position(load("push_of_faith").configure({"players": 2}), 1)
    for _ in range(5):
        position.play(int(position.legal_actions()[0]))
    return list(frames(position, viewer=0, every=2))


def test_every_second_decision_and_the_last(pictures: list[np.ndarray]) -> None:
    assert len(pictures) == 4 and all(one.shape[1:] == (WIDTH, 3) for one in pictures)
    assert (pictures[0] != pictures[1]).any()


def test_gif(pictures: list[np.ndarray], tmp_path: Path) -> None:
    image_of = pytest.importorskip("PIL.Image")
    file = tmp_path / "film.gif"
    write_gif([pictures[0][:-40], *pictures[1:]], file)  # pictures of different heights
    with image_of.open(file) as film:
        assert film.n_frames == 4 and film.size == (WIDTH, len(pictures[1]) + len(pictures[1]) % 2)
    assert [path.name for path in tmp_path.iterdir()] == ["film.gif"]


def test_mp4_needs_ffmpeg(pictures: list[np.ndarray], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RenderError, match="an MP4 needs the program ffmpeg"):
        write_mp4(pictures, tmp_path / "film.mp4")
