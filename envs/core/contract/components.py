"""Components that are not a game's printed ones: drawn from a seed, or given by somebody and checked first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from theogony.envs.core.contract.options import ComponentError, OptionError
from theogony.envs.core.packs import Draw
from theogony.envs.core.untrusted.outside import check_depth, check_plain_text

if TYPE_CHECKING:
    from theogony.envs.core.game import GameSpec, Parts


def generated(spec: GameSpec, options: Any, seed: int) -> Any:
    """Components that the game draws: data like those of a stranger. Raises OptionError beside a component file."""
    assert spec.generate is not None
    for name, value in options.model_dump(exclude_defaults=True).items():
        if isinstance(value, Path):
            raise OptionError(f"{spec.name}: option components={options.components!r} leaves no place for {name}")
    return spec.generate(options, Draw(seed, spec.name))


def parts_from_outside(spec: GameSpec, options: Any, components: Any, where: str) -> tuple[Any, Parts]:
    """Component data that somebody gave, checked, and the parts made of them. Raises ComponentError."""
    if spec.check_components is None:
        if components != spec.components(options):
            raise ComponentError(f"{where}: {spec.name} takes no other components than its own")
        return components, spec.build(options, components)
    try:
        check_depth(components)
        data = spec.check_components(components, where)
        check_plain_text(data)
        return data, spec.build(options, data)
    except ComponentError:
        raise
    except (ValueError, ArithmeticError, LookupError, TypeError, RecursionError) as error:
        raise ComponentError(f"{where}: do not make a game of {spec.name}: {error}") from None
