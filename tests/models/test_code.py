"""Programs with `act(view)`: what they may, what they may not, and that their results verify."""

import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from theogony.models.ask.said import Asked as Request
from theogony.models.ask.said import ModelError, View
from theogony.models.code.program import Program, without_network
from theogony.models.measure import Asked, measure, run
from theogony.models.results.verify import verify

Make = Callable[..., Asked]
VIEW = View(game="push_of_faith", seat=0, text="", legal=["push N to a", "push N to b"], observation=[0.0])


def answer(tmp_path: Path, source: str, seconds: float = 5.0) -> str:
    """What a program says of one view."""
    file = tmp_path / "program.py"
    file.write_text(source)
    program = Program(file, seconds, 1 << 28)
    try:
        return program.reply(Request([], VIEW)).text
    finally:
        program.close()


@pytest.mark.slow
def test_a_program_is_measured_and_verified(asked: Make, tmp_path: Path) -> None:
    (tmp_path / "last.py").write_text("def act(view):\n    print('noise')\n    return view['legal'][-1]\n")
    one = asked(model=str(tmp_path / "last.py"), games=4)
    results, why = measure(one)
    assert why == "" and results.kind == "program" and results.sha256 == Program(tmp_path / "last.py").sha256
    assert results.figures.legal.first == 1 and not any(game.forfeited for game in results.games)
    assert "program, 4 games and 72 replies played again" in verify(one.out)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("act = lambda view: 1", "Move: push N to b"),
        ("import numpy as np\ndef act(view): return np.int64(np.argmax(view['observation']))", "Move: push N to a"),
        ("import numpy as np\nact = lambda view: np.random.default_rng(1).choice(view['legal'])", "Move: push N to"),
        (
            "import random, math, heapq, itertools\nact = lambda view: random.choice(view['legal'])",
            "Move: push",
        ),
        ("act = lambda view: 2", "(ValueError: act returned 2; there are 2 legal moves)"),
        ("def act(view):\n    return 1 / 0", "(program.py:2: ZeroDivisionError: division by zero)"),
        ("def act(view):\n    raise SystemExit", "(program.py:2: SystemExit"),
    ],
)
def test_what_act_returns(tmp_path: Path, source: str, expected: str) -> None:
    assert answer(tmp_path, source).startswith(expected)


@pytest.mark.parametrize(
    "deed",
    [
        "import socket; socket.create_connection(('127.0.0.1', 80), 1)",
        "import socket; socket.socket()",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1/')",
        "import os; os.system('true')",
        "import subprocess; subprocess.run(['true'])",
        "import os; os.fork()",
        "open('/etc/passwd').read()",
        "open(SECRET).read()",
        "open('there', 'w')",
        "import os; os.listdir('..')",
        "import os; os.kill(os.getppid(), 9)",
        "import os; os.chdir('/')",
        "import os; os.utime(SECRET)",
        "import os; os.mkfifo('there')",
        "import os; os.mknod('there')",
        "import os; os.chroot('/')",
        "import os; os.setuid(0)",
        "import os; os.pidfd_open(os.getppid())",
        "import sys; sys.modules.pop('posix'); import posix; posix.mknod('there')",
        "import ctypes",
        "import theogony",
        "import sys; sys.modules.pop('ctypes'); import ctypes",
    ],
)
def test_what_a_program_may_not(tmp_path: Path, deed: str) -> None:
    secret = tmp_path / "results.games.jsonl"
    secret.write_text("the other hand")
    deed = deed.replace("SECRET", repr(str(secret)))
    said = answer(tmp_path, f"def act(view):\n    {deed}\n    return 0")
    assert said.startswith("(program.py:2: ") and (
        any(word in said for word in ("not for programs", "ImportError", "ModuleNotFoundError", "has no attribute"))
    )


def test_it_has_no_network_where_the_system_can_take_it_away() -> None:
    if not without_network():
        pytest.skip("this system lets nobody unshare a network: only the hook is in the way")
    import subprocess
    import sys

    look = "import socket; print([name for _, name in socket.if_nameindex()])"
    done = subprocess.run([*without_network(), sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['lo']"


def test_time_and_memory_end(tmp_path: Path) -> None:
    assert answer(tmp_path, "def act(view):\n    while True: pass", 0.5) == "(no answer within 0.5 s)"
    assert "MemoryError" in answer(tmp_path, "def act(view):\n    return len(bytearray(1 << 29))")


def test_a_program_ends_when_nobody_waits_for_it(tmp_path: Path) -> None:
    """The process that asked was killed: a loop without end must not stay behind."""
    (tmp_path / "loop.py").write_text("def act(view):\n    while True: pass")
    program = Program(tmp_path / "loop.py", 0.3, 1 << 28)
    program._start()
    process = program._process
    assert process is not None and process.stdin is not None
    process.stdin.write(json.dumps(VIEW).encode() + b"\n")
    assert process.wait(20) == -signal.SIGALRM
    program.close()


@pytest.mark.slow
def test_nothing_goes_from_game_to_game(asked: Make, tmp_path: Path) -> None:
    """What a program learns of a deal in one seat it must not know in the other."""
    source = "seen = set()\ndef act(view):\n    seen.add(view['seat'])\n    return 0 if len(seen) == 1 else 99\n"
    (tmp_path / "spy.py").write_text(source)
    results = measure(asked(model=str(tmp_path / "spy.py"), games=6, at_once=1))[0]
    assert not any(game.forfeited for game in results.games)


@pytest.mark.slow
def test_a_program_that_fails_has_lost_and_one_that_cannot_be_loaded_is_named(asked: Make, tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text("n = []\ndef act(view):\n    n.append(1)\n    return 99 if len(n) > 5 else 0\n")
    one = asked(model=str(tmp_path / "late.py"), games=2)
    results = measure(one)[0]
    assert [(game.result, game.forfeited, game.decisions) for game in results.games] == [("L", True, 5)] * 2
    assert "2 games and 12 replies" in verify(one.out)
    for source, message in (("x = 1", "has no act"), ("def act(view:", "SyntaxError"), ("1 / 0", "ZeroDivisionError")):
        (tmp_path / "bad.py").write_text(source)
        with pytest.raises(ModelError, match=message):
            run(asked(model=str(tmp_path / "bad.py"), out=tmp_path / "bad.json"))
