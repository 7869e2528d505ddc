"""The files of the folder `web`: which scripts a page is made of, and how its template is filled.

The scripts of a page share one scope, each builds on those before it. A table's page loads them one by one, a replay
page holds them all, since it is one file.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

COMMON = (
    "page.js", "people.js", "words.js", "layout.js", "motion.js", "board.js", "panel.js", "log.js", "chart.js",
    "result.js",
)  # fmt: skip
PLAY = (*COMMON, "hints.js", "choices.js", "link.js", "talk.js", "guide.js", "sound.js", "play.js", "keys.js")
REPLAY = (*COMMON, "replay.js")
STYLE = "theogony.css"
STYLES = (STYLE, "words.css")  # of pages on which a game is shown


@cache
def web(name: str) -> str:
    """A file of the folder `web`."""
    return files("theogony.play").joinpath("web", name).read_text(encoding="utf-8")


def fill(template: str, parts: dict[str, str]) -> str:
    """A template with `{{NAME}}` replaced, once and in one go."""
    return re.sub(r"\{\{(.*?)\}\}", lambda found: parts[found[1]], template, flags=re.DOTALL)


@cache
def table_page() -> str:
    """The page of a table: it holds nothing, its scripts ask for what is to be seen."""
    scripts = "\n".join(f'<script src="/static/{name}" defer></script>' for name in PLAY)
    return fill(web("play.html"), {"SCRIPTS": scripts})
