"""Cards whose effects are data: recipes of the card language, and the cards that are drawn from them."""

from collections import Counter
from typing import Any

import pytest

from theogony.envs import load
from theogony.envs.core.game import ComponentError
from theogony.envs.core.packs import Draw
from theogony.envs.core.position import Position
from theogony.envs.innovation.cards import DEFINITIONS, compile_cards, definitions_of
from theogony.envs.innovation.cards.recipes import BLANKS, DEMANDS, RECIPES, effect_of, fault_in
from theogony.envs.innovation.cards.rows import MASKS, ROWS
from theogony.envs.innovation.cards.wording import sentence
from theogony.envs.innovation.components import ICONS

SPEC = load("innovation")
PRINTED = SPEC.configure().components["cards"]


def drawn(seed: int) -> list[dict[str, Any]]:
    assert SPEC.generate is not None
    return SPEC.generate(None, Draw(seed, "innovation"))["cards"]


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_makes_an_effect_that_is_told(name: str) -> None:
    effect = {"recipe": name, **{blank: BLANKS[blank][0] for blank in RECIPES[name].blanks}}
    assert fault_in(effect) is None
    made = effect_of(effect)
    assert made.demand == (name in DEMANDS) and len(sentence(made)) > 10
    assert effect_of(dict(effect)) is made


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        ({"recipe": "win"}, "there is no recipe 'win'"),
        ({"recipe": ["draw"]}, "there is no recipe"),
        ({}, "there is no recipe None"),
        ({"recipe": "draw", "value": 3}, "missing or unknown times"),
        ({"recipe": "draw", "value": 3, "times": 2, "twice": 1}, "missing or unknown twice"),
        ({"recipe": "draw", "value": 11, "times": 2}, "value is 11"),
        ({"recipe": "draw", "value": True, "times": 2}, "value is True"),
        ({"recipe": "draw", "value": 1.0, "times": 2}, "value is 1.0"),
        ({"recipe": "draw and meld", "value": "3"}, "value is '3'"),
        ({"recipe": "meld with icon", "icon": "__class__"}, "icon is '__class__'"),
        ({"recipe": "meld with icon", "icon": ["leaf"]}, "icon is"),
    ],
)
def test_what_is_no_recipe_is_refused(effect: Any, said: str) -> None:
    assert said in str(fault_in(effect))
    cards = [{**card} for card in PRINTED]
    cards[7]["effects"] = [effect]
    with pytest.raises(ComponentError, match="card 7"):
        SPEC.configure(None, {"cards": cards})


@pytest.mark.parametrize("effects", [[], [{"recipe": "draw and meld", "value": 1}] * 4, "draw", [3]])
def test_a_card_has_one_to_three_effects(effects: Any) -> None:
    with pytest.raises(ComponentError, match=r"cards\.0"):
        SPEC.configure(None, {"cards": [{**PRINTED[0], "effects": effects}, *PRINTED[1:]]})


def test_a_demand_comes_first() -> None:
    effects = [{"recipe": "draw and meld", "value": 1}, {"recipe": "take scored"}]
    with pytest.raises(ComponentError, match="a demand comes first"):
        SPEC.configure(None, {"cards": [{**PRINTED[0], "effects": effects}, *PRINTED[1:]]})


def test_a_printed_card_may_have_another_effect() -> None:
    effects = [{"recipe": "draw", "value": 2, "times": 3}]
    game = SPEC.configure(None, {"cards": [{**PRINTED[0], "effects": effects}, *PRINTED[1:]]})
    assert game.vocabulary["card", PRINTED[0]["name"]].does == "Draw 3 cards of value 2."
    assert game.vocabulary["card", PRINTED[1]["name"]].does == SPEC.configure().vocabulary["card", "Tools"].does


def test_cards_in_another_order_keep_their_names_and_effects() -> None:
    """Also in texts, moves and pictures, which name cards by their place in the list."""
    cards = [PRINTED[1], PRINTED[0], *PRINTED[2:]]
    game, own = SPEC.configure(None, {"cards": cards}), SPEC.configure()
    assert game.actions.text(0) == "card Tools"
    assert game.vocabulary["card", "Tools"].does == own.vocabulary["card", "Tools"].does
    position = Position(game, 3)
    assert position.svg("all").count("Tools") == Position(own, 3).svg("all").count("Pottery")


def test_drawn_cards_keep_the_printed_pattern() -> None:
    def pattern(cards: list[dict[str, Any]]) -> Counter[Any]:
        return Counter((card["age"], card["colour"]) for card in cards)

    def icons(cards: list[dict[str, Any]]) -> Counter[Any]:
        return Counter((card["age"], icon) for card in cards for icon in [*card["icons"], card["dogma"]])

    def effects(cards: list[dict[str, Any]]) -> Counter[Any]:
        definitions = definitions_of(cards)
        return Counter(
            (card["age"], tuple(effect.demand for effect in definition.effects))
            for card, definition in zip(cards, definitions, strict=True)
        )

    for seed in range(20):
        cards = drawn(seed)
        for statistic in (pattern, icons, effects):
            assert statistic(cards) == statistic(PRINTED)
        printed = {definition.name for definition in DEFINITIONS}
        assert not printed & {card["name"] for card in cards} and len({card["name"] for card in cards}) == len(cards)


def test_drawn_cards_fit_the_tables_of_printed_ones() -> None:
    for seed in range(60):
        cards = drawn(seed)
        program = compile_cards(cards, definitions_of(cards))
        assert len(program.code) == ROWS and len(program.masks) == MASKS


@pytest.mark.parametrize("castles", [130, 131])
def test_an_icon_that_could_overflow_its_count_is_refused(castles: int) -> None:
    """Six counts share a word: 131 of an icon on a board would miss Empire and count as one of the next icon."""
    icons = [
        ["castle" if castles > 3 * k + here else ICONS[1 + here] for here in range(3)] for k in range(len(PRINTED))
    ]
    cards = [{**c, "icons": [None, *row], "dogma": row[0]} for c, row in zip(PRINTED, icons, strict=True)]
    if castles == 130:
        assert len(SPEC.configure(None, {"cards": cards}).components["cards"]) == len(PRINTED)
    else:
        with pytest.raises(ComponentError, match="castle is printed 131 times, at most 130"):
            SPEC.configure(None, {"cards": cards})
