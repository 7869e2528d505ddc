"""How many points a player makes among copies of itself: `python benchmarks/points.py GAME PLAYER [--games N]`.

    python benchmarks/points.py terra_mystica reference --players 4 --games 100
    python benchmarks/points.py terra_mystica reference --from league/*.jsonl.gz --kept 4

With `--from` every game begins where a recorded one stood after `--kept` decisions: as it was laid out, or with the
factions that people chose. Each recording is played `--games` times, with other draws of the player. The interval at
the end is over recordings, as games of one are alike; over games where all were dealt anew.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from theogony.envs import load
from theogony.envs.core.conformance.starts import recorded_starts
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.players import Player, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.record import from_bytes


def scores(game: Game, player: Player, seed: int, start: bytes | None) -> np.ndarray:
    """The printed scores of one game, float64 (players,)."""
    position, rng = Position(game, seed), np.random.default_rng(seed)
    if start is not None:
        position.load(start)
    while not position.over:
        position.play(int(player.act(Views.at(position), rng)[0]))
    return position.scores()


def beginnings(spec: GameSpec, files: list[Path], kept: int) -> Iterator[tuple[str, Game, bytes]]:
    """Where recorded games stood after so many decisions: name, game with its options, position."""
    for path in files:
        for case in recorded_starts(spec, [path]):
            plies = [int(from_bytes(start.content, case.game.state)[0].ply) for start in case.starts]
            yield path.name, case.game, case.starts[int(np.argmin(np.abs(np.array(plies) - kept)))].content


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("player")
    parser.add_argument("--players", type=int, default=None)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--from", dest="files", type=Path, nargs="+", default=[])
    parser.add_argument("--kept", type=int, default=0, help="decisions of the recorded games that stand")
    asked = parser.parse_args(arguments)
    if asked.games < 1 or asked.kept < 0:
        parser.error("--games: expected at least 1; --kept: at least 0")
    if asked.files and asked.players is not None:
        parser.error("--players: recorded games have their own")
    try:
        measure(asked)
    except (ValueError, OSError) as error:
        raise SystemExit(f"points.py: {error}") from None


def measure(asked: argparse.Namespace) -> None:
    """Play, and print a line for each beginning. Raises ValueError or OSError for what does not exist."""
    spec = load(asked.game)
    options = {} if asked.players is None else {"players": asked.players}
    begun = list(beginnings(spec, asked.files, asked.kept)) or [("dealt anew", spec.configure(options), None)]
    games: list[float] = []
    groups: list[float] = []  # what is drawn independently: recordings, or games
    for name, game, start in begun:
        player = make_player(asked.player, game)
        played = np.array([scores(game, player, seed, start) for seed in range(asked.games)])
        games += played.mean(1).tolist()
        groups += [float(played.mean())] if start is not None else played.mean(1).tolist()
        mean, best = played.mean(), played.max(1).mean()
        print(f"{name:<34} mean {mean:6.1f}  winners {best:6.1f}  {len(played)} games", flush=True)
    spread = 1.96 * np.std(groups, ddof=1) / np.sqrt(len(groups)) if len(groups) > 1 else np.nan
    print(f"{asked.player}: mean {np.mean(games):.1f} +- {spread:.1f} (95 %) of {len(games)} games")


if __name__ == "__main__":
    main()
