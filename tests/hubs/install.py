"""Make an environment for each hub: `python tests/hubs/install.py FOLDER`, then `THEOGONY_HUBS=FOLDER pytest`."""

import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]
HUBS = {
    "verifiers": "verifiers==0.4.0",
    "openenv": "openenv-core==0.3.0",
    "inspect_ai": "inspect_ai==0.3.285",
    "textarena": "textarena==0.7.4",
}


def install(folder: Path) -> None:
    """An environment with the hub's library, and what Theogony needs."""
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    for hub, library in HUBS.items():
        if not (folder / hub).exists():
            venv.create(folder / hub, with_pip=True)
        subprocess.run([folder / hub / "bin/python", "-m", "pip", "install", "-q", library, *needs], check=True)


if __name__ == "__main__":
    install(Path(sys.argv[1]))
