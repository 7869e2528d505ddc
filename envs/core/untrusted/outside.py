"""Reading files of others: JSON and NumPy archives, within limits, with one clear line for whatever does not fit.

A file from outside may be damaged, made by something else or made to do harm: nested a million deep, or with a shape
that asks for all the memory there is. So sizes are looked at before anything is read, and shapes before anything is
allocated. YAML is in `outside_yaml.py`; what the data mean is checked by pydantic models, see `checked.py`.

`what` is the file as messages name it, `problem` the exception that is raised.
"""

from __future__ import annotations

import json
import math
import os
import stat
import sys
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, NoReturn

import numpy as np

MEGABYTE = 1 << 20
MAX_TEXT = 64 * MEGABYTE  # bytes of a JSON file or a record
MAX_DEPTH = 64  # lists in lists, and so on
MAX_VALUES = 1_000_000  # values of a JSON text, each of which takes up to 250 bytes of memory
MAX_ARRAYS = 1024 * MEGABYTE  # bytes of all arrays of an archive together, unpacked
MAX_MEMBERS = 1000  # arrays of an archive
MAX_HEADER = 10_000  # characters of the header of an array
LONGEST_NUMBER = 1000  # characters of a number with a point or an exponent
SHOWN = 60  # characters of what was found, and of a whole number
KINDS = "biufU"  # of arrays: bool, integers, floats and text; never objects, which hold code


class Form(NamedTuple):
    """What an array must be: its dtype as `np.dtype` takes it, and its shape; None is any length."""

    dtype: Any
    shape: tuple[int | None, ...]

    def __str__(self) -> str:
        lengths = ", ".join("any" if length is None else str(length) for length in self.shape)
        return f"{np.dtype(self.dtype)} of shape ({lengths})"

    def fits(self, dtype: np.dtype, shape: tuple[int, ...]) -> bool:
        """Whether an array is of this form. Text may have any length when the form names none: `Form("U", ())`."""
        wanted = np.dtype(self.dtype)
        same = dtype == wanted or (wanted == np.dtype("U") and dtype.kind == "U")
        lengths = zip(self.shape, shape, strict=False)
        return same and len(shape) == len(self.shape) and all(a is None or a == b for a, b in lengths)


# ---------------------------------------------------------------------------------------------------- bytes and text


def read_bytes(path: str | Path, what: str, problem: type[Exception], limit: int = MAX_TEXT) -> bytes:
    """The content of a file. Raises `problem` when it cannot be read, is no plain file or has more than `limit` bytes.

    The size is looked at first, and never more than that is read.
    """
    try:
        with _open(path) as file:
            content = file.read(limit + 1)
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise problem(f"{what}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(content) > limit:
        raise problem(f"{what}: is too large: at most {_size(limit)} were expected")
    return content


# A plain file as its bytes, where a system knows these: a pipe is not waited for, programs that are started get none.
PLAIN = os.O_RDONLY
for _flag in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    PLAIN |= getattr(os, _flag, 0)


def _open(path: str | Path) -> BinaryIO:
    """A plain file. A pipe is not waited for, and a device such as /dev/zero has no end."""
    descriptor = os.open(path, PLAIN)
    file = open(descriptor, "rb")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise OSError(None, "it is not a plain file")
    return file


def read_text(path: str | Path, what: str, problem: type[Exception], limit: int = MAX_TEXT) -> str:
    """The content of a file as UTF-8 text. Raises `problem`."""
    return as_text(read_bytes(path, what, problem, limit), what, problem)


def as_text(content: bytes, what: str, problem: type[Exception]) -> str:
    """UTF-8 text from bytes. Raises `problem`."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise problem(f"{what}: is not UTF-8 text: byte {error.start}") from None


# ---------------------------------------------------------------------------------------------------- JSON


def read_json(path: str | Path, what: str, problem: type[Exception], limit: int = MAX_TEXT) -> Any:
    """The data of a JSON file. Raises `problem`, as `parse_json` does."""
    return parse_json(read_bytes(path, what, problem, limit), what, problem, limit)


def parse_json(text: str | bytes, what: str, problem: type[Exception], limit: int = MAX_TEXT) -> Any:
    """The data of JSON text. Raises `problem`: no JSON, too long, too many values, nested too deeply, or a key twice.

    Numbers must be finite: NaN and Infinity, which JSON does not have, and 1e999 are refused. Time and memory are
    linear in the length of the text.
    """
    if len(text) > limit:
        raise problem(f"{what}: is too large: at most {_size(limit)} were expected")
    if isinstance(text, bytes):
        text = as_text(text, what, problem).removeprefix("\ufeff")
    if _count_values(text) > MAX_VALUES:
        raise problem(f"{what}: is too large: at most {MAX_VALUES:,} values were expected")
    try:
        data = json.loads(
            text, object_pairs_hook=_no_key_twice, parse_constant=_not_finite, parse_float=_finite, parse_int=_integer
        )
        check_depth(data)
    except RecursionError:
        raise problem(f"{what}: is nested more than {MAX_DEPTH} deep") from None
    except ValueError as error:
        raise problem(f"{what}: is not JSON: {error}") from None
    return data


def _count_values(text: str) -> int:
    """How many values JSON text holds, before anything is made of them: one more than there are commas and opened
    brackets outside of strings. Where those of strings make no difference they are not told apart."""
    count = 1 + sum(map(text.count, "[{,"))
    if count <= MAX_VALUES:
        return count
    signs = text.encode("utf-8", "surrogatepass").replace(rb"\\", b"").replace(rb"\"", b"")
    count, inside = 1, False
    for start in range(0, len(signs), MEGABYTE):
        part = np.frombuffer(signs[start : start + MEGABYTE], np.uint8)
        quoted = np.logical_xor.accumulate(part == ord('"')) ^ inside
        count += int(np.count_nonzero(SEPARATES[part] & ~quoted))
        inside = bool(quoted[-1])
    return count


SEPARATES = np.isin(np.arange(256), list(b"[{,"))  # by byte: whether another value follows


def check_depth(data: Any, deepest: int = MAX_DEPTH) -> None:
    """Raises RecursionError, before anybody walks the data by recursion, when plain data are nested too deeply."""
    level, depth = [[data]], 0
    while level := [item for part in level for item in _inside(part)]:
        depth += 1
        if depth > deepest:
            raise RecursionError(f"nested more than {deepest} deep")


def _inside(part: Any) -> Iterator[Any]:
    items = part.values() if isinstance(part, dict) else part if isinstance(part, list | tuple) else ()
    return (item for item in items if isinstance(item, dict | list | tuple))


def check_plain_text(data: Any) -> None:
    """Raises ValueError for text in plain data that holds signs for a terminal instead of for a reader."""
    if isinstance(data, dict):
        for key, value in data.items():
            check_plain_text(key)
            check_plain_text(value)
    elif isinstance(data, list | tuple):
        for item in data:
            check_plain_text(item)
    elif isinstance(data, str) and not data.isprintable():
        raise ValueError(f"the text {data!r:.{SHOWN}} has signs in it that cannot be printed")


def printable(text: str) -> str:
    """Text for a terminal: everything but line breaks and tabs that is not printed is written as its escape."""
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"the key {key!r:.{SHOWN}} is given twice")
            seen.add(key)
    return data


def _not_finite(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _finite(text: str) -> float:
    if len(text) > LONGEST_NUMBER:
        raise ValueError(f"{text:.{SHOWN}}... is too long for a number")
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text:.{SHOWN}} is too large for a number")
    return number


def _integer(text: str) -> int:
    if len(text) > SHOWN:
        raise ValueError(f"{text:.{SHOWN}}... is too long for a number")
    return int(text)


# ---------------------------------------------------------------------------------------------------- arrays


def read_arrays(
    path: str | Path,
    what: str,
    problem: type[Exception],
    forms: Mapping[str, Form] | None = None,
    limit: int = MAX_ARRAYS,
) -> dict[str, np.ndarray]:
    """The arrays of an `.npz` archive, each checked by its header before anything is allocated.

    `forms` are the arrays that must be there, by name; others may be there as well. Without it any array of bool,
    integers, floats or text is taken. Raises `problem` naming the array: missing, of another dtype or shape, larger
    than `limit` bytes with all others, or damaged.
    """
    try:
        with _open(path) as file, zipfile.ZipFile(file) as archive:
            return _members(archive, forms or {}, limit)
    except (OSError, EOFError, ValueError, OverflowError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        # RuntimeError: a password is asked for, or a packing that is not known (NotImplementedError)
        reason = getattr(error, "strerror", None) or " ".join(str(error).split()) or type(error).__name__
        raise problem(f"{what}: cannot be read as a NumPy archive: {reason}") from None


def _members(archive: zipfile.ZipFile, forms: Mapping[str, Form], limit: int) -> dict[str, np.ndarray]:
    entries = archive.infolist()
    if len(entries) > MAX_MEMBERS:
        raise ValueError(f"{len(entries)} arrays, at most {MAX_MEMBERS} were expected")
    arrays: dict[str, np.ndarray] = {}
    for entry in entries:
        name = entry.filename.removesuffix(".npy")
        if name in arrays:
            raise ValueError(f"array {name!r:.{SHOWN}} is there twice")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"array {name!r:.{SHOWN}} is packed in a way that NumPy does not write")
        with archive.open(entry) as file:
            arrays[name] = _array(file, name, entry.file_size, forms.get(name), limit)
        limit -= arrays[name].nbytes
    for name in forms:
        if name not in arrays:
            raise ValueError(f"array {name!r} is missing")
    return arrays


def _array(file: Any, name: str, size: int, form: Form | None, limit: int) -> np.ndarray:
    """One array. Raises ValueError."""
    shown = f"array {name!r:.{SHOWN}}"
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"{shown} has a header of version {version}")
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    try:
        shape, by_columns, dtype = read(file, max_header_size=MAX_HEADER)
    except Exception:  # the header is Python text, and its parser raises whatever it likes
        raise ValueError(f"{shown} has a damaged header") from None
    if dtype.kind not in KINDS or dtype.subdtype is not None:
        raise ValueError(f"{shown} is of {dtype}: bool, integers, floats or text were expected")
    if form is not None and not form.fits(dtype, shape):
        raise ValueError(f"{shown} is {Form(dtype, shape)}, {form} was expected")
    count = math.prod(shape)
    if any(length < 0 for length in shape) or count * dtype.itemsize > min(limit, size):
        raise ValueError(f"{shown} is {Form(dtype, shape)}: more than there is in the file, or than is read")
    content = file.read(count * dtype.itemsize + 1)
    if len(content) != count * dtype.itemsize:
        raise ValueError(f"{shown} has {len(content)} bytes, {count * dtype.itemsize} were expected")
    flat = np.frombuffer(bytearray(content), dtype) if count * dtype.itemsize else np.zeros(count, dtype)
    _check_values(flat, shown)
    return flat.reshape(shape, order="F" if by_columns else "C")


def _check_values(flat: np.ndarray, shown: str) -> None:
    """Raises ValueError for bytes that are no bool, and numbers that are no character."""
    if flat.dtype.kind == "b" and (flat.view(np.uint8) > 1).any():
        raise ValueError(f"{shown} holds bytes that are no bool")
    characters = np.dtype(np.uint32).newbyteorder(flat.dtype.byteorder)
    if flat.dtype.kind == "U" and flat.nbytes and (flat.view(characters) > sys.maxunicode).any():
        raise ValueError(f"{shown} holds numbers that are no character")


def _size(count: int) -> str:
    return f"{count // MEGABYTE} MB" if count >= MEGABYTE else f"{count} bytes"
