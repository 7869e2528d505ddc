"""Text that stays in its box."""

from xml.etree import ElementTree as ET

import pytest

from theogony.envs.core.draw.svg import (
    BOLD,
    INK,
    REGULAR,
    fitted,
    font_file,
    label,
    paragraph,
    picture,
    text_width,
    wrapped,
)


def test_widths_are_those_of_the_font() -> None:
    """The table is measured; Pillow reads the font itself."""
    image_font = pytest.importorskip("PIL.ImageFont")
    for bold, face in enumerate((REGULAR, BOLD)):
        font = image_font.truetype(font_file(face), 1000)
        for words in ("Terra Mystica: 12 VP", "+3 (or less), “4 × 5”", "äöü → ★ – the quick brown fox"):
            assert text_width(words, 10, bool(bold)) == pytest.approx(font.getlength(words) / 100, rel=0.03)


def test_a_line_is_shrunk_then_cut() -> None:
    assert fitted("short", 200, 14) == ("short", 14)
    line, size = fitted("nearly", text_width("nearly", 14) * 0.9, 14)
    assert line == "nearly" and size < 14
    line, size = fitted("far too long for this box", 60, 14)
    assert line.endswith("…") and text_width(line, size) <= 60
    assert fitted("x", 0, 14)[0] == ""


def test_a_text_is_wrapped_at_words() -> None:
    lines = wrapped("one two three four five six", 70, 12)
    assert " ".join(lines) == "one two three four five six" and len(lines) > 1
    assert all(text_width(line, 12) <= 70 for line in lines)
    drawn = ET.fromstring(paragraph(0, 10, "word " * 60, 80, 3))
    assert len(drawn) == 3 and str(drawn[-1].text).endswith("…")


def test_a_label_is_one_line_of_text() -> None:
    """It says a colour of its own; that of ink it takes from the picture."""
    assert label(1, 2, "a < b", 99, 10, fill="#aa0000", bold=True, anchor="end") == (
        '<text x="1" y="2" font-size="10" fill="#aa0000" text-anchor="end" font-weight="bold">a &lt; b</text>'
    )
    in_ink = label(1, 2, "a", 99)
    assert "fill" not in in_ink and ET.fromstring(picture(9, 9, in_ink)).get("fill") == INK
