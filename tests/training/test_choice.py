"""The choice of an action and the first layer, beside what sb3-contrib and torch say of them."""

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from torch import nn

from theogony.envs.core.features import Feature, FeatureLayout
from theogony.training.networks.layers import Decode
from theogony.training.networks.policy import Choice

ROWS, ACTIONS = 200, 13
LAYOUT = FeatureLayout(Feature("few", (30,), "", 0, 3, 3), Feature("signed", (12,), "", -2, 2, 2))


def masks_of(rng: np.random.Generator) -> np.ndarray:
    """Some legal actions in each row, at least one."""
    masks = rng.random((ROWS, ACTIONS)) < 0.4
    masks[np.arange(ROWS), rng.integers(ACTIONS, size=ROWS)] = True
    return masks


@pytest.mark.parametrize("masked", [False, True])
def test_it_is_the_distribution_of_sb3_contrib(masked: bool) -> None:
    """Likeliest actions, log probabilities, entropies, and their gradients."""
    rng = np.random.default_rng(1)
    masks, logits = masks_of(rng), 3 * torch.from_numpy(rng.normal(size=(ROWS, ACTIONS)).astype(np.float32))
    found: list[list[torch.Tensor]] = []
    for kind in (Choice, MaskableCategoricalDistribution):
        own = logits.clone().requires_grad_()
        choice = kind(ACTIONS).proba_distribution(own)
        choice.apply_masking(masks if masked else None)
        mode, entropy = choice.mode(), choice.entropy()
        log_prob = choice.log_prob(mode)
        (2 * log_prob + entropy).sum().backward()
        assert own.grad is not None
        found.append([mode, log_prob.detach(), entropy.detach(), own.grad])
    assert torch.equal(found[0][0], found[1][0])
    assert all(torch.allclose(ours, theirs, atol=1e-5) for ours, theirs in zip(*found, strict=True))


def test_draws_are_legal_and_as_likely_as_they_should_be() -> None:
    torch.manual_seed(1)
    logits = torch.tensor([[9.0, 0.0, 1.0, -60.0, 2.0, 9.0]]).expand(60_000, -1)
    choice = Choice(6).proba_distribution(logits)
    choice.apply_masking(torch.tensor([[0, 1, 1, 1, 1, 0]]).expand(60_000, -1))
    shares = choice.get_actions().bincount(minlength=6) / 60_000
    assert torch.allclose(shares, choice.chances[0], atol=0.01)
    assert shares[0] == shares[5] == 0 and shares[3] == 0


def test_first_layer_over_many_codes_is_the_layer_over_what_they_stand_for() -> None:
    """Output and gradients, with and without floats behind the codes, whichever way they are worked out."""
    torch.manual_seed(2)
    codes = torch.from_numpy(np.random.default_rng(2).integers(0, LAYOUT.highest + 1, (50, LAYOUT.length), np.uint8))
    codes[:, :25] *= torch.rand(50, 25) < 0.2
    decode = Decode(LAYOUT)
    for more in (None, torch.rand(50, 3)):
        floats = decode(codes) if more is None else torch.cat([decode(codes), more], 1)
        layer = nn.Linear(floats.shape[1], 8)
        found = []
        for out in (layer(floats), decode.into(layer, codes, more)):
            layer.zero_grad()
            out.square().sum().backward()
            assert layer.weight.grad is not None and layer.bias.grad is not None
            found.append([out.detach(), layer.weight.grad.clone(), layer.bias.grad.clone()])
        assert all(torch.allclose(one, other, rtol=1e-4, atol=1e-4) for one, other in zip(*found, strict=True))
