"""Innovation: single dogma actions, and whole games."""

from theogony.verification.innovation.reader import recordings

__all__ = ["recordings"]
