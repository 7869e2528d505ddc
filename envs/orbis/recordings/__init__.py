"""Recordings of another implementation, for `theogony verify`."""

from theogony.envs.orbis.recordings.reader import recordings

__all__ = ["recordings"]
