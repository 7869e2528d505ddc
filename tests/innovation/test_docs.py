"""The docs page says what the code does."""

from pathlib import Path

from theogony.envs.innovation.docs_tables import renewed

PAGE = Path(__file__).parents[2] / "docs" / "games" / "innovation.md"


def test_the_generated_parts_are_up_to_date() -> None:
    """Renew them with `python -m theogony.envs.innovation.docs_tables docs/games/innovation.md`."""
    page = PAGE.read_text("utf-8")
    assert renewed(page) == page
    assert page.count("<!-- begin") == 4
