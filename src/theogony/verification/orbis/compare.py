"""Every difference between a recorded statement and ours, named by its place."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.verify import Differ


def differences(differ: Differ, step: Any, expected: Any, found: Any, field: str = "") -> None:
    """Report every leaf in which two JSON values differ, missing and additional keys included, by its path."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in {**expected, **found}:
            where = f"{field}.{key}" if field else str(key)
            if key in expected and key in found:
                differences(differ, step, expected[key], found[key], where)
            else:
                differ(step, where, expected.get(key, "nothing"), found.get(key, "nothing"))
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for k, (one, other) in enumerate(zip(expected, found, strict=True)):
            differences(differ, step, one, other, f"{field}[{k}]")
    elif expected != found or isinstance(expected, bool) != isinstance(found, bool):
        differ(step, field, expected, found)
