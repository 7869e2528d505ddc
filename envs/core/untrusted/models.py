"""What data from outside must look like, said as pydantic's models.

Where pydantic is not installed, as in a browser, `plain_models.py` reads the same models: all that games need of it.
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

if TYPE_CHECKING or importlib.util.find_spec("pydantic"):
    from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
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
