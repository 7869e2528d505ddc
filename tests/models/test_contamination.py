"""How much of a rating is memory of the printed game: models that know names, know components, or know neither."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from scripted import POLICIES, hinted, random_legal

from theogony.envs import load
from theogony.models.ask import ModelError
from theogony.models.contamination import PRINTED, RENAMED, UNSEEN, as_text, conditions, report_of, run
from theogony.models.results import read_results
from theogony.models.run import Measurement
from theogony.models.verify import verify

Make = Callable[..., Measurement]
Messages = list[dict[str, str]]
LETTERS = "pfmwd"  # of terrains, in the order of their numbers
ROWS = re.compile(r"^\d [ >]*\|(.*)\|.*\n +\|(.*)\|", re.MULTILINE)


def knows_names(messages: Messages) -> str:
    """Plays well where it reads the name of the printed game, else at random."""
    return (hinted if "Push of Faith" in messages[0]["content"] else random_legal)(messages)


def printed_tiles() -> set[str]:
    """The terrains of each printed tile, in any rotation, and its statue."""
    tables = load("push_of_faith").configure({"players": 2}).tables[0]
    tiles = zip(tables["terrain"][:, 0], tables["statues"], strict=True)
    return {key([LETTERS[k] for k in terrain.ravel()], LETTERS[statues.argmax()]) for terrain, statues in tiles}


def key(terrains: list[str], statue: str) -> str:
    """A tile by what is on it."""
    return "".join(sorted(terrains)) + statue.lower()


def knows_tiles(messages: Messages) -> str:
    """Plays well where most tiles of the map are printed ones, else at random."""
    rows = ROWS.findall(messages[-1]["content"].partition("in hand")[0])
    cells = [pair for upper, lower in rows for pair in zip(upper.split("|"), lower.split("|"), strict=True)]
    known = [key([*a[:2], *b[:2]], a[3]) in TILES for a, b in cells]
    return (hinted if sum(known) >= len(known) / 2 else random_legal)(messages)


TILES = printed_tiles()
POLICIES.update(names=knows_names, tiles=knows_tiles)


def made(asked: Make, policy: str, **changed: Any) -> Measurement:
    given = {"games": 16, "against": "random,greedy", "settings": {"hint": "greedy"}, **changed}
    return asked(policy, **given)


@pytest.mark.slow
def test_a_model_that_knows_names_is_told(asked: Make) -> None:
    wanted = made(asked, "names")
    run(wanted)
    said = json.loads(wanted.out.with_name("results-contamination.json").read_text("utf-8"))
    assert said["names"]["low"] > 200 and said["names"]["points"] > 500, said
    assert said["components"]["low"] <= 0 <= said["components"]["high"], said
    for one in conditions(wanted).values():
        assert "32 games" in verify(one.out)


@pytest.mark.slow
def test_a_model_that_knows_components_is_told(asked: Make) -> None:
    wanted = made(asked, "tiles")
    run(wanted)
    report = report_of(conditions(wanted))
    assert report.components.low > 0 and report.components.points > 200, report
    assert report.names.low <= 0 <= report.names.high, report


@pytest.mark.slow
def test_one_that_remembers_nothing_shows_no_difference(asked: Make, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = made(asked, "hinted")
    run(wanted)
    report = report_of(conditions(wanted))
    assert (report.names.points, report.names.low, report.names.high) == (0, 0, 0), "it plays the very same games"
    assert report.components.low <= 0 <= report.components.high
    assert capsys.readouterr().out.count("no more than chance") == 2
    few = as_text(report.model_copy(update={"deals": 1}))
    assert few.count("nothing can be said from 1 of the 5 deals") == 2 and "chance" not in few


def test_conditions_differ_in_names_or_components_and_in_nothing_else(asked: Make) -> None:
    wanted = made(asked, "first", against="ladder")
    found = conditions(wanted)
    assert {one.against for one in found.values()} == {"random,greedy:0.3,greedy,mcts:100"}, "nobody who has learnt"
    assert found[PRINTED].settings == found[UNSEEN].settings and found[PRINTED].options == found[RENAMED].options
    assert found[RENAMED].settings.rules == "renamed" and found[UNSEEN].options["components"].startswith("random:")
    for changed in ({"settings": {"rules": "none"}}, {"options": {"components": "random:3"}}):
        with pytest.raises(ModelError, match="expected neither --rules nor components"):
            conditions(made(asked, "first", **changed))


def test_a_budget_is_that_of_all_conditions(asked: Make) -> None:
    wanted = made(asked, "first", games=2, against="random", settings={}, max_tokens=110_000)
    with pytest.raises(ModelError, match=f"{RENAMED}: the budget is used up|{UNSEEN}: the budget is used up"):
        run(wanted)
    assert read_results(wanted.out).figures.spent.read < 110_000
