"""How compiled rules are put together: what is copied into its callers, and what is compiled once and called.

Numba optimizes every function as a whole, with all that it calls, writes machine code for it, and does both again in
each of its callers. A rule ten calls deep would go through the compiler ten times, for code of which one copy is used.
So here a rule that only other rules call stays what LLVM reads (a `Part`), and is optimized where it ends up. Machine
code is written for what Python calls and for rules that are kept apart (a `Whole`). A rule that is apart is not copied
into its callers: they hold its name, and their `needs` tell which libraries must be loaded before them.

Names in machine code follow from the key under which it is kept, so that code of different processes fits together.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import llvmlite.binding as llvm
from numba.core import itanium_mangler
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment
from numba.core.runtime.nrt import rtsys

ENVIRONMENT = "_ZN08NumbaEnv"  # how the globals begin by which compiled code finds its Python module
# What Numba's code calls for memory; the words of errors have theirs from elsewhere.
ALLOCATES = ("NRT_Allocate", "NRT_MemInfo_alloc_aligned", "NRT_MemInfo_new_varsize", "NRT_MemInfo_varsize_alloc")
# For code of others that calls a rule which is apart: Numba keeps no code on disk in which such a variable is.
NOT_FOR_DISK = '@"numba.dynamic.globals.apart" = weak_odr global i8 0'


class Library(JITCodeLibrary):
    """What both kinds share. `key` names its file in the cache; "" where it has none.

    Both are `saved` and, once there is what they need, may `restore` what was.
    """

    _codegen: Any

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.key = ""
        self.needs: list[Library] = []
        self.environments: list[Any] = []  # held here, since Numba only refers to them weakly
        self.symbols: list[str] = []  # functions that are looked up from outside

    def _get_module_for_linking(self) -> Any:
        """For callers that are not rules (plain `njit`): a module that holds this rule with all its parts."""
        self._ensure_finalized()
        libraries = list(_with_parts([self]))
        module = llvm.parse_assembly(NOT_FOR_DISK if any(isinstance(found, Whole) for found in libraries) else "")
        for library in libraries:
            if isinstance(library, Part):
                module.link_in(library._final_module, preserve=True)
        _relink(module, "weak_odr", "linkonce_odr")
        return module


class Part(Library):
    """A rule as its callers copy it. It is never machine code, so it can be neither called nor looked up."""

    def finalize(self) -> None:
        """Take in what is not a rule; rules are left to whoever makes machine code."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            if isinstance(library, Library):
                self.needs.append(library)
            elif library is not rtsys.library:
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        _relink(self._final_module, "external", "weak_odr")
        self._finalize_dynamic_globals()
        self._finalized = True

    @property
    def codegen(self) -> Any:
        """Numba would write the address of an environment into code that is not there."""
        return _Nowhere

    def get_pointer_to_function(self, name: str) -> int:
        """0: there is no such function."""
        self._ensure_finalized()
        return 0

    def saved(self) -> bytes:
        """This library as LLVM's bitcode, for `restore`."""
        self._ensure_finalized()
        return self._final_module.as_bitcode()

    def restore(self, content: bytes) -> None:
        """Take over a library that `saved` gave as LLVM's bitcode."""
        self._final_module = llvm.parse_bitcode(content)
        self._finalized = True


class _Nowhere:
    @staticmethod
    def set_env(name: str, environment: Any) -> None:
        """There is no code that could look it up."""


class Whole(Library):
    """Machine code: of what Python calls, or of a rule that is kept apart."""

    def finalize(self) -> None:
        """Link all parts, optimize once, write machine code."""
        self._raise_if_finalized()
        self._codegen._check_llvm_bugs()
        for library in _with_parts(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            if isinstance(library, Whole):
                self.needs.append(library)
            elif isinstance(library, Part):
                self._final_module.link_in(library._final_module, preserve=True)
            else:
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        # All that was copied in is called from in here alone. Where LLVM knows that, it drops arguments nobody reads:
        # the arrays of a batch are a hundred of them, and would go to memory and back at every call.
        _relink(self._final_module, "weak_odr", "internal")
        self._optimize_final_module()
        self._final_module.verify()
        defined = [function for function in self._final_module.functions if not function.is_declaration]
        self.symbols = [function.name for function in defined if function.linkage == llvm.Linkage.external]
        self._finalize_final_module()
        self._set_environments()

    def _set_environments(self) -> None:
        """Write the addresses of the environments that the code looks up into it."""
        names = [v.name for v in self._final_module.global_variables if v.name.startswith(ENVIRONMENT)]
        self.environments = [found for name in names if (found := lookup_environment(name)) is not None]
        for environment in self.environments:
            self._codegen.set_env(environment.env_name, environment)

    def saved(self) -> bytes:
        """As an object file."""
        self._ensure_finalized()
        return self._get_compiled_object()

    def restore(self, content: bytes) -> None:
        """From an object file."""
        self.enable_object_caching()
        self._set_compiled_object(content)
        self._finalize_final_module()
        self._codegen._engine._defined_symbols.update(self.symbols)
        for environment in self.environments:
            self._codegen.set_env(environment.env_name, environment)


def _relink(module: Any, found: str, wanted: str) -> None:
    """Give functions of one linkage another. LLVM leaves out what is "linkonce" and not called yet when it links a
    module in, though what is linked next may call it; "weak" functions stay, but also where nobody calls them."""
    for function in module.functions:
        if not function.is_declaration and function.linkage == llvm.Linkage[found]:
            function.linkage = wanted


def _with_parts(libraries: Iterable[Any]) -> Iterator[Any]:
    """Each library once, and all that parts need; what is apart asks nothing of its callers."""
    seen: set[Any] = set()
    waiting = list(libraries)
    while waiting:
        library = waiting.pop()
        if library not in seen:
            seen.add(library)
            yield library
            if isinstance(library, Part):
                waiting.extend(library.needs)


# ---------------------------------------------------------------------------------------------------- compilers


class PartCompiler(Compiler):
    """Numba's compiler, writing into a `Part`."""

    library: type[Library] = Part
    key = ""  # of what is compiled next; the cache tells when it is asked for it in vain

    def define_pipelines(self) -> Any:
        """Numba's hook, called when the function is known and nothing is written yet."""
        state = self.state
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        if key := PartCompiler.key:
            PartCompiler.key = ""
            state.targetctx.mangler = lambda name, types, **rest: _symbol(key, name, types)
        return super().define_pipelines()


class WholeCompiler(PartCompiler):
    """Numba's compiler, writing into a `Whole`."""

    library = Whole


def _symbol(key: str, name: str, types: Any) -> str:
    """A name in machine code. Numba would count record types in the order in which a process meets them."""
    wanted = f"{key} {described(*types)}".encode()
    return itanium_mangler.mangle(name, (), abi_tags=(hashlib.sha256(wanted).hexdigest()[:40],))


def described(*types: Any) -> str:
    """What the types are, in the same words in every process."""
    return ", ".join(map(_described, types))


_described = functools.cache(repr)  # kept, since the words for a record take Numba long
