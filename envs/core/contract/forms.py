"""What the argument `observation` of an environment asks for: a form of all games, and a game's own option."""

from __future__ import annotations

import typing
from typing import Any

from theogony.envs.core.features import FORMS, ObservationForm, check_form

OPTION = "observation"  # of a game that can show more than one thing


def take_form(spec: Any, observation: str, options: dict[str, Any]) -> ObservationForm:
    """The form that is asked for; where the game has an option `observation`, its word is put among `options`.

    `"attributes"`, `"compact"` or both in one text, `"attributes compact"`; without a form it is "float". Raises
    ValueError.
    """
    own = own_words(spec)
    if not own:
        return check_form(observation)
    words = observation.split() if isinstance(observation, str) else []
    forms, shown = [word for word in words if word in FORMS], [word for word in words if word in own]
    if len(forms) > 1 or len(shown) > 1 or len(forms) + len(shown) != len(words) or not words:
        either = " or ".join(f'"{word}"' for word in FORMS)
        raise ValueError(
            f"{spec.name}: observation={observation!r}: expected {either}, {' or '.join(repr(word) for word in own)}, "
            f'or one of each, "{own[-1]} {FORMS[-1]}"'.replace("'", '"')
        )
    if shown:
        options[OPTION] = shown[0]
    return check_form(forms[0] if forms else FORMS[0])


def own_words(spec: Any) -> tuple[str, ...]:
    """What a game's own option `observation` may be; nothing where it has none."""
    field = spec.options.model_fields.get(OPTION)
    return typing.get_args(field.annotation) if field else ()
