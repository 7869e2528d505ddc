"""What tests of other libraries share: the games by their ids, and random play as outside programs write it."""

import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np

import theogony

GAMES = theogony.games()


def id_of(game: str) -> str:
    """The id of a game in Gymnasium and PettingZoo."""
    return f"theogony/{game.title().replace('_', '')}-v0"


def drawn(masks: Any, rng: np.random.Generator) -> np.ndarray:
    """An action of each row by a masked softmax, as policies draw it: NaN where nothing is legal."""
    logits = np.where(masks, rng.gumbel(size=np.shape(masks)), -np.inf)
    odds = np.exp(logits - logits.max(-1, keepdims=True))
    assert not np.isnan(odds).any(), "a policy cannot draw one of nothing"
    return odds.argmax(-1)


def tiny(example: str, game: str, *more: str) -> None:
    """A run of an example that learns next to nothing and then plays games to their end, on any game."""
    place = Path(__file__).parents[1] / "examples" / example
    if str(place.parent) not in sys.path:  # an example may import one beside it, as it can where it is started
        sys.path.append(str(place.parent))
    found = runpy.run_path(str(place))["main"](["--game", game, "--eval-games", "2", *more])
    for result in found if isinstance(found, list) else [found]:
        assert result.games >= 2, "as many in every seat"
