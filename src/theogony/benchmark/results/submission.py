"""A submission: a folder with `metadata.yaml` and a results file for each seed of the agent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from theogony.benchmark.tasks import BenchmarkError, Strict
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.outside import check_plain_text
from theogony.envs.core.untrusted.outside_yaml import read_yaml

METADATA = "metadata.yaml"
MIN_SEEDS = 5  # of the training of an agent that learns
LONGEST_NAME = 80
FIELDS = (
    "expected texts as name, authors and description, true or false as trained; of an agent that learnt also a whole "
    "number as decisions and a text as code or config"
)


def _printable(text: str) -> str:
    """Raises ValueError for signs that steer a terminal or turn the direction of writing; lines may end."""
    check_plain_text(text.split("\n"))
    return text


Text = Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(_printable)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(_printable)]


class Metadata(Strict):
    """Who submits what. `trained`: it learns, and so needs five seeds; the reference player is measured as it is."""

    name: Name
    authors: Text
    description: Text
    trained: bool
    decisions: Annotated[int, Field(ge=0)] | None = None  # of the learner, in training
    code: Text | None = None
    config: Text | None = None


def read_metadata(path: Path) -> Metadata:
    """The metadata of a submission. Raises BenchmarkError naming the field, and what all of them are."""
    content, _ = read_yaml(path, str(path), BenchmarkError)
    try:
        return checked(Metadata, content, str(path), BenchmarkError)
    except BenchmarkError as error:
        raise BenchmarkError(f"{error}; {FIELDS}") from None


def results_files(folder: Path) -> list[Path]:
    """The results files of a submission. Raises BenchmarkError when there is none."""
    files = sorted([*folder.glob("*.json"), *folder.glob("*.json.gz")])
    if not files:
        raise BenchmarkError(f"{folder}: holds no results file: expected one *.json for each seed")
    return without_links([folder / METADATA, *files])[1:]


def without_links(files: list[Path]) -> list[Path]:
    """The files themselves. Raises BenchmarkError for a link, which could lead out of the submission."""
    for file in files:
        if file.is_symlink():
            raise BenchmarkError(f"{file}: is a link; expected what it leads to")
    return files
