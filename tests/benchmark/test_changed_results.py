"""No results file that was changed passes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toy_tasks import DEALS, TASKS

from theogony.benchmark.results import Anchors
from theogony.benchmark.tasks import BenchmarkError
from theogony.benchmark.verify import verify


def _change_reward(data: dict[str, Any]) -> None:
    data["figures"][0]["reward"] += 0.1


def _change_games(data: dict[str, Any]) -> None:
    data["games"][0]["results"] = "W" * DEALS


def _drop_deal(data: dict[str, Any]) -> None:
    data["games"][0]["results"] = data["games"][0]["results"][1:]


def _change_interval(data: dict[str, Any]) -> None:
    data["overall"]["low"] -= 0.2


def _change_record(data: dict[str, Any]) -> None:
    _change_actions(data, lambda actions: [actions[0], "99", *actions[2:]])


def _cut_record(data: dict[str, Any]) -> None:
    _change_actions(data, lambda actions: actions[:-1])


def _lengthen_record(data: dict[str, Any]) -> None:
    _change_actions(data, lambda actions: [*actions, "0"])


def _change_hash(data: dict[str, Any]) -> None:
    data["records"][1]["moves"]["hash"] = "0" * 16


def _write_words(data: dict[str, Any]) -> None:
    data["records"][1]["moves"]["actions"] = "1 two"


def _change_actions(data: dict[str, Any], change: Callable[[list[str]], list[str]]) -> None:
    moves = data["records"][1]["moves"]
    moves["actions"] = " ".join(change(moves["actions"].split()))


def _swap_records(data: dict[str, Any]) -> None:
    data["records"][0]["moves"] = data["records"][1]["moves"]


def _drop_record(data: dict[str, Any]) -> None:
    del data["records"][0]


def _change_task(data: dict[str, Any]) -> None:
    data["tasks"][0]["id"] = "tictactoe-2p-v2"


def _count_twice(data: dict[str, Any]) -> None:
    for name in ("tasks", "games", "records", "figures", "scores"):
        data[name] *= 2


def _change_suite(data: dict[str, Any]) -> None:
    data["suite"] = "quick"


def _change_components(data: dict[str, Any]) -> None:
    data["tasks"][0]["components"] = "0" * 16


def _change_agent(data: dict[str, Any]) -> None:
    data["agent"]["sha256"]["tictactoe-2p-v1"] = "0" * 64


def _change_format(data: dict[str, Any]) -> None:
    data["format"] = "theogony-benchmark-9"


def _add_key(data: dict[str, Any]) -> None:
    data["bonus"] = 1


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (_change_reward, r"figures \(tictactoe-2p-v1, random\): reward is"),
        (_change_games, "cannot end in 'W'|wins is"),
        (_drop_deal, r"in seat 0: 5 deals were played, 6 were expected"),
        (_change_interval, "overall: low is"),
        (_change_record, r"record of tictactoe-2p-v1 against random, deal 1: decision 2: .*99"),
        (_cut_record, r"record of tictactoe-2p-v1 against random, deal 1: state hash is"),
        (_lengthen_record, r"record of tictactoe-2p-v1 against random, deal 1: decision \d+: "),
        (_change_hash, r"record of tictactoe-2p-v1 against random, deal 1: state hash is '0000"),
        (_write_words, r"records\.1\.moves\.actions|actions"),
        (_swap_records, "record of tictactoe-2p-v1 against random, deal 0: seed is"),
        (_drop_record, "records: that of .*is missing"),
        (_change_task, "no task tictactoe-2p-v2; this version has tictactoe-2p-v1"),
        (_count_twice, "task tictactoe-2p-v1 is there twice"),
        (_change_suite, "there is no suite or task 'quick'; suites are toys"),
        (_change_components, "task tictactoe-2p-v1: components is '0000"),
        (_change_agent, "agent: own_players:First has SHA-256 .* now, 0000000000000000... was measured"),
        (_change_format, "is no results file"),
        (_add_key, "bonus"),
    ],
)
def test_a_changed_file_is_refused(
    tmp_path: Path,
    first: Path,
    anchors: Anchors,
    change: Callable[[dict[str, Any]], None],
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("THEOGONY_ALLOW_MODULES", "1")  # or the agent's own source is not looked at
    data = json.loads(first.read_text())
    change(data)
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(data))
    with pytest.raises(BenchmarkError, match=expected) as error:
        verify(changed, TASKS, anchors)
    assert str(error.value).startswith(f"{changed}: ") and "\n" not in str(error.value)
