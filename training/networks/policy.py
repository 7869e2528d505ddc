"""The network of an agent: SB3's masked policy with layers that policy and value may share, and sb3-contrib's choice of
an action with one softmax in place of three."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, MlpExtractor
from torch import nn

from theogony.envs.core.features import FeatureLayout
from theogony.envs.core.game import Game
from theogony.training.config.sections import Network
from theogony.training.networks.layers import Decode
from theogony.training.networks.rows import RowLayers
from theogony.wrappers.sb3_vec import observation_space

ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh}
NEVER = -1e8  # the logit of an action that is not legal, as in sb3-contrib; finite, for views of ended games


class Choice(MaskableCategoricalDistribution):
    """Chances of actions, which follow from `logits` (n, actions)."""

    logits: torch.Tensor
    masks: torch.Tensor | None = None

    def proba_distribution(self, action_logits: torch.Tensor) -> Self:
        """The choice by these logits, everything being legal."""
        choice = type(self)(self.action_dim)
        choice.logits = action_logits
        return choice

    def apply_masking(self, masks: Any) -> None:
        """Leave only what the masks (n, actions) allow; to be called before anything is asked."""
        if masks is not None:
            self.masks = torch.as_tensor(masks, dtype=torch.bool, device=self.logits.device).reshape(self.logits.shape)
            self.logits = self.logits.masked_fill(~self.masks, NEVER)

    @functools.cached_property
    def log_chances(self) -> torch.Tensor:
        """The logarithm of each action's chance (n, actions)."""
        return torch.log_softmax(self.logits, 1)

    @functools.cached_property
    def chances(self) -> torch.Tensor:
        """The chance of each action (n, actions). The exponential of the logarithm is slow where it is very low."""
        return torch.softmax(self.logits, 1)

    def log_prob(self, actions: torch.Tensor) -> torch.Tensor:
        """That of the chosen actions, both (n,)."""
        return self.log_chances.gather(1, actions.long()[:, None])[:, 0]

    def entropy(self) -> torch.Tensor:
        """How open the choice is (n,)."""
        terms = self.chances * self.log_chances
        return -(terms if self.masks is None else terms.masked_fill(~self.masks, 0.0)).sum(1)

    def sample(self) -> torch.Tensor:
        """Actions drawn by their chances (n,): where a random number falls among the sums of chances.

        An action without any chance leaves the sum as it is, and so is never the first to exceed the number.
        """
        sums = self.chances.cumsum(1)
        return (sums <= torch.rand_like(sums[:, :1]) * sums[:, -1:]).sum(1)

    def mode(self) -> torch.Tensor:
        """The likeliest actions (n,)."""
        return self.log_chances.argmax(1)


class ScoredActions(nn.Module):
    """Logits of the actions: a layer over the policy's features, and the lookahead scores that went past them.

    The scores, one an action, are the last of the `width` features. They are multiplied by a learnt weight that begins
    with `lookahead`.
    """

    def __init__(self, width: int, actions: int, lookahead: float) -> None:
        super().__init__()
        self.parts = [width - actions, actions]
        self.layer = nn.Linear(self.parts[0], actions)
        nn.init.orthogonal_(self.layer.weight, 0.01)
        nn.init.zeros_(self.layer.bias)
        self.weight = nn.Parameter(torch.tensor(lookahead))

    def forward(self, latent: torch.Tensor) -> torch.Tensor:
        """Logits (n, actions)."""
        seen, scores = latent.split(self.parts, 1)
        return self.layer(seen) + self.weight * scores


class LayersAfterFork(MlpExtractor):
    """The layers of policy and value after the fork; the last `past` features go to the choice of the action alone."""

    def __init__(self, features: int, past: int, net_arch: Any, activation: type[nn.Module], device: Any) -> None:
        super().__init__(features - past, net_arch, activation, device)
        self.past = past
        self.latent_dim_pi += past

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """What both heads are made from."""
        seen, past = self._parts(features)
        return torch.cat([super().forward_actor(seen), past], 1), super().forward_critic(seen)

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        """What the choice is made from: the policy's layers, then what went past them."""
        seen, past = self._parts(features)
        return torch.cat([super().forward_actor(seen), past], 1)

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        """The value's layers."""
        return super().forward_critic(self._parts(features)[0])

    def _parts(self, features: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """What the layers see, and the rest: split at once, which has a cheaper gradient than slices."""
        return features.split([features.shape[1] - self.past, self.past], 1)


class SharedLayers(BaseFeaturesExtractor):
    """Layers before the fork: policy and value see their output. Without any, the observation itself.

    Compact observations, of a space of uint8, are decoded by `layout` first. Behind them an observation may have
    lookahead scores of `scored` actions, which the layers see too; they come once more behind the output of the layers,
    for the choice of the action alone.
    """

    def __init__(
        self, observation_space: spaces.Box, widths: list[int], activation: str, scored: int, layout: FeatureLayout
    ) -> None:
        inputs = layout.length + scored
        super().__init__(observation_space, (widths[-1] if widths else inputs) + scored)
        self.scored, self.length = scored, layout.length
        compact = layout if observation_space.dtype == np.uint8 else None
        self.decode = Decode(compact) if compact else None
        layers: list[nn.Module] = []
        for width in widths:
            layers += [nn.Linear(inputs, width), ACTIVATIONS[activation]()]
            inputs = width
        self.layers = nn.Sequential(*layers)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Features (n, width + scored) of observations; codes may be of any type of number."""
        seen, scores = observations[:, : self.length], self._scores(observations)
        if self.decode is not None and len(self.layers):
            layers: list[Any] = list(self.layers)  # a part of a `Sequential` would be made anew each time
            features = self.decode.into(layers[0], seen, scores)
            for layer in layers[1:]:
                features = layer(features)
        else:
            floats = seen if self.decode is None else self.decode(seen)
            features = self.layers(floats if scores is None else torch.cat([floats, scores], 1))
        return features if scores is None else torch.cat([features, scores], 1)

    def _scores(self, observations: torch.Tensor) -> torch.Tensor | None:
        """The lookahead scores behind observations (n, scored); behind codes they are the bytes of float32 numbers."""
        if not self.scored:
            return None
        behind = observations[:, self.length :]
        if self.decode is None:
            return behind
        return behind.to(torch.uint8, copy=True, memory_format=torch.contiguous_format).view(torch.float32)


class AgentPolicy(MaskableActorCriticPolicy):
    """SB3's masked policy, whose actions can be judged by their rows.

    Args:
        arguments: those of SB3.
        rows: widths of the layers over rows of actions (`networks/rows.py`); without any, there are none.
        game: whose rows these are: `envs.batch.game` of a batch.
        lookahead: above 0, observations end with scores of a one-step search, which are added to the logits, times a
            learnt weight that begins with this number.
        named: those of SB3.

    Raises:
        ValueError: for what does not go together, such as the game of another table.
    """

    def __init__(
        self, *arguments: Any, rows: Sequence[int] = (), game: Game | None = None, lookahead: float = 0.0, **named: Any
    ) -> None:
        _check_rows(rows, game)
        space = arguments[0] if arguments else named["observation_space"]
        _check_layers(space, named.get("net_arch"), named.get("features_extractor_class"))
        if game is not None and rows and not lookahead and space.shape != (game.features.length,):
            raise ValueError(
                f"game: observations of {game.spec.name} for {game.players} have {game.features.length} numbers, those "
                f"of the environments {space.shape}; expected envs.batch.game"
            )
        self.row_widths, self.game, self.lookahead = rows, game, lookahead
        super().__init__(*arguments, **named | ({"ortho_init": False} if rows else {}))

    @property
    def is_compact(self) -> bool:
        """Whether it takes codes; otherwise floats."""
        return self.observation_space.dtype == np.uint8

    @property
    def device(self) -> torch.device:
        """Where the weights are; before there are any, where they are made."""
        first = next(self.parameters(), None)
        return torch.get_default_device() if first is None else first.device

    def obs_to_tensor(self, observation: Any) -> tuple[Any, bool]:
        """Observations as a tensor, whatever numbers they are of, and whether there were several."""
        seen, several = super().obs_to_tensor(observation)
        return seen if self.is_compact else seen.float(), several  # pyright: ignore[reportAttributeAccessIssue]

    def extract_features(self, obs: Any, features_extractor: BaseFeaturesExtractor | None = None) -> torch.Tensor:
        """Features of observations as they are: SB3 would make floats of codes first."""
        return self.features_extractor(obs)

    # ------------------------------------------------------------------------------------------------ judging

    def judge(self, obs: torch.Tensor, masks: Any = None) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (n, actions) and values (n, 1) of observations.

        With masks (n, actions), rows of actions that are not legal are not looked at: their logits mean nothing.
        """
        for_policy, for_value = self.mlp_extractor(self.extract_features(obs))
        return self._logits(obs, for_policy, masks), self.value_net(for_value)

    def _logits(self, obs: torch.Tensor, for_policy: torch.Tensor, masks: Any) -> torch.Tensor:
        logits = self.action_net(for_policy)
        if self.rows is None:
            return logits
        if masks is None:
            legal = torch.ones(logits.shape, dtype=torch.bool, device=logits.device)
        else:
            legal = torch.as_tensor(masks, dtype=torch.bool, device=logits.device).reshape(logits.shape)
        length, context = self.rows.length, self.rows.context
        return logits + self.rows(obs[:, :length], for_policy[:, :context], legal)

    def _choice(self, logits: torch.Tensor, masks: Any) -> Choice:
        choice: Any = self.action_dist.proba_distribution(action_logits=logits)
        choice.apply_masking(masks)
        return choice

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions (n,), values (n, 1), and the logarithm of the chance of each action (n,)."""
        logits, values = self.judge(obs, action_masks)
        choice = self._choice(logits, action_masks)
        actions = choice.get_actions(deterministic=deterministic)
        return actions, values, choice.log_prob(actions)

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Values (n, 1), the logarithm of the chance of each of these actions (n,), and the entropy (n,)."""
        logits, values = self.judge(obs, action_masks)
        choice = self._choice(logits, action_masks)
        return values, choice.log_prob(actions), choice.entropy()

    def get_distribution(self, obs: Any, action_masks: Any = None) -> Choice:
        """The choice of an action, without values."""
        for_policy = self.mlp_extractor.forward_actor(self.extract_features(obs))
        return self._choice(self._logits(obs, for_policy, action_masks), action_masks)

    # ------------------------------------------------------------------------------------------------ making

    def _build_mlp_extractor(self) -> None:
        if not self.lookahead:
            return super()._build_mlp_extractor()
        made = LayersAfterFork(self.features_dim, self._actions, self.net_arch, self.activation_fn, self.device)
        self.mlp_extractor = made

    def _build(self, lr_schedule: Any) -> None:
        self.action_dist = Choice(self._actions)
        super()._build(lr_schedule)
        if self.lookahead:
            self.action_net = ScoredActions(self.mlp_extractor.latent_dim_pi, self._actions, self.lookahead)
        self.rows: RowLayers | None = None
        if self.row_widths:
            assert self.game is not None
            context = self.mlp_extractor.latent_dim_pi - getattr(self.mlp_extractor, "past", 0)
            self.rows = RowLayers(self.game, context, self.row_widths, self.is_compact)
            own: Any = self.action_net.weight
            nn.init.orthogonal_(own, 0.01)  # what single actions have of their own begins small
        if self.row_widths or self.lookahead:
            rate: dict[str, Any] = {"lr": lr_schedule(1), **self.optimizer_kwargs}
            self.optimizer = self.optimizer_class(self.parameters(), **rate)

    @property
    def _actions(self) -> int:
        return int(self.action_space.n)  # pyright: ignore[reportAttributeAccessIssue]

    def _get_constructor_parameters(self) -> dict[str, Any]:
        ours = {"rows": self.row_widths, "game": self.game, "lookahead": self.lookahead}
        return {**super()._get_constructor_parameters(), **ours}


def _check_rows(rows: Any, game: Any) -> None:
    """Raise ValueError for widths that are none, or a game that is none or missing."""
    if not isinstance(rows, Sequence) or not all(type(width) is int and width > 0 for width in rows):
        raise ValueError(f"rows: {rows!r} is no list of widths of layers; expected for example [128]")
    if rows and not isinstance(game, Game):
        raise ValueError(f"game: {game!r} is no game whose actions have rows; expected envs.batch.game")
    if rows and not game.action_rows:
        raise ValueError(f"rows: {game.spec.name} declares no rows of actions; expected []")


def _check_layers(space: Any, net_arch: Any, extractor: Any) -> None:
    """Raise ValueError for layers that SB3 would leave out in silence, and for codes that nothing would decode."""
    if isinstance(net_arch, dict) and (strange := set(net_arch) - {"pi", "vf"}):
        raise ValueError(f"net_arch: there is no {min(strange, key=str)!r}; expected pi and vf")
    if space.dtype == np.uint8 and extractor is not SharedLayers:
        raise ValueError(
            'observation="compact" is for the layers of `policy_arguments`; expected environments without it'
        )


def policy_arguments(network: Network, game: Game) -> dict[str, Any]:
    """The arguments of `AgentPolicy` for a network in a game."""
    return {
        "net_arch": {"pi": list(network.policy), "vf": list(network.value)},
        "activation_fn": ACTIVATIONS[network.activation],
        "features_extractor_class": SharedLayers,
        "features_extractor_kwargs": {
            "widths": list(network.shared),
            "activation": network.activation,
            "scored": game.actions.size if network.lookahead else 0,
            "layout": game.features,
        },
        "rows": tuple(network.rows),
        "game": game if network.rows else None,
        "lookahead": network.lookahead,
        "optimizer_kwargs": {"eps": 1e-5, "fused": True},  # SB3's own eps, and one pass over the weights
    }


def make_policy(game: Game, network: Network, ortho_init: bool = False) -> AgentPolicy:
    """A policy for inference that takes compact observations, weights not yet loaded. Leaves torch's generator as it
    was.

    With `ortho_init` the weights are those that training begins with.
    """
    with torch.random.fork_rng(devices=[]):
        policy = AgentPolicy(
            observation_space(game, network.lookahead > 0, "compact"),
            spaces.Discrete(game.actions.size),
            lr_schedule=lambda _: 0.0,
            ortho_init=ortho_init,
            **policy_arguments(network, game),
        )
    policy.set_training_mode(False)
    return policy


@torch.inference_mode()
def log_chances(policy: AgentPolicy, observations: np.ndarray, masks: np.ndarray) -> torch.Tensor:
    """The logarithm of the chance of each action (n, actions), very low where it is not legal."""
    seen = torch.from_numpy(np.ascontiguousarray(observations)).to(policy.device)
    choice = policy.get_distribution(seen, masks)
    assert isinstance(choice, Choice)
    return choice.log_chances.cpu()


def act(
    policy: AgentPolicy, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator | None = None
) -> np.ndarray:
    """The likeliest legal actions, int64 (n,); with `rng`, actions drawn from the policy by that generator."""
    scores = log_chances(policy, observations, masks).numpy()
    if rng is not None:
        scores = scores + rng.gumbel(size=scores.shape)  # the largest of these is a draw from the softmax
    return np.where(masks > 0, scores, -np.inf).argmax(axis=1)


def probabilities(policy: AgentPolicy, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """How likely the policy would choose each action, float64 (n, actions), zero where it is not legal."""
    chances = np.where(masks > 0, log_chances(policy, observations, masks).exp().numpy().astype(np.float64), 0.0)
    return chances / chances.sum(1, keepdims=True)
