"""Options that every game has, and what is raised for options, components and specs that do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from theogony.envs.core.contract.faults import did_you_mean
from theogony.envs.core.packs import PRINTED, packs_named
from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field, ValidationError, field_validator

if TYPE_CHECKING:
    from theogony.envs.core.game import GameSpec

MOST_DECISIONS = 2**31 - 1  # `ply` counts them


class OptionError(ValueError):
    """An option of a game is unknown or has a value that the game does not take."""


class UnknownOption(OptionError, TypeError):
    """A game has no option of this name, its `option`. A TypeError too, as of a function without such an argument."""

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(message)
        self.option = option


class ComponentError(ValueError):
    """A component file (tiles, cards ...) does not fit the game."""


class SpecError(TypeError, ValueError):
    """A game is put together wrongly: says which field of its spec, and what was expected."""


class GameOptions(BaseModel):
    """Options that every game has. A game adds its own fields."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True, validate_default=True)

    players: int
    max_decisions: int = Field(
        default=0, ge=0, description="number of decisions after which a game is truncated; 0: never"
    )

    @field_validator("max_decisions")
    @classmethod
    def _counted_in_32_bits(cls, value: int) -> int:
        if value > MOST_DECISIONS:
            raise ValueError(f"at most {MOST_DECISIONS} was expected")
        return value


class PackOptions(GameOptions):
    """Options of a game that can draw components of its own (`generate`)."""

    components: str = Field(
        default=PRINTED,
        description="`printed`, or drawn: `random:SEED`, or `random:FIRST-LAST`, one of these for every game",
    )

    @field_validator("components")
    @classmethod
    def _named(cls, value: str) -> str:
        packs_named(value)
        return value


def checked_options(spec: GameSpec, options: dict[str, Any]) -> GameOptions:
    """Options as the model of a game. Raises OptionError naming the one that is unknown or wrong."""
    for name in options:
        if name not in spec.options.model_fields:
            known = ", ".join(spec.options.model_fields)
            near = did_you_mean(name, spec.options.model_fields)
            raise UnknownOption(f"{spec.name} has no option {name!r}; its options are {known}{near}", name)
    try:
        return spec.options(**options)
    except ValidationError as error:
        first = error.errors()[0]
        where, said = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
        option = f"option {where}={first['input']!r}: " if where else ""  # some say what does not go together
        raise OptionError(f"{spec.name}: {option}{said}") from None
