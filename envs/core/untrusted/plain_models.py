"""Models of data without pydantic: the part of it that games use, with its names and words.

Fields have types, defaults and bounds; values are read as pydantic's strict mode reads JSON: nothing is converted but
lists to tuples and texts to paths. The first problem is the only one that is told.
"""

from __future__ import annotations

import functools
import operator
import re
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

ConfigDict = dict
MISSING: Any = object()


class ValidationError(ValueError):
    """Data that do not fit a model."""

    def __init__(self, message: str, value: Any, *place: int | str, kind: str = "value_error") -> None:
        super().__init__(message)
        self.message, self.value, self.place, self.kind = message, value, place, kind

    def errors(self) -> list[dict[str, Any]]:
        """The first problem, as pydantic would tell it, but for its `type`: of that nothing but "missing" is asked."""
        return [{"type": self.kind, "loc": self.place, "msg": self.message, "input": self.value}]


class FieldInfo:
    """What is said of a field beside its type: a default, a description, another name in the data, and bounds."""

    def __init__(
        self,
        default: Any = MISSING,
        *,
        description: str | None = None,
        alias: str | None = None,
        discriminator: str | None = None,
        **bounds: Any,
    ) -> None:
        self.default, self.description, self.alias, self.discriminator = default, description, alias, discriminator
        self.bounds = bounds


Field: Any = FieldInfo


class _Check(NamedTuple):
    field: str | None  # None: the whole model
    method: Any


def field_validator(name: str) -> Callable[[Any], Any]:
    """Marks a method that checks one field."""
    return lambda method: _Check(name, method)


def model_validator(mode: str) -> Callable[[Any], Any]:
    """Marks a method that checks a whole model, once all fields are read."""
    return lambda method: _Check(None, method)


class BaseModel:
    """Data with named fields. Raises ValidationError where they do not fit."""

    model_config: ClassVar[dict[str, Any]] = {}
    model_fields: ClassVar[dict[str, FieldInfo]] = {}
    _checks: ClassVar[list[_Check]] = []
    model_fields_set: set[str]

    def __init_subclass__(cls) -> None:
        fields, own = dict(cls.model_fields), vars(cls)
        for name, kind in own.get("__annotations__", {}).items():
            if not str(kind).startswith("ClassVar"):
                given = own.get(name, MISSING)
                fields[name] = given if isinstance(given, FieldInfo) else FieldInfo(given)
        cls.model_fields = fields
        cls._checks = [*cls._checks, *(check for check in own.values() if isinstance(check, _Check))]
        cls.model_config = {**cls.__base__.model_config, **cls.model_config}  # pyright: ignore[reportOptionalMemberAccess]

    def __init__(self, **given: Any) -> None:
        kinds, values = _kinds(type(self)), self.__dict__
        left = dict(given)
        for name, field in self.model_fields.items():
            key = field.alias or name
            if key in left:
                values[name] = _within(key, _read, kinds[name], left.pop(key))
                _within(key, _check_bounds, values[name], field.bounds)
            elif field.default is MISSING:
                raise ValidationError("Field required", given, key, kind="missing")
            else:
                values[name] = field.default
        if left and self.model_config.get("extra") == "forbid":
            key, value = next(iter(left.items()))
            raise ValidationError("Extra inputs are not permitted", value, key)
        values["model_fields_set"] = {n for n, f in self.model_fields.items() if (f.alias or n) in given}
        self._run_checks()

    def _run_checks(self) -> None:
        for check in self._checks:
            try:
                if check.field is None:
                    check.method(self)
                else:
                    check.method.__get__(None, type(self))(self.__dict__[check.field])
            except ValidationError:
                raise
            except ValueError as error:
                value, place = self.__dict__.get(check.field or ""), [check.field] if check.field else []
                raise ValidationError(f"Value error, {error}", value, *place) from None

    def __setattr__(self, name: str, value: Any) -> None:
        if self.model_config.get("frozen"):
            raise ValidationError("Instance is frozen", value)
        object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._values() == other._values()  # pyright: ignore[reportAttributeAccessIssue]

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return iter(self._values().items())

    def __hash__(self) -> int:
        return hash(tuple(self._values().values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._values().items())})"

    def _values(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in self.model_fields}

    @classmethod
    def model_validate(cls, data: Any) -> Any:
        """Plain data as a model."""
        return _read(cls, data)

    def model_dump(
        self,
        *,
        mode: str = "python",
        by_alias: bool = False,
        exclude_none: bool = False,
        exclude_defaults: bool = False,
        exclude_unset: bool = False,
    ) -> dict[str, Any]:
        """The model as plain data; for JSON with texts for paths and lists for tuples."""
        options = {"mode": mode, "by_alias": by_alias, "exclude_none": exclude_none}
        options |= {"exclude_defaults": exclude_defaults, "exclude_unset": exclude_unset}
        out = {}
        for name, value in self._values().items():
            field, unset = self.model_fields[name], name not in self.model_fields_set
            left_out = (exclude_none and value is None) or (exclude_unset and unset)
            if not left_out and not (exclude_defaults and value == field.default):
                out[(field.alias or name) if by_alias else name] = _plain(value, options)
        return out


def _plain(value: Any, options: dict[str, Any]) -> Any:
    """A value of a field as plain data."""
    if isinstance(value, BaseModel):
        return value.model_dump(**options)
    if isinstance(value, dict):
        return {key: _plain(item, options) for key, item in value.items()}
    for_json = options["mode"] == "json"
    if isinstance(value, list | tuple):
        return (list if for_json else type(value))(_plain(item, options) for item in value)
    return str(value) if for_json and isinstance(value, Path) else value


# ---------------------------------------------------------------------------------------------------- values


def _within(key: int | str, step: Callable[..., Any], *arguments: Any) -> Any:
    """A step at a place of the data, which its problems then name."""
    try:
        return step(*arguments)
    except ValidationError as problem:
        problem.place = (key, *problem.place)
        raise


_kinds = functools.cache(functools.partial(get_type_hints, include_extras=True))
PLAIN: dict[Any, tuple[Any, str]] = {  # type -> what its values are, pydantic's words
    int: (int, "a valid integer"),
    float: ((int, float), "a valid number"),
    str: (str, "a valid string"),
    bool: (bool, "a valid boolean"),
    type(None): (type(None), "None"),
    Path: ((str, Path), "a valid path"),
    list: ((list, tuple), "a valid list"),
    tuple: ((list, tuple), "a valid tuple"),
    dict: (dict, "a valid dictionary"),
}


def _read(kind: Any, value: Any) -> Any:
    """A value as a type says. Raises ValidationError."""
    if kind is Any:
        return value
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        if isinstance(value, kind):
            return value
        if not isinstance(value, dict):
            words = f"Input should be a valid dictionary or instance of {kind.__name__}"
            raise ValidationError(words, value)
        return kind(**value)
    origin = get_origin(kind) or kind
    if origin in PARTS:
        return PARTS[origin](get_args(kind), value)
    fits, words = PLAIN[origin]
    if not isinstance(value, fits) or (type(value) is bool) != (origin is bool):  # Python takes truth for a number
        raise ValidationError(f"Input should be {words}", value)
    if origin in (list, tuple, dict):
        return _items(origin, get_args(kind), value)
    return Path(value) if origin is Path else value


def _items(origin: Any, kinds: tuple[Any, ...], value: Any) -> Any:
    if origin is dict:
        key_kind, item_kind = kinds or (Any, Any)
        return {_within(k, _read, key_kind, k): _within(k, _read, item_kind, item) for k, item in value.items()}
    if origin is tuple and kinds and kinds[-1] is not ...:
        if len(value) != len(kinds):
            raise ValidationError(f"Tuple should have {len(kinds)} items, not {len(value)}", value)
        return tuple(_within(k, _read, kind, item) for k, (kind, item) in enumerate(zip(kinds, value, strict=True)))
    return origin(_within(k, _read, kinds[0] if kinds else Any, item) for k, item in enumerate(value))


def _read_annotated(parts: tuple[Any, ...], value: Any) -> Any:
    kind, *said = parts
    for field in said:
        if isinstance(field, FieldInfo) and field.discriminator:
            return _read_branch(kind, field.discriminator, value)
    found = _read(kind, value)
    for field in said:
        if isinstance(field, FieldInfo):
            _check_bounds(found, field.bounds)
    return found


def _read_branch(union: Any, key: str, value: Any) -> Any:
    """The model of a union whose field `key` has the literal that the data have."""
    if not isinstance(value, dict) or key not in value:
        raise ValidationError(f"Unable to extract tag using discriminator {key!r}", value)
    for model in get_args(union):
        if value[key] in get_args(_kinds(model)[key]):
            return _within(str(value[key]), _read, model, value)
    raise ValidationError(f"Input tag {value[key]!r} found using {key!r} is not expected", value)


def _read_literal(known: tuple[Any, ...], value: Any) -> Any:
    if any(value == one and type(value) is type(one) for one in known):
        return value
    *first, last = map(repr, known)
    words = f"{', '.join(first)} or {last}" if first else last
    raise ValidationError(f"Input should be {words}", value)


def _read_union(kinds: tuple[Any, ...], value: Any) -> Any:
    problems: list[ValidationError] = []
    for kind in kinds:
        try:
            return _read(kind, value)
        except ValidationError as error:
            problems.append(error)
    raise problems[0]


PARTS: dict[Any, Callable[[tuple[Any, ...], Any], Any]] = {
    Annotated: _read_annotated,
    Literal: _read_literal,
    Union: _read_union,
    types.UnionType: _read_union,
}

BOUNDS: dict[str, tuple[Callable[[Any, Any], Any], str]] = {  # whether it is kept, pydantic's words
    "ge": (operator.ge, "Input should be greater than or equal to {bound}"),
    "gt": (operator.gt, "Input should be greater than {bound}"),
    "le": (operator.le, "Input should be less than or equal to {bound}"),
    "lt": (operator.lt, "Input should be less than {bound}"),
    "min_length": (lambda value, bound: len(value) >= bound, "Value should have at least {bound} items"),
    "max_length": (lambda value, bound: len(value) <= bound, "Value should have at most {bound} items"),
    "pattern": (lambda value, bound: re.search(bound, value), "String should match pattern '{bound}'"),
}


def _check_bounds(value: Any, bounds: dict[str, Any]) -> None:
    for name, bound in bounds.items():
        keeps, words = BOUNDS[name]
        if not keeps(value, bound):
            raise ValidationError(words.format(bound=bound), value)
