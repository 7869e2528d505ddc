"""Playing written games: the commands of a ledger's rows become decisions of the engine.

People write freely: several turns in one row, spades without the space they are for, conversions at any time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.terra_mystica import actions, state
from theogony.envs.terra_mystica.actions import BOARD, CODEC
from theogony.envs.terra_mystica.components import ALCHEMISTS, COLOURS, CULTISTS, CULTS, POWER_COST, PRIESTS, ROUNDS
from theogony.envs.terra_mystica.ledger.commands import Command, LedgerError, read_command
from theogony.envs.terra_mystica.ledger.turns import TurnGame
from theogony.envs.terra_mystica.rules import apply
from theogony.envs.terra_mystica.rules.actions import has_special
from theogony.envs.terra_mystica.rules.power import gain_vp, spend_power, take_steps
from theogony.envs.terra_mystica.rules.rounds import pass_round
from theogony.envs.terra_mystica.rules.targets import distance
from theogony.envs.terra_mystica.rules.turn import apply_conversion

UNITS = [read_command(f"convert {text}") for text in actions.CONVERSIONS]
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
        if game.mine(seat, state.MAIN) or game.mine(seat, state.TURN):
            game.play(action)
            continue
        with game.another_turn() as g:
            g.actor, g.turn, g.decision = seat, seat, state.TURN
            game.decide(action, lambda g, t, action=action: apply_conversion(g, action))


def conversions(command: Command) -> list[int]:
    """The single conversions of a command. Raises LedgerError where there is no such conversion."""
    if command.name == "burn":
        return in_amounts(actions.BURN, command.number, actions.MOST_BURNT)
    if (command.give, command.take) == ("W", "P"):
        return in_amounts(actions.TO_PRIEST, command.taken or command.given or 1, actions.MOST_PRIESTS)
    if (command.give, command.take) == ("P", "C") and command.given == command.taken:  # by way of workers
        return [CODEC.encode("convert", "1P to 1W"), CODEC.encode("convert", "1W to 1C")] * (command.given or 1)
    kind = (command.give, command.take)
    if kind not in KINDS:
        raise LedgerError("there is no such conversion")
    k = KINDS.index(kind)
    number = times(command, UNITS[k].given, UNITS[k].taken, actions.CONVERSIONS[k])
    return in_amounts(actions.CONVERT + k, number, KINDS.count(kind))


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
    gain_vp(g, seat, count, state.V_EXCHANGE)
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


# ---- Spaces of a ledger: what is dug, transformed and built on, with spades written before the space they are for --

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
    if not game.mine(seat, state.SETTLE) and not game.part_or_new(seat, _open(game, seat, actions.BUILD + space)):
        if game.position.g.terrain[space] != home:
            transform_to(game, seat, space, home)
        else:
            game.begin_building(seat)
    game.play(actions.BUILD + space)


def _open(game: TurnGame, seat: int, action: int) -> bool:
    """Whether this may be done in the running action."""
    return game.mine(seat, state.TURN) and game.legal(action)


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
    if game.mine(seat, state.TURN) and g.spade_use == state.ACTION_SPADES and g.first == state.NONE:
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
    part = _open(game, seat, actions.TRANSFORM + space) or _open(game, seat, actions.PARTLY + space)
    if not cults and not game.part_or_new(seat, part):
        bought, game.dug = game.dug, 0
        game.begin_building(seat)
        game.dug = bought
    g = game.position.g
    if not cults and g.spade_use != state.SANDSTORM:
        game.dug -= max(0, int(distance(g, game.game.tables[0], seat, space, colour)) - int(g.spades))
        if game.dug < 0:
            raise LedgerError(f"{-game.dug} spades are missing: write `dig` before")
    game.play((actions.TRANSFORM if colour == home else actions.PARTLY) + space)
    if colour != home and game.mine(seat, state.COLOUR):
        game.play(actions.TO + colour)
    elif game.position.g.terrain[space] != colour:
        raise LedgerError(f"{BOARD.land[space]} cannot be turned to {COLOURS[colour]}")


# ---- Playing written games: the commands of a ledger's rows become decisions of the engine -----------------------

# Gifts that may be declined: the fields in which the engine keeps them.
GIFTS = {
    "spade": ("spades",), "free_d": ("free_dwelling", "sites"), "free_tf": ("spade_use",), "free_tp": ("free_house",),
    "bridge": ("bridge_due",), "cult": ("steps_due",), "gain_favor": ("favors_due",), "gain_tw": ("towns_due",),
    "convert_w_to_p": ("priests_due",),
}  # fmt: skip
SKIPPED = ("spade", "convert_w_to_p")  # gifts that the engine does not offer where they are of no use


class Importer(TurnGame):
    """Plays the rows of a ledger."""

    excluded: list[str]  # tracks that shall not use a key in this row

    def row(self, faction: str, commands: list[Command]) -> None:
        """Play a row of one faction. Raises LedgerError naming the command that cannot be played."""
        seat = self.seat_of(faction)
        self.excluded = []
        for k, command in enumerate(commands):
            try:
                if command.name not in PLAYERS_OF:
                    raise LedgerError("belongs before the first row")
                PLAYERS_OF[command.name](self, seat, command, commands[k + 1 :])
            except LedgerError as error:
                raise LedgerError(error.reason, text=error.text or command.text) from None
            self.go_on()
        self.keep_offers()

    # ------------------------------------------------------------------------------------------------ actions

    def upgrade(self, seat: int, command: Command, later: list[Command]) -> None:
        """`upgrade H to TP|TE|SH|SA`."""
        if not (self.mine(seat, state.TURN) and self.position.g.free_house):
            self.begin_action(seat)
        self.play(CODEC.encode("upgrade", BOARD.land[space_of(command.space)], command.kind))

    def special(self, seat: int, command: Command, later: list[Command]) -> None:
        """`action X`, also where it does nothing: other engines let a player waste an action (L4)."""
        what = command.words.get("what", "ACTE")  # without a name the Engineers' old way of writing it
        self.begin_action(seat)
        kind = "power action" if what[3:].isdigit() and what.startswith("ACT") else "special action"
        action = _encode(kind, what)
        if self.legal(action) or what not in self.idle_actions(seat):
            self.play(action)
            return
        g = self.position.g
        apply(g, self.game.tables[0], action)
        g.priests[seat] = min(int(g.priests[seat]), PRIESTS - int(g.priests_away[seat]))
        self.position.refresh()

    def idle_actions(self, seat: int) -> set[str]:
        """Actions that a seat could pay for and the engine bars because they would do nothing."""
        g = self.position.g
        idle = set()
        for k, name in enumerate(actions.POWER_ACTIONS):
            if not g.power_used[k] and g.bowls[seat, 2] >= POWER_COST[k] and not self.legal(actions.ACT + k):
                idle.add(name)
        for k, name in enumerate(actions.SPECIALS):
            if has_special(g, seat, k) and not g.specials_used[seat, k] and not self.legal(actions.SPECIAL + k):
                idle.add(name)
        return idle

    def bridge(self, seat: int, command: Command, later: list[Command]) -> None:
        """`bridge H:H`, the ends in any order."""
        ends = {space_of(command.first), space_of(command.second)}
        site = next((k for k, pair in enumerate(BOARD.sites) if set(pair) == ends), None)
        if site is None:
            raise LedgerError("there is no bridge site between these spaces")
        self.play_part(seat, actions.BRIDGE + site)

    def send(self, seat: int, command: Command, later: list[Command]) -> None:
        """`send p to CULT [for n]`: without a number on the best place that is free."""
        self.begin_action(seat)
        for steps in (3, 2, 1) if command.number is None else (command.number,):
            action = _encode("send", command.cult, steps)
            if self.legal(action) or command.number is not None or steps == 1:
                self.play(action)
                return

    def advance(self, seat: int, command: Command, later: list[Command]) -> None:
        """`advance ship|dig`."""
        self.begin_action(seat)
        self.play(actions.ADVANCE + ("ship", "dig").index(command.track))

    def pass_(self, seat: int, command: Command, later: list[Command]) -> None:
        """`pass [BONn]`. The last pass of a round waits for what is still open.

        In the last round no card is taken, though one may be written (§6.8).
        """
        action = actions.PASS if command.card is None else _encode("pass with", command.card)
        if self.position.g.round_number == ROUNDS:
            action = actions.PASS
        if self.mine(seat, state.CARD):
            self.play(action)
            return
        self.begin_action(seat)
        self.keep_offers()
        g = self.position.g
        if int(np.sum(g.passed[: g.players])) + 1 < g.players or not self.waiting():
            self.play(action)
            return
        self.decide(action, lambda g, t: pass_round(g, t, action))
        g.decision = state.OFFERS
        self.held = True

    # ------------------------------------------------------------------------------------------------ tiles, steps

    def favor(self, seat: int, command: Command, later: list[Command]) -> None:
        """`+FAVn`."""
        self.play_part(seat, _encode("favor", command.tile))

    def town(self, seat: int, command: Command, later: list[Command]) -> None:
        """`+[n]TWn`. The Mermaids' town over a river may be written without `connect`."""
        rivers = [actions.CONNECT + k for k in range(len(BOARD.river)) if self.legal(actions.CONNECT + k)]
        if rivers and self.mine(seat, state.TURN) and not self.position.g.towns_due:
            self.play(rivers[self.choose(len(rivers))])
        for _ in range(command.number or 1):
            self.play_part(seat, _encode("town", command.tile))
            while self.mine(seat, state.TURN) and self.position.g.key_choice:
                self.play(self._track_for_key())

    def _track_for_key(self) -> int:
        """A track that may use a scarce key: not one that the row excluded."""
        tracks = [k for k in range(4) if self.legal(actions.STEP + k)]
        wanted = [k for k in tracks if CULTS[k] not in self.excluded]
        return actions.STEP + (wanted or tracks)[0]

    def cult(self, seat: int, command: Command, later: list[Command]) -> None:
        """`+[n]CULT`: steps of the running action, of one before, or the Cultists' reward; of several together."""
        track, left = CULTS.index(command.cult), command.number
        while left is None or left > 0:
            steps, of_action = self._steps_due(seat)
            if steps == 0:
                raise LedgerError("no cult step is due")
            if left is not None and steps > left:
                raise LedgerError(f"{steps} steps are due")
            if of_action:
                self.play_part(seat, actions.STEP + track)
            else:
                self._take_reward(seat, track)
            left = (left or steps) - steps

    def _steps_due(self, seat: int) -> tuple[int, bool]:
        """Steps that a seat takes next, and whether the engine or an action of before asks for them."""
        g = self.position.g
        if self.mine(seat, state.TURN) and (g.steps_due or g.key_choice):
            return max(int(g.steps_due), 1), True
        if seat in self.owed and self.owed[seat]["steps_due"]:
            return int(self.owed[seat]["steps_due"]), True
        asked = self.mine(seat, state.REWARD)
        return int(asked or (self.rewards > 0 and g.faction[seat] == CULTISTS)), asked

    def _take_reward(self, seat: int, track: int) -> None:
        """A step of the Cultists for power that was taken, out of turn."""
        self.rewards -= 1
        with self.another_turn() as g:
            g.actor, g.turn, g.decision, g.steps_due = seat, seat, state.REWARD, 1
            self.decide(actions.STEP + track, lambda g, t: take_steps(g, track))

    def give_up(self, seat: int, command: Command, later: list[Command]) -> None:
        """`-SPADE`, `-FREE_D` and the like: a gift that is declined, though the rules oblige to use it (L5)."""
        if command.gift == "spade" and self.use_cult_spades(seat):
            self._give_up_cult_spades(seat, command.number)
        elif self.mine(seat, state.TURN) and self.position.g[GIFTS[command.gift][0]]:
            self._decline_gift(command)
        elif seat in self.owed and self.owed[seat][GIFTS[command.gift][0]]:
            with self.owed_turn(seat):
                self._decline_gift(command)
        elif command.gift not in SKIPPED:
            raise LedgerError("no such gift is open")

    def _decline_gift(self, command: Command) -> None:
        g = self.position.g
        for name in GIFTS[command.gift]:
            some = command.number if g[name].ndim == 0 else None
            g[name] = 0 if some is None else max(int(g[name]) - some, 0)
        self.declined = command.gift in ("spade", "free_d", "free_tf")
        self.position.refresh()

    def _give_up_cult_spades(self, seat: int, number: int | None) -> None:
        """Some or all of the spades of the cult bonus."""
        g = self.position.g
        left = 0 if number is None else max(int(g.spades) - number, 0)
        if left == 0 and len(self.position.legal_actions()) > 1:
            self.play(actions.DONE)
            return
        g.spades_due[seat] = left
        g.decision = state.CULT_PHASE
        self.run_on(g)
        self.position.refresh()

    # ------------------------------------------------------------------------------------------------ the rest

    def connect(self, seat: int, command: Command, later: list[Command]) -> None:
        """`connect H:H[:H]`: the river space between these spaces."""
        spaces = {space_of(label) for label in command.spaces.split(":")}
        rivers = [k for k, banks in enumerate(BOARD.banks) if spaces <= set(banks)]
        choices = [actions.CONNECT + k for k in rivers if self.legal(actions.CONNECT + k)]
        if not choices:
            raise LedgerError("no town can be founded over a river space between these spaces")
        self.play(choices[self.choose(len(choices))])


def _encode(kind: str, *arguments: Any) -> int:
    try:
        return CODEC.encode(kind, *arguments)
    except IllegalAction:
        raise LedgerError(f"there is no {kind} {' '.join(map(str, arguments))}") from None


PLAYERS_OF: dict[str, Callable[[Importer, int, Command, list[Command]], None]] = {
    "build": build, "dig": dig, "transform": transform, "upgrade": Importer.upgrade,
    "action": Importer.special, "bridge": Importer.bridge, "send": Importer.send, "advance": Importer.advance,
    "pass": Importer.pass_, "burn": convert, "convert": convert, "lose": lose, "favor": Importer.favor,
    "town": Importer.town, "cult": Importer.cult, "give up": Importer.give_up, "connect": Importer.connect,
    "engineers' bridge": Importer.special,
    **dict.fromkeys(("leech", "decline"), lambda game, seat, command, later: game.answer(seat, command)),
    # `-CULT` before a town tile: this track shall not use the key
    "not cult": lambda game, seat, command, later: game.excluded.append(command.cult),
    "connect river": lambda game, seat, command, later: game.play(_encode("connect", command.river)),
    # ends the turn, where it could still go on
    "done": lambda game, seat, command, later: game.finish_turn(seat) if game.mine(seat, state.TURN) else None,
    **dict.fromkeys(("wait", "automatic"), lambda *said: None),  # they decide nothing
}  # fmt: skip
