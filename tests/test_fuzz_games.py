"""Readers of the games given damaged data. THEOGONY_FUZZ=50 tries more; `make soak` does.

Rules are interpreted in processes of their own, where every index is checked.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from changes import damaged
from hypothesis import given, settings
from hypothesis import strategies as st

from theogony.envs import GAMES, load
from theogony.envs.terra_mystica.ledger.commands import LedgerError
from theogony.envs.terra_mystica.ledger.ledger import read_ledger

BUDGET = int(os.environ.get("THEOGONY_FUZZ", "1"))
DAMAGE = Path(__file__).parent / "soak" / "damage.py"
FILES = {"recordings": 2 * BUDGET, "ledgers": BUDGET, "positions": 4 * BUDGET}
few = settings(deadline=None, max_examples=60 * BUDGET)
words = st.sampled_from(
    "option player faction witches Mermaids chaosmagicians action ACT1 upgrade E5 to TE build F3 convert 1PW 2C burn "
    "+FAV5 +TW1 connect r5 pass BON1 Leech 3 from send p to WATER advance ship dig 2 transform . ; : , | - 99999 "
    "+4".split()
)
written = st.lists(st.lists(words | st.text(max_size=6), max_size=8).map(" ".join), max_size=12).map("\n".join)


@few
@given(text=written | st.text())
def test_ledgers_of_any_text(text: str) -> None:
    """A ledger is read, or refused in one line."""
    try:
        read_ledger(text)
    except LedgerError as error:
        assert str(error).strip()


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILES)
def test_damaged_files(kind: str, tmp_path: Path) -> None:
    """Each is read or refused by its reader's own error, within twenty seconds of a processor."""
    done = subprocess.run(
        [sys.executable, str(DAMAGE), kind, str(tmp_path), "1", "0", str(FILES[kind])],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    outcomes = [line for line in done.stdout.splitlines() if not line.startswith("begin")]
    assert len(outcomes) == FILES[kind], done.stdout + done.stderr
    assert [line for line in outcomes if not line.startswith(("read", "refused"))] == []


@few
@given(seed=st.integers(0, 2**32), name=st.sampled_from([n for n in GAMES if load(n).check_components]))
def test_damage_changes_files_and_keeps_its_seed(seed: int, name: str) -> None:
    """The same seed does the same damage, so that a number in a report is enough to see it again."""
    content = name.encode() * 9 + b'{"a": 12, "b": [3, 4]}\n{}\n'
    assert damaged(content, random.Random(seed)) == damaged(content, random.Random(seed))
