"""`theogony remake`: a shipped player from nothing, by its recipe.

Every stage is a run in a folder of its own, `runs/remake/push_of_faith/2p/1`. So whatever was stopped goes on where it
stood when the command is given again, and what is done is not done twice. A run with other settings is refused: else
what came of a trial would pass for the player.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import torch
from pydantic import Field, RootModel, model_validator
from safetensors.torch import save as save_tensors

from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import make_folder
from theogony.training.config import ConfigError
from theogony.training.config.engines import Config, Ray
from theogony.training.config.file import (
    RESUMABLE,
    apply_override,
    entries,
    inside,
    load_config,
    read_yaml,
    resumed_config,
)
from theogony.training.config.sections import Section, ValueNetwork, setting
from theogony.training.learning.train import carry_out, is_done
from theogony.training.networks.weights import CheckpointError, Tensors
from theogony.training.storage import checkpoint
from theogony.training.storage.disk import write_folder
from theogony.training.storage.folder import CONFIG
from theogony.training.storage.header import HEADER, CheckpointHeader, read_header

HERE = "ray.address=null"  # in place of the cluster where a run was made before
LEAST = 2  # agents that have a mean


def write_mean(agents: Sequence[Path], out: Path) -> Path:
    """Write the mean of several agents as a checkpoint, and return its folder, `out`, which must not be there yet.

    Raises CheckpointError as `mean_of` does, or where `out` is there.
    """
    if out.exists():
        raise CheckpointError(f"{out}: is there already; expected a new folder")
    header, weights = mean_of(agents)
    make_folder(out.parent)
    write_folder(out, {checkpoint.POLICY: weights, HEADER: header.as_bytes()})
    return out


def mean_of(agents: Sequence[Path]) -> tuple[CheckpointHeader, bytes]:
    """The header, sealed, and the weights of the mean of several agents.

    Args:
        agents: runs, of each its last checkpoint, or checkpoints. One that is named twice counts twice.

    Raises CheckpointError where an agent is damaged or of another game, table, network or reward than the last one, or
    there is one alone.
    """
    if len(agents) < LEAST:
        raise CheckpointError(f"{len(agents)} agent to average; expected {LEAST} or more")
    sources = [checkpoint.checkpoint_path(agent) for agent in agents]
    header = read_header(sources[-1])
    game = header.make_game(sources[-1])
    for source in sources:
        other = read_header(source)
        other.check(game, source)
        other.check_network(header.network, source)
        if isinstance(other.network, ValueNetwork) and isinstance(header.network, ValueNetwork):
            rewards = other.network.reward, header.network.reward  # values of others say different things of a position
            if len(set(rewards)) > 1:
                what = f"learnt the reward {rewards[0]}, the last agent {rewards[1]}"
                raise CheckpointError(f"{source}: {what}; expected the same")
        checkpoint.check_agent(source, game)
    weights = save_tensors(_mean([checkpoint.read_weights(source) for source in sources]))
    return header.sealed({checkpoint.POLICY: weights}), weights


def _mean(weights: Sequence[Tensors]) -> Tensors:
    """The mean of every tensor, summed in float64, which forgets the order."""
    stacks = {name: torch.stack([one[name].double() for one in weights]) for name in weights[0]}
    return {name: stack.mean(0).float().contiguous() for name, stack in stacks.items()}


# ---- Recipes: how each shipped player is made from nothing, stage by stage (`configs/players.yaml`) ----------------

Number = Annotated[int, Field(ge=1)]  # of a stage


class Stage(Section):
    """One training of a recipe. It begins with what the stage before it came to; without `file` it is that training,
    longer. Or no training: the mean of what other stages came to."""

    file: str | None = setting(None, "training file, or its name: push_of_faith/td")
    set: dict[str, Any] = setting({}, "entries of the file that are changed, by their dotted keys")
    begins: Number | None = setting(None, "the stage that it begins with; null: the one before")
    mean: Annotated[list[Number], Field(max_length=100)] = setting(
        [], "in place of a training: the stages whose weights are averaged"
    )

    @model_validator(mode="after")
    def _mean_is_alone(self) -> Stage:
        if self.mean and (self.file or self.set or self.begins):
            raise ValueError("mean: is no training; expected neither `file` nor `set` nor `begins` beside it")
        if self.begins and self.file is None:
            raise ValueError("begins: the training before goes on; expected a `file`")
        return self

    @property
    def goes_on(self) -> bool:
        """Whether it is the training before it, longer."""
        return self.file is None and not self.mean

    @property
    def teaches(self) -> bool:
        """Whether there is a teacher: the file is called so."""
        return self.file is not None and Path(self.file).stem == "distil"


class Recipe(Section):
    """How a player is made."""

    minutes: Annotated[float, Field(gt=0)] = Field(description="of a processor, for the stages; not for what they need")
    begins: str | None = setting(None, "the player that the first stage begins with; null: nothing")
    teacher: str | None = setting(None, "the player that teaches in stages of engine distil")
    stages: Annotated[list[Stage], Field(min_length=1, max_length=100)]

    @model_validator(mode="after")
    def _stages_follow(self) -> Recipe:
        if self.stages[0].file is None:
            raise ValueError("stages.0: has nothing before it to go on with; expected a `file`")
        for index, stage in enumerate(self.stages):
            if later := [number for number in (stage.begins, *stage.mean) if number and number > index]:
                raise ValueError(f"stages.{index}: names stage {later[0]}; expected one before it, 1 to {index}")
            if stage.goes_on and self.stages[index - 1].mean:
                raise ValueError(f"stages.{index}: a mean is no training that can go on; expected a `file`")
        return self

    @property
    def needs(self) -> list[str]:
        """The players that must be there before."""
        return [name for name in (self.begins, self.teacher) if name]


class Recipes(RootModel[dict[str, Recipe]]):
    """All recipes by the names of their players: `push_of_faith/2p-policy`."""


def read_recipes(path: Path | None = None) -> dict[str, Recipe]:
    """The recipes of a file, by default those of the package. Raises ConfigError naming the key that is wrong."""
    path = path or Path(str(files("theogony.configs") / "players.yaml"))
    recipes = checked(Recipes, read_yaml(path)[0], str(path), ConfigError).root
    for name, recipe in recipes.items():
        for other in recipe.needs:
            if other not in recipes:
                raise ConfigError(f"{path}: {name}: needs {other!r}, which has no recipe")
        if recipe.teacher and not any(stage.teaches for stage in recipe.stages):
            raise ConfigError(f"{path}: {name}: teacher: no stage is of a distil file")
    for name in recipes:
        in_order(recipes, name)
    return recipes


def in_order(recipes: dict[str, Recipe], name: str) -> list[str]:
    """A player and all that it needs, each behind what it needs itself. Raises ConfigError for a name without recipe,
    or a player that needs itself."""
    found: list[str] = []

    def add(player: str, above: tuple[str, ...]) -> None:
        if player not in recipes:
            raise ConfigError(f"{player}: there is no recipe of that name; expected one of {', '.join(recipes)}")
        if player in above:
            raise ConfigError(f"{player}: needs itself: {' -> '.join([*above, player])}")
        for other in recipes[player].needs:
            add(other, (*above, player))
        if player not in found:
            found.append(player)

    add(name, ())
    return found


def minutes_of(recipes: dict[str, Recipe], name: str) -> float:
    """Minutes of a processor from nothing: of a player and all that it needs."""
    return sum(recipes[player].minutes for player in in_order(recipes, name))


# ---- The stages of a recipe ----------------------------------------------------------------------------------------

FOLDER = Path("runs/remake")
STEPS = "algorithm.total_steps"
FREE = ("folder", *(key for key in RESUMABLE if key != STEPS))  # entries that do not decide what a run learns


def listed(recipes: dict[str, Recipe]) -> str:
    """A line for every player: its name, and hours of a processor from nothing."""
    return "\n".join(f"{name:<24}{minutes_of(recipes, name) / 60:6.1f} h" for name in recipes)


def remake(
    name: str, overrides: list[str], out: Path = FOLDER, recipes: Path | None = None, cluster: str | None = None
) -> Path:
    """Make a player and all that it needs, or go on. Returns the run of its last stage.

    Args:
        name: of the recipe, as `push_of_faith/2p-policy`.
        overrides: `key=value`, entries of the training files of all stages that are changed: for trials.
        out: where the runs go.
        recipes: a file of recipes in place of that of the package.
        cluster: address of a Ray cluster that plays the games of the stages whose engine can.

    Raises ConfigError, CheckpointError or InUse.
    """
    known = read_recipes(recipes)
    order = in_order(known, name)
    print(f"{', then '.join(order)}: about {minutes_of(known, name) / 60:.1f} hours of a processor", flush=True)
    runs: dict[str, Path] = {}
    for player in order:
        runs[player] = _made(player, known[player], runs, out / player, overrides, cluster)
    return runs[name]


def _made(
    player: str, recipe: Recipe, runs: dict[str, Path], out: Path, overrides: list[str], cluster: str | None
) -> Path:
    """All stages of one recipe. Returns the run of the last one."""
    made: list[Path] = []  # what each stage came to
    for number, stage in enumerate(recipe.stages, 1):
        print(f"{player}, stage {number} of {len(recipe.stages)}", flush=True)
        if stage.mean:
            made.append(_weight_average([made[one - 1] for one in stage.mean], out / str(number)))
        elif stage.file is None:
            _go_on(made[-1], _longer(stage, overrides), cluster)
            made.append(made[-1])
        else:
            first = runs[recipe.begins] if recipe.begins else None
            before = made[stage.begins - 1] if stage.begins else made[-1] if made else first
            links: dict[str, Any] = {"folder": str(out / str(number))}
            links |= {"start_from": str(before)} if before else {}
            links |= {"distil.teacher": str(runs[recipe.teacher])} if recipe.teacher and stage.teaches else {}
            config = load_config(Path(stage.file), [*entries(stage.set), *overrides, *entries(links)])
            made.append(_trained(config, out / str(number), recipe.stages[number:], overrides, cluster))
    return made[-1]


def _weight_average(agents: list[Path], out: Path) -> Path:
    """The mean of what stages came to. Raises ConfigError where there is another one."""
    names = ", ".join(map(str, agents))
    if not out.exists():
        print(f"the mean of {names} is in {write_mean(agents, out)}", flush=True)
    elif read_header(out) != mean_of(agents)[0]:
        raise ConfigError(f"{out}: is not the mean of {names}; expected that, or another --folder")
    else:
        print(f"{out} is there already", flush=True)
    return out


def _trained(config: Config, run: Path, later: Sequence[Stage], overrides: Sequence[str], cluster: str | None) -> Path:
    """A stage that is a training, or what is left of it."""
    if (run / CONFIG).is_file():
        _check_same(run, config, later, overrides)
        _go_on(run, [], cluster)
    else:
        carry_out(_on(config, cluster), run, resumed=False)
    return run


def _longer(stage: Stage, overrides: Sequence[str]) -> list[str]:
    """The entries that a stage changes in the run before it; of those to change in all stages the same ones."""
    return [*entries(stage.set), *(entry for entry in overrides if entry.partition("=")[0] in stage.set)]


def _check_same(run: Path, wanted: Config, later: Sequence[Stage], overrides: Sequence[str]) -> None:
    """Raise ConfigError where a run has other settings than its stage, or than stages that made it longer."""
    found, expected = (_settings(config) for config in (load_config(run / CONFIG, [HERE]), wanted))
    for stage in later:
        if not stage.goes_on:
            break
        changed: dict[str, Any] = {}
        for entry in _longer(stage, overrides):
            apply_override(changed, entry)
        if found[STEPS] == changed.get("algorithm", {}).get("total_steps"):
            expected[STEPS] = found[STEPS]
    for key in sorted({*found, *expected}):
        if found.get(key) != expected.get(key):
            raise ConfigError(
                f"{run}: was made with {key}={json.dumps(found.get(key))}, and what is asked for has "
                f"{json.dumps(expected.get(key))}; expected the same entries, or another --folder"
            )


def _settings(config: Config) -> dict[str, Any]:
    """What decides what a run learns, by dotted keys."""

    def flat(section: dict[str, Any], prefix: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in section.items():
            key = f"{prefix}{name}"
            found |= flat(value, f"{key}.") if isinstance(value, dict) and value else {key: value}
        return found

    settings = flat(config.model_dump(mode="json"), "")
    return {key: value for key, value in settings.items() if not any(inside(key, free) for free in FREE)}


def _on(config: Config, cluster: str | None) -> Config:
    """The training file with a cluster that plays, where its engine can."""
    if cluster is None or not hasattr(config, "ray"):
        return config
    return config.model_copy(update={"ray": Ray(address=cluster)})


def _go_on(run: Path, overrides: list[str], cluster: str | None) -> None:
    """Let a run make what is left of its steps."""
    config = _on(resumed_config(run, [*overrides, HERE]), cluster)
    if is_done(config, run):
        print(f"{run} is there already", flush=True)
    else:
        carry_out(config, run, resumed=True)
