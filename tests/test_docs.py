"""Generated parts of the documentation are what the code says now."""

import doctest
import importlib
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import notebook
import pytest

from theogony.envs import GAMES, load

DOCS = Path(__file__).parents[1] / "docs"
GENERATE = runpy.run_path(str(DOCS / "generate.py"))
README = DOCS.parent / "README.md"
EXAMPLES = [  # every block of ```python; parts of a file stand in ```py
    pytest.param(match[1], id=f"{path.stem}-{number}")
    for path in (README, *sorted(DOCS.rglob("*.md")))
    for number, match in enumerate(re.finditer(r"^```python\n(.*?)^```", path.read_text("utf-8"), re.S | re.M))
]
PAGES = sorted((DOCS / "games").glob("*.md"))
OTHERS = [DOCS / f"{name}.md" for name in GENERATE["OTHER_PAGES"]]


@pytest.mark.parametrize("path", [*PAGES, *OTHERS], ids=lambda path: path.stem)
def test_tables_are_up_to_date(path: Path) -> None:
    assert GENERATE["page"](path) == path.read_text("utf-8"), "run `make docs`"


def test_every_benchmark_is_on_the_list_of_benchmarks() -> None:
    folder = DOCS.parent / "tools"
    listed = set(re.findall(r"`(\w+\.(?:py|mjs))`", (folder / "README.md").read_text("utf-8")))
    assert listed == {path.name for path in folder.iterdir() if path.suffix in (".py", ".mjs")}


@pytest.mark.parametrize("name", GAMES)
def test_stubs_are_up_to_date(name: str) -> None:
    spec = load(name)
    path = GENERATE["path_of"](spec)
    assert path.is_file() and GENERATE["stub"](spec) == path.read_text("utf-8"), "run `make docs`"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_rules_for_readers_are_those_of_the_page(path: Path) -> None:
    text = GENERATE["prompt"](path, GENERATE["whole"](path))
    assert GENERATE["prompt_path"](path).read_text("utf-8") == text, "run `make docs`"
    assert "## Rules" in text and "](" not in text and "<!--" not in text


def test_a_stale_table_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "push_of_faith.md"
    path.write_text("before\n<!-- generated: actions -->\nold\n<!-- end -->\nafter\n")
    lines = GENERATE["page"](path).splitlines()
    assert lines[:2] == ["before", "<!-- generated: actions -->"] and lines[-2:] == ["<!-- end -->", "after"]
    assert "| 12 to 20 | `token` | 9 | a1 to c3 | `token takes c3` |" in lines and "old" not in lines
    path.write_text("before\n<!-- built: actions -->\nafter\n")
    assert GENERATE["page"](path) == path.read_text() and GENERATE["whole"](path).splitlines() == lines
    path.write_text("<!-- generated: weather -->\n<!-- end -->\n")
    with pytest.raises(ValueError, match=r"push_of_faith\.md: there is no table 'weather', only options, actions"):
        GENERATE["page"](path)


@pytest.mark.slow
@pytest.mark.parametrize("code", EXAMPLES)
def test_examples_run_as_printed(code: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=os.environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "name",
    [
        "theogony:make",
        "theogony:make_vec",
        "theogony:player",
        "theogony:sample_masks",
        "theogony.envs.core.position:Position",
        "theogony.envs.core.actions:ActionCodec",
        "theogony.envs.core.features:FeatureLayout",
        "theogony.envs.core.batch:Batch",
        "theogony.envs.core.gamerecord:write_record",
        "theogony.envs.core.gamerecord:read_record",
        "theogony.wrappers.single_agent:SingleAgentEnv",
        "theogony.wrappers.gym_vector:BatchVectorEnv",
        "theogony.wrappers.text.env:TextEnv",
        "theogony.training.rating.evaluate:evaluate",
    ],
)
def test_examples_in_docstrings_run(name: str) -> None:
    """What is shown on hover gives what it says."""
    module, _, thing = name.partition(":")
    found = importlib.import_module(module)
    tests = doctest.DocTestFinder(recurse=False).find(getattr(found, thing), thing, globs=dict(vars(found)))
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    assert sum(runner.run(test).attempted for test in tests) > 0 and runner.failures == 0


@pytest.mark.slow
def test_the_notebook_prints_and_shows_what_its_cells_do_today() -> None:
    """`python docs/notebook.py` writes it anew. Of pages to step through only that there is one is compared."""
    kept, today = notebook.read(), notebook.run(notebook.read())
    pages = 0
    for one, other in zip(kept["cells"], today["cells"], strict=True):
        for cell in (one, other):
            for output in cell.get("outputs", []):
                page = "".join(output.get("data", {}).pop("text/html", []))
                assert not page or "<!doctype html>" in page.lower() or "srcdoc" in page
                pages += bool(page)
        assert one == other, "".join(one["source"])
    assert pages == 2
