"""What the tests of rules do again and again with a game of the fixture `table`."""

from typing import Any


def place(game: Any, *columns: int) -> Any:
    """Put the heroes into the front of these columns, one after the other."""
    for column in columns:
        game.do(do="place", column=column, slot="front")
    return game


def kind(game: Any) -> tuple[int, str]:
    """Who is asked, and what."""
    return game.state["pending"]["seat"], game.state["pending"]["kind"]


def until(game: Any, *kinds: str) -> Any:
    """Do nothing until one of these decisions is due, or the game is over."""
    while not game.position.over and game.state["pending"]["kind"] not in kinds:
        game.do(**(game.legal(do="pass") or game.legal(do="done") or game.legal(do="end") or game.legal())[0])
    return game


def reveal(game: Any) -> Any:
    """End the activation and turn up a card; nobody plays anything in windows or blocks."""
    game.do(do="end")
    while not game.position.over and game.state["pending"]["kind"] in ("reveal_window", "block_window", "block"):
        game.do(**(game.legal(do="pass") or game.legal(do="done"))[0])
    return game
