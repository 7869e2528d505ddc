"""Rows of actions: what a row says of an action is what the action does, and tells no seat what it cannot know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from theogony.envs.core.batch import Batch
from theogony.envs.core.kernels import kernels
from theogony.envs.core.position import Position
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.components.tables import designs, plays
from theogony.envs.god_of_war.game import SPEC, STRONG
from theogony.envs.god_of_war.observe.described import ATTACK, BLOCK, EFFECT, INTERACTION, NUMBER, PANEL
from theogony.envs.god_of_war.observe.seen import (
    FOE_ARMOUR,
    FOE_HEALTH,
    FOE_PANEL,
    FOE_THERE,
    OWN_COLUMN,
    OWN_FULL,
    STAND_HEALTH,
    STAND_THERE,
    STRUCK_HEALTH,
)
from theogony.envs.god_of_war.rules.enemies import carrier, highest_armour, hp_left
from theogony.envs.god_of_war.rules.figures import first_figure, role_figure
from theogony.envs.god_of_war.state import SCENES

TOUGH = {**STRONG, "enemy_strength": 0}
SOLO = {"players": 1, "path": ("wanderers", "ogre", "baldur"), **TOUGH}
PAIR = {"players": 2, "heroes": ("freya", "brok_sindri"), "path": ("alfheim", "helheim", "magni_modi"), **TOUGH}
TABLES = [
    SOLO,
    PAIR,
    {**PAIR, "components": "random:3"},
    {"players": 3, "heroes": ("atreus", "mimir", "kratos"), "path": ("grendels", "thamur", "hraezlyr"), **TOUGH},
    {"players": 4, "components": "random:0-9", **TOUGH},
]
UNTOLD = {"hero", "choose"}  # kinds of action without rows


def played(options: dict[str, Any], seed: int = 1, most: int = 400) -> Iterator[Position]:
    """A game at random in which activations do not end before something was done, decision by decision."""
    position, rng = Position(SPEC.configure(options), seed), np.random.default_rng(seed)
    while not position.over and position.now < most:
        yield position
        legal = position.legal_actions()
        lasting = [a for a in legal if position.game.actions.decode(int(a))[0] not in ("end", "pass")]
        position.play(int(rng.choice(lasting if lasting and rng.random() < 0.8 else legal)))


def seen(position: Position, seat: int) -> Any:
    """What a seat sees, as a record of features."""
    return position.game.features.records(position.observe_codes(seat).copy())[0]


def row_of(position: Position, action: int) -> tuple[str, dict[str, np.ndarray]]:
    """The kind of an action, and its row as codes, by columns."""
    kind, _ = position.game.actions.decode(action)
    rows = position.game.action_rows[kind]
    row = rows.look_up(position.observe_codes(position.actor))[action - position.game.actions.first[kind]]
    return kind, {name: row[where] for name, where in rows.columns.items()}


def named(group: dict[str, int], row: Any) -> dict[str, int]:
    """The numbers of a row that are not 0, by name."""
    return {name: int(value) for name, value in zip(group, row, strict=True) if value}


# ------------------------------------------------------------------------- what actions do


def check_attack(before: Any, after: Any, t: Any, number: int, row: dict[str, np.ndarray]) -> None:
    count = len(t.attack_plays)
    role, where = number // (2 * count), number // count % 2
    figure, way = role_figure(before, t, before.actor, role), named(ATTACK, row["way"])
    slot = 4 * where + int(before.column[figure])
    owner, marker = carrier(before, t, slot), highest_armour(before, t, carrier(before, t, slot))
    assert row["foe"][FOE_THERE] and row["foe"][FOE_HEALTH] == min(hp_left(before, t, owner), 50)
    armour = 0 if marker == codes.NONE else t.armour[before.scenario, owner, before.side[owner], marker]
    assert row["foe"][FOE_ARMOUR] == min(armour, 6) and row["bottom"][0] == where
    assert (row["foe"][FOE_PANEL:] == t.panel_rows[before.scenario, owner, before.side[owner]]).all()
    assert row["held"][0] == min(before.hand[before.actor, t.attack_design[number % count]], 4)
    if after.set_play != codes.NONE:
        assert after.set_strength == way.get("strength", 0) and t.play_stun[after.set_play] == way.get("stuns", 0)


def check_add(before: Any, after: Any, t: Any, number: int, row: dict[str, np.ndarray]) -> None:
    if after.set_play == before.set_play:  # the set is still open
        assert after.set_strength - before.set_strength == named(NUMBER, row["number"])["strength"]
    assert row["set"][1] == min(before.set_strength, 12)
    assert row["aimed"][FOE_THERE] == (before.attacked == codes.NONE)


def check_block(before: Any, after: Any, t: Any, number: int, row: dict[str, np.ndarray]) -> None:
    if after.set_play != codes.NONE:
        assert after.set_strength == named(BLOCK, row["block"]).get("strength", 0)
    left = int(t.hp[before.victim]) - int(before.damage[before.victim])
    assert row["struck"][STRUCK_HEALTH] == min(left, 14) and row["enemy_attack"][0]


def check_rage(before: Any, after: Any, t: Any, number: int, row: dict[str, np.ndarray]) -> None:
    figure = role_figure(before, t, before.actor, number)
    effects = range(t.rage_first[figure], t.rage_end[figure])
    said = named(EFFECT, row["effect"])
    assert row["own"][OWN_FULL] and all(said[codes.HERO_OPS[t.effect_op[k]]] == t.effect_n[k] for k in effects)


def check_special(before: Any, after: Any, t: Any, number: int, row: dict[str, np.ndarray]) -> None:
    play = t.special_plays[number % len(t.special_plays)]
    said = named(EFFECT, row["effect"])
    assert all(said[codes.HERO_OPS[t.effect_op[k]]] for k in range(t.play_first[play], t.play_end[play]))
    assert set(said) <= {*codes.HERO_OPS, *list(EFFECT)[-4:]} and row["price"].tolist() == [1, 0, 0]


def check_move(before: Any, after: Any, t: Any, number: int, row: dict[str, np.ndarray]) -> None:
    role, column, back = number // 8, number // 2 % 4, number % 2
    figure, stands = role_figure(before, t, before.actor, role), row["stands"].reshape(2, -1)
    assert after.column[figure] == column and row["front"][0] == 1 - back
    assert row["here"][0] == (before.column[figure] == column)
    for place, stand in zip(before.columns[column], stands, strict=True):
        assert stand[STAND_THERE] == (place != codes.NONE)
        if place != codes.NONE:
            assert stand[STAND_HEALTH] == min(int(t.hp[place]) - int(before.damage[place]), 14)


def check_interact(before: Any, after: Any, t: Any, number: int, row: dict[str, np.ndarray]) -> None:
    figure = role_figure(before, t, before.actor, number // 4) if before.decision != 4 else codes.MIMIR
    slot = 4 * (number // 2 % 2) + int(before.column[figure])
    k = t.interactions_first[before.scenario, slot, before.side[slot]] + number % 2
    cost = Counter(codes.ITEMS[item] for item in t.cost_item[t.interaction_cost_first[k] : t.interaction_cost_end[k]])
    said = named(INTERACTION, row["interaction"])
    assert {name: n for name, n in said.items() if name.startswith("costs")} == {
        f"costs {c}": n for c, n in cost.items()
    }
    effects = range(t.interaction_first[k], t.interaction_end[k])
    assert {name for name in said if name in codes.SCENE_OPS} == {codes.SCENE_OPS[t.scene_op[e]] for e in effects}


def check_take(before: Any, after: Any, t: Any, number: int, row: dict[str, np.ndarray]) -> None:
    design = t.upgrade_design[number]
    for play in range(t.design_plays[design, 0], t.design_plays[design, 1]):
        if t.play_kind[play] == codes.NUMBER:
            assert t.number_rows[t.play_place[play]].tolist() == row["card_number"].tolist()
    assert row["deck"][0] == min((before.deck[before.actor, : before.deck_cards[before.actor]] == design).sum(), 4)


def check_remove(before: Any, after: Any, t: Any, number: int, row: dict[str, np.ndarray]) -> None:
    assert row["discard"][0] and row["status"].tolist() == [number - t.status == k for k in range(3)]


def check_pay(before: Any, after: Any, t: Any, number: int, row: dict[str, np.ndarray]) -> None:
    assert t.pays[number] @ row["item"] and row["hand"][0]


def check_target(before: Any, after: Any, t: Any, number: int, row: dict[str, np.ndarray]) -> None:
    assert named(EFFECT, row["effect"]).keys() & {"stun", "damage", "attack"}
    inside, first = number < 8, first_figure(before, t, before.actor)
    assert row["column"][0] == (inside and before.column[first] == number % 4)
    assert (row["panel"] == t.panel_rows[before.scenario, number, before.side[number]]).all()


CHECKS = {name.removeprefix("check_"): check for name, check in list(globals().items()) if name.startswith("check_")}


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_rows_say_what_actions_do(options: dict[str, Any]) -> None:
    tried = Counter()
    for seed in range(2):
        for position in played(options, seed):
            t = position.game.t
            for action in map(int, position.legal_actions()):
                kind, _ = position.game.actions.decode(action)
                if kind in CHECKS:
                    _, row = row_of(position, action)
                    before = position.g.copy()
                    position.play(action)
                    CHECKS[kind](before, position.g, t, action - position.game.actions.first[kind], row)
                    position.undo()
                    tried[kind] += 1
    assert {"attack", "add", "block", "special", "move", "take", "remove"} <= tried.keys(), tried


def test_every_way_to_act_is_tried() -> None:
    tried = {
        position.game.actions.decode(int(action))[0]
        for options in TABLES
        for position in played(options)
        for action in position.legal_actions()
    }
    assert set(CHECKS) <= tried and tried <= {*SPEC.configure(SOLO).action_rows, *UNTOLD}


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_actions_of_equal_rows_do_the_same(players: int) -> None:
    """But where rows say why they may not. Attacks and moves by other figures are told apart throughout."""
    for position in played({"players": players, "components": "random:7", **TOUGH}):
        rows: dict[tuple[str, bytes], bytes] = {}
        for action in map(int, position.legal_actions()):
            kind, _ = position.game.actions.decode(action)
            if kind in UNTOLD or position.game.action_rows[kind].alike:
                continue
            _, row = row_of(position, action)
            position.play(action)
            key = position.key()
            position.undo()
            assert rows.setdefault((kind, np.concatenate(list(row.values())).tobytes()), key) == key


# ------------------------------------------------------------------------- what a seat sees


def test_cards_are_described_where_the_observer_may_use_them() -> None:
    for position in played(PAIR, 2):
        g, t = position.g, position.game.t
        for seat in range(2):
            f = seen(position, seat)
            known = (g.hand[seat] | g.discard[seat] | g.in_play[seat]) != 0
            known[t.upgrade_design[g.revealed[: g.revealed_cards]]] = True
            for kind in ("attack", "number", "block", "special"):
                expected = np.where(known[t[f"{kind}_design"]][:, None], t[f"{kind}_rows"], 0)
                assert (f[f"{kind}_cards"] == expected).all()
            held = [
                g.hand[seat, t.number_design[k]] * t.play_number[t.number_plays[k]] for k in range(len(t.number_plays))
            ]
            assert f.reserve[0] == min(sum(map(int, held)), 24)


def test_strikes_are_the_melee_attacks_that_reach_a_column() -> None:
    met = 0
    for position in played(PAIR, 3, 120):
        f, g = seen(position, 0), position.g
        expected = np.zeros((4, 4), int)
        for slot, rune, direction in np.ndindex(10, 4, 3):
            column = slot % 4 + direction - 1
            quiet = f.cards[slot, 9] or f.cards[slot, 13]
            if f.attacks[slot, rune, 2 + direction] and 0 <= column < 4 and not quiet:
                expected[column, rune] += f.attacks[slot, rune, 0]
        assert (f.strikes == expected.clip(max=12)).all()
        met += int(expected.any()) + int(g.stunned.any())
    assert met


def test_a_position_with_another_back_looks_the_same() -> None:
    """What a turned card will show, and what other scenes hold, is not told."""
    for position in played({"players": 2, "scene": "thamur", "hindrances": ("ogre", "sigrun")}, 3, 60):
        other = position.game.tables.copy()
        for rows in (other["panel_rows"][0], other["interaction_rows"][0]):
            for scene in range(len(SCENES)):
                for slot in range(len(position.g.side)):
                    rows[scene, slot, 1 - position.g.side[slot]] += 1
                rows[scene] += scene != position.g.scenario
        features = np.zeros(position.game.features.length, np.uint8).view(position.game.features.dtype)
        kernels(position.game.spec).view(position.states, position.now, other, 0, features, 0)
        assert (features.view(np.uint8) == position.observe_codes(0)).all()


# ------------------------------------------------------------------------- what is printed


def test_what_printed_cards_and_abilities_say() -> None:
    game = SPEC.configure({})
    t, names = game.t, [name for name, _ in plays(game.components)]
    for k, row in zip(t.attack_plays, t.attack_rows, strict=True):
        printed = game.components["action_cards"][names[k]]["options"][t.play_option[k]]
        assert named(ATTACK, row).get("strength", 0) == printed["number"]
        assert named(ATTACK, row).get("stuns", 0) == printed["stun"] and row[0] == ("ranged" in printed["symbols"])
    specials = {names[k]: named(EFFECT, row) for k, row in zip(t.special_plays, t.special_rows, strict=True)}
    assert specials["f_mend"] == {"heal": 2, "names a figure": 1, "rage": 1}
    assert specials["m_lore"] == {"draw": 1, "for the bearer of Mimir": 1, "rage": 1}
    assert specials["u22"] == {"damage": 2, "names an enemy in the column": 1}
    assert named(EFFECT, t.rage_rows[1]) == {"damage": 5, "names any enemy": 1}
    assert named(EFFECT, t.skill_rows[0]) == {"attack": 2, "stun": 1, "names an enemy in the column": 1}
    assert designs(game.components)[-3:] == ["stun", "poison", "crystal"] and t.design_plays[-3:].tolist()[0][0] == 60


def test_what_printed_scenes_say() -> None:
    t = SPEC.configure({}).t
    ogre, alfheim = SCENES.index("ogre"), SCENES.index("alfheim")
    assert named(PANEL, t.panel_rows[ogre, 0, 0]) == {"success: defeated": 1, "turns: armour_broken": 1}
    assert named(PANEL, t.panel_rows[alfheim, 1, 1])["success: defeated"] == 1
    assert named(PANEL, t.panel_rows[alfheim, 8, 0])["failure: tokens"] == 8
    hive = {"costs melee": 2, "flip": 1}
    assert named(INTERACTION, t.interaction_rows[alfheim, 1, 0, 1]) == hive


def test_no_number_is_too_high() -> None:
    groups = {"attack": ATTACK, "number": NUMBER, "block": BLOCK, "special": EFFECT, "panel": PANEL}
    for components in ("printed", "random:5"):
        t = SPEC.configure({"components": components}).t
        for name, group in groups.items():
            assert (t[f"{name}_rows"] <= np.array(list(group.values()))).all() and t[f"{name}_rows"].any()


def test_descriptions_follow_the_pack_of_each_game() -> None:
    game = SPEC.configure({"players": 2, "scene": "wanderers", "components": "random:0-3"})
    batch = Batch(game, 8, seed=5)
    packs = batch.packs().tolist()
    assert len(set(packs)) > 1
    for k, pack in enumerate(packs):
        f, g, t = game.features.records(batch.codes[k : k + 1].copy())[0], batch.states[k], game.packs[pack].t
        rows = t.panel_rows[g.scenario, np.arange(10), g.side]
        assert (f.panels == rows).all() and f.panels.any()


def test_columns_of_the_own_figures_are_where_they_stand() -> None:
    for position in played(PAIR, 5, 60):
        f, g, t = seen(position, 1), position.g, position.game.t
        for role in range(2):
            column = int(g.column[first_figure(g, t, 1) + role])
            assert f.own[role, OWN_COLUMN:].tolist() == [k == column for k in range(4)]
