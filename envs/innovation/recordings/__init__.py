"""Formats from outside: recordings of another implementation, and positions as JSON."""

from __future__ import annotations

from theogony.envs.innovation.recordings.reader import recordings
from theogony.envs.innovation.recordings.snapshot import PositionError, position_from_json, to_json

__all__ = ["PositionError", "position_from_json", "recordings", "to_json"]
