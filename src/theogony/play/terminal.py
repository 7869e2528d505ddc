"""A game in the terminal: the same table, its legal actions by number or by text."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from theogony.console.terminal import plain
from theogony.envs.core.actions import LONGEST
from theogony.envs.core.contract import did_you_mean
from theogony.play.launch import Asked, Laid, laid
from theogony.play.saved import TableError
from theogony.play.seen import in_list, moment, notes, result
from theogony.play.table import Refused, Table

STYLES = {"bold": "1", "faint": "2", "warn": "33", "good": "32"} | {f"seat{k}": str(36 - k) for k in range(5)}
COLUMN = 38  # characters of an action in the list
EXPECTED = {
    "odds": "expects {:.1%} to win", "place": "expects place {:.2f}", "lead": "expects a lead of {:+.1f} points",
    "points": "expects {:.1f} points in all",
    "choice": "the trained player chooses it in {:.0%}",
}  # fmt: skip
HELP = "a number or the text of an action; or undo, hint, board, quit"


class Screen:
    """What is written: text of others plain, our own styles where the stream is a terminal (and not NO_COLOR)."""

    def __init__(self, stream: Any = None) -> None:
        self._stream = stream or sys.stdout
        terminal = getattr(self._stream, "isatty", bool)()
        self._styled = terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        self._raw = getattr(self._stream, "raw_stream", self._stream)

    def style(self, text: str, *styles: str) -> str:
        """Text with styles."""
        text = plain(text)
        return f"\x1b[{';'.join(STYLES[s] for s in styles)}m{text}\x1b[0m" if self._styled and styles else text

    def line(self, *parts: str) -> None:
        """Write a line of styled parts."""
        print(*parts, file=self._raw, flush=True)


def run(asked: Asked) -> None:
    """Play to the end, or until `quit`. Raises TableError when there are several people, and the errors of `laid`."""
    with laid(asked) as at:
        people = at.table.seats.people
        if len(people) > 1:
            raise TableError("the terminal is for one person: the others would see the hand; play on the page")
        play(at, people[0] if people else None, Screen(), sys.stdin)


def play(at: Laid, seat: int | None, screen: Screen, answers: Iterable[str]) -> None:
    """Play with the answers of a person, a line each, until they end."""
    table = at.table
    screen.line(screen.style(f"{table.game.spec.title}: the record is {at.record}", "faint"))
    lines, told = iter(answers), 0
    while True:
        while table.bot_due():
            table.play_bot()
        _show(table, seat, screen, told)
        told = table.position.now
        if table.position.over:
            _show_result(table, seat, screen)
            return
        if not _decide(table, seat, screen, lines):
            screen.line(screen.style(f"saved; go on with: theogony play --text --resume {at.record}", "faint"))
            return


def _show(table: Table, seat: int | None, screen: Screen, told: int) -> None:
    """What happened since decision `told`, and the position."""
    game, position = table.game, table.position
    screen.line(plain(game.spec.render_text(game, position.g, seat)))
    for move in filter(None, table.moves(seat, told + 1)):
        screen.line(
            screen.style(f"  {table.name(move['seat'], seat)}:", f"seat{move['seat'] % 5}"), plain(move["text"])
        )
        for line in move["story"]:
            screen.line(screen.style(f"    {line}", "faint"))


def _show_result(table: Table, viewer: int | None, screen: Screen) -> None:
    ended: Any = result(table.game, table.position.states[table.position.now : table.position.now + 1])
    if ended["cooperative"]:
        screen.line(screen.style("won together" if ended["won"] else "lost together", "bold"))
    for place, score, seat in sorted(zip(ended["places"], ended["scores"], range(len(ended["places"])), strict=True)):
        screen.line(screen.style(f"{place}. {table.name(seat, viewer)}: {score:g}", "good" if place == 1 else "bold"))


def _decide(table: Table, seat: int | None, screen: Screen, lines: Any) -> bool:
    """Ask until a decision is made. Returns False at `quit` and at the end of the answers."""
    at = moment(table.position, table.position.now)
    legal = [(action, table.game.actions.text(action)) for action in in_list(at)]
    told, costs = table.game.vocabulary.beside, notes(at)
    words = ((told(table.game.actions, action), costs.get(action)) for action, _ in legal)
    _show_legal([f"{text} [{cost}]" if cost else text for text, cost in words], screen)
    while True:
        screen.line(screen.style(f"Your move ({HELP}):", "bold"))
        answer = next(lines, None)
        if answer is None or answer.strip() == "quit":
            return False
        try:
            if _answer(table, seat or 0, answer.strip(), legal, screen):
                return True
        except (Refused, ValueError) as error:
            screen.line(screen.style(str(error), "warn"))


def _answer(table: Table, seat: int, answer: str, legal: list[tuple[int, str]], screen: Screen) -> bool:
    """One answer. Returns whether the game has changed. Raises ValueError for what is not understood."""
    match answer:
        case "undo":
            table.undo(seat, table.decision)
        case "hint":
            _say_hint(table, seat, screen)
        case "board":
            screen.line(plain(table.game.spec.render_text(table.game, table.position.g, seat)))
        case "help" | "?":
            screen.line(HELP)
        case _:
            ways = table.game.vocabulary.called(table.game.actions, [action for action, _ in legal])
            table.play(seat, table.decision, _action(answer, legal, ways))
    return answer not in ("hint", "board", "help", "?")


def _action(answer: str, legal: list[tuple[int, str]], ways: Mapping[str, list[int]]) -> int:
    """The action that is meant: by its number in the list, its text or what else it is called in `ways`, or a beginning
    that only one has."""
    if answer.isdecimal() and len(answer) < 6:
        if not 1 <= int(answer) <= len(legal):
            raise ValueError(f"there is no number {answer}: 1 to {len(legal)} were expected")
        return legal[int(answer) - 1][0]
    said = " ".join(answer.split())
    folded = said.casefold()
    meant = [a for a, text in legal if text.casefold() == folded] or ways.get(folded, [])
    meant = meant or [a for a, text in legal if folded and text.casefold().startswith(folded)]
    if len(meant) != 1:
        problem = "fits several legal actions" if meant else "is no legal action"
        near = "" if meant else did_you_mean(said[:LONGEST], [text for _, text in legal])
        raise ValueError(f"{said!r:.60} {problem}; {HELP} was expected{near}")
    return meant[0]


def _show_legal(legal: list[str], screen: Screen) -> None:
    """The legal actions by number, in as many columns as there is room for."""
    cells = [f"{k:>3} {text}" for k, text in enumerate(legal, 1)]
    width = max(COLUMN, *(len(cell) + 2 for cell in cells))
    columns = max(1, min(3, 118 // width))
    rows = -(-len(cells) // columns)
    for row in range(rows):
        screen.line("".join(f"{plain(cell):<{width}}" for cell in cells[row::rows]).rstrip())


def _say_hint(table: Table, seat: int, screen: Screen) -> None:
    hint = table.hint(seat, table.decision)
    for option in hint.options:
        told = "" if option.expected is None else EXPECTED[hint.measure].format(option.expected)
        screen.line(screen.style(f"  {option.text}", "good"), screen.style(told, "faint"))
        if option.leads:
            screen.line(screen.style(f"    {option.leads}", "faint"))
    if hint.why:
        screen.line(screen.style(f"  {hint.why}", "faint"))
