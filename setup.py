"""Finds the packages: the folders at the top are parts of one package, by links in src/theogony.

The links make an editable installation a plain path, which type checkers follow as Python does, and in which a folder
called `theogony` beside a script hides nothing. Where git writes no links (Windows, by default) folders are mapped.

`THEOGONY_COMPILED` names a folder that `theogony compile --into` wrote: the wheel then carries it, and is for the
Python and the system that it was compiled on.

On the package index README.md stands alone, so its links are made absolute here.
"""

import json
import os
import re
import shutil
import tomllib
import zipfile
import zlib
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from setuptools import Distribution, find_namespace_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

PARTS = ("envs", "wrappers", "training", "configs")
ROOT = Path(__file__).parent
SOURCE = ROOT / "src"
NOT_PACKAGES = ["*__pycache__*", "*.egg-info*"]

COMPILED = os.environ.get("THEOGONY_COMPILED")
INSIDE = ("theogony", "envs", "core", "compiled")  # where core/compile/cache.py looks

RELATIVE = re.compile(r"(!?)(\[[^\]]*\]\()(?![a-z]+:|#)([^)]+\))")


def readme() -> str:
    """README.md with its links and pictures by their addresses in the repository."""
    address = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Repository"]

    def absolute(link: re.Match[str]) -> str:
        return f"{link[1]}{link[2]}{address}/{'raw' if link[1] else 'blob'}/HEAD/{link[3]}"

    return RELATIVE.sub(absolute, (ROOT / "README.md").read_text("utf-8"))


class BuildWithCompiled(build_py):
    """Copies the compiled rules beside the sources."""

    def run(self) -> None:
        """What an earlier build left behind goes first."""
        super().run()
        target = Path(self.build_lib, *INSIDE)
        shutil.rmtree(target, ignore_errors=True)
        if COMPILED:
            self.copy_tree(str(Path(COMPILED).resolve(strict=True)), str(target))


class SmallWheel(bdist_wheel):
    """A wheel that is packed as small as its format allows; by itself setuptools packs for speed."""

    def run(self) -> None:
        """Every file as it is, in its place, packed anew."""
        super().run()
        wheel = Path(self.distribution.dist_files[-1][2])
        smaller = wheel.with_suffix(".smaller")
        names: Any = zipfile  # whose own choice of a packer is by level alone
        usual = names._get_compressor
        with ZipFile(wheel) as packed, ZipFile(smaller, "w") as again:
            for file in packed.infolist():
                content = packed.read(file)
                names._get_compressor = lambda *_, content=content: packer(content)
                try:
                    again.writestr(file, content, ZIP_DEFLATED, 9)
                finally:
                    names._get_compressor = usual
        smaller.replace(wheel)


def packer(content: bytes) -> Any:
    """The way of deflate that makes a file smallest: in weights nothing comes twice, and counting bytes is enough."""

    def made(way: int, room: int, ends: tuple[int, ...]) -> Any:
        return InParts(zlib.compressobj(9, zlib.DEFLATED, -15, room, way), ends)

    def size(way: tuple[int, int, tuple[int, ...]]) -> int:
        trial = made(*way)
        return len(trial.compress(content) + trial.flush())

    ends = tensors(content)
    ways = [
        (way, room, ()) for way in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY) for room in (8, 9)
    ]
    if ends:
        ways += [(zlib.Z_HUFFMAN_ONLY, room, ends) for room in (8, 9)]
    return made(*min(ways, key=size))


def tensors(content: bytes, least: int = 100) -> tuple[int, ...]:
    """Where the tensors of a file of weights end, as far as they have so many bytes; empty for another file."""
    head = int.from_bytes(content[:8], "little")
    if content[8:9] != b"{" or head > len(content):
        return ()
    told = json.loads(content[8 : 8 + head])
    ends = [0]
    for end in sorted(8 + head + one["data_offsets"][1] for name, one in told.items() if name != "__metadata__"):
        if end - ends[-1] > least:
            ends.append(end)
    return tuple(ends[1:])


class InParts:
    """Packs a file in parts, each of which counts its own bytes: the numbers of a tensor are like each other."""

    def __init__(self, packing: Any, ends: tuple[int, ...]) -> None:
        self.packing, self.ends = packing, ends

    def compress(self, content: bytes) -> bytes:
        """All of a file at once."""
        parts = [
            self.packing.compress(content[start:end]) + self.packing.flush(zlib.Z_BLOCK)
            for start, end in pairwise((0, *self.ends))
        ]
        return b"".join([*parts, self.packing.compress(content[(0, *self.ends)[-1] :])])

    def flush(self) -> bytes:
        """The end."""
        return self.packing.flush()


class WheelForOne(SmallWheel):
    """A wheel for this Python and this system."""

    def finalize_options(self) -> None:
        """The code calls nothing of the system but what Numba loads, so any Linux that Numba runs on will do."""
        super().finalize_options()
        self.plat_name = str(self.plat_name).replace("linux_", "manylinux_2_17_").replace("linux-", "manylinux_2_17_")


class WithMachineCode(Distribution):
    """Not pure."""

    def has_ext_modules(self) -> bool:
        """So that setuptools builds for one Python."""
        return True


commands: dict[str, Any] = {
    "cmdclass": {"build_py": BuildWithCompiled, "bdist_wheel": SmallWheel},
    "long_description": readme(),
    "long_description_content_type": "text/markdown",
}
if COMPILED:
    commands["cmdclass"]["bdist_wheel"] = WheelForOne
    commands["distclass"] = WithMachineCode
if all((SOURCE / "theogony" / part).is_dir() for part in PARTS):
    setup(packages=find_namespace_packages(str(SOURCE), exclude=NOT_PACKAGES), package_dir={"": "src"}, **commands)
else:
    own = find_namespace_packages(str(SOURCE), exclude=NOT_PACKAGES)
    found = find_namespace_packages(include=[f"{part}{tail}" for part in PARTS for tail in ("", ".*")])
    setup(
        packages=[*own, *(f"theogony.{package}" for package in found)],
        package_dir={"theogony": "src/theogony", **{f"theogony.{part}": part for part in PARTS}},
        **commands,
    )
