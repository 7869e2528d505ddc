"""Reading data of others into pydantic models, with the first problem as one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from theogony.envs.core.untrusted.models import ValidationError
from theogony.envs.core.untrusted.outside import SHOWN, parse_json, printable

if TYPE_CHECKING:
    import pydantic

Model = TypeVar("Model", bound="pydantic.BaseModel")
FEW, LONGEST = 100, 200  # problems that are looked into, as each takes 1 kB of memory; characters of one of others


def checked(model: type[Model], content: Any, what: str, problem: type[Exception]) -> Model:
    """`content`, plain data or JSON text, as a model.

    Raises `problem`: `what` it is, the place in it, what was expected there and what was found. Text is never read by
    pydantic, which would copy a whole object for each key that it lacks.
    """
    if isinstance(content, str | bytes):
        content = parse_json(content, what, problem)
    try:
        return model.model_validate(content)
    except ValidationError as error:
        if hasattr(error, "error_count") and error.error_count() > FEW:
            _, where, message, *_ = str(error).split("\n", 3)
            where = place(content, tuple(int(part) if part.isdecimal() else part for part in where.split(".")))
            raise problem(printable(f"{what}: {where:.{SHOWN}}: {message.strip():.{LONGEST}}")) from None
        first = error.errors()[0]
        where = place(content, first["loc"])
        raise problem(f"{what}: {where}{': ' if where else ''}{first['msg']}{_found(first)}") from None


def place(content: Any, path: tuple[int | str, ...]) -> str:
    """The place of a problem in words; entries of lists with their id, where they have one."""
    words: list[str] = []
    for depth, part in enumerate(path, 1):
        try:
            content = content[part]
        except (LookupError, TypeError):
            if isinstance(content, dict) and isinstance(part, str) and (depth < len(path) or not part.isidentifier()):
                continue  # the name that pydantic gives to the branch of a union; a missing key can only come last
            content = None
        named = isinstance(part, int) and isinstance(content, dict) and "id" in content
        words.append(f"{part} (id {content['id']})" if named else str(part))
    return printable(".".join(f"{word:.{SHOWN}}" for word in words))


def _found(problem: Any) -> str:
    """What was found, unless that is nothing."""
    return "" if problem["type"] == "missing" else f", found {problem['input']!r:.{SHOWN}}"
