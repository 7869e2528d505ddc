"""Sets of things in the network: which numbers are whose, what the layers do, and runs and checkpoints with them."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.training.parts import Write, check_a_run_goes_on
from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.game import Game
from theogony.envs.core.registry import GAMES, load
from theogony.training.config.file import load_config
from theogony.training.config.schema import ConfigError, Members, Network
from theogony.training.networks.encoder import SetEncoder
from theogony.training.networks.policy import SharedLayers, act, make_policy
from theogony.training.networks.sets import member_entries
from theogony.training.networks.weights import weights_of
from theogony.training.storage import checkpoint
from theogony.training.storage.header import Header, read_header
from theogony.wrappers.sb3_vec import with_scores

ROOT = Path(__file__).parents[2]
SETS: dict[str, Any] = {
    "items": {"features": ["map_squares", "map_statues"], "width": 3},  # also the name of a method of ModuleDict
    "squares": {"features": ["my_world", "other_worlds"], "width": 2, "length": 100},
}
ALL = Network.model_validate({"shared": [8], "policy": [8], "value": [8], "sets": SETS})
LAYOUT = FeatureLayout(
    Feature("before", (2,), ""),  # entries 0, 1
    Feature("kind", (3, 2), ""),  # 2 to 7
    Feature("reach", (2, 3), ""),  # 8 to 13
    Feature("target", (3,), ""),  # 14, 15, 16
    Feature("grid", (2, 2, 3), ""),  # 17 to 28
)


# ---------------------------------------------------------------------------------------------------- whose numbers


def test_numbers_of_each_member() -> None:
    expected = [[2, 3, 8, 11, 14], [4, 5, 9, 12, 15], [6, 7, 10, 13, 16]]
    assert member_entries(LAYOUT, ["kind", "reach", "target"]).tolist() == expected


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (None, [[17, 20, 23, 26], [18, 21, 24, 27], [19, 22, 25, 28]]),  # the longest axis
        (2, [[17, 18, 19, 20, 21, 22], [23, 24, 25, 26, 27, 28]]),  # the first of this length
        (4, [[17, 18, 19], [20, 21, 22], [23, 24, 25], [26, 27, 28]]),  # the first two
        (6, [[17, 23], [18, 24], [19, 25], [20, 26], [21, 27], [22, 28]]),  # the last two
    ],
)
def test_one_axis_or_several_count_the_members(length: int | None, expected: list[list[int]]) -> None:
    assert member_entries(LAYOUT, ["grid"], length).tolist() == expected


def test_members_of_a_real_observation() -> None:
    game = load("terra_mystica").configure({"players": 2})
    observations = np.random.default_rng(0).integers(256, size=(1, game.features.length), dtype=np.uint8)
    record = game.features.records(observations)[0]
    entries = member_entries(game.features, ["owner", "reach", "sites"])
    for space in (0, 5, 76):
        found = observations[0, entries[space]]
        assert found.tolist() == [*record["owner"][space], *record["reach"][:, space], record["sites"][space]]


@pytest.mark.parametrize(
    ("features", "length", "expected"),
    [
        (["kind", "kinds"], None, r"there is no feature 'kinds'; expected some of before, kind, reach, target, grid"),
        (["before", "target"], None, r"no length in common, or only 1: before \(2,\), target \(3,\)"),
        (["kind", "target"], 2, r"no axes of the feature target \(3,\) have the length 2"),
    ],
)
def test_sets_that_cannot_be(features: list[str], length: int | None, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        member_entries(LAYOUT, features, length)


# ---------------------------------------------------------------------------------------------------- layers


def encoder(activation: str = "tanh") -> tuple[SetEncoder, np.ndarray]:
    """An encoder of the layout above with two numbers of something else behind it."""
    entries = member_entries(LAYOUT, ["kind", "reach", "target"])
    torch.manual_seed(0)
    return SetEncoder(
        LAYOUT.length + 2, {"a": (entries, 4), "b": (member_entries(LAYOUT, ["grid"]), 1)}, activation
    ), entries


@torch.no_grad()
def test_output_is_the_rest_then_members_mean_and_maximum() -> None:
    module, entries = encoder()
    observations = torch.rand(5, LAYOUT.length + 2)
    found = module(observations)
    assert found.shape == (5, module.outputs) and module.outputs == 2 + 2 + (3 + 2) * 4 + (3 + 2) * 1
    assert torch.equal(found[:, :4], observations[:, [0, 1, 29, 30]]), "all that is in no set, as it was"
    weights = module.sets["set_a"].state_dict()
    each = []
    for place, numbers in enumerate(entries):
        hidden = weights["first.weight"] @ observations[:, numbers].T + weights["first.bias"][:, None]
        hidden = torch.tanh(hidden + weights["place"][place][:, None])
        each.append(torch.tanh(weights["second.weight"] @ hidden + weights["second.bias"][:, None]).T)
    members = torch.stack(each, 1)
    expected = torch.cat([members.flatten(1), members.mean(1), members.max(1).values], 1)
    assert torch.allclose(found[:, 4:24], expected, atol=1e-6)


@torch.no_grad()
def test_members_are_told_apart_by_their_place_alone() -> None:
    module, entries = encoder("relu")
    observations = torch.rand(5, LAYOUT.length + 2)
    swapped = observations.clone()
    swapped[:, entries[0]], swapped[:, entries[2]] = observations[:, entries[2]], observations[:, entries[0]]
    assert not torch.allclose(module(observations)[:, 4:8], module(swapped)[:, 12:16])
    torch.nn.init.zeros_(module.sets["set_a"].place)  # pyright: ignore[reportArgumentType]
    one, other = module(observations), module(swapped)
    assert torch.allclose(one[:, 4:16].reshape(5, 3, 4)[:, [2, 1, 0]], other[:, 4:16].reshape(5, 3, 4))
    assert torch.allclose(one[:, 16:24], other[:, 16:24])


def test_lookahead_scores_go_past_the_sets(game: Game) -> None:
    scored = ALL.model_copy(update={"lookahead": 8.0})
    policy = make_policy(game, scored, ortho_init=True)
    scores = np.zeros((1, game.actions.size), np.float32)
    scores[0, -7] = 1.0
    seen = with_scores(np.zeros((1, game.features.length), np.uint8), scores)
    observations = torch.from_numpy(seen)
    features = policy.extract_features(observations)
    assert isinstance(features, torch.Tensor) and features.shape == (1, 8 + game.actions.size)
    assert torch.equal(features[0, 8:], torch.from_numpy(scores[0]))
    masks = np.ones((1, game.actions.size), np.int8)
    assert act(policy, seen, masks)[0] == game.actions.size - 7


def test_without_shared_layers_the_encoder_is_what_is_shared(game: Game) -> None:
    policy = make_policy(game, ALL.model_copy(update={"shared": []}))
    layers = policy.features_extractor
    assert isinstance(layers, SharedLayers) and isinstance(layers.encoder, SetEncoder)
    assert policy.features_dim == layers.encoder.outputs


# ---------------------------------------------------------------------------------------------------- training files


@pytest.mark.parametrize(
    ("sets", "expected"),
    [
        ({"a": {"features": ["map"]}}, r"net_arch\.sets\.a: there is no feature 'map'; expected some of decision, my_"),
        ({"a": {"features": ["map_squares", "hand_statues"], "length": 9}}, r"sets\.a: no axes of the feature hand_st"),
        ({"a": {"features": ["map_squares", "points"]}}, r"sets\.a: the features have no length in common, or only 1"),
        (
            {"a": {"features": ["map_squares"]}, "b": {"features": ["map_squares"]}},
            r"net_arch: sets: the feature 'map_squares' is in a and in b; expected one",
        ),
        ({"a": {"width": 4}}, r"sets\.a\.features: is missing"),
        ({"a": {"features": []}}, r"sets\.a\.features: .*at least 1"),
        ({"a": {"features": ["points"], "widths": 2}}, r"a\.widths: there is no such key; did you mean width\?"),
        ({"a.b": {"features": ["points"]}}, r"sets\.a\.b: .*pattern"),
    ],
)
def test_errors_name_the_set(write: Write, sets: dict[str, Any], expected: str) -> None:
    path = write(algorithm={"total_steps": 10, "n_steps": 128, "net_arch": {"sets": sets}})
    with pytest.raises(ConfigError, match=rf"^{path}: line \d+: algorithm\.\S*{expected}"):
        load_config(path)


def test_width_of_a_set_on_the_command_line(write: Write) -> None:
    path = write(algorithm={"total_steps": 10, "n_steps": 128, "net_arch": {"sets": SETS}})
    config = load_config(path, ["algorithm.net_arch.sets.items.width=9"])
    assert config.algorithm.net_arch.sets["items"] == Members(features=["map_squares", "map_statues"], width=9)


# ---------------------------------------------------------------------------------------------------- runs


@pytest.mark.slow
def test_a_run_goes_on_bit_equal_and_its_checkpoint_plays(write: Write, tmp_path: Path, game: Game) -> None:
    one = check_a_run_goes_on(write, tmp_path, game, ALL)
    assert not any("entries" in name or "rest" in name for name in one.policy), "what the layout says is not saved"
    learnt = [name for name in one.policy if "encoder" in name]
    fresh = weights_of(make_policy(game, ALL))
    assert len(learnt) == 10 and not any(torch.equal(one.policy[name], fresh[name]) for name in learnt)


@pytest.mark.parametrize("part", ["sets", "pointers"])
def test_headers_from_before_there_was_such_a_part(tmp_path: Path, game: Game, part: str) -> None:
    network = Network(shared=[8], policy=[8], value=[8])
    policy = make_policy(game, network)
    path = checkpoint.save(tmp_path, Header.of(game, network, 5), weights_of(policy), {}, {}, {})
    header = json.loads((path / "header.json").read_text())
    del header["network"][part]
    content = {name: value for name, value in header.items() if name != "digest"}
    header["digest"] = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    (path / "header.json").write_text(json.dumps(header))
    assert read_header(path).network == network
    assert checkpoint.read_policy(path, game).features_dim == 8


# ---------------------------------------------------------------------------------------------------- shipped examples


@pytest.mark.parametrize("game", GAMES)
def test_sets_in_the_comments_of_training_files_can_be_used(game: str, tmp_path: Path) -> None:
    text = (ROOT / "configs" / game / "selfplay.yaml").read_text("utf-8")
    before, comment, after = text.partition("    # sets:")
    used = re.sub(r"^    # {3}", "      ", after, flags=re.MULTILINE)
    path = tmp_path / "used.yaml"
    path.write_text(before + "    sets:" + used if comment else text, "utf-8")
    assert load_config(path).algorithm.net_arch.sets
