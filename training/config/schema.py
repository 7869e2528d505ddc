"""What a training file may say. `config_file.py` reads it."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from theogony.envs.core.game import ComponentError, Game, OptionError
from theogony.envs.core.registry import UnknownGame, load
from theogony.envs.core.reserved import is_reserved
from theogony.envs.core.value_network import LAYERS, WIDEST

Share = Annotated[float, Field(ge=0, le=1)]
Some = Annotated[int, Field(ge=1, le=1_000_000)]  # games side by side, decisions of a rollout: what takes memory
Games = Annotated[int, Field(ge=1, le=10**9)]
Steps = Annotated[int, Field(ge=1, lt=10**12)]  # checkpoints are named by their steps, in twelve digits
Few = Annotated[int, Field(ge=1, le=1024)]
Width = Annotated[int, Field(ge=1, le=65_536)]  # of a layer
Widths = Annotated[list[Width], Field(max_length=64)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]  # of a part of the network: part of names of weights
ENGINES = ("sb3", "rllib", "td", "distil")


class ConfigError(ValueError):
    """A training file, an override or a run cannot be used: says where, and what was expected."""


class Section(BaseModel):
    """A part of the file: no unknown keys, no silent conversions, no numbers without end."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Environment(Section):
    """How many games are played side by side, and by how many threads of the environment."""

    num_envs: Some = 256
    threads: Few = 1
    seat: int | Literal["random", "all"] = "random"  # all: a whole team, in a cooperative game
    observation: Literal["float", "compact"] = "compact"  # codes take a quarter of the memory; the network decodes them


class Schedule(Section):
    """A number that goes evenly from `start` to `end` over the run."""

    start: Annotated[float, Field(gt=0)]
    end: Annotated[float, Field(ge=0)]


def rate_at(rate: float | Schedule, done: float) -> float:
    """The learning rate when such a share of the run is done."""
    if not isinstance(rate, Schedule):
        return rate
    return rate.start + (rate.end - rate.start) * min(done, 1.0)


class Members(Section):
    """A set of like things in the observation: features with an axis that counts them, and the width of their layers.

    `length` is how many there are; without it the longest axis that all features share. See `networks/sets.py`.
    """

    features: Annotated[list[str], Field(min_length=1)]
    width: Annotated[int, Field(ge=1, le=4096)] = 16
    length: Annotated[int, Field(ge=2, le=1_000_000)] | None = None


class PointedMembers(Members):
    """A set of things with actions about them: kinds of action with an axis that counts the things. See
    `networks/pointers.py`."""

    actions: Annotated[list[str], Field(min_length=1)]
    width: Annotated[int, Field(ge=1, le=4096)] = 64


class Network(Section):
    """Widths of the layers: first those that policy and value share, then those of each.

    Members of the `sets` pass small layers of their own first, the same for every member of a set. The actions that
    `pointers` name are judged by the numbers of the thing that they are about as well.
    With `lookahead` above 0 the network also sees lookahead scores: how good the greedy player finds every action. They
    are added to the logits, multiplied by a weight that begins with this number and is learnt like all others.
    """

    shared: Widths = []
    policy: Widths = [256, 256]
    value: Widths = [256, 256]
    residual: Annotated[int, Field(ge=0, le=256)] = 0  # number of blocks with skip connections after the shared layers
    lookahead: Annotated[float, Field(ge=0)] = 0.0
    activation: Literal["relu", "tanh"] = "relu"
    sets: Annotated[dict[Name, Members], Field(max_length=64)] = {}
    pointers: Annotated[dict[Name, PointedMembers], Field(max_length=64)] = {}

    @model_validator(mode="after")
    def _blocks_have_a_width(self) -> Network:
        if self.residual and not self.shared:
            raise ValueError("residual blocks have the width of the last shared layer, and there is none")
        return self

    @model_validator(mode="after")
    def _every_feature_is_in_one_set(self) -> Network:
        seen: dict[str, str] = {}
        for name, members in self.sets.items():
            for feature in members.features:
                if feature in seen:
                    raise ValueError(f"sets: the feature {feature!r} is in {seen[feature]} and in {name}; expected one")
                seen[feature] = name
        return self


class ValueNetwork(Section):
    """The network of `engine: td`: its hidden layers, and whether it sees the game's own value; what it learns."""

    widths: Annotated[list[Annotated[int, Field(ge=1, le=WIDEST)]], Field(min_length=1, max_length=LAYERS)] = [128, 64]
    own_value: bool = True
    reward: Literal["outcome", "rank", "margin", "progress"] = "outcome"


class Algorithm(Section):
    """PPO with masked actions; the names are those of Stable-Baselines3."""

    total_steps: Steps
    n_steps: Some = 36
    batch_size: Annotated[int, Field(ge=2, le=10**9)] = 1024
    n_epochs: Few = 4
    learning_rate: Annotated[float, Field(gt=0)] | Schedule = 3e-4
    gamma: Share = 1.0
    gae_lambda: Share = 0.95
    clip_range: Annotated[float, Field(gt=0)] = 0.2
    normalize_advantage: bool = True
    ent_coef: Annotated[float, Field(ge=0)] = 0.0
    vf_coef: Annotated[float, Field(ge=0)] = 0.5
    max_grad_norm: Annotated[float, Field(gt=0)] = 0.5
    target_kl: Annotated[float, Field(gt=0)] | None = None
    net_arch: Network = Network()


class Opponent(Section):
    """One kind of opponent and how often it is drawn for a seat."""

    player: str
    weight: Annotated[float, Field(ge=0)] = 1.0


class Curriculum(Section):
    """The player `curriculum`: greedy in a share of its decisions, raised as the learner gets better."""

    start: Share = 0.0
    step: Annotated[float, Field(gt=0, le=1)] = 0.05
    raise_above: Share = 0.6  # share of games won against it
    games: Some = 500  # over the last so many games


class SelfPlay(Section):
    """The player `self`: a policy drawn from the pool of past selves."""

    size: Few = 8
    every: Steps = 200_000  # steps between two members of the pool


class League(Section):
    """Past selves measured against each other and against fixed players; hard ones are drawn more often."""

    games: Games = 200  # of every new self against each other and against each anchor
    power: Annotated[float, Field(ge=0)] = 2.0  # weight of a past self: (share of games the newest loses to it)^power
    anchors: Annotated[list[str], Field(min_length=1)] = ["random", "greedy"]  # ratings count from the last


class Evaluation(Section):
    """Masked play against fixed players, seats rotated."""

    every: Steps = 200_000
    games: Games = 400
    against: Annotated[list[str], Field(min_length=1)] = ["random", "greedy"]
    final_games: Games = 2000


class Rllib(Section):
    """What only `engine: rllib` reads: processes that play, one network for all seats or one each, and the cluster."""

    workers: Annotated[int, Field(ge=0, le=100_000)] = 2  # 0: the learner's own process plays
    policies: Literal["shared", "separate"] = "shared"
    address: Annotated[str, Field(min_length=1)] | None = None  # of a running cluster; None: RAY_ADDRESS, or one here


class Ray(Section):
    """Workers on a Ray cluster that play the games of `engine: td`, each with `environment.threads` threads.

    Without Ray the same file runs in threads of its own process, and learns the same.
    """

    workers: Annotated[int, Field(ge=0, le=100_000)] = 0  # 0: no Ray
    address: Annotated[str, Field(min_length=1)] | None = None  # of a running cluster; None: RAY_ADDRESS, or one here


class Td(Section):
    """What only `engine: td` reads: a value learnt by TD(λ) on afterstates in self-play.

    Of `algorithm` it reads `total_steps`, `batch_size`, `learning_rate` and `max_grad_norm`; `environment.num_envs`
    games are played between two updates, by `environment.threads` threads.
    """

    td_lambda: Share = 0.8
    explore: Share = 0.01  # share of decisions that are drawn at random
    noise: Annotated[float, Field(ge=0, le=10)] = 0.01  # Gumbel noise on the values that are compared, in rewards
    widths: Annotated[list[Annotated[int, Field(ge=1, le=WIDEST)]], Field(min_length=1, max_length=LAYERS)] = [128, 64]
    own_value: bool = True  # the network also sees the game's own value
    own_turn: bool = False  # look ahead over one's own turn as the greedy player does, not one decision
    opponents: Share = 0.0  # share of games against the players of `opponents`; in all others it plays every seat
    epochs: Few = 1  # how often each sample is learnt
    search: Annotated[int, Field(ge=0, le=1_000_000)] = 0  # iterations of a search for each decision; 0: none
    heads: dict[Literal["margin", "scores"], Annotated[float, Field(gt=0, le=10)]] = {}  # also predicted; their weights
    other_table: bool = False  # `start_from` may be of another number of players; what it never saw begins at zero


class Distil(Section):
    """What only `engine: distil` reads: a policy that learns from a learnt value what every action is worth.

    Of `algorithm` it reads `total_steps`, `batch_size`, `learning_rate`, `max_grad_norm`, `vf_coef` and `net_arch`;
    `environment.num_envs` games are played ahead, by `environment.threads` threads.
    """

    teacher: str = "reference"
    temperature: Annotated[float, Field(gt=0, le=10)] = 0.02  # of the softmax over what actions are worth, in rewards
    explore: Share = 0.3  # share of decisions that are drawn at random, at most: from 0 up to it, by the game
    noise: Annotated[float, Field(ge=0, le=10)] = 0.01  # Gumbel noise on the values that are compared, in rewards
    own_turn: bool = False  # look ahead over one's own turn as the greedy player does, not one decision
    epochs: Few = 1  # how often each decision is learnt


class Config(Section):
    """A whole training file. `folder` is where the run goes, by default `runs/` and the name of the file."""

    game: str
    options: dict[str, Any] = {}
    reward: Literal["outcome", "rank", "margin", "progress"] | None = None
    shaping: Annotated[float, Field(ge=0)] = 0.0
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    engine: str = "sb3"
    environment: Environment = Environment()
    algorithm: Algorithm
    opponents: Annotated[list[Opponent], Field(min_length=1)] = [Opponent(player="random")]
    curriculum: Curriculum = Curriculum()
    self_play: SelfPlay = SelfPlay()
    league: League | None = None  # without it all past selves are drawn alike
    evaluation: Evaluation = Evaluation()
    torch_threads: Few | Literal["auto"] = 1  # auto: as many as are found to help when the run begins
    checkpoint_every: Steps = 200_000
    logging: Annotated[list[Literal["csv", "tensorboard", "wandb", "mlflow"]], Field(max_length=4)] = ["tensorboard"]
    rllib: Rllib = Rllib()
    td: Td = Td()
    ray: Ray = Ray()
    distil: Distil = Distil()
    device: Literal["cpu", "auto"] = "cpu"  # of the learner in engines td and distil; auto: a GPU where there is one
    start_from: str | None = None  # a run, checkpoint or reference player whose network is the beginning
    folder: str | None = None
    export_sb3: bool = False  # also write sb3.zip at the end: for SB3's own `load`, which executes what is in it

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
