"""Write the pages to play on into build/pages, from where docs/hooks.py puts them into the site.

    python docs/pages.py [--bundle FOLDER] [GAME ...]

Where modules cannot be built, a line says why, and the site has no such pages.
"""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path

from hooks import PAGES

from theogony.console.progress import Progress
from theogony.envs import GAMES
from theogony.envs.core.jit import SPARING


def written(names: list[str], folder: Path, bundle: Path | None) -> str:
    """Write the pages of games. Returns why that is not possible here, or an empty text. Raises BundleError."""
    from theogony.web.folder import write
    from theogony.web.link import LinkError

    if SPARING is None:
        return "rules are not compiled here"
    with Progress("compiling", unit="games") as progress:

        def say(done: int, total: int, name: str) -> None:
            progress.done, progress.total, progress.note = done, total, name

        try:
            write(names, folder, bundle, os.cpu_count() or 1, say)
        except (LinkError, ImportError) as error:
            return str(error)
    return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME", help="by default all")
    parser.add_argument("--bundle", type=Path, help="files of Pyodide and NumPy's wheel, for the site to serve itself")
    asked = parser.parse_args()
    shutil.rmtree(PAGES, ignore_errors=True)
    if problem := written(asked.names or list(GAMES), PAGES, asked.bundle):
        shutil.rmtree(PAGES, ignore_errors=True)
        print(f"The site has no pages to play on: {problem}")


if __name__ == "__main__":
    main()
