"""Condense recordings of the other implementation to what cannot be computed: setup, actions, and a digest of the rest.

`python tests/push_of_faith/condense.py FOLDER GAME ...` writes data/games.json; `conftest.py` expands them again.
"""

import gzip
import hashlib
import json
import sys
from pathlib import Path

from theogony.envs.push_of_faith.actions import CODEC
from theogony.verification.push_of_faith import ACTIONS


def main(folder: str, *names: str) -> None:
    games = []
    for name in names:
        text = gzip.decompress((Path(folder) / f"{name}.jsonl.gz").read_bytes()).decode("ascii")
        header, *steps, _ = [json.loads(line) for line in text.splitlines()]
        actions = [CODEC.text(ACTIONS.index(step["action"])) for step in steps]
        del header["state"]
        games.append({"header": header, "actions": actions, "sha256": digest(text.splitlines())})
    lines = ",\n".join(json.dumps(game) for game in games)
    (Path(__file__).parent / "data" / "games.json").write_text(f"[\n{lines}\n]\n")


def digest(lines: list[str]) -> str:
    """SHA-256 over all lines of a recording, the keys of every object sorted."""
    return hashlib.sha256(
        "\n".join(json.dumps(json.loads(line), sort_keys=True) for line in lines).encode()
    ).hexdigest()


if __name__ == "__main__":
    main(*sys.argv[1:])
