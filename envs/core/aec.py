"""The PettingZoo AEC environment of any game. It checks by itself: PettingZoo's stock wrappers are not needed."""

from __future__ import annotations

import copy
import math
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Literal, overload

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.arguments import checked_viewer
from theogony.envs.core.contract import BegunByReset, check_reset_options
from theogony.envs.core.draw.style import PAGE, height_by_width
from theogony.envs.core.draw.svg import can_rasterise, rasterise
from theogony.envs.core.draw.viewers import Screen
from theogony.envs.core.features import ObservationForm, check_form
from theogony.envs.core.game import Game, GameSpec, OptionError, configured
from theogony.envs.core.position import RUNS, Position
from theogony.envs.core.record import ENDED, RUNNING
from theogony.envs.core.registry import load
from theogony.envs.core.rng import mix, seed_bits
from theogony.envs.core.rows import Rows

RENDER_MODES = ("human", "ansi", "rgb_array")
Observation = dict[str, np.ndarray]


def env_function(game: GameSpec | str) -> Callable[..., GameEnv]:
    """`env(reward=..., render_mode=..., render_seat=..., observation=..., **options)` of a game, for its
    `<game>_v<n>` module.

    `game` is a spec or the module that holds it.
    """
    spec = load(game) if isinstance(game, str) else game

    def env(
        *,
        reward: str | None = None,
        render_mode: str | None = None,
        render_seat: int | Literal["all"] | None = None,
        observation: str = "float",
        **options: Any,
    ) -> GameEnv:
        form = check_form(observation)
        return GameEnv(spec.configure(options), reward, render_mode, render_seat, form)

    env.__doc__ = (
        f"The AEC environment of {spec.title}; `options` are those of the game. Raises OptionError or ValueError."
    )
    return env


def without_parallel(module: str) -> Callable[[str], Any]:
    """The `__getattr__` of a `<game>_v<n>` module: says why it has no `parallel_env`, as PettingZoo's own often do."""

    def missing(name: str) -> Any:
        if name == "parallel_env":
            raise AttributeError(
                f"{module} has no parallel_env: seats decide one after another, and each must see what the last has "
                "done; pettingzoo.utils.turn_based_aec_to_parallel(env) gives the interface, one seat at a time"
            )
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return missing


class GameEnv(BegunByReset, AECEnv[str, Any, Any]):
    """One game of one spec, seat by seat.

    Args:
        game: a spec with its options in force.
        reward: "outcome" (default with two players), "rank" (default with more), "margin" or, where a game has them,
            "progress" or "points"; see docs/interface.md.
        render_mode: None, "human", "ansi" or "rgb_array".
        render_seat: the seat whose knowledge `render()` shows; None: what is public, "all": everything.
        observation: "float", or "compact" for uint8 codes; see docs/interface.md.

    An observation is `{"observation": float32 or uint8 (length,), "action_mask": int8 (actions,)}`; the mask is zero
    for seats that do not decide, and one everywhere when the game is over, where `step` takes None. An info is always
    `{"action_mask": int8 (actions,)}`: libraries batch infos, and some know no other key. Every call returns fresh
    arrays, but the infos, which are kept until the next step. `step` raises IllegalAction for an action that is not
    legal and leaves the game as it was. At the end `scores()` and `breakdown(agent)` tell what was scored, and why.
    """

    from_reset = frozenset(
        "agents num_agents agent_selection rewards terminations truncations infos position "
        "_cumulative_rewards _infos _mask_row _observation_row".split()
    )

    def __init__(
        self,
        game: Game,
        reward: str | None = None,
        render_mode: str | None = None,
        render_seat: int | Literal["all"] | None = None,
        observation: ObservationForm = "float",
    ) -> None:
        super().__init__()
        self.game = configured(game)
        spec = game.spec
        self.observation: ObservationForm = check_form(observation)
        self.reward: str = game.reward_of(reward)
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise OptionError(f"{spec.name}: render_mode={render_mode!r} is not one of {', '.join(RENDER_MODES)}")
        try:
            self.render_seat: int | Literal["all"] | None = checked_viewer(render_seat, game.players)
        except ValueError as error:
            raise OptionError(f"{spec.name}: render_seat={render_seat!r:.60}: {error}") from None
        self.render_mode = render_mode
        self.metadata: dict[str, Any] = {
            "name": f"{spec.name}_v{spec.version}",
            "render_modes": [mode for mode in RENDER_MODES if mode != "rgb_array" or can_rasterise()],
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.possible_agents: list[str] = [f"player_{seat}" for seat in range(game.players)]
        self._make_spaces()
        self._base_seed: int | None = None
        self._episode = 0
        self.render_width = PAGE  # of the pictures of "rgb_array", in pixels: 720 takes half the time
        self._shape: float | None = None  # of those pictures: height by width
        self._ready = False
        self._screen = Screen()

    def __repr__(self) -> str:
        """The game, its options and the decision that is due."""
        if not self._ready:
            return f"{self.game!r} before reset()"
        position = self.position
        due = "over" if position.over else f"decision {int(position.g.ply)}, {self.agent_selection} to decide"
        return f"{self.game!r} {due}"

    def _make_spaces(self) -> None:
        low, high = self.game.features.bounds(self.observation)
        actions = self.game.actions.size
        observation = spaces.Dict(
            {"observation": _box(low, high), "action_mask": spaces.Box(0, 1, (actions,), np.int8)}
        )
        self.observation_spaces: dict[str, spaces.Dict] = dict.fromkeys(self.possible_agents, observation)
        self.action_spaces: dict[str, spaces.Discrete] = dict.fromkeys(self.possible_agents, spaces.Discrete(actions))
        seats = self.game.players
        self.state_space: spaces.Box = _box(np.tile(low, seats), np.tile(high, seats))

    def observation_space(self, agent: str) -> spaces.Dict:
        """`Dict` of observation and action mask: one object, the same for every call and agent. Raises ValueError."""
        self._seat_of(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """`Discrete(actions)`; sample it with the action mask. Raises ValueError for another agent."""
        self._seat_of(agent)
        return self.action_spaces[agent]

    def _seat_of(self, agent: str) -> int:
        """The seat of an agent. Raises ValueError, which names the agents."""
        try:
            return self.possible_agents.index(agent)
        except ValueError:
            raise ValueError(f"there is no agent {agent!r:.60}, only {', '.join(self.possible_agents)}") from None

    # ------------------------------------------------------------------------------------------------ play

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. Without a seed the games after a seeded one follow from that seed.

        A seed is any integer, of which 64 bits count; TypeError otherwise.
        `options` are for other environments: here it has nothing to say. Raises OptionError for what it names.
        """
        check_reset_options(options, self.game)
        if seed is not None or self._base_seed is None:
            self._base_seed = secrets.randbits(63) if seed is None else seed_bits(seed)
            self._episode = 0
        game_seed = int(mix(np.uint64(self._base_seed), self._episode, 0))
        self._episode += 1
        if self._ready:
            self.position.reset(game_seed)
        else:
            self._use(Position(self.game, game_seed))
        self._revive()
        self._screen.follows = True
        self._follow()

    def _use(self, position: Position) -> None:
        """Play on this position from now on."""
        self.position = position
        self._observation_row = (position.codes if self.observation == "compact" else position.observation)[0]
        self._mask_row = position.mask[0]
        self._ready = True
        self._begun()

    def _revive(self) -> None:
        """Agents and their dictionaries as they are while a game runs (or has just ended)."""
        agents = self.possible_agents
        self.agents: list[str] = list(agents)
        self.rewards: dict[str, float] = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(agents, False)
        self._infos: dict[str, dict[str, Any]] = {}
        self._skip_agent_selection = None
        self.agent_selection: str = agents[self.position.actor]
        if self.position.over != RUNNING:
            self._finish()

    def step(self, action: Any) -> None:
        """One decision of `agent_selection`; None for an agent whose game has ended."""
        try:
            position = self.position
        except AttributeError:
            raise RuntimeError("call reset() before step()") from None
        status = position.status
        if status > RUNS:
            self._dead_step(action)
            return
        position.play(action)
        status = position.status
        self._infos = {}
        if status > RUNS:
            self._finish()
        else:
            self.agent_selection = self.possible_agents[status]
        if self.render_mode == "human":
            self._follow()

    def _finish(self) -> None:
        """The game is over: final rewards, once."""
        ended = self.position.over == ENDED
        rewards = self.position.rewards(self.reward)
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = float(rewards[seat])
            self._cumulative_rewards[agent] = float(rewards[seat])
            self.terminations[agent] = ended
            self.truncations[agent] = not ended
        self.agent_selection = self.agents[0]

    def _dead_step(self, action: Any) -> None:
        if not self.agents:
            raise IllegalAction("the game is over and every agent has left it: call reset()", action)
        if action is not None:
            said = f"the game is over: {self.agent_selection} takes no action but None, not {action!r}"
            raise IllegalAction(said, action)
        self._was_dead_step(None)

    # ------------------------------------------------------------------------------------------------ views

    @property
    def action_rows(self) -> Mapping[str, Rows]:
        """By kind of action, the places of the flat observation that each action is about (`envs/core/rows.py`)."""
        return self.game.action_rows

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """For every agent its action mask."""
        for agent in self.agents:
            self._info(agent)
        return self._infos

    @infos.setter
    def infos(self, value: dict[str, dict[str, Any]]) -> None:
        self._infos = value

    def _info(self, agent: str) -> dict[str, Any]:
        info = self._infos.get(agent)
        if info is None:
            info = self._infos[agent] = {"action_mask": self._mask_of(agent)}
        return info

    def scores(self) -> dict[str, float]:
        """The printed score of every agent. Raises RuntimeError before the end: it would tell what is hidden."""
        return dict(zip(self.possible_agents, self._ended().scores().tolist(), strict=False))

    def breakdown(self, agent: str) -> dict[str, Any]:
        """The reasons for the score of an agent; empty where a game tells none. Raises RuntimeError before the end."""
        seat, position, reasons = self._seat_of(agent), self._ended(), self.game.spec.breakdown
        return {} if reasons is None else dict(reasons(position.game, position.g)[seat])

    def _ended(self) -> Position:
        if self.position.over == RUNNING:
            raise RuntimeError("scores and the reasons for them are told when the game is over")
        return self.position

    def _mask_of(self, agent: str) -> np.ndarray:
        if self.position.status > RUNS:
            return np.ones_like(self._mask_row)  # no action is played any more, and no policy can draw one of nothing
        return self._mask_row.copy() if agent == self.agent_selection else np.zeros_like(self._mask_row)

    def observe(self, agent: str) -> Observation:
        """What an agent may know, at any time; its mask is zero when it does not decide. Raises ValueError."""
        if agent == self.agent_selection and self.position.status <= RUNS:
            return {"observation": self._observation_row.copy(), "action_mask": self._mask_row.copy()}
        seat = self._seat_of(agent)
        return {"observation": self._seen(seat), "action_mask": self._mask_of(agent)}

    def _seen(self, seat: int) -> np.ndarray:
        """A fresh observation of the kind that was asked for."""
        return self.game.features.in_form(self.position.observe_codes(seat), self.observation)

    @overload
    def last(self, observe: Literal[True] = True) -> tuple[Observation, float, bool, bool, dict[str, Any]]: ...
    @overload
    def last(self, observe: bool) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]: ...
    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, cumulative reward, terminated, truncated and info of the agent that is to act."""
        agent = self.agent_selection
        info = self._infos.get(agent)
        view: Observation | None = None
        if self.position.status <= RUNS:  # the game runs: `observe` and `_info`, written out because it is so frequent
            mask = self._mask_row
            if observe:
                view = {"observation": self._observation_row.copy(), "action_mask": mask.copy()}
            if info is None:
                info = self._infos[agent] = {"action_mask": mask.copy()}
        elif observe:
            view = self.observe(agent)
        return (
            view,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self._info(agent) if info is None else info,
        )

    def state(self) -> np.ndarray:
        """All seats' observations in a row, (players * length,), for central critics; valid after the end."""
        return np.concatenate([self._seen(seat) for seat in range(self.game.players)])

    def render(self) -> str | np.ndarray | None:
        """A text ("ansi") or a picture uint8 (height, width, 3) ("rgb_array"), of the same size in every position.

        "human" shows the game on a page in the browser, or prints it where there is no display. `reset`, `step` and
        `undo` do so by themselves, and a position that is shown already is not shown again.
        """
        spec, g = self.game.spec, self.position.g
        if self.render_mode == "ansi":
            return spec.render_text(self.position.game, g, checked_viewer(self.render_seat, self.game.players))
        if self.render_mode == "rgb_array":
            return rasterise(self.position.svg(self.render_seat), width=self.render_width, height=self._render_height())
        if self.render_mode == "human":
            self._screen.ask(self.position, self.render_seat)
        return None

    def _render_height(self) -> int:
        """The height of all pictures: that of a first position, with room for what grows; even, as films want it."""
        if self._shape is None:
            self._shape = self.game.spec.room * height_by_width(Position(self.game, 0).svg())
        return 2 * math.ceil(self._shape * self.render_width / 2)

    def _follow(self) -> None:
        """Show the position to people, where that is asked for."""
        if self.render_mode == "human":
            self._screen.follow(self.position, self.render_seat)

    def svg(self, seat: int | Literal["all"] | None = None, *, interactive: bool = False, since: int = 1) -> str:
        """The position as an SVG picture, for one seat, the public (None) or "all": see `Position.svg`."""
        return self.position.svg(seat, interactive=interactive, since=since)

    def _repr_svg_(self) -> str | None:
        """What notebooks show: the picture for `render_seat`; nothing before `reset`."""
        return self.svg(self.render_seat) if self._ready else None

    def close(self) -> None:
        """Close the window of `render_mode="human"`; nothing else is held open."""
        self._screen.close()

    # ------------------------------------------------------------------------------------------------ copies

    def clone(self) -> GameEnv:
        """An independent copy in mid-game, cheap: its `undo` goes back to this point at most."""
        other = object.__new__(type(self))
        other.__dict__ = dict(self.__dict__)
        other._use(self.position.clone())
        space = _own_space(self.action_spaces[self.possible_agents[0]])
        other.action_spaces = dict.fromkeys(self.possible_agents, space)
        other.agents = list(self.agents)
        for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
            setattr(other, name, dict(getattr(self, name)))
        other._infos = {}
        other._screen = Screen(follows=False)
        return other

    def undo(self) -> int:
        """Take the last decision back (also the last of a game) and return it. Raises IndexError at the start."""
        action = self.position.undo()
        self._revive()
        self._follow()
        return action

    def key(self) -> bytes:
        """The bytes of the position: equal positions have equal keys."""
        return self.position.key()

    def __getstate__(self) -> dict[str, Any]:
        spaces_made_anew = ("observation_spaces", "action_spaces", "state_space")
        dropped = (*spaces_made_anew, "_observation_row", "_mask_row", "_infos", "_screen")
        return {name: value for name, value in self.__dict__.items() if name not in dropped}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make_spaces()
        self._infos, self._screen = {}, Screen(follows=False)
        if self._ready:
            self._use(self.position)


def _own_space(space: spaces.Discrete) -> spaces.Discrete:
    """A copy of a space that draws on by itself: a deep copy takes longer than all else of a clone."""
    other = copy.copy(space)
    if space._np_random is not None:
        other._np_random = copy.deepcopy(space._np_random)
    return other


def _box(low: np.ndarray, high: np.ndarray) -> spaces.Box:
    """The space between bounds, of their type."""
    return spaces.Box(low, high, dtype=low.dtype.type)
