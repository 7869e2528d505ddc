"""Kernels as an object file for WebAssembly, from the LLVM code that Numba makes of the rules.

Code that was optimized for a machine with pointers of eight bytes would be wrong on one of four: structures on the
stack would have sizes of one and offsets of the other. So `portable_code` has Numba leave all its code as it is first
written, and LLVM optimizes it for WebAssembly alone. It changes Numba for the whole process, which is to do nothing
else, and finds no rules in a cache.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numba
from numba.core import codegen

from theogony.envs.core.compile import sparing
from theogony.web.calls import Call

TRIPLE = "wasm32-unknown-emscripten"
FEATURES = "+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+simd128,+mutable-globals"
LEVEL = 3  # of optimization

ARENA = 1 << 18  # bytes, for copies of stretches that overlap and for what errors say
# What Numba's code asks for. Nobody counts the users of memory that the caller holds. The little that is allocated is
# given back at once and in order, so that it is a stack.
OURS = {
    "NRT_Allocate": f"""
define internal ptr @NRT_Allocate(i64 %size) {{
  %wanted = trunc i64 %size to i32
  %more = add i32 %wanted, 15
  %whole = and i32 %more, -16
  %top = load i32, ptr @arena_top
  %end = add i32 %top, %whole
  %fits = icmp ule i32 %end, {ARENA}
  %at = getelementptr i8, ptr @arena, i32 %top
  %left = select i1 %fits, i32 %end, i32 %top
  %found = select i1 %fits, ptr %at, ptr null
  store i32 %left, ptr @arena_top
  ret ptr %found
}}""",
    "NRT_Free": """
define internal void @NRT_Free(ptr %memory) {
  %nothing = icmp eq ptr %memory, null
  br i1 %nothing, label %done, label %given
given:
  %at = ptrtoint ptr %memory to i32
  %from = ptrtoint ptr @arena to i32
  %top = sub i32 %at, %from
  store i32 %top, ptr @arena_top
  br label %done
done:
  ret void
}""",
    "NRT_incref": "define internal void @NRT_incref(ptr %memory) { ret void }",
    "NRT_decref": "define internal void @NRT_decref(ptr %memory) { ret void }",
    "NRT_MemInfo_call_dtor": "define internal void @NRT_MemInfo_call_dtor(ptr %memory) { ret void }",
    # The arrays of kernels are contiguous, so that a new shape is always found: strides from the last axis on.
    "numba_attempt_nocopy_reshape": """
define internal i32 @numba_attempt_nocopy_reshape(
    i64 %nd, ptr %dims, ptr %strides, i64 %newnd, ptr %newdims, ptr %newstrides, i64 %item, i32 %fortran) {
entry:
  br label %head
head:
  %k = phi i64 [ %newnd, %entry ], [ %before, %body ]
  %stride = phi i64 [ %item, %entry ], [ %next, %body ]
  %more = icmp sgt i64 %k, 0
  br i1 %more, label %body, label %done
body:
  %before = sub i64 %k, 1
  %at = getelementptr i64, ptr %newstrides, i64 %before
  store i64 %stride, ptr %at
  %of = getelementptr i64, ptr %newdims, i64 %before
  %n = load i64, ptr %of
  %next = mul i64 %stride, %n
  br label %head
done:
  ret i32 1
}""",
}
# A function that Numba declares, or writes itself and has no use for once nobody counts.
THEIRS = r"(?m)^(?:declare [^\n]*@{name}\([^\n]*\n|define [^\n]*@{name}\([^\n]*\{{\n(?:[^}}\n][^\n]*\n|\n)*\}}\n)"
REWRITTEN = (  # what only the machine has that Numba wrote for
    (re.compile(r'^target (triple|datalayout) = ".*"$', re.M), ""),
    (re.compile(r'"target-cpu"="[^"]*"|"target-features"="[^"]*"'), ""),
    (re.compile(r" = common "), " = weak_odr "),
    (re.compile(r"(tail )?call i8 @llvm\.x86\.atomic\.sub\.cc[\w.]*\([^\n]*\)"), "add i8 0, 0"),
)


# What only puts the words of an error together, which a kernel that fails does not need: it stops there.
OF_ERRORS = re.compile(
    r"^declare ([^@\n]*)(@(?:_?Py\w+|numba_unpickle|NRT_MemInfo_alloc\w*|log10)\([^\n]*\))[^\n)]*$", re.M
)
STOPS = r"define internal \1\2 { call void @llvm.trap() unreachable }"
ERRORS = re.compile(r"^(@Py\w+) = external( local_unnamed_addr)? global (\S+?)(,[^\n]*)?$", re.M)


class Emitted(NamedTuple):
    """Kernels as machine code, and how each is called."""

    code: bytes  # an object file
    returns: dict[str, str]  # kernel -> what it returns, in Numba's words


def portable_code() -> None:
    """From now on Numba optimizes nothing in this process, and rules are not machine code of this machine."""
    change: Any = codegen.CPUCodeLibrary
    change._optimize_functions = lambda self, module: setattr(module, "data_layout", self._codegen._data_layout)
    change._optimize_final_module = lambda self: None
    sparing.keep_apart = lambda rule: None


def emit(calls: Mapping[str, Call]) -> Emitted:
    """The object file of kernels, each under its name. To be called after `portable_code`."""
    found = gather(calls)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=LEVEL, reloc="pic", features=FEATURES)
    return Emitted(machine.emit_object(optimized(found.text, machine, found.entries, TRIPLE)), found.returns)


class Gathered(NamedTuple):
    """Kernels as one text of LLVM, for no machine yet."""

    text: str
    entries: dict[str, str]  # what Numba calls a kernel -> its name
    returns: dict[str, str]  # kernel -> what it returns, in Numba's words


def gather(calls: Mapping[str, Call]) -> Gathered:
    """The LLVM code of kernels and all that they call. To be called after `portable_code`."""
    libraries: dict[Any, None] = {}
    entries, returns = {}, {}
    for name, (kernel, arguments) in calls.items():
        signature = tuple(map(numba.typeof, arguments))
        kernel.within.compile(signature)
        result = kernel.within.overloads[signature]
        entries[result.fndesc.llvm_func_name] = name
        returns[name] = str(result.signature.return_type)
        waiting = [result.library]
        while waiting:
            if (library := waiting.pop()) not in libraries:
                libraries[library] = None
                waiting.extend(getattr(library, "needs", ()))
    return Gathered(_linked(libraries), entries, returns)


def _linked(libraries: Iterable[Any]) -> str:
    """All libraries as one text of LLVM, without what belongs to a machine."""
    module = llvm.parse_assembly("")
    for library in libraries:
        module.link_in(llvm.parse_assembly(str(library._final_module)), preserve=True)
    text = str(module)
    for found, instead in REWRITTEN:
        text = found.sub(instead, text)
    for name, definition in OURS.items():
        text, declared = re.subn(THEIRS.format(name=name), "", text)
        text += f"\n{definition}\n" if declared else ""
    text, stopping = OF_ERRORS.subn(STOPS, ERRORS.sub(r"\1 = internal global \3 zeroinitializer", text))
    if stopping and "declare void @llvm.trap()" not in text:
        text += "declare void @llvm.trap()\n"
    if "@arena" in text:
        text += f"@arena = internal global [{ARENA} x i8] zeroinitializer, align 16\n"
        text += "@arena_top = internal global i32 0\n"
    return text


def optimized(text: str, machine: llvm.TargetMachine, entries: Mapping[str, str], triple: str) -> llvm.ModuleRef:
    """LLVM's text, optimized for a machine, as a module in which only the entries can be seen, under their names."""
    module = llvm.parse_assembly(f'target triple = "{triple}"\n{text}')
    module.data_layout = str(machine.target_data)
    for found in (*module.functions, *module.global_variables):
        if not found.is_declaration:
            found.linkage = llvm.Linkage.external if found.name in entries else llvm.Linkage.internal
    for function in module.functions:
        if function.name in entries:
            function.name = entries[function.name]
    module.verify()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=LEVEL))
    builder.getModulePassManager().run(module, builder)
    return module
