"""The command `theogony`. Every error is one line on stderr and a non-zero exit code; 2 is for wrong usage.

`THEOGONY_TRACEBACK=1` shows where an error came from. The commands are in `theogony.commands`; each imports
what it needs when it runs, so that `theogony games` does not wait for PyTorch.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from theogony import __version__
from theogony.commands import COMMANDS, GROUPS
from theogony.console import extras, interrupt, terminal

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Modern board games as reinforcement-learning environments.",
    rich_markup_mode=None,
)


def main() -> None:
    """The console script: run the command of `sys.argv` and exit."""
    interrupt.catch()
    terminal.guard()
    try:
        code = app(standalone_mode=False, prog_name="theogony")
        if (mirrors := sys.modules.get("theogony.training.storage.mirrors")) is not None:
            mirrors.send_all()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of a pipe has gone, as in `theogony replay FILE | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except Exception as error:
        if os.environ.get("THEOGONY_TRACEBACK") == "1":
            raise
        code = _report(error)
    except (KeyboardInterrupt, interrupt.Interrupt):
        interrupt.leave()
    sys.exit(code)


def _report(error: Exception) -> int:
    """Print an error as one line. Returns the exit code."""
    if isinstance(error, typer.Abort):
        interrupt.leave()
    if (message := getattr(error, "format_message", None)) is not None:  # Typer's own: wrong usage
        return _say_error(message(), getattr(error, "exit_code", 2))
    if isinstance(error, ImportError) and not (error.name or "").startswith("theogony"):
        return _say_error(str(error) if "theogony[" in str(error) else extras.advice(error), 1)
    if isinstance(error, OSError) and error.filename is not None:
        return _say_error(f"{error.filename}: {error.strerror}", 1)
    if isinstance(error, MemoryError):
        return _say_error(f"there is not enough memory for that: {error}".removesuffix(": "), 1)
    from theogony.envs.core.draw.svg import RenderError

    if isinstance(error, ValueError | OSError | ImportError | RenderError):
        return _say_error(str(error), 1)
    return _say_error(f"internal error: {type(error).__name__}: {error} (THEOGONY_TRACEBACK=1 shows where)", 1)


def _say_error(message: str, code: int) -> int:
    """One line, unless it is the help text that answers an empty command line."""
    if message.startswith("Usage:"):
        print(message, file=sys.stderr)
    else:
        print(f"theogony: {terminal.one_line(terminal.changed(message))}", file=sys.stderr)
    return code


def _version(wanted: bool) -> None:
    if wanted:
        print(f"theogony {__version__}")
        raise typer.Exit()


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version and end")
    ] = False,
) -> None:
    """Modern board games as reinforcement-learning environments."""


for command in COMMANDS:
    app.command(command.__name__.rstrip("_"))(command)  # `compile_`: Python has a `compile` of its own
for group, (purpose, members) in GROUPS.items():
    inside = typer.Typer(no_args_is_help=True, help=purpose, rich_markup_mode=None)
    for command in members:
        inside.command(command.__name__)(command)
    app.add_typer(inside, name=group)
