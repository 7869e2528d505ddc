"""Hooks of mkdocs: large tables of games and results are made for the site; links that leave it (sources, dated notes)
lead into the repository, whose address stands in pyproject.toml; the pages to play on, where docs/pages.py has written
them, come into the site, with a link on the home page and on each game's.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.structure.files import File, InclusionLevel

ROOT = Path(__file__).parents[1]
PAGES = Path(os.environ.get("THEOGONY_PAGES") or ROOT / "build" / "pages")
FOLDER = "play_now"  # of the site
PICTURE = re.compile(r"^(?=!\[)", re.MULTILINE)
NOW = "[Play now]({address}){{ .md-button .md-button--primary }}{more}\n\n"
HEAD = re.compile(r"<th[^>]*><code>[^<]*</code>")
LINK = re.compile(r"(\]\()((?:\.\./)+[^)#\s]*|(?:lab/)?20[\w-]*\.md)((?:#[^)\s]*)?\))")
NOTE = re.compile(r"docs/lab/20[\w-]*\.md")  # dated, and not on the site


def on_config(config: Any) -> Any:
    """The address of the repository, for the link at the top of every page."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    config.repo_url = project["urls"]["Repository"]
    config.repo_name = config.repo_url.removeprefix("https://github.com/")
    return config


def on_files(files: Any, config: Any) -> Any:
    """The files of the site, with the pages to play on."""
    for path in sorted(PAGES.rglob("*")):
        if path.is_file():
            uri = f"{FOLDER}/{path.relative_to(PAGES).as_posix()}"
            files.append(File.generated(config, uri, abs_src_path=str(path), inclusion=InclusionLevel.NOT_IN_NAV))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """The text of a page, with its links to sources made absolute, and with a link to play where there is a page."""
    there = {path.stem for path in PAGES.glob("*.html")}
    uri = page.file.src_uri
    if uri.startswith("games/") or uri == "results.md":
        sys.path.insert(0, str(ROOT / "docs"))
        from generate import whole  # which loads the games

        markdown = whole(ROOT / "docs" / uri, markdown)
    return absolute(playable(markdown, uri, there), uri, config.repo_url)


def playable(markdown: str, page: str, there: set[str]) -> str:
    """The home page or that of a game with *Play now* above its first picture, where `there` is a page to play on."""
    game = PurePosixPath(page).stem
    if page == "README.md" and "index" in there:
        titles = {
            name: (ROOT / "docs" / "games" / f"{name}.md").read_text("utf-8").partition("\n")[0]
            for name in there - {"index"}
        }
        links = [f"[{title.removeprefix('# ')}]({FOLDER}/{name}.html)" for name, title in sorted(titles.items())]
        link = NOW.format(address=f"{FOLDER}/index.html", more="\n\nin this browser: " + " · ".join(links))
    elif page == f"games/{game}.md" and game in there:
        link = NOW.format(address=f"../{FOLDER}/{game}.html", more="")
    else:
        return markdown
    return PICTURE.sub(lambda found: link, markdown, count=1)


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Names of players in the heads of tables break before their @ and nowhere else: see site.css."""
    return HEAD.sub(lambda found: found[0].replace("@", "<wbr>@"), html)


def absolute(markdown: str, page: str, repository: str) -> str:
    """Links from `page`, a path in docs/, that leave docs/; mkdocs itself complains of those that lead nowhere."""

    def replaced(match: re.Match[str]) -> str:
        place = os.path.normpath(PurePosixPath("docs", page).parent / match[2])
        inside = place.startswith(("docs/", "..")) and not NOTE.fullmatch(place)
        if inside or not (ROOT / place).exists():
            return match[0]
        kind = "tree" if (ROOT / place).is_dir() else "blob"
        return f"{match[1]}{repository}/{kind}/HEAD/{place}{match[3]}"

    return LINK.sub(replaced, markdown)
