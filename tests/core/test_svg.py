"""SVG helpers: well-formed text, and pixels where they belong."""

import re
import sys
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest

from theogony.console.extras import install
from theogony.envs.core.draw import svg
from theogony.envs.core.draw.svg import text_width


def test_attributes_are_written_short_and_escaped() -> None:
    assert svg.rect(1.0, 2.5, 3, float(np.float32(0.125)), "red", stroke_width=2, rx=None) == (
        '<rect x="1" y="2.5" width="3" height="0.12" fill="red" stroke-width="2"/>'
    )
    parsed = ET.fromstring(svg.text(0, 0, "a < b & 'c'", data_name='"quoted"'))
    assert parsed.text == "a < b & 'c'" and parsed.attrib["data-name"] == '"quoted"'


def test_groups_move_their_children() -> None:
    assert svg.group(svg.circle(0, 0, 2), x=3) == '<g transform="translate(3 0)"><circle r="2" fill="none"/></g>'
    assert svg.group("x") == "<g>x</g>"
    assert svg.group("x", x=1, y=2, turn=90, zoom=0.5) == ('<g transform="translate(1 2) rotate(90) scale(0.5)">x</g>')


def test_pixels() -> None:
    drawn = svg.picture(
        60,
        40,
        svg.rect(0, 0, 30, 40, "#ff0000"),
        svg.polygon([(40, 0), (60, 0), (60, 40)], "#00f"),
        background="#ffffff",
    )
    pixels = svg.rasterise(drawn)
    assert pixels.shape == (40, 60, 3) and pixels.dtype == np.uint8
    assert pixels[20, 10].tolist() == [255, 0, 0]
    assert pixels[10, 57].tolist() == [0, 0, 255]
    assert pixels[38, 35].tolist() == [255, 255, 255]
    assert svg.rasterise(drawn, zoom=2).shape == (80, 120, 3)


@pytest.mark.parametrize("sign", ["W", "─", "♦", "★", "→", "↻"])
def test_text_leaves_ink(sign: str) -> None:
    def drawn(content: str) -> np.ndarray:
        return svg.rasterise(svg.picture(40, 40, svg.text(5, 30, content, 24), background="white"))

    assert (drawn(sign) < 128).any()
    assert (drawn(sign) != drawn("\ue123")).any(), f"the font has no {sign}: it draws what stands for a missing sign"


def ink(content: str, **attributes: Any) -> tuple[int, int]:
    """The first and the last column of pixels on which a line of text at x = 100 leaves ink."""
    drawn = svg.rasterise(svg.picture(200, 40, svg.text(100, 30, content, 20, **attributes), background="white"))
    columns = np.flatnonzero((drawn < 128).any(axis=(0, 2)))
    return int(columns[0]), int(columns[-1])


def test_text_stands_where_its_anchor_says() -> None:
    left, right = ink("Round 4")
    assert 100 <= left < 103 and right > 160
    for anchor, shift in (("middle", (right - 99) / 2), ("end", right - 99)):
        assert ink("Round 4", text_anchor=anchor) == pytest.approx((left - shift, right - shift), abs=2)


def test_bold_text_is_wider() -> None:
    assert ink("Round 4", font_weight="bold")[1] > ink("Round 4")[1] + 5


@pytest.mark.parametrize("content", ["a < b", "a & b", "'a'", '"a"', "]]>"])
def test_signs_that_xml_escapes_are_drawn_as_they_are(content: str) -> None:
    """As wide as they are: an escaped one would be much wider."""
    assert ink(content)[1] == pytest.approx(100 + text_width(content, 20), abs=6)


@pytest.mark.parametrize("sign", ["I", "l", "|", "-", "–", "."])
def test_a_lone_bar_does_not_vanish(sign: str) -> None:
    drawn = svg.picture(40, 40, svg.text(20.3, 30.2, sign, 12, text_anchor="middle"), background="white")
    assert (svg.rasterise(drawn, zoom=0.6) < 250).any()


@pytest.mark.parametrize(("height", "painted"), [(40, (20, 30)), (10, (10, 15)), (20, (20, 30))])
def test_a_picture_is_as_large_as_fits_on_paper(height: int, painted: tuple[int, int]) -> None:
    fitted = svg.rasterise(svg.picture(60, 40, background="white"), width=30, height=height)
    assert fitted.shape == (height, 30, 3)
    white = (fitted == 255).all(-1)
    assert (white.any(1).sum(), white.any(0).sum()) == painted
    assert (fitted[~white] == tuple(bytes.fromhex(svg.PAPER[1:]))).all()


def test_sizes_that_no_picture_has_are_refused() -> None:
    drawn = svg.picture(60, 40)
    assert svg.rasterise(drawn, width=30).shape == (20, 30, 3)
    for width in (0, -5, 2.5, True, "9"):
        with pytest.raises(ValueError, match="the width of a picture is a number of pixels, a whole number from 1 on"):
            svg.rasterise(drawn, width=width)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match=r"at most 67,108,864 pixels, not 1000000 times 666666"):
        svg.rasterise(drawn, width=10**6)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(svg.RenderError, match="no SVG"):
        svg.rasterise("this is text")
    svg._engine.cache_clear()
    monkeypatch.setitem(sys.modules, "thorvg_python", None)
    with pytest.raises(svg.RenderError, match=re.escape(f"thorvg_python: {install('render')}")):
        svg.rasterise(svg.picture(1, 1))
