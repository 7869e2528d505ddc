"""PTX as C, instruction by instruction, so that what a device would run is run and compared where there is none.

A register is an unsigned integer of its width, every instruction one statement, every access goes by `at`, which
counts those that a device would refuse since their address is no multiple of their width, and those of memory that is
not the thread's own.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
import tempfile
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch

TYPES = {f"{kind}{bits}": f"{name}{bits}_t" for kind, name in (("b", "uint"), ("u", "uint"), ("s", "int"))
         for bits in (8, 16, 32, 64)} | {"f32": "float", "f64": "double", "pred": "_Bool"}  # fmt: skip
SIGNED = {f"b{bits}": f"u{bits}" for bits in (8, 16, 32, 64)}
BITS = {"f64": "d", "f32": "f"}  # registers hold bits, also those of floats
HEAD = """
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static uint64_t threads, counts[3]; // all accesses, misaligned ones, those outside of the thread's own memory
static uint32_t thread;
static inline void *at(uint64_t address, int width) {
  char here; uint64_t apart = address - (uint64_t)(uintptr_t)&here;
  counts[0]++; counts[1] += address % width != 0; counts[2] += apart + (1 << 23) > 1 << 24;
  return (void *)(uintptr_t)address;
}
static inline double d(uint64_t bits) { double x; memcpy(&x, &bits, 8); return x; }
static inline float f(uint32_t bits) { float x; memcpy(&x, &bits, 4); return x; }
static inline uint64_t bits_f64(double x) { uint64_t bits; memcpy(&bits, &x, 8); return bits; }
static inline uint32_t bits_f32(float x) { uint32_t bits; memcpy(&bits, &x, 4); return bits; }
static inline uint32_t prmt(uint32_t a, uint32_t b, uint32_t how) {
  uint64_t both = (uint64_t)b << 32 | a; uint32_t out = 0;
  for (int k = 0; k < 4; k++) {
    uint32_t nibble = how >> 4 * k & 15; uint8_t byte = both >> 8 * (nibble & 7);
    if (nibble & 8) byte = byte & 128 ? 255 : 0;
    out |= (uint32_t)byte << 8 * k;
  }
  return out;
}
static inline uint64_t bfe(uint64_t x, uint32_t start, uint32_t count) {
  start &= 255; count &= 255;
  x = start > 63 ? 0 : x >> start; return count > 63 ? x : x & ((1ull << count) - 1);
}
static inline uint64_t brev(uint64_t x, int bits) {
  uint64_t out = 0; for (int k = 0; k < bits; k++) out |= (x >> k & 1) << (bits - 1 - k); return out;
}
static inline uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
  uint32_t out = 0;
  for (int k = 0; k < 8; k++) if (how >> k & 1) out |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
  return out;
}
uint64_t count_of(int which) { uint64_t found = counts[which]; counts[which] = 0; return found; }
"""
PLAIN = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "div": "/", "rem": "%"}
ORDER = {
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "lo": "<",
    "ls": "<=",
    "hi": ">",
    "hs": ">=",
}
NOT = {"eq": "!=", "lt": ">=", "le": ">", "gt": "<=", "ge": "<", "ne": "=="}
SPECIAL = {"%tid.x": "thread", "%ctaid.x": "0u", "%ntid.x": "1u"}
FUNCTION = re.compile(
    r"(?m)^(\.visible \.entry|\.func)\s+"
    r"(?:\(\.param \.b(\d+) func_retval0\) )?([\w$]+)\(([^)]*)\)\n(?:\.noreturn\n)?\{\n"
    r"(.*?)\n\}\n", re.S)  # fmt: skip
GLOBAL = re.compile(
    r"(?m)^(?:\.visible |\.weak )*\.(?:global|const) (?:\.align (\d+) )?\.(\w+) ([\w$]+)(?:\[(\d+)\])?(?: = ([^;]*))?;"
)


def name(text: str) -> str:
    return text.replace("%", "r_").replace("$", "_")


def value(text: str, kind: str) -> str:
    """An operand as C, of a type."""
    text = text.strip()
    if text in SPECIAL:
        return SPECIAL[text]
    if re.fullmatch(r"0x[0-9A-Fa-f]+U?", text):
        return f"(({TYPES[kind]}){text})"
    if text.startswith(("0d", "0f")):
        return f"{text[1]}(0x{text[2:]}ull)" if kind in BITS else f"0x{text[2:]}ull"
    if re.fullmatch(r"-?\d+", text):
        number = int(text)
        literal = f"(-{2**63 - 1}ll - 1)" if number == -(2**63) else f"{number}{'ull' if number >= 2**63 else 'll'}"
        return f"(({TYPES[kind]}){literal})"
    if text.startswith("%") and kind in BITS:
        return f"{BITS[kind]}({name(text)})"
    if text.startswith("%"):
        return f"(({TYPES[kind]}){name(text)})"
    return f"((uint64_t)(uintptr_t)&{name(text)})"


def address(text: str) -> str:
    base, _, offset = text.strip()[1:-1].partition("+")
    return f"{value(base, 'b64')} + ({offset or 0}ll)"


def arguments(text: str) -> list[str]:
    return [one.strip() for one in re.findall(r"\{[^}]*\}|\[[^\]]*\]|\([^)]*\)|[^,\s][^,]*", text)]


class Translation:
    """The C of PTX, and which kernels it has."""

    def __init__(self, ptx: str) -> None:
        ptx = re.sub(r"//[^\n]*", "", ptx)
        ptx = re.sub(r"\{ \.reg \.b16 tmp; (mov[^;]*;) \}", lambda match: match[1].replace("tmp", "_"), ptx)
        self.kernels: dict[str, int] = {}  # name -> number of parameters
        heads, bodies = [], []
        for entry, returned, function, given, body in FUNCTION.findall(ptx):
            parameters = re.findall(r"\.param \.(\w+)\s+(?:\.ptr[^,\n]*?)?([\w$]+)(?:,|\s*$)", given, re.M)
            result = f"uint{returned}_t" if returned else "void"
            head = f"static {result} {name(function)}({', '.join(f'{TYPES[t]} {name(p)}' for t, p in parameters)})"
            heads.append(f"{head};\n")
            bodies.append(f"{head} {{\n{self._body(body, returned)}\n}}\n")
            if entry.startswith(".visible"):
                self.kernels[function] = len(parameters)
        self.text = HEAD + self._globals(ptx) + "".join(heads) + "".join(bodies) + self._launchers()

    def _globals(self, ptx: str) -> str:
        found = []
        for align, kind, label, length, start in GLOBAL.findall(ptx):
            if "generic" in start or "pickle" in label:
                start = ""  # what only the words of an error need
            shape = f"[{length}]" if length else ""
            filled = f" = {start}" if start else ""
            found.append(f"static {TYPES[kind]} {name(label)}{shape} __attribute__((aligned({align or 8}))){filled};\n")
        return "".join(found)

    def _launchers(self) -> str:
        found = ""
        for kernel, count in self.kernels.items():
            given = ", ".join(f"p[{k}]" for k in range(count))
            every = f"for (thread = 0; thread < n; thread++) {kernel}({given});"
            found += f"void launch_{kernel}(uint64_t n, uint64_t *p) {{ {every} }}\n"
        return found

    def _body(self, body: str, returned: str) -> str:
        targets = {}

        def note(match: re.Match[str]) -> str:
            targets[match[1]] = [one.strip() for one in match[2].split(",")]
            return ""

        body = re.sub(r"(\$\w+):\s*\.branchtargets\s*([^;]*);", note, body)
        out = [f"uint{returned}_t func_retval0 = 0;"] if returned else []
        for line in re.sub(r",\s*\n\s*", ", ", body).splitlines():
            if line := line.strip():
                out.append(self._line(line, targets, returned))
        return "\n".join(out)

    def _line(self, line: str, targets: dict[str, list[str]], returned: str) -> str:
        if line in "{}":
            return line
        if match := re.fullmatch(r"(\$\w+):", line):
            return f"{name(match[1])}: ;"
        if match := re.fullmatch(r"\.reg \.(\w+)\s+%(\w+)(?:<(\d+)>)?;", line):
            names = [f"r_{match[2]}{k}" for k in range(int(match[3]))] if match[3] else [f"r_{match[2]}"]
            return f"{TYPES[match[1]]} {', '.join(names)};"
        if match := re.fullmatch(r"\.(local|param) (?:\.align (\d+) )?\.(\w+)\s+(\w+)(?:\[(\d+)\])?;", line):
            length = f"[{match[5]}]" if match[5] else ""
            return f"{TYPES[match[3]]} {match[4]}{length} __attribute__((aligned({match[2] or 8})));"
        if line.startswith((".pragma", ".loc")):
            return ""
        match = re.fullmatch(r"(?:@(!?)%(p\d+)\s+)?([\w.:]+)\s*(.*?);", line)
        if match is None:
            raise ValueError(f"not understood: {line}")
        condition = f"if ({match[1]}r_{match[2]}) " if match[2] else ""
        return f"{condition}{{ {statement(match[3].split('.'), arguments(match[4]), targets, returned)} }}"


def statement(parts: list[str], given: list[str], targets: dict[str, list[str]], returned: str) -> str:
    """One instruction as C."""
    kind, first = parts[-1], parts[0]
    if first == "bra":
        return f"goto {name(given[0])};"
    if first == "brx":
        cases = "".join(f"case {k}: goto {name(label)}; " for k, label in enumerate(targets[given[1]]))
        return f"switch ({value(given[0], 'u32')}) {{ {cases}default: abort(); }}"
    if first == "ret":
        return "return func_retval0;" if returned else "return;"
    if first in ("trap", "exit"):
        return "abort();"
    if first == "call":
        result = f"{given.pop(0)[1:-1]} = " if given[0].startswith("(") else ""
        passed = given[1][1:-1] if len(given) > 1 else ""
        return f"{result}{name(given[0])}({passed});"
    if first in ("ld", "st"):
        return memory(parts, given, kind)
    if first in ("mov", "cvta") and "{" in given[0] + given[1]:
        return split(given, int(kind[1:]))
    result, made = (
        expression(parts, given[1:], kind),
        "pred" if first == "setp" else parts[-2] if first == "cvt" else kind,
    )
    return f"{name(given[0])} = {f'bits_{made}({result})' if made in BITS else result};"


def memory(parts: list[str], given: list[str], kind: str) -> str:
    place, held = (given[1], given[0]) if parts[0] == "ld" else (given[0], given[1])
    if "param" in parts:
        where = name(place[1:-1])
        return f"{name(held)} = {where};" if parts[0] == "ld" else f"{where} = {value(held, kind)};"
    held_all = [one.strip() for one in held.strip("{}").split(",")]
    width = int(kind[1:]) // 8
    out = [f"char *m = at({address(place)}, {width * len(held_all)}); {TYPES[kind]} q;"]
    for k, one in enumerate(held_all):
        if parts[0] == "ld":
            out.append(f"memcpy(&q, m + {k * width}, {width}); {name(one)} = q;")
        else:
            out.append(f"q = {value(one, kind)}; memcpy(m + {k * width}, &q, {width});")
    return " ".join(out)


def split(given: list[str], bits: int) -> str:
    """One register as several, or several as one."""
    apart = [one.strip() for one in (given[0] if "{" in given[0] else given[1]).strip("{}").split(",")]
    each = bits // len(apart)
    if "{" in given[0]:
        x = value(given[1], f"b{bits}")
        return " ".join(f"{name(o)} = (uint{each}_t)({x} >> {each * k});" for k, o in enumerate(apart) if o != "_")
    whole = " | ".join(f"(uint{bits}_t){value(one, f'b{each}')} << {each * k}" for k, one in enumerate(apart))
    return f"{name(given[0])} = {whole};"


def expression(parts: list[str], given: list[str], kind: str) -> str:
    """The value of an instruction without memory, as C."""
    first, real = parts[0], kind in ("f32", "f64")
    if first == "setp":
        a, b, how = value(given[0], SIGNED.get(kind, kind)), value(given[1], SIGNED.get(kind, kind)), parts[1]
        if real and how == "ne":
            return f"{a} < {b} || {a} > {b}"
        if real and how in ("num", "nan"):
            return f"{'!' if how == 'num' else ''}(isnan({a}) || isnan({b}))"
        return f"!({a} {NOT[how[:-1]]} {b})" if how[-1] == "u" and how[:-1] in NOT else f"{a} {ORDER[how]} {b}"
    if first == "selp":
        return f"{value(given[2], 'pred')} ? {value(given[0], kind)} : {value(given[1], kind)}"
    if first == "cvt":
        x = value(given[0], kind)
        x = (
            f"nearbyint({x})"
            if "rni" in parts
            else f"floor({x})"
            if "rmi" in parts
            else f"ceil({x})"
            if "rpi" in parts
            else x
        )
        return f"({TYPES[parts[-2]]}){x}"
    if first == "prmt":
        return f"prmt({', '.join(value(one, 'u32') for one in given)})"
    if first == "lop3":
        return f"lop3({', '.join(value(one, 'u32') for one in given)})"
    if first == "bfe" and kind[0] in "ub":
        return f"bfe({value(given[0], kind)}, {value(given[1], 'u32')}, {value(given[2], 'u32')})"
    if first == "shf":
        low, high, by = (value(one, "u32") for one in given)
        by = f"({by} & 31)" if "wrap" in parts else f"({by} > 32 ? 32 : {by})"
        both = f"((uint64_t){high} << 32 | {low})"
        return f"({both} << {by}) >> 32" if "l" in parts else f"{both} >> {by}"
    x = [value(one, SIGNED.get(kind, kind)) for one in given]
    bits = 64 if real or kind == "pred" else int(kind[1:])
    if first in ("mov", "cvta"):
        return value(given[0], kind)
    if first == "not":
        return f"!{x[0]}" if kind == "pred" else f"~{x[0]}"
    if first == "neg":
        return f"-{x[0]}"
    if first == "abs":
        return f"fabs({x[0]})" if real else f"{x[0]} < 0 ? -{x[0]} : {x[0]}"
    if first == "sqrt":
        return f"{'sqrt' if kind == 'f64' else 'sqrtf'}({x[0]})"
    if first == "fma":
        return f"{'fma' if kind == 'f64' else 'fmaf'}({', '.join(x)})"
    if first in PLAIN:
        return f"{x[0]} {PLAIN[first]} {x[1]}"
    if first in ("min", "max"):
        return f"{x[0]} {'<' if first == 'min' else '>'} {x[1]} ? {x[0]} : {x[1]}"
    if first in ("shl", "shr"):
        by = value(given[1], "u32")
        over = f"{x[0]} >> {bits - 1}" if kind[0] == "s" else "0"
        return f"{by} >= {bits} ? {over} : {x[0]} {'<<' if first == 'shl' else '>>'} {by}"
    if first in ("mul", "mad"):
        more = f" + {value(given[2], f'{kind[0]}{2 * bits}' if 'wide' in parts else kind)}" if first == "mad" else ""
        if real or "lo" in parts:
            return f"{x[0]} * {x[1]}{more}"
        wide = f"{'' if kind[0] == 's' else 'unsigned '}__int128"
        return f"({wide}){x[0]} * {x[1]}{more}" if "wide" in parts else f"(({wide}){x[0]} * {x[1]}) >> {bits}"
    if first == "popc":
        return f"__builtin_popcountll({x[0]})"
    if first == "brev":
        return f"brev({x[0]}, {bits})"
    if first in ("clz", "bfind"):
        leading = f"__builtin_clzll({x[0]})"
        return f"{x[0]} ? {leading} - {64 - bits} : {bits}" if first == "clz" else f"{x[0]} ? 63 - {leading} : ~0u"
    raise ValueError(f"an instruction that is not known: {'.'.join(parts)}")


class Device:
    """Runs kernels of PTX as a device would, a thread after the other."""

    def __init__(self, ptx: str, folder: Path) -> None:
        translation = Translation(ptx)
        source, library = folder / "kernels.c", folder / "kernels.so"
        source.write_text(translation.text, "utf-8")
        flags = "-O1 -w -shared -fPIC -fno-strict-aliasing -fwrapv -ffp-contract=off".split()
        subprocess.run(["cc", *flags, "-o", str(library), str(source), "-lm"], check=True)
        self._library = ctypes.CDLL(str(library))
        self._library.count_of.restype = ctypes.c_uint64

    def launch(self, kernel: str, threads: int, given: list[int]) -> None:
        """Run one kernel in so many threads, with its parameters."""
        numbers = np.array([number & (2**64 - 1) for number in given], np.uint64)
        self._library[f"launch_{kernel}"](ctypes.c_uint64(threads), ctypes.c_void_p(numbers.ctypes.data))

    def misaligned(self) -> int:
        """Accesses since the last time that a device would refuse."""
        return self._library.count_of(1)

    def accesses(self) -> int:
        """All accesses since the last time."""
        return self._library.count_of(0)

    def outside(self) -> int:
        """Those since the last time to the memory of the device, which all threads share: tables, games, codes."""
        return self._library.count_of(2)


class Emulated:
    """Stands for `theogony.cuda.driver.Driver`: memory of the device is that of the host."""

    folder: Path | None = None  # where C is compiled
    _known: ClassVar[dict[str, Device]] = {}

    def __init__(self, device: str = "cuda") -> None:
        self.device = torch.device("cpu")

    @classmethod
    def compiled(cls, ptx: str) -> Device:
        """The kernels as C, compiled once."""
        if ptx not in cls._known:
            cls._known[ptx] = Device(ptx, Path(tempfile.mkdtemp(dir=cls.folder)))
        return cls._known[ptx]

    def load(self, ptx: str) -> None:
        kernels = self.compiled(ptx)
        self.launch, self.misaligned = kernels.launch, kernels.misaligned
        self.accesses, self.outside = kernels.accesses, kernels.outside
        kernels.misaligned()
