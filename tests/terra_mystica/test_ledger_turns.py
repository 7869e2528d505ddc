"""Several turns in one row of a ledger, one turn in several rows, and the pass of the last round."""

import pytest
from ledgers import HEAD, go_on, rich, stronghold

from theogony.envs.terra_mystica.components import FAV6, TE, D
from theogony.envs.terra_mystica.ledger.commands import LedgerError

AIR = 3

DOUBLE = HEAD.replace("setup giants", "setup chaosmagicians").replace("setup witches", "setup engineers")
DOUBLE = (
    DOUBLE[: DOUBLE.index("giants: build")]
    + """engineers: build C2
engineers: build C5
chaosmagicians: build D4
engineers: pass BON5
chaosmagicians: pass BON9
"""
)  # E6, which is brown, lies beside D4
FARTHER = DOUBLE.replace("build C5", "build E7").replace("build D4", "build D7")  # C5, which is grey, lies beside D7


def test_several_turns_of_one_faction_in_one_row() -> None:
    row = "witches: upgrade A10 to TP. send p to AIR. upgrade A10 to TE. +FAV11. dig 1. build A11. advance ship. pass"
    played = go_on(rich(), "giants: pass BON7", f"{row} BON6")
    g = played.position.g
    assert (g.round_number, g.built[1, TE], g.built[1, D], g.ship[1]) == (1, 1, 2, 1) and played.held


def test_the_cult_step_of_a_favor_action_in_a_later_row() -> None:
    importer = rich()
    importer.position.g.favors[1, FAV6] = 1
    before = int(importer.position.g.cult[1, AIR])
    go_on(importer, "giants: pass BON7", "witches: Action fav6. burn 0. Pass bon8")
    assert importer.held and importer.position.g.cult[1, AIR] == before
    go_on(importer, "witches: +AIR")
    assert importer.position.g.cult[1, AIR] == before + 1 and importer.position.g.round_number == 2


def test_tiles_after_the_next_action() -> None:
    played = go_on(stronghold(rich(DOUBLE), 0), "chaosmagicians: action ACTC. upgrade D4 to TP. send p to AIR")
    assert played.position.g.turn == 1
    played = stronghold(rich(DOUBLE), 0)
    go_on(played, "chaosmagicians: upgrade D4 to TP", "engineers: send p to AIR")
    go_on(
        played, "chaosmagicians: action ACTC. upgrade D4 to TE. dig 2. build E6. +FAV11. +FAV5", "engineers: pass BON6"
    )
    g = played.position.g
    assert g.favors[0].sum() == 2 and g.built[0, D] == 1 and g.turn == 0


def test_a_double_turn_that_builds_in_a_later_row_and_then_passes() -> None:
    rows = [
        "chaosmagicians: action ACTC. burn 0. dig 2. transform E6 to red",
        "engineers: convert 1PW to 1C",
        "chaosmagicians: build E6. pass BON6",
        "engineers: advance ship",
    ]
    g = go_on(stronghold(rich(DOUBLE), 0), *rows).position.g
    assert g.built[0, D] == 2 and g.passed[0] and g.turn == 1


def test_a_row_with_two_readings_is_read_as_the_next_row_needs_it() -> None:
    """The dwelling is the second action when the next row is of another faction: the first reading leaves none."""
    rows = ["chaosmagicians: action ACTC. dig 2. transform E6 to red", "engineers: convert 1PW to 1C"]
    rows += ["chaosmagicians: build E6", "engineers: advance ship"]
    g = go_on(stronghold(rich(DOUBLE), 0), *rows).position.g
    assert g.built[0, D] == 2 and g.ship[1] == 1 and g.turn == 0
    with pytest.raises(LedgerError, match="line 2: engineers: advance ship: it is not this faction's turn"):
        go_on(stronghold(rich(DOUBLE), 0), rows[0], *rows[3:])


@pytest.mark.parametrize("cuts", range(16))
@pytest.mark.parametrize("between", [[], ["engineers: convert 1PW to 1C"]])
@pytest.mark.parametrize(("head", "spades", "space"), [(DOUBLE, 2, "E6"), (FARTHER, 1, "C5")])
def test_a_double_turn_over_any_rows(head: str, spades: int, space: str, cuts: int, between: list[str]) -> None:
    """The dwelling belongs to the first action and the pass is the second, wherever the rows are cut."""
    commands = ["action ACTC", f"dig {spades}", f"transform {space} to red", f"build {space}", "pass BON7"]
    text = "".join(c + ("\n" if cuts >> k & 1 else ". ") for k, c in enumerate(commands[:-1])) + commands[-1]
    rows = [row for line in text.split("\n") for row in (f"chaosmagicians: {line}", *between)]
    g = go_on(stronghold(rich(head), 0), *rows, "engineers: advance ship").position.g
    assert (g.built[0, D], g.card[0], g.ship[1], g.turn, g.round_number) == (2, 6, 1, 1, 1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (["send p to AIR"], ["pass BON7"]), (["upgrade D4 to TP"], ["pass BON7"]),
        (["upgrade D4 to TP", "done"], ["pass BON7"]),
        (["dig 2", "transform E6 to red"], ["pass BON7"]), (["action ACT6", "build E6"], ["pass BON7"]),
        (["advance ship"], ["dig 2", "transform E6 to red", "build E6"]), (["dig 2", "build E6"], ["send p to FIRE"]),
        (["action ACT1", "bridge D4:C2"], ["pass BON7"]), (["pass BON7"], []),
        (["dig 1", "transform E6", "dig 1", "transform E6", "build E6"], ["convert 1W to 1C", "pass BON7"]),
    ],
)  # fmt: skip
def test_both_actions_of_a_double_turn_in_one_row_and_in_many(first: list[str], second: list[str]) -> None:
    """Afterwards the next faction may act; passing as the first action ends the double turn."""
    commands = ["action ACTC", *first, *second]
    ends = []
    for rows in ([". ".join(commands)], commands):
        played = go_on(
            stronghold(rich(DOUBLE), 0), *(f"chaosmagicians: {row}" for row in rows), "engineers: advance ship"
        )
        g = played.position.g
        ends.append((g.built[0].tolist(), g.passed[0], g.bridges, g.ship[:2].tolist(), g.workers[0], int(g.turn)))
        assert g.ship[1] == 1 and g.passed[0] == ("pass BON7" in commands)
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("giants", "witches"),
    [
        (["pass"], ["pass"]), (["pass bon1"], ["Pass BON7"]), (["pass BON7"], ["pass BON7"]),
        (["pass. +BON7"], ["+bon8"]),
        (["pass BON9"], ["pass BON10"]), (["convert 1PW to 1C. pass bon6"], ["pass BON6. convert 1PW to 1C"]),
    ],
)  # fmt: skip
def test_no_card_is_taken_in_the_last_round_though_one_is_written(giants: list[str], witches: list[str]) -> None:
    """A card that lies free, one that is taken, the own one, one that is not in the game: it means nothing (§6.8)."""
    importer = rich()
    importer.position.g.round_number = 6
    importer.position.refresh()
    rows = [f"giants: {row}" for row in giants] + [f"witches: {row}" for row in witches]
    played = go_on(importer, *rows).position
    assert played.over and played.g.card[:2].tolist() == [-1, -1]


def test_a_card_that_does_not_exist_is_refused_in_the_last_round_too() -> None:
    importer = rich()
    importer.position.g.round_number = 6
    with pytest.raises(LedgerError, match="there is no pass with BON99"):
        go_on(importer, "giants: pass BON99")
