"""Which parts of the components play has exercised: `python -m theogony.envs.god_of_war.coverage [GAMES]`.

Every scene is played with strengthened teams, greedily and with random decisions in between; counted are the sides of
scene cards that were seen, interactions, ways to play a card, skills, rage abilities, hindrances, kinds of decision.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import numpy as np

from theogony.envs.core.position import Position
from theogony.envs.god_of_war.composite import describe
from theogony.envs.god_of_war.snapshot import card_id
from theogony.envs.god_of_war.state import DECISIONS, IN_CHOICE, SCENES
from theogony.envs.god_of_war.words import NONE

TEAMS = (("kratos",), ("kratos", "freya"), ("atreus", "brok_sindri", "mimir"), ("kratos", "atreus", "freya", "mimir"))


def expected(data: dict[str, Any]) -> set[str]:
    """Everything in the components that play can exercise."""
    parts = {f"decision {name}" for name in DECISIONS}
    for scene in data["scenes"]:
        for card in scene["cards"]:
            for side in ("front", "back"):
                parts.add(f"side {card['id']} {side}")
                parts |= {f"interaction {card['id']} {i['label']}" for i in card[side]["interactions"]}
    for hero in data["heroes"]:
        parts |= {f"rage {figure['id']}" for figure in hero["figures"]}
        parts |= {f"card {entry['card']}" for entry in hero["deck"]}
    parts |= {f"card {entry['card']}" for entry in data["upgrade_deck"]} | {"card crystal"}
    parts |= {f"skill {skill['id']} {o['id']}" for skill in data["solo"]["companions"] for o in skill["options"]}
    return parts | {f"hindrance {name}" for name in SCENES}


def note(position: Position, seen: Counter[str]) -> None:
    """Count what a position shows."""
    g, t = position.g, position.tables[0]
    if not position.over:
        seen[f"decision {DECISIONS[g.decision]}"] += 1
    if g.phase != IN_CHOICE:
        for slot in np.flatnonzero(t.present[int(g.scenario)]):
            seen[f"side {card_id(int(g.scenario), int(slot))} {('front', 'back')[g.side[slot]]}"] += 1
    for scenario in g.hindrances:
        if scenario != NONE:
            seen[f"hindrance {SCENES[scenario]}"] += 1


def note_action(position: Position, action: int, seen: Counter[str]) -> None:
    """Count what a decision uses."""
    kind = position.game.actions.decode(action)[0]
    if kind == "pay":
        return
    if kind in ("attack", "special", "add", "block", "rage", "skill", "interact"):
        done = describe(position, action)
        if kind == "interact":
            seen[f"interaction {done['scene_card']} {done['label']}"] += 1
        elif kind == "skill":
            seen[f"skill {done['skill']} {done['option']}"] += 1
        else:
            seen[f"rage {done['figure']}" if kind == "rage" else f"card {done['card']}"] += 1


def play(options: dict[str, Any], seed: int, greed: float, seen: Counter[str]) -> None:
    """One game, greedy in a share of its decisions."""
    from theogony.envs.core.conformance.base import Player
    from theogony.envs.god_of_war.game import SPEC

    position = Position(SPEC.configure(options), seed)
    player = Player(position.game, seed, greed)
    while not position.over:
        note(position, seen)
        action = player.choose(position)
        note_action(position, action, seen)
        position.play(action)
    note(position, seen)


def report(games: int) -> tuple[Counter[str], list[str]]:
    """Counts of what was exercised, and what was not, after so many games of each scene and team, and full games."""
    from theogony.envs.god_of_war.game import SPEC

    seen: Counter[str] = Counter()
    for number, scene in enumerate(SCENES):
        for k, heroes in enumerate(TEAMS):
            others = (SCENES[number - 1], SCENES[number - 4])
            options = {"players": len(heroes), "heroes": heroes, "scene": scene, "hindrances": others, "upgrades": 3}
            for game in range(games):
                play({**options, "hero_hp": 8 * (game % 3)}, 100 * number + 10 * k + game, 0.85, seen)
    for game in range(games):
        play({"players": 1 + game % 4, "hero_hp": 30}, game, 0.9, seen)
    return seen, sorted(expected(SPEC.configure().components) - set(seen))


if __name__ == "__main__":
    counts, missing = report(int(sys.argv[1]) if len(sys.argv) > 1 else 6)
    print(f"exercised: {len(counts)} parts; not exercised: {len(missing)}")
    print("\n".join(missing))
