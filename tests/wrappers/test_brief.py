"""Short texts: what a reader who remembers is told, nothing twice, nothing left out, and moves that stand together."""

import random
import re
from typing import Any

import pytest

from theogony.envs import GAMES, load
from theogony.wrappers.text import TextEnv, rules_of
from theogony.wrappers.text.brief import CITED, grouped, rules_in_brief

# Of a whole first text: its rules keep what no later text tells, which in some games is nearly all of them.
FIRST = {"innovation": 0.25, "orbis": 0.8, "terra_mystica": 0.84, "push_of_faith": 0.88, "god_of_war": 0.96}


@pytest.mark.parametrize("name", GAMES)
def test_brief_texts_are_short_and_tell_nothing_twice(name: str) -> None:
    """Shorter from the first text on; the rulings that the rules cite come with them; a word is explained once."""
    whole, brief = (TextEnv(name, seat=0, opponents="random", brief=brief, repeat=True) for brief in (False, True))
    first = [env.reset(seed=3) for env in (whole, brief)]
    assert len(first[1]) < FIRST[name] * len(first[0]) and "| text, for example" not in first[1]
    assert not re.search(r"^#.*\n+(#|Answer)", first[1].partition("\n")[2], re.MULTILINE), "a heading without a text"
    words = brief.game.vocabulary
    cited = set(CITED.findall(rules_in_brief(rules_of(brief.game.spec), words))) & {e.key for e in words.of("ruling")}
    assert all(f"{key}: " in first[1] for key in cited)
    texts: list[list[str]] = [[], []]
    for k in range(14):
        if whole.over:
            break
        move = list(whole.legal_moves())[k % len(whole.legal_moves())]
        for env, told in zip((whole, brief), texts, strict=True):
            told.append(env.step(move))
    assert whole.position.key() == brief.position.key()
    totals = [sum(map(len, [one, *more])) for one, more in zip(first, texts, strict=True)]
    assert totals[1] < 0.7 * totals[0]
    news = re.findall(r"^New words:\n(.*?)(?:\n\n|\Z)", "\n\n".join([first[1], *texts[1]]), re.MULTILINE | re.DOTALL)
    explained = [line.partition(" (")[0] for block in news for line in block.splitlines()]
    assert bool(explained) == (name != "orbis"), "whose rules explain all words"
    assert len(set(explained)) == len(explained)


def test_brief_rules_hold_what_is_explained_nowhere_else() -> None:
    """How places and turns are written, what things cost, the windows of a round: no later text tells them."""
    rules = {name: rules_in_brief(rules_of(load(name)), load(name).configure().vocabulary) for name in GAMES}
    assert "three quarter turns\nclockwise" in rules["push_of_faith"] and "`^`, `>` and `<`" in rules["push_of_faith"]
    assert "the letters of all other tiles move on by one" in rules["orbis"]
    assert "| apprentice goddess" not in rules["orbis"], "a god is explained where it is named"
    assert '"you" is the player who performs' in rules["innovation"] and "| Pottery" not in rules["innovation"]
    assert "usual | D 2 C, 1 W; TP 3 C, 2 W" in rules["terra_mystica"] and "`BON1`" not in rules["terra_mystica"]
    assert "| Mimir 2 | one extra move" in rules["god_of_war"] and "| reveal | before every" in rules["god_of_war"]
    rulings = re.findall(r"^R(\d+): ", rules["terra_mystica"], re.MULTILINE)
    assert rulings == sorted(rulings, key=int), "in the order of their numbers"


def test_what_the_rules_explain_is_no_new_word() -> None:
    env = TextEnv("orbis", seat=0, brief=True)
    assert "*Volcano*:" in (text := env.reset(seed=5)) and "volcano (effect)" not in text
    assert "volcano (effect)" in TextEnv("orbis", seat=0, brief=True, rules=False).reset(seed=5)


def test_a_first_text_does_not_speak_of_a_last_move() -> None:
    env = TextEnv("push_of_faith", seat=1, rules=False, brief=True)
    text = env.reset(seed=1)
    assert "You are player 2.\n\nSo far:\nPlayer 1: " in text and "Since your last move" not in text
    text = env.step(next(iter(env.legal_moves())))
    assert text.startswith("Since your last move:\n  You take the tile")


def test_who_reads_is_told_once_in_brief_texts() -> None:
    env = TextEnv("push_of_faith", seat=0, brief=True)
    assert "You are player 1." in env.reset(seed=1)
    assert "You are player" not in env.step(next(iter(env.legal_moves())))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_brief_game_has_half_the_words_and_no_advice(name: str) -> None:
    """Texts of whole games, each counted once; what the page tells beginners is not told to a model."""
    advice = [entry.does for entry in load(name).configure().vocabulary.of("first game")]
    players: dict[str, Any] = {"players": 1} if load(name).cooperative else {}
    lengths = []
    forms: tuple[dict[str, Any], ...] = ({"repeat": True}, {"brief": True, "forced": True})
    for form in forms:
        env, rng, told = TextEnv(name, seat=0, opponents="random", **players, **form), random.Random(5), []
        for deal in range(3):
            told.append(env.reset(deal))
            while not env.over:
                told.append(env.step(rng.choice(list(env.legal_moves()))))
        lengths.append(sum(map(len, told)))
        assert not any(one in text for one in advice for text in told)
    assert lengths[1] <= lengths[0] / 2


def ungrouped(line: str) -> list[str]:
    """The moves of a line of moves that stand together."""
    head, colon, rest = line.removeprefix("- ").rpartition(": ") if "; each: " not in line else (line[2:], ":", "")
    if not rest:
        head, _, ends = line[2:].partition("; each: ")
        head, _, firsts = head.rpartition(": ")
        return [f"{head} {one} {end}".strip() for one in firsts.split(", ") for end in ends.split(", ")]
    return [f"{head} {one}".strip() for one in rest.split("; " if "; " in rest else ", ")] if colon else [rest]


@pytest.mark.parametrize("name", ["push_of_faith", "god_of_war"])
def test_legal_moves_by_kinds_are_all_there(name: str) -> None:
    env = TextEnv(name, seat=0, opponents="random")
    env.reset(seed=1)
    while not env.over and env.decisions < 30:
        moves = [(action, env.game.actions.text(action)) for action in env.legal_moves().values()]
        lines = grouped(env.game.actions, moves)
        alone = {f"- {text}" for _, text in moves}
        again = [move for line in lines for move in ([line[2:]] if line in alone else ungrouped(line))]
        assert sorted(again) == sorted(text for _, text in moves), lines
        env.step(moves[env.decisions % len(moves)][1])


def test_moves_that_hold_a_comma_stand_apart() -> None:
    """Those of two figures stand apart as well."""
    codec = load("god_of_war").configure().actions
    texts = [
        "hero: interact with top, 1", "hero: interact with bottom, 1", "second: interact with top, 1",
        "hero: move to column 2 front", "hero: move to column 3 back", "second: move to column 1 front",
        "second: move to column 1 back",
    ]  # fmt: skip
    assert grouped(codec, [(codec.parse(text), text) for text in texts]) == [
        "- hero: interact with: top, 1; bottom, 1", "- second: interact with top, 1",
        "- hero: move to column: 2 front, 3 back", "- second: move to column 1: front, back",
    ]  # fmt: skip
