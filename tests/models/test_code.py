"""Programs with `act(view)`: what they answer, and that their results verify. What they may not is in `tests/fence`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from theogony.models.ask import ModelError, Request, View
from theogony.models.named import Program
from theogony.models.run import Measurement, measure, run
from theogony.models.verify import verify

Make = Callable[..., Measurement]
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


def test_time_and_memory_end(tmp_path: Path) -> None:
    assert answer(tmp_path, "def act(view):\n    while True: pass", 0.5) == "(no answer within 0.5 s)"
    assert "MemoryError" in answer(tmp_path, "def act(view):\n    return len(bytearray(1 << 29))")


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
