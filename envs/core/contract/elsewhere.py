"""Arguments that belong to another way to play a game: each is refused in words that say where it belongs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from theogony.envs.core.contract.options import OptionError

if TYPE_CHECKING:
    from theogony.envs.core.game import Game, GameSpec

OF_ONE_SEAT = (
    "has no meaning in an AEC environment, where the caller plays every seat: take theogony.player(), gymnasium.make "
    "or make_vec"
)
OF_MANY = "is an argument of theogony.make_vec and gymnasium.make_vec, which play many games in one call"
NOT_OF_ONE_GAME = {
    **dict.fromkeys(("opponents", "seat", "control", "illegal"), OF_ONE_SEAT),
    **dict.fromkeys(("num_envs", "threads"), OF_MANY),
    "seed": "is no argument of an environment: give it to reset(seed=...)",
}
DRAWN = "is for one game, and many games in one call are not drawn: envs.batch.position(row).svg() is a picture of one"
NOT_OF_MANY = {
    "illegal": "is an argument of gymnasium.make and gymnasium.make_vec: here choose by the masks, with MaskablePPO or "
    "theogony.sample_masks(masks, rng)",
    **dict.fromkeys(("render_mode", "render_seat"), DRAWN),
}


def check_of_one_game(spec: GameSpec, given: Mapping[str, Any]) -> None:
    """Raise OptionError for what an environment of one game does not take."""
    _check(spec, given, NOT_OF_ONE_GAME)


def check_of_many(spec: GameSpec, given: Mapping[str, Any]) -> None:
    """Raise OptionError for what a vector environment does not take."""
    _check(spec, given, NOT_OF_MANY)


def illegal_option(illegal: Any) -> str:
    """What an illegal action does. Raises ValueError for what is none of both."""
    if illegal not in ("raise", "random"):
        raise ValueError(f'illegal={illegal!r:.60} is not "raise" or "random"')
    return illegal


def check_reset_options(options: Any, game: Game) -> None:
    """Raise OptionError for whatever `reset(options=...)` names, and TypeError when it is no dict.

    PettingZoo's `api_test` gives `{"options": 1}` to see whether there is such an argument: that passes.
    """
    if options is None or (isinstance(options, dict) and options.keys() <= {"options"}):
        return
    if not isinstance(options, dict):
        raise TypeError(f"reset(options=...) takes a dict or None, not {type(options).__name__}")
    name = next(name for name in options if name != "options")
    known = ", ".join(game.spec.options.model_fields)
    raise OptionError(
        f"{game.spec.name}: reset(options=...) has no {name!r:.60}: it takes none. Options of the game ({known}) are "
        "given when the environment is made, as in theogony.make"
    )


def _check(spec: GameSpec, given: Mapping[str, Any], elsewhere: Mapping[str, str]) -> None:
    for word, where in elsewhere.items():
        if word in given and word not in spec.options.model_fields:
            raise OptionError(f"{spec.name}: {word}= {where}")
