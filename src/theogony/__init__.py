"""Theogony: modern board games as reinforcement-learning environments.

`games()` names them, `make()` gives a PettingZoo AEC environment, `make_vec()` many games in one Stable-Baselines3
`VecEnv`, `player()` somebody to play in them; importing the package registers the ids of Gymnasium and PettingZoo
(`theogony/PushOfFaith-v0` ...).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from theogony.console import interrupt
from theogony.console.extras import install

if TYPE_CHECKING:
    import numpy as np

    from theogony.cuda.batch import CudaVectorEnv
    from theogony.envs.core.aec import GameEnv
    from theogony.envs.core.game import GameSpec
    from theogony.envs.core.players import Player, Policy
    from theogony.envs.core.thinking.opponents import OpponentSpec
    from theogony.envs.core.thinking.player_names import PlayerName
    from theogony.play.replay import Steps
    from theogony.play.seen import Viewer
    from theogony.wrappers.env_player import EnvPlayer
    from theogony.wrappers.gym_vector import BatchVectorEnv
    from theogony.wrappers.over_batch import VectorArguments
    from theogony.wrappers.sb3_vec import BatchVecEnv
    from theogony.wrappers.single_agent import SingleAgentEnv

__version__ = "0.2.0"
__all__ = ["__version__", "games", "make", "make_vec", "player", "sample_masks", "show"]


def games() -> list[str]:
    """Names of the registered games."""
    from theogony.envs import GAMES

    return list(GAMES)


def make(name: str, **arguments: Any) -> GameEnv:
    """The AEC environment of a game: `make("push_of_faith", players=3, reward="rank", render_mode="ansi")`.

    `name` is a registered game or the module of your own ("package.module:SPEC"); observation="compact" gives uint8
    codes in place of floats.
    Raises UnknownGame, OptionError or ValueError.

    >>> env = make("push_of_faith", players=3)
    >>> env.reset(seed=7)
    >>> env.possible_agents
    ['player_0', 'player_1', 'player_2']
    >>> legal = env.observe(env.agent_selection)["action_mask"].nonzero()[0]
    >>> env.step(int(legal[0]))
    """
    from theogony.envs import load
    from theogony.envs.core.aec import env_function
    from theogony.envs.core.contract import NOT_OF_ONE_GAME, check_elsewhere

    spec = load(name)
    check_elsewhere(spec, arguments, NOT_OF_ONE_GAME)
    return env_function(spec)(**arguments)


@overload
def make_vec(
    name: str,
    num_envs: int = 256,
    *,
    opponents: OpponentSpec = "random",
    seat: int | Literal["random"] = "random",
    control: Literal["seat", "team"] = "seat",
    reward: str | None = None,
    seed: int | None = None,
    threads: int = 1,
    observation: str = "float",
    shaping: str = "none",
    device: Literal["cpu"] = "cpu",
    **options: Any,
) -> BatchVecEnv: ...
@overload
def make_vec(name: str, num_envs: int = 256, *, device: str, **arguments: Any) -> CudaVectorEnv: ...
def make_vec(
    name: str,
    num_envs: int = 256,
    *,
    opponents: OpponentSpec = "random",
    seat: int | Literal["random"] = "random",
    control: Literal["seat", "team"] = "seat",
    reward: str | None = None,
    seed: int | None = None,
    threads: int = 1,
    observation: str = "float",
    shaping: str = "none",
    device: str = "cpu",
    **options: Any,
) -> BatchVecEnv | CudaVectorEnv:
    """Many games in one Stable-Baselines3 `VecEnv`: `make_vec("push_of_faith", 256, opponents="greedy", seed=0)`.

    `opponents` is a player by name ("random", "greedy:0.3", "reference", "mcts:400", a run: docs/players.md), a player
    object, a policy `(observations, masks, seats) -> actions`, or a list of `(weight, one of these)`. `seat` is the
    learner's, "random" draws it for each game; control="team" gives it every seat of a cooperative game.
    observation="compact" gives uint8 codes, a quarter of the memory, for policies that decode them (docs/interface.md).
    shaping="points" pays the own points as they are made, and other kinds of reward likewise (docs/own_network.md).
    device="cuda" plays the same games on a GPU, as a `CudaVectorEnv` of Gymnasium that gives torch tensors there
    (docs/compiling.md). `options` are those of the game. Raises UnknownGame, OptionError or ValueError.

    >>> envs = make_vec("push_of_faith", 4, opponents="greedy", seed=0)
    >>> envs.reset().shape == (4, *envs.observation_space.shape)
    True
    >>> masks = envs.action_masks()  # bool (games, actions)
    >>> observations, rewards, dones, infos = envs.step(masks.argmax(1))
    >>> rewards.shape
    (4,)
    """
    from theogony.envs import load
    from theogony.envs.core.contract import NOT_OF_MANY, check_elsewhere
    from theogony.envs.core.features import check_form

    spec = load(name)
    check_elsewhere(spec, options, NOT_OF_MANY)
    form = check_form(observation)
    game = spec.configure(options)
    arguments: VectorArguments = {
        "seat": _seat(game.spec, seat, control),
        "opponents": opponents,
        "reward": reward,
        "threads": threads,
        "observation": form,
        "shaping": shaping,
    }
    if device == "cpu":
        from theogony.wrappers.sb3_vec import BatchVecEnv

        return BatchVecEnv(game, num_envs, seed, **arguments)
    from theogony.cuda.batch import CudaVectorEnv

    return CudaVectorEnv(game, num_envs, seed, device=device, **arguments)


def player(name: str | Player | Policy, env: Any, seed: int | None = None) -> EnvPlayer:
    """A player for the game of an environment: `env.step(player.act(env))` plays the seat that decides.

    `name` is one of docs/players.md ("greedy:0.3", "reference", "mcts:400", a run), a player or a policy; `env` any
    environment of this project, a `Batch` or a `Position`. Raises PlayerError or CheckpointError, saying what was
    expected.

    >>> env = make("push_of_faith")
    >>> env.reset(seed=7)
    >>> greedy = player("greedy", env, seed=0)
    >>> for _ in env.agent_iter():
    ...     env.step(greedy.act(env))
    >>> env.agents  # the game is over
    []
    """
    from theogony.wrappers.env_player import EnvPlayer

    return EnvPlayer(name, env, seed)


def sample_masks(masks: np.ndarray, rng: np.ndarray | np.random.Generator) -> np.ndarray:
    """A uniformly drawn legal action, int64 (n,), for every row of `masks`, int8 or bool (n, actions), compiled.

    A row without a legal action gets -1. `rng` is a NumPy generator, or uint64 (n,), a stream for each row; drawing
    moves it on. Raises ValueError for other types and shapes.

    >>> import numpy as np
    >>> envs = make_vec("push_of_faith", 4, seed=0)
    >>> masks, rng = envs.action_masks(), np.random.default_rng(0)
    >>> actions = sample_masks(masks, rng)
    >>> bool(masks[np.arange(4), actions].all())
    True
    """
    from theogony.envs.core.thinking.sampling import sample_masks

    return sample_masks(masks, rng)


def show(game: Any, seat: Viewer = "all", height: int = 640) -> Steps:
    """A game to step through in a notebook: an environment, a position, or the path of a record.

    `seat` shows what one seat knew, None what was public, "all" everything. Raises TypeError, or RecordError.
    """
    from theogony.play.replay import show

    return show(game, seat, height)


def _make_single(
    game: str,
    *,
    opponents: OpponentSpec = "random",
    seat: int | Literal["random", "all"] = "random",
    control: Literal["seat", "team"] = "seat",
    reward: str | None = None,
    illegal: Literal["raise", "random"] = "raise",
    render_mode: str | None = None,
    observation: str = "float",
    **options: Any,
) -> SingleAgentEnv:
    """What `gymnasium.make("theogony/PushOfFaith-v0", ...)` calls; `control="team"`: the learner plays every seat."""
    from theogony.envs.core.game import UnknownOption
    from theogony.wrappers.single_agent import SingleAgentEnv

    try:
        env = make(game, reward=reward, render_mode=render_mode, observation=observation, **options)
    except UnknownOption as error:  # in Python's own words, by which TorchRL knows what it may leave out
        raise UnknownOption(f"unexpected keyword argument {error.option!r}: {error}", error.option) from None
    return SingleAgentEnv(env, _seat(env.game.spec, seat, control), opponents, illegal)


def _make_vector(
    game: str,
    num_envs: int = 1,
    *,
    seat: int | Literal["random", "all"] = "random",
    control: Literal["seat", "team"] = "seat",
    seed: int | None = None,
    illegal: Literal["raise", "random"] = "raise",
    **given: Any,
) -> BatchVectorEnv:
    """What `gymnasium.make_vec("theogony/PushOfFaith-v0", ...)` calls, with `VectorArguments` and options of a game."""
    from theogony.envs import load
    from theogony.envs.core.contract import NOT_OF_MANY, check_elsewhere
    from theogony.envs.core.features import check_form
    from theogony.wrappers.gym_vector import BatchVectorEnv
    from theogony.wrappers.over_batch import VectorArguments

    check_elsewhere(load(game), given, NOT_OF_MANY)
    arguments: Any = {name: given.pop(name) for name in VectorArguments.__annotations__ if name in given}
    if "observation" in arguments:
        arguments["observation"] = check_form(arguments["observation"])
    configured = load(game).configure(given)
    seats = _seat(configured.spec, seat, control)
    return BatchVectorEnv(configured, num_envs, seed, illegal=illegal, seat=seats, **arguments)


def _seat(spec: GameSpec, seat: int | Literal["random", "all"], control: str) -> int | Literal["random", "all"]:
    """The seat of the learner: with control="team" all of them. Raises OptionError."""
    from theogony.envs.core.game import OptionError

    if control not in ("seat", "team"):
        raise OptionError(f'control={control!r} is not "seat" or "team"')
    if control == "team" and not spec.cooperative:
        raise OptionError(f'{spec.name}: control="team" is for cooperative games: here seats get different rewards')
    if control == "team" and seat not in ("random", "all"):
        raise OptionError(f'control="team" is for all seats: leave seat={seat!r} out')
    return "all" if control == "team" else seat


def _register() -> None:
    """An id for every game in Gymnasium and in PettingZoo, where they are installed: `theogony/PushOfFaith-v0`."""
    ids = {name: f"theogony/{name.title().replace('_', '')}-v0" for name in games()}
    try:
        import gymnasium
    except ModuleNotFoundError:
        return
    for name, id in ids.items():
        gymnasium.register(
            id, entry_point="theogony:_make_single", vector_entry_point="theogony:_make_vector", kwargs={"game": name}
        )
    try:
        from pettingzoo import register
    except ImportError:  # PettingZoo has ids since 1.27
        return
    for name, id in ids.items():
        register("aec", id, "theogony:make", kwargs={"name": name})


def _register_players() -> None:
    """The kinds of players that `theogony.training` makes, imported when one is made."""
    from theogony.envs.core.thinking.player_names import RUN, register_player

    register_player("reference", _from_training("reference"), '"reference"')
    register_player("reference-policy", _from_training("reference"), '"reference-policy"')
    register_player("greedy@", _from_training("greedy"), '"greedy@reference"')
    register_player("sampled@", _from_training("sampled"), '"sampled@reference-policy"')
    register_player("mcts", _from_training("search"), '"mcts:400"')
    register_player("gumbel", _from_training("search"), '"gumbel:400"')
    register_player("flat", _from_training("search"), '"flat:400"')
    register_player("plan", _from_training("plan"), '"plan:32"')
    register_player(RUN, _from_training("run"), '"net.onnx", the folder of a run')


def _register_window() -> None:
    """The page of `render_mode="human"`, imported when one is opened."""
    from theogony.envs.core.draw.viewers import register_window

    def open_window(viewer: Any) -> Any:
        from theogony.play.launch import open_window

        return open_window(viewer)

    register_window(open_window)


def _from_training(maker: str) -> Any:
    """A maker of `theogony.training.players.names`, imported when it is called."""

    def make(name: PlayerName, game: Any, draws: bool) -> Any:
        try:
            from theogony.training.players import names

            return getattr(names, maker)(name, game, draws)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("theogony"):
                raise
            message = f"the player {name.text!r} needs {error.name}: {install('train')}"
            raise ModuleNotFoundError(message, name=error.name) from error

    return make


interrupt.catch_in_command()
_register()
_register_players()
_register_window()
