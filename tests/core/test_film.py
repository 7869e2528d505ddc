"""Films of played games."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from theogony.envs import load
from theogony.envs.core.draw.style import height_by_width
from theogony.envs.core.draw.svg import RenderError
from theogony.envs.core.draw.viewers import LAST, WIDTH, frames, write_gif, write_mp4
from theogony.envs.core.position import Position


@pytest.fixture(scope="module")
def pictures() -> list[np.ndarray]:
    position = Position(load("push_of_faith").configure({"players": 2}), 1)
    for _ in range(5):
        position.play(int(position.legal_actions()[0]))
    return list(frames(position, viewer=0, every=2))


def test_every_second_decision_and_the_last(pictures: list[np.ndarray]) -> None:
    assert len(pictures) == 4 and all(one.shape[1:] == (WIDTH, 3) for one in pictures)
    assert (pictures[0] != pictures[1]).any()


def test_all_pictures_are_as_high_as_the_highest() -> None:
    """A hand grows in the middle of this game, and with it the picture."""
    position = Position(load("god_of_war").configure({"players": 2}), 1)
    rng = np.random.default_rng(1)
    while position.now < 24:
        position.play(int(rng.choice(position.legal_actions())))
    heights = {height_by_width(position.game.spec.render_svg(position.game, g, "all")) for g in position.states[:25]}
    shapes = {one.shape for one in frames(position, every=6)}
    assert len(heights) > 1 and len(shapes) == 1
    assert next(iter(shapes))[0] % 2 == 0


def test_ffmpeg_that_fails_is_quoted(pictures: list[np.ndarray], tmp_path: Path) -> None:
    if not shutil.which("ffmpeg"):
        pytest.skip("ffmpeg is not installed")
    with pytest.raises(RenderError, match=r"ffmpeg: .*not divisible by 2"):
        write_mp4([one[:-1] for one in pictures], tmp_path / "film.mp4")
    assert list(tmp_path.iterdir()) == []


def test_gif(pictures: list[np.ndarray], tmp_path: Path) -> None:
    image_of = pytest.importorskip("PIL.Image")
    file = tmp_path / "film.gif"
    write_gif(pictures, file)
    with image_of.open(file) as film:
        assert film.n_frames == 4 and film.size == (WIDTH, len(pictures[0]))
    assert [path.name for path in tmp_path.iterdir()] == ["film.gif"]


@pytest.mark.slow
def test_mp4(pictures: list[np.ndarray], tmp_path: Path) -> None:
    """The last frame of the film, read back, is the last picture."""
    if not (shutil.which("ffmpeg") and shutil.which("ffprobe")):
        pytest.skip("ffmpeg is not installed")
    file = tmp_path / "film.mp4"
    write_mp4(iter(pictures), file, seconds=0.2)
    asked = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=width,height,duration"]
    told = subprocess.run([*asked, "-of", "csv=p=0", str(file)], capture_output=True, text=True, check=True).stdout
    height = len(pictures[0])
    width, high, seconds = told.strip().split(",")
    assert (int(width), int(high)) == (WIDTH, height)
    assert float(seconds) == pytest.approx(3 * 0.2 + LAST, abs=0.1)
    raw = ["ffmpeg", "-v", "error", "-sseof", "-0.2", "-i", str(file), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    read = np.frombuffer(subprocess.run(raw, capture_output=True, check=True).stdout, np.uint8)
    last = read.reshape(-1, height, WIDTH, 3)[-1]
    assert np.abs(last[: len(pictures[-1])].astype(int) - pictures[-1]).mean() < 6
    assert [path.name for path in tmp_path.iterdir()] == ["film.mp4"]


def test_mp4_needs_ffmpeg(pictures: list[np.ndarray], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RenderError, match="an MP4 needs the program ffmpeg"):
        write_mp4(pictures, tmp_path / "film.mp4")
