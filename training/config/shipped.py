"""Training files that come with the package: `push_of_faith/quickstart` stands for one wherever a file is asked for."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from theogony.training.config import ConfigError


def shipped() -> dict[str, Path]:
    """The files by their names, `game/file` without the ending."""
    folders = [Path(str(folder)) for folder in files("theogony.configs").iterdir() if folder.is_dir()]
    found = sorted(path for folder in folders for path in folder.glob("*.yaml"))
    return {f"{path.parent.name}/{path.stem}": path for path in found}


def config_file(path: Path) -> Path:
    """The file itself; or, for a name without ending that is no file, the one of the package that has this name.

    Raises ConfigError, which lists the names.
    """
    if path.suffix or path.exists():
        return path
    known = shipped()
    if path.as_posix() not in known:
        raise ConfigError(f"{path}: is no file, and none of that name comes with the package: {', '.join(known)}")
    return known[path.as_posix()]
