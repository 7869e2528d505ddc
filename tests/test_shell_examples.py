"""The commands that pages print are commands that exist: their options, training files, programs and targets.

Nothing is run here: names, types of values and whole training files are checked as they are before a run begins.
"""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup
from typer.main import get_command

from theogony.cli import app
from theogony.training.config.file import load_config

ROOT = Path(__file__).parents[1]
PAGES = [
    path
    for place in ("*.md", "docs/**/*.md", "tools/*.md", "examples/**/*.md", "leaderboard/*.md")
    for path in sorted(ROOT.glob(place))
]
BLOCK = re.compile(r"^```(?:bash|sh|console|text|)\n(.*?)^```", re.M | re.S)
OWN = ("configs/", "examples/", "tools/", "leaderboard/baselines", "training/agents/")


def _commands() -> Iterator[tuple[str, list[str]]]:
    """Every command of a block, with the page it stands on: its words, without `$` and without comment."""
    for page in PAGES:
        for block in BLOCK.findall(page.read_text("utf-8")):
            for line in block.replace("\\\n", " ").splitlines():
                if re.match(r"(\$ )?(\S*/bin/)?(theogony|python|make) ", line):
                    yield str(page.relative_to(ROOT)), shlex.split(line.removeprefix("$ "), comments=True)


COMMANDS = [(words, f"{page}-{' '.join(words)}"[:100]) for page, words in _commands()]
ALL = [pytest.param(words, id=name) for words, name in COMMANDS]
OF_THEOGONY = [pytest.param(words, id=name) for words, name in COMMANDS if words[0].endswith("theogony")]
TRAININGS = [pytest.param(words, id=name) for words, name in COMMANDS if words[1] == "train" and words[0] != "make"]


def test_pages_print_commands() -> None:
    assert len(ALL) > 100 and len(OF_THEOGONY) > 80


@pytest.mark.parametrize("words", OF_THEOGONY)
def test_the_program_takes_it(words: list[str]) -> None:
    command, words = get_command(app), [word.replace("s3://", "memory://") for word in words[1:]]  # without a network
    while isinstance(command, TyperGroup):
        named = command.get_command(typer.Context(command), words[0])
        assert named is not None, f"there is no command {words[0]!r}"
        command, words = named, words[1:]
    command.make_context(command.name, list(words))  # raises what the program would print


@pytest.mark.parametrize("words", TRAININGS)
def test_the_training_file_takes_it(words: list[str]) -> None:
    files = [word for word in words if word.startswith("configs/")]
    for file in files:
        load_config(ROOT / file, [word for word in words[2:] if "=" in word])
    assert files or "--resume" in words or words[2] == "my.yaml"


@pytest.mark.parametrize("words", ALL)
def test_files_and_targets_of_the_project_exist(words: list[str]) -> None:
    for word in " ".join(words).split():  # a program stands with its own options in one word
        if word.startswith(OWN) and "{" not in word and "=" not in word:
            assert (ROOT / word).exists(), f"{word} does not exist"
    if words[0] == "make":
        targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
        assert words[1] in targets, f"the Makefile has no target {words[1]!r}"


def test_the_page_of_commands_has_them_all() -> None:
    rows = re.findall(r"^\|(.*?)\|", (ROOT / "docs" / "commands.md").read_text("utf-8"), re.M)
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    assert sorted(re.findall(r"`theogony (\w+)`", "".join(rows))) == sorted(group.list_commands(typer.Context(group)))
