"""What the tests of the fence share: each runs with every mechanism that the machine offers."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from theogony.fence import room
from theogony.models.ask import Request, View
from theogony.models.named import Command, Program

VIEW = View(game="push_of_faith", seat=0, text="", legal=["push N to a", "push N to b"], observation=[0.0])
ASKED = Request([{"role": "user", "content": "x"}], VIEW)


@pytest.fixture(params=list(room.LINES))
def how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What draws the fence."""
    if why := room.lacking(request.param):
        pytest.skip(f"{request.param} cannot draw the fence here: {why}")
    monkeypatch.setenv(room.VARIABLE, request.param)
    return request.param


@pytest.fixture
def done_by_program(tmp_path: Path, how: str) -> Callable[..., Any]:
    """What the function `deed()` in a source gives in a program with act(view)."""

    def run(source: str, seconds: float = 20.0) -> Any:
        file = tmp_path / "program.py"
        file.write_text(f"import json\n{source}\ndef act(view):\n    return json.dumps(deed())\n")
        program = Program(file, seconds, 1 << 28)
        try:
            said = program.reply(ASKED).text
        finally:
            program.close()
        assert said.startswith("Move: "), said
        return json.loads(said.removeprefix("Move: "))

    return run


@pytest.fixture
def done_by_command(tmp_path: Path, how: str) -> Callable[..., Any]:
    """The same in a command, `python FILE WORD...`."""

    def run(source: str, *words: str) -> Any:
        file = tmp_path / "command.py"
        file.write_text(f"import json, sys\n{source}\nsys.stdin.readline()\nprint(json.dumps(deed()), flush=True)\n")
        command = Command(" ".join([sys.executable, str(file), *words]), 60.0)
        try:
            return json.loads(command.reply(ASKED).text)
        finally:
            command.close()

    return run
