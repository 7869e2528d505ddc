"""Positions, tables and pictures need NumPy and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pytest

from theogony.envs.core.position import Position
from theogony.envs.core.registry import GAMES, load
from theogony.envs.core.untrusted import plain_models
from theogony.envs.god_of_war.state import Options

Field = plain_models.Field
SOURCE = Path(__file__).parents[2] / "src"
PLAYED = """
import json, sys
import theogony.envs
from theogony.envs import load
from theogony.envs.core.position import Position
position = Position(load(sys.argv[1]).configure({}), 3)
for _ in range(4):
    position.play(int(position.legal_actions()[0]))
game, others = position.game, {"numba", "pydantic", "gymnasium", "pettingzoo", "yaml", "torch"}
print(json.dumps([position.hash(), position.svg(0, interactive=True), game.spec.render_text(game, position.g, 0),
    game.component_digest, game.options.model_dump(mode="json"), repr(game)]))
assert not others & set(sys.modules), sys.modules
"""


@pytest.fixture(scope="module")
def numpy_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with NumPy in it and no other library."""
    folder, installed = tmp_path_factory.mktemp("libraries"), Path(np.__file__).parents[1]
    for name in ("numpy", "numpy.libs"):
        if (installed / name).is_dir():
            (folder / name).symlink_to(installed / name)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(GAMES))
def test_games_need_numpy_alone(name: str, numpy_alone: Path, tmp_path: Path) -> None:
    """The same positions, pictures, texts, pieces and options as with all libraries, and one line that says why it
    takes long."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "THEOGONY", "NUMBA"))}
    environment |= {"PYTHONPATH": os.pathsep.join([str(SOURCE), str(numpy_alone)]), "THEOGONY_WASM": str(tmp_path)}
    command = [sys.executable, "-S", "-c", PLAYED, name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stderr.splitlines()) == 1 and f"rules of {name} are interpreted" in done.stderr
    position = Position(load(name).configure({}), 3)
    for _ in range(4):
        position.play(int(position.legal_actions()[0]))
    game = position.game
    expected = [position.hash(), position.svg(0, interactive=True), game.spec.render_text(game, position.g, 0)]
    expected += [game.component_digest, game.options.model_dump(mode="json"), repr(game)]
    assert json.loads(done.stdout) == expected


# ---------------------------------------------------------------------------------------------------- models


class Inner(plain_models.BaseModel):
    model_config = {"extra": "forbid"}
    kind: Literal["a"]
    numbers: list[Annotated[int, Field(ge=0)]]


class Outer(plain_models.BaseModel):
    inner: Inner
    pair: tuple[int, str] = (1, "x")
    path: Path | None = None
    many: dict[str, bool] = {}
    short: Annotated[str, Field(max_length=2, pattern="^x")] = Field(default="x", alias="sh")


def numbers(*values: Any) -> dict[str, Any]:
    return {"inner": {"kind": "a", "numbers": list(values)}}


GOOD = numbers(1, 2)
BAD = {
    "missing": ({}, ("inner",), "Field required"),
    "a type": ({"inner": 3}, ("inner",), "Input should be a valid dictionary or instance of Inner"),
    "a truth value": (numbers(True), ("inner", "numbers", 0), "Input should be a valid integer"),
    "a bound": (numbers(1, -2), ("inner", "numbers", 1), "Input should be greater than or equal to 0"),
    "a literal": ({"inner": {"kind": "b", "numbers": []}}, ("inner", "kind"), "Input should be 'a'"),
    "more": ({"inner": {"kind": "a", "numbers": [], "more": 1}}, ("inner", "more"), "Extra inputs are not permitted"),
    "a pair": (GOOD | {"pair": [1]}, ("pair",), "Tuple should have 2 items, not 1"),
    "a path": (GOOD | {"path": 3}, ("path",), "Input should be a valid path"),
    "an item": (GOOD | {"many": {"k": 0}}, ("many", "k"), "Input should be a valid boolean"),
    "a pattern": (GOOD | {"sh": "y"}, ("sh",), "String should match pattern '^x'"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_plain_models_name_the_place(what: str) -> None:
    data, place, message = BAD[what]
    with pytest.raises(plain_models.ValidationError) as error:
        Outer.model_validate(data)
    (problem,) = error.value.errors()
    assert (problem["loc"], problem["msg"]) == (place, message)


def test_plain_models_as_pairs() -> None:
    assert dict(Inner(kind="a", numbers=[1])) == {"kind": "a", "numbers": [1]}


def test_plain_models_as_plain_data() -> None:
    model = Outer.model_validate(GOOD | {"pair": [2, "y"], "path": "/x", "sh": "xx", "other": 1})
    assert model.pair == (2, "y") and model.path == Path("/x")
    assert model.model_dump(mode="json", by_alias=True) == {
        **GOOD, "pair": [2, "y"], "path": "/x", "many": {}, "sh": "xx"
    }  # fmt: skip
    assert model.model_dump(exclude_unset=True, exclude_defaults=True).keys() == {"inner", "pair", "path", "short"}
    assert model == Outer.model_validate(model.model_dump(mode="json", by_alias=True)) != Outer.model_validate(GOOD)


REFUSED = {
    "players='x'": "Input should be a valid integer",
    "heroes=('kratos', 'kratos')": "every player takes a different hero",
    "max_decisions=-1": "greater than or equal to 0",
    "max_decisions=2**40": "at most 2147483647 was expected",
    "difficulty='easy'": "Input should be 'story', 'norns' or 'ragnarok'",
    "surprise=1": "has no option 'surprise'",
}


@pytest.mark.slow
def test_options_are_refused_in_the_same_words(numpy_alone: Path) -> None:
    script = f"""
import json
from theogony.envs import load
from theogony.envs.core.game import OptionError
said = []
for given in {list(REFUSED)!r}:
    try:
        load("god_of_war").configure(eval(f"dict({{given}})"))
        said.append("")
    except OptionError as error:
        said.append(str(error))
print(json.dumps(said))
"""
    outside = os.pathsep.join([str(SOURCE), str(numpy_alone)])
    alone = {"PATH": os.environ["PATH"], "PYTHONPATH": outside}
    done = subprocess.run([sys.executable, "-S", "-c", script], env=alone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for said, expected in zip(json.loads(done.stdout), REFUSED.values(), strict=True):
        assert expected in said
    assert set(Options.model_fields) >= {"players", "heroes", "difficulty"}
