"""The site: `mkdocs build --strict` passes, and links out of docs/ lead into the repository."""

import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOOKS = runpy.run_path(str(ROOT / "docs" / "hooks.py"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if find_spec("mkdocs") is None or find_spec("mkdocstrings") is None:
        pytest.skip("the site needs mkdocs: make install")
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(target)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return target


@pytest.mark.slow
def test_every_page_is_built_and_nothing_else(site: Path) -> None:
    pages = {path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")}
    built = {path.parent.relative_to(site) for path in site.rglob("index.html")}
    assert {page.parent if page.name == "README" else page for page in pages} == built
    assert not [path for path in site.rglob("*") if path.suffix in (".py", ".ipynb", ".pyc")]


@pytest.mark.slow
def test_pages_ask_no_other_server(site: Path) -> None:
    """No fonts, scripts or pictures from elsewhere."""
    for path in site.rglob("index.html"):
        text = path.read_text("utf-8")
        loaded = re.findall(r"<(?:script|img|iframe)[^>]* src=\"?(https?:[^\" >]+)", text)
        loaded += re.findall(r"<link[^>]* href=\"?(https?:[^\" >]+)[^>]* rel=\"?(?:stylesheet|preconnect)", text)
        assert not loaded, f"{path}: {loaded}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "page, name",
    [
        ("theogony", "theogony.make_vec"),
        ("environments", "theogony.envs.core.aec.GameEnv.step"),
        ("environments", "theogony.envs.core.batch.Batch.step"),
        ("games", "theogony.envs.core.position.Position.resample"),
        ("games", "theogony.envs.core.features.FeatureLayout.decode"),
        ("players", "theogony.envs.core.players.make_player"),
        ("wrappers", "theogony.wrappers.single_agent.SingleAgentEnv.undo"),
        ("training", "theogony.training.rating.evaluate.evaluate"),
    ],
)
def test_the_reference_has_what_users_import(site: Path, page: str, name: str) -> None:
    assert f'id="{name}"' in (site / "api" / page / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    "link, expected",
    [
        ("[`rules/`](../../envs/orbis/rules)", "[`rules/`](https://x.org/a/b/tree/HEAD/envs/orbis/rules)"),
        ("[](../../LICENSE#top)", "[](https://x.org/a/b/blob/HEAD/LICENSE#top)"),
        ("[](../core.md#seeds)", "[](../core.md#seeds)"),  # stays in docs/
        ("[](../../envs/no_such_file.py)", "[](../../envs/no_such_file.py)"),  # of which mkdocs complains
        ("[](../../../outside.py)", "[](../../../outside.py)"),
    ],
)
def test_links_out_of_the_pages_lead_into_the_repository(link: str, expected: str) -> None:
    assert HOOKS["absolute"](link, "games/orbis.md", "https://x.org/a/b") == expected
