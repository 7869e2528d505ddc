"""Other names: every word of a game's vocabulary stands for another, so that memory of the printed game does not help.

New words are as long as the old ones, so maps keep their columns; they follow from a seed. A reply is read the other
way round, and a printed name means nothing: the two words of a pair change places.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from theogony.envs.core.game import Game

SHORTEST = 3  # letters: shorter words are letters of maps and abbreviations of everyday language
WORD = re.compile(r"[^\W\d_]+")
KEPT = frozenset(  # everyday words, and those with which moves are asked for and answered
    """a about after again all also an and any are as at away back be before behind between by can card cards choose
    chooses decides decision do does done each end every first for from game give gives given goes has have hand her his
    how in into is it its last legal less line list lists listed many may more move moves name named names next no none
    not note notes now number numbers of off on one only or other others out over own per place play player players
    plays point points put puts reply round same score seat side take taken takes than that the their them then there
    they this three time times to turn turned turns two under until up use used uses what when where which who whole
    with without word words you your""".split()
)
VOWELS, CONSONANTS = "aeiou", "bdfgklmnprstvz"
ENDINGS = ("", "s", "es", "ed", "ing")


class Renaming:
    """The other names of one game. `out` is for what is sent, `back` for what comes."""

    def __init__(self, game: Game, seed: int, texts: Iterable[str] = ()) -> None:
        words = sorted(words_of(game))
        taken = {word for text in texts for word in _words(text)} | set(words) | KEPT
        chance = random.Random(f"{game.spec.name} {seed}")
        self.pairs: dict[str, str] = {}
        for word in words:
            new = _drawn(len(word), chance, taken)
            taken |= {new + ending for ending in ENDINGS}
            self.pairs[word] = new
        self._swap = self.pairs | {new: old for old, new in self.pairs.items()}

    def out(self, text: str) -> str:
        """A text with the other names."""
        return WORD.sub(self._other, text)

    back = out  # each pair changes places, so the way back is the same

    def _other(self, found: re.Match[str]) -> str:
        word = found[0]
        folded = word.lower()
        for ending in ENDINGS:
            if folded.endswith(ending) and (new := self._swap.get(folded[: len(folded) - len(ending)])):
                return _cased(new + ending, word)
        return word


def words_of(game: Game) -> set[str]:
    """The words of a game's title, its vocabulary's names and icons, and its moves, without everyday ones and without
    endings that another of them has too."""
    names = [game.spec.title, game.spec.name.replace("_", " ")]
    names += [entry.name for entry in game.vocabulary] + [entry.key for entry in game.vocabulary.of("icon")]
    names += [game.actions.text(action) for action in range(game.actions.size)]
    found = {word for name in names for word in _words(name)} - KEPT
    return {word for word in found if not any(word == base + end for base in found for end in ENDINGS[1:])}


def _words(text: str) -> set[str]:
    return {word for word in (found.lower() for found in WORD.findall(text)) if len(word) >= SHORTEST}


def _drawn(length: int, chance: random.Random, taken: set[str]) -> str:
    """A word that can be spoken and is none of those taken."""
    while True:
        first = chance.randrange(2)
        letters = [chance.choice((CONSONANTS, VOWELS)[(first + place) % 2]) for place in range(length)]
        word = "".join(letters)
        if not any(word + ending in taken for ending in ENDINGS) and not word.endswith(ENDINGS[1:]):
            return word


def _cased(new: str, like: str) -> str:
    if like.isupper():
        return new.upper()
    return new.capitalize() if like[0].isupper() else new
