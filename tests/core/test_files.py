"""Files are written whole or not at all, and errors name them."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from theogony.envs.core.untrusted.files import make_folder, naming, replace_file


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for content in (b"first", b"second"):
        replace_file(path, content)
        assert path.read_bytes() == content
    assert os.listdir(tmp_path) == ["a.json"]


@pytest.fixture
def no_room() -> Iterator[None]:
    """Files may have 1,000 bytes at most, as on a full disk."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def test_a_full_disk_names_the_file_and_leaves_the_old_one(tmp_path: Path, no_room: None) -> None:
    path = tmp_path / "a.json"
    replace_file(path, b"old")
    with pytest.raises(OSError, match=r"a\.json") as caught:
        replace_file(path, b"x" * 5000)
    assert caught.value.filename == str(path)
    assert os.listdir(tmp_path) == ["a.json"] and path.read_bytes() == b"old"


def test_errors_name_the_file_that_was_to_be_written(tmp_path: Path) -> None:
    for path in (tmp_path / "missing" / "a", tmp_path):
        with pytest.raises(OSError) as caught:
            replace_file(path, b"x")
        assert caught.value.filename == str(path)
    with pytest.raises(OSError, match="metrics"), naming("metrics"):
        raise OSError(28, "No space left on device")


def test_names_are_brought_to_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    sync = os.fsync

    def noted(descriptor: int) -> None:
        synced.append(os.readlink(f"/proc/self/fd/{descriptor}"))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    make_folder(tmp_path / "runs" / "first")
    assert synced == [str(tmp_path), str(tmp_path / "runs")]
    synced.clear()
    replace_file(tmp_path / "runs" / "first" / "a", b"x")
    assert synced[0].endswith(".tmp") and synced[1:] == [str(tmp_path / "runs" / "first")]
