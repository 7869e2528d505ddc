"""Make data/games.json from recordings: `python condense.py FILE...`. Kept are the start, actions, chance results and a
digest of legal actions and position a step, so that the tests compare with the recorded ones without holding them."""

import gzip
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

STEPS = 40  # of each game


def digest(*values: Any) -> str:
    """8 hexadecimal digits of JSON-like values."""
    return hashlib.blake2b(json.dumps(values, sort_keys=True).encode(), digest_size=4).hexdigest()


def step_digest(legal: list[dict[str, Any]], state: dict[str, Any]) -> str:
    """Digest of the legal actions, in any order, and the position after the action."""
    return digest(sorted(json.dumps(action, sort_keys=True) for action in legal), state)


def chosen_deck(line: dict[str, Any], header: dict[str, Any]) -> list[dict[str, Any]]:
    """A hero who is chosen brings a deck, which our rules shuffle at that moment."""
    if line["kind"] != "hero":
        return []
    return [{"shuffle": line["seat"], "deck": header["start"]["decks"][line["action"]["hero"]]}]


def condense(path: Path) -> dict[str, Any]:
    """One recording, its first steps."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        header, *lines = map(json.loads, file)
    start = digest(header.pop("state"))
    steps = [
        {
            "action": line["action"],
            "chance": [*chosen_deck(line, header), *line["chance"]],
            "digest": step_digest(line["legal"], line["state"]),
        }
        for line in lines[:-1][:STEPS]
    ]
    return {"name": path.name.split(".")[0], "header": header, "start": start, "steps": steps}


if __name__ == "__main__":
    games = [condense(Path(name)) for name in sys.argv[1:]]
    content = "[\n" + ",\n".join(json.dumps(game, separators=(",", ":")) for game in games) + "\n]\n"
    (Path(__file__).parent / "data" / "games.json").write_text(content)
