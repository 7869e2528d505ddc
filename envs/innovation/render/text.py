"""A position as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from theogony.envs.core.draw.people import seat_word
from theogony.envs.innovation.actions import name_of
from theogony.envs.innovation.breakdown import icons_of
from theogony.envs.innovation.components import AGES, COLOURS, SPECIALS, SPLAYS
from theogony.envs.innovation.render.seen import Viewer, check_viewer, known_cards, seen_pile, status, supply_heights
from theogony.envs.innovation.state import HANDS, NONE, SCORES, SIDE, cards_in
from theogony.envs.innovation.vocabulary import ICONS

SIGNS = dict(zip(SPLAYS, ("", " <", " >", " ^"), strict=True))


def render_text(game: Any, g: Any, seat: Viewer = None) -> str:
    """The position as that seat knows it; for None only what is public, "all" everything."""
    check_viewer(game, seat)
    supply = "  ".join(f"{age}: {n}" for age, n in enumerate(supply_heights(g), 1))
    free = [str(age) for age in range(1, AGES) if g.period[age - 1] == NONE]
    specials = [name for name, owner in zip(SPECIALS, g.special, strict=True) if owner == NONE]
    lines = [
        f"Innovation, {status(game, g, seat)}",
        f"supply by age  {supply}",
        f"free achievements  {' '.join(free + specials)}",
    ]
    for player in range(game.players):
        lines += ["", *_player(game, g, player, seat)]
    return "\n".join(lines)


def _player(game: Any, g: Any, player: int, viewer: Viewer) -> list[str]:
    t = game.tables[0]
    icons = ", ".join(f"{n} {ICONS[icon]}" for icon, n in icons_of(g, player).items() if n)
    title = f"{seat_word(player, viewer)}: {g.points[player]} points, "
    lines = [f"{title}{g.achievements[player]} of {t.needed} achievements; {icons or 'no icons'}"]
    for colour, name in enumerate(COLOURS):
        pile = seen_pile(g, player * SIDE + colour, viewer)
        if pile:
            sign = SIGNS[SPLAYS[g.splay[player * SIDE + colour]]]
            cards = ", ".join(f"{name_of(game, card)} ({t.age[card]}){'' if there else ' ?'}" for card, there in pile)
            lines.append(f"  {name:<7}{sign:<3}{cards}")
    lines.append(f"  hand       {_area(game, g, HANDS + player, viewer, printed)}")
    lines.append(f"  score pile {_area(game, g, SCORES + player, viewer, value)}")
    shown = cards_in(g.shown[player])
    return [*lines, f"  shown      {', '.join(name_of(game, card) for card in shown)}"] if shown else lines


def _area(game: Any, g: Any, place: int, viewer: Viewer, face: Callable[[Any, int], str]) -> str:
    """Known cards by name and what `face` says of them, the others by their backs."""
    t, (seen, backs) = game.tables[0], known_cards(g, place, viewer)
    entries = [f"{name_of(game, card)} ({face(game, card)})" for card in seen] + [f"a {t.age[card]}" for card in backs]
    return ", ".join(entries) or "-"


def value(game: Any, card: int) -> str:
    """What counts in a score pile."""
    return str(game.tables[0].age[card])


def printed(game: Any, card: int) -> str:
    """What counts before a card is melded: value and colour, then top left and along the bottom its three icons."""
    kind = game.components["cards"][card]
    return f"{kind['age']} {kind['colour']}: {' '.join(icon or '-' for icon in kind['icons'])}"
