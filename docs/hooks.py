"""Hooks of mkdocs: links that leave docs/ lead into the repository, whose address stands in pyproject.toml."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(\]\()((?:\.\./)+[^)#\s]*)((?:#[^)\s]*)?\))")


def on_config(config: Any) -> Any:
    """The address of the repository, for the link at the top of every page."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    config.repo_url = project["urls"]["Repository"]
    config.repo_name = config.repo_url.removeprefix("https://github.com/")
    return config


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """The text of a page, with its links to sources made absolute."""
    return absolute(markdown, page.file.src_uri, config.repo_url)


def absolute(markdown: str, page: str, repository: str) -> str:
    """Links from `page`, a path in docs/, that leave docs/; mkdocs itself complains of those that lead nowhere."""

    def replaced(match: re.Match[str]) -> str:
        place = os.path.normpath(PurePosixPath("docs", page).parent / match[2])
        if place.startswith(("docs/", "..")) or not (ROOT / place).exists():
            return match[0]
        kind = "tree" if (ROOT / place).is_dir() else "blob"
        return f"{match[1]}{repository}/{kind}/HEAD/{place}{match[3]}"

    return LINK.sub(replaced, markdown)
