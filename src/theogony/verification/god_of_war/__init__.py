"""God of War: whole games."""

from theogony.verification.god_of_war.reader import recordings

__all__ = ["recordings"]
