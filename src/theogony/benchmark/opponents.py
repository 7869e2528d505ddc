"""Who an opponent of a task is: always the same, so that figures stay comparable.

`reference` is a reference player by the SHA-256 of its weights, which `tasks.yaml` lists, as an opponent and as an
agent, and looks one decision ahead: `greedy@reference`. Where a later version of the package comes with a better one,
that one goes on in `former/`. Before a reference player is replaced,
`python -m theogony.benchmark.opponents training/agents/terra_mystica/4p` puts it there.
"""

from __future__ import annotations

import sys
from pathlib import Path

from theogony.benchmark import held_back
from theogony.benchmark.digests import digest_of
from theogony.benchmark.tasks import REFERENCE, BenchmarkError, shipped
from theogony.envs.core.game import Game
from theogony.envs.core.thinking.player_names import parse_player

FOLDER = Path(__file__).with_name("former")
ONE_AHEAD = "greedy"  # the search of who has none


def player_of(opponent: str, game: Game) -> str:
    """The player that an opponent of a task is. Raises BenchmarkError when it is not at hand, or has changed; and
    CheckpointError when a game has no reference player."""
    return held_back.player_of(opponent) if opponent.startswith(held_back.PREFIX) else meant(opponent, game)


def meant(player: str, game: Game) -> str:
    """A player's name with that agent in place of `reference`, alone or behind a search, that tasks of this table mean.
    Alone it looks one decision ahead, whatever the package's `reference` does.

    Raises as `player_of` does.
    """
    name, table = parse_player(player), f"{game.spec.name}-{game.players}p"
    if REFERENCE not in (name.text, name.guide):
        return player
    name = parse_player(ONE_AHEAD) if name.text == REFERENCE else name
    name, wanted = parse_player(f"{name.settings}@{REFERENCE}"), shipped().references.get(table)
    if wanted is None or digest_of(REFERENCE, game) == wanted:
        return name.text
    former = FOLDER / f"{table}-{wanted[: held_back.DIGITS]}"
    if not former.is_dir() or digest_of(str(former), game) != wanted:
        raise BenchmarkError(
            f"{player}: in {table} the tasks mean the one with SHA-256 {wanted[: held_back.DIGITS]}..., which is "
            f"neither in this package nor in {FOLDER}"
        )
    return name.by(former).text


def keep(agent: Path) -> Path:
    """Put a reference player where it is found when the package comes with another. Returns its folder.

    Raises OSError or CheckpointError.
    """
    from theogony.training.storage.checkpoint import POLICY
    from theogony.training.storage.header import read_header

    return held_back.put(FOLDER, read_header(agent), (agent / POLICY).read_bytes())


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        try:
            print(keep(Path(argument)))
        except (ValueError, OSError) as error:
            raise SystemExit(f"theogony.benchmark.opponents: {error}") from None
