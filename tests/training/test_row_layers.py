"""Layers over rows of actions: what they compute, what they learn from, and that policies with them are whole."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

import theogony
from theogony.envs import load
from theogony.envs.core.batch import Batch
from theogony.training.config import ConfigError
from theogony.training.config.engines import check_rows
from theogony.training.config.sections import Network
from theogony.training.learning.train import run
from theogony.training.networks.policy import AgentPolicy, act, make_policy
from theogony.training.networks.rows import RowLayers, first_layer
from theogony.training.players.names import load_player

GAME = load("push_of_faith").configure({"players": 2})
NETWORK = Network(shared=[16], policy=[], value=[8], rows=[12, 8])


def played(size: int = 16, steps: int = 7) -> Batch:
    batch = Batch(GAME, size, 0)
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


@pytest.mark.parametrize("dtype", [torch.uint8, torch.float32])
def test_the_first_layer_and_its_gradients_are_those_of_plain_torch(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    seen = torch.randint(0, 3, (5, 9)).to(dtype)
    places = torch.randint(-1, 9, (4, 6), dtype=torch.int32)
    decisions, rows = torch.tensor([0, 0, 2, 4]), torch.tensor([3, 1, 1, 0])
    given = [torch.randn(6, 7), torch.randn(7), torch.randn(5, 14)]
    mine, theirs = ([one.clone().requires_grad_() for one in given] for _ in range(2))
    padded = torch.nn.functional.pad(seen.float(), (0, 1))
    factor, shift = theirs[2][decisions].chunk(2, 1)
    hidden = padded[decisions[:, None], places[rows].long()] @ theirs[0] + theirs[1]
    plain = torch.relu(hidden * (1 + factor) + shift)
    found = first_layer(seen, places, decisions, rows, *mine)
    assert torch.allclose(found, plain, atol=1e-5) and 0 < (plain > 0).float().mean() < 1
    factors = torch.randn(4, 7)
    for product in (found, plain):
        (product * factors).sum().backward()
    for one, other in zip(mine, theirs, strict=True):
        assert one.grad is not None and other.grad is not None
        assert torch.allclose(one.grad, other.grad, atol=1e-5)


def test_codes_and_floats_give_the_same() -> None:
    batch = played()
    made = []
    for compact in (True, False):
        torch.manual_seed(1)
        made.append(RowLayers(GAME, 4, [8, 8], compact))
    context, legal = torch.randn(16, 4), torch.from_numpy(batch.masks > 0)
    codes = torch.from_numpy(batch.codes.copy())
    floats = torch.from_numpy(GAME.features.decode(batch.codes))
    assert torch.allclose(made[0](codes, context, legal), made[1](floats, context, legal), atol=1e-5)


def test_only_legal_actions_with_rows_are_judged() -> None:
    batch = played()
    layers = RowLayers(GAME, 4, [8], True)
    legal = torch.from_numpy(batch.masks > 0)
    found = layers(torch.from_numpy(batch.codes.copy()), torch.randn(16, 4), legal)
    assert (found[~legal] == 0).all() and (found[legal] != 0).all()
    whole = layers(torch.from_numpy(batch.codes.copy()), torch.zeros(16, 4), torch.ones_like(legal))
    some = layers(torch.from_numpy(batch.codes.copy()), torch.zeros(16, 4), legal)
    assert torch.allclose(whole[legal], some[legal])


def test_a_game_without_rows_is_refused_by_name() -> None:
    from tictactoe import SPEC

    with pytest.raises(ValueError, match="tictactoe declares no rows of actions"):
        RowLayers(SPEC.configure({}), 4, [8], True)


def test_a_training_file_that_asks_for_what_a_game_has_not_is_refused(write: Any) -> None:
    from tictactoe import SPEC

    with pytest.raises(ConfigError, match=r"algorithm\.net_arch\.rows: tictactoe declares no rows of actions"):
        check_rows(NETWORK, SPEC.configure({}))
    with pytest.raises(
        ConfigError, match=r"shaping: push_of_faith knows none, value, rank, margin, points, not progress"
    ):
        run(write(), ["shaping=progress"], None)


def test_judging_with_and_without_masks_agrees_on_legal_actions() -> None:
    batch, policy = played(), make_policy(GAME, NETWORK, ortho_init=True)
    codes, legal = torch.from_numpy(batch.codes.copy()), batch.masks > 0
    with torch.no_grad():
        one, other = policy.judge(codes, batch.masks)[0], policy.judge(codes)[0]
    assert torch.allclose(one[torch.from_numpy(legal)], other[torch.from_numpy(legal)], atol=1e-6)
    assert legal[np.arange(16), act(policy, batch.codes, batch.masks)].all()


def test_a_run_with_rows_learns_is_stored_and_goes_on(write: Any, tmp_path: Path) -> None:
    rows = ["algorithm.net_arch.rows=[8, 8]", "shaping=margin"]
    run(write(), [*rows, "algorithm.total_steps=80"], None)
    player: Any = load_player(tmp_path / "run", GAME)
    names = [name for name, _ in player.policy.rows.named_parameters()]
    assert names and all(f"rows.{name}" in player.policy.state_dict() for name in names)
    run(None, ["algorithm.total_steps=160"], tmp_path / "run")
    again: Any = load_player(tmp_path / "run", GAME)
    before, after = (list(one.policy.rows.parameters()) for one in (player, again))
    assert any(not torch.equal(a, b) for a, b in zip(before, after, strict=True))


def test_the_policy_works_in_a_script_of_stable_baselines() -> None:
    """The way of docs/own_network.md: SB3's own loop, floats, and a game of the environment."""
    env = theogony.make_vec("push_of_faith", 8, opponents="random", seed=0)
    network = {"rows": (16, 16), "game": env.batch.game}
    model = MaskablePPO(AgentPolicy, env, n_steps=8, batch_size=32, n_epochs=1, policy_kwargs=network, seed=0)
    rows: Any = model.policy.rows
    before = [one.detach().clone() for one in rows.parameters()]
    model.learn(64)
    assert any(not torch.equal(a, b) for a, b in zip(before, rows.parameters(), strict=True))


def test_where_no_action_with_rows_is_legal_nothing_is_added() -> None:
    layers = RowLayers(GAME, 4, [8], True)
    found = layers(torch.from_numpy(played().codes.copy()), torch.randn(16, 4), torch.zeros(16, 124, dtype=torch.bool))
    assert found.shape == (16, 124) and not found.any()


def test_a_network_with_rows_is_the_same_as_an_onnx_file(tmp_path: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    policy, batch = make_policy(GAME, NETWORK, ortho_init=True), played()

    class OfCodes(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.policy = policy

        def forward(self, codes: torch.Tensor) -> torch.Tensor:
            return self.policy.judge(codes)[0]

    codes, path = torch.from_numpy(batch.codes.copy()).float(), tmp_path / "rows.onnx"
    names = {"input_names": ["codes"], "output_names": ["logits"], "dynamic_axes": {"codes": {0: "n"}}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(OfCodes(), (codes[:3],), str(path), dynamo=False, **names)  # pyright: ignore
    found = onnxruntime.InferenceSession(path).run(None, {"codes": codes.numpy()})[0]
    with torch.no_grad():
        assert np.allclose(found, policy.judge(codes)[0].numpy(), atol=1e-5)


@pytest.mark.parametrize(
    ("given", "players", "said"),
    [
        ({"rows": 128, "game": GAME}, 2, "rows: 128 is no list of widths of layers; expected for example [128]"),
        ({"rows": [128], "game": "push_of_faith"}, 2, "game: 'push_of_faith' is no game whose actions have rows"),
        ({"rows": [128]}, 2, "game: None is no game whose actions have rows; expected envs.batch.game"),
        ({"rows": [128], "game": GAME}, 3, "game: observations of push_of_faith for 2 have 1015 numbers"),
        ({"net_arch": {"pi": [], "vff": [8]}}, 2, "net_arch: there is no 'vff'; expected pi and vf"),
    ],
)
def test_what_does_not_go_together_is_named(given: dict[str, Any], players: int, said: str) -> None:
    env = theogony.make_vec("push_of_faith", 2, opponents="random", players=players)
    with pytest.raises(ValueError) as found:
        MaskablePPO(AgentPolicy, env, n_steps=8, policy_kwargs=given)
    assert str(found.value).startswith(said)


def test_codes_need_layers_that_decode_them() -> None:
    env = theogony.make_vec("push_of_faith", 2, opponents="random", observation="compact")
    with pytest.raises(ValueError, match='observation="compact" is for the layers of `policy_arguments`'):
        MaskablePPO(AgentPolicy, env, n_steps=8, policy_kwargs={"rows": [8], "game": GAME})


def test_observations_may_be_of_any_numbers() -> None:
    env = theogony.make_vec("push_of_faith", 3, opponents="random", seed=0)
    model = MaskablePPO(AgentPolicy, env, n_steps=8, policy_kwargs={"rows": [8], "game": GAME}, seed=0)
    seen, masks = env.reset(), env.action_masks()
    asked = [model.predict(given, action_masks=masks, deterministic=True)[0] for given in (seen, seen.astype(float))]
    assert (asked[0] == asked[1]).all()
    assert model.predict(seen[0].tolist(), action_masks=masks[:1], deterministic=True)[0] == asked[0][0]
