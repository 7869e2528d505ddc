"""What says how to cite the package agrees with the package and with itself."""

import re
from pathlib import Path

import yaml

import theogony

ROOT = Path(__file__).parents[1]


def test_citation_and_bibtex_say_the_same() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    [benchmark] = cited["references"]
    assert cited["version"] == benchmark["version"] == theogony.__version__
    assert cited["date-released"].year == benchmark["year"]
    assert f"## [{cited['version']}] - {cited['date-released']}" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    bibtex = (
        (ROOT / "docs" / "questions" / "citing.md").read_text("utf-8").partition("```bibtex")[2].partition("```")[0]
    )
    assert re.findall(r"title +=.*?\{(.*)\}", bibtex) == [cited["title"], benchmark["title"]]
    assert re.findall(r"year +=.*?\{(.*)\}", bibtex) == [str(benchmark["year"])] * 2
    assert re.findall(r"\d+\.\d+\.\d+", bibtex) == [theogony.__version__] * 2


def test_no_address_is_said_that_the_project_does_not_have() -> None:
    """The one of `pyproject.toml` is a placeholder as long as CONTRIBUTING.md calls it so."""
    placeholder = "It is a placeholder" in (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert placeholder != ("repository-code" in (ROOT / "CITATION.cff").read_text("utf-8"))
