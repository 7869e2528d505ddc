"""Every difference between a recorded line and what our rules give, named by its place."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.verify import Differ, compare


def same(differ: Differ, step: Any, line: dict[str, Any], found: dict[str, Any], field: str = "") -> None:
    """Compare the fields that `found` has; a field which the recording lacks is a difference as well."""
    expected, ours = _tree(line), _tree(found)
    _report_missing(differ, step, expected, ours, field)
    wanted = expected if field else {key: expected[key] for key in ours if key in expected}
    compare(differ, step, wanted, ours, field)


def _report_missing(differ: Differ, step: Any, expected: Any, found: Any, field: str) -> None:
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in found.items():
            where = f"{field}.{key}" if field else str(key)
            if key in expected:
                _report_missing(differ, step, expected[key], value, where)
            else:
                differ(step, where, "nothing", value)


def _tree(value: Any) -> Any:
    """Lists of lists or objects as objects by index, so that a difference is named by its place."""
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        value = dict(enumerate(value))
    return {key: _tree(item) for key, item in value.items()} if isinstance(value, dict) else value
