"""What is said of decisions and of what came of them holds: scoring and tucking, first melds, stopping, players."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from theogony.envs.core.draw.places import move_words
from theogony.envs.core.position import Position
from theogony.envs.core.vocabulary import rules_text
from theogony.envs.innovation.actions import CARD_AT, DOGMA_AT, STOP_AT
from theogony.envs.innovation.breakdown import account, icons_of
from theogony.envs.innovation.cards import effects_of
from theogony.envs.innovation.cards.opcodes import DONE, VERBS
from theogony.envs.innovation.cards.wording import sentence
from theogony.envs.innovation.components import COLOURS, ICONS
from theogony.envs.innovation.game import SPEC
from theogony.envs.innovation.render.text import render_text
from theogony.envs.innovation.render.words import status
from theogony.envs.innovation.state import BY_POINTS, CARD, HANDS, NONE, SPLAY_COLOUR, SUPPLY
from theogony.envs.innovation.story import story
from theogony.play.seen import asked, moment


def played(position: Position, rng: np.random.Generator) -> tuple[Any, int]:
    """Play a decision at random, dogmas more often than not: the record before it and the action."""
    actions = position.legal_actions()
    dogmas = [a for a in actions if DOGMA_AT <= a < DOGMA_AT + 5]
    before = position.g.copy()
    action = int(rng.choice(dogmas if dogmas and rng.random() < 0.6 else actions))
    position.play(action)
    return before, action


def done(line: str, verb: str) -> int:
    """How many cards a line says were scored, or tucked."""
    found = re.search(rf"\b{verb} (.*?)(?=, (?:gets|scores|tucks|melds|shows|takes|goes|splays|claims) |\.$)", line)
    if not found:
        return 0
    several = sum(int(n) - 1 for n in re.findall(r"(\d+) cards of value", found[1]))
    return len(re.split(r", | and ", found[1])) + several


def test_only_what_counts_as_scored_and_tucked_is_told_so() -> None:
    """Counters of a turn that goes on say how many cards a player scored and tucked; transfers are neither."""
    game, given = SPEC.configure({"players": 2}), 0
    for seed in range(60):
        position, rng = Position(game, seed), np.random.default_rng(seed)
        while not position.over:
            before, action = played(position, rng)
            if before.turn != position.g.turn or before.actions_left != position.g.actions_left:
                continue
            for line in story(game, before, action, position.g, "all"):
                if not line.startswith("Player "):
                    continue
                seat = int(line[7]) - 1
                for verb, counter in (("scores", "scores"), ("tucks", "tucks")):
                    counted = int(position.g[counter][seat]) - int(before[counter][seat])
                    assert done(line, verb) <= max(counted, 0), (line, verb, counted)
                given += "into the score pile" in line
    assert given


def test_all_choose_a_first_card() -> None:
    game = SPEC.configure({"players": 2})
    assert status(game, Position(game, 1).g, 0) == "all choose a first card; you begin with a card"


def test_a_dogma_that_does_nothing_says_so() -> None:
    """Else who has used it cannot tell whether it is over."""
    game, idle = SPEC.configure({"players": 2}), 0
    for seed in range(12):
        position, rng = Position(game, seed), np.random.default_rng(seed)
        while not position.over and position.now < 150:
            before, action = played(position, rng)
            if not DOGMA_AT <= action < DOGMA_AT + 5 or position.g.dogma >= 0 or position.over:
                continue
            said = story(game, before, action, position.g, "all")
            same = all((before[name] == position.g[name]).all() for name in ("place", "splay", "special"))
            assert (said[-1] == "Nothing is seen to change.") == same, said
            idle += same
    assert idle > 5


def test_stopping_and_players_are_called_by_what_they_mean() -> None:
    game, said = SPEC.configure({"players": 3}), set()
    for seed in range(40):
        position, rng = Position(game, seed), np.random.default_rng(seed)
        while not position.over and len(said) < 5:
            for action in map(int, position.legal_actions()):
                words = move_words(game, position.g, action, position.g, int(position.g.actor))
                kind, arguments = game.actions.decode(action)
                if action == STOP_AT:
                    chosen = position.g.decision == CARD and position.g.num[position.g.depth - 1, DONE]
                    card = "no more cards" if chosen else "choose no card"
                    assert words == (card if position.g.decision == CARD else "decline")
                    said.add(words)
                elif kind in ("player", "back"):
                    seat = (int(position.g.actor) + int(str(arguments[0]))) % 3
                    assert words.endswith(f"player {seat + 1}")
                    said.add(kind)
            played(position, rng)
    assert said == {"choose no card", "no more cards", "decline", "player", "back"}


def test_a_text_says_what_is_carried_out_and_what_becomes_of_a_choice() -> None:
    """Of effects with several choices no other line says whether a card is melded or returned, or how a pile is
    splayed."""
    game, kinds, rng = SPEC.configure({"players": 3}), set(), np.random.default_rng(5)
    for seed in range(4):
        position = Position(game, seed)
        while not position.over:
            g, seat = position.g, position.actor
            text = render_text(game, g, seat)
            if g.depth:
                card, effect = int(g.frame_card[g.depth - 1]), int(g.frame_effect[g.depth - 1])
                assert f"by you: {sentence(effects_of(game, card)[effect])}" in text
            if g.decision in (CARD, SPLAY_COLOUR) and g.depth:
                kinds.add(re.search(r"^asked for: .*?(splay \w+|be \w+|go to .*?)(?:;|$)", text, re.MULTILINE)[1])  # pyright: ignore[reportOptionalSubscript]
            played(position, rng)
    assert {"be melded", "be returned", "be scored", "be tucked", "splay left", "splay right"} <= kinds


def test_the_icons_in_a_text_are_those_that_count() -> None:
    """Top cards show all of their icons, covered ones what the splay leaves in view."""
    game, rng, splayed = SPEC.configure({"players": 2}), np.random.default_rng(2), 0
    for seed in range(2):
        position = Position(game, seed)
        while not position.over:
            played(position, rng)
            for seat, part in enumerate(re.split(r"^player \d", render_text(game, position.g, None), flags=re.M)[1:]):
                piles = [line for line in part.splitlines() if line.split()[:1] and line.split()[0] in COLOURS]
                seen = " ".join(shown for line in piles for shown in re.findall(r"\(\d+: (.*?)\)", line)).split()
                assert {icon: seen.count(icon) for icon in ICONS} == icons_of(position.g, seat)
                splayed += any(sign in line for line in piles for sign in "<>^")
    assert splayed


def test_an_end_by_points_does_not_say_that_the_supply_is_empty(lay: Any, play: Any) -> None:
    """Agriculture returns a 10 and draws an 11: the game ends with cards in every pile (§8.2)."""
    position = lay(p0={"board": {"Agriculture": "none"}, "hand": ["Software"]})
    play(position, "dogma of yellow", "card Software")
    assert position.over and position.g.ended_by == BY_POINTS and min(position.g.height[SUPPLY:]) > 0
    for said in (status(position.game, position.g), account(position.game, position.g).decided):
        assert "above 10" in said and "supply" not in said


def test_the_rule_that_a_word_cites_speaks_of_it() -> None:
    """An achievement of an age is claimed by an action (§3), a special one by itself (§6)."""
    rules = dict(re.findall(r"^\*\*(§\d) (.*?)(?=^\*\*§|^#)", rules_text(SPEC.module), re.MULTILINE | re.DOTALL))
    cited = {(entry.kind, entry.rule) for entry in SPEC.configure().vocabulary if entry.rule.startswith("§")}
    named = {"achievement": "achieve", "special achievement": "special", "splay": "splay", "card": "dogma icon"}
    assert {kind for kind, _ in cited} >= set(named)
    for kind, rule in cited:
        assert named.get(kind, "") in rules[rule].lower(), (kind, rule)


def test_the_running_action_tells_what_it_has_led_to() -> None:
    """Whether sharing has earned a draw, and a demand moved a card; what each has returned through Democracy."""
    game, rng, seen = SPEC.configure({"players": 3}), np.random.default_rng(3), set()
    for seed in range(25):
        position = Position(game, seed)
        while not position.over:
            g = position.g
            action = re.search(r"^this action: (.*)$", render_text(game, g, 0), re.MULTILINE)
            if action is not None:
                assert ("a draw at the end is earned by sharing" in action[1]) == bool(g.bonus)
                assert not ("has moved a card" in action[1] and not g.hit)
                counts = [f"{('you', 'player 2', 'player 3')[k]} {g.tally[k]}" for k in range(3) if g.tally[k]]
                assert (f"returned in it: {', '.join(counts)}" in action[1]) == bool(counts)
                seen |= {"bonus"} if g.bonus else set()
                seen |= {"demand"} if "has moved a card" in action[1] else set()
                seen |= {"tally"} if counts else set()
            played(position, rng)
        if {"bonus", "demand"} <= seen:
            break
    assert {"bonus", "demand"} <= seen, seen


def test_a_card_that_its_owner_returns_is_named_also_where_it_is_drawn_again_at_once() -> None:
    game, again = SPEC.configure({"players": 2}), 0
    for seed in range(30):
        position, rng = Position(game, seed), np.random.default_rng(seed)
        while not position.over:
            before, action = played(position, rng)
            kind, arguments = game.actions.decode(action)
            if kind == "card" and before.dogma != NONE and before.most > 0 and VERBS[before.aim] == "return":
                card = action - CARD_AT
                then, now = int(before.place[card]), int(position.g.place[card])
                lines = story(game, before, action, position.g, int(before.actor))
                told = [line for line in lines if f"{arguments[0]}" in line and "back to the supply" in line]
                assert len(told) == (now == then or SUPPLY <= now < HANDS), lines
                again += now == then and "drawn again" in told[0]
    assert again


@pytest.mark.parametrize(
    ("board", "colour", "question"),
    [
        (["Agriculture"], "yellow", "Choose a card to return, or decline."),
        (["Code of Laws", "Experimentation"], "purple", "Choose a card to tuck, or decline."),
        (["Chemistry"], "blue", "Choose a card to return."),
        (["Currency"], "green", "Choose cards to return, one by one, or decline."),
        (["Railroad"], "purple", "Choose cards to return, one by one: all of them go."),
        (["Philosophy", "Experimentation", "Translation"], "purple", "Choose a colour to splay left."),
    ],
)
def test_a_question_says_what_becomes_of_the_choice(
    board: list[str], colour: str, question: str, lay: Callable, play: Callable
) -> None:
    own = {"board": dict.fromkeys(board, "none"), "hand": ["Tools", "Writing"], "score": ["Oars", "Sailing"]}
    position = lay(p0=own)
    play(position, f"dogma of {colour}")
    assert asked(moment(position, position.now)) == question
