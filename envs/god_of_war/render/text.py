"""A position in lines of text: goal, scene cards, columns, what is going on, hands; decks for all eyes only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from theogony.envs.core.draw.style import seat_word
from theogony.envs.core.vocabulary import sentence
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.actions import play_names
from theogony.envs.god_of_war.codes import F_RAGE, F_SKILL, F_SPECIAL
from theogony.envs.god_of_war.components.pieces import FIGURES, RUNES
from theogony.envs.god_of_war.components.tables import figure_data, skill_options, upgrade_types
from theogony.envs.god_of_war.render import words
from theogony.envs.god_of_war.render.words import Scene, Seat, hero_name
from theogony.envs.god_of_war.rules.specials import RAGE_FIGURE, SKILL_OPTION, SPECIAL_FIGURE, SPECIAL_PLAY
from theogony.envs.god_of_war.snapshot import snapshot
from theogony.envs.god_of_war.state import FIGURE, HAND_LIMIT, PAY, SCENES, SCRY, STEP, TARGET
from theogony.envs.god_of_war.vocabulary import effects

NEXT = 4  # upgrade cards from the top that a text names, where the seat knows them


def asking(game: Any, g: Any) -> tuple[str, str, str]:
    """Who uses which card, ability or skill of the top of the agenda, and what it does.

    There is no name where what it does says it all, and nothing at all where something else is due.
    """
    frame, named = g.agenda[int(g.depth) - 1], game.vocabulary
    if frame[0] == F_SPECIAL:
        play = named["play", play_names(game.components)[int(frame[SPECIAL_PLAY])]]
        return hero_name(game, FIGURES[int(frame[SPECIAL_FIGURE])]), play.name, play.does
    if frame[0] == F_RAGE:
        key = FIGURES[int(frame[RAGE_FIGURE])]
        rage = figure_data(game.components, key)["rage"]
        return hero_name(game, key), rage["name"], effects.hero_effects(rage["effects"])
    if frame[0] == F_SKILL:
        _, skill, option = skill_options(game.components)[int(frame[SKILL_OPTION])]
        return "", "", named.name("skill", f"{skill} {option['id']}")
    return "", "", ""


def about(game: Any, g: Any) -> str:
    """For which card, skill or ability a target or a hero is chosen, and what that does: `Healing Herbs: Heal 3.`"""
    if g.over or int(g.decision) not in (TARGET, FIGURE):
        return ""
    _, name, does = asking(game, g)
    return f"{name}: {sentence(does)}" if name else sentence(does) if does else ""


def asked_for(game: Any, g: Any) -> str:
    """The card, ability, skill or interaction that asks: a list of targets alone does not say what would fall on them.

    "" for a decision that is about something else.
    """
    if int(g.decision) == PAY:
        interaction, paid = words.interaction_due(game, g)
        does = Scene(game, g).effects(interaction["do"])
        return f"{interaction['label']} ({does}); still to pay: {' + '.join(interaction['cost'][paid:])}"
    if int(g.decision) not in (TARGET, FIGURE, STEP):
        return ""
    who, name, does = asking(game, g)
    return f"{who} uses {name} ({does})" if name else does


def deck_words(game: Any, g: Any, player: dict[str, Any]) -> str:
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
    counts = ", ".join(f"{runes.count(rune)} {effects.rune_name(rune)}" for rune in RUNES if rune in runes)
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


# ---- A position in lines of text: goal, scene cards, columns, what is going on, hands; decks for all eyes only ----


def render_text(game: Any, g: Any, seat: Seat) -> str:
    """The position in lines of text."""
    found = snapshot(game, g)
    rows, scene = [words.headline(game, g, found), *_to_come(game, g)], Scene(game, g)
    if scene.slots:
        rows += _goals(game, found, scene)
        rows += [f"{scene.text(slot)} | other side: {words.other_side(game, g, slot)}" for slot in scene.slots]
        rows += [f"column {k}: {_column(game, column, found)}" for k, column in enumerate(found["columns"], 1)]
    rows += _pending(game, found, scene, seat)
    for player in found["players"]:
        rows += _player(game, g, player, found, seat)
    rows.append(
        f"upgrade cards revealed: {_upgrades(game, found['revealed'])}; {len(found['upgrade_deck'])} in the deck"
    )
    rows += supply_words(game, g, found, seat)
    if found["cancel_rune"]:
        rows.append("the next reveal triggers nothing")
    if seat == "all":
        rows.append(f"upgrade deck: {_upgrades(game, found['upgrade_deck'])}")
    return "\n".join(rows)


def _to_come(game: Any, g: Any) -> Iterator[str]:
    """The quests and bosses of the triangle from which the next scenes will be chosen."""
    found = []
    for stage, kind, lying in ((1, "quest", g.quests[1:]), (2, "boss", g.bosses)):
        names = [game.vocabulary.name("scenario", SCENES[int(k)]) for k in lying if k != codes.NONE]
        found += [f"{kind} {' or '.join(names)}"] if names and int(g.stage) <= stage else []
    if found and not g.over:
        yield f"to come: {', then '.join(found)}"


def _goals(game: Any, found: dict[str, Any], scene: Scene) -> Iterator[str]:
    """What must be done, what must not happen, and what hinders."""
    scenario = effects.scenario_of(game, scene.number)
    goal, failure, _ = effects.scenario_words(effects.played(game), scenario, scene)
    yield f"goal: {goal}" + (f"; failure: {failure}" if failure else "")
    for number in found["hindrances"]:
        yield f"hindrance: {effects.hindrance(effects.scenario_of(game, number - 1)['back']['hindrance'])}"


def _column(game: Any, column: list[str], found: dict[str, Any]) -> str:
    """Who stands in a column, the front hero first."""
    names = [hero_name(game, figure) + " with Mimir" * (figure == found["mimir_bearer"]) for figure in column]
    return " in front, ".join(names) + " behind" * (len(names) > 1) or "nobody"


def _pending(game: Any, found: dict[str, Any], scene: Scene, seat: Seat) -> Iterator[str]:
    """The attack, the effect or the cards that a decision is about."""
    g = scene.g
    if g.over or not found["pending"]:
        return
    if asked := asked_for(game, g):
        yield f"asked for: {asked}"
    if not (about := found["pending"]["context"]):
        return
    if int(g.decision) == SCRY:
        if seat in ("all", int(g.actor)):
            named = (f"{k}. {game.vocabulary.name('upgrade card', card)}" for k, card in enumerate(about["cards"], 1))
            yield f"looked at: {'; '.join(named)}"
        return
    if isinstance(about.get("effect"), dict):
        yield f"{scene.card(about['card'])}: {scene.effect(about['effect'])}"
    elif about.get("use") == "attack" or "target" in about:
        yield _hero_attack(game, about, scene)
    elif "strength" in about:
        yield enemy_attack_words(game, about, scene)
    elif "figure" in about:
        yield f"{hero_name(game, about['figure'])} enters the scene"


def _hero_attack(game: Any, about: dict[str, Any], scene: Scene) -> str:
    """`Kratos attacks Draugr: strength 3, +2 waiting`."""
    who = hero_name(game, about["figure"]) if about.get("figure") else "the attack"
    said = [f"{who} {'attacks' if about.get('figure') else 'on'} {scene.card(about['target'])}"]
    said.append(f"strength {about.get('strength', about.get('set_strength', 0))}")
    return ", ".join(said + words.attack_notes(about))


def enemy_attack_words(game: Any, about: dict[str, Any], scene: Scene) -> str:
    """`Draugr attacks Kratos: melee 3 + stun card, blocked 1, the set blocks 2`."""
    who = scene.card(about["card"]) if about["card"] else "poison"
    at = hero_name(game, about["figure"]) if about.get("figure") else "a column"
    kind = about.get("type", "ranged")
    said = [f"{who} attacks {at}: {kind} {about['strength']}" if kind in ("melee", "ranged")
            else f"{who}: {about['strength']} damage to {at}"]  # fmt: skip
    said[0] += f" + {about['effect']} card" if about.get("effect") else ""
    said += [f"blocked {about['blocked']}"] if "blocked" in about else []
    said += [f"the set blocks {about['set_strength']}"] if about.get("use") == "block" else []
    if about.get("victim") and about["victim"] != about.get("figure"):
        said.append(f"{hero_name(game, about['victim'])} suffers")
    return ", ".join(said)


def _player(game: Any, g: Any, player: dict[str, Any], found: dict[str, Any], seat: Seat) -> list[str]:
    first = " (begins the round)" if player["seat"] == found["starting_player"] else ""
    figures = "; ".join(_figure(game, figure) for figure in player["figures"])
    limit = "" if player["hand_limit"] == HAND_LIMIT else f", hand limit {player['hand_limit']}"
    rows = [f"{seat_word(player['seat'], seat)}{first}: {figures or 'no hero yet'}{words.waiting(player)}{limit}"]
    rows.append(f"  hand: {_cards(game, player['hand'])}")
    if player["in_play"]:
        rows.append(f"  in play: {_cards(game, player['in_play'])}")
    deck = f": {_cards(game, player['deck'])}" if seat == "all" else deck_words(game, g, player)
    rows.append(f"  deck {len(player['deck'])} cards{deck}")
    return [*rows, f"  discard pile: {counted(game, player['discard'])}"]


def _figure(game: Any, figure: dict[str, Any]) -> str:
    most = figure_data(game.components, figure["id"])["rage_max"]
    said = f"{hero_name(game, figure['id'])} {max(figure['hp'] - figure['damage'], 0)}/{figure['hp']} health"
    said += f", rage {figure['rage']}/{most}"
    said += f", wards {figure['wards']}" if figure["wards"] else ""
    return said + ("" if figure["standing"] else ", knocked out")


def counted(game: Any, designs: Iterable[str]) -> str:
    """Cards by name, equal ones counted."""
    numbers = Counter(game.vocabulary.name("card", design) for design in designs)
    return ", ".join(f"{number} × {name}" if number > 1 else name for name, number in numbers.items()) or "none"


def _cards(game: Any, designs: list[str]) -> str:
    """Cards by name; special and status cards with what they do, since their names do not tell it."""
    found = []
    for design, number in Counter(designs).items():
        entry = game.vocabulary["card", design]
        card = game.components["action_cards"].get(design)
        told = card is not None and not any(option["special"] for option in card["options"])
        name = entry.name if told else f"{entry.name} ({entry.does})"
        found.append(f"{number} × {name}" if number > 1 else name)
    return ", ".join(found) or "none"


def _upgrades(game: Any, cards: list[str]) -> str:
    return "; ".join(game.vocabulary.name("upgrade card", card) for card in cards) or "none"
