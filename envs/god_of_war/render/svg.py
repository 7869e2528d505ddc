"""A position as a picture: what is going on, the scene with its columns, the quest, upgrades, every player."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.larger import page
from theogony.envs.core.draw.style import MARGIN, TOP, box, region
from theogony.envs.core.draw.svg import group
from theogony.envs.god_of_war.components.pieces import COLUMNS
from theogony.envs.god_of_war.render import pending, quest, scene, seats
from theogony.envs.god_of_war.render.words import Seat, headline, present_slots, scene_words
from theogony.envs.god_of_war.rules.scenes import laid_out
from theogony.envs.god_of_war.snapshot import snapshot
from theogony.envs.god_of_war.state import IN_HEROES
from theogony.envs.god_of_war.vocabulary.effects import SceneWords

GAP = 16
FIFTH = COLUMNS * scene.STEP  # where the column of side cards begins


def render_svg(game: Any, g: Any, seat: Seat = None) -> str:
    """The position as a picture. All hands are open; decks are shown as numbers."""
    found = snapshot(game, g)
    words = scene_words(game, g)
    drawn, y = pending.banner(game, g, found, words, seat)
    parts, y = [region("pending", seats.WIDTH, y, drawn, x=MARGIN, y=TOP - 4, main=True)] if y else [], TOP - 4 + y
    if laid_out(g):
        drawn, high = _scene(game, g, found, words)
        parts.append(region("scene", seats.WIDTH, high, drawn, x=MARGIN, y=y, main=True))
        y += high + GAP
    elif int(g.phase) == IN_HEROES:
        parts.append(region("heroes", seats.WIDTH, 120, quest.hero_choice(game, g), x=MARGIN, y=y))
        y += 120 + GAP
    drawn, high = _beside(game, g, seat)
    parts.append(region("upgrades", seats.WIDTH, high, drawn, x=MARGIN, y=y))
    y += high + GAP
    if game.players == 1:
        parts.append(region("companions", seats.WIDTH, 88, seats.companions(game, g, found), x=MARGIN, y=y))
        y += 88 + GAP
    for player in found["players"]:
        area, height = seats.seat_area(game, g, player, found, seat)
        parts.append(region(f"seat {player['seat']}", seats.WIDTH, height, area, x=MARGIN, y=y))
        y += height + GAP
    return page(game.spec.title, headline(game, g, found), y - GAP + MARGIN, *parts)


def _scene(game: Any, g: Any, found: dict[str, Any], words: SceneWords) -> tuple[str, float]:
    """The mosaic with side cards, the columns below, the goals beside them; and its height."""
    slots = present_slots(game, g)
    high = scene.height_of(game, g, slots, words)
    step, y = high + scene.GAP, 2 * (high + scene.GAP)
    drawn = {slot: scene.scene_card(game, g, slot, words, high) for slot in slots}
    parts = []
    for column in range(COLUMNS):
        inside = [group(drawn[k], y=k // COLUMNS * step) for k in (column, COLUMNS + column) if k in drawn]
        inside.append(group(scene.column(game, g, column), y=y))
        parts.append(box(scene.WIDTH, y + 2 * scene.STAND, *inside, x=column * scene.STEP))
    beside = [slot for slot in slots if slot >= 2 * COLUMNS]
    parts += [box(scene.WIDTH, high, drawn[k], x=FIFTH, y=k % COLUMNS * step) for k in beside]
    goals, goals_high = quest.goals(game, g, found, words)
    parts.append(box(scene.WIDTH, goals_high, goals, x=FIFTH, y=y))
    return group(*parts), y + max(2 * scene.STAND, goals_high)


def _beside(game: Any, g: Any, seat: Seat) -> tuple[str, float]:
    """Upgrade cards, the path of a full game, and the height of both."""
    drawn, height = quest.upgrades(game, g, seat)
    parts = [drawn]
    if game.options.scene is None:
        parts.append(box(scene.WIDTH, quest.PATH_HEIGHT, quest.path(game, g), x=FIFTH))
        height = max(height, quest.PATH_HEIGHT)
    return group(*parts), height
