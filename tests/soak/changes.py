"""Changes to files: bits, pieces lost, doubled or moved, numbers and words replaced; also inside what is packed."""

from __future__ import annotations

import gzip
import io
import random
import re
import zipfile
from pathlib import Path

TOKENS = (
    "-1", "0", "1", "255", "99999", "-2147483649", "9223372036854775808", "1e999", "NaN", "null", "true", '"x"', '""',
    "[]", "{}", "[" * 5000, "0.5", '"\\u001b[2J"', "-", "",
)  # fmt: skip
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
VALUE = re.compile(rb'(?<=[:,\[ ])(?:-?\d+(?:\.\d+)?|"[^"\\\n]*"|true|false|null)(?= *[,}\]\r\n])')
HEADER = 128  # bytes of an array's header; its numbers follow
SIZES = (1, 1, 1, 2, 4, 16, 64)


def damaged(content: bytes, draw: random.Random) -> bytes:
    """The content with one to three changes: anything, or values alone, so that what is written remains well formed."""
    gentle = draw.random() < 0.5
    for _ in range(draw.randint(1, 3)):
        change = _value if gentle else draw.choice((_flip, _cut, _double, _move, _number, _line))
        content = change(content, draw)
    return content


def _span(content: bytes, draw: random.Random) -> tuple[int, int]:
    start = draw.randrange(len(content) + 1)
    return start, min(len(content), start + draw.choice(SIZES))


def _flip(content: bytes, draw: random.Random) -> bytes:
    found = bytearray(content)
    if found:
        found[draw.randrange(len(found))] ^= 1 << draw.randrange(8)
    return bytes(found)


def _cut(content: bytes, draw: random.Random) -> bytes:
    start, end = _span(content, draw)
    return content[:start] if draw.random() < 0.2 else content[:start] + content[end:]


def _double(content: bytes, draw: random.Random) -> bytes:
    start, end = _span(content, draw)
    return content[:end] + content[start:]


def _move(content: bytes, draw: random.Random) -> bytes:
    start, end = _span(content, draw)
    rest = content[:start] + content[end:]
    to = draw.randrange(len(rest) + 1)
    return rest[:to] + content[start:end] + rest[to:]


def _number(content: bytes, draw: random.Random) -> bytes:
    numbers = list(NUMBER.finditer(content))
    if not numbers:
        return _flip(content, draw)
    found = draw.choice(numbers)
    return content[: found.start()] + draw.choice(TOKENS).encode() + content[found.end() :]


def _value(content: bytes, draw: random.Random) -> bytes:
    """Another value, of the same file or of those that seldom fit."""
    values = list(VALUE.finditer(content))
    if not values:
        return _flip(content, draw)
    found = draw.choice(values)
    other = draw.choice(values).group() if draw.random() < 0.4 else draw.choice(TOKENS).encode()
    return content[: found.start()] + other + content[found.end() :]


def _line(content: bytes, draw: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    if len(lines) > 1:
        line = lines.pop(draw.randrange(len(lines)))
        if draw.random() < 0.5:
            lines.insert(draw.randrange(len(lines) + 1), line)
    return b"".join(lines)


def damage(path: Path, draw: random.Random) -> None:
    """Change one file of a folder, or the file."""
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    file = draw.choice(files)
    content = file.read_bytes()
    if path.is_dir() and draw.random() < 0.1:
        file.unlink()
    elif draw.random() < 0.8:
        file.write_bytes(INSIDE.get(file.suffix, damaged)(content, draw))
    else:
        file.write_bytes(damaged(content, draw))


def _gzip(content: bytes, draw: random.Random) -> bytes:
    return gzip.compress(damaged(gzip.decompress(content), draw))


def _archive(content: bytes, draw: random.Random) -> bytes:
    """One array is changed, and the archive is whole again: its own sums find nothing."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        arrays = {name: archive.read(name) for name in archive.namelist()}
    name = draw.choice(sorted(arrays))
    kept = HEADER if draw.random() < 0.7 else 0
    numbers = arrays[name][kept:]
    arrays[name] = arrays[name][:kept] + (_flip if kept else damaged)(numbers, draw)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, array in arrays.items():
            archive.writestr(name, array)
    return made.getvalue()


INSIDE = {".gz": _gzip, ".npz": _archive}
