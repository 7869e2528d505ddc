"""What observations say of the cards: what they are and do, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from theogony.envs.core.batch import Batch
from theogony.envs.core.position import Position
from theogony.envs.innovation.actions import COLOUR_AT, DRAW_AT, NAMES
from theogony.envs.innovation.cards import BY_NAME
from theogony.envs.innovation.cards.description import EFFECT, FACE, SCALES, describe_effect
from theogony.envs.innovation.game import SPEC
from theogony.envs.innovation.state import ACTION, SPLAY_COLOUR, cards_in

TABLES = [{"players": 2}, {"players": 3, "components": "random:0-9"}, {"players": 4}]


def played(seed: int, **options: Any) -> Iterator[Position]:
    """A game at random, decision by decision."""
    position, rng = Position(SPEC.configure(options), seed), np.random.default_rng(seed)
    while not position.over:
        yield position
        position.play(int(rng.choice(position.legal_actions())))


def seen(position: Position, seat: int) -> Any:
    """What a seat sees, as a record of features."""
    return position.game.features.records(position.observe_codes(seat).copy())[0]


def described(position: Position) -> np.ndarray:
    """What the cards in play are and do."""
    return position.game.t.described


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_cards_are_described_that_a_seat_knows(options: dict[str, Any]) -> None:
    for position in played(1, **options):
        g, rows = position.g, described(position)
        for seat in range(g.players):
            here = [cards_in(area[other]) for area in (g.hand, g.scored, g.shown, g.tops) for other in range(g.players)]
            known = set().union(*here) & set(cards_in(g.known[seat]))
            shown = seen(position, seat).cards
            assert g.reordered or set(np.flatnonzero(shown.any(1))) == known
            assert all((shown[card] == rows[card]).all() for card in known)


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_nothing_is_said_of_hands_that_nobody_has_seen(options: dict[str, Any]) -> None:
    position = Position(SPEC.configure(options), 3)
    for seat in range(position.game.players):
        others = [card for other, hand in enumerate(position.g.hand) if other != seat for card in cards_in(hand)]
        assert others and not seen(position, seat).cards[others].any()


def test_a_pile_that_is_put_in_order_is_described() -> None:
    found = 0
    for position in (position for seed in range(40) for position in played(seed, players=2)):
        if position.g.reordered:
            found += 1
            cards = [action for action in position.legal_actions() if action < len(NAMES)]
            assert seen(position, position.actor).cards[cards].any(1).all()
    assert found


def test_top_cards_and_the_effect_that_runs() -> None:
    performed = 0
    for position in played(2):
        g, t, f = position.g, position.game.t, seen(position, 1)
        for row, seat in enumerate((1, 0)):
            for colour in range(5):
                top = int(g.top[5 * seat + colour])
                assert (f.tops[row, colour] == (t.described[top] if top >= 0 else 0)).all()
        if g.depth:
            performed += 1
            effect = t.described_effects[g.frame_card[g.depth - 1], g.frame_effect[g.depth - 1]]
            assert (f.performed == effect).all() and effect.any()
        else:
            assert not f.performed.any()
    assert performed > 10


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_a_draw_brings_the_value_that_was_said(options: dict[str, Any]) -> None:
    drawn = 0
    for position in (position for seed in range(4) for position in played(seed, **options)):
        if position.g.decision != ACTION or DRAW_AT not in position.legal_actions():
            continue
        seat, value = position.actor, int(seen(position, position.actor).draws[0])
        before, after = set(cards_in(position.g.hand[seat])), position.clone()
        after.play(DRAW_AT)
        if value > 10:
            assert after.over == 1
        else:
            (card,) = set(cards_in(after.g.hand[seat])) - before
            assert position.game.components["cards"][card]["age"] == value
            drawn += 1
    assert drawn > 50


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_a_splay_shows_as_many_icons_as_was_said(options: dict[str, Any]) -> None:
    splayed = 0
    for position in (position for seed in range(12) for position in played(seed, **options)):
        if position.g.decision != SPLAY_COLOUR:
            continue
        seat, f = position.actor, seen(position, position.actor)
        (way,) = np.flatnonzero(f.direction)
        for colour in (int(action) - COLOUR_AT for action in position.legal_actions() if action >= COLOUR_AT):
            after, pile = position.clone(), 5 * seat + colour
            after.play(COLOUR_AT + colour)
            if (after.g.height == position.g.height).all():  # nothing else has happened
                shows = np.array([0, *f.covered[colour]], int)
                gained = shows[way] - shows[position.g.splay[pile]]
                assert after.g.splay[pile] == way and _icons(after, seat) - _icons(position, seat) == gained
                splayed += 1
    assert splayed > 10


def _icons(position: Position, seat: int) -> int:
    return sum(int(position.g.icons[seat]) >> 8 * icon & 255 for icon in range(6))


@pytest.mark.parametrize(
    ("card", "effect", "expected"),
    [
        ("Writing", 0, {"cards: drawn": 1, "value drawn": 2}),
        ("The Wheel", 0, {"cards: drawn": 2, "value drawn": 1}),
        (
            "Archery",
            0,
            {"demands": 1, "demanded: drawn": 1, "demanded: from hand": 1, "demanded for oneself": 1},
        ),
        ("Oars", 1, {"cards: drawn": 1, "value drawn": 1, "on a condition": 1}),
        ("Philosophy", 0, {"splays left": 1}),
        ("Philosophy", 1, {"cards: scored": 1}),
        ("Metalworking", 0, {"cards: drawn": 1, "cards: scored": 1, "value drawn": 1, "on a condition": 1}),
        ("Canal Building", 0, {"cards: transferred": 4}),
    ],
)
def test_what_printed_effects_say(card: str, effect: int, expected: dict[str, int]) -> None:
    row = describe_effect(BY_NAME[card].effects[effect], 1)
    assert {name: int(value) for name, value in zip(EFFECT, row, strict=True) if value} == expected


def test_faces_are_printed_ones() -> None:
    game = SPEC.configure()
    for card, row in zip(game.components["cards"], game.t.described, strict=True):
        face = {name: int(value) for name, value in zip(FACE, row, strict=False) if value}
        icons = {f"icons: {icon}": card["icons"].count(icon) for icon in card["icons"] if icon}
        assert face == {"age": card["age"], f"dogma: {card['dogma']}": 1, **icons}


@pytest.mark.parametrize("components", ["printed", "random:5"])
def test_cards_that_differ_look_different_and_no_number_is_too_high(components: str) -> None:
    rows = SPEC.configure({"components": components}).t.described
    assert len(np.unique(rows, axis=0)) > 100 and (rows <= np.array(SCALES)).all()
    assert rows.any(0).sum() > 25


def test_descriptions_follow_the_pack_of_each_game() -> None:
    """Games of one batch are of several packs, and each shows the cards of its own."""
    game = SPEC.configure({"players": 2, "components": "random:0-3"})
    batch = Batch(game, 8, seed=5)
    shown = batch.codes[:, game.features.slices()["cards"]].reshape(8, len(NAMES), -1)
    packs = batch.packs().tolist()
    assert len(set(packs)) > 1
    for rows, pack in zip(shown, packs, strict=True):
        cards = np.flatnonzero(rows.any(1))
        assert len(cards) and (rows[cards] == game.packs[pack].t.described[cards]).all()


def test_a_card_list_of_somebody_is_described_too() -> None:
    cards = [dict(card) for card in SPEC.configure().components["cards"]]
    cards[0]["effects"] = [{"recipe": "draw", "value": 9, "times": 3}]
    game = SPEC.configure({}, {"cards": cards})
    first = dict(zip(EFFECT, game.t.described[0, len(FACE) :], strict=True))
    assert first["value drawn"] == 9 and first["cards: drawn"] == 3
