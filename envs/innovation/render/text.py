"""A position as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from theogony.envs.core.arguments import checked_viewer
from theogony.envs.core.draw.style import Viewer, seat_word
from theogony.envs.innovation.actions import name_of
from theogony.envs.innovation.breakdown import icons_of
from theogony.envs.innovation.components import AGES, COLOURS, SHOWN_BY_SPLAY, SPECIALS, SPLAYS, WHOLE
from theogony.envs.innovation.render.words import known_cards, running_words, seen_pile, status
from theogony.envs.innovation.state import HANDS, NONE, SCORES, SIDE, SUPPLY, cards_in, pile_of, supply_heights
from theogony.envs.innovation.vocabulary import ICONS

SIGNS = dict(zip(SPLAYS, ("", " <", " >", " ^"), strict=True))
LEGEND = (
    "(piles from the top down; < splayed left, > right, ^ up; icons that are in view: top left, then the bottom row, "
    "- for none)"
)


def render_text(game: Any, g: Any, seat: Viewer = None) -> str:
    """The position as that seat knows it; for None only what is public, "all" everything."""
    checked_viewer(seat, game.players)
    supply = "  ".join(f"{age}: {n}" for age, n in enumerate(supply_heights(g), 1))
    free = [str(age) for age in range(1, AGES) if g.period[age - 1] == NONE]
    specials = [name for name, owner in zip(SPECIALS, g.special, strict=True) if owner == NONE]
    lines = [
        f"Innovation, {status(game, g, seat)}",
        LEGEND,
        *running_words(game, g, seat),
        f"supply by age  {supply}",
        *_supply_known(game, g, seat),
        f"free achievements  {' '.join(free + specials)}",
    ]
    for player in range(game.players):
        lines += ["", *_player(game, g, player, seat)]
    return "\n".join(lines)


def _player(game: Any, g: Any, player: int, viewer: Viewer) -> list[str]:
    t = game.tables[0]
    icons = ", ".join(f"{n} {icon if n == 1 else ICONS[icon]}" for icon, n in icons_of(g, player).items() if n)
    points = f"{g.points[player]} point{'' if g.points[player] == 1 else 's'}"
    title = f"{seat_word(player, viewer)}: {points}, "
    tucked, scored = int(g.tucks[player]), int(g.scores[player])  # what counts for Monument
    turn = f"; in this turn {tucked} tucked, {scored} scored" if tucked or scored else ""
    lines = [f"{title}{g.achievements[player]} of {t.needed} achievements; {icons or 'no icons'}{turn}"]
    for colour, name in enumerate(COLOURS):
        pile = seen_pile(g, player * SIDE + colour, viewer)
        if pile:
            splay = int(g.splay[player * SIDE + colour])
            cards = (
                f"{name_of(game, card)} ({in_view(game, card, splay if k else WHOLE)}){'' if there else ' ?'}"
                for k, (card, there) in enumerate(pile)
            )
            lines.append(f"  {name:<7}{SIGNS[SPLAYS[splay]]:<3}{', '.join(cards)}")
    lines.append(f"  hand       {_area(game, g, HANDS + player, viewer, printed)}")
    lines.append(f"  score pile {_area(game, g, SCORES + player, viewer, value)}")
    shown = cards_in(g.shown[player])
    return [*lines, f"  shown      {', '.join(name_of(game, card) for card in shown)}"] if shown else lines


def _area(game: Any, g: Any, place: int, viewer: Viewer, face: Callable[[Any, int], str]) -> str:
    """Known cards by name and what `face` says of them, the others by their backs."""
    t, (seen, backs) = game.tables[0], known_cards(g, place, viewer)
    entries = [f"{name_of(game, card)} ({face(game, card)})" for card in seen] + [f"a {t.age[card]}" for card in backs]
    return ", ".join(entries) or "-"


def _supply_known(game: Any, g: Any, viewer: Viewer) -> list[str]:
    """The cards whose place in the supply a seat knows, as those that it returned."""
    if viewer in (None, "all"):
        return []
    known, found = cards_in(g.known[viewer]), []
    for age in range(1, AGES + 1):
        pile = enumerate(pile_of(g, SUPPLY + age - 1), 1)
        found += [f"{name_of(game, card)} ({_place(k)} of value {age})" for k, card in pile if card in known]
    return [f"known of the supply  {', '.join(found)}"] if found else []


def _place(k: int) -> str:
    """Where a card lies in a pile of the supply."""
    return "on top" if k == 1 else f"{k} from the top"


def in_view(game: Any, card: int, splay: int) -> str:
    """The value of a card of a board and the icons of it that are in view: of the top card all."""
    icons = game.components["cards"][card]["icons"]
    shown = " ".join(icons[where] or "-" for where in SHOWN_BY_SPLAY[splay])
    return f"{game.tables[0].age[card]}{': ' if shown else ''}{shown}"


def value(game: Any, card: int) -> str:
    """What counts in a score pile."""
    return str(game.tables[0].age[card])


def printed(game: Any, card: int) -> str:
    """What counts before a card is melded: value and colour, then top left and along the bottom its three icons."""
    kind = game.components["cards"][card]
    return f"{kind['age']} {kind['colour']}: {' '.join(icon or '-' for icon in kind['icons'])}"
