"""What everything in Innovation is called, and what it does: cards from their definitions, the rest by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from theogony.envs.core.vocabulary import ACTION, ADVICE, Entry, Vocabulary
from theogony.envs.innovation.cards import effects_of
from theogony.envs.innovation.cards.wording import sentence
from theogony.envs.innovation.components import AGES, COLOURS, SPECIALS, SPLAYS
from theogony.envs.innovation.state import ACTION as ACTION_DUE
from theogony.envs.innovation.state import CARD, DECISIONS, INITIAL_MELD, SPLAY_COLOUR

ACTIONS = {  # what it is, what it does, where it stands
    "card": (
        "meld or choose a card",
        "as an action it goes on top of its colour on your board; else an effect asks for it and says what for",
        "§3",
    ),
    "stop": ("stop", "decline, or no more cards", "§4"),
    "draw": ("draw", "a card of your highest top value", "§3"),
    "dogma": ("dogma", "use the effects of the top card of this colour", "§5"),
    "achieve": ("achieve", "claim the free achievement of this age", "§3"),
    "colour": ("choose a colour", "for the effect that asks", "§4"),
    "player": ("choose a player", "by the distance clockwise, for the effect that asks", "§4"),
    "value": ("choose a value", "for the effect that asks", "§4"),
    "answer": ("yes or no", "to what a card says you may do", "§4"),
    "alternative": ("alternative", "the first (a) or the second (b) way of the effect that asks", "§4"),
    "pair": ("choose two colours", "for the effect that asks", "§4"),
    "back": ("choose a back", "a card whose face you cannot see, by its age and owner", "§4"),
}
ASKED = (  # in the order of the kinds of decision
    "Choose your first card", "Take an action: draw, meld, use a top card, or claim an achievement",
    "Choose a card for the effect", "Choose a colour to splay", "Choose a colour", "Choose a player", "Choose a value",
    "Yes or no", "Choose one of the two ways", "Choose two colours", "Choose a pile to put in order",
    "Choose the next card of the pile",
)  # fmt: skip
DOES = (  # who decides, in the same order
    "begins with a card", "takes an action", "chooses a card", "chooses a colour to splay", "chooses a colour",
    "chooses a player", "chooses a value", "says yes or no", "chooses one of two ways", "chooses two colours",
    "chooses a pile to put in order", "chooses the next card of the pile, from the top down",
)  # fmt: skip
MARKED = "The effect that is carried out is marked above the boards"
FIRST_GAME = (  # what matters in a decision, in the order of the kinds of decision
    "All show theirs at once. Take the card whose effect helps you at once, or whose icons the others will have few of",
    "Meld cards for their icons and effects. Use a top card whose icon you have most of: who has as many shares its "
    "effect, who has fewer must obey its demand. Five times its number in points, and a top card as high, claim an "
    "achievement for nothing",
    f"{MARKED} and says what becomes of the card that you choose",
    "Of a splayed pile covered cards show icons too: to the left at most one each, to the right two, up three",
    f"{MARKED}, with what the colour is for",
    f"{MARKED}, with what becomes of the player that you choose",
    f"{MARKED}, with what the value is for",
    f"{MARKED}: yes does what it says you may do",
    f"{MARKED}: it names the two ways, (a) and (b)",
    f"{MARKED}, with what the colours are for",
    "Only icons that stand out count, so what lies on top of a pile matters most",
    "You say which card comes next, from the top down",
)  # fmt: skip
SPOKEN = {
    ("card", ACTION_DUE): "meld {0}", ("card", INITIAL_MELD): "begin with {0}",
    "card": "choose {0}", "stop": "decline", ("stop", CARD): "no more cards", "draw": "draw a card",
    "dogma": "use the {0} top card",
    "achieve": "claim achievement {0}", "colour": "choose {0}", ("colour", SPLAY_COLOUR): "splay {0}",
    "value": "value {0}", "pair": "the colours {0}", "player": "choose the player {0} to the left",
    "answer": "{0}", "alternative": "the way ({0})", "back": "a card of value {1} of the player {0} to the left",
}  # fmt: skip
MORE = {"card": "{0:card.does}"}
ICONS = {"castle": "castles", "crown": "crowns", "leaf": "leaves", "bulb": "bulbs", "factory": "factories",
         "clock": "clocks"}  # fmt: skip
ICON = "counted when a dogma with it is used: who shows as many shares it, who shows fewer must obey its demand"
SPLAYED = {"none": "only the top card shows its icons", "left": "covered cards show the icon at the bottom right",
           "right": "covered cards show both icons on the left",
           "up": "covered cards show the three icons at the bottom"}  # fmt: skip
SPECIAL = {
    "Empire": "three of each icon", "Monument": "six cards tucked or six scored in one turn, by yourself",
    "Universe": "five top cards of 8 or more", "Wonder": "five colours splayed up or right", "World": "twelve clocks",
}  # fmt: skip


def vocabulary(game: Any) -> Vocabulary:
    """The vocabulary for the cards of a game."""
    return Vocabulary(
        game.spec.name,
        (
            *(Entry(ACTION, kind, name, does, rule=rule) for kind, (name, does, rule) in ACTIONS.items()),
            *(Entry("phase", *one) for one in zip(DECISIONS, DOES, ASKED, strict=True)),
            *(Entry(ADVICE, key, key, said) for key, said in zip(DECISIONS, FIRST_GAME, strict=True)),
            *_cards(game),
            *(Entry("colour", name, name, "a colour of cards, with its pile on every board") for name in COLOURS),
            *(Entry("icon", key, name, ICON, key) for key, name in ICONS.items()),
            *(Entry("splay", key, key, SPLAYED[key], rule="§4") for key in SPLAYS),
            *(Entry("achievement", str(age), f"achievement {age}", _needs(age), rule="§3") for age in range(1, AGES)),
            *(Entry("special achievement", key, key, SPECIAL[key], rule="§6") for key in SPECIALS),
        ),
        spoken=SPOKEN,
        more=MORE,
    )


def _needs(age: int) -> str:
    """What an achievement of an age asks for (§3.3)."""
    return f"{5 * age} points in the score pile and a top card of {age} or more; claimed by an action, for good"


def _cards(game: Any) -> Iterator[Entry]:
    for number, card in enumerate(game.components["cards"]):
        does = " ".join(sentence(effect) for effect in effects_of(game, number))
        yield Entry("card", card["name"], card["name"], does, card["dogma"], "§1")
