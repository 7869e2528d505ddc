"""Recordings of another implementation, for `theogony verify`."""

from theogony.envs.push_of_faith.recordings.reader import recordings

__all__ = ["recordings"]
