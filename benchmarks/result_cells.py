"""What pages of results are made of: figures of a file, options that are not the defaults, win rates with intervals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def read_figures(path: Path) -> dict[str, Any]:
    """The figures of a file, none without the file."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def named(options: dict[str, Any]) -> str:
    """What stands behind a name for options that are not the defaults."""
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in options.items()}
    return "".join(f", `{name}={text}`" for name, text in texts.items())


def cell(result: dict[str, Any] | None) -> str:
    """A win rate with its interval and the number of games; nothing for what was not played."""
    if result is None:
        return ""
    return f"{result['win_rate']:.1%} ({result['low']:.1%} to {result['high']:.1%}, {result['games']})"
