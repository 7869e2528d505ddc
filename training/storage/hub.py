"""Agents on the Hugging Face Hub, or in a folder that others can read: `theogony push`, `theogony pull`.

What is shared is the network of a checkpoint, its header, and a model card: plain data, checked like any other
checkpoint when it comes back.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from theogony.console import extras
from theogony.envs.core.untrusted.files import make_folder
from theogony.envs.core.untrusted.outside import read_bytes, read_json
from theogony.training.networks.weights import LARGEST, CheckpointError
from theogony.training.storage.checkpoint import POLICY, check_whole, checkpoint_path
from theogony.training.storage.disk import write_folder
from theogony.training.storage.header import HEADER, CheckpointHeader, read_header

CARD, RESULTS = "README.md", "evaluation.json"
SHARED = (HEADER, POLICY, CARD)
HUB_NAME = re.compile(r"[\w][\w.-]*/[\w][\w.-]*")  # "owner/name"; a folder begins with "." or "/"


class HubError(ValueError):
    """An agent could not be shared or fetched: says why, in one line."""


def push(run: Path, name: str, private: bool = False) -> str:
    """Share the last checkpoint of a run, or a checkpoint, as `name`. Returns where it is.

    `name` is "owner/name" on the hub, or a folder that begins with "." or "/" and does not exist yet. Raises HubError,
    CheckpointError or OSError.
    """
    checkpoint = checkpoint_path(run)
    check_whole(checkpoint)
    header = read_header(checkpoint)
    weights = read_bytes(checkpoint / POLICY, str(checkpoint / POLICY), CheckpointError, LARGEST)
    header = header.sealed({POLICY: weights}, header.precision)
    files = {HEADER: header.as_bytes(), POLICY: weights, CARD: card(header, run, name).encode()}
    if (shared := _folder(name)) is not None:
        _write(shared, files)
        return str(shared)
    with tempfile.TemporaryDirectory() as folder:
        write_folder(Path(folder) / "agent", files)
        return _upload(Path(folder) / "agent", name, private)


def pull(name: str, folder: Path) -> Path:
    """Fetch a shared agent into a new folder, whose name is then a player. Raises HubError or CheckpointError.

    A file that is a link is refused: it could copy any file of this machine to where others may see it.
    """
    _must_be_new(folder)
    with tempfile.TemporaryDirectory() as temporary:
        source = _folder(name) or _download(name, Path(temporary))
        if not source.is_dir():
            raise HubError(f"{name}: there is no such folder")
        if not (source / HEADER).is_file():
            raise HubError(f"{name}: holds no agent of theogony: there is no {HEADER}")
        for item in SHARED:
            if (source / item).is_symlink():
                raise HubError(f"{source / item}: is a link to somewhere else; expected a plain file")
        check_whole(source)
        header = read_header(source)
        if set(header.files) != {POLICY}:
            raise HubError(f"{name}: is a checkpoint of a run and no shared agent: push it first")
        files = {item: read_bytes(source / item, str(source / item), CheckpointError, LARGEST) for item in SHARED}
    _write(folder, files)
    return folder


def card(header: CheckpointHeader, run: Path, name: str) -> str:
    """The model card: what it plays, how well, and how to let it play."""
    options = ", ".join(f"{key}={value}" for key, value in header.options.items())
    kind = "learnt value (engine: td)" if hasattr(header.network, "widths") else "policy"
    about = (
        f"A {kind} for [theogony](https://pypi.org/project/theogony), `{header.game}_v{header.version}`, trained for "
        f"{header.steps:,} decisions. Components {header.component_digest}, observation {header.features}."
    )
    return f"""\
---
library_name: theogony
tags: [reinforcement-learning, board-games, theogony, {header.game}]
---

# {header.game}, {options}

{about}

{_results(run)}```
theogony pull {name} agent
theogony evaluate agent --against greedy --game {header.game}
```
"""


def _results(run: Path) -> str:
    """The table of the run's own evaluation, where there is one."""
    if not (run / RESULTS).is_file():
        return ""
    rows: Any = read_json(run / RESULTS, str(run / RESULTS), HubError)
    lines = ["| against | games | won | 95 % interval |", "|---|---|---|---|"]
    try:
        for row in rows:
            against = json.dumps(row["against"]).strip('"').replace("|", "/")
            lines.append(
                f"| {against} | {row['games']:,} | {row['win_rate']:.1%} | {row['low']:.1%} to {row['high']:.1%} |"
            )
    except (KeyError, TypeError, ValueError):
        raise HubError(f"{run / RESULTS}: is not what an evaluation writes") from None
    return "\n".join([*lines, "", ""])


def _folder(name: str) -> Path | None:
    """The folder that a name stands for; None for one on the hub. Raises HubError when it is neither."""
    if name.startswith((".", "/", "~")):
        return Path(name).expanduser()
    if not HUB_NAME.fullmatch(name):
        raise HubError(f'{name!r} is no name: expected "owner/name" on the hub, or a folder such as ./agents/mine')
    return None


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """A new folder with these files, whole or not at all."""
    _must_be_new(folder)
    make_folder(folder.parent)
    write_folder(folder, files)


def _must_be_new(folder: Path) -> None:
    if folder.exists():
        raise HubError(f"{folder}: is there already; expected the name of a new folder")


def _upload(folder: Path, name: str, private: bool) -> str:
    with _one_line(name):
        from huggingface_hub import HfApi

        HfApi().create_repo(name, private=private, exist_ok=True)
        return str(HfApi().upload_folder(repo_id=name, folder_path=folder, commit_message="Agent of theogony"))


def _download(name: str, folder: Path) -> Path:
    with _one_line(name):
        from huggingface_hub import snapshot_download

        return Path(snapshot_download(name, local_dir=folder, allow_patterns=list(SHARED)))


@contextmanager
def _one_line(name: str) -> Iterator[None]:
    """Errors of the hub's library as one line."""
    try:
        yield
    except ImportError as error:
        raise HubError(extras.advice(error)) from None
    except Exception as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise HubError(f"{name}: the hub could not be used: {type(error).__name__}: {reason}") from None
