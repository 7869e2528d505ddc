"""Recorded games of another implementation."""

from theogony.envs.god_of_war.recordings.reader import recordings

__all__ = ["recordings"]
