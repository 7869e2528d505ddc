"""Spaces of a ledger: what is dug, transformed and built on, with spades written before the space they are for."""

from __future__ import annotations

from theogony.envs.terra_mystica.actions import BOARD, BUILD, TO, TRANSFORM
from theogony.envs.terra_mystica.commands import Command, LedgerError
from theogony.envs.terra_mystica.geometry import COLOURS
from theogony.envs.terra_mystica.rules.spades import distance
from theogony.envs.terra_mystica.state import ACTION_SPADES, COLOUR, NONE, SETTLE, TURN
from theogony.envs.terra_mystica.turns import TurnGame

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
            game.begin_action(seat)
    game.play(BUILD + space)


def _open(game: TurnGame, seat: int, action: int) -> bool:
    """Whether this may be done in the running action."""
    return game.mine(seat, TURN) and game.legal(action)


def dig(game: TurnGame, seat: int, command: Command, later: list[Command]) -> None:
    """`dig n`: spades are bought for the space that the row names next."""
    game.dug += command.number
    goal = next((c for c in later if c.name in ("transform", "build", "dig")), None)
    if goal is not None and goal.name != "dig":
        transform_to(game, seat, space_of(goal.space), colour_of(game, seat, goal))


def colour_of(game: TurnGame, seat: int, command: Command) -> int:
    """The colour a `transform` or `build` turns its space to: without one the own, or as near as the spades reach."""
    named = command.words.get("colour")
    if named is not None:
        return COLOURS.index(named)
    g, t, space, home = game.position.g, game.game.tables[0], space_of(command.space), home_of(game, seat)
    spades, far = int(g.spades) + game.dug, int(distance(g, t, seat, space, home))
    if command.name == "build" or spades == 0 or spades >= far:
        return home
    side = 1 if (home - int(g.terrain[space])) % len(COLOURS) == far else -1
    return (int(g.terrain[space]) + side * spades) % len(COLOURS)


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
    cults = game.use_cult_spades(seat)
    if not cults and not game.part_or_new(seat, _open(game, seat, TRANSFORM + space)):
        game_dug, game.dug = game.dug, 0
        game.begin_action(seat)
        game.dug = game_dug
    free = int(game.position.g.spades)
    game.play(TRANSFORM + space)
    if game.position.g.decision != COLOUR:
        return
    steps = int(distance(game.position.g, game.game.tables[0], seat, space, colour))
    game.play(TO + colour)
    game.dug -= 0 if cults else max(0, steps - free)
    if game.dug < 0:
        raise LedgerError(f"{-game.dug} spades are missing: write `dig` before")
