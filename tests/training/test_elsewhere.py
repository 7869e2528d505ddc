"""Players that were made elsewhere: ONNX and TorchScript networks, models of Stable-Baselines3."""

import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import theogony
from theogony.envs import load
from theogony.envs.core.players import make_player
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.training.config import modules
from theogony.training.players import elsewhere

GAME = load("push_of_faith").configure()
LENGTH, ACTIONS = GAME.features.length, GAME.actions.size


@pytest.fixture
def allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(modules.VARIABLE, "1")


def onnx_file(path: Path, inputs: int = LENGTH, outputs: int = ACTIONS, value: float = 0.1) -> str:
    """A network with one layer: the larger the id, the better."""
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    from onnx import TensorProto, helper, numpy_helper

    weights = np.tile(np.arange(outputs, dtype=np.float32) * np.float32(value), (inputs, 1))
    graph = helper.make_graph(
        [
            helper.make_node("MatMul", ["observation", "weights"], ["product"]),
            helper.make_node("Add", ["product", "bias"], ["logits"]),
        ],
        "layer",
        [helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["n", inputs])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", outputs])],
        [
            numpy_helper.from_array(weights, "weights"),
            numpy_helper.from_array(np.arange(outputs, dtype=np.float32) * np.float32(value), "bias"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(path))
    return str(path)


def plays_a_game(name: str) -> list[int]:
    env: Any = theogony.make("push_of_faith")
    env.reset(seed=1)
    player = theogony.player(name, env)
    while (action := player.act(env)) is not None:
        env.step(action)
    return env.position.actions


def test_an_onnx_network_plays(tmp_path: Path) -> None:
    name = onnx_file(tmp_path / "net.onnx")
    env: Any = theogony.make("push_of_faith")
    env.reset(seed=1)
    assert theogony.player(name, env).act(env) == env.position.legal_actions().max()
    assert len(plays_a_game(name)) == 36


def test_a_torchscript_network_plays_where_modules_are_allowed(tmp_path: Path, allowed: None) -> None:
    class Last(torch.nn.Module):
        def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
            return masks.float() * torch.arange(masks.shape[1]).float()

    path = tmp_path / "net.pt"
    torch.jit.script(Last()).save(str(path))
    assert len(plays_a_game(str(path))) == 36


def test_a_model_of_stable_baselines_plays_where_modules_are_allowed(tmp_path: Path, allowed: None) -> None:
    from sb3_contrib import MaskablePPO

    env = theogony.make_vec("push_of_faith", 2, seed=0)
    MaskablePPO("MlpPolicy", env, n_steps=8, device="cpu").save(tmp_path / "model.zip")
    assert len(plays_a_game(str(tmp_path / "model.zip"))) == 36


@pytest.mark.parametrize("name", ["net.pt", "model.zip"])
def test_files_that_hold_programs_are_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(modules.VARIABLE, raising=False)
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(PlayerError, match=r"holds a program; --allow-modules"):
        make_player(str(tmp_path / name), GAME)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"inputs": LENGTH + 1}, rf"does not take \(2, {LENGTH}\) observations"),
        ({"outputs": ACTIONS - 1}, rf"gave float32 \(2, {ACTIONS - 1}\); expected float \(2, {ACTIONS}\)"),
        ({"value": float("nan")}, "numbers that are no numbers"),
    ],
)
def test_networks_that_do_not_fit(changed: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match=message):
        make_player(onnx_file(tmp_path / "net.onnx", **changed), GAME)


def endless_file(path: Path, what: str) -> str:
    """A network that loops 2^62 times, or that asks for 4 GB."""
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    from onnx import TensorProto, helper, numpy_helper

    def number(name: str, value: Any) -> Any:
        return numpy_helper.from_array(np.array(value, np.int64), name)

    goes_on = helper.make_tensor_value_info("more", TensorProto.BOOL, [])
    count = helper.make_tensor_value_info("count", TensorProto.INT64, [])
    state, after = (helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("x", "y"))
    body = helper.make_graph(
        [helper.make_node("Identity", ["more"], ["still"]), helper.make_node("Neg", ["x"], ["y"])],
        "body",
        [count, goes_on, state],
        [helper.make_tensor_value_info("still", TensorProto.BOOL, []), after],
    )
    nodes = {
        "loop": [helper.make_node("Loop", ["trips", "", "observation"], ["out"], body=body)],
        "table": [
            helper.make_node("ConstantOfShape", ["shape"], ["ones"]),
            helper.make_node("ReduceSum", ["ones"], ["sum"], keepdims=0),
            helper.make_node("Add", ["sum", "observation"], ["out"]),
        ],
    }
    graph = helper.make_graph(
        nodes[what],
        "endless",
        [helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["n", LENGTH])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)],
        [number("trips", 2**62), number("shape", [2**20, 2**10])],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))
    return str(path)


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("loop", r"took more than 0\.5 s or 2 GB for an answer.* its process was ended"),
        ("table", "does not take .*ConstantOfShape"),
    ],
)
def test_an_onnx_network_has_limits(what: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elsewhere, "SECONDS", 0.5)
    with pytest.raises(PlayerError, match=message):
        make_player(endless_file(tmp_path / "net.onnx", what), GAME)


def test_the_process_of_an_onnx_network_ends_and_begins_anew(tmp_path: Path) -> None:
    network = elsewhere.OnnxFile(Path(onnx_file(tmp_path / "net.onnx")))
    seen, masks = np.ones((1, LENGTH), np.float32), np.ones((1, ACTIONS), np.int8)
    before, talk = network(seen, masks), network._talk
    assert talk is not None
    talk.process.kill()
    talk.process.wait()
    np.testing.assert_array_equal(network(seen, masks), before)
    assert network._talk is not None
    last = network._talk.process
    assert last.poll() is None
    del network
    gc.collect()
    assert last.poll() is not None, "nobody is left who could ask"


@pytest.mark.parametrize(
    ("name", "message"), [("net.onnx", "cannot be read"), ("net.h5", r"no known kind; expected \.onnx, \.pt, \.zip")]
)
def test_files_that_are_none(name: str, message: str, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    (tmp_path / name).write_bytes(b"nothing")
    with pytest.raises(PlayerError, match=message):
        make_player(str(tmp_path / name), GAME)
