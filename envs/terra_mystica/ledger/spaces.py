"""Spaces of a ledger: what is dug, transformed and built on, with spades written before the space they are for."""

from __future__ import annotations

from theogony.envs.terra_mystica.actions import BOARD, BUILD, PARTLY, TO, TRANSFORM
from theogony.envs.terra_mystica.components import COLOURS
from theogony.envs.terra_mystica.ledger.commands import Command, LedgerError
from theogony.envs.terra_mystica.ledger.turns import TurnGame
from theogony.envs.terra_mystica.rules.targets import distance
from theogony.envs.terra_mystica.state import ACTION_SPADES, COLOUR, NONE, SANDSTORM, SETTLE, TURN

SPACE = {label: k for k, label in enumerate(BOARD.land)}
STARTERS = ("action", "upgrade", "send", "advance", "pass", "dig")  # commands that begin a main action


def space_of(label: str) -> int:
    """The number of a space. Raises LedgerError when there is none."""
    if label not in SPACE:
        raise LedgerError(f"there is no space {label}")
    return SPACE[label]


def home_of(game: TurnGame, seat: int) -> int:
    """The colour of a seat."""
    return int(game.game.tables[0].home[game.position.g.faction[seat]])


def build(game: TurnGame, seat: int, command: Command, later: list[Command]) -> None:
    """`build H`: transforms by itself on foreign terrain, with the spades at hand."""
    space, home = space_of(command.space), home_of(game, seat)
    if not game.mine(seat, SETTLE) and not game.part_or_new(seat, _open(game, seat, BUILD + space)):
        if game.position.g.terrain[space] != home:
            transform_to(game, seat, space, home)
        else:
            game.begin_building(seat)
    game.play(BUILD + space)


def _open(game: TurnGame, seat: int, action: int) -> bool:
    """Whether this may be done in the running action."""
    return game.mine(seat, TURN) and game.legal(action)


def dig(game: TurnGame, seat: int, command: Command, later: list[Command]) -> None:
    """`dig n`: spades for the space that the row names next. They are used at once where conversions follow."""
    game.dug += command.number
    goal = next((k for k, c in enumerate(later) if c.name in ("transform", "build")), None)
    if goal is None:
        return
    space, colour = space_of(later[goal].space), colour_of(game, seat, later[goal])
    if {c.name for c in later[:goal]} & {"convert", "burn"}:  # they use what the spades bring, or pay the next ones
        transform_to(game, seat, space, on_the_way(game, space, colour, int(game.position.g.spades) + game.dug))


def colour_of(game: TurnGame, seat: int, command: Command) -> int:
    """The colour a `transform` or `build` turns its space to: without one the own, or as near as the spades reach."""
    named = command.words.get("colour")
    if named is not None:
        return COLOURS.index(named)
    space, home, spades = space_of(command.space), home_of(game, seat), int(game.position.g.spades) + game.dug
    if command.name == "build":
        return home
    if spades == 0:  # nothing is left to do, or spades are missing
        return int(game.position.g.terrain[space]) if game.position.g.first == space else home
    return on_the_way(game, space, home, spades)


def on_the_way(game: TurnGame, space: int, goal: int, steps: int) -> int:
    """The colour so many steps nearer to another on the wheel, or that one."""
    now, wheel = int(game.position.g.terrain[space]), len(COLOURS)
    up = (goal - now) % wheel
    far, side = (up, 1) if up <= wheel // 2 else (wheel - up, -1)
    return (now + side * min(steps, far)) % wheel


def transform(game: TurnGame, seat: int, command: Command, later: list[Command]) -> None:
    """`transform H [to colour]`. A space that is built on in the same action is the first one."""
    game.use_cult_spades(seat)
    space, colour, home = space_of(command.space), colour_of(game, seat, command), home_of(game, seat)
    g = game.position.g
    if game.mine(seat, TURN) and g.spade_use == ACTION_SPADES and g.first == NONE:
        goal = _same_action(later)
        if goal is not None and g.terrain[space_of(goal.space)] != home:
            transform_to(game, seat, space_of(goal.space), home)
    transform_to(game, seat, space, colour)


def _same_action(later: list[Command]) -> Command | None:
    """The `build` that ends the running action, if one comes before the next action begins."""
    for command in later:
        if command.name in STARTERS:
            return None
        if command.name == "build":
            return command
    return None


def transform_to(game: TurnGame, seat: int, space: int, colour: int) -> None:
    """Transform a space unless it has the colour already."""
    if game.position.g.terrain[space] == colour:
        return
    cults, home = game.use_cult_spades(seat), home_of(game, seat)
    part = _open(game, seat, TRANSFORM + space) or _open(game, seat, PARTLY + space)
    if not cults and not game.part_or_new(seat, part):
        bought, game.dug = game.dug, 0
        game.begin_building(seat)
        game.dug = bought
    g = game.position.g
    if not cults and g.spade_use != SANDSTORM:
        game.dug -= max(0, int(distance(g, game.game.tables[0], seat, space, colour)) - int(g.spades))
        if game.dug < 0:
            raise LedgerError(f"{-game.dug} spades are missing: write `dig` before")
    game.play((TRANSFORM if colour == home else PARTLY) + space)
    if colour != home and game.mine(seat, COLOUR):
        game.play(TO + colour)
    elif game.position.g.terrain[space] != colour:
        raise LedgerError(f"{BOARD.land[space]} cannot be turned to {COLOURS[colour]}")
