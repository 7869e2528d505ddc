"""What a device does not do is said in one sentence, before anything is compiled; so is what is missing."""

import sys
from pathlib import Path
from typing import Any

import pytest
import torch

import theogony
from theogony.cuda import driver, emit
from theogony.cuda.driver import NoDevice
from theogony.envs import load
from theogony.envs.core.game import OptionError


def made(**given: Any) -> Any:
    return theogony.make_vec("push_of_faith", 4, seed=0, **{"device": "cuda", **given})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"opponents": "mcts:8"}, """opponents='mcts:8' is for device="cpu": on a device "random", "greedy" and"""),
        ({"opponents": [(1, "random"), (1, lambda *seen: 0)]}, 'is for device="cpu"'),
        ({"threads": 4}, 'threads=4 is for device="cpu": on a device a thread plays each game'),
        ({"shaping": "points"}, """shaping='points' is for device="cpu": a device pays final rewards"""),
        ({"seat": 7}, "seat=7 is not 0 to 1"),
        ({"device": "tpu"}, """device='tpu' is not "cpu", "cuda" or"""),
    ],
)
def test_what_a_device_does_not_do(given: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError) as refused:
        made(**given)
    assert said in str(refused.value)


def test_the_binding_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cuda", None)
    with pytest.raises(ModuleNotFoundError, match=r'device="cuda" needs the package cuda-bindings: .*install .*cuda'):
        made()


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a device here")
def test_no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the binding but without a device, or with a torch that knows none."""
    monkeypatch.setattr(driver, "_binding", lambda: None)
    with pytest.raises(NoDevice, match='device="cuda"'):
        made()


def test_ptx_of_a_wheel_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = load("push_of_faith").configure({})
    (tmp_path / f"{emit.key_of(game)}.ptx").write_text("// what a wheel carries", "utf-8")
    monkeypatch.setattr(emit, "PACKAGED", tmp_path)
    assert emit.ptx_of(game) == "// what a wheel carries"
    assert emit.key_of(load("push_of_faith").configure({"players": 3})) != emit.key_of(game)
