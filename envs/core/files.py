"""Writing files so that nobody ever sees half of one."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path


def replace_file(path: str | Path, content: bytes) -> None:
    """Write to a temporary file beside `path`, then rename it. Raises OSError, and leaves no trace then."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
