"""`exp` and `tanh` of the rules: close to the true values, and the same in every bit on every machine."""

import ast
import hashlib
import math
import re
from collections.abc import Iterator
from decimal import Decimal, getcontext
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from theogony.envs.core.elementary import exp, tanh
from theogony.envs.core.jit import INTERPRETED, rule
from theogony.envs.core.rng import uniform
from theogony.envs.core.thinking.value_network import changed_layer, first_layer, further_layers, pack

ROOT = Path(__file__).parents[2]
FROM_THE_SYSTEM = {
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "tanh", "sinh", "cosh", "arctanh", "sin", "cos", "tan",
    "arcsin", "arccos", "arctan", "arctan2", "power", "pow", "hypot", "cbrt", "dot", "matmul", "einsum",
}  # fmt: skip
CALLED = re.compile(r"\b(exp|tanh)f?\b")  # in machine code
FUSED = re.compile(r"\b(vfn?m(add|sub)|fn?m(add|sub)\b|fml[as]\b)")
PLAY = ("envs", "training/players")


@rule
def all_exp(xs, out):
    for i in range(xs.shape[0]):
        out[i] = exp(xs[i])


@rule
def all_tanh(xs, out):
    for i in range(xs.shape[0]):
        out[i] = tanh(xs[i])


EACH = {"exp": all_exp, "tanh": all_tanh}
RANGES = {
    "exp": [(-0.4, 0.4), (-3, 3), (-700, 700), (-708, 709.78), (-1e-6, 1e-6)],
    "tanh": [(-0.625, 0.625), (0.6, 0.65), (-1, 1), (-4, 4), (-22, 22), (-1e-6, 1e-6)],
}
MOST = {"exp": 0.55, "tanh": 1.5}  # units in the last place


def found(name: str, xs: np.ndarray) -> np.ndarray:
    out = np.empty_like(xs)
    EACH[name](xs, out)
    return out


def drawn(low: float, high: float, count: int) -> np.ndarray:
    """The same numbers everywhere, evenly between two bounds."""
    stream = np.array([7], np.uint64)
    return np.array([low + (high - low) * float(uniform(stream)) for _ in range(count)])


def true(name: str, x: float) -> Decimal:
    getcontext().prec = 60
    if name == "exp":
        return Decimal(x).exp()
    double = (2 * Decimal(x)).exp()
    return (double - 1) / (double + 1)


@pytest.mark.parametrize(("name", "low", "high"), [(name, *bounds) for name in RANGES for bounds in RANGES[name]])
def test_close_to_the_true_value(name: str, low: float, high: float) -> None:
    xs = drawn(low, high, 4_000)
    for x, y in zip(xs.tolist(), found(name, xs).tolist(), strict=True):
        expected = true(name, x)
        assert abs(Decimal(y) - expected) <= Decimal(MOST[name] * math.ulp(float(expected))), (name, x)


@pytest.mark.parametrize("name", EACH)
def test_close_to_the_library_at_any_size(name: str) -> None:
    with np.errstate(over="ignore", under="ignore"):
        sizes = np.ldexp(drawn(0.5, 1, 2_200), np.arange(2_200) - 1_100)  # denormal numbers to infinity
        xs = np.concatenate([sizes, -sizes])
        expected = getattr(np, name)(xs)
        finite = np.isfinite(expected)
        assert (found(name, xs)[~finite] == expected[~finite]).all()
        away = np.abs(found(name, xs)[finite] - expected[finite])
    assert (away <= 4 * np.spacing(np.abs(expected[finite]))).all(), "the library is not exact either"


EDGES = [
    ("exp", 0.0, 1.0),
    ("exp", -0.0, 1.0),
    ("exp", 5e-324, 1.0),
    ("exp", math.inf, math.inf),
    ("exp", -math.inf, 0.0),
    ("exp", math.nan, math.nan),
    ("exp", 709.782712893384, 1.7976931348622732e308),
    ("exp", 709.7827128933841, math.inf),
    ("exp", 1e308, math.inf),
    ("exp", -745.1332191019411, 5e-324),
    ("exp", -745.1332191019412, 0.0),
    ("exp", -1e308, 0.0),
    ("tanh", 0.0, 0.0),
    ("tanh", -0.0, -0.0),
    ("tanh", 5e-324, 5e-324),
    ("tanh", -1e-310, -1e-310),
    ("tanh", 20.5, 1.0),
    ("tanh", -1e308, -1.0),
    ("tanh", math.inf, 1.0),
    ("tanh", -math.inf, -1.0),
    ("tanh", math.nan, math.nan),
]


@pytest.mark.parametrize(("name", "x", "expected"), EDGES)
def test_edges(name: str, x: float, expected: float) -> None:
    y = float(found(name, np.array([x]))[0])
    assert repr(y) == repr(expected), "nan, and zero with its sign"


def test_results_below_the_normal_numbers_are_rounded_once() -> None:
    xs = drawn(-745.1, -708.4, 2_000)
    for x, y in zip(xs.tolist(), found("exp", xs).tolist(), strict=True):
        assert abs(Decimal(y) - true("exp", x)) <= Decimal(math.ulp(y)), x


@pytest.mark.parametrize("name", EACH)
def test_compiled_and_interpreted_are_the_same_bits(name: str) -> None:
    if INTERPRETED:
        pytest.skip("nothing is compiled")
    plain = {"exp": exp, "tanh": tanh}[name].py_func
    xs = drawn(-30, 30, 5_000)
    assert found(name, xs).tolist() == [float(plain(x)) for x in xs.tolist()]


def bits(*arrays: np.ndarray) -> str:
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(array.astype("<f8").tobytes())
    return digest.hexdigest()[:16]


@pytest.mark.parametrize(("name", "digest"), [("exp", "2c8326b6e24410e5"), ("tanh", "83bec00336318c8a")])
def test_the_bits_of_every_machine(name: str, digest: str) -> None:
    """What the digest stands for was computed once; a machine that comes to another one would play otherwise."""
    assert bits(found(name, drawn(-30, 30, 20_000)), found(name, drawn(-1, 1, 20_000))) == digest


def network() -> np.ndarray:
    """A value network of drawn weights, with 40 inputs and two hidden layers."""
    sizes, stream = [41, 24, 16, 1], np.array([3], np.uint64)

    def weights(*shape: int) -> np.ndarray:
        return np.array([uniform(stream) - 0.5 for _ in range(math.prod(shape))], np.float32).reshape(shape)

    matrices = [weights(*shape) for shape in pairwise(sizes)]
    return pack(matrices, [weights(size) for size in sizes[1:]], gate=0.75, own=0.5, reward=0)


@rule
def values(net, codes, layers, out):
    for i in range(codes.shape[0]):
        if i == 0:
            first_layer(net, codes[i], layers[0])
        else:
            changed_layer(net, codes[i], codes[0], layers[0], layers[1])
        out[i] = further_layers(net, layers[min(i, 1)], layers[2], layers[3], out[i])


def network_values() -> np.ndarray:
    codes = (drawn(-3, 4, 200 * 40).clip(0) * 4).astype(np.uint8).reshape(200, 40)
    out = drawn(-1, 1, 200)
    values(network(), codes, np.zeros((4, 24), np.float32), out)
    return out


def test_a_value_network_gives_the_bits_of_every_machine() -> None:
    assert bits(network_values()) == "3e2f73c6d492f7a9"


@pytest.mark.skipif(INTERPRETED, reason="rules are not compiled")
def test_machine_code_neither_fuses_nor_calls_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THEOGONY_CACHE_DIR", str(tmp_path))  # what an earlier run compiled could not be looked into

    def machine_code(function: Any, *arguments: Any) -> str:
        compiled: Any = rule(function)
        compiled(*arguments)
        return next(iter(compiled.overloads.values())).library.get_asm_str()

    def further(net, layers, own):
        return exp(further_layers(net, layers[0], layers[1], layers[2], own))

    def asking(x):
        return np.tanh(x) * np.exp(x)

    assert re.search(CALLED, machine_code(asking, 0.5)), "such a call would be seen"
    code = machine_code(further, network(), np.zeros((3, 24), np.float32), 0.5)
    assert "mul" in code and not re.search(CALLED, code)
    assert not re.search(FUSED, code)


def rules_of(path: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            decorators = {ast.unparse(decorator).partition("(")[0] for decorator in node.decorator_list}
            if decorators & {"rule", "wrapping"}:
                yield node


def from_the_system(node: ast.AST) -> str | None:
    """What a part of a rule asks of the system's library, or of a sum in an order that is not told."""
    if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("np", "math") and node.attr in FROM_THE_SYSTEM:
        return ast.unparse(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow | ast.MatMult):
        return ast.unparse(node)
    return None


def test_no_rule_of_play_asks_the_system() -> None:
    rules = [(path, each) for folder in PLAY for path in (ROOT / folder).rglob("*.py") for each in rules_of(path)]
    assert len(rules) > 500
    asked: list[Any] = [
        f"{path.relative_to(ROOT)}: {rule.name}: {what}"
        for path, rule in rules
        for node in ast.walk(rule)
        if (what := from_the_system(node)) is not None
    ]
    assert not asked
