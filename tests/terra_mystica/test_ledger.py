"""Ledgers: read, played, written, and turned into data."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.commands import LedgerError, read_command
from theogony.envs.terra_mystica.dataset import build_dataset, dataset
from theogony.envs.terra_mystica.game import SPEC
from theogony.envs.terra_mystica.ledger import play_ledger, read_ledger, write_ledger
from theogony.envs.terra_mystica.snapshot import snapshot

DATA = Path(__file__).parent / "data"
HEAD = """option errata-cultist-power
score SCORE3,SCORE1,SCORE2,SCORE5,SCORE7,SCORE8   # rounds 1 to 6
delete BON1
delete BON2
delete BON3
delete BON4
setup giants
setup witches
giants: build A9
witches: BUILD A10
witches: build E9
giants: build D6
witches: pass BON5
giants: pass BON9
"""  # 14 lines; giants and witches sit side by side at A9 and A10


def text_with(*rows: str) -> str:
    return HEAD + "\n".join(rows) + "\n"


def test_a_full_action_declines_open_offers() -> None:
    rows = ["giants: upgrade A9 to TP", "witches: upgrade A10 to TP", "giants: pass BON6"]
    played = play_ledger(read_ledger(text_with(*rows)))
    assert played.offers == [] and played.position.g.bowls[1].tolist() == [2, 10, 0]


def test_an_answer_may_come_late() -> None:
    rows = ["giants: upgrade A9 to TP", "witches: convert 1W to 1C", "witches: leech 1 from giants"]
    assert play_ledger(read_ledger(text_with(*rows))).position.g.bowls[1].tolist() == [1, 11, 0]
    rows = ["giants: upgrade A9 to TP", "witches: leech 1 from giants", "witches: Send p to air for 1"]
    with pytest.raises(LedgerError, match="line 17: witches: Send p to air for 1"):
        play_ledger(read_ledger(text_with(*rows)))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("giants: upgrade A9 to SH", "line 15: giants: upgrade A9 to SH: action"),
        ("giants: fly", "line 15: fly: is not a command"),
        ("giants: build Z9", "line 15: build Z9: is not a command"),
        ("giants: build I13", "line 15: giants: build I13: there is no space I13"),
        ("witches: pass BON6", "line 15: witches: pass BON6: it is not this faction's turn"),
        ("witches: leech 2 from giants", "line 15: witches: leech 2 from giants: there is no such power offer"),
        ("nomads: pass BON6", "a row begins with one of the factions"),
        ("giants: convert 3C to 1VP", "line 15: giants: convert 3C to 1VP: the rate is 2C to 1VP"),
    ],
)
def test_bad_rows_are_reported(row: str, reason: str) -> None:
    with pytest.raises(LedgerError) as error:
        play_ledger(read_ledger(text_with(row)))
    assert reason in str(error.value)


def test_spellings() -> None:
    assert read_command("Convert pw to c").give == "PW"
    assert read_command("+2tw3").words == {"number": 2, "tile": "TW3"}
    assert read_command("advance digging").what == "dig"
    assert read_command("Transform f5 to forest").colour == "green"


@pytest.mark.parametrize("options", SPEC.option_sets)
def test_written_games_read_back(options: dict) -> None:
    position = Position(SPEC.configure({"players": 3} | options), 5)
    rng = np.random.default_rng(5)
    while not position.over:
        position.play(int(rng.choice(position.legal_actions())))
    text = write_ledger(position)
    again = play_ledger(read_ledger(text)).position
    assert snapshot(position.game, position.g) == snapshot(again.game, again.g)


def test_real_games_are_data(tmp_path: Path) -> None:
    data = build_dataset([DATA / "base5p_0.jsonl.gz"], "rank")
    count = len(data["actions"])
    assert data["observations"].shape[0] == data["masks"].shape[0] == count > 400
    assert data["masks"][np.arange(count), data["actions"]].all()
    assert data["scores"][0].tolist() == [127, 158, 137, 102, 107]
    assert (data["returns"][data["seats"] == 1] == 1.0).all()
    assert dataset([DATA / "base5p_0.jsonl.gz"], tmp_path / "games.npz") == {"games": 1, "decisions": count}
    with np.load(tmp_path / "games.npz") as read:
        assert set(read.files) == set(data)


def test_command_that_makes_data(tmp_path: Path) -> None:
    command = [Path(sys.executable).with_name("theogony"), "dataset", "terra_mystica"]
    game, out = DATA / "base5p_0.jsonl.gz", tmp_path / "games.npz"
    done = subprocess.run([*command, game, "--out", out], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "decisions of 1 games" in done.stdout, done.stderr
    with np.load(out) as data:
        assert (data["masks"][np.arange(len(data["actions"])), data["actions"]] == 1).all()
    out.unlink()
    bad = tmp_path / "bad.txt"
    bad.write_text(text_with("giants: fly"))
    done = subprocess.run([*command, bad, "--out", out], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "bad.txt: line 15: fly: is not a command" in done.stderr
    assert not out.exists()
