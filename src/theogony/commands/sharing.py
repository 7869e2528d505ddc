"""Commands to share agents and to fetch those of others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from theogony.commands.arguments import Modules, Unconfined, consent, fetched, training_module, writable_folder


def push(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="a run, or a checkpoint", callback=fetched)],
    name: Annotated[str, typer.Argument(help='"owner/name" on the Hugging Face Hub, or a new folder such as ./mine')],
    private: Annotated[bool, typer.Option(help="on the hub: only for you")] = False,
    allow_modules: Modules = False,
    unconfined: Unconfined = False,
) -> None:
    """Share an agent: its network, what it plays, and a model card."""
    consent([], allow_modules)
    print(training_module("storage.hub").push(run, name, private))


def pull(
    name: Annotated[str, typer.Argument(help='"owner/name" on the Hugging Face Hub, or a folder')],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="where it goes", callback=writable_folder)],
) -> None:
    """Fetch an agent that somebody shared. The folder is then a player by its name."""
    print(training_module("storage.hub").pull(name, folder))
