"""The schema of a training file, as pydantic models: its sections, keys, defaults and limits. `file.py` reads it."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from theogony.envs.core.contract.reserved import is_reserved
from theogony.envs.core.game import ComponentError, Game, OptionError
from theogony.envs.core.registry import UnknownGame, load
from theogony.envs.core.thinking.planning import MOST_PLANS
from theogony.envs.core.thinking.value_network import LAYERS, WIDEST

Share = Annotated[float, Field(ge=0, le=1)]
Some = Annotated[int, Field(ge=1, le=1_000_000)]  # games side by side, decisions of a rollout: what takes memory
Games = Annotated[int, Field(ge=1, le=10**9)]
Steps = Annotated[int, Field(ge=1, lt=10**12)]  # checkpoints are named by their steps, in twelve digits
Few = Annotated[int, Field(ge=1, le=1024)]
Width = Annotated[int, Field(ge=1, le=65_536)]  # of a layer
Widths = Annotated[list[Width], Field(max_length=64)]
ValueWidths = Annotated[list[Annotated[int, Field(ge=1, le=WIDEST)]], Field(min_length=1, max_length=LAYERS)]
Reward = Literal["outcome", "rank", "margin", "progress"]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]  # of a part of the network: part of names of weights
Noise = Annotated[float, Field(ge=0, le=10)]
NOISE = "Gumbel noise on the values that are compared, in rewards"
Address = Annotated[str, Field(min_length=1)] | None
ADDRESS = "address of a running cluster; `null`: that of `RAY_ADDRESS`, or one on this machine"
ENGINES = ("sb3", "rllib", "td", "distil")


class ConfigError(ValueError):
    """A training file, an override or a run cannot be used: says where, and what was expected."""


class Section(BaseModel):
    """A part of the file: no unknown keys, no silent conversions, no numbers without end.

    `former` has keys of earlier versions with the value that meant "without": files of that time name all keys.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)
    former: ClassVar[dict[str, Any]] = {}

    @model_validator(mode="before")
    @classmethod
    def _leave_out_former(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        return {key: value for key, value in data.items() if not (key in cls.former and value == cls.former[key])}


class Environment(Section):
    """How many games are played side by side, and by how many threads of the environment."""

    num_envs: Some = Field(
        default=256, description="games played side by side; between two updates of `td` and `distil`"
    )
    threads: Few = Field(default=1, description="threads of the environment; worth it from about 1,024 games")
    seat: int | Literal["random", "all"] = Field(
        default="random", description="seat of the learner; `random`: drawn for each game; `all`: a whole team"
    )
    observation: Literal["float", "compact"] = Field(
        default="compact", description="`compact`: one byte an entry, which the network decodes; `float`: four bytes"
    )


class Schedule(Section):
    """A number that goes evenly from `start` to `end` over the run."""

    start: Annotated[float, Field(gt=0)] = Field(description="at the beginning of the run")
    end: Annotated[float, Field(ge=0)] = Field(description="at its end")


def rate_at(rate: float | Schedule, done: float) -> float:
    """The learning rate when such a share of the run is done."""
    if not isinstance(rate, Schedule):
        return rate
    return rate.start + (rate.end - rate.start) * min(done, 1.0)


class PointedMembers(Section):
    """A set of like things in the observation, and the kinds of action about them. See `networks/pointers.py`."""

    features: Annotated[list[str], Field(min_length=1)] = Field(description="features of the observation, by name")
    actions: Annotated[list[str], Field(min_length=1)] = Field(description="kinds of action about a member")
    width: Annotated[int, Field(ge=1, le=4096)] = Field(default=64, description="units of the layers")
    length: Annotated[int, Field(ge=2, le=1_000_000)] | None = Field(
        default=None, description="number of members; `null`: the longest axis that all features share"
    )


class Network(Section):
    """Widths of the layers: first those that policy and value share, then those of each.

    The actions that `pointers` name are judged by the numbers of the thing that they are about as well.
    With `lookahead` above 0 the network also sees lookahead scores: how good the greedy player finds every action. They
    are added to the logits, multiplied by a weight that begins with this number and is learnt like all others.
    """

    former: ClassVar[dict[str, Any]] = {"residual": 0, "sets": {}}

    shared: Widths = Field(default=[], description="widths of the layers that policy and value share")
    policy: Widths = Field(default=[256, 256], description="widths of the layers of the policy alone")
    value: Widths = Field(default=[256, 256], description="widths of the layers of the value alone")
    lookahead: Annotated[float, Field(ge=0)] = Field(
        default=0.0, description="first weight of the lookahead scores; 0: the network does without them"
    )
    activation: Literal["relu", "tanh"] = Field(default="relu", description="activation of all layers")
    pointers: Annotated[dict[Name, PointedMembers], Field(max_length=64)] = Field(
        default={}, description="things whose actions are judged by their own numbers, by a name of your choice"
    )


class ValueNetwork(Section):
    """The network of `engine: td`: its hidden layers, and whether it sees the game's own value; what it learns."""

    widths: ValueWidths = [128, 64]
    own_value: bool = True
    reward: Reward = "outcome"


class Algorithm(Section):
    """PPO with masked actions; the names are those of Stable-Baselines3."""

    total_steps: Steps = Field(description="decisions to learn from; PPO makes whole rollouts of `num_envs * n_steps`")
    n_steps: Some = Field(default=36, description="decisions in each game between two updates")
    batch_size: Annotated[int, Field(ge=2, le=10**9)] = Field(default=1024, description="decisions in a minibatch")
    n_epochs: Few = Field(default=4, description="how often each decision of a rollout is used")
    learning_rate: Annotated[float, Field(gt=0)] | Schedule = Field(
        default=3e-4, description="a number, or `{start: 1e-3, end: 1e-4}`: linearly from one to the other"
    )
    gamma: Share = Field(default=1.0, description="discount")
    gae_lambda: Share = Field(default=0.95, description="λ of generalised advantage estimation")
    clip_range: Annotated[float, Field(gt=0)] = Field(default=0.2, description="clipping of PPO's ratio")
    normalize_advantage: bool = Field(default=True, description="whether advantages are normalised in each minibatch")
    ent_coef: Annotated[float, Field(ge=0)] = Field(default=0.0, description="weight of the entropy bonus")
    vf_coef: Annotated[float, Field(ge=0)] = Field(default=0.5, description="weight of the value's loss")
    max_grad_norm: Annotated[float, Field(gt=0)] = Field(default=0.5, description="clipping of the gradient's norm")
    target_kl: Annotated[float, Field(gt=0)] | None = Field(
        default=None, description="an update ends early beyond this divergence; `null`: never"
    )
    net_arch: Network = Network()  # `Network` has its keys


class Opponent(Section):
    """One kind of opponent and how often it is drawn for a seat."""

    player: str = Field(description="a player by name, a run, `self` or `curriculum`")
    weight: Annotated[float, Field(ge=0)] = Field(
        default=1.0, description="how often, against the weights of the others"
    )


class Curriculum(Section):
    """The player `curriculum`: greedy in a share of its decisions, raised as the learner gets better."""

    start: Share = Field(default=0.0, description="share of its decisions that is greedy at first")
    step: Annotated[float, Field(gt=0, le=1)] = Field(default=0.05, description="by how much that share grows")
    raise_above: Share = Field(
        default=0.6, description="it grows when the learner wins more than this share of the games"
    )
    games: Some = Field(default=500, description="number of last games that are counted")


class SelfPlay(Section):
    """The player `self`: a policy drawn from the pool of past selves."""

    size: Few = Field(default=8, description="past selves in the pool")
    every: Steps = Field(default=200_000, description="steps after which a new one joins it")


class League(Section):
    """Past selves measured against each other and against fixed players; hard ones are drawn more often."""

    games: Games = Field(default=200, description="games of every new self against each other one and each anchor")
    power: Annotated[float, Field(ge=0)] = Field(
        default=2.0, description="a past self is drawn by the share of games that the newest loses to it, to this power"
    )
    anchors: Annotated[list[str], Field(min_length=1)] = Field(
        default=["random", "greedy"], description="fixed players; ratings count from the last"
    )


class Evaluation(Section):
    """Masked play against fixed players, seats rotated."""

    every: Steps = Field(default=200_000, description="steps between two evaluations")
    games: Games = Field(default=400, description="games of each")
    against: Annotated[list[str], Field(min_length=1)] = Field(default=["random", "greedy"], description="against whom")
    final_games: Games = Field(default=2000, description="games of the evaluation at the end")


class Rllib(Section):
    """What only `engine: rllib` reads: processes that play, one network for all seats or one each, and the cluster."""

    workers: Annotated[int, Field(ge=0, le=100_000)] = Field(
        default=2, description="processes that play; 0: that of the learner"
    )
    policies: Literal["shared", "separate"] = Field(
        default="shared", description="one network for all seats, or one each"
    )
    address: Address = Field(default=None, description=ADDRESS)


class Ray(Section):
    """Workers on a Ray cluster that play the games of `engine: td`, each with `environment.threads` threads.

    Without Ray the same file runs in threads of its own process, and learns the same.
    """

    workers: Annotated[int, Field(ge=0, le=100_000)] = Field(default=0, description="actors that play; 0: no Ray")
    address: Address = Field(default=None, description=ADDRESS)


class Plan(Section):
    """Planned games of `engine: td`: the network plays the best plan of the own turn or round (docs/players.md)."""

    width: Annotated[int, Field(ge=0, le=MOST_PLANS)] = Field(
        default=0, description="plans that are followed at once; 0: none"
    )
    share: Share = Field(default=1.0, description="share of the games in which it plans")


class Td(Section):
    """What only `engine: td` reads: a value learnt by TD(λ) on afterstates in self-play.

    Of `algorithm` it reads `total_steps`, `batch_size`, `learning_rate` and `max_grad_norm`; `environment.num_envs`
    games are played between two updates, by `environment.threads` threads.
    """

    former: ClassVar[dict[str, Any]] = {"heads": {}}

    td_lambda: Share = Field(
        default=0.8,
        description="how far the final reward is traced back: 0: to the last afterstate; 1: to every one alike",
    )
    explore: Share = Field(default=0.01, description="share of decisions drawn at random")
    noise: Noise = Field(default=0.01, description=NOISE)
    widths: ValueWidths = Field(default=[128, 64], description="hidden layers of the value network")
    own_value: bool = Field(default=True, description="whether the network also sees the game's own `value`")
    own_turn: bool = Field(
        default=False, description="look ahead to the end of one's own turn, as the greedy player does"
    )
    opponents: Share = Field(
        default=0.0, description="share of games in which one seat learns and `opponents` play the others"
    )
    epochs: Few = Field(default=1, description="how often each decision is used")
    search: Annotated[int, Field(ge=0, le=1_000_000)] = Field(
        default=0, description="simulations of a search that plays every decision and teaches; 0: none"
    )
    plan: Plan = Plan()
    variants: Annotated[list[dict[str, Any]], Field(max_length=100)] = Field(
        default=[], description="other options of the game: each game is played with `options` or one of these, in turn"
    )
    other_table: bool = Field(default=False, description="`start_from` may be of another number of players")


class Distil(Section):
    """What only `engine: distil` reads: a policy that learns from a learnt value what every action is worth.

    Of `algorithm` it reads `total_steps`, `batch_size`, `learning_rate`, `max_grad_norm`, `vf_coef` and `net_arch`;
    `environment.num_envs` games are played ahead, by `environment.threads` threads.
    """

    teacher: str = Field(
        default="reference", description="who plays and judges: `reference`, a run of `td`, or `greedy`"
    )
    temperature: Annotated[float, Field(gt=0, le=10)] = Field(
        default=0.02, description="of the softmax over what actions are worth, in rewards"
    )
    explore: Share = Field(
        default=0.3, description="share of random decisions; each game draws its own, from 0 up to this"
    )
    noise: Noise = Field(default=0.01, description=NOISE)
    own_turn: bool = Field(default=False, description="the teacher looks ahead to the end of its own turn")
    epochs: Few = Field(default=1, description="how often each decision is used")


class Config(Section):
    """A whole training file. `folder` is where the run goes, by default `runs/` and the name of the file."""

    game: str = Field(description="a game by name")
    options: dict[str, Any] = Field(
        default={}, description="options of the game: `players`, variants, a component file"
    )
    reward: Reward | None = Field(default=None, description="`null`: `outcome` for two players and teams, else `rank`")
    shaping: Annotated[float, Field(ge=0)] = Field(
        default=0.0,
        description="weight of a potential-based reward: how the game's own `value` changes for the learner",
    )
    seed: Annotated[int, Field(ge=0, lt=2**32)] = Field(default=0, description="of everything")
    engine: str = Field(default="sb3", description="what trains: `sb3` (MaskablePPO), `td`, `distil` or `rllib`")
    environment: Environment = Environment()
    algorithm: Algorithm
    opponents: Annotated[list[Opponent], Field(min_length=1)] = [Opponent(player="random")]
    curriculum: Curriculum = Curriculum()
    self_play: SelfPlay = SelfPlay()
    league: League | None = None  # without it all past selves are drawn alike
    evaluation: Evaluation = Evaluation()
    torch_threads: Few | Literal["auto"] = Field(
        default=1, description="of the learner; `auto`: as many as are found to help when the run begins"
    )
    checkpoint_every: Steps = Field(default=200_000, description="steps between two checkpoints")
    logging: Annotated[list[Literal["csv", "tensorboard", "wandb", "mlflow"]], Field(max_length=4)] = Field(
        default=["tensorboard"], description="where figures go besides `metrics.jsonl`"
    )
    rllib: Rllib = Rllib()
    td: Td = Td()
    ray: Ray = Ray()
    distil: Distil = Distil()
    device: Literal["cpu", "auto"] = Field(
        default="cpu", description="of the learner; `auto`: a GPU where there is one"
    )
    start_from: str | None = Field(default=None, description="a run, a checkpoint or a reference player to begin with")
    folder: str | None = Field(
        default=None,
        description="where the run goes; `null`: `runs/` and the name of the file, with a number if it is taken",
    )
    export_sb3: bool = Field(default=False, description="also write `sb3.zip`, for the `load` of Stable-Baselines3")

    @field_validator("seed", mode="before")
    @classmethod
    def _leave_the_benchmark_alone(cls, seed: Any) -> Any:
        if isinstance(seed, int) and not isinstance(seed, bool) and is_reserved(seed):
            raise ValueError(f"{seed} is a deal of the benchmark, which training never uses; expected 0 to 2**32 - 1")
        return seed

    @field_validator("engine")
    @classmethod
    def _known_engine(cls, engine: str) -> str:
        if engine not in ENGINES:
            raise ValueError(f"there is no engine {engine!r}; expected {' or '.join(ENGINES)}")
        return engine

    @model_validator(mode="after")
    def _somebody_plays(self) -> Config:
        if sum(opponent.weight for opponent in self.opponents) <= 0:
            raise ValueError("opponents: the weights are all zero; expected one above zero")
        return self

    def make_game(self) -> Game:
        """The game with these options. Raises ConfigError."""
        try:
            return load(self.game).configure(self.options)
        except UnknownGame as error:
            raise ConfigError(f"game: {error}") from None
        except (OptionError, ComponentError, OverflowError) as error:
            raise ConfigError(f"options: {error}") from None
