"""Every game passes conformance; games with one thing wrong do not."""

import re
from pathlib import Path

import pytest
from broken import SOUGHT, VARIANTS, properties_broken
from interpreted import said_interpreted

from theogony.envs import GAMES, load
from theogony.envs.core import conformance
from theogony.envs.core.conformance import Case, Report, cases, check, check_case, check_game
from theogony.envs.core.conformance.base import walk
from theogony.envs.core.conformance.explore import Seeker, Start, gauges, recorded_starts
from theogony.envs.core.gamerecord import write_record
from theogony.envs.core.record import ENDED, RUNNING, to_bytes
from theogony.envs.core.verify import RecordingError

FORGOTTEN = ["every_hidden_field_varies", "actions_have_texts"]
TOY = Path(__file__).with_name("toy")
PAGES = Path(__file__).parents[1] / "docs" / "games"
NAMES = [*GAMES, "bluff.game"]
COMPILED = "memory"  # the variant whose fault is seen in compiled code alone
DRAWN = {"scene": "thamur", "hindrances": ("ogre", "sigrun"), "components": "random:7"}
CASES = [case for name in NAMES for case in cases(load(name), games=1, seed=0)]
CASES += [Case("drawn components", load("god_of_war").configure(DRAWN), 1, 0)]
CASES += [Case("drawn components", load("innovation").configure({"players": 3, "components": "random:7"}), 1, 0)]


def assert_holds(report: Report) -> None:
    assert report.checked
    assert report.ok, "\n".join(map(str, report.failures))


@pytest.mark.random_play
@pytest.mark.conformance
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game.spec.name}: {case.name}")
def test_conformance(case: Case) -> None:
    report = Report(case.game.spec.name)
    check_case(case, report)
    assert_holds(report)


@pytest.mark.random_play
@pytest.mark.parametrize("name", GAMES)
def test_decisions_with_one_answer_have_their_reason(name: str) -> None:
    """The kinds that are found in play are named on the game's page, and what it names are kinds of action."""
    report, spec = Report(name), load(name)
    for case in cases(spec, games=5, seed=0):
        report.count_alone(case)
    page = (PAGES / f"{name}.md").read_text("utf-8").split("## Decisions with one answer")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    named = {kind for row in rows for kind in re.findall("`(.+?)`", row)}
    codec = spec.configure({}).actions
    assert set(report.alone) <= named <= {codec.decode(action)[0] for action in range(codec.size)}
    assert 0 < report.alone.total() < report.decisions or name == "innovation"


def test_decisions_with_one_answer_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that asks only what is open, and one that asks for the only refill."""
    report, said = Report("push_of_faith"), list[str]()
    every = list(cases(load("push_of_faith"), games=2, seed=0))
    report.count_alone(every[0])
    assert report.alone == {} and report.one_answers() == f"0 of {report.decisions} decisions had one legal action"
    report.count_alone(next(case for case in every if "refill=choose" in case.name))
    assert set(report.alone) == {"refill"} and report.one_answers().endswith(f": `refill` {report.alone['refill']}")
    monkeypatch.setattr(conformance.mistakes, "first_look", lambda spec, seed, options: [])
    for name in ("PROPERTIES", "AT_FIRST", "AT_LAST"):  # they are tested elsewhere
        monkeypatch.setattr(conformance, name, ())
    check(load("push_of_faith"), games=1, say=said.append)
    assert re.fullmatch(r"\d+ of [\d,]+ decisions had one legal action: `refill` \d+", said[-1])


@pytest.mark.slow
@pytest.mark.conformance
@pytest.mark.parametrize("name", NAMES)
def test_conformance_across_processes(name: str) -> None:
    report = Report(name)
    check_game(list(cases(load(name), games=1, seed=0)), report)
    assert_holds(report)


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    """What conformance finds in each broken variant: in an interpreter of their own, which need not compile them."""
    return said_interpreted(TOY / "broken.py", folder=TOY)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(VARIANTS.keys() - {COMPILED}))
def test_broken_game_is_noticed(name: str, found: dict[str, list[str]]) -> None:
    assert set(found[name]) == VARIANTS[name][1]


@pytest.mark.slow
def test_a_rule_that_asks_for_memory_is_noticed() -> None:
    """In compiled code: an interpreter has memory for everything."""
    assert set(properties_broken(COMPILED)) == VARIANTS[COMPILED][1]


def test_seeker_finds_what_random_play_misses() -> None:
    """Three hundred random games never come near the dead end; the seeker does, and says how to get there."""
    game = load("broken:dead_end_few_reach").configure({"players": 3})
    for seed in range(300):
        *_, last = walk(game, seed)
        assert last.over == ENDED
    trouble = next(Seeker(game).seek(SOUGHT))
    stuck = trouble.replay(game)
    assert stuck.over == RUNNING and not stuck.mask.any()
    assert str(trouble).startswith(f"seed {stuck.seed}, after {stuck.now} decisions: no action is legal")


def test_seeker_is_decided_by_its_seed() -> None:
    game = load("broken:dead_end_few_reach").configure({"players": 3})
    assert str(next(Seeker(game, 5).seek(SOUGHT))) == str(next(Seeker(game, 5).seek(SOUGHT)))


def test_seeker_begins_from_recorded_games(tmp_path: Path) -> None:
    """A record of a game which ends one rung above the dead end is enough to begin from."""
    spec = load("broken:dead_end_few_reach")
    game = spec.configure({"players": 3})
    close = next(Seeker(game).seek(SOUGHT)).replay(game)
    close.undo()
    write_record(close, tmp_path / "close.jsonl")
    (case,) = recorded_starts(spec, [tmp_path / "close.jsonl"])
    given = [start.content for start in case.starts]
    assert given == [to_bytes(close.states[k : k + 1]) for k in range(close.now)]
    assert [action for _, action in case.starts[0].then] == close.actions
    seeker = Seeker(case.game, 3, case.starts)
    found = next(trouble for trouble in seeker.seek(SOUGHT) if trouble.origin.given)
    assert found.origin.given in given and not found.replay(case.game).mask.any()


def test_seeker_follows_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody strays and nothing is held back: then a run from a recorded position is the recorded game."""
    for name, value in {"STRAYS": (10**9,), "BARRED": 0.0, "FRESH": 1.0}.items():
        monkeypatch.setattr(f"theogony.envs.core.conformance.explore.{name}", value)
    game = load("broken:dead_end_few_reach").configure({"players": 3})
    *_, end = walk(game, 9)
    then = tuple((int(end.states[k]["actor"]), action) for k, action in enumerate(end.actions))
    seeker = Seeker(game, 1, [Start(to_bytes(end.states[4:5]), then[4:])])
    seen, followed = seeker._seen, 0
    while followed < 3:
        assert list(seeker._run(10**6)) == []
        if seen.states[:1].tobytes() == end.states[4:5].tobytes():
            assert seen.actions[: end.now - 4].tolist() == end.actions[4:]
            followed += 1


def test_file_without_positions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text('{"theogony_record": 1}\n')
    with pytest.raises(RecordingError, match=r"empty\.jsonl: line 1"):
        recorded_starts(load("bluff.game"), [tmp_path / "empty.jsonl"])
    (tmp_path / "other.jsonl").write_text("{}\n")
    with pytest.raises(RecordingError, match=r"other\.jsonl: no position of push_of_faith was found"):
        recorded_starts(load("push_of_faith"), [tmp_path / "other.jsonl"])
    (tmp_path / "deep.jsonl").write_text("[" * 200_000)
    with pytest.raises(RecordingError, match=r"deep\.jsonl: no position of push_of_faith was found"):
        recorded_starts(load("push_of_faith"), [tmp_path / "deep.jsonl"])


@pytest.mark.parametrize("name", NAMES)
def test_gauges_cover_every_supply(name: str) -> None:
    """Every integer field of the record but the dice and the count of decisions can be steered by."""
    state = CASES[[case.game.spec.name for case in CASES].index(load(name).name)].game.state
    names = {rows[0].name for rows in gauges(state)}
    integers = {field for field in state.names or () if state[field].base.kind in "iu"}
    assert names == integers - {"rng", "ply"}


def test_a_forgotten_hidden_field_is_said_before_any_case() -> None:
    """It is asked for in all cases at once and cheaply, so it is not kept for the end."""
    said = list[str]()
    report = check(load("broken:hidden_forgotten"), games=1, say=said.append, only=FORGOTTEN)
    assert report.broken() == {"every_hidden_field_varies"}
    assert said[0].startswith("  all cases: every_hidden_field_varies: resample never changed dice")
    assert any(line.startswith("3 players: 1 properties") for line in said[1:])


@pytest.mark.slow
def test_overflow_that_only_compiled_code_hides() -> None:
    """The same variant in compiled code: the numbers of its record grow unnoticed there."""
    report = check(load("broken:overflow"), games=1, only=["interpreted_rules_agree"])
    assert [failure.property for failure in report.failures] == ["interpreted_rules_agree"]
    assert "overflow" in report.failures[0].message


def test_unknown_property() -> None:
    with pytest.raises(ValueError, match=r"no property 'speed'; known are .*games_repeat"):
        check(load("bluff.game"), only=["speed"])
