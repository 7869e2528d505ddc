"""What tests need besides Python's packages: `make test` brings what the system lets it, by `python tests/needs.py`.

Programs come from apt-get, for root alone; Pyodide and axe-core from npm; NumPy for Pyodide from Pyodide's own server.
Tests that lack something are skipped, and the end of a run says which, and what would bring it (`brings`).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import urllib.request
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROGRAMS = {  # package of Debian -> names of the program, any of which will do
    "chromium": ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    "ffmpeg": ("ffmpeg",),
    "bubblewrap": ("bwrap",),
    "nodejs": ("node",),
    "npm": ("npm",),
}
PYODIDE, AXE = "pyodide@0.28.3", "axe-core@4.10.3"
WHEEL = "https://cdn.jsdelivr.net/pyodide/v0.28.3/full/numpy-2.2.5-cp313-cp313-pyodide_2025_0_wasm32.whl"
PATIENCE = 600.0  # seconds for a command

AGAIN = "make test"  # where there is a network
BRINGS = (  # what a reason of a skip speaks of -> the command that brings it; "" for what is not to be had
    (r"reference|interpreted|not compiled|is compiled|Ray is installed|without Ray", ""),
    (r"make rllib|\bray\b", "make rllib"),
    (r"make hubs", "make hubs"),
    (r"make wasm", "make wasm"),
    (r"ALL=1", "make test ALL=1"),
    (r"could not import '(mlflow|wandb)", r".venv/bin/python -m pip install \1"),
    (r"chromium|ffmpeg|bubblewrap|bwrap|\bnode\b|\bnpm\b", "programs"),
    (r"pyodide|axe-core|could not import|not installed|extra `|mkdocs|needs the package", AGAIN),
)


def missing() -> list[str]:
    """The packages of Debian whose programs are not here."""
    return [package for package, names in PROGRAMS.items() if not any(map(shutil.which, names))]


def brings(reason: str, absent: Iterable[str] | None = None) -> str:
    """The one command that lets a skipped test run; "" where none does.

    Args:
        reason: why the test was skipped.
        absent: packages of Debian that are not here; None asks this machine.
    """
    for pattern, command in BRINGS:
        if found := re.search(pattern, reason, re.IGNORECASE):
            if command != "programs":
                return found.expand(command)
            return apt_get(missing() if absent is None else absent)
    return ""


def apt_get(packages: Iterable[str]) -> str:
    """The command that installs packages of Debian, and then runs the tests, which fetch the rest."""
    named = " ".join(packages)
    return f"sudo apt-get install -y --no-install-recommends {named} && make test" if named else AGAIN


def told(reasons: dict[str, int]) -> list[str]:
    """What was skipped, as lines: below each command what it would bring, with the number of tests.

    Args:
        reasons: why tests were skipped, and how many of them.
    """
    groups: dict[str, list[str]] = {}
    for reason, count in sorted(reasons.items(), key=lambda item: -item[1]):
        groups.setdefault(brings(reason), []).append(f"  {count:>4}  {' '.join(reason.split())}")
    lines = []
    for command, below in sorted(groups.items(), reverse=True):
        lines += [f"{command} brings:" if command else "of this machine or this run, nothing to bring:", *below]
    return lines


def run(*words: str, folder: Path | None = None) -> str:
    """Run a command. Returns "" where it went well, else its last line."""
    quiet = {"env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, "stdin": subprocess.DEVNULL}
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False, **quiet)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else (done.stderr.strip() or done.stdout.strip() or "failed").splitlines()[-1]


def install_programs() -> None:
    """Install programs that are missing, as root where there is apt-get."""
    packages = missing()
    if not packages or os.name == "nt" or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    said = run("apt-get", "update")
    for package in packages:
        if package not in missing():  # npm may have come with Node
            continue
        print(f"Installing {package}", flush=True)
        if fault := run("apt-get", "install", "-y", "--no-install-recommends", package):
            print(f"  {package} could not be installed: {fault or said}", flush=True)


def fetch_axe() -> None:
    """axe-core into .venv/axe."""
    if not (ROOT / ".venv/axe/node_modules/axe-core").is_dir():
        print(f"Fetching {AXE}", flush=True)
        if fault := run("npm", "install", "--silent", "--no-save", "--prefix", str(ROOT / ".venv/axe"), AXE):
            print(f"  {AXE} could not be fetched: {fault}", flush=True)


def fetch_pyodide() -> None:
    """Pyodide into build/pyodide, whole or not at all."""
    target = ROOT / "build" / "pyodide"
    if (target / "pyodide.mjs").is_file():
        return
    print(f"Fetching {PYODIDE}", flush=True)
    target.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        if fault := run("npm", "pack", PYODIDE, folder=Path(folder)):
            print(f"  {PYODIDE} could not be fetched: {fault}", flush=True)
            return
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as archive:
            archive.extractall(folder, filter="data")
        shutil.rmtree(target, ignore_errors=True)
        (Path(folder) / "package").rename(target)


def fetch_numpy() -> None:
    """NumPy for Pyodide beside it, if it is the file that Pyodide's own list names."""
    folder = ROOT / "build" / "pyodide"
    target = folder / WHEEL.rpartition("/")[2]
    if target.is_file() or not (folder / "pyodide-lock.json").is_file():
        return
    try:
        with urllib.request.urlopen(WHEEL, timeout=10) as answer:
            content = answer.read()
    except OSError as error:
        print(f"NumPy for Pyodide could not be fetched: {error}", flush=True)
        return
    listed = json.loads((folder / "pyodide-lock.json").read_text("utf-8"))["packages"]["numpy"]["sha256"]
    if hashlib.sha256(content).hexdigest() != listed:
        print("NumPy for Pyodide is not the file that Pyodide names, and is left out", flush=True)
        return
    target.with_suffix(".partial").write_bytes(content)
    target.with_suffix(".partial").replace(target)


def main() -> None:
    """Bring what is missing; whatever cannot be brought is said, and its tests are skipped."""
    install_programs()
    if shutil.which("npm") is not None:
        fetch_axe()
        fetch_pyodide()
        fetch_numpy()


if __name__ == "__main__":
    main()
