"""Pointers in the network: which actions are whose, what the layers do, and runs and checkpoints with them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.training.parts import Write, check_a_run_goes_on
from theogony.envs.core.actions import ActionCodec, Block
from theogony.envs.core.batch import Batch
from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.game import Game
from theogony.envs.core.registry import load
from theogony.training.config import ConfigError
from theogony.training.config.file import load_config
from theogony.training.config.sections import Network
from theogony.training.networks.heads import Pointer
from theogony.training.networks.members import Pointed, member_actions, member_entries
from theogony.training.networks.policy import AgentPolicy, log_chances, make_policy
from theogony.training.networks.weights import weights_of
from theogony.training.storage import checkpoint
from theogony.training.storage.header import CheckpointHeader, read_header
from theogony.wrappers.sb3_vec import with_scores

POINTERS: dict[str, Any] = {
    "items": {"features": ["map_squares", "map_statues"], "actions": ["token"], "width": 3},  # also a method's name
    "cells": {"features": ["my_world"], "actions": ["place"], "width": 2},
}
ALL = Network.model_validate({"shared": [8], "policy": [8], "value": [8], "pointers": POINTERS})
LAYOUT = FeatureLayout(
    Feature("before", (2,), ""),  # entries 0, 1
    Feature("kind", (3, 2), ""),  # 2 to 7
    Feature("lying", (3,), "", 0, 4, 2),  # 8, 9, 10
)
CODEC = ActionCodec(Block("pass"), Block("take", "abc"), Block("turn", "xy", "abc"), Block("put", "abc", "xy"))


# ---------------------------------------------------------------------------------------------------- whose actions


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (["take"], [[1], [2], [3]]),
        (["turn"], [[4, 7], [5, 8], [6, 9]]),  # the members are the second axis
        (["put", "take"], [[10, 11, 1], [12, 13, 2], [14, 15, 3]]),
    ],
)
def test_actions_of_each_member(kinds: list[str], expected: list[list[int]]) -> None:
    assert member_actions(CODEC, kinds, 3).tolist() == expected


def test_actions_of_a_real_game() -> None:
    codec = load("orbis").configure({"players": 2}).actions
    for place, actions in enumerate(member_actions(codec, ["take tile", "destroy"], 9)):
        name = "abc"[place % 3] + "123"[place // 3]
        assert codec.text(actions[0]) == f"take tile from {name}"
        assert [codec.text(action).split()[-1] for action in actions[1:]] == 5 * [name]


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (["take", "shove"], r"there is no kind of action 'shove'; expected some of pass, take, turn, put"),
        (["pass"], r"no axes of the action 'pass' \(\) have the length 3"),
    ],
)
def test_kinds_that_cannot_be(kinds: list[str], expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        member_actions(CODEC, kinds, 3)


# ---------------------------------------------------------------------------------------------------- layers


def pointer(compact: bool) -> Pointer:
    """A pointer at the things of the layout above; both forms have the same weights."""
    entries = member_entries(LAYOUT, ["kind", "lying"])
    torch.manual_seed(0)
    return Pointer(
        Pointed(entries, member_actions(CODEC, ["take", "put"], 3), 4), 5, "tanh", LAYOUT if compact else None
    )


@torch.no_grad()
def test_each_member_is_judged_by_its_numbers_its_place_and_the_position() -> None:
    module, entries = pointer(compact=False), member_entries(LAYOUT, ["kind", "lying"])
    torch.nn.init.normal_(module.place)
    seen, features = torch.rand(6, LAYOUT.length), torch.rand(6, 5)
    found = module(seen, features).reshape(6, 3, 3)
    for place in range(3):
        hidden = module.first(seen[:, entries[place]]) + module.place[place] + module.context(features)
        expected = module.last(torch.tanh(module.second(torch.tanh(hidden))))
        assert torch.allclose(found[:, place], expected, atol=1e-6)


@torch.no_grad()
def test_codes_are_judged_as_the_floats_that_they_stand_for() -> None:
    codes = np.random.default_rng(0).integers(0, LAYOUT.highest + 1, (6, LAYOUT.length), np.uint8)
    features = torch.rand(6, 5)
    by_codes = pointer(compact=True)(torch.from_numpy(codes), features)
    by_floats = pointer(compact=False)(torch.from_numpy(LAYOUT.decode(codes)), features)
    assert torch.allclose(by_codes, by_floats, atol=1e-6)


@pytest.mark.parametrize("lookahead", [0.0, 8.0])
def test_what_a_pointer_says_is_added_to_the_logits_of_its_actions_alone(game: Game, lookahead: float) -> None:
    policy = make_policy(game, ALL.model_copy(update={"lookahead": lookahead}), ortho_init=True)
    seen = Batch(game, 3, seed=0).codes.copy()
    if lookahead:
        seen = with_scores(seen, np.zeros((3, game.actions.size), np.float32))
    before = logits(policy, seen)
    with torch.no_grad():
        policy.features_extractor.pointers.pointers["to_cells"].last.bias[2] += 1.5  # pyright: ignore
    moved = (logits(policy, seen) - before).round(decimals=4)
    expected = torch.zeros(game.actions.size)
    expected[[game.actions.encode("place", name, 2) for name in cells(game)]] = 1.5
    assert torch.equal(moved, expected.expand(3, -1))


@torch.no_grad()
def logits(policy: AgentPolicy, seen: np.ndarray) -> torch.Tensor:
    features = policy.extract_features(torch.from_numpy(seen))
    return policy.action_net(policy.mlp_extractor.forward_actor(features))


def cells(game: Game) -> list[Any]:
    return next(block.axes[0] for block in game.actions.blocks if block.kind == "place")


def test_at_first_all_actions_are_nearly_as_likely(game: Game) -> None:
    """The layers of a pointer do not begin with opinions: PPO would learn from them as if they were experience."""
    policy = make_policy(game, ALL, ortho_init=True)
    batch = Batch(game, 16, seed=0)
    assert log_chances(policy, batch.codes, np.ones_like(batch.masks)).std() < 0.05


# ---------------------------------------------------------------------------------------------------- training files


@pytest.mark.parametrize(
    ("pointers", "expected"),
    [
        (
            {"a": {"features": ["map"], "actions": ["token"]}},
            r"pointers\.a: there is no feature 'map'; expected some of",
        ),
        (
            {"a": {"features": ["map_squares"], "actions": ["push"]}},
            r"pointers\.a: no axes of the action 'push' \(12,\)",
        ),
        (
            {"a": {"features": ["map_squares"], "actions": ["shove"]}},
            r"pointers\.a: there is no kind of action 'shove'",
        ),
        ({"a": {"features": ["map_squares"]}}, r"pointers\.a\.actions: is missing"),
        ({"a": {"features": ["map_squares"], "actions": []}}, r"pointers\.a\.actions: .*at least 1"),
        ({"a.b": {"features": ["points"], "actions": ["token"]}}, r"pointers\.a\.b: .*pattern"),
    ],
)
def test_errors_name_the_pointer(write: Write, pointers: dict[str, Any], expected: str) -> None:
    path = write(algorithm={"total_steps": 10, "n_steps": 128, "net_arch": {"pointers": pointers}})
    with pytest.raises(ConfigError, match=rf"^{path}: line \d+: algorithm\.net_arch\.{expected}"):
        load_config(path)


# ---------------------------------------------------------------------------------------------------- runs


@pytest.mark.slow
def test_a_run_goes_on_bit_equal_and_its_checkpoint_plays(write: Write, tmp_path: Path, game: Game) -> None:
    one = check_a_run_goes_on(write, tmp_path, game, ALL)
    assert not any("entries" in name or "pointed" in name for name in one.policy), "what the game says is not saved"
    learnt = [name for name in one.policy if "pointers" in name]
    fresh = weights_of(make_policy(game, ALL))
    assert len(learnt) == 2 * 9 and not any(torch.equal(one.policy[name], fresh[name]) for name in learnt)


def test_a_network_with_other_pointers_is_refused(tmp_path: Path, game: Game) -> None:
    plain = Network(shared=[8], policy=[8], value=[8])
    path = checkpoint.save(tmp_path, CheckpointHeader.of(game, ALL, 5), weights_of(make_policy(game, ALL)), {}, {}, {})
    with pytest.raises(ValueError, match=r"its network has pointers .*items.*, that of this run pointers \{\}"):
        read_header(path).check_network(plain, path)
