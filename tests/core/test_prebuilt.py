"""Compiled rules that come with the package: used where everything fits, else rules are compiled as ever."""

import json
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from theogony.envs.core.compile import prebuilt
from theogony.envs.core.jit import INTERPRETED

BASELINE = next((name for name in prebuilt.BASELINES if prebuilt.has(prebuilt.host_features(), name)), "")
pytestmark = [
    pytest.mark.skipif(INTERPRETED or not BASELINE, reason="rules are not compiled, or for no known baseline"),
    pytest.mark.slow,  # what a wheel would carry is compiled for these tests
]
TOY = Path(__file__).parents[1] / "toy"

# Plays whole games and prints how many rules were compiled, and a digest of all that was seen.
PROGRAM = """
import hashlib, sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from theogony.envs import load
from theogony.envs.core.compile.cache import machine_code
from theogony.envs.core.compile.progress import COMPILING
from theogony.envs.core.position import Position
seen, game = hashlib.sha256(), load("bluff.game").configure({"players": 3})
for seed in range(5):
    position, dice = Position(game, seed), np.array([seed], np.uint64)
    while not position.over:
        legal = position.legal_actions()
        position.play(int(legal[position.now * 7 % len(legal)]))
        seen.update(position.key() + position.mask.tobytes() + position.observation.tobytes())
    seen.update(position.scores().tobytes() + position.rewards("margin").tobytes())
print(COMPILING.done, seen.hexdigest(), *machine_code())
"""


class Tier:
    """Plays in a fresh process, with or without compiled rules of a package."""

    def __init__(self, base: Path, built: Path) -> None:
        self.base, self.folder = base, base / "compiled"
        if built.is_dir():
            shutil.copytree(built, self.folder)

    def play(self, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {"THEOGONY_CACHE_DIR": str(self.base / "cache"), "THEOGONY_PREBUILT": str(self.folder)}
        command = [sys.executable, "-c", PROGRAM, str(TOY)]
        done = subprocess.run(
            command, env={**os.environ, **environment, **variables}, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stderr
        return done

    def edit(self, change: Callable[[dict], object]) -> None:
        path = self.folder / prebuilt.MANIFEST
        manifest = json.loads(path.read_text())
        change(manifest)
        path.write_text(json.dumps(manifest))

    def file(self, name: str) -> Path:
        return next(self.folder.glob(f"{name}-*"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a wheel would carry for the toy game, and the cache of somebody who compiled it, filled."""
    base = tmp_path_factory.mktemp("tier")
    tier = Tier(base, base / "nothing")
    aimed = {"NUMBA_CPU_NAME": BASELINE, "NUMBA_CPU_FEATURES": prebuilt.BASELINES[BASELINE], "THEOGONY_PREBUILT": ""}
    keys = tier.play(**aimed).stdout.split()[2:]
    writer = "import sys; from pathlib import Path; from theogony.precompile import write_folder as write; "
    command = [sys.executable, "-c", f"{writer}write(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])"]
    environment = {**os.environ, "THEOGONY_CACHE_DIR": str(base / "cache")}
    subprocess.run([*command, str(tier.folder), BASELINE, *keys], env=environment, check=True)
    (base / "own.txt").write_text(tier.play(THEOGONY_PREBUILT="").stdout)
    return base


@pytest.fixture
def tier(whole: Path, tmp_path: Path) -> Tier:
    """The compiled rules of a package, and a cache that is full, so that a fall back shows and costs little."""
    shutil.copytree(whole / "cache", tmp_path / "cache")
    return Tier(tmp_path, whole / "compiled")


def result(done: subprocess.CompletedProcess[str]) -> str:
    return done.stdout.split()[1]


def code(done: subprocess.CompletedProcess[str]) -> set[str]:
    return set(done.stdout.split()[2:])


def test_nothing_is_compiled_nor_kept(tier: Tier, whole: Path) -> None:
    shutil.rmtree(tier.base / "cache")
    done = tier.play()
    assert done.stdout.startswith("0 ")
    assert done.stderr == ""
    assert not (tier.base / "cache").exists()
    assert code(done) <= {path.name for path in tier.folder.iterdir()}


def test_results_are_those_of_code_for_this_processor(tier: Tier, whole: Path) -> None:
    own = (whole / "own.txt").read_text().split()
    done = tier.play()
    assert int(own[0]) > 0
    assert result(done) == own[1]
    assert not code(done) & set(own[2:])  # it is other code, with the same results


# ---------------------------------------------------------------------------------------------------- what does not fit


@pytest.fixture
def found(tier: Tier, monkeypatch: pytest.MonkeyPatch) -> Callable[[], object]:
    """What this process would use; None is that rules are compiled."""
    monkeypatch.setenv("THEOGONY_PREBUILT", str(tier.folder))
    return prebuilt.prebuilt.__wrapped__


def test_what_fits_is_found(found: Callable[[], object]) -> None:
    assert found() is not None


@pytest.mark.parametrize(
    "change",
    [
        lambda manifest: manifest["built_with"].update(numba="0.1"),
        lambda manifest: manifest["built_with"].update(python="cpython-27"),
        lambda manifest: manifest["built_with"].pop("numpy"),
        lambda manifest: manifest.update(baseline="x86-64-v9"),
        lambda manifest: manifest.update(files=7),
        lambda manifest: manifest.pop("built_with"),
    ],
)
def test_a_manifest_that_does_not_fit(tier: Tier, found: Callable, change: Callable[[dict], object]) -> None:
    tier.edit(change)
    assert found() is None


@pytest.mark.parametrize("content", ["{", "7", "[" * 100_000])
def test_a_manifest_that_is_none(tier: Tier, found: Callable, content: str) -> None:
    (tier.folder / prebuilt.MANIFEST).write_text(content)
    assert found() is None


def test_no_folder(tier: Tier, found: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    for named in ("", str(tier.folder / "other")):
        monkeypatch.setenv("THEOGONY_PREBUILT", named)
        assert found() is None


def test_a_processor_without_one_of_the_features(found: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    can = prebuilt.host_features()
    for feature in prebuilt.BASELINES[BASELINE].split(","):
        monkeypatch.setattr(prebuilt, "host_features", lambda lacking=feature[1:]: {**can, lacking: False})
        assert found() is None


def test_another_processor_that_numba_was_told_of(found: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prebuilt.config, "CPU_NAME", "generic")
    assert found() is None


def test_other_options_of_the_compiler_have_other_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    before = prebuilt.target(BASELINE)
    monkeypatch.setattr(prebuilt.config, "BOUNDSCHECK", 1)
    assert prebuilt.target(BASELINE) != before


@pytest.mark.parametrize("what", ["", prebuilt.MANIFEST])
def test_a_folder_or_manifest_that_others_may_write_to(tier: Tier, found: Callable, what: str) -> None:
    (tier.folder / what).chmod((tier.folder / what).stat().st_mode | 0o002)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert found() is None


@pytest.mark.parametrize("forged", [False, True])
def test_a_damaged_or_forged_file(tier: Tier, whole: Path, forged: bool) -> None:
    """A file with the content of another is sound machine code, but not what the manifest says."""
    tier.file("step").write_bytes(tier.file("start").read_bytes() if forged else b"damaged")
    done = tier.play()
    missing = {tier.file("step").name}
    assert code(done) & missing == set()
    assert tier.file("start").name in code(done)  # what is sound is used
    assert "is not the file of manifest.json" in done.stderr
    assert result(done) == (whole / "own.txt").read_text().split()[1]


def test_a_file_that_others_may_write_to(tier: Tier) -> None:
    path = tier.file("step")
    path.chmod(0o646)
    used = code(tier.play())
    assert path.name not in used
    assert tier.file("start").name in used


def test_a_missing_file(tier: Tier) -> None:
    tier.file("apply").unlink()
    used = code(tier.play())
    assert tier.file("legal").name in used
    assert not any(key.startswith("step-") and (tier.folder / key).exists() for key in used)  # it needs `apply`
