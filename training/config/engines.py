"""The training file: a class for each engine, with the keys that it reads, and their union on `engine:`."""

from __future__ import annotations

import functools
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError, field_validator
from pydantic.fields import FieldInfo

from theogony.envs.core.contract import is_reserved
from theogony.envs.core.game import ComponentError, Game, OptionError
from theogony.envs.core.registry import UnknownGame, load
from theogony.envs.core.thinking.planning import MOST_PLANS
from theogony.training.config import ConfigError
from theogony.training.config.sections import (
    Count,
    Evaluation,
    Few,
    Games,
    Layers,
    Learning,
    Names,
    Network,
    Opponent,
    Positive,
    Reward,
    Section,
    Share,
    Some,
    Steps,
    ThreadedGames,
    Threads,
    Truncation,
    ValueWidths,
    Weight,
    sections_in,
    setting,
)

Simulations = Annotated[int, Field(ge=0, le=1_000_000)]
Shaping = Annotated[
    Literal["none", "value", "margin", "rank", "progress", "points"],
    Field(
        description="what is paid out as it changes (potential-based shaping): `margin`, `rank`, `progress` or "
        "`points`, the reward if the game ended now, by the rules alone; or `value`, what the greedy player plays by"
    ),
]
Noise = Annotated[float, Field(ge=0, le=10, description="Gumbel noise on the values that are compared, in rewards")]
OtherTable = Annotated[bool, Field(description="`start_from` may be of another number of players")]
Epochs = Annotated[Few, Field(description="how often each decision is used")]
Device = Annotated[Literal["cpu", "auto"], Field(description="of the learner; `auto`: a GPU where there is one")]
Logging = Annotated[
    list[Literal["csv", "tensorboard", "wandb", "mlflow"]],
    Field(max_length=4, description="where figures go besides `metrics.jsonl`"),
]

# ---- What every engine reads -------------------------------------------------------------------------------------


def _somebody_plays(opponents: list[Opponent]) -> list[Opponent]:
    if sum(opponent.weight for opponent in opponents) <= 0:
        raise ValueError("the weights are all zero; expected one above zero")
    return opponents


Opponents = Annotated[list[Opponent], Field(min_length=1), AfterValidator(_somebody_plays)]
RANDOM = [Opponent(player="random")]


class BaseConfig(Section):
    """What every engine reads; each adds `engine`, `environment` and `algorithm` in its own form."""

    game: str = Field(description="a game by name")
    options: dict[str, Any] = setting({}, "options of the game: `players`, variants, a component file")
    reward: Reward | None = setting(
        None, "`null`: `outcome` for two players and teams, else `rank`; in `distil` what the teacher has learnt"
    )
    seed: Annotated[int, Field(ge=0, lt=2**32)] = setting(0, "of everything")
    evaluation: Evaluation = Evaluation()
    torch_threads: Few | Literal["auto"] = setting(
        1, "of the learner; `auto`: as many as are found to help when the run begins"
    )
    checkpoint_every: Steps = setting(200_000, "steps between two checkpoints")
    start_from: str | None = setting(None, "a run, a checkpoint or a reference player to begin with")
    folder: str | None = setting(
        None, "where the run goes; `null`: `runs/` and the name of the file, with a number if it is taken"
    )

    @field_validator("seed", mode="before")
    @classmethod
    def _leave_the_benchmark_alone(cls, seed: Any) -> Any:
        if isinstance(seed, int) and not isinstance(seed, bool) and is_reserved(seed):
            raise ValueError(f"{seed} is a deal of the benchmark, which training never uses; expected 0 to 2**32 - 1")
        return seed

    def make_game(self) -> Game:
        """The game with these options. Raises ConfigError."""
        try:
            return load(self.game).configure(self.options)
        except UnknownGame as error:
            raise ConfigError(f"game: {error}") from None
        except (OptionError, ComponentError, OverflowError) as error:
            raise ConfigError(f"options: {error}") from None

    def make_tested_game(self, game: Game) -> Game:
        """The game of the evaluations: with its own components where the file says so. Raises ConfigError."""
        if self.evaluation.components is None:
            return game
        try:
            tested = game.spec.configure({**self.options, "components": self.evaluation.components})
        except (OptionError, ComponentError, OverflowError) as error:
            raise ConfigError(f"evaluation.components: {error}") from None
        if tested.layout() != game.layout():
            raise ConfigError("evaluation.components: expected those that players see in the same form as in training")
        return tested

    def check_fit(self, game: Game) -> None:
        """Raise ConfigError for what the game does not have, and for keys that do not go together."""
        self.make_tested_game(game)
        if self.reward is not None and self.reward not in game.spec.rewards:
            raise ConfigError(f"reward: {game.spec.name} pays {', '.join(game.spec.rewards)}, not {self.reward}")

    def unused(self) -> list[str]:
        """What the settings say that nobody will use, in sentences: told at the start, and no error."""
        return []


def check_rows(network: Network, game: Game) -> None:
    """Raise ConfigError for rows of actions that the game does not declare."""
    if network.rows and not game.action_rows:
        raise ConfigError(f"algorithm.net_arch.rows: {game.spec.name} declares no rows of actions; expected []")


# ---- What PPO reads in both engines that learn by it, `sb3` and `rllib`


class SeatedGames(Games):
    """Games of a learner in one seat."""

    seat: int | Literal["random", "all"] = setting(
        "random", "seat of the learner; `random`: drawn for each game; `all`: a whole team"
    )


class Ppo(Learning):
    """PPO with masked actions; the names are those of Stable-Baselines3."""

    n_steps: Some = setting(36, "decisions in each game between two updates")
    n_epochs: Few = setting(4, "how often each decision of a rollout is used")
    gamma: Share = setting(1.0, "discount")
    gae_lambda: Share = setting(0.95, "λ of generalised advantage estimation")
    clip_range: Positive = setting(0.2, "clipping of PPO's ratio")
    ent_coef: Weight = setting(0.0, "weight of the entropy bonus")
    vf_coef: Weight = setting(0.5, "weight of the value's loss")
    net_arch: Network = Network()


def check_ppo(environment: SeatedGames, algorithm: Ppo, opponents: list[Opponent], game: Game) -> None:
    """Raise ConfigError for a seat that the game does not have, for players without a seat, and for minibatches beyond
    a rollout."""
    seat, rollout = environment.seat, environment.num_envs * algorithm.n_steps
    if seat == "all" and not game.spec.cooperative:
        raise ConfigError(f"environment.seat: all seats together have no single reward in {game.spec.name}")
    if seat == "all" and opponents != RANDOM:
        raise ConfigError(
            "opponents: environment.seat: all leaves no seat to them; expected another seat, or none of them"
        )
    if isinstance(seat, int) and not 0 <= seat < game.players:
        raise ConfigError(f'environment.seat: {seat} is no seat; expected 0 to {game.players - 1} or "random"')
    if algorithm.batch_size > rollout:
        raise ConfigError(
            f"algorithm.batch_size: {algorithm.batch_size} is more than a rollout has; "
            f"expected at most num_envs * n_steps = {rollout}"
        )
    check_rows(algorithm.net_arch, game)


class Ray(Section):
    """Workers on a Ray cluster that play the games. For all engines but `rllib` what is learnt does not depend on them,
    and without Ray the same file runs in threads of its own process."""

    workers: Annotated[int, Field(ge=0, le=100_000)] = setting(
        0, "actors that play; 0: none, with an address as many as there is room for; `rllib` by default: 2"
    )
    address: Annotated[Annotated[str, Field(min_length=1)] | None, Names.CLUSTER] = setting(
        None, "address of a running cluster; `null`: that of `RAY_ADDRESS`, or one on this machine"
    )


# ---- `engine: rllib`: PPO of Ray RLlib, on as many machines as a cluster has -------------------------------------


class Rllib(Section):
    """What networks learn."""

    policies: Literal["shared", "separate"] = setting("shared", "one network for all seats, or one each")


class RllibConfig(BaseConfig):
    """PPO of Ray RLlib, in which all seats can learn at once."""

    engine: Literal["rllib"] = "rllib"
    environment: SeatedGames = SeatedGames()
    algorithm: Ppo
    opponents: Opponents = RANDOM
    shaping: ClassVar[str] = "none"  # RLlib learns from the rewards of the game alone
    rllib: Rllib = Rllib()
    ray: Ray = Ray(workers=2)

    @property
    def network(self) -> Network:
        """The network that learns, for all seats or for each."""
        return self.algorithm.net_arch

    def check_fit(self, game: Game) -> None:
        """Raise ConfigError also for what PPO cannot do, for a curriculum and for too many workers."""
        super().check_fit(game)
        check_ppo(self.environment, self.algorithm, self.opponents, game)
        for index, opponent in enumerate(self.opponents):
            if opponent.player == "curriculum":
                what = f"opponents.{index}.player"
                raise ConfigError(f"{what}: engine rllib has no curriculum; expected self or a player")
        if self.ray.workers > self.environment.num_envs:
            games = self.environment.num_envs
            raise ConfigError(f"ray.workers: {self.ray.workers} are too many for environment.num_envs: {games}")


# ---- `engine: sb3`: MaskablePPO of sb3-contrib, in this process --------------------------------------------------


class Sb3Games(SeatedGames):
    """Games of a learner in one seat, which threads of this process play."""

    threads: Threads = 1
    observation: Literal["float", "compact"] = setting(
        "compact", "`compact`: one byte an entry, which the network decodes; `float`: four bytes"
    )


class Sb3Ppo(Ppo):
    """PPO of sb3-contrib."""

    normalize_advantage: bool = setting(True, "whether advantages are normalised in each minibatch")
    target_kl: Positive | None = setting(None, "an update ends early beyond this divergence; `null`: never")


class Curriculum(Section):
    """The player `curriculum`: greedy in a share of its decisions, raised as the learner gets better."""

    start: Share = setting(0.0, "share of its decisions that is greedy at first")
    step: Annotated[float, Field(gt=0, le=1)] = setting(0.05, "by how much that share grows")
    raise_above: Share = setting(0.6, "it grows when the learner wins more than this share of the games")
    games: Some = setting(500, "number of last games that are counted")


class SelfPlay(Section):
    """The player `self`: a policy drawn from the pool of past selves."""

    size: Few = setting(8, "past selves in the pool")
    every: Steps = setting(200_000, "steps after which a new one joins it")


class LeagueSettings(Section):
    """Past selves measured against each other and against fixed players; hard ones are drawn more often."""

    games: Count = setting(200, "games of every new self against each other one and each anchor")
    power: Weight = setting(
        2.0, "a past self is drawn by the share of games that the newest loses to it, to this power"
    )
    anchors: Annotated[list[str], Field(min_length=1), Names.PLAYER] = setting(
        ["random", "greedy"], "fixed players; ratings count from the last"
    )


GROW = {"curriculum": "curriculum", "self_play": "self"}  # settings of opponents that grow: what these are called


class Sb3Config(BaseConfig):
    """MaskablePPO against fixed players, a curriculum or past selves."""

    engine: Literal["sb3"] = "sb3"
    environment: Sb3Games = Sb3Games()
    algorithm: Sb3Ppo
    shaping: Shaping = "none"
    truncation: Truncation = "bootstrap"
    opponents: Opponents = RANDOM
    curriculum: Curriculum = Curriculum()
    self_play: SelfPlay = SelfPlay()
    league: LeagueSettings | None = None  # without it all past selves are drawn alike
    logging: Logging = ["tensorboard"]
    ray: Ray = Ray()
    export_sb3: bool = setting(False, "also write `sb3.zip`, for the `load` of Stable-Baselines3")

    @property
    def network(self) -> Network:
        """The network that learns."""
        return self.algorithm.net_arch

    def check_fit(self, game: Game) -> None:
        """Raise ConfigError also for what PPO cannot do, and for a league where there is nobody to beat."""
        super().check_fit(game)
        check_ppo(self.environment, self.algorithm, self.opponents, game)
        known = ["none", "value", *(kind for kind in game.spec.rewards if kind != "outcome")]
        if self.shaping not in known:
            raise ConfigError(f"shaping: {game.spec.name} knows {', '.join(known)}, not {self.shaping}")
        if self.league is not None and game.spec.cooperative:
            raise ConfigError(f"league: {game.spec.name} is cooperative: there is nobody to beat")
        if self.league is not None and all(opponent.player != "self" for opponent in self.opponents):
            raise ConfigError("league: it is of past selves; expected the player self among the opponents")

    def unused(self) -> list[str]:
        """Settings of opponents that nobody plays."""
        played, fields = {one.player for one in self.opponents}, type(self).model_fields
        return [
            f"{section}: its settings do nothing, since `{player}` is not among the opponents"
            for section, player in GROW.items()
            if player not in played and getattr(self, section) != fields[section].default
        ]


# ---- `engine: td`: a value learnt by TD(λ) on afterstates, in self-play ------------------------------------------


class Plan(Section):
    """Planned games: the network plays the best plan of the own turn or round (docs/search.md)."""

    width: Annotated[int, Field(ge=0, le=MOST_PLANS)] = setting(0, "plans that are followed at once; 0: none")
    share: Share = setting(1.0, "share of the games in which it plans")
    ends: Share = setting(0.0, "share of planned decisions whose end of the plan is learnt from as well")


class Starts(Section):
    """Games that begin from a position of a recorded game, drawn for each (docs/train_further.md)."""

    share: Share = setting(0.0, "share of games that begin from positions of recorded ones")
    files: list[str] = setting([], "recorded games, or folders of some; ours, or those `verify` reads")


class Td(Section):
    """TD(λ) on afterstates in self-play; `environment.num_envs` games are played between two updates."""

    td_lambda: Share = setting(
        0.8, "how far the final reward is traced back: 0: to the last afterstate; 1: to every one alike"
    )
    explore: Share = setting(0.01, "share of decisions drawn at random")
    noise: Noise = 0.01
    widths: ValueWidths = setting([128, 64], "hidden layers of the value network")
    own_value: bool = setting(True, "whether the network also sees the game's own `value`")
    own_turn: bool = setting(False, "look ahead to the end of one's own turn, as the greedy player does")
    opponents: Share = setting(0.0, "share of games in which one seat learns and `opponents` play the others")
    epochs: Epochs = 1
    search: Simulations = setting(0, "simulations of a search that plays every decision and teaches; 0: none")
    tried: Simulations = setting(
        0, "with `search`: simulations of an action that teaches although it was not played; 0: none does"
    )
    plan: Plan = Plan()
    variants: Annotated[list[dict[str, Any]], Field(max_length=100)] = setting(
        [], "other options of the game: each game is played with `options` or one of these, in turn"
    )
    starts: Starts = Starts()
    other_table: OtherTable = False


class TdConfig(BaseConfig):
    """A value learnt in self-play."""

    engine: Literal["td"] = "td"
    environment: ThreadedGames = ThreadedGames()
    algorithm: Learning
    opponents: Opponents = RANDOM
    truncation: Truncation = "bootstrap"
    logging: Logging = ["tensorboard"]
    td: Td = Td()
    ray: Ray = Ray()
    device: Device = "cpu"

    def check_fit(self, game: Game) -> None:
        """Raise ConfigError also for keys of self-play and of the cluster that do not go together."""
        super().check_fit(game)
        if self.opponents != RANDOM and not self.td.opponents:
            raise ConfigError("opponents: no game is played against them; expected td.opponents above 0")
        if self.td.search and self.td.opponents:
            raise ConfigError("td.search: searched games have no opponents; expected td.opponents 0")
        if self.td.tried and not self.td.search:
            raise ConfigError("td.tried: there is no search that tries anything; expected td.search as well")
        if self.td.search and self.td.plan.width:
            raise ConfigError("td.plan: a game is searched or planned; expected td.search 0")
        if self.td.plan.ends and not self.td.plan.width:
            raise ConfigError("td.plan.ends: there are no plans that end; expected td.plan.width above 0")
        if self.td.plan.share != Plan().share and not self.td.plan.width:
            raise ConfigError("td.plan.share: there are no plans; expected td.plan.width above 0")
        if self.td.search and self.td.starts.share:
            raise ConfigError("td.starts: searched games begin at their beginning; expected td.search 0")
        if bool(self.td.starts.share) != bool(self.td.starts.files):
            raise ConfigError("td.starts: share and files go together; expected both or neither")
        if self.td.other_table and self.start_from is None:
            raise ConfigError("td.other_table: says where start_from may come from, and there is none")


# ---- `engine: distil`: a policy that learns from a learnt value what every action is worth -----------------------


class Imitating(Learning):
    """A policy that learns what actions are worth."""

    vf_coef: Weight = setting(0.5, "weight of the value's loss")
    net_arch: Layers = Layers()


class Distil(Section):
    """Who teaches, and how; `environment.num_envs` games are played ahead."""

    teacher: Annotated[str, Names.PLAYER] = setting(
        "reference", "who plays and judges, one decision ahead: `reference`, a run of `td`, or `greedy`"
    )
    temperature: Annotated[float, Field(gt=0, le=10)] = setting(
        0.02, "of the softmax over what actions are worth, in rewards"
    )
    explore: Share = setting(0.3, "share of random decisions; each game draws its own, from 0 up to this")
    noise: Noise = 0.01
    own_turn: bool = setting(False, "the teacher looks ahead to the end of its own turn")
    epochs: Epochs = 1
    other_table: OtherTable = False


class DistilConfig(BaseConfig):
    """A policy that learns from a learnt value what every action is worth."""

    engine: Literal["distil"] = "distil"
    environment: ThreadedGames = ThreadedGames()
    algorithm: Imitating
    shaping: Shaping = "none"
    logging: Logging = ["tensorboard"]
    distil: Distil = Distil()
    ray: Ray = Ray()
    device: Device = "cpu"

    @property
    def network(self) -> Network:
        """The network that learns, which never sees lookahead scores."""
        return Network.model_validate(self.algorithm.net_arch.model_dump())

    def check_fit(self, game: Game) -> None:
        """Raise ConfigError also for rows of actions that the game does not declare, and for what nobody teaches."""
        super().check_fit(game)
        if self.distil.other_table and self.start_from is None:
            raise ConfigError("distil.other_table: says where start_from may come from, and there is none")
        check_rows(self.network, game)
        if self.shaping not in ("none", "value"):
            raise ConfigError(f"shaping: {self.shaping}: engine distil leaves out the teacher's own value, or nothing")


# ---- The training file: a union on `engine:` of these classes, each with the keys that its engine reads
#
# A key of another engine is refused, unless it says what is so by default: runs of earlier versions, and results that
# name their settings, list the keys of all engines.

PolicyConfig = Sb3Config | RllibConfig | DistilConfig  # what learns is a policy, and no value alone
LocalConfig = Sb3Config | TdConfig | DistilConfig  # of the engines that learn in this process
Config = PolicyConfig | TdConfig
ENGINES: dict[str, type[BaseConfig]] = {"sb3": Sb3Config, "rllib": RllibConfig, "td": TdConfig, "distil": DistilConfig}
DEFAULT = "sb3"
UNION: TypeAdapter[Config] = TypeAdapter(Annotated[Config, Field(discriminator="engine")])


def parsed(data: dict[str, Any]) -> Config:
    """A training file from its data. Raises ValidationError, whose places begin with the engine."""
    data = {"engine": DEFAULT, **data}
    model = ENGINES.get(str(data["engine"]))
    return UNION.validate_python(data if model is None else without_others(model, data))


@functools.cache
def keys_of(model: type[Section], prefix: str = "") -> dict[str, FieldInfo]:
    """The dotted keys of a section and of all in it; N stands for a number in a list, NAME for one in a mapping."""
    found: dict[str, FieldInfo] = {}
    for name, field in model.model_fields.items():
        found[f"{prefix}{name}"] = field
        for below, section in sections_in(field.annotation):
            found |= keys_of(section, f"{prefix}{name}.{below}{'.' if below else ''}")
    return found


def readers(key: str) -> list[str]:
    """The engines that have a dotted key."""
    return [engine for engine, model in ENGINES.items() if key in keys_of(model)]


def without_others(model: type[BaseConfig], data: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Data without the keys that only other engines have, where they say what is so by default."""
    known, kept = keys_of(model), {}
    for key, value in data.items():
        place = f"{prefix}{key}"
        if place not in known and is_default_elsewhere(place, value):
            continue
        kept[key] = without_others(model, value, f"{place}.") if place in known and isinstance(value, dict) else value
    return kept


def is_default_elsewhere(key: str, value: Any) -> bool:
    """Whether a value is the default of a dotted key in some engine."""
    return any(_says_default(keys_of(ENGINES[engine])[key], value) for engine in readers(key))


def _says_default(field: FieldInfo, value: Any) -> bool:
    kind: Any = field.annotation
    try:
        return TypeAdapter(kind).validate_python(value, strict=True) == field.default
    except ValidationError:
        return False
