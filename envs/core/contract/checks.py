"""What a spec is refused for: fields and parts that do not go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from theogony.envs.core.contract.options import SpecError
from theogony.envs.core.jit import is_rule
from theogony.envs.core.record import HEADER, SEATS

if TYPE_CHECKING:
    from theogony.envs.core.game import GameSpec, Parts


def check_spec(spec: GameSpec, rules: tuple[str, ...]) -> None:
    """Raise SpecError for what can be seen before a game is configured. `rules` are fields that must be rules."""
    for name in rules:
        if not is_rule(getattr(spec, name)):
            raise SpecError(f"{spec.name}: {name} is no compiled rule: expected `@rule` above its `def`")
    if not isinstance(spec.players, tuple) or not all(isinstance(n, int) and 1 <= n <= SEATS for n in spec.players):
        raise SpecError(f"{spec.name}: players={spec.players!r}: expected a tuple of numbers from 1 to {SEATS}")
    if not spec.players or "players" not in spec.options.model_fields:
        raise SpecError(f"{spec.name}: expected a player count in `players`, and an option `players`")
    if not isinstance(spec.hidden, tuple):
        raise SpecError(f"{spec.name}: hidden={spec.hidden!r}: expected a tuple of field names")
    if not isinstance(spec.option_sets, tuple | list) or not all(isinstance(one, dict) for one in spec.option_sets):
        expected = 'expected a tuple of dicts of options, such as ({}, {"rounds": 1})'
        raise SpecError(f"{spec.name}: option_sets={spec.option_sets!r}: {expected}")
    if (spec.generate is None) != ("components" not in spec.options.model_fields):
        raise SpecError(f"{spec.name}: `generate` and options that are `PackOptions` go together: expected both")
    if not isinstance(spec.surprises, tuple) or not all(isinstance(kind, int) for kind in spec.surprises):
        raise SpecError(f"{spec.name}: surprises={spec.surprises!r}: expected a tuple of kinds of decision")
    if spec.decision_bound is None and not spec.options.model_fields["max_decisions"].default:
        raise SpecError(
            f"{spec.name}: nothing ends a game for certain: expected `decision_bound`, "
            "or a default for the option `max_decisions`"
        )


def check_parts(spec: GameSpec, parts: Parts) -> None:
    """Raise SpecError for a state record that is none, or that has no field which the spec names."""
    if (parts.state.names or ())[: len(HEADER)] != HEADER:
        raise SpecError(f"{spec.name}: expected a state record that begins with `*header()` of core.record")
    for name in spec.hidden:
        if name not in (parts.state.names or ()):
            raise SpecError(f"{spec.name}: hidden names {name!r}, which is no field of the state record")
