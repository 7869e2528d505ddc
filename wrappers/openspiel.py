"""Games of this project as games of OpenSpiel: `load("orbis")` is a `pyspiel.Game`. Needs `open_spiel`.

Chance is explicit and comes once: the first node draws the seed of the deal, of `seeds` equally likely ones, and what
follows is decided by it. What a player knows is its `information_state_string`, a digest of all that its seat has seen
and done, so recall is perfect; `resample_from_infostate` gives a position that the player holds possible.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from theogony.console import extras
from theogony.envs import GAMES
from theogony.envs import load as load_spec
from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.arguments import seat_number, whole_number
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.position import Position
from theogony.envs.core.untrusted.outside import parse_json

try:
    import pyspiel
except ImportError as error:
    raise extras.missing(error) from error

SEEDS = 1024  # deals that chance draws from
SIMPLE = (bool, int, float, str)
MORE = "more"  # the parameter with options that are not simple, such as lists
OURS = ("seeds", "reward", MORE)
KIND, LIMIT = pyspiel.GameType, 10_000  # decisions of a game that has no bound


def load(game: str, seeds: int = SEEDS, reward: str | None = None, **options: Any) -> SpielGame:
    """A game with these options in force. Raises UnknownGame, OptionError or ValueError.

    Args:
        game: name of a game, or `package.module:SPEC` of your own.
        seeds: how many deals there are.
        reward: as in `theogony.make`.
        options: of the game.
    """
    return SpielGame(load_spec(game), {"seeds": seeds, "reward": reward or "", **options})


class SpielGame(pyspiel.Game):
    """A game with its options in force; `game.theogony` is ours."""

    def __init__(self, spec: GameSpec, params: dict[str, Any]) -> None:
        options = {key: value for key, value in params.items() if key not in OURS}
        self.theogony: Game = spec.configure({**options, **_unpacked(params.get(MORE, ""))})
        self.seeds = whole_number(params.get("seeds", SEEDS), f"seeds={params.get('seeds')!r:.60}: expected deals")
        self.reward: str = params.get("reward") or self.theogony.usual_reward
        spec.reward_index(self.reward)  # raises for one that the game does not have
        self._module = spec.module
        self._params = {"seeds": self.seeds, "reward": params.get("reward") or "", **_written(spec, self.theogony)}
        super().__init__(_type(spec, self.reward), self._info(), self._params)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self._module, self._params)

    def _info(self) -> Any:
        game = self.theogony
        bound = game.spec.decision_bound
        return pyspiel.GameInfo(
            num_distinct_actions=game.actions.size,
            max_chance_outcomes=self.seeds,
            num_players=game.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if _utility(game.spec, self.reward) == KIND.Utility.ZERO_SUM else None,
            max_game_length=bound(game.options) if bound else game.options.max_decisions or LIMIT,
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> SpielGame:
        return self  # OpenSpiel clones a state by a deep copy of its attributes; the game is shared

    def new_initial_state(self) -> SpielState:
        """The chance node that a game begins with."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What a seat sees, as a tensor: the observation of this project.

        OpenSpiel's algorithms in C++ take the information state from here, as an observer with perfect recall.
        """
        if params:
            raise ValueError(f"the observer takes no parameters, not {params}")
        return Observer(self.theogony, recalls=iig_obs_type is not None and iig_obs_type.perfect_recall)


class SpielState(pyspiel.State):
    """A position. `state.position` is None at the chance node."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position: Position | None = None
        self._known = [b""] * game.theogony.players  # digests of what the seats saw and did ...
        self._until = [0] * game.theogony.players  # ... in so many positions of `position`

    @property
    def _game(self) -> SpielGame:
        return self.get_game()  # not kept: OpenSpiel copies and pickles what a state holds

    # ------------------------------------------------------------------------------------------------ play

    def current_player(self) -> int:
        """The seat that decides, or CHANCE, or TERMINAL."""
        if self.position is None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.position.over else self.position.actor

    def _legal_actions(self, player: int) -> list[int]:
        assert self.position is not None  # chance has `chance_outcomes`
        return self.position.legal_actions().tolist() if player == self.position.actor else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals, all equally likely."""
        return [(seed, 1 / self._game.seeds) for seed in range(self._game.seeds)]

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            if not 0 <= action < self._game.seeds:
                raise IllegalAction(f"deal {action} is not 0 to {self._game.seeds - 1}", action)
            self.position = Position(self._game.theogony, action)
        else:
            self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else self._game.theogony.actions.text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position is not None and bool(self.position.over)

    def returns(self) -> list[float]:
        """The reward of every seat; zeros while the game runs."""
        if self.position is None or not self.position.over:
            return [0.0] * self._game.theogony.players
        return [float(reward) for reward in self.position.rewards(self._game.reward)]

    def __str__(self) -> str:
        """All that there is, for debugging."""
        if self.position is None:
            return "the deal"
        game = self.position.game  # of several packs, that which is played
        return game.spec.render_text(game, self.position.g, "all")

    # ------------------------------------------------------------------------------------------------ knowledge

    def observation_string(self, player: int | None = None) -> str:
        """The position as a seat knows it, by default the one that decides."""
        if self.position is None:
            return ""
        game = self.position.game
        return game.spec.render_text(game, self.position.g, self._seat(player))

    def _seat(self, player: int | None) -> int:
        """The seat of a player, by default of the one that decides. Raises ValueError."""
        if player is None and self.is_terminal():
            raise ValueError("the game is over and nobody decides: say which player")
        return seat_number(self.current_player() if player is None else player, self._game.theogony.players)

    def information_state_string(self, player: int | None = None) -> str:
        """A digest of all that the seat has seen and done, and whether it is to decide."""
        if self.position is None:
            return ""
        player, position = self._seat(player), self.position
        known = self._known[player]
        for k in range(self._until[player], position.now + 1):
            seen = _seen(position, k, player)
            own = position.actions[k - 1] if k and int(position.states[k - 1].actor) == player else -1
            known = hashlib.sha256(known + seen + own.to_bytes(4, "little", signed=True)).digest()
        self._known[player], self._until[player] = known, position.now + 1
        return f"{known.hex()[:32]}{'*' if position.actor == player and not position.over else ''}"

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """A state that the seat holds possible; `sampler()` gives numbers from 0 to 1.

        Its `history` tells nothing of the game that was played, neither the deal nor what others did in secret: it is
        one deal, drawn. So the state is for search; replayed from its history, it would be another.
        """
        if self.position is None:
            return self.clone()
        self.information_state_string(player)
        other = self._game.new_initial_state()
        other.apply_action(min(int(sampler() * self._game.seeds), self._game.seeds - 1))
        other.position = self.position.clone()
        other.position.resample(player, np.array([int(sampler() * 2**53)], np.uint64))
        # The other seats have seen a game that nobody played: they begin anew.
        other._known[player], other._until[player] = self._known[player], 1
        return other


class Observer:
    """OpenSpiel's observer: `tensor` is the flat observation, `dict` has its fields by name.

    In words it says what a seat sees now, or with `recalls` the digest of all that it has seen and done.
    """

    def __init__(self, game: Game, recalls: bool = False) -> None:
        self.recalls = recalls
        self.tensor = np.zeros(game.features.length, np.float32)
        shapes = {feature.name: feature.shape for feature in game.features.features}
        self.dict = {name: self.tensor[where].reshape(shapes[name]) for name, where in game.features.slices().items()}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player sees into `tensor`."""
        self.tensor[:] = 0.0 if state.position is None else state.position.observe(player)

    def string_from(self, state: SpielState, player: int) -> str:
        """What a player sees, or knows, in words."""
        return state.information_state_string(player) if self.recalls else state.observation_string(player)


def _seen(position: Position, k: int, player: int) -> bytes:
    """What a seat saw after k decisions."""
    game = position.game
    out = np.zeros((1, game.features.length), np.float32)
    position.kernels.view(position.states, k, position.tables, player, game.features.records(out), 0)
    return out.tobytes()


def _utility(spec: GameSpec, reward: str) -> Any:
    """What rewards of a kind add up to. Points are one's own, whatever the others make."""
    if spec.cooperative:
        return KIND.Utility.IDENTICAL
    return KIND.Utility.GENERAL_SUM if reward == "points" else KIND.Utility.ZERO_SUM


def _type(spec: GameSpec, reward: str = "") -> Any:
    """What OpenSpiel knows of a game, or of every game with this name."""
    return KIND(
        short_name=f"theogony_{spec.name}",
        long_name=spec.title,
        dynamics=KIND.Dynamics.SEQUENTIAL,
        chance_mode=KIND.ChanceMode.EXPLICIT_STOCHASTIC,
        information=KIND.Information.IMPERFECT_INFORMATION,
        utility=_utility(spec, reward),
        reward_model=KIND.RewardModel.TERMINAL,
        max_num_players=max(spec.players),
        min_num_players=min(spec.players),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_defaults(spec),
    )


def _defaults(spec: GameSpec) -> dict[str, Any]:
    """The parameters that OpenSpiel can write into the name of a game: simple options, and our own."""
    fields = {name: field.default for name, field in spec.options.model_fields.items()}
    simple = {name: value for name, value in fields.items() if isinstance(value, SIMPLE)}
    return {"seeds": SEEDS, "reward": "", MORE: "", **simple}


def _written(spec: GameSpec, game: Game) -> dict[str, Any]:
    """All options as parameters: simple ones by name, what else was given in `MORE`."""
    options, given = game.options.model_dump(mode="json"), game.options.model_dump(exclude_defaults=True)
    named = {name: options[name] for name in _defaults(spec) if name in options and isinstance(options[name], SIMPLE)}
    left = {name: options[name] for name in given if name not in named}
    return {**named, MORE: f"x{json.dumps(left).encode().hex()}" if left else ""}


def _unpacked(more: str) -> dict[str, Any]:
    """The options in the parameter `MORE`. Raises ValueError."""
    if not more:
        return {}
    try:
        found = parse_json(bytes.fromhex(more.removeprefix("x")), f"the parameter {MORE}", ValueError)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ValueError(f"{MORE}={more!r:.60}: expected the parameter as a game's name has it")
    return found


def _rebuilt(kind: type[SpielGame], module: str, params: dict[str, Any]) -> SpielGame:
    """A pickled game. Those that OpenSpiel knows by name know their spec."""
    if kind is not SpielGame:
        return kind(params)  # pyright: ignore[reportCallIssue]
    return SpielGame(load_spec(module if ":" in module else f"{module}:SPEC"), params)


def _register(name: str) -> type[SpielGame]:
    """`pyspiel.load_game("theogony_orbis(players=3)")` works once this module is imported."""
    spec = load_spec(name)

    def begin(self: SpielGame, params: dict[str, Any] | None = None) -> None:
        SpielGame.__init__(self, spec, dict(params or {}))

    # A class of its own for each game, by a name in this module: OpenSpiel pickles the class.
    registered = type(name, (SpielGame,), {"__init__": begin, "__module__": __name__})
    pyspiel.register_game(_type(spec), registered)
    return registered


globals().update({name: _register(name) for name in GAMES})
