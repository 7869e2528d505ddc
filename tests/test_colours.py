"""What a colour means is drawn beside it: nothing is told apart by colour alone, and signs stand out for all eyes.

Colour blindness is computed by the matrices of Machado, Oliveira and Fernandes (2009), in linear light.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

import numpy as np
import pytest

from theogony.envs import load
from theogony.envs.core.draw.landscapes import SCENES, landscape
from theogony.envs.core.draw.style import MARK_INK, MARKS
from theogony.envs.god_of_war.components.pieces import FIGURES, RUNES
from theogony.envs.god_of_war.render import seats
from theogony.envs.innovation.components import COLOURS
from theogony.envs.innovation.render import svg as innovation
from theogony.envs.orbis.render import svg as orbis
from theogony.envs.push_of_faith.render import svg as push_of_faith
from theogony.envs.terra_mystica.render import tiles

EYES = {
    "all colours": np.eye(3),
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
APART = 11.0  # CIELAB: what is nearer is easily taken for one another
SIGN = 3.0  # contrast of graphics, as WCAG 2.1 AA asks
WORDS = 4.5  # and of words
INKS = re.compile(r' (?:fill|stroke)="(?!none)[^"]*"')


def card(colour: str) -> str:
    """The signs of colours on a card of Innovation of this colour in one line."""
    game = load("innovation").configure()
    found = next(k for k, one in enumerate(game.tables[0].colour) if COLOURS[one] == colour)
    drawn = innovation.chip(game, found, "card")
    return "".join(sign for sign in MARKS.values() if sign in drawn)


# by what has the colours: the colours, how one is drawn, and the ink of the sign on them, if it is the same on all
PIECES: dict[str, tuple[dict[str, str], Callable[[str], str], str | dict[str, str] | None]] = {
    "worshippers": ({k: v for k, v in orbis.CUBES.items() if k != "any"}, orbis.cube, MARK_INK),
    "cards": (
        {str(k): str(v) for k, v in innovation.FILLS.items()},
        card,
        {str(k): str(v) for k, v in innovation.INKS.items()},
    ),
    "terrains": (
        dict(zip("01234", push_of_faith.COLOURS, strict=True)),
        lambda k: landscape(push_of_faith.SCENERY[int(k)]),
        None,
    ),
    "statues": (dict(zip("01234", push_of_faith.DARK, strict=True)), lambda k: push_of_faith.figure(int(k)), None),
    "landscapes": (dict(zip("0123456", tiles.LANDS, strict=True)), lambda k: landscape(tiles.SCENERY[int(k)]), None),
    "runes": (seats.RUNE_COLOURS, lambda k: seats.rune(k, 0, 0), "#ffffff"),
    "heroes": (seats.HERO_COLOURS, lambda k: seats.hero_token(k, 0, 0, 9), "#ffffff"),
}


def linear(colour: str, eyes: str) -> np.ndarray:
    """Linear red, green and blue of `#rrggbb` as eyes see them."""
    full = colour if len(colour) == 7 else "#" + "".join(2 * one for one in colour[1:])
    plain = np.array([int(full[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    light = np.where(plain <= 0.04045, plain / 12.92, ((plain + 0.055) / 1.055) ** 2.4)
    return np.clip(np.asarray(EYES[eyes]) @ light, 0, 1)


def contrast(one: str, other: str, eyes: str) -> float:
    low, high = sorted(float(np.array([0.2126, 0.7152, 0.0722]) @ linear(colour, eyes)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def distance(one: str, other: str, eyes: str) -> float:
    """In CIELAB, white point D65."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    labs = []
    for colour in (one, other):
        x, y, z = np.cbrt(to_xyz @ linear(colour, eyes) / [0.9505, 1.0, 1.089])
        labs.append(np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)]))
    return float(np.linalg.norm(labs[0] - labs[1]))


@pytest.mark.parametrize("name", PIECES)
def test_what_is_alike_for_some_eyes_is_drawn_otherwise(name: str) -> None:
    """Without its colours every piece still differs from those whose colour it may be taken for."""
    colours, draw, _ = PIECES[name]
    bare = {key: INKS.sub("", draw(key)) for key in colours}
    alike = [
        (a, b, eyes)
        for a, b in itertools.combinations(colours, 2)
        for eyes in EYES
        if distance(colours[a], colours[b], eyes) < APART and bare[a] == bare[b]
    ]
    assert not alike
    assert len(set(bare.values())) == len(bare), "drawn the same without colours"


@pytest.mark.parametrize("name", [name for name, (_, _, ink) in PIECES.items() if ink])
def test_signs_stand_out_on_their_colours(name: str) -> None:
    colours, _, ink = PIECES[name]
    inks = ink if isinstance(ink, dict) else dict.fromkeys(colours, str(ink))
    found = {(key, eyes): contrast(one, inks[key], eyes) for key, one in colours.items() for eyes in EYES}
    low = {key: round(value, 2) for key, value in found.items() if value < SIGN}
    assert not low


@pytest.mark.parametrize("scenery", [push_of_faith, tiles], ids=["push_of_faith", "terra_mystica"])
def test_something_of_every_landscape_stands_out_on_its_ground(scenery) -> None:
    grounds = getattr(scenery, "COLOURS" if scenery is push_of_faith else "LANDS")
    for name, ground in zip(scenery.SCENERY, grounds, strict=True):
        for eyes in EYES:
            found = [contrast(ground, shaded(ground, shade), eyes) for _, shade, _ in SCENES[name]]
            assert max(found) >= SIGN, f"{name} for {eyes}: {max(found):.2f}"


def shaded(ground: str, shade: float) -> str:
    """A ground with so much black over it, or white where it is positive."""
    parts = [int(ground[k : k + 2], 16) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(one + abs(shade) * ((255 if shade > 0 else 0) - one)):02x}" for one in parts)


def test_words_on_cards_can_be_read_and_red_is_no_green() -> None:
    """Names stand on the cards of Innovation; red and green differ by more than hue."""
    for colour, ground in innovation.FILLS.items():
        assert min(contrast(ground, innovation.INKS[colour], eyes) for eyes in EYES) >= WORDS, colour
    for eyes in EYES:
        assert contrast(innovation.FILLS["red"], innovation.FILLS["green"], eyes) > SIGN, eyes


def test_a_test_of_colours_can_fail() -> None:
    """Red and green worshippers are far apart for most people, and near for those who do not see green."""
    red, green = orbis.CUBES["red"], orbis.CUBES["green"]
    assert distance(red, green, "all colours") > 60 > 25 > distance(red, green, "deuteranopia")
    assert set(MARKS) >= {*COLOURS, *orbis.CUBES} - {"white", "any"} and set(RUNES) == set(seats.RUNE_COLOURS)
    assert set(FIGURES) >= set(seats.HERO_COLOURS)
