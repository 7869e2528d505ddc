"""`SingleAgentEnv`: one seat of an AEC environment, or a whole team, as a Gymnasium environment."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Mapping
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from theogony.envs.core.actions import IllegalAction, action_id
from theogony.envs.core.aec import GameEnv
from theogony.envs.core.arguments import seat_number
from theogony.envs.core.batches.arguments import checked_actions
from theogony.envs.core.contract import BegunByReset, illegal_option
from theogony.envs.core.kernels import pick
from theogony.envs.core.players import KernelPlay, Player, Views, in_kernel
from theogony.envs.core.rng import below, seed_bits, uniform
from theogony.envs.core.rows import Rows
from theogony.envs.core.thinking.opponents import Opponent, OpponentSpec, parse_opponents
from theogony.envs.core.thinking.player_rng import lent
from theogony.envs.core.thinking.views import one_episode
from theogony.wrappers.time_limit import CopiesWithEnv, clone_env

TRIES = 1000  # games that may end before the learner's first decision, one after the other


class LegalActions(spaces.Discrete):
    """All actions, of which `sample()` draws one that is legal now, as long as a game is running."""

    legal: np.ndarray | None = None  # the mask, int8 (n,)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """An action: by `mask` or `probability` where one is given, else a legal one."""
        if mask is None and probability is None and self.legal is not None and self.legal.any():
            mask = self.legal
        return super().sample(mask, probability)


class SingleAgentEnv(BegunByReset, CopiesWithEnv, gymnasium.Env[np.ndarray, Any]):
    """One seat of any AEC environment with action masks, ours or PettingZoo's.

    Args:
        env: every agent has the same observation space, a Dict with "observation" (and "action_mask", unless the mask
            is in the info) or a plain space, and the same Discrete action space.
        seat: the learner's index in `possible_agents`, or "random": drawn for each episode from the seed; or "all":
            the learner decides for every seat, in a cooperative game of ours, where all get the same reward; or a tuple
            of seats, for which several learners decide: `seat` is then the one that is due, and the reward its own.
        opponents: who plays the others, see `theogony.envs.core.thinking.opponents`;
            in other environments than ours "random", policies, and players that need no positions.
        illegal: what an illegal action does: "raise" IllegalAction, or play a "random" legal one instead.

    An observation is flat, and `action_space.sample()` draws a legal action. The reward is everything the learner's
    seat gets until its next decision or until it is out. Infos have `action_mask` int8 (actions,), one everywhere when
    no decision follows, `seat` (with seat="all" the one that decides), `illegal_actions` (of this episode), and what
    the environment tells; in our games also `score`, which is 0 until the end.

    >>> import theogony
    >>> env = SingleAgentEnv(theogony.make("push_of_faith"), seat=0, opponents="greedy")
    >>> observation, info = env.reset(seed=7)
    >>> info["seat"]
    0
    >>> observation, reward, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
    """

    from_reset = frozenset(("seat", "agent", "illegal_actions", "_mask", "_players"))

    def __init__(
        self,
        env: AECEnv[str, Any, Any],
        seat: int | tuple[int, ...] | Literal["random", "all"] = "random",
        opponents: OpponentSpec = "random",
        illegal: Literal["raise", "random"] = "raise",
    ) -> None:
        if not isinstance(env, AECEnv):
            raise TypeError(f"expected an AEC environment, such as theogony.make gives, not {env!r:.60}")
        agents = env.possible_agents
        team = isinstance(env.unwrapped, GameEnv) and env.unwrapped.game.spec.cooperative
        if seat == "all" and not team:
            raise ValueError(
                f'seat="all" is for the cooperative games of theogony: in {env} seats get different rewards'
            )
        if isinstance(seat, tuple):
            seat = tuple(_one_seat(one, len(agents), "") for one in seat)
        elif seat not in ("random", "all"):
            seat = _one_seat(seat, len(agents), ', "random" or "all"' if team else ' or "random"')
        self.env = env
        several = range(len(agents)) if seat == "all" else seat if isinstance(seat, tuple) else ()
        self._several = frozenset(agents[one] for one in several)
        self.seat_option, self.illegal = seat, illegal_option(illegal)
        game = env.unwrapped.game if isinstance(env.unwrapped, GameEnv) else None
        self.set_opponents(opponents)
        self._kernel = None if game is None else KernelPlay(game)
        self._inner_space = _common_space(env, agents)
        self.observation_space: spaces.Space[Any] = spaces.flatten_space(self._inner_space)
        self.action_space: spaces.Discrete = LegalActions(int(_common_actions(env, agents).n))
        modes = env.metadata.get("render_modes", [])
        self.metadata: dict[str, Any] = {"render_modes": list(modes), "render_fps": env.metadata.get("render_fps", 2)}
        self.render_mode: str | None = getattr(env, "render_mode", None)
        self._stream = np.zeros(1, np.uint64)  # chance of the players inside, drawn anew at each reset
        self._playing = False

    @property
    def action_rows(self) -> Mapping[str, Rows]:
        """By kind of action, the places of the flat observation that each action is about; of environments that
        are not of this project, none."""
        return self.env.unwrapped.action_rows if isinstance(self.env.unwrapped, GameEnv) else {}

    @property
    def opponents(self) -> OpponentSpec:
        """Who plays the other seats, as (weight, player); setting it takes effect in games that begin later."""
        return [(opponent.weight, opponent.player) for opponent in self._opponents]

    @opponents.setter
    def opponents(self, spec: OpponentSpec) -> None:
        self.set_opponents(spec)

    def set_opponents(self, spec: OpponentSpec) -> None:
        """Other opponents, in games that begin later. Raises PlayerError."""
        game = self.env.unwrapped.game if isinstance(self.env.unwrapped, GameEnv) else None
        self._opponents: list[Opponent] = parse_opponents(spec, game)

    # ------------------------------------------------------------------------------------------------ play

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a new game and play it on to the learner's first decision."""
        super().reset(seed=None if seed is None else seed_bits(seed))
        self._playing = False
        for _ in range(TRIES):
            self._begin(options)
            observation, _, ended, cut_off, info = self._run_on()
            if not (ended or cut_off):
                self._playing = True
                self._begun()
                return observation, info
        raise RuntimeError(f"{TRIES} games in a row ended before the first decision of seat {self.seat}")

    def _begin(self, options: dict[str, Any] | None) -> None:
        self.env.reset(seed=int(self.np_random.integers(2**31)), options=options)
        self._stream[0] = self.np_random.integers(2**64, dtype=np.uint64)
        agents = self.env.possible_agents
        own = self.seat_option
        first = min(own) if isinstance(own, tuple) else 0 if own == "all" else own
        self.seat: int = int(below(self._stream, len(agents)) if first == "random" else first)
        self.agent: str = agents[self.seat]
        others = [agent for agent in agents if agent not in (self._several or {self.agent})]
        self._players = {agent: self._draw_opponent() for agent in others}
        self.illegal_actions: int = 0
        self._episode_id = secrets.randbits(63)

    def _draw_opponent(self) -> Player:
        left = uniform(self._stream)
        for opponent in self._opponents[:-1]:
            left -= opponent.weight
            if left < 0:
                return opponent.player
        return self._opponents[-1].player

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """One decision of the learner; then the others play until it is the learner's turn again or its game is over.

        Raises IllegalAction, with the game as it was, when `illegal="raise"`. When an opponent fails, its error comes
        through and the game stands half-way, at a decision that is not the learner's: from then on `step` raises
        RuntimeError, until `reset` or `undo`.
        """
        if not self._playing:
            raise RuntimeError("call reset() first: no game waits for a decision")
        chosen = self._legal(action)
        self._playing = False
        self.env.step(chosen)
        result = self._run_on()
        self._playing = not (result[2] or result[3])
        return result

    def undo(self) -> tuple[np.ndarray, dict[str, Any]]:
        """Go back to the learner's last decision, in games of this project. Returns observation and info.

        Raises ValueError where there is no such decision.
        """
        inner = self.env.unwrapped
        if not isinstance(inner, GameEnv):
            raise ValueError(f"{self.env} cannot go back: only games of theogony can")
        states, now = inner.position.states, inner.position.now
        own = [k for k in range(now) if self.seat_option == "all" or int(states[k].actor) == self.seat]
        if not own:
            raise ValueError("there is no decision of yours to take back")
        for _ in range(now - own[-1]):
            self.env.undo()  # pyright: ignore[reportAttributeAccessIssue]  # so that wrappers hear of it
        observation, _, _, _, info = self._run_on()
        self._playing = True
        return observation, info

    def _legal(self, action: Any) -> int:
        """The action if it is legal, or what is played in its place."""
        number = action_id(action)
        if 0 <= number < len(self._mask) and self._mask[number]:
            return number
        if self.illegal == "raise":
            legal = np.flatnonzero(self._mask).tolist()
            said = f"action {number} is not legal for {self.agent}; legal: {legal}"
            if isinstance(self.env.unwrapped, GameEnv):
                said = str(self.env.unwrapped.position.illegal(number))
            masked = "choose by the masks, in Stable-Baselines3 with MaskablePPO and MaskableEvalCallback"
            raise IllegalAction(f'{said}; {masked}; illegal="random" plays a legal one instead', number, legal)
        self.illegal_actions += 1
        return pick(self._mask, len(self._mask), self._stream)

    def _run_on(self) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Let the others play until the learner is to decide or out."""
        while True:
            view, reward, terminated, truncated, info = self.env.last()
            dead = terminated or truncated
            if self.env.agent_selection in self._several:  # the learner plays the seat that decides
                self.agent = self.env.agent_selection
                self.seat = self.env.possible_agents.index(self.agent)
            if self.env.agent_selection == self.agent:
                break
            self._step_other(None if dead else self._decide(view, info))
        mask = _mask_of(view, info)
        self._mask = np.ones(self.action_space.n, np.int8) if dead else mask  # pyright: ignore[reportAttributeAccessIssue]
        self.action_space.legal = self._mask  # pyright: ignore[reportAttributeAccessIssue]
        info = {**info, "action_mask": self._mask.copy(), "seat": self.seat, "illegal_actions": self.illegal_actions}
        if isinstance(inner := self.env.unwrapped, GameEnv):
            info["score"] = inner.scores()[self.agent] if inner.position.over else 0.0
        return self._flat(view), float(reward), bool(terminated), bool(truncated), info

    def _step_other(self, action: int | None) -> None:
        """One step of an opponent. Raises IllegalAction without what is legal: that is no business of the learner's."""
        who = self.env.agent_selection
        try:
            self.env.step(action)
        except IllegalAction:
            raise IllegalAction(f"the opponent {who} chose action {action}, which is not legal", action) from None

    def _flat(self, view: Any) -> np.ndarray:
        inner = view["observation"] if isinstance(view, dict) and "observation" in view else view
        return np.asarray(spaces.flatten(self._inner_space, inner))

    def _decide(self, view: Any, info: dict[str, Any]) -> int:
        """The action of the opponent that is to act."""
        agent, mask = self.env.agent_selection, _mask_of(view, info)
        player, inner = self._players[agent], self.env.unwrapped
        position = inner.position if isinstance(inner, GameEnv) else None
        inside = in_kernel(player)
        if inside is not None and position is not None and self._kernel is not None:
            return self._kernel.choose(position, inside.greed, self._stream, inside.net)
        if inside is not None:  # random: no other is played in a kernel and needs no positions
            return pick(mask, len(mask), self._stream)
        if position is not None:
            views = Views.at(position)
        else:  # of a game of another project, what is seen
            seats = np.array([self.env.possible_agents.index(agent)], np.int8)
            views = Views(self._flat(view)[None], mask[None], seats, namer=one_episode(self._episode_id))
        with lent(self.np_random) as rng:
            return int(checked_actions(player.act(views, rng), 1, f"the opponent {agent}")[0])

    # ------------------------------------------------------------------------------------------------ views and copies

    def action_masks(self) -> np.ndarray:
        """What the learner may do, bool (actions,)."""
        return self._mask.astype(bool)

    def render(self) -> Any:
        """The picture of the environment inside, by its `render_mode`."""
        return self.env.render()

    def close(self) -> None:
        """Close the environment inside."""
        self.env.close()

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "_mask" in state:
            self._begun()

    def clone(self) -> SingleAgentEnv:
        """An independent copy in mid-game; it shares the players."""
        other = copy.copy(self)
        other.env = clone_env(self.env)
        other.action_space = copy.deepcopy(self.action_space)
        other._stream = self._stream.copy()
        other._episode_id = secrets.randbits(63)
        other._np_random = copy.deepcopy(self._np_random)
        return other


def _one_seat(seat: Any, players: int, others: str) -> int:
    """The number of a seat. Raises ValueError."""
    try:
        return seat_number(seat, players)
    except ValueError:
        raise ValueError(f"seat={seat!r:.60} is not 0 to {players - 1}{others}") from None


def _common_space(env: AECEnv[str, Any, Any], agents: list[str]) -> spaces.Space:
    """The observation space of all agents, without the mask. Raises ValueError when they differ."""
    found = [env.observation_space(agent) for agent in agents]
    if any(space != found[0] for space in found[1:]):
        raise ValueError(f"the agents of {env} have different observation spaces")
    inner = found[0]
    return inner["observation"] if isinstance(inner, spaces.Dict) and "observation" in inner.spaces else inner


def _common_actions(env: AECEnv[str, Any, Any], agents: list[str]) -> spaces.Discrete:
    found = [env.action_space(agent) for agent in agents]
    if any(space != found[0] for space in found) or not isinstance(found[0], spaces.Discrete) or found[0].start != 0:
        raise ValueError(f"the agents of {env} need one Discrete action space that begins at 0, not {found[0]}")
    return spaces.Discrete(found[0].n)


def _mask_of(view: Any, info: dict[str, Any]) -> np.ndarray:
    """The action mask in an observation, or else in the info. Raises ValueError when there is none."""
    mask = view.get("action_mask") if isinstance(view, dict) else None
    if mask is None:
        mask = info.get("action_mask")
    if mask is None:
        raise ValueError("the environment has no action masks, neither in its observations nor in its infos")
    return np.ascontiguousarray(mask, np.int8)
