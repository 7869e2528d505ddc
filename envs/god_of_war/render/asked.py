"""What a target, a figure or a payment is asked for, and what is known of decks, as lines of the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from theogony.envs.core.vocabulary import sentence
from theogony.envs.god_of_war.actions import play_names
from theogony.envs.god_of_war.components.pieces import FIGURES, RUNES
from theogony.envs.god_of_war.components.tables import skill_options, upgrade_types
from theogony.envs.god_of_war.frames import (
    F_RAGE,
    F_SKILL,
    F_SPECIAL,
    RAGE_FIGURE,
    SKILL_OPTION,
    SPECIAL_FIGURE,
    SPECIAL_PLAY,
)
from theogony.envs.god_of_war.render.words import Seat, hero_name, interaction_due, scene_words
from theogony.envs.god_of_war.state import FIGURE, PAY, SCRY, STEP, TARGET
from theogony.envs.god_of_war.vocabulary.effects import hero_effects, rune_name

NEXT = 4  # upgrade cards from the top that a text names, where the seat knows them


class Asking(NamedTuple):
    """Who uses what, for which a target or a hero is chosen, and what it does."""

    who: str
    name: str  # "" where what it does says it all
    does: str


def asking(game: Any, g: Any) -> Asking | None:
    """The card, ability or skill at the top of the agenda; None: something else is due."""
    frame, words = g.agenda[int(g.depth) - 1], game.vocabulary
    if frame[0] == F_SPECIAL:
        play = words["play", play_names(game.components)[int(frame[SPECIAL_PLAY])]]
        return Asking(hero_name(game, FIGURES[int(frame[SPECIAL_FIGURE])]), play.name, play.does)
    if frame[0] == F_RAGE:
        key = FIGURES[int(frame[RAGE_FIGURE])]
        figures = (figure for hero in game.components["heroes"] for figure in hero["figures"])
        rage = next(figure["rage"] for figure in figures if figure["id"] == key)
        return Asking(hero_name(game, key), rage["name"], hero_effects(rage["effects"]))
    if frame[0] == F_SKILL:
        _, skill, option = skill_options(game.components)[int(frame[SKILL_OPTION])]
        return Asking("", "", words.name("skill", f"{skill} {option['id']}"))
    return None


def about(game: Any, g: Any) -> str:
    """For which card, skill or ability a target or a hero is chosen, and what that does: `Healing Herbs: Heal 3.`"""
    if g.over or int(g.decision) not in (TARGET, FIGURE) or not (found := asking(game, g)):
        return ""
    return f"{found.name}: {sentence(found.does)}" if found.name else sentence(found.does)


def asked_for(game: Any, g: Any) -> str:
    """The card, ability, skill or interaction that asks: a list of targets alone does not say what would fall on them.

    "" for a decision that is about something else.
    """
    if int(g.decision) == PAY:
        _, interaction, paid = interaction_due(game, g)
        does = scene_words(game, g).effects(interaction["do"])
        return f"{interaction['label']} ({does}); still to pay: {' + '.join(interaction['cost'][paid:])}"
    if int(g.decision) not in (TARGET, FIGURE, STEP) or not (found := asking(game, g)):
        return ""
    return f"{found.who} uses {found.name} ({found.does})" if found.name else found.does


def deck_words(game: Any, g: Any, player: dict[str, Any], counted: Callable[[Any, list[str]], str]) -> str:
    """What a deck holds, which all know, though not in which order; and the cards on top that are known to all."""
    cards = player["deck"]
    if not cards:
        return ""
    known = [game.vocabulary.name("card", card) for card in cards[: int(g.deck_known[player["seat"]])]]
    on_top = f"; from the top: {', '.join(known)}" if known else ""
    return f" (in unknown order: {counted(game, sorted(cards))}{on_top})"


def supply_words(game: Any, g: Any, found: dict[str, Any], seat: Seat) -> Iterator[str]:
    """Runes of the upgrade deck, its next cards where the seat knows them, status cards left, skills that were used."""
    types, cards = upgrade_types(game.components), int(g.upgrade_cards)
    runes = [card.rpartition(":")[2] for card in found["upgrade_deck"]]
    counts = ", ".join(f"{runes.count(rune)} {rune_name(rune)}" for rune in RUNES if rune in runes)
    yield f"runes in the upgrade deck: {counts or 'none'}"
    if seat not in (None, "all") and int(g.decision) != SCRY:  # which cards are looked at stands above
        places = [k for k in range(1, min(cards, NEXT) + 1) if int(g.upgrade_known[cards - k]) >> int(seat) & 1]
        named = [f"{k}. {game.vocabulary.name('upgrade card', types[int(g.upgrade[cards - k])])}" for k in places]
        yield from [f"known of the upgrade deck, from the top: {'; '.join(named)}"] if named else []
    left = ", ".join(f"{count} {kind}" for kind, count in found["supply"].items())
    yield f"status cards left: {left}"
    if found["skills_used"]:
        used = ", ".join(skill.replace("_", " ").capitalize() for skill in found["skills_used"])
        yield f"skills used in this scene: {used}"
