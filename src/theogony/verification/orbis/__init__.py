"""Orbis: whole games, and scoring cases."""

from theogony.verification.orbis.reader import recordings

__all__ = ["recordings"]
