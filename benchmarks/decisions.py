"""Decisions per second, as `theogony bench`: `python benchmarks/decisions.py [GAME ...] [--json FILE]`."""

import sys

from theogony.cli import main

if __name__ == "__main__":
    sys.argv[1:1] = ["bench"]
    main()
