"""Many pictures in little room: a picture is a list of pieces, and only what differs from another picture is kept.

Pictures of one game share most of their elements, from decision to decision and from viewer to viewer. Each piece
(an element of the SVG) is kept once; a picture is told by copying runs of pieces from its base picture and naming new
ones. `replay.js` reads it back.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any

BETWEEN = re.compile(r"(?<=>)(?=<)")
LEVEL = 9  # of zlib


class Pieces:
    """The pieces of pictures by number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def of(self, svg: str) -> list[int]:
        """A picture as numbers of its pieces."""
        numbers = self.numbers
        return [numbers.setdefault(piece, len(numbers)) for piece in BETWEEN.split(svg)]

    def texts(self) -> list[str]:
        """All pieces, by number."""
        return list(self.numbers)


def difference(base: list[int], picture: list[int]) -> list[int]:
    """How to make a picture from its base: a number from 0 on is a piece; -n, d copies n pieces of the base, from d
    places after the end of the last copy."""
    places: dict[int, list[int]] = {}
    for place, piece in enumerate(base):
        places.setdefault(piece, []).append(place)
    out: list[int] = []
    at, k = 0, 0  # where the last copy of the base ended; how much of the picture is told
    while k < len(picture):
        start = _start(base, places, at, picture[k])
        if start is None:
            out.append(picture[k])
            k += 1
            continue
        length = 1
        while k + length < len(picture) and start + length < len(base) and base[start + length] == picture[k + length]:
            length += 1
        out += [-length, start - at]
        at, k = start + length, k + length
    return out


def _start(base: list[int], places: dict[int, list[int]], at: int, piece: int) -> int | None:
    """Where in the base to copy a piece from: the place nearest to where the last copy ended."""
    if at < len(base) and base[at] == piece:
        return at
    found = places.get(piece)
    return min(found, key=lambda place: abs(place - at)) if found else None


def rebuild(base: list[int], told: list[int]) -> list[int]:
    """The picture of a difference: what the script does, for tests."""
    picture: list[int] = []
    at, k = 0, 0
    while k < len(told):
        if told[k] >= 0:
            picture.append(told[k])
            k += 1
        else:
            start = at + told[k + 1]
            at = start - told[k]
            picture += base[start:at]
            k += 2
    return picture


def squeeze(data: Any) -> str:
    """Plain data as JSON, compressed (raw deflate) and written in base64."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(packer.compress(text) + packer.flush()).decode("ascii")


def unsqueeze(text: str) -> Any:
    """What `squeeze` wrote, for tests."""
    return json.loads(zlib.decompress(base64.b64decode(text), -zlib.MAX_WBITS))
