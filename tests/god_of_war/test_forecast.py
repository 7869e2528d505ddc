"""What a move is said to reach, to cost or to do in vain is what the rules make of it."""

from __future__ import annotations

import pytest

from theogony.envs.core.position import Position
from theogony.envs.god_of_war.components.pieces import FIGURES
from theogony.envs.god_of_war.components.tables import designs
from theogony.envs.god_of_war.game import SPEC
from theogony.envs.god_of_war.render.forecast import note
from theogony.envs.god_of_war.snapshot import card_id
from theogony.envs.god_of_war.state import BLOCK, TURN


def start(heroes: tuple[str, ...], scene: str, column: int) -> Position:
    """The first hero activation, with the heroes from this column on."""
    position = Position(SPEC.configure({"players": len(heroes), "heroes": heroes, "scene": scene}), 4)
    for k in range(len(heroes)):
        play(position, f"enter column {column + k} front")
    return position


def play(position: Position, text: str) -> None:
    position.play(action_of(position, text))


def action_of(position: Position, text: str) -> int:
    found = [int(a) for a in position.legal_actions() if position.game.actions.text(int(a)) == text]
    assert found, [position.game.actions.text(int(a)) for a in position.legal_actions()]
    return found[0]


def hold(position: Position, *cards: str) -> None:
    """The hand of the first player."""
    names = designs(position.game.components)
    position.g.hand[0] = [cards.count(name) for name in names]
    position.refresh()


def told(position: Position, text: str) -> str:
    return note(position.game, position.g, action_of(position, text), None, 0)


def test_what_an_attack_can_reach_counts_the_skill_of_a_companion() -> None:
    position = start(("kratos",), "wanderers", 3)  # above armour 5
    hold(position, "melee", "plus2")
    assert position.g.decision == TURN
    said = told(position, "hero: attack bottom with melee")
    assert said == "up to strength 5; armour 5 breaks at 5, and stops the damage"
    position.g.skills_used[0] = 1
    position.refresh()
    assert "with all your numbers you reach 2" in told(position, "hero: attack bottom with melee")


@pytest.mark.parametrize(("wards", "said"), [(0, "3 damage"), (1, "3 damage, which a ward cancels")])
def test_who_blocks_no_more_reads_what_a_ward_does(wards: int, said: str) -> None:
    position = start(("kratos", "freya"), "wanderers", 1)
    g = position.g
    g.decision, g.attacked, g.victim, g.enemy_strength = BLOCK, 0, 0, 3
    g.wards[FIGURES.index("kratos")] = wards
    assert note(position.game, g, position.game.actions.encode("done"), None, 0) == said


def test_an_invulnerable_target_is_told_as_such() -> None:
    position = start(("kratos",), "alfheim", 2)
    g = position.g
    assert card_id(int(g.scenario), 1) == "3-01"
    said = note(position.game, g, position.game.actions.encode("target", "top 2"), None, 0)
    assert said == "health 10 left, invulnerable, so it takes no damage"


@pytest.mark.parametrize(
    ("strength", "said", "faces"),
    [
        (4, "leaves it at least 1 of its health of 5", []),
        (5, "enough for its health of 5 if the die takes nothing", [0]),
        (6, "enough for its health of 5 if the die takes 1 at most", [0, 1]),
        (7, "enough for its health of 5, whatever the die says", [0, 1, 2]),
    ],
)
def test_a_set_is_told_to_be_enough_by_what_the_die_may_take(strength: int, said: str, faces: list[int]) -> None:
    position = start(("kratos",), "alfheim", 1)
    hold(position, "melee", "plus2", "plus3")
    play(position, "hero: attack bottom with melee")
    play(position, "add plus2")
    position.g.set_strength = strength
    assert told(position, "commit set") == f"strength {strength}, less 0 to 2 by the die; {said}"
    assert sorted({int(face) for face in position.game.tables[0].die if strength - face >= 5}) == faces
