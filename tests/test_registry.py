"""Games are found by name, or by the module of a game of one's own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import theogony
import theogony.envs
from theogony.envs import GAMES, UnknownGame, load, register


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_registered_game_loads_under_its_name(name: str) -> None:
    spec = load(name)
    assert spec.name == name
    assert spec is load(GAMES[name]) is load(f"{GAMES[name]}:SPEC") is load(spec.module)


def test_the_name_of_a_game_is_a_text() -> None:
    for name in (None, 3, ["orbis"]):
        with pytest.raises(UnknownGame, match=r"the name of a game is a text, not .*; known games: god_of_war"):
            theogony.make(name)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("game", theogony.games())
def test_the_module_for_pettingzoo_is_imported_either_way(game: str) -> None:
    short, long = f"theogony.envs.{game}_v0", f"theogony.envs.{game}.{game}_v0"
    code = f"import {short} as one; from {short} import env; from theogony.envs import {game}_v0 as two; import {long}"
    told = f"{code}; assert one is two is {long} and env is one.env and one.__name__ == {long!r}"
    assert subprocess.run([sys.executable, "-c", told], check=False, env=os.environ.copy()).returncode == 0


def test_unknown_game_lists_the_known() -> None:
    with pytest.raises(UnknownGame, match=r"no game 'chess'; known games: .*push_of_faith"):
        load("chess")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.to.be_found", "cannot be imported: No module named 'nowhere'"),
        ("theogony.envs.push_of_faith.rules", "has no GameSpec SPEC"),
        ("theogony.envs.push_of_faith.game:OTHER", "has no GameSpec OTHER"),
        ("", "no game ''"),
    ],
)
def test_modules_without_a_game(name: str, message: str) -> None:
    with pytest.raises(UnknownGame, match=message):
        load(name)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        *((name, "the game in mine.py is named mine:SPEC") for name in ("mine", "mine.py", "./mine.py", "mine.SPEC")),
        *((f, f"the game in {Path('folder', 'game.py')} is named folder.game") for f in ("folder", "folder/game.py")),
        ("folder/", "is named folder.game"),
        *((name, "a game of your own is named by its module, package.game or module:SPEC") for name in ("chess", "..")),
    ],
)
def test_hint_how_a_game_of_ones_own_is_named(
    name: str, hint: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A file is named, not imported: nothing of the working directory runs before it was named as a module."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for file in ("mine.py", "folder/game.py"):
        (tmp_path / file).write_text("raise SystemExit\n")
    with pytest.raises(UnknownGame) as caught:
        load(name)
    assert "known games: god_of_war, " in str(caught.value) and str(caught.value).endswith(hint)


def test_register(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "mine", "")  # so that it is taken away afterwards
    del GAMES["mine"]
    register("mine", GAMES["push_of_faith"])
    register("mine", GAMES["push_of_faith"])  # the same again is no harm
    assert load("mine").name == "push_of_faith"
    with pytest.raises(ValueError, match="'mine' is taken by"):
        register("mine", "other.module")
    with pytest.raises(ValueError, match="cannot be called 'my game'"):
        register("my game", "other.module")


def test_registered_module_without_a_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "lonely_game.py").write_text("from theogony.envs.push_of_faith.game import SPEC\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(GAMES, "lonely", "lonely_game")
    assert load("lonely") is load("lonely_game:SPEC") is load("push_of_faith")


def test_other_attributes_are_refused() -> None:
    for name in ("push_of_faith_v99", "chess_v0", "nothing"):
        with pytest.raises(AttributeError, match=name):
            getattr(theogony.envs, name)
