"""Push of Faith: whole games, finished worlds and final rankings."""

from theogony.verification.push_of_faith.reader import recordings

__all__ = ["recordings"]
