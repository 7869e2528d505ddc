"""Ledgers: the text files in which games of Terra Mystica are written down. Reading, playing and writing them."""

from __future__ import annotations

from dataclasses import dataclass, field

from theogony.envs.core.game import Game
from theogony.envs.terra_mystica.commands import Command, LedgerError
from theogony.envs.terra_mystica.components import SCORING

OPTIONS = {  # options of ledgers: ours, or None where we always play so
    "mini-expansion-1": ("extra_towns", True),
    "shipping-bonus": ("ship_card", True),
    "temple-scoring-tile": ("temple_tile", True),
    "variable-turn-order": ("turn_order", "passing"),
    "errata-cultist-power": ("cultists_power", True),
    "strict-leech": None,
    "strict-darkling-sh": None,
    "strict-chaosmagician-sh": None,
}


@dataclass
class Written:
    """What stands before the first row: options, scoring tiles, cards not in the game, factions in turn order."""

    options: dict[str, object] = field(default_factory=lambda: {"cultists_power": False})
    scoring: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    factions: list[str] = field(default_factory=list)


def read_setup(commands: list[Command]) -> Written:
    """The commands before the first row. Raises LedgerError naming an option that is not known."""
    written = Written()
    for command in commands:
        if command.name == "option":
            if command.option not in OPTIONS:
                raise LedgerError(f"unknown option; known are {', '.join(OPTIONS)}", text=command.text)
            ours = OPTIONS[command.option]
            if ours is not None:
                written.options[ours[0]] = ours[1]
        elif command.name == "score":
            written.scoring = [tile.strip() for tile in command.tiles.split(",")]
        elif command.name == "delete":
            written.removed.append(command.card)
        elif command.name == "setup":
            written.factions.append(command.faction)
        else:
            raise LedgerError("does not belong before the first row", text=command.text)
    return written


def game_for(written: Written) -> Game:
    """The game with a ledger's options."""
    from theogony.envs.terra_mystica.game import SPEC  # the game's own module imports the reader of recordings

    return SPEC.configure({"players": len(written.factions), **written.options})
