"""Which parts of the components play has exercised: `python tests/god_of_war/coverage.py [GAMES]`.

Every scene is played with strengthened teams, greedily with random decisions in between; counted are the sides of scene
cards that were seen, boxed effects that were carried out, interactions, ways to play a card, skills, rage abilities,
hindrances and kinds of decision. An effect word is exercised when one of the parts that say it was. A side that nothing
turns up cannot be played; the report says so and does not ask for it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.position import Position
from theogony.envs.god_of_war.codes import F_BOXES, F_EFFECTS, NONE
from theogony.envs.god_of_war.components.tables import slot_of
from theogony.envs.god_of_war.rules.setup import laid_out
from theogony.envs.god_of_war.rules.turn import decide, run
from theogony.envs.god_of_war.snapshot import card_id
from theogony.envs.god_of_war.state import DECISIONS, SCENES
from theogony.verification.god_of_war.composite import describe

TEAMS = (("kratos",), ("kratos", "freya"), ("atreus", "brok_sindri", "mimir"), ("kratos", "atreus", "freya", "mimir"))
# Health added to the heroes, and the share of greedy decisions: a game as it is, stronger teams, and nearly immortal
# ones that try much at random, by turns.
STYLES = ((0, 0.85), (16, 0.85), (99, 0.5))
Run = tuple[dict[str, Any], int, float]  # options, seed, share of greedy decisions
Boxes = dict[tuple[int, int, int], list[str]]  # (scenario, slot, side) -> parts
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
    """The boxed effects of every side that has some."""
    return {
        (scene["id"] - 1, slot_of(card["id"]), k): [f"box {card['id']} {side} {box['when']}" for box in listed]
        for scene in data["scenes"]
        for card in scene["cards"]
        for k, side in enumerate(SIDES)
        if (listed := card[side]["triggers"])
    }


def unreachable(data: dict[str, Any]) -> set[str]:
    """What no play can bring about: sides that nothing turns up, with all that is printed on them."""
    cards = {card["id"]: card for scene in data["scenes"] for card in scene["cards"]}
    up = {(name, "front") for name in cards}
    waiting = list(up)
    while waiting:
        name, side = waiting.pop()
        turned = {(other, "back") for other in _turned(cards[name], side)} - up
        up |= turned
        waiting += turned
    return {part for name, card in cards.items() if (name, "back") not in up for part in _side(card, "back")}


def _turned(card: dict[str, Any], side: str) -> set[str]:
    """The cards that something on a side turns over."""
    printed = card[side]
    effects = [effect for entry in (*printed["triggers"], *printed["interactions"]) for effect in entry["do"]]
    flips = [effect for effect in (*printed["reward"], *effects) if effect["op"] == "flip"]
    listed = (flip["cards"] for flip in (*printed["flip"], *flips))
    names = {name for cards in listed for name in ([cards] if isinstance(cards, str) else cards)}
    return {card["id"] if name == "self" else name for name in names}


def exercised(position: Position) -> Counter[str]:
    """How often a game, as far as it has been played, exercised each part."""
    trace = _Trace(position.game)
    for k, action in enumerate(position.actions):
        trace.look(position.states[k])
        trace.use(position.states[k], action)
        trace.follow(position.states[k].copy(), action)
    trace.look(position.g)
    return trace.seen


class _Trace:
    """Counts in `seen` what positions and decisions exercise."""

    def __init__(self, game: Game) -> None:
        self.game, self.seen = game, Counter[str]()
        self.boxes = boxes(game.components)

    def look(self, g: Any) -> None:
        """Count what a position shows."""
        if not g.over:
            self.seen[f"decision {DECISIONS[g.decision]}"] += 1
        if laid_out(g):
            scenario = int(g.scenario)
            for slot in np.flatnonzero(self.game.tables[0].present[scenario]):
                self.seen[f"side {card_id(scenario, int(slot))} {SIDES[g.side[slot]]}"] += 1
        for scenario in g.hindrances:
            if scenario != NONE:
                self.seen[f"hindrance {SCENES[scenario]}"] += 1

    def use(self, g: Any, action: int) -> None:
        """Count the card, interaction, skill or ability that a decision uses."""
        kind = self.game.actions.decode(action)[0]
        if kind not in ("attack", "special", "add", "block", "rage", "skill", "interact"):
            return
        done = describe(SimpleNamespace(game=self.game, g=g, tables=self.game.tables), action)
        if kind == "interact":
            self.seen[f"interaction {done['scene_card']} {done['label']}"] += 1
        elif kind == "skill":
            self.seen[f"skill {done['skill']} {done['option']}"] += 1
        elif kind == "rage":
            self.seen[f"rage {done['figure']}"] += 1
        else:
            self.seen[f"{'special' if kind == 'special' else 'card'} {done['card']}"] += 1

    def follow(self, g: Any, action: int) -> None:
        """Make a decision frame by frame; a box is carried out when its effects come to lie on it."""
        t = self.game.tables[0]
        decide(g, t, action)
        waits = False
        while not g.over and not waits:
            depth, frame = int(g.depth), g.agenda[g.depth - 1].copy()
            where = (int(g.scenario), int(frame[1]), int(g.side[frame[1]])) if frame[0] == F_BOXES else None
            waits = run(g, t, 1)
            if where and g.depth > depth and g.agenda[depth, 0] == F_EFFECTS:
                self.seen[self.boxes[where][int(g.agenda[depth - 1, 5]) - 1]] += 1


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
        yield {"players": 1 + game % 4, "hero_hp": 30, "hero_choice": "choose"}, game, 0.9


def exercise(games: Iterable[Run]) -> Counter[str]:
    """Play; how often each part was exercised."""
    from theogony.envs.core.conformance.base import Chooser
    from theogony.envs.god_of_war.game import SPEC

    seen: Counter[str] = Counter()
    for options, seed, greed in games:
        position = Position(SPEC.configure(options), seed)
        player = Chooser(position.game, seed, greed)
        while not position.over:
            position.play(player.choose(position))
        seen += exercised(position)
    return seen


def report(data: dict[str, Any], seen: Counter[str]) -> tuple[set[str], list[str]]:
    """The parts and effect words of the components that were exercised, and those that could have been but were not."""
    parts = expected(data)
    for part in unreachable(data):
        del parts[part]
    done = set(seen) & set(parts)
    words = set().union(*parts.values())
    done |= set().union(*(parts[part] for part in done))
    return done, sorted((set(parts) | words) - done)


def main(games: int) -> int:
    """Print a line for each kind of part, and what was not exercised."""
    from theogony.envs.god_of_war.game import SPEC

    data = SPEC.configure().components
    done, missing = report(data, exercise(runs(games)))
    kinds = Counter(part.rsplit(" ", 1)[0] if " word " in part else part.split()[0] for part in done)
    kinds_missing = Counter(part.rsplit(" ", 1)[0] if " word " in part else part.split()[0] for part in missing)
    for kind in sorted(kinds | kinds_missing):
        print(f"{kind:15} {kinds[kind]} of {kinds[kind] + kinds_missing[kind]}")
    for part in sorted(unreachable(data)):
        print(f"cannot happen: {part}: no side that can be up turns this card over")
    for part in missing:
        print(f"not exercised: {part}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 6))
