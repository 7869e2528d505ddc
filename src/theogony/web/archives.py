"""The Python of a page as archives: what all games need, and what each needs besides.

Where Node.js is installed and the pages bring Pyodide with them, they hold byte code of Pyodide's own Python, as do its
standard library and NumPy: nothing is compiled then before the first move.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory

import theogony
from theogony.envs.core.portable.modules import DIGEST, source_digest

NUMPY = "numpy-2.2.5-cp313-cp313-pyodide_2025_0_wasm32.whl"
RUNTIME = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
LIBRARIES = ("python_stdlib.zip", NUMPY)  # of them those that are archives of Python's modules
COMMON = "common"  # the name of what all games need
SOURCES = (  # of the package: what a page's Python reads
    "__init__.py", "console/*.py", "envs/*.py", "envs/core/**/*.py", "envs/core/**/*.json", "play/*.py", "play/web/*",
    "training/__init__.py", "training/players/__init__.py", "training/players/threads.py",
    "training/players/search_player.py", "training/players/search/*.py", "training/players/plan_player.py",
    "training/players/thinking.py", "training/agents/thinking.json",
    "web/__init__.py", "web/desk.py", "web/players.py", "web/wide.py",
)  # fmt: skip
OF_A_GAME = ("envs/{game}/**/*.py", "envs/{game}/**/*.json", "envs/{game}/data/*.md")
NOT_THERE = {"conformance", "__pycache__", "modules", "ledger"}
MADE = (1980, 1, 1, 0, 0, 0)  # the date of all files in an archive, so that a build can be repeated


class BundleError(ValueError):
    """What a page is to serve itself is not there."""


def check_bundle(bundle: Path) -> None:
    """Raises BundleError where a folder has not all that Python in a browser needs."""
    if missing := [name for name in (*RUNTIME, NUMPY) if not (bundle / name).is_file()]:
        raise BundleError(
            f"{bundle}: has no {missing[0]}; expected the files of the npm package pyodide 0.28 and {NUMPY}"
        )


def python(names: Iterable[str], bundle: Path | None) -> dict[str, bytes]:
    """The files of a page's Python, by their place in its folder, for these games."""
    found = {f"python/{COMMON}.zip": archive(SOURCES)}
    for name in names:
        patterns = [pattern.format(game=name) for pattern in OF_A_GAME]
        digest = {f"theogony/envs/{name}/{DIGEST}": source_digest(name).encode()}  # sources may be gone from it
        found[f"python/{name}.zip"] = archive(patterns, digest)
    if bundle is None:
        return found
    found |= {f"pyodide/{name}": (bundle / name).read_bytes() for name in (*RUNTIME, NUMPY)}
    return found | byte_code(found, bundle)


def archive(patterns: Iterable[str], more: Mapping[str, bytes] | None = None) -> bytes:
    """Files of the package as a zip, the same bytes at every build."""
    root = Path(theogony.__file__).parent
    content = {f"theogony/{path.relative_to(root).as_posix()}": path.read_bytes()
               for pattern in patterns for path in _found(root, pattern)}  # fmt: skip
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, text in sorted({**content, **(more or {})}.items()):
            entry = zipfile.ZipInfo(name, MADE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, text)
    return out.getvalue()


def _found(root: Path, pattern: str) -> Iterator[Path]:
    """The files of a pattern; the parts of the package may be links, into which `**` does not go."""
    parts = pattern.split("/")
    depth = next((k for k, part in enumerate(parts) if "*" in part), len(parts) - 1)
    for path in root.joinpath(*parts[:depth]).glob("/".join(parts[depth:])):
        if path.is_file() and not NOT_THERE & set(path.parts):
            yield path


def byte_code(content: Mapping[str, bytes], bundle: Path) -> dict[str, bytes]:
    """Those of these files that are archives of modules, with byte code in place of sources and without what no page
    uses; none where there is no Node.js, or it is too old for Pyodide."""
    if (node := shutil.which("node")) is None:
        return {}
    archives = {
        place: Path(place).name for place in content if place.startswith("python/") or place.endswith(LIBRARIES)
    }
    with as_file(files("theogony.web").joinpath("page", "bytecode.mjs")) as script, TemporaryDirectory() as folder:
        given, made = Path(folder, "given"), Path(folder, "made")
        for new in (given, made):
            new.mkdir()
        for place, name in archives.items():
            (given / name).write_bytes(content[place])
        command = [node, script, bundle, made, *(given / name for name in archives.values())]
        if subprocess.run(command, capture_output=True, text=True).returncode:
            return {}
        return {place: (made / name).read_bytes() for place, name in archives.items()}
