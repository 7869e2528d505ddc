"""Observations with attributes: the usual ones, and before them what the cards are of which a seat knows the place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from both_observations import ATTRIBUTES, check_usual_comes_last, played, seen

from theogony.envs.core.batch import Batch
from theogony.envs.core.game import OptionError
from theogony.envs.core.players import make_player
from theogony.envs.core.position import Position
from theogony.envs.innovation.actions import NAMES
from theogony.envs.innovation.cards import BY_NAME
from theogony.envs.innovation.cards.attributes import EFFECT, FACE, SCALES, card_attributes, effect_attributes
from theogony.envs.innovation.game import SPEC
from theogony.training.networks.weights import CheckpointError

AREAS = ("hand", "score_pile", "boards", "shown", "hands_known", "score_piles_known", "supply_known", "first_meld")


@pytest.mark.parametrize("options", [{}, {"players": 3}, {"components": "random:0-9"}], ids=str)
def test_the_usual_observation_comes_last_and_is_the_same(options: dict[str, Any]) -> None:
    check_usual_comes_last(SPEC, **options)


def test_rows_are_of_the_cards_whose_place_a_seat_knows() -> None:
    for _, position in played(SPEC, 1, players=3):
        rows = position.game.t.attributes
        for seat in range(3):
            f, words = seen(position, seat), position.g.known[seat]
            known = [bool(int(words[card >> 6]) >> (card & 63) & 1) for card in range(len(rows))]
            assert (f.card_attributes == np.where(np.array(known)[:, None], rows, 0)).all()
            for area in AREAS:  # what lies in the open has one
                assert np.array(known)[np.flatnonzero(f[area].reshape(-1, len(rows)).any(0))].all()


def test_hands_that_nobody_has_seen_have_no_row() -> None:
    position = Position(SPEC.configure({"players": 2, **ATTRIBUTES}), 3)
    for seat in range(2):
        theirs = [card for card in range(len(NAMES)) if int(position.g.hand[1 - seat][card >> 6]) >> (card & 63) & 1]
        assert theirs and not seen(position, seat).card_attributes[theirs].any()


def test_top_cards_and_the_effect_that_runs() -> None:
    performed = 0
    for _, position in played(SPEC, 2):
        g, rows, f = position.g, position.game.t.attributes, seen(position, 1)
        for row, seat in enumerate((1, 0)):
            for colour in range(5):
                top = int(g.top[5 * seat + colour])
                assert (f.top_attributes[row, colour] == (rows[top] if top >= 0 else 0)).all()
        if g.depth:
            performed += 1
            card, first = int(g.frame_card[g.depth - 1]), len(FACE) + len(EFFECT) * int(g.frame_effect[g.depth - 1])
            assert (f.performing_attributes == rows[card]).all()
            assert (f.effect_attributes == rows[card, first : first + len(EFFECT)]).all()
            assert f.effect_attributes[0] == 1
        else:
            assert not f.performing_attributes.any() and not f.effect_attributes.any()
    assert performed > 10


@pytest.mark.parametrize(
    ("card", "effect", "expected"),
    [
        ("Writing", 0, {"there": 1, "cards drawn": 1, "value drawn": 2, "cards: to hand": 1}),
        ("The Wheel", 0, {"there": 1, "cards drawn": 2, "value drawn": 1, "cards: to hand": 1}),
        (
            "Archery",
            0,
            {"there": 1, "demand": 1, "cards drawn": 1, "value drawn": 1, "cards: to hand": 1, "chosen at least": 1,
             "chosen at most": 1, "from hand": 1, "to somebody else": 1, "highest or lowest": 1},
        ),
        (
            "Oars",
            1,
            {"there": 1, "cards drawn": 1, "value drawn": 1, "cards: to hand": 1, "on a condition": 1,
             "looks back at the demand": 1},
        ),
        (
            "Philosophy",
            0,
            {"there": 1, "may be left": 1, "splays left": 1,
             **{f"names {colour}": 1 for colour in ("blue", "red", "green", "yellow", "purple")}},
        ),
        ("Philosophy", 1, {"there": 1, "may be left": 1, "cards: score": 1, "chosen at least": 1, "chosen at most": 1,
                           "from hand": 1}),
    ],
)  # fmt: skip
def test_what_printed_effects_say(card: str, effect: int, expected: dict[str, int]) -> None:
    row = effect_attributes(BY_NAME[card].effects[effect])
    assert {name: int(value) for name, value in zip(EFFECT, row, strict=True) if value} == expected


def test_faces_are_printed_ones() -> None:
    game = SPEC.configure(ATTRIBUTES)
    for card, row in zip(game.components["cards"], game.t.attributes, strict=True):
        face = dict(zip(FACE, row, strict=False))
        assert face["age"] == card["age"] and face[f"is {card['colour']}"] == face[f"dogma of {card['dogma']}"] == 1
        assert sum(face.values()) - card["age"] == 5  # a colour, a dogma icon and three icons
        assert [face[f"{icon} top left"] for icon in [card["icons"][0]] if icon] in ([], [1])


def test_no_two_cards_look_alike_and_no_number_is_too_high() -> None:
    for components in ("printed", "random:5"):
        rows = SPEC.configure({"components": components, **ATTRIBUTES}).t.attributes
        assert len(np.unique(rows, axis=0)) > 100 and (rows <= np.array(SCALES)).all()


def test_rows_follow_the_pack_of_each_game() -> None:
    """Games of one batch are of several packs, and each shows the cards of its own."""
    game = SPEC.configure({"players": 2, "components": "random:0-3", **ATTRIBUTES})
    batch = Batch(game, 8, seed=5)
    where = game.features.slices()["card_attributes"]
    shown = batch.codes[:, where].reshape(8, len(NAMES), -1)
    packs = batch.packs().tolist()
    assert len(set(packs)) > 1
    for rows, pack in zip(shown, packs, strict=True):
        cards = np.flatnonzero(rows.any(1))
        assert len(cards) and (rows[cards] == game.packs[pack].t.attributes[cards]).all()


def test_a_card_list_of_somebody_is_described_too() -> None:
    cards = [dict(card) for card in SPEC.configure().components["cards"]]
    cards[0]["effects"] = [{"recipe": "draw", "value": 9, "times": 3}]
    game = SPEC.configure(ATTRIBUTES, {"cards": cards})
    first = dict(zip(EFFECT, game.t.attributes[0, len(FACE) :], strict=False))
    assert first["value drawn"] == 9 and first["cards drawn"] == 3


def test_the_option_is_checked() -> None:
    with pytest.raises(OptionError, match=r"innovation: option observation='all': .*'ids' or 'attributes'"):
        SPEC.configure({"observation": "all"})
    assert card_attributes([], []).shape == (0, len(SCALES))


@pytest.mark.parametrize("name", ["reference", "reference-policy"])
def test_players_that_learnt_without_attributes_say_so(name: str) -> None:
    expected = r"the agent learnt with observation='ids', and this game has observation='attributes'; \"greedy\" plays"
    with pytest.raises(CheckpointError, match=expected):
        make_player(name, SPEC.configure({"players": 2, **ATTRIBUTES}))
