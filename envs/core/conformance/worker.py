"""The other process of `processes.in_fresh_interpreter`: jobs come in on stdin, results go out on stdout."""

from __future__ import annotations

import os
import pickle
import sys

import numpy as np


def main() -> None:
    """Do the jobs with integer overflow as an error, which compiled rules do not notice, and division by zero, which is
    one in compiled rules."""
    function, jobs = pickle.load(sys.stdin.buffer)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a game prints must not mix with the results
    with np.errstate(over="raise", divide="raise"):
        results = [function(*job) for job in jobs]
    with out:
        pickle.dump(results, out)


if __name__ == "__main__":
    main()
