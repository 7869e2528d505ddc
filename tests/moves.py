"""Decisions by their texts, for tests of rules."""

from theogony.envs.core.position import Position


def play_texts(position: Position, *texts: str) -> Position:
    """Play decisions one after another. Returns the position."""
    for text in texts:
        position.play(position.game.actions.parse(text))
    return position


def legal_texts(position: Position, start: str = "") -> list[str]:
    """The legal actions that begin so."""
    texts = (position.game.actions.text(int(action)) for action in position.legal_actions())
    return [text for text in texts if text.startswith(start)]


def legal_after(position: Position, start: str) -> list[str]:
    """The legal actions that begin so, without that beginning."""
    return [text.removeprefix(start).strip() for text in legal_texts(position, start)]
