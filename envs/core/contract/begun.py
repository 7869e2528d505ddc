"""What an environment has from its first `reset` on: asked for before, it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar


class BeforeReset(RuntimeError, AttributeError):
    """There is no game yet. An AttributeError as well, so that `hasattr`, copies and pickles find no such attribute."""


class BegunByReset:
    """A class whose attributes `from_reset` are there once `reset` was called."""

    from_reset: ClassVar[frozenset[str]] = frozenset()

    if not TYPE_CHECKING:  # where it would hide every name that is misspelt

        def __getattr__(self, name: str) -> Any:
            if name in type(self).from_reset and not self.__dict__.get("_ready", False):
                raise BeforeReset(f"call reset() before asking {type(self).__name__} for {name.lstrip('_')!r}")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
