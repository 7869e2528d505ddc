"""How much health heroes need: more than the damage that is laid out for them when a scene begins (R38)."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.game import OptionError
from theogony.envs.god_of_war.codes import NONE
from theogony.envs.god_of_war.components.pieces import HEROES


def check_health(data: dict[str, Any], settings: dict[str, Any], hero_hp: int) -> None:
    """Refuse health with which a hero could begin a scene beaten.

    `settings` are the values that options decide, with the health that the level of difficulty adds; `hero_hp` is the
    option itself. Raises OptionError naming the hero and the lowest `hero_hp` that works for the heroes, scenes and
    components in force.
    """
    laid_out = most_laid_out(data, settings)
    health, name = min((hp + settings["hero_hp"], name) for name, hp in figures_in_play(data, settings))
    if health <= laid_out:
        raise OptionError(
            f"god_of_war: option hero_hp={hero_hp}: {name} would have {health} health where a scene can begin with "
            f"{laid_out} damage; the lowest that works here is {hero_hp + laid_out + 1 - health}"
        )


def figures_in_play(data: dict[str, Any], settings: dict[str, Any]) -> list[tuple[str, int]]:
    """Name and printed health of every figure that may be in the game; without given heroes that is every one."""
    if settings["players"] == 1:
        return [(data["solo"]["hero"], data["solo"]["hp"])]
    given = [HEROES[hero] for hero in settings["heroes"] if hero != NONE]
    heroes = [hero for hero in data["heroes"] if not given or hero["id"] in given]
    return [(figure["id"], figure["hp"]) for hero in heroes for figure in hero["figures"]]


def most_laid_out(data: dict[str, Any], settings: dict[str, Any]) -> int:
    """The most damage that hindrances can lay out in one scene (§8): one quest is passed over, then two bosses."""
    damage = {scenario["id"] - 1: _laid_out(scenario) for scenario in (*data["quests"], *data["bosses"])}
    if settings["single"] != NONE:
        return sum(damage[scenario] for scenario in settings["hindered"] if scenario != NONE)
    passed = {number: n for number, n in damage.items() if number not in settings["path"]}
    quests = [passed[k["id"] - 1] for k in data["quests"] if k["id"] - 1 in passed]
    bosses = sorted(passed[k["id"] - 1] for k in data["bosses"] if k["id"] - 1 in passed)
    return max(*quests, sum(bosses[-2:]))


def _laid_out(scenario: dict[str, Any]) -> int:
    return sum(h["n"] for h in scenario["back"]["hindrance"] if h["op"] == "start_damage")
