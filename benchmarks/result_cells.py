"""Cells of the tables that benchmarks write: options that are not the defaults, and win rates with their intervals."""

from __future__ import annotations

import json
from typing import Any


def named(options: dict[str, Any]) -> str:
    """What stands behind a name for options that are not the defaults."""
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in options.items()}
    return "".join(f", `{name}={text}`" for name, text in texts.items())


def cell(result: dict[str, Any] | None) -> str:
    if result is None:
        return ""
    return f"{result['win_rate']:.1%} ({result['low']:.1%} to {result['high']:.1%}, {result['games']})"
