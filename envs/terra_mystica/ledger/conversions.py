"""Conversions of a ledger: single ones of the engine, and goods that are simply given away."""

from __future__ import annotations

from theogony.envs.terra_mystica.actions import BURN, CODEC, CONVERSIONS, CONVERT, MOST_BURNT, MOST_PRIESTS, TO_PRIEST
from theogony.envs.terra_mystica.components import ALCHEMISTS
from theogony.envs.terra_mystica.ledger.commands import Command, LedgerError, read_command
from theogony.envs.terra_mystica.ledger.turns import TurnGame
from theogony.envs.terra_mystica.rules.power import gain_vp, spend_power
from theogony.envs.terra_mystica.rules.turn import apply_conversion
from theogony.envs.terra_mystica.state import MAIN, TURN, V_EXCHANGE

UNITS = [read_command(f"convert {text}") for text in CONVERSIONS]
KINDS = [(unit.give, unit.take) for unit in UNITS]  # conversions of one kind follow each other, the smallest first
COINS_OF_A_POINT = 3  # for everybody but the Alchemists, who have an action for it (L6)
STOCKS = {"C": "coins", "W": "workers", "P": "priests"}


def convert(game: TurnGame, seat: int, command: Command, later: list[Command]) -> None:
    """`convert [n]X to [n]Y` and `burn n`, also when somebody else is due."""
    if (command.words.get("give"), command.words.get("take")) == ("C", "VP"):
        if game.position.g.faction[seat] != ALCHEMISTS:
            sell_coins(game, seat, command)
            return
    for action in conversions(command):
        if game.mine(seat, MAIN) or game.mine(seat, TURN):
            game.play(action)
            continue
        with game.another_turn() as g:
            g.actor, g.turn, g.decision = seat, seat, TURN
            game.decide(action, lambda g, t, action=action: apply_conversion(g, action))


def conversions(command: Command) -> list[int]:
    """The single conversions of a command. Raises LedgerError where there is no such conversion."""
    if command.name == "burn":
        return in_amounts(BURN, command.number, MOST_BURNT)
    if (command.give, command.take) == ("W", "P"):
        return in_amounts(TO_PRIEST, command.taken or command.given or 1, MOST_PRIESTS)
    if (command.give, command.take) == ("P", "C") and command.given == command.taken:  # by way of workers
        return [CODEC.encode("convert", "1P to 1W"), CODEC.encode("convert", "1W to 1C")] * (command.given or 1)
    kind = (command.give, command.take)
    if kind not in KINDS:
        raise LedgerError("there is no such conversion")
    k = KINDS.index(kind)
    number = times(command, UNITS[k].given, UNITS[k].taken, CONVERSIONS[k])
    return in_amounts(CONVERT + k, number, KINDS.count(kind))


def in_amounts(first: int, number: int, most: int) -> list[int]:
    """Actions for a number of conversions, as many at once as there are actions for; `first` is the action for one."""
    return [first + min(most, number - done) - 1 for done in range(0, number, most)]


def times(command: Command, given: int, taken: int, rate: str) -> int:
    """How often a command converts at a rate. Raises LedgerError when its numbers do not fit the rate."""
    paid = command.given if command.given is not None else given * (command.taken or 1)
    count, rest = divmod(paid, given)
    if rest or (command.taken is not None and count * taken != command.taken):
        raise LedgerError(f"the rate is {rate}")
    return count


def sell_coins(game: TurnGame, seat: int, command: Command) -> None:
    """`convert 3C to 1VP`, which the final scoring would do as well: the engine of the ledgers does not stop it."""
    g = game.position.g
    count = times(command, COINS_OF_A_POINT, 1, "3C to 1VP")
    take(game, seat, "C", COINS_OF_A_POINT * count)
    gain_vp(g, seat, count, V_EXCHANGE)
    game.refresh()


def lose(game: TurnGame, seat: int, command: Command, later: list[Command]) -> None:
    """`-[n]C|W|P|PW`: goods that are given back for nothing."""
    take(game, seat, command.give, 1 if command.number is None else command.number)
    game.refresh()


def take(game: TurnGame, seat: int, good: str, number: int) -> None:
    """Take goods from a seat. Raises LedgerError when it has fewer."""
    g = game.position.g
    held = g.bowls[seat, 2] if good == "PW" else g[STOCKS[good]][seat]
    if held < number:
        raise LedgerError(f"there are only {int(held)}")
    if good == "PW":
        spend_power(g, seat, number)
    else:
        g[STOCKS[good]][seat] -= number
