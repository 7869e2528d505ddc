"""What an endpoint is not believed, and what is shown of its answers."""

from typing import Any

import pytest
from scripted import Scripted

from theogony.models.ask import ModelError, Request
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
