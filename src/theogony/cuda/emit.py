"""Kernels as PTX, from the LLVM code that Numba makes of the rules; the driver compiles it for its device.

The way is that of `web/emit.py` with another target, and like it changes Numba for the whole process (`portable_code`).
A kernel takes its arguments as Numba's code does, flat (`core/portable/layouts.py`), but for the last three, which name
a slice: each thread is given the slice of its own row. Before them it takes the number of rows, the scratch rows of
each, and where an error that a rule raised is noted: a flag a row.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping

import llvmlite
import llvmlite.binding as llvm
import numba

from theogony.console import interrupt
from theogony.envs.core.compile.cache_files import read_entry, read_own, write_entry
from theogony.envs.core.compile.linking import ALLOCATES
from theogony.envs.core.compile.prebuilt import PACKAGED
from theogony.envs.core.game import Game
from theogony.envs.core.jit import INTERPRETED
from theogony.envs.core.portable.layouts import flat_kinds, kind_of
from theogony.web import emit as web_emit
from theogony.web.calls import Call
from theogony.web.emit import LEVEL, gather, optimized, portable_code
from theogony.web.modules import NUMBA

TRIPLE = "nvptx64-nvidia-cuda"
PROCESSOR, FEATURES = "sm_80", "+ptx70"  # the oldest that is meant: newer devices take it as well
SLICE = 3  # last arguments of every kernel: first scratch row, first row, row behind the last
TYPES = {"p": "ptr", "i": "i64", "f": "double"}
PREFETCH = re.compile(r"(?m)^.*call void @llvm\.prefetch[^\n]*\n|^declare void @llvm\.prefetch[^\n]*\n")
ROUNDED = re.compile(r"\t(?:add|sub|mul|div|sqrt)\.(?!rn)[\w.]*f(?:32|64)\b|\.ftz|\.approx")
OUTSIDE = re.compile(r"(?m)^\.extern [^\n]*?([\w$]+)\s*(?:\(|;)")

KERNEL = """
define ptx_kernel void @theogony_{name}({parameters}) {{
  %result = alloca i64
  %error = alloca ptr
  {places}
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %before = mul i32 %block, %width
  %number = add i32 %before, %thread
  %i = zext i32 %number to i64
  %there = icmp ult i64 %i, %size
  br i1 %there, label %go, label %done
go:
  %s = mul i64 %i, %scratch
  %next = add i64 %i, 1
  {fetch}
  %status = call i32 @{entry}(ptr %result, ptr %error, {arguments}, i64 %s, i64 %i, i64 %next)
  {back}
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
# The words of one game, from the device's memory, where those of all games lie side by side, and back.
COPY = """
define internal void @{way}{bits}(ptr %own, ptr %device, i64 %words, i64 %size, i64 %i) {{
entry:
  br label %loop
loop:
  %w = phi i64 [ 0, %entry ], [ %next, %loop ]
  %before = mul i64 %w, %size
  %number = add i64 %before, %i
  %there = getelementptr i{bits}, ptr %device, i64 %number
  %here = getelementptr i{bits}, ptr %own, i64 %w
  %word = load i{bits}, ptr {source}
  store i{bits} %word, ptr {target}
  %next = add i64 %w, 1
  %more = icmp ult i64 %next, %words
  br i1 %more, label %loop, label %done
done:
  ret void
}}
"""
WAYS = {"fetch": ("%there", "%here"), "back": ("%here", "%there")}
COPIES = "".join(
    COPY.format(way=way, bits=bits, source=source, target=target)
    for way, (source, target) in WAYS.items()
    for bits in (8, 64)
)
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
    if any(f"@{name}" in text for name in ALLOCATES):
        raise NotForDevice("rules allocate memory: a device has none to give")
    wrapped = REGISTERS + COPIES + "".join(_kernel(name, entry, calls[name]) for entry, name in found.entries.items())
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
    """A kernel around compiled rules: it brings the game of its thread, lets them play it, and takes it back."""
    from theogony.cuda.kernels import own_arrays

    given = parameters(call)
    names = ["%size", "%scratch", "%failed", *(f"%a{k}" for k in range(len(given) - 3))]
    pairs = [f"{kind} {value}" for kind, value in zip(given, names, strict=True)]
    quoted = entry if re.fullmatch(r"[\w.$]+", entry) else f'"{entry}"'
    places, fetch, back, inside = [], [], [], pairs[3:]
    for k, (place, size, word, fetched, returned) in enumerate(own_arrays(name, call)):
        places.append(f"%own{k} = alloca [{size} x i8], align 8")
        row = "%i" if word else "%s"
        each = size if word else size // len(call.arguments[0].scratch.states)
        # Rules count from row 0 on, wherever the row itself lies.
        fetch.append(f"%skipped{k} = mul i64 {row}, -{each}")
        fetch.append(f"%base{k} = getelementptr i8, ptr %own{k}, i64 %skipped{k}")
        if word:
            moved = f"{8 * word}(ptr %own{k}, ptr %a{place}, i64 {size // word}, i64 %size, i64 %i)"
            fetch += [f"call void @fetch{moved}"] if fetched else []
            back += [f"call void @back{moved}"] if returned else []
        inside[place] = f"ptr %base{k}"
    return KERNEL.format(
        name=name,
        entry=quoted,
        parameters=", ".join(pairs),
        arguments=", ".join(inside),
        **{what: "\n  ".join(lines) for what, lines in (("places", places), ("fetch", fetch), ("back", back))},
    )


# ------------------------------------------------------------------------------------------------ in other processes


def key_of(game: Game) -> str:
    """The name under which PTX is kept: the game, and a digest of its rules, of its layout and of what makes PTX."""
    if INTERPRETED:
        raise NotForDevice("rules are compiled for a device by Numba, which is not in use here")
    from theogony.cuda.kernels import calls, own_arrays
    from theogony.envs.core.compile.digest import digest
    from theogony.envs.core.compile.linking import described

    makers = "".join(map(inspect.getsource, (emit, _kernel, web_emit)))
    versions = (PROCESSOR, FEATURES, KERNEL, COPIES, REGISTERS, numba.__version__, llvmlite.__version__, makers)
    key = hashlib.sha256(repr(versions).encode())
    for name, call in calls(game).items():
        key.update(repr(own_arrays(name, call)).encode())
        key.update(digest(call.kernel.within) + described(*map(numba.typeof, call.arguments)).encode())
    return f"{game.spec.name}_cuda-{key.hexdigest()[:40]}"


def ptx_of(game: Game) -> str:
    """The PTX of a game: what a wheel carries or was kept, else made anew and kept. Raises NotForDevice."""
    key = key_of(game)
    for read in (lambda: read_own(PACKAGED / f"{key}.ptx"), lambda: read_entry(key)):
        with contextlib.suppress(OSError, ValueError):
            return read().decode()
    print(f"theogony: compiling rules of {game.spec.name} for a device (minutes, first use only) ...", file=sys.stderr)
    ptx = made(game)
    write_entry(key, ptx.encode())
    return ptx


def made(game: Game) -> str:
    """The PTX of a game, made in a process that does nothing else. Raises NotForDevice."""
    asked = json.dumps([game.spec.module, game.options.model_dump(mode="json")])
    with tempfile.TemporaryDirectory() as cache:
        path = os.pathsep.join(filter(None, sys.path))
        there = {**os.environ, **NUMBA, "THEOGONY_CACHE_DIR": cache, "PYTHONPATH": path}
        code = f"from {__name__} import answer; answer()"
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, input=asked, capture_output=True, text=True, encoding="utf-8", env=there)
    if done.returncode:
        raise NotForDevice(f"{game.spec.name}: {(done.stderr.strip().splitlines() or ['no PTX'])[-1]}")
    return done.stdout


def answer() -> None:
    """Write the PTX of the game that was asked for; `portable_code` must come before its rules."""
    from theogony.envs.core.compile.progress import COMPILING
    from theogony.envs.core.registry import load

    interrupt.end_with_parent()
    COMPILING.quiet = True
    portable_code()
    module, options = json.load(sys.stdin)
    game = load(module if ":" in module else f"{module}:SPEC").configure(options)
    from theogony.cuda.kernels import calls

    sys.stdout.write(emit(calls(game)))
