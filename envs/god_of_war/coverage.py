"""Which parts of the components play has exercised: `python -m theogony.envs.god_of_war.coverage [GAMES]`.

Every scene is played with strengthened teams, greedily with random decisions in between; counted are the sides of scene
cards that were seen, boxed effects that were carried out, interactions, ways to play a card, skills, rage abilities,
hindrances and kinds of decision. An effect word is exercised when one of the parts that say it was.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from theogony.envs.core.position import Position
from theogony.envs.god_of_war.composite import describe
from theogony.envs.god_of_war.pieces import RUNES
from theogony.envs.god_of_war.scene_tables import slot_of
from theogony.envs.god_of_war.snapshot import card_id
from theogony.envs.god_of_war.state import DECISIONS, F_ACTIVATION, IN_CHOICE, SCENES
from theogony.envs.god_of_war.words import NONE

TEAMS = (("kratos",), ("kratos", "freya"), ("atreus", "brok_sindri", "mimir"), ("kratos", "atreus", "freya", "mimir"))
# Health added to the heroes, and the share of greedy decisions: a game as it is, stronger teams, and nearly immortal
# ones that try much at random, by turns.
STYLES = ((0, 0.85), (16, 0.85), (99, 0.5))
Run = tuple[dict[str, Any], int, float]  # options, seed, share of greedy decisions
Boxes = dict[tuple[int, int, int], list[tuple[str, str]]]  # (scenario, slot, side) -> (when, part)
SIDES = ("front", "back")


def _ops(effects: list[dict[str, Any]] | None) -> set[str]:
    return {f"effect {effect['op']}" for effect in effects or []}


def expected(data: dict[str, Any]) -> dict[str, set[str]]:
    """Everything in the components that play can exercise, each part with the effect words that it says."""
    parts: dict[str, set[str]] = {f"decision {name}": set() for name in DECISIONS}
    for scene in data["scenes"]:
        for card in scene["cards"]:
            for side in SIDES:
                parts |= _side(card, side)
    for hero in data["heroes"]:
        parts |= {f"rage {figure['id']}": _ops(figure["rage"]["effects"]) for figure in hero["figures"]}
    decks = [data["upgrade_deck"], *(hero["deck"] for hero in data["heroes"])]
    for name in {entry["card"] for deck in decks for entry in deck}:
        for option in data["action_cards"][name]["options"]:
            parts |= {f"special {name}": _ops(option["special"])} if option["special"] else {f"card {name}": set()}
    parts |= {"card crystal": set()}
    for skill in data["solo"]["companions"]:
        parts |= {f"skill {skill['id']} {option['id']}": _ops(option.get("special")) for option in skill["options"]}
    for scenario in (*data["quests"], *data["bosses"]):
        parts[f"hindrance {SCENES[scenario['id'] - 1]}"] = {
            f"hindrance word {entry['op']}" for entry in scenario["back"]["hindrance"]
        }
    return parts


def _side(card: dict[str, Any], side: str) -> dict[str, set[str]]:
    """A side of a scene card, with its reward, and its interactions and boxes."""
    printed = card[side]
    found = {f"side {card['id']} {side}": _ops(printed.get("reward"))}
    found |= {f"interaction {card['id']} {entry['label']}": _ops(entry["do"]) for entry in printed["interactions"]}
    return found | {f"box {card['id']} {side} {box['when']}": _ops(box["do"]) for box in printed["triggers"]}


def boxes(data: dict[str, Any]) -> Boxes:
    """Where the boxed effects are."""
    return {
        (scene["id"] - 1, slot_of(card["id"]), k): [
            (box["when"], f"box {card['id']} {side} {box['when']}") for box in card[side]["triggers"]
        ]
        for scene in data["scenes"]
        for card in scene["cards"]
        for k, side in enumerate(SIDES)
    }


class Watch:
    """Counts in `seen` what one game exercises."""

    def __init__(self, position: Position, seen: Counter[str]) -> None:
        self.position, self.seen = position, seen
        self.boxes = boxes(position.game.components)
        self.waiting: list[tuple[int, int, str]] = []  # (slot, when it was last turned, box) of a rune just revealed

    def look(self) -> None:
        """Count what the position shows."""
        g, t, seen = self.position.g, self.position.tables[0], self.seen
        if not self.position.over:
            seen[f"decision {DECISIONS[g.decision]}"] += 1
        if g.phase != IN_CHOICE:
            for slot in np.flatnonzero(t.present[int(g.scenario)]):
                seen[f"side {card_id(int(g.scenario), int(slot))} {SIDES[g.side[slot]]}"] += 1
        for scenario in g.hindrances:
            if scenario != NONE:
                seen[f"hindrance {SCENES[scenario]}"] += 1

    def use(self, action: int) -> None:
        """Count what a decision uses, before it is made."""
        kind = self.position.game.actions.decode(action)[0]
        if kind not in ("attack", "special", "add", "block", "rage", "skill", "interact"):
            return
        done = describe(self.position, action)
        if kind == "interact":
            self.seen[f"interaction {done['scene_card']} {done['label']}"] += 1
        elif kind == "skill":
            self.seen[f"skill {done['skill']} {done['option']}"] += 1
        elif kind == "rage":
            self.seen[f"rage {done['figure']}"] += 1
        else:
            self.seen[f"{'special' if kind == 'special' else 'card'} {done['card']}"] += 1

    def play(self, action: int) -> None:
        """Make a decision and count the boxed effects that it brought about."""
        before = self.position.g.copy()
        self.position.play(action)
        g = self.position.g
        if self.position.over or g.stage != before.stage or g.phase == IN_CHOICE:
            self.waiting = []
            return
        revealed = int(g.revealed_cards) - int(before.revealed_cards)
        if revealed or F_ACTIVATION not in g.agenda[: int(g.depth), 0]:
            self._settle()
        if revealed == 1 and not before.cancel_rune:
            rune = RUNES[self.position.tables[0].upgrade_rune[g.revealed[int(g.revealed_cards) - 1]]]
            self.waiting = [
                (slot, int(before.turned_at[slot]), part) for slot, part in self._shown(before, f"rune:{rune}")
            ]
            if F_ACTIVATION not in g.agenda[: int(g.depth), 0]:
                self._settle()
        for slot, part in self._shown(before, "defeated"):
            gone = bool(g.dead[slot]) or g.side[slot] != before.side[slot]  # a defeated enemy may turn its card over
            self.seen[part] += gone and not before.dead[slot]

    def _shown(self, g: Any, when: str) -> list[tuple[int, str]]:
        """The boxes for a condition on the sides that are up, with their slots."""
        found = ((slot, self.boxes.get((int(g.scenario), slot, int(g.side[slot])), [])) for slot in range(len(g.side)))
        return [(slot, part) for slot, listed in found for condition, part in listed if condition == when]

    def _settle(self) -> None:
        """The scene activation is over: boxes of cards that were not turned meanwhile have been carried out."""
        for slot, turned, part in self.waiting:
            self.seen[part] += int(self.position.g.turned_at[slot]) == turned
        self.waiting = []


def runs(games: int, scenes: Iterable[str] = SCENES) -> Iterable[Run]:
    """So many games of each scene and team, and full games."""
    for scene in scenes:
        number = SCENES.index(scene)
        others = (SCENES[number - 1], SCENES[number - 4])
        for k, heroes in enumerate(TEAMS):
            options = {"players": len(heroes), "heroes": heroes, "scene": scene, "hindrances": others, "upgrades": 3}
            for game in range(games):
                health, greed = STYLES[game % len(STYLES)]
                yield {**options, "hero_hp": health, "max_rounds": 40}, 1000 * number + 100 * k + game, greed
    for game in range(games):
        yield {"players": 1 + game % 4, "hero_hp": 30}, game, 0.9


def exercise(games: Iterable[Run]) -> Counter[str]:
    """Play; how often each part was exercised."""
    from theogony.envs.core.conformance.base import Player
    from theogony.envs.god_of_war.game import SPEC

    seen: Counter[str] = Counter()
    for options, seed, greed in games:
        position = Position(SPEC.configure(options), seed)
        player, watch = Player(position.game, seed, greed), Watch(position, seen)
        while not position.over:
            watch.look()
            action = player.choose(position)
            watch.use(action)
            watch.play(action)
        watch.look()
    return +seen


def report(data: dict[str, Any], seen: Counter[str]) -> tuple[set[str], list[str]]:
    """The parts and effect words of the components that were exercised, and those that were not."""
    parts = expected(data)
    done = set(seen) & set(parts)
    words = set().union(*parts.values())
    done |= set().union(*(parts[part] for part in done))
    return done, sorted((set(parts) | words) - done)


def main(games: int) -> int:
    """Print a line for each kind of part, and what was not exercised."""
    from theogony.envs.god_of_war.game import SPEC

    done, missing = report(SPEC.configure().components, exercise(runs(games)))
    kinds = Counter(part.rsplit(" ", 1)[0] if " word " in part else part.split()[0] for part in done)
    kinds_missing = Counter(part.rsplit(" ", 1)[0] if " word " in part else part.split()[0] for part in missing)
    for kind in sorted(kinds | kinds_missing):
        print(f"{kind:15} {kinds[kind]} of {kinds[kind] + kinds_missing[kind]}")
    print("\n".join(f"not exercised: {part}" for part in missing))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 6))
