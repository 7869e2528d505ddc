"""Why the team stands where it does, as plain data."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.contract import Account
from theogony.envs.core.game import Game
from theogony.envs.god_of_war.components.tables import designs
from theogony.envs.god_of_war.heuristic.hands import effort, potential, whole_effort
from theogony.envs.god_of_war.render.words import hero_name
from theogony.envs.god_of_war.rules.scoring import won
from theogony.envs.god_of_war.rules.setup import laid_out
from theogony.envs.god_of_war.snapshot import player
from theogony.envs.god_of_war.state import REASONS, SCENES


def breakdown(game: Game, g: Any) -> list[dict[str, Any]]:
    """For each seat what the team has reached, the same for all, and what became of its own hero.

    `score` is `scenes_done`; `progress` is what reward="progress" pays at the end. Damage is counted as there: armour
    and enemies that still hide behind a front are part of it.
    """
    team = _team(game, g)
    return [team | _hero(game, g, seat) for seat in range(game.players)]


def _team(game: Game, g: Any) -> dict[str, Any]:
    """Scenes, rounds and the enemies that count (§8, §9)."""
    t, victory = game.tables[0], bool(won(g))
    between = not laid_out(g)
    found: dict[str, Any] = {
        "score": int(g.stage) - 1 + victory,
        "scenes_done": int(g.stage) - 1 + victory,
        "scenes": 3 if game.options.scene is None else 1,
        "victory": victory,
        "reason": (REASONS[int(g.reason)] or "decision limit") if g.over else None,
        "progress": round(float(potential(g, t)), 6),
        "round": int(g.round_number),
        "scene": None if between else SCENES[int(g.scenario)],
        "hindrances": [SCENES[k] for k in g.hindrances if k >= 0],
    }
    if not between:
        left, whole = float(effort(g, t, False)), float(whole_effort(g, t))
        found |= {"damage_needed": round(whole, 1), "damage_left": 0.0 if victory else round(left, 1)}
    return found


def _hero(game: Game, g: Any, seat: int) -> dict[str, Any]:
    """A player's hero: health, rage and what knocked-out figures there are."""
    found = player(game, g, seat, designs(game.components))
    figures = found["figures"]
    health = {f["id"]: max(f["hp"] - f["damage"], 0) if f["standing"] else 0 for f in figures}
    return {
        "hero": found["hero"],
        "health": health,
        "knocked_out": [f["id"] for f in figures if not f["standing"]],
        "rage": {f["id"]: f["rage"] for f in figures},
    }


def account(game: Game, g: Any) -> Account:
    """Why the game ended, and what is left of the heroes (§8)."""
    seats = breakdown(game, g)
    team = seats[0]
    counted = [f"{team['scenes_done']} of {team['scenes']} scenes"] * game.players
    figures = [", ".join(f"{hero_name(game, name)} {left}" for name, left in seat["health"].items()) for seat in seats]
    rows = [
        ("hero", [hero_name(game, seat["hero"]) if seat["hero"] else "–" for seat in seats]),
        ("health left", figures),
        ("rage", [", ".join(map(str, seat["rage"].values())) for seat in seats]),
        ("round", [str(team["round"])] * game.players),
    ]
    if "damage_needed" in team:
        left = f"about {team['damage_left']:.0f} of {team['damage_needed']:.0f}"
        rows.append(("damage still needed in this scene", [left] * game.players))
    return Account(f"The game is over: {team['reason']}.", counted, rows)
