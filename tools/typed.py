"""How much of the public surface has a known type: `pyright --verifytypes` over the wheel, as a user gets it.

Compiled rules are left out, since Numba and not an annotation decides their types: that is everything inside a game's
folder but its `<game>_v<n>` module.

    python tools/typed.py
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from shared import ROOT

INSIDE_A_GAME = re.compile(r"theogony\.envs\.(?!core\b)\w+\.(?!\w+_v\d)")


def report(folder: Path) -> dict:
    """Return what pyright says of a wheel that is unpacked beside the libraries of this environment."""
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*build, str(ROOT)], check=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    packages = next((folder / "venv/lib").glob("python*/site-packages"))
    zipfile.ZipFile(next(folder.glob("*.whl"))).extractall(packages)
    for path in next((ROOT / ".venv/lib").glob("python*/site-packages")).iterdir():
        if "theogony" not in path.name:
            (packages / path.name).symlink_to(path)
    command = [str(ROOT / ".venv/bin/pyright"), "--verifytypes", "theogony", "--ignoreexternal", "--outputjson"]
    own = {**os.environ, "PATH": f"{folder / 'venv/bin'}:{os.environ['PATH']}"}
    found = subprocess.run(command, cwd=folder, env=own, capture_output=True, check=False)  # 1 if anything is unknown
    return json.loads(found.stdout)["typeCompleteness"]


def main() -> None:
    """Print the figure and the modules with most unknown types."""
    with tempfile.TemporaryDirectory() as folder:
        symbols = report(Path(folder))["symbols"]
    public = [s for s in symbols if s["isExported"] and not INSIDE_A_GAME.match(s["name"])]
    unknown = [s["name"] for s in public if not s["isTypeKnown"] or s["isTypeAmbiguous"]]
    print("\n".join(sorted(unknown)))
    known = len(public) - len(unknown)
    print(f"{known:,} of {len(public):,} public names have a known type ({known / len(public):.1%})")


if __name__ == "__main__":
    main()
