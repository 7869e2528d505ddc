"""Golden play-throughs: whole games at random as plain text, so that a change of behaviour shows as a readable diff.

`python tests/golden.py --write push_of_faith` writes tests/push_of_faith/golden/ anew, one file for each player count
and option set; without `--write` it says which differ. A file that had to change means that the game's version does.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from theogony.envs import load
from theogony.envs.core.game import GameSpec
from theogony.envs.core.kernels import pick
from theogony.envs.core.position import Position

SEED = 20
SHOWN = 5  # positions written out, from the first to the last


def folder(name: str) -> Path:
    """Where the play-throughs of a game lie."""
    return Path(__file__).parent / name / "golden"


def cases(spec: GameSpec) -> Iterator[tuple[str, dict[str, Any]]]:
    """File name and options of every play-through."""
    for players in spec.players:
        for chosen in spec.option_sets:
            if chosen.get("players", players) == players:
                options = {"players": players, **chosen}
                yield "_".join(f"{key}-{_in_a_name(value)}" for key, value in options.items()) + ".txt", options


def _in_a_name(value: Any) -> str:
    return "-".join(map(str, value)) if isinstance(value, tuple) else str(value)


def playthrough(spec: GameSpec, options: dict[str, Any]) -> str:
    """One game at random: its positions, every decision with the hash of what it led to, the scores."""
    position = Position(spec.configure(options), SEED)
    streams = np.array([SEED], np.uint64)
    texts, lines = [show(position)], []
    while not position.over:
        action = int(pick(position.mask[0], position.mask.shape[1], streams))
        legal, seat = len(position.legal_actions()), position.actor
        position.play(action)
        text = position.game.actions.text(action)
        lines.append(f"{position.now:4} seat {seat}, {legal:3} legal: {text:28} -> {position.hash()}")
        texts.append(show(position))
    shown = {round(k * len(lines) / (SHOWN - 1)) for k in range(SHOWN)}
    out = [f"{spec.title}, version {spec.version}, seed {SEED}, {options}", ""]
    for ply, text in enumerate(texts):
        out += lines[ply - 1 : ply] if ply else []
        out += ["", text, ""] if ply in shown else []
    standings = [f"{standing:.6g}" for standing in position.standings()]
    out += [f"over: {position.over}, scores: {position.scores().tolist()}, standings: {', '.join(standings)}"]
    if spec.breakdown is not None:
        out += [f"seat {seat}: {reasons}" for seat, reasons in enumerate(spec.breakdown(position.game, position.g))]
    return "\n".join(line.rstrip() for line in "\n".join(out).splitlines()) + "\n"


def show(position: Position) -> str:
    """The public side of a position; the hash stands for the rest."""
    return position.game.spec.render_text(position.game, position.g, None)


def difference(name: str, file: str, options: dict[str, Any]) -> str:
    """The diff from the file to what is played now, empty when they agree."""
    path = folder(name) / file
    kept = path.read_text("utf-8").splitlines() if path.exists() else []
    now = playthrough(load(name), options).splitlines()
    return "\n".join(difflib.unified_diff(kept, now, f"{name}/golden/{file}", "played now", lineterm="", n=2))


def main() -> int:
    parser = argparse.ArgumentParser(description="Golden play-throughs of games")
    parser.add_argument("--write", action="store_true", help="write the files anew")
    parser.add_argument("games", nargs="+")
    arguments = parser.parse_args()
    differ = 0
    for name in arguments.games:
        folder(name).mkdir(exist_ok=True)
        for file, options in cases(load(name)):
            found = difference(name, file, options)
            differ += bool(found)
            if found and arguments.write:
                (folder(name) / file).write_text(playthrough(load(name), options), "utf-8")
            elif found:
                print(found)
    print(f"{differ} {'written' if arguments.write else 'differ'}")
    return 1 if differ and not arguments.write else 0


if __name__ == "__main__":
    sys.exit(main())
