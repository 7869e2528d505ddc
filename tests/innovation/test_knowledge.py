"""Who knows what (§7): nothing is shown that the rules do not show, and nothing is forgotten without need."""

from collections.abc import Callable

import numpy as np
import pytest
from moves import legal_texts

from theogony.envs.core.position import Position
from theogony.envs.innovation.actions import NAMES
from theogony.envs.innovation.cards.opcodes import SCORE_IT
from theogony.envs.innovation.cards.rows import ANY_CARD
from theogony.envs.innovation.game import SPEC
from theogony.envs.innovation.rules.moves import carry_out
from theogony.envs.innovation.state import ACTION, ORDER, REMOVED, cards_in, pile_of


def knows(position: Position, seat: int, name: str) -> bool:
    return NAMES.index(name) in cards_in(position.g.known[seat])


def views(position: Position, seat: int) -> tuple[bytes, str, str]:
    """All that a seat receives: observation, text and picture."""
    spec, game = position.game.spec, position.game
    picture = spec.render_svg(game, position.g, seat)
    return position.observe(seat).tobytes(), spec.render_text(game, position.g, seat), picture


def redrawn(position: Position, seat: int, dice: int) -> Position:
    other = position.clone()
    other.resample(seat, np.array([dice], np.uint64))
    return other


def test_a_transferred_card_is_known_to_both_and_to_nobody_else(lay: Callable, play: Callable) -> None:
    position = lay(
        players=3,
        p0={"board": {"Archery": "none", "Masonry": "none"}},
        p1={"board": {"Sailing": "none"}, "hand": ["Paper"]},
        p2={"board": {"Metalworking": "none", "Domestication": "none"}},
    )
    play(position, "dogma of red")
    assert [knows(position, seat, "Paper") for seat in range(3)] == [True, True, False]


def test_a_card_that_may_have_left_is_forgotten(lay: Callable, play: Callable) -> None:
    """Seat 1 has seen Paper in the hand of seat 0; one of two cards of that value leaves it unseen."""
    position = lay(
        p0={"board": {"Agriculture": "none"}, "hand": ["Paper", "Compass", "Optics"]},
        p1={"board": {"Tools": "none"}},
    )
    for name in ("Paper", "Optics"):
        position.g.known[1, 0] |= np.uint64(1 << NAMES.index(name))
    play(position, "dogma of yellow", "card Compass")
    assert not knows(position, 1, "Paper") and not knows(position, 1, "Optics")


def test_an_empty_demand_shows_the_hand(lay: Callable, play: Callable) -> None:
    """Oars asks for a crown: who has none shows the hand (§7)."""
    position = lay(p0={"board": {"Oars": "none"}}, p1={"board": {"Pottery": "none"}, "hand": ["Tools"]})
    play(position, "dogma of red")
    assert knows(position, 0, "Tools")


def test_who_has_no_castle_for_machinery_shows_nothing(lay: Callable, play: Callable) -> None:
    """A demand lets a hand be shown (§7); the second effect of Machinery is shared (ruling R8)."""
    sharer = {"board": {"Pottery": "none"}, "hand": ["Calendar"]}
    position = lay(p0={"board": {"Machinery": "none"}, "hand": ["Paper"]}, p1=sharer)
    play(position, "dogma of yellow")
    assert not knows(position, 1, "Paper") and not knows(position, 0, "Calendar")


SCORER = {"board": {"Machinery": "none"}}
WATCHER = {"board": {"Pottery": "none"}}


@pytest.mark.parametrize("players", [2, 3])
def test_the_castle_that_machinery_scores_is_shown_to_nobody(players: int, lay: Callable, play: Callable) -> None:
    """It goes from one hidden place to another: the others see a back (§7, ruling R8)."""
    position = lay(players=players, p0={**SCORER, "hand": ["Archery", "Masonry", "Paper"]}, p1=WATCHER)
    play(position, "dogma of yellow")
    before, other = position.clone(), position.clone()
    play(position, "card Masonry")
    play(other, "card Archery")
    assert knows(position, 0, "Masonry") and NAMES.index("Masonry") in cards_in(position.g.scored[0])
    told = position.game.spec.move_text
    assert told is not None
    for seat in range(1, players):
        assert not knows(position, seat, "Masonry") and views(position, seat) == views(other, seat)
        assert told(position.game, before.g, NAMES.index("Masonry"), position.g, seat) == "a card of value 1"
    assert told(position.game, before.g, NAMES.index("Masonry"), position.g, None) == "a card of value 1"


def machinery_scores(lay: Callable, play: Callable, hand: list[str], seen: list[str], **board: str) -> Position:
    """Seat 0 scores the first card of its hand; seat 1 has seen some of the cards there."""
    score = {"board": {"Machinery": "none", **board}, "hand": hand}
    position = lay(p0=score, p1={"board": {"Pottery": "none"}})
    for name in seen:
        position.g.known[1, 0] |= np.uint64(1 << NAMES.index(name))
    play(position, "dogma of yellow")
    if position.g.decision != ACTION:
        play(position, f"card {hand[0]}")
    assert cards_in(position.g.scored[0]) == [NAMES.index(hand[0])]
    return position


def test_who_knows_the_hand_knows_its_only_castle(lay: Callable, play: Callable) -> None:
    """Cards without a castle cannot have been scored, so seat 1 knows which one was, and where the others are."""
    hand = ["Archery", "Agriculture", "Writing"]
    position = machinery_scores(lay, play, hand, hand)
    assert all(knows(position, 1, name) for name in hand)


def test_who_has_seen_two_castles_knows_only_that_the_others_stayed(lay: Callable, play: Callable) -> None:
    hand = ["Archery", "Masonry", "Agriculture"]
    position = machinery_scores(lay, play, hand, hand)
    assert [knows(position, 1, name) for name in hand] == [False, False, True]
    assert not knows(position, 1, "Oars")


def test_an_unseen_card_may_have_been_the_castle(lay: Callable, play: Callable) -> None:
    """Whatever the unseen card of that value is: seat 1 does not learn that it has no castle."""
    for unseen in ("Writing", "Oars"):
        position = machinery_scores(lay, play, ["Archery", "Agriculture", unseen], ["Archery", "Agriculture"])
        assert [knows(position, 1, name) for name in ("Archery", "Agriculture", unseen)] == [False, True, False]


def test_the_last_castle_of_its_value_needs_no_showing(lay: Callable, play: Callable) -> None:
    """The other three castles of value 3 lie on boards, so all know the fourth, whatever else is in the hand."""
    others = {"Alchemy": "none", "Engineering": "none"}
    position = machinery_scores(lay, play, ["Feudalism", "Paper"], [], **others)
    assert knows(position, 1, "Feudalism") and not knows(position, 1, "Paper")
    position = machinery_scores(lay, play, ["Feudalism", "Paper"], [], Alchemy="none")
    assert not knows(position, 1, "Feudalism")


def test_fission_shows_no_hand_and_no_score_pile(lay: Callable, play: Callable) -> None:
    """What lay on boards was seen by all; the others' hidden cards leave the game face down (ruling R10)."""
    position = lay(
        p0={"board": {"Fission": "none", "Sailing": "none"}, "hand": ["Tools"], "score": ["Canning"]},
        p1={"hand": ["Oars"]},
        supply={10: ["Robotics"]},
    )
    play(position, "dogma of red")
    assert [knows(position, 0, name) for name in ("Tools", "Canning", "Oars")] == [True, True, False]
    assert [knows(position, 1, name) for name in ("Tools", "Canning", "Oars")] == [False, False, True]
    assert all(knows(position, 1, name) for name in ("Fission", "Sailing", "Robotics"))
    places = {int(redrawn(position, 1, k).g.place[NAMES.index("Tools")]) for k in range(30)}
    assert len(places) > 1 and REMOVED in places  # another 1 may have left with the hand
    assert len({views(redrawn(position, 1, k), 1) for k in range(10)}) == 1


PILE = {"Writing": "left", "Tools": "left", "Calendar": "left", "Publications": "left"}


def ordered(lay: Callable, play: Callable, *cards: str) -> Position:
    """Seat 0 puts its blue pile in this order, from the top down; seat 1 has too few bulbs to share."""
    position = lay(p0={"board": PILE}, p1={"board": {"Sailing": "none"}})
    play(position, "dogma of blue", "colour blue", *(f"card {name}" for name in cards))
    return position


def test_publications_shows_its_new_order_to_the_owner_only(lay: Callable, play: Callable) -> None:
    """The others see the new top card; which card lies where beneath it is the owner's secret (ruling R11)."""
    one = ordered(lay, play, "Calendar", "Tools", "Writing")
    two = ordered(lay, play, "Calendar", "Publications", "Writing")
    assert pile_of(one.g, 0) != pile_of(two.g, 0)
    assert views(one, 1) == views(two, 1) and views(one, 0) != views(two, 0)
    orders = {tuple(pile_of(redrawn(one, 1, k).g, 0)) for k in range(60)}
    assert len(orders) == 6 and {order[0] for order in orders} == {NAMES.index("Calendar")}
    assert {tuple(pile_of(redrawn(one, 0, k).g, 0)) for k in range(9)} == {tuple(pile_of(one.g, 0))}


def test_the_order_is_secret_while_it_is_made(lay: Callable, play: Callable) -> None:
    one, two = ordered(lay, play, "Calendar", "Tools"), ordered(lay, play, "Calendar", "Publications")
    assert one.g.decision == two.g.decision == ORDER
    assert views(one, 1) == views(two, 1)
    drawn = redrawn(one, 1, 3)
    assert drawn.legal_actions().size == one.legal_actions().size == 2
    assert redrawn(two, 1, 3).key() == drawn.key()


def test_a_card_of_an_unknown_order_is_seen_when_it_comes_to_the_top(lay: Callable, play: Callable) -> None:
    """And when the place of a single covered card is left open, it is no secret either (ruling R11)."""
    position = ordered(lay, play, "Calendar", "Tools", "Writing")
    assert secret(position) == {"Tools", "Writing", "Publications"}
    score_top(position)
    assert secret(position) == {"Writing", "Publications"}
    score_top(position)
    assert secret(position) == set()


def secret(position: Position) -> set[str]:
    """The covered cards of which only the owner knows where they lie."""
    return {NAMES[card] for card in cards_in(position.g.mixed)}


def score_top(position: Position) -> None:
    """Score the top card of the blue pile of seat 0, as an effect would."""
    card = int(position.g.top[0])
    carry_out(position.g, position.game.tables[0], card, SCORE_IT, 0, 0, position.g.shown[0], ANY_CARD)


def test_cards_behind_backs_are_chosen_by_value(lay: Callable, play: Callable) -> None:
    """Rocketry: two cards of the same value are one option, and chance decides between them (§4.11)."""
    board = {"Rocketry": "none"}
    position = lay(p0={"board": board}, p1={"score": ["Tools", "Oars", "Paper"]})
    play(position, "dogma of blue")
    assert legal_texts(position) == ["a 1 of player 1 to the left", "a 3 of player 1 to the left"]
    gone = set()
    for seed in range(8):
        other = position.clone()
        other.g.rng[0] = seed
        play(other, "a 1 of player 1 to the left")
        gone |= {name for name in ("Tools", "Oars") if NAMES.index(name) not in cards_in(other.g.scored[1])}
    assert gone == {"Tools", "Oars"}


def test_a_single_back_is_no_question(lay: Callable, play: Callable) -> None:
    """Rocketry: the only score pile holds cards of one value, so chance takes one at once (§4.11, ruling R14)."""
    position = lay(p0={"board": {"Rocketry": "none"}}, p1={"score": ["Tools", "Oars"]})
    gone = set()
    for seed in range(8):
        other = position.clone()
        other.g.rng[0] = seed
        play(other, "dogma of blue")
        assert other.g.decision == ACTION and len(cards_in(other.g.scored[1])) == 1
        gone |= set(cards_in(other.g.scored[1]))
    assert gone == {NAMES.index("Tools"), NAMES.index("Oars")}


@pytest.mark.parametrize(("card", "area"), [("Medicine", "score"), ("Sanitation", "hand")])
def test_ties_in_a_hidden_area_are_left_to_chance(card: str, area: str, lay: Callable, play: Callable) -> None:
    """The victim sees backs, so of the active player's lowest cards chance takes one; nobody is asked (ruling R7)."""
    position = lay(p0={"board": {card: "none"}, area: ["Tools", "Oars", "Paper"]}, p1={area: ["Software"]})
    taken = set()
    for seed in range(8):
        other = position.clone()
        other.g.rng[0] = seed
        play(other, "dogma of yellow")
        seats = other.game.to_json(other.g)["players"]
        assert NAMES.index("Software") in seats[0][area] and len(seats[1][area]) == 1
        taken |= {NAMES[c] for c in seats[1][area]}
    assert taken == {"Tools", "Oars"}


def test_a_question_about_a_hand_is_redrawn_alike_whatever_the_truth(lay: Callable, play: Callable) -> None:
    """Machinery asks seat 0 for castles; most draws of its hand hold too few of them, and are drawn again."""
    hand = ["Domestication", "Masonry", "Agriculture", "Pottery"]
    position = lay(p0={"board": {"Machinery": "none"}, "hand": hand}, p1={"board": {"Fermenting": "none"}})
    play(position, "dogma of yellow")
    assert legal_texts(position) == ["card Domestication", "card Masonry"]
    for dice in range(20):
        other = redrawn(position, 1, 100 + dice)
        assert redrawn(other, 1, dice).key() == redrawn(position, 1, dice).key()


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_resample_of_a_seat_changes_nothing_that_it_sees(players: int) -> None:
    """At every decision of a game, inside effects too; and what it draws does not depend on the truth."""
    position = Position(SPEC.configure({"players": players}), 11)
    generator = np.random.default_rng(0)
    moved = 0
    while not position.over:
        seat = int(generator.integers(players))
        other = position.clone()
        other.resample(seat, np.array([position.now], np.uint64))
        assert other.observe(seat).tobytes() == position.observe(seat).tobytes()
        if position.actor == seat:
            assert (other.mask == position.mask).all()
        assert SPEC.invariant is not None and SPEC.invariant(other.game, other.g) is None
        moved += int((other.g.place != position.g.place).sum())
        again, once_more = position.clone(), other.clone()
        again.resample(seat, np.array([77], np.uint64))
        once_more.resample(seat, np.array([77], np.uint64))
        assert again.key() == once_more.key()
        position.play(int(generator.choice(position.legal_actions())))
    assert moved > 1000
