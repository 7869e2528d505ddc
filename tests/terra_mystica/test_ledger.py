"""Ledgers: read, played, written, and turned into data."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ledgers import text_with
from own_games import game_of_five, ledger_of, recording_of, rows_of, write_lines

from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.game import SPEC
from theogony.envs.terra_mystica.ledger.commands import LedgerError, read_command
from theogony.envs.terra_mystica.ledger.ledger import (
    load_ledger,
    play_ledger,
    read_ledger,
    write_ledger,
    written_rows,
)  # fmt: skip
from theogony.envs.terra_mystica.snapshot import snapshot
from theogony.verification.terra_mystica import build_dataset, dataset


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
        ("giants: build Z9", "line 15: build Z9: expected `build H`"),
        ("giants: build I13", "line 15: giants: build I13: there is no space I13"),
        ("witches: pass BON6", "line 15: witches: pass BON6: it is not this faction's turn but that of giants"),
        ("witches: leech 2 from giants", "line 15: witches: leech 2 from giants: there is no such power offer"),
        ("nomads: pass BON6", "a row begins with one of the factions"),
        ("giants: convert 4PW to 1W", "line 15: giants: convert 4PW to 1W: the rate is 3PW to 1W"),
    ],
)
def test_bad_rows_are_reported(row: str, reason: str) -> None:
    with pytest.raises(LedgerError) as error:
        play_ledger(read_ledger(text_with(row)))
    assert reason in str(error.value)


def test_spellings() -> None:
    assert read_command("Convert pw to c").give == "PW"
    assert read_command("+2tw3").words == {"number": 2, "tile": "TW3"}
    assert read_command("advance digging").track == "dig"
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


def test_what_the_rules_decide_is_written_as_what_is_chosen(table: Callable) -> None:
    """Other programs ask for the only colour of a space (R18), and for spades that no space takes (R12)."""
    made = table("witches", "mermaids").put(0, A3="D").has(0, workers=3, coins=9, bowls=(12, 0, 0)).turn(0)
    made.play("transform A4 partly")
    assert list(written_rows(made.position)) == [("witches", ["dig 1", "transform A4 to black"], 3)]
    made = table("giants", "mermaids", scoring=(1, 2, 3, 4, 5, 6)).put(0, F4="D").has(0, cult=(0, 0, 4, 0))
    made.has(1, passed=1, cult=(0, 0, 0, 0)).turn(0)
    made.g.next_order[0], made.g.passed_count = 1, 1
    made.play("pass BON9")
    assert list(written_rows(made.position)) == [("giants", ["pass BON9"], 3), ("giants", ["-1SPADE"], 3)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["game.txt", "game.jsonl.gz"])
def test_games_are_data(name: str, tmp_path: Path) -> None:
    """A ledger, and a recorded game that states its positions."""
    position, path = game_of_five(), tmp_path / name
    if name.endswith(".txt"):
        path.write_text(write_ledger(position))
    else:
        write_lines(recording_of(position, rows_of(position)), path)
    data = build_dataset([path], "rank")
    count = len(data["actions"])
    assert data["observations"].shape[0] == data["masks"].shape[0] == count > 300
    assert data["masks"][np.arange(count), data["actions"]].all()
    assert data["scores"][0].tolist() == position.scores().tolist()
    assert (data["returns"][data["seats"] == np.argmax(position.scores())] == 1.0).all()
    assert dataset([path], tmp_path / "games.npz") == {"games": 1, "decisions": count}
    with np.load(tmp_path / "games.npz") as read:
        assert set(read.files) == set(data)


@pytest.mark.slow
def test_command_that_makes_data(tmp_path: Path) -> None:
    command = [Path(sys.executable).with_name("theogony"), "dataset", "terra_mystica"]
    game, out = tmp_path / "game.txt", tmp_path / "games.npz"
    game.write_text(write_ledger(game_of_five()))
    done = subprocess.run([*command, game, "--out", out], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "decisions of 1 games" in done.stdout, done.stderr
    with np.load(out) as data:
        assert (data["masks"][np.arange(len(data["actions"])), data["actions"]] == 1).all()
    out.unlink()
    bad = tmp_path / "bad.txt"
    bad.write_text(text_with("giants: fly"))
    done = subprocess.run([*command, bad, "--out", out], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "bad.txt: line 15: fly: 'fly' is not a command" in done.stderr
    assert not out.exists()


# ---------------------------------------------------------------------------------------------------- a whole game


def whole_game() -> list[tuple[str, list[str]]]:
    """The rows of a game of five."""
    return [(faction, commands) for faction, commands, _ in rows_of(game_of_five())]


def answers_last(rows: list[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
    """Every answer to a power offer as late as it may come: with the faction's next row, or when somebody passed."""
    out: list[tuple[str, list[str]]] = []
    waiting: dict[str, list[str]] = {}
    passed = False
    for faction, commands in rows:
        answer = all(command.lower().startswith(("leech", "decline")) for command in commands)
        if answer and not passed:
            waiting.setdefault(faction, []).extend(commands)
            continue
        out.append((faction, waiting.pop(faction, []) + commands))
        passed = any(command.lower().startswith("pass") for command in commands) or (passed and answer)
        if passed:
            out += waiting.items()
            waiting = {}
    return out


def split(rows: list[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
    """Every command on a line of its own."""
    return [(faction, [command]) for faction, commands in rows for command in commands]


def dressed(rows: list[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
    """Capitals, spaces, comments, old words, what the engine adds by itself, and answers without their source."""
    out = []
    for k, (faction, commands) in enumerate(rows):
        words = [command.upper().replace(" TO ", "  to ").replace("1PW", "1 Power") for command in commands]
        words = ["+" + w.split()[1] if w.startswith("PASS BON") and k < 15 else w for w in words]
        out.append((faction.upper(), [*words, "wait"] if k % 3 and k > 14 else words))
        if k % 50 == 20:
            out += [("", ["start"]), (faction, ["other_income_for_faction"]), (faction, ["[opponent accepted power]"])]
    return out


@pytest.mark.parametrize("change", [answers_last, split, dressed])
def test_a_game_written_in_another_way_ends_the_same(change: Callable) -> None:
    text = ledger_of(game_of_five(), [])
    for faction, commands in change(whole_game()):
        text += f"{faction}: {'. '.join(commands)}  # {len(commands)}\n" if faction else "\n".join(commands) + "\n"
    played = play_ledger(read_ledger(text))
    assert played.position.over and played.position.scores().tolist() == game_of_five().scores().tolist()


# ---------------------------------------------------------------------------------------------------- strangers' data


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff\xfe\x00setup", "byte 0 is not text in UTF-8"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "byte 0 is not text in UTF-8"),
        (b"setup giants\n\x00\x01\x02", "line 2"),
        (b"\x1b[31msetup giants", "line 1: \\x1b[31msetup giants"),
        (b"setup giants\ngiants: \x1b]0;title\x07", "is not a command"),
        (b"setup giants\ngiants: burn " + b"9" * 5000, "expected `burn n`"),
        (b"x" * (1 << 20) + b"y", "is no ledger: larger than 1048576 bytes"),
        (b"", "terra_mystica is for 2, 3, 4 or 5 players, not 0"),
        ("setup giants\ngiants: burn \u0663".encode(), "expected `burn n`"),
    ],
)
def test_a_file_that_is_no_ledger_gets_one_line(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(content)
    with pytest.raises(LedgerError) as error:
        play_ledger(load_ledger(path))
    assert reason in str(error.value)
    assert str(error.value).isprintable() and len(str(error.value)) < 1000


def test_damaged_ledgers_raise_nothing_else() -> None:
    """A game with commands that are left out, doubled, swapped and mutilated: a LedgerError, or it is played."""
    head, rows = ledger_of(game_of_five(), []), whole_game()
    rng = np.random.default_rng(3)
    for _ in range(12):
        lines = [f"{faction}: {'. '.join(commands)}" for faction, commands in rows[:60]]
        for _ in range(3):
            k = int(rng.integers(len(lines)))
            other = lines[int(rng.integers(len(lines)))]
            lines[k] = [lines[k][:-2], lines[k] + "." + other.split(":")[1], other, ""][int(rng.integers(4))]
        try:
            play_ledger(read_ledger(head + "\n".join(lines)))
        except LedgerError as error:
            assert str(error).isprintable()
