"""Formats from outside: recorded games of another implementation, and positions as plain data (`snapshot`)."""

from theogony.envs.god_of_war.recordings.reader import recordings
from theogony.envs.god_of_war.recordings.snapshot import snapshot

__all__ = ["recordings", "snapshot"]
