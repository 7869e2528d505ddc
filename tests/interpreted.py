"""Programs in a Python of their own that interprets rules: games with mistakes need not be compiled to be found."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any


def said_interpreted(*arguments: str | Path, folder: Path) -> Any:
    """What `python ARGUMENTS` prints in a folder, as JSON."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
