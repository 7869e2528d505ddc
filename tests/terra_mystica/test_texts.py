"""What is said of moves, offers and factions is what comes of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from theogony.envs.core.draw.places import move_words
from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.actions import BOARD, SPECIALS
from theogony.envs.terra_mystica.components import BONUS, FAV12, ROUNDS
from theogony.envs.terra_mystica.game import SPEC
from theogony.envs.terra_mystica.render.tiles import bonus_tile
from theogony.envs.terra_mystica.render.words import headline, offered, title_of_seat
from theogony.envs.terra_mystica.rules.reach import lay_bridge
from theogony.envs.terra_mystica.state import LEECH, MAIN, TURN
from theogony.envs.terra_mystica.story import note, story


def named(position: Position) -> dict[str, int]:
    """The legal actions by their texts."""
    return {position.game.actions.text(int(a)): int(a) for a in position.legal_actions()}


def chosen(position: Position, rng: np.random.Generator, liked: tuple[str, ...]) -> int:
    """A random action, mostly one that begins with these words; no conversion and no passing where that can be."""
    actions = named(position)
    actions = {k: v for k, v in actions.items() if not k.startswith(("convert", "burn", "pass"))} or actions
    best = [action for text, action in actions.items() if text.startswith(liked) and "partly" not in text]
    return int(rng.choice(best if best and rng.random() < 0.8 else list(actions.values())))


@pytest.mark.parametrize("options", [{}, {"ruleset": "chinese"}])
def test_an_offer_says_what_it_brings_and_costs(options: dict[str, Any]) -> None:
    game, rng = SPEC.configure({"players": 4, **options}), np.random.default_rng(2)
    found = reduced = 0
    for seed in range(12):
        position = Position(game, seed)
        while not position.over:
            takes = [a for text, a in named(position).items() if text.startswith("leech")]
            if position.g.decision == LEECH and takes:
                seat, said, before = int(position.g.actor), offered(game, position.g), position.g.copy()
                assert said in headline(game, position.g, seat)
                position.play(takes[0])
                price = int(before.vp[seat]) - int(position.g.vp[seat])
                _, two, three = (position.g.bowls[seat].astype(int) - before.bowls[seat]).tolist()
                told = re.match(r"(\d+) .*, for (?:(\d+) points?|nothing)$", said)
                assert told and (int(told[1]), int(told[2] or 0)) == (two + 2 * three, price), said
                assert " 1 points" not in said
                found, reduced = found + 1, reduced + (" of the " in said.split("power")[0])
            else:
                position.play(chosen(position, rng, ("build", "upgrade", "settle")))
    assert found > 50 and reduced


def test_spades_that_are_given_up_are_told() -> None:
    """§6.1: building with a free spade left, or ending the turn, loses it."""
    game, told = SPEC.configure({"players": 3}), set()
    for seed in range(150):
        position, rng = Position(game, seed), np.random.default_rng(seed)
        while not position.over:
            spades = int(position.g.spades)
            actions = named(position)
            for text, action in actions.items():
                if text == "done" or text.startswith("build"):
                    other = position.clone()
                    other.play(action)
                    said = note(game, position.g, action, other.g, None)
                    assert ("lost" in said) == bool(spades), (text, said)
                    if spades:
                        assert f"{spades} spade" in said
                        told.add(text.split()[0])
            liked = ("action ACT6", "action ACT5") if spades == 0 else ("transform",)
            position.play(chosen(position, rng, liked))
        if told == {"build", "done"}:
            return
    pytest.fail(f"only {told} came up")


def test_a_dwelling_is_not_said_to_transform_its_space() -> None:
    assert "transformed first" not in SPEC.configure().vocabulary["action", "build"].does


@pytest.mark.parametrize(
    ("options", "there"), [({}, True), ({"cultists_power": False}, False), ({"ruleset": "chinese"}, False)]
)
def test_the_power_of_the_cultists_is_told_where_it_is_in_force(options: dict[str, Any], there: bool) -> None:
    game = SPEC.configure(options)
    assert ("when all decline" in game.vocabulary["faction", "cultists"].does) == there


def noted(table: Any, text: str) -> str:
    """Plays a move; what is said of it beforehand."""
    position = table.position
    before, action = position.g.copy(), position.game.actions.parse(text)
    position.play(action)
    return note(position.game, before, action, position.g, None)


@pytest.mark.parametrize("first", [0, 1])
def test_every_pass_tells_all_its_points_the_last_one_of_a_round_too(table: Callable[..., Any], first: int) -> None:
    """§6.8: two trading houses with the favor tile of passing are 3 points, and so is a bridge of the Engineers."""
    at = table("engineers", "witches").put(0, A3="SH", C1="D", A2="TP", A1="TP")
    site = BOARD.sites.index((BOARD.land.index("A3"), BOARD.land.index("C1")))
    lay_bridge(at.g, at.position.tables[0], 0, site)
    at.g.favors[0][FAV12] = 1
    at.turn(first)
    said = [noted(at, at.legal("pass")[0]) for _ in range(2)][first]
    assert "+6 points" in said


def test_power_that_an_action_costs_and_brings_is_told_apart(table: Callable[..., Any]) -> None:
    """§12: the Alchemists gain 2 power for each of the two spades that they paid 6 for."""
    at = table("alchemists", "witches").put(0, C1="SH").has(0, bowls=(0, 8, 2))
    assert noted(at, "action ACT6") == "−6 power, −4 tokens of power burned, +4 power"


def test_a_game_that_was_cut_off_has_no_winner() -> None:
    position = Position(SPEC.configure({"players": 2, "max_decisions": 8}), 0)
    while not position.over:
        before, action = position.g.copy(), int(position.legal_actions()[0])
        position.play(action)
    assert headline(position.game, position.g) == "game over: cut off"
    assert story(position.game, before, action, position.g, None)[-1] == "The game is over: cut off."
    assert "largest area" not in position.svg(), "it was not counted"


def test_every_neighbour_that_is_asked_is_told_of(table: Callable[..., Any]) -> None:
    """§8: both neighbours of a new trading house may take power, one after the other."""
    at = table("witches", "giants", "nomads").put(0, A6="D").put(1, A7="TP", B3="D").put(2, A5="D")
    told = []
    for move in ("upgrade A6 to TP", "leech 3 from witches"):
        before, action = at.g.copy(), at.position.game.actions.parse(move)
        at.position.play(action)
        told.append(" ".join(story(at.position.game, before, action, at.g, None)))
    assert "Giants may take 3 power of the Witches" in told[0]
    assert "Nomads may take 1 power of the Witches" in told[1]


def test_who_skips_spaces_has_no_shipping() -> None:
    """§6.2: what Dwarves and Fakirs begin with is the distance that they skip."""
    position = Position(SPEC.configure({"players": 2}), 0)
    before, action = position.g.copy(), position.game.actions.parse("setup dwarves")
    position.play(action)
    assert "1 skipping" in (said := " ".join(story(position.game, before, action, position.g, None)))
    assert "shipping" not in said


def test_r22_and_r25_are_told_where_they_are_in_force() -> None:
    """R22, R25: a priest of a single step leaves the cult board; one special action a round."""
    usual, chinese = (SPEC.configure({"ruleset": ruleset}).vocabulary for ruleset in ("usual", "chinese"))
    assert "1 and it returns to the supply" in usual["action", "send"].does
    assert "for 1 step one of yours leaves it" in chinese["action", "send"].does
    assert "each seat uses one a round" in chinese["action", "special action"].does


def test_your_colour_is_said_to_who_transforms() -> None:
    position = Position(SPEC.configure({"players": 2}), 0)
    action, seat = position.game.actions.parse("transform A5"), position.actor
    said = {who: move_words(position.game, position.g, action, position.g, who) for who in (seat, 1 - seat, None)}
    assert said.pop(seat) == "transform A5 to your colour"
    assert set(said.values()) == {"transform A5 to their own colour"}


def test_signs_stay_within_the_narrow_card_of_a_seat() -> None:
    game, sign = SPEC.configure({}), re.compile(r"translate\(([\d.]+) [\d.]+\) scale\(([\d.]+)\)")
    for k, name in enumerate(BONUS):
        ends = [float(x) + 24 * float(scale) for x, scale in sign.findall(bonus_tile(game, k, 0, 96, 46))]
        assert max(ends, default=0) <= 96, name


@pytest.mark.parametrize("turn_order", ["clockwise", "passing"])
def test_a_text_tells_the_order_and_which_actions_are_used(turn_order: str) -> None:
    """Who begins the next round, and what nobody can do again in this one: a position is told without its past."""
    game, rng, seen = SPEC.configure({"players": 3, "turn_order": turn_order}), np.random.default_rng(4), set()
    for seed in range(2):
        position = Position(game, seed)
        while not position.over:
            g = position.g
            text = SPEC.render_text(game, g, 0)
            if g.round_number in range(1, 6):
                order = [title_of_seat(g, int(seat)) for seat in g.order[:3]]
                line = f"turn order: {', '.join(order)}"
                passed = [title_of_seat(g, int(seat)) for seat in g.next_order[: int(g.passed_count)]]
                if passed:
                    told = passed[0] + " begins the next round" if turn_order == "clockwise" else "in the next round "
                    line += f"; {told}" + (", ".join(passed) if turn_order == "passing" else "")
                assert f"{line}\n" in text
                seen |= {"passed"} if passed else set()
            used = [(seat, key) for seat in range(3) for k, key in enumerate(SPECIALS) if g.specials_used[seat, k]]
            assert text.count("  used in this round: ") == len({seat for seat, _ in used})
            assert all(game.vocabulary.name("special action", key) in text for _, key in used)
            seen |= {key for _, key in used}
            assert text.count("of the cult bonus to use") == np.count_nonzero(g.spades_due)
            assert ("another action after this one" in text) == (g.turns_left > 1 and g.decision in (MAIN, TURN))
            seen |= {"double"} if g.turns_left > 1 else set()
            seen |= {"spades"} if g.spades_due.any() else set()
            position.play(chosen(position, rng, ("action BON", "action ACTC", "upgrade", "build", "setup chaos")))
    assert {"passed", "BON2"} <= seen, seen


def test_the_last_round_pays_no_steps_the_card_lengthens_shipping_and_a_turn_whose_action_is_taken_says_so() -> None:
    game, seen = SPEC.configure({"players": 2}), set()
    for seed in range(4):
        position, rng = Position(game, seed), np.random.default_rng(seed)
        while not position.over:
            text, g = SPEC.render_text(game, position.g, 0), position.g
            assert ("at the end of the round" in text) == (0 < g.round_number < 6)
            assert text.count("next income: ") == (g.faction[:2] >= 0).sum() * (g.round_number < 6)
            cards = [int(g.card[s]) for s in range(2) if g.faction[s] >= 0 and not game.tables[0].skips[g.faction[s]]]
            assert text.count("+ 1 by the card") == cards.count(BONUS.index("BON4"))
            if g.decision == TURN and "its action is taken" in text:
                assert {name.split()[0] for name in named(position)} <= {
                    "convert",
                    "burn",
                    "done",
                    "build",
                    "transform",
                }
                seen.add("taken")
            position.play(chosen(position, rng, ("send", "build", "upgrade", "action")))
    assert seen


def test_building_tells_what_it_changes_of_the_income(table: Callable[..., Any]) -> None:
    """§5.1: a dwelling that becomes a trading house covers the worker that it brought and uncovers coins and power."""
    at = table("darklings", "witches").put(0, C1="D", B3="D")
    at.g.coins[0], at.g.workers[0] = 20, 10
    at.turn(0)
    assert noted(at, "upgrade C1 to TP").partition("income ")[2] == "−1 worker, +2 coins, +1 power"
    at = table("darklings", "witches").put(0, C1="D", B3="D")
    at.g.coins[0], at.g.workers[0] = 20, 10
    at.turn(0)
    at.g.round_number = ROUNDS
    assert "income" not in noted(at, "upgrade C1 to TP")  # none comes after the last round
    game, position = at.position.game, Position(at.position.game, 7)
    for action in position.legal_actions():
        other = position.clone()
        other.play(int(action))
        assert "income" not in note(game, position.g, int(action), other.g, None)  # nothing is built by choosing
