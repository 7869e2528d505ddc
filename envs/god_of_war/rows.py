"""What each action is about, as places of the observation: its card, the enemy before it, who stands where.

An action names a role, a row or a column, and what lies there changes. So the observation tells it from where the own
figures are (`observe/seen.py`), and a row points there. The entry `my_turn`, 1 for whoever decides, marks what an
action is where the observation has no number for it, such as front or back.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.rows import NOTHING, Rows
from theogony.envs.god_of_war.codes import BLOCK, MELEE, NUMBER, SPECIAL
from theogony.envs.god_of_war.components.pieces import COLUMNS, SLOTS, STATUS
from theogony.envs.god_of_war.observe import seen
from theogony.envs.god_of_war.observe.layout import BODY, CARD
from theogony.envs.god_of_war.state import BEARER, CHOSEN, FIGURE, POISON, SHIELD

ROLES, ROWS = 2, 2
CARD_NUMBERS = [k for k in range(len(CARD)) if k != seen.CARD_HEALTH_SHARE]  # health is there as it is, too
BODY_NUMBERS = [k for k in range(len(BODY)) if k not in (seen.BODY_HEALTH_SHARE, seen.BODY_RAGE_SHARE)]
NAMED = "cards of several names may be alike"
ELSEWHERE = "columns and scene cards may be alike and lie elsewhere in the scene"
Places = dict[str, np.ndarray]


def action_rows(game: Any) -> dict[str, Rows]:
    """The rows of all kinds of action but the choice of heroes and scenes, which nothing in the observation tells."""
    at, t = game.features.places(), game.t
    uses = _uses(at, t)
    return {
        **_standing(at),
        **_sets(at, t, uses),
        **_abilities(at, t, uses, game.players == 1),
        **_cards(at, t, uses),
        **_scene(at),
        **_closing(at),
    }


def _mark(at: Places, count: int, chosen: Any) -> np.ndarray:
    """A column (count, 1) that is 1 for the chosen actions."""
    marks = np.full((count, 1), NOTHING)
    marks[chosen] = at["my_turn"][0]
    return marks


def _marks(at: Places, which: Any, of: int) -> np.ndarray:
    """Columns (count, of) of which one is 1, by a number for each action."""
    return np.where(np.asarray(which)[:, None] == np.arange(of), at["my_turn"][0], NOTHING)


def _situation(at: Places) -> Places:
    """The attack that is going on, of a hero or on one, and what helps there."""
    names = ("set", "aimed", "reserve", "enemy_attack", "struck")
    waiting = np.concatenate([at["next_attack"][:1], at["next_damage"][:1]])
    return {"waiting": waiting[None], **{name: at[name][None] for name in names}}


def _uses(at: Places, t: Any) -> Places:
    """For each card design all ways to play it: what is given up with a card, and won with a new one."""
    found = {}
    kinds = {"attack": (MELEE, MELEE + 1), "number": (NUMBER,), "block": (BLOCK,), "special": (SPECIAL,)}
    for kind, of in kinds.items():
        plays = [
            [int(t.play_place[k]) for k in range(first, end) if t.play_kind[k] in of] for first, end in t.design_plays
        ]
        cards, most = at[f"{kind}_cards"], max(1, *map(len, plays))
        found[f"card_{kind}"] = places = np.full((len(plays), most, cards.shape[1]), NOTHING)
        for design, listed in enumerate(plays):
            places[design, : len(listed)] = cards[listed]
    return found


def _of(uses: Places, designs: Any) -> Places:
    return {name: places[designs] for name, places in uses.items()}


# ---------------------------------------------------------------------------------------------------- places


def _standing(at: Places) -> dict[str, Rows]:
    """Placements and moves: the column with its two cards, what strikes it, who stands there and who goes."""
    column, stand = np.divmod(np.arange(2 * COLUMNS), 2)
    slots = np.stack([column, column + COLUMNS], 1)
    there: Places = {
        "front": _mark(at, len(stand), stand == 0),
        "stands": at["stands"][column],
        "cards": at["cards"][slots][..., CARD_NUMBERS],
        "panels": at["panels"][slots],
        "strikes": at["strikes"][column],
        "volleys": at["volleys"][None].repeat(len(stand), 0),
    }

    def going(role: int) -> Places:
        own = at["own"][role]
        return {"own": own[None].repeat(len(stand), 0), "here": own[seen.OWN_COLUMN + column][:, None]}

    once = Rows(len(stand), ELSEWHERE, **there, **going(0))
    both = {name: np.tile(places, (ROLES, *[1] * (places.ndim - 1))) for name, places in there.items()}
    moving = {name: np.concatenate([going(role)[name] for role in range(ROLES)]) for name in going(0)}
    return {"place": once, "step": once, "move": Rows(ROLES * len(stand), ELSEWHERE, **both, **moving)}


# ---------------------------------------------------------------------------------------------------- cards


def _sets(at: Places, t: Any, uses: Places) -> dict[str, Rows]:
    """Attacks with their card, their enemy and who attacks; numbers and blocks with the attack that is going on."""
    plays = len(t.attack_plays)
    role, row, play = np.unravel_index(np.arange(ROLES * ROWS * plays), (ROLES, ROWS, plays))
    situation = _situation(at)

    def added(kind: str) -> Rows:
        designs = t[f"{kind}_design"]
        way = {kind: at[f"{kind}_cards"], "held": at["hand"][0, designs][:, None]}
        return Rows(len(designs), NAMED, **way, **_of(uses, designs), **situation)

    return {
        "attack": Rows(
            len(play),
            NAMED,
            way=at["attack_cards"][play],
            foe=at["before"][role, row],
            own=at["own"][role],
            bottom=_mark(at, len(row), row == 1),
            held=at["hand"][0, t.attack_design[play]][:, None],
            **{name: situation[name] for name in ("waiting", "reserve")},
            **_of(uses, t.attack_design[play]),
        ),
        "add": added("number"),
        "block": added("block"),
    }


def _cards(at: Places, t: Any, uses: Places) -> dict[str, Rows]:
    """Cards that are won, given up or paid with."""
    designs = np.arange(len(t.pays))
    status = _marks(at, designs - int(t.status), len(STATUS))
    own = {name: at[name][0][:, None] for name in ("hand", "deck", "discard")}
    upgrade = t.upgrade_design
    return {
        "take": Rows(len(upgrade), NAMED, **_of(uses, upgrade), **_of(own, upgrade)),
        "remove": Rows(len(designs), NAMED, status=status, **uses, **own),
        "pay": Rows(len(designs), NAMED, status=status, item=at["pending_item"][None], **uses, **own),
    }


# ---------------------------------------------------------------------------------------------------- abilities


def _abilities(at: Places, t: Any, uses: Places, solo: bool) -> dict[str, Rows]:
    """Specials, rage abilities and skills: what they do, what they cost, for whom, in which situation."""
    designs = t.special_design
    sets = {name: places for name, places in uses.items() if name != "card_special"}
    situation = _situation(at)

    def rows(effect: np.ndarray, role: np.ndarray, price: int, spent: Places, alike: str = "") -> Rows:
        return Rows(
            len(effect),
            alike,
            effect=effect,
            price=_marks(at, np.full(len(effect), price), 3),
            **spent,
            own=at["own"][role],
            foes=at["before"][role][..., : seen.FOE_PANEL],
            stands=at["stands"][None],
            **situation,
        )

    nothing = {name: np.full((1, *places.shape[1:]), NOTHING) for name, places in sets.items()}
    role, play = np.divmod(np.arange(ROLES * len(designs)), len(designs))
    abilities = at["abilities"]
    found = {
        "special": rows(at["special_cards"][play], role, 0, _of(sets, designs[play]), NAMED),
        "rage": rows(abilities[:ROLES], np.arange(ROLES), 1, nothing),
    }
    if solo:
        skills = abilities[ROLES:]
        found["skill"] = rows(skills, np.zeros(len(skills), int), 2, nothing)
    return found


# ---------------------------------------------------------------------------------------------------- the scene


def _scene(at: Places) -> dict[str, Rows]:
    """Interactions, targets, figures, columns and the upgrade cards that are looked at."""
    role, row, number = np.unravel_index(np.arange(ROLES * ROWS * 2), (ROLES, ROWS, 2))
    slots = np.arange(SLOTS)
    own = at["own"][:, seen.OWN_COLUMN :].T[slots % COLUMNS]
    looked = at["looked"]
    ahead = {"strikes": at["strikes"][None], "volleys": at["volleys"][None], "left": at["runes_left"][None]}
    return {
        "interact": Rows(
            len(role),
            "two may cost and do the same, to other cards",
            interaction=at["interactions"][role, row, number],
            foe=at["before"][role, row],
            own=at["own"][role],
            reserve=at["reserve"][None],
        ),
        "target": Rows(
            SLOTS,
            ELSEWHERE,
            card=at["cards"][:, CARD_NUMBERS],
            panel=at["panels"],
            attacks=at["attacks"],
            column=np.where(slots[:, None] < 2 * COLUMNS, own, NOTHING),
            effect=at["pending"][None],
        ),
        "figure": _figures(at),
        "column": Rows(COLUMNS, ELSEWHERE, stands=at["stands"], strikes=at["strikes"]),
        **{
            kind: Rows(
                len(looked),
                "of a card that is looked at only the rune is told",
                top=_mark(at, len(looked), slice(kind == "top", None)),
                rune=looked,
                **ahead,
            )
            for kind in ("top", "bottom")
        },
    }


def _figures(at: Places) -> Rows:
    """A figure that is chosen: what is asked, and what it would suffer or gain."""
    asked = [BEARER, SHIELD, POISON, CHOSEN, FIGURE]
    flags = np.stack([at[name] for name in ("attacked", "victim", "suffering")], 1)
    return Rows(
        len(at["figures"]),
        "two figures may be as well off, and have other abilities",
        figure=at["figures"][:, BODY_NUMBERS],
        place=at["places"],
        flags=flags,
        asked=at["decision"][asked][None],
        effect=at["pending"][None],
        enemy_attack=at["enemy_attack"][None],
        suffered=at["suffered"][None],
        strikes=at["strikes"][None],
    )


def _closing(at: Places) -> dict[str, Rows]:
    """What ends or hands over: in which situation."""
    kinds = ("ask", "end", "commit", "done", "pass")
    seen = {"decision": at["decision"][None], "own": at["own"][None], "strikes": at["strikes"][None]}
    return {
        kind: Rows(1, "", kind=_marks(at, [k], len(kinds)), **seen, volleys=at["volleys"][None], **_situation(at))
        for k, kind in enumerate(kinds)
    }
