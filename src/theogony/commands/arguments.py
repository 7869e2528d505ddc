"""What commands share: arguments that are looked at before the work, modules of the user's own, the exit code."""

from __future__ import annotations

import importlib
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from theogony.envs.core.game import GameSpec

OWN = re.compile(r"[A-Za-z_][\w.{}]*:[A-Za-z_]|\bgame=\w+\.\w")  # in an argument: code of the user's own


def mirrored(path: Path, writes: bool = True) -> Path:
    """The place here of an address in object storage, with all that is there; any other path as it is. What a command
    `writes` is sent when it ends."""
    if ":/" not in str(path):
        return path
    from theogony.training.storage import mirrors

    return mirrors.local(path, writes)


def fetched(path: Any) -> Any:
    """What a command reads, one or several."""
    return [mirrored(one, False) for one in path] if isinstance(path, list) else mirrored(path, False)


def writable(path: Path | None) -> Path | None:
    """A file that a command will write. Raises BadParameter when its place cannot be."""
    if path is not None:
        path = mirrored(path)
        if path.is_dir():
            raise typer.BadParameter(f"{path}: is a folder; expected a file")
        if not path.parent.is_dir():
            raise typer.BadParameter(f"{path}: there is no folder {path.parent}")
        _check_access(path, path if path.exists() else path.parent)
    return path


def writable_folder(path: Path | None) -> Path | None:
    """A folder that a command will make or add to. Raises BadParameter when its place cannot be."""
    if path is not None:
        path = mirrored(path)
        there = next(parent for parent in (path.absolute(), *path.absolute().parents) if parent.exists())
        if not there.is_dir():
            raise typer.BadParameter(f"{path}: " + ("" if there == path.absolute() else f"{there} ") + "is no folder")
        _check_access(path, there)
    return path


def _check_access(path: Path, there: Path) -> None:
    if not os.access(there, os.W_OK):
        raise typer.BadParameter(f"{path}: cannot be written there")


def file_out(help: str, metavar: str = "FILE") -> Any:
    """An option that names a file which the command will write."""
    return Option(metavar=metavar, help=help, callback=writable)


def folder_out(help: str, metavar: str = "FOLDER") -> Any:
    """An option that names a folder which the command will make or add to."""
    return Option(metavar=metavar, help=help, callback=writable_folder)


def read(metavar: str, help: str) -> Any:
    """An argument that names what the command reads."""
    return Argument(metavar=metavar, help=help, callback=fetched)


def as_file(text: str) -> str:
    """A name for a file, of a player or a suite."""
    return "".join(sign if sign.isalnum() or sign in "-_.+" else "_" for sign in text)


def seed(number: int) -> int:
    """A seed as its 64 bits, which is all of an integer that counts, without waiting for `envs.core.rng.seed_bits`."""
    return number & (1 << 64) - 1


def unconfined(wanted: bool) -> bool:
    """Whether what strangers made runs without a fence: told to this process and all that it starts."""
    if wanted:
        os.environ["THEOGONY_FENCE"] = "none"
    return wanted


A_GAME = "a game's name, or package.module:SPEC of your own"
GameName = Annotated[str, Argument(metavar="GAME", help=A_GAME)]
Seed = Annotated[int, Option(help="decides everything that is drawn", callback=seed)]
Options = Annotated[list[str] | None, Option("--option", metavar="KEY=VALUE", help="option of the game")]
Unconfined = Annotated[
    bool, Option("--unconfined", callback=unconfined, help="run programs and networks of others without a fence")
]
Modules = Annotated[bool, Option("--allow-modules", help="import modules that files name: they execute code")]
CLUSTER = "play on a Ray cluster: auto is the one here, or at RAY_ADDRESS"
OnCluster = Annotated[str | None, Option("--cluster", metavar="auto|ADDRESS", help=CLUSTER)]
Workers = Annotated[int | None, Option(min=1, max=1024, help="processes; by default one a processor")]
Moves = Literal["listed", "numbered", "hidden"]


def game_named(name: str) -> GameSpec:
    """The spec of a game that was named on the command line."""
    from theogony.envs import GAMES, load

    if name not in GAMES:
        look_here()
    return load(name)


def consent(arguments: list[str], in_files: bool = False) -> None:
    """Modules that arguments name are looked for here as well: naming them is consent. With `in_files`, or where
    THEOGONY_ALLOW_MODULES is 1, files may name them too."""
    from theogony.training.config import modules

    if in_files:
        modules.allow()
    if modules.allowed() or any(OWN.search(argument) for argument in arguments):
        look_here()


def look_here() -> None:
    """Let Python find modules in the working directory, after all others."""
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def options_of(pairs: list[str] | None) -> dict[str, Any]:
    """The options of a game that are named as KEY=VALUE, values read as YAML. Raises ConfigError."""
    from theogony.training.config.file import apply_override

    found: dict[str, Any] = {}
    for pair in pairs or []:
        apply_override(found, pair)
    return found


def training_module(name: str) -> Any:
    """A module of `theogony.training`, imported only when a command needs it."""
    return importlib.import_module(f"theogony.training.{name}")


def fail_unless(ok: bool) -> None:
    """End the command with exit code 1 when something was found wrong."""
    if not ok:
        raise typer.Exit(1)
