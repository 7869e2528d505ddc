"""What was played so far, as a file of JSON lines: each is written at once, and a run that was stopped goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from theogony.envs.core.untrusted.files import naming, replace_file
from theogony.envs.core.untrusted.outside import parse_json, read_bytes

LARGEST, LONGEST = 4 << 30, 1 << 24  # bytes of a file, and of a line


@dataclass(frozen=True)
class Store:
    """The file of games that are under way; `problem` is raised, with the place, for what is none."""

    path: Path
    problem: type[ValueError]
    largest: int = LARGEST

    def read(self, mend: bool = True) -> Iterator[tuple[str, bytes]]:
        """Each line behind its place, for messages. Behind the last one, what a kill cut off is removed, or is an error
        with `mend=False`; whoever refuses a line before leaves the file as it is."""
        content = read_bytes(self.path, str(self.path), self.problem, self.largest)
        *lines, rest = content.split(b"\n")
        for number, line in enumerate(lines, 1):
            what = f"{self.path}: line {number}"
            parse_json(line, what, self.problem, LONGEST)
            yield what, line
        if rest and not mend:
            raise self.problem(f"{self.path}: its last line is cut off")
        if rest:
            replace_file(self.path, content[: len(content) - len(rest)])

    def begin(self, line: bytes) -> None:
        """Make the file, with its first line."""
        replace_file(self.path, line + b"\n")

    def add(self, line: bytes) -> None:
        """Write one more line."""
        with naming(self.path), self.path.open("ab") as file:
            file.write(line + b"\n")
