"""What an environment has from its first `reset` on: asked for before, it says so."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar, Self


class BeforeReset(RuntimeError, AttributeError):
    """There is no game yet. An AttributeError as well, so that `hasattr`, copies and pickles find no such attribute."""


class BegunByReset:
    """A class whose attributes `from_reset` are there once `_begun` was called.

    Until then an object is of a subclass of the same name, whose `__getattr__` explains. In the class itself that
    method would make every attribute slower: `last()` took 1.3 times as long.
    """

    from_reset: ClassVar[frozenset[str]] = frozenset()

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        return object.__new__(_not_begun(cls))

    def _begun(self) -> None:
        """From now on all attributes are there."""
        cls = type(self)
        if "__begun__" in cls.__dict__:
            self.__class__ = cls.__dict__["__begun__"]
            self.__dict__ = dict(self.__dict__)  # CPython specialises reads of a dictionary of the object's own


def _made_anew(cls: type[BegunByReset]) -> BegunByReset:
    return cls.__new__(cls)


@cache
def _not_begun(cls: type) -> type:
    """The subclass of objects that have not begun."""

    def __getattr__(self: Any, name: str) -> Any:
        if name in cls.from_reset:
            raise BeforeReset(f"call reset() before asking {cls.__name__} for {name.lstrip('_')!r}")
        if (own := getattr(cls, "__getattr__", None)) is not None:  # of a user's subclass
            return own(self, name)
        raise AttributeError(f"{cls.__name__!r} object has no attribute {name!r}")

    def __reduce_ex__(self: Any, protocol: Any) -> Any:
        return _made_anew, (cls,), self.__getstate__()

    names = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": cls.__doc__, "__begun__": cls}
    return type(cls)(cls.__name__, (cls,), {**names, "__getattr__": __getattr__, "__reduce_ex__": __reduce_ex__})
