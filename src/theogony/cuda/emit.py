"""Kernels as PTX, from the LLVM code that Numba makes of the rules; the driver compiles it for its device.

The way is that of `web/emit.py` with another target, and like it changes Numba for the whole process (`portable_code`).
A kernel takes its arguments as Numba's code does, flat (`core/portable/layouts.py`), but for the last three, which name
a slice: each thread is given the slice of its own row. Before them it takes the number of rows, the scratch rows of
each, and where an error that a rule raised is noted: a flag a row.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import llvmlite.binding as llvm

from theogony.console import interrupt
from theogony.envs.core.portable.layouts import flat_kinds, kind_of
from theogony.web.calls import Call
from theogony.web.emit import LEVEL, gather, optimized, portable_code
from theogony.web.modules import NUMBA, environment, name_of

TRIPLE = "nvptx64-nvidia-cuda"
PROCESSOR, FEATURES = "sm_80", "+ptx70"  # the oldest that is meant: newer devices take it as well
SLICE = 3  # last arguments of every kernel: first scratch row, first row, row behind the last
TYPES = {"p": "ptr", "i": "i64", "f": "double"}
PREFETCH = re.compile(r"(?m)^.*call void @llvm\.prefetch[^\n]*\n|^declare void @llvm\.prefetch[^\n]*\n")
ROUNDED = re.compile(r"\t(?:add|sub|mul|div|sqrt)\.(?!rn)[\w.]*f(?:32|64)\b|\.ftz|\.approx")
OUTSIDE = re.compile(r"(?m)^\.extern [^\n]*?([\w$]+)\s*(?:\(|;)")

KERNEL = """
define ptx_kernel void @theogony_{name}({parameters}) {{
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %before = mul i32 %block, %width
  %number = add i32 %before, %thread
  %i = zext i32 %number to i64
  %there = icmp ult i64 %i, %size
  br i1 %there, label %go, label %done
go:
  %result = alloca i64
  %error = alloca ptr
  %s = mul i64 %i, %scratch
  %next = add i64 %i, 1
  %status = call i32 @{entry}(ptr %result, ptr %error, {arguments}, i64 %s, i64 %i, i64 %next)
  %wrong = icmp ne i32 %status, 0
  br i1 %wrong, label %note, label %done
note:
  %flag = getelementptr i8, ptr %failed, i64 %i
  store i8 1, ptr %flag
  br label %done
done:
  ret void
}}
"""
REGISTERS = "".join(f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}.x()\n" for name in ("tid", "ctaid", "ntid"))


class NotForDevice(ValueError):
    """Kernels need something that a device does not have."""


def parameters(call: Call) -> list[str]:
    """The types of what a kernel takes, in LLVM's words: size, scratch, failed, the arguments without the slice."""
    kinds = [kind_of(value) for value in call.arguments[:-SLICE]]
    return ["i64", "i64", "ptr", *(TYPES[kind] for kind in flat_kinds(kinds))]


def emit(calls: Mapping[str, Call]) -> str:
    """The PTX of kernels, each as `theogony_<name>`. To be called after `portable_code`.

    Raises NotForDevice for kernels that allocate, call what is outside, or round otherwise than a CPU does.
    """
    found = gather(calls)
    text = PREFETCH.sub("", found.text)
    if "@arena" in text:
        raise NotForDevice("rules allocate memory: a device has none to give")
    wrapped = REGISTERS + "".join(_kernel(name, entry, calls[name]) for entry, name in found.entries.items())
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=PROCESSOR, opt=LEVEL, features=FEATURES)
    names = {f"theogony_{name}": f"theogony_{name}" for name in calls}
    ptx = machine.emit_assembly(optimized(text + wrapped, machine, names, TRIPLE))
    if outside := sorted(set(OUTSIDE.findall(ptx))):
        raise NotForDevice(f"rules call what a device does not have: {', '.join(outside)}")
    if loose := ROUNDED.search(ptx):
        raise NotForDevice(f"rounds otherwise than a CPU: {loose[0].strip()}")
    return ptx


def _kernel(name: str, entry: str, call: Call) -> str:
    given = parameters(call)
    names = ["%size", "%scratch", "%failed", *(f"%a{k}" for k in range(len(given) - 3))]
    pairs = [f"{kind} {value}" for kind, value in zip(given, names, strict=True)]
    quoted = entry if re.fullmatch(r"[\w.$]+", entry) else f'"{entry}"'
    return KERNEL.format(name=name, entry=quoted, parameters=", ".join(pairs), arguments=", ".join(pairs[3:]))


# ------------------------------------------------------------------------------------------------ in other processes


def run(wanted: Sequence[tuple[str, dict[str, Any]]], jobs: int) -> Iterator[tuple[str, str]]:
    """The name of the file and the PTX of each game with its options, in processes that do nothing else.

    Raises NotForDevice.
    """
    with tempfile.TemporaryDirectory() as cache, environment({**NUMBA, "THEOGONY_CACHE_DIR": cache}):
        spawn = get_context("spawn")
        with ProcessPoolExecutor(jobs, spawn, interrupt.end_with_parent, max_tasks_per_child=1) as pool:
            yield from pool.map(_build, wanted)


def _build(wanted: tuple[str, dict[str, Any]]) -> tuple[str, str]:
    from theogony.cuda.kernels import calls
    from theogony.envs.core.compile.progress import COMPILING
    from theogony.envs.core.registry import load

    COMPILING.quiet = True
    portable_code()
    game = load(wanted[0]).configure(wanted[1])
    return f"{name_of(game)}.ptx", emit(calls(game))
