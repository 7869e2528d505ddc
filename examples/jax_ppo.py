"""PPO with action masks written in JAX and nothing else, on `JaxBatch`.

    python examples/jax_ppo.py

Needs the extra `jax`. Games are played by compiled code outside of JAX, which takes over what they gave
without a copy; deciding and learning are two jitted functions. At the end it plays against a random player.
"""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.training.rating.evaluate import Result, evaluate, table
from theogony.wrappers.jax_batch import JaxBatch, Step

EPOCHS, MINIBATCHES, CLIP, VALUE_COEF, ENTROPY_COEF = 4, 4, 0.2, 0.5, 0.005
GAMMA, GAE_LAMBDA, MAX_GRAD_NORM = 1.0, 0.95, 0.5
B1, B2, EPSILON = 0.9, 0.999, 1e-5  # of Adam

Params = dict[str, Any]


class Decided(NamedTuple):
    """Decisions of the agent in all games."""

    actions: jax.Array
    logprobs: jax.Array
    values: jax.Array


def make_params(game: Game, width: int, seed: int) -> Params:
    """Two shared layers, a policy and a value; every layer begins orthogonal."""
    sizes = {
        "first": (game.features.length, width, 2**0.5),
        "second": (width, width, 2**0.5),
        "policy": (width, game.actions.size, 0.01),
        "value": (width, 1, 1.0),
    }
    keys = jax.random.split(jax.random.key(seed), len(sizes))
    return {
        name: {"w": jax.nn.initializers.orthogonal(gain)(key, (inputs, outputs)), "b": jnp.zeros(outputs)}
        for key, (name, (inputs, outputs, gain)) in zip(keys, sizes.items(), strict=True)
    }


def network(params: Params, observations: jax.Array, masks: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Log-probabilities (n, actions) of the policy, next to none where an action is not legal, and values (n,)."""
    hidden = observations
    for name in ("first", "second"):
        hidden = jax.nn.relu(hidden @ params[name]["w"] + params[name]["b"])
    logits = jnp.where(masks, hidden @ params["policy"]["w"] + params["policy"]["b"], -1e8)
    return jax.nn.log_softmax(logits), (hidden @ params["value"]["w"] + params["value"]["b"])[:, 0]


@jax.jit
def decide(params: Params, seen: Step, key: jax.Array) -> Decided:
    """Draw an action in every game."""
    policy, values = network(params, seen.observations, seen.masks)
    actions = jax.random.categorical(key, policy)
    return Decided(actions, jnp.take_along_axis(policy, actions[:, None], 1)[:, 0], values)


@jax.jit
def best(params: Params, observations: jax.Array, masks: jax.Array) -> jax.Array:
    """The likeliest action in every game."""
    return network(params, observations, masks)[0].argmax(1)


def advantages_of(played: Step, decided: Decided, last_values: jax.Array) -> jax.Array:
    """Generalised advantage estimation over time, the first axis. Truncated games count as drawn."""

    def back(carried: tuple, now: tuple) -> tuple:
        following, next_values = carried
        step, values = now
        goes_on = 1.0 - step.last
        following = step.rewards + GAMMA * goes_on * (next_values + GAE_LAMBDA * following) - values
        return (following, values), following

    begin = jnp.zeros_like(last_values), last_values
    return jax.lax.scan(back, begin, (played, decided.values), reverse=True)[1]


def loss(params: Params, rows: dict[str, jax.Array]) -> jax.Array:
    """PPO's loss of a minibatch."""
    policy, values = network(params, rows["observations"], rows["masks"])
    logprobs = jnp.take_along_axis(policy, rows["actions"][:, None], 1)[:, 0]
    ratio, gain = jnp.exp(logprobs - rows["logprobs"]), rows["advantages"]
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    policy_loss = -jnp.minimum(gain * ratio, gain * ratio.clip(1 - CLIP, 1 + CLIP)).mean()
    value_loss = 0.5 * jnp.square(values - rows["returns"]).mean()
    entropy = -(jnp.exp(policy) * policy).sum(1).mean()
    return policy_loss + VALUE_COEF * value_loss - ENTROPY_COEF * entropy


def adam(params: Params, moments: tuple, gradient: Params, rate: jax.Array) -> tuple[Params, tuple]:
    """One step down a gradient that is cut to `MAX_GRAD_NORM`."""
    first, second, count = moments
    norm = jnp.sqrt(sum(jnp.square(leaf).sum() for leaf in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda g: g * jnp.minimum(1.0, MAX_GRAD_NORM / (norm + 1e-6)), gradient)
    count = count + 1
    first = jax.tree.map(lambda m, g: B1 * m + (1 - B1) * g, first, gradient)
    second = jax.tree.map(lambda v, g: B2 * v + (1 - B2) * g * g, second, gradient)

    def moved(p: jax.Array, m: jax.Array, v: jax.Array) -> jax.Array:
        return p - rate * (m / (1 - B1**count)) / (jnp.sqrt(v / (1 - B2**count)) + EPSILON)

    return jax.tree.map(moved, params, first, second), (first, second, count)


@jax.jit
def update(
    params: Params, moments: tuple, seen: list[Step], decided: list[Decided], key: jax.Array, rate: float
) -> tuple[Params, tuple]:
    """Several passes over a rollout in minibatches. `seen` ends with what was seen after the last decision."""
    views, made = (jax.tree.map(lambda *leaves: jnp.stack(leaves), *steps) for steps in (seen, decided))
    last_values = network(params, seen[-1].observations, seen[-1].masks)[1]
    advantages = advantages_of(jax.tree.map(lambda leaf: leaf[1:], views), made, last_values)
    data = {"observations": views.observations[:-1], "masks": views.masks[:-1], "actions": made.actions}
    data |= {"logprobs": made.logprobs, "advantages": advantages, "returns": advantages + made.values}
    flat = jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[2:]), data)

    def learn(carried: tuple, rows: jax.Array) -> tuple:
        params, moments = carried
        gradient = jax.grad(loss)(params, jax.tree.map(lambda leaf: leaf[rows], flat))
        return adam(params, moments, gradient, jnp.asarray(rate)), None

    orders = [jax.random.permutation(one, len(flat["actions"])) for one in jax.random.split(key, EPOCHS)]
    rows = jnp.stack(orders).reshape(EPOCHS * MINIBATCHES, -1)
    return jax.lax.scan(learn, (params, moments), rows)[0]


def train(game: Game, settings: argparse.Namespace) -> Params:
    """The parameters of an agent that has played `total_steps` decisions."""
    reward = settings.reward or game.learning_reward
    envs = JaxBatch(game, settings.num_envs, opponents=settings.opponents, reward=reward, observation="float")
    params = make_params(game, settings.width, settings.seed)
    moments = jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params), jnp.zeros(())
    key, now = jax.random.key(settings.seed + 1), envs.reset(settings.seed)
    updates = max(1, settings.total_steps // (settings.n_steps * settings.num_envs))
    for number in range(updates):
        key, shuffled, *keys = jax.random.split(key, settings.n_steps + 2)
        seen, decided = [now], []
        for one in keys:
            decided.append(decide(params, seen[-1], one))
            seen.append(envs.step(decided[-1].actions))
        rate = settings.learning_rate * (1 - number / updates)
        params, moments = update(params, moments, seen, decided, shuffled, rate)
        now = seen[-1]
    return params


def main(arguments: list[str] | None = None) -> Result:
    """Train, then play against a random player; prints and returns how that went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="orbis")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--reward", help="by default the one that the game is learnt from soonest")
    parser.add_argument("--num-envs", type=int, default=64)
    parser.add_argument("--n-steps", type=int, default=18, help="decisions in each game between two updates")
    parser.add_argument("--total-steps", type=int, default=200_000)
    parser.add_argument("--learning-rate", type=float, default=3e-3)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--eval-games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    settings = parser.parse_args(arguments)
    game = load(settings.game).configure({})
    params = train(game, settings)

    def learnt(observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return np.asarray(best(params, observations, masks > 0))

    result = evaluate(make_player(learnt, game), "random", game, settings.eval_games, settings.seed + 1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
