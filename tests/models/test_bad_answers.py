"""Endpoints that are down, slow, wrong, dear or nosy: one line each, and games go on or are kept to be gone on with."""

import contextlib
import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scripted import POLICIES, Scripted, cut_off, echo_key, flood, no_protocol, trickle

from theogony.models.ask import Budget, ModelError, OverBudget, Request
from theogony.models.named import Command, Manner, model_named
from theogony.models.results import as_text, games_folder
from theogony.models.run import Measurement, measure, run
from theogony.models.verify import verify

Make = Callable[..., Measurement]
KEY = "sk-very-secret-0123456789"
PASSING = [
    (500, {}, {"error": "overloaded"}),
    (503, {}, b""),
    (429, {"Retry-After": "0"}, {"error": "slow down"}),
    (200, {}, b"<html>It works!</html>"),
    (200, {}, {"choices": []}),
    (200, {}, {"choices": [{"message": {"content": 7}}]}),
    (200, {"Content-Length": "100000"}, b"{"),
    cut_off(200),
    cut_off(503),
    no_protocol,
]


@pytest.mark.parametrize("fault", PASSING)
def test_what_passes_is_asked_again(asked: Make, endpoint: Scripted, fault: Any) -> None:
    endpoint.faults = [fault, fault]
    one = asked(games=2, at_once=1, timeout=2.0)
    assert measure(one)[1] == "" and len(endpoint.seen) == 36 + 2


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ((500, {}, {"error": "overloaded"}), "status 500: failed: .*overloaded.*asked 3 times"),
        ((429, {"Retry-After": "0"}, b""), "status 429: limits how often it is asked; asked 3 times"),
        ((200, {}, b"<html>"), "answered nonsense, expected choices.*'<html>'"),
        ((404, {}, {"error": "no such model"}), "status 404: .*no such model"),
        ((401, {}, b""), "status 401: the key in THEOGONY_MODEL_KEY is not set"),
        ((302, {"Location": "http://127.0.0.1:1/steal"}, b""), "status 302"),
        (trickle, "did not answer within 0.6 s"),
    ],
)
def test_what_does_not_pass_stops_in_one_line_and_goes_on_later(
    asked: Make, endpoint: Scripted, fault: Any, message: str
) -> None:
    endpoint.faults, endpoint.always = [None] * 20, fault
    one = asked(games=4, at_once=1, timeout=0.6 if fault is trickle else 5.0)
    with pytest.raises(ModelError, match=message) as caught:
        run(one)
    assert "\n" not in str(caught.value) and "3 games are left: go on with the same command" in str(caught.value)
    assert not one.out.exists() and endpoint.seen[20]["messages"][-1] == endpoint.seen[-1]["messages"][-1]
    before = len(endpoint.seen)
    endpoint.always = None
    results, why = measure(one)
    assert why == "" and len(endpoint.seen) - before == 72 - 20, "no reply is asked for twice"
    assert results.figures.spent.replies == 72 and "4 games" in verify(one.out)


def test_an_answer_without_end_is_an_invalid_reply(asked: Make, endpoint: Scripted) -> None:
    endpoint.faults = [flood]
    results, why = measure(asked(games=2, at_once=1))
    assert why == "" and results.figures.legal.invalid == 1 and results.figures.legal.random_moves == 0


@pytest.mark.parametrize("settings", [{}, {"brief": True}, {"learn": 2}])
def test_a_conversation_that_is_too_long_is_shortened_and_goes_on(
    asked: Make, endpoint: Scripted, settings: dict[str, Any]
) -> None:
    """It begins anew with the position told whole, which the results say; a run that was stopped meanwhile goes on."""
    endpoint.most = 14_000 if "brief" in settings else 22_000
    one = asked("random", games=2, at_once=1, settings={"memory": "conversation", **settings})
    results, why = measure(one)
    asked_for = [seen["messages"] for seen in endpoint.seen]
    anew = [said for said in asked_for if said[-1]["content"].startswith("What was said before became too long")]
    assert why == "" and anew and all(len(said) == 2 for said in anew)
    assert "Your moves so far: " in anew[0][1]["content"] and "Legal moves:" in anew[0][1]["content"]
    assert results.figures.spent.shortened == len(anew) and f"{len(anew)} times a conversation" in as_text(results)
    assert "brief" in settings or results.figures.legal.first == 1.0  # the script reads no short lists
    assert verify(one.out).endswith("replies played again")
    path = games_folder(one.out) / results.games[0].transcript
    one.out.unlink()
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:15]))
    assert [game.result for game in measure(one)[0].games] == [game.result for game in results.games]


def test_a_position_that_is_too_long_stops_the_run(asked: Make, endpoint: Scripted) -> None:
    endpoint.most = 100
    with pytest.raises(ModelError, match=r"status 400: .*maximum context length.*2 games are left"):
        run(asked(games=2))


def test_who_never_names_a_legal_move_has_no_rating(asked: Make, endpoint: Scripted) -> None:
    """The moves were drawn, so the strength that they show is that of chance."""
    results, why = measure(asked("nonsense", games=2))
    assert why == "" and not results.figures.ratings
    assert "push_of_faith-2p: no rating: no reply named a legal move, so no move was its own" in as_text(results)


def test_a_name_hides_the_address_everywhere(asked: Make, capsys: pytest.CaptureFixture[str]) -> None:
    one = asked(games=2, name="ours")
    run(one)
    files = [one.out, *one.out.parent.glob("*.svg"), *games_folder(one.out).iterdir()]
    assert len(files) >= 4 and not any(b"127.0.0.1" in file.read_bytes() for file in files)
    out = capsys.readouterr()
    assert "127.0.0.1" not in out.out + out.err and "ours (listed)" in out.out and "2 games" in verify(one.out)


def test_parameters_of_requests_are_recorded(asked: Make, endpoint: Scripted) -> None:
    one = asked(games=2)
    one.manner = replace(one.manner, more={"reasoning_effort": "low", "seed": 3})
    results = measure(one)[0]
    assert results.manners.more == {"reasoning_effort": "low", "seed": 3}
    assert all((seen["reasoning_effort"], seen["seed"]) == ("low", 3) for seen in endpoint.seen)


def test_an_endpoint_that_is_down(asked: Make, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"cannot be reached: .*refused; asked 3 times; 2 games are left"):
        run(asked(model="http://127.0.0.1:9/v1#gone", games=2))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("http://127.0.0.1:9/v1", "expected an address with a model"),
        ("https://me:secret@host/v1#x", "an address must hold no key"),
        ("https://host/v1?key=secret#x", "an address must hold no key"),
        ("http://example.org/v1#x", "a key is sent over https only"),
        ("no_such_module:reply", "no_such_module"),
        ("", "no model was named"),
        ("no-such-program --really", "no-such-program: cannot be run: there is no such program; expected http://host"),
        ("strateggy.py", "there is no such program; expected .*a file strategy.py that is there"),
    ],
)
def test_models_that_cannot_be(model: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THEOGONY_MODEL_KEY", KEY)
    with pytest.raises(ModelError, match=message) as caught:
        model_named(model, Manner()).reply(Request([]))
    assert "secret" not in str(caught.value)


# ---------------------------------------------------------------------------------------------------- the key


def test_the_key_is_sent_and_written_nowhere(
    asked: Make, endpoint: Scripted, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Not even where the endpoint repeats it, in an error or in a reply."""
    monkeypatch.setenv("THEOGONY_MODEL_KEY", KEY)
    monkeypatch.setitem(POLICIES, "nosy", lambda messages: f"Your key is {KEY}.\n{POLICIES['first'](messages)}")
    endpoint.faults = [echo_key(500)]
    run(asked("nosy", games=2))
    assert set(endpoint.keys) == {f"Bearer {KEY}"}
    for status, message in ((400, "no such model for Bearer ..."), (403, "THEOGONY_MODEL_KEY was refused")):
        endpoint.always = echo_key(status)
        with pytest.raises(ModelError, match=message) as caught:
            run(asked("nosy", out=tmp_path / f"{status}.json"))
        assert KEY not in str(caught.value)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 5 and not any(KEY.encode() in path.read_bytes() for path in files)
    assert KEY not in "".join(capfd.readouterr())


def test_no_proxy_is_given_what_is_for_this_machine(asked: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "")
    assert measure(asked(games=2))[1] == ""


@pytest.mark.parametrize("key", ["sk-one\nsk-two", "sk-ключ"])
def test_what_is_no_key_is_not_repeated(asked: Make, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THEOGONY_MODEL_KEY", key)
    with pytest.raises(ModelError, match="THEOGONY_MODEL_KEY holds signs that stand in no key") as caught:
        run(asked(games=2))
    assert "sk-" not in str(caught.value)


# ---------------------------------------------------------------------------------------------------- budgets, stops


def test_a_budget_is_kept_and_the_games_too(asked: Make, endpoint: Scripted) -> None:
    whole = measure(asked(games=4))[0].figures.spent
    one = asked(games=4, out=asked().out.with_name("b.json"), max_tokens=(whole.read + whole.written) // 2)
    one.manner = Manner(reply_tokens=20, timeout=5.0)
    said = (
        r"the budget is used up: [\d,]+ of [\d,]+ tokens are spent, and the next request may take [\d,]+, with a reply "
        r"of 20 tokens \(--reply-tokens says how many at most\); \d games are left: "
    )
    with pytest.raises(ModelError, match=f"{said}go on with the same command and a larger budget"):
        run(one)
    asked_for = len(endpoint.seen)
    assert 72 + 20 < asked_for <= 72 + 36 and not one.out.exists()
    with pytest.raises(ModelError, match="the budget is used up"):
        run(one)
    assert len(endpoint.seen) == asked_for, "what former runs spent counts"
    one.max_tokens = None
    results, why = measure(one)
    assert why == "" and len(endpoint.seen) == 144 and results.figures.spent.read == whole.read


def test_dollars(asked: Make) -> None:
    one = asked(games=2, max_cost=0.2, price=(1.0, 5.0))
    results, why = measure(one)
    spent = results.figures.spent
    assert why == "" and spent.cost == pytest.approx((spent.read * 1 + spent.written * 5) / 1e6, abs=1e-5)
    dear = asked(games=2, out=one.out.with_name("d.json"), max_cost=0.2, price=(10.0, 50.0))
    assert re.match(r"the budget is used up: 0\.\d{4} of 0\.2 dollars are spent, ", measure(dear)[1])
    with pytest.raises(ModelError, match="--max-cost needs to know what tokens cost"):
        measure(asked(games=2, max_cost=0.01))


def test_a_request_waits_for_what_others_have_set_aside() -> None:
    """It is not refused while what is set aside, and may come back, is all that is in its way."""
    budget, reserved = Budget(tokens=100, longest=60), []

    def ask(who: int) -> None:
        budget.reserve(who, 10)
        reserved.append(who)

    budget.reserve(1, 10)
    other = threading.Thread(target=ask, args=(2,), daemon=True)
    other.start()
    other.join(0.2)
    assert other.is_alive() and not reserved
    budget.spend(1, 10, 5, 0.0)
    other.join(5)
    assert reserved == [2]
    budget.spend(2, 10, 60, 0.0)
    with pytest.raises(OverBudget, match="85 of 100 tokens are spent, and the next request may take 70"):
        budget.reserve(3, 10)


def test_a_transcript_of_other_settings_is_not_gone_on_with(asked: Make) -> None:
    one = asked(games=2)
    measure(one)
    other = asked(games=2, settings={"moves": "numbered"})
    with pytest.raises(ModelError, match=r"is of another settings; name another file of results with --out"):
        run(other)


def test_an_address_that_was_wrong_is_in_nobodys_way(asked: Make, endpoint: Scripted) -> None:
    """A game without a reply has not begun, so the next attempt may name another model; one with replies may not."""
    with pytest.raises(ModelError, match="cannot be reached"):
        run(asked(model="http://127.0.0.1:9/v1#first", games=2))
    assert measure(asked("first", games=2))[1] == ""
    with pytest.raises(ModelError, match=r"is of another model 'http://127.0.0.1:\d+/v1#first'; name another file"):
        run(asked("random", games=2))


def test_a_line_that_a_kill_cut_off_is_asked_for_again(asked: Make, endpoint: Scripted) -> None:
    one = asked(games=2, at_once=1)
    whole = measure(one)[0]
    path = games_folder(one.out) / whole.games[1].transcript
    one.out.unlink()
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    before = len(endpoint.seen)
    assert [game.result for game in measure(one)[0].games] == [game.result for game in whole.games]
    assert 0 < len(endpoint.seen) - before < 18


# ---------------------------------------------------------------------------------------------------- own models

OWN = """
import re
def reply(text):
    return "Move: " + re.findall("^- (.*)$", text.rpartition("Legal moves:")[2], re.M)[0]
def fails(text):
    return 1 / 0
def number(text):
    return 1
"""
LINES = """
import json, sys
sys.path.insert(0, sys.argv[1])
from own_models import reply
for line in sys.stdin:
    said = reply(json.loads(line)["messages"][-1]["content"])
    print(json.dumps({"content": said}) if len(sys.argv) > 2 else said, flush=True)
"""


@pytest.mark.slow
def test_a_function_and_a_command_play_alike(asked: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_models.py").write_text(OWN)
    (tmp_path / "lines.py").write_text(LINES)
    monkeypatch.syspath_prepend(tmp_path)
    expected = [game.reward for game in measure(asked("first", games=2))[0].games]
    command = f"{sys.executable} {tmp_path}/lines.py {tmp_path}"
    for number, model in enumerate(("own_models:reply", command, f"{command} json")):
        one = asked(model=model, games=2, out=tmp_path / f"{number}.json")
        assert [game.reward for game in measure(one)[0].games] == expected
    for name, message in (("fails", "ZeroDivisionError"), ("number", "returned int; expected a text")):
        with pytest.raises(ModelError, match=message):
            run(asked(model=f"own_models:{name}", out=tmp_path / f"{name}.json"))


def test_a_mistake_in_a_function_is_told_by_its_own_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No line of this package is named; what is no function is refused before a game begins."""
    raising = "from theogony.envs import load\ndef asks(text):\n    load('no_such_game')\nword = 'a'\n"
    (tmp_path / "own_mistakes.py").write_text(raising)
    (tmp_path / "own_broken.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name, message in (
        ("own_mistakes:nothere", "own_mistakes:nothere: module 'own_mistakes' has no attribute 'nothere'"),
        ("own_mistakes:word", "own_mistakes:word: is str; expected a function, text in and text out"),
        ("own_broken:reply", r"own_broken:reply: .*own_broken.py:1: 1 / 0: ZeroDivisionError: division by zero"),
    ):
        with pytest.raises(ModelError, match=f"^{message}$"):
            model_named(name, Manner())
    with pytest.raises(ModelError, match=r"own_mistakes.py:3: load\('no_such_game'\): "):
        model_named("own_mistakes:asks", Manner()).reply(Request([]))


def test_a_command_that_ends_or_hangs(asked: Make, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="ended with 3; expected a line for every line"):
        run(asked(model=f"{sys.executable} -c 'raise SystemExit(3)'"))
    hanging = f"{sys.executable} -c 'import time; time.sleep(60)'"
    with pytest.raises(ModelError, match=r"did not answer within 0.3 s"):
        run(asked(model=hanging, timeout=0.3, out=tmp_path / "h.json"))


def test_a_command_that_does_not_read_hangs_no_longer_than_it_may() -> None:
    """A conversation is longer than what a pipe holds."""
    for much in (10, 1_000_000):
        begun = time.monotonic()
        with pytest.raises(ModelError, match=r"did not answer within 0\.5 s"):
            Command("sleep 30", timeout=0.5).reply(Request([{"role": "user", "content": much * "x"}]))
        assert time.monotonic() - begun < 10
    source = "import sys\nfor line in sys.stdin: print(len(line.strip()), flush=True)"
    answering = Command(f"{sys.executable} -c '{source}'", timeout=30.0)
    for much in (1_000_000, 5, 300_000):
        said = answering.reply(Request([{"role": "user", "content": much * "x"}])).text
        assert int(said) == len(json.dumps({"messages": [{"role": "user", "content": much * "x"}]}))
    answering.close()


def test_a_command_that_does_not_see_the_end_is_ended(
    asked: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that goes on reading when nothing comes any more would stay behind every run."""
    monkeypatch.setattr("theogony.models.named.ENDING", 0.2)
    (tmp_path / "own_models.py").write_text(OWN)
    (tmp_path / "stubborn.py").write_text(f"{LINES}\nwhile True:\n    pass\n")
    one = asked(model=f"{sys.executable} {tmp_path}/stubborn.py {tmp_path}", games=2)
    found: list[int] = []
    watch = threading.Thread(target=lambda: found.extend(_seen_running(f"{tmp_path}/stubborn.py")))
    watch.start()
    measure(one)
    watch.join()
    end = time.monotonic() + 10
    while any(map(_lives, found)) and time.monotonic() < end:
        time.sleep(0.01)
    assert found and not any(map(_lives, found))


def _seen_running(word: str) -> list[int]:
    """The processes with this word in their command, once there are some."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = []
        for place in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if word.encode() in place.read_bytes().split(b"\0"):
                    found.append(int(place.parent.name))
        if found:
            return found
        time.sleep(0.01)
    return []


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
