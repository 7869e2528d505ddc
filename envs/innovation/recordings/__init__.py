"""Recordings of another implementation."""

from theogony.envs.innovation.recordings.reader import recordings

__all__ = ["recordings"]
