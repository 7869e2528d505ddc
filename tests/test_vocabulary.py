"""One vocabulary: no text of a game names what its vocabulary lacks, and no prompt cites what it does not hold."""

import re
from typing import get_args
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from test_citations import CITATION, places

from theogony.envs import GAMES, load
from theogony.envs.core.actions import ActionCodec, Block
from theogony.envs.core.draw.style import ICONS
from theogony.envs.core.position import Position
from theogony.envs.core.vocabulary import ACTION, CODE, Entry, UnknownWord, Vocabulary, plain_vocabulary, rulings
from theogony.play.seen import frame, moment
from theogony.wrappers.text import TextEnv, read_reply, rules_of

CODEC = ActionCodec(Block("take", ["T1", "T2"]), Block("wait"))
TILES = Vocabulary(
    "toy",
    [Entry(ACTION, "take", "take"), Entry("tile", "T1", "oak", "2 points"), Entry("tile", "T2", "elm", "3 points")],
    {"take": "{0:tile}, {0:tile.does}"},
)


def test_words_stand_beside_the_text_of_a_move() -> None:
    said = [TILES.beside(CODEC, action) for action in range(3)]
    assert said == ["take T1 (oak, 2 points)", "take T2 (elm, 3 points)", "wait"]


def test_what_is_unknown_is_said() -> None:
    with pytest.raises(UnknownWord, match=r"the vocabulary of toy has no action 'takes'; did you mean 'take'\?"):
        TILES[ACTION, "takes"]
    for entries, message in (
        ([Entry("tile", "a", "oak"), Entry("tile", "a", "elm")], "the tile 'a' stands twice"),
        ([Entry("tile", "a", "")], "the tile 'a' has no name"),
    ):
        with pytest.raises(ValueError, match=message):
            Vocabulary("toy", entries)


def test_what_looks_like_a_short_form() -> None:
    text = "Oak's +FAV11 and BON3 at r12, u06:fehu by m_fore for 5PW on SA; 3/4 points, N to a, +2."
    assert CODE.findall(text) == ["FAV11", "BON3", "r12", "u06:fehu", "m_fore", "5PW", "SA", "N"]
    assert TILES.unknown("oak or T1") == ["T1"] and not TILES.unknown("oak or T1", keys=True)


def test_rulings_of_a_text() -> None:
    found = list(rulings("| ruling | question | answer |\n|---|---|---|\n| R6 | Too few? | burned |\n"))
    assert found == [Entry("ruling", "R6", "Too few?", "burned", rule="R6")]


def test_a_game_without_a_vocabulary_has_its_kinds_of_actions() -> None:
    game = load("toy.tictactoe").configure()
    assert game.spec.vocabulary is plain_vocabulary
    assert [entry.key for entry in game.vocabulary.of(ACTION)] == [block.kind for block in game.actions.blocks]


@pytest.mark.parametrize("name", GAMES)
def test_every_kind_of_action_and_every_short_form_of_an_action_has_an_entry(name: str) -> None:
    game = load(name).configure()
    words, codec = game.vocabulary, game.actions
    assert {entry.key for entry in words.of(ACTION)} == {block.kind for block in codec.blocks}
    for action in range(codec.size):
        text, beside = codec.text(action), words.move(codec, action)
        assert not words.unknown(text, keys=True), text
        assert beside or not words.unknown(text), f"{text} is not explained"
        assert not words.unknown(beside), beside


@pytest.mark.parametrize("name", GAMES)
def test_a_move_is_said_and_explained_without_short_forms(name: str) -> None:
    game = load(name).configure()
    words, codec = game.vocabulary, game.actions
    for action in range(codec.size):
        said, does = words.say(codec, action), words.does(codec, action)
        assert not words.unknown(f"{said} {does}"), said
        assert does.endswith(".") and "_" not in does, does


def test_a_move_is_said_by_its_decision() -> None:
    words = Vocabulary(
        "toy", TILES, spoken={"take": "{0:tile}", ("take", 1): "buy the {0:tile}"}, more={"take": "{0:tile.does}"}
    )
    assert [words.say(CODEC, 1, decision) for decision in (None, 0, 1)] == ["elm", "elm", "buy the elm"]
    assert words.say(CODEC, 2) == "wait" and words.does(CODEC, 1) == "Take. 3 points."


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_no_picture_names_what_the_vocabulary_lacks(name: str) -> None:
    """Labels, tooltips, the list of moves, and the entries that pieces in the picture point to."""
    spec = load(name)
    game = spec.configure({"players": max(spec.players), **spec.option_sets[-1]})
    position, rng = Position(game, 1), np.random.default_rng(1)
    pointed = 0
    while not position.over and position.now < 600:
        if position.now % 23 == 0:
            shown = frame(moment(position, position.now), "all", clickable=True)
            said = [text for choice in shown["choices"] for text in choice[1:]]
            for node in ET.fromstring(shown["svg"]).iter():
                said += [node.text or "", node.get("data-now") or ""]
                if word := node.get("data-word"):
                    kind, _, key = word.partition(":")
                    assert (kind, key) in game.vocabulary, word
                    pointed += 1
            for text in said:
                assert not game.vocabulary.unknown(text), text
        position.play(int(rng.choice(position.legal_actions())))
    assert pointed > 100


def test_rulings_are_entries_and_go_with_the_options() -> None:
    """What the prompt of an option cites stands in it, and in the vocabulary."""
    spec = load("terra_mystica")
    usual, chinese = (spec.configure({"ruleset": ruleset}) for ruleset in ("usual", "chinese"))
    assert "tokens of bowl II" in usual.vocabulary["ruling", "R6"].does
    assert ("ruling", "R21") not in usual.vocabulary
    assert "lowers the value" in chinese.vocabulary["ruling", "R21"].name + chinese.vocabulary["ruling", "R21"].does
    env = TextEnv("terra_mystica", seat=0, opponents="random", ruleset="chinese")
    first = env.reset(seed=1)
    rules = rules_of(spec, chinese.options)
    assert rules in first and "| R28 |" in rules and "| R28 |" not in rules_of(spec, usual.options)
    cited = {match[2] for match in CITATION.finditer(rules) if match[2]} - {e.key for e in usual.vocabulary.of("space")}
    assert cited <= places(rules)


NO_RULES = {"players", "max_decisions", "components", "tile_file", "component_folder"}  # options that change none
TOLD = {"orbis": NO_RULES, "terra_mystica": NO_RULES | {"factions", "first_player"}}  # or are told with the usual rules


@pytest.mark.parametrize("name", TOLD)
def test_rules_for_readers_follow_the_options(name: str) -> None:
    """Whoever reads the rules at a table with another ruling is told it, and finds what is cited."""
    spec = load(name)
    usual = spec.configure().options
    for option in spec.options.model_fields.keys() - TOLD[name]:
        default, kind = getattr(usual, option), spec.options.model_fields[option].annotation
        for value in {*((True, False) if kind is bool else get_args(kind))} - {default}:
            rules = rules_of(spec, spec.configure({option: value}).options)
            assert rules != rules_of(spec, usual), f"nothing is told of {option}={value}"
            cited = {match[2] for match in CITATION.finditer(rules) if match[2]}
            assert cited - {e.key for e in spec.configure().vocabulary.of("space")} <= places(rules)


@pytest.mark.parametrize("name", GAMES)
def test_entries_are_in_order(name: str) -> None:
    page = places(rules_of(load(name)))  # what an option changes has rulings of its own
    words = load(name).configure().vocabulary
    for entry in words:
        assert entry.icon in ("", *ICONS) or ("icon", entry.icon) in words, f"there is no icon for {entry}"
        assert not entry.rule or entry.rule in page, f"{entry} stands nowhere"
        assert "_" not in entry.name + entry.does, entry


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_no_text_names_what_the_vocabulary_lacks(name: str) -> None:
    spec = load(name)
    for chosen in spec.option_sets:
        game = spec.configure({"players": max(spec.players), **chosen})
        position, rng = Position(game, 1), np.random.default_rng(1)
        while not position.over:
            for who in [None, "all", position.actor] if position.now % 5 == 0 else []:
                text = spec.render_text(game, position.g, who)
                assert not game.vocabulary.unknown(text), text
            position.play(int(rng.choice(position.legal_actions())))
        assert not game.vocabulary.unknown(spec.render_text(game, position.g, None))


@pytest.mark.parametrize("name", GAMES)
def test_a_prompt_holds_what_it_cites(name: str) -> None:
    rules = rules_of(load(name))
    cited = {f"§{match[1]}" if match[1] else match[2] for match in CITATION.finditer(rules)}
    cited -= {entry.key for entry in load(name).configure().vocabulary.of("space")}  # A1, D4
    assert cited <= places(rules), f"{sorted(cited - places(rules))} are cited and not there"


@pytest.mark.parametrize("name", GAMES)
def test_a_prompt_names_what_the_vocabulary_has(name: str) -> None:
    spec = load(name)
    rules = re.sub(
        r"\*\*§\d+ Examples.*?\n\n|§[\d.]+|\*\*[AB]\. ", "", rules_of(spec), flags=re.DOTALL
    )  # examples have their own
    known = {*spec.options.model_fields, *(entry.key for entry in rulings(rules))}
    unknown = set(spec.configure().vocabulary.unknown(rules, keys=True)) - known
    assert not unknown, sorted(unknown)


def test_a_reply_in_either_form_is_understood() -> None:
    legal = {CODEC.text(action): action for action in range(3)}
    words = {TILES.beside(CODEC, action): action for action in range(3)}
    for reply in ("take T2", "take T2 (elm, 3 points)", "Move: take T2 (elm, 3 points).", "I play take T2 (elm)"):
        assert read_reply(reply, legal, words=words) == 1
    env = TextEnv("terra_mystica", seat=0, opponents="random")
    assert "- setup witches" in env.reset(seed=1)
    while not (long := [text for text in env.view().splitlines() if text.startswith("- pass ")]):
        env.step(next(iter(env.legal_moves())))
    assert re.fullmatch(r"- pass BON\d+ \([a-z ]+ card\)", long[0])
    before = env.decisions
    env.step(long[0].removeprefix("- "))
    assert env.decisions == before + 1 and not env.invalid
