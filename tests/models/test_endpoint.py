"""What an endpoint is not believed, and what is shown of its answers."""

import time
from email.utils import formatdate
from typing import Any

import pytest
from scripted import Scripted

from theogony.models.ask import ModelError, Overflow, Request
from theogony.models.endpoint import Endpoint
from theogony.models.named import Manner, model_named


def test_no_part_of_the_key_is_shown(endpoint: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an excerpt ends within it, where it is written as JSON does, and in the reason of a status."""
    key = "sk/" + "very-secret" * 4
    monkeypatch.setenv("THEOGONY_MODEL_KEY", key)
    model = model_named(endpoint.address("first"), Manner(timeout=2.0, retries=0))
    answers: list[Any] = [
        (status, {}, b"x" * n + key.encode() + b"y") for n in (170, 195) for status in (200, 400, 500)
    ]
    answers += [(400, {}, b" " * n + key.encode() * 2) for n in (4080, 4095, 4096 - len(key) - 7)]
    answers += [(status, {}, f'{{"error": "{form}"}}'.encode())
                for status in (200, 400) for form in (key.replace("/", "\\/"), key)]  # fmt: skip
    answers += [lambda handler, status=status: _with_reason(handler, status, f"No {key}") for status in (400, 500)]
    for answer in answers:
        endpoint.faults = [answer]
        with pytest.raises(ModelError) as caught:
            model.reply(Request([]))
        assert "very" not in str(caught.value) and "secret" not in str(caught.value)
    assert "No ..." in said_of(model, endpoint, lambda handler: _with_reason(handler, 400, f"No {key}\x1b[31m"))


def said_of(model: Any, endpoint: Scripted, fault: Any) -> str:
    """The error for an answer."""
    endpoint.faults = [fault]
    with pytest.raises(ModelError) as caught:
        model.reply(Request([]))
    assert "\x1b" not in str(caught.value)
    return str(caught.value)


def _with_reason(handler: Any, status: int, reason: str) -> None:
    handler.wfile.write(f"HTTP/1.0 {status} {reason}\r\nContent-Length: 0\r\n\r\n".encode())
    handler.close_connection = True


USAGES = [
    ({"prompt_tokens": True, "completion_tokens": True}, (6, 2, False, None)),
    ({"prompt_tokens": 10**50, "completion_tokens": 5}, (6, 2, False, None)),
    ({"prompt_tokens": 50, "completion_tokens": -5}, (6, 2, False, None)),
    ({"prompt_tokens": 50, "completion_tokens": 5.5}, (6, 2, False, None)),
    ({"prompt_tokens": 50, "completion_tokens": 5, "cost": True}, (50, 5, True, None)),
    ({"prompt_tokens": 50, "completion_tokens": 5, "cost": 1e308}, (50, 5, True, None)),
    ({"prompt_tokens": 50, "completion_tokens": 5, "cost": 10**30}, (50, 5, True, None)),
    ({"prompt_tokens": 50, "completion_tokens": 5, "cost": "0.1"}, (50, 5, True, None)),
    ({"prompt_tokens": 50, "completion_tokens": 5, "cost": 0.25}, (50, 5, True, 0.25)),
    ({"cost": 1}, (6, 2, False, 1.0)),
    ([50, 5], (6, 2, False, None)),
]


@pytest.mark.parametrize(("usage", "expected"), USAGES)
def test_numbers_that_cannot_be_are_estimated(endpoint: Scripted, usage: Any, expected: tuple) -> None:
    """As if the endpoint told none."""
    endpoint.faults = [(200, {}, {"choices": [{"message": {"content": "Move: a"}}], "usage": usage})]
    model = model_named(endpoint.address("first"), Manner(timeout=2.0, retries=0))
    said = model.reply(Request([{"role": "user", "content": "x" * 24}]))
    assert (said.read, said.written, said.counted, said.cost) == expected


def test_nothing_of_the_environment_is_sent(endpoint: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library would take keys of its own from there, and an endpoint is anybody's."""
    heads: list[dict[str, str]] = []

    def keep(handler: Any) -> None:
        heads.append(dict(handler.headers))
        handler.answer(200, {}, {"choices": [{"message": {"content": "Move: a"}}]})

    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID"):
        monkeypatch.setenv(f"OPENAI_{name}", "secret")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-More: secret\nAuthorization: Bearer secret")
    endpoint.always = keep
    for key in ("", "own"):
        monkeypatch.setenv("THEOGONY_MODEL_KEY", key)
        model_named(endpoint.address("first"), Manner(timeout=2.0, retries=0)).reply(Request([]))
    assert "secret" not in str(heads) and [head.get("authorization") for head in heads] == [None, "Bearer own"]


@pytest.mark.parametrize(("told", "waited"), [("90", 90.0), ("1.5", 1.5), ("99999", 900.0), ("soon", None), ("", None)])
def test_a_retry_comes_when_the_endpoint_asks_for_it(endpoint: Scripted, told: str, waited: float | None) -> None:
    endpoint.faults = [(429, {"Retry-After": told}, b"")]
    slept: list[float] = []
    Endpoint(endpoint.address("nonsense"), timeout=2.0, sleep=slept.append).reply(Request([]))
    assert slept == [pytest.approx(waited if waited is not None else slept[0])] and (waited or slept[0] < 1)


def test_a_retry_comes_at_the_date_that_the_endpoint_names(endpoint: Scripted) -> None:
    endpoint.faults = [(503, {"Retry-After": formatdate(time.time() + 100, usegmt=True)}, b"")]
    slept: list[float] = []
    Endpoint(endpoint.address("nonsense"), timeout=2.0, sleep=slept.append).reply(Request([]))
    assert slept == [pytest.approx(100, abs=5)]


def test_retries_outlast_the_quota_of_a_minute(endpoint: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the usual number of retries, however chance shortens the pauses."""
    monkeypatch.setattr("theogony.models.endpoint.FIRST", 2.0)
    monkeypatch.setattr("random.uniform", lambda low, high: low)
    endpoint.always = (429, {}, b"")
    slept: list[float] = []
    with pytest.raises(ModelError, match="asked 7 times"):
        Endpoint(endpoint.address("first"), timeout=2.0, sleep=slept.append).reply(Request([]))
    assert sum(slept) > 60 and max(slept) <= 60


def test_a_conversation_that_is_too_long_is_told_from_other_refusals(endpoint: Scripted) -> None:
    long = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens."
    for status, body in ((400, long), (400, "context_length_exceeded"), (413, ""), (400, "the prompt is too long")):
        endpoint.faults = [(status, {}, {"error": {"message": body}})]
        with pytest.raises(Overflow, match=f"status {status}"):
            Endpoint(endpoint.address("first"), timeout=2.0, retries=0).reply(Request([]))
    endpoint.faults = [(400, {}, {"error": {"message": "unknown parameter"}})]
    with pytest.raises(ModelError) as caught:
        Endpoint(endpoint.address("first"), timeout=2.0, retries=0).reply(Request([]))
    assert not isinstance(caught.value, Overflow)


def test_parameters_are_sent_as_they_are_set(endpoint: Scripted) -> None:
    more = {"reasoning_effort": "high", "seed": 7, "top_p": 0.5, "chat_template_kwargs": {"enable_thinking": False}}
    model_named(endpoint.address("nonsense"), Manner(timeout=2.0, more=more)).reply(Request([]))
    assert {name: endpoint.seen[0].get(name) for name in more} == more
    for name in ("model", "messages", "stream", "api_key", "Authorization"):
        with pytest.raises(ModelError, match=f"--set {name}: is not to be set"):
            model_named(endpoint.address("nonsense"), Manner(more={name: "x"}))


def test_what_was_thought_is_told_apart(endpoint: Scripted) -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 50, "completion_tokens_details": {"reasoning_tokens": 40}}
    message = {"content": [{"type": "text", "text": "Move: a"}], "reasoning_content": "b?"}
    choice = {"message": message, "finish_reason": "length"}
    endpoint.faults = [(200, {}, {"choices": [choice], "usage": usage})]
    said = model_named(endpoint.address("first"), Manner(timeout=2.0, retries=0)).reply(Request([]))
    assert (said.text, said.thinking, said.thought, said.finish, said.written) == ("Move: a", "b?", 40, "length", 50)


def test_a_name_stands_for_the_address_in_errors(endpoint: Scripted) -> None:
    model = model_named(endpoint.address("first"), Manner(timeout=2.0, retries=0, called="ours"))
    for status in (400, 401, 500):
        endpoint.faults = [(status, {}, {"error": f"no such model at {endpoint.address('first')}"})]
        with pytest.raises(ModelError, match=r"^ours: status") as caught:
            model.reply(Request([]))
        assert "127.0.0.1" not in str(caught.value)


def test_the_length_of_a_reply_goes_by_the_name_that_the_endpoint_asks_for(endpoint: Scripted) -> None:
    """Models that reason refuse `max_tokens`."""
    said = b'{"error": {"message": "Unsupported parameter: use \'max_completion_tokens\' instead."}}'
    endpoint.faults = [(400, {}, said)]
    model = model_named(endpoint.address("nonsense"), Manner(timeout=2.0, retries=1, reply_tokens=50))
    for _ in range(2):
        assert model.reply(Request([])).text == "The weather is fine."
    assert [(one.get("max_tokens"), one.get("max_completion_tokens")) for one in endpoint.seen] == [
        (50, None), (None, 50), (None, 50)
    ]  # fmt: skip
    endpoint.faults = [(400, {}, said)] * 2
    with pytest.raises(ModelError, match=r"status 400: .*max_completion_tokens"):
        model.reply(Request([]))
