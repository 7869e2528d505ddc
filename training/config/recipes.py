"""Recipes: how each shipped player is made from nothing, stage by stage (`configs/players.yaml`)."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, RootModel, model_validator

from theogony.envs.core.untrusted.checked import checked
from theogony.training.config import ConfigError
from theogony.training.config.file import read_yaml
from theogony.training.config.sections import Section, setting

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
