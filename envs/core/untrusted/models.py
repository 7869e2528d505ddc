"""What data from outside must look like, said as pydantic's models.

Where pydantic is not installed, as in a browser, `plain_models.py` reads the same models: all that games need of it.
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or importlib.util.find_spec("pydantic"):
    import pydantic
    from pydantic import ConfigDict, Field, ValidationError, field_validator, model_validator

    CHANGED = {"list": {"fail_fast": True}, "tuple": {"fail_fast": True, "strict": False}}  # by type of a schema

    def _left_early(schema: Any) -> Any:
        """Return a copy of pydantic's schema whose lists all end at their first problem, and whose tuples may be lists,
        as JSON writes them."""
        if isinstance(schema, dict):
            kind = schema.get("type")
            changed = CHANGED.get(kind, {}) if isinstance(kind, str) else {}
            return {key: _left_early(part) for key, part in schema.items()} | changed
        return [_left_early(part) for part in schema] if isinstance(schema, list) else schema

    class BaseModel(pydantic.BaseModel):
        """A model that leaves a list at its first problem: a million of them would take a gigabyte."""

        @classmethod
        def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
            return _left_early(handler(source))

else:
    from theogony.envs.core.untrusted.plain_models import (
        BaseModel,
        ConfigDict,
        Field,
        ValidationError,
        field_validator,
        model_validator,
    )

__all__ = ["BaseModel", "ConfigDict", "Field", "ValidationError", "field_validator", "model_validator"]
