"""`python benchmarks/bench.py [GAME ...] [--json FILE]`: what `theogony bench` measures."""

import sys

from theogony.cli import app

if __name__ == "__main__":
    app(["bench", *sys.argv[1:]], prog_name="bench")
