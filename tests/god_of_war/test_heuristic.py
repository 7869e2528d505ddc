"""What greedy play goes by: upgrade cards before haste, interactions, and nothing changed by asking."""

import numpy as np
import pytest

from theogony.envs.core.position import Position
from theogony.envs.god_of_war.components.pieces import HEROES
from theogony.envs.god_of_war.components.tables import designs
from theogony.envs.god_of_war.game import SPEC
from theogony.envs.god_of_war.heuristic.hands import haste, quality
from theogony.envs.god_of_war.state import IN_CHOICE, PAY


def ready_hand(position: Position, *names: str) -> None:
    """Give the acting seat a hand of these cards."""
    known = designs(position.game.components)
    position.g.hand[position.actor] = 0
    for name in names:
        position.g.hand[position.actor, known.index(name)] += 1


def to_turn(position: Position) -> None:
    """Place the heroes in the second column first, and go on to the first hero activation."""
    while position.game.actions.decode(int(position.legal_actions()[0]))[0] == "place":
        texts = {position.game.actions.text(int(action)): int(action) for action in position.legal_actions()}
        position.play(texts.get("enter column 2 front", next(iter(texts.values()))))


def test_haste_costs_less_with_better_cards_and_with_time() -> None:
    position = Position(SPEC.configure({"players": 2}), 4)
    g, t = position.g, position.tables[0]
    assert haste(g, t, 1) == 0.0
    soon = haste(g, t, 2)
    assert soon > 0.0
    g.round_number = 30
    later = haste(g, t, 2)
    assert 0.0 < later < soon
    strongest = int(np.argmax(t.worth))
    for seat in range(2):
        before = quality(g, t, seat)
        g.deck[seat, : g.deck_cards[seat]] = strongest
        assert quality(g, t, seat) > before
    assert haste(g, t, 2) == 0.0


@pytest.mark.parametrize("players", [1, 2])
def test_a_scene_that_is_done_is_worth_more_with_good_cards(players: int) -> None:
    """Between scenes a team with weak decks is worse off than the same team with strong ones, by more than the cards
    are worth in the first scene."""
    values = []
    for stage in (1, 2):
        position = Position(SPEC.configure({"players": players}), 4)
        position.g.phase, position.g.stage = IN_CHOICE, stage
        weak = position.value(0)
        for seat in range(players):
            position.g.deck[seat, : position.g.deck_cards[seat]] = int(np.argmax(position.tables[0].worth))
        values.append(position.value(0) - weak)
    assert values[1] > values[0] > 0.0


def test_an_interaction_is_valued_before_it_is_paid() -> None:
    """Thamur's Corpse: the chisel deals 4 damage for a melee and a ranged card."""
    position = Position(SPEC.configure({"players": 1, "scene": "thamur"}), 1)
    to_turn(position)
    position.g.columns[:, :] = -1
    position.g.column[0] = 2
    position.g.columns[2, 0] = 0
    ready_hand(position, "melee", "ranged")
    position.refresh()
    before = position.value(0)
    position.play(position.game.actions.parse("hero: interact with top, 1"))
    assert position.g.decision == PAY
    assert position.value(0) > before


def test_value_changes_nothing() -> None:
    """Also where it tries out tokens: a payment that takes them from a card (Alfheim)."""
    heroes = (HEROES[0], HEROES[1])
    position = Position(SPEC.configure({"players": 2, "scene": "alfheim", "heroes": heroes}), 2)
    to_turn(position)
    figure, bridge, light = 0 if position.actor == 0 else 1, 2, 8
    position.g.columns[:, :] = -1
    position.g.column[figure] = bridge
    position.g.columns[bridge, 0] = figure
    position.g.tokens[light] = 6
    ready_hand(position, "ranged", "plus1")
    position.refresh()
    before = position.value(0)
    position.play(position.game.actions.parse("hero: interact with bottom, 1"))
    assert position.g.decision == PAY
    kept = position.key()
    assert position.value(0) > before
    assert position.key() == kept
