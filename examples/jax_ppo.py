"""PPO with action masks written in JAX and nothing else, on `JaxBatch`.

    python examples/jax_ppo.py

Needs the extra `jax`. Games are played by compiled code outside of JAX, which takes over what they gave
without a copy; deciding and learning are two jitted functions. It learns from the observation alone, and from points as
they are made (`shaping`). Beside a plain layer, the layers of `judged` look at each action by the entries of the
observation that the action is about (`game.action_rows`). Before it has learnt anything and at the end it plays against
the random and the greedy player. `cleanrl_ppo.py` is the same in PyTorch.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.training.rating.evaluate import Result, evaluate, table
from theogony.wrappers.jax_batch import JaxBatch, Step

EPOCHS, MINIBATCHES, CLIP, VALUE_COEF, ENTROPY_COEF = 3, 9, 0.2, 8.0, 0.003  # rewards are small numbers
GAMMA, GAE_LAMBDA, MAX_GRAD_NORM = 1.0, 0.7, 0.5
B1, B2, EPSILON = 0.9, 0.999, 1e-5  # of Adam
SHAPED = ("points", "margin", "progress")  # rewards that grow while a game goes on

ROOM = 256  # the number of views that a learnt player decides at once is rounded up to a multiple
LOOK = 100  # decisions in each game before learning
ROUND = 16  # numbers of legal actions are rounded up to a multiple

Params = dict[str, Any]
Most = tuple[int, ...]


class Decided(NamedTuple):
    """Decisions of the agent in all games."""

    actions: jax.Array
    logprobs: jax.Array
    values: jax.Array


class Kind(NamedTuple):
    """A kind of action: its first action, and the places (actions of the kind, k) in the observation of what each is
    about; -1 is the place of a zero behind the observation."""

    first: int
    places: np.ndarray


class Network:
    """A shared layer, a policy and a value over it, and layers over the rows of each kind of action."""

    def __init__(self, game: Game, width: int, row_width: int) -> None:
        self.inputs, self.actions, self.width, self.row_width = (
            game.features.length,
            game.actions.size,
            width,
            row_width,
        )
        rows = game.action_rows if row_width else {}
        self.kinds = {name: Kind(game.actions.first[name], each.places) for name, each in rows.items()}
        self.every: Most = tuple(len(kind.places) for kind in self.kinds.values())

    def begin(self, seed: int) -> Params:
        """The parameters before learning, drawn so that all actions are nearly equal."""
        width, row = self.width, self.row_width
        sizes = {"body": (self.inputs, width, 2**0.5), "policy": (width, self.actions, 0.01)}
        sizes |= {"critic": (width, 128, 2**0.5), "value": (128, 1, 1.0)}
        for name, kind in self.kinds.items():
            sizes[f"{name} row"] = kind.places.shape[1], row, 2**0.5
            sizes |= {f"{name} context": (width, 2 * row, 0.1), f"{name} last": (row, 1, 0.1)}
        draw = np.random.default_rng(seed)  # by NumPy: JAX would compile each size
        return {
            name: {"w": jnp.asarray(draw.normal(0, gain / inputs**0.5, (inputs, n)), "f4"), "b": jnp.zeros(n)}
            for name, (inputs, n, gain) in sizes.items()
        }

    def most(self, masks: Any, before: Most = ()) -> Most:
        """For each kind how many actions are legal at once, at most, in these masks and before: arrays of JAX have a
        fixed size. Rounded up, as each other number is compiled anew."""
        masks, found = np.asarray(masks), []
        for kind in self.kinds.values():
            legal = masks[:, kind.first : kind.first + len(kind.places)].sum(1).max()
            found.append(min(len(kind.places), -(-int(legal) // ROUND) * ROUND))
        return tuple(map(max, found, before or found))

    def __call__(
        self, params: Params, observations: jax.Array, masks: jax.Array, most: Most
    ) -> tuple[jax.Array, jax.Array]:
        """Log-probabilities (n, actions), next to none where an action is not legal, and values (n,)."""
        hidden = jax.nn.relu(layer(params["body"], observations))
        logits, seen = layer(params["policy"], hidden), jnp.pad(observations, ((0, 0), (0, 1)))
        row = jnp.arange(len(seen))[:, None]
        for (name, kind), count in zip(self.kinds.items(), most, strict=True):
            kind_masks = masks[:, kind.first : kind.first + len(kind.places)]
            legal = jax.lax.top_k(kind_masks.astype(jnp.int8), count)[1]  # the legal ones, and others behind them
            rows = seen[row[..., None], jnp.asarray(kind.places)[legal]]
            logits = logits.at[row, kind.first + legal].add(judged(params, name, rows, hidden))
        value = layer(params["value"], jax.nn.relu(layer(params["critic"], hidden)))
        return jax.nn.log_softmax(jnp.where(masks, logits, -1e8)), value[:, 0]


def layer(params: Params, inputs: jax.Array) -> jax.Array:
    """A plain layer."""
    return inputs @ params["w"] + params["b"]


def judged(params: Params, name: str, rows: jax.Array, hidden: jax.Array) -> jax.Array:
    """What rows (n, actions, k) say of the actions of a kind; what is on the table decides what counts in a row."""
    factor, shift = jnp.split(layer(params[f"{name} context"], hidden)[:, None], 2, 2)
    return layer(params[f"{name} last"], jax.nn.relu(layer(params[f"{name} row"], rows) * (1 + factor) + shift))[..., 0]


@partial(jax.jit, static_argnums=(0, 1))
def decide(network: Network, most: Most, params: Params, seen: Step, key: jax.Array) -> Decided:
    """Draw an action in every game."""
    policy, values = network(params, seen.observations, seen.masks, most)
    actions = jax.random.categorical(key, policy)
    return Decided(actions, jnp.take_along_axis(policy, actions[:, None], 1)[:, 0], values)


@partial(jax.jit, static_argnums=(0, 1))
def best(network: Network, most: Most, params: Params, observations: jax.Array, masks: jax.Array) -> jax.Array:
    """The likeliest action in every game."""
    return network(params, observations, masks, most)[0].argmax(1)


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


def loss(params: Params, network: Network, most: Most, rows: dict[str, jax.Array]) -> jax.Array:
    """PPO's loss of a minibatch."""
    policy, values = network(params, rows["observations"], rows["masks"], most)
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


@partial(jax.jit, static_argnums=(0, 1))
def update(
    network: Network,
    most: Most,
    params: Params,
    moments: tuple,
    seen: list[Step],
    decided: list[Decided],
    key: jax.Array,
    rate: float,
) -> tuple[Params, tuple]:
    """Several passes over a rollout in minibatches. `seen` ends with what was seen after the last decision."""
    views, made = (jax.tree.map(lambda *leaves: jnp.stack(leaves), *steps) for steps in (seen, decided))
    last_values = network(params, seen[-1].observations, seen[-1].masks, most)[1]
    advantages = advantages_of(jax.tree.map(lambda leaf: leaf[1:], views), made, last_values)
    data = {"observations": views.observations[:-1], "masks": views.masks[:-1], "actions": made.actions}
    data |= {"logprobs": made.logprobs, "advantages": advantages, "returns": advantages + made.values}
    flat = jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[2:]), data)

    def learn(carried: tuple, rows: jax.Array) -> tuple:
        params, moments = carried
        gradient = jax.grad(loss)(params, network, most, jax.tree.map(lambda leaf: leaf[rows], flat))
        return adam(params, moments, gradient, jnp.asarray(rate)), None

    count = len(flat["actions"])
    orders = [jax.random.permutation(one, count) for one in jax.random.split(key, EPOCHS)]
    used = count // MINIBATCHES * MINIBATCHES  # minibatches are of one size
    rows = jnp.stack(orders)[:, :used].reshape(EPOCHS * MINIBATCHES, -1)
    return jax.lax.scan(learn, (params, moments), rows)[0]


def train(game: Game, network: Network, settings: argparse.Namespace) -> Params:
    """The parameters of an agent that has played `total_steps` decisions."""
    reward = settings.reward or game.learning_reward
    shaping = settings.shaping or (reward if reward in SHAPED else "none")
    given: dict[str, Any] = {"opponents": settings.opponents, "reward": reward, "shaping": shaping}
    envs, params = JaxBatch(game, settings.num_envs, observation="float", **given), network.begin(settings.seed)
    print(f"before learning\n{table(play(game, network, params, settings))}", flush=True)
    moments = jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params), jnp.zeros(())
    key = jax.random.key(settings.seed + 1)
    most = looked_around(network, envs, key)
    now = envs.reset(settings.seed)
    updates = max(1, settings.total_steps // (settings.n_steps * settings.num_envs))
    started = time.perf_counter()
    for number in range(updates):
        key, shuffled, *keys = jax.random.split(key, settings.n_steps + 2)
        seen, decided = [now], []
        for one in keys:
            decided.append(decide(network, most, params, seen[-1], one))
            seen.append(envs.step(decided[-1].actions))
            most = network.most(seen[-1].masks, most)
        rate = settings.learning_rate * (1 - number / updates)
        params, moments = update(network, most, params, moments, seen, decided, shuffled, rate)
        now = seen[-1]
        if number % 20 == 19:
            steps = (number + 1) * settings.n_steps * settings.num_envs
            print(f"{steps:>9,} steps, {steps / (time.perf_counter() - started):,.0f} a second", flush=True)
    return params


def looked_around(network: Network, envs: JaxBatch, key: jax.Array) -> Most:
    """How many actions of each kind are legal at once in games played at random, so that little is compiled later."""
    now, most = envs.reset(0), network.most(np.zeros((1, network.actions), bool))
    for one in jax.random.split(key, LOOK):
        most = network.most(now.masks, most)
        now = envs.step(jax.random.categorical(one, jnp.where(now.masks, 0.0, -jnp.inf)))
    return most


def play(game: Game, network: Network, params: Params, settings: argparse.Namespace) -> list[Result]:
    """How the likeliest actions do against the random and the greedy player, seats rotated."""

    def learnt(observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        n = len(observations)
        room = ((0, -n % ROOM), (0, 0))  # each other number of games would be compiled anew
        filled = np.pad(observations, room), np.pad(masks > 0, room)
        return np.asarray(best(network, network.every, params, *filled))[:n]

    player = make_player(learnt, game)
    return [evaluate(player, other, game, settings.eval_games, settings.seed + 1) for other in ("random", "greedy")]


def main(arguments: list[str] | None = None) -> list[Result]:
    """Train, then play against the random and the greedy player; prints and returns how that went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="push_of_faith")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--reward", help="by default the one that the game is learnt from soonest")
    parser.add_argument("--shaping", help="paid out as it changes; by default the same, if it can be, or none")
    parser.add_argument("--num-envs", type=int, default=64)
    parser.add_argument("--n-steps", type=int, default=36, help="decisions in each game between two updates")
    parser.add_argument("--total-steps", type=int, default=500_000)
    parser.add_argument("--learning-rate", type=float, default=1e-3, help="at the beginning; it falls to nothing")
    parser.add_argument("--width", type=int, default=256, help="of the shared layer")
    parser.add_argument("--row-width", type=int, default=128, help="of the layers over rows of actions; 0: without")
    parser.add_argument("--eval-games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    settings = parser.parse_args(arguments)
    game = load(settings.game).configure({})
    network = Network(game, settings.width, settings.row_width)
    results = play(game, network, train(game, network, settings), settings)
    print(f"after {settings.total_steps:,} decisions\n{table(results)}")
    return results


if __name__ == "__main__":
    main()
